//! Cases made from the document: one for every tool that changes nothing.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::expect::Expect;
use super::suite::{Arguments, Case, Role, Suite};
use crate::derive::{Catalog, ParameterIn, Tool};
use crate::document::{Node, pointer};
use crate::wire::{self, Extent};

/// The name of the suite of generated cases.
pub const GENERATED: &str = "generated";

/// References that are followed to the schema of an argument.
const MOST_REFS: usize = 16;

/// One case for each exposed tool that changes nothing, in catalog order. `guesses`: whoever answers takes any value in a
/// path, as a mock does; else a tool whose path needs a value that nothing names is skipped with that reason.
pub fn suite(catalog: &Catalog, guesses: bool) -> Suite {
    let folder: Arc<Path> = Path::new("").into();
    let mut cases: Vec<(Role, Arc<Case>)> = Vec::new();
    for tool in catalog.tools.iter().filter(|tool| tool.operation.annotations.read_only_hint) {
        let name = &tool.named.name;
        let first = catalog.find(name).is_none_or(|first| Arc::ptr_eq(first, tool));
        let operation = format!("{} {}", tool.operation.method, tool.operation.path);
        let skip = if !first {
            Some(format!("its name leads to another tool; {operation} cannot be called"))
        } else if guesses {
            None
        } else {
            unknown_path(tool)
        };
        let case = Case {
            name: if first { name.clone() } else { format!("{name} ({operation})") },
            tool: name.clone(),
            arguments: Arguments::Generated,
            folder: folder.clone(),
            environment: None,
            write: false,
            skip,
            expect: Expect::default(),
            captures: Vec::new(),
            at: String::new(),
        };
        cases.push((Role::Case, Arc::new(case)));
    }
    Suite { name: GENERATED.into(), environment: None, cases }
}

/// Arguments for a tool: what it requires, from examples and defaults, else made up.
///
/// # Errors
/// In words, why there are none that fit.
pub fn arguments(tool: &Tool) -> Result<Map<String, Json>, String> {
    let made = wire::synthesize(tool, Extent::Required).into_iter().next();
    let made = made.ok_or_else(|| "no arguments can be made".to_owned())?;
    if let Some(problem) = made.problems.first() {
        return Err(format!("no arguments can be made that fit: {problem}"));
    }
    match wire::to_value(&made.value) {
        Json::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}

/// Why the path cannot be made: an argument in it that has no example, no default and no list of values.
fn unknown_path(tool: &Tool) -> Option<String> {
    let schema = &tool.operation.input_schema;
    let in_path = tool.operation.binding.iter().filter(|row| row.location == ParameterIn::Path);
    let known = |argument: &str| {
        let property = schema.get("properties").and_then(|properties| properties.get(argument));
        property.is_some_and(|property| is_known(schema, property))
    };
    let unknown: Vec<String> =
        in_path.filter(|row| !known(&row.argument)).map(|row| format!("`{}`", row.argument)).collect();
    if unknown.is_empty() {
        return None;
    }
    let (what, it) = if unknown.len() == 1 { ("a value", "it an") } else { ("values", "each an") };
    Some(format!(
        "{} in the path cannot be guessed: nothing names {what} that the API knows; give {it} `example`, or write a case",
        unknown.join(", ")
    ))
}

fn is_known(root: &Node, schema: &Node) -> bool {
    let mut node = schema;
    for _ in 0..MOST_REFS {
        let named = ["examples", "default", "const", "enum"].iter().any(|key| match node.get(key) {
            Some(value) => value.as_list().is_none_or(|items| !items.is_empty()),
            None => false,
        });
        if named || node.text("type") == Some("boolean") {
            return true;
        }
        let Some(reference) = node.text("$ref").and_then(|reference| reference.strip_prefix('#')) else { return false };
        let Ok(next) = pointer::resolve(root, reference) else { return false };
        node = next;
    }
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;
    use crate::session::testing;

    const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: A, version: '1'}
paths:
  /list: {get: {operationId: list, parameters: [{name: q, in: query, required: true, schema: {type: string, example: blue}}]}}
  /a/{id}: {get: {operationId: byId, parameters: [{name: id, in: path, required: true, schema: {type: integer}}]}}
  /b/{id}: {get: {operationId: withExample, parameters: [{name: id, in: path, required: true, example: 7, schema: {type: integer}}]}}
  /c/{kind}/{id}: {get: {operationId: two, parameters: [{name: kind, in: path, required: true, schema: {type: string}}, {name: id, in: path, required: true, schema: {type: string}}]}}
  /d/{kind}: {get: {operationId: ofEnum, parameters: [{name: kind, in: path, required: true, schema: {enum: [x, y]}}]}}
  /e: {post: {operationId: write}, put: {operationId: marked, x-mcp-safe: true}}
";

    #[test]
    fn safe_tools_have_a_case_and_paths_are_not_guessed() {
        let (_, snapshot) = testing::load(DOCUMENT);
        let real = suite(&snapshot.catalog, false);
        let found: Vec<(&str, Option<&str>)> =
            real.cases.iter().map(|(_, case)| (case.name.as_str(), case.skip.as_deref())).collect();
        let one = "`id` in the path cannot be guessed: nothing names a value that the API knows; give it an `example`, or write a case";
        let two = "`kind`, `id` in the path cannot be guessed: nothing names values that the API knows; give each an `example`, or write a case";
        let expected = [
            ("list", None),
            ("byId", Some(one)),
            ("withExample", None),
            ("two", Some(two)),
            ("ofEnum", None),
            ("marked", None),
        ];
        assert_eq!(found, expected);
        let mock = suite(&snapshot.catalog, true);
        assert!(mock.cases.iter().all(|(_, case)| case.skip.is_none()));
    }

    #[test]
    fn examples_come_first() {
        let (_, snapshot) = testing::load(DOCUMENT);
        let made = |name: &str| Json::Object(arguments(snapshot.catalog.find(name).unwrap()).unwrap());
        assert_eq!(made("list"), serde_json::json!({"q": "blue"}));
        assert_eq!(made("withExample"), serde_json::json!({"id": 7}));
        assert_eq!(made("ofEnum"), serde_json::json!({"kind": "x"}));
    }
}
