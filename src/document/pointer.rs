//! JSON pointers (RFC 6901) and steps through the tree.

use std::fmt;
use std::sync::Arc;

use super::node::{Node, Value};

/// One step down: a member's name or an item's index.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// Member of a map.
    Key(Arc<str>),
    /// Item of a list, from 0.
    Index(usize),
}

/// A way from the root to a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Pointer(pub Vec<Step>);

impl Pointer {
    /// The pointer extended by a member's name.
    pub fn key(&self, key: impl Into<Arc<str>>) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Key(key.into()));
        Self(steps)
    }

    /// The pointer extended by an index.
    pub fn index(&self, index: usize) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Index(index));
        Self(steps)
    }

    /// Is this node, or a node above it, at `other`?
    pub fn starts_with(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// The node that it leads to.
    pub fn find<'a>(&self, root: &'a Node) -> Option<&'a Node> {
        self.0.iter().try_fold(root, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Index(at) => node.as_list()?.get(*at),
        })
    }

    /// The node that it leads to, to be changed: every shared list and map on the way is copied, nothing else is.
    pub fn find_mut<'a>(&self, root: &'a mut Node) -> Option<&'a mut Node> {
        self.0.iter().try_fold(root, |node, step| match step {
            Step::Key(key) => node.map_mut()?.get_mut(key),
            Step::Index(at) => node.list_mut()?.get_mut(*at),
        })
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                Step::Key(key) => write!(f, "/{}", escape(key))?,
                Step::Index(at) => write!(f, "/{at}")?,
            }
        }
        Ok(())
    }
}

/// A name as one reference token of a pointer: `~` becomes `~0`, `/` becomes `~1`.
pub fn escape(key: &str) -> std::borrow::Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

/// The name that a reference token stands for.
pub fn unescape(token: &str) -> std::borrow::Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

/// The node at an RFC 6901 pointer in text form (already percent-decoded).
///
/// # Errors
/// The token at which the way ended.
pub fn resolve<'a>(root: &'a Node, pointer: &str) -> Result<&'a Node, String> {
    let Some(tokens) = pointer.strip_prefix('/') else {
        return if pointer.is_empty() { Ok(root) } else { Err(pointer.to_owned()) };
    };
    tokens.split('/').try_fold(root, |node, token| {
        let name = unescape(token);
        let next = match &node.value {
            Value::Map(map) => map.get(&name),
            // No leading zeros, no sign (RFC 6901 section 4).
            Value::List(items) if name == "0" || !name.starts_with(['0', '+']) => {
                name.parse::<usize>().ok().and_then(|at| items.get(at))
            }
            _ => None,
        };
        next.ok_or_else(|| name.into_owned())
    })
}
