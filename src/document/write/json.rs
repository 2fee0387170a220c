//! Nodes to JSON.

use super::super::node::{Entry, Node, Value};

/// What is left to write of an open list or map.
enum Rest<'a> {
    Items(std::slice::Iter<'a, Node>),
    Members(std::slice::Iter<'a, Entry>),
}

/// A node as JSON (RFC 8259): members in their order, numbers as they were written. `pretty` gives each member and
/// item a line, indented by two spaces; no line break stands at the end.
pub fn to_json(node: &Node, pretty: bool) -> String {
    let mut out = String::new();
    let mut open: Vec<(Rest<'_>, bool)> = Vec::new();
    let mut next = Some(node);
    loop {
        if let Some(node) = next.take() {
            match &node.value {
                Value::List(items) if !items.is_empty() => {
                    out.push('[');
                    open.push((Rest::Items(items.iter()), true));
                }
                Value::Map(map) if !map.is_empty() => {
                    out.push('{');
                    open.push((Rest::Members(map.iter()), true));
                }
                value => scalar(&mut out, value),
            }
        }
        let depth = open.len();
        let Some((rest, first)) = open.last_mut() else { return out };
        let (entry, item, bracket) = match rest {
            Rest::Items(items) => (None, items.next(), ']'),
            Rest::Members(members) => (members.next(), None, '}'),
        };
        let value = entry.map(|entry| &entry.value).or(item);
        if value.is_some() && !std::mem::take(first) {
            out.push(',');
        }
        if pretty {
            new_line(&mut out, if value.is_some() { depth } else { depth - 1 });
        }
        match value {
            Some(value) => {
                if let Some(entry) = entry {
                    string(&mut out, &entry.key);
                    out.push_str(if pretty { ": " } else { ":" });
                }
                next = Some(value);
            }
            None => {
                out.push(bracket);
                open.pop();
            }
        }
    }
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

fn scalar(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => string(out, text),
        // Only empty ones come here.
        Value::List(_) => out.push_str("[]"),
        Value::Map(_) => out.push_str("{}"),
    }
}

/// A JSON string with its quotes. Only what must be escaped is.
pub(super) fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '\\' | '\0'..='\x1F')) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut characters = tail.chars();
        if let Some(character) = characters.next() {
            escape(out, character);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// An escape that JSON and double-quoted YAML have in common.
pub(super) fn escape(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        other => {
            let mut units = [0; 2];
            for unit in other.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
}
