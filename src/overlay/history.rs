//! Undo and redo over the texts of several files, across saves.

use std::collections::VecDeque;

/// As many steps can be undone.
const STEPS: usize = 500;
/// As many bytes of texts are kept; the oldest steps go first.
const BYTES: usize = 64 * 1024 * 1024;

/// One file before and after a step. `None` is a file that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, as the caller names it.
    pub file: String,
    /// Its text before the step.
    pub before: Option<String>,
    /// Its text after it.
    pub after: Option<String>,
}

/// What one action of a person changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it was, such as `rename listPets`.
    pub label: String,
    /// The files that it changed.
    pub changes: Vec<Change>,
}

impl Step {
    fn bytes(&self) -> usize {
        self.changes.iter().map(size).sum()
    }

    /// The same the other way round.
    fn reversed(&self) -> Self {
        let reverse = |change: &Change| Change {
            file: change.file.clone(),
            before: change.after.clone(),
            after: change.before.clone(),
        };
        Self { label: self.label.clone(), changes: self.changes.iter().map(reverse).collect() }
    }
}

/// What was done and what was undone. Knows no files: it hands out the texts that the files are to have.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    bytes: usize,
}

impl History {
    /// Remembers a step that was made. What was undone before cannot be redone any more. A step without effect is none.
    pub fn push(&mut self, mut step: Step) {
        step.changes.retain(|change| change.before != change.after);
        if step.changes.is_empty() {
            return;
        }
        let gone: usize = self.undone.drain(..).map(|step| step.bytes()).sum();
        self.bytes = self.bytes.saturating_sub(gone) + step.bytes();
        self.done.push_back(step);
        while self.done.len() > 1 && (self.done.len() > STEPS || self.bytes > BYTES) {
            let oldest = self.done.pop_front().map_or(0, |step| step.bytes());
            self.bytes = self.bytes.saturating_sub(oldest);
        }
    }

    /// Makes one step of the last two, when both changed the same one file: what was typed letter by letter.
    pub fn join(&mut self) {
        let Some(last) = self.done.pop_back() else { return };
        let bytes = last.bytes();
        let (Some(before), [change]) = (self.done.back_mut(), last.changes.as_slice()) else {
            return self.done.push_back(last);
        };
        match before.changes.as_mut_slice() {
            [first] if first.file == change.file && first.after == change.before => {
                self.bytes = self.bytes.saturating_sub(bytes + size(first));
                first.after.clone_from(&change.after);
                self.bytes += size(first);
            }
            _ => self.done.push_back(last),
        }
    }

    /// What would be undone next.
    pub fn undoable(&self) -> Option<&str> {
        self.done.back().map(|step| step.label.as_str())
    }

    /// What would be redone next.
    pub fn redoable(&self) -> Option<&str> {
        self.undone.last().map(|step| step.label.as_str())
    }

    /// Undoes the last step: gives back what the files are to become (`after`) and what they have to be now (`before`).
    /// The caller checks the latter and calls [`Self::redo`] when it cannot make the change.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.done.pop_back()?;
        let reversed = step.reversed();
        self.undone.push(step);
        Some(reversed)
    }

    /// Makes the step that was undone last once more.
    pub fn redo(&mut self) -> Option<Step> {
        let step = self.undone.pop()?;
        self.done.push_back(step.clone());
        Some(step)
    }
}

fn size(change: &Change) -> usize {
    [&change.before, &change.after].into_iter().flatten().map(String::len).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn step(label: &str, before: Option<&str>, after: Option<&str>) -> Step {
        let change =
            Change { file: "o.yaml".into(), before: before.map(str::to_owned), after: after.map(str::to_owned) };
        Step { label: label.into(), changes: vec![change] }
    }

    #[test]
    fn steps_are_undone_in_reverse_and_redone_in_order() {
        let mut history = History::default();
        history.push(step("create", None, Some("a")));
        history.push(step("nothing", Some("a"), Some("a")));
        history.push(step("edit", Some("a"), Some("b")));
        assert_eq!(history.undoable(), Some("edit"));
        assert_eq!(history.undo().unwrap(), step("edit", Some("b"), Some("a")));
        assert_eq!(history.undo().unwrap(), step("create", Some("a"), None));
        assert_eq!((history.undo(), history.redoable()), (None, Some("create")));
        assert_eq!(history.redo().unwrap(), step("create", None, Some("a")));
        history.push(step("other", Some("a"), Some("c")));
        assert_eq!((history.redo(), history.undoable()), (None, Some("other")));
    }

    #[test]
    fn the_oldest_steps_go_first() {
        let mut history = History::default();
        for number in 0..STEPS + 10 {
            history.push(step(&number.to_string(), Some("a"), Some("b")));
        }
        let mut undone = 0;
        let mut last = String::new();
        while let Some(step) = history.undo() {
            undone += 1;
            last = step.label;
        }
        assert_eq!((undone, last.as_str()), (STEPS, "10"));
        let big = "x".repeat(BYTES / 2);
        let mut history = History::default();
        for label in ["1", "2", "3"] {
            history.push(step(label, Some("y"), Some(&big)));
        }
        assert_eq!(history.undo().unwrap().label, "3");
        assert_eq!(history.undo(), None);
    }
}
