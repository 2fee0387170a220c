//! The list of tools: an index of the catalog, the filter's language, and the rows.

pub mod index;
pub mod list;
pub mod query;

pub use index::{Entry, Index, Marks, ToolId};
pub use list::{Grouping, List, Order, Row};
pub use query::{Letters, Query};
