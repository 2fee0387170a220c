//! The screen of the record: both hops of every call.

mod act;
mod page;
mod state;

pub use act::Calls;
pub(crate) use act::ending;
pub(crate) use page::http as hop_lines;
pub use state::{Row, Serving, Wire};
