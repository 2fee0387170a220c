//! What actions do on the screen of overlays.

use std::sync::Arc;

use super::Part;
use super::index::OverlayIndex;
use super::list::Row;
use super::matches;
use super::page;
use super::study::{Study, StudyJob};
use crate::document::{FileId, Origin, Place};
use crate::tui::app::actions::Action;
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Focus};
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;

impl App {
    pub(crate) fn hindrance_of_overlays(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        let item = self.overlays.selected_item();
        match action {
            A::Sort => Some("actions are in the order in which they are applied"),
            A::Open | A::Edit | A::EditHere | A::Copy | A::ToggleAll if self.overlays.selected().is_none() => {
                Some("there is no overlay")
            }
            A::NextPart | A::PreviousPart | A::Moment if item.is_none() => Some("no action is selected"),
            A::NextAction | A::PreviousAction if self.overlays.index.items.is_empty() => Some("there is no action"),
            A::Toggle if !self.leads_on() => Some("this line leads nowhere"),
            _ => None,
        }
    }

    /// Takes in the actions of what was loaded.
    pub(crate) fn take_overlays(&mut self) {
        if let Some(snapshot) = self.snapshot.clone() {
            self.overlays.replace(OverlayIndex::new(&snapshot));
        }
    }

    /// Asks about the selected action, when its screen is shown and nothing is known of it.
    pub(crate) fn ask_study(&mut self) -> Option<Effect> {
        if self.screen != Screen::Overlays {
            return None;
        }
        let at = self.overlays.selected_item()?;
        if self.overlays.asked == Some(at) || self.overlays.study(at).is_some() {
            return None;
        }
        let snapshot = self.snapshot.clone()?;
        let item = self.overlays.item(at)?;
        let (upstream, trail) = (item.upstream, item.trail);
        self.overlays.generation += 1;
        self.overlays.asked = Some(at);
        let generation = self.overlays.generation;
        Some(Effect::Study(StudyJob { generation, snapshot, item: at, upstream, trail }))
    }

    pub(crate) fn studied(&mut self, generation: u64, item: usize, study: Arc<Study>) {
        if generation != self.overlays.generation {
            return;
        }
        self.overlays.asked = None;
        self.overlays.keep(item, study);
    }

    /// Makes the page of the selected row.
    pub(crate) fn freshen_overlay(&mut self, width: usize) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let Some(row) = self.overlays.selected() else { return };
        let shown = match row {
            Row::File(at) => Shown::Overlay(at, self.overlays.version),
            Row::Action(at) => Shown::Action(at, self.overlays.part, self.overlays.moment as u8, self.overlays.version),
        };
        let key = PageKey { shown, generation: self.shown_generation, checks: 0 };
        let mut pane = std::mem::take(&mut self.overlays.pane);
        pane.prepare(key, width, || {
            let study = self.overlays.selected_item().and_then(|at| self.overlays.study(at));
            let about = page::About {
                snapshot: &snapshot,
                catalog: &snapshot.catalog,
                tools: &self.index,
                index: &self.overlays.index,
                study: study.map(|study| &**study),
            };
            match row {
                Row::File(at) => self.overlays.index.files.get(at).map(|file| page::file(about, file)),
                Row::Action(at) => {
                    let (part, moment) = (self.overlays.part, self.overlays.moment);
                    self.overlays.item(at).map(|item| page::action(about, item, part, moment))
                }
            }
            .unwrap_or_default()
        });
        self.overlays.pane = pane;
    }

    /// What the title of the detail says at its right.
    pub(crate) fn overlay_title(&self) -> String {
        match self.overlays.selected_item().and_then(|at| self.overlays.item(at)) {
            Some(item) => matches::number(&self.overlays.index, item),
            None => self.overlays.file().map_or_else(String::new, |file| file.name.clone()),
        }
    }

    /// Where the selected row stands in its file.
    pub(crate) fn overlay_place(&self) -> Option<Place> {
        let file = self.overlays.file()?;
        let origin = match self.overlays.selected_item().and_then(|at| self.overlays.item(at)) {
            Some(item) => {
                let layers = self.snapshot.as_ref()?.overlays.get(item.upstream)?;
                layers.trails.get(item.trail)?.origin
            }
            None => Origin::new(file.id, 0, 0),
        };
        Some(Place { origin, pointer: "".into() })
    }

    pub(crate) fn open_overlay(&mut self) {
        match self.overlays.selected() {
            Some(Row::File(_)) => {
                self.overlays.fold();
                self.overlays.pane.rewind();
            }
            Some(Row::Action(_)) => self.focus = Focus::Detail,
            None => {}
        }
    }

    /// Opens a tab; where the detail is not on the screen, it comes there.
    pub(crate) fn open_part(&mut self, part: Part) {
        if self.overlays.part != part {
            self.overlays.part = part;
            self.overlays.pane.rewind();
        }
        if self.hits.one_pane {
            self.focus = Focus::Detail;
        }
    }

    pub(crate) fn turn_moment(&mut self) {
        self.overlays.moment = self.overlays.moment.next();
        self.overlays.part = Part::Document;
        self.overlays.pane.rewind();
        self.say(self.overlays.moment.label());
    }

    /// The next action or the one before, whatever has the focus: the tab stays.
    pub(crate) fn step_action(&mut self, forward: bool) {
        if !self.overlays.seek(forward, |_| true) {
            self.say(if forward { "this is the last action" } else { "this is the first action" });
        }
        self.overlays.pane.rewind();
    }

    /// The next action with something to be told.
    pub(crate) fn seek_flaw(&mut self, forward: bool) {
        let found = self.overlays.seek(forward, |item| item.marks.worst.is_some());
        if !found {
            self.say("no other action in this direction has a finding");
        }
        self.overlays.pane.rewind();
    }

    /// Shows an action on the screen of overlays.
    pub(crate) fn go_to_action(&mut self, file: FileId, action: u16) {
        if !self.overlays.select(file, action) {
            return self.complain("the action is not there any more");
        }
        if self.screen != Screen::Overlays {
            self.screen = Screen::Overlays;
            self.focus = Focus::List;
        }
    }
}
