//! The screen of overlays: their actions in order, what each matches and changes, and what the tools make of it.

mod act;
mod document;
pub mod edit;
pub mod index;
pub mod list;
mod matches;
pub(crate) mod page;
pub mod query;
mod source;
pub mod study;
#[cfg(test)]
mod tests;
mod tools;

pub use edit::{CheckText, Checked, Editing};
pub use index::{FileEntry, Item, OverlayIndex};
pub use list::{Overlays, Row};
pub use query::ActionQuery;
pub use study::{Study, StudyJob};

/// The tabs of an action, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// What its target selects, and what is wrong with it.
    #[default]
    Matches,
    /// What it does to the document.
    Document,
    /// What it does to the tools.
    Tools,
    /// Its text.
    Source,
}

impl Part {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Matches, Self::Document, Self::Tools, Self::Source];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Matches => "Matches",
            Self::Document => "Document",
            Self::Tools => "Tools",
            Self::Source => "Source",
        }
    }

    /// The tab that many places further, around the end.
    pub fn step(self, by: usize) -> Self {
        Self::ALL.into_iter().cycle().skip_while(|part| *part != self).nth(by).unwrap_or(self)
    }
}

/// What the tab *Document* shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// The lines that differ.
    #[default]
    Change,
    /// The targets before the action.
    Before,
    /// The targets after it.
    After,
}

impl Moment {
    /// The next one.
    pub fn next(self) -> Self {
        match self {
            Self::Change => Self::Before,
            Self::Before => Self::After,
            Self::After => Self::Change,
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Change => "what the action changes",
            Self::Before => "the document before the action",
            Self::After => "the document after the action",
        }
    }
}
