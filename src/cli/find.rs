//! Which tool a person means: by name, operationId, or method and path.

use std::sync::Arc;

use super::failure::Failure;
use crate::derive::{Catalog, Tool};
use crate::workspace::config::nearest_all;

/// As many suggestions are made.
const SUGGESTIONS: usize = 5;

/// The tool that is meant; exposed ones first.
///
/// # Errors
/// There is none; the nearest names are told.
pub(super) fn tool<'a>(catalog: &'a Catalog, wanted: &str) -> Result<&'a Arc<Tool>, Failure> {
    let wanted = wanted.trim();
    catalog.lookup(wanted).ok_or_else(|| unknown(catalog, wanted))
}

fn unknown(catalog: &Catalog, wanted: &str) -> Failure {
    let operations: Vec<String> = match wanted.split_once(char::is_whitespace) {
        Some(_) => catalog.all().map(|tool| format!("{} {}", tool.operation.method, tool.operation.path)).collect(),
        None => Vec::new(),
    };
    let names = catalog.all().map(|tool| tool.named.name.as_str());
    let ids = catalog.all().filter_map(|tool| tool.operation.operation_id.as_deref());
    let near = nearest_all(wanted, names.chain(ids).chain(operations.iter().map(String::as_str)), SUGGESTIONS);
    let message = format!("there is no tool `{wanted}`");
    if near.is_empty() {
        return Failure::usage(message, "`toolscope list` names all tools.");
    }
    let near: Vec<String> = near.into_iter().map(|name| format!("`{name}`")).collect();
    Failure::usage(message, format!("Did you mean {}?", near.join(", ")))
}
