//! Where the cursor goes: by rows and pages, to the next problem, to a tool.

use super::model::{App, Focus, Layer};
use super::screens::Screen;
use super::tools::Marks;
use crate::document::Severity;

impl App {
    /// Rows of a page of what has the focus.
    pub(crate) fn page(&self) -> isize {
        let rows = match self.focus {
            Focus::Detail => self.hits.detail_height,
            Focus::List | Focus::Filter | Focus::Editor => self.hits.list_height,
        };
        // One row stays, so that the eye finds its place.
        isize::try_from(rows.saturating_sub(1).max(1)).unwrap_or(1)
    }

    pub(super) fn step(&mut self, by: isize) {
        if let Some(Layer::Help(offset)) = self.layers.last_mut() {
            *offset = offset.saturating_add_signed(by);
            return;
        }
        if self.snapshot.is_none() {
            self.fault_offset = self.fault_offset.saturating_add_signed(by);
            return;
        }
        match self.focus {
            Focus::Detail => {
                self.freshen();
                self.pane_mut().step(by);
            }
            Focus::List | Focus::Filter | Focus::Editor => self.list_step(by),
        }
    }

    pub(crate) fn list_step(&mut self, by: isize) {
        match self.screen {
            Screen::Tools => {}
            Screen::Findings => {
                self.findings.step(by);
                return self.findings.pane.rewind();
            }
            Screen::Overlays => {
                if let Some(editing) = self.overlays.editing.as_mut() {
                    return editing.editor.step(by);
                }
                self.overlays.step(by);
                return self.overlays.pane.rewind();
            }
            Screen::Call => return self.call.editor.step(by),
            Screen::Wire => return self.wire.step(by),
            Screen::Smoke => return self.smoke.step(by),
            Screen::Targets => {
                self.table.step(by);
                return self.row_moved();
            }
        }
        let before = self.list.selected();
        match by {
            isize::MIN => self.list.first(),
            isize::MAX => self.list.last(),
            by => self.list.step(by),
        }
        self.selection_moved(before);
    }

    /// The detail begins anew when another tool is selected.
    pub(crate) fn selection_moved(&mut self, before: Option<usize>) {
        if self.list.selected() != before {
            self.detail.reset();
        }
        if self.list.selected().is_none() && matches!(self.focus, Focus::Detail | Focus::Editor) {
            self.focus = Focus::List;
        }
    }

    pub(super) fn seek_problem(&mut self, forward: bool) {
        match self.screen {
            Screen::Tools => {}
            Screen::Findings => {
                self.findings.next_kind(forward);
                return self.findings.pane.rewind();
            }
            Screen::Overlays => return self.seek_flaw(forward),
            Screen::Call => return,
            Screen::Wire => return self.seek_failed(forward),
            Screen::Smoke => return self.seek_bad_case(forward),
            Screen::Targets => return self.seek_minded(forward),
        }
        let before = self.list.selected();
        let Self { list, index, .. } = self;
        let found = list.seek(forward, |tool| {
            let problem = |marks: Marks| marks.conflict || marks.truncated || marks.finding >= Some(Severity::Warning);
            index.get(tool).is_some_and(|entry| problem(entry.marks))
        });
        if !found {
            self.say("no tool in the list has a conflict, a cut, an error or a warning");
        }
        self.selection_moved(before);
    }

    /// Shows a tool on the screen of tools.
    pub(crate) fn jump(&mut self, tool: usize) {
        if self.screen != Screen::Tools {
            self.screen = Screen::Tools;
            self.focus = Focus::List;
        }
        let before = self.list.selected();
        if !self.list.select(tool) {
            // The filter hides it, and a jump is worth more than a filter.
            self.list.filter.set("");
            self.refilter();
            self.list.select(tool);
        }
        self.selection_moved(before);
    }
}
