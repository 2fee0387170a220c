//! Before there is a catalog: what is being read, or why it could not be.

use ratatui::layout::Rect;

use super::paint::{Canvas, rows};
use super::status::keys;
use crate::tui::app::actions::Action;
use crate::tui::app::page::{Line, lay};
use crate::tui::app::{App, LoadFailure};
use crate::tui::theme::Role;

pub(super) fn reading(app: &App, canvas: &mut Canvas<'_>, area: Rect) {
    let count = app.inputs.len();
    let what = if count == 1 { "1 document".to_owned() } else { format!("{count} documents") };
    let what = if count == 0 { "the workspace".to_owned() } else { what };
    let mut lines = vec![Line::new(), Line::new().seg(format!("reading {what} …"), Role::Title), Line::new()];
    lines.extend(app.inputs.iter().map(|input| Line::new().seg(format!("  {input}"), Role::Dim).hang(4)));
    show(canvas, area, &lines, 0);
}

pub(super) fn failure(app: &mut App, failure: &LoadFailure, canvas: &mut Canvas<'_>, area: Rect) {
    let mut lines = vec![Line::new(), Line::new().seg("✗ Nothing could be loaded", Role::Error), Line::new()];
    lines.extend(failure.message.lines().map(|text| Line::new().seg(text, Role::Text)));
    if let Some(cited) = failure.cite() {
        lines.push(Line::new().seg("→ ", Role::Accent).seg(cited, Role::Title).hang(2));
    }
    if let Some(remedy) = &failure.remedy {
        lines.extend(remedy.lines().map(|text| Line::new().seg(text, Role::Text)));
    }
    excerpt(failure, &mut lines);
    lines.push(Line::new());
    let watched = if app.watched.is_empty() { "" } else { "The files are watched: once mended they are read again. " };
    let mut words = format!("{watched}{} reads them now", keys(app, Action::Reload));
    if failure.file.is_some() {
        words.push_str(&format!(", {} opens the editor there", keys(app, Action::Edit)));
    }
    let line = Line::new().seg(format!("{words}, {} quits.", keys(app, Action::Quit)), Role::Dim);
    lines.push(line);
    // A low screen needs its rows for what matters.
    if area.height < 14 {
        lines.retain(|line| !line.segs.is_empty());
    }
    app.fault_offset = show(canvas, area, &lines, app.fault_offset);
}

/// The lines around the fault with their numbers, and a sign under the column.
fn excerpt(failure: &LoadFailure, lines: &mut Vec<Line>) {
    if failure.excerpt.is_empty() {
        return;
    }
    lines.push(Line::new());
    for (number, text) in &failure.excerpt {
        let at_fault = failure.line == Some(*number);
        let role = if at_fault { Role::Error } else { Role::Dim };
        let line = Line::new().seg(format!("{number:>6} │ "), Role::Dim);
        lines.push(line.seg(text, role).hang(9));
        if let Some(caret) = failure.caret.filter(|_| at_fault) {
            // Blanks as wide as what stands before the fault; tabs are widened by the cleaning alike.
            let before: String = text.chars().take(caret).collect();
            let indent = crate::tui::text::width(&crate::tui::text::harmless(&before));
            let line = Line::new().seg("       │ ", Role::Dim).seg(" ".repeat(indent.min(400)), Role::Text);
            lines.push(line.seg("^", Role::Error).hang(9));
        }
    }
}

/// Draws lines from an offset on; gives the offset as far as there are lines.
fn show(canvas: &mut Canvas<'_>, area: Rect, lines: &[Line], offset: usize) -> usize {
    let inner = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(4), ..area };
    if inner.width == 0 {
        return 0;
    }
    let laid = lay(lines, usize::from(inner.width));
    let offset = offset.min(laid.len().saturating_sub(usize::from(inner.height)));
    for (row, line) in rows(inner).zip(laid.iter().skip(offset)) {
        canvas.segs(row, &line.segs);
    }
    canvas.scrollbar(area, offset, laid.len());
    offset
}
