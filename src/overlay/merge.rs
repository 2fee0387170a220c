//! The merge rules of `update` and `copy` (Overlay 1.1 section 4.4.3.1).

use crate::document::{Entry, Node, Origin, Pointer, Step, Value};

/// A place at which two kinds do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) pointer: Pointer,
    /// What is there.
    pub(super) has: &'static str,
    /// What would be merged into it.
    pub(super) gets: &'static str,
}

/// A boolean or number that became text, or text that became one: mostly a matter of quotes.
#[derive(Clone, Debug)]
pub(super) struct Surprise {
    pub(super) pointer: Pointer,
    pub(super) had: &'static str,
    pub(super) gets: Node,
}

/// What a merge did.
#[derive(Default)]
pub(super) struct Effect {
    /// Every node that was set or added, none of them below another.
    pub(super) changed: Vec<Pointer>,
    pub(super) surprises: Vec<Surprise>,
}

/// One merge into one target.
pub(super) struct Merge<'e> {
    /// Origin of what is inserted, when it is not its own: that of the `copy` field.
    pub(super) origin: Option<Origin>,
    pub(super) effect: &'e mut Effect,
}

/// Object, array or primitive: the kinds that the rules tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Object,
    Array,
    Primitive,
}

pub(super) fn kind(node: &Node) -> Kind {
    match node.value {
        Value::Map(_) => Kind::Object,
        Value::List(_) => Kind::Array,
        _ => Kind::Primitive,
    }
}

/// Where the value does not fit into the target, without changing anything. `way` is the target's pointer.
pub(super) fn mismatches(target: &Node, value: &Node, way: &mut Pointer, out: &mut Vec<Mismatch>) {
    match (kind(target), kind(value)) {
        // Whatever is no array is appended to one.
        (Kind::Array, _) | (Kind::Primitive, Kind::Primitive) => {}
        (Kind::Object, Kind::Object) => members_mismatch(target, value, way, out),
        _ => out.push(Mismatch { pointer: way.clone(), has: target.kind(), gets: value.kind() }),
    }
}

fn members_mismatch(target: &Node, value: &Node, way: &mut Pointer, out: &mut Vec<Mismatch>) {
    for entry in value.members() {
        let Some(old) = target.get(&entry.key) else {
            continue;
        };
        way.0.push(Step::Key(entry.key.clone()));
        match (kind(old), kind(&entry.value)) {
            (Kind::Object, Kind::Object) => members_mismatch(old, &entry.value, way, out),
            (a, b) if a == b => {}
            _ => out.push(Mismatch { pointer: way.clone(), has: old.kind(), gets: entry.value.kind() }),
        }
        way.0.pop();
    }
}

/// Would merging change anything? The two fit.
fn differs(old: &Node, new: &Node) -> bool {
    match (&old.value, &new.value) {
        (Value::Map(_), Value::Map(members)) => {
            members.iter().any(|entry| old.get(&entry.key).is_none_or(|old| differs(old, &entry.value)))
        }
        (Value::List(_), Value::List(items)) => !items.is_empty(),
        _ => old != new,
    }
}

impl Merge<'_> {
    /// Merges the value into the target, which it fits (see [`mismatches`]). What does not change is not copied.
    pub(super) fn apply(&mut self, target: &mut Node, value: &Node, way: &mut Pointer) {
        if kind(target) == Kind::Array && kind(value) != Kind::Array {
            self.append(target, std::slice::from_ref(value), way);
        } else {
            self.merge(target, value, way);
        }
    }

    fn merge(&mut self, target: &mut Node, value: &Node, way: &mut Pointer) {
        if !differs(target, value) {
            return;
        }
        match (&mut target.value, &value.value) {
            (Value::Map(_), Value::Map(_)) => self.members(target, value, way),
            (Value::List(_), Value::List(items)) => self.append(target, items, way),
            _ => {
                self.note_surprise(target, value, way);
                *target = self.inserted(value);
                self.effect.changed.push(way.clone());
            }
        }
    }

    fn members(&mut self, target: &mut Node, value: &Node, way: &mut Pointer) {
        let Some(map) = target.map_mut() else {
            return;
        };
        for entry in value.members() {
            way.0.push(Step::Key(entry.key.clone()));
            match map.get_mut(&entry.key) {
                Some(old) => self.merge(old, &entry.value, way),
                None => {
                    let key_origin = self.origin.unwrap_or(entry.key_origin);
                    map.insert(Entry { key: entry.key.clone(), key_origin, value: self.inserted(&entry.value) });
                    self.effect.changed.push(way.clone());
                }
            }
            way.0.pop();
        }
    }

    fn append(&mut self, target: &mut Node, items: &[Node], way: &Pointer) {
        let Some(list) = target.list_mut() else {
            return;
        };
        for item in items {
            self.effect.changed.push(way.index(list.len()));
            list.push(self.inserted(item));
        }
    }

    fn inserted(&self, value: &Node) -> Node {
        Node::new(value.value.clone(), self.origin.unwrap_or(value.origin))
    }

    fn note_surprise(&mut self, old: &Node, new: &Node, way: &Pointer) {
        let is_text = |node: &Node| matches!(node.value, Value::String(_));
        let is_other = |node: &Node| matches!(node.value, Value::Bool(_) | Value::Number(_));
        if (is_text(old) && is_other(new)) || (is_other(old) && is_text(new)) {
            self.effect.surprises.push(Surprise { pointer: way.clone(), had: old.kind(), gets: self.inserted(new) });
        }
    }
}
