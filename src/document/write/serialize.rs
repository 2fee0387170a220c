//! Nodes for serde.

use serde::ser::{Error, Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::super::node::{Node, Value};
use super::super::number::Number;

/// For serde_json: a number that is no 64-bit integer is written as it was read. The depth of the node is the depth
/// of the recursion.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Number(number) => number.serialize(serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items.iter()),
            Value::Map(map) => {
                let mut members = serializer.serialize_map(Some(map.len()))?;
                for entry in map.iter() {
                    members.serialize_entry(&*entry.key, &entry.value)?;
                }
                members.end()
            }
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Text(text) => match text.parse::<u64>() {
                Ok(value) => serializer.serialize_u64(value),
                Err(_) => RawValue::from_string(text.to_string()).map_err(Error::custom)?.serialize(serializer),
            },
        }
    }
}
