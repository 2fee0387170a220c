//! What a list shows and in which order: its filter, groups and order on each screen.

use super::field::Field;
use super::model::App;
use super::screens::Screen;

impl App {
    /// The filter has changed.
    pub(crate) fn refilter(&mut self) {
        if self.screen == Screen::Findings {
            return self.refresh_findings();
        }
        if self.screen == Screen::Smoke {
            return self.smoke.refilter();
        }
        if self.screen == Screen::Overlays {
            return self.overlays.filtered();
        }
        let Some(snapshot) = self.snapshot.clone() else { return };
        let before = self.list.selected();
        let checked = self.checks.checked.clone();
        self.list.filtered(&self.index, &snapshot.catalog, checked.as_ref().map(|checked| &checked.matrix));
        self.selection_moved(before);
        self.refresh_table();
    }

    /// The filter of the screen.
    pub(crate) fn filter_mut(&mut self) -> &mut Field {
        match self.screen {
            Screen::Tools | Screen::Targets | Screen::Call | Screen::Wire => &mut self.list.filter,
            Screen::Findings => &mut self.findings.filter,
            Screen::Overlays => &mut self.overlays.filter,
            Screen::Smoke => &mut self.smoke.filter,
        }
    }

    /// The same, to be read, and what is wrong with it.
    pub(crate) fn filter(&self) -> (&Field, Option<&str>) {
        match self.screen {
            Screen::Tools | Screen::Targets | Screen::Call | Screen::Wire => {
                (&self.list.filter, self.list.query.problem.as_deref())
            }
            Screen::Findings => (&self.findings.filter, self.findings.query.problem.as_deref()),
            Screen::Overlays => (&self.overlays.filter, self.overlays.query.problem.as_deref()),
            Screen::Smoke => (&self.smoke.filter, None),
        }
    }

    fn rearrange(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let keep = self.list.selected();
        let checked = self.checks.checked.clone();
        self.list.refresh(&self.index, &snapshot.catalog, checked.as_ref().map(|checked| &checked.matrix), keep);
    }

    pub(super) fn regroup(&mut self) {
        self.list.grouping = self.list.grouping.next();
        self.rearrange();
        self.say(self.list.grouping.label());
    }

    pub(super) fn resort(&mut self) {
        match self.screen {
            Screen::Tools => {}
            Screen::Findings => {
                self.findings.order = self.findings.order.next();
                self.refresh_findings();
                return self.say(self.findings.order.label());
            }
            Screen::Overlays | Screen::Call | Screen::Wire | Screen::Smoke => return,
            Screen::Targets => return self.rearrange_table(),
        }
        self.list.order = self.list.order.next();
        self.rearrange();
        self.say(self.list.order.label());
    }
}
