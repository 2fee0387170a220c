//! A request held to the document.

use std::collections::HashSet;

use super::parameters::{check_address, check_headers, declared};
use super::route::{Captures, Route};
use crate::document::{Entry, Node, Version};
use crate::proxy::convert::from_json;
use crate::wire::Validator;

/// Schemas of documents with more bytes are not compiled for bodies.
const MOST_OF_DOCUMENT: usize = 2_000_000;

/// A request as it came.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Incoming {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Everything about a request that the document does not allow.
pub(super) fn check(route: &Route, captures: &Captures, request: &Incoming) -> Vec<String> {
    let mut problems = Vec::new();
    let parameters = declared(route);
    check_address(route, &parameters, captures, &request.query, &mut problems);
    check_headers(&parameters, &request.headers, &route.documents, &mut problems);
    if route.version == Version::Swagger2 {
        let required = parameters.iter().any(|it| (it.is_in("body") || it.is_in("formData")) && it.is_required());
        if required && request.body.is_empty() {
            problems.push("the document asks for a body and there is none".to_owned());
        }
        let fields = parameters.iter().filter(|it| it.is_in("formData") && it.is_required());
        let text = String::from_utf8_lossy(&request.body);
        let missing = fields.filter(|it| !text.contains(it.name()) && it.node().text("type") != Some("file"));
        problems.extend(missing.map(|it| format!("the required field `{}` is missing", it.name())));
    } else {
        check_body(route, request, &mut problems);
    }
    problems
}

fn check_body(route: &Route, request: &Incoming, problems: &mut Vec<String>) {
    let written = route.tool.operation.node.get("requestBody");
    let Some(body) = written.and_then(|body| route.documents.follow(body).ok()) else {
        if written.is_none() && !request.body.is_empty() {
            problems.push("the document has no body here".to_owned());
        }
        return;
    };
    if request.body.is_empty() {
        if body.get("required").and_then(Node::as_bool) == Some(true) {
            problems.push("the document asks for a body and there is none".to_owned());
        }
        return;
    }
    let Some(content) = body.get("content").filter(|content| content.as_map().is_some_and(|map| !map.is_empty()))
    else {
        return;
    };
    let sent = essence(request.header("content-type").unwrap_or_default());
    let declared = content.members().find(|member| covers(&essence(&member.key), &sent));
    let Some(declared) = declared else {
        let known: Vec<&str> = content.members().map(|member| &*member.key).collect();
        problems.push(format!("the body is `{sent}`, and the document has {}", known.join(", ")));
        return;
    };
    if sent.ends_with("/json") || sent.ends_with("+json") {
        check_json(route, &declared.value, &request.body, problems);
    } else if sent == "multipart/form-data" {
        check_multipart(request, problems);
    }
}

fn check_json(route: &Route, media_type: &Node, body: &[u8], problems: &mut Vec<String>) {
    let value: serde_json::Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => {
            problems.push(format!("the body is no JSON: {error}"));
            return;
        }
    };
    let Some(schema) = media_type.get("schema") else { return };
    let value = from_json(value);
    let compiled = route.body.get_or_init(|| compile(route, schema));
    match compiled {
        Some(validator) => {
            let read_only = read_only_names(&route.documents.main.root);
            let found = validator.check(&value).into_iter().filter(|problem| {
                let missing = problem.pointer.rsplit('/').next().unwrap_or_default();
                // What only responses have is not missing in a request; and a discriminator tells branches apart, of
                // which JSON Schema knows nothing.
                let is_missing = problem.rule == "required" && read_only.contains(missing);
                let is_discriminated = problem.rule == "oneOf" && problem.message.starts_with("fits several");
                !is_missing && !is_discriminated
            });
            problems.extend(found.map(|problem| format!("body {problem}")));
        }
        None => check_members(route, schema, &value, problems),
    }
}

/// The schema with all that it can refer to. Only those of 3.1 and later are JSON Schema as they stand.
fn compile(route: &Route, schema: &Node) -> Option<Validator> {
    let root = &route.documents.main.root;
    let is_json_schema = !matches!(route.version, Version::Swagger2 | Version::V3_0);
    let size = (root.origin.end - root.origin.start) as usize;
    if !is_json_schema || size > MOST_OF_DOCUMENT || route.documents.documents().count() > 1 {
        return None;
    }
    Some(Validator::new(&with_components(schema, root)))
}

/// A schema beside the components of its document, so that local references lead somewhere.
pub(super) fn with_components(schema: &Node, root: &Node) -> Node {
    let mut members: Vec<Entry> = schema.members().cloned().collect();
    let shared = ["components", "definitions"].iter().filter_map(|key| root.entry(key));
    members.extend(shared.filter(|entry| schema.get(&entry.key).is_none()).cloned());
    Node::map(members, schema.origin)
}

fn read_only_names(root: &Node) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        for member in node.members() {
            if member.value.get("readOnly").and_then(Node::as_bool) == Some(true) {
                names.insert(member.key.to_string());
            }
            open.push(&member.value);
        }
        open.extend(node.items());
    }
    names
}

/// Kind and required members only.
fn check_members(route: &Route, schema: &Node, value: &Node, problems: &mut Vec<String>) {
    let mut open = vec![schema];
    let mut seen = 0;
    while let Some(written) = open.pop() {
        seen += 1;
        let Ok(schema) = route.documents.follow(written) else { continue };
        if seen > 64 {
            return;
        }
        if schema.text("type") == Some("object") && value.as_map().is_none() {
            problems.push(format!("the body is {}, and the document asks for an object", value.kind()));
        }
        if schema.text("type") == Some("array") && value.as_list().is_none() {
            problems.push(format!("the body is {}, and the document asks for a list", value.kind()));
        }
        let read_only = |name: &str| {
            let property = schema.get("properties").and_then(|properties| properties.get(name));
            let property = property.and_then(|property| route.documents.follow(property).ok());
            property.and_then(|property| property.get("readOnly")).and_then(Node::as_bool) == Some(true)
        };
        for name in schema.get("required").into_iter().flat_map(Node::items).filter_map(Node::as_str) {
            if value.as_map().is_some() && value.get(name).is_none() && !read_only(name) {
                problems.push(format!("the required member `{name}` of the body is missing"));
            }
        }
        open.extend(schema.get("allOf").into_iter().flat_map(Node::items));
    }
}

fn check_multipart(request: &Incoming, problems: &mut Vec<String>) {
    let content_type = request.header("content-type").unwrap_or_default();
    let boundary = content_type.split("boundary=").nth(1).map(|rest| rest.split(';').next().unwrap_or(rest));
    let Some(boundary) = boundary.map(|text| text.trim().trim_matches('"')).filter(|text| !text.is_empty()) else {
        problems.push("the multipart body names no boundary".to_owned());
        return;
    };
    let end = format!("--{boundary}--");
    if !request.body.windows(end.len()).any(|window| window == end.as_bytes()) {
        problems.push("the multipart body has no end".to_owned());
    }
}

/// A media type without parameters.
pub(super) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn covers(declared: &str, sent: &str) -> bool {
    declared == sent
        || declared == "*/*"
        || declared.strip_suffix('*').is_some_and(|kind| kind.ends_with('/') && sent.starts_with(kind))
}
