//! Bytes that are cut out and text that is put in their place.

use std::ops::Range;

use super::Readable;
use super::block;
use super::edit::Edit;
use super::flow;
use super::render::Style;
use super::site::Site;
use crate::document::{Node, Pointer};

/// One cut.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    /// Bytes that go.
    pub(super) range: Range<usize>,
    /// What comes instead.
    pub(super) text: String,
    /// Comments among the bytes may go: they belong to what is taken away.
    pub(super) drops_comments: bool,
}

impl Splice {
    pub(super) fn insert(at: usize, text: String) -> Self {
        Self { range: at..at, text, drops_comments: false }
    }

    pub(super) fn replace(range: Range<usize>, text: String) -> Self {
        Self { range, text, drops_comments: true }
    }

    pub(super) fn apply(&self, text: &str) -> Option<String> {
        let (before, after) = (text.get(..self.range.start)?, text.get(self.range.end..)?);
        Some([before, &self.text, after].concat())
    }
}

/// The ways to make an edit, the best looking first.
pub(super) fn candidates(readable: &Readable<'_>, edit: &Edit) -> Vec<Splice> {
    let style = Style::of(readable);
    match edit {
        Edit::Insert { list, index, values } => match Site::of(readable, list) {
            Some(site) if site.bracket.is_none() => block::insert(&site, *index, values, &style),
            Some(site) if site.parts.is_empty() && !style.json => {
                let whole = Node::list(values.clone(), site.node.origin);
                let mut all = set(readable, list, &whole, &style);
                all.extend(flow::insert(&site, 0, None, values, &style));
                all
            }
            Some(site) => flow::insert(&site, *index, None, values, &style),
            None => Vec::new(),
        },
        Edit::Add { map, key, value } => match Site::of(readable, map) {
            Some(site) if site.bracket.is_none() => block::add(&site, key, value, &style),
            Some(site) => flow::insert(&site, site.parts.len(), Some(key), std::slice::from_ref(value), &style),
            None => Vec::new(),
        },
        Edit::Set { at, value } => set(readable, at, value, &style),
        Edit::Remove { at } => remove(readable, at, &style),
    }
}

/// Nothing for the root: a file whose whole value changes is another file.
fn set(readable: &Readable<'_>, at: &Pointer, value: &Node, style: &Style) -> Vec<Splice> {
    let Some((last, above)) = at.0.split_last() else { return Vec::new() };
    let Some(site) = Site::of(readable, &Pointer(above.to_vec())) else { return Vec::new() };
    match site.part(last).filter(|part| part.own) {
        Some(part) if site.bracket.is_none() => block::set(&site, &part, value, style),
        Some(part) => flow::set(&site, &part, value, style),
        None => Vec::new(),
    }
}

fn remove(readable: &Readable<'_>, at: &Pointer, style: &Style) -> Vec<Splice> {
    let Some((last, above)) = at.0.split_last() else { return Vec::new() };
    let above = Pointer(above.to_vec());
    let Some(site) = Site::of(readable, &above) else { return Vec::new() };
    let Some(part) = site.part(last) else { return Vec::new() };
    if site.bracket.is_some() {
        return flow::remove(&site, &part);
    }
    if site.parts.len() > 1 {
        return block::remove(&site, &part);
    }
    // A block without content would be nothing at all.
    let empty = match site.node.as_list() {
        Some(_) => Node::list(Vec::new(), site.node.origin),
        None => Node::map(Vec::new(), site.node.origin),
    };
    set(readable, &above, &empty, style)
}
