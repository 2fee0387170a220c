//! The frame around the panes: status line, banner of a failed reload, footer.

use ratatui::layout::Rect;

use super::paint::{Canvas, below, rows};
use crate::tui::app::actions::{ACTIONS, Action, Spec, of_screen};
use crate::tui::app::hits::Hit;
use crate::tui::app::model::{Layer, Load};
use crate::tui::app::page::{Line, lay};
use crate::tui::app::screens::Screen;
use crate::tui::app::{App, Focus};
use crate::tui::text::{truncate_to_width, width};
use crate::tui::theme::Role;
use crate::workspace::Snapshot;

/// Rows that the banner takes at most.
const BANNER: usize = 3;
/// Columns from which all screens are named in the status line.
const SCREENS: u16 = 72;

/// Draws the frame; gives what is left for the panes.
pub(super) fn frame(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) -> Rect {
    let mut body = below(area, 1);
    if body.height > 1 {
        let line = Rect { y: area.bottom() - 1, height: 1, ..area };
        footer(app, canvas, line);
        body.height -= 1;
    }
    let body = banner(app, canvas, body);
    app.hits.one_pane = super::one_pane(app, body);
    top(app, canvas, Rect { height: 1, ..area });
    body
}

/// The screens and what is open at the left, totals and the state of the load at the right.
fn top(app: &mut App, canvas: &mut Canvas<'_>, line: Rect) {
    canvas.clear(line, Role::Status);
    let x = if app.snapshot.is_some() { screens(app, canvas, line) } else { line.x };
    let line = destination(app, canvas, Rect { x, width: line.right().saturating_sub(x), ..line });
    let mut totals =
        app.snapshot.as_ref().map_or_else(Vec::new, |snapshot| totals(snapshot, app.findings.index.chosen()));
    if let Some(serving) = &app.wire.serving {
        totals.insert(0, format!("proxy {}", serving.address));
    }
    match (app.workbench.unsaved(), app.workbench.summary()) {
        (0, _) => {}
        (count, Some(summary)) => totals.insert(0, format!("{count} unsaved {summary}")),
        (count, None) => totals.insert(0, format!("{count} unsaved")),
    }
    if let Some(state) = state(&app.load, app.snapshot.is_some()) {
        totals.insert(0, state);
    }
    let taken = width(&totals.join(" · ")) + 4;
    let left = left(app, usize::from(line.width).saturating_sub(taken));
    // What matters most stays when there is no room for all.
    let room = usize::from(line.width).saturating_sub(width(&left).min(usize::from(line.width) / 2) + 4);
    while totals.len() > 1 && width(&totals.join(" · ")) > room {
        totals.pop();
    }
    let right = Rect { width: line.width.saturating_sub(1), ..line };
    let end = canvas.right(right, &totals.join(" · "), Role::Status);
    let room = Rect { width: end.saturating_sub(line.x + 2), ..line };
    canvas.text(room, line.x + 1, &left, Role::Status);
}

/// Where calls go, at the right end, before everything else: it has to be seen whatever there is no room for. Gives what is
/// left of the line.
fn destination(app: &App, canvas: &mut Canvas<'_>, line: Rect) -> Rect {
    let Some(words) = app.destination.words() else { return line };
    let text = truncate_to_width(&format!(" {words} "), usize::from(line.width));
    let columns = u16::try_from(width(&text)).unwrap_or(line.width);
    let area = Rect { x: line.right().saturating_sub(columns), width: columns.min(line.width), ..line };
    canvas.text(area, area.x, &text, Role::Status);
    if app.destination.is_production() {
        canvas.cover(area, Role::Error);
        canvas.cover(area, Role::Selection);
    }
    Rect { width: line.width.saturating_sub(columns), ..line }
}

/// ` 1 Tools  2 Findings  7 Targets `: the shown one stands out, and a narrow screen has it alone.
fn screens(app: &mut App, canvas: &mut Canvas<'_>, line: Rect) -> u16 {
    let mut x = line.x;
    for screen in Screen::ALL {
        let shown = screen == app.screen;
        if !shown && line.width < SCREENS {
            continue;
        }
        let key = keys(app, of_screen(screen));
        let from = x;
        x = canvas.text(line, x, &format!(" {key} {} ", screen.title()), Role::Status);
        let area = Rect { x: from, width: x.saturating_sub(from), ..line };
        if shown {
            canvas.cover(area, Role::Title);
            canvas.cover(area, Role::Selection);
        }
        app.hits.put(area, Hit::Screen(screen));
    }
    x
}

/// What is open, in as many words as there is room for; a detail without the list says whose it is.
fn left(app: &App, room: usize) -> String {
    let Some(snapshot) = &app.snapshot else { return format!("toolscope  {}", app.inputs.join(", ")) };
    let tools = app.screen == Screen::Tools && app.focus == Focus::Detail && app.hits.one_pane;
    if let Some(entry) = app.selected().filter(|_| tools) {
        return entry.tool.named.name.clone();
    }
    let choices = names(snapshot);
    let fits = choices.iter().find(|name| width(name) <= room);
    fits.or(choices.last()).cloned().unwrap_or_default()
}

fn state(load: &Load, shown: bool) -> Option<String> {
    match (load.running, load.progress) {
        (true, Some((done, total))) => Some(format!("reading {done} of {total} …")),
        (true, None) => Some("reading …".to_owned()),
        (false, _) if load.failure.is_some() && shown => Some("reload failed".to_owned()),
        (false, _) if load.failure.is_some() => Some("load failed".to_owned()),
        (false, _) => None,
    }
}

/// Names of what is open, the longest first.
fn names(snapshot: &Snapshot) -> Vec<String> {
    match snapshot.catalog.upstreams.as_slice() {
        [only] => {
            let title = if only.title.is_empty() { String::new() } else { format!(" · {}", only.title) };
            let name = format!("{}{title}", only.name);
            let standard = if only.version.starts_with('2') { "Swagger" } else { "OpenAPI" };
            let long = format!("{name} · {standard} {}", only.version);
            vec![long, name, only.name.clone()]
        }
        many => {
            let names: Vec<&str> = many.iter().map(|upstream| upstream.name.as_str()).collect();
            let count = format!("{} APIs", names.len());
            vec![format!("{count}: {}", names.join(", ")), count]
        }
    }
}

/// A number with its thousands apart.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Totals in words; what is zero is left out, but for the tools. The findings are those that the screen of findings lists.
fn totals(snapshot: &Snapshot, findings: usize) -> Vec<String> {
    let catalog = &snapshot.catalog;
    let counted = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{} {many}", grouped(count))),
    };
    let tools = catalog.tools.len();
    let mut words = vec![format!("{} tool{}", grouped(tools), if tools == 1 { "" } else { "s" })];
    words.extend(counted(catalog.conflicts.len(), "conflict", "conflicts"));
    words.extend(counted(findings, "finding", "findings"));
    words.extend(counted(catalog.hidden.len(), "hidden", "hidden"));
    words
}

/// Why the last reload failed, above the catalog that was read before.
fn banner(app: &App, canvas: &mut Canvas<'_>, body: Rect) -> Rect {
    if app.editing().is_some() {
        // It is told beside the text.
        return body;
    }
    let (failure, what) = match (&app.workbench.problem, &app.load.failure) {
        (Some(problem), _) => (problem, "✗ as it is edited: "),
        (None, Some(failure)) => (failure, "✗ not reloaded: "),
        (None, None) => return body,
    };
    if app.snapshot.is_none() || body.height < 6 {
        return body;
    }
    let mut line = Line::new().seg(what, Role::Error).seg(&failure.message, Role::Error).hang(2);
    if let Some(cited) = failure.cite() {
        line = line.seg(format!("  {cited}"), Role::Text);
    }
    let key = keys(app, Action::EditFailure);
    let before = if body.width < 60 { "" } else { "Below is what was read before. " };
    let way_out = match app.workbench.problem.is_some() {
        true => format!("  Below is what an earlier text gives. {} takes the change back.", keys(app, Action::Undo)),
        false => format!("  {before}{key} opens the file at fault."),
    };
    let below_it = Line::new().seg(way_out, Role::Dim);
    let mut laid = lay(&[line, below_it], usize::from(body.width.saturating_sub(2)));
    if laid.len() > BANNER {
        // The last line, with the way out, stays.
        laid.drain(BANNER - 1..laid.len() - 1);
    }
    let inner = Rect { x: body.x + 1, width: body.width.saturating_sub(2), ..body };
    for (row, line) in rows(inner).zip(&laid) {
        canvas.segs(row, &line.segs);
    }
    below(body, u16::try_from(laid.len()).unwrap_or(0))
}

/// The keys of an action as the footer shows them: the first.
pub(super) fn keys(app: &App, action: Action) -> String {
    let id = crate::tui::app::actions::spec(action).map_or("", |spec| spec.id);
    app.keymap.keys_for(id).into_iter().next().unwrap_or_default()
}

fn footer(app: &mut App, canvas: &mut Canvas<'_>, line: Rect) {
    let inner = Rect { x: line.x + 1, width: line.width.saturating_sub(2), ..line };
    if let Some(note) = app.note.clone() {
        canvas.text(inner, inner.x, &note.text, if note.error { Role::Warning } else { Role::Accent });
        return;
    }
    if let Some(Layer::Palette(_)) = app.layers.last() {
        words(canvas, inner, &[("Enter", " do it  "), ("Up Down", " choose  "), ("Esc", " close")]);
        return;
    }
    if let Some(Layer::Meter(_)) = app.layers.last() {
        words(canvas, inner, &[("Enter", " check the targets under this name  "), ("Esc", " close")]);
        return;
    }
    if let Some(Layer::Clients(_)) = app.layers.last() {
        words(canvas, inner, &[("y", " copy  "), ("Up Down", " choose  "), ("Esc", " close")]);
        return;
    }
    if let Some(Layer::Work(layer)) = app.layers.last() {
        let hints = layer.hints();
        words(canvas, inner, &hints);
        return;
    }
    if let Some(Layer::Ask(_)) = app.layers.last() {
        words(canvas, inner, &[("y", " yes  "), ("n", " no")]);
        return;
    }
    if app.editing().is_some() && app.focus == Focus::Editor && app.layers.is_empty() {
        let hints: &[(&str, &str)] = match app.editing() {
            Some(editing) if editing.search.is_some() => &[("Enter", " next  "), ("Esc", " back to the text")],
            Some(editing) if editing.completion.is_some() => {
                &[("Tab", " take it  "), ("Up Down", " choose  "), ("Esc", " go on typing")]
            }
            _ => &[
                ("Esc", " leave  "),
                ("Ctrl-S", " save  "),
                ("Ctrl-U", " undo  "),
                ("Ctrl-R", " redo  "),
                ("Ctrl-N", " complete  "),
                ("Ctrl-F", " find"),
            ],
        };
        words(canvas, inner, hints);
        return;
    }
    if app.focus == Focus::Editor && app.layers.is_empty() {
        words(canvas, inner, &[("Esc", " leave the text  "), ("Ctrl-U", " delete to the start of the line")]);
        return;
    }
    if app.focus == Focus::Filter && app.layers.is_empty() {
        filter_hints(app, canvas, inner);
        return;
    }
    let fits: Vec<(&Spec, String)> = hints(app, usize::from(inner.width));
    let mut x = inner.x;
    for (spec, key) in fits {
        let from = x;
        x = canvas.text(inner, x, &key, Role::Accent);
        x = canvas.text(inner, x + 1, title(app, spec), Role::Dim);
        app.hits.put(Rect { x: from, width: x.saturating_sub(from), ..line }, Hit::Action(spec.action));
        x += 2;
    }
}

/// What an action is called here.
fn title(app: &App, spec: &Spec) -> &'static str {
    match (spec.action, app.screen) {
        (Action::Open, Screen::Call) => "type arguments",
        (Action::Toggle, Screen::Overlays) => "go there",
        _ => spec.title,
    }
}

/// The actions of the footer that can be done now and for which there is room; the ways out always come.
fn hints(app: &App, room: usize) -> Vec<(&'static Spec, String)> {
    let here = |spec: &&Spec| app.is_here(spec.context);
    let idle = app.focus == Focus::List && app.layers.is_empty() && app.filter().0.text().is_empty();
    let all: Vec<(&Spec, String)> = ACTIONS
        .iter()
        .filter(|spec| spec.footer)
        .filter(here)
        .filter(|spec| {
            app.reaches(spec.action) && app.hindrance(spec.action).is_none() && !(spec.action == Action::Back && idle)
        })
        .map(|spec| (spec, keys(app, spec.action)))
        .filter(|(_, key)| !key.is_empty())
        .collect();
    let columns = |(spec, key): &(&Spec, String)| width(key) + width(title(app, spec)) + 3;
    let always = |spec: &Spec| matches!(spec.action, Action::Help | Action::Quit | Action::Back);
    let mut left = room + 2;
    left = left.saturating_sub(all.iter().filter(|hint| always(hint.0)).map(columns).sum());
    all.into_iter()
        .filter(|hint| {
            let needed = columns(hint);
            if always(hint.0) {
                return true;
            }
            let fits = needed <= left;
            // Once one is left out, those after it are too: the order says what matters.
            left = if fits { left - needed } else { 0 };
            fits
        })
        .collect()
}

fn filter_hints(app: &App, canvas: &mut Canvas<'_>, area: Rect) {
    if let (_, Some(problem)) = app.filter() {
        canvas.text(area, area.x, problem, Role::Warning);
        return;
    }
    let tests = match app.screen {
        Screen::Findings => ["error warning info", "code: target: tool: file:"],
        Screen::Overlays => ["nomatch nochange overridden findings", "kind: file:"],
        Screen::Smoke => ["fail drift pass skipped", "suite: tool: method: tag:"],
        Screen::Tools | Screen::Call | Screen::Wire | Screen::Targets => {
            ["method: tag: upstream: source: target:", "conflict truncated hidden findings changed"]
        }
    };
    let [first, second] = tests;
    let parts = [("Enter", " to the list  "), ("Esc", " leave  "), (first, "  "), (second, "  "), ("!", " not")];
    words(canvas, area, &parts);
}

/// Keys or words with what they do, as many as there is room for.
fn words(canvas: &mut Canvas<'_>, area: Rect, parts: &[(&str, &str)]) {
    let mut x = area.x;
    for (key, title) in parts {
        if usize::from(area.right().saturating_sub(x)) < width(key) + width(title.trim_end()) {
            break;
        }
        x = canvas.text(area, x, key, Role::Accent);
        x = canvas.text(area, x, title, Role::Dim);
    }
}
