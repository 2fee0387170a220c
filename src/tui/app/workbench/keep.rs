//! The preview of a change: asked for, looked at, kept as a draft or dropped.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::menu::ActionRef;
use super::preview::{Into, Preview, PreviewJob, Previewed, State, Wanted};
use crate::overlay::{Draft, Edit, Intent};
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Layer, WorkLayer};
use crate::tui::app::tools::ToolId;
use crate::workspace::operation_pointer;

/// Lines of a page of the preview.
const PAGE: isize = 10;

impl App {
    /// Asks for the preview of what is wanted of tools.
    pub(crate) fn preview_intent(&mut self, tools: &[ToolId], whom: &str, intent: Intent) -> Vec<Effect> {
        let mut upstream = None;
        let mut operations = Vec::new();
        for entry in tools.iter().filter_map(|id| self.entry_of(id)) {
            if upstream.is_some_and(|upstream| upstream != entry.tool.upstream) {
                let words = "the tools are of several APIs; change those of one API at a time".to_owned();
                match self.menu_mut() {
                    Some(menu) => menu.problem = Some(words),
                    None => self.complain(words),
                }
                return Vec::new();
            }
            upstream = Some(entry.tool.upstream);
            operations.push(operation_pointer(&entry.tool.operation.place.pointer));
        }
        let Some(upstream) = upstream else { return Vec::new() };
        let label = format!("{} {whom}", word(&intent));
        let files = self.overlays_of(upstream);
        let at = files.len().saturating_sub(1);
        self.start_preview(Preview {
            generation: 0,
            label,
            wanted: Wanted::Intent { intent, operations },
            upstream,
            files,
            at,
            is_bound: false,
            state: State::Working,
            offset: 0,
        })
    }

    /// Asks for the preview of edits of an overlay's text.
    pub(crate) fn preview_edits(&mut self, label: &str, action: &ActionRef, edits: Vec<Edit>) -> Vec<Effect> {
        self.start_preview(Preview {
            generation: 0,
            label: label.to_owned(),
            wanted: Wanted::Edits(edits),
            upstream: action.upstream,
            files: vec![action.file.clone()],
            at: 0,
            is_bound: true,
            state: State::Working,
            offset: 0,
        })
    }

    /// Asks for the preview of actions that are put into one of the upstream's overlays, or into a new one.
    pub(crate) fn preview_actions(
        &mut self,
        label: &str,
        upstream: usize,
        files: Vec<PathBuf>,
        actions: Vec<Draft>,
    ) -> Vec<Effect> {
        let at = files.len().saturating_sub(1);
        let is_bound = files.is_empty();
        self.start_preview(Preview {
            generation: 0,
            label: label.to_owned(),
            wanted: Wanted::Actions(actions),
            upstream,
            files,
            at,
            is_bound,
            state: State::Working,
            offset: 0,
        })
    }

    fn start_preview(&mut self, preview: Preview) -> Vec<Effect> {
        self.layers.push(Layer::Work(WorkLayer::Preview(Box::new(preview))));
        self.ask_preview()
    }

    /// Asks for the preview that is on top, under a new number.
    fn ask_preview(&mut self) -> Vec<Effect> {
        self.workbench.previews += 1;
        let generation = self.workbench.previews;
        let Some(snapshot) = self.snapshot.clone() else { return Vec::new() };
        let (drafts, checked) = (self.workbench.drafts.instead(), self.checks.checked.clone());
        let Some(Layer::Work(WorkLayer::Preview(preview))) = self.layers.last_mut() else { return Vec::new() };
        preview.generation = generation;
        preview.state = State::Working;
        preview.offset = 0;
        let known = preview.files.get(preview.at).and_then(|path| {
            let base = self.workbench.drafts.base(path)?;
            let name = self.workbench.drafts.name(path).unwrap_or_default().to_owned();
            Some(Into::Known { file: base.edited(self.workbench.drafts.text(path)), name })
        });
        let upstream = snapshot.catalog.upstreams.get(preview.upstream).map(|upstream| upstream.name.clone());
        vec![Effect::Preview(Box::new(PreviewJob {
            generation,
            drafts,
            shown: snapshot,
            checked,
            choices: self.choices.clone(),
            upstream: upstream.unwrap_or_default(),
            wanted: preview.wanted.clone(),
            into: known.unwrap_or(Into::New),
        }))]
    }

    /// The preview is there, or there is none.
    pub(crate) fn previewed(&mut self, generation: u64, result: Result<Arc<Previewed>, (String, Option<String>)>) {
        for layer in &mut self.layers {
            if let Layer::Work(WorkLayer::Preview(preview)) = layer
                && preview.generation == generation
            {
                preview.state = match &result {
                    Ok(ready) => State::Ready(ready.clone()),
                    Err((why, remedy)) => State::Failed(why.clone(), remedy.clone()),
                };
            }
        }
    }

    /// Keys over the preview.
    pub(super) fn preview_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(Layer::Work(WorkLayer::Preview(preview))) = self.layers.last_mut() else { return Vec::new() };
        let scrolled = |offset: usize, by: isize| offset.saturating_add_signed(by);
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => drop(self.layers.pop()),
            KeyCode::Down | KeyCode::Char('j') => preview.offset = scrolled(preview.offset, 1),
            KeyCode::Up | KeyCode::Char('k') => preview.offset = scrolled(preview.offset, -1),
            KeyCode::PageDown | KeyCode::Char(' ') => preview.offset = scrolled(preview.offset, PAGE),
            KeyCode::PageUp => preview.offset = scrolled(preview.offset, -PAGE),
            KeyCode::Tab if !preview.is_bound => {
                // Behind the last file comes a new one.
                preview.at = (preview.at + 1) % (preview.files.len() + 1);
                return self.ask_preview();
            }
            KeyCode::Enter => {
                if let State::Ready(ready) = preview.state.clone() {
                    let label = preview.label.clone();
                    return self.keep(&label, &ready);
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// Keeps a change as a draft.
    fn keep(&mut self, label: &str, ready: &Previewed) -> Vec<Effect> {
        let path: &Path = &ready.file.file.path;
        if self.workbench.drafts.base(path).is_none() {
            self.begin_overlay(ready.file.clone());
        }
        if self.overlay_text(path).unwrap_or_default() != ready.patch.before {
            self.complain("the text has changed since; look at the change again");
            return self.ask_preview();
        }
        self.layers.retain(|layer| !matches!(layer, Layer::Work(WorkLayer::Preview(_) | WorkLayer::Menu(_))));
        let effects = self.edit_overlay(label, path, &ready.patch.after);
        self.say(format!("kept, not saved yet: {label}"));
        effects
    }
}

/// What an intent does, in a word or two.
fn word(intent: &Intent) -> String {
    match intent {
        Intent::Rename { name } => format!("name `{name}` for"),
        Intent::Describe { .. } => "describe".to_owned(),
        Intent::Hide => "hide".to_owned(),
        Intent::Show => "show".to_owned(),
        Intent::Safe(true) => "mark safe".to_owned(),
        Intent::Safe(false) => "mark not safe".to_owned(),
        Intent::Format(format) => format!("response format {} for", format.word()),
        Intent::Transform { .. } => "transform for".to_owned(),
        Intent::Required { argument, required: true } => format!("require `{}` of", argument.name),
        Intent::Required { argument, .. } => format!("`{}` optional for", argument.name),
        Intent::Default { argument, .. } => format!("default of `{}` for", argument.name),
        Intent::ArgumentText { argument, .. } => format!("describe `{}` of", argument.name),
    }
}
