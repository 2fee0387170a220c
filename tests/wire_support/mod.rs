//! Small documents as catalogs, and a reader of requests that is written from the rules of OpenAPI and shares nothing
//! with the encoder.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::sync::Arc;

use base64::Engine;
use percent_encoding::percent_decode_str;
use toolscope::derive::{Binding, Catalog, ParameterIn, Settings, Style, Tool, UpstreamInput, catalog};
use toolscope::document::{DocumentSet, Node, SourceFile, Sources, Value, parse, to_json};
use toolscope::naming::Profile;
use toolscope::wire::HttpRequest;

/// The catalog of one document under the default profile.
pub fn derived(name: &str, text: &str) -> Result<Catalog, String> {
    let mut sources = Sources::default();
    let file = sources.put(SourceFile::new(name, text));
    let document = parse(file, name, text).map_err(|error| error.to_string())?;
    let input = UpstreamInput {
        name: "api".to_owned(),
        prefix: None,
        base_url: None,
        documents: Arc::new(DocumentSet::single(document)),
        touches: Vec::new(),
        findings: Vec::new(),
    };
    Ok(catalog(&[input], &Settings::new(Profile::builtin("default").unwrap()), Arc::new(sources), None))
}

/// A value in JSON.
pub fn json(text: &str) -> Node {
    parse(toolscope::document::FileId(9), "value.json", text).unwrap_or_else(|error| panic!("{error}: {text}")).root
}

/// What a reader finds where a style was used.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    Nothing,
    Text(String),
    List(Vec<String>),
    Pairs(Vec<(String, String)>),
}

/// What it should find.
pub fn expected(value: &Node) -> Found {
    let text = |node: &Node| node.as_str().map_or_else(|| to_json(node, false), str::to_owned);
    match &value.value {
        Value::Null => Found::Nothing,
        Value::List(items) if items.is_empty() => Found::Nothing,
        Value::List(items) => Found::List(items.iter().map(text).collect()),
        Value::Map(map) => {
            let given = map.iter().filter(|member| !matches!(member.value.value, Value::Null));
            let pairs: Vec<_> = given.map(|member| (member.key.to_string(), text(&member.value))).collect();
            if pairs.is_empty() { Found::Nothing } else { Found::Pairs(pairs) }
        }
        _ => Found::Text(text(value)),
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().expect("a value is UTF-8").into_owned()
}

fn plain(text: &str) -> String {
    text.to_owned()
}

fn alternating(items: Vec<String>) -> Vec<(String, String)> {
    items.chunks(2).map(|pair| (pair[0].clone(), pair.get(1).cloned().unwrap_or_default())).collect()
}

/// The text of a placeholder or a header, read as the kind of value that was sent.
pub fn read_text(
    raw: &str,
    name: &str,
    style: Style,
    explode: bool,
    like: &Found,
    decode: fn(&str) -> String,
) -> Found {
    let assigned = |item: &str| match item.split_once('=') {
        Some((key, value)) => (decode(key), decode(value)),
        None => (decode(item), String::new()),
    };
    match style {
        Style::Label => {
            let rest = raw.strip_prefix('.').expect("a label starts with a full stop");
            let split = |separator: char| rest.split(separator).map(decode).collect::<Vec<_>>();
            match like {
                Found::List(_) => Found::List(split(if explode { '.' } else { ',' })),
                Found::Pairs(_) if explode => Found::Pairs(rest.split('.').map(assigned).collect()),
                Found::Pairs(_) => Found::Pairs(alternating(split(','))),
                _ => Found::Text(decode(rest)),
            }
        }
        Style::Matrix => {
            let parts = raw.split(';').skip(1).map(|part| match part.split_once('=') {
                Some((key, value)) => (decode(key), value.to_owned()),
                None => (decode(part), String::new()),
            });
            let parts = parts.collect::<Vec<(String, String)>>();
            let own = || {
                assert_eq!(parts.len(), 1, "{raw}");
                assert_eq!(parts[0].0, name, "{raw}");
                parts[0].1.as_str()
            };
            match like {
                Found::List(_) if explode => {
                    assert!(parts.iter().all(|(key, _)| key == name), "{raw}");
                    Found::List(parts.iter().map(|(_, value)| decode(value)).collect())
                }
                Found::Pairs(_) if explode => {
                    Found::Pairs(parts.iter().map(|(key, value)| (key.clone(), decode(value))).collect())
                }
                Found::List(_) => Found::List(own().split(',').map(decode).collect()),
                Found::Pairs(_) => Found::Pairs(alternating(own().split(',').map(decode).collect())),
                _ => Found::Text(decode(own())),
            }
        }
        _ => match like {
            Found::List(_) => Found::List(raw.split(',').map(decode).collect()),
            Found::Pairs(_) if explode => Found::Pairs(raw.split(',').map(assigned).collect()),
            Found::Pairs(_) => Found::Pairs(alternating(raw.split(',').map(decode).collect())),
            _ => Found::Text(decode(raw)),
        },
    }
}

/// Names (decoded) and values (as sent) of a query, a form or a cookie header.
pub fn raw_pairs(text: &str, separator: &str) -> Vec<(String, String)> {
    let pairs = text.split(separator).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| match pair.split_once('=') {
            Some((name, value)) => (decoded(name), value.to_owned()),
            None => (String::new(), pair.to_owned()),
        })
        .collect()
}

/// A parameter out of pairs.
pub fn read_pairs(
    pairs: &[(String, String)],
    name: &str,
    style: Style,
    explode: bool,
    like: &Found,
    decode: fn(&str) -> String,
) -> Found {
    let own: Vec<&str> = pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect();
    let separator = match style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        Style::TabDelimited => "%09",
        _ => ",",
    };
    match like {
        Found::Nothing if own.is_empty() => Found::Nothing,
        Found::Nothing => Found::Text(own.join("&")),
        Found::Text(_) => own.first().map_or(Found::Nothing, |value| Found::Text(decode(value))),
        Found::List(_) if explode => Found::List(own.iter().map(|value| decode(value)).collect()),
        Found::List(_) => {
            own.first().map_or(Found::Nothing, |value| Found::List(value.split(separator).map(decode).collect()))
        }
        Found::Pairs(wanted) if explode => {
            // The name of the parameter is not on the wire; its members are.
            let members = wanted.iter().filter_map(|(key, _)| {
                let (_, value) = pairs.iter().find(|(other, _)| other == key)?;
                Some((key.clone(), decode(value)))
            });
            Found::Pairs(members.collect())
        }
        Found::Pairs(_) => own
            .first()
            .map_or(Found::Nothing, |value| Found::Pairs(alternating(value.split(separator).map(decode).collect()))),
    }
}

/// Leaves of a value as a `deepObject` names them.
fn leaves(name: &str, value: &Node, out: &mut Vec<(String, String)>) {
    match &value.value {
        Value::Map(map) => map.iter().for_each(|member| leaves(&format!("{name}[{}]", member.key), &member.value, out)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(at, item)| leaves(&format!("{name}[{at}]"), item, out));
        }
        Value::Null => {}
        Value::String(text) => out.push((name.to_owned(), text.to_string())),
        _ => out.push((name.to_owned(), to_json(value, false))),
    }
}

/// The raw texts of the placeholders, by matching the path against its template. `None` when a template cannot be read
/// back (two placeholders side by side).
pub fn placeholders(template: &str, path: &str) -> Option<Vec<(String, String)>> {
    let template = template.split('#').next().unwrap();
    let mut pattern = String::from("^");
    let mut names = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        if before.is_empty() && !names.is_empty() {
            return None;
        }
        pattern.push_str(&regex::escape(before));
        pattern.push_str("([^/?]+)");
        names.push(name.to_owned());
        rest = after;
    }
    pattern.push_str(&regex::escape(rest));
    pattern.push('$');
    let found = regex::Regex::new(&pattern).unwrap().captures(path)?;
    Some(names.into_iter().zip(found.iter().skip(1).map(|text| text.unwrap().as_str().to_owned())).collect())
}

/// Reads a request back and compares every argument. The error starts with its kind and a colon.
pub fn check(tool: &Tool, arguments: &Node, base: &str, request: &HttpRequest) -> Result<(), String> {
    let rest = request.url.strip_prefix(base).ok_or(format!("base: {} does not start with {base}", request.url))?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let query = raw_pairs(query, "&");
    let cookies = raw_pairs(request.header("cookie").unwrap_or_default(), "; ");
    let template = &tool.operation.path;
    let readable = template.matches('{').count() == template.matches('}').count() && !template.contains('?');
    let filled = if readable { placeholders(template, path) } else { None };
    for given in arguments.members() {
        let rows: Vec<&Binding> = tool.operation.binding.iter().filter(|row| *row.argument == *given.key).collect();
        let [row] = rows[..] else { return Err(format!("binding: {} has {} rows", given.key, rows.len())) };
        let like = expected(&given.value);
        let name = row.wire_name.as_deref().unwrap_or_default();
        let explode = row.explode.unwrap_or_default();
        let found = match row.location {
            ParameterIn::Body => continue,
            ParameterIn::Path => {
                let Some(filled) = &filled else { continue };
                let mut raws = filled.iter().filter(|(key, _)| key == name).map(|(_, raw)| raw);
                let raw = raws.next().ok_or(format!("path: {name} is not in {path}"))?;
                if raws.any(|other| other != raw) {
                    return Err(format!("path: {name} differs from place to place in {path}"));
                }
                match row.style {
                    Some(style) => read_text(raw, name, style, explode, &like, decoded),
                    None => content(&decoded(raw), &like, &given.value),
                }
            }
            ParameterIn::Header => {
                let raw = request.header(name);
                match (raw, row.style) {
                    (None, _) => Found::Nothing,
                    (Some(raw), Some(_)) => read_text(raw, name, Style::Simple, explode, &like, plain),
                    (Some(raw), None) => content(raw, &like, &given.value),
                }
            }
            ParameterIn::QueryString => continue,
            ParameterIn::Query | ParameterIn::Cookie => {
                let pairs = if row.location == ParameterIn::Query { &query } else { &cookies };
                match row.style {
                    Some(Style::DeepObject) => {
                        let mut wanted = Vec::new();
                        leaves(name, &given.value, &mut wanted);
                        let has = |(key, value): &(String, String)| {
                            pairs.iter().any(|(other, raw)| other == key && decoded(raw) == *value)
                        };
                        if wanted.iter().all(has) { like.clone() } else { Found::Nothing }
                    }
                    Some(Style::Cookie) => read_pairs(pairs, name, Style::Form, explode, &like, plain),
                    Some(style) => read_pairs(pairs, name, style, explode, &like, decoded),
                    None => match pairs.iter().find(|(key, _)| key == name) {
                        Some((_, raw)) => content(&decoded(raw), &like, &given.value),
                        None => Found::Nothing,
                    },
                }
            }
        };
        if found != like {
            return Err(format!("{:?} {:?}: {name}: {found:?}, not {like:?}", row.location, row.style));
        }
    }
    body(tool, arguments, request)
}

/// A `content` parameter: JSON of the same value.
fn content(text: &str, like: &Found, value: &Node) -> Found {
    let same = text == to_json(value, false) || value.as_str() == Some(text);
    if same { like.clone() } else { Found::Text(text.to_owned()) }
}

fn body(tool: &Tool, arguments: &Node, request: &HttpRequest) -> Result<(), String> {
    let rows = tool.operation.binding.iter().filter(|row| row.location == ParameterIn::Body);
    let given: Vec<(&Binding, &Node)> = rows.filter_map(|row| Some((row, arguments.get(&row.argument)?))).collect();
    let Some(body) = &request.body else {
        return if given.is_empty() { Ok(()) } else { Err("body: nothing was sent".to_owned()) };
    };
    let declared = &tool.operation.messages.body.as_ref().unwrap().media_type;
    let essence = declared.split(';').next().unwrap().trim().to_ascii_lowercase();
    let sent = request.header("content-type").ok_or("content-type: none")?;
    if sent.split(';').next().unwrap().trim().to_ascii_lowercase() != essence {
        return Err(format!("content-type: {sent}, not {declared}"));
    }
    let is_json = essence.contains("json");
    if is_json {
        let text = std::str::from_utf8(&body.bytes).map_err(|error| format!("body-json: {error}"))?;
        let root = json(text);
        let members = given.iter().filter(|(row, _)| row.wire_name.is_some()).count();
        if members > 0 && root.members().count() != members {
            return Err(format!("body-json: {} members, not {members}", root.members().count()));
        }
        for (row, value) in given {
            let found = row.wire_name.as_deref().map_or(Some(&root), |name| root.get(name));
            if found != Some(value) {
                return Err(format!("body-json: {} is {found:?}", row.argument));
            }
        }
    } else if essence == "application/x-www-form-urlencoded" {
        form(&given, std::str::from_utf8(&body.bytes).unwrap())?;
    } else if essence.starts_with("multipart/") {
        multipart(&given, sent, &body.bytes)?;
    } else if let [(_, value)] = given[..] {
        let text = value.as_str().map_or_else(|| to_json(value, false), str::to_owned);
        let decoded = base64::engine::general_purpose::STANDARD.decode(&text).unwrap_or_default();
        if body.bytes != text.as_bytes() && body.bytes != decoded {
            return Err(format!("body-text: {essence}"));
        }
    }
    Ok(())
}

fn unplussed(text: &str) -> String {
    decoded(&text.replace('+', " "))
}

fn form(given: &[(&Binding, &Node)], text: &str) -> Result<(), String> {
    let pairs: Vec<(String, String)> = text
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            (unplussed(name), value.to_owned())
        })
        .collect();
    for (row, value) in given {
        let Some(name) = row.wire_name.as_deref() else {
            let each: Vec<_> = value.members().collect();
            if each.iter().any(|member| !pairs.iter().any(|(key, _)| *key == *member.key)) && value.as_str().is_none() {
                return Err(format!("body-form: whole {text}"));
            }
            continue;
        };
        let like = expected(value);
        let found = match row.style {
            Some(Style::DeepObject) => {
                let mut wanted = Vec::new();
                leaves(name, value, &mut wanted);
                let has = |(key, value): &(String, String)| {
                    pairs.iter().any(|(other, raw)| other == key && unplussed(raw) == *value)
                };
                if wanted.iter().all(has) { like.clone() } else { Found::Nothing }
            }
            Some(style) => read_pairs(&pairs, name, style, row.explode.unwrap_or(true), &like, unplussed),
            None if value.as_map().is_some() || row.content_type.is_some() => {
                match pairs.iter().find(|(key, _)| key == name) {
                    Some((_, raw)) => content(&unplussed(raw), &like, value),
                    None => Found::Nothing,
                }
            }
            None => read_pairs(&pairs, name, Style::Form, true, &like, unplussed),
        };
        if found != like {
            return Err(format!("body-form {:?}: {name}: {found:?}, not {like:?}", row.style));
        }
    }
    Ok(())
}

fn multipart(given: &[(&Binding, &Node)], media_type: &str, bytes: &[u8]) -> Result<(), String> {
    let boundary = media_type.split_once("boundary=").ok_or("multipart: no boundary")?.1;
    let text = String::from_utf8_lossy(bytes);
    let inner = text.strip_suffix(&format!("--{boundary}--\r\n")).ok_or("multipart: no end")?;
    let mut parts: Vec<(String, String)> = Vec::new();
    for part in inner.split(&format!("--{boundary}\r\n")).skip(1) {
        let (head, content) = part.split_once("\r\n\r\n").ok_or("multipart: no head")?;
        let name = head.split_once("name=\"").ok_or("multipart: no name")?.1.split_once('"').unwrap().0;
        parts.push((
            name.replace("%22", "\""),
            content.strip_suffix("\r\n").ok_or("multipart: no line end")?.to_owned(),
        ));
    }
    for (row, value) in given {
        let Some(name) = row.wire_name.as_deref() else { continue };
        let items: Vec<&Node> = match value.as_list() {
            Some(items) if !row.content_type.as_deref().is_some_and(|it| it.contains("json")) => items.iter().collect(),
            _ => vec![value],
        };
        let wanted: Vec<String> = items
            .iter()
            .map(|item| match item.get("base64").and_then(Node::as_str) {
                Some(text) => {
                    let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
                    String::from_utf8_lossy(&bytes).into_owned()
                }
                None => item.as_str().map_or_else(|| to_json(item, false), str::to_owned),
            })
            .collect();
        let found: Vec<String> = parts.iter().filter(|(key, _)| key == name).map(|(_, text)| text.clone()).collect();
        if found != wanted {
            return Err(format!("multipart: {name}: {found:?}, not {wanted:?}"));
        }
    }
    Ok(())
}
