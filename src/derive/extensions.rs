//! The `x-mcp-*` members of an operation, each with its type checked.

use std::sync::Arc;

use crate::document::{Finding, Node, Place, Pointer, ResponseFormat};

use super::report::{Path, Report};

/// A value and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// What the `x-mcp-*` members say of a call. All of it is beside the shape of the tool: nothing here changes its
/// InputSchema or its binding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpExtensions {
    /// `x-mcp-request-transform`: jq from the arguments to `{path, query, headers, body}`.
    pub request_transform: Option<Written<Arc<str>>>,
    /// `x-mcp-response-transform`: jq over the body of a success.
    pub response_transform: Option<Written<Arc<str>>>,
    /// `x-mcp-error-transform`: jq over the body of a failure.
    pub error_transform: Option<Written<Arc<str>>>,
    /// `x-mcp-response-format`; without it JSON is JSON and the rest goes by `Content-Type`.
    pub response_format: Option<Written<ResponseFormat>>,
    /// `x-mcp-auth-required`: false makes the tool callable without a client's credentials.
    pub auth_required: Option<Written<bool>>,
    /// `x-mcp-tier`, for filters of groups.
    pub tier: Option<Written<Arc<str>>>,
}

/// All `x-mcp-*` members of an operation.
pub(crate) struct Extensions {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) disabled: Option<Place>,
    pub(crate) safe: bool,
    pub(crate) mcp: McpExtensions,
}

impl Extensions {
    /// Reads them. A member of a wrong type is a finding and has no effect.
    pub(crate) fn read(operation: &Node, pointer: &Pointer, report: &mut Report) -> Self {
        let mut reader = Reader { operation, pointer, report };
        let enabled = reader.flag("x-mcp-enabled");
        let safe = reader.flag("x-mcp-safe").is_some_and(|safe| safe.value);
        let name = reader.text("x-mcp-tool-name", "write the name as text").map(|name| name.value);
        let jq = "write the jq expression as text; for several lines as a block (`|`)";
        let mcp = McpExtensions {
            request_transform: reader.text("x-mcp-request-transform", jq),
            response_transform: reader.text("x-mcp-response-transform", jq),
            error_transform: reader.text("x-mcp-error-transform", jq),
            response_format: reader.format("x-mcp-response-format"),
            auth_required: reader.flag("x-mcp-auth-required"),
            tier: reader.text("x-mcp-tier", "write the tier as text"),
        };
        Self { name, disabled: enabled.filter(|enabled| !enabled.value).map(|enabled| enabled.place), safe, mcp }
    }
}

struct Reader<'r> {
    operation: &'r Node,
    pointer: &'r Pointer,
    report: &'r mut Report,
}

impl<'r> Reader<'r> {
    fn member(&self, key: &str) -> Option<(&'r Node, Place)> {
        let node = self.operation.get(key)?;
        let pointer = self.pointer.key(key).to_string();
        Some((node, Path::new(&pointer).place(node)))
    }

    fn refuse(&mut self, code: &'static str, message: String, place: Place, remedy: impl Into<String>) {
        self.report.findings.push(Finding::warning(code, message).at(place).remedy(remedy));
    }

    fn flag(&mut self, key: &str) -> Option<Written<bool>> {
        let (node, place) = self.member(key)?;
        match node.as_bool() {
            Some(value) => Some(Written { value, place }),
            None => {
                let message = format!("`{key}` is {}, not a boolean, and has no effect", node.kind());
                let remedy = format!("write `{key}: true` or `{key}: false` without quotes");
                self.refuse("extension-type", message, place, remedy);
                None
            }
        }
    }

    fn text(&mut self, key: &str, remedy: &str) -> Option<Written<Arc<str>>> {
        let (node, place) = self.member(key)?;
        match node.as_str() {
            Some(text) if !text.trim().is_empty() => Some(Written { value: Arc::from(text), place }),
            text => {
                let what = if text.is_some() { "empty" } else { node.kind() };
                self.refuse("extension-type", format!("`{key}` is {what} and has no effect"), place, remedy);
                None
            }
        }
    }

    fn format(&mut self, key: &str) -> Option<Written<ResponseFormat>> {
        let names = ResponseFormat::ALL.map(ResponseFormat::word).join(", ");
        let text = self.text(key, &format!("write one of {names}"))?;
        match ResponseFormat::parse(&text.value) {
            Some(value) => Some(Written { value, place: text.place }),
            None => {
                let message = format!("`{key}` is `{}`, which is no format, and has no effect", text.value);
                self.refuse("extension-value", message, text.place, format!("write one of {names}"));
                None
            }
        }
    }
}
