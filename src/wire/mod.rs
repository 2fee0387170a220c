//! Calls: arguments to requests, responses to results.
//!
//! ```text
//! (Tool, arguments) ──validate──▶ problems
//! (Tool, arguments) ──encode──▶ HttpRequest    ┄┄ sent elsewhere ┄┄▶    HttpResponse ──decode──▶ CallResult
//! ```
//!
//! Everything here is pure. [`encode`] reads the tool's binding, or runs its request transform in place of it; no URL is ever made from a tool's name.

mod address;
mod body;
mod charset;
mod curl;
mod decode;
mod drift;
mod encode;
mod explain;
mod json;
mod multipart;
mod nearest;
mod parameters;
mod path;
mod percent;
mod problem;
mod redact;
mod remedy;
mod request;
mod response;
mod secret_arguments;
mod style;
mod synthesize;
mod transform;
mod validate;

pub use curl::curl;
pub use decode::decode;
pub use encode::{Options, encode, encode_with};
pub(crate) use json::to_value;
pub use problem::ArgumentProblem;
pub use redact::Redactor;
pub use request::{Body, HttpRequest, Part, PartPlace};
pub use response::{CallResult, Content, Drift, HttpResponse, Remedy, Resource, Rules};
pub use synthesize::{Extent, Instance, check_instances, synthesize, synthesize_schema};
pub use transform::{Bounds, Filter, FilterError, RunError, Transforms, check_transforms, generated_jq};
pub use validate::{Validator, validate};
