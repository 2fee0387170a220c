//! The list of findings: which rows it shows, by kind, and which of them is selected.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::index::FindingIndex;
use super::query::FindingQuery;
use crate::derive::Catalog;
use crate::document::Severity;
use crate::lint::Matrix;
use crate::tui::app::field::Field;
use crate::tui::app::pane::{Pane, window};

/// Kinds with more findings than this are folded at first.
const MANY: usize = 20;

/// What the kinds are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingOrder {
    /// The worst first, then the most frequent.
    #[default]
    Worst,
    /// The most frequent first.
    Count,
    /// By name.
    Code,
}

impl FindingOrder {
    /// The next one.
    pub fn next(self) -> Self {
        match self {
            Self::Worst => Self::Count,
            Self::Count => Self::Code,
            Self::Code => Self::Worst,
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Worst => "the worst kinds first",
            Self::Count => "the most frequent kinds first",
            Self::Code => "kinds by name",
        }
    }
}

/// A kind of finding, with what passes the filter.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The code.
    pub code: &'static str,
    /// The findings, by number in the index.
    pub items: Vec<usize>,
    /// The worst severity.
    pub worst: Severity,
    /// For each target that minds how many of the findings it minds, by the target's number.
    pub targets: Vec<(usize, usize)>,
    /// Its findings are shown.
    pub open: bool,
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The heading of a kind, by its number.
    Kind(usize),
    /// A finding: the number of its kind, and its own in the index.
    Item(usize, usize),
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Findings {
    /// The filter as typed.
    pub filter: Field,
    /// The filter as understood.
    pub query: FindingQuery,
    /// What the kinds are ordered by.
    pub order: FindingOrder,
    /// What targets say that were not chosen is shown too.
    pub all_targets: bool,
    /// All findings.
    pub index: Arc<FindingIndex>,
    /// The page of the selected one.
    pub pane: Pane,
    kinds: Vec<Kind>,
    rows: Vec<Row>,
    shown: usize,
    cursor: usize,
    /// First visible row.
    pub offset: usize,
    /// The next frame moves the window to the selection.
    pub follow: bool,
    /// All kinds are open or folded; as their size says where it is not set.
    rule: Option<bool>,
    /// Kinds that are not as the rule says.
    toggled: HashSet<&'static str>,
    /// What was selected when it went away in a reload.
    lost: Option<Identity>,
}

/// A kind and, for one finding of it, its text.
type Identity = (&'static str, Option<String>);

impl Findings {
    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Number of findings that pass the filter.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// The kind of that number.
    pub fn kind(&self, at: usize) -> Option<&Kind> {
        self.kinds.get(at)
    }

    /// Row of the selection; `None` when there are no rows.
    pub fn cursor(&self) -> Option<usize> {
        (self.cursor < self.rows.len()).then_some(self.cursor)
    }

    /// The selected row.
    pub fn selected(&self) -> Option<Row> {
        self.rows.get(self.cursor).copied()
    }

    /// Takes in other findings; the selection stays at the same kind, and at the same tool of it.
    pub fn replace(&mut self, index: Arc<FindingIndex>, catalog: &Catalog, matrix: Option<&Matrix>) {
        let was = self.lost.take().or_else(|| self.identity());
        self.index = index;
        self.refresh(catalog, matrix);
        let Some((code, text)) = &was else { return };
        let same = |row: &Row| match (row, text) {
            (Row::Kind(at), None) => self.kind(*at).is_some_and(|kind| kind.code == *code),
            (Row::Item(_, at), Some(text)) => self.index.get(*at).is_some_and(|item| item.text == *text),
            _ => false,
        };
        match self.rows.iter().position(same) {
            Some(at) => self.cursor = at,
            // It may be what a target says that has not answered yet.
            None => self.lost = was,
        }
        self.follow = true;
    }

    /// What tells the selected row from others over reloads: its kind and, for a finding, its text. Nothing at the first
    /// row: where nobody has moved the first stays selected, whatever it is.
    fn identity(&self) -> Option<Identity> {
        if self.cursor == 0 {
            return None;
        }
        match self.selected()? {
            Row::Item(_, at) => self.index.get(at).map(|item| (item.code, Some(item.text.clone()))),
            Row::Kind(at) => self.kind(at).map(|kind| (kind.code, None)),
        }
    }

    /// Reads the filter anew.
    pub fn filtered(&mut self, catalog: &Catalog, matrix: Option<&Matrix>) {
        self.lost = None;
        self.query = FindingQuery::parse(self.filter.text());
        self.refresh(catalog, matrix);
    }

    /// Makes kinds and rows anew.
    pub fn refresh(&mut self, catalog: &Catalog, matrix: Option<&Matrix>) {
        let all = self.all_targets || self.query.asks_targets();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut known: HashMap<&'static str, usize> = HashMap::new();
        self.shown = 0;
        for (at, item) in self.index.iter() {
            if !(all || item.chosen) || !self.query.holds(item, catalog, &self.index, matrix) {
                continue;
            }
            self.shown += 1;
            let kind = *known.entry(item.code).or_insert_with(|| {
                let new =
                    Kind { code: item.code, items: Vec::new(), worst: item.severity, targets: Vec::new(), open: true };
                kinds.push(new);
                kinds.len() - 1
            });
            let Some(kind) = kinds.get_mut(kind) else { continue };
            kind.items.push(at);
            kind.worst = kind.worst.max(item.severity);
            for said in &item.said {
                let super::Said::Target(target, _) = *said else { continue };
                match kind.targets.iter_mut().find(|(known, _)| *known == target) {
                    Some((_, count)) => *count += 1,
                    None => kind.targets.push((target, 1)),
                }
            }
        }
        match self.order {
            FindingOrder::Worst => kinds.sort_by_key(|kind| (Reverse(kind.worst), Reverse(kind.items.len()))),
            FindingOrder::Count => kinds.sort_by_key(|kind| Reverse(kind.items.len())),
            FindingOrder::Code => kinds.sort_by_key(|kind| kind.code),
        }
        self.kinds = kinds;
        self.unroll();
    }

    /// Rows from kinds.
    fn unroll(&mut self) {
        self.rows.clear();
        for (at, kind) in self.kinds.iter_mut().enumerate() {
            let rule = self.rule.unwrap_or(kind.items.len() <= MANY);
            kind.open = rule != self.toggled.contains(kind.code);
            self.rows.push(Row::Kind(at));
            if kind.open {
                self.rows.extend(kind.items.iter().map(|item| Row::Item(at, *item)));
            }
        }
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        self.follow = true;
    }

    /// Folds or unfolds the kind of the selected row; the selection goes to its heading where its row is folded away.
    /// With `open` only if it is not so already. False when there is nothing to do.
    pub fn fold(&mut self, open: Option<bool>) -> bool {
        self.lost = None;
        let Some(row) = self.selected() else { return false };
        let (Row::Kind(at) | Row::Item(at, _)) = row;
        let Some(kind) = self.kinds.get(at) else { return false };
        if open == Some(kind.open) {
            return false;
        }
        let code = kind.code;
        if !self.toggled.remove(code) {
            self.toggled.insert(code);
        }
        self.unroll();
        self.cursor = self.rows.iter().position(|row| *row == Row::Kind(at)).unwrap_or(0);
        true
    }

    /// Unfolds all kinds, or folds them all when none is folded. Gives whether they are open.
    pub fn fold_all(&mut self) -> bool {
        self.lost = None;
        let open = self.kinds.iter().any(|kind| !kind.open);
        let at = self.selected().map(|row| match row {
            Row::Kind(at) | Row::Item(at, _) => at,
        });
        self.rule = Some(open);
        self.toggled.clear();
        self.unroll();
        self.cursor = self.rows.iter().position(|row| Some(*row) == at.map(Row::Kind)).unwrap_or(0);
        open
    }

    /// Moves the selection by that many rows; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        self.lost = None;
        self.cursor = self.cursor.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
        self.follow = true;
    }

    /// Selects a row, if there is one.
    pub fn select_row(&mut self, row: usize) {
        self.lost = None;
        if row < self.rows.len() {
            self.cursor = row;
        }
    }

    /// Selects the next (or the previous) heading, around the end.
    pub fn next_kind(&mut self, forward: bool) -> bool {
        self.lost = None;
        let count = self.rows.len();
        let found = (1..=count)
            .map(|step| if forward { (self.cursor + step) % count } else { (self.cursor + count - step) % count })
            .find(|row| matches!(self.rows.get(*row), Some(Row::Kind(_))));
        self.cursor = found.unwrap_or(self.cursor);
        self.follow = true;
        found.is_some()
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
        }
    }
}
