//! jq transforms (`x-mcp-request-transform`, `x-mcp-response-transform`, `x-mcp-error-transform`).
//!
//! A [`Filter`] is compiled once and kept; it is `Send + Sync`. A run is pure and bounded by [`Bounds`]: steps, memory,
//! nesting, number and size of outputs. There is no clock here, so time is bounded by steps only: whoever serves calls
//! runs a transform on a thread that may block, with a deadline of its own.

mod check;
mod compiled;
mod filter;
mod generate;
mod guard;
mod library;
mod locate;
mod meter;
mod request;
mod response;
mod syntax;
mod value;

pub use check::check_transforms;
pub use compiled::Transforms;
pub use filter::{Filter, FilterError, RunError};
pub use generate::generated_jq;
pub use meter::Bounds;

pub(crate) use request::rewrite;
pub(crate) use response::{error, response};

#[cfg(test)]
mod tests;
