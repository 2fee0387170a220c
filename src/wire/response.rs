//! What comes back: the response as it was received, and the result that a client sees.

use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::document::Node;

use super::problem::ArgumentProblem;
use super::transform::Transforms;
use super::validate::Validator;

/// An HTTP response; its body is already decompressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpResponse {
    /// Status code.
    pub status: u16,
    /// Names and values, in the order received.
    pub headers: Vec<(String, String)>,
    /// The bytes.
    pub body: Vec<u8>,
    /// Where it came from, for content that needs an address.
    pub url: Option<String>,
    /// Set when reading stopped at a limit of so many bytes; `body` is what came before.
    pub cut_at: Option<u64>,
}

impl HttpResponse {
    /// The value of a header, its name compared without case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// How responses are judged.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Statuses that are a success; empty: 200 to 299.
    pub success_status: Vec<u16>,
    /// A body that does not fit the output schema makes the call an error.
    pub fail_on_drift: bool,
    /// The output schema, compiled before; without it each response compiles it again.
    pub output: Option<Arc<Validator>>,
    /// The tool's transforms, compiled before; without them each response of a tool that has any compiles them again.
    pub transforms: Option<Arc<Transforms>>,
}

/// A piece of content of a result (MCP 2025-06-18, tools, "Tool Result").
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// The bytes as base64.
        data: String,
        /// Media type without parameters.
        #[serde(rename = "mimeType")]
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// The bytes as base64.
        data: String,
        /// Media type without parameters.
        #[serde(rename = "mimeType")]
        mime_type: String,
    },
    /// Any other bytes.
    Resource {
        /// The resource.
        resource: Resource,
    },
}

/// An embedded resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resource {
    /// Where it came from.
    pub uri: String,
    /// Media type without parameters.
    #[serde(rename = "mimeType")]
    pub mime_type: String,
    /// The bytes as base64.
    pub blob: String,
}

impl Content {
    /// Text content.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// What a tool's call gives. Serialises as MCP's `CallToolResult`; `drift` is ours and stays out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallResult {
    /// The content, in order.
    pub content: Vec<Content>,
    /// The value that the output schema describes.
    pub structured: Option<Node>,
    /// The call failed.
    pub is_error: bool,
    /// The body does not fit the output schema.
    pub drift: Option<Drift>,
}

/// How a body differs from what the document promises.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drift {
    /// Each difference: pointer into the structured value, rule and message.
    pub problems: Vec<ArgumentProblem>,
    /// For each difference that an overlay can mend: the pointer into the output schema, and the value to put there.
    pub remedies: Vec<Remedy>,
}

/// A change of the response's schema that makes it fit what came.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// The difference that it mends: its pointer and its rule.
    pub problem: String,
    /// That rule.
    pub rule: String,
    /// RFC 6901 pointer of a schema within the tool's output schema.
    pub schema: String,
    /// Where that schema stands in the document, when a node of it does.
    pub origin: Option<crate::document::Origin>,
    /// What an overlay action `update` merges into it.
    pub update: Node,
    /// In place of an update: what an action removes, as the steps of a JSONPath below the schema.
    pub remove: Option<String>,
    /// In words.
    pub why: String,
}

impl CallResult {
    /// A failure before there was a response: one plain sentence.
    pub fn failure(message: impl Into<String>) -> Self {
        Self { content: vec![Content::text(message)], is_error: true, ..Self::default() }
    }

    /// No response in time.
    pub fn timeout(seconds: f64) -> Self {
        Self::failure(format!("The API gave no answer within {seconds} seconds."))
    }

    /// Arguments that were refused before anything was sent.
    pub fn refused(problems: &[ArgumentProblem]) -> Self {
        let lines: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
        Self::failure(format!("The arguments do not fit; nothing was sent.\n{}", lines.join("\n")))
    }
}

impl Serialize for CallResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = 2 + usize::from(self.structured.is_some());
        let mut result = serializer.serialize_struct("CallToolResult", members)?;
        result.serialize_field("content", &self.content)?;
        if let Some(structured) = &self.structured {
            result.serialize_field("structuredContent", structured)?;
        }
        result.serialize_field("isError", &self.is_error)?;
        result.end()
    }
}
