//! What stands between a person and a saved file: a file that somebody else changed, and leaving with unsaved texts.

use std::path::PathBuf;

use crate::overlay::{Chunk, merged, three_way};

/// A file that was changed here and by somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The file.
    pub path: PathBuf,
    /// Its name in messages.
    pub name: String,
    /// What each changed, in order.
    pub chunks: Vec<Chunk>,
    /// First visible line.
    pub offset: usize,
    /// The file is gone, or is no text any more.
    pub is_gone: bool,
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The text stays as it is here, unsaved; the file as it is there.
    KeepEditing,
    /// The text becomes what is in the file.
    TakeTheirs,
    /// The text becomes what both changed; where they disagree it has both, between marks.
    Merge,
}

impl Disagreement {
    /// The view of three texts.
    pub fn new(path: PathBuf, name: String, base: &str, mine: &str, theirs: Option<&str>) -> Self {
        let chunks = three_way(base, mine, theirs.unwrap_or_default());
        Self { path, name, chunks, offset: 0, is_gone: theirs.is_none() }
    }

    /// Places at which the two disagree.
    pub fn conflicts(&self) -> usize {
        self.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Conflict { .. })).count()
    }

    /// The text with the changes of both. Where they disagree it has both, between marks as version control writes them.
    pub fn merged(&self) -> String {
        if let Some(text) = merged(&self.chunks) {
            return text;
        }
        let mut out = String::new();
        for chunk in &self.chunks {
            match chunk {
                Chunk::Kept(text) | Chunk::Both { now: text, .. } => out.push_str(text),
                Chunk::Mine { mine, .. } => out.push_str(mine),
                Chunk::Theirs { theirs, .. } => out.push_str(theirs),
                Chunk::Conflict { mine, theirs, .. } => {
                    for (mark, text) in [("<<<<<<< mine", mine), ("=======", theirs)] {
                        line(&mut out, mark);
                        out.push_str(text);
                    }
                    line(&mut out, ">>>>>>> in the file");
                }
            }
        }
        out
    }
}

/// A mark on a line of its own, whatever stands before it.
fn line(out: &mut String, mark: &str) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(mark);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_changes_are_in_the_merged_text() {
        let view = |base: &str, mine: &str, theirs: &str| {
            Disagreement::new(PathBuf::from("/o"), "o".to_owned(), base, mine, Some(theirs))
        };
        let clean = view("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n");
        assert_eq!((clean.conflicts(), clean.merged().as_str()), (0, "A\nb\nC\n"));
        let torn = view("a\nb", "a\nmine", "a\ntheirs");
        assert_eq!(torn.conflicts(), 1);
        assert_eq!(torn.merged(), "a\n<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> in the file\n");
    }
}
