//! The transforms of one tool, compiled.

use crate::derive::{McpExtensions, Operation};

use super::filter::{Filter, FilterError};
use super::meter::Bounds;

/// The transforms of a tool: compiled once, kept beside the tool, shared between threads.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Transforms {
    /// `x-mcp-request-transform`
    pub request: Option<Filter>,
    /// `x-mcp-response-transform`
    pub response: Option<Filter>,
    /// `x-mcp-error-transform`
    pub error: Option<Filter>,
    /// Bounds of each run.
    pub bounds: Bounds,
}

impl Transforms {
    /// Compiles the transforms of an operation. `Ok` with none of them for an operation without any.
    ///
    /// # Errors
    /// The name of the member whose expression is none, and why.
    pub fn compile(operation: &Operation) -> Result<Self, (&'static str, FilterError)> {
        let McpExtensions { request_transform, response_transform, error_transform, .. } = &operation.mcp;
        let compile = |member: &'static str, written: &Option<crate::derive::Written<std::sync::Arc<str>>>| {
            let filter = written.as_ref().map(|written| Filter::compile(&written.value));
            filter.transpose().map_err(|error| (member, error))
        };
        Ok(Self {
            request: compile(REQUEST, request_transform)?,
            response: compile(RESPONSE, response_transform)?,
            error: compile(ERROR, error_transform)?,
            bounds: Bounds::default(),
        })
    }
}

/// The members of an operation that hold transforms.
pub(crate) const REQUEST: &str = "x-mcp-request-transform";
pub(crate) const RESPONSE: &str = "x-mcp-response-transform";
pub(crate) const ERROR: &str = "x-mcp-error-transform";
