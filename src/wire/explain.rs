//! Errors of the validator in the words of the person who gave the arguments.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value as Json;

use crate::document::pointer::{escape, unescape};

use super::nearest::nearest;
use super::problem::ArgumentProblem;

/// Choices within choices are followed this far.
const DEEPEST: usize = 16;
/// Values of an enumeration that a message names.
const NAMED: usize = 20;

/// Adds what an error says. Of a choice of schemas the branch that comes closest speaks.
pub(crate) fn explain(error: &ValidationError<'_>, out: &mut Vec<ArgumentProblem>) {
    explain_within(error, "", 0, out);
}

fn explain_within(error: &ValidationError<'_>, base: &str, depth: usize, out: &mut Vec<ArgumentProblem>) {
    let pointer = error.instance_path().as_str().to_owned();
    let pointer = if pointer.starts_with(base) { pointer } else { format!("{base}{pointer}") };
    let given = error.instance();
    let rule = error.kind().keyword().to_owned();
    let mut add = |pointer: String, message: String| out.push(problem(pointer, &rule, message));
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            add(format!("{pointer}/{}", escape(name)), format!("`{name}` is required and missing"));
        }
        Kind::Type { kind } => add(pointer, format!("must be {}, not {}", types(kind), shown(given))),
        Kind::Enum { options } => add(pointer, enumeration(options, given)),
        Kind::Constant { expected_value } => {
            add(pointer, format!("must be {}, not {}", short(expected_value), shown(given)));
        }
        Kind::Minimum { limit } => add(pointer, format!("must be at least {limit}, not {}", shown(given))),
        Kind::Maximum { limit } => add(pointer, format!("must be at most {limit}, not {}", shown(given))),
        Kind::ExclusiveMinimum { limit } => add(pointer, format!("must be more than {limit}, not {}", shown(given))),
        Kind::ExclusiveMaximum { limit } => add(pointer, format!("must be less than {limit}, not {}", shown(given))),
        Kind::MinLength { limit } => add(pointer, format!("must have at least {limit} characters: {}", shown(given))),
        Kind::MaxLength { limit } => add(pointer, format!("must have at most {limit} characters: {}", shown(given))),
        Kind::MinItems { limit } => add(pointer, format!("must have at least {limit} items")),
        Kind::MaxItems { limit } => add(pointer, format!("must have at most {limit} items")),
        Kind::Pattern { pattern } => add(pointer, format!("must match the pattern {pattern}: {}", shown(given))),
        Kind::Format { format } => add(pointer, format!("must be of the format {format}: {}", shown(given))),
        Kind::MultipleOf { multiple_of } => {
            add(pointer, format!("must be a multiple of {multiple_of}, not {}", shown(given)));
        }
        Kind::UniqueItems => add(pointer, "must not hold the same item twice".to_owned()),
        Kind::FalseSchema => add(pointer, "must not be given".to_owned()),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                add(format!("{pointer}/{}", escape(name)), format!("`{name}` is no member that is known here"));
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } if depth < DEEPEST => {
            choice(context, &pointer, &rule, given, depth, out);
        }
        Kind::OneOfMultipleValid { .. } => {
            add(pointer, "fits several of the choices and must fit exactly one; give what tells them apart".to_owned());
        }
        _ => add(pointer, error.to_string()),
    }
}

fn problem(pointer: String, rule: &str, message: String) -> ArgumentProblem {
    let first = pointer.strip_prefix('/').and_then(|rest| rest.split('/').next()).unwrap_or_default();
    ArgumentProblem { argument: unescape(first).into_owned(), rule: rule.to_owned(), message, pointer }
}

/// No branch of a choice fits. When all fail at the value itself by its type, the types are named together; else the
/// branch that is nearest to fitting says what it lacks.
fn choice(
    context: &[Vec<ValidationError<'static>>],
    pointer: &str,
    rule: &str,
    given: &Json,
    depth: usize,
    out: &mut Vec<ArgumentProblem>,
) {
    let at_root = |error: &ValidationError<'_>| {
        let path = error.instance_path().as_str();
        path.is_empty() || path == pointer
    };
    let type_at_root = |error: &ValidationError<'_>| match error.kind() {
        Kind::Type { kind } if at_root(error) => Some(types(kind)),
        _ => None,
    };
    let failed: Vec<Option<String>> = context.iter().map(|branch| branch.iter().find_map(type_at_root)).collect();
    if !failed.is_empty() && failed.iter().all(Option::is_some) {
        let mut names: Vec<String> = Vec::new();
        for name in failed.into_iter().flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        out.push(problem(pointer.to_owned(), rule, format!("must be {}, not {}", names.join(" or "), shown(given))));
        return;
    }
    // Another type, or another value of what tells the branches apart, is not what was meant.
    let tells = |error: &ValidationError<'_>| matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. });
    let score = |branch: &[ValidationError<'static>]| {
        (branch.iter().any(|error| type_at_root(error).is_some()), branch.iter().any(tells), branch.len())
    };
    let best = context.iter().enumerate().min_by_key(|(_, branch)| score(branch));
    let Some((at, branch)) = best else {
        out.push(problem(pointer.to_owned(), rule, "fits none of the choices".to_owned()));
        return;
    };
    let mut nested = Vec::new();
    for error in branch {
        explain_within(error, pointer, depth + 1, &mut nested);
    }
    for mut found in nested {
        if context.len() > 1 {
            found.message.push_str(&format!(" (choice {} of {}, the nearest)", at + 1, context.len()));
        }
        out.push(found);
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.as_str().to_owned(),
        TypeKind::Multiple(several) => several.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(" or "),
    }
}

fn enumeration(options: &Json, given: &Json) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let named: Vec<String> = options.iter().take(NAMED).map(short).collect();
    let more = if options.len() > NAMED { format!(" … ({} in all)", options.len()) } else { String::new() };
    let near = given.as_str().and_then(|given| nearest(given, options.iter().filter_map(Json::as_str)));
    let near = near.map(|near| format!("; `{near}` is close")).unwrap_or_default();
    format!("must be one of {}{more}, not {}{near}", named.join(", "), shown(given))
}

/// A value with its type, where the text alone would not show it.
fn shown(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(_) => format!("boolean {value}"),
        Json::Number(_) => format!("number {value}"),
        Json::String(_) => format!("string {}", short(value)),
        Json::Array(items) => match items.len() {
            0 => "an empty array".to_owned(),
            1 => "an array of one item".to_owned(),
            count => format!("an array of {count} items"),
        },
        Json::Object(members) => match members.len() {
            0 => "an empty object".to_owned(),
            1 => "an object of one member".to_owned(),
            count => format!("an object of {count} members"),
        },
    }
}

/// A value as messages give it.
pub(super) fn short(value: &Json) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}
