//! Values as text that fits its surroundings.

use super::Readable;
use super::site::{bracketed, column, line_break, line_start};
use crate::document::{Entry, Format, Node, Value, YamlLayout, to_json, to_yaml, to_yaml_with};

/// Nodes looked at to learn how a file is laid out.
const LOOKED_AT: usize = 500;
/// Deepest nesting that is written in flow style with plain words.
const DEEPEST: usize = 64;

/// How a file is laid out.
pub(super) struct Style {
    /// It is JSON.
    pub(super) json: bool,
    pub(super) line_break: &'static str,
    /// Columns by which YAML blocks are indented.
    pub(super) step: usize,
    /// What JSON is indented by; `None` when it stands on one line.
    pub(super) unit: Option<String>,
}

impl Style {
    pub(super) fn of(readable: &Readable<'_>) -> Self {
        let json = readable.document.format == Format::Json;
        Self {
            json,
            line_break: line_break(readable.text),
            step: step(readable).unwrap_or(2),
            unit: if json { unit(readable) } else { None },
        }
    }

    /// The lines of a node in block style, the first one without indentation, the others indented by `indent`.
    pub(super) fn block(&self, node: &Node, indent: usize, literals: bool) -> String {
        let text = to_yaml_with(node, YamlLayout { step: self.step, literals });
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let mut out = String::with_capacity(text.len() * 2);
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                out.push_str(self.line_break);
                if !line.is_empty() {
                    out.extend(std::iter::repeat_n(' ', indent));
                }
            }
            out.push_str(line);
        }
        out
    }

    /// A node on one line, as JSON or in flow style.
    pub(super) fn inline(&self, node: &Node) -> String {
        if self.json {
            return to_json(node, false);
        }
        let mut out = String::new();
        flow(&mut out, node, DEEPEST);
        out
    }

    /// A node as JSON whose further lines are indented by `base` and the unit of the file; else on one line.
    pub(super) fn nested(&self, node: &Node, base: &str) -> String {
        let Some(unit) = self.unit.as_ref().filter(|_| self.json) else {
            return self.inline(node);
        };
        let mut out = String::new();
        for (at, line) in to_json(node, true).split('\n').enumerate() {
            let content = line.trim_start_matches(' ');
            if at > 0 {
                out.push_str(self.line_break);
                out.push_str(base);
            }
            out.extend(std::iter::repeat_n(unit.as_str(), (line.len() - content.len()) / 2));
            out.push_str(content);
        }
        out
    }
}

/// A text as a plain word where that means the same inside of brackets, else in double quotes.
pub(super) fn flow_text(text: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "_-./$".contains(c);
    let plain = to_yaml(&Node::string(text, origin()));
    if text.chars().all(simple) && plain.trim_end() == text { text.to_owned() } else { quoted(text) }
}

/// In double quotes, with what YAML wants escaped.
pub(super) fn quoted(text: &str) -> String {
    let list = Node::list(vec![Node::string(text, origin())], origin());
    let json = to_json(&list, false);
    let inner = json.strip_prefix('[').and_then(|json| json.strip_suffix(']')).unwrap_or(&json);
    let mut out = String::new();
    for character in inner.chars() {
        let escaped = character.is_control()
            || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}');
        if escaped {
            let code = u32::from(character);
            out.push_str(&format!("\\u{code:04x}"));
        } else {
            out.push(character);
        }
    }
    out
}

fn origin() -> crate::document::Origin {
    crate::document::Origin::new(crate::document::FileId(0), 0, 0)
}

fn flow(out: &mut String, node: &Node, levels: usize) {
    let Some(levels) = levels.checked_sub(1) else {
        out.push_str(&to_json(node, false));
        return;
    };
    match &node.value {
        Value::String(text) => out.push_str(&flow_text(text)),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                flow(out, item, levels);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (at, entry) in map.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                out.push_str(&flow_text(&entry.key));
                out.push_str(": ");
                flow(out, &entry.value, levels);
            }
            out.push('}');
        }
        _ => out.push_str(&to_json(node, false)),
    }
}

/// The indentation of the first block map that is the value of a key.
fn step(readable: &Readable<'_>) -> Option<usize> {
    let text = readable.text;
    let mut open = vec![&readable.document.root];
    let mut looked = 0;
    while let Some(node) = open.pop() {
        looked += 1;
        if looked > LOOKED_AT {
            return None;
        }
        for entry in node.members() {
            let inner = |inner: &Entry| inner.key_origin.start as usize;
            let first = entry.value.members().next().map(inner);
            if let Some(first) = first.filter(|_| !bracketed(text, &entry.value)) {
                let (outer, inner) = (column(text, entry.key_origin.start as usize), column(text, first));
                if inner > outer {
                    return Some(inner - outer);
                }
            }
        }
        open.extend(node.members().rev().map(|entry| &entry.value));
        open.extend(node.items().rev());
    }
    None
}

/// The white space before the first member of the root, when it has a line of its own.
fn unit(readable: &Readable<'_>) -> Option<String> {
    let first = readable.document.root.members().next()?.key_origin.start as usize;
    let start = line_start(readable.text, first);
    let space = readable.text.get(start..first)?;
    (start > 0 && space.chars().all(|c| c == ' ' || c == '\t')).then(|| space.to_owned())
}
