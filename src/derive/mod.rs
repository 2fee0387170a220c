//! From operations to tools: InputSchema, binding, descriptions, annotations, the loss report and the catalog.
//!
//! In: documents after overlays ([`UpstreamInput`]) and [`Settings`]. Out: one immutable [`Catalog`]. One operation that
//! cannot be derived whole is one red row; it never stops the others.

mod argument;
mod body;
mod build;
mod catalog;
mod conflicts;
mod context;
mod describe;
mod extensions;
mod file;
mod media;
mod model;
mod names;
mod operation;
mod operations;
mod output;
mod parameters;
mod report;
mod reuse;
mod schema;
mod servers;
mod settings;
mod tool_findings;
mod touched;

#[cfg(test)]
mod tests;

pub use catalog::catalog;
pub use conflicts::NAME_CONFLICT;
pub use extensions::{McpExtensions, Written};
pub(crate) use media::Family;
pub use model::{
    Annotations, Binding, Catalog, Claimant, Conflict, ConflictKind, Hidden, HiddenBy, Loss, Messages, Operation,
    OperationKind, ParameterIn, SentBody, Style, Tool, Touched, Upstream,
};
pub use settings::{ArgumentNames, DescriptionRules, DescriptionSource, Settings, UpstreamInput};
