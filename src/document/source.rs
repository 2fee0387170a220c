//! Files as they were read, and where in them a thing stands.

use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;
use serde::Serialize;

/// Number of a file within one [`Sources`]. Stable over reloads of the same workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// Where a node comes from: a byte range of a file and, when an overlay put it there, the action that did.
///
/// For a node that an overlay wrote, `file` is the overlay and the range is the value inside the overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The file that holds the bytes.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Index of the overlay action (from 0) that put the node into the document; `None` for the document's own nodes.
    pub action: Option<u16>,
}

impl Origin {
    /// A byte range of a file, not made by an overlay.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self { file, start: clamp(start), end: clamp(end), action: None }
    }
}

/// Documents are capped far below 4 GiB; a range beyond it can only be a caller's slip and is pinned, not wrapped.
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// A place that a person can go to: an origin and the JSON pointer of the node in the (overlaid) document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes in a file.
    pub origin: Origin,
    /// RFC 6901 pointer in the document after overlays.
    pub pointer: Arc<str>,
}

/// A place in the words of the machine-readable contract (`ORIGIN`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    /// `overlay` for what an overlay wrote and for places in an overlay, else `spec`.
    pub kind: &'static str,
    /// The file's name as it was given.
    pub file: String,
    /// Line, from 1. For an overlay the line at which the action starts.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// RFC 6901 pointer in the document after overlays.
    pub pointer: String,
    /// Index of the overlay action, from 0.
    pub action: Option<u16>,
}

/// One file: its name, its text and an index of its lines.
#[derive(Debug)]
pub struct SourceFile {
    /// As the user gave it: a path, a URL or `-`.
    pub name: String,
    /// The text without a byte order mark.
    pub text: Arc<str>,
    /// For an overlay, the byte offset at which each action starts.
    pub actions: Vec<u32>,
    lines: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// A file read as `text`.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into(), actions: Vec::new(), lines: OnceLock::new() }
    }

    /// The same for an overlay, with the offsets at which its actions start.
    pub fn with_actions(mut self, actions: Vec<u32>) -> Self {
        self.actions = actions;
        self
    }

    fn starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let breaks = memchr_iter(b'\n', self.text.as_bytes()).map(|at| clamp(at + 1));
            std::iter::once(0).chain(breaks).collect()
        })
    }

    /// Line and column (both from 1, the column in characters) of a byte offset.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let starts = self.starts();
        let line = starts.partition_point(|start| *start <= offset).max(1);
        let begin = starts.get(line - 1).copied().unwrap_or(0) as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.as_bytes().get(begin..end).map_or(0, |bytes| {
            // Count the bytes that start a character: the offset may lie inside one.
            bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
        });
        (line, column + 1)
    }

    /// Number of lines; a trailing line break does not open another one.
    pub fn line_count(&self) -> usize {
        let starts = self.starts();
        match starts.last() {
            Some(last) if *last as usize == self.text.len() && starts.len() > 1 => starts.len() - 1,
            _ => starts.len(),
        }
    }

    /// Byte offset at which a line (from 1) starts.
    pub fn line_start(&self, number: usize) -> Option<u32> {
        self.starts().get(number.checked_sub(1)?).copied()
    }

    /// The text of a line (from 1), without its line break.
    pub fn line(&self, number: usize) -> Option<&str> {
        let starts = self.starts();
        let begin = *starts.get(number.checked_sub(1)?)? as usize;
        let end = starts.get(number).map_or(self.text.len(), |next| *next as usize);
        Some(self.text.get(begin..end)?.trim_end_matches(['\n', '\r']))
    }
}

/// All files that a catalog was made from, by number.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<SourceFile>>,
}

impl Sources {
    /// Adds a file; a file of that name already there is replaced and keeps its number.
    pub fn put(&mut self, file: SourceFile) -> FileId {
        let at = self.files.iter().position(|known| known.name == file.name);
        match at.and_then(|at| self.files.get_mut(at).map(|slot| (at, slot))) {
            Some((at, slot)) => {
                *slot = Arc::new(file);
                FileId(clamp(at))
            }
            None => {
                self.files.push(Arc::new(file));
                FileId(clamp(self.files.len() - 1))
            }
        }
    }

    /// Tells a file, known to be an overlay, at which byte offsets its actions start.
    pub fn set_actions(&mut self, id: FileId, actions: Vec<u32>) {
        let Some(slot) = self.files.get_mut(id.0 as usize).filter(|file| file.actions != actions) else { return };
        *slot = Arc::new(SourceFile::new(slot.name.as_str(), slot.text.clone()).with_actions(actions));
    }

    /// The file of that number.
    pub fn get(&self, id: FileId) -> Option<&Arc<SourceFile>> {
        self.files.get(id.0 as usize)
    }

    /// The number of the file with that name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|file| file.name == name).map(|at| FileId(clamp(at)))
    }

    /// Number, from 0, and file.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<SourceFile>)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(clamp(at)), file))
    }

    /// Line and column of an origin's own bytes, also inside an overlay.
    pub fn line_column(&self, origin: Origin) -> (usize, usize) {
        self.get(origin.file).map_or((1, 1), |file| file.line_column(origin.start))
    }

    /// The place in the words of the contract. For an overlay the line is that of the action.
    pub fn locate(&self, place: &Place) -> Location {
        let Origin { file, start, action, .. } = place.origin;
        let source = self.get(file);
        let start = match (action, source) {
            (Some(action), Some(source)) => source.actions.get(usize::from(action)).copied().unwrap_or(start),
            _ => start,
        };
        let (line, column) = source.map_or((1, 1), |source| source.line_column(start));
        Location {
            kind: if action.is_some() || source.is_some_and(|source| !source.actions.is_empty()) {
                "overlay"
            } else {
                "spec"
            },
            file: source.map(|source| source.name.clone()).unwrap_or_default(),
            line,
            column,
            pointer: place.pointer.to_string(),
            action,
        }
    }

    /// `file:line` for a message.
    pub fn cite(&self, place: &Place) -> String {
        let Location { file, line, .. } = self.locate(place);
        format!("{file}:{line}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let file = SourceFile::new("x", "é: 1\r\nb\n");
        let cases = [(0, (1, 1)), (2, (1, 2)), (4, (1, 4)), (7, (2, 1)), (8, (2, 2)), (9, (3, 1)), (99, (3, 1))];
        for (offset, expected) in cases {
            assert_eq!(file.line_column(offset), expected, "offset {offset}");
        }
        assert_eq!((file.line(1), file.line(2), file.line(3)), (Some("é: 1"), Some("b"), Some("")));
        assert_eq!(file.line_count(), 2);
    }

    #[test]
    fn a_file_read_again_keeps_its_number() {
        let mut sources = Sources::default();
        let first = sources.put(SourceFile::new("a", "1"));
        let second = sources.put(SourceFile::new("b", "2"));
        assert_eq!(sources.put(SourceFile::new("a", "3")), first);
        assert_eq!(sources.get(first).map(|file| &*file.text), Some("3"));
        assert_ne!(first, second);
    }

    #[test]
    fn an_overlay_origin_is_located_at_its_action() {
        let mut sources = Sources::default();
        let id = sources.put(SourceFile::new("o.yaml", "a\nb\n- target\n  update: x\n").with_actions(vec![4]));
        let origin = Origin { action: Some(0), ..Origin::new(id, 23, 24) };
        let location = sources.locate(&Place { origin, pointer: "/info".into() });
        assert_eq!((location.kind, location.line, location.action), ("overlay", 3, Some(0)));
        assert_eq!(sources.line_column(origin), (4, 11));
        // A place outside all actions is in the overlay too.
        let head = sources.locate(&Place { origin: Origin::new(id, 0, 1), pointer: "/info".into() });
        assert_eq!((head.kind, head.line, head.action), ("overlay", 1, None));
    }
}
