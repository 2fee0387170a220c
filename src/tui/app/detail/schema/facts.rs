//! What a schema demands apart from its type, in the fewest words that are still plain. Blanks inside a bound do not
//! break, so that a sign never parts from its number.

use super::super::json::{brief, scalar};
use super::label::Head;
use crate::document::Node;

/// An enumeration longer than this is cut in the tree, with the number of what is left out.
const LONGEST_ENUM: usize = 24;

/// Keywords that the row or its children show in another way.
const SHOWN: [&str; 31] = [
    "type",
    "format",
    "properties",
    "required",
    "items",
    "prefixItems",
    "oneOf",
    "anyOf",
    "allOf",
    "description",
    "title",
    "$ref",
    "$defs",
    "definitions",
    "patternProperties",
    "dependentSchemas",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "contentSchema",
    "$schema",
    "$id",
    "$comment",
    "discriminator",
    "xml",
    "externalDocs",
    "additionalProperties",
    "unevaluatedProperties",
];

/// The facts, bounds of the array first.
pub(super) fn facts(head: &Head<'_>) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(array) = head.array {
        of(array, &mut out);
    }
    of(head.node, &mut out);
    out
}

fn of(node: &Node, out: &mut Vec<String>) {
    range(node, "items", "minItems", "maxItems", out);
    range(node, "length", "minLength", "maxLength", out);
    range(node, "members", "minProperties", "maxProperties", out);
    for entry in node.members() {
        let value = &entry.value;
        let brief = || brief(value);
        let flag = value.as_bool();
        match &*entry.key {
            "enum" => out.push(choices(value)),
            "const" => out.push(format!("is {}", brief())),
            "default" => out.push(format!("default {}", brief())),
            "minimum" => out.push(format!("≥\u{a0}{}", brief())),
            "maximum" => out.push(format!("≤\u{a0}{}", brief())),
            "exclusiveMinimum" => out.push(format!(">\u{a0}{}", brief())),
            "exclusiveMaximum" => out.push(format!("<\u{a0}{}", brief())),
            "multipleOf" => out.push(format!("multiple of {}", brief())),
            "pattern" => out.push(format!("matches {}", value.as_str().unwrap_or_default())),
            "uniqueItems" if flag == Some(true) => out.push("unique".to_owned()),
            "additionalProperties" | "unevaluatedProperties" if flag == Some(false) => {
                out.push("no other members".to_owned());
            }
            "deprecated" if flag == Some(true) => out.push("deprecated".to_owned()),
            "readOnly" if flag == Some(true) => out.push("read only".to_owned()),
            "writeOnly" if flag == Some(true) => out.push("write only".to_owned()),
            "examples" => {
                if let Some(first) = value.items().next() {
                    out.push(format!("such as {}", super::super::json::brief(first)));
                }
            }
            "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties" => {}
            "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" if flag == Some(false) => {}
            key if SHOWN.contains(&key) => {}
            key => out.push(format!("{key} {}", brief())),
        }
    }
}

fn range(node: &Node, what: &str, low: &str, high: &str, out: &mut Vec<String>) {
    let number = |key: &str| node.get(key).map(|node| scalar(node).0);
    match (number(low), number(high)) {
        (None, None) => {}
        (Some(low), Some(high)) if low == high => out.push(format!("{what}\u{a0}{low}")),
        (Some(low), Some(high)) => out.push(format!("{what}\u{a0}{low}..{high}")),
        (Some(low), None) => out.push(format!("{what}\u{a0}≥\u{a0}{low}")),
        (None, Some(high)) => out.push(format!("{what}\u{a0}≤\u{a0}{high}")),
    }
}

fn choices(list: &Node) -> String {
    let count = list.items().count();
    let shown: Vec<String> = list.items().take(LONGEST_ENUM).map(brief).collect();
    let more = count.saturating_sub(LONGEST_ENUM);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("one of {}{tail}", shown.join(", "))
}
