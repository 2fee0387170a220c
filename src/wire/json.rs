//! Trees to and from the values of serde_json, for the validator.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::document::{Entry, Node, Number, Origin, Value};

/// The tree as a value of serde_json. A number beyond 64 bits becomes the nearest double.
pub(crate) fn to_value(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Number(Number::Int(value)) => Json::from(*value),
        Value::Number(number @ Number::Text(text)) => match text.parse::<u64>() {
            Ok(value) => Json::from(value),
            // An infinite number has no place in JSON; the largest double is as far out.
            Err(_) => Json::from(number.as_f64().clamp(f64::MIN, f64::MAX)),
        },
        Value::String(text) => Json::String(text.to_string()),
        Value::List(items) => Json::Array(items.iter().map(to_value).collect()),
        Value::Map(map) => {
            Json::Object(map.iter().map(|member| (member.key.to_string(), to_value(&member.value))).collect())
        }
    }
}

/// A member; its name has the origin of its value.
pub(crate) fn member(key: impl Into<Arc<str>>, value: Node) -> Entry {
    Entry { key: key.into(), key_origin: value.origin, value }
}

/// An integer.
pub(crate) fn integer(value: i64, origin: Origin) -> Node {
    Node::new(Value::Number(value.into()), origin)
}
