//! Finding an argument of a tool in the document, and changing it.

use super::draft::{Draft, entry, nowhere, text};
use super::plan::IntentError;
use crate::document::jsonpath::{Query, quoted, readable};
use crate::document::{Entry, Map, Node, Pointer, Step, Value, pointer};

/// Longest chain of references that is followed.
const MOST_REFERENCES: usize = 16;
/// Deepest nesting of `allOf` that is searched.
const DEEPEST: usize = 8;

/// An argument by where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// `path`, `query`, `header`, `cookie` or `body`.
    pub location: String,
    /// Its name there.
    pub name: String,
}

/// What is to become of an argument.
pub(super) enum Wanted<'a> {
    Required(bool),
    Default(&'a Node),
    Description(&'a Node),
}

/// The actions for one operation, and remarks.
pub(super) fn drafts(
    root: &Node,
    operation: &Pointer,
    argument: &Argument,
    wanted: &Wanted<'_>,
) -> Result<(Vec<Draft>, Vec<String>), IntentError> {
    if argument.location == "body" {
        return body(root, operation, argument, wanted);
    }
    let found = parameter(root, operation, argument).ok_or_else(|| unknown(argument))?;
    if let (Wanted::Required(false), "path") = (wanted, argument.location.as_str()) {
        return Err(IntentError::new(
            format!("`{}` is part of the path and cannot be left out", argument.name),
            "give it a default instead",
        ));
    }
    let changes = parameter_change(root, found.node, wanted);
    if changes.iter().all(|change| found.node.get(&change.key) == Some(&change.value)) {
        return Err(IntentError::nothing());
    }
    if let Some(own) = &found.own {
        let target = named(root, own, found.node);
        return Ok((merge(&target, found.node, changes), Vec::new()));
    }
    // A parameter that others use too: the operation gets one of its own, which wins over that of the path item.
    let mut copy = found.node.clone();
    overwrite(&mut copy, &changes);
    let list = Node::list(vec![copy], nowhere());
    let mut drafts = Vec::new();
    if let Some(reference) = &found.reference {
        drafts.push(Draft::remove(&by_reference(root, reference)));
    }
    drafts.push(Draft::update(&readable(operation), Node::map(vec![entry("parameters", list)], nowhere())));
    let remark = format!("`{}` is shared with other operations; this one gets a copy of its own", argument.name);
    Ok((drafts, vec![remark]))
}

fn unknown(argument: &Argument) -> IntentError {
    IntentError::new(
        format!("the operation has no argument `{}` in {}", argument.name, argument.location),
        "`toolscope explain TOOL` names its arguments and where they go",
    )
}

struct Found<'a> {
    node: &'a Node,
    /// Where it stands, when it is the operation's own.
    own: Option<Pointer>,
    /// The operation's reference to it.
    reference: Option<Pointer>,
}

fn parameter<'a>(root: &'a Node, operation: &Pointer, argument: &Argument) -> Option<Found<'a>> {
    let item = Pointer(operation.0.split_last()?.1.to_vec());
    let is_it = |node: &Node| {
        node.text("name") == Some(argument.name.as_str()) && node.text("in") == Some(argument.location.as_str())
    };
    for (above, own) in [(operation, true), (&item, false)] {
        let list = above.key("parameters");
        for (at, written) in list.find(root).into_iter().flat_map(Node::items).enumerate() {
            let Some((node, way)) = follow(root, written) else { continue };
            if is_it(node) {
                let place = own.then(|| list.index(at));
                return Some(match way {
                    None => Found { node, own: place, reference: None },
                    Some(_) => Found { node, own: None, reference: place },
                });
            }
        }
    }
    None
}

/// The node behind local references, and where it stands when there were any.
fn follow<'a>(root: &'a Node, node: &'a Node) -> Option<(&'a Node, Option<Pointer>)> {
    let (mut node, mut way) = (node, None);
    for _ in 0..MOST_REFERENCES {
        let Some(reference) = node.text("$ref") else { return Some((node, way)) };
        let tokens = reference.strip_prefix("#/")?;
        let decoded = percent_encoding::percent_decode_str(tokens).decode_utf8().ok()?;
        let steps = decoded.split('/').map(|token| Step::Key(pointer::unescape(token).into()));
        let target = Pointer(steps.collect());
        node = target.find(root)?;
        way = Some(target);
    }
    None
}

/// The members that change, nested as they are in the parameter.
fn parameter_change(root: &Node, parameter: &Node, wanted: &Wanted<'_>) -> Vec<Entry> {
    match wanted {
        Wanted::Required(required) => vec![entry("required", Node::new(Value::Bool(*required), nowhere()))],
        Wanted::Description(text) => vec![entry("description", (*text).clone())],
        Wanted::Default(value) => {
            let default = entry("default", (*value).clone());
            if root.get("swagger").is_some() {
                return vec![default];
            }
            let media = parameter.get("content").and_then(|content| content.members().next());
            let schema = entry("schema", Node::map(vec![default], nowhere()));
            match media {
                Some(media) => {
                    let media = entry(&media.key, Node::map(vec![schema], nowhere()));
                    vec![entry("content", Node::map(vec![media], nowhere()))]
                }
                None => vec![schema],
            }
        }
    }
}

/// `parameters[?@.name == 'limit' && @.in == 'query']` where that names the one, else its index.
fn named(root: &Node, own: &Pointer, node: &Node) -> String {
    let by_index = readable(own);
    let (Some((_, list)), Some(name), Some(location)) = (own.0.split_last(), node.text("name"), node.text("in")) else {
        return by_index;
    };
    let list = readable(&Pointer(list.to_vec()));
    let short = format!("{list}[?@.name == {}]", quoted(name));
    let long = format!("{list}[?@.name == {} && @.in == {}]", quoted(name), quoted(location));
    [short, long].into_iter().find(|text| names_only(root, text, own)).unwrap_or(by_index)
}

/// `parameters[?@['$ref'] == '#/components/parameters/Limit']` where that names the one, else its index.
fn by_reference(root: &Node, own: &Pointer) -> String {
    let written = own.find(root).and_then(|node| node.text("$ref"));
    let (Some((_, list)), Some(written)) = (own.0.split_last(), written) else {
        return readable(own);
    };
    let text = format!("{}[?@['$ref'] == {}]", readable(&Pointer(list.to_vec())), quoted(written));
    if names_only(root, &text, own) { text } else { readable(own) }
}

/// Does the query match this one node and nothing else?
fn names_only(root: &Node, text: &str, pointer: &Pointer) -> bool {
    Query::parse(text).is_ok_and(|query| query.locate(root).as_slice() == std::slice::from_ref(pointer))
}

/// The members as an update of what the target names, with a removal first where a merge would not replace.
pub(super) fn merge(target: &str, old: &Node, members: Vec<Entry>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for member in &members {
        if let Some(before) = old.get(&member.key) {
            stale(&child(target, &member.key), before, &member.value, &mut drafts);
        }
    }
    drafts.push(Draft::update(target, Node::map(members, nowhere())));
    drafts
}

/// Removals of what would be merged with the new value instead of giving way to it.
fn stale(target: &str, before: &Node, after: &Node, drafts: &mut Vec<Draft>) {
    match (&before.value, &after.value) {
        (Value::Map(_), Value::Map(members)) if !target.ends_with(".default") => {
            for member in members.iter() {
                if let Some(before) = before.get(&member.key) {
                    stale(&child(target, &member.key), before, &member.value, drafts);
                }
            }
        }
        (Value::List(_) | Value::Map(_), _) | (_, Value::List(_) | Value::Map(_)) if before != after => {
            drafts.push(Draft::remove(target));
        }
        _ => {}
    }
}

fn child(target: &str, key: &str) -> String {
    let below = readable(&Pointer::default().key(key));
    format!("{target}{}", below.strip_prefix('$').unwrap_or(&below))
}

/// Sets the members in the node, maps within maps merged, everything else replaced.
fn overwrite(node: &mut Node, members: &[Entry]) {
    let Some(map) = node.map_mut() else { return };
    for member in members {
        match map.get_mut(&member.key) {
            Some(old) if old.as_map().is_some() && member.value.as_map().is_some() && &*member.key != "default" => {
                let inner: Vec<Entry> = member.value.members().cloned().collect();
                overwrite(old, &inner);
            }
            _ => drop(map.insert(member.clone())),
        }
    }
}

/// A member of the request body: its schema is changed, in every media type that has it.
fn body(
    root: &Node,
    operation: &Pointer,
    argument: &Argument,
    wanted: &Wanted<'_>,
) -> Result<(Vec<Draft>, Vec<String>), IntentError> {
    let mut schemas: Vec<Pointer> = Vec::new();
    let mut shared: Vec<String> = Vec::new();
    for start in body_schemas(root, operation) {
        if let Some(holder) = holder(root, start, &argument.name, DEEPEST) {
            if !holder.starts_with(operation) {
                shared.push(format!("`{}` is shared: every operation that uses it changes", readable(&holder)));
            }
            if !schemas.contains(&holder) {
                schemas.push(holder);
            }
        }
    }
    if schemas.is_empty() {
        return Err(unknown(argument));
    }
    let mut drafts = Vec::new();
    for schema in schemas {
        let Some(node) = schema.find(root) else { continue };
        match wanted {
            Wanted::Default(value) | Wanted::Description(value) => {
                let key = if matches!(wanted, Wanted::Default(_)) { "default" } else { "description" };
                let property = schema.key("properties").key(argument.name.as_str());
                let Some((old, way)) = property.find(root).and_then(|node| follow(root, node)) else { continue };
                if old.get(key) == Some(*value) {
                    continue;
                }
                let target = way.unwrap_or(property);
                drafts.extend(merge(&readable(&target), old, vec![entry(key, (*value).clone())]));
            }
            Wanted::Required(required) => drafts.extend(require(&schema, node, &argument.name, *required)),
        }
    }
    shared.dedup();
    if drafts.is_empty() {
        return Err(IntentError::nothing());
    }
    Ok((drafts, shared))
}

fn require(schema: &Pointer, node: &Node, name: &str, required: bool) -> Option<Draft> {
    let list = node.get("required").filter(|list| list.as_list().is_some());
    let has = list.is_some_and(|list| list.items().any(|item| item.as_str() == Some(name)));
    match (required, has) {
        (true, false) => {
            let names = Node::list(vec![text(name)], nowhere());
            Some(Draft::update(&readable(schema), Node::map(vec![entry("required", names)], nowhere())))
        }
        (false, true) => {
            let target = format!("{}[?@ == {}]", readable(&schema.key("required")), quoted(name));
            Some(Draft::remove(&target))
        }
        _ => None,
    }
}

/// The schemas of the body: of each media type, or of Swagger 2's body parameter.
fn body_schemas(root: &Node, operation: &Pointer) -> Vec<Pointer> {
    let mut found = Vec::new();
    let place = operation.key("requestBody");
    if let Some((body, way)) = place.find(root).and_then(|node| follow(root, node)) {
        let base = way.unwrap_or(place);
        for media in body.get("content").into_iter().flat_map(Node::members) {
            found.push(base.key("content").key(media.key.clone()).key("schema"));
        }
    }
    let list = operation.key("parameters");
    for (at, written) in list.find(root).into_iter().flat_map(Node::items).enumerate() {
        if let Some((node, way)) = follow(root, written).filter(|(node, _)| node.text("in") == Some("body")) {
            let base = way.unwrap_or_else(|| list.index(at));
            found.extend(node.get("schema").map(|_| base.key("schema")));
        }
    }
    found
}

/// The schema that declares the property: itself, or one that it takes in with `$ref` or `allOf`.
fn holder(root: &Node, schema: Pointer, name: &str, levels: usize) -> Option<Pointer> {
    let levels = levels.checked_sub(1)?;
    let (node, way) = follow(root, schema.find(root)?)?;
    let place = way.unwrap_or(schema);
    if node.get("properties").and_then(Node::as_map).and_then(|map: &Map| map.get(name)).is_some() {
        return Some(place);
    }
    let parts = place.key("allOf");
    let count = node.get("allOf").map_or(0, |parts| parts.items().len());
    (0..count).find_map(|at| holder(root, parts.index(at), name, levels))
}
