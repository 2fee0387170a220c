//! What actions do on the screen of overlays.

use std::sync::Arc;

use super::Part;
use super::index::OverlayIndex;
use super::list::Row;
use super::matches;
use super::page;
use super::study::{Study, StudyJob};
use crate::document::jsonpath::readable;
use crate::document::{Entry, FileId, Finding, Node, Origin, Place};
use crate::overlay::{Draft, Edit};
use crate::tui::app::actions::Action;
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Focus};
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;
use crate::tui::app::workbench::ActionRef;
use crate::workspace::{Fixer, operation_pointer};

impl App {
    pub(crate) fn hindrance_of_overlays(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        let item = self.overlays.selected_item();
        match action {
            A::Sort => Some("actions are in the order in which they are applied"),
            A::Open | A::Edit | A::EditHere | A::Copy | A::ToggleAll if self.overlays.selected().is_none() => {
                Some("there is no overlay")
            }
            A::EditHere if self.overlays.file().is_none() => Some("no overlay is selected"),
            A::TakeOver if !self.is_proposed() => Some("nothing is proposed for this row"),
            A::FixAction if self.findings_of_action().is_empty() => Some("nothing is wrong with this action"),
            A::NewOverlay if self.index.is_empty() => Some("there are no operations for an overlay to change"),
            A::NextPart | A::PreviousPart | A::Moment if item.is_none() => Some("no action is selected"),
            A::NextAction | A::PreviousAction if self.overlays.index.items.is_empty() => Some("there is no action"),
            A::Toggle if self.pane().line().is_none_or(|line| line.act.is_none()) => Some("this line leads nowhere"),
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
            Row::Hints => Shown::Hint(None, self.overlays.version),
            Row::Hint(at) => Shown::Hint(Some(at), self.overlays.version),
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
                Row::Hints => Some(page::hints(about)),
                Row::Hint(at) => self.overlays.index.hints.get(at).map(|item| page::hint(about, item)),
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
            None => self.overlays.file().map_or_else(|| "other programs".to_owned(), |file| file.name.clone()),
        }
    }

    /// Where the selected row stands in its file.
    pub(crate) fn overlay_place(&self) -> Option<Place> {
        if let Some(Row::Hint(at)) = self.overlays.selected() {
            return self.overlays.index.hints.get(at)?.hint.finding.place.clone();
        }
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
            Some(Row::File(_) | Row::Hints) => {
                self.overlays.fold();
                self.overlays.pane.rewind();
            }
            Some(Row::Action(_) | Row::Hint(_)) => self.focus = Focus::Detail,
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

    /// The findings of the selected action.
    fn findings_of_action(&self) -> Vec<&Finding> {
        let found = || {
            let snapshot = self.snapshot.as_ref()?;
            let item = self.overlays.item(self.overlays.selected_item()?)?;
            let trail = snapshot.overlays.get(item.upstream)?.trails.get(item.trail)?;
            let more = item.findings.iter().filter_map(|at| snapshot.catalog.findings.get(*at));
            Some(trail.findings.iter().chain(more).collect())
        };
        found().unwrap_or_default()
    }

    /// The finding that the line of the detail is about, else the worst of the selected action; of equals one that an
    /// overlay mends.
    pub(crate) fn finding_of_action(&self) -> Option<&Finding> {
        let all = self.findings_of_action();
        let snapshot = self.snapshot.as_ref()?;
        let line = (self.focus == Focus::Detail).then(|| self.pane().line()).flatten();
        let of_line = line.and_then(|line| {
            let text = line.text();
            all.iter().find(|finding| text.contains(finding.code) && finding.place == line.place)
        });
        let fixer = Fixer::new(snapshot);
        let rank = |finding: &&&Finding| (finding.severity, fixer.fix(finding).is_some());
        // The first of equals.
        of_line.or_else(|| all.iter().rev().max_by_key(rank)).copied()
    }

    /// Is something proposed for the selected row, as far as is known?
    fn is_proposed(&self) -> bool {
        match self.overlays.selected() {
            Some(Row::Hint(_) | Row::Hints) => true,
            Some(Row::Action(at)) => {
                self.overlays.item(at).is_some_and(|item| item.marks.no_match)
                    && self.overlays.study(at).is_none_or(|study| !study.proposals.is_empty())
            }
            Some(Row::File(_)) | None => false,
        }
    }

    /// Takes over what is proposed for the selected row: another target, or what another program's extension says. It is
    /// shown before it is kept.
    pub(crate) fn take_over(&mut self, which: usize) -> Vec<Effect> {
        match self.overlays.selected() {
            Some(Row::Action(at)) => self.retarget(at, which),
            Some(Row::Hint(at)) => {
                let Some(item) = self.overlays.index.hints.get(at).cloned() else { return Vec::new() };
                let label = format!("{} as x-mcp-*", item.hint.extension);
                self.convert(&label, item.upstream, item.hint.drafts)
            }
            Some(Row::Hints) => {
                let hints = self.overlays.index.hints.clone();
                let Some(upstream) = hints.first().map(|item| item.upstream) else { return Vec::new() };
                let mine = hints.into_iter().filter(|item| item.upstream == upstream);
                let drafts: Vec<Draft> = mine.flat_map(|item| item.hint.drafts).collect();
                let label = format!("{} extensions as x-mcp-*", drafts.len());
                self.convert(&label, upstream, drafts)
            }
            Some(Row::File(_)) | None => {
                self.complain("nothing is proposed for a whole overlay; select an action");
                Vec::new()
            }
        }
    }

    fn retarget(&mut self, at: usize, which: usize) -> Vec<Effect> {
        let Some(item) = self.overlays.item(at).cloned() else { return Vec::new() };
        let study = self.overlays.study(at).cloned();
        let Some(proposal) = study.as_ref().and_then(|study| study.proposals.get(which)) else {
            self.complain("one moment: what is like the target is still looked for");
            return Vec::new();
        };
        let Some(path) = self.path_of_item(&item) else {
            self.complain("this overlay is no file, so it cannot be changed here");
            return Vec::new();
        };
        let index = usize::from(item.id.1);
        let label = format!("target of action {}", index + 1);
        let action = ActionRef { file: path, index, upstream: item.upstream };
        self.preview_edits(&label, &action, vec![Edit::retarget(index, &proposal.target)])
    }

    fn path_of_item(&self, item: &super::Item) -> Option<std::path::PathBuf> {
        let file = self.overlays.index.files.get(item.file)?;
        let overlays = self.snapshot.as_ref()?.overlays.get(item.upstream)?;
        overlays.files.get(file.overlay)?.path.clone()
    }

    fn convert(&mut self, label: &str, upstream: usize, drafts: Vec<Draft>) -> Vec<Effect> {
        let files = self.overlays_of(upstream);
        self.preview_actions(label, upstream, files, drafts)
    }

    /// An overlay from nothing, with one action that says of the selected tool what is said of it already.
    pub(crate) fn new_overlay(&mut self) -> Vec<Effect> {
        let own = self.overlays.file().map(|file| file.upstream);
        let selected = self.selected().filter(|entry| own.is_none_or(|own| entry.tool.upstream == own));
        let Some(tool) =
            selected.or_else(|| self.index.iter().find(|entry| own.is_none_or(|own| entry.tool.upstream == own)))
        else {
            return Vec::new();
        };
        let operation = &tool.tool.operation;
        let target = readable(&operation_pointer(&operation.place.pointer));
        let words = operation.title.clone().unwrap_or_else(|| operation.description.clone());
        let nowhere = Origin::new(FileId(0), 0, 0);
        let text = if words.trim().is_empty() { "What the tool does".to_owned() } else { words };
        let member = Entry { key: "summary".into(), key_origin: nowhere, value: Node::string(text, nowhere) };
        let draft = Draft::update(&target, Node::map(vec![member], nowhere));
        let upstream = tool.tool.upstream;
        self.preview_actions("new overlay", upstream, Vec::new(), vec![draft])
    }

    /// Shows an action on the screen of overlays.
    pub(crate) fn go_to_action(&mut self, file: FileId, action: u16) {
        if !self.overlays.select(file, action) {
            return self.complain("the action is not there any more");
        }
        // What was typed is in the draft.
        self.overlays.editing = None;
        if self.screen != Screen::Overlays {
            self.screen = Screen::Overlays;
            self.focus = Focus::List;
        }
    }
}
