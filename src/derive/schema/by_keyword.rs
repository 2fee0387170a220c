//! The translation of each keyword to JSON Schema 2020-12.

use std::sync::Arc;

use crate::document::{Entry, Map, Node, Origin, Value};

use super::super::build::{entry, strings};
use super::super::report::{Path, Report};
use super::graph::{Direction, reference_of};
use super::keywords::{Kind, is_annotation, is_identification, kind, suits};
use super::translate::{Scope, Translation};
use super::{discriminator, values};

impl<'a> Translation<'_, 'a> {
    /// A schema of these members, none of which is a reference.
    pub(super) fn keywords<'n>(
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
