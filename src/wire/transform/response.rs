//! Transforms over the bodies of responses.

use std::sync::Arc;

use crate::derive::{Operation, Written};
use crate::document::Node;

use super::compiled::{ERROR, RESPONSE, Transforms};
use super::filter::Filter;
use super::meter::Bounds;

/// What the response transform makes of a body; `None` when there is none. The error is one sentence without a full stop.
pub(crate) fn response(
    operation: &Operation,
    body: &Node,
    compiled: Option<&Transforms>,
) -> Option<Result<Node, String>> {
    let known = compiled.and_then(|compiled| compiled.response.as_ref());
    apply(RESPONSE, operation.mcp.response_transform.as_ref(), known, compiled, body)
}

/// The same with the error transform and the body of a failure.
pub(crate) fn error(operation: &Operation, body: &Node, compiled: Option<&Transforms>) -> Option<Result<Node, String>> {
    let known = compiled.and_then(|compiled| compiled.error.as_ref());
    apply(ERROR, operation.mcp.error_transform.as_ref(), known, compiled, body)
}

fn apply(
    member: &str,
    written: Option<&Written<Arc<str>>>,
    known: Option<&Filter>,
    compiled: Option<&Transforms>,
    body: &Node,
) -> Option<Result<Node, String>> {
    let written = written?;
    let bounds = compiled.map_or_else(Bounds::default, |compiled| compiled.bounds);
    let run = |filter: &Filter| filter.run_once(body, &bounds).map_err(|error| format!("`{member}` failed: {error}"));
    Some(match known.filter(|known| known.text() == &*written.value) {
        Some(known) => run(known),
        None => Filter::compile(&written.value)
            .map_err(|error| format!("`{member}` is no jq: {error}"))
            .and_then(|filter| run(&filter)),
    })
}
