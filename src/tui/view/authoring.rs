//! The menu of changes, and a change before it is kept.

use ratatui::layout::Rect;

use super::layers::centered;
use super::paint::{Canvas, rows};
use super::workbench::scrolled;
use crate::document::ResponseFormat;
use crate::overlay::LineChange;
use crate::tui::app::App;
use crate::tui::app::field::Field;
use crate::tui::app::hits::Hit;
use crate::tui::app::model::{Layer, WorkLayer};
use crate::tui::app::page::{Line, lay};
use crate::tui::app::workbench::menu::{Change, Menu, Scope, Step};
use crate::tui::app::workbench::preview::{Consequences, Preview, Previewed, State};
use crate::tui::app::workbench::summary;
use crate::tui::theme::Role;
use crate::workspace::{ChangeKind, Effect as Difference, ToolChange};

/// Columns of the menu at most.
const MENU: u16 = 76;
/// Tools of an effect that are named.
const NAMED: usize = 8;
/// Findings of an effect that are named.
const TOLD: usize = 6;

pub(super) fn menu(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, menu: &Menu) {
    if let Step::Value(change, _, field) = &menu.step {
        return value(app, canvas, area, menu, *change, field);
    }
    let width = MENU.min(area.width.saturating_sub(2).max(20));
    let (title, choices, cursor) = choices(menu);
    let mut head = vec![Line::new().seg("on ", Role::Dim).seg(menu.whom(), Role::Title)];
    if let (Step::Choose(_), Some(others)) = (&menu.step, others(menu)) {
        head.push(Line::new().seg("Tab", Role::Accent).seg(format!("  {others}"), Role::Dim).hang(5));
    }
    if let Some(problem) = &menu.problem {
        head.push(Line::new().seg(problem, Role::Warning).hang(2));
    }
    head.push(Line::new());
    let head = lay(&head, usize::from(width.saturating_sub(4)));
    let wanted = head.len() + choices.len() + 2;
    let height = u16::try_from(wanted).unwrap_or(u16::MAX).min(area.height.saturating_sub(2).max(3));
    let outer = centered(area, width, height);
    app.hits.put(area, Hit::Outside);
    app.hits.put(outer, Hit::Layer);
    let inner = canvas.boxed(outer, &title);
    let text = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let mut free = rows(text);
    for (line, row) in head.iter().zip(&mut free) {
        canvas.segs(row, &line.segs);
    }
    let visible = usize::from(inner.height).saturating_sub(head.len()).max(1);
    let offset = (cursor + 1).saturating_sub(visible);
    for ((at, line), row) in choices.iter().enumerate().skip(offset).zip(free) {
        canvas.segs(row, &line.segs);
        if at == cursor {
            canvas.cover(row, Role::Selection);
        }
    }
}

/// What can be chosen: title, one line for each, and the selected one.
fn choices(menu: &Menu) -> (String, Vec<Line>, usize) {
    match &menu.step {
        Step::Choose(at) => {
            let line = |row: &(char, Change, &str, &str)| {
                Line::new().cell(row.0.to_string(), 3, Role::Accent).cell(row.2, 26, Role::Text).seg(row.3, Role::Dim)
            };
            (" Change ".to_owned(), Change::MENU.iter().map(line).collect(), *at)
        }
        Step::Argument(change, at) => {
            let line = |(name, argument): &(String, crate::overlay::Argument)| {
                Line::new().cell(name, 28, Role::Text).seg(&argument.location, Role::Dim)
            };
            (format!(" {}: which? ", change.title()), menu.arguments.iter().map(line).collect(), *at)
        }
        Step::Format(at) => {
            let line = |format: &ResponseFormat| Line::new().seg(format.word(), Role::Text);
            (" Response format ".to_owned(), ResponseFormat::ALL.iter().map(line).collect(), *at)
        }
        Step::Value(..) => (String::new(), Vec::new(), 0),
    }
}

/// On what else the menu can be.
fn others(menu: &Menu) -> Option<String> {
    let tools = |count: usize, words: &str| format!("{count} {words}");
    let mut others = Vec::new();
    if menu.scope != Scope::One && !menu.one.is_empty() {
        others.push("the selected tool".to_owned());
    }
    if menu.scope != Scope::Marked && !menu.marked.is_empty() {
        others.push(tools(menu.marked.len(), "marked"));
    }
    if menu.scope != Scope::Shown && menu.shown.len() > 1 {
        others.push(tools(menu.shown.len(), "that the filter shows"));
    }
    (!others.is_empty()).then(|| format!("instead on {}", others.join(", or ")))
}

/// The field of a value, with what is wrong with it.
fn value(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, menu: &Menu, change: Change, field: &Field) {
    let width = 100.min(area.width.saturating_sub(2).max(20));
    let mut below = Vec::new();
    match (&menu.problem, change, &menu.action) {
        (Some(problem), ..) => below.push(Line::new().seg(problem, Role::Warning).hang(2)),
        (None, Change::Retarget, Some(action)) => {
            let places = app.judge_target(action, field.text()).unwrap_or_default();
            let first = places.first().map(ToString::to_string).unwrap_or_default();
            let words = match places.len() {
                0 => "what it matches is told with the change".to_owned(),
                1 => format!("matches {first}"),
                many => format!("matches {many} places: {first}, …"),
            };
            below.push(Line::new().seg(words, Role::Success).hang(2));
        }
        (None, Change::Request | Change::Response | Change::Error, _) => {
            below.push(Line::new().seg("it compiles", Role::Success));
        }
        (None, ..) => below.push(Line::new()),
    }
    let whom = match &menu.action {
        Some(action) => format!("action {}", action.index + 1),
        None => menu.whom(),
    };
    let head = [Line::new().seg("for ", Role::Dim).seg(whom, Role::Title)];
    let inner_width = usize::from(width.saturating_sub(4));
    let (head, below) = (lay(&head, inner_width), lay(&below, inner_width));
    let height = u16::try_from(head.len() + below.len() + 3).unwrap_or(u16::MAX);
    let outer = centered(area, width, height.min(area.height.saturating_sub(2).max(3)));
    app.hits.put(area, Hit::Outside);
    app.hits.put(outer, Hit::Layer);
    let inner = canvas.boxed(outer, &format!(" {} ", change.title()));
    let text = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let mut free = rows(text);
    for (line, row) in head.iter().zip(&mut free) {
        canvas.segs(row, &line.segs);
    }
    if let Some(row) = free.next() {
        let label = change.label().unwrap_or("value");
        let x = canvas.text(row, row.x, &format!("{label}: "), Role::Accent);
        canvas.field(Rect { x, width: row.right().saturating_sub(x), ..row }, field, true);
    }
    for (line, row) in below.iter().zip(free) {
        canvas.segs(row, &line.segs);
    }
}

pub(super) fn preview(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, preview: &Preview) {
    let lines = preview_lines(app, preview);
    let title = format!(" {} ", crate::tui::text::harmless(&preview.label));
    let offset = scrolled(app, canvas, area, &title, &lines, preview.offset);
    if let Some(Layer::Work(WorkLayer::Preview(preview))) = app.layers.last_mut() {
        preview.offset = offset;
    }
}

fn preview_lines(app: &App, preview: &Preview) -> Vec<Line> {
    let name = match (&preview.state, preview.files.get(preview.at)) {
        (State::Ready(ready), _) => ready.file.name.clone(),
        (_, Some(path)) => app.workbench.drafts.name(path).unwrap_or_default().to_owned(),
        (_, None) => "a new file".to_owned(),
    };
    let mut file = Line::new().seg("in ", Role::Dim).seg(name, Role::Title);
    if preview.at >= preview.files.len() {
        file = file.seg(" (new)", Role::Accent);
    }
    let mut lines = vec![file];
    match &preview.state {
        State::Working => lines.push(Line::new().seg("working out what it does …", Role::Dim)),
        State::Failed(why, remedy) => {
            lines.push(Line::new().seg(why, Role::Error).hang(2));
            lines.extend(
                remedy.iter().map(|remedy| Line::new().seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(2)),
            );
        }
        State::Ready(ready) => ready_lines(ready, &mut lines),
    }
    lines
}

fn ready_lines(ready: &Previewed, lines: &mut Vec<Line>) {
    for remark in &ready.remarks {
        lines.push(Line::new().seg("! ", Role::Warning).seg(remark, Role::Text).hang(2));
    }
    if let Some(upstream) = &ready.file.upstream {
        let words =
            format!("no workspace file names it yet: saving tells how to have it applied to {upstream} next time");
        lines.push(Line::new().seg("! ", Role::Warning).seg(words, Role::Text).hang(2));
    }
    lines.push(Line::new());
    headline(&ready.difference, &ready.consequences, lines);
    lines.push(Line::new());
    for hunk in &ready.patch.hunks {
        lines.push(Line::new().seg(format!("line {}", hunk.new.start + 1), Role::Dim));
        for (change, text) in &hunk.lines {
            let (sign, role) = match change {
                LineChange::Kept => (' ', Role::Text),
                LineChange::Added => ('+', Role::Success),
                LineChange::Removed => ('-', Role::Error),
            };
            lines.push(Line::new().seg(format!("{sign} "), role).seg(text, role).hang(2));
        }
    }
    if ready.patch.is_empty() {
        lines.push(Line::new().seg("the text stays as it is", Role::Dim));
    }
    details(&ready.difference, &ready.consequences, lines);
}

/// `+0 ~1 −0 tools; solves 1 conflict`, and the tools by name.
fn headline(difference: &Difference, consequences: &Consequences, lines: &mut Vec<Line>) {
    let mut words = format!("{} tools", summary(difference));
    let conflicts = |count: usize| format!("{count} conflict{}", if count == 1 { "" } else { "s" });
    if !difference.solved_conflicts.is_empty() {
        words.push_str(&format!("; solves {}", conflicts(difference.solved_conflicts.len())));
    }
    if !difference.new_conflicts.is_empty() {
        words.push_str(&format!("; makes {}", conflicts(difference.new_conflicts.len())));
    }
    let (solved, new) = (consequences.solved.len(), consequences.new.len());
    let findings = |count: usize| format!("{count} finding{}", if count == 1 { "" } else { "s" });
    if solved > 0 {
        words.push_str(&format!("; solves {}", findings(solved)));
    }
    if new > 0 {
        words.push_str(&format!("; {} new", findings(new)));
    }
    lines.push(Line::new().seg(words, Role::Title).hang(2));
    lines.extend(difference.changes.iter().take(NAMED).map(tool_line));
    more(difference.changes.len(), NAMED, lines);
}

/// Findings and targets by name.
fn details(difference: &Difference, consequences: &Consequences, lines: &mut Vec<Line>) {
    lines.push(Line::new());
    for conflict in &difference.new_conflicts {
        lines.push(Line::new().seg("  ✗ ", Role::Error).seg(format!("{} is claimed twice", conflict.name), Role::Text));
    }
    for (sign, role, findings) in
        [("  ✓ ", Role::Success, &consequences.solved), ("  ✗ ", Role::Warning, &consequences.new)]
    {
        for (code, message) in findings.iter().take(TOLD) {
            let line = Line::new().seg(sign, role).seg(*code, Role::Accent).seg(format!("  {message}"), Role::Dim);
            lines.push(line.hang(4));
        }
        more(findings.len(), TOLD, lines);
    }
    for (target, was, is, of) in &consequences.targets {
        let role = if is < was { Role::Warning } else { Role::Success };
        let words = format!("{target} takes {is} of {of} tools; it took {was}");
        lines.push(Line::new().seg("  · ", role).seg(words, Role::Text).hang(4));
    }
}

fn more(count: usize, named: usize, lines: &mut Vec<Line>) {
    if count > named {
        lines.push(Line::new().seg(format!("    … and {} more", count - named), Role::Dim));
    }
}

fn tool_line(change: &ToolChange) -> Line {
    let name = |tool: &std::sync::Arc<crate::derive::Tool>| tool.named.name.clone();
    let (before, after) = (change.before.as_ref().map(name), change.after.as_ref().map(name));
    let names = match (before, after) {
        (Some(before), Some(after)) if before != after => format!("{before} → {after}"),
        (before, after) => after.or(before).unwrap_or_default(),
    };
    let kinds: Vec<&str> = change.kinds.iter().map(|kind| kind.word()).collect();
    let sign = match change.kinds.first() {
        Some(ChangeKind::Added | ChangeKind::Shown) => "  + ",
        Some(ChangeKind::Removed | ChangeKind::Hidden) => "  − ",
        _ => "  ~ ",
    };
    Line::new()
        .seg(sign, Role::Changed)
        .seg(names, Role::Text)
        .seg(format!("  {}", kinds.join(", ")), Role::Dim)
        .hang(4)
}
