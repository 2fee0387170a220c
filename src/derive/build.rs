//! Small makers of nodes for derived schemas. Every node takes the origin of what it stands for.

use std::sync::Arc;

use crate::document::{Entry, Node, Origin, Value};

/// A member of a derived map; the key gets the value's origin.
pub(crate) fn entry(key: impl Into<Arc<str>>, value: Node) -> Entry {
    Entry { key: key.into(), key_origin: value.origin, value }
}

/// A truth value.
pub(crate) fn bool_node(flag: bool, origin: Origin) -> Node {
    Node::new(Value::Bool(flag), origin)
}

/// A list of texts.
pub(crate) fn strings<T: Into<Arc<str>>>(items: impl IntoIterator<Item = T>, origin: Origin) -> Node {
    Node::list(items.into_iter().map(|item| Node::string(item, origin)).collect(), origin)
}
