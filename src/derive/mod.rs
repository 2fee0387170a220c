//! From operations to tools: InputSchema, binding, descriptions, annotations, the loss report and the catalog.

mod model;

pub use model::{
    Annotations, Binding, Catalog, Claimant, Conflict, ConflictKind, Hidden, HiddenBy, Loss, Operation, ParameterIn,
    Style, Tool, Touched, Upstream,
};
