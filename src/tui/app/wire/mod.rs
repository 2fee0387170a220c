//! The screen of the record: both hops of every call.

mod act;
mod page;
mod state;

pub use act::Calls;
pub(crate) use act::ending;
pub use state::{Row, Serving, Wire};
