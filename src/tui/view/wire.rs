//! The screen of the record: calls with their hops.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use ratatui::layout::Rect;

use super::filter;
use super::paint::{Canvas, below, rows};
use super::status::grouped;
use crate::proxy::{Exchange, HttpHop, units};
use crate::tui::app::hits::Hit;
use crate::tui::app::wire::{Row, ending};
use crate::tui::app::{App, Focus};
use crate::tui::text::width;
use crate::tui::theme::Role;

/// Columns from which time of day and size are shown.
const WITH_TIME: u16 = 56;

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let head = Rect { x: area.x + 1, width: area.width.saturating_sub(2), height: area.height.min(1), ..area };
    let words = totals(app.wire.calls());
    let proxy = match &app.wire.serving {
        Some(serving) => serving.endpoints.first().map_or(serving.address.clone(), |(_, url)| url.clone()),
        None => "p starts the proxy".to_owned(),
    };
    canvas.text(head, head.x, &words, Role::Dim);
    let left = Rect { x: head.x + 2, width: head.width.saturating_sub(2), ..head };
    if width(&words) + width(&proxy) + 2 <= usize::from(head.width) {
        canvas.right(left, &proxy, Role::Dim);
    }
    let rest = below(area, 1);
    app.hits.put(rest, Hit::List);
    app.hits.list_height = usize::from(rest.height);
    if app.wire.rows().is_empty() {
        filter::nothing(
            canvas,
            rest,
            "No call was made yet.",
            "4 goes to the arguments of the selected tool, c calls it.",
        );
        return;
    }
    app.wire.fit(usize::from(rest.height));
    let offset = app.wire.offset;
    let bar = if app.hits.beside { 1 } else { 0 };
    for (at, line) in rows(rest).enumerate() {
        let Some(row) = app.wire.rows().get(offset + at).copied() else { break };
        let Some(call) = app.wire.call(row).cloned() else { break };
        let line = Rect { width: rest.width.saturating_sub(1), ..line };
        match row {
            Row::Call(_) => mcp(canvas, line, &call),
            Row::Hop(_, hop) => {
                if let Some(hop) = call.http.get(hop) {
                    http(canvas, line, hop);
                }
            }
        }
        if app.wire.cursor() == Some(offset + at) {
            canvas.text(line, line.x, "›", Role::Accent);
            if app.focus != Focus::Detail {
                canvas.cover(line, Role::Selection);
            }
        }
        app.hits.put(line, Hit::ListRow(offset + at));
    }
    let count = app.wire.rows().len();
    canvas.scrollbar(Rect { width: rest.width + bar, ..rest }, offset, count);
}

/// `3 calls, 1 failed, 2 other messages`
fn totals(messages: &[Arc<Exchange>]) -> String {
    let count = |wanted: &dyn Fn(&Exchange) -> bool| messages.iter().filter(|message| wanted(message)).count();
    let calls = count(&Exchange::is_call);
    let mut words = format!("{} call{}", grouped(calls), if calls == 1 { "" } else { "s" });
    match count(&|message| message.is_error) {
        0 => {}
        failed => words.push_str(&format!(", {} failed", grouped(failed))),
    }
    match messages.len() - calls {
        0 => {}
        1 => words.push_str(", 1 other message"),
        others => words.push_str(&format!(", {} other messages", grouped(others))),
    }
    words
}

/// ` 12:30:01  shop__getPet          ok    345 B    12 ms`
fn mcp(canvas: &mut Canvas<'_>, line: Rect, call: &Exchange) {
    let (word, role) = ending(call);
    let mut x = line.x + 1;
    if line.width >= WITH_TIME {
        x = canvas.text(line, x, &time_of_day(call.started), Role::Dim) + 2;
    }
    let time = if call.is_notification() { String::new() } else { units::shown(call.elapsed) };
    let size = if call.is_notification() { call.sizes.0 } else { call.sizes.1 };
    let room = figures(canvas, line, x, (word, role), size, &time);
    // What a person asked for stands out from what client and proxy have to say to one another.
    canvas.text(room, x, call.title(), if call.is_call() { Role::Text } else { Role::Dim });
}

/// `   └ GET http://127.0.0.1:4010/pet/3   200   345 B   3 ms`
fn http(canvas: &mut Canvas<'_>, line: Rect, hop: &HttpHop) {
    let status = hop.status.map_or("none".to_owned(), |status| status.to_string());
    let role = match hop.status {
        Some(200..=399) => Role::Success,
        _ => Role::Error,
    };
    let x = canvas.text(line, line.x + 1, "  └ ", Role::Border);
    let room = figures(canvas, line, x, (&status, role), hop.response_body.size, &units::shown(hop.elapsed));
    let x = canvas.text(room, x, &hop.method, Role::Accent) + 1;
    let words = Rect { x, width: room.right().saturating_sub(x), ..room };
    canvas.matched(words, &hop.url, &[], Role::Text, true);
}

/// Status, size and time at the right; gives what is left before them.
fn figures(canvas: &mut Canvas<'_>, line: Rect, x: u16, status: (&str, Role), size: u64, time: &str) -> Rect {
    let mut right = Rect { x, width: line.right().saturating_sub(x), ..line };
    let mut put = |text: &str, columns: u16, role: Role| {
        let wanted = columns.max(u16::try_from(width(text)).unwrap_or(u16::MAX));
        if right.width > wanted + 12 {
            canvas.right(right, text, role);
            right.width -= wanted + 1;
        }
    };
    put(time, 9, Role::Dim);
    if line.width >= WITH_TIME {
        put(&format!("{} B", grouped(usize::try_from(size).unwrap_or(usize::MAX))), 9, Role::Dim);
    }
    put(status.0, 7, status.1);
    right
}

/// Hours, minutes and seconds in UTC.
fn time_of_day(at: SystemTime) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
    format!("{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// `─ MCP ────── shop__getPet ─`
pub(super) fn title(app: &App, canvas: &mut Canvas<'_>, bar: Rect) {
    let focused = app.focus == Focus::Detail;
    canvas.horizontal(bar, if focused { Role::BorderFocus } else { Role::Border });
    let Some(row) = app.wire.selected() else { return };
    let title = if matches!(row, Row::Call(_)) { " MCP " } else { " HTTP " };
    let x = canvas.text(bar, bar.x + 1, title, if focused { Role::Title } else { Role::Dim });
    let name = app.wire.call(row).map(|call| format!(" {} ", call.title())).unwrap_or_default();
    let room = Rect { x: x + 1, width: bar.right().saturating_sub(x + 2), ..bar };
    canvas.right(room, &name, Role::Title);
}
