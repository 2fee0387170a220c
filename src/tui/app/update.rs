//! Messages: what a load or a changed file does to the state.

use std::sync::Arc;

use super::checks::{Checked, Checks};
use super::findings::FindingIndex;
use super::message::{Effect, LoadFailure, Msg};
use super::model::App;
use super::tools::Index;
use crate::workspace::Snapshot;

impl App {
    /// Starts a load; an older one no longer counts.
    pub(crate) fn reload(&mut self) -> Vec<Effect> {
        self.load.generation += 1;
        self.load.running = true;
        self.load.progress = None;
        vec![Effect::Load { generation: self.load.generation }]
    }

    /// Takes in a message and names what is to be done.
    pub fn update(&mut self, msg: Msg) -> Vec<Effect> {
        let mut effects = self.take_message(msg);
        effects.extend(self.follow_drafts());
        effects
    }

    fn take_message(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Reading { generation, done, total } => {
                if generation == self.load.generation && self.load.running {
                    self.load.progress = Some((done, total));
                }
                Vec::new()
            }
            Msg::Loaded(generation, _) if generation != self.load.generation => Vec::new(),
            Msg::Loaded(_, Ok(snapshot)) => self.saved_loaded(snapshot),
            Msg::Loaded(_, Err(failure)) => self.failed(*failure),
            Msg::FilesChanged => self.reload(),
            Msg::OverlaysRead(files) => {
                self.overlays_read(files);
                Vec::new()
            }
            Msg::Derived(generation, result) => self.derived(generation, result),
            Msg::Previewed(generation, result) => {
                self.previewed(generation, result);
                Vec::new()
            }
            Msg::OverlaySaved(file, text, result) => self.overlay_saved(&file, text, result),
            Msg::Hosted => self.draft(),
            Msg::Checked(generation, checked) => {
                if generation == self.checks.generation {
                    self.checked(checked);
                }
                Vec::new()
            }
            Msg::Counted(generation, counted) => {
                if generation == self.checks.generation {
                    self.checks.counting = false;
                    self.checks.counted = Some(counted);
                    self.checks.version += 1;
                }
                Vec::new()
            }
            Msg::Studied(generation, item, study) => {
                self.studied(generation, item, study);
                self.ask_study().into_iter().collect()
            }
            Msg::TextChecked(generation, checked) => {
                self.text_checked(generation, checked);
                Vec::new()
            }
            Msg::Judged(generation, judged) => {
                self.judged(generation, judged);
                Vec::new()
            }
            Msg::Ticked(number, elapsed) => {
                if let Some(running) = self.call.running.as_mut().filter(|running| running.number == number) {
                    running.elapsed = elapsed;
                }
                Vec::new()
            }
            Msg::Answered(number, outcome) => {
                self.answered(number, outcome);
                Vec::new()
            }
            Msg::Recorded(calls) => {
                self.recorded(calls);
                Vec::new()
            }
            Msg::Served(result) => {
                self.served(result);
                Vec::new()
            }
            Msg::NotServed(why) => {
                self.complain(format!("the proxy keeps the tools from before: {why}"));
                Vec::new()
            }
            Msg::DraftWritten(result) => {
                self.draft_written(result);
                Vec::new()
            }
            Msg::DraftRead(result) => self.draft_read(result),
            Msg::Exported(result) => {
                self.exported(result);
                Vec::new()
            }
            Msg::SmokePlanned(generation, planned) => {
                self.cases_planned(generation, planned);
                Vec::new()
            }
            Msg::SmokeWentOn(number, news) => {
                self.smoke_went_on(number, news);
                Vec::new()
            }
            Msg::SmokeEnded(number, result) => {
                self.smoke_ended(number, result);
                Vec::new()
            }
            Msg::WatchFailed(why) => {
                self.complain(format!("changes of files are not seen: {why}; r reads them again"));
                Vec::new()
            }
        }
    }

    /// Shows tools: those of the files, or those that the drafts give.
    pub(super) fn show(&mut self, snapshot: Arc<Snapshot>) -> Vec<Effect> {
        let catalog = &*snapshot.catalog;
        let was = self.snapshot.as_ref().zip(self.list.selected());
        let id = was.and_then(|(old, tool)| self.index.id(&old.catalog, tool));
        self.index = Index::new(catalog);
        let keep = id.as_ref().and_then(|id| self.index.find(catalog, id));
        // Answers of targets are about the tools that were.
        self.checks = Checks { generation: self.checks.generation, version: self.checks.version, ..Checks::default() };
        self.list.refresh(&self.index, catalog, None, keep);
        if keep.is_none() {
            self.detail.reset();
        }
        self.shown_generation += 1;
        let findings = Arc::new(FindingIndex::new(catalog, Vec::new(), None));
        self.findings.replace(findings, catalog, None);
        self.snapshot = Some(snapshot);
        self.take_overlays();
        self.restore_selection();
        self.refresh_table();
        let mut effects = self.ask_targets();
        effects.extend(self.ask_study());
        effects.extend(self.cases_changed());
        effects
    }

    /// Targets have answered: what shows or asks for their answers is made anew.
    fn checked(&mut self, checked: Arc<Checked>) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let catalog = &*snapshot.catalog;
        self.findings.replace(checked.findings.clone(), catalog, Some(&checked.matrix));
        self.checks.checking = false;
        self.checks.checked = Some(checked.clone());
        self.checks.version += 1;
        if self.list.query.asks_targets() {
            let keep = self.list.selected();
            self.list.refresh(&self.index, catalog, Some(&checked.matrix), keep);
            self.selection_moved(keep);
        }
        self.refresh_table();
    }

    fn failed(&mut self, failure: LoadFailure) -> Vec<Effect> {
        self.load.running = false;
        self.load.asked = false;
        // What made the last good catalog stays watched: the fault may be mended there.
        let mut files = failure.files.clone();
        let known = self.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.files);
        files.extend(known.iter().filter(|file| !failure.files.contains(file)).cloned());
        self.load.failure = Some(failure);
        self.offer_recovery();
        self.watch(files)
    }

    pub(super) fn watch(&mut self, files: Vec<std::path::PathBuf>) -> Vec<Effect> {
        if self.watched == files {
            return Vec::new();
        }
        self.watched.clone_from(&files);
        vec![Effect::Watch(files)]
    }
}
