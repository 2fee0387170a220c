//! The detail pane: which tab, where in it, and the page that was made for it.

use super::schema::Folds;
use super::{findings, name, schema, source};
use crate::tui::app::page::{Laid, Line, lay};
use crate::tui::app::tools::Index;
use crate::workspace::Snapshot;

/// The tabs, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Why it has its name.
    #[default]
    Name,
    /// InputSchema and output schema.
    Schema,
    /// The operation in its file, with what overlays changed.
    Source,
    /// Findings and losses.
    Findings,
}

impl Tab {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Name, Self::Schema, Self::Source, Self::Findings];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Name => "Name",
            Self::Schema => "Schema",
            Self::Source => "Source",
            Self::Findings => "Findings",
        }
    }

    /// The tab that many places further, around the end.
    pub fn step(self, by: usize) -> Self {
        Self::ALL.into_iter().cycle().skip_while(|tab| *tab != self).nth(by).unwrap_or(self)
    }
}

/// What a page was made from; the same key gives the same page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    generation: u64,
    tool: usize,
    tab: Tab,
    /// Counts folding and the like.
    version: u64,
}

#[derive(Debug)]
struct Page {
    key: Key,
    width: usize,
    lines: Vec<Line>,
    laid: Vec<Laid>,
}

/// State of the pane.
#[derive(Debug, Default)]
pub struct Detail {
    tab: Tab,
    /// Index into the laid lines.
    cursor: usize,
    /// First visible line.
    pub offset: usize,
    follow: bool,
    /// Schemas as exact JSON.
    pub exact: bool,
    folds: Folds,
    version: u64,
    page: Option<Page>,
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
            self.rewind();
        }
    }

    /// Back to the beginning, with nothing folded: another tool is shown.
    pub fn reset(&mut self) {
        self.folds = Folds { all: self.folds.all, ..Folds::default() };
        self.version += 1;
        self.rewind();
    }

    fn rewind(&mut self) {
        self.cursor = 0;
        self.offset = 0;
        self.follow = true;
    }

    /// Switches between tree and exact JSON.
    pub fn toggle_exact(&mut self) {
        self.exact = !self.exact;
        self.version += 1;
        self.rewind();
    }

    /// Folds or unfolds one node.
    pub fn toggle_fold(&mut self, pointer: &std::sync::Arc<str>) {
        if !self.folds.toggled.remove(pointer) {
            self.folds.toggled.insert(pointer.clone());
        }
        self.version += 1;
        self.follow = true;
    }

    /// Unfolds all, or folds all but the first levels.
    pub fn toggle_all(&mut self) -> bool {
        self.folds = Folds { all: !self.folds.all, ..Folds::default() };
        self.version += 1;
        self.rewind();
        self.folds.all
    }

    /// Makes the page for a tool of a snapshot at a width, unless it is there already.
    pub fn prepare(&mut self, snapshot: &Snapshot, index: &Index, tool: usize, generation: u64, width: usize) {
        let key = Key { generation, tool, tab: self.tab, version: self.version };
        let line = self.line_index();
        match &mut self.page {
            Some(page) if page.key == key && page.width == width => return,
            Some(page) if page.key == key => {
                page.laid = lay(&page.lines, width);
                page.width = width;
                // The cursor stays on its line, which now begins elsewhere.
                self.cursor = page.laid.iter().position(|laid| Some(laid.line) == line).unwrap_or(0);
                self.follow = true;
            }
            _ => {
                let Some(entry) = index.get(tool) else { return };
                let lines = match self.tab {
                    Tab::Name => name::lines(&snapshot.catalog, index, &entry.tool),
                    Tab::Schema => schema::lines(&snapshot.catalog, &entry.tool, &self.folds, self.exact),
                    Tab::Source => source::lines(snapshot, &entry.tool),
                    Tab::Findings => findings::lines(&snapshot.catalog, &entry.tool),
                };
                let laid = lay(&lines, width);
                self.page = Some(Page { key, width, lines, laid });
            }
        }
        self.cursor = self.cursor.min(self.laid().len().saturating_sub(1));
    }

    /// The lines of the page.
    pub fn laid(&self) -> &[Laid] {
        self.page.as_ref().map_or(&[], |page| &page.laid)
    }

    /// The laid line that the cursor is on.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    fn line_index(&self) -> Option<usize> {
        self.laid().get(self.cursor).map(|laid| laid.line)
    }

    /// The line that the cursor is on.
    pub fn line(&self) -> Option<&Line> {
        self.page.as_ref()?.lines.get(self.line_index()?)
    }

    /// All text of the page.
    pub fn text(&self) -> String {
        let lines = self.page.as_ref().map_or(&[][..], |page| &page.lines);
        lines.iter().map(|line| line.text().trim_end().to_owned() + "\n").collect()
    }

    /// Moves the cursor by that many lines; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        let last = self.laid().len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
        self.follow = true;
    }

    /// Puts the cursor on a line.
    pub fn select(&mut self, line: usize) {
        self.cursor = line.min(self.laid().len().saturating_sub(1));
    }

    /// Moves the window by that many lines; the cursor stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }

    /// The next frame moves the window to the cursor.
    pub fn follow(&mut self) {
        self.follow = true;
    }

    /// Fits the window of `height` lines to the page and, after a move, to the cursor.
    pub fn fit(&mut self, height: usize) {
        self.offset = self.offset.min(self.laid().len().saturating_sub(height));
        if self.follow {
            if self.cursor < self.offset {
                self.offset = self.cursor;
            } else if self.cursor >= self.offset + height {
                self.offset = (self.cursor + 1).saturating_sub(height);
            }
            self.follow = false;
        }
    }
}
