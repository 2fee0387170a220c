//! Trees for tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value as Json;

use super::{Document, Entry, FileId, Format, Node, Number, Origin, Value};

const NOWHERE: Origin = Origin { file: FileId(0), start: 0, end: 0, action: None };

/// A tree of a JSON value, from nowhere.
pub(crate) fn from_json(value: &Json) -> Node {
    let value = match value {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => Value::Number(Number::parse(&number.to_string()).unwrap()),
        Json::String(text) => Value::String(text.as_str().into()),
        Json::Array(items) => return Node::list(items.iter().map(from_json).collect(), NOWHERE),
        Json::Object(members) => {
            let entry = |(key, value): (&String, &Json)| Entry {
                key: key.as_str().into(),
                key_origin: NOWHERE,
                value: from_json(value),
            };
            return Node::map(members.iter().map(entry).collect(), NOWHERE);
        }
    };
    Node::new(value, NOWHERE)
}

/// A document from YAML text.
pub(crate) fn document(file: u32, text: &str) -> Document {
    let value: Json = serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    Document { file: FileId(file), format: Format::Yaml, root: from_json(&value), findings: Vec::new() }
}
