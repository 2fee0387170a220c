//! Swagger 2.0 operations in the shape of OpenAPI 3.0.
//!
//! No document is converted as a whole: what derives tools reads operation objects, and references such as
//! `#/definitions/Pet` keep resolving in the document as it is written. So an operation is converted when it is
//! looked at, and every node that is made for it has the origin of the node that it stands for.

mod body;
mod build;
mod operation;
mod parameter;
mod response;
mod security;
mod servers;

use super::{Finding, Node};

pub use operation::operation;
pub use security::security_schemes;
pub use servers::servers;

/// An operation in the shape of OpenAPI 3.0.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The operation object. Parameters of the path item are in it; references to parameters and responses have been
    /// followed, references to schemas stand as they are written.
    pub operation: Node,
    /// What is broken in the original and what OpenAPI 3 cannot say. The pointers of their places are empty; the
    /// origins are true.
    pub findings_or_losses: Vec<Finding>,
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
