//! Trees for tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value as Json;

use super::{Document, Entry, FileId, Format, Node, Number, Origin, Value};

/// A tree of a JSON value in file 0; every node and name has a position of its own, in document order.
pub(crate) fn from_json(value: &Json) -> Node {
    build(value, &mut Origin::new(FileId(0), 0, 0))
}

fn build(json: &Json, next: &mut Origin) -> Node {
    let mut take = || {
        let origin = *next;
        *next = Origin { start: origin.start + 1, end: origin.start + 1, ..origin };
        origin
    };
    let origin = take();
    let value = match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => Value::Number(Number::parse(&number.to_string()).unwrap()),
        Json::String(text) => Value::String(text.as_str().into()),
        Json::Array(items) => return Node::list(items.iter().map(|item| build(item, next)).collect(), origin),
        Json::Object(members) => {
            let mut entries = Vec::new();
            for (key, value) in members {
                let key_origin = build(&Json::Null, next).origin;
                entries.push(Entry { key: key.as_str().into(), key_origin, value: build(value, next) });
            }
            return Node::map(entries, origin);
        }
    };
    Node::new(value, origin)
}

/// A document from YAML text.
pub(crate) fn document(file: u32, text: &str) -> Document {
    let value: Json = serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let root = build(&value, &mut Origin::new(FileId(file), 0, 0));
    Document { file: FileId(file), format: Format::Yaml, root, findings: Vec::new() }
}
