//! A request as a command for a POSIX shell.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::redact::Redactor;
use super::request::HttpRequest;

/// The request as a `curl` command that can be pasted into a shell: every value is quoted, none is expanded by the
/// shell or by curl, and secrets are masked.
pub fn curl(request: &HttpRequest, redactor: &Redactor) -> String {
    let shown = redactor.request(request);
    let mut command = String::new();
    let body = shown.body.as_ref();
    let text = body.and_then(|body| body.text());
    if let (Some(body), None) = (body, text) {
        // A shell cannot hold these bytes in a word.
        let _ = write!(command, "printf %s {} | base64 -d | ", quoted(&STANDARD.encode(&body.bytes)));
    }
    command.push_str("curl");
    match (&*shown.method, body.is_some()) {
        ("GET", false) | ("POST", true) => {}
        ("HEAD", false) => command.push_str(" --head"),
        (method, _) => {
            let _ = write!(command, " -X {}", quoted(method));
        }
    }
    // Brackets and braces are patterns to curl.
    if shown.url.contains(['[', ']', '{', '}']) {
        command.push_str(" --globoff");
    }
    let _ = write!(command, " {}", quoted(&shown.url));
    for (name, value) in &shown.headers {
        let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
        let _ = write!(command, " \\\n  -H {}", quoted(&header));
    }
    match (body, text) {
        (Some(_), Some(text)) => {
            let _ = write!(command, " \\\n  --data-raw {}", quoted(text));
        }
        (Some(_), None) => command.push_str(" \\\n  --data-binary @-"),
        (None, _) => {}
    }
    command
}

/// A word of a POSIX shell: between single quotes nothing means anything but the quote itself.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
