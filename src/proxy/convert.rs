//! Tools and results as MCP has them, and JSON as trees.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model as mcp;
use serde_json::{Map, Value as Json};

use crate::derive::Tool;
use crate::document::{Entry, FileId, Node, Number, Origin, Value};
use crate::wire::{CallResult, Content, to_value};

/// A message may not be longer: readers of line-wise transports give up at 16 MiB.
const MOST_OF_RESULT: usize = 12 << 20;

/// A tool as `tools/list` shows it.
pub(super) fn tool(tool: &Tool) -> mcp::Tool {
    let operation = &tool.operation;
    let input = Arc::new(object(&operation.input_schema));
    let description: Cow<'static, str> = operation.description.clone().into();
    let mut listed = mcp::Tool::new(tool.named.name.clone(), description, input);
    listed.title.clone_from(&operation.title);
    listed.output_schema = operation.told_output().map(|schema| Arc::new(object(schema)));
    let hints = &operation.annotations;
    let mut annotations = mcp::ToolAnnotations::default();
    annotations.title.clone_from(&hints.title);
    annotations.read_only_hint = Some(hints.read_only_hint);
    annotations.destructive_hint = Some(hints.destructive_hint);
    annotations.idempotent_hint = Some(hints.idempotent_hint);
    annotations.open_world_hint = Some(hints.open_world_hint);
    listed.annotations = Some(annotations);
    listed
}

/// A tool as `tools/list` shows it, as JSON.
///
/// # Errors
/// None is known; the serialiser reserves the right.
pub fn listed(tool: &Tool) -> Result<Json, serde_json::Error> {
    serde_json::to_value(self::tool(tool))
}

/// A schema. `x-mcp-header` is left out: clients drop a tool whose annotations of that kind they do not like.
fn object(schema: &Node) -> Map<String, Json> {
    let mut schema = to_value(schema);
    strip(&mut schema, false);
    match schema {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}

fn strip(value: &mut Json, names_are_free: bool) {
    match value {
        Json::Object(map) => {
            if !names_are_free {
                map.shift_remove("x-mcp-header");
            }
            for (name, below) in map {
                let names = matches!(name.as_str(), "properties" | "patternProperties" | "$defs" | "dependentSchemas");
                let data = matches!(name.as_str(), "const" | "enum" | "default" | "example" | "examples");
                if !data || names_are_free {
                    strip(below, names && !names_are_free);
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| strip(item, false)),
        _ => {}
    }
}

/// A result as MCP has it. One that is too long for a message is an error that says so.
pub(super) fn result(result: &CallResult) -> mcp::CallToolResult {
    let size = weight(result);
    if size > MOST_OF_RESULT {
        let text = format!(
            "The response is too large to be handed on: about {} MB as a message, and the limit is {} MB. Ask for less, \
             such as a smaller page.",
            size / 1_000_000,
            MOST_OF_RESULT / 1_000_000
        );
        return mcp::CallToolResult::error(vec![mcp::ContentBlock::text(text)]);
    }
    let content = result.content.iter().map(block).collect();
    let mut made = match result.is_error {
        true => mcp::CallToolResult::error(content),
        false => mcp::CallToolResult::success(content),
    };
    made.structured_content = result.structured.as_ref().map(to_value);
    made
}

fn block(content: &Content) -> mcp::ContentBlock {
    match content {
        Content::Text { text } => mcp::ContentBlock::text(text.as_str()),
        Content::Image { data, mime_type } => mcp::ContentBlock::image(data.as_str(), mime_type.as_str()),
        Content::Audio { data, mime_type } => mcp::ContentBlock::audio(data.as_str(), mime_type.as_str()),
        Content::Resource { resource } => mcp::ContentBlock::resource(mcp::ResourceContents::BlobResourceContents {
            uri: resource.uri.clone(),
            mime_type: Some(resource.mime_type.clone()),
            blob: resource.blob.clone(),
            meta: None,
        }),
    }
}

/// Bytes of a result as a message, about: quotes and line breaks take two bytes. A structured value says again what the
/// text says.
fn weight(result: &CallResult) -> usize {
    let escaped = |text: &str| text.len() + text.bytes().filter(|byte| matches!(byte, b'"' | b'\\' | 0..=31)).count();
    let content: usize = result
        .content
        .iter()
        .map(|content| match content {
            Content::Text { text } => escaped(text),
            Content::Image { data, .. } | Content::Audio { data, .. } => data.len(),
            Content::Resource { resource } => resource.blob.len(),
        })
        .sum();
    let text: usize = result
        .content
        .iter()
        .map(|content| match content {
            Content::Text { text } => text.len(),
            _ => 0,
        })
        .sum();
    content + if result.structured.is_some() { text } else { 0 }
}

/// JSON as a tree. It comes from a reader that goes no deeper than 128 levels.
pub fn from_json(value: Json) -> Node {
    let origin = Origin::new(FileId(u32::MAX), 0, 0);
    let value = match value {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(flag),
        Json::Number(number) => match number.as_i64() {
            Some(value) => Value::Number(value.into()),
            None => Number::parse(&number.to_string()).map_or(Value::Null, Value::Number),
        },
        Json::String(text) => Value::String(text.into()),
        Json::Array(items) => return Node::list(items.into_iter().map(from_json).collect(), origin),
        Json::Object(map) => {
            let entry =
                |(key, value): (String, Json)| Entry { key: key.into(), key_origin: origin, value: from_json(value) };
            return Node::map(map.into_iter().map(entry).collect(), origin);
        }
    };
    Node::new(value, origin)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    #[test]
    fn json_comes_back_as_it_went() {
        let cases = [
            "null",
            "true",
            "-7",
            "18446744073709551615",
            "1.5",
            "1e300",
            "\"é\"",
            "[1,[],{}]",
            r#"{"b":1,"a":{"c":null}}"#,
        ];
        for text in cases {
            let value: Json = serde_json::from_str(text).unwrap();
            assert_eq!(to_value(&from_json(value.clone())), value, "{text}");
        }
    }

    #[test]
    fn header_annotations_are_left_out_and_properties_of_that_name_are_not() {
        let mut schema =
            json!({"x-mcp-header": 1, "properties": {"x-mcp-header": {"x-mcp-header": "a", "type": "string"}}});
        strip(&mut schema, false);
        assert_eq!(schema, json!({"properties": {"x-mcp-header": {"type": "string"}}}));
    }

    #[test]
    fn a_result_too_long_for_a_message_says_so() {
        let long = CallResult { content: vec![Content::text("x".repeat(MOST_OF_RESULT + 1))], ..CallResult::default() };
        let made = result(&long);
        assert_eq!(made.is_error, Some(true));
        assert!(serde_json::to_string(&made).unwrap().contains("too large"), "{made:?}");
        let fits = CallResult { content: vec![Content::text("x".repeat(MOST_OF_RESULT))], ..CallResult::default() };
        assert_eq!(result(&fits).is_error, Some(false));
    }
}
