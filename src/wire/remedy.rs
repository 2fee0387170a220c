//! What would mend a schema, as overlay actions on the document.

use crate::document::{DocumentSet, Node, Origin, Pointer, Value, Version, jsonpath, version};

use super::json::member;
use super::response::Remedy;

impl Remedy {
    /// The overlay actions that make the change in the main document, in the words of its version and in their order:
    /// before OpenAPI 3.1 a schema has one type, which is replaced. None when the schema stands in another file.
    pub fn actions(&self, documents: &DocumentSet) -> Vec<Node> {
        let Some(origin) = self.origin else { return Vec::new() };
        let root = &documents.main.root;
        let mut at = Pointer::default();
        if !find(root, origin, &mut at) {
            return Vec::new();
        }
        let target = jsonpath::readable(&at);
        let removal = |target: String| {
            let remove = Node::new(Value::Bool(true), origin);
            Node::map(vec![member("target", Node::string(target, origin)), member("remove", remove)], origin)
        };
        if let Some(below) = &self.remove {
            return vec![removal(target + below)];
        }
        let update = match version(root).ok().map(|(version, _)| version) {
            Some(Version::Swagger2) => self.before_lists("x-nullable"),
            Some(Version::V3_0) => self.before_lists("nullable"),
            Some(Version::V3_1 | Version::V3_2) => Some(self.update.clone()),
            None => None,
        };
        let Some(update) = update else { return Vec::new() };
        let mut actions = Vec::new();
        // An update does not put a list in the place of a text: that has to go first.
        let widens = update.get("type").is_some_and(|kinds| kinds.as_list().is_some());
        if widens && at.find(root).is_some_and(|schema| schema.text("type").is_some()) {
            actions.push(removal(format!("{target}.type")));
        }
        let target = Node::string(target, origin);
        actions.push(Node::map(vec![member("target", target), member("update", update)], origin));
        actions
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
