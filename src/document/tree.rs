//! Builds a tree from what a reader meets, bottom up and without recursion.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::notes::Notes;
use super::parse::{Fault, MAX_DEPTH, MAX_NODES};
use super::source::{FileId, Origin};
use super::{Document, Entry, Finding, Format, Node, Pointer, Step};

/// Up to so many members are compared pair by pair.
const PAIRWISE: usize = 12;

/// A list or map that is not yet closed.
#[derive(Debug)]
struct Frame {
    start: usize,
    /// Where its members or items begin in the common stacks.
    base: usize,
    map: bool,
    /// Name of the member whose value comes next.
    key: Option<(Arc<str>, Origin)>,
}

/// Open lists and maps, and what is finished inside them.
///
/// Items and members wait on two stacks that all open containers share, so that each closed one is allocated once
/// and in its final size.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    file: FileId,
    frames: Vec<Frame>,
    items: Vec<Node>,
    entries: Vec<Entry>,
    /// Every name once: `type` is one allocation, and equal names of a map are found by address.
    names: HashSet<Arc<str>>,
    root: Option<Node>,
    count: usize,
    addresses: Vec<usize>,
    /// What was noticed.
    pub(super) notes: Notes<'a>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Self {
        Self {
            file,
            frames: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            names: HashSet::new(),
            root: None,
            count: 0,
            addresses: Vec::new(),
            notes: Notes::new(file, text),
        }
    }

    pub(super) fn origin(&self, start: usize, end: usize) -> Origin {
        Origin::new(self.file, start, end)
    }

    /// Number of open lists and maps.
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Is the innermost open container a map? `None` outside of all.
    pub(super) fn in_map(&self) -> Option<bool> {
        self.frames.last().map(|frame| frame.map)
    }

    /// Does the innermost open container wait for the name of a member?
    pub(super) fn wants_key(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.map && frame.key.is_none())
    }

    /// Number of members or items that the innermost open container has so far.
    pub(super) fn filled(&self) -> usize {
        self.frames.last().map_or(0, |frame| {
            let all = if frame.map { self.entries.len() } else { self.items.len() };
            all - frame.base
        })
    }

    /// Opens a list or map that begins at `start`.
    pub(super) fn open(&mut self, start: usize, map: bool) -> Result<(), Fault> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(too_deep(start));
        }
        let base = if map { self.entries.len() } else { self.items.len() };
        self.frames.push(Frame { start, base, map, key: None });
        Ok(())
    }

    /// Counts values; those that an alias repeats count again.
    pub(super) fn spend(&mut self, values: usize, at: usize) -> Result<(), Fault> {
        self.count = self.count.saturating_add(values);
        if self.count > MAX_NODES {
            let message = format!("the document has more than {} million values", MAX_NODES / 1_000_000);
            return Err(Fault::limit(at, message));
        }
        Ok(())
    }

    /// The one allocation of a name.
    pub(super) fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.names.get(text) {
            return known.clone();
        }
        let name: Arc<str> = text.into();
        self.names.insert(name.clone());
        name
    }

    /// The name of the member whose value comes next.
    pub(super) fn key(&mut self, text: &str, start: usize, end: usize) {
        let name = self.name(text);
        let origin = self.origin(start, end);
        if let Some(frame) = self.frames.last_mut() {
            frame.key = Some((name, origin));
        }
    }

    /// Takes back the name that was given last.
    pub(super) fn take_key(&mut self) -> Option<(Arc<str>, Origin)> {
        self.frames.last_mut()?.key.take()
    }

    /// A finished value: the next item, or the value of the last name, or the root.
    pub(super) fn value(&mut self, node: Node) {
        match self.frames.last_mut() {
            None => self.root = Some(node),
            Some(frame) if !frame.map => self.items.push(node),
            Some(frame) => {
                if let Some((key, key_origin)) = frame.key.take() {
                    self.entries.push(Entry { key, key_origin, value: node });
                }
            }
        }
    }

    /// Closes the innermost container and gives it to the caller, who hands it back with [`Self::value`].
    pub(super) fn close(&mut self, end: usize) -> Node {
        let Some(frame) = self.frames.pop() else { return Node::list(Vec::new(), self.origin(end, end)) };
        let origin = self.origin(frame.start, end);
        if !frame.map {
            return Node::list(self.items.drain(frame.base..).collect(), origin);
        }
        let mut entries: Vec<Entry> = self.entries.drain(frame.base..).collect();
        if self.has_duplicates(&entries) {
            entries = self.last_wins(entries);
        }
        Node::map(entries, origin)
    }

    /// The same for a map with merge keys: `merges` has the maps and how many members stood before each.
    /// The map's own members win, then earlier merges over later ones.
    pub(super) fn close_merged(&mut self, end: usize, merges: Vec<(usize, Node)>) -> Node {
        let Some(frame) = self.frames.pop() else { return Node::list(Vec::new(), self.origin(end, end)) };
        let mut own: Vec<Entry> = self.entries.drain(frame.base..).collect();
        let mut taken: HashSet<Arc<str>> = own.iter().map(|entry| entry.key.clone()).collect();
        let mut merged: Vec<(usize, Vec<Entry>)> = Vec::new();
        for (before, map) in merges {
            let new = map.members().filter(|entry| taken.insert(entry.key.clone())).cloned().collect();
            merged.push((before, new));
        }
        // From the back, so that the positions before stay true.
        for (before, new) in merged.into_iter().rev() {
            let at = before.min(own.len());
            own.splice(at..at, new);
        }
        if self.has_duplicates(&own) {
            own = self.last_wins(own);
        }
        Node::map(own, self.origin(frame.start, end))
    }

    fn has_duplicates(&mut self, entries: &[Entry]) -> bool {
        if entries.len() <= PAIRWISE {
            let mut rest = entries;
            while let [first, others @ ..] = rest {
                if others.iter().any(|other| Arc::ptr_eq(&first.key, &other.key)) {
                    return true;
                }
                rest = others;
            }
            return false;
        }
        self.addresses.clear();
        self.addresses.extend(entries.iter().map(|entry| Arc::as_ptr(&entry.key).cast::<u8>().addr()));
        self.addresses.sort_unstable();
        self.addresses.windows(2).any(|pair| matches!(pair, [a, b] if a == b))
    }

    /// Each name once, at its first place with its last value, as JSON parsers do; each loss is a finding.
    fn last_wins(&mut self, entries: Vec<Entry>) -> Vec<Entry> {
        let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
        let mut places: HashMap<Arc<str>, usize> = HashMap::with_capacity(entries.len());
        let mut here: Option<Pointer> = None;
        for entry in entries {
            let Some(slot) = places.get(&entry.key).and_then(|at| kept.get_mut(*at)) else {
                places.insert(entry.key.clone(), kept.len());
                kept.push(entry);
                continue;
            };
            if self.notes.wants("duplicate-key") {
                let pointer = here.get_or_insert_with(|| self.pointer()).key(entry.key.clone());
                let first = self.notes.line(slot.key_origin.start as usize);
                let last = self.notes.line(entry.key_origin.start as usize);
                let lines = format!("in line {first} and in line {last}");
                let message = format!("`{}` is there twice: {lines}; the last one counts", entry.key);
                let finding = Finding::warning("duplicate-key", message).remedy("remove or rename one of them");
                self.notes.add("duplicate-key", |_| (finding, entry.key_origin, pointer));
            }
            *slot = entry;
        }
        kept
    }

    /// Where the next value will stand.
    pub(super) fn pointer(&self) -> Pointer {
        let mut steps = Vec::with_capacity(self.frames.len());
        let mut end = self.items.len();
        for frame in self.frames.iter().rev() {
            if frame.map {
                steps.extend(frame.key.as_ref().map(|(key, _)| Step::Key(key.clone())));
            } else {
                steps.push(Step::Index(end - frame.base));
                end = frame.base;
            }
        }
        steps.reverse();
        Pointer(steps)
    }

    /// A warning about the value that is being read.
    pub(super) fn warn(&mut self, code: &'static str, origin: Origin, make: impl FnOnce() -> Finding) {
        if self.notes.wants(code) {
            let pointer = self.pointer();
            self.notes.add(code, |_| (make(), origin, pointer));
        }
    }

    /// The document, when a root was given.
    pub(super) fn finish(self, format: Format) -> Option<Document> {
        let findings = self.notes.finish();
        self.root.map(|root| Document { file: self.file, format, root, findings })
    }
}

pub(super) fn too_deep(at: usize) -> Fault {
    Fault::limit(at, format!("lists and maps are nested more than {MAX_DEPTH} deep"))
}
