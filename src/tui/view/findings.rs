//! The list of findings, by kind.

use std::collections::BTreeSet;

use ratatui::layout::Rect;

use super::filter;
use super::paint::{Canvas, below, rows};
use super::status::grouped;
use crate::document::{Finding, Severity};
use crate::tui::app::findings::{FindingOrder, Item, Kind, Row, Said};
use crate::tui::app::hits::Hit;
use crate::tui::app::{App, Focus};
use crate::tui::text::{harmless, width};
use crate::tui::theme::Role;

/// Columns of the tool's name at most.
const NAME: u16 = 34;
/// Narrower lists have no column for the message.
const WITH_MESSAGE: u16 = 64;

/// Draws the list. Beside the detail its scrollbar is in the line between them.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let count = shown(app);
    filter::draw(app, canvas, Rect { height: area.height.min(1), ..area }, &count);
    let rest = below(area, 1);
    app.hits.put(rest, Hit::List);
    app.hits.list_height = usize::from(rest.height);
    if app.findings.rows().is_empty() {
        return empty(app, canvas, rest);
    }
    app.findings.fit(usize::from(rest.height));
    let offset = app.findings.offset;
    let bar = if app.hits.beside { 1 } else { 0 };
    let inner = rest.width.saturating_sub(1);
    for (at, line) in rows(rest).enumerate() {
        let Some(row) = app.findings.rows().get(offset + at).copied() else { break };
        let line = Rect { width: inner, ..line };
        let selected = app.findings.cursor() == Some(offset + at);
        match row {
            Row::Kind(kind) => {
                if let Some(kind) = app.findings.kind(kind) {
                    heading(app, canvas, line, kind, selected);
                }
            }
            Row::Item(_, item) => {
                if let Some(item) = app.findings.index.get(item) {
                    finding(app, canvas, line, item, selected);
                }
            }
        }
        if selected {
            canvas.text(line, line.x, "›", Role::Accent);
            if app.focus != Focus::Detail {
                canvas.cover(line, Role::Selection);
            }
        }
        app.hits.put(line, Hit::ListRow(offset + at));
    }
    canvas.scrollbar(Rect { width: rest.width + bar, ..rest }, offset, app.findings.rows().len());
}

fn shown(app: &App) -> String {
    let (shown, all) = (app.findings.shown(), app.findings.index.chosen());
    let mut words = if app.findings.query.is_empty() && !app.findings.all_targets {
        format!("all {}", grouped(shown))
    } else if app.findings.all_targets {
        format!("{} of all targets", grouped(shown))
    } else {
        format!("{} of {}", grouped(shown), grouped(all))
    };
    if app.findings.order != FindingOrder::Worst {
        words = format!("{words}, {}", app.findings.order.label());
    }
    match app.checks.state() {
        Some(state) if app.checks.checking => format!("{words} · {state}"),
        _ => words,
    }
}

/// The letter and the role of a severity.
fn letter(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Error => ("E", Role::Error),
        Severity::Warning => ("W", Role::Warning),
        Severity::Info => ("I", Role::Info),
    }
}

/// `▾ E name-conflict  2        3 targets`
fn heading(app: &App, canvas: &mut Canvas<'_>, line: Rect, kind: &Kind, selected: bool) {
    let x = canvas.text(line, line.x + 1, if kind.open { "▾" } else { "▸" }, Role::Accent);
    let (sign, role) = letter(kind.worst);
    let x = canvas.text(line, x + 1, sign, role);
    let x = canvas.text(line, x + 1, kind.code, Role::Title);
    let x = canvas.text(line, x + 2, &grouped(kind.items.len()), if selected { Role::Title } else { Role::Dim });
    // Who minds: by name while they are few.
    let label =
        |at: &(usize, usize)| app.choices.all.get(at.0).map(crate::lint::TargetChoice::label).unwrap_or_default();
    let words = match kind.targets.as_slice() {
        [] => String::new(),
        [one] => label(one),
        [one, two] => format!("{}, {}", label(one), label(two)),
        many => format!("{} targets mind", many.len()),
    };
    let room = Rect { x: x + 2, width: line.right().saturating_sub(x + 2), ..line };
    let short = match kind.targets.len() {
        0 => String::new(),
        1 => "1 minds".to_owned(),
        many => format!("{many} mind"),
    };
    for words in [&words, &short] {
        if width(words) <= usize::from(room.width) {
            canvas.right(room, words, Role::Dim);
            break;
        }
    }
}

/// `    W list_pets        the name has …          shop.yaml:12`
fn finding(app: &App, canvas: &mut Canvas<'_>, line: Rect, item: &Item, selected: bool) {
    let Some(snapshot) = &app.snapshot else { return };
    let matrix = app.checks.checked.as_ref().map(|checked| &checked.matrix);
    let said = item.said.first().copied().unwrap_or(Said::Own(0));
    let Some(finding) = app.findings.index.finding(&snapshot.catalog, matrix, said) else { return };
    let (sign, role) = letter(item.severity);
    let x = canvas.text(line, line.x + 3, sign, role) + 1;
    let text_role = if selected { Role::Title } else { Role::Text };
    let room = line.right().saturating_sub(x);
    if line.width < WITH_MESSAGE {
        let text = finding.tool.as_deref().unwrap_or(&finding.message);
        let text = if text.is_empty() { &finding.message } else { text };
        let mut right = minds(item);
        if right.is_empty() && finding.tool.is_some() {
            right = place(app, finding);
        }
        let fits = width(&right) * 2 < usize::from(room);
        let end = canvas.right(Rect { x, width: room, ..line }, if fits { &right } else { "" }, Role::Dim);
        canvas.text(Rect { x, width: end.saturating_sub(x + 1), ..line }, x, text, text_role);
        return;
    }
    let name = NAME.min(room / 3);
    let x = match finding.tool.as_deref().filter(|tool| !tool.is_empty()) {
        Some(tool) => {
            canvas.text(Rect { x, width: name, ..line }, x, tool, text_role);
            x + name + 2
        }
        None => x,
    };
    let right = if finding.tool.is_none() { place(app, finding) } else { minds(item) };
    let room = Rect { x, width: line.right().saturating_sub(x), ..line };
    let end = if usize::from(room.width / 3) >= width(&harmless(&right)) {
        canvas.right(room, &right, Role::Dim)
    } else {
        room.right()
    };
    canvas.text(Rect { width: end.saturating_sub(x + 1), ..room }, x, &finding.message, Role::Text);
}

fn place(app: &App, finding: &Finding) -> String {
    let sources = app.snapshot.as_ref().map(|snapshot| &snapshot.catalog.sources);
    sources.zip(finding.place.as_ref()).map(|(sources, place)| sources.cite(place)).unwrap_or_default()
}

/// How many targets say so; one may say several things of it.
fn minds(item: &Item) -> String {
    let targets: BTreeSet<usize> = item
        .said
        .iter()
        .filter_map(|said| match said {
            Said::Target(target, _) => Some(*target),
            Said::Catalog(_) | Said::Own(_) => None,
        })
        .collect();
    match targets.len() {
        0 => String::new(),
        1 => "1 target".to_owned(),
        count => format!("{count} targets"),
    }
}

fn empty(app: &App, canvas: &mut Canvas<'_>, area: Rect) {
    if app.findings.query.is_empty() {
        let what = if app.checks.checking { "checking targets …" } else { "There is nothing to report." };
        filter::nothing(canvas, area, what, "t shows what all targets say, not only the chosen ones.");
    } else {
        let what = format!("No finding matches {}", app.findings.filter.text());
        filter::nothing(canvas, area, &what, "Esc clears the filter, ? shows its words.");
    }
}
