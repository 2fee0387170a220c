//! The table of tools and targets.

use ratatui::layout::Rect;

use super::filter;
use super::paint::{Canvas, below, rows};
use super::status::grouped;
use crate::lint::{TargetTotals, Verdict};
use crate::tui::app::checks::Checked;
use crate::tui::app::hits::Hit;
use crate::tui::app::targets::Arrangement;
use crate::tui::app::targets::page::verdict;
use crate::tui::app::{App, Focus};
use crate::tui::theme::Role;

/// Columns of a target, with a blank behind.
const CELL: u16 = 13;
/// Columns of the selection's sign.
const SIGN: u16 = 2;
/// The least and the most columns of the tools' names.
const NAME: (u16, u16) = (14, 48);
/// Lower tables have the targets' names on one line.
const WITH_TWO: u16 = 9;
/// Rows for tools that stay while totals are shown.
const TOOLS: u16 = 5;

/// A total of every target: a word, and how it is written for one of them.
type Total = (&'static str, fn(&TargetTotals, Option<usize>) -> (String, Role));

/// What is above the tools, what matters most first.
const TOTALS: [Total; 6] = [
    ("limits", |totals, _| limits(totals)),
    ("tokens", |_, tokens| (tokens.map(grouped).unwrap_or_default(), Role::Number)),
    ("dropped", |totals, _| counted(totals.dropped, Verdict::Dropped)),
    ("refused", |totals, _| counted(totals.refused, Verdict::Refused)),
    ("poisons all", |totals, _| counted(totals.poisons_all, Verdict::PoisonsAll)),
    ("warn", |totals, _| counted(totals.warn, Verdict::Warn)),
];

fn counted(count: usize, said: Verdict) -> (String, Role) {
    if count == 0 { ("-".to_owned(), Role::Dim) } else { (grouped(count), verdict(said).1) }
}

/// The limit that is exceeded the most, else the tightest.
fn limits(totals: &TargetTotals) -> (String, Role) {
    let tightest = totals.limits.iter().max_by(|a, b| {
        let share = |limit: &crate::lint::Limit| (limit.count as u128 * 1000) / (limit.max.max(1) as u128);
        share(a).cmp(&share(b))
    });
    let short = |number: usize| if number >= 10_000 { format!("{}k", number / 1000) } else { number.to_string() };
    match tightest {
        None => ("-".to_owned(), Role::Dim),
        Some(limit) if limit.count > limit.max => {
            (format!("{}/{}!", short(limit.count), short(limit.max)), Role::Error)
        }
        Some(limit) => (format!("{}/{}", short(limit.count), short(limit.max)), Role::Text),
    }
}

/// Where the columns are.
struct Columns {
    name: u16,
    /// The first visible target, and how many are visible.
    first: usize,
    count: usize,
}

impl Columns {
    fn area(&self, line: Rect, at: usize) -> Rect {
        let x = line.x + SIGN + self.name + 1 + CELL * u16::try_from(at.saturating_sub(self.first)).unwrap_or(0);
        Rect { x, width: CELL.min(line.right().saturating_sub(x)), ..line }
    }

    fn visible(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }
}

/// Draws the table.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let all = app.target_count();
    let inner = area.width.saturating_sub(1);
    let name = app.index.names().longest.clamp(NAME.0, NAME.1).min((inner / 2).max(NAME.0));
    let room = usize::from(inner.saturating_sub(SIGN + name + 1) / CELL);
    let count = room.clamp(1, all.max(1));
    let checked = app.checks.checked.clone();
    let first_line = Rect { height: area.height.min(1), ..area };
    let rest = below(area, 1);
    app.hits.put(rest, Hit::List);
    app.hits.list_height = usize::from(rest.height);
    let Some(checked) = checked else {
        filter::draw(app, canvas, first_line, "");
        let state = app.checks.state().unwrap_or("no target is asked");
        return filter::nothing(
            canvas,
            rest,
            state,
            "The tools are compared with the rules of every client and provider.",
        );
    };
    let head = if area.height >= WITH_TWO { 2 } else { 1 };
    let totals = totals(&checked, rest.height.saturating_sub(head + 1 + TOOLS));
    let above = head + 1 + u16::try_from(totals.len()).unwrap_or(0);
    let tools = below(rest, above);
    app.table.fit(usize::from(tools.height), count, all);
    app.hits.list_height = usize::from(tools.height);
    let columns = Columns { name, first: app.table.column_offset, count };
    let words = shown(app, &columns, all);
    filter::draw(app, canvas, first_line, &words);
    headings(app, canvas, Rect { height: head.min(rest.height), width: inner, ..rest }, &columns);
    whole(app, canvas, &checked, below(rest, head), &columns, inner);
    for (line, total) in rows(below(rest, head + 1)).zip(&totals) {
        total_row(app, canvas, &checked, Rect { width: inner, ..line }, &columns, total);
    }
    let offset = app.table.offset;
    for (at, line) in rows(tools).enumerate() {
        let Some(tool) = app.table.tools().get(offset + at).copied() else { break };
        tool_row(app, canvas, &checked, Rect { width: inner, ..line }, &columns, (offset + at + 1, tool));
    }
    if app.table.tools().is_empty() {
        let hint =
            if app.list.query.is_empty() { "No tool is exposed." } else { "No exposed tool matches the filter." };
        canvas.text(tools, tools.x + SIGN, hint, Role::Dim);
    }
    border(app, canvas, Rect { width: inner, ..rest }, &columns);
    canvas.scrollbar(tools, offset, app.table.tools().len());
}

/// A line between the targets that were chosen and all others.
fn border(app: &App, canvas: &mut Canvas<'_>, area: Rect, columns: &Columns) {
    let chosen = app.choices.chosen;
    let Some(last) = chosen.checked_sub(1).filter(|last| columns.visible().contains(last)) else { return };
    let cell = columns.area(area, last);
    if chosen < app.target_count() && cell.width == CELL {
        canvas.vertical(Rect { x: cell.right() - 1, width: 1, ..area });
    }
}

fn shown(app: &App, columns: &Columns, all: usize) -> String {
    let last = (columns.first + columns.count).min(all);
    let mut words = format!("{} tools", grouped(app.table.tools().len()));
    if columns.count == 1 && all > 1 {
        words = format!("{words} · target {last} of {all}");
    } else if columns.count < all {
        words = format!("{words} · targets {} to {last} of {all}", columns.first + 1);
    }
    if app.table.arrangement != Arrangement::List {
        words = format!("{words}, {}", app.arrangement_words());
    }
    match app.checks.state() {
        Some(state) => format!("{words} · {state}"),
        None => words,
    }
}

/// The targets' names, broken at a hyphen where there are two lines.
fn headings(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, columns: &Columns) {
    let server = app.table.server.text();
    if !server.is_empty() {
        let words = format!("as `{server}`");
        let room = Rect { x: area.x + SIGN, width: columns.name, ..area };
        canvas.text(room, room.x, &words, Role::Dim);
    }
    for at in columns.visible() {
        let Some(choice) = app.choices.all.get(at) else { break };
        let name = choice.target.name().to_owned();
        let chosen = at < app.choices.chosen;
        let role = match (at == app.table.column(), chosen) {
            (true, _) => Role::Title,
            (false, true) => Role::Accent,
            (false, false) => Role::Dim,
        };
        let cell = columns.area(area, at);
        let text = Rect { width: cell.width.saturating_sub(1), ..cell };
        let parts = if area.height > 1 { broken(&name, usize::from(text.width)) } else { vec![name.as_str()] };
        // One line stands directly above the column.
        let skip = usize::from(area.height).saturating_sub(parts.len());
        for (line, part) in rows(text).skip(skip).zip(parts) {
            canvas.text(line, line.x, part, role);
        }
        if at == app.table.column() {
            canvas.cover(Rect { height: area.height, ..text }, Role::Selection);
        }
        app.hits.put(Rect { height: area.height, ..cell }, Hit::Column(at));
    }
}

/// A name on one line, or on two, parted behind the hyphen that leaves the lines most alike.
fn broken(name: &str, width: usize) -> Vec<&str> {
    if name.len() <= width {
        return vec![name];
    }
    let hyphens = name.char_indices().filter(|(_, c)| *c == '-').map(|(at, _)| at + 1);
    let best = hyphens.min_by_key(|at| at.abs_diff(name.len() - at));
    match best.and_then(|at| name.split_at_checked(at)) {
        Some((head, tail)) => vec![head, tail],
        None => vec![name],
    }
}

/// The row for all tools together: how many of them a model gets.
fn whole(app: &mut App, canvas: &mut Canvas<'_>, checked: &Checked, area: Rect, columns: &Columns, width: u16) {
    let Some(line) = rows(area).next() else { return };
    let line = Rect { width, ..line };
    let selected = app.table.cursor() == 0;
    let role = if selected { Role::Title } else { Role::Text };
    canvas.text(Rect { width: SIGN + columns.name, ..line }, line.x + SIGN, "usable of all tools", role);
    app.hits.put(line, Hit::ListRow(0));
    for at in columns.visible() {
        let Some(totals) = checked.matrix.totals.get(at) else { break };
        let role = if totals.usable == totals.tools { Role::Success } else { Role::Error };
        let cell = columns.area(line, at);
        let text = Rect { width: cell.width.saturating_sub(1), ..cell };
        canvas.text(text, text.x, &format!("{}/{}", totals.usable, totals.tools), role);
        app.hits.put(cell, Hit::Cell(0, at));
    }
    select(app, canvas, line, columns, selected);
}

/// Totals for which there is room and which say something.
fn totals(checked: &Checked, room: u16) -> Vec<Total> {
    let says = |total: &Total| {
        total.0 == "tokens" || checked.matrix.totals.iter().any(|totals| (total.1)(totals, None).0 != "-")
    };
    TOTALS.iter().filter(|total| says(total)).take(usize::from(room)).copied().collect()
}

fn total_row(app: &App, canvas: &mut Canvas<'_>, checked: &Checked, line: Rect, columns: &Columns, total: &Total) {
    canvas.text(Rect { width: SIGN + columns.name, ..line }, line.x + SIGN, total.0, Role::Dim);
    for at in columns.visible() {
        let Some(totals) = checked.matrix.totals.get(at) else { break };
        let tokens = app.checks.counted.as_ref().and_then(|counted| *counted.targets.get(at)?);
        let (text, role) = (total.1)(totals, tokens);
        let cell = columns.area(line, at);
        canvas.text(Rect { width: cell.width.saturating_sub(1), ..cell }, cell.x, &text, role);
    }
}

fn tool_row(
    app: &mut App,
    canvas: &mut Canvas<'_>,
    checked: &Checked,
    line: Rect,
    columns: &Columns,
    (row, tool): (usize, usize),
) {
    let selected = app.table.cursor() == row;
    let Some(entry) = app.index.get(tool) else { return };
    let Some(exposed) = entry.exposed else { return };
    let letters = app.list.letters(entry);
    let name = Rect { x: line.x + SIGN, width: columns.name, ..line };
    canvas.matched(name, &entry.tool.named.name, &letters.name, if selected { Role::Title } else { Role::Text }, true);
    app.hits.put(line, Hit::ListRow(row));
    for at in columns.visible().take_while(|at| *at < checked.matrix.totals.len()) {
        let (word, role) = verdict(checked.matrix.get(at, exposed));
        let cell = columns.area(line, at);
        canvas.text(Rect { width: cell.width.saturating_sub(1), ..cell }, cell.x, word, role);
        app.hits.put(cell, Hit::Cell(row, at));
    }
    select(app, canvas, line, columns, selected);
}

/// Marks the selected row: its sign, and its cell under the selected target.
fn select(app: &App, canvas: &mut Canvas<'_>, line: Rect, columns: &Columns, selected: bool) {
    if !selected {
        return;
    }
    canvas.text(line, line.x, "›", Role::Accent);
    let cell = columns.area(line, app.table.column());
    let text = Rect { width: cell.width.saturating_sub(1), ..cell };
    if app.focus != Focus::Detail {
        canvas.cover(Rect { width: SIGN + columns.name, ..line }, Role::Selection);
    }
    canvas.cover(text, Role::Selection);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_break_behind_a_hyphen() {
        let cases: [(&str, usize, &[&str]); 4] = [
            ("cursor", 12, &["cursor"]),
            ("agentcore-gateway", 12, &["agentcore-", "gateway"]),
            ("mcp-2025-11-25", 12, &["mcp-2025-", "11-25"]),
            ("averylongnamewithout", 12, &["averylongnamewithout"]),
        ];
        for (name, width, expected) in cases {
            assert_eq!(broken(name, width), expected, "{name}");
        }
    }
}
