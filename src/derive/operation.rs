//! One operation becomes one tool without a name.

use std::sync::Arc;

use crate::document::{Entry, FileId, Finding, Node, Version, swagger2};

use super::argument::{self, Argument};
use super::build::{entry, strings};
use super::context::{Context, Dependencies};
use super::extensions::Extensions;
use super::model::{Annotations, Messages, Operation};
use super::operations::Found;
use super::parameters::List;
use super::report::{Path, Report};
use super::schema::Translation;
use super::settings::ArgumentNames;
use super::{body, describe, file, output, parameters};

/// What an operation takes and gives: everything but what is said about it.
struct Shape {
    input_schema: Node,
    output_schema: Option<Node>,
    binding: Vec<super::model::Binding>,
    messages: Messages,
    depends: Arc<[(FileId, Arc<str>)]>,
}

/// Does a member of an operation only say something about it? Such a member has no part in its [`Shape`].
pub(crate) fn only_tells(member: &str) -> bool {
    matches!(member, "summary" | "description" | "operationId" | "tags" | "deprecated" | "externalDocs")
        || member.starts_with("x-")
}

/// Derives an operation. Whatever is wrong with it is in its findings and losses.
///
/// `earlier` is the same operation in an earlier catalog, when what it takes and gives has not changed since.
pub(crate) fn derive<'a>(context: &mut Context<'a>, found: &Found<'a>, earlier: Option<&Operation>) -> Operation {
    let mut report = Report::default();
    let pointer = found.pointer.to_string();
    let path = Path::new(&pointer);
    let shape = match earlier {
        Some(earlier) => {
            report.losses = earlier.losses.clone();
            Shape {
                input_schema: earlier.input_schema.clone(),
                output_schema: earlier.output_schema.clone(),
                binding: earlier.binding.clone(),
                messages: earlier.messages.clone(),
                depends: earlier.depends.clone(),
            }
        }
        None => shape(context, found, &path, &mut report),
    };
    let node = found.operation;
    let description = describe::describe(node, &path, context.rules, &mut report);
    let extensions = Extensions::read(node, &found.pointer, &mut report);
    let title = node.text("summary").map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    Operation {
        method: found.method.clone(),
        path: found.path.clone(),
        operation_id: text_of(node, "operationId"),
        operation_id_place: node.get("operationId").map(|node| path.key("operationId").place(node)),
        name_override: extensions.name,
        name_override_place: node.get("x-mcp-tool-name").map(|node| path.key("x-mcp-tool-name").place(node)),
        place: path.at(found.key_origin),
        node: node.clone(),
        tags: node.get("tags").into_iter().flat_map(Node::items).filter_map(Node::as_str).map(Into::into).collect(),
        annotations: annotations(&found.method, extensions.safe, title.clone()),
        title,
        description: description.text,
        description_truncated: description.truncated,
        input_schema: shape.input_schema,
        output_schema: shape.output_schema,
        binding: shape.binding,
        messages: shape.messages,
        losses: report.losses,
        findings: report.findings,
        degraded: report.degraded,
        disabled: extensions.disabled,
        safe: extensions.safe,
        mcp: extensions.mcp,
        kind: found.kind,
        item: found.item.clone(),
        depends: shape.depends,
    }
}

fn shape<'a>(context: &mut Context<'a>, found: &Found<'a>, path: &Path<'_>, report: &mut Report) -> Shape {
    let mut depends = Dependencies::new();
    depends.extend(found.depends.iter().cloned());
    let place = path.at(found.key_origin);
    if let Some(why) = &found.broken {
        report.degrade("broken-ref", place.clone(), why.clone());
    }
    context.turn_to(found.operation);
    let converted =
        (context.version == Version::Swagger2).then(|| swagger2::operation(context.set, found.item, found.operation));
    let (node, item_parameters) = match &converted {
        Some(converted) => {
            converted.findings_or_losses.iter().for_each(|finding| take_over(finding, path, found.operation, report));
            (&converted.operation, None)
        }
        None => (found.operation, found.item.get("parameters")),
    };
    let lists = [
        List { node: item_parameters, pointer: found.item_pointer.key("parameters").to_string() },
        List { node: node.get("parameters"), pointer: found.pointer.key("parameters").to_string() },
    ];
    let mut arguments = parameters::read(context, &lists, &found.path, &place, &mut depends, report);
    let mut messages = Messages::default();
    if let Some(written) = node.get("requestBody") {
        let pointer = found.pointer.key("requestBody").to_string();
        arguments.extend(body::read(context, written, &pointer, &mut messages.body, &mut depends, report));
    }
    argument::settle_names(&mut arguments);
    if context.arguments == ArgumentNames::Legal {
        argument::make_legal(&mut arguments);
    }
    let (input_schema, binding) = input(context, &arguments, node, &mut depends, report);
    messages.accept = output::media_types(context, node, &mut depends);
    let output_schema = output::read(context, node, path, &mut messages.wrapped, &mut depends, report);
    Shape { input_schema, output_schema, binding, messages, depends: depends.into_iter().collect() }
}

/// What a conversion noticed is a loss of the tool, and degrades it when it is an error.
fn take_over(finding: &Finding, path: &Path<'_>, operation: &Node, report: &mut Report) {
    // A conversion knows the bytes, not the pointer.
    let origin = finding.place.as_ref().map_or(operation.origin, |place| place.origin);
    let place = path.at(origin);
    match finding.severity {
        crate::document::Severity::Error => report.degrade(finding.code, place, finding.message.clone()),
        _ => report.lose(finding.code, place, finding.message.clone()),
    }
}

fn text_of(node: &Node, key: &str) -> Option<Arc<str>> {
    node.text(key).filter(|text| !text.is_empty()).map(Into::into)
}

/// The InputSchema, and the binding in the order of its properties.
fn input(
    context: &mut Context<'_>,
    arguments: &[Argument<'_>],
    operation: &Node,
    depends: &mut Dependencies,
    report: &mut Report,
) -> (Node, Vec<super::model::Binding>) {
    let origin = operation.origin;
    let mut translation = Translation::new(&mut context.requests);
    translation.plan(arguments.iter().flat_map(|argument| argument.schemas.iter().copied()));
    let mut properties = Vec::new();
    for argument in arguments {
        let mut value = argument.schema(&mut translation, report);
        if argument.takes_files() {
            value = file::file_schema(value);
        }
        if argument.is_text() {
            value = argument.text_schema(value);
        }
        properties.push(Entry { key: argument.name.clone(), key_origin: argument.place.origin, value });
    }
    depends.extend(translation.dependencies());
    let definitions = translation.finish(report);
    let required = arguments.iter().filter(|argument| argument.required).map(|argument| argument.name.clone());
    let mut members = vec![
        entry("type", Node::string("object", origin)),
        entry("properties", Node::map(properties, origin)),
        entry("required", strings(required, origin)),
    ];
    members.extend(definitions.map(|definitions| entry("$defs", definitions)));
    (Node::map(members, origin), arguments.iter().map(Argument::binding).collect())
}

fn annotations(method: &str, safe: bool, title: Option<String>) -> Annotations {
    let reads = matches!(method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "QUERY");
    Annotations {
        title,
        read_only_hint: reads || safe,
        destructive_hint: !reads && !safe,
        idempotent_hint: reads || matches!(method, "PUT" | "DELETE"),
        open_world_hint: true,
    }
}
