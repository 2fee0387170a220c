//! The line with the filter above a list, and what is said where a list is empty.

use ratatui::layout::Rect;

use super::paint::{Canvas, below, rows};
use crate::tui::app::hits::Hit;
use crate::tui::app::page::{Line, lay};
use crate::tui::app::{App, Focus};
use crate::tui::theme::Role;

/// The field of the screen's filter, or what could be typed there; at the right how much of what is shown.
pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, count: &str) {
    let focused = app.focus == Focus::Filter && app.layers.is_empty();
    let end = canvas.right(Rect { width: area.width.saturating_sub(1), ..area }, count, Role::Dim);
    let left = Rect { width: end.saturating_sub(area.x + 2), ..area };
    let x = canvas.text(left, area.x, " / ", if focused { Role::Accent } else { Role::Dim });
    let field = Rect { x, width: left.right().saturating_sub(x), ..left };
    let (filter, _) = app.filter();
    if filter.text().is_empty() && !focused {
        canvas.text(field, x, "filter", Role::Dim);
    } else {
        canvas.field(field, filter, focused);
    }
    app.hits.put(left, Hit::Filter);
}

/// Why there is nothing, and what to do.
pub(super) fn nothing(canvas: &mut Canvas<'_>, area: Rect, what: &str, hint: &str) {
    let lines = [Line::new().seg(what, Role::Text), Line::new().seg(hint, Role::Dim)];
    let start = below(area, area.height / 4);
    let start = Rect { x: start.x + 3.min(start.width), width: start.width.saturating_sub(4), ..start };
    for (row, line) in rows(start).zip(lay(&lines, usize::from(start.width))) {
        canvas.segs(row, &line.segs);
    }
}
