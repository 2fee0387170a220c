//! Arguments against the InputSchema, everything that is wrong at once.

use serde_json::Value as Json;

use crate::derive::Tool;
use crate::document::{MASK, Node, Value};

use super::explain;
use super::json::to_value;
use super::nearest::nearest;
use super::problem::ArgumentProblem;
use super::redact::Redactor;

/// Keywords that are left out of a schema at most, because they do not compile.
const MOST_SKIPPED: usize = 64;

/// A compiled schema (JSON Schema 2020-12). Nothing is ever fetched.
pub struct Validator {
    compiled: Option<jsonschema::Validator>,
    skipped: Vec<String>,
}

impl std::fmt::Debug for Validator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Validator").field("skipped", &self.skipped).finish_non_exhaustive()
    }
}

impl Validator {
    /// Compiles a schema. What does not compile (a pattern that is no regular expression, say) is left out and named in
    /// [`Validator::skipped`]; it must not keep everything else from being checked. `format` is an annotation only
    /// (JSON Schema 2020-12 section 7.2.1).
    pub fn new(schema: &Node) -> Self {
        Self::compile(to_value(schema), false)
    }

    /// The same, with formats checked.
    pub(crate) fn strict(schema: &Node) -> Self {
        Self::compile(to_value(schema), true)
    }

    fn compile(mut schema: Json, formats: bool) -> Self {
        let mut skipped = Vec::new();
        loop {
            let options = jsonschema::draft202012::options().offline().should_validate_formats(formats);
            let error = match options.build(&schema) {
                Ok(compiled) => return Self { compiled: Some(compiled), skipped },
                Err(error) => error,
            };
            let pointer = error.instance_path().as_str().to_owned();
            skipped.push(format!("{pointer}: {error}"));
            if skipped.len() >= MOST_SKIPPED || !remove(&mut schema, &pointer) {
                return Self { compiled: None, skipped };
            }
        }
    }

    /// What could not be compiled and is not checked: JSON pointer into the schema and the reason.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Everything that is wrong with a value; the first step of each pointer is taken as the argument.
    pub fn check(&self, value: &Node) -> Vec<ArgumentProblem> {
        let Some(compiled) = &self.compiled else { return Vec::new() };
        let value = to_value(value);
        let mut problems = Vec::new();
        for error in compiled.iter_errors(&value) {
            explain::explain(&error, &mut problems);
        }
        problems
    }

    /// The same with the tool's arguments: those that it does not know are named too, with the nearest one it does.
    pub fn arguments(&self, tool: &Tool, arguments: &Node) -> Vec<ArgumentProblem> {
        let names = || tool.operation.binding.iter().map(|row| &*row.argument);
        let mut problems = Vec::new();
        for given in arguments.members().filter(|given| !names().any(|name| *name == *given.key)) {
            let mut message = format!("the tool has no argument `{}`", given.key);
            match nearest(&given.key, names()) {
                Some(near) => message.push_str(&format!("; `{near}` is close")),
                None if names().next().is_none() => message.push_str("; it takes none"),
                None => {
                    let known: Vec<String> = names().take(12).map(|name| format!("`{name}`")).collect();
                    let more = if names().count() > 12 { ", …" } else { "" };
                    message.push_str(&format!("; it has {}{more}", known.join(", ")));
                }
            }
            problems.push(ArgumentProblem::of(&given.key, "unknown-argument", message));
        }
        match arguments.value {
            Value::Null => problems.extend(self.check(&Node::map(Vec::new(), arguments.origin))),
            _ => problems.extend(self.check(arguments)),
        }
        if !problems.is_empty() {
            without_secrets(tool, &to_value(arguments), &mut problems);
        }
        problems
    }
}

/// What is said of an argument that is a secret does not repeat it, not even in part.
fn without_secrets(tool: &Tool, arguments: &Json, problems: &mut [ArgumentProblem]) {
    let known = Redactor::default().with_arguments(tool, arguments);
    for problem in problems {
        let Some(value) = arguments.pointer(&problem.pointer) else { continue };
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if known.meets(&text) {
            for form in [value.to_string(), explain::short(value)] {
                problem.message = problem.message.replace(&form, MASK);
            }
        }
    }
}

/// Arguments against the tool's InputSchema. Compiles the schema each time; keep a [`Validator`] for many calls.
pub fn validate(tool: &Tool, arguments: &Node) -> Vec<ArgumentProblem> {
    Validator::new(&tool.operation.input_schema).arguments(tool, arguments)
}

/// Removes what a pointer leads to.
fn remove(schema: &mut Json, pointer: &str) -> bool {
    let Some((parent, last)) = pointer.rsplit_once('/') else { return false };
    let last = crate::document::pointer::unescape(last);
    match schema.pointer_mut(parent) {
        Some(Json::Object(map)) => map.shift_remove(&*last).is_some(),
        Some(Json::Array(items)) => match last.parse::<usize>() {
            // The places of the others stay; `true` allows everything.
            Ok(at) => items.get_mut(at).map(|item| *item = Json::Bool(true)).is_some(),
            Err(_) => false,
        },
        _ => false,
    }
}
