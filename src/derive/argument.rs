//! Arguments before they have their final names and schemas.

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
    let mut taken: Vec<Arc<str>> = Vec::new();
    for argument in arguments.iter_mut() {
        let wanted = argument.name.clone();
        let mut number = 2;
        while taken.contains(&argument.name) {
            argument.name = format!("{wanted}_{number}").into();
            number += 1;
        }
        taken.push(argument.name.clone());
    }
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
