//! The page beside the list: which pane it is on each screen, and made for what is selected.

use super::detail::{About, Tab};
use super::model::{App, Focus};
use super::pane::Pane;
use super::screens::Screen;
use super::tools::Entry;

impl App {
    /// Opens a tab; where the detail is not on the screen, it comes there.
    pub(super) fn open_tab(&mut self, tab: Tab) {
        self.detail.open(tab);
        if self.hits.one_pane {
            self.focus = Focus::Detail;
        }
    }

    /// The pane of the screen that is shown.
    pub(crate) fn pane(&self) -> &Pane {
        match self.screen {
            Screen::Tools => &self.detail.pane,
            Screen::Findings => &self.findings.pane,
            Screen::Overlays => &self.overlays.pane,
            Screen::Call => &self.call.pane,
            Screen::Wire => &self.wire.pane,
            Screen::Smoke => &self.smoke.pane,
            Screen::Targets => &self.table.pane,
        }
    }

    /// The same, to be changed.
    pub(crate) fn pane_mut(&mut self) -> &mut Pane {
        match self.screen {
            Screen::Tools => &mut self.detail.pane,
            Screen::Findings => &mut self.findings.pane,
            Screen::Overlays => &mut self.overlays.pane,
            Screen::Call => &mut self.call.pane,
            Screen::Wire => &mut self.wire.pane,
            Screen::Smoke => &mut self.smoke.pane,
            Screen::Targets => &mut self.table.pane,
        }
    }

    /// The tool of the table's selected row.
    pub(crate) fn table_tool(&self) -> Option<&Entry> {
        self.index.get(self.table.selected()?)
    }

    /// Is there anything of which the pane could tell?
    pub(crate) fn has_detail(&self) -> bool {
        match self.screen {
            Screen::Tools => self.list.selected().is_some(),
            Screen::Findings => self.findings.selected().is_some(),
            Screen::Overlays => self.overlays.selected().is_some() || self.overlays.editing.is_some(),
            Screen::Call => self.list.selected().is_some(),
            Screen::Wire => self.wire.selected().is_some(),
            Screen::Smoke => self.smoke.selected().is_some(),
            Screen::Targets => true,
        }
    }

    /// Makes the detail's page for what is selected now. Keys may come faster than frames, and what they do to the page
    /// must be done to the right one.
    pub(crate) fn freshen(&mut self) {
        let width = match (self.hits.detail_width, self.hits.one_pane) {
            (0, true) => usize::from(self.hits.body.width).saturating_sub(2),
            (width, _) => width,
        };
        self.prepare(width);
    }

    /// Makes the page for what is selected at a width.
    pub(crate) fn prepare(&mut self, width: usize) {
        match self.screen {
            Screen::Tools => {
                if let (Some(snapshot), Some(tool)) = (self.snapshot.clone(), self.list.selected()) {
                    let Self { index, checks, detail, shown_generation, .. } = self;
                    let about = About { snapshot: &snapshot, generation: *shown_generation, index, checks };
                    detail.prepare(about, tool, width);
                }
            }
            Screen::Findings => self.freshen_finding(width),
            Screen::Overlays if self.overlays.editing.is_some() => self.freshen_live(width),
            Screen::Overlays => self.freshen_overlay(width),
            Screen::Call => self.freshen_call(width),
            Screen::Wire => self.freshen_hop(width),
            Screen::Smoke => self.freshen_case(width),
            Screen::Targets => self.freshen_cell(width),
        }
    }
}
