//! Changes to the text of a YAML or JSON file, without writing the file anew.
//!
//! An [`Edit`] says what is to change in the tree. The text is changed by cutting out or putting in the bytes that
//! this takes; all others stay, so comments, quotes, order, indentation, anchors and line breaks do. No result is
//! handed out unproved: it has to read back as exactly the tree that was wanted, in the same order, with every comment
//! outside of what was cut out where it was. What fails this is tried in another spelling and place, and else refused
//! with the line.

mod block;
mod diff;
mod edit;
mod flow;
mod render;
mod site;
mod splice;
mod three_way;

#[cfg(test)]
mod tests;

use crate::document::{Document, FileId, Format, Node, parse, to_json, yaml_comments};

pub use diff::{Hunk, LineChange, unified};
pub use edit::Edit;
pub use three_way::{Chunk, merged, three_way};

use splice::Splice;

/// A file before and after some edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The text that the edits were made on.
    pub before: String,
    /// The text with the edits.
    pub after: String,
    /// The lines that differ, with three lines around them.
    pub hunks: Vec<Hunk>,
}

/// Why a text was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}:{line}: {message}")]
pub struct PatchError {
    /// The file.
    pub name: String,
    /// The line, from 1, at which a person can make the change.
    pub line: usize,
    /// What is in the way.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl Patch {
    /// Makes the edits one after the other, each on the result of the one before. `name` decides with its ending
    /// whether the text is JSON or YAML, as in [`parse`].
    ///
    /// # Errors
    /// The text cannot be read, or one of the edits cannot be made without touching more than it should. Then none is
    /// made.
    pub fn make(name: &str, text: &str, edits: &[Edit]) -> Result<Self, PatchError> {
        let mut after = text.to_owned();
        for edit in edits {
            after = one(name, &after, edit)?;
        }
        Ok(Self::between(text, &after))
    }

    /// The patch that turns one text into another.
    pub fn between(before: &str, after: &str) -> Self {
        Self { before: before.to_owned(), after: after.to_owned(), hunks: diff::hunks(before, after) }
    }

    /// Nothing changes.
    pub fn is_empty(&self) -> bool {
        self.before == self.after
    }

    /// The patch as a unified diff of the file `name`; empty when nothing changes.
    pub fn unified(&self, name: &str) -> String {
        unified(&self.before, &self.after, &format!("a/{name}"), &format!("b/{name}"))
    }
}

/// A text that was read, ready to be changed.
struct Readable<'a> {
    name: &'a str,
    text: &'a str,
    document: Document,
    comments: Vec<std::ops::Range<usize>>,
}

impl<'a> Readable<'a> {
    fn read(name: &'a str, text: &'a str) -> Result<Self, PatchError> {
        let refused = |line, message: String| PatchError {
            name: name.to_owned(),
            line,
            message,
            remedy: "mend the file in an editor first".to_owned(),
        };
        let document =
            parse(FileId(0), name, text).map_err(|error| refused(error.line, format!("it cannot be read: {error}")))?;
        if let Some(twice) = document.findings.iter().find(|finding| finding.code == "duplicate-key") {
            let at = twice.place.as_ref().map_or(0, |place| place.origin.start as usize);
            let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
            return Err(refused(line, format!("a change could go to the wrong place: {}", twice.message)));
        }
        let comments = match document.format {
            Format::Json => Vec::new(),
            Format::Yaml => yaml_comments(text).ok_or_else(|| refused(1, "its comments cannot be found".to_owned()))?,
        };
        Ok(Self { name, text, document, comments })
    }

    fn refuse(&self, at: usize, message: impl Into<String>) -> PatchError {
        let line = self.text.get(..at).unwrap_or(self.text).matches('\n').count() + 1;
        let remedy = format!("open {} at line {line} in an editor and make the change by hand", self.name);
        PatchError { name: self.name.to_owned(), line, message: message.into(), remedy }
    }
}

fn one(name: &str, text: &str, edit: &Edit) -> Result<String, PatchError> {
    let readable = Readable::read(name, text)?;
    let at = site::nearest_offset(&readable, edit);
    let mut wanted = readable.document.root.clone();
    if !edit.apply(&mut wanted) {
        return Err(readable.refuse(at, format!("there is no {}", edit.at())));
    }
    if identical(&wanted, &readable.document.root) {
        return Ok(text.to_owned());
    }
    for splice in splice::candidates(&readable, edit) {
        if let Some(after) = splice.apply(text).filter(|after| proves(&readable, after, &splice, &wanted)) {
            return Ok(after);
        }
    }
    Err(readable.refuse(at, "the change cannot be made without touching other parts of the file"))
}

/// Is the result what was wanted, and nothing else?
fn proves(before: &Readable<'_>, after: &str, splice: &Splice, wanted: &Node) -> bool {
    let Ok(document) = parse(FileId(0), before.name, after) else {
        return false;
    };
    document.format == before.document.format
        && document.findings.len() <= before.document.findings.len()
        && identical(&document.root, wanted)
        && (document.format == Format::Json || keeps_comments(before, after, splice))
}

/// Every comment outside of what was cut out is still one, at its place, and no other came up.
fn keeps_comments(before: &Readable<'_>, after: &str, splice: &Splice) -> bool {
    let Some(found) = yaml_comments(after) else {
        return false;
    };
    let cut = &splice.range;
    let inside = |range: &std::ops::Range<usize>| cut.start <= range.start && range.end <= cut.end;
    if !splice.drops_comments && before.comments.iter().any(inside) {
        return false;
    }
    let shifted = |range: &std::ops::Range<usize>| {
        let by = |at: usize| if range.start >= cut.end { at - cut.end + cut.start + splice.text.len() } else { at };
        by(range.start)..by(range.end)
    };
    let kept: Vec<_> = before.comments.iter().filter(|range| !inside(range)).map(shifted).collect();
    found == kept
}

/// The same values in the same order, numbers as they are written.
pub(super) fn identical(a: &Node, b: &Node) -> bool {
    a == b && to_json(a, false) == to_json(b, false)
}
