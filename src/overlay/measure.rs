//! Size and depth of trees, and marking them as an action's work.

use std::sync::Arc;

use crate::document::{Entry, Map, Node, Value};

/// Deepest nesting of a document.
pub(super) const DEEPEST: usize = crate::document::MAX_DEPTH;

/// Size of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Nodes, counted up to the bound.
    pub(super) nodes: usize,
    /// Levels below the top.
    pub(super) depth: usize,
}

/// Counts the nodes of a tree; stops soon after `most`.
pub(super) fn measure(top: &Node, most: usize) -> Extent {
    let mut extent = Extent::default();
    let mut open = vec![(top, 0)];
    while let Some((node, depth)) = open.pop() {
        extent.nodes += 1;
        extent.depth = extent.depth.max(depth);
        if extent.nodes > most || extent.depth > DEEPEST {
            break;
        }
        open.extend(node.items().map(|item| (item, depth + 1)));
        open.extend(node.members().map(|entry| (&entry.value, depth + 1)));
    }
    extent
}

/// The same tree with every node and name marked as written by the action. Bounded by the depth of documents.
pub(super) fn stamp(node: &Node, action: u16) -> Node {
    stamp_below(node, action, DEEPEST)
}

fn stamp_below(node: &Node, action: u16, levels: usize) -> Node {
    let mut origin = node.origin;
    origin.action = Some(action);
    let Some(levels) = levels.checked_sub(1) else {
        return Node::new(node.value.clone(), origin);
    };
    let value = match &node.value {
        Value::List(items) => {
            Value::List(Arc::new(items.iter().map(|item| stamp_below(item, action, levels)).collect()))
        }
        Value::Map(map) => {
            let entry = |entry: &Entry| {
                let mut key_origin = entry.key_origin;
                key_origin.action = Some(action);
                Entry { key: entry.key.clone(), key_origin, value: stamp_below(&entry.value, action, levels) }
            };
            Value::Map(Arc::new(Map::new(map.iter().map(entry).collect())))
        }
        scalar => scalar.clone(),
    };
    Node::new(value, origin)
}
