//! One tool's schemas: which become `$defs`, and what stands where a reference stood.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use crate::document::{Entry, FileId, Map, Node, Value};

use super::super::build::entry;
use super::super::report::{Path, Report};
use super::graph::{Edge, Graph, Key, Target, address, reference_of, siblings};
use super::keywords::is_annotation;
use super::values;

/// References written in place below one another; deeper ones go to `$defs`, so that no walk of the result runs deep.
const DEEPEST_INLINE: usize = 16;

/// Where in the document a translation stands.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The referenced schema around it, if any.
    pub(super) target: Option<&'a Node>,
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

    pub(super) fn translate(&mut self, node: &Node, path: &Path<'_>, scope: Scope<'a>, report: &mut Report) -> Node {
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
        let kept: Vec<&Entry> = siblings(map).filter(|entry| counts || is_annotation(&entry.key)).collect();
        for entry in siblings(map).filter(|entry| !counts && !is_annotation(&entry.key)) {
            let why = format!("`{}` beside $ref does not count before OpenAPI 3.1", entry.key);
            report.lose("ref-sibling", path.key(&entry.key).at(entry.key_origin), why);
        }
        let origin = base.origin;
        let nullable = kept.iter().any(|entry| &*entry.key == "nullable" && entry.value.as_bool() == Some(true));
        let plain = kept.into_iter().filter(|entry| &*entry.key != "nullable");
        let said = self.keywords(plain, origin, path, scope, report);
        values::nullable(values::combine(base, said), nullable)
    }
}
