//! Parameters: collecting those of the path item and the operation, and their schema.

use std::collections::HashMap;

use super::super::{Entry, Node, Value};
use super::build::{Context, Members, binary, flag};

/// Members of a Swagger 2.0 parameter that belong to a schema.
const SCHEMA_MEMBERS: [&str; 18] = [
    "type",
    "format",
    "items",
    "default",
    "enum",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "x-nullable",
    "nullable",
];

/// `items` may be nested so deep.
const DEEPEST_ITEMS: usize = 64;

/// A parameter with its references followed.
pub(super) struct Given<'a> {
    pub(super) node: &'a Node,
    pub(super) name: &'a str,
    pub(super) place: &'a str,
    /// It stands in the operation, not in the path item.
    pub(super) own: bool,
}

impl Given<'_> {
    pub(super) fn is_body(&self) -> bool {
        matches!(self.place, "body" | "formData")
    }

    pub(super) fn is_file(&self) -> bool {
        self.node.text("type") == Some("file")
    }
}

/// The parameters that count: those of the path item, replaced where the operation has one of the same name and
/// place, then the others of the operation.
pub(super) fn collect<'a>(context: &mut Context<'a>, path_item: &'a Node, operation: &'a Node) -> Vec<Given<'a>> {
    let mut given: Vec<Given<'a>> = Vec::new();
    let mut inherited: HashMap<(&str, &str), usize> = HashMap::new();
    for (owner, own) in [(path_item, false), (operation, true)] {
        let Some(list) = owner.get("parameters") else { continue };
        if list.as_list().is_none() {
            let message = format!("`parameters` is {}, not an array", list.kind());
            context.error("bad-parameters", list, message, "write a list of parameters");
        }
        for item in list.items() {
            let Some(parameter) = read(context, item, own) else { continue };
            let key = (parameter.name, parameter.place);
            // Taken out, so that a second one of the operation does not replace the first in silence.
            match inherited.remove(&key).filter(|_| own).and_then(|at| given.get_mut(at)) {
                Some(known) => *known = parameter,
                None => given.push(parameter),
            }
            if !own {
                inherited.insert(key, given.len() - 1);
            }
        }
    }
    given
}

fn read<'a>(context: &mut Context<'a>, item: &'a Node, own: bool) -> Option<Given<'a>> {
    let node = context.follow(item)?;
    let (name, place) = (node.text("name"), node.text("in"));
    let missing = match (name, place) {
        // The name of a body is a mere label.
        (_, Some("body")) => None,
        (None, _) => Some("name"),
        (_, None) => Some("in"),
        _ => None,
    };
    if let Some(missing) = missing {
        let message = format!("a parameter has no `{missing}` and is left out");
        context.error("bad-parameter", node, message, "give every parameter a `name` and an `in`");
        return None;
    }
    Some(Given { node, name: name.unwrap_or_default(), place: place.unwrap_or_default(), own })
}

/// A parameter that is no body in the shape of OpenAPI 3.
pub(super) fn convert(context: &mut Context<'_>, given: &Given<'_>) -> Option<Node> {
    let node = given.node;
    if !matches!(given.place, "query" | "header" | "path" | "cookie") {
        let message = format!("the parameter `{}` is in `{}`, which Swagger 2.0 has not", given.name, given.place);
        context.error("bad-parameter", node, message, "write query, header, path, formData or body");
        return None;
    }
    let mut out = Members::default();
    for entry in node.members() {
        match &*entry.key {
            "collectionFormat" => {}
            "x-example" if node.get("example").is_none() => out.keep_as("example", entry),
            "x-deprecated" if node.get("deprecated").is_none() => out.keep_as("deprecated", entry),
            "x-ms-skip-url-encoding" if given.place == "query" => out.keep_as("allowReserved", entry),
            key if SCHEMA_MEMBERS.contains(&key) => {}
            _ => out.keep(entry),
        }
    }
    if given.place == "path" && node.get("required").and_then(Node::as_bool) != Some(true) {
        out.put("required", flag(true, node.get("required").unwrap_or(node).origin));
    }
    if !out.has("schema") {
        let what = format!("the parameter `{}`", given.name);
        out.put("schema", schema(context, node, &what));
    }
    if let Some((style, explode)) = style(context, node, given.place, &format!("the parameter `{}`", given.name)) {
        out.put("style", style);
        out.put("explode", explode);
    }
    Some(out.node(node.origin))
}

/// The schema that a parameter, a form field or a header has spread over itself.
pub(super) fn schema(context: &mut Context<'_>, node: &Node, what: &str) -> Node {
    if node.text("type") == Some("file") {
        return binary(node.get("type").unwrap_or(node).origin);
    }
    let mut out = Members::default();
    for entry in node.members() {
        match &*entry.key {
            "items" => {
                let items = items(context, &entry.value, what, DEEPEST_ITEMS);
                out.change(entry, items);
            }
            key if SCHEMA_MEMBERS.contains(&key) => out.keep(entry),
            _ => {}
        }
    }
    if !out.has("type") {
        let message = format!("{what} has no `type` and is taken for a string");
        context.warn("parameter-without-type", node, message, "write its `type`");
        out.put("type", Node::string("string", node.origin));
    }
    if node.text("type") == Some("array") && !out.has("items") {
        let message = format!("{what} is an array without `items`; its items may be anything");
        context.warn("array-without-items", node, message, "write its `items`");
        out.put("items", Node::map(Vec::new(), node.origin));
    }
    out.node(node.origin)
}

/// `items` without the collection format, which schemas do not have. OpenAPI 3 cannot say how a list inside a list
/// is joined.
fn items(context: &mut Context<'_>, node: &Node, what: &str, depth: usize) -> Node {
    let nested = node.get("items");
    let format = node.entry("collectionFormat");
    let Some(map) = node.as_map().filter(|_| depth > 0 && (nested.is_some() || format.is_some())) else {
        return node.clone();
    };
    if let Some(format) = format.filter(|_| node.text("type") == Some("array")) {
        let name = format.value.as_str().unwrap_or("?");
        let message = format!("{what} has lists inside a list, joined by `{name}`; OpenAPI 3 cannot say how");
        context.warn("nested-collection-format", &format.value, message, "use a flat list, or a JSON body");
    }
    let mut out = Members::default();
    for entry in map {
        match &*entry.key {
            "collectionFormat" => {}
            "items" => {
                let items = items(context, &entry.value, what, depth - 1);
                out.change(entry, items);
            }
            _ => out.keep(entry),
        }
    }
    out.node(node.origin)
}

/// `style` and `explode` that do what `collectionFormat` (default `csv`) of an array does at that place.
///
/// Tabs have no style in OpenAPI 3; `tabDelimited` is ours.
pub(super) fn style(context: &mut Context<'_>, node: &Node, place: &str, what: &str) -> Option<(Node, Node)> {
    if node.text("type") != Some("array") {
        return None;
    }
    let written = node.entry("collectionFormat").map(|entry: &Entry| &entry.value);
    let origin = written.unwrap_or(node).origin;
    let single = if matches!(place, "path" | "header") { "simple" } else { "form" };
    let (style, explode) = match written.map(|format| &format.value) {
        None => (single, false),
        Some(Value::String(format)) => match &**format {
            "csv" => (single, false),
            "ssv" => ("spaceDelimited", false),
            "tsv" => ("tabDelimited", false),
            "pipes" => ("pipeDelimited", false),
            "multi" if single == "form" => ("form", true),
            other => {
                let message =
                    format!("{what} has the collection format `{other}`, which is not one for `{place}`; csv is taken");
                context.warn(
                    "bad-collection-format",
                    node,
                    message,
                    "write csv, ssv, tsv, pipes, or multi (query and formData only)",
                );
                (single, false)
            }
        },
        Some(_) => {
            let message = format!("the collection format of {what} is no text; csv is taken");
            context.warn("bad-collection-format", node, message, "write csv, ssv, tsv, pipes or multi");
            (single, false)
        }
    };
    Some((Node::string(style, origin), flag(explode, origin)))
}
