//! The verdict of programs that read documents with the crate `openapiv3`: theirs is that crate's, so it is asked.
//!
//! The crate knows OpenAPI 3.0. It does not look at the version, so a later document is read as 3.0: it passes where
//! nothing in it has another shape there, and what 3.1 added is passed over. Swagger 2.0 is refused.

use openapiv3 as crate_model;
use serde::de::DeserializeOwned;

use crate::document::{DocumentSet, Entry, Node, Place, Pointer, to_json};

/// So many places are told; a document with one more is hardly worth mending by hand.
pub const MOST: usize = 50;

/// Something that the crate cannot read.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The smallest part that it cannot read.
    pub place: Place,
    /// The crate's words.
    pub message: String,
}

/// Objects of the document that the crate can be asked to read on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Root,
    Info,
    Server,
    Tag,
    PathItem,
    Operation,
    Parameter,
    Header,
    RequestBody,
    Response,
    MediaType,
    Schema,
    Example,
    Link,
    SecurityScheme,
}

/// The places of the main document that the crate cannot read, in document order, up to [`MOST`]; none when it reads it all.
///
/// The whole document decides: a part is only looked for when the whole is refused.
pub fn refusals(set: &DocumentSet) -> Vec<Refusal> {
    let root = &set.main.root;
    let Some(message) = refused(Part::Root, root) else { return Vec::new() };
    // Such a document is none of OpenAPI 3.0, and what else is wrong with it says nothing.
    if let Some(key) = ["openapi", "info", "paths"].into_iter().find(|key| root.get(key).is_none()) {
        let place = Place { origin: root.origin, pointer: "".into() };
        return vec![Refusal { place, message: missing(key) }];
    }
    let mut found = Vec::new();
    let mut open = vec![Suspect { part: Part::Root, node: root, pointer: Pointer(Vec::new()), message }];
    while let Some(suspect) = open.pop() {
        let mut guilty: Vec<Suspect<'_>> = children(suspect.part, suspect.node, &suspect.pointer)
            .into_iter()
            .filter_map(|(part, node, pointer)| {
                refused(part, node).map(|message| Suspect { part, node, pointer, message })
            })
            .collect();
        if guilty.is_empty() {
            found.push(blame(suspect));
            if found.len() >= MOST {
                break;
            }
        }
        guilty.reverse();
        open.append(&mut guilty);
    }
    found
}

/// As serde says it.
fn missing(key: &str) -> String {
    format!("missing field `{key}`")
}

struct Suspect<'a> {
    part: Part,
    node: &'a Node,
    pointer: Pointer,
    message: String,
}

/// Members of the root that hold nearly all of the document.
const HEAVY: [&str; 2] = ["paths", "components"];

/// The member without which the part could be read, else the part.
fn blame(suspect: Suspect<'_>) -> Refusal {
    let Suspect { part, node, pointer, message } = suspect;
    // Reading a large document once per member of its root would take seconds, so the others are tried without these.
    let light = if part == Part::Root { without_heavy(node) } else { node.clone() };
    let heavy_guilty = part == Part::Root && refused(part, &light).is_none();
    // Taking something away does not mend what is missing.
    let candidates = if message.starts_with("missing field") { [].iter() } else { node.members() };
    for entry in candidates {
        let heavy = part == Part::Root && HEAVY.contains(&&*entry.key);
        if heavy != heavy_guilty {
            continue;
        }
        let mut without = if heavy { node.clone() } else { light.clone() };
        if let Some(map) = without.map_mut() {
            map.remove(&entry.key);
        }
        // A member that must be there: without it the crate has nothing else against the part.
        if refused(part, &without).is_none_or(|now| now == missing(&entry.key)) {
            let pointer = pointer.key(entry.key.clone()).to_string();
            return Refusal { place: Place { origin: entry.key_origin, pointer: pointer.into() }, message };
        }
    }
    Refusal { place: Place { origin: node.origin, pointer: pointer.to_string().into() }, message }
}

fn without_heavy(root: &Node) -> Node {
    let mut light = root.clone();
    if let Some(map) = light.map_mut() {
        for key in HEAVY {
            if let Some(value) = map.get_mut(key) {
                *value = Node::map(Vec::new(), value.origin);
            }
        }
    }
    light
}

fn refused(part: Part, node: &Node) -> Option<String> {
    use crate_model::ReferenceOr;
    match part {
        Part::Root => read::<crate_model::OpenAPI>(node),
        Part::Info => read::<crate_model::Info>(node),
        Part::Server => read::<crate_model::Server>(node),
        Part::Tag => read::<crate_model::Tag>(node),
        Part::PathItem => read::<ReferenceOr<crate_model::PathItem>>(node),
        Part::Operation => read::<crate_model::Operation>(node),
        Part::Parameter => read::<ReferenceOr<crate_model::Parameter>>(node),
        Part::Header => read::<ReferenceOr<crate_model::Header>>(node),
        Part::RequestBody => read::<ReferenceOr<crate_model::RequestBody>>(node),
        Part::Response => read::<ReferenceOr<crate_model::Response>>(node),
        Part::MediaType => read::<crate_model::MediaType>(node),
        Part::Schema => read::<ReferenceOr<crate_model::Schema>>(node),
        Part::Example => read::<ReferenceOr<crate_model::Example>>(node),
        Part::Link => read::<ReferenceOr<crate_model::Link>>(node),
        Part::SecurityScheme => read::<ReferenceOr<crate_model::SecurityScheme>>(node),
    }
}

/// The crate's error, without the line of the intermediate JSON that nobody sees.
fn read<T: DeserializeOwned>(node: &Node) -> Option<String> {
    let error = serde_json::from_str::<T>(&to_json(node, false)).err()?;
    let text = error.to_string();
    Some(text.split(" at line ").next().unwrap_or(&text).to_owned())
}

type Child<'a> = (Part, &'a Node, Pointer);

/// Collects the parts of a part, in document order.
fn children<'a>(part: Part, node: &'a Node, pointer: &Pointer) -> Vec<Child<'a>> {
    let mut out = Vec::new();
    // A reference has no parts of its own.
    if node.get("$ref").is_some() && part != Part::Root {
        return out;
    }
    for entry in node.members() {
        let here = pointer.key(entry.key.clone());
        match holds(part, &entry.key) {
            Some((Shape::One, part)) => out.push((part, &entry.value, here)),
            Some((Shape::List, part)) => {
                let items = entry.value.items().enumerate();
                out.extend(items.map(|(at, item)| (part, item, here.index(at))));
            }
            Some((Shape::Map, part)) => out.extend(entry.value.members().map(|entry| member(part, entry, &here))),
            None if part == Part::Root && &*entry.key == "paths" => {
                let items = entry.value.members().filter(|entry| entry.key.starts_with('/'));
                out.extend(items.map(|entry| member(Part::PathItem, entry, &here)));
            }
            None if part == Part::Root && &*entry.key == "components" => {
                for group in entry.value.members() {
                    let Some(part) = component(&group.key) else { continue };
                    let here = here.key(group.key.clone());
                    out.extend(group.value.members().map(|entry| member(part, entry, &here)));
                }
            }
            None => {}
        }
    }
    out
}

fn member<'a>(part: Part, entry: &'a Entry, holder: &Pointer) -> Child<'a> {
    (part, &entry.value, holder.key(entry.key.clone()))
}

fn component(group: &str) -> Option<Part> {
    Some(match group {
        "schemas" => Part::Schema,
        "responses" => Part::Response,
        "parameters" => Part::Parameter,
        "examples" => Part::Example,
        "requestBodies" => Part::RequestBody,
        "headers" => Part::Header,
        "securitySchemes" => Part::SecurityScheme,
        "links" => Part::Link,
        _ => return None,
    })
}

enum Shape {
    One,
    List,
    Map,
}

fn holds(part: Part, key: &str) -> Option<(Shape, Part)> {
    Some(match (part, key) {
        (Part::Root, "info") => (Shape::One, Part::Info),
        (Part::Root | Part::PathItem | Part::Operation, "servers") => (Shape::List, Part::Server),
        (Part::Root, "tags") => (Shape::List, Part::Tag),
        (Part::PathItem, "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace") => {
            (Shape::One, Part::Operation)
        }
        (Part::PathItem | Part::Operation, "parameters") => (Shape::List, Part::Parameter),
        (Part::Operation, "requestBody") => (Shape::One, Part::RequestBody),
        (Part::Operation, "responses") => (Shape::Map, Part::Response),
        (Part::Parameter | Part::Header | Part::RequestBody | Part::Response, "content") => {
            (Shape::Map, Part::MediaType)
        }
        (Part::Parameter | Part::Header | Part::MediaType, "schema") => (Shape::One, Part::Schema),
        (Part::Parameter | Part::Header | Part::MediaType, "examples") => (Shape::Map, Part::Example),
        (Part::Response, "headers") => (Shape::Map, Part::Header),
        (Part::Response, "links") => (Shape::Map, Part::Link),
        (Part::Schema, "properties") => (Shape::Map, Part::Schema),
        (Part::Schema, "items" | "not") => (Shape::One, Part::Schema),
        (Part::Schema, "allOf" | "oneOf" | "anyOf") => (Shape::List, Part::Schema),
        _ => return None,
    })
}
