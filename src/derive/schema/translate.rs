//! One tool's schemas: which become `$defs`, and the translation of each keyword.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use crate::document::{Entry, FileId, Map, Node, Origin, Value};

use super::super::build::{entry, strings};
use super::super::report::{Path, Report};
use super::graph::{Direction, Edge, Graph, Key, Target, address, describes, reference_of, siblings};
use super::keywords::{Kind, is_annotation, is_identification, kind, suits};
use super::{discriminator, values};

/// References written in place below one another; deeper ones go to `$defs`, so that no walk of the result runs deep.
const DEEPEST_INLINE: usize = 16;

/// Where in the document a translation stands.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The referenced schema around it, if any.
    target: Option<&'a Node>,
    /// References written in place so far.
    depth: usize,
}

struct Definition {
    key: Key,
    name: Arc<str>,
    schema: Option<Node>,
}

/// The schemas of one tool in one direction.
///
/// First [`Self::plan`] with all of them, then [`Self::schema`] for each, then [`Self::finish`] for the `$defs`.
pub(crate) struct Translation<'g, 'a> {
    pub(crate) graph: &'g mut Graph<'a>,
    uses: HashMap<Key, u32>,
    reached: Vec<Key>,
    broken: HashSet<usize>,
    definitions: Vec<Definition>,
    /// References met so far; a schema during whose translation it did not change stands on its own.
    references: usize,
}

impl<'g, 'a> Translation<'g, 'a> {
    pub(crate) fn new(graph: &'g mut Graph<'a>) -> Self {
        Self {
            graph,
            uses: HashMap::new(),
            reached: Vec::new(),
            broken: HashSet::new(),
            definitions: Vec::new(),
            references: 0,
        }
    }

    /// Counts how often each referenced schema is used.
    pub(crate) fn plan<'n>(&mut self, roots: impl IntoIterator<Item = &'n Node>) {
        let mut edges = Vec::new();
        for root in roots {
            self.graph.walk(root, false, None, &mut edges);
        }
        self.count(&edges);
    }

    /// The same for one schema that is to stand at the root itself, even where it is a reference.
    pub(crate) fn plan_opened(&mut self, root: &Node) {
        let mut edges = Vec::new();
        match self.open(root) {
            Some(target) => {
                self.reached.extend(target.key);
                self.graph.walk(target.node, false, Some(target.node), &mut edges);
            }
            None => self.graph.walk(root, false, None, &mut edges),
        }
        self.count(&edges);
    }

    /// What a schema that is nothing but a reference leads to.
    fn open(&mut self, root: &Node) -> Option<Target<'a>> {
        let map = root.as_map().filter(|map| map.len() == 1)?;
        self.graph.resolve(reference_of(map)?, None).ok()
    }

    fn count(&mut self, edges: &[Edge]) {
        let mut open: VecDeque<Key> = VecDeque::new();
        let count = |uses: &mut HashMap<Key, u32>, open: &mut VecDeque<Key>, to: Key| {
            let times = uses.entry(to).or_insert(0);
            *times += 1;
            if *times == 1 {
                open.push_back(to);
            }
        };
        edges.iter().for_each(|edge| count(&mut self.uses, &mut open, edge.to));
        while let Some(key) = open.pop_front() {
            self.reached.push(key);
            for edge in self.graph.edges(key).iter() {
                count(&mut self.uses, &mut open, edge.to);
            }
        }
        self.broken = self.graph.in_place_circles(&self.reached);
    }

    /// How many referenced schemas the plan reaches.
    pub(crate) fn reached(&self) -> usize {
        self.reached.len()
    }

    /// The references that the tool rests on, as written and the file in which they stand.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = (FileId, Arc<str>)> + '_ {
        self.reached.iter().filter_map(|key| self.graph.written(*key))
    }

    /// Translates a schema that was part of the plan.
    pub(crate) fn schema(&mut self, node: &Node, path: &Path<'_>, report: &mut Report) -> Node {
        self.translate(node, path, Scope { target: None, depth: 0 }, report)
    }

    /// Translates the schema given to [`Self::plan_opened`].
    pub(crate) fn schema_opened(&mut self, node: &Node, path: &Path<'_>, report: &mut Report) -> Node {
        match self.open(node) {
            Some(target) => self.target(&target, 0, report),
            None => self.schema(node, path, report),
        }
    }

    /// The `$defs`, when there are any.
    pub(crate) fn finish(mut self, report: &mut Report) -> Option<Node> {
        let mut at = 0;
        while let Some(key) = self.definitions.get(at).map(|definition| definition.key) {
            if let Some(target) = self.graph.target(key) {
                let schema = self.target(&target, 0, report);
                if let Some(definition) = self.definitions.get_mut(at) {
                    definition.schema = Some(schema);
                }
            }
            at += 1;
        }
        let origin = self.definitions.first()?.schema.as_ref()?.origin;
        let entries = self.definitions.into_iter().filter_map(|definition| {
            let schema = definition.schema?;
            Some(entry(definition.name, schema))
        });
        Some(Node::map(entries.collect(), origin))
    }

    fn target(&mut self, target: &Target<'a>, depth: usize, report: &mut Report) -> Node {
        let path = Path::new(&target.pointer);
        self.translate(target.node, &path, Scope { target: Some(target.node), depth }, report)
    }

    fn translate(&mut self, node: &Node, path: &Path<'_>, scope: Scope<'a>, report: &mut Report) -> Node {
        let map = match &node.value {
            Value::Map(map) => map,
            Value::Bool(_) => return node.clone(),
            _ => {
                report.lose("invalid-schema", path.place(node), format!("a schema cannot be {}", node.kind()));
                return Node::map(Vec::new(), node.origin);
            }
        };
        // Only what the document set keeps alive may be known by its address.
        let known_by = scope.target.map(|_| address(map));
        if let Some(known) = known_by.and_then(|address| self.graph.closed.get(&address)) {
            known.1.iter().for_each(|loss| report.lose(loss.what, loss.place.clone(), loss.why.clone()));
            return known.0.clone();
        }
        let (references, losses) = (self.references, report.losses.len());
        let schema = match reference_of(map) {
            Some(reference) => self.reference(map, reference, node, path, scope, report),
            None => self.keywords(map.iter(), node.origin, path, scope, report),
        };
        if let Some(address) = known_by.filter(|_| self.references == references) {
            let losses = report.losses.get(losses..).unwrap_or_default().to_vec();
            self.graph.closed.insert(address, Rc::new((schema.clone(), losses)));
        }
        schema
    }

    fn reference(
        &mut self,
        map: &Arc<Map>,
        reference: &Node,
        node: &Node,
        path: &Path<'_>,
        scope: Scope<'a>,
        report: &mut Report,
    ) -> Node {
        self.references += 1;
        let base = match self.graph.resolve(reference, scope.target) {
            Err(why) => {
                report.degrade("broken-ref", path.key("$ref").place(reference), why);
                Node::map(Vec::new(), node.origin)
            }
            Ok(_) if self.broken.contains(&address(map)) => {
                let why =
                    format!("`{}` applies to the very value that it is part of", reference.as_str().unwrap_or("$ref"));
                report.lose("circular-schema", path.key("$ref").place(reference), why);
                Node::map(Vec::new(), node.origin)
            }
            Ok(Target { key: None, node, .. }) => node.clone(),
            Ok(target @ Target { key: Some(key), .. }) => {
                let shared = self.uses.get(&key).is_none_or(|times| *times > 1);
                if shared || scope.depth >= DEEPEST_INLINE {
                    let pointer = format!("#/$defs/{}", self.define(key, &target.name));
                    Node::map(vec![entry("$ref", Node::string(pointer, reference.origin))], node.origin)
                } else {
                    self.target(&target, scope.depth + 1, report)
                }
            }
        };
        self.with_siblings(base, map, path, scope, report)
    }

    /// The name of a schema in `$defs`, unique and free of characters that a pointer would have to escape.
    fn define(&mut self, key: Key, wanted: &str) -> Arc<str> {
        if let Some(known) = self.definitions.iter().find(|definition| definition.key == key) {
            return known.name.clone();
        }
        let clean: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
        let clean = if clean.is_empty() { "schema".to_owned() } else { clean };
        let taken = |name: &str| self.definitions.iter().any(|definition| &*definition.name == name);
        let name: Arc<str> = std::iter::once(clean.clone())
            .chain((2..).map(|number| format!("{clean}_{number}")))
            .find(|name| !taken(name))
            .unwrap_or(clean)
            .into();
        self.definitions.push(Definition { key, name: name.clone(), schema: None });
        name
    }

    /// What stands beside a `$ref`: descriptions always count, constraints from OpenAPI 3.1 on.
    fn with_siblings(&mut self, base: Node, map: &Map, path: &Path<'_>, scope: Scope<'a>, report: &mut Report) -> Node {
        if map.len() == 1 {
            return base;
        }
        let counts = self.graph.siblings_count();
        let kept: Vec<&Entry> = siblings(map).filter(|entry| counts || describes(&entry.key)).collect();
        for entry in siblings(map).filter(|entry| !counts && !describes(&entry.key)) {
            let why = format!("`{}` beside $ref does not count before OpenAPI 3.1", entry.key);
            report.lose("ref-sibling", path.key(&entry.key).at(entry.key_origin), why);
        }
        let origin = base.origin;
        let nullable = kept.iter().any(|entry| &*entry.key == "nullable" && entry.value.as_bool() == Some(true));
        let plain = kept.into_iter().filter(|entry| &*entry.key != "nullable");
        let said = self.keywords(plain, origin, path, scope, report);
        values::nullable(values::combine(base, said), nullable)
    }

    fn keywords<'n>(
        &mut self,
        entries: impl Iterator<Item = &'n Entry> + Clone,
        origin: Origin,
        path: &Path<'_>,
        scope: Scope<'a>,
        report: &mut Report,
    ) -> Node {
        let find = |key: &str| entries.clone().find(|entry| &*entry.key == key).map(|entry| &entry.value);
        let is = |key: &str| find(key).and_then(Node::as_bool) == Some(true);
        let nullable = is("nullable") || is("x-nullable");
        let mut out = Map::default();
        for member in entries.clone() {
            let (key, value) = (&*member.key, &member.value);
            let path = path.key(key);
            let translated = match key {
                "type" => values::types(value, &path, report),
                "properties" => self.properties(value, &path, scope, report),
                "required" => self.required(value, find("properties"), find("allOf")),
                "enum" => values::enumeration(value, find("type"), nullable, &path, report),
                "items" => self.items(value, &mut out, &path, scope, report),
                "example" | "x-example" if find("examples").is_none() => {
                    out.insert(entry("examples", Node::list(vec![value.clone()], value.origin)));
                    None
                }
                "examples" if value.as_map().is_some() => {
                    Some(Node::list(value.members().map(|example| example.value.clone()).collect(), value.origin))
                }
                "exclusiveMinimum" | "exclusiveMaximum" if value.as_bool().is_some() => None,
                "minimum" if is("exclusiveMinimum") => {
                    out.insert(entry("exclusiveMinimum", value.clone()));
                    None
                }
                "maximum" if is("exclusiveMaximum") => {
                    out.insert(entry("exclusiveMaximum", value.clone()));
                    None
                }
                "discriminator" => {
                    self.discriminate(value, find("oneOf").or(find("anyOf")), &path, report);
                    None
                }
                "oneOf" | "anyOf" => {
                    let branches = self.keyword(key, value, &path, scope, report);
                    branches.map(|branches| self.constants(branches, value, find("discriminator"), scope))
                }
                "readOnly" | "writeOnly" | "deprecated" if value.as_bool() == Some(false) => None,
                "nullable" => None,
                _ if key.starts_with("x-") || is_identification(key) => None,
                _ => self.keyword(key, value, &path, scope, report),
            };
            if let Some(translated) = translated {
                out.insert(Entry { key: member.key.clone(), key_origin: member.key_origin, value: translated });
            }
        }
        self.require_marked(&mut out, find("properties"));
        values::enumerate_items(&mut out);
        let schema = Node::new(Value::Map(Arc::new(out)), origin);
        values::nullable(schema, nullable)
    }

    /// A keyword that JSON Schema has as well, or one that it has not.
    fn keyword(
        &mut self,
        key: &str,
        value: &Node,
        path: &Path<'_>,
        scope: Scope<'a>,
        report: &mut Report,
    ) -> Option<Node> {
        let Some(kind) = kind(key) else {
            if !is_annotation(key) {
                report.lose("schema-keyword", path.place(value), format!("`{key}` is no keyword of JSON Schema"));
            }
            return None;
        };
        if !suits(kind, value) {
            if let Some(mended) = values::mend(kind, value) {
                return Some(mended);
            }
            report.lose("schema-keyword", path.place(value), format!("`{key}` cannot be {}", value.kind()));
            return None;
        }
        match kind {
            Kind::Schema | Kind::SchemaInPlace => Some(self.translate(value, path, scope, report)),
            Kind::Schemas | Kind::SchemasInPlace => {
                let branches = value.items().enumerate();
                let branches: Vec<Node> =
                    branches.map(|(at, branch)| self.translate(branch, &path.index(at), scope, report)).collect();
                // An empty list is not valid JSON Schema, and says nothing.
                (!branches.is_empty()).then(|| Node::list(branches, value.origin))
            }
            Kind::SchemaMap | Kind::SchemaMapInPlace => {
                let members = value.members().map(|member| {
                    let schema = self.translate(&member.value, &path.key(&member.key), scope, report);
                    Entry { key: member.key.clone(), key_origin: member.key_origin, value: schema }
                });
                Some(Node::map(members.collect(), value.origin))
            }
            _ => Some(value.clone()),
        }
    }

    fn properties(&mut self, value: &Node, path: &Path<'_>, scope: Scope<'a>, report: &mut Report) -> Option<Node> {
        if value.as_map().is_none() {
            report.lose("schema-keyword", path.place(value), format!("`properties` cannot be {}", value.kind()));
            return None;
        }
        let mut kept = Vec::new();
        for property in value.members() {
            let path = path.key(&property.key);
            if self.graph.is_hidden(&property.value) {
                let (what, why) = match self.graph.direction {
                    Direction::Request => ("read-only", "it is readOnly, so a request cannot set it"),
                    Direction::Response => ("write-only", "it is writeOnly, so a response does not have it"),
                };
                report.lose(what, path.at(property.key_origin), why);
                continue;
            }
            let schema = self.translate(&property.value, &path, scope, report);
            kept.push(Entry { key: property.key.clone(), key_origin: property.key_origin, value: schema });
        }
        Some(Node::map(kept, value.origin))
    }

    /// Names once each, without those that are left out.
    fn required(&mut self, value: &Node, properties: Option<&Node>, all_of: Option<&Node>) -> Option<Node> {
        value.as_list()?;
        let branches = all_of.into_iter().flat_map(Node::items).filter_map(|branch| branch.get("properties"));
        let hidden: Vec<&Arc<str>> = properties
            .into_iter()
            .chain(branches)
            .flat_map(Node::members)
            .filter(|property| self.graph.is_hidden(&property.value))
            .map(|property| &property.key)
            .collect();
        let mut names: Vec<&str> = Vec::new();
        for name in value.items().filter_map(Node::as_str) {
            if !names.contains(&name) && !hidden.iter().any(|other| &***other == name) {
                names.push(name);
            }
        }
        Some(strings(names, value.origin))
    }

    /// `required: true` inside a property is a common slip for the list beside `properties`.
    fn require_marked(&mut self, out: &mut Map, properties: Option<&Node>) {
        let marked = |property: &&Entry| property.value.get("required").and_then(Node::as_bool) == Some(true);
        let marked: Vec<&Entry> = properties.into_iter().flat_map(Node::members).filter(marked).collect();
        for property in marked {
            if self.graph.is_hidden(&property.value) {
                continue;
            }
            let name = Node::string(property.key.clone(), property.key_origin);
            match out.get_mut("required").and_then(Node::list_mut) {
                Some(names) if names.contains(&name) => {}
                Some(names) => names.push(name),
                None => {
                    out.insert(entry("required", Node::list(vec![name], property.key_origin)));
                }
            }
        }
    }

    /// A list under `items` is the tuple of older drafts: `prefixItems` today.
    fn items(
        &mut self,
        value: &Node,
        out: &mut Map,
        path: &Path<'_>,
        scope: Scope<'a>,
        report: &mut Report,
    ) -> Option<Node> {
        match &value.value {
            Value::List(items) => {
                let items = items.iter().enumerate();
                let items: Vec<Node> =
                    items.map(|(at, item)| self.translate(item, &path.index(at), scope, report)).collect();
                if !items.is_empty() {
                    out.insert(entry("prefixItems", Node::list(items, value.origin)));
                }
                None
            }
            _ => Some(self.translate(value, path, scope, report)),
        }
    }

    fn discriminate(&self, value: &Node, branches: Option<&Node>, path: &Path<'_>, report: &mut Report) {
        if branches.is_none() {
            let why = "no oneOf or anyOf stands beside it, so it cannot say which schema applies";
            report.lose("discriminator", path.place(value), why);
        }
    }

    /// The discriminator's value becomes a `const` on each branch that is a reference.
    fn constants(&mut self, branches: Node, written: &Node, discriminator: Option<&Node>, scope: Scope<'a>) -> Node {
        let Some(property) = discriminator.and_then(|node| node.text("propertyName")) else { return branches };
        let mapping = discriminator.and_then(|node| node.get("mapping"));
        let mut out = Vec::new();
        for (branch, written) in branches.items().zip(written.items()) {
            let mut values = match written.as_map().and_then(reference_of) {
                Some(reference) => self.mapped(reference, mapping, scope),
                None => Vec::new(),
            };
            // A branch that names its own values is right about them: many documents leave out the mapping.
            if let Some(own) = discriminator::member_values(self.graph, written, property, 0) {
                values.retain(|value| own.iter().any(|own| own.as_str() == Some(&**value)));
            }
            out.push(values::with_constant(branch, property, &values));
        }
        Node::list(out, branches.origin)
    }

    fn mapped(&mut self, reference: &Node, mapping: Option<&Node>, scope: Scope<'a>) -> Vec<Arc<str>> {
        let Ok(target) = self.graph.resolve(reference, scope.target) else { return Vec::new() };
        let mut values = Vec::new();
        for entry in mapping.into_iter().flat_map(Node::members) {
            let named = entry.value.as_str() == Some(&*target.name);
            let key = self.graph.resolve(&entry.value, scope.target).ok().and_then(|other| other.key);
            if named || (key.is_some() && key == target.key) {
                values.push(entry.key.clone());
            }
        }
        if values.is_empty() {
            values.push(target.name);
        }
        values
    }
}
