//! What actions do on the screen of findings.

use super::index::Said;
use super::list::Row;
use super::page;
use crate::document::{Finding, Place};
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Focus};
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;

impl App {
    /// Makes the page of the selected finding.
    pub(crate) fn freshen_finding(&mut self, width: usize) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let shown = match self.findings.selected() {
            Some(Row::Item(_, at)) => Shown::Finding(at),
            Some(Row::Kind(at)) => {
                let Some(kind) = self.findings.kind(at) else { return };
                Shown::Kind(kind.code, kind.items.len())
            }
            None => return,
        };
        let key = PageKey { shown, generation: self.shown_generation, checks: self.checks.version };
        let mut pane = std::mem::take(&mut self.findings.pane);
        pane.prepare(key, width, || {
            let about = page::About {
                catalog: &snapshot.catalog,
                tools: &self.index,
                checks: &self.checks,
                findings: &self.findings,
            };
            match self.findings.selected() {
                Some(Row::Item(_, at)) => self.findings.index.get(at).map(|item| page::item(about, item)),
                Some(Row::Kind(at)) => self.findings.kind(at).map(|kind| page::kind(about, kind)),
                None => None,
            }
            .unwrap_or_default()
        });
        self.findings.pane = pane;
    }

    /// The finding of the selected row, the first of those that say the same.
    pub(crate) fn selected_finding(&self) -> Option<&Finding> {
        let Some(Row::Item(_, at)) = self.findings.selected() else { return None };
        self.said(*self.findings.index.get(at)?.said.first()?)
    }

    fn said(&self, said: Said) -> Option<&Finding> {
        let catalog = &self.snapshot.as_ref()?.catalog;
        let matrix = self.checks.checked.as_ref().map(|checked| &checked.matrix);
        self.findings.index.finding(catalog, matrix, said)
    }

    /// The place of the selected finding; of a kind that of its first.
    pub(crate) fn finding_place(&self) -> Option<Place> {
        let item = match self.findings.selected()? {
            Row::Item(_, at) => at,
            Row::Kind(at) => *self.findings.kind(at)?.items.first()?,
        };
        self.said(*self.findings.index.get(item)?.said.first()?)?.place.clone()
    }

    /// Enter in the list: folds a kind, goes to the tool, or to the place where there is none.
    pub(crate) fn open_finding(&mut self) {
        match self.findings.selected() {
            Some(Row::Kind(_)) => {
                self.findings.fold(None);
                self.findings.pane.rewind();
            }
            Some(Row::Item(_, at)) => {
                let tool = self.findings.index.get(at).and_then(|item| item.tool);
                match tool.and_then(|all| self.index.number(all)) {
                    Some(tool) => self.jump(tool),
                    None => self.focus = Focus::Detail,
                }
            }
            None => {}
        }
    }

    /// Unfolds or folds the kind of the selected row.
    pub(crate) fn fold_finding(&mut self, open: bool) {
        if !self.findings.fold(Some(open)) {
            self.say(if open { "it is unfolded" } else { "it is folded" });
        }
        self.findings.pane.rewind();
    }

    /// Findings of all targets, or of the chosen ones.
    pub(crate) fn toggle_all_targets(&mut self) {
        self.findings.all_targets = !self.findings.all_targets;
        self.refresh_findings();
        let chosen: Vec<String> = self.choices.all.iter().take(self.choices.chosen).map(|one| one.label()).collect();
        self.say(if self.findings.all_targets {
            format!("findings of all {} targets", self.choices.all.len())
        } else {
            format!("findings of {}, and of others where they mind the same", chosen.join(", "))
        });
    }

    /// Rows anew, from other findings or another filter.
    pub(crate) fn refresh_findings(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let checked = self.checks.checked.clone();
        let matrix = checked.as_ref().map(|checked| &checked.matrix);
        self.findings.filtered(&snapshot.catalog, matrix);
        self.findings.pane.rewind();
    }

    /// Goes to a screen.
    pub(crate) fn show_screen(&mut self, screen: Screen) -> Vec<Effect> {
        self.layers.clear();
        self.focus = Focus::List;
        if self.screen != screen {
            self.screen = screen;
            self.refresh_table();
            let mut effects = self.draft();
            effects.extend(self.want_cases());
            return effects;
        }
        Vec::new()
    }
}
