//! Names: from an operation's sources to the exposed tool name, step by step, as data-driven profiles.
//!
//! Pure. See `model` for what goes in and comes out.

mod model;

pub use model::{Candidates, CollisionPolicy, MadeBy, NameInput, NameSource, NameStep, Named, Truncated};
