//! State of the screen of smoke runs.

use std::collections::HashMap;
use std::sync::Arc;

use crate::derive::Tool;
use crate::session::plan::matches;
use crate::session::{CaseResult, Item, Plan, Totals, Verdict};
use crate::tui::app::field::Field;
use crate::tui::app::pane::{Pane, window};

/// Where cases can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Where the workspace says; in an environment that a suite names.
    Workspace,
    /// On a mock within the program.
    Mock,
    /// In an environment of the workspace.
    Environment {
        /// Its name.
        name: String,
        /// It is marked as production.
        production: bool,
    },
}

impl Place {
    /// Its name on the screen.
    pub fn label(&self) -> String {
        match self {
            Self::Workspace => "the API".to_owned(),
            Self::Mock => "mock".to_owned(),
            Self::Environment { name, production: true } => format!("{name} PRODUCTION"),
            Self::Environment { name, production: false } => name.clone(),
        }
    }
}

/// Asks for the cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanJob {
    /// To be named in the answer.
    pub generation: u64,
    /// Where they would run.
    pub place: Place,
}

/// The cases that there are.
#[derive(Clone, Debug)]
pub struct Planned {
    /// All of them.
    pub plan: Plan,
    /// Where they can be run; the first is where they run when nothing is chosen.
    pub places: Vec<Place>,
    /// A suite that cannot be read; its cases are not among them.
    pub fault: Option<String>,
}

/// Asks for a run.
#[derive(Clone, Debug)]
pub struct SmokeJob {
    /// To be named in the answers.
    pub number: u64,
    /// The cases.
    pub plan: Arc<Plan>,
    /// Where they run.
    pub place: Place,
}

impl PartialEq for SmokeJob {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number && Arc::ptr_eq(&self.plan, &other.plan)
    }
}

impl Eq for SmokeJob {}

/// The run that goes on.
#[derive(Clone, Debug)]
pub struct SmokeRun {
    /// Its number.
    pub number: u64,
    /// For each of its cases the place in the list.
    pub places: Vec<usize>,
    /// Cases that have ended.
    pub done: usize,
    /// It was asked to stop.
    pub stopping: bool,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Smoke {
    /// The cases; `None` until they were asked for.
    pub planned: Option<Arc<Planned>>,
    /// They are being asked for.
    pub planning: bool,
    /// Number of the newest question.
    pub generation: u64,
    /// What came of each case last.
    pub results: Vec<Option<Arc<CaseResult>>>,
    /// Cases whose call is under way.
    pub running: Vec<bool>,
    /// The cases that are listed.
    rows: Vec<usize>,
    cursor: usize,
    /// First visible row.
    pub offset: usize,
    /// The next frame moves the window to the selection.
    pub follow: bool,
    /// The filter above the list.
    pub filter: Field,
    /// The page of the selected case.
    pub pane: Pane,
    /// The run that goes on.
    pub run: Option<SmokeRun>,
    /// Number of the last run.
    pub number: u64,
    /// The person has said that cases may change something.
    pub allowed: bool,
    /// Where cases run: number in the places.
    pub place: usize,
    /// Waits for the person's yes: these cases.
    pub asked: Option<Vec<bool>>,
    /// Counts what the page is made of.
    pub version: u64,
}

impl Smoke {
    /// The case of a position.
    pub fn item(&self, at: usize) -> Option<&Item> {
        self.planned.as_ref()?.plan.items.get(at)
    }

    /// The tool of the selected case.
    pub fn tool(&self) -> Option<&Arc<Tool>> {
        self.item(self.selected()?)?.tool.as_ref()
    }

    /// What came of a case.
    pub fn result(&self, at: usize) -> Option<&Arc<CaseResult>> {
        self.results.get(at)?.as_ref()
    }

    /// The cases that are listed, by their position.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Row of the selection; `None` when there are no rows.
    pub fn cursor(&self) -> Option<usize> {
        (self.cursor < self.rows.len()).then_some(self.cursor)
    }

    /// Position of the selected case.
    pub fn selected(&self) -> Option<usize> {
        self.rows.get(self.cursor).copied()
    }

    /// Where cases run.
    pub fn place(&self) -> Place {
        let places = self.planned.as_ref().map_or(&[][..], |planned| &planned.places);
        places.get(self.place).cloned().unwrap_or(Place::Workspace)
    }

    /// Verdicts so far.
    pub fn totals(&self) -> Totals {
        Totals::of(self.results.iter().flatten().map(|result| &**result))
    }

    /// Takes in the cases. What is known of a case whose tool is the same stays.
    pub fn plan(&mut self, planned: Arc<Planned>) {
        let known: HashMap<(Arc<str>, String), (usize, Arc<CaseResult>)> = self
            .results
            .iter()
            .enumerate()
            .filter_map(|(at, result)| {
                let item = self.item(at)?;
                Some(((item.suite.clone(), item.case.name.clone()), (at, result.clone()?)))
            })
            .collect();
        let same = |one: &Item, other: &Item| match (&one.tool, &other.tool) {
            (Some(one), Some(other)) => Arc::ptr_eq(&one.operation, &other.operation),
            _ => false,
        };
        let kept = |item: &Item| {
            let (at, result) = known.get(&(item.suite.clone(), item.case.name.clone()))?;
            self.item(*at).is_some_and(|before| same(before, item)).then(|| result.clone())
        };
        let results = planned.plan.items.iter().map(kept).collect();
        self.results = results;
        self.running = vec![false; planned.plan.items.len()];
        self.planned = Some(planned);
        self.planning = false;
        self.refilter();
    }

    /// Lists what the filter takes. The selection stays at its case.
    pub fn refilter(&mut self) {
        let keep = self.selected();
        let words: Vec<String> = self.filter.text().split_whitespace().map(str::to_lowercase).collect();
        let count = self.planned.as_ref().map_or(0, |planned| planned.plan.items.len());
        let rows: Vec<usize> = (0..count).filter(|at| words.iter().all(|word| self.takes(*at, word))).collect();
        self.cursor = keep.and_then(|keep| rows.iter().position(|at| *at == keep)).unwrap_or(0);
        self.rows = rows;
        self.follow = true;
        self.touched();
        if keep != self.selected() {
            self.pane.rewind();
        }
    }

    fn takes(&self, at: usize, word: &str) -> bool {
        if let Some(word) = word.strip_prefix('!').filter(|word| !word.is_empty()) {
            return !self.takes(at, word);
        }
        let verdict = self.result(at).map(|result| result.verdict);
        if let Some(wanted) = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word) {
            return verdict == Some(wanted);
        }
        match word {
            "setup" | "teardown" => self.item(at).is_some_and(|item| item.role.word() == word),
            _ => self.item(at).is_some_and(|item| matches(item, word)),
        }
    }

    /// The filter speaks of verdicts, so the list changes with them.
    pub fn filters_verdicts(&self) -> bool {
        let is_verdict = |word: &str| Verdict::ALL.iter().any(|verdict| verdict.word() == word.trim_start_matches('!'));
        self.filter.text().split_whitespace().any(is_verdict)
    }

    /// The page tells of something that has changed.
    pub fn touched(&mut self) {
        self.version += 1;
    }

    /// Moves the selection by that many rows; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        self.select_row(self.cursor.saturating_add_signed(by));
        self.follow = true;
    }

    /// Selects a row.
    pub fn select_row(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.touched();
        self.pane.rewind();
    }

    /// Moves the window; the selection stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }

    /// Fits the window of `height` rows to the list and, after a move, to the selection.
    pub fn fit(&mut self, height: usize) {
        self.offset = self.offset.min(self.rows.len().saturating_sub(height));
        if self.follow {
            self.offset = window(self.offset, self.cursor, height);
            self.follow = false;
        }
    }

    /// Selects the next case that failed or drifted; says whether there is one.
    pub fn seek(&mut self, forward: bool) -> bool {
        let bad = |row: &usize| {
            let at = self.rows.get(*row).copied();
            at.and_then(|at| self.result(at)).is_some_and(|result| result.verdict.is_bad())
        };
        let (cursor, count) = (self.cursor, self.rows.len());
        let found = if forward {
            (cursor + 1..count).chain(0..cursor).find(bad)
        } else {
            (0..cursor).rev().chain((cursor + 1..count).rev()).find(bad)
        };
        if let Some(row) = found {
            self.select_row(row);
            self.follow = true;
        }
        found.is_some()
    }
}
