//! Where in a text the parts of a tree stand.

use std::ops::Range;

use super::Readable;
use super::edit::Edit;
use crate::document::{Entry, Node, Pointer, Step};

/// A list or map that an edit changes, or the one that holds the member or item that it changes.
pub(super) struct Site<'a> {
    pub(super) text: &'a str,
    pub(super) node: &'a Node,
    /// The place at which the bracket stands; `None` for block style.
    pub(super) bracket: Option<usize>,
    /// The members or items, in order.
    pub(super) parts: Vec<Part<'a>>,
}

/// A member or an item.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) key: Option<&'a Entry>,
    pub(super) value: &'a Node,
    /// First byte of its key, or of an item.
    pub(super) start: usize,
    /// One past its last byte.
    pub(super) end: usize,
    /// The value was read from here and not through an alias.
    pub(super) own: bool,
}

impl<'a> Site<'a> {
    /// The list or map at a pointer. `None` when there is none, or when it stands behind an alias.
    pub(super) fn of(readable: &'a Readable<'_>, pointer: &Pointer) -> Option<Self> {
        let mut node = &readable.document.root;
        for step in &pointer.0 {
            let site = Self::new(readable.text, node);
            let part = site.part(step)?;
            if !part.own {
                return None;
            }
            node = part.value;
        }
        Some(Self::new(readable.text, node))
    }

    fn new(text: &'a str, node: &'a Node) -> Self {
        let span = span(node);
        let inside = |node: &Node| span.start <= start(node) && end(node) <= span.end;
        let items = node.items().map(|value| Part {
            key: None,
            value,
            start: start(value),
            end: end(value),
            own: inside(value),
        });
        let members = node.members().map(|entry| {
            let (from, to) = (entry.key_origin.start as usize, entry.key_origin.end as usize);
            let own = inside(&entry.value) && start(&entry.value) >= to;
            Part {
                key: Some(entry),
                value: &entry.value,
                start: from,
                end: if own { end(&entry.value) } else { to },
                own,
            }
        });
        Self { text, node, bracket: bracket(text, span.start), parts: items.chain(members).collect() }
    }

    pub(super) fn part(&self, step: &Step) -> Option<Part<'a>> {
        match step {
            Step::Index(at) if self.node.as_list().is_some() => self.parts.get(*at).copied(),
            Step::Key(key) => self.parts.iter().find(|part| part.key.is_some_and(|entry| entry.key == *key)).copied(),
            Step::Index(_) => None,
        }
    }
}

pub(super) fn start(node: &Node) -> usize {
    node.origin.start as usize
}

pub(super) fn end(node: &Node) -> usize {
    node.origin.end as usize
}

fn span(node: &Node) -> Range<usize> {
    start(node)..end(node)
}

/// The place of `{` or `[`, behind an anchor and a tag.
fn bracket(text: &str, mut at: usize) -> Option<usize> {
    for _ in 0..3 {
        let rest = text.get(at..)?;
        match rest.chars().next()? {
            '{' | '[' => return Some(at),
            '&' | '!' => {
                let behind = rest.find(char::is_whitespace)?;
                at += behind + rest.get(behind..)?.find(|c: char| !c.is_whitespace())?;
            }
            _ => return None,
        }
    }
    None
}

/// First byte of the line.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1)
}

/// One past the last byte of the line, its line break not included.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find('\n').unwrap_or(rest.len());
    let line = rest.get(..end).unwrap_or_default();
    at + line.strip_suffix('\r').unwrap_or(line).len()
}

/// One past the line break that ends the line.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find('\n').map_or(rest.len(), |found| found + 1)
}

/// Column of a byte, from 0, in characters.
pub(super) fn column(text: &str, at: usize) -> usize {
    text.get(line_start(text, at)..at).unwrap_or_default().chars().count()
}

/// The line break that the text uses.
pub(super) fn line_break(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|before| before.ends_with('\r')) => "\r\n",
        _ => "\n",
    }
}

/// Where a person would look for what the edit changes.
pub(super) fn nearest_offset(readable: &Readable<'_>, edit: &Edit) -> usize {
    let mut node = &readable.document.root;
    let mut offset = start(node);
    for step in &edit.at().0 {
        let Some(next) = Pointer(vec![step.clone()]).find(node) else { break };
        node = next;
        offset = start(node);
    }
    offset
}

/// Is the node written with brackets?
pub(super) fn bracketed(text: &str, node: &Node) -> bool {
    bracket(text, start(node)).is_some()
}
