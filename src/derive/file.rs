//! Bytes in arguments. JSON has none, so a body of bytes is base64 text (and one of XML its text), and a file among the
//! fields of a multipart body an object with a name and base64 text.

use crate::document::{Entry, Node, Origin};

use super::argument::Argument;
use super::build::{bool_node, entry, strings};
use super::media::Family;
use super::model::ParameterIn;

impl Argument<'_> {
    /// All of a body that no JSON value becomes: bytes, XML, or other text.
    pub(crate) fn is_text(&self) -> bool {
        let family = self.media_type.as_deref().map(Family::of);
        self.location == ParameterIn::Body
            && self.wire_name.is_none()
            && matches!(family, Some(Family::Octets | Family::Other | Family::Text | Family::Xml))
    }

    /// The schema of such a body, in which that it is text, XML or base64 is said.
    pub(crate) fn text_schema(&self, schema: Node) -> Node {
        let family = self.media_type.as_deref().map_or(Family::Other, Family::of);
        let said = match family {
            Family::Text => return schema,
            Family::Xml => "The body as XML text",
            _ => "The bytes as base64",
        };
        as_text(schema, said, family != Family::Xml)
    }

    /// A field of a multipart body, which may be a file.
    pub(crate) fn takes_files(&self) -> bool {
        self.location == ParameterIn::Body
            && self.wire_name.is_some()
            && self.media_type.as_deref().is_some_and(|media_type| Family::of(media_type) == Family::Multipart)
    }
}

fn as_text(mut schema: Node, said: &str, base64: bool) -> Node {
    let origin = schema.origin;
    let Some(map) = schema.map_mut() else { return schema };
    if map.get("description").is_none() {
        map.insert(entry("description", Node::string(said, origin)));
    }
    if base64 {
        map.insert(entry("contentEncoding", Node::string("base64", origin)));
    }
    schema
}

/// The schema that a model sees in the place of a binary string or a list of them; other schemas stay as they are.
pub(crate) fn file_schema(schema: Node) -> Node {
    if is_binary(&schema) {
        return of(&schema);
    }
    let mut schema = schema;
    let is_list = schema.text("type") == Some("array") && schema.get("items").is_some_and(is_binary);
    if let Some(items) = schema.map_mut().filter(|_| is_list).and_then(|map| map.get_mut("items")) {
        *items = of(items);
    }
    schema
}

/// `format: binary` (OpenAPI 3.0), or a content media type without text encoding (OpenAPI 3.1 section 4.8.14.3).
fn is_binary(schema: &Node) -> bool {
    let text = matches!(schema.text("type"), Some("string") | None);
    let raw = schema.get("contentMediaType").is_some() && schema.get("contentEncoding").is_none();
    text && (schema.text("format") == Some("binary") || raw)
}

fn of(schema: &Node) -> Node {
    let origin = schema.origin;
    let mut members = vec![entry("type", Node::string("object", origin))];
    let kept = ["title", "description", "deprecated"];
    members.extend(kept.iter().filter_map(|key| schema.entry(key)).cloned());
    let properties = vec![
        text("filename", "Name of the file", None, origin),
        text("content_type", "Media type of the file, such as image/png", None, origin),
        text("base64", "The bytes of the file as base64", Some("base64"), origin),
    ];
    members.push(entry("properties", Node::map(properties, origin)));
    members.push(entry("required", strings(["base64"], origin)));
    members.push(entry("additionalProperties", bool_node(false, origin)));
    Node::map(members, origin)
}

fn text(name: &str, description: &str, encoding: Option<&str>, origin: Origin) -> Entry {
    let mut members =
        vec![entry("type", Node::string("string", origin)), entry("description", Node::string(description, origin))];
    members.extend(encoding.map(|encoding| entry("contentEncoding", Node::string(encoding, origin))));
    entry(name, Node::map(members, origin))
}
