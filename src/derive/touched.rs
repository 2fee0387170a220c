//! Which overlay actions had a part in which tool.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use crate::document::{FileId, Touch};

use super::model::{Operation, Touched};

/// Changed pointers, ready to be asked for what is at, under or above a pointer.
pub(crate) struct Touches {
    main: FileId,
    by_pointer: BTreeMap<String, Vec<Touched>>,
    by_reference: HashMap<usize, Vec<Touched>>,
}

impl Touches {
    /// The changes that overlays made to the main document.
    pub(crate) fn new(main: FileId, touches: &[Touch]) -> Self {
        let mut by_pointer: BTreeMap<String, Vec<Touched>> = BTreeMap::new();
        for touch in touches {
            let touched = Touched { file: touch.file, action: touch.action };
            by_pointer.entry(touch.pointer.to_string()).or_default().push(touched);
        }
        Self { main, by_pointer, by_reference: HashMap::new() }
    }

    /// The actions that changed the operation, its path item's parameters, or anything that it refers to.
    pub(crate) fn of(&mut self, operation: &Operation) -> Vec<Touched> {
        if self.by_pointer.is_empty() {
            return Vec::new();
        }
        let pointer = &*operation.place.pointer;
        let mut found = self.around(pointer);
        if let Some((item, _)) = pointer.rsplit_once('/') {
            found.extend(self.around(&format!("{item}/parameters")));
        }
        let main = self.main;
        for (_, text) in operation.depends.iter().filter(|(file, _)| *file == main) {
            found.extend(self.of_reference(text));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn of_reference(&mut self, text: &Arc<str>) -> Vec<Touched> {
        let address = Arc::as_ptr(text).cast::<u8>() as usize;
        if let Some(known) = self.by_reference.get(&address) {
            return known.clone();
        }
        let found = match text.strip_prefix('#') {
            Some(fragment) => self.around(&percent_decode_str(fragment).decode_utf8_lossy()),
            None => Vec::new(),
        };
        self.by_reference.insert(address, found.clone());
        found
    }

    /// Changes at the pointer, below it, or of a node that it is part of.
    fn around(&self, pointer: &str) -> Vec<Touched> {
        let below = format!("{pointer}/");
        let under = self.by_pointer.range(below.clone()..).take_while(|(at, _)| at.starts_with(&below));
        let mut found: Vec<Touched> = under.flat_map(|(_, touched)| touched.iter().copied()).collect();
        let mut at = pointer;
        loop {
            found.extend(self.by_pointer.get(at).into_iter().flatten().copied());
            match at.rsplit_once('/') {
                Some((parent, _)) => at = parent,
                None => return found,
            }
        }
    }
}
