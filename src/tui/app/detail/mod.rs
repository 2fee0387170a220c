//! The detail of one tool: a page of lines for each tab.

mod blame;
mod cost;
mod findings;
mod json;
mod name;
pub(crate) mod request;
mod schema;
mod source;
mod state;

pub(crate) use findings::{blast, count as finding_count, remedy_line, severity};
pub(crate) use name::conflict;
pub use state::{About, Detail, Tab};

use crate::derive::Catalog;
use crate::document::{FileId, Place};

/// `file:line` of a place and, when an overlay put the node there, the action's number as its file counts (from 1).
pub(crate) fn cite(catalog: &Catalog, place: &Place) -> String {
    let cited = catalog.sources.cite(place);
    match place.origin.action {
        Some(action) => format!("{cited} #{}", u32::from(action) + 1),
        None => cited,
    }
}

/// `overlay.yaml:12 #2`: the line at which an action starts and its number, from 1.
pub(crate) fn cite_action(catalog: &Catalog, file: FileId, action: u16) -> String {
    let number = u32::from(action) + 1;
    let Some(source) = catalog.sources.get(file) else { return format!("overlay #{number}") };
    match source.actions.get(usize::from(action)) {
        Some(start) => format!("{}:{} #{number}", source.name, source.line_column(*start).0),
        None => format!("{} #{number}", source.name),
    }
}
