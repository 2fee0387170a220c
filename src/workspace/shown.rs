//! The command line as it may be shown: what was written there as plain text and is a secret is masked.

use std::path::Path;
use std::sync::OnceLock;

use regex::{Captures, Regex};

use super::options::{HeaderArg, SettingArg};
use super::secret::SecretRef;
use crate::document::{MASK, is_secret_header, is_secret_key, is_secret_member, mask_url};

/// Arguments without secrets: user names, passwords and keys of URLs, literals in `--header` and `--set`. References such as
/// `env:TOKEN` stay.
pub fn shown_arguments(arguments: Vec<String>) -> Vec<String> {
    let mut option = String::new();
    let shown = |argument: String| {
        let (name, value) = match argument.split_once('=').filter(|_| argument.starts_with("--")) {
            Some((name, value)) => (name.to_owned(), value),
            None => (std::mem::take(&mut option), argument.as_str()),
        };
        let start = argument.strip_suffix(value).unwrap_or_default();
        let masked = match &*name {
            "--header" => header(value),
            "--set" => Some(shown_setting(value)),
            _ => None,
        };
        let shown = match masked {
            Some(masked) => format!("{start}{masked}"),
            None => shown_address(&argument),
        };
        if argument.starts_with("--") && !argument.contains('=') {
            option = argument;
        }
        shown
    };
    arguments.into_iter().map(shown).collect()
}

/// An address as it may be shown; other texts stay.
pub fn shown_address(text: &str) -> String {
    mask_url(text, &is_secret_key)
}

/// Lines of a workspace file, perhaps broken, with literals in the place of secrets masked. Every byte stays where it is,
/// but for those behind an address.
pub(super) fn shown_lines(text: &str) -> String {
    static MEMBER: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"([A-Za-z_][A-Za-z0-9_-]*)(["']?\s*:[ \t]+)("[^"\n]*"?|'[^'\n]*'?|[^,{}\[\]\n"' ][^,}\]\n]*)"#;
    let Some(member) = MEMBER.get_or_init(|| Regex::new(pattern).ok()) else { return String::new() };
    let masked = |found: &Captures<'_>| {
        let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
        let value = part(3);
        let is_secret = is_secret_member(part(1)) || matches!(part(1), "value" | "auth_header");
        let shown = match is_secret && is_literal(value.trim_matches(['"', '\'', ' '])) {
            true => "*".repeat(value.len()),
            false => value.to_owned(),
        };
        format!("{}{}{shown}", part(1), part(2))
    };
    let addresses = |line: &str| {
        let masked = mask_url(line, &is_secret_key);
        format!("{masked}{}", " ".repeat(line.len().saturating_sub(masked.len())))
    };
    let text = member.replace_all(text, masked);
    text.split('\n').map(addresses).collect::<Vec<_>>().join("\n")
}

fn header(text: &str) -> Option<String> {
    let header = HeaderArg::parse(text).ok()?;
    (is_secret_header(&header.name) && is_literal(&header.value)).then(|| format!("{}: {MASK}", header.name))
}

/// `KEY=VALUE` without the value where it is a secret.
pub(super) fn shown_setting(text: &str) -> String {
    let Ok(setting) = SettingArg::parse(text) else { return shown_address(text) };
    let Some(last) = setting.path.last() else { return shown_address(text) };
    // `api_key.value`, and the values of `headers`.
    let above = setting.path.iter().rev().nth(1).map(String::as_str);
    let is_secret = is_secret_member(last)
        || (last == "value" && above == Some("api_key"))
        || (above == Some("headers") && is_secret_header(last));
    match is_secret && is_literal(&setting.value) {
        true => format!("{}={MASK}", setting.path.join(".")),
        false => shown_address(text),
    }
}

fn is_literal(text: &str) -> bool {
    SecretRef::parse(text, Path::new("")).is_literal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_workspace_file_keep_their_length_and_lose_their_secrets() {
        let cases = [
            ("bearer: {token: abc}", "bearer: {token: ***}"),
            ("  password: 'a b'", "  password: *****"),
            ("\"client_secret\": \"abc\", x: y", "\"client_secret\": *****, x: y"),
            ("bearer: {token: env:ABC}", "bearer: {token: env:ABC}"),
            ("api_key: {header: X, value: abc", "api_key: {header: X, value: ***"),
            ("headers: {X-Auth-Token: abc}", "headers: {X-Auth-Token: ***}"),
            ("  base_url: 'http://u:p@h/x'", "  base_url: 'http://***@h/x'"),
            ("  base_url: 'http://u:secret@h/x' # y", "  base_url: 'http://***@h/x' # y     "),
            ("name: é", "name: é"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown_lines(text), expected);
        }
    }

    #[test]
    fn secrets_of_a_command_line_are_masked_and_references_stay() {
        let cases: [(&[&str], &[&str]); 8] = [
            (&["serve", "api.yaml", "--demo"], &["serve", "api.yaml", "--demo"]),
            (&["a=https://u:p@h/x?token=t&n=1"], &["a=https://***@h/x?token=***&n=1"]),
            (&["--base-url=https://u:p@h"], &["--base-url=https://***@h"]),
            (&["--header", "X-Doc-Token: abc"], &["--header", "X-Doc-Token: ***"]),
            (&["--header=Authorization: Bearer abc"], &["--header=Authorization: ***"]),
            (&["--header", "Authorization: Bearer env:T"], &["--header", "Authorization: Bearer env:T"]),
            (&["--set", "a.bearer.token=abc", "x=y"], &["--set", "a.bearer.token=***", "x=y"]),
            (&["--set=a.api_key.value=abc", "--set", "n.m=1"], &["--set=a.api_key.value=***", "--set", "n.m=1"]),
        ];
        for (arguments, expected) in cases {
            let given = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            assert_eq!(shown_arguments(given), expected, "{arguments:?}");
        }
    }
}
