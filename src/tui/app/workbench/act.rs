//! What a person does to drafts.

use std::path::Path;

use crossterm::event::{KeyCode, KeyEvent};

use super::drafts::OverlayText;
use super::leave::{Choice, Disagreement};
use super::recovery;
use super::state::{DeriveJob, SaveJob};
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Layer, WorkLayer};
use crate::tui::runtime::Control;

/// Lines of a page of a layer.
const PAGE: isize = 10;

impl App {
    /// The text of an overlay file as it is edited.
    pub fn overlay_text(&self, file: &Path) -> Option<&str> {
        self.workbench.drafts.text(file)
    }

    /// Gives an overlay file another text, as one step that can be undone, and derives the tools anew.
    pub fn edit_overlay(&mut self, label: &str, file: &Path, text: &str) -> Vec<Effect> {
        if self.workbench.drafts.edit(label, file, text) { self.drafts_changed() } else { Vec::new() }
    }

    /// The same for what is typed: letters that follow each other are one step.
    pub fn type_overlay(&mut self, file: &Path, text: &str) -> Vec<Effect> {
        if self.workbench.drafts.type_in(file, text) { self.drafts_changed() } else { Vec::new() }
    }

    /// The tools are derived anew, and what is unsaved is remembered.
    pub(crate) fn drafts_changed(&mut self) -> Vec<Effect> {
        let mut effects = self.derive_drafts();
        effects.extend(self.remember_drafts());
        effects
    }

    /// Asks for the tools that the drafts give; an older question no longer counts.
    pub(super) fn derive_drafts(&mut self) -> Vec<Effect> {
        let workbench = &mut self.workbench;
        let drafts = workbench.drafts.instead();
        workbench.generation += 1;
        if drafts.is_empty() && workbench.saved.is_none() {
            // The files themselves cannot be loaded, which is told already.
            workbench.problem = None;
            return Vec::new();
        }
        workbench.deriving = true;
        let saved = workbench.drafts.unnamed_saved();
        vec![Effect::Derive(DeriveJob { generation: workbench.generation, drafts, saved })]
    }

    pub(super) fn remember_drafts(&mut self) -> Vec<Effect> {
        let text = recovery::to_json(&self.workbench.drafts);
        if text == self.workbench.remembered && self.workbench.settled.is_none() {
            return Vec::new();
        }
        self.workbench.remembered.clone_from(&text);
        vec![Effect::Remember { text, instead_of: self.workbench.settled.clone() }]
    }

    /// What is unsaved, and the recovery file of an earlier run that is settled: for the end of the program.
    pub(crate) fn unsaved_text(&self) -> (Option<String>, Option<&Path>) {
        (recovery::to_json(&self.workbench.drafts), self.workbench.settled.as_deref())
    }

    pub(crate) fn undo(&mut self) -> Vec<Effect> {
        let undone = self.workbench.drafts.undo();
        self.stepped("undone", undone)
    }

    pub(crate) fn redo(&mut self) -> Vec<Effect> {
        let redone = self.workbench.drafts.redo();
        self.stepped("done again", redone)
    }

    fn stepped(&mut self, what: &str, step: Result<String, String>) -> Vec<Effect> {
        match step {
            Ok(label) => {
                self.say(format!("{what}: {label}"));
                self.drafts_changed()
            }
            Err(why) => {
                self.complain(why);
                Vec::new()
            }
        }
    }

    /// Writes everything that is unsaved.
    pub(crate) fn save_drafts(&mut self) -> Vec<Effect> {
        let files = self.workbench.drafts.dirty_files();
        let mut effects = Vec::new();
        for file in &files {
            if self.workbench.drafts.theirs(file).is_some() {
                self.workbench.leaving = false;
                self.show_disagreement(file);
                continue;
            }
            let Some((base, text)) = self.workbench.drafts.to_save(file) else { continue };
            effects.push(Effect::SaveOverlay(SaveJob { base, text }));
        }
        self.workbench.saving += effects.len();
        effects
    }

    /// Shows what both sides changed in a file.
    pub(crate) fn show_disagreement(&mut self, file: &Path) {
        let drafts = &self.workbench.drafts;
        let (Some(base), Some(theirs)) = (drafts.base(file), drafts.theirs(file)) else { return };
        let mine = drafts.text(file).unwrap_or_default();
        let now = theirs.exists().then_some(theirs.text.as_str());
        let name = drafts.name(file).unwrap_or_default().to_owned();
        let view = Disagreement::new(file.to_owned(), name, &base.text, mine, now);
        self.layers.push(Layer::Work(WorkLayer::Disagree(Box::new(view))));
    }

    /// Settles a disagreement.
    fn settle(&mut self, view: &Disagreement, choice: Choice) -> Vec<Effect> {
        let name = &view.name;
        let settled = match choice {
            Choice::KeepEditing => {
                self.say(format!("{name} is as somebody else left it, and your text is not saved"));
                false
            }
            Choice::TakeTheirs => {
                self.say(format!("{name} is as it is in the file; undo brings your text back"));
                self.workbench.drafts.settle("take the file's text", &view.path, None)
            }
            Choice::Merge => {
                let (text, conflicts) = (view.merged(), view.conflicts());
                let settled = self.workbench.drafts.settle("merge", &view.path, Some(&text));
                if conflicts == 0 {
                    self.say(format!("{name} has both changes now; nothing is saved yet"));
                } else {
                    self.complain(format!("{name} has both texts at {conflicts} places, between marks; edit them"));
                }
                settled
            }
        };
        if settled { self.drafts_changed() } else { Vec::new() }
    }

    /// Asks what is to become of what is unsaved, before the program ends.
    pub(crate) fn ask_before_leaving(&mut self) {
        self.layers.push(Layer::Work(WorkLayer::Leave));
    }

    /// Keys over a layer of the workbench.
    pub(crate) fn work_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(Layer::Work(layer)) = self.layers.last().cloned() else { return Vec::new() };
        match layer {
            WorkLayer::Leave => self.leave_key(key),
            WorkLayer::Recover => self.recover_key(key),
            WorkLayer::Disagree(view) => self.disagree_key(key, &view),
            WorkLayer::Menu(_) => self.menu_key(key),
            WorkLayer::Preview(_) => self.preview_key(key),
        }
    }

    fn leave_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        match key.code {
            KeyCode::Char('s') | KeyCode::Enter => {
                self.layers.pop();
                self.workbench.leaving = true;
                return self.save_drafts();
            }
            KeyCode::Char('d') => {
                self.layers.pop();
                for file in self.workbench.drafts.dirty_files() {
                    self.workbench.drafts.discard(&file);
                }
                self.control = Some(Control::Quit);
                return self.remember_drafts();
            }
            KeyCode::Esc | KeyCode::Char('q' | 'n') => {
                self.layers.pop();
            }
            _ => {}
        }
        Vec::new()
    }

    fn disagree_key(&mut self, key: KeyEvent, view: &Disagreement) -> Vec<Effect> {
        let choice = match key.code {
            KeyCode::Char('m') if !view.is_gone => Choice::Merge,
            KeyCode::Char('t') => Choice::TakeTheirs,
            KeyCode::Esc | KeyCode::Char('q' | 'k') => Choice::KeepEditing,
            code => {
                let Some(Layer::Work(WorkLayer::Disagree(view))) = self.layers.last_mut() else { return Vec::new() };
                view.offset = match code {
                    KeyCode::Down => view.offset.saturating_add(1),
                    KeyCode::Up => view.offset.saturating_sub(1),
                    KeyCode::PageDown | KeyCode::Char(' ') => view.offset.saturating_add_signed(PAGE),
                    KeyCode::PageUp => view.offset.saturating_add_signed(-PAGE),
                    _ => return Vec::new(),
                };
                return Vec::new();
            }
        };
        self.layers.pop();
        self.settle(view, choice)
    }

    fn recover_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        match key.code {
            KeyCode::Char('r') | KeyCode::Enter => {
                self.layers.pop();
                self.restore_drafts()
            }
            KeyCode::Char('d') => {
                self.layers.pop();
                self.workbench.settled = self.workbench.recovery.take().map(|recovery| recovery.file);
                self.say("the unsaved edits are discarded");
                self.remember_drafts()
            }
            KeyCode::Esc | KeyCode::Char('q') => {
                self.layers.pop();
                self.say("the unsaved edits are kept for the next start");
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Brings back what an earlier run left unsaved.
    fn restore_drafts(&mut self) -> Vec<Effect> {
        let Some(recovery) = self.workbench.recovery.take() else { return Vec::new() };
        let mut changed_since = Vec::new();
        for recovered in &recovery.files {
            if !self.workbench.drafts.restore(recovered) {
                changed_since.push(recovered.path.clone());
            }
        }
        self.workbench.settled = Some(recovery.file);
        self.say(format!("the unsaved edits of {} are back", recovery.when));
        for file in changed_since {
            self.show_disagreement(&file);
        }
        self.drafts_changed()
    }

    /// A file that the workspace does not name yet becomes one that can be edited.
    pub fn begin_overlay(&mut self, read: OverlayText) {
        self.workbench.drafts.begin(read);
    }
}
