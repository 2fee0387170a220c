//! All findings: of the catalog and of the targets, by kind.

mod act;
pub mod excerpt;
pub mod index;
pub mod list;
pub(crate) mod page;
pub mod query;

pub use index::{FindingIndex, Item, Said};
pub use list::{FindingOrder, Findings, Kind, Row};
pub use query::FindingQuery;
