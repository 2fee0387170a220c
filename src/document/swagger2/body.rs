//! `in: body` and `in: formData` to a request body.

use std::collections::HashSet;

use super::super::Node;
use super::build::{Context, Members, flag, is_media_type, media_types};
use super::parameter::{Given, schema, style};

const MULTIPART: &str = "multipart/form-data";
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// The request body that these parameters make; `None` without any.
pub(super) fn request_body<'a>(context: &mut Context<'a>, bodies: &[&Given<'a>], operation: &'a Node) -> Option<Node> {
    let (whole, fields): (Vec<&Given<'a>>, Vec<&Given<'a>>) =
        bodies.iter().copied().partition(|given| given.place == "body");
    let Some(body) = whole.iter().find(|body| body.own).or(whole.first()) else {
        return (!fields.is_empty()).then(|| form(context, &fields, operation));
    };
    if whole.len() > 1 {
        let message = format!("there are {} body parameters; `{}` is taken", whole.len(), body.name);
        context.warn("several-bodies", body.node, message, "keep one body parameter: a request has one body");
    }
    if let Some(field) = fields.first() {
        let message = format!("form fields (`{}`) beside a body are left out", field.name);
        context.warn("several-bodies", field.node, message, "use either a body or form fields");
    }
    Some(json_like(context, body.node, operation))
}

/// A body parameter: its schema under each media type that the operation consumes.
fn json_like<'a>(context: &mut Context<'a>, parameter: &'a Node, operation: &'a Node) -> Node {
    let schema = parameter.entry("schema");
    if schema.is_none() {
        let message = "a body parameter has no `schema`; its content may be anything".to_owned();
        context.warn("body-without-schema", parameter, message, "write its `schema`");
    }
    let media_type = |origin| {
        let mut media = Members::default();
        if let Some(schema) = schema {
            media.keep(schema);
        }
        media.node(origin)
    };
    let types = media_types(context, "consumes", operation);
    let mut content = Members::default();
    for consumed in &types {
        content.put(consumed.as_str().unwrap_or_default(), media_type(consumed.origin));
    }
    if types.is_empty() {
        content.put("application/json", media_type(parameter.origin));
    }
    let mut out = Members::default();
    for entry in parameter.members() {
        match &*entry.key {
            "description" | "required" => out.keep(entry),
            key if key.starts_with("x-") => out.keep(entry),
            _ => {}
        }
    }
    out.put("content", content.node(parameter.origin));
    out.node(parameter.origin)
}

/// Form fields: one object schema whose properties they are.
fn form<'a>(context: &mut Context<'a>, fields: &[&Given<'a>], operation: &'a Node) -> Node {
    let Some(first) = fields.first() else { return Node::map(Vec::new(), operation.origin) };
    let origin = first.node.origin;
    let mut properties = Members::default();
    let mut encodings = Members::default();
    let mut required = Vec::new();
    let mut named = HashSet::new();
    for field in fields {
        let what = format!("the form field `{}`", field.name);
        if properties.has(field.name) {
            let message = format!("{what} is there twice; the last one counts");
            context.warn("duplicate-form-field", field.node, message, "remove or rename one of them");
        }
        properties.put(field.name, property(context, field, &what));
        if let Some((style, explode)) = style(context, field.node, "formData", &what) {
            let mut encoding = Members::default();
            encoding.put("style", style);
            encoding.put("explode", explode);
            encodings.put(field.name, encoding.node(field.node.origin));
        }
        let name = field.node.get("name").unwrap_or(field.node);
        let is_required = field.node.get("required").and_then(Node::as_bool) == Some(true);
        if is_required && named.insert(field.name) {
            required.push(name.clone());
        }
    }
    let mut schema = Members::default();
    schema.put("type", Node::string("object", origin));
    schema.put("properties", properties.node(origin));
    let needed = !required.is_empty();
    if needed {
        schema.put("required", Node::list(required, origin));
    }
    let mut media = Members::default();
    media.put("schema", schema.node(origin));
    if !encodings.is_empty() {
        media.put("encoding", encodings.node(origin));
    }
    let media_type = form_type(context, fields, operation);
    let mut content = Members::default();
    content.put(media_type.as_str().unwrap_or(URLENCODED), media.node(media_type.origin));
    let mut out = Members::default();
    out.put("content", content.node(origin));
    if needed {
        out.put("required", flag(true, origin));
    }
    out.node(origin)
}

fn property(context: &mut Context<'_>, field: &Given<'_>, what: &str) -> Node {
    let schema = schema(context, field.node, what);
    let mut out = Members::default();
    for entry in schema.members() {
        out.keep(entry);
    }
    for entry in field.node.members() {
        match &*entry.key {
            "description" | "title" | "example" | "deprecated" | "readOnly" => out.keep(entry),
            "x-example" if field.node.get("example").is_none() => out.keep_as("example", entry),
            "x-deprecated" if field.node.get("deprecated").is_none() => out.keep_as("deprecated", entry),
            key if key.starts_with("x-") => out.keep(entry),
            _ => {}
        }
    }
    out.node(field.node.origin)
}

/// `multipart/form-data` when it is consumed or a file is among the fields, else URL-encoded.
fn form_type<'a>(context: &mut Context<'a>, fields: &[&Given<'a>], operation: &'a Node) -> Node {
    let types = media_types(context, "consumes", operation);
    if let Some(consumed) = types.iter().find(|node| is_media_type(node, MULTIPART)) {
        return Node::string(MULTIPART, consumed.origin);
    }
    if let Some(file) = fields.iter().find(|field| field.is_file()) {
        if !types.is_empty() {
            let message = format!("the form field `{}` is a file, and `consumes` has no {MULTIPART}", file.name);
            context.warn("file-without-multipart", file.node, message, "add multipart/form-data to `consumes`");
        }
        return Node::string(MULTIPART, file.node.origin);
    }
    let consumed = types.iter().find(|node| is_media_type(node, URLENCODED)).or(types.first());
    let origin = consumed.map(|node| node.origin).or(fields.first().map(|field| field.node.origin));
    Node::string(URLENCODED, origin.unwrap_or(operation.origin))
}
