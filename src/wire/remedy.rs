//! What would mend a schema, as an overlay action on the document.

use crate::document::{DocumentSet, Node, Origin, Pointer, Value, Version, jsonpath, version};

use super::json::member;
use super::response::Remedy;

impl Remedy {
    /// The overlay action (`{"target", "update"}`) that makes the change in the main document, in the words of its
    /// version. `None` when the schema stands in another file, or when the version has no word for it (several types
    /// before OpenAPI 3.1).
    pub fn action(&self, documents: &DocumentSet) -> Option<Node> {
        let origin = self.origin?;
        let root = &documents.main.root;
        let mut at = Pointer::default();
        if !find(root, origin, &mut at) {
            return None;
        }
        let update = match version(root).ok()?.0 {
            Version::Swagger2 => self.before_lists("x-nullable")?,
            Version::V3_0 => self.before_lists("nullable")?,
            Version::V3_1 | Version::V3_2 => self.update.clone(),
        };
        let target = Node::string(jsonpath::readable(&at), origin);
        Some(Node::map(vec![member("target", target), member("update", update)], origin))
    }

    /// Types are no lists before OpenAPI 3.1; null has a keyword of its own.
    fn before_lists(&self, keyword: &str) -> Option<Node> {
        let Some(types) = self.update.get("type") else { return Some(self.update.clone()) };
        let null = types.items().last().is_some_and(|kind| kind.as_str() == Some("null"));
        let flag = Node::new(Value::Bool(true), self.update.origin);
        null.then(|| Node::map(vec![member(keyword, flag)], self.update.origin))
    }
}

/// Goes to the map of that origin; the document bounds the depth.
fn find(node: &Node, origin: Origin, at: &mut Pointer) -> bool {
    match &node.value {
        Value::Map(_) if node.origin == origin => true,
        Value::Map(map) => map.iter().any(|entry| {
            at.0.push(crate::document::Step::Key(entry.key.clone()));
            find(&entry.value, origin, at) || {
                at.0.pop();
                false
            }
        }),
        Value::List(items) => items.iter().enumerate().any(|(index, item)| {
            at.0.push(crate::document::Step::Index(index));
            find(item, origin, at) || {
                at.0.pop();
                false
            }
        }),
        _ => false,
    }
}
