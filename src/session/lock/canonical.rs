//! One text for all JSON values that mean the same, and its hash.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Hexadecimal digits of a hash: 64 bits tell any two texts of one tool apart.
const DIGITS: usize = 16;
/// Deeper values are taken as they are; documents are not that deep.
const DEEPEST: usize = 1024;

/// The first 16 hexadecimal digits of the SHA-256 of a text.
pub(in crate::session) fn hash(text: &str) -> String {
    let mut digits = String::with_capacity(DIGITS);
    for byte in Sha256::digest(text.as_bytes()).iter().take(DIGITS / 2) {
        digits.push_str(&format!("{byte:02x}"));
    }
    digits
}

/// The hash of a JSON value, whatever the order of its members.
pub(in crate::session) fn hash_value(value: &Value) -> String {
    hash(&text(value))
}

/// The value as JSON with sorted keys. The lists of `required`, `enum` and `type` are sets, and sorted as well.
pub(in crate::session) fn text(value: &Value) -> String {
    sorted(value, "", 0).to_string()
}

fn sorted(value: &Value, key: &str, depth: usize) -> Value {
    if depth > DEEPEST {
        return value.clone();
    }
    match value {
        Value::Object(map) => {
            let members: BTreeMap<&String, &Value> = map.iter().collect();
            Value::Object(
                members.into_iter().map(|(key, below)| (key.clone(), sorted(below, key, depth + 1))).collect(),
            )
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(|item| sorted(item, "", depth + 1)).collect();
            if matches!(key, "required" | "enum" | "type") {
                items.sort_by_key(Value::to_string);
            }
            Value::Array(items)
        }
        other => other.clone(),
    }
}

/// Keywords that say something to people and models and constrain no value (JSON Schema 2020-12 Validation section 9).
const ANNOTATIONS: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "externalDocs",
    "xml",
];

/// What of a schema decides which values fit: without annotations and extensions, and with the schemas that it refers to
/// in the order in which they are met, whatever they are called.
pub(in crate::session) fn shape(schema: &Value, root: &Value) -> Value {
    let mut shaping = Shaping { numbers: BTreeMap::new(), open: Vec::new() };
    let main = shaping.schema(schema, 0);
    let mut referred = Vec::new();
    while referred.len() < shaping.open.len() {
        let Some(reference) = shaping.open.get(referred.len()).cloned() else { break };
        let target = target(root, &reference).cloned().unwrap_or(Value::Null);
        referred.push(shaping.schema(&target, 0));
    }
    match referred.is_empty() {
        true => main,
        false => Value::Array(vec![main, Value::Array(referred)]),
    }
}

/// What a reference within the schema leads to.
pub(in crate::session) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}

struct Shaping {
    numbers: BTreeMap<String, usize>,
    open: Vec<String>,
}

impl Shaping {
    fn schema(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(map) = schema else { return schema.clone() };
        if depth > DEEPEST {
            return schema.clone();
        }
        let mut members: Vec<(&String, &Value)> = map.iter().collect();
        members.sort_by_key(|(key, _)| *key);
        let mut kept = Map::new();
        for (key, value) in members {
            if ANNOTATIONS.contains(&key.as_str()) || key.starts_with("x-") || key == "$defs" {
                continue;
            }
            let value = match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => Value::String(self.number(reference)),
                ("properties" | "patternProperties" | "dependentSchemas", Value::Object(below)) => {
                    let mut below: Vec<(&String, &Value)> = below.iter().collect();
                    below.sort_by_key(|(key, _)| *key);
                    let named = |(name, schema): (&String, &Value)| (name.clone(), self.schema(schema, depth + 1));
                    Value::Object(below.into_iter().map(named).collect())
                }
                ("enum" | "const" | "required" | "type", value) => sorted(value, key, depth),
                (_, Value::Array(items)) => {
                    Value::Array(items.iter().map(|item| self.schema(item, depth + 1)).collect())
                }
                (_, value) => self.schema(value, depth + 1),
            };
            kept.insert(key.clone(), value);
        }
        Value::Object(kept)
    }

    fn number(&mut self, reference: &str) -> String {
        let next = self.numbers.len();
        let number = *self.numbers.entry(reference.to_owned()).or_insert_with(|| {
            self.open.push(reference.to_owned());
            next
        });
        format!("#{number}")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_order_of_members_and_sets_does_not_count_and_that_of_lists_does() {
        let cases = [
            (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1}), true),
            (json!({"required": ["a", "b"]}), json!({"required": ["b", "a"]}), true),
            (json!({"type": ["null", "string"]}), json!({"type": ["string", "null"]}), true),
            (json!({"anyOf": [{"a": 1}, {"b": 1}]}), json!({"anyOf": [{"b": 1}, {"a": 1}]}), false),
            (json!({"a": 1}), json!({"a": 2}), false),
            (json!({"a": "1"}), json!({"a": 1}), false),
        ];
        for (one, other, same) in cases {
            assert_eq!(hash_value(&one) == hash_value(&other), same, "{one} {other}");
        }
        assert_eq!(hash("abc"), "ba7816bf8f01cfea", "the start of the SHA-256 that FIPS 180-4 gives for it");
    }

    #[test]
    fn annotations_and_the_names_of_definitions_are_no_part_of_the_shape() {
        let same = [
            (json!({"type": "string", "description": "a"}), json!({"type": "string", "default": "x"})),
            (
                json!({"properties": {"description": {"type": "string"}}}),
                json!({"properties": {"description": {"title": "t", "type": "string"}}}),
            ),
            (
                json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {"next": {"$ref": "#/$defs/A"}}}}}),
                json!({"$ref": "#/$defs/B", "$defs": {"B": {"type": "object", "properties": {"next": {"$ref": "#/$defs/B"}}}}}),
            ),
        ];
        for (one, other) in same {
            assert_eq!(shape(&one, &one), shape(&other, &other));
        }
        let differ = [
            (json!({"properties": {"description": {"type": "string"}}}), json!({"properties": {}})),
            (
                json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "string"}}}),
                json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "integer"}}}),
            ),
            (json!({"maximum": 1}), json!({"maximum": 2})),
        ];
        for (one, other) in differ {
            assert_ne!(shape(&one, &one), shape(&other, &other));
        }
    }
}
