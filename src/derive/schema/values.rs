//! Translation of what is no schema: types, enums, bounds, null.

use std::sync::Arc;

use crate::document::{Entry, Map, Node, Number, Value};

use super::super::build::{entry, strings};
use super::super::report::{Path, Report};
use super::keywords::{Kind, is_annotation, is_type, suits};

/// `type`: the seven types of JSON Schema, others are lost.
pub(super) fn types(value: &Node, path: &Path<'_>, report: &mut Report) -> Option<Node> {
    match &value.value {
        Value::String(name) if is_type(name) => Some(value.clone()),
        // Swagger 2.0's file is the text of its content.
        Value::String(name) if &**name == "file" => Some(Node::string("string", value.origin)),
        // YAML's bare null under `type` means the type of that name.
        Value::Null => Some(Node::string("null", value.origin)),
        Value::List(items) => {
            let mut names: Vec<&str> = Vec::new();
            for item in items.iter() {
                match item.as_str().or(matches!(item.value, Value::Null).then_some("null")) {
                    Some(name) if is_type(name) && !names.contains(&name) => names.push(name),
                    Some(name) if is_type(name) => {}
                    _ => lose_type(item, path, report),
                }
            }
            (!names.is_empty()).then(|| strings(names, value.origin))
        }
        _ => {
            lose_type(value, path, report);
            None
        }
    }
}

fn lose_type(value: &Node, path: &Path<'_>, report: &mut Report) {
    let name = value.as_str().unwrap_or(value.kind());
    report.lose("schema-type", path.place(value), format!("`{name}` is no type of JSON Schema"));
}

/// `enum`: each value once; null too where the schema is nullable. Numbers and truth values that are written as text,
/// though `kind` says what they are, could never be given and are taken for what they mean.
pub(super) fn enumeration(
    value: &Node,
    kind: Option<&Node>,
    nullable: bool,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Node> {
    let Some(items) = value.as_list() else {
        report.lose("schema-keyword", path.place(value), format!("`enum` cannot be {}", value.kind()));
        return None;
    };
    let mut kept: Vec<Node> = Vec::new();
    let spelled = match kind.and_then(Node::as_str) {
        Some("integer" | "number") => Some(Kind::Number),
        Some("boolean") => Some(Kind::Flag),
        _ => None,
    };
    for item in items {
        let item = spelled.and_then(|kind| mend(kind, item)).unwrap_or_else(|| item.clone());
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    if kept.is_empty() {
        report.lose("schema-keyword", path.place(value), "an empty `enum` allows nothing");
        return None;
    }
    let null = Node::new(Value::Null, value.origin);
    if nullable && !kept.contains(&null) {
        kept.push(null);
    }
    Some(Node::list(kept, value.origin))
}

/// An `enum` of scalars on an array could never be met; it is meant for the items.
pub(super) fn enumerate_items(schema: &mut Map) {
    let is_array = schema.get("type").and_then(Node::as_str) == Some("array");
    let scalars = |values: &Node| values.items().all(|value| value.as_list().is_none());
    if !is_array || !schema.get("enum").is_some_and(scalars) {
        return;
    }
    let items = schema.get("items");
    if items.is_some_and(|items| items.as_map().is_none() || items.get("enum").is_some() || items.get("$ref").is_some())
    {
        return;
    }
    let Some(values) = schema.remove("enum") else { return };
    match schema.get_mut("items").and_then(Node::map_mut) {
        Some(items) => {
            items.insert(values);
        }
        None => {
            let origin = values.value.origin;
            schema.insert(entry("items", Node::map(vec![values], origin)));
        }
    }
}

/// A value that is right but for its spelling: a number or a truth value as text.
pub(super) fn mend(kind: Kind, value: &Node) -> Option<Node> {
    let text = value.as_str()?;
    let mended = match kind {
        Kind::Number | Kind::PositiveNumber | Kind::Count => Value::Number(Number::parse(text)?),
        Kind::Flag | Kind::Schema | Kind::SchemaInPlace => Value::Bool(text.parse().ok()?),
        _ => return None,
    };
    let node = Node::new(mended, value.origin);
    suits(kind, &node).then_some(node)
}

/// Adds null to what a schema allows (OpenAPI 3.0 `nullable`).
pub(super) fn nullable(schema: Node, nullable: bool) -> Node {
    let Some(map) = schema.as_map().filter(|_| nullable) else { return schema };
    let origin = schema.origin;
    if let Some(written) = map.get("type") {
        let mut names: Vec<&str> =
            written.as_str().into_iter().chain(written.items().filter_map(Node::as_str)).collect();
        if !names.contains(&"null") {
            names.push("null");
        }
        let types = strings(names, written.origin);
        let mut schema = schema.clone();
        if let Some(slot) = schema.map_mut().and_then(|map| map.get_mut("type")) {
            *slot = types;
        }
        return schema;
    }
    // An enum already has its null; without constraints null is allowed as it is.
    if map.get("enum").is_some() || map.iter().all(|entry| is_annotation(&entry.key)) {
        return schema;
    }
    let (said, ruled): (Vec<Entry>, Vec<Entry>) = map.iter().cloned().partition(|entry| is_annotation(&entry.key));
    let null = Node::map(vec![entry("type", Node::string("null", origin))], origin);
    let choice = Node::list(vec![Node::map(ruled, origin), null], origin);
    Node::map(said.into_iter().chain([entry("anyOf", choice)]).collect(), origin)
}

/// A schema and what is said beside the reference to it. Descriptions replace, constraints are added; where both
/// constrain with one keyword, both hold.
pub(super) fn combine(base: Node, said: Node) -> Node {
    let (Some(base_map), Some(said_map)) = (base.as_map(), said.as_map()) else { return base };
    if said_map.is_empty() {
        return base;
    }
    let clashes = |entry: &&Entry| !is_annotation(&entry.key) && base_map.get(&entry.key).is_some();
    if said_map.iter().any(|entry| clashes(&entry)) {
        return Node::map(vec![entry("allOf", Node::list(vec![base.clone(), said.clone()], base.origin))], base.origin);
    }
    let mut merged: Map = base_map.clone();
    said_map.iter().for_each(|entry| {
        merged.insert(entry.clone());
    });
    Node::new(Value::Map(Arc::new(merged)), base.origin)
}

/// A branch on which a property can only have these values.
pub(super) fn with_constant(branch: &Node, property: &str, values: &[Arc<str>]) -> Node {
    let (Some(map), false) = (branch.as_map(), values.is_empty()) else { return branch.clone() };
    let origin = branch.origin;
    let constant = match values {
        [value] => entry("const", Node::string(value.clone(), origin)),
        _ => entry("enum", strings(values.iter().cloned(), origin)),
    };
    let mut schema = map.get("properties").and_then(|properties| properties.get(property)).cloned();
    match schema.as_mut().and_then(Node::map_mut) {
        Some(known) if known.get("const").is_some() => return branch.clone(),
        Some(known) => {
            known.insert(constant);
        }
        None => schema = Some(Node::map(vec![constant], origin)),
    }
    let mut branch = branch.clone();
    let Some(map) = branch.map_mut() else { return branch };
    let member = entry(property, schema.unwrap_or_else(|| Node::map(Vec::new(), origin)));
    match map.get_mut("properties").and_then(Node::map_mut) {
        Some(properties) => {
            properties.insert(member);
        }
        None => {
            map.insert(entry("properties", Node::map(vec![member], origin)));
        }
    }
    branch
}
