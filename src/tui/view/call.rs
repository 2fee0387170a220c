//! The screen of calls: the arguments and what is wrong with them.

use ratatui::layout::Rect;

use super::editor::Look;
use super::paint::{Canvas, below, rows};
use crate::document::Format;
use crate::tui::app::actions::Action;
use crate::tui::app::call::Side;
use crate::tui::app::detail::request;
use crate::tui::app::editor::highlight::State;
use crate::tui::app::hits::Hit;
use crate::tui::app::page::{Laid, Line, lay};
use crate::tui::app::{App, Focus};
use crate::tui::text::{harmless, width};
use crate::tui::theme::Role;

/// Problems take at most that part of the rows.
const PROBLEMS: usize = 3;

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let Some(tool) = app.selected().map(|entry| entry.tool.clone()) else {
        super::filter::nothing(canvas, area, "No tool is selected.", "1 goes to the tools.");
        return;
    };
    let head = Rect { x: area.x + 1, width: area.width.saturating_sub(2), height: area.height.min(1), ..area };
    let line = Line::new().seg(&*tool.operation.method, Role::Accent).seg(" ", Role::Text);
    canvas.segs(head, &line.seg(&*tool.operation.path, Role::Text).segs);
    let name = harmless(&tool.named.name).into_owned();
    let taken = width(&tool.operation.method) + width(&harmless(&tool.operation.path)) + 3;
    if taken + width(&name) <= usize::from(head.width) {
        canvas.right(head, &name, Role::Title);
    }
    let mut rest = below(area, 1);
    // Where a call goes is seen before it is sent.
    if rest.height > 5 {
        let to = Rect { x: area.x + 1, width: area.width.saturating_sub(2), height: 1, ..rest };
        let server = app.call.judged.server.as_deref().unwrap_or("…");
        let x = canvas.text(to, to.x, "→ ", Role::Accent);
        canvas.text(to, x, server, Role::Dim);
        rest = below(rest, 1);
    }
    let said = lay(&said(app), usize::from(rest.width.saturating_sub(2)));
    let most = (usize::from(rest.height) / PROBLEMS).max(1);
    let height = u16::try_from(said.len().min(most)).unwrap_or(0).min(rest.height.saturating_sub(1));
    let text = Rect { height: rest.height - height, ..rest };
    editor(app, canvas, text);
    below_text(canvas, below(rest, text.height), &said);
}

/// What is wrong with the arguments, or that nothing is.
fn said(app: &App) -> Vec<Line> {
    if let Some(fault) = &app.call.fault {
        let place = format!("line {}, column {}  ", fault.line, fault.column);
        let line = Line::new().seg("✗ no JSON  ", Role::Error).seg(place, Role::Key).hang(2);
        return vec![line.seg(&fault.message, Role::Text)];
    }
    let problems = request::problems(&app.call.judged.problems);
    if !problems.is_empty() {
        return problems;
    }
    let (words, role) = if app.call.judging { ("…", Role::Dim) } else { ("✓ the arguments fit", Role::Success) };
    vec![Line::new().seg(words, role)]
}

fn below_text(canvas: &mut Canvas<'_>, area: Rect, said: &[Laid]) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    for (row, line) in rows(inner).zip(said) {
        canvas.segs(row, &line.segs);
    }
    if said.len() > usize::from(area.height)
        && let Some(last) = rows(inner).last()
    {
        canvas.right(last, &format!(" {} more ", said.len() - usize::from(area.height)), Role::Warning);
    }
}

/// The text with its line numbers.
fn editor(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let fault = app.call.fault.as_ref().map(|fault| fault.line);
    let look = Look {
        fault: &|row| (fault == Some(row + 1)).then_some(Role::Error),
        colours: Some((Format::Json, State::default())),
        focused: app.focus == Focus::Editor && app.layers.is_empty(),
        marked: app.focus != Focus::Detail,
        bar: 0,
    };
    let App { hits, call, .. } = app;
    call.editor.fit(usize::from(area.height));
    super::editor::draw(canvas, hits, area, &call.editor, &look);
}

/// `─ Request ─ Result ────── HTTP 200 · 345 bytes · 12 ms ─`
pub(super) fn title(app: &mut App, canvas: &mut Canvas<'_>, bar: Rect) {
    let focused = app.focus == Focus::Detail;
    canvas.horizontal(bar, if focused { Role::BorderFocus } else { Role::Border });
    let mut x = bar.x + 1;
    for (side, title) in [(Side::Request, " Request "), (Side::Result, " Result ")] {
        let open = side == app.call.side;
        let from = x;
        x = canvas.text(bar, x, title, if open { Role::Title } else { Role::Dim });
        let area = Rect { x: from, width: x.saturating_sub(from), ..bar };
        if open {
            canvas.cover(area, Role::Selection);
        } else {
            app.hits.put(area, Hit::Action(Action::Side));
        }
        x += 1;
    }
    let (words, role) = match (&app.call.running, &app.call.outcome) {
        (Some(running), _) => {
            let tenths = running.elapsed.as_millis() / 100;
            let word = if running.stopping { "stopping" } else { "running" };
            (format!(" {word} {}.{} s ", tenths / 10, tenths % 10), Role::Accent)
        }
        (None, Some(outcome)) => {
            (format!(" {} ", outcome.summary()), if outcome.is_error { Role::Error } else { Role::Success })
        }
        (None, None) => return,
    };
    let room = Rect { x, width: bar.right().saturating_sub(x + 1), ..bar };
    let end = canvas.right(room, &words, role);
    if end == room.right() {
        canvas.text(room, x, &words, role);
    }
}
