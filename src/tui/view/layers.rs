//! What lies over the screen: help and palette, both made from the table of actions.

use ratatui::layout::Rect;

use super::paint::{Canvas, rows};
use super::status::keys;
use crate::tui::app::App;
use crate::tui::app::actions::{ACTIONS, Context};
use crate::tui::app::hits::Hit;
use crate::tui::app::model::{Layer, Palette};
use crate::tui::app::page::{Line, lay};
use crate::tui::theme::Role;

/// Columns of the help at most.
const HELP: u16 = 88;
/// Columns of the palette at most.
const PALETTE: u16 = 72;
/// Rows of the palette at most.
const PALETTE_ROWS: u16 = 14;
/// Columns of the keys in the help, and in a narrow one.
const KEYS: [usize; 2] = [18, 10];
/// A help below this width is narrow.
const NARROW: u16 = 60;

/// The marks before a name.
const MARKS: [(&str, &str); 10] = [
    ("!", "the name comes from x-mcp-tool-name"),
    ("o", "it comes from operationId"),
    ("s", "it is made from method and path"),
    ("C", "another tool claims the same name"),
    ("T", "name or description was cut"),
    ("H", "hidden: not exposed as a tool"),
    ("E W I", "the worst finding: error, warning or info"),
    ("~", "an overlay changed it"),
    ("*", "an overlay changed it, and that is not saved yet"),
    ("›", "the selected row"),
];

/// The filter's language.
const FILTER: [(&str, &str); 8] = [
    ("words", "letters in this order in name or path, or a part of method, tag or summary; all words must match"),
    ("'word ^word word$", "exactly so, at the beginning, at the end"),
    ("method:get,post", "one of these methods; likewise tag:, upstream:"),
    ("source:slug", "the name's source: override, operationId or slug"),
    ("conflict truncated", "tools with that mark; likewise hidden, findings, changed"),
    ("target:openai", "tools that one of these targets does not take as they are"),
    ("!hidden !word", "not so"),
    ("'hidden", "the word itself, not the mark"),
];

/// The marks before an action.
const ACTION_MARKS: [(&str, &str); 7] = [
    ("0", "its target matches nothing"),
    ("=", "it changes nothing: all that it sets is there already"),
    ("o", "all that it sets is overridden by later actions"),
    ("p", "a part of it is"),
    ("D", "the description that it sets is hidden by a summary"),
    ("S", "a surprise: a value takes the place of one of another type"),
    ("E W I", "the worst finding: error, warning or info"),
];

/// The language of the filter of actions.
const ACTIONS_FILTER: [(&str, &str); 4] = [
    ("words", "parts of target, description, kind or file; all must be there"),
    ("nomatch nochange", "actions with that mark; likewise overridden, surprise, hidden, findings"),
    ("error warning info", "actions whose worst finding is that"),
    ("kind:remove file:", "one of these kinds; files with these letters"),
];

/// The language of the findings' filter.
const FINDINGS: [(&str, &str); 4] = [
    ("words", "parts of kind, tool, message or file; all must be there"),
    ("error warning info", "findings of that severity"),
    ("code: tool: file:", "kinds, tools, files with these letters, such as code:name,target-depth"),
    ("target:openai", "what these targets say, chosen or not"),
];

/// The language of the filter of smoke cases.
const SMOKE: [(&str, &str); 4] = [
    ("words", "parts of the case's name, its tool, its suite or the path; all must be there"),
    ("fail drift pass skipped", "cases with that verdict; likewise setup, teardown"),
    ("suite: tool: name:", "suites, tools, cases with these letters; method: and tag: take whole words"),
    ("!pass !word", "not so"),
];

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    match app.layers.last().cloned() {
        Some(Layer::Help(offset)) => help(app, canvas, area, offset),
        Some(Layer::Palette(palette)) => palette_box(app, canvas, area, &palette),
        Some(Layer::Meter(field)) => super::meter::draw(app, canvas, area, &field),
        Some(Layer::Clients(at)) => super::clients::draw(app, canvas, area, at),
        Some(Layer::Ask(ask)) => super::clients::ask(app, canvas, area, &ask),
        Some(Layer::Work(layer)) => super::workbench::draw(app, canvas, area, &layer),
        None => {}
    }
}

pub(super) fn centered(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

fn help(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, offset: usize) {
    let width = HELP.min(area.width.saturating_sub(2).max(20));
    let keys = if width < NARROW { KEYS[1] } else { KEYS[0] };
    let laid = lay(&help_lines(app, keys), usize::from(width.saturating_sub(4)));
    let height = u16::try_from(laid.len()).unwrap_or(u16::MAX).saturating_add(2);
    let outer = centered(area, width, height.min(area.height.saturating_sub(2).max(3)));
    app.hits.put(area, Hit::Outside);
    app.hits.put(outer, Hit::Layer);
    let inner = canvas.boxed(outer, " Help ");
    let visible = usize::from(inner.height);
    let offset = offset.min(laid.len().saturating_sub(visible));
    if let Some(Layer::Help(kept)) = app.layers.last_mut() {
        *kept = offset;
    }
    let text = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    for (row, line) in rows(text).zip(laid.iter().skip(offset)) {
        canvas.segs(row, &line.segs);
    }
    canvas.scrollbar(Rect { width: inner.width + 1, ..inner }, offset, laid.len());
}

fn help_lines(app: &App, keys: usize) -> Vec<Line> {
    let row = |sign: &str, words: &str| {
        // One column stays free however long the sign is.
        let sign = format!("{sign} ");
        Line::new().cell(sign, keys, Role::Accent).seg(words, Role::Text).hang(keys)
    };
    let mut lines = Vec::new();
    for context in Context::ALL {
        section(context.title(), &mut lines);
        for spec in ACTIONS.iter().filter(|spec| spec.context == context) {
            let bound = app.keymap.keys_for(spec.id);
            let bound = if bound.is_empty() { "no key".to_owned() } else { bound.join(" ") };
            // The name by which a file of one's own gives it other keys.
            lines.push(row(&bound, spec.help).seg(format!("  {}", spec.id), Role::Dim));
        }
    }
    let tables = [
        ("Marks before a name", &MARKS[..]),
        ("Words of the filter of tools", &FILTER[..]),
        ("Words of the filter of findings", &FINDINGS[..]),
        ("Marks before an action of an overlay", &ACTION_MARKS[..]),
        ("Words of the filter of actions", &ACTIONS_FILTER[..]),
        ("Words of the filter of smoke cases", &SMOKE[..]),
    ];
    for (title, rows) in tables {
        section(title, &mut lines);
        for (sign, words) in rows {
            lines.push(row(sign, words));
        }
    }
    lines
}

fn section(title: &str, lines: &mut Vec<Line>) {
    if !lines.is_empty() {
        lines.push(Line::new());
    }
    lines.push(Line::new().seg(title, Role::Title));
}

fn palette_box(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, palette: &Palette) {
    let matches = app.palette_matches();
    let width = PALETTE.min(area.width.saturating_sub(2).max(20));
    let outer = centered(area, width, PALETTE_ROWS.min(area.height));
    app.hits.put(area, Hit::Outside);
    app.hits.put(outer, Hit::Layer);
    let inner = canvas.boxed(outer, " Actions ");
    let mut lines = rows(inner);
    let Some(first) = lines.next() else { return };
    let x = canvas.text(first, first.x + 1, ": ", Role::Accent);
    canvas.field(Rect { x, width: first.right().saturating_sub(x + 1), ..first }, &palette.field, true);
    if matches.is_empty() {
        if let Some(line) = lines.next() {
            canvas.text(line, line.x + 1, "no action has these letters; Esc closes", Role::Dim);
        }
        return;
    }
    let visible = usize::from(inner.height.saturating_sub(1)).max(1);
    let cursor = palette.cursor.min(matches.len() - 1);
    if let Some(Layer::Palette(kept)) = app.layers.last_mut() {
        kept.cursor = cursor;
    }
    let offset = (cursor + 1).saturating_sub(visible);
    for ((at, spec), line) in matches.iter().enumerate().skip(offset).zip(lines) {
        let hindrance = app.hindrance(spec.action);
        let key = keys(app, spec.action);
        let right = Rect { width: line.width.saturating_sub(1), ..line };
        let end = canvas.right(right, &key, Role::Accent);
        let text = Rect { width: end.saturating_sub(line.x + 1), ..line };
        let title = Rect { width: 17.min(text.width), ..text };
        canvas.text(title, line.x + 1, spec.title, if hindrance.is_some() { Role::Dim } else { Role::Text });
        canvas.text(text, line.x + 18, hindrance.unwrap_or(spec.help), Role::Dim);
        if at == cursor {
            canvas.cover(line, Role::Selection);
        }
        app.hits.put(line, Hit::Action(spec.action));
    }
}
