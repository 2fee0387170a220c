//! Enough about one argument to say later what became of it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::canonical::{hash_value, shape, target};

/// References and alternatives are followed so far.
const DEEPEST: usize = 16;
/// Longer lists of values are told by their hash alone.
const MOST_CHOICES: usize = 200;

/// One argument of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// Its type in words: `string`, `array<integer>`, `null|string`, `any`.
    #[serde(rename = "type")]
    pub kind: String,
    /// A call without it is refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Where it goes: `path`, `query`, `header`, `cookie`, `body`.
    #[serde(rename = "in", default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Its name there, when that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<String>,
    /// The values that it may have, as JSON, when they are listed.
    #[serde(rename = "enum", default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<BTreeSet<String>>,
    /// Hash of all that constrains its value, when that is more than type and values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

impl Argument {
    /// From its schema within an InputSchema.
    pub(super) fn of(schema: &Value, root: &Value, required: bool) -> Self {
        let constraints = shape(schema, root);
        let is_plain = constraints
            .as_object()
            .is_some_and(|map| map.keys().all(|key| matches!(key.as_str(), "type" | "enum" | "const")));
        let choices = choices(schema, root, 0).filter(|choices| choices.len() <= MOST_CHOICES);
        let is_told = is_plain && (choices.is_some() || !constraints.get("enum").is_some_and(Value::is_array));
        Self {
            kind: kind(schema, root),
            required,
            place: String::new(),
            wire: None,
            choices,
            shape: (!is_told).then(|| hash_value(&constraints)),
        }
    }
}

/// The type of a schema's values in words.
pub(in crate::session) fn kind(schema: &Value, root: &Value) -> String {
    words(&kinds(schema, root, 0))
}

fn words(kinds: &BTreeSet<String>) -> String {
    kinds.iter().map(String::as_str).collect::<Vec<_>>().join("|")
}

fn any() -> BTreeSet<String> {
    BTreeSet::from(["any".to_owned()])
}

/// The types that [`kind`] put into words.
pub(in crate::session) fn kinds_of_words(words: &str) -> BTreeSet<String> {
    let (mut kinds, mut kind, mut depth) = (BTreeSet::new(), String::new(), 0_usize);
    for c in words.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                kinds.insert(std::mem::take(&mut kind));
                continue;
            }
            _ => {}
        }
        kind.push(c);
    }
    kinds.insert(kind);
    kinds
}

/// The types that values may have; `any` where nothing is said.
pub(in crate::session) fn kinds(schema: &Value, root: &Value, depth: usize) -> BTreeSet<String> {
    let Value::Object(map) = schema else { return any() };
    if depth > DEEPEST {
        return any();
    }
    let own = match map.get("type") {
        Some(Value::String(word)) => BTreeSet::from([with_items(word, map, root, depth)]),
        Some(Value::Array(list)) => {
            list.iter().filter_map(Value::as_str).map(|word| with_items(word, map, root, depth)).collect()
        }
        _ => BTreeSet::new(),
    };
    let mut found = if own.is_empty() { inferred(map, root, depth) } else { own };
    if found.contains("any") {
        return any();
    }
    if found.contains("number") {
        found.remove("integer");
    }
    found
}

fn inferred(map: &Map<String, Value>, root: &Value, depth: usize) -> BTreeSet<String> {
    if let Some(Value::String(reference)) = map.get("$ref") {
        return target(root, reference).map_or_else(any, |target| kinds(target, root, depth + 1));
    }
    let of_value = |value: &Value| {
        let word = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        word.to_owned()
    };
    if let Some(value) = map.get("const") {
        return BTreeSet::from([of_value(value)]);
    }
    if let Some(Value::Array(values)) = map.get("enum") {
        return values.iter().map(of_value).collect();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = map.get(keyword) {
            return alternatives.iter().flat_map(|schema| kinds(schema, root, depth + 1)).collect();
        }
    }
    if let Some(Value::Array(parts)) = map.get("allOf") {
        let known = parts.iter().map(|schema| kinds(schema, root, depth + 1)).find(|kinds| !kinds.contains("any"));
        return known.unwrap_or_else(any);
    }
    let has = |key: &str| map.contains_key(key);
    match (has("properties"), has("items")) {
        (true, _) => BTreeSet::from(["object".to_owned()]),
        (_, true) => BTreeSet::from([with_items("array", map, root, depth)]),
        _ => any(),
    }
}

fn with_items(word: &str, map: &Map<String, Value>, root: &Value, depth: usize) -> String {
    let items = map.get("items").filter(|_| word == "array").map(|items| kinds(items, root, depth + 1));
    match items {
        Some(items) if !items.contains("any") => format!("array<{}>", words(&items)),
        _ => word.to_owned(),
    }
}

/// The values that are listed, as JSON.
pub(in crate::session) fn choices(schema: &Value, root: &Value, depth: usize) -> Option<BTreeSet<String>> {
    if depth > DEEPEST {
        return None;
    }
    if let Some(Value::Array(values)) = schema.get("enum") {
        return Some(values.iter().map(Value::to_string).collect());
    }
    if let Some(value) = schema.get("const") {
        return Some(BTreeSet::from([value.to_string()]));
    }
    if let Some(Value::String(reference)) = schema.get("$ref") {
        return choices(target(root, reference)?, root, depth + 1);
    }
    let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf"))?.as_array()?;
    let mut all = BTreeSet::new();
    for alternative in alternatives {
        let is_null = alternative.get("type").and_then(Value::as_str) == Some("null");
        match choices(alternative, root, depth + 1) {
            Some(some) => all.extend(some),
            None if is_null => drop(all.insert("null".to_owned())),
            None => return None,
        }
    }
    (!all.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_in_words() {
        let root = json!({"$defs": {"S": {"type": "string"}, "Loop": {"$ref": "#/$defs/Loop"}}});
        let cases = [
            (json!({"type": "integer"}), "integer"),
            (json!({"type": ["string", "null"]}), "null|string"),
            (json!({"type": ["integer", "number"]}), "number"),
            (json!({"type": "array", "items": {"$ref": "#/$defs/S"}}), "array<string>"),
            (json!({"type": "array"}), "array"),
            (json!({"items": {"enum": [1, 2]}}), "array<integer>"),
            (json!({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/S"}]}), "null|string"),
            (json!({"anyOf": [{"type": "string"}, {}]}), "any"),
            (json!({"allOf": [{}, {"type": "object"}]}), "object"),
            (json!({"const": true}), "boolean"),
            (json!({"properties": {}}), "object"),
            (json!({"$ref": "#/$defs/Loop"}), "any"),
            (json!({"$ref": "#/$defs/Gone"}), "any"),
            (json!(true), "any"),
        ];
        for (schema, expected) in cases {
            assert_eq!(kind(&schema, &root), expected, "{schema}");
        }
    }

    #[test]
    fn a_plain_argument_has_no_shape_and_one_with_limits_has() {
        let of = |schema: Value| Argument::of(&schema, &json!({}), false);
        assert_eq!(of(json!({"type": "string", "description": "x"})).shape, None);
        assert_eq!(of(json!({"type": "string", "enum": ["b", "a"]})).shape, None);
        assert_ne!(of(json!({"type": "string", "maxLength": 3})).shape, None);
        assert_ne!(
            of(json!({"type": "string", "maxLength": 3})).shape,
            of(json!({"type": "string", "maxLength": 4})).shape
        );
        let values = of(json!({"anyOf": [{"const": "a"}, {"type": "null"}]})).choices;
        assert_eq!(values, Some(["\"a\"", "null"].map(str::to_owned).into()));
    }
}
