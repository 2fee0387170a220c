//! Which effect runs now, which waits, and whose results still count.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::effects::Kind;

/// Proof that an effect may run. It knows whether a newer effect of its kind was asked for since.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    kind: Kind,
    generation: u64,
    newest: Arc<AtomicU64>,
}

impl Ticket {
    /// Whether results under this ticket are to be dropped.
    pub(crate) fn is_stale(&self) -> bool {
        matches!(self.kind, Kind::Latest(_)) && self.newest.load(Ordering::Acquire) != self.generation
    }
}

#[derive(Debug)]
struct Slot<E> {
    newest: Arc<AtomicU64>,
    running: bool,
    waiting: VecDeque<(Ticket, E)>,
}

impl<E> Slot<E> {
    fn new() -> Self {
        Self { newest: Arc::new(AtomicU64::new(0)), running: false, waiting: VecDeque::new() }
    }
}

/// One slot per kind: at most one effect of a kind runs. See [`Kind`] for what becomes of the others.
#[derive(Debug)]
pub(crate) struct Slots<E> {
    slots: BTreeMap<Kind, Slot<E>>,
}

impl<E> Slots<E> {
    pub(crate) fn new() -> Self {
        Self { slots: BTreeMap::new() }
    }

    /// Takes an effect in. Gives it back, with its ticket, when it is to start now.
    pub(crate) fn submit(&mut self, kind: Kind, effect: E) -> Option<(Ticket, E)> {
        if kind == Kind::Each {
            return Some((Ticket { kind, generation: 0, newest: Arc::new(AtomicU64::new(0)) }, effect));
        }
        let slot = self.slots.entry(kind).or_insert_with(Slot::new);
        let generation = slot.newest.fetch_add(1, Ordering::AcqRel).wrapping_add(1);
        let ticket = Ticket { kind, generation, newest: Arc::clone(&slot.newest) };
        if !slot.running {
            slot.running = true;
            return Some((ticket, effect));
        }
        if matches!(kind, Kind::Latest(_)) {
            slot.waiting.clear();
        }
        slot.waiting.push_back((ticket, effect));
        None
    }

    /// The effect of this ticket has ended. Gives the next one of its kind to start, if one waits.
    pub(crate) fn finished(&mut self, ticket: &Ticket) -> Option<(Ticket, E)> {
        let slot = self.slots.get_mut(&ticket.kind)?;
        let next = slot.waiting.pop_front();
        slot.running = next.is_some();
        next
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;

    const LOAD: Kind = Kind::Latest("load");

    #[test]
    fn the_newest_waits_and_the_running_one_goes_stale() {
        let mut slots = Slots::new();
        let (first, effect) = slots.submit(LOAD, 'a').unwrap();
        assert_eq!(effect, 'a');
        assert!(!first.is_stale());
        assert!(slots.submit(LOAD, 'b').is_none());
        assert!(slots.submit(LOAD, 'c').is_none());
        assert!(first.is_stale());
        let (third, effect) = slots.finished(&first).unwrap();
        assert_eq!(effect, 'c', "b was replaced while it waited");
        assert!(!third.is_stale());
        assert!(slots.finished(&third).is_none());
        assert_eq!(slots.submit(LOAD, 'd').unwrap().1, 'd', "the slot is free again");
    }

    #[test]
    fn a_result_after_the_end_is_stale_once_a_newer_effect_was_asked_for() {
        let mut slots = Slots::new();
        let (first, _) = slots.submit(LOAD, 'a').unwrap();
        assert!(slots.finished(&first).is_none());
        assert!(!first.is_stale());
        let (second, _) = slots.submit(LOAD, 'b').unwrap();
        assert!(first.is_stale());
        assert!(!second.is_stale());
    }

    #[test]
    fn ordered_effects_all_run_one_after_the_other() {
        let mut slots = Slots::new();
        let save = Kind::Ordered("save");
        let (mut ticket, effect) = slots.submit(save, 'a').unwrap();
        let mut ran = vec![effect];
        for effect in ['b', 'c'] {
            assert!(slots.submit(save, effect).is_none());
        }
        while let Some((next, effect)) = slots.finished(&ticket) {
            assert!(!ticket.is_stale());
            ran.push(effect);
            ticket = next;
        }
        assert_eq!(ran, ['a', 'b', 'c']);
    }

    #[test]
    fn kinds_do_not_disturb_each_other() {
        let mut slots = Slots::new();
        let (load, _) = slots.submit(LOAD, 'a').unwrap();
        assert!(slots.submit(Kind::Latest("check"), 'b').is_some());
        assert!(slots.submit(Kind::Ordered("load"), 'c').is_some());
        let (each, _) = slots.submit(Kind::Each, 'd').unwrap();
        assert!(slots.submit(Kind::Each, 'e').is_some());
        assert!(!load.is_stale());
        assert!(!each.is_stale());
        assert!(slots.finished(&each).is_none());
    }
}
