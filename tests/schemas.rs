//! Schemas of every version of OpenAPI keep their promises; see `corpus.rs` for the same over real documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::program::program;
use support::schema;

fn list(args: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/versions");
    let output = program(&folder).arg("list").args(args).args(["--format", "json"]).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn tools(list: &Value) -> Vec<&Value> {
    ["tools", "hidden"].iter().flat_map(|part| list[part].as_array().unwrap()).collect()
}

#[test]
fn every_schema_is_valid_and_whole() {
    let cases: [(&[&str], usize); 5] = [
        (&["swagger-2.0.yaml"], 3),
        (&["openapi-3.0.json"], 2),
        (&["openapi-3.1.yaml"], 3),
        (&["openapi-3.2.yaml"], 2),
        (&["--demo"], 23),
    ];
    for (args, expected) in cases {
        let list = list(args);
        let tools = tools(&list);
        assert_eq!(tools.len(), expected, "{args:?}");
        for tool in tools {
            for key in ["inputSchema", "outputSchema"] {
                if !tool[key].is_null() {
                    assert_eq!(schema::problems(&tool[key]), Vec::<String>::new(), "{args:?} {} {key}", tool["name"]);
                    assert!(jsonschema::draft202012::new(&tool[key]).is_ok());
                }
            }
        }
    }
}

/// The InputSchema as a validator sees it: what it takes and what it refuses.
#[test]
fn the_input_schema_takes_what_the_document_allows() {
    let cases = [
        ("swagger-2.0.yaml", "listBooks", json!({"tags": ["a"], "ids": [1], "page": 2}), true),
        ("swagger-2.0.yaml", "listBooks", json!({"page": 0}), false),
        ("swagger-2.0.yaml", "addBook", json!({"title": null, "sequels": [{"title": "b"}]}), true),
        ("swagger-2.0.yaml", "addBook", json!({"sequels": [{"title": 1}], "title": "a"}), false),
        ("swagger-2.0.yaml", "addBook", json!({}), false),
        ("swagger-2.0.yaml", "setCover", json!({"id": "1", "file": {"base64": "eA=="}}), true),
        ("swagger-2.0.yaml", "setCover", json!({"id": "1", "file": "x"}), false),
        ("swagger-2.0.yaml", "setCover", json!({"id": "1"}), false),
        ("openapi-3.0.json", "get_forecast_place", json!({"place": ["a"], "box": [1, 2, 3, 4]}), true),
        ("openapi-3.0.json", "get_forecast_place", json!({"place": ["a"], "box": [1]}), false),
        ("openapi-3.0.json", "alerts_create", json!({"level": 1, "note": null}), true),
        ("openapi-3.0.json", "alerts_create", json!({"level": 0}), false),
        ("openapi-3.1.yaml", "plantTree", json!({"name": "oak", "kin": {"elm": {"name": "elm"}}}), true),
        ("openapi-3.1.yaml", "plantTree", json!({"name": "oak", "kin": {"ELM": {"name": "elm"}}}), false),
        ("openapi-3.1.yaml", "plantTree", json!({"name": "oak", "height": 0}), false),
        ("openapi-3.1.yaml", "searchTrees", json!({"body": [{"name": "a"}, "any"]}), true),
        ("openapi-3.1.yaml", "searchTrees", json!({"body": ["other"]}), false),
        ("openapi-3.2.yaml", "queryDocuments", json!({"words": ["a"]}), true),
        ("openapi-3.2.yaml", "copyDocuments", json!({"whole": {}, "session": "s"}), true),
    ];
    for (document, name, arguments, expected) in cases {
        let list = list(&[document]);
        let tools = tools(&list);
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{document} has no {name}"));
        let validator = jsonschema::draft202012::new(&tool["inputSchema"]).unwrap();
        assert_eq!(validator.is_valid(&arguments), expected, "{name} {arguments}: {}", tool["inputSchema"]);
    }
}

/// What a test that cannot fail would not notice: the checker itself finds broken schemas.
#[test]
fn the_checker_finds_what_is_broken() {
    let cases = [
        (json!({"type": "array"}), "the root is of type"),
        (json!({"type": "object", "anyOf": []}), "the root has anyOf"),
        (json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}), "dangling"),
        (json!({"type": "object", "required": ["a", "a"]}), "required says a name twice"),
        (json!({"type": "object", "$defs": {"A": {}}}), "is never used"),
        (json!({"type": "object", "properties": {"a": {"minLength": -1}}}), "no valid JSON Schema"),
    ];
    for (schema, expected) in cases {
        let problems = schema::problems(&schema);
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{schema}: {problems:?}");
    }
}
