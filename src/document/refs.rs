//! `$ref`: local, to the parts of a multi-file document, in chains and in circles.
//!
//! Which files may be read at all is the loader's policy; here a reference to a file that was not loaded is an error
//! that degrades what needs it.

use std::collections::{BTreeMap, HashMap};

use percent_encoding::percent_decode_str;

use super::Document;
use super::node::Node;
use super::pointer;
use super::source::FileId;

/// A chain of references longer than this is taken for a circle.
const LONGEST_CHAIN: usize = 64;

/// A document and the files that its references lead to.
#[derive(Clone, Debug)]
pub struct DocumentSet {
    /// The document that was opened, with overlays applied.
    pub main: Document,
    parts: BTreeMap<FileId, Document>,
    /// For each file and each reference in it without the fragment: the file that it means, or why it was not read.
    links: HashMap<(FileId, String), Result<FileId, String>>,
}

/// Why a reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefError {
    /// The pointer names something that is not there.
    #[error("`{reference}` does not resolve: there is no `{missing}`")]
    Missing {
        /// The reference as written.
        reference: String,
        /// The part of it at which the way ended.
        missing: String,
    },
    /// The file was not read.
    #[error("`{reference}` was not read: {why}")]
    Unread {
        /// The reference as written.
        reference: String,
        /// Why.
        why: String,
    },
    /// The reference leads back to itself.
    #[error("`{reference}` leads back to itself")]
    Circle {
        /// The reference as written.
        reference: String,
    },
    /// The value of `$ref` is no text.
    #[error("the value of $ref is {kind}, not a string")]
    NoText {
        /// What it is instead.
        kind: &'static str,
    },
}

/// What a reference leads to.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The node.
    pub node: &'a Node,
    /// The file that it is part of.
    pub file: FileId,
}

impl DocumentSet {
    /// A document without parts.
    pub fn single(main: Document) -> Self {
        Self { main, parts: BTreeMap::new(), links: HashMap::new() }
    }

    /// Adds a part.
    pub fn add_part(&mut self, part: Document) {
        self.parts.insert(part.file, part);
    }

    /// Says what a reference without fragment, found in `from`, means.
    pub fn link(&mut self, from: FileId, reference: impl Into<String>, to: Result<FileId, String>) {
        self.links.insert((from, reference.into()), to);
    }

    /// The same parts and links around another main document (its overlaid form).
    pub fn with_main(&self, main: Document) -> Self {
        Self { main, parts: self.parts.clone(), links: self.links.clone() }
    }

    /// The document of that number.
    pub fn document(&self, file: FileId) -> Option<&Document> {
        if file == self.main.file { Some(&self.main) } else { self.parts.get(&file) }
    }

    /// Main document and parts.
    pub fn documents(&self) -> impl Iterator<Item = &Document> {
        std::iter::once(&self.main).chain(self.parts.values())
    }

    /// The file against which a reference in this node is read: its own, or the main document for what an overlay wrote.
    pub fn base_of(&self, node: &Node) -> FileId {
        if node.origin.action.is_some() { self.main.file } else { node.origin.file }
    }

    /// The node that a reference (the text node under `$ref`) leads to, one step.
    ///
    /// # Errors
    /// The target does not exist or its file was not read.
    pub fn resolve(&self, reference: &Node) -> Result<Target<'_>, RefError> {
        let Some(text) = reference.as_str() else {
            return Err(RefError::NoText { kind: reference.kind() });
        };
        self.resolve_text(text, self.base_of(reference))
    }

    /// The same for a reference that is not a node, read against `base`.
    ///
    /// # Errors
    /// As [`Self::resolve`].
    pub fn resolve_text(&self, text: &str, base: FileId) -> Result<Target<'_>, RefError> {
        let (uri, fragment) = text.split_once('#').unwrap_or((text, ""));
        let file = if uri.is_empty() {
            base
        } else {
            match self.links.get(&(base, uri.to_owned())) {
                Some(Ok(file)) => *file,
                Some(Err(why)) => return Err(RefError::Unread { reference: text.to_owned(), why: why.clone() }),
                None => {
                    let why = "the file was not loaded".to_owned();
                    return Err(RefError::Unread { reference: text.to_owned(), why });
                }
            }
        };
        let missing = |missing: String| RefError::Missing { reference: text.to_owned(), missing };
        let root = &self.document(file).ok_or_else(|| missing(uri.to_owned()))?.root;
        let fragment = percent_decode_str(fragment).decode_utf8_lossy();
        let node = if fragment.is_empty() || fragment.starts_with('/') {
            pointer::resolve(root, &fragment).map_err(missing)?
        } else {
            find_anchor(root, &fragment).ok_or_else(|| missing(fragment.clone().into_owned()))?
        };
        Ok(Target { node, file })
    }

    /// Follows a node that is a reference object until it is none; any other node is given back as it is.
    ///
    /// # Errors
    /// As [`Self::resolve`], and when the chain is a circle.
    pub fn follow<'a>(&'a self, node: &'a Node) -> Result<&'a Node, RefError> {
        let mut at = node;
        for _ in 0..LONGEST_CHAIN {
            match at.get("$ref") {
                Some(reference) => at = self.resolve(reference)?.node,
                None => return Ok(at),
            }
        }
        let reference = node.text("$ref").unwrap_or_default().to_owned();
        Err(RefError::Circle { reference })
    }
}

/// The schema that carries `$anchor` or `$dynamicAnchor` of that name.
fn find_anchor<'a>(root: &'a Node, name: &str) -> Option<&'a Node> {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if [node.text("$anchor"), node.text("$dynamicAnchor")].contains(&Some(name)) {
            return Some(node);
        }
        // Reversed, so that the first in document order is met first.
        open.extend(node.members().rev().map(|entry| &entry.value));
        open.extend(node.items().rev());
    }
    None
}
