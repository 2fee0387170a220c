//! What would mend a schema, as an overlay action on the document.

use crate::document::{DocumentSet, Node, Origin, Pointer, Value, Version, jsonpath, version};

use super::json::member;
use super::response::Remedy;

impl Remedy {
    /// The overlay action (`{"target", "update"}`) that makes the change in the main document, in the words of its
    /// version: before OpenAPI 3.1 a schema has one type, which is replaced. `None` when the schema stands in another file.
    pub fn action(&self, documents: &DocumentSet) -> Option<Node> {
        let origin = self.origin?;
        let root = &documents.main.root;
        let mut at = Pointer::default();
        if !find(root, origin, &mut at) {
            return None;
        }
        let target = jsonpath::readable(&at);
        if let Some(below) = &self.remove {
            let target = Node::string(target + below, origin);
            let remove = Node::new(Value::Bool(true), origin);
            return Some(Node::map(vec![member("target", target), member("remove", remove)], origin));
        }
        let update = match version(root).ok()?.0 {
            Version::Swagger2 => self.before_lists("x-nullable")?,
            Version::V3_0 => self.before_lists("nullable")?,
            Version::V3_1 | Version::V3_2 => self.update.clone(),
        };
        let target = Node::string(target, origin);
        Some(Node::map(vec![member("target", target), member("update", update)], origin))
    }

    /// Types are no lists before OpenAPI 3.1; null has a keyword of its own.
    fn before_lists(&self, keyword: &str) -> Option<Node> {
        let Some(types) = self.update.get("type") else { return Some(self.update.clone()) };
        let given = types.items().last()?;
        let flag = Node::new(Value::Bool(true), self.update.origin);
        let change = match given.as_str() {
            Some("null") => member(keyword, flag),
            // There is one type: it is replaced by the one that came.
            _ => member("type", given.clone()),
        };
        Some(Node::map(vec![change], self.update.origin))
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
