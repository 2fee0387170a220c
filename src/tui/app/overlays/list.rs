//! The list of actions: which rows it shows, by file, and which of them is selected.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::edit::Editing;
use super::index::{FileEntry, Item, OverlayIndex};
use super::query::ActionQuery;
use super::study::Study;
use super::{Moment, Part};
use crate::document::FileId;
use crate::tui::app::field::Field;
use crate::tui::app::pane::{Pane, window};

/// Actions of which what takes time is kept.
const MOST_STUDIES: usize = 256;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The heading of an overlay, by its number in the index.
    File(usize),
    /// An action, by its number in the index.
    Action(usize),
    /// The heading of what other programs' extensions say.
    Hints,
    /// What one of them says, by its number in the index.
    Hint(usize),
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Overlays {
    /// The filter as typed.
    pub filter: Field,
    /// The filter as understood.
    pub query: ActionQuery,
    /// All overlays and actions.
    pub index: Arc<OverlayIndex>,
    /// The open tab.
    pub part: Part,
    /// What the tab *Document* shows.
    pub moment: Moment,
    /// The page of the selected row.
    pub pane: Pane,
    /// Counts what pages are made of.
    pub version: u64,
    /// Number of the newest question about an action.
    pub generation: u64,
    /// The action that is being looked at.
    pub asked: Option<usize>,
    /// Number of the newest question about a text.
    pub text_generation: u64,
    /// The text that is being edited.
    pub editing: Option<Editing>,
    studies: VecDeque<(usize, Arc<Study>)>,
    rows: Vec<Row>,
    cursor: usize,
    /// First visible row.
    pub offset: usize,
    /// The next frame moves the window to the selection.
    pub follow: bool,
    folded: HashSet<(usize, String)>,
    hints_folded: bool,
    /// What is to be selected when it comes: file name and index of the action.
    pub wanted: Option<(String, u16)>,
}

impl Overlays {
    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Row of the selection; `None` when there are no rows.
    pub fn cursor(&self) -> Option<usize> {
        (self.cursor < self.rows.len()).then_some(self.cursor)
    }

    /// The selected row.
    pub fn selected(&self) -> Option<Row> {
        self.rows.get(self.cursor).copied()
    }

    /// The number of the selected action.
    pub fn selected_item(&self) -> Option<usize> {
        match self.selected()? {
            Row::Action(at) => Some(at),
            Row::File(_) | Row::Hints | Row::Hint(_) => None,
        }
    }

    /// An action.
    pub fn item(&self, at: usize) -> Option<&Item> {
        self.index.items.get(at)
    }

    /// The overlay of the selected row.
    pub fn file(&self) -> Option<&FileEntry> {
        let at = match self.selected()? {
            Row::File(at) => at,
            Row::Action(at) => self.item(at)?.file,
            Row::Hints | Row::Hint(_) => return None,
        };
        self.index.files.get(at)
    }

    /// Is the overlay of that number folded?
    pub fn is_folded(&self, file: usize) -> bool {
        self.index.files.get(file).is_some_and(|file| self.folded.contains(&(file.upstream, file.name.clone())))
    }

    /// Number of actions that pass the filter.
    pub fn shown(&self) -> usize {
        self.index.items.iter().filter(|item| self.passes(item)).count()
    }

    fn passes(&self, item: &Item) -> bool {
        let name = self.index.files.get(item.file).map_or("", |file| file.name.as_str());
        self.query.holds(item, name)
    }

    /// Takes in other actions; the selection stays at the action with the same number in the same file.
    pub fn replace(&mut self, index: OverlayIndex) {
        let keep = self.wanted.take().or_else(|| self.identity());
        self.index = Arc::new(index);
        self.studies.clear();
        self.asked = None;
        self.version += 1;
        self.unroll();
        if let Some((name, action)) = keep
            && !self.select_named(&name, action)
        {
            self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        } else if self.cursor == 0 {
            self.first_action();
        }
        self.follow = true;
    }

    /// File name and index of the selected action.
    pub fn identity(&self) -> Option<(String, u16)> {
        let item = self.item(self.selected_item()?)?;
        Some((self.index.files.get(item.file)?.name.clone(), item.id.1))
    }

    fn select_named(&mut self, name: &str, action: u16) -> bool {
        let found = self.rows.iter().position(|row| match row {
            Row::Action(at) => self.item(*at).is_some_and(|item| {
                item.id.1 == action && self.index.files.get(item.file).is_some_and(|file| file.name == name)
            }),
            Row::File(_) | Row::Hints | Row::Hint(_) => false,
        });
        self.cursor = found.unwrap_or(self.cursor);
        found.is_some()
    }

    /// The heading of the first file says little: the first action is what one came for.
    fn first_action(&mut self) {
        self.cursor = self.rows.iter().position(|row| matches!(row, Row::Action(_))).unwrap_or(0);
    }

    /// Selects an action; what hides it is opened. False when there is none.
    pub fn select(&mut self, file: FileId, action: u16) -> bool {
        let Some(at) = self.index.find(file, action) else { return false };
        if !self.rows.contains(&Row::Action(at)) {
            self.filter.set("");
            self.query = ActionQuery::default();
            self.folded.clear();
            self.unroll();
        }
        self.cursor = self.rows.iter().position(|row| *row == Row::Action(at)).unwrap_or(0);
        self.follow = true;
        self.pane.rewind();
        true
    }

    /// Reads the filter anew.
    pub fn filtered(&mut self) {
        let keep = self.selected();
        self.query = ActionQuery::parse(self.filter.text());
        self.unroll();
        match self.rows.iter().position(|row| Some(*row) == keep) {
            Some(at) => self.cursor = at,
            None => self.first_action(),
        }
        self.follow = true;
        self.pane.rewind();
    }

    fn unroll(&mut self) {
        let index = self.index.clone();
        self.rows.clear();
        for (at, file) in index.files.iter().enumerate() {
            let items =
                (file.first..file.first + file.count).filter(|at| self.item(*at).is_some_and(|item| self.passes(item)));
            let items: Vec<Row> = items.map(Row::Action).collect();
            if items.is_empty() && !self.query.is_empty() {
                continue;
            }
            self.rows.push(Row::File(at));
            if !self.is_folded(at) {
                self.rows.extend(items);
            }
        }
        if !index.hints.is_empty() && self.query.is_empty() {
            self.rows.push(Row::Hints);
            if !self.hints_folded {
                self.rows.extend((0..index.hints.len()).map(Row::Hint));
            }
        }
    }

    /// Folds or unfolds the overlay of the selected row; the selection goes to its heading.
    pub fn fold(&mut self) {
        if matches!(self.selected(), Some(Row::Hints | Row::Hint(_))) {
            self.hints_folded = !self.hints_folded;
            self.unroll();
            self.cursor = self.rows.iter().position(|row| *row == Row::Hints).unwrap_or(0);
            self.follow = true;
            return;
        }
        let Some(file) = self.file() else { return };
        let (key, first) = ((file.upstream, file.name.clone()), file.first);
        if !self.folded.remove(&key) {
            self.folded.insert(key);
        }
        self.unroll();
        let index = self.index.clone();
        let heading =
            |row: &Row| matches!(row, Row::File(at) if index.files.get(*at).is_some_and(|file| file.first == first));
        self.cursor = self.rows.iter().position(heading).unwrap_or(0);
        self.follow = true;
    }

    /// Folds all overlays, or unfolds them all when one is folded. Gives whether they are open.
    pub fn fold_all(&mut self) -> bool {
        let open = !self.folded.is_empty();
        if open {
            self.folded.clear();
        } else {
            self.folded = self.index.files.iter().map(|file| (file.upstream, file.name.clone())).collect();
        }
        self.unroll();
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        self.follow = true;
        open
    }

    /// Moves the selection by that many rows; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
        self.follow = true;
    }

    /// Selects the next action (or the one before) for which `wanted` holds, without going around the end.
    pub fn seek(&mut self, forward: bool, wanted: impl Fn(&Item) -> bool) -> bool {
        let holds = |at: &usize| match self.rows.get(*at) {
            Some(Row::Action(item)) => self.item(*item).is_some_and(&wanted),
            _ => false,
        };
        let found = if forward {
            (self.cursor + 1..self.rows.len()).find(holds)
        } else {
            (0..self.cursor.min(self.rows.len())).rev().find(holds)
        };
        self.cursor = found.unwrap_or(self.cursor);
        self.follow = true;
        found.is_some()
    }

    /// Selects a row, if there is one.
    pub fn select_row(&mut self, row: usize) {
        if row < self.rows.len() {
            self.cursor = row;
        }
    }

    /// Moves the window by that many rows; the selection stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }

    /// Fits the window of `height` rows to the rows and, after a move, to the selection.
    pub fn fit(&mut self, height: usize) {
        self.offset = self.offset.min(self.rows.len().saturating_sub(height));
        if std::mem::take(&mut self.follow) {
            self.offset = window(self.offset, self.cursor, height);
            // The heading of the first action comes along.
            if self.offset == 1 && self.cursor < height {
                self.offset = 0;
            }
        }
    }

    /// What was found out about an action.
    pub fn study(&self, item: usize) -> Option<&Arc<Study>> {
        self.studies.iter().find(|(at, _)| *at == item).map(|(_, study)| study)
    }

    /// Keeps what was found out.
    pub fn keep(&mut self, item: usize, study: Arc<Study>) {
        self.studies.retain(|(at, _)| *at != item);
        self.studies.push_back((item, study));
        if self.studies.len() > MOST_STUDIES {
            self.studies.pop_front();
        }
        self.version += 1;
    }
}
