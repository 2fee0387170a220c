//! The node tree: values in document order, each with its origin, shared by `Arc`.
//!
//! Lists and maps are shared, so a changed document has every untouched subtree in common with the original: an
//! overlay copies only the path to what it changes, and [`Node::same`] tells in constant time that nothing changed.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::number::Number;
use super::source::Origin;

/// Maps longer than this get a hash index on the first look-up.
const INDEXED_FROM: usize = 16;
/// [`Map::peek`] looks through maps up to this length one by one.
const SCANNED_UP_TO: usize = 256;

/// A value and where it comes from.
///
/// Two nodes are equal when their values are (numbers by value, members of maps in any order); origins do not count.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The bytes that it was read from.
    pub origin: Origin,
}

/// What JSON can say.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`
    Null,
    /// `true` and `false`
    Bool(bool),
    /// A number, without loss.
    Number(Number),
    /// Text.
    String(Arc<str>),
    /// A list, in order.
    List(Arc<Vec<Node>>),
    /// A map, in document order.
    Map(Arc<Map>),
}

/// A member of a map.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name.
    pub key: Arc<str>,
    /// Where the name stands.
    pub key_origin: Origin,
    /// What it names.
    pub value: Node,
}

/// Members in document order, found by name in constant time.
#[derive(Debug, Default)]
pub struct Map {
    entries: Vec<Entry>,
    /// Made on the first look-up in a large map; kept up by [`Map::insert`], dropped by removals.
    index: OnceLock<HashMap<Arc<str>, usize>>,
}

impl Clone for Map {
    fn clone(&self) -> Self {
        // The copy is about to be changed, so the index would go anyway.
        Self { entries: self.entries.clone(), index: OnceLock::new() }
    }
}

impl Map {
    /// A map of these members. The caller has seen to it that no name comes twice.
    pub fn new(entries: Vec<Entry>) -> Self {
        Self { entries, index: OnceLock::new() }
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.entries.len() <= INDEXED_FROM {
            return self.entries.iter().position(|entry| &*entry.key == key);
        }
        let index = self
            .index
            .get_or_init(|| self.entries.iter().enumerate().map(|(at, entry)| (entry.key.clone(), at)).collect());
        index.get(key).copied()
    }

    /// The member of that name.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.position(key).and_then(|at| self.entries.get(at))
    }

    /// The same without making an index: for one look-up in each of many maps, where an index would cost more than it
    /// saves. Only a very large map gets one.
    pub fn peek(&self, key: &str) -> Option<&Entry> {
        if self.entries.len() > SCANNED_UP_TO || self.index.get().is_some() {
            return self.entry(key);
        }
        self.entries.iter().find(|entry| &*entry.key == key)
    }

    /// The value of that name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value of that name, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let at = self.position(key)?;
        self.entries.get_mut(at).map(|entry| &mut entry.value)
    }

    /// Sets a member: in its place when the name is known, else at the end. Gives back what it replaced.
    pub fn insert(&mut self, entry: Entry) -> Option<Entry> {
        match self.position(&entry.key).and_then(|at| self.entries.get_mut(at)) {
            Some(slot) => Some(std::mem::replace(slot, entry)),
            None => {
                if let Some(index) = self.index.get_mut() {
                    index.insert(entry.key.clone(), self.entries.len());
                }
                self.entries.push(entry);
                None
            }
        }
    }

    /// Removes a member; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Entry> {
        let at = self.position(key)?;
        self.index = OnceLock::new();
        Some(self.entries.remove(at))
    }

    /// Keeps the members of which `keep` says so, in their order.
    pub fn retain(&mut self, keep: impl FnMut(&Entry) -> bool) {
        let before = self.entries.len();
        self.entries.retain(keep);
        if self.entries.len() != before {
            self.index = OnceLock::new();
        }
    }

    /// Members in document order.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry> {
        self.entries.iter()
    }

    /// Values in document order, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.entries.iter_mut().map(|entry| &mut entry.value)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// No members?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = &'a Entry;
    type IntoIter = std::slice::Iter<'a, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Node {
    /// A node of a value at an origin.
    pub fn new(value: Value, origin: Origin) -> Self {
        Self { value, origin }
    }

    /// A text node.
    pub fn string(text: impl Into<Arc<str>>, origin: Origin) -> Self {
        Self::new(Value::String(text.into()), origin)
    }

    /// A list node.
    pub fn list(items: Vec<Node>, origin: Origin) -> Self {
        Self::new(Value::List(Arc::new(items)), origin)
    }

    /// A map node; the caller has seen to it that no name comes twice.
    pub fn map(entries: Vec<Entry>, origin: Origin) -> Self {
        Self::new(Value::Map(Arc::new(Map::new(entries))), origin)
    }

    /// The text, when it is text.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, when it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// The number, when it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The items, when it is a list.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The members, when it is a map.
    pub fn as_map(&self) -> Option<&Map> {
        match &self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Member of a map; `None` when it is no map or has no such member.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_map()?.get(key)
    }

    /// Member of a map with its key's origin.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.as_map()?.entry(key)
    }

    /// Members in document order; none when it is no map.
    pub fn members(&self) -> std::slice::Iter<'_, Entry> {
        self.as_map().map_or([].iter(), Map::iter)
    }

    /// Items in order; none when it is no list.
    pub fn items(&self) -> std::slice::Iter<'_, Node> {
        self.as_list().unwrap_or(&[]).iter()
    }

    /// Member text of a map.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The members, to be changed; a shared map is copied first (one level).
    pub fn map_mut(&mut self) -> Option<&mut Map> {
        match &mut self.value {
            Value::Map(map) => Some(Arc::make_mut(map)),
            _ => None,
        }
    }

    /// The items, to be changed; a shared list is copied first (one level).
    pub fn list_mut(&mut self) -> Option<&mut Vec<Node>> {
        match &mut self.value {
            Value::List(items) => Some(Arc::make_mut(items)),
            _ => None,
        }
    }

    /// Surely unchanged: the same allocation, or for a scalar the same value from the same place. Constant time.
    pub fn same(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b),
            (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
            (Value::List(_) | Value::Map(_), _) | (_, Value::List(_) | Value::Map(_)) => false,
            _ => self.origin == other.origin && self == other,
        }
    }

    /// `null`, `boolean`, `number`, `string`, `array` or `object`, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::List(_) => "array",
            Value::Map(_) => "object",
        }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::String(a), Value::String(b)) => a == b,
            (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Map(a), Value::Map(b)) => {
                Arc::ptr_eq(a, b)
                    || (a.len() == b.len()
                        && a.iter().all(|entry| b.get(&entry.key).is_some_and(|value| *value == entry.value)))
            }
            _ => false,
        }
    }
}
