//! The members of an object schema, seen through `$ref` and `allOf`: what becomes arguments at the top level.

use std::collections::HashSet;
use std::sync::Arc;

use crate::document::{Node, Value};

use super::graph::{Graph, address};
use super::keywords::{is_annotation, is_identification};

/// `allOf` of objects deeper than this is not merged.
const DEEPEST: usize = 32;

/// What an object schema consists of.
#[derive(Debug, Default)]
pub(crate) struct Members<'s> {
    /// Name and schemas, in document order; several schemas when `allOf` says more than one thing of a member.
    pub(crate) properties: Vec<(Arc<str>, Vec<&'s Node>)>,
    pub(crate) required: Vec<Arc<str>>,
    /// What is left out because of `readOnly` or `writeOnly`.
    pub(crate) hidden: Vec<(Arc<str>, &'s Node)>,
    /// Rules of the whole object that its members cannot carry: keyword and value.
    pub(crate) dropped: Vec<(Arc<str>, &'s Node)>,
    /// The schema speaks of its members at all.
    declares: bool,
}

/// Takes an object schema apart.
///
/// # Errors
/// In words, why it has to stay whole: it is no object, it names no members, or its root is a choice.
pub(crate) fn members<'s, 'a: 's>(graph: &mut Graph<'a>, schema: &'s Node) -> Result<Members<'s>, &'static str> {
    let mut found = Members::default();
    collect(graph, schema, &mut HashSet::new(), 0, &mut found)?;
    if !found.declares {
        return Err("it names no members");
    }
    let hidden = &found.hidden;
    found.required.retain(|name| !hidden.iter().any(|(other, _)| other == name));
    Ok(found)
}

fn collect<'s, 'a: 's>(
    graph: &mut Graph<'a>,
    schema: &'s Node,
    seen: &mut HashSet<usize>,
    depth: usize,
    found: &mut Members<'s>,
) -> Result<(), &'static str> {
    let Value::Map(map) = &schema.value else { return Err("it is no schema object") };
    if depth > DEEPEST || !seen.insert(address(map)) {
        return Ok(());
    }
    if let Some(reference) = map.get("$ref") {
        let target = graph.resolve(reference, None).map_err(|_| "its reference does not resolve")?;
        collect(graph, target.node, seen, depth + 1, found)?;
        if !graph.siblings_count() {
            return Ok(());
        }
    }
    for entry in map.iter() {
        let value = &entry.value;
        match &*entry.key {
            "$ref" => {}
            "type" => is_object(value)?,
            "properties" => add_properties(graph, value, found),
            "required" => {
                for name in value.items().filter_map(Node::as_str) {
                    if !found.required.iter().any(|known| &**known == name) {
                        found.required.push(name.into());
                    }
                }
            }
            "allOf" => {
                for branch in value.items() {
                    collect(graph, branch, seen, depth + 1, found)?;
                }
            }
            "oneOf" | "anyOf" if value.as_list().is_some_and(|branches| branches.len() == 1) => {
                for branch in value.items() {
                    collect(graph, branch, seen, depth + 1, found)?;
                }
            }
            "oneOf" | "anyOf" | "not" | "if" => return Err("its root is a choice, which arguments cannot express"),
            "enum" | "const" => return Err("its root is a choice, which arguments cannot express"),
            "additionalProperties" | "unevaluatedProperties" if value.as_bool() == Some(false) => {}
            "then" | "else" | "discriminator" | "format" | "example" | "minProperties"
                if value.as_number().is_none_or(|number| number.as_f64() <= 0.0) => {}
            keyword if is_annotation(keyword) || is_identification(keyword) => {}
            _ => found.dropped.push((entry.key.clone(), value)),
        }
    }
    Ok(())
}

fn is_object(value: &Node) -> Result<(), &'static str> {
    let is = value.as_str() == Some("object") || value.items().any(|item| item.as_str() == Some("object"));
    if is { Ok(()) } else { Err("it is no object") }
}

fn add_properties<'s>(graph: &mut Graph<'_>, properties: &'s Node, found: &mut Members<'s>) {
    found.declares |= properties.as_map().is_some();
    for property in properties.members() {
        let (name, schema) = (&property.key, &property.value);
        if graph.is_hidden(schema) {
            found.hidden.push((name.clone(), schema));
            continue;
        }
        if schema.get("required").and_then(Node::as_bool) == Some(true) && !found.required.contains(name) {
            found.required.push(name.clone());
        }
        match found.properties.iter_mut().find(|(known, _)| known == name) {
            Some((_, schemas)) if schemas.iter().any(|known| known.same(schema) || *known == schema) => {}
            Some((_, schemas)) => schemas.push(schema),
            None => found.properties.push((name.clone(), vec![schema])),
        }
    }
}
