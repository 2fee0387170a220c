//! Events of the YAML parser to nodes: keys, anchors, aliases, merge keys, tags.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use granit_parser::{Event, ScalarStyle, StructureStyle, Tag};

use super::super::parse::{Fault, MAX_DEPTH};
use super::super::source::FileId;
use super::super::tree::{Tree, too_deep};
use super::super::write::to_json;
use super::super::{Finding, Node, Value};
use super::layout;
use super::scalar::{self, Oddity};

/// A list or map that is not yet closed, as far as YAML has more to say than JSON.
#[derive(Default)]
struct Open {
    anchor: usize,
    flow: bool,
    /// Values inside, those reached through aliases counted each time.
    size: usize,
    /// Levels of lists and maps inside.
    height: usize,
    /// The next value belongs to a merge key.
    merging: bool,
    /// What merge keys brought, each with the number of members before it.
    merges: Vec<(usize, Node)>,
}

/// A finished node that aliases may mean.
#[derive(Clone)]
struct Anchored {
    node: Node,
    /// A scalar as it is written, for its use as a key.
    written: Option<Arc<str>>,
    size: usize,
    height: usize,
}

/// Builds the tree of one document.
pub(super) struct Loader<'a> {
    text: &'a str,
    pub(super) tree: Tree<'a>,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    /// End of the content that was read last.
    end: usize,
    /// A node other than an empty one was met.
    filled: bool,
}

impl<'a> Loader<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Self {
        Self { text, tree: Tree::new(file, text), open: Vec::new(), anchors: HashMap::new(), end: 0, filled: false }
    }

    /// Nothing was met, or one empty node.
    pub(super) fn is_empty(&self) -> bool {
        !self.filled
    }

    pub(super) fn event(&mut self, event: Event<'_>, range: Range<usize>) -> Result<(), Fault> {
        match event {
            Event::Scalar(text, style, anchor, tag) => self.scalar(text, style, anchor, tag.as_deref(), range),
            Event::SequenceStart(style, anchor, tag) => self.start(false, style, anchor, tag.as_deref(), range),
            Event::MappingStart(style, anchor, tag) => self.start(true, style, anchor, tag.as_deref(), range),
            Event::SequenceEnd | Event::MappingEnd => self.close(range),
            Event::Alias(anchor) => self.alias(anchor, range),
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: Cow<'_, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        range: Range<usize>,
    ) -> Result<(), Fault> {
        // The parser gives `~` for a value that is not written.
        let absent = style == ScalarStyle::Plain && range.is_empty();
        let written: &str = if absent { "" } else { &text };
        let range = match style {
            ScalarStyle::Literal | ScalarStyle::Folded => layout::block_scalar(self.text, self.end, range),
            _ if absent && !self.tree.wants_key() => {
                let at = layout::absent(self.text, range.start);
                at..at
            }
            _ => range,
        };
        self.filled |= !absent || anchor != 0 || tag.is_some() || !self.open.is_empty();
        self.end = self.end.max(range.end);
        self.tree.spend(1, range.start)?;
        if self.tree.wants_key() && anchor == 0 {
            self.key(written, style == ScalarStyle::Plain && tag.is_none(), range);
            return Ok(());
        }
        let (value, oddity) = scalar::resolve(written, style == ScalarStyle::Plain, tag);
        let origin = self.tree.origin(range.start, range.end);
        if let Some(oddity) = oddity {
            self.odd(oddity, written, range.clone());
        }
        let done = Anchored {
            node: Node::new(value, origin),
            written: Some(written.into()).filter(|_| anchor != 0 || self.tree.wants_key()),
            size: 1,
            height: 0,
        };
        self.finished(done, anchor, range)
    }

    fn odd(&mut self, oddity: Oddity, written: &str, range: Range<usize>) {
        let origin = self.tree.origin(range.start, range.end);
        let shown: String = written.chars().take(60).collect();
        self.tree.warn(oddity.code(), origin, || oddity.finding(&shown));
    }

    fn start(
        &mut self,
        map: bool,
        style: StructureStyle,
        anchor: usize,
        tag: Option<&Tag>,
        range: Range<usize>,
    ) -> Result<(), Fault> {
        let flow = style == StructureStyle::Flow;
        let value_of_key = self.tree.in_map() == Some(true);
        let start = if flow || map || !value_of_key { range.start } else { layout::first_dash(self.text, range.start) };
        if let Some(oddity) = tag.and_then(scalar::custom_tag) {
            self.odd(oddity, "", range.clone());
        }
        self.filled = true;
        self.end = self.end.max(range.end);
        self.tree.spend(1, range.start)?;
        self.tree.open(start, map)?;
        self.open.push(Open { anchor, flow, size: 1, ..Open::default() });
        Ok(())
    }

    fn close(&mut self, range: Range<usize>) -> Result<(), Fault> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        // The end event of a block comes with the next token; the block ends with its last content.
        if open.flow {
            self.end = self.end.max(range.end);
        }
        let node = if open.merges.is_empty() {
            self.tree.close(self.end)
        } else {
            self.tree.close_merged(self.end, open.merges)
        };
        let range = node.origin.start as usize..self.end;
        let done = Anchored { node, written: None, size: open.size, height: open.height + 1 };
        self.finished(done, open.anchor, range)
    }

    fn alias(&mut self, anchor: usize, range: Range<usize>) -> Result<(), Fault> {
        self.filled = true;
        self.end = self.end.max(range.end);
        let Some(known) = self.anchors.get(&anchor).cloned() else {
            // The parser knows the name, so its node is still open.
            let name = self.text.get(range.clone()).unwrap_or_default().trim_start_matches('*');
            return Err(Fault::syntax(range.start, format!("the anchor `{name}` contains itself"))
                .remedy("use $ref for a schema that contains itself"));
        };
        self.tree.spend(known.size, range.start)?;
        if self.tree.depth() + known.height > MAX_DEPTH {
            return Err(too_deep(range.start));
        }
        self.finished(known, 0, range)
    }

    /// A node is complete: remembers it when it has an anchor, and puts it where it belongs.
    fn finished(&mut self, done: Anchored, anchor: usize, range: Range<usize>) -> Result<(), Fault> {
        if anchor != 0 {
            self.anchors.insert(anchor, done.clone());
        }
        if let Some(parent) = self.open.last_mut() {
            parent.size = parent.size.saturating_add(done.size);
            parent.height = parent.height.max(done.height);
        }
        if self.tree.wants_key() {
            match (&done.written, done.node.as_str()) {
                (Some(written), _) => self.key(written, false, range),
                (None, Some(text)) => self.key(text, false, range),
                (None, None) => self.complex_key(&done.node, range),
            }
            return Ok(());
        }
        if self.open.last().is_some_and(|parent| parent.merging) {
            self.merge(done.node);
            return Ok(());
        }
        self.tree.value(done.node);
        Ok(())
    }

    fn key(&mut self, text: &str, plain: bool, range: Range<usize>) {
        self.tree.key(text, range.start, range.end);
        if let Some(parent) = self.open.last_mut() {
            parent.merging = plain && text == "<<";
        }
    }

    /// A list or map as a key: JSON has no such thing, so its JSON text is the key.
    fn complex_key(&mut self, node: &Node, range: Range<usize>) {
        let text = to_json(node, false);
        self.tree.key(&text, range.start, range.end);
        let origin = self.tree.origin(range.start, range.end);
        self.tree.warn("yaml-complex-key", origin, || {
            let kind = if node.as_map().is_some() { "a map" } else { "a list" };
            Finding::warning("yaml-complex-key", format!("{kind} stands as a key; its JSON text is taken for the name"))
                .remedy("quote a text that begins with `{` or `[`")
        });
    }

    /// The value of a merge key `<<`: a map, or a list of maps (earlier ones win).
    fn merge(&mut self, node: Node) {
        let before = self.tree.filled();
        let maps: Vec<Node> = match &node.value {
            Value::Map(_) => vec![node.clone()],
            Value::List(items) => items.iter().filter(|item| item.as_map().is_some()).cloned().collect(),
            _ => Vec::new(),
        };
        if maps.is_empty() || node.as_list().is_some_and(|items| items.len() != maps.len()) {
            // Kept as an ordinary member, so that nothing is lost.
            self.tree.warn("yaml-merge", node.origin, || {
                let message = format!("`<<` merges a map or a list of maps, not {}", node.kind());
                Finding::warning("yaml-merge", message).remedy("write `<<: *name` with the anchor of a map")
            });
            self.tree.value(node);
            return;
        }
        self.tree.take_key();
        if let Some(parent) = self.open.last_mut() {
            parent.merging = false;
            parent.merges.extend(maps.into_iter().map(|map| (before, map)));
        }
    }
}
