//! Responses and their headers.

use super::super::{Entry, Node};
use super::build::{Context, Members, binary, media_types};
use super::parameter::{schema, style};

/// The responses object of an operation.
pub(super) fn responses<'a>(context: &mut Context<'a>, responses: &'a Node, operation: &'a Node) -> Node {
    if responses.as_map().is_none() {
        let message = format!("`responses` is {}, not an object", responses.kind());
        context.error("bad-responses", responses, message, "write a map from status codes to responses");
        return Node::map(Vec::new(), responses.origin);
    }
    let produces = media_types(context, "produces", operation);
    let mut out = Members::default();
    for entry in responses.members() {
        if entry.key.starts_with("x-") {
            out.keep(entry);
        } else if let Some(node) = context.follow(&entry.value) {
            let response = response(context, node, &produces, &entry.key);
            out.change(entry, response);
        }
    }
    out.node(responses.origin)
}

fn response(context: &mut Context<'_>, node: &Node, produces: &[&Node], code: &str) -> Node {
    if node.as_map().is_none() {
        let message = format!("the response `{code}` is {}, not an object", node.kind());
        context.error("bad-response", node, message, "write a response with a `description`");
        let mut out = Members::default();
        out.put("description", Node::string("", node.origin));
        return out.node(node.origin);
    }
    let mut out = Members::default();
    for entry in node.members() {
        match &*entry.key {
            "schema" | "examples" => {}
            "headers" => {
                let headers = headers(context, &entry.value);
                out.change(entry, headers);
            }
            _ => out.keep(entry),
        }
    }
    if !out.has("description") {
        out.put("description", Node::string("", node.origin));
    }
    let content = content(node, produces);
    if !content.is_empty() {
        out.put("content", content.node(node.origin));
    }
    out.node(node.origin)
}

/// The schema under each media type that is produced, and the examples under theirs.
fn content(node: &Node, produces: &[&Node]) -> Members {
    let mut content = Members::default();
    let examples = node.get("examples");
    let schema = node.entry("schema");
    let file = schema.filter(|entry| entry.value.text("type") == Some("file"));
    let media_type = |name: &str, origin| {
        let mut media = Members::default();
        match (schema, file) {
            (_, Some(entry)) => media.change(entry, binary(entry.value.origin)),
            (Some(entry), None) => media.keep(entry),
            (None, None) => {}
        }
        if let Some(example) = examples.and_then(|examples| examples.entry(name)) {
            media.put("example", example.value.clone());
        }
        media.node(origin)
    };
    if let Some(schema) = schema {
        for produced in produces {
            let name = produced.as_str().unwrap_or_default();
            content.put(name, media_type(name, produced.origin));
        }
        if produces.is_empty() {
            let name = if file.is_some() { "application/octet-stream" } else { "application/json" };
            content.put(name, media_type(name, schema.value.origin));
        }
    }
    // Examples may show media types that `produces` does not name.
    for Entry { key, value, .. } in examples.into_iter().flat_map(Node::members) {
        if !content.has(key) && (key.contains('/') || schema.is_none()) {
            content.put(key.clone(), media_type(key, value.origin));
        }
    }
    content
}

fn headers(context: &mut Context<'_>, headers: &Node) -> Node {
    let mut out = Members::default();
    for entry in headers.members() {
        let node = &entry.value;
        if node.as_map().is_none() {
            let message = format!("the header `{}` is {}, not an object", entry.key, node.kind());
            context.warn("bad-header", node, message, "write a header with a `type`");
            continue;
        }
        let what = format!("the header `{}`", entry.key);
        let mut header = Members::default();
        for member in node.members() {
            if &*member.key == "description" || member.key.starts_with("x-") && &*member.key != "x-nullable" {
                header.keep(member);
            }
        }
        header.put("schema", schema(context, node, &what));
        if let Some((style, explode)) = style(context, node, "header", &what) {
            header.put("style", style);
            header.put("explode", explode);
        }
        out.change(entry, header.node(node.origin));
    }
    out.node(headers.origin)
}
