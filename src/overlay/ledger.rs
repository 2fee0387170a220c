//! Who changed what, and whose changes are still there in the end.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::remove::Removed;
use crate::document::{FileId, Pointer, Step, Touch};

/// Changes in the order in which they were made. What is set stays "live" until it, or a node above it, is set or
/// removed again. Pointers follow their nodes when a removal moves the items of a list.
#[derive(Default)]
pub(super) struct Ledger {
    touches: Vec<Touch>,
    /// For each touch the number of the action's trail.
    owners: Vec<usize>,
    live: BTreeMap<Pointer, usize>,
    standings: Vec<Standing>,
}

/// How one action stands in the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Nodes that it set or added.
    set: usize,
    /// Those of them that are still there as it made them.
    alive: usize,
    /// Actions, by the number of their trails, that overwrote or removed one of them.
    pub(super) overridden_by: Vec<usize>,
    /// Did it remove anything?
    removed: bool,
}

impl Standing {
    /// It set something, removed nothing, and nothing of it is left.
    pub(super) fn is_overridden(&self) -> bool {
        self.set > 0 && self.alive == 0 && !self.removed
    }
}

impl Ledger {
    /// Opens the account of the next action.
    pub(super) fn open(&mut self) {
        self.standings.push(Standing::default());
    }

    /// The current action set or added a node.
    pub(super) fn set(&mut self, file: FileId, action: u16, pointer: &Pointer) {
        self.evict(pointer);
        self.live.insert(pointer.clone(), self.touches.len());
        if let Some(standing) = self.standings.last_mut() {
            standing.set += 1;
            standing.alive += 1;
        }
        self.touch(file, action, pointer);
    }

    /// The current action removed nodes.
    pub(super) fn remove(&mut self, file: FileId, action: u16, pointers: &[Pointer], groups: &[Removed]) {
        for pointer in pointers {
            self.evict(pointer);
            self.touch(file, action, pointer);
        }
        if let Some(standing) = self.standings.last_mut() {
            standing.removed |= !pointers.is_empty();
        }
        for group in groups.iter().filter(|group| !group.indexes.is_empty()) {
            self.shift(group);
        }
    }

    /// All changes, with pointers as of the end where their nodes still are, and how each action stands.
    pub(super) fn close(self) -> (Vec<Touch>, Vec<Standing>) {
        (self.touches, self.standings)
    }

    fn touch(&mut self, file: FileId, action: u16, pointer: &Pointer) {
        self.touches.push(Touch { file, action, pointer: pointer.clone() });
        self.owners.push(self.standings.len().saturating_sub(1));
    }

    /// The live pointers at or below one.
    fn below(&self, top: &Pointer) -> Vec<Pointer> {
        // The order of pointers puts a node directly before all that is below it.
        let from = (Bound::Included(top), Bound::Unbounded);
        self.live.range::<Pointer, _>(from).map(|(at, _)| at).take_while(|at| at.starts_with(top)).cloned().collect()
    }

    fn evict(&mut self, top: &Pointer) {
        let current = self.standings.len().saturating_sub(1);
        for pointer in self.below(top) {
            let owner = self.live.remove(&pointer).and_then(|touch| self.owners.get(touch).copied());
            let Some(standing) = owner.and_then(|owner| self.standings.get_mut(owner)) else {
                continue;
            };
            standing.alive = standing.alive.saturating_sub(1);
            if owner == Some(current) {
                // It overwrote itself: that counts as one change.
                standing.set = standing.set.saturating_sub(1);
            } else if !standing.overridden_by.contains(&current) {
                standing.overridden_by.push(current);
            }
        }
    }

    /// Items behind removed ones have moved towards the start.
    fn shift(&mut self, group: &Removed) {
        let at = group.parent.0.len();
        let moved: Vec<_> = self.below(&group.parent).into_iter().filter_map(|p| self.live.remove_entry(&p)).collect();
        for (mut pointer, touch) in moved {
            if let Some(Step::Index(index)) = pointer.0.get_mut(at) {
                let before = group.indexes.partition_point(|removed| removed < index);
                *index -= before.min(*index);
                if let Some(touch) = self.touches.get_mut(touch) {
                    touch.pointer = pointer.clone();
                }
            }
            self.live.insert(pointer, touch);
        }
    }
}
