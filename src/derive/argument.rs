//! Arguments before they have their final names and schemas.

use std::collections::HashSet;
use std::sync::Arc;

use crate::document::{Entry, Node, Origin, Place, Value};

use super::build::{bool_node, entry};
use super::model::{Binding, ParameterIn, Style};
use super::report::{Path, Report};
use super::schema::Translation;

/// One argument of a tool while it is made.
#[derive(Debug)]
pub(crate) struct Argument<'s> {
    pub(crate) name: Arc<str>,
    pub(crate) location: ParameterIn,
    pub(crate) wire_name: Option<Arc<str>>,
    pub(crate) required: bool,
    pub(crate) style: Option<Style>,
    pub(crate) explode: Option<bool>,
    pub(crate) allow_reserved: bool,
    pub(crate) media_type: Option<Arc<str>>,
    pub(crate) content_type: Option<Arc<str>>,
    /// All of these hold; none: anything goes.
    pub(crate) schemas: Vec<&'s Node>,
    /// What is said of it besides the schema.
    pub(crate) meaning: Meaning<'s>,
    pub(crate) place: Place,
}

/// What a parameter object says of its argument beside the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning<'s> {
    pub(crate) node: Option<&'s Node>,
    /// The type where there is no schema.
    pub(crate) fallback: Option<&'static str>,
    pub(crate) origin: Origin,
}

impl<'s> Meaning<'s> {
    /// What a parameter, body or property object says.
    pub(crate) fn of(node: &'s Node) -> Self {
        Self { node: Some(node), fallback: None, origin: node.origin }
    }

    /// Nothing.
    pub(crate) fn none(origin: Origin) -> Self {
        Self { node: None, fallback: None, origin }
    }
}

impl Argument<'_> {
    /// The schema of the argument: what its schemas say, with what the parameter object adds.
    pub(crate) fn schema(&self, translation: &mut Translation<'_, '_>, report: &mut Report) -> Node {
        let path = Path::new(&self.place.pointer);
        let origin = self.meaning.origin;
        let mut translated: Vec<Node> =
            self.schemas.iter().map(|schema| translation.schema(schema, &path, report)).collect();
        let mut schema = match (translated.len(), translated.pop()) {
            (1, Some(only)) => only,
            (_, Some(last)) => {
                translated.push(last);
                Node::map(vec![entry("allOf", Node::list(translated, origin))], origin)
            }
            (_, None) => Node::map(Vec::new(), origin),
        };
        if let Value::Bool(flag) = schema.value {
            // `true` allows all; a map is needed to hang a description on. `false` stays: nothing can be given.
            if flag {
                schema = Node::map(Vec::new(), schema.origin);
            }
        }
        let Some(map) = schema.map_mut() else { return schema };
        if let (Some(kind), true) = (self.meaning.fallback, map.is_empty()) {
            map.insert(entry("type", Node::string(kind, origin)));
        }
        let Some(node) = self.meaning.node else { return schema };
        if let Some(said) = node.entry("description").filter(|said| said.value.as_str().is_some_and(|t| !t.is_empty()))
        {
            map.insert(said.clone());
        }
        if node.get("deprecated").and_then(Node::as_bool) == Some(true) {
            map.insert(entry("deprecated", bool_node(true, origin)));
        }
        if let (None, Some(examples)) = (map.get("examples"), examples(node)) {
            map.insert(examples);
        }
        schema
    }

    /// The row of the binding, under the argument's final name.
    pub(crate) fn binding(&self) -> Binding {
        Binding {
            argument: self.name.clone(),
            location: self.location,
            wire_name: self.wire_name.clone(),
            style: self.style,
            explode: self.explode,
            allow_reserved: self.allow_reserved,
            media_type: self.media_type.clone(),
            content_type: self.content_type.clone(),
            required: self.required,
        }
    }
}

/// `example` and `examples` of a parameter as the keyword `examples`.
fn examples(node: &Node) -> Option<Entry> {
    if let Some(example) = node.get("example") {
        return Some(entry("examples", Node::list(vec![example.clone()], example.origin)));
    }
    let examples = node.get("examples")?;
    let values: Vec<Node> = examples.members().filter_map(|example| example.value.get("value")).cloned().collect();
    (!values.is_empty()).then(|| entry("examples", Node::list(values, examples.origin)))
}

/// Gives every argument a name of its own: one that stands in two places becomes `{name}_{place}` in each of them,
/// and the new names are checked again until all differ.
pub(crate) fn settle_names(arguments: &mut [Argument<'_>]) {
    // Two rounds settle everything but names made to collide; those get numbers.
    for _ in 0..2 {
        let names: Vec<Arc<str>> = arguments.iter().map(|argument| argument.name.clone()).collect();
        for argument in arguments.iter_mut() {
            if names.iter().filter(|name| **name == argument.name).count() > 1 {
                argument.name = format!("{}_{}", argument.name, suffix(argument.location)).into();
            }
        }
    }
    number(arguments);
}

/// The longest legal name.
const LONGEST_NAME: usize = 64;

/// Gives a legal name to every argument that has none: illegal characters become `_`, long names are cut. The binding
/// keeps the true name. Arguments with legal names keep them.
pub(crate) fn make_legal(arguments: &mut [Argument<'_>]) {
    let mut taken: HashSet<Arc<str>> =
        arguments.iter().map(|argument| argument.name.clone()).filter(|name| is_legal(name)).collect();
    for argument in arguments.iter_mut().filter(|argument| !is_legal(&argument.name)) {
        let parts = argument.name.split(|c| !is_legal_inside(c)).filter(|part| !part.is_empty());
        let mut name = parts.collect::<Vec<&str>>().join("_");
        if name.is_empty() {
            name.push_str("arg");
        } else if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert_str(0, "arg_");
        }
        // All characters are ASCII by now.
        name.truncate(LONGEST_NAME);
        argument.name = fresh(name.into(), &taken);
        taken.insert(argument.name.clone());
    }
}

fn is_legal_inside(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_legal(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(is_legal_inside)
        && name.len() <= LONGEST_NAME
}

/// Numbers the names that are there already, in order.
fn number(arguments: &mut [Argument<'_>]) {
    let all: HashSet<Arc<str>> = arguments.iter().map(|argument| argument.name.clone()).collect();
    let mut seen: HashSet<Arc<str>> = HashSet::new();
    for argument in arguments.iter_mut() {
        if !seen.insert(argument.name.clone()) {
            argument.name = fresh(argument.name.clone(), &all.union(&seen).cloned().collect());
            seen.insert(argument.name.clone());
        }
    }
}

/// The name, or the first of `_2`, `_3` … that is free. A name within the limit stays within it.
fn fresh(name: Arc<str>, taken: &HashSet<Arc<str>>) -> Arc<str> {
    let length = name.chars().count();
    let numbered = (2_u32..).map(|number| {
        let suffix = format!("_{number}");
        let room = if length <= LONGEST_NAME { LONGEST_NAME - suffix.len() } else { length };
        Arc::from(name.chars().take(room).chain(suffix.chars()).collect::<String>())
    });
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}

fn suffix(location: ParameterIn) -> &'static str {
    match location {
        ParameterIn::Path => "path",
        ParameterIn::Query | ParameterIn::QueryString => "query",
        ParameterIn::Header => "header",
        ParameterIn::Cookie => "cookie",
        ParameterIn::Body => "body",
    }
}
