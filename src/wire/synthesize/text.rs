//! Texts that have a format, match a pattern and keep to a length.

use regex::RegexBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::document::{FileId, Map, Node, Origin};
use crate::wire::json::member;
use crate::wire::validate::Validator;

use super::make::bound;

/// Characters of a text that a pattern makes.
const LONGEST: usize = 4096;

/// A text for a schema.
pub(super) fn text(schema: &Map) -> String {
    let least = bound(schema, "minLength").unwrap_or(0);
    let most = bound(schema, "maxLength").unwrap_or(usize::MAX);
    let fits = |text: &str| (least..=most).contains(&text.chars().count());
    let format = schema.get("format").and_then(Node::as_str).and_then(of_format);
    if let Some(pattern) = schema.get("pattern").and_then(Node::as_str) {
        let by_format = format.filter(|text| matches(pattern, text) && fits(text)).map(str::to_owned);
        let made = by_format.or_else(|| matching(pattern, least, most));
        if let Some(text) = made.or_else(|| looking_around(pattern, &fits)) {
            return text;
        }
    }
    if let Some(text) = format.filter(|text| fits(text)) {
        return text.to_owned();
    }
    if schema.get("contentEncoding").and_then(Node::as_str) == Some("base64") {
        return "aGVsbG8=".to_owned();
    }
    let mut text: String = "text".chars().take(most).collect();
    while text.chars().count() < least.min(LONGEST) {
        text.push('x');
    }
    text
}

/// Does a given text keep to what the schema says of it? Other values always do.
pub(super) fn fits(schema: &Map, value: &Node) -> bool {
    let Some(text) = value.as_str() else { return true };
    let length = text.chars().count();
    bound(schema, "minLength").is_none_or(|least| length >= least)
        && bound(schema, "maxLength").is_none_or(|most| length <= most)
        && schema.get("pattern").and_then(Node::as_str).is_none_or(|pattern| matches(pattern, text))
}

fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2024-01-15T09:30:00Z",
        "date" => "2024-01-15",
        "time" => "09:30:00Z",
        "duration" => "P1DT2H",
        "email" | "idn-email" => "user@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "url" | "iri" | "uri-reference" | "iri-reference" => "https://example.com/a",
        "uri-template" => "https://example.com/{id}",
        "uuid" | "guid" => "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "byte" | "binary" | "base64" => "aGVsbG8=",
        "json-pointer" => "/a",
        "relative-json-pointer" => "1/a",
        "regex" => "^a$",
        "password" => "correct-horse-1",
        _ => return None,
    })
}

fn matches(pattern: &str, text: &str) -> bool {
    let pattern = ecma(pattern);
    let compiled = RegexBuilder::new(&pattern).size_limit(1 << 24).build();
    compiled.is_ok_and(|regex| regex.is_match(text))
}

/// A text for a pattern that looks ahead or behind, which the generator cannot do: without its looks, or one of some
/// usual texts. The schema's own validator has to accept it.
fn looking_around(pattern: &str, fits: &dyn Fn(&str) -> bool) -> Option<String> {
    if !["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| pattern.contains(look)) {
        return None;
    }
    let origin = Origin::new(FileId(u32::MAX), 0, 0);
    let rule = Node::map(vec![member("pattern", Node::string(pattern, origin))], origin);
    let validator = Validator::new(&rule);
    let usual = ["Passw0rd!", "Passw0rd!Passw0rd!", "user@example.com", "aA1", "text", "text1"].map(str::to_owned);
    let made = matching(&without_looks(pattern), 0, usize::MAX);
    let mut tries = made.into_iter().chain(usual);
    tries.find(|text| fits(text) && validator.check(&Node::string(text.as_str(), origin)).is_empty())
}

/// The pattern without groups that only look.
fn without_looks(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find("(?").filter(|_| out.len() < LONGEST) {
        let (before, group) = rest.split_at(at);
        out.push_str(before);
        let looks = ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| group.starts_with(look));
        let end = if looks { group_end(group) } else { "(?".len() };
        if !looks {
            out.push_str("(?");
        }
        rest = group.get(end..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Where a group that the text begins with ends.
fn group_end(text: &str) -> usize {
    let (mut open, mut escaped, mut class) = (0usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '(' if !class => open += 1,
            ')' if !class => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// `\d` and `\w` are ASCII in ECMA-262, whose patterns JSON Schema has; `/` may be escaped there.
fn ecma(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut letters = pattern.chars();
    while let Some(c) = letters.next() {
        match (c, if c == '\\' { letters.next() } else { None }) {
            (_, Some('d')) => out.push_str("[0-9]"),
            (_, Some('D')) => out.push_str("[^0-9]"),
            (_, Some('w')) => out.push_str("[A-Za-z0-9_]"),
            (_, Some('W')) => out.push_str("[^A-Za-z0-9_]"),
            (_, Some(escaped)) => out.extend([c, escaped]),
            (c, None) => out.push(c),
        }
    }
    out
}

/// A text of the pattern within the lengths, or `None` when the pattern has what no text can be made from (a look
/// around, say). It is checked against the pattern.
pub(super) fn matching(pattern: &str, least: usize, most: usize) -> Option<String> {
    let pattern = ecma(pattern);
    let parsed = regex_syntax::ParserBuilder::new().nest_limit(64).build().parse(&pattern).ok()?;
    let compiled = RegexBuilder::new(&pattern).size_limit(1 << 24).build().ok()?;
    let shortest = {
        let mut text = String::new();
        write(&parsed, 0, &mut text).then_some(text)?
    };
    // Each repetition takes some more than it must, until the text is long enough.
    let lack = least.saturating_sub(shortest.chars().count()).min(LONGEST);
    let extras = (0..=lack.min(8)).chain([lack / 2, lack]);
    for extra in extras {
        let mut text = String::new();
        if !write(&parsed, extra, &mut text) {
            return None;
        }
        // A pattern without an end lets anything follow.
        if text.chars().count() < least && !pattern.ends_with('$') {
            let missing = least.min(LONGEST) - text.chars().count();
            text.extend(std::iter::repeat_n('x', missing));
        }
        if (least..=most).contains(&text.chars().count()) && compiled.is_match(&text) {
            return Some(text);
        }
    }
    None
}

/// Writes a text; `false` when it gets too long or a byte is no character. The parser bounds the depth.
fn write(hir: &Hir, extra: usize, out: &mut String) -> bool {
    if out.len() > LONGEST {
        return false;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => {
                out.push_str(text);
                true
            }
            Err(_) => false,
        },
        HirKind::Class(Class::Unicode(class)) => {
            let holds = |c: char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c));
            let usual = "a1A0bB-_ ./".chars().find(|c| holds(*c));
            match usual.or_else(|| class.ranges().first().map(|range| range.start())) {
                Some(c) => {
                    out.push(c);
                    true
                }
                None => false,
            }
        }
        HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Repetition(repetition) => {
            let least = repetition.min as usize;
            let most = repetition.max.map_or(usize::MAX, |most| most as usize);
            let count = (least + extra).min(most);
            (0..count).all(|_| write(&repetition.sub, extra, out))
        }
        HirKind::Capture(capture) => write(&capture.sub, extra, out),
        HirKind::Concat(parts) => parts.iter().all(|part| write(part, extra, out)),
        HirKind::Alternation(choices) => choices.first().is_some_and(|choice| write(choice, extra, out)),
    }
}
