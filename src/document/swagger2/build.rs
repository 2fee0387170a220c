//! Making nodes that stand for others.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::source::{Origin, Place};
use super::super::{DocumentSet, Entry, Finding, Map, Node, Value};

/// What a conversion needs everywhere.
pub(super) struct Context<'a> {
    pub(super) set: &'a DocumentSet,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Context<'a> {
    pub(super) fn root(&self) -> &'a Node {
        &self.set.main.root
    }

    pub(super) fn warn(&mut self, code: &'static str, node: &Node, message: String, remedy: &str) {
        self.findings.push(Finding::warning(code, message).at(place(node)).remedy(remedy));
    }

    pub(super) fn error(&mut self, code: &'static str, node: &Node, message: String, remedy: &str) {
        self.findings.push(Finding::error(code, message).at(place(node)).remedy(remedy));
    }

    /// The node behind a reference, or the node itself; a reference that leads nowhere is a finding.
    pub(super) fn follow(&mut self, node: &'a Node) -> Option<&'a Node> {
        match self.set.follow(node) {
            Ok(target) => Some(target),
            Err(error) => {
                self.error(
                    "unresolved-reference",
                    node,
                    error.to_string(),
                    "correct the reference, or add what it names",
                );
                None
            }
        }
    }
}

fn place(node: &Node) -> Place {
    Place { origin: node.origin, pointer: "".into() }
}

/// Maps longer than this are indexed while they grow.
const INDEXED_FROM: usize = 16;

/// Members of a map in the making. A name that comes again replaces the earlier one in its place.
#[derive(Default)]
pub(super) struct Members {
    entries: Vec<Entry>,
    index: HashMap<Arc<str>, usize>,
}

impl Members {
    /// A member that is made; its key has the origin of its value.
    pub(super) fn put(&mut self, key: impl Into<Arc<str>>, value: Node) {
        self.push(Entry { key: key.into(), key_origin: value.origin, value });
    }

    /// A member of the original, as it is.
    pub(super) fn keep(&mut self, entry: &Entry) {
        self.push(entry.clone());
    }

    /// A member of the original under another name.
    pub(super) fn keep_as(&mut self, key: &str, entry: &Entry) {
        self.push(Entry { key: key.into(), ..entry.clone() });
    }

    /// A member of the original with another value.
    pub(super) fn change(&mut self, entry: &Entry, value: Node) {
        self.push(Entry { value, key: entry.key.clone(), key_origin: entry.key_origin });
    }

    fn push(&mut self, entry: Entry) {
        match self.position(&entry.key).and_then(|at| self.entries.get_mut(at)) {
            Some(known) => *known = entry,
            None => {
                self.entries.push(entry);
                // From then on, all of them; before, none.
                let unindexed = if self.entries.len() > INDEXED_FROM { self.index.len() } else { self.entries.len() };
                let new = self.entries.iter().enumerate().skip(unindexed);
                self.index.extend(new.map(|(at, entry)| (entry.key.clone(), at)));
            }
        }
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.entries.len() > INDEXED_FROM {
            return self.index.get(key).copied();
        }
        self.entries.iter().position(|entry| &*entry.key == key)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn node(self, origin: Origin) -> Node {
        Node::new(Value::Map(Arc::new(Map::new(self.entries))), origin)
    }
}

pub(super) fn flag(value: bool, origin: Origin) -> Node {
    Node::new(Value::Bool(value), origin)
}

/// `{type: string, format: binary}`, which stands for `type: file`.
pub(super) fn binary(origin: Origin) -> Node {
    let mut schema = Members::default();
    schema.put("type", Node::string("string", origin));
    schema.put("format", Node::string("binary", origin));
    schema.node(origin)
}

/// So many media types of one operation are read.
const MOST_MEDIA_TYPES: usize = 100;

/// Media types by `consumes` or `produces`: the operation's own, else the document's. A single text counts as a list
/// of one; what is no text is left out. Each once.
pub(super) fn media_types<'n>(context: &mut Context<'n>, name: &str, operation: &'n Node) -> Vec<&'n Node> {
    let Some(list) = operation.get(name).or_else(|| context.root().get(name)) else { return Vec::new() };
    let single = list.as_str().map(|_| list);
    let mut seen = HashSet::new();
    let mut types = Vec::new();
    for item in single.into_iter().chain(list.items()) {
        let Some(text) = item.as_str().filter(|text| !text.trim().is_empty()) else {
            context.warn("bad-media-type", item, format!("`{name}` has an item that is no media type"), "remove it");
            continue;
        };
        if types.len() == MOST_MEDIA_TYPES {
            let message = format!("`{name}` has more than {MOST_MEDIA_TYPES} media types; the others are left out");
            context.warn("too-many-media-types", item, message, "name those that matter");
            break;
        }
        if seen.insert(text) {
            types.push(item);
        }
    }
    types
}

/// Is it that media type, whatever its case and its parameters?
pub(super) fn is_media_type(node: &Node, expected: &str) -> bool {
    let essence = node.as_str().unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(expected)
}
