//! Removing nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::document::{Node, Pointer, Step};

/// What was removed from one list or object.
pub(super) struct Removed {
    /// The list or object.
    pub(super) parent: Pointer,
    /// Indexes that went, ascending; empty for an object.
    pub(super) indexes: Vec<usize>,
}

/// The locations without those that lie below another of them, in the given order.
pub(super) fn outermost(locations: &[Pointer]) -> Vec<Pointer> {
    let all: BTreeSet<&[Step]> = locations.iter().map(|location| location.0.as_slice()).collect();
    let inside = |location: &Pointer| {
        (0..location.0.len()).any(|length| location.0.get(..length).is_some_and(|above| all.contains(above)))
    };
    locations.iter().filter(|location| !inside(location)).cloned().collect()
}

/// Removes the locations, none of which is the root or lies below another.
pub(super) fn remove(root: &mut Node, locations: &[Pointer]) -> Vec<Removed> {
    let mut groups: BTreeMap<Pointer, Vec<&Step>> = BTreeMap::new();
    for location in locations {
        if let Some((last, parent)) = location.0.split_last() {
            groups.entry(Pointer(parent.to_vec())).or_default().push(last);
        }
    }
    let mut removed = Vec::new();
    // From the end, so that no removal moves a parent that is still to come.
    for (parent, steps) in groups.into_iter().rev() {
        let Some(node) = parent.find_mut(root) else {
            continue;
        };
        let keys: BTreeSet<&Arc<str>> = steps.iter().filter_map(|step| key(step)).collect();
        let indexes: BTreeSet<usize> = steps.iter().filter_map(|step| index(step)).collect();
        if let Some(map) = node.map_mut() {
            map.retain(|entry| !keys.contains(&entry.key));
        } else if let Some(list) = node.list_mut() {
            let mut at = 0;
            list.retain(|_| {
                at += 1;
                !indexes.contains(&(at - 1))
            });
        }
        removed.push(Removed { parent, indexes: indexes.into_iter().collect() });
    }
    removed
}

fn key(step: &Step) -> Option<&Arc<str>> {
    match step {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    }
}

fn index(step: &Step) -> Option<usize> {
    match step {
        Step::Key(_) => None,
        Step::Index(at) => Some(*at),
    }
}
