//! `--set key=value`: one value put into the tree of the workspace file before it is read.

use crate::document::{Entry, Node, Origin, Value};

/// Why a value could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// A step leads into a value that is neither map nor list.
    #[error("`{step}` cannot be set: what is above it is {kind}")]
    NoContainer {
        /// The step.
        step: String,
        /// What is there.
        kind: &'static str,
    },
    /// A list has no such item.
    #[error("there is no item `{step}`; items are chosen by number from 0 or by their name")]
    NoItem {
        /// The step.
        step: String,
    },
}

/// Sets the value at a path of keys; items of lists are chosen by index from 0 or by their `name`. Maps that are
/// missing on the way are made.
///
/// # Errors
/// The path leads through a scalar or to an item that is not there.
pub fn set(root: &mut Node, path: &[String], value: Node) -> Result<(), SetError> {
    let origin = value.origin;
    let mut at = root;
    for step in path {
        at = descend(at, step, origin)?;
    }
    *at = value;
    Ok(())
}

fn descend<'a>(node: &'a mut Node, step: &str, origin: Origin) -> Result<&'a mut Node, SetError> {
    if matches!(node.value, Value::Null) {
        *node = Node::map(Vec::new(), origin);
    }
    let kind = node.kind();
    if node.as_list().is_some() {
        let missing = || SetError::NoItem { step: step.to_owned() };
        let index = match step.parse::<usize>() {
            Ok(index) => index,
            Err(_) => node.items().position(|item| item.text("name") == Some(step)).ok_or_else(missing)?,
        };
        return node.list_mut().and_then(|items| items.get_mut(index)).ok_or_else(missing);
    }
    let no_container = || SetError::NoContainer { step: step.to_owned(), kind };
    let map = node.map_mut().ok_or_else(no_container)?;
    if map.get(step).is_none() {
        let value = Node::new(Value::Null, origin);
        map.insert(Entry { key: step.into(), key_origin: origin, value });
    }
    map.get_mut(step).ok_or_else(no_container)
}
