//! What came of a call, ready to be shown: made away from the screen.

use core::time::Duration;

use serde_json::Value as Json;

use crate::proxy::{Exchange, units};
use crate::tui::app::detail::request::{payload, pretty};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// Lines that are shown.
const MOST_LINES: usize = 5000;
/// Problems of a drift that are named.
const MOST_DRIFT: usize = 20;

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a result.
    Result,
    /// The person gave it up.
    Cancelled,
    /// Without any result, for this reason.
    Failed(String),
}

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The tool.
    pub tool: String,
    /// How it ended.
    pub ending: Ending,
    /// Status of the API's answer.
    pub status: Option<u16>,
    /// The result is an error.
    pub is_error: bool,
    /// How long it took.
    pub elapsed: Duration,
    /// Bytes of the API's answer.
    pub bytes: u64,
    /// The result, ready to be shown.
    pub lines: Vec<Line>,
    /// The result's text, to be copied.
    pub text: String,
}

impl Outcome {
    /// A call without a result.
    pub fn none(tool: &str, ending: Ending, elapsed: Duration) -> Self {
        let line = match &ending {
            Ending::Failed(why) => Line::new().seg(why, Role::Error),
            Ending::Cancelled => {
                Line::new().seg("Cancelled. Whether the API had received the request is not known.", Role::Warning)
            }
            Ending::Result => Line::new(),
        };
        let text = line.text();
        let tool = tool.to_owned();
        Self { tool, ending, status: None, is_error: true, elapsed, bytes: 0, lines: vec![line], text }
    }

    /// A result, as MCP returns it, with the record of its call.
    pub fn of(tool: &str, result: &Json, exchange: Option<&Exchange>, elapsed: Duration) -> Self {
        let is_error = result.get("isError").and_then(Json::as_bool).unwrap_or(false);
        let hop = exchange.and_then(Exchange::last_hop);
        let (mut lines, mut text) = (Vec::new(), String::new());
        for content in result.get("content").and_then(Json::as_array).into_iter().flatten() {
            if !text.is_empty() {
                text.push('\n');
                lines.push(Line::new());
            }
            self::content(content, is_error, &mut lines, &mut text);
        }
        if lines.is_empty() {
            lines.push(Line::new().seg("The result is empty.", Role::Dim));
        }
        if lines.len() > MOST_LINES {
            let words = format!("… {} more lines are not shown; copying takes all", lines.len() - MOST_LINES);
            lines.truncate(MOST_LINES);
            lines.push(Line::new().seg(words, Role::Dim));
        }
        lines.extend(exchange.into_iter().flat_map(drift));
        Self {
            tool: tool.to_owned(),
            ending: Ending::Result,
            status: hop.and_then(|hop| hop.status),
            is_error,
            elapsed: exchange.map_or(elapsed, |exchange| exchange.elapsed),
            bytes: hop.map_or(0, |hop| hop.response_body.size),
            lines,
            text,
        }
    }

    /// `200 · 345 bytes · 12 ms`.
    pub fn summary(&self) -> String {
        let time = units::shown(self.elapsed);
        match (&self.ending, self.status) {
            (Ending::Cancelled, _) => format!("cancelled · {time}"),
            (Ending::Failed(_), _) => format!("failed · {time}"),
            (Ending::Result, None) => format!("error, nothing came back · {time}"),
            (Ending::Result, Some(status)) => {
                let error = if self.is_error { "isError · " } else { "" };
                format!("{error}HTTP {status} · {} bytes · {time}", self.bytes)
            }
        }
    }
}

fn content(content: &Json, is_error: bool, lines: &mut Vec<Line>, text: &mut String) {
    let member = |key: &str| content.get(key).and_then(Json::as_str).unwrap_or_default();
    match member("type") {
        "text" => {
            let body = member("text");
            text.push_str(body);
            let role = if is_error { Role::Error } else { Role::Text };
            let plain = || body.lines().map(|line| Line::new().seg(line, role)).collect();
            lines.extend(pretty(body).unwrap_or_else(plain));
        }
        kind @ ("image" | "audio") => {
            let size = member("data").len() / 4 * 3;
            lines.push(Line::new().seg(format!("{kind}: {}, about {size} bytes", member("mimeType")), Role::Info));
            text.push_str(member("data"));
        }
        kind => {
            lines.push(Line::new().seg(kind, Role::Info));
            let shown = content.to_string();
            lines.extend(payload("application/json", Some(&shown), shown.len() as u64));
            text.push_str(&shown);
        }
    }
}

/// How the body differs from what the document promises.
fn drift(exchange: &Exchange) -> Vec<Line> {
    let Some(drift) = &exchange.drift else { return Vec::new() };
    let mut lines =
        vec![Line::new(), Line::new().seg("The response differs from what the document promises:", Role::Warning)];
    for problem in drift.problems.iter().take(MOST_DRIFT) {
        lines.push(Line::new().seg("! ", Role::Warning).seg(problem.to_string(), Role::Text).hang(2));
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_are_laid_out_and_marked() {
        let cases = [
            (json!({"content": [{"type": "text", "text": "{\"id\":1}"}]}), "{\n  \"id\": 1\n}", false),
            (json!({"content": [{"type": "text", "text": "a\u{1b}[2Jb"}], "isError": true}), "a\\u{1b}[2Jb", true),
            (
                json!({"content": [{"type": "image", "mimeType": "image/png", "data": "AAAA"}]}),
                "image: image/png, about 3 bytes",
                false,
            ),
            (json!({"content": []}), "The result is empty.", false),
        ];
        for (result, expected, is_error) in cases {
            let outcome = Outcome::of("t", &result, None, Duration::from_millis(3));
            let shown: Vec<String> = outcome.lines.iter().map(Line::text).collect();
            assert_eq!(shown.join("\n"), expected);
            assert_eq!(outcome.is_error, is_error);
        }
    }
}
