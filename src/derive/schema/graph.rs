//! Which schema leads to which: the references of a document, resolved once and shared by all its operations.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::document::Version;
use crate::document::{DocumentSet, FileId, Map, Node, Value, pointer};

use super::keywords::{Kind, kind};

/// A chain of references without anything else in it that is longer than this is taken for a circle.
const LONGEST_CHAIN: usize = 64;

/// Which way a schema is read: `readOnly` members leave requests, `writeOnly` members leave responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Request,
    Response,
}

/// Identity of a referenced schema: the address of its map, which the document set keeps alive.
pub(crate) type Key = usize;

/// What a reference leads to, chains followed.
#[derive(Clone, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) node: &'a Node,
    /// `None` for a boolean schema, which is never shared.
    pub(crate) key: Option<Key>,
    /// What the schema is called: the last token of the reference.
    pub(crate) name: Arc<str>,
    /// Its pointer.
    pub(crate) pointer: Arc<str>,
}

/// One reference inside a schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Address of the map that holds the `$ref`.
    pub(crate) holder: usize,
    pub(crate) to: Key,
    /// The target applies to the very instance that the schema applies to, not to a part of it.
    pub(crate) in_place: bool,
}

/// A translated schema without references, with the losses that the translation had.
pub(crate) type Closed = Rc<(Node, Vec<super::super::model::Loss>)>;

/// The schemas of one document set, read in one direction.
pub(crate) struct Graph<'a> {
    pub(crate) set: &'a DocumentSet,
    pub(crate) version: Version,
    pub(crate) direction: Direction,
    targets: HashMap<Key, Target<'a>>,
    edges: HashMap<Key, Rc<[Edge]>>,
    /// By the file in which the reference stands and its text.
    resolved: HashMap<(FileId, Arc<str>), Target<'a>>,
    /// How each target was first referred to.
    written: HashMap<Key, (FileId, Arc<str>)>,
    /// Translations that do not depend on the tool, by the address of the schema's map.
    pub(crate) closed: HashMap<usize, Closed>,
}

/// The reference that a schema is, when it is one.
pub(crate) fn reference_of(map: &Map) -> Option<&Node> {
    ["$ref", "$dynamicRef", "$recursiveRef"].iter().find_map(|keyword| map.get(keyword))
}

/// Address of a map: its identity while the document set lives.
pub(crate) fn address(map: &Arc<Map>) -> usize {
    Arc::as_ptr(map) as usize
}

impl<'a> Graph<'a> {
    pub(crate) fn new(set: &'a DocumentSet, version: Version, direction: Direction) -> Self {
        Self {
            set,
            version,
            direction,
            targets: HashMap::new(),
            edges: HashMap::new(),
            resolved: HashMap::new(),
            written: HashMap::new(),
            closed: HashMap::new(),
        }
    }

    /// A target that was resolved before.
    pub(crate) fn target(&self, key: Key) -> Option<Target<'a>> {
        self.targets.get(&key).cloned()
    }

    /// What a reference leads to. `scope` is the referenced schema in which it stands, if any: `#/$defs/…` that the
    /// document does not have is looked up there, as schemas copied into a document often mean it.
    pub(crate) fn resolve(&mut self, reference: &Node, scope: Option<&'a Node>) -> Result<Target<'a>, String> {
        let Value::String(text) = &reference.value else {
            return Err(format!("the value of $ref is {}, not a string", reference.kind()));
        };
        let memo = (self.set.base_of(reference), text.clone());
        if let Some(known) = self.resolved.get(&memo) {
            return Ok(known.clone());
        }
        let (found, in_document) = self.resolve_chain(text, memo.0, scope)?;
        if let Some(key) = found.key {
            self.targets.entry(key).or_insert_with(|| found.clone());
            self.written.entry(key).or_insert_with(|| memo.clone());
        }
        // What was found in the scope means something else elsewhere.
        if in_document {
            self.resolved.insert(memo, found.clone());
        }
        Ok(found)
    }

    /// How a target was first referred to: the file of the reference and its text.
    pub(crate) fn written(&self, key: Key) -> Option<(FileId, Arc<str>)> {
        self.written.get(&key).cloned()
    }

    /// The target, and whether it was found without the scope.
    fn resolve_chain(&self, text: &str, base: FileId, scope: Option<&'a Node>) -> Result<(Target<'a>, bool), String> {
        let (mut text, mut base, mut in_document) = (text.to_owned(), base, true);
        for _ in 0..LONGEST_CHAIN {
            let node = match self.set.resolve_text(&text, base) {
                Ok(target) if !is_description(target.node) => target.node,
                // A reference to the whole OpenAPI document is meant for the schema around it.
                other => {
                    in_document = false;
                    match scope.and_then(|scope| in_scope(scope, &text)) {
                        Some(node) => node,
                        None => {
                            return Err(
                                other.map_or_else(|e| e.to_string(), |_| "it leads to the whole document".into())
                            );
                        }
                    }
                }
            };
            match node.as_map().filter(|map| is_bare_reference(map)).and_then(reference_of) {
                Some(next) => {
                    base = self.set.base_of(next);
                    text = next.as_str().ok_or("the value of $ref is no string")?.to_owned();
                }
                None => return Ok((target(node, &text)?, in_document)),
            }
        }
        Err(format!("`{text}` leads back to itself"))
    }

    /// The references inside a target, in document order.
    pub(crate) fn edges(&mut self, key: Key) -> Rc<[Edge]> {
        if let Some(known) = self.edges.get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        if let Some(target) = self.target(key) {
            self.walk(target.node, true, Some(target.node), &mut found);
        }
        let found: Rc<[Edge]> = found.into();
        self.edges.insert(key, found.clone());
        found
    }

    /// Collects the references inside a schema. Depth is bounded by that of the document.
    pub(crate) fn walk(&mut self, node: &Node, in_place: bool, scope: Option<&'a Node>, out: &mut Vec<Edge>) {
        let Value::Map(shared) = &node.value else { return };
        let reference = reference_of(shared);
        if let Some(reference) = reference {
            if let Ok(Target { key: Some(to), .. }) = self.resolve(reference, scope) {
                out.push(Edge { holder: address(shared), to, in_place });
            }
            if !self.siblings_count() {
                return;
            }
        }
        for entry in shared.iter() {
            let value = &entry.value;
            match &*entry.key {
                "properties" => {
                    for property in value.members() {
                        if !self.is_hidden(&property.value) {
                            self.walk(&property.value, false, scope, out);
                        }
                    }
                }
                "items" => {
                    self.walk(value, false, scope, out);
                    value.items().for_each(|item| self.walk(item, false, scope, out));
                }
                keyword => match kind(keyword) {
                    Some(Kind::Schema) => self.walk(value, false, scope, out),
                    Some(Kind::SchemaInPlace) => self.walk(value, in_place, scope, out),
                    Some(Kind::Schemas) => value.items().for_each(|item| self.walk(item, false, scope, out)),
                    Some(Kind::SchemasInPlace) => value.items().for_each(|item| self.walk(item, in_place, scope, out)),
                    Some(Kind::SchemaMap) => value.members().for_each(|e| self.walk(&e.value, false, scope, out)),
                    Some(Kind::SchemaMapInPlace) => {
                        value.members().for_each(|entry| self.walk(&entry.value, in_place, scope, out));
                    }
                    _ => {}
                },
            }
        }
    }

    /// Do constraints beside a `$ref` count? From OpenAPI 3.1 on (JSON Schema 2020-12 section 8.2.3.1).
    pub(crate) fn siblings_count(&self) -> bool {
        matches!(self.version, Version::V3_1 | Version::V3_2)
    }

    /// Is this property left out in the direction at hand?
    pub(crate) fn is_hidden(&mut self, schema: &Node) -> bool {
        let flag = match self.direction {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
        };
        let is_set = |node: &Node| node.get(flag).and_then(Node::as_bool) == Some(true);
        if is_set(schema) {
            return true;
        }
        match schema.as_map().and_then(reference_of) {
            Some(reference) => self.resolve(reference, None).is_ok_and(|target| is_set(target.node)),
            None => false,
        }
    }

    /// In-place references that close a circle (`A: {allOf: [A]}`): no instance could ever be checked against them.
    /// Gives the addresses of their holders.
    pub(crate) fn in_place_circles(&mut self, reached: &[Key]) -> HashSet<usize> {
        let mut broken = HashSet::new();
        let mut done: HashSet<Key> = HashSet::new();
        for start in reached {
            if done.contains(start) {
                continue;
            }
            let mut open: HashSet<Key> = HashSet::from([*start]);
            let mut stack = vec![(*start, self.edges(*start), 0usize)];
            while let Some((key, edges, at)) = stack.last_mut() {
                let Some(edge) = edges.get(*at).copied() else {
                    open.remove(key);
                    done.insert(*key);
                    stack.pop();
                    continue;
                };
                *at += 1;
                if !edge.in_place || done.contains(&edge.to) {
                    continue;
                }
                if open.insert(edge.to) {
                    let next = self.edges(edge.to);
                    stack.push((edge.to, next, 0));
                } else {
                    broken.insert(edge.holder);
                }
            }
        }
        broken
    }
}

fn target<'a>(node: &'a Node, text: &str) -> Result<Target<'a>, String> {
    let key = match &node.value {
        Value::Map(map) => Some(address(map)),
        Value::Bool(_) => None,
        _ => return Err(format!("`{text}` leads to {}, not to a schema", node.kind())),
    };
    let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
    let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
    let name = match fragment.rsplit('/').next() {
        Some(token) if !token.is_empty() => pointer::unescape(token).into_owned(),
        _ => {
            let stem = file.rsplit('/').next().unwrap_or(file);
            stem.rsplit_once('.').map_or(stem, |(stem, _)| stem).to_owned()
        }
    };
    Ok(Target { node, key, name: name.into(), pointer: fragment.into() })
}

/// A schema that is nothing but a reference (what only describes may stand beside it).
fn is_bare_reference(map: &Map) -> bool {
    reference_of(map).is_some() && map.len() == 1
}

fn is_description(node: &Node) -> bool {
    node.get("openapi").is_some() || node.get("swagger").is_some()
}

/// `#/$defs/Name` read against the schema in which it stands.
fn in_scope<'a>(scope: &'a Node, text: &str) -> Option<&'a Node> {
    let fragment = text.strip_prefix('#')?;
    let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
    if fragment.is_empty() {
        return Some(scope);
    }
    (fragment.starts_with("/$defs/") || fragment.starts_with("/definitions/"))
        .then(|| pointer::resolve(scope, &fragment).ok())
        .flatten()
}

/// Is there anything beside the reference that says more than the reference does?
pub(crate) fn siblings(map: &Map) -> impl Iterator<Item = &crate::document::Entry> {
    map.iter().filter(|entry| !matches!(&*entry.key, "$ref" | "$dynamicRef" | "$recursiveRef"))
}
