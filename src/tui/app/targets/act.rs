//! What actions do on the screen of targets.

use super::page;
use super::table::Arrangement;
use crate::lint::Verdict;
use crate::tui::app::checks::CheckJob;
use crate::tui::app::message::Effect;
use crate::tui::app::model::App;
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;

impl App {
    /// Number of columns.
    pub(crate) fn target_count(&self) -> usize {
        self.choices.all.len()
    }

    /// Makes the table's rows anew while it is shown. Its tools are those of the list, and so is the selected one.
    pub(crate) fn refresh_table(&mut self) {
        if self.screen != Screen::Targets {
            // Its rows would be of tools that are gone by the time it is shown.
            return self.table.clear();
        }
        let checked = self.checks.checked.clone();
        let answers = checked.as_ref().map(|checked| (&checked.matrix, checked.worst.as_slice()));
        let keep = self.list.selected().filter(|_| self.table.cursor() > 0 || self.table.tools().is_empty());
        self.table.refresh(self.list.tools(), &self.index, answers, keep);
        self.table.pane.rewind();
    }

    /// The tool of the selected row becomes that of the list too.
    pub(crate) fn row_moved(&mut self) {
        let before = self.list.selected();
        if let Some(tool) = self.table.selected() {
            self.list.select(tool);
        }
        self.selection_moved(before);
        self.table.pane.rewind();
    }

    /// Makes the page of the selected cell.
    pub(crate) fn freshen_cell(&mut self, width: usize) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let (tool, target) = (self.table.selected(), self.table.column());
        let key = PageKey {
            shown: Shown::Cell(tool, target),
            generation: self.shown_generation,
            checks: self.checks.version,
        };
        let about = page::About { catalog: &snapshot.catalog, tools: &self.index, checks: &self.checks };
        self.table.pane.prepare(key, width, || page::lines(about, tool, target));
    }

    pub(crate) fn step_target(&mut self, forward: bool) {
        let count = self.target_count();
        self.table.step_column(forward, count);
        self.table.pane.rewind();
    }

    /// The next order of the rows.
    pub(crate) fn rearrange_table(&mut self) {
        self.table.arrangement = match self.table.arrangement {
            Arrangement::List => Arrangement::Name,
            Arrangement::Name => Arrangement::Worst,
            Arrangement::Worst => Arrangement::Target(self.table.column()),
            Arrangement::Target(_) => Arrangement::List,
        };
        self.refresh_table();
        let words = self.arrangement_words();
        self.say(words);
    }

    /// The order of the rows, in words.
    pub(crate) fn arrangement_words(&self) -> String {
        match self.table.arrangement {
            Arrangement::List => self.list.order.label().to_owned(),
            Arrangement::Name => "sorted by name".to_owned(),
            Arrangement::Worst => "the worst first".to_owned(),
            Arrangement::Target(target) => {
                let label = self.choices.all.get(target).map(crate::lint::TargetChoice::label).unwrap_or_default();
                format!("the worst for {label} first")
            }
        }
    }

    /// Selects the next tool that the selected target minds.
    pub(crate) fn seek_minded(&mut self, forward: bool) {
        let Some(checked) = self.checks.checked.clone() else { return self.say("the targets are being checked") };
        let (target, index) = (self.table.column(), &self.index);
        let found = self.table.seek(forward, |tool| {
            let exposed = index.get(tool).and_then(|entry| entry.exposed);
            exposed.is_some_and(|tool| checked.matrix.get(target, tool) > Verdict::Ok)
        });
        if !found {
            self.say("this target takes every tool of the table as it is");
        }
        self.row_moved();
    }

    /// Asks the targets, away from the screen.
    pub(crate) fn ask_targets(&mut self) -> Vec<Effect> {
        let Some(snapshot) = self.snapshot.clone() else { return Vec::new() };
        if self.base_choices.all.is_empty() {
            return Vec::new();
        }
        self.choices = self.base_choices.named(self.table.server.text());
        self.checks.generation += 1;
        self.checks.checking = true;
        self.checks.counting = true;
        vec![Effect::Check(CheckJob {
            generation: self.checks.generation,
            catalog: snapshot.catalog.clone(),
            choices: self.choices.clone(),
            counted: self.checks.counted.clone(),
        })]
    }
}
