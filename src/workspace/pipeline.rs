//! The one place at which the loader calls the pure rooms.

use crate::document::{Document, FileId};

/// Why a text is no document: a byte offset in it, what is wrong, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) remedy: Option<String>,
}

/// Bytes of a file to text. The error is a sentence and a remedy.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, (String, Option<String>)> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").map(<[u8]>::to_vec).unwrap_or(bytes);
    String::from_utf8(bytes).map_err(|_| ("the file is not UTF-8".to_owned(), Some("save the file as UTF-8".to_owned())))
}

/// A text to a tree.
pub(super) fn parse(file: FileId, name: &str, text: &str) -> Result<Document, Unreadable> {
    let _ = name;
    let value: serde_json::Value = serde_yaml::from_str(text)
        .map_err(|error| Unreadable { offset: error.location().map_or(0, |at| at.index()), message: error.to_string(), remedy: None })?;
    fn node(value: &serde_json::Value, file: FileId) -> crate::document::Node {
        use crate::document::{Entry, Node, Number, Origin, Value};
        let origin = Origin::new(file, 0, 0);
        match value {
            serde_json::Value::Null => Node::new(Value::Null, origin),
            serde_json::Value::Bool(flag) => Node::new(Value::Bool(*flag), origin),
            serde_json::Value::Number(number) => {
                Node::new(Number::parse(&number.to_string()).map_or(Value::Null, Value::Number), origin)
            }
            serde_json::Value::String(text) => Node::string(text.as_str(), origin),
            serde_json::Value::Array(items) => Node::list(items.iter().map(|item| node(item, file)).collect(), origin),
            serde_json::Value::Object(map) => Node::map(
                map.iter().map(|(key, value)| Entry { key: key.as_str().into(), key_origin: origin, value: node(value, file) }).collect(),
                origin,
            ),
        }
    }
    Ok(Document { file, format: crate::document::Format::Yaml, root: node(&value, file), findings: Vec::new() })
}
