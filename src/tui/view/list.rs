//! The list of tools, with its filter.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::filter;
use super::paint::{Canvas, below, rows};
use super::status::grouped;
use crate::document::Severity;
use crate::naming::NameSource;
use crate::tui::app::hits::Hit;
use crate::tui::app::tools::{Entry, Grouping, Letters, Order, Row};
use crate::tui::app::{App, Focus};
use crate::tui::theme::Role;

/// Selection sign and marks, with a blank behind them.
const MARKS: u16 = 8;
/// The longest usual method and a blank.
const METHOD: u16 = 8;
/// Narrower lists have no column for the path.
const WITH_PATH: u16 = 56;
/// Less of a path says nothing.
const SHORTEST_PATH: u16 = 16;
/// A column for the summary must have this much left.
const WITH_SUMMARY: u16 = 20;
/// Lower lists have no headings.
const WITH_HEADINGS: u16 = 8;

/// Widths of the columns; 0 for one that is not there.
struct Columns {
    name: u16,
    path: u16,
    summary: u16,
}

/// Draws the list. Beside the detail its scrollbar is in the line between them, one column to the right of `area`.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let count = shown(app);
    filter::draw(app, canvas, Rect { height: area.height.min(1), ..area }, &count);
    let mut rest = below(area, 1);
    app.hits.put(rest, Hit::List);
    if app.list.rows().is_empty() {
        empty(app, canvas, rest);
        return;
    }
    let bar = if app.hits.beside { 1 } else { 0 };
    // The last column is the scrollbar's, or a blank before the line with the scrollbar.
    let inner = rest.width.saturating_sub(1);
    let columns = columns(app, inner);
    if area.height >= WITH_HEADINGS {
        headings(canvas, Rect { height: 1, ..rest }, &columns);
        rest = below(rest, 1);
    }
    let height = usize::from(rest.height);
    app.hits.list_height = height;
    app.list.fit(height);
    let offset = app.list.offset;
    for (at, line) in rows(rest).enumerate() {
        let Some(row) = app.list.rows().get(offset + at).cloned() else { break };
        let line = Rect { width: inner, ..line };
        match row {
            Row::Group(heading, count) => group(canvas, line, &heading, count),
            Row::Tool(tool) => {
                if let Some(entry) = app.index.get(tool) {
                    let letters = app.list.letters(entry);
                    let selected = app.list.cursor() == Some(offset + at);
                    let unsaved = differs(app, entry);
                    let selected = selected.then_some(app.focus);
                    tool_row(canvas, line, entry, &letters, &columns, selected, unsaved);
                    if app.is_marked(entry) {
                        canvas.text(line, line.x + MARKS - 1, "•", Role::Accent);
                    }
                    app.hits.put(line, Hit::ListRow(offset + at));
                }
            }
        }
    }
    canvas.scrollbar(Rect { width: rest.width + bar, ..rest }, offset, app.list.rows().len());
}

/// How much is shown in which order.
fn shown(app: &App) -> String {
    let all = app.index.len();
    let mut count = if app.list.query.is_empty() {
        format!("all {}", grouped(all))
    } else {
        format!("{} of {}", grouped(app.list.shown()), grouped(all))
    };
    if !app.workbench.marks.is_empty() {
        count = format!("{count} · {} marked", app.workbench.marks.len());
    }
    if app.list.grouping != Grouping::None {
        count = format!("{count}, {}", app.list.grouping.label());
    }
    if app.list.order != Order::Document {
        count = format!("{count}, {}", app.list.order.label());
    }
    count
}

fn columns(app: &App, width: u16) -> Columns {
    let room = width.saturating_sub(MARKS);
    if width < WITH_PATH {
        return Columns { name: room.saturating_sub(METHOD), path: 0, summary: 0 };
    }
    // Two blanks between columns.
    let wide = room.saturating_sub(METHOD + 2);
    let (names, paths) = (app.index.names(), app.index.paths());
    // The name is what the list is for; the detail has the path too.
    let wanted_path = paths.usual.max(8);
    let name = names.usual.max(12).min(wide.saturating_sub(wanted_path.min(wide / 3)));
    let path = wanted_path.min(wide - name);
    if path < wanted_path.min(SHORTEST_PATH) {
        return Columns { name: room.saturating_sub(METHOD), path: 0, summary: 0 };
    }
    let room = wide;
    // What is over goes to both.
    let path = paths.longest.clamp(path, path + (room - name - path) / 2);
    let name = names.longest.clamp(name, room - path);
    let path = paths.longest.clamp(path, room - name);
    let left = room.saturating_sub(name + path + 2);
    Columns { name, path, summary: if left >= WITH_SUMMARY { left } else { 0 } }
}

fn headings(canvas: &mut Canvas<'_>, line: Rect, columns: &Columns) {
    let x = line.x + MARKS;
    canvas.text(line, x, "name", Role::Dim);
    let x = x + columns.name;
    if columns.path == 0 {
        canvas.text(line, x + 1, "method", Role::Dim);
        return;
    }
    canvas.text(line, x + 2, "method", Role::Dim);
    canvas.text(line, x + 2 + METHOD, "path", Role::Dim);
    if columns.summary > 0 {
        canvas.text(line, x + 4 + METHOD + columns.path, "summary", Role::Dim);
    }
}

fn group(canvas: &mut Canvas<'_>, line: Rect, heading: &str, count: usize) {
    let x = canvas.text(line, line.x + 1, heading, Role::Title);
    canvas.text(line, x + 1, &count.to_string(), Role::Dim);
}

fn tool_row(
    canvas: &mut Canvas<'_>,
    line: Rect,
    entry: &Entry,
    letters: &Letters,
    columns: &Columns,
    selected: Option<Focus>,
    unsaved: bool,
) {
    let operation = &*entry.tool.operation;
    if selected.is_some() {
        canvas.text(line, line.x, "›", Role::Accent);
    }
    marks(canvas, line, entry, unsaved);
    let hidden = entry.marks.hidden;
    let role = |role: Role| if hidden { Role::Dim } else { role };
    let x = line.x + MARKS;
    let name = Rect { x, width: columns.name, ..line };
    let name_role = if hidden {
        Role::Dim
    } else if selected.is_some() {
        Role::Title
    } else {
        Role::Text
    };
    if entry.tool.named.name.is_empty() {
        canvas.text(name, x, "(empty)", Role::Error);
    } else {
        canvas.matched(name, &entry.tool.named.name, &letters.name, name_role, false);
    }
    let gap = if columns.path == 0 { 1 } else { 2 };
    let x = x + columns.name + gap;
    let method = Rect { x, width: (METHOD - 1).min(line.right().saturating_sub(x)), ..line };
    canvas.text(method, x, &operation.method, role(Role::Accent));
    if columns.path > 0 {
        let path = Rect { x: x + METHOD, width: columns.path, ..line };
        canvas.matched(path, &operation.path, &letters.path, role(Role::Text), true);
    }
    if columns.summary > 0 {
        let x = x + METHOD + columns.path + 2;
        let summary = Rect { x, width: columns.summary, ..line };
        canvas.text(summary, x, operation.title.as_deref().unwrap_or_default(), Role::Dim);
    }
    if matches!(selected, Some(Focus::List | Focus::Filter)) {
        canvas.cover(line, Role::Selection);
    }
}

/// Does what is not saved yet make another tool of it?
fn differs(app: &App, entry: &Entry) -> bool {
    let difference = app.workbench.difference.as_ref().filter(|_| app.workbench.unsaved() > 0);
    difference.is_some_and(|difference| {
        difference.changes.iter().any(|change| change.after.as_ref().is_some_and(|tool| Arc::ptr_eq(tool, &entry.tool)))
    })
}

/// One letter for each mark, always in the same column.
fn marks(canvas: &mut Canvas<'_>, line: Rect, entry: &Entry, unsaved: bool) {
    let marks = entry.marks;
    let source = match marks.source {
        NameSource::Override => ("!", Role::SourceOverride),
        NameSource::OperationId => ("o", Role::SourceOperationId),
        NameSource::Slug => ("s", Role::SourceSlug),
    };
    let finding = marks.finding.map(|severity| match severity {
        Severity::Error => ("E", Role::Error),
        Severity::Warning => ("W", Role::Warning),
        Severity::Info => ("I", Role::Info),
    });
    let all = [
        Some(source),
        marks.conflict.then_some(("C", Role::Error)),
        marks.truncated.then_some(("T", Role::Warning)),
        marks.hidden.then_some(("H", Role::Dim)),
        finding,
        match (unsaved, marks.changed) {
            (true, _) => Some(("*", Role::Added)),
            (false, true) => Some(("~", Role::Changed)),
            (false, false) => None,
        },
    ];
    for (x, mark) in (line.x + 1..).zip(all) {
        if let Some((sign, role)) = mark {
            canvas.text(line, x, sign, role);
        }
    }
}

fn empty(app: &App, canvas: &mut Canvas<'_>, area: Rect) {
    let (what, hint) = if app.index.is_empty() {
        ("There are no operations in what was read.".to_owned(), "Add some under `paths`: the files are watched.")
    } else {
        (
            format!("No tool matches {}", app.list.filter.text()),
            if app.focus == Focus::Filter {
                "ctrl-u clears the filter."
            } else {
                "Esc clears the filter, ? shows its words."
            },
        )
    };
    filter::nothing(canvas, area, &what, hint);
}
