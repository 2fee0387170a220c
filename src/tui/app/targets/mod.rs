//! Tools and targets as a table: what each client or provider does with each tool.

mod act;
pub(crate) mod page;
pub mod table;

pub use table::{Arrangement, Table};
