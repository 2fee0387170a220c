//! A node as JSON, in lines with meaning. Every line knows the place that its value was read from.

use crate::document::{Node, Place, Value};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// What is still to be written: a value with its key and the comma behind it, or a closing bracket.
enum Open<'a> {
    Value { key: Option<&'a str>, node: &'a Node, depth: usize, comma: bool },
    Close { bracket: &'static str, depth: usize, comma: bool },
}

/// The node in lines, indented by two. Depth costs no stack.
pub(super) fn lines(node: &Node) -> Vec<Line> {
    let mut out = Vec::new();
    let mut open = vec![Open::Value { key: None, node, depth: 0, comma: false }];
    while let Some(next) = open.pop() {
        match next {
            Open::Close { bracket, depth, comma } => {
                let line = Line::new().seg("  ".repeat(depth), Role::Text).seg(bracket, Role::Dim);
                out.push(end(line, comma));
            }
            Open::Value { key, node, depth, comma } => {
                let place = Place { origin: node.origin, pointer: "".into() };
                let mut line = Line::new().seg("  ".repeat(depth), Role::Text).at(Some(&place)).hang(2 * depth + 2);
                if let Some(key) = key {
                    line = line.seg(quoted(key), Role::Key).seg(": ", Role::Dim);
                }
                out.push(value(line, node, depth, comma, &mut open));
            }
        }
    }
    out
}

/// Ends the line with a scalar or an opening bracket; what is in the brackets is put on the stack.
fn value<'a>(line: Line, node: &'a Node, depth: usize, comma: bool, open: &mut Vec<Open<'a>>) -> Line {
    match &node.value {
        Value::List(items) if !items.is_empty() => {
            open.push(Open::Close { bracket: "]", depth, comma });
            let last = items.len() - 1;
            open.extend(items.iter().enumerate().rev().map(|(at, node)| Open::Value {
                key: None,
                node,
                depth: depth + 1,
                comma: at < last,
            }));
            line.seg("[", Role::Dim)
        }
        Value::Map(map) if !map.is_empty() => {
            open.push(Open::Close { bracket: "}", depth, comma });
            let last = map.len() - 1;
            open.extend(map.iter().enumerate().rev().map(|(at, entry)| Open::Value {
                key: Some(&entry.key),
                node: &entry.value,
                depth: depth + 1,
                comma: at < last,
            }));
            line.seg("{", Role::Dim)
        }
        _ => {
            let (text, role) = scalar(node);
            end(line.seg(text, role), comma)
        }
    }
}

fn end(line: Line, comma: bool) -> Line {
    if comma { line.seg(",", Role::Dim) } else { line }
}

/// A scalar, or the brackets of an empty list or map, as JSON; anything else as its kind.
pub(super) fn scalar(node: &Node) -> (String, Role) {
    match &node.value {
        Value::Null => ("null".to_owned(), Role::Literal),
        Value::Bool(flag) => (flag.to_string(), Role::Literal),
        Value::Number(number) => (number.to_string(), Role::Number),
        Value::String(text) => (quoted(text), Role::String),
        Value::List(items) if items.is_empty() => ("[]".to_owned(), Role::Dim),
        Value::Map(map) if map.is_empty() => ("{}".to_owned(), Role::Dim),
        Value::List(items) => (format!("[{} items]", items.len()), Role::Dim),
        Value::Map(map) => (format!("{{{} members}}", map.len()), Role::Dim),
    }
}

/// The node on one line, for a fact or an annotation; lists and maps only while they are short.
pub(super) fn brief(node: &Node) -> String {
    const LONGEST: usize = 8;
    match &node.value {
        Value::List(items) if items.len() <= LONGEST => {
            let items: Vec<String> = items.iter().map(|item| scalar(item).0).collect();
            format!("[{}]", items.join(", "))
        }
        _ => scalar(node).0,
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| format!("{text:?}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;
    use crate::document::to_json;
    use crate::tui::app::fixture::{json_node, nested};

    #[test]
    fn a_node_is_written_as_json() {
        let source = r#"{"a":[1,{"b":null},[]],"c":"x\n\u001b","d":{},"e":1.50}"#;
        let node = json_node(source);
        let shown: Vec<String> = lines(&node).iter().map(Line::text).collect();
        assert_eq!(shown.join("\n"), to_json(&node, true).trim_end(), "what is shown is what is copied");
        assert_eq!(shown[1..4], ["  \"a\": [", "    1,", "    {"]);
    }

    #[test]
    fn the_deepest_document_has_its_lines() {
        assert_eq!(lines(&nested(crate::document::MAX_DEPTH)).len(), 2 * crate::document::MAX_DEPTH - 1);
    }
}
