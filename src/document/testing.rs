//! Documents for the tests of several rooms.
#![allow(clippy::panic)]

use super::{Document, FileId, Node, parse};

/// A document from YAML text.
pub(crate) fn document(file: u32, text: &str) -> Document {
    parse(FileId(file), "test.yaml", text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The tree of a JSON value.
pub(crate) fn from_json(value: &serde_json::Value) -> Node {
    parse(FileId(0), "test.json", &value.to_string()).unwrap_or_else(|error| panic!("{error}: {value}")).root
}
