//! What the mock answers: the status that is asked for, an example of the document, else data made from its schema.

use std::sync::{Arc, PoisonError};

use serde_json::json;

use super::check::{Incoming, essence, with_components};
use super::route::Route;
use super::sample;
use crate::document::{Node, Version, to_json};
use crate::wire::{Extent, synthesize_schema};

/// A response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) media_type: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// An RFC 9457 problem.
    pub(super) fn problem(status: u16, title: &str, detail: &str, errors: &[String]) -> Self {
        let mut problem = json!({"type": "about:blank", "title": title, "status": status});
        if let Some(map) = problem.as_object_mut() {
            if !detail.is_empty() {
                map.insert("detail".to_owned(), detail.into());
            }
            if !errors.is_empty() {
                map.insert("errors".to_owned(), errors.into());
            }
        }
        let media_type = "application/problem+json".to_owned();
        Self { status, media_type, body: problem.to_string().into_bytes() }
    }
}

/// What `Prefer` asks for (the names are those of other mocks): `code=404, example=name`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Preference {
    code: Option<u16>,
    example: Option<String>,
}

impl Preference {
    fn read(header: &str) -> Self {
        let mut found = Self::default();
        for pair in header.split([',', ';']) {
            match pair.split_once('=').map(|(key, value)| (key.trim(), value.trim().trim_matches('"'))) {
                Some(("code" | "status", value)) => {
                    found.code = value.parse().ok().filter(|code| (200..=599).contains(code));
                }
                Some(("example", value)) => found.example = Some(value.to_owned()),
                _ => {}
            }
        }
        found
    }
}

/// The answer to a request that fits.
pub(super) fn answer(route: &Route, request: &Incoming) -> Arc<Answer> {
    let prefer = request.header("prefer").unwrap_or_default();
    let accept = request.header("accept").unwrap_or_default();
    let key = format!("{prefer}\n{accept}");
    let mut answers = route.answers.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = answers.get(&key) {
        return known.clone();
    }
    let made = Arc::new(make(route, &Preference::read(prefer), accept));
    // Clients may ask in endless ways.
    if answers.len() < 64 {
        answers.insert(key, made.clone());
    }
    made
}

fn make(route: &Route, preference: &Preference, accept: &str) -> Answer {
    let (status, response) = choose(route, preference.code);
    let Some(response) = response else {
        return match status {
            200..=399 => Answer { status, ..Answer::default() },
            _ => Answer::problem(status, "An answer of the mock", "The document does not describe this status.", &[]),
        };
    };
    if matches!(status, 204 | 205 | 304) {
        return Answer { status, ..Answer::default() };
    }
    let swagger = route.version == Version::Swagger2;
    let (media_type, schema, node) = if swagger { swagger_content(route, response) } else { content(response, accept) };
    let Some(media_type) = media_type else { return Answer { status, ..Answer::default() } };
    let plain = essence(&media_type);
    // A range such as `image/*` is no type.
    let media_type = if media_type.contains('*') { "application/octet-stream".to_owned() } else { media_type };
    let is_json = plain.ends_with("/json") || plain.ends_with("+json") || plain == "*/*";
    let media_type = if plain == "*/*" { "application/json".to_owned() } else { media_type };
    let example = example(route, node, preference.example.as_deref(), swagger.then_some(plain.as_str()));
    let body = match example {
        Some(example) => written(example, is_json),
        None if is_json => json_body(route, status, schema),
        None => sample::of(&plain),
    };
    Answer { status, media_type, body }
}

/// The response that is meant, and its status.
fn choose(route: &Route, code: Option<u16>) -> (u16, Option<&Node>) {
    let responses = route.tool.operation.node.get("responses");
    let find =
        |key: &str| responses.and_then(|responses| responses.get(key)).and_then(|it| route.documents.follow(it).ok());
    if let Some(code) = code {
        let range = [format!("{}XX", code / 100), format!("{}xx", code / 100)];
        let found = find(&code.to_string()).or_else(|| range.iter().find_map(|key| find(key)));
        return (code, found.or_else(|| find("default")));
    }
    for member in responses.into_iter().flat_map(Node::members) {
        let status = match &*member.key {
            "2XX" | "2xx" => Some(200),
            key => key.parse::<u16>().ok().filter(|status| (200..300).contains(status)),
        };
        if let Some(status) = status {
            return (status, route.documents.follow(&member.value).ok());
        }
    }
    (200, find("default"))
}

type Content<'a> = (Option<String>, Option<&'a Node>, Option<&'a Node>);

/// Media type, its schema and its object: the first that the client accepts, else the first.
fn content<'a>(response: &'a Node, accept: &str) -> Content<'a> {
    let Some(content) = response.get("content") else { return (None, None, None) };
    let wanted: Vec<String> = accept.split(',').map(essence).collect();
    let accepted = wanted.iter().find_map(|wanted| content.members().find(|member| essence(&member.key) == *wanted));
    match accepted.or_else(|| content.members().next()) {
        Some(member) => (Some(member.key.to_string()), member.value.get("schema"), Some(&member.value)),
        None => (None, None, None),
    }
}

fn swagger_content<'a>(route: &'a Route, response: &'a Node) -> Content<'a> {
    let root = &route.documents.main.root;
    let schema = response.get("schema");
    let listed = route.tool.operation.node.get("produces").or_else(|| root.get("produces"));
    let produced = listed.and_then(|list| list.items().find_map(Node::as_str)).map(str::to_owned);
    let produced = produced.unwrap_or_else(|| "application/json".to_owned());
    (schema.is_some().then_some(produced), schema, Some(response))
}

fn example<'a>(
    route: &'a Route,
    node: Option<&'a Node>,
    name: Option<&str>,
    swagger: Option<&str>,
) -> Option<&'a Node> {
    let node = node?;
    if let Some(media_type) = swagger {
        return node.get("examples")?.get(media_type);
    }
    let examples = node.get("examples");
    let chosen = match name {
        Some(name) => examples.and_then(|examples| examples.get(name)),
        None => node.get("example").is_none().then(|| examples?.members().next().map(|member| &member.value)).flatten(),
    };
    match chosen {
        Some(chosen) => {
            let example = route.documents.follow(chosen).ok()?;
            example.get("dataValue").or_else(|| example.get("value"))
        }
        None => node.get("example"),
    }
}

fn written(example: &Node, is_json: bool) -> Vec<u8> {
    match example.as_str() {
        Some(text) if !is_json => text.as_bytes().to_vec(),
        _ => to_json(example, false).into_bytes(),
    }
}

fn json_body(route: &Route, status: u16, schema: Option<&Node>) -> Vec<u8> {
    let operation = &route.tool.operation;
    let (wanted, wrapped) = match (&operation.output_schema, (200..300).contains(&status)) {
        // It is that of the first successful response with JSON, translated and with all that it refers to.
        (Some(output), true) => (output.clone(), operation.messages.wrapped),
        _ => match schema {
            Some(schema) => (with_components(schema, &route.documents.main.root), false),
            None => return b"{}".to_vec(),
        },
    };
    let made = synthesize_schema(&wanted, Extent::All).into_iter().next().map(|instance| instance.value);
    let Some(made) = made else { return b"null".to_vec() };
    let body = if wrapped { made.get("result").unwrap_or(&made) } else { &made };
    to_json(body, false).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_are_read() {
        let cases = [
            ("code=404", (Some(404), None)),
            ("wait=1, code=503; example=\"late\"", (Some(503), Some("late"))),
            ("code=99", (None, None)),
            ("respond-async", (None, None)),
        ];
        for (text, (code, example)) in cases {
            let found = Preference::read(text);
            assert_eq!((found.code, found.example.as_deref()), (code, example), "{text}");
        }
    }
}
