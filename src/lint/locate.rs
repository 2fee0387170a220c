//! From the bytes of a derived node back to its pointer in the document.

use std::collections::HashMap;
use std::sync::Arc;

use crate::document::{DocumentSet, Node, Origin, Place, Pointer};

/// Finds pointers, each origin once.
#[derive(Debug, Default)]
pub(super) struct Locator {
    known: HashMap<(usize, Origin), Option<Arc<str>>>,
}

impl Locator {
    /// The place of an origin in the documents of an upstream. `fallback` gives the pointer of what is not found, such
    /// as nodes that an overlay wrote into the document.
    pub(super) fn place(
        &mut self,
        upstream: usize,
        set: Option<&DocumentSet>,
        origin: Origin,
        fallback: &Place,
    ) -> Place {
        let find = || {
            let document = set?.document(origin.file).filter(|_| origin.action.is_none())?;
            pointer_of(&document.root, origin).map(|pointer| Arc::from(pointer.to_string()))
        };
        let pointer = self.known.entry((upstream, origin)).or_insert_with(find).clone();
        Place { origin, pointer: pointer.unwrap_or_else(|| fallback.pointer.clone()) }
    }
}

/// Descends to the innermost node around the origin. A name counts for what it names.
fn pointer_of(root: &Node, origin: Origin) -> Option<Pointer> {
    let around = |other: Origin| {
        other.action.is_none() && other.file == origin.file && other.start <= origin.start && origin.end <= other.end
    };
    if !around(root.origin) {
        return None;
    }
    let (mut at, mut pointer) = (root, Pointer(Vec::new()));
    loop {
        if at.origin == origin {
            return Some(pointer);
        }
        if let Some(entry) = at.members().find(|entry| around(entry.value.origin) || around(entry.key_origin)) {
            pointer = pointer.key(entry.key.clone());
            if around(entry.key_origin) {
                return Some(pointer);
            }
            at = &entry.value;
        } else if let Some((number, item)) = at.items().enumerate().find(|(_, item)| around(item.origin)) {
            pointer = pointer.index(number);
            at = item;
        } else {
            return Some(pointer);
        }
    }
}
