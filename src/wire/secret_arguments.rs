//! Arguments that are secrets: by where they go, by their name, or because their schema says so.

use serde_json::Value as Json;

use crate::derive::{ParameterIn, Tool};
use crate::document::{Node, is_secret_member};

use super::redact::Redactor;

/// Schemas are followed as deep; arguments are no deeper than that in any document that is known.
const DEEPEST: usize = 32;
/// Names that refer to one another are followed as often.
const MOST_STEPS: usize = 16;

/// The redactor with the secrets among a tool's arguments: the values of headers, cookies and query keys that it takes for
/// secret, of members whose name says so (`password`, `apiKey`), and those with `format: password`.
pub(super) fn with_arguments(known: Redactor, tool: &Tool, arguments: &Json) -> Redactor {
    let mut redactor = known;
    let schema = &tool.operation.input_schema;
    for (name, value) in arguments.as_object().into_iter().flatten() {
        let row = tool.operation.binding.iter().find(|row| *row.argument == **name);
        let goes_as = row.and_then(|row| row.wire_name.as_deref()).unwrap_or(name);
        let is_beside_the_body = row
            .is_some_and(|row| matches!(row.location, ParameterIn::Header | ParameterIn::Cookie | ParameterIn::Query));
        if is_beside_the_body && redactor.is_secret(goes_as) {
            redactor = all_texts(redactor, value, 0);
        }
        let below = schema.get("properties").and_then(|properties| properties.get(name));
        redactor = member(redactor, name, value, below, schema, 0);
    }
    redactor
}

fn member(known: Redactor, name: &str, value: &Json, schema: Option<&Node>, root: &Node, depth: usize) -> Redactor {
    if depth > DEEPEST {
        return known;
    }
    let mut schemas = Vec::new();
    if let Some(schema) = schema {
        variants(schema, root, &mut schemas);
    }
    if is_secret_member(name) || schemas.iter().any(|schema| schema.text("format") == Some("password")) {
        return all_texts(known, value, depth);
    }
    match value {
        Json::Object(map) => map.iter().fold(known, |known, (name, value)| {
            let below = schemas.iter().find_map(|schema| schema.get("properties")?.get(name));
            member(known, name, value, below, root, depth + 1)
        }),
        Json::Array(items) => {
            let below = schemas.iter().find_map(|schema| schema.get("items"));
            items.iter().fold(known, |known, item| member(known, "", item, below, root, depth + 1))
        }
        _ => known,
    }
}

/// A schema and all those that it is made of.
fn variants<'a>(schema: &'a Node, root: &'a Node, found: &mut Vec<&'a Node>) {
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        if found.len() >= MOST_STEPS {
            return;
        }
        found.push(schema);
        let referred = schema.text("$ref").and_then(|text| text.strip_prefix("#/$defs/"));
        open.extend(referred.and_then(|name| root.get("$defs")?.get(name)));
        for key in ["allOf", "anyOf", "oneOf"] {
            open.extend(schema.get(key).into_iter().flat_map(Node::items));
        }
    }
}

fn all_texts(known: Redactor, value: &Json, depth: usize) -> Redactor {
    match value {
        _ if depth > DEEPEST => known,
        Json::String(text) => known.with_secret(text),
        Json::Number(number) => known.with_secret(&number.to_string()),
        Json::Array(items) => items.iter().fold(known, |known, item| all_texts(known, item, depth + 1)),
        Json::Object(map) => map.values().fold(known, |known, item| all_texts(known, item, depth + 1)),
        _ => known,
    }
}
