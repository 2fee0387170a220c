//! A schema with its references, `allOf` and the chosen branches folded into one map of keywords.

use std::cmp::Ordering;

use crate::document::{Entry, Map, Node, Value, pointer};

use super::make::Maker;
use crate::wire::json::member;

/// Schemas folded into one another.
const DEEPEST: usize = 48;
/// Schemas folded for one instance.
const MOST_FOLDED: usize = 50_000;

impl<'s> Maker<'s> {
    /// Folds a schema. `None` when it is `false` or its references have no end. The references that were followed are
    /// added to `refs`.
    pub(super) fn fold(&mut self, schema: &Node, depth: usize, refs: &mut Vec<String>) -> Option<Map> {
        let map = match &schema.value {
            Value::Bool(false) => return None,
            Value::Map(map) => map,
            _ => return Some(Map::default()),
        };
        self.folded += 1;
        if depth > DEEPEST || self.folded > MOST_FOLDED {
            return None;
        }
        let mut out = Map::default();
        for entry in map.iter() {
            match &*entry.key {
                "$ref" | "$dynamicRef" => {
                    let Some(text) = entry.value.as_str() else { continue };
                    let Some(target) = self.target(text) else { continue };
                    if refs.iter().any(|known| known == text) {
                        return None;
                    }
                    refs.push(text.to_owned());
                    let folded = self.fold(target, depth + 1, refs)?;
                    absorb(&mut out, &folded);
                }
                "allOf" => {
                    for branch in entry.value.items() {
                        let folded = self.fold(branch, depth + 1, refs)?;
                        absorb(&mut out, &folded);
                    }
                }
                "oneOf" | "anyOf" => {
                    let branches = entry.value.as_list().unwrap_or_default();
                    let at = self.choose(branches.len());
                    // The next branch where the chosen one cannot be made.
                    let turned = branches.iter().skip(at).chain(branches.iter().take(at));
                    let mut done = branches.is_empty();
                    for branch in turned {
                        let mut own = refs.clone();
                        if let Some(folded) = self.fold(branch, depth + 1, &mut own) {
                            *refs = own;
                            absorb(&mut out, &folded);
                            done = true;
                            break;
                        }
                    }
                    if !done {
                        return None;
                    }
                }
                _ => put(&mut out, entry),
            }
        }
        Some(out)
    }

    /// What a local reference leads to.
    pub(super) fn target(&self, reference: &str) -> Option<&'s Node> {
        let fragment = reference.strip_prefix('#')?;
        let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8().ok()?;
        pointer::resolve(self.root, &decoded).ok()
    }
}

fn absorb(out: &mut Map, other: &Map) {
    other.iter().for_each(|entry| put(out, entry));
}

/// Adds a keyword; where it is there already both hold, as far as one map can say so.
fn put(out: &mut Map, entry: &Entry) {
    let Some(known) = out.get(&entry.key).cloned() else {
        out.insert(entry.clone());
        return;
    };
    let other = &entry.value;
    let both = match &*entry.key {
        "properties" | "patternProperties" | "dependentRequired" => properties(&known, other),
        "required" => union(&known, other),
        "enum" => {
            Node::list(known.items().filter(|item| other.items().any(|o| o == *item)).cloned().collect(), known.origin)
        }
        "type" => types(&known, other),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            pick(known, other, Ordering::Less)
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            pick(known, other, Ordering::Greater)
        }
        "items" | "additionalProperties" if known != *other => conjunction(known, other.clone()),
        _ => known,
    };
    out.insert(Entry { value: both, ..entry.clone() });
}

/// The known bound, or the other one where it is tighter.
fn pick(known: Node, other: &Node, looser: Ordering) -> Node {
    match (known.as_number(), other.as_number()) {
        (Some(a), Some(b)) if a.compare(b) == looser => other.clone(),
        _ => known,
    }
}

fn union(known: &Node, other: &Node) -> Node {
    let mut items: Vec<Node> = known.items().cloned().collect();
    for item in other.items() {
        if !items.contains(item) {
            items.push(item.clone());
        }
    }
    Node::list(items, known.origin)
}

fn types(known: &Node, other: &Node) -> Node {
    let list = |node: &Node| -> Vec<Node> { node.as_list().map_or_else(|| vec![node.clone()], <[Node]>::to_vec) };
    let others = list(other);
    let integer = |node: &Node| node.as_str() == Some("integer");
    let number = |node: &Node| node.as_str() == Some("number");
    let mut both: Vec<Node> = list(known).into_iter().filter(|kind| others.contains(kind)).collect();
    if both.is_empty() {
        // An integer is a number.
        let all: Vec<Node> = list(known).into_iter().chain(others).collect();
        if all.iter().any(number) {
            both.extend(all.into_iter().find(integer));
        }
    }
    if both.is_empty() { known.clone() } else { Node::list(both, known.origin) }
}

fn properties(known: &Node, other: &Node) -> Node {
    let mut map = known.as_map().cloned().unwrap_or_default();
    for entry in other.members() {
        let value = match map.get(&entry.key) {
            Some(first) if *first != entry.value => conjunction(first.clone(), entry.value.clone()),
            _ => entry.value.clone(),
        };
        map.insert(Entry { value, ..entry.clone() });
    }
    Node::new(Value::Map(std::sync::Arc::new(map)), known.origin)
}

fn conjunction(a: Node, b: Node) -> Node {
    let origin = a.origin;
    Node::map(vec![member("allOf", Node::list(vec![a, b], origin))], origin)
}
