//! The text of an overlay that is edited, what is wrong with it, and what can be completed.

use ratatui::layout::{Position, Rect};

use super::editor::Look;
use super::paint::{Canvas, below, rows};
use crate::document::Severity;
use crate::tui::app::overlays::edit;
use crate::tui::app::page::{Laid, Line, lay};
use crate::tui::app::{App, Focus};
use crate::tui::text::width;
use crate::tui::theme::Role;

/// The text of an overlay that is edited: its name above, what is wrong below.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let focused = app.focus == Focus::Editor && app.layers.is_empty();
    let App { hits, overlays, workbench, .. } = app;
    let Some(editing) = overlays.editing.as_mut() else { return };
    let head = Rect { x: area.x + 1, width: area.width.saturating_sub(2), height: area.height.min(1), ..area };
    let dirty = workbench.drafts.is_dirty(&editing.path);
    let x = canvas.text(head, head.x, &editing.name, Role::Title);
    let x = canvas.text(
        head,
        x,
        if dirty { "  unsaved" } else { "  saved" },
        if dirty { Role::Changed } else { Role::Dim },
    );
    if let Some(search) = &editing.search {
        let x = canvas.text(head, x, "  find ", Role::Accent);
        canvas.field(Rect { x, width: head.right().saturating_sub(x), ..head }, search, focused);
    }
    let rest = below(area, 1);
    let told = told(editing, usize::from(rest.width.saturating_sub(2)));
    let height = u16::try_from(told.len()).unwrap_or(0).min(rest.height / 3);
    let body = Rect { height: rest.height - height, ..rest };
    editing.keep_visible(usize::from(body.height));
    editing.editor.fit(usize::from(body.height));
    let state = editing.state(editing.editor.offset);
    let role = |fault: &edit::Fault| match fault.severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Info => Role::Info,
    };
    let look = Look {
        fault: &|row| editing.fault(row).map(role),
        colours: Some((editing.format, state)),
        focused: focused && editing.search.is_none(),
        marked: true,
        bar: u16::from(hits.beside),
    };
    let cursor = super::editor::draw(canvas, hits, body, &editing.editor, &look);
    let inner = Rect { x: rest.x + 1, y: body.bottom(), width: rest.width.saturating_sub(2), height };
    for (row, line) in rows(inner).zip(&told) {
        canvas.segs(row, &line.segs);
    }
    if let Some(completion) = editing.completion.as_ref().filter(|_| focused) {
        popup(canvas, body, cursor, editing, completion);
    }
}

/// What is wrong, with what to do.
fn told(editing: &edit::Editing, width: usize) -> Vec<Laid> {
    let Some(fault) = editing.told() else { return Vec::new() };
    let (word, role) = crate::tui::app::detail::severity(fault.severity);
    let line = Line::new().seg(format!("✗ {word} "), role).seg(format!("line {}  ", fault.line), Role::Key).hang(2);
    let mut lines = vec![line.seg(&fault.message, Role::Text)];
    lines.extend(
        fault.remedy.as_ref().map(|remedy| Line::new().seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(2)),
    );
    lay(&lines, width)
}

/// Rows of what can be completed, at most.
const POPUP: u16 = 8;

/// What can be completed, below the cursor or above it.
fn popup(
    canvas: &mut Canvas<'_>,
    body: Rect,
    cursor: Position,
    editing: &edit::Editing,
    completion: &edit::Completion,
) {
    let longest = completion.items.iter().map(|item| width(&item.label)).max().unwrap_or(0);
    let noted = completion.items.iter().map(|item| width(&item.note)).max().unwrap_or(0);
    let wanted = u16::try_from(longest + noted + 5).unwrap_or(u16::MAX);
    let rows_wanted = u16::try_from(completion.items.len()).unwrap_or(POPUP).min(POPUP);
    let under = body.bottom().saturating_sub(cursor.y + 1);
    let over = cursor.y.saturating_sub(body.y);
    let height = rows_wanted.min(under.max(over));
    let y = if under >= height { cursor.y + 1 } else { cursor.y.saturating_sub(height) };
    let typed = editing.editor.at().saturating_sub(completion.from);
    let x = cursor.x.saturating_sub(u16::try_from(typed).unwrap_or(0)).max(body.x);
    let width = wanted.min(body.width.saturating_sub(2)).max(12);
    let x = x.min((body.right().saturating_sub(width + 1)).max(body.x));
    let area = Rect { x, y, width, height };
    canvas.clear(area, Role::Status);
    let offset = (completion.cursor + 1).saturating_sub(usize::from(height));
    for (line, (at, item)) in rows(area).zip(completion.items.iter().enumerate().skip(offset)) {
        let label = Rect { x: line.x + 1, width: line.width.saturating_sub(2), ..line };
        canvas.matched(label, &item.label, &[], Role::Status, true);
        let taken = u16::try_from(longest).unwrap_or(u16::MAX).saturating_add(3);
        if taken < line.width {
            let note = Rect { x: line.x + taken, width: line.width.saturating_sub(taken + 1), ..line };
            canvas.text(note, note.x, &item.note, Role::Dim);
        }
        if at == completion.cursor {
            canvas.cover(line, Role::Selection);
        }
    }
}
