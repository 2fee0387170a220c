//! Where a body differs from the output schema, and what would mend the schema.

use crate::derive::Tool;
use crate::document::{Node, Value, jsonpath, pointer};

use super::json::member;
use super::problem::ArgumentProblem;
use super::response::{Drift, Remedy};
use super::validate::Validator;

/// References that are followed from one schema to another.
const MOST_REFS: usize = 32;

/// The differences, if there are any.
pub(crate) fn find(schema: &Node, value: &Node, compiled: Option<&Validator>) -> Option<Drift> {
    let own;
    let validator = match compiled {
        Some(compiled) => compiled,
        None => {
            own = Validator::new(schema);
            &own
        }
    };
    let problems = validator.check(value);
    if problems.is_empty() {
        return None;
    }
    let remedies = problems.iter().filter_map(|problem| remedy(schema, value, problem)).collect();
    Some(Drift { problems, remedies })
}

/// The document promises JSON and what came is none.
pub(crate) fn no_json(tool: &Tool) -> Option<Drift> {
    tool.operation.output_schema.as_ref()?;
    let message = "the document promises JSON, and the body is none; `x-mcp-response-format: text` takes it as it is";
    Some(Drift { problems: vec![ArgumentProblem::call("json", message)], remedies: Vec::new() })
}

fn remedy(root: &Node, value: &Node, problem: &ArgumentProblem) -> Option<Remedy> {
    let missing = problem.rule == "required";
    let extra = matches!(problem.rule.as_str(), "additionalProperties" | "unevaluatedProperties");
    let at = if missing || extra { problem.pointer.rsplit_once('/')?.0 } else { &problem.pointer };
    let (schema, node) = locate(root, at)?;
    let origin = node.origin;
    let made = |update: Node, remove: Option<String>, why: String| {
        let (problem, rule) = (problem.pointer.clone(), problem.rule.clone());
        Some(Remedy { problem, rule, schema: schema.clone(), origin: Some(origin), update, remove, why })
    };
    let done = |key: &str, changed: Node, why: String| made(Node::map(vec![member(key, changed)], origin), None, why);
    let last = problem.pointer.rsplit('/').next().map(pointer::unescape)?;
    match problem.rule.as_str() {
        "type" => {
            let given = pointer::resolve(value, &problem.pointer).ok()?;
            let kind = Node::string(json_type(given), origin);
            // An overlay's update appends to a list; what is one text now is told whole.
            let before = node.get("type").filter(|written| written.as_str().is_some());
            let kinds = before.into_iter().cloned().chain([kind]).collect();
            done("type", Node::list(kinds, origin), format!("allow {}", json_type(given)))
        }
        // An update can only add to a list.
        "required" if node.get("required").is_some() => {
            let remove = format!(".required[?@ == {}]", jsonpath::quoted(&last));
            made(Node::map(Vec::new(), origin), Some(remove), format!("do not require `{last}`"))
        }
        "enum" => {
            let given = pointer::resolve(value, &problem.pointer).ok()?;
            done("enum", Node::list(vec![given.clone()], origin), "add the value to the enumeration".to_owned())
        }
        "additionalProperties" => {
            let flag = Node::new(Value::Bool(true), origin);
            done("additionalProperties", flag, format!("allow members such as `{last}`"))
        }
        _ => None,
    }
}

fn json_type(node: &Node) -> &'static str {
    match node.as_number() {
        Some(number) if number.as_i128().is_some() => "integer",
        _ => node.kind(),
    }
}

/// The schema that describes what a pointer leads to, as far as `properties`, `items` and references say.
fn locate<'n>(root: &'n Node, instance: &str) -> Option<(String, &'n Node)> {
    let mut at = String::new();
    let mut node = root;
    for token in instance.split('/').skip(1) {
        (at, node) = follow(root, at, node)?;
        let name = pointer::unescape(token);
        let steps: Vec<&str> = match node.get("properties").and_then(|properties| properties.get(&name)) {
            Some(_) => vec!["properties", token],
            None if node.get("items").is_some() && name.parse::<usize>().is_ok() => vec!["items"],
            None if node.get("additionalProperties").is_some_and(|it| it.as_map().is_some()) => {
                vec!["additionalProperties"]
            }
            None => return None,
        };
        for step in steps {
            node = node.get(&pointer::unescape(step))?;
            at = format!("{at}/{step}");
        }
    }
    follow(root, at, node)
}

fn follow<'n>(root: &'n Node, at: String, node: &'n Node) -> Option<(String, &'n Node)> {
    let (mut at, mut node) = (at, node);
    for _ in 0..MOST_REFS {
        let Some(reference) = node.text("$ref") else { return Some((at, node)) };
        at = reference.strip_prefix('#')?.to_owned();
        node = pointer::resolve(root, &at).ok()?;
    }
    None
}
