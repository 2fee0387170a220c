//! The detail pane: which tab, where in it, and the page that was made for it.

use super::schema::Folds;
use super::{cost, findings, name, request, schema, source};
use crate::tui::app::checks::Checks;
use crate::tui::app::pane::{PageKey, Pane, Shown};
use crate::tui::app::tools::Index;
use crate::workspace::Snapshot;

/// The tabs, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tab {
    /// Why it has its name.
    #[default]
    Name,
    /// InputSchema and output schema.
    Schema,
    /// What a call would send.
    Request,
    /// The operation in its file, with what overlays changed.
    Source,
    /// Findings and losses.
    Findings,
    /// What it costs the model in tokens.
    Cost,
}

impl Tab {
    /// All, in order.
    pub const ALL: [Self; 6] = [Self::Name, Self::Schema, Self::Request, Self::Source, Self::Findings, Self::Cost];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Name => "Name",
            Self::Schema => "Schema",
            Self::Request => "Request",
            Self::Source => "Source",
            Self::Findings => "Findings",
            Self::Cost => "Cost",
        }
    }

    /// The tab that many places further, around the end.
    pub fn step(self, by: usize) -> Self {
        Self::ALL.into_iter().cycle().skip_while(|tab| *tab != self).nth(by).unwrap_or(self)
    }
}

/// State of the pane.
#[derive(Debug, Default)]
pub struct Detail {
    tab: Tab,
    /// The page of the open tab.
    pub pane: Pane,
    /// Schemas as exact JSON.
    pub exact: bool,
    /// The request is made with all arguments, not with the required ones only.
    pub whole: bool,
    folds: Folds,
    version: u64,
}

/// What pages of tools are made from.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The tools and their documents.
    pub snapshot: &'a Snapshot,
    /// Its generation.
    pub generation: u64,
    /// The tools by number.
    pub index: &'a Index,
    /// What targets say and what tokens there are.
    pub checks: &'a Checks,
}

impl Detail {
    /// The open tab.
    pub fn tab(&self) -> Tab {
        self.tab
    }

    /// Opens a tab, at its beginning.
    pub fn open(&mut self, tab: Tab) {
        if self.tab != tab {
            self.tab = tab;
            self.pane.rewind();
        }
    }

    /// Back to the beginning, with nothing folded: another tool is shown.
    pub fn reset(&mut self) {
        self.folds = Folds { all: self.folds.all, ..Folds::default() };
        self.version += 1;
        self.pane.rewind();
    }

    /// Switches between tree and exact JSON.
    pub fn toggle_exact(&mut self) {
        self.exact = !self.exact;
        self.version += 1;
        self.pane.rewind();
    }

    /// Switches between a request with all arguments and one with the required ones only.
    pub fn toggle_whole(&mut self) -> bool {
        self.whole = !self.whole;
        self.version += 1;
        self.pane.rewind();
        self.whole
    }

    /// Folds or unfolds one node.
    pub fn toggle_fold(&mut self, pointer: &std::sync::Arc<str>) {
        if !self.folds.toggled.remove(pointer) {
            self.folds.toggled.insert(pointer.clone());
        }
        self.version += 1;
        self.pane.follow();
    }

    /// Unfolds all, or folds all but the first levels.
    pub fn toggle_all(&mut self) -> bool {
        self.folds = Folds { all: !self.folds.all, ..Folds::default() };
        self.version += 1;
        self.pane.rewind();
        self.folds.all
    }

    /// Makes the page for a tool at a width, unless it is there already.
    pub fn prepare(&mut self, about: About<'_>, tool: usize, width: usize) {
        let Some(entry) = about.index.get(tool) else { return };
        let Self { tab, folds, exact, whole, version, pane } = self;
        let (tab, catalog) = (*tab, &*about.snapshot.catalog);
        // Only what shows answers of targets is made anew when they come.
        let checks = if matches!(tab, Tab::Name | Tab::Cost) { about.checks.version } else { 0 };
        let key = PageKey { shown: Shown::Tool(tool, tab, *version), generation: about.generation, checks };
        pane.prepare(key, width, || match tab {
            Tab::Name => name::lines(catalog, about.index, entry, about.checks),
            Tab::Schema => schema::lines(catalog, &entry.tool, folds, *exact),
            Tab::Request => request::lines(catalog, &entry.tool, *whole),
            Tab::Source => source::lines(about.snapshot, &entry.tool),
            Tab::Findings => findings::lines(catalog, &entry.tool),
            Tab::Cost => cost::lines(entry, about.checks),
        });
    }
}
