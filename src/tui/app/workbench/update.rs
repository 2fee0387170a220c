//! What files, derivations and saves answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::drafts::OverlayText;
use super::state::{Derived, NotSaved, Written};
use crate::tui::app::message::{Effect, LoadFailure};
use crate::tui::app::model::{App, Layer, WorkLayer};
use crate::tui::runtime::Control;
use crate::workspace::Snapshot;

impl App {
    /// The overlay files were read along with a load.
    pub(crate) fn overlays_read(&mut self, files: Vec<OverlayText>) {
        let mut news = Vec::new();
        for file in files {
            let name = file.name.clone();
            if self.workbench.drafts.read(file) {
                news.push(name);
            }
        }
        if !news.is_empty() {
            let names = news.join(", ");
            self.complain(format!("{names} was changed by somebody else; your edits stay, S shows both"));
        }
    }

    /// The files were loaded: what is shown is that, or what the drafts make of it.
    pub(crate) fn saved_loaded(&mut self, snapshot: Arc<Snapshot>) -> Vec<Effect> {
        self.load.running = false;
        self.load.failure = None;
        if std::mem::take(&mut self.load.asked) && self.note.is_none() {
            self.say("all files are read again");
        }
        let files = snapshot.files.clone();
        self.workbench.saved = Some(snapshot.clone());
        let mut effects = self.watch(files);
        if self.workbench.drafts.instead().is_empty() || self.snapshot.is_none() {
            self.workbench.problem = None;
            self.workbench.difference = None;
            effects.extend(self.show(snapshot));
            effects.extend(self.draft());
        }
        if self.workbench.drafts.instead().is_empty() {
            // What was derived before is about files that were.
            self.workbench.generation += 1;
            self.workbench.deriving = false;
        } else {
            effects.extend(self.derive_drafts());
        }
        effects.extend(self.remember_drafts());
        self.offer_recovery();
        effects
    }

    /// Offers what an earlier run left, once there is a screen to see it on.
    pub(crate) fn offer_recovery(&mut self) {
        let is_offered = self.layers.iter().any(|layer| matches!(layer, Layer::Work(WorkLayer::Recover)));
        if self.workbench.recovery.is_some() && !self.workbench.is_offered && !is_offered {
            self.workbench.is_offered = true;
            self.layers.push(Layer::Work(WorkLayer::Recover));
        }
    }

    /// The drafts were derived, or could not be.
    pub(crate) fn derived(&mut self, generation: u64, result: Result<Arc<Derived>, Box<LoadFailure>>) -> Vec<Effect> {
        if generation != self.workbench.generation {
            return Vec::new();
        }
        self.workbench.deriving = false;
        match result {
            Ok(derived) => {
                self.workbench.problem = None;
                self.workbench.difference = Some(derived.difference.clone());
                let mut effects = self.show(derived.snapshot.clone());
                effects.push(Effect::Host);
                effects
            }
            Err(failure) => {
                self.workbench.problem = Some(*failure);
                Vec::new()
            }
        }
    }

    /// A text was written, or was not.
    pub(crate) fn overlay_saved(
        &mut self,
        file: &Path,
        text: String,
        result: Result<Written, NotSaved>,
    ) -> Vec<Effect> {
        self.workbench.saving = self.workbench.saving.saturating_sub(1);
        let name = self.workbench.drafts.name(file).unwrap_or_default().to_owned();
        match result {
            Ok(Written::File(written)) => {
                self.workbench.drafts.saved(written);
                match self.workbench.drafts.unnamed(file) {
                    Some(_) => {
                        let words = format!(
                            "{name} is saved; next time start with --overlay {name}, or name it in the workspace file"
                        );
                        self.say(words);
                    }
                    None => self.say(format!("{name} is saved")),
                }
            }
            Ok(Written::Elsewhere(path)) => {
                self.workbench.drafts.kept(file, text);
                self.say(format!("{name} is built in; your text is in {}", path.display()));
            }
            Err(NotSaved::Changed(theirs)) => {
                self.workbench.leaving = false;
                self.workbench.drafts.disagrees(theirs);
                self.show_disagreement(file);
                return Vec::new();
            }
            Err(NotSaved::Failed(why)) => {
                self.workbench.leaving = false;
                self.complain(why);
                return Vec::new();
            }
        }
        if self.workbench.saving > 0 {
            return Vec::new();
        }
        let mut effects = self.remember_drafts();
        if self.workbench.leaving && self.workbench.unsaved() == 0 {
            self.control = Some(Control::Quit);
        } else {
            self.workbench.leaving = false;
            // The watcher may be slow or missing.
            effects.extend(self.reload());
        }
        effects
    }

    /// Overlay files that edits of an upstream can go to, in the order in which they are applied.
    pub fn overlays_of(&self, upstream: usize) -> Vec<PathBuf> {
        let known = self.snapshot.as_ref().and_then(|snapshot| snapshot.overlays.get(upstream));
        known.into_iter().flat_map(|overlays| &overlays.files).filter_map(|file| file.path.clone()).collect()
    }
}
