//! What is to change in a tree.

use std::sync::Arc;

use crate::document::{Entry, Node, Pointer, Step};

/// One change to a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Puts items into a list, before the item of that index; at the end when there is none.
    Insert {
        /// The list.
        list: Pointer,
        /// Where in it.
        index: usize,
        /// The items, in order.
        values: Vec<Node>,
    },
    /// Gives a member or an item that is there another value.
    Set {
        /// The member or item.
        at: Pointer,
        /// Its new value.
        value: Node,
    },
    /// Adds a member at the end of a map that has none of that name.
    Add {
        /// The map.
        map: Pointer,
        /// Name of the member.
        key: Arc<str>,
        /// Its value.
        value: Node,
    },
    /// Takes a member or an item away.
    Remove {
        /// The member or item.
        at: Pointer,
    },
}

impl Edit {
    /// Where it is made: the list, the map, the member or item.
    pub fn at(&self) -> &Pointer {
        match self {
            Self::Insert { list, .. } => list,
            Self::Add { map, .. } => map,
            Self::Set { at, .. } | Self::Remove { at } => at,
        }
    }

    /// Makes it; `false` when the tree has no such place.
    pub(super) fn apply(&self, root: &mut Node) -> bool {
        match self {
            Self::Insert { list, index, values } => {
                let Some(items) = list.find_mut(root).and_then(Node::list_mut) else { return false };
                let at = (*index).min(items.len());
                items.splice(at..at, values.iter().cloned());
                true
            }
            Self::Set { at, value } => {
                let Some(node) = at.find_mut(root) else { return false };
                node.value = value.value.clone();
                true
            }
            Self::Add { map, key, value } => {
                let Some(members) = map.find_mut(root).and_then(Node::map_mut) else { return false };
                if members.get(key).is_some() {
                    return false;
                }
                members.insert(Entry { key: key.clone(), key_origin: value.origin, value: value.clone() });
                true
            }
            Self::Remove { at } => {
                let Some((last, above)) = at.0.split_last() else { return false };
                let Some(parent) = Pointer(above.to_vec()).find_mut(root) else { return false };
                match last {
                    Step::Key(key) => parent.map_mut().and_then(|map| map.remove(key)).is_some(),
                    Step::Index(at) => match parent.list_mut() {
                        Some(items) if *at < items.len() => {
                            items.remove(*at);
                            true
                        }
                        _ => false,
                    },
                }
            }
        }
    }
}
