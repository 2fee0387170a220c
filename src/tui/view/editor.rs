//! A text of several lines that is edited: line numbers, colours, and the cursor.

use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation;

use super::paint::{Canvas, rows};
use crate::document::Format;
use crate::tui::app::editor::Editor;
use crate::tui::app::editor::highlight::{Span, State, spans};
use crate::tui::app::hits::{Hit, Hits};
use crate::tui::app::page::Seg;
use crate::tui::text::{harmless, width};
use crate::tui::theme::Role;

/// How a text is shown.
pub(super) struct Look<'a> {
    /// The role of a line's number (from 0) where something is wrong with it.
    pub(super) fault: &'a dyn Fn(usize) -> Option<Role>,
    /// How it is written, and what is open at its first visible line; without, all is plain.
    pub(super) colours: Option<(Format, State)>,
    /// The keys go to it.
    pub(super) focused: bool,
    /// The line of the cursor is marked while they do not.
    pub(super) marked: bool,
    /// Columns behind the area in which the scrollbar is.
    pub(super) bar: u16,
}

/// Draws the text into an area and notes its lines; gives where the cursor is. Where it is too far to the right, its
/// line moves, and the others stay. The window must have been fitted to the area before.
pub(super) fn draw(canvas: &mut Canvas<'_>, hits: &mut Hits, area: Rect, editor: &Editor, look: &Look<'_>) -> Position {
    hits.put(area, Hit::List);
    hits.list_height = usize::from(area.height);
    let digits = u16::try_from(editor.lines().len().to_string().len()).unwrap_or(1).max(2);
    let room = area.width.saturating_sub(digits + 3);
    let column = u16::try_from(editor.column()).unwrap_or(u16::MAX);
    let skip = (column + 1).saturating_sub(room);
    let mut state = look.colours.map(|(_, state)| state).unwrap_or_default();
    hits.text = Some((area.x + digits + 2, usize::from(skip), editor.row()));
    let mut at_cursor = Position::new(area.x, area.y);
    for (row, line) in rows(area).enumerate() {
        let at = editor.offset + row;
        let Some(text) = editor.lines().get(at) else { break };
        let number = format!("{:>width$}", at + 1, width = usize::from(digits));
        let fault = (look.fault)(at);
        let x = canvas.text(line, line.x + 1, &number, fault.unwrap_or(Role::Dim)) + 1;
        if fault.is_some() {
            canvas.text(line, line.x, "✗", fault.unwrap_or(Role::Error));
        }
        let cells = Rect { x, width: room, ..line };
        let found = match look.colours {
            Some((format, _)) => {
                let (found, next) = spans(format, state, text);
                state = next;
                found
            }
            None => vec![Span { start: 0, end: text.len(), role: Role::Text }],
        };
        let skipped = if at == editor.row() { usize::from(skip) } else { 0 };
        canvas.segs(cells, &visible(text, &found, skipped, usize::from(room)));
        if at == editor.row() {
            at_cursor = Position::new(x + column.saturating_sub(skip), line.y);
            if look.focused {
                canvas.cursor = Some(at_cursor);
            } else if look.marked {
                canvas.text(line, line.x, "›", Role::Accent);
            }
        }
        hits.put(line, Hit::ListRow(at));
    }
    canvas.scrollbar(Rect { width: area.width + look.bar, ..area }, editor.offset, editor.lines().len());
    at_cursor
}

/// What of a line is seen when so many columns at its beginning are not. No more is looked at than is shown.
fn visible(line: &str, found: &[Span], mut skip: usize, room: usize) -> Vec<Seg> {
    let mut out: Vec<Seg> = Vec::new();
    let mut used = 0;
    let mut spans = found.iter().peekable();
    for (at, grapheme) in line.grapheme_indices(true) {
        while spans.next_if(|span| span.end <= at).is_some() {}
        let role = spans.peek().map_or(Role::Text, |span| span.role);
        let clean = harmless(grapheme);
        let columns = width(&clean);
        if skip > 0 {
            skip = skip.saturating_sub(columns);
            continue;
        }
        used += columns;
        match out.last_mut() {
            Some(last) if last.role == role => last.text.push_str(&clean),
            _ => out.push(Seg { text: clean.into_owned(), role }),
        }
        if used > room {
            break;
        }
    }
    out
}
