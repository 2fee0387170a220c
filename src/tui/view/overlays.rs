//! The list of overlays with their actions, and the tabs of the selected one.

use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

use super::filter;
use super::paint::{Canvas, below, rows};
use super::status::grouped;
use crate::document::Severity;
use crate::document::jsonpath::readable;
use crate::tui::app::hits::Hit;
use crate::tui::app::overlays::index::Overridden;
use crate::tui::app::overlays::{FileEntry, Item, Moment, OverlayIndex, Part, Row};
use crate::tui::app::{App, Focus};
use crate::tui::text::{harmless, width};
use crate::tui::theme::Role;

/// Selection sign and marks, with a blank behind them.
const MARKS: u16 = 6;
/// Columns of the action's number.
const NUMBER: u16 = 4;
/// Columns of the kind.
const KIND: u16 = 7;
/// Columns of each count.
const COUNT: u16 = 6;
/// Narrower lists have no counts of changes.
const WITH_CHANGED: u16 = 56;
/// Columns that a description must have.
const WITH_DESCRIPTION: u16 = 16;
/// Lower lists have no headings.
const WITH_HEADINGS: u16 = 8;

/// Widths of the columns; 0 for one that is not there.
struct Columns {
    matches: u16,
    changed: u16,
    target: u16,
    description: u16,
}

/// Draws the list. Beside the detail its scrollbar is in the line between them.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    if app.overlays.editing.is_some() {
        return super::overlay_text::draw(app, canvas, area);
    }
    let count = shown(app);
    filter::draw(app, canvas, Rect { height: area.height.min(1), ..area }, &count);
    let mut rest = below(area, 1);
    app.hits.put(rest, Hit::List);
    app.hits.list_height = usize::from(rest.height);
    if app.overlays.rows().is_empty() {
        return empty(app, canvas, rest);
    }
    let inner = rest.width.saturating_sub(1);
    let columns = columns(app, inner);
    if area.height >= WITH_HEADINGS {
        headings(canvas, Rect { height: 1, width: inner, ..rest }, &columns);
        rest = below(rest, 1);
    }
    app.hits.list_height = usize::from(rest.height);
    app.overlays.fit(usize::from(rest.height));
    let offset = app.overlays.offset;
    let bar = if app.hits.beside { 1 } else { 0 };
    let index = app.overlays.index.clone();
    for (at, line) in rows(rest).enumerate() {
        let Some(row) = app.overlays.rows().get(offset + at).copied() else { break };
        let line = Rect { width: inner, ..line };
        let selected = app.overlays.cursor() == Some(offset + at);
        match row {
            Row::Hints => {
                let folded = !app.overlays.rows().iter().any(|row| matches!(row, Row::Hint(_)));
                let x = canvas.text(line, line.x + 1, if folded { "▸ " } else { "▾ " }, Role::Dim);
                let x = canvas.text(line, x, "Extensions of other programs", Role::Accent);
                canvas.text(line, x, &format!("  {}", index.hints.len()), Role::Dim);
            }
            Row::Hint(at) => {
                if let Some(item) = index.hints.get(at) {
                    let x = line.x + MARKS + NUMBER;
                    let x = canvas.text(line, x, &item.hint.extension, Role::Key) + 2;
                    let target = Rect { x, width: line.right().saturating_sub(x), ..line };
                    canvas.matched(target, &readable(&item.hint.operation), &[], Role::Text, true);
                }
            }
            Row::File(at) => {
                if let Some(file) = index.files.get(at) {
                    heading(app, canvas, line, file, app.overlays.is_folded(at), selected);
                }
            }
            Row::Action(at) => {
                if let Some(item) = index.items.get(at) {
                    action(canvas, line, item, &columns, selected);
                }
            }
        }
        if selected {
            canvas.text(line, line.x, "›", Role::Accent);
            if !matches!(app.focus, Focus::Detail | Focus::Editor) {
                canvas.cover(line, Role::Selection);
            }
        }
        app.hits.put(line, Hit::ListRow(offset + at));
    }
    canvas.scrollbar(Rect { width: rest.width + bar, ..rest }, offset, app.overlays.rows().len());
}

fn shown(app: &App) -> String {
    let all = app.overlays.index.items.len();
    if app.overlays.query.is_empty() {
        format!("all {}", grouped(all))
    } else {
        format!("{} of {}", grouped(app.overlays.shown()), grouped(all))
    }
}

fn columns(app: &App, inner: u16) -> Columns {
    let room = inner.saturating_sub(MARKS + NUMBER + KIND + COUNT);
    let changed = if inner >= WITH_CHANGED { COUNT } else { 0 };
    // A blank before the target.
    let room = room.saturating_sub(changed + 2);
    let longest = app.overlays.index.items.iter().map(|item| width(&item.target)).max().unwrap_or(0);
    let longest = u16::try_from(longest).unwrap_or(u16::MAX).max(8);
    let described = app.overlays.index.items.iter().any(|item| !item.description.is_empty());
    let left = room.saturating_sub(longest + 2);
    if described && left >= WITH_DESCRIPTION {
        Columns { matches: COUNT, changed, target: longest, description: left }
    } else {
        Columns { matches: COUNT, changed, target: room, description: 0 }
    }
}

fn headings(canvas: &mut Canvas<'_>, line: Rect, columns: &Columns) {
    let mut x = line.x + MARKS;
    canvas.right(Rect { x, width: NUMBER - 1, ..line }, "#", Role::Dim);
    x += NUMBER;
    canvas.text(line, x, "kind", Role::Dim);
    x += KIND;
    canvas.right(Rect { x, width: columns.matches, ..line }, "hits", Role::Dim);
    x += columns.matches;
    if columns.changed > 0 {
        canvas.right(Rect { x, width: columns.changed, ..line }, "sets", Role::Dim);
        x += columns.changed;
    }
    x += 2;
    canvas.text(line, x, "target", Role::Dim);
    if columns.description > 0 {
        canvas.text(line, x + columns.target + 2, "description", Role::Dim);
    }
}

/// `▾ tools.overlay.yaml  Words for the model`
fn heading(app: &App, canvas: &mut Canvas<'_>, line: Rect, file: &FileEntry, folded: bool, selected: bool) {
    let x = canvas.text(line, line.x + 1, if folded { "▸ " } else { "▾ " }, Role::Dim);
    let x = canvas.text(line, x, &file.name, if selected { Role::Title } else { Role::Accent });
    let mut words = format!("  {}", file.count);
    let upstreams = app.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.catalog.upstreams);
    if upstreams.len() > 1 {
        let name = upstreams.get(file.upstream).map_or("", |upstream| upstream.name.as_str());
        words.push_str(&format!(" on {name}"));
    }
    let x = canvas.text(line, x, &words, Role::Dim);
    if !file.title.is_empty() {
        canvas.text(line, x, &format!("  {}", file.title), Role::Dim);
    }
}

fn action(canvas: &mut Canvas<'_>, line: Rect, item: &Item, columns: &Columns, selected: bool) {
    marks(canvas, line, item);
    let idle = item.matches == 0 || item.kind == "none" || item.kind == "invalid";
    let mut x = line.x + MARKS;
    canvas.right(Rect { x, width: NUMBER - 1, ..line }, &OverlayIndex::number(item).to_string(), Role::Dim);
    x += NUMBER;
    let role = match item.kind {
        "remove" => Role::Removed,
        "invalid" | "none" => Role::Warning,
        _ => Role::Accent,
    };
    canvas.text(Rect { x, width: KIND - 1, ..line }, x, item.kind, role);
    x += KIND;
    let count = |count: usize| if count == 0 { Role::Warning } else { Role::Number };
    canvas.right(Rect { x, width: columns.matches, ..line }, &grouped(item.matches), count(item.matches));
    x += columns.matches;
    if columns.changed > 0 {
        canvas.right(Rect { x, width: columns.changed, ..line }, &grouped(item.changed), count(item.changed));
        x += columns.changed;
    }
    x += 2;
    let target = Rect { x, width: columns.target.min(line.right().saturating_sub(x)), ..line };
    let role = match (selected, idle) {
        (true, _) => Role::Title,
        (false, true) => Role::Dim,
        (false, false) => Role::Text,
    };
    canvas.text(target, target.x, &ending(&item.target, usize::from(target.width)), role);
    if columns.description > 0 {
        let x = x + columns.target + 2;
        let area = Rect { x, width: columns.description.min(line.right().saturating_sub(x)), ..line };
        canvas.text(area, x, &item.description, Role::Dim);
    }
}

/// Targets below this width lose their beginning and no middle: paths differ at their ends.
const SHORT: usize = 24;

/// A target, or as much of it as tells it from others.
fn ending(target: &str, room: usize) -> String {
    let clean = harmless(target);
    if width(&clean) <= room {
        return clean.into_owned();
    }
    let tail = if room < SHORT { room.saturating_sub(1) } else { room * 3 / 5 };
    let head = room.saturating_sub(tail + 1);
    let take = |graphemes: &mut dyn Iterator<Item = &str>, most: usize| -> Vec<String> {
        let mut used = 0;
        graphemes
            .take_while(|grapheme| {
                used += width(grapheme);
                used <= most
            })
            .map(str::to_owned)
            .collect()
    };
    let start = take(&mut clean.graphemes(true), head).concat();
    let mut end = take(&mut clean.graphemes(true).rev(), tail);
    end.reverse();
    format!("{start}…{}", end.concat())
}

/// One letter for each mark, always in the same column.
fn marks(canvas: &mut Canvas<'_>, line: Rect, item: &Item) {
    let marks = item.marks;
    let effect = match (marks.no_match, marks.no_change) {
        (true, _) => Some(("0", Role::Warning)),
        (false, true) => Some(("=", Role::Info)),
        _ => None,
    };
    let overridden = match marks.overridden {
        Overridden::Not => None,
        Overridden::Partly => Some(("p", Role::Info)),
        Overridden::Wholly => Some(("o", Role::Warning)),
    };
    let value = match (marks.hidden, marks.surprise) {
        (true, _) => Some(("D", Role::Warning)),
        (false, true) => Some(("S", Role::Warning)),
        _ => None,
    };
    let worst = marks.worst.map(|severity| match severity {
        Severity::Error => ("E", Role::Error),
        Severity::Warning => ("W", Role::Warning),
        Severity::Info => ("I", Role::Info),
    });
    for (x, mark) in (line.x + 1..).zip([effect, overridden, value, worst]) {
        if let Some((sign, role)) = mark {
            canvas.text(line, x, sign, role);
        }
    }
}

fn empty(app: &App, canvas: &mut Canvas<'_>, area: Rect) {
    if app.overlays.query.is_empty() {
        let hint = "O begins one; --overlay FILE or `overlays` in the workspace file name those that are there.";
        filter::nothing(canvas, area, "No overlay is applied.", hint);
    } else {
        let what = format!("No action matches {}", app.overlays.filter.text());
        filter::nothing(canvas, area, &what, "Esc clears the filter, ? shows its words.");
    }
}

/// `─ Matches 3 ─ Document ─ Tools +2 ~1 −0 ─ Source ───── #3 of 12 ─`
pub(super) fn tabs(app: &mut App, canvas: &mut Canvas<'_>, bar: Rect) {
    let focused = app.focus == Focus::Detail;
    canvas.horizontal(bar, if focused { Role::BorderFocus } else { Role::Border });
    if app.overlays.editing.is_some() {
        let x = canvas.text(bar, bar.x + 1, " Live ", if focused { Role::Title } else { Role::Dim });
        let words = match (app.workbench.deriving, app.workbench.problem.is_some(), app.workbench.summary()) {
            (true, ..) => " deriving … ".to_owned(),
            (false, true, _) => " not derived ".to_owned(),
            (false, false, Some(summary)) => format!(" {summary} tools "),
            (false, false, None) => " +0 ~0 −0 tools ".to_owned(),
        };
        let room = Rect { x: x + 1, width: bar.right().saturating_sub(x + 2), ..bar };
        canvas.right(room, &words, if app.workbench.problem.is_some() { Role::Error } else { Role::Title });
        return;
    }
    let right = format!(" {} ", app.overlay_title());
    let Some(at) = app.overlays.selected_item() else {
        let title = if app.overlays.file().is_some() { " Overlay " } else { " Extension " };
        let x = canvas.text(bar, bar.x + 1, title, if focused { Role::Title } else { Role::Dim });
        let room = Rect { x: x + 1, width: bar.right().saturating_sub(x + 2), ..bar };
        canvas.right(room, &right, Role::Title);
        return;
    };
    let matches = app.overlays.item(at).map_or(0, |item| item.matches);
    let effect = app.overlays.study(at).and_then(|study| study.summary());
    let mut x = bar.x + 1;
    for part in Part::ALL {
        let open = part == app.overlays.part;
        let mut title = format!(" {} ", part.title());
        match (part, app.overlays.moment, &effect) {
            (Part::Matches, ..) => title = format!(" {} {} ", part.title(), grouped(matches)),
            (Part::Document, Moment::Before, _) => title = " Document before ".to_owned(),
            (Part::Document, Moment::After, _) => title = " Document after ".to_owned(),
            (Part::Tools, _, Some(effect)) => title = format!(" {} {effect} ", part.title()),
            _ => {}
        }
        let from = x;
        x = canvas.text(bar, x, &title, if open { Role::Title } else { Role::Dim });
        let area = Rect { x: from, width: x.saturating_sub(from), ..bar };
        if open {
            canvas.cover(area, Role::Selection);
        }
        app.hits.put(area, Hit::Part(part));
        x = x.saturating_add(1);
    }
    let room = Rect { x, width: bar.right().saturating_sub(x + 1), ..bar };
    if width(&right) <= usize::from(room.width) {
        canvas.right(room, &right, Role::Title);
    }
}
