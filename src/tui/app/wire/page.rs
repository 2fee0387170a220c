//! The page of one hop.

use super::state::Row;
use crate::proxy::{Captured, Exchange, HttpHop, units};
use crate::tui::app::detail::request::payload;
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// Columns of the first word of a line.
const LABEL: usize = 10;

/// The page.
pub(super) fn lines(call: &Exchange, row: Row) -> Vec<Line> {
    match row {
        Row::Call(_) => mcp(call),
        Row::Hop(_, hop) => call.http.get(hop).map(http).unwrap_or_default(),
    }
}

fn fact(label: &str, text: impl AsRef<str>) -> Line {
    Line::new().cell(label, LABEL, Role::Accent).seg(text, Role::Text).hang(LABEL)
}

fn title(text: &str, out: &mut Vec<Line>) {
    if !out.is_empty() {
        out.push(Line::new());
    }
    out.push(Line::new().seg(text, Role::Title));
}

fn mcp(call: &Exchange) -> Vec<Line> {
    let mut out = vec![if call.is_call() { fact("tool", &call.tool) } else { fact("method", call.method) }];
    out.push(fact("client", &call.caller));
    if call.is_notification() {
        out.push(fact("said by", if call.told { "the proxy" } else { "the client" }));
    } else {
        out.push(fact("time", units::shown(call.elapsed)));
        let (word, role) = ending(call);
        out.push(Line::new().cell("result", LABEL, Role::Accent).seg(word, role));
    }
    if call.method == "tools/list" {
        out.push(
            Line::new().seg("The names alone are recorded; the tools themselves are on the screen Tools.", Role::Dim),
        );
    }
    if let Some(drift) = &call.drift {
        for problem in &drift.problems {
            out.push(fact("drift", problem.to_string()));
        }
    }
    let params = format!("{}, params", call.method);
    for (name, value, size) in [(&*params, &call.request, call.sizes.0), ("result", &call.result, call.sizes.1)] {
        if value.is_null() {
            continue;
        }
        title(&format!("{name}  {size} bytes"), &mut out);
        out.extend(payload("application/json", Some(&value.to_string()), size));
    }
    out
}

/// How a message ended, in a word.
pub(crate) fn ending(call: &Exchange) -> (&'static str, Role) {
    if call.is_notification() {
        return (if call.told { "told" } else { "heard" }, Role::Dim);
    }
    match (call.failure, call.is_error) {
        (Some(kind), _) => (kind.word(), Role::Error),
        (None, true) => ("isError", Role::Error),
        (None, false) if call.drift.is_some() => ("drift", Role::Warning),
        (None, false) => ("ok", Role::Success),
    }
}

/// The page of an HTTP hop.
pub(crate) fn http(hop: &HttpHop) -> Vec<Line> {
    let mut out =
        vec![Line::new().seg(&hop.method, Role::Accent).seg(" ", Role::Text).seg(&hop.url, Role::Text).hang(2)];
    headers(&hop.request_headers, &mut out);
    body(&hop.request_body, &mut out);
    match (hop.status, &hop.error) {
        (Some(status), _) => {
            let size = hop.response_body.size;
            title(&format!("{} {status}  {size} bytes", hop.version), &mut out);
        }
        (None, _) => title("no answer", &mut out),
    }
    if let Some(error) = &hop.error {
        out.push(Line::new().seg(error, Role::Error));
    }
    let times = format!("status after {}, all after {}", units::shown(hop.waited), units::shown(hop.elapsed));
    out.push(Line::new().seg(times, Role::Dim));
    headers(&hop.response_headers, &mut out);
    body(&hop.response_body, &mut out);
    out
}

fn headers(headers: &[(String, String)], out: &mut Vec<Line>) {
    for (name, value) in headers {
        out.push(Line::new().seg(name, Role::Dim).seg(": ", Role::Dim).seg(value, Role::Text).hang(2));
    }
}

fn body(body: &Captured, out: &mut Vec<Line>) {
    if body.size == 0 {
        return;
    }
    out.push(Line::new());
    let text = std::str::from_utf8(&body.bytes).ok();
    out.extend(payload(&body.media_type, text, body.size));
    if body.is_cut() {
        let words = format!("… the first {} of {} bytes were recorded", body.bytes.len(), body.size);
        out.push(Line::new().seg(words, Role::Dim));
    }
}
