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

/// The locations, each there once, without those that lie below another of them; in the given order.
pub(super) fn outermost(locations: &[Pointer]) -> Vec<Pointer> {
    let mut sorted: Vec<usize> = (0..locations.len()).collect();
    // In this order everything below a location follows it directly.
    sorted.sort_by_key(|number| locations.get(*number));
    let mut keep = vec![true; locations.len()];
    let mut above: Option<&Pointer> = None;
    for number in sorted {
        let location = locations.get(number);
        if location.zip(above).is_some_and(|(location, above)| location.starts_with(above)) {
            if let Some(keep) = keep.get_mut(number) {
                *keep = false;
            }
        } else {
            above = location;
        }
    }
    locations.iter().zip(keep).filter(|(_, keep)| *keep).map(|(location, _)| location.clone()).collect()
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
