//! Rules on a tool's name, description and operation.

use crate::derive::{DescriptionRules, DescriptionSource, ParameterIn, Style, Tool};
use crate::document::{Place, pointer};

use super::rule::{Check, Kind};
use super::target::TargetChoice;

/// What a rule has against a tool: in words, and the place to edit.
#[derive(Debug)]
pub(super) struct ToolBreach {
    pub(super) what: String,
    pub(super) place: Place,
}

/// Checks one rule; `None` when it holds. `exposed` is the name that the model sees.
pub(super) fn breach(
    check: &Check,
    choice: &TargetChoice,
    tool: &Tool,
    exposed: &str,
    rules: &DescriptionRules,
) -> Option<ToolBreach> {
    let operation = &*tool.operation;
    let of_name = |what: String| Some(ToolBreach { what, place: tool.name_place().clone() });
    let of_text = |what: String| Some(ToolBreach { what, place: description_place(tool, rules) });
    let of_operation = |what: String| Some(ToolBreach { what, place: operation.place.clone() });
    match check {
        Check::NamePattern(pattern) if !pattern.regex.is_match(exposed) => {
            of_name(format!("the name `{exposed}` is not of the form `{}`", pattern.text))
        }
        Check::Limit(kind, max) => {
            let (found, what) = measured(*kind, choice, tool, exposed)?;
            if found <= *max {
                return None;
            }
            let what = format!("{what}, {} more than {max}", found - max);
            let named = matches!(kind, Kind::NameLength | Kind::OwnNameLength | Kind::CombinedLength);
            if named { of_name(what) } else { of_text(what) }
        }
        Check::Plain(Kind::DescriptionPresent) if operation.description.trim().is_empty() => {
            of_text("the tool has no description".to_owned())
        }
        Check::Plain(Kind::OperationId) if operation.operation_id.is_none() => {
            of_operation("the operation has no operationId".to_owned())
        }
        Check::Words(Kind::ParametersNotIn, words) => {
            let found = operation.binding.iter().find(|row| words.iter().any(|word| word == row.location.word()))?;
            let place = found.location.word();
            of_operation(format!("the argument `{}` is a {place} parameter", found.argument))
        }
        Check::Plain(Kind::DefaultStyles) => {
            let found = operation.binding.iter().find(|row| !is_default(row.location, row.style, row.explode))?;
            of_operation(format!("the parameter of the argument `{}` has a style of its own", found.argument))
        }
        Check::Plain(Kind::JsonBodies) => {
            let body = operation.binding.iter().filter(|row| row.location == ParameterIn::Body);
            let found = body.filter_map(|row| row.media_type.as_deref()).find(|media| !is_json(media))?;
            of_operation(format!("the body is sent as `{found}`"))
        }
        Check::Plain(Kind::OutputObject) => {
            let output = operation.told_output()?;
            let what = "the root of the output schema has no `type: object`".to_owned();
            if output.text("type") == Some("object") { None } else { of_operation(what) }
        }
        _ => None,
    }
}

fn measured(kind: Kind, choice: &TargetChoice, tool: &Tool, exposed: &str) -> Option<(usize, String)> {
    let description = &tool.operation.description;
    Some(match kind {
        Kind::NameLength => {
            let found = exposed.chars().count();
            (found, format!("the name `{exposed}` has {found} characters"))
        }
        Kind::OwnNameLength => {
            let name = &tool.named.name;
            let found = name.chars().count();
            (found, format!("the tool's own name `{name}` has {found} characters"))
        }
        Kind::CombinedLength => {
            let name = &tool.named.name;
            let Some(server) = choice.server_name.as_deref() else {
                let found = name.chars().count();
                return Some((found, format!("the name `{name}` has {found} characters without the server's name")));
            };
            let server = choice.target.client().server(server);
            let found = server.chars().count() + name.chars().count();
            (found, format!("the names `{server}` of the server and `{name}` of the tool have {found} characters"))
        }
        Kind::DescriptionLength => {
            let found = description.chars().count();
            (found, format!("the description has {found} characters"))
        }
        Kind::DescriptionBytes => (description.len(), format!("the description has {} bytes", description.len())),
        _ => return None,
    })
}

/// As OpenAPI 3.1 section 4.8.12.2 has it when a parameter says nothing.
fn is_default(location: ParameterIn, style: Option<Style>, explode: Option<bool>) -> bool {
    let Some(style) = style else { return true };
    match location {
        ParameterIn::Path | ParameterIn::Header => style == Style::Simple && explode != Some(true),
        ParameterIn::Query | ParameterIn::Cookie => style == Style::Form && explode != Some(false),
        ParameterIn::QueryString | ParameterIn::Body => true,
    }
}

fn is_json(media: &str) -> bool {
    let essence = media.split(';').next().unwrap_or(media).trim().to_ascii_lowercase();
    essence == "application/json" || essence.ends_with("+json")
}

/// The member of the operation that the description was made from, else the operation.
fn description_place(tool: &Tool, rules: &DescriptionRules) -> Place {
    let operation = &*tool.operation;
    let order = match rules.source {
        DescriptionSource::Summary => ["summary", "description"],
        DescriptionSource::Description | DescriptionSource::Both => ["description", "summary"],
    };
    let entry = order.iter().find_map(|key| operation.node.entry(key));
    entry.map_or_else(
        || operation.place.clone(),
        |entry| {
            let pointer = format!("{}/{}", operation.place.pointer, pointer::escape(&entry.key));
            Place { origin: entry.key_origin, pointer: pointer.into() }
        },
    )
}
