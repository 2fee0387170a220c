//! What there is to know of a schema, gathered in one walk: every rule of every target then only looks things up.

use std::collections::{HashMap, HashSet};

use crate::document::{Map, Node, Origin, Value};

use super::refs::{self, Reference};

/// Some things in a schema: the first of them and how many there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Index of the schema, and the bytes to point at.
    pub(super) first: Option<(usize, Origin)>,
    pub(super) count: usize,
}

impl Seen {
    pub(super) fn add(&mut self, visit: usize, origin: Origin) {
        self.first.get_or_insert((visit, origin));
        self.count += 1;
    }
}

/// One schema inside the schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit<'a> {
    pub(super) map: &'a Map,
    /// The schema that holds it.
    parent: Option<usize>,
    /// The keyword under which it stands, and its name or number there.
    keyword: &'a str,
    name: Option<&'a str>,
    number: Option<usize>,
    /// Levels of properties and items between it and the root of its unit.
    pub(super) depth: usize,
    /// 0 for the schema itself, else the number of the definition plus one.
    pub(super) unit: usize,
}

/// What the walk found.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    pub(super) visits: Vec<Visit<'a>>,
    /// Schemas that use a keyword.
    pub(super) keywords: HashMap<&'a str, Seen>,
    /// Schemas with that `format`.
    pub(super) formats: HashMap<&'a str, Seen>,
    /// Names of properties with their origins, the root's first.
    pub(super) keys: Vec<(usize, &'a str, Origin)>,
    pub(super) type_arrays: Seen,
    pub(super) arrays_without_items: Seen,
    pub(super) enums_not_text: Seen,
    pub(super) members_without_object: Seen,
    pub(super) required_twice: Seen,
    pub(super) optional_members: Seen,
    pub(super) open_objects: Seen,
    pub(super) dangling: Seen,
    /// The text of the first dangling reference.
    pub(super) dangling_text: Option<&'a str>,
    pub(super) recursive: Seen,
    /// Levels of properties and items, references followed, circles once.
    pub(super) depth: usize,
    /// Characters of property names, definition names and enum values.
    pub(super) name_text: usize,
    pub(super) enum_values: usize,
}

struct Pending<'a> {
    node: &'a Node,
    parent: Option<usize>,
    keyword: &'a str,
    name: Option<&'a str>,
    number: Option<usize>,
    depth: usize,
    unit: usize,
}

/// How a keyword holds schemas.
enum Holds {
    /// A map of schemas; `true` when they are one level deeper.
    Map(bool),
    /// A schema, or for old `items` a list of them.
    One(bool),
    List(bool),
    Nothing,
}

fn holds(keyword: &str) -> Holds {
    match keyword {
        "properties" | "patternProperties" => Holds::Map(true),
        "dependentSchemas" | "$defs" | "definitions" => Holds::Map(false),
        "items"
        | "additionalProperties"
        | "contains"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "additionalItems" => Holds::One(true),
        "not" | "if" | "then" | "else" | "propertyNames" => Holds::One(false),
        "oneOf" | "anyOf" | "allOf" => Holds::List(false),
        "prefixItems" => Holds::List(true),
        _ => Holds::Nothing,
    }
}

impl<'a> Facts<'a> {
    /// Walks a schema, in document order and without recursion.
    pub(super) fn of(schema: &'a Node) -> Self {
        let mut facts = Self::default();
        let mut units: HashMap<&'a str, usize> = HashMap::new();
        let mut references: Vec<Reference<'a>> = Vec::new();
        let root = Pending { node: schema, parent: None, keyword: "", name: None, number: None, depth: 0, unit: 0 };
        let mut open = vec![root];
        while let Some(pending) = open.pop() {
            let Value::Map(map) = &pending.node.value else { continue };
            let at = facts.visits.len();
            let Pending { parent, keyword, name, number, depth, unit, node } = pending;
            let visit = Visit { map, parent, keyword, name, number, depth, unit };
            facts.visits.push(visit);
            facts.look_at(at, visit, node.origin);
            let first_new = open.len();
            for entry in map.iter() {
                facts.keywords.entry(&*entry.key).or_default().add(at, entry.key_origin);
                if matches!(&*entry.key, "$ref" | "$dynamicRef" | "$recursiveRef") {
                    references.extend(entry.value.as_str().map(|text| Reference {
                        visit: at,
                        text,
                        origin: entry.value.origin,
                    }));
                }
                push_children(&mut open, &mut units, &visit, at, &entry.key, &entry.value);
            }
            if let Some(new) = open.get_mut(first_new..) {
                new.reverse();
            }
        }
        refs::settle(&mut facts, schema, &units, &references);
        facts
    }

    fn look_at(&mut self, at: usize, visit: Visit<'a>, origin: Origin) {
        let map = visit.map;
        let types = map.get("type");
        let is = |word: &str| {
            types
                .is_some_and(|node| node.as_str() == Some(word) || node.items().any(|item| item.as_str() == Some(word)))
        };
        if let Some(node) = types.filter(|node| node.as_list().is_some()) {
            self.type_arrays.add(at, node.origin);
        }
        if is("array") && map.get("items").is_none() && map.get("prefixItems").is_none() {
            self.arrays_without_items.add(at, origin);
        }
        if let Some(format) = map.entry("format").and_then(|entry| Some((entry.value.as_str()?, entry.key_origin))) {
            self.formats.entry(format.0).or_default().add(at, format.1);
        }
        if let Some(values) = map.get("enum") {
            self.enum_values += values.items().len();
            self.name_text += values.items().filter_map(Node::as_str).map(|text| text.chars().count()).sum::<usize>();
            if let Some(value) = values.items().find(|value| value.as_str().is_none()) {
                self.enums_not_text.add(at, value.origin);
            }
        }
        self.look_at_members(at, map, is("object"), origin);
    }

    fn look_at_members(&mut self, at: usize, map: &'a Map, is_object: bool, origin: Origin) {
        let properties = map.get("properties");
        let required = map.get("required");
        for entry in properties.map(Node::members).unwrap_or_default() {
            self.name_text += entry.key.chars().count();
            self.keys.push((at, &entry.key, entry.key_origin));
        }
        if let Some(node) = properties.or(required).filter(|_| !is_object) {
            self.members_without_object.add(at, node.origin);
        }
        let mut named: HashSet<&str> = HashSet::new();
        for item in required.map(Node::items).unwrap_or_default() {
            if item.as_str().is_some_and(|name| !named.insert(name)) {
                self.required_twice.add(at, item.origin);
            }
        }
        let optional = properties.map(Node::members).unwrap_or_default().find(|entry| !named.contains(&*entry.key));
        if let Some(entry) = optional {
            self.optional_members.add(at, entry.key_origin);
        }
        let closed = map.get("additionalProperties").and_then(Node::as_bool) == Some(false);
        if (is_object || properties.is_some()) && !closed {
            self.open_objects.add(at, origin);
        }
    }

    /// Where a schema stands, in words such as `properties.pet.items`; `the root` for the schema itself.
    pub(super) fn path(&self, visit: usize) -> String {
        let mut parts = Vec::new();
        let mut at = self.visits.get(visit);
        while let Some(step) = at {
            if let Some(number) = step.number {
                parts.push(number.to_string());
            }
            parts.extend(step.name.map(str::to_owned));
            parts.push(step.keyword.to_owned());
            at = step.parent.and_then(|parent| self.visits.get(parent));
        }
        parts.reverse();
        let text = parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(".");
        if text.is_empty() { "the root".to_owned() } else { format!("`{text}`") }
    }
}

fn push_children<'a>(
    open: &mut Vec<Pending<'a>>,
    units: &mut HashMap<&'a str, usize>,
    visit: &Visit<'a>,
    at: usize,
    keyword: &'a str,
    value: &'a Node,
) {
    let mut child = |node, name, number, deeper: bool, unit: Option<usize>| {
        let depth = if unit.is_some() { 0 } else { visit.depth + usize::from(deeper) };
        let unit = unit.unwrap_or(visit.unit);
        open.push(Pending { node, parent: Some(at), keyword, name, number, depth, unit });
    };
    match holds(keyword) {
        Holds::Map(deeper) => {
            let defines = keyword == "$defs" && at == 0;
            for entry in value.members() {
                let next = units.len() + 1;
                let unit = defines.then(|| *units.entry(&*entry.key).or_insert(next));
                child(&entry.value, Some(&*entry.key), None, deeper, unit);
            }
        }
        Holds::One(deeper) if value.as_list().is_none() => child(value, None, None, deeper, None),
        Holds::One(deeper) | Holds::List(deeper) => {
            for (number, item) in value.items().enumerate() {
                child(item, None, Some(number), deeper, None);
            }
        }
        Holds::Nothing => {}
    }
}
