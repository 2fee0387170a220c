//! What every derived schema promises, checked on its JSON by code that shares nothing with the derivation.

use std::collections::BTreeSet;

use serde_json::Value;

/// Keywords under which plain values stand.
const VALUES: &[&str] = &["default", "const", "enum", "examples", "required", "type"];
/// Keywords under which maps of schemas stand.
const MAPS: &[&str] = &["properties", "patternProperties", "$defs", "dependentSchemas"];
/// Keywords that a root may not have.
const ROOT: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "enum", "const"];

/// What is wrong with the schema of a tool's arguments or result: root, references, `required`, meta-schema.
pub fn problems(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    if schema["type"] != "object" {
        found.push(format!("the root is of type {}", schema["type"]));
    }
    for keyword in ROOT.iter().filter(|keyword| schema.get(**keyword).is_some()) {
        found.push(format!("the root has {keyword}"));
    }
    let mut used = BTreeSet::new();
    walk(schema, schema, &mut used, &mut found);
    for name in schema["$defs"].as_object().into_iter().flat_map(|defs| defs.keys()) {
        if !used.contains(name) {
            found.push(format!("$defs/{name} is never used"));
        }
    }
    if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
        found.push(format!("no valid JSON Schema 2020-12: {error:.120} at {}", error.instance_path()));
    }
    found
}

fn walk(schema: &Value, root: &Value, used: &mut BTreeSet<String>, found: &mut Vec<String>) {
    let Some(map) = schema.as_object() else { return };
    if let Some(reference) = map.get("$ref") {
        let text = reference.as_str().unwrap_or_default();
        let target = text.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        if target.is_none() {
            found.push(format!("dangling {text}"));
        }
        used.extend(text.strip_prefix("#/$defs/").map(str::to_owned));
    }
    if let Some(required) = map.get("required").and_then(Value::as_array) {
        let distinct: BTreeSet<&str> = required.iter().filter_map(Value::as_str).collect();
        if distinct.len() != required.len() {
            found.push(format!("required says a name twice: {required:?}"));
        }
    }
    for (keyword, value) in map {
        if VALUES.contains(&keyword.as_str()) {
            continue;
        }
        match value {
            Value::Object(members) if MAPS.contains(&keyword.as_str()) => {
                members.values().for_each(|member| walk(member, root, used, found));
            }
            Value::Object(_) => walk(value, root, used, found),
            Value::Array(items) => items.iter().for_each(|item| walk(item, root, used, found)),
            _ => {}
        }
    }
}
