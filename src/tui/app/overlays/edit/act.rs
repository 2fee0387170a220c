//! What keys do in the editor of an overlay.

use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::check::{CheckText, Checked, Trial};
use super::complete::suggestions;
use super::{Completion, Editing};
use crate::document::Format;
use crate::document::jsonpath::readable;
use crate::tui::app::field::{Field, Move};
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Focus};
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;

/// Members whose value is a jq program.
const PROGRAMS: [&str; 3] = ["x-mcp-request-transform", "x-mcp-response-transform", "x-mcp-error-transform"];

impl App {
    /// The overlay that is being edited on the screen.
    pub(crate) fn editing(&self) -> Option<&Editing> {
        if self.screen == Screen::Overlays { self.overlays.editing.as_ref() } else { None }
    }

    /// Opens the text of the selected overlay, at the selected action.
    pub(crate) fn edit_here(&mut self) -> Vec<Effect> {
        let Some(file) = self.overlays.file().cloned() else { return Vec::new() };
        let Some(snapshot) = self.snapshot.clone() else { return Vec::new() };
        let known = snapshot.overlays.get(file.upstream).and_then(|overlays| overlays.files.get(file.overlay));
        let Some(path) = known.and_then(|known| known.path.clone()) else {
            self.complain(format!("{} is no file: it can be read and not be edited", file.name));
            return Vec::new();
        };
        let line = self.overlay_place().map_or(1, |place| snapshot.catalog.sources.line_column(place.origin).0);
        self.open_text(&path, file.upstream, file.overlay, line)
    }

    /// Opens a text that drafts know, at a line from 1.
    pub(crate) fn open_text(&mut self, path: &Path, upstream: usize, overlay: usize, line: usize) -> Vec<Effect> {
        let drafts = &self.workbench.drafts;
        let name = drafts.name(path).unwrap_or_default().to_owned();
        let Some(text) = drafts.text(path).map(str::to_owned) else {
            self.complain(format!("the text of {} is not here yet", path.display()));
            return Vec::new();
        };
        let Some((mut editor, breaks_crlf)) = Editing::read(&text) else {
            self.complain(format!("{name} is longer than 1 MiB: e opens it in your editor"));
            return Vec::new();
        };
        editor.go_to(line.saturating_sub(1), 0);
        editor.go(Move::End);
        let is_json = name.ends_with(".json") || text.trim_start().starts_with('{');
        let seen = drafts.version();
        let operations = self.operations_of(upstream);
        self.overlays.editing = Some(Editing {
            path: path.to_owned(),
            name,
            format: if is_json { Format::Json } else { Format::Yaml },
            upstream,
            overlay,
            editor,
            completion: None,
            search: None,
            checked: Arc::default(),
            generation: 0,
            version: 0,
            seen,
            breaks_crlf,
            last_search: String::new(),
            height: 0,
            states: Vec::new(),
            operations,
        });
        self.overlays.pane.rewind();
        self.focus = Focus::Editor;
        self.check_text()
    }

    /// The operations of an upstream as people write them in targets.
    fn operations_of(&self, upstream: usize) -> Arc<Vec<String>> {
        let mine = self.index.iter().filter(|entry| entry.tool.upstream == upstream);
        let path = |entry: &crate::tui::app::tools::Entry| {
            readable(&crate::workspace::operation_pointer(&entry.tool.operation.place.pointer))
        };
        Arc::new(mine.map(path).collect())
    }

    /// The text may be another, by undo, by a merge, by somebody else: the editor follows.
    pub(crate) fn follow_drafts(&mut self) -> Vec<Effect> {
        let version = self.workbench.drafts.version();
        let Some(editing) = self.overlays.editing.as_mut().filter(|editing| editing.seen != version) else {
            return Vec::new();
        };
        editing.seen = version;
        let Some(text) = self.workbench.drafts.text(&editing.path) else {
            self.overlays.editing = None;
            if self.focus == Focus::Editor && self.screen == Screen::Overlays {
                self.focus = Focus::List;
            }
            return Vec::new();
        };
        if text == editing.written() {
            return Vec::new();
        }
        let Some((new, crlf)) = Editing::read(text) else { return Vec::new() };
        editing.breaks_crlf = crlf;
        editing.editor.put(&new.text());
        editing.states.clear();
        editing.completion = None;
        self.check_text()
    }

    /// Asks what is to be said of the text and of what the cursor is in.
    pub(crate) fn check_text(&mut self) -> Vec<Effect> {
        let Some(snapshot) = self.snapshot.clone() else { return Vec::new() };
        let Some(editing) = self.overlays.editing.as_mut() else { return Vec::new() };
        let context = editing.context();
        let trial = match context.key.as_deref() {
            Some("target" | "copy") if context.path == ["actions"] => Some(Trial::Path(context.value.clone())),
            Some(member) if PROGRAMS.contains(&member) && !context.value.trim().is_empty() => Some(Trial::Jq {
                member: member.to_owned(),
                program: context.value.clone(),
                target: context.target.clone(),
            }),
            _ => None,
        };
        self.overlays.text_generation += 1;
        editing.generation = self.overlays.text_generation;
        let job = CheckText {
            generation: editing.generation,
            snapshot,
            upstream: editing.upstream,
            overlay: editing.overlay,
            name: editing.name.clone(),
            text: editing.editor.text().into(),
            action: context.action,
            trial,
        };
        vec![Effect::CheckText(job)]
    }

    pub(crate) fn text_checked(&mut self, generation: u64, checked: Arc<Checked>) {
        if let Some(editing) = self.overlays.editing.as_mut().filter(|editing| editing.generation == generation) {
            editing.checked = checked;
            editing.version += 1;
        }
    }

    /// Leaves the text; the action that the cursor was in is selected.
    pub(crate) fn leave_text(&mut self) {
        self.focus = Focus::List;
        let Some(editing) = self.overlays.editing.take() else { return };
        let action = editing.context().action;
        let file = self
            .overlays
            .index
            .files
            .iter()
            .find(|file| (file.upstream, file.overlay) == (editing.upstream, editing.overlay));
        if let (Some(id), Some(action)) = (file.map(|file| file.id), action.and_then(|at| u16::try_from(at).ok())) {
            self.overlays.select(id, action);
        }
        self.overlays.pane.rewind();
    }

    /// A paste is one step, however long it is.
    pub(crate) fn paste_text(&mut self, text: &str) -> Vec<Effect> {
        let Some(editing) = self.overlays.editing.as_mut() else { return Vec::new() };
        if let Some(search) = editing.search.as_mut() {
            search.insert(text);
            return Vec::new();
        }
        let row = editing.editor.row();
        let fits = editing.editor.insert(text);
        editing.touched(row);
        editing.completion = None;
        self.text_edited(fits, Some("paste"))
    }

    /// Keys in the text. Printable keys are text there, whatever they mean elsewhere.
    pub(crate) fn text_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL) && !key.modifiers.contains(KeyModifiers::ALT);
        let page = self.page();
        let Some(editing) = self.overlays.editing.as_mut() else {
            self.focus = Focus::List;
            return Vec::new();
        };
        if editing.search.is_some() {
            self.search_key(key, ctrl);
            return Vec::new();
        }
        if editing.completion.is_some()
            && let Some(effects) = self.completion_key(key, ctrl)
        {
            return effects;
        }
        let Some(editing) = self.overlays.editing.as_mut() else { return Vec::new() };
        if ctrl {
            return self.text_command(key.code);
        }
        let editor = &mut editing.editor;
        match key.code {
            code if editor.travel(code, page) => {}
            KeyCode::Esc => {
                self.leave_text();
                return Vec::new();
            }
            _ => return self.typed_text(key.code),
        }
        editing.completion = None;
        self.check_text()
    }

    fn typed_text(&mut self, code: KeyCode) -> Vec<Effect> {
        let Some(editing) = self.overlays.editing.as_mut() else { return Vec::new() };
        let before = editing.editor.row();
        let editor = &mut editing.editor;
        let mut fits = true;
        match code {
            KeyCode::Enter if editing.format == Format::Yaml => fits = editor.break_yaml_line(),
            KeyCode::Enter => fits = editor.break_line(),
            KeyCode::Tab => fits = editor.insert("\t"),
            KeyCode::Backspace => editor.backspace(),
            KeyCode::Delete => editor.delete(),
            KeyCode::Char(c) => fits = editor.insert(c.encode_utf8(&mut [0; 4])),
            _ => return Vec::new(),
        }
        let row = editor.row().min(before);
        editing.touched(row);
        self.suggest(matches!(code, KeyCode::Char(_) | KeyCode::Backspace) && code != KeyCode::Char(' '), false);
        self.text_edited(fits, None)
    }

    /// The letters of undo, redo and save, with Ctrl.
    fn text_command(&mut self, code: KeyCode) -> Vec<Effect> {
        match code {
            KeyCode::Char('s') if self.workbench.unsaved() == 0 => {
                self.say("nothing is unsaved");
                Vec::new()
            }
            KeyCode::Char('s') => self.save_drafts(),
            KeyCode::Char('u') => self.undo(),
            KeyCode::Char('r') => self.redo(),
            KeyCode::Char('f') => {
                if let Some(editing) = self.overlays.editing.as_mut() {
                    let mut field = Field::default();
                    field.set(editing.last_search.clone());
                    editing.search = Some(field);
                    editing.completion = None;
                }
                Vec::new()
            }
            KeyCode::Char('n' | ' ') => {
                self.suggest(true, true);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn search_key(&mut self, key: KeyEvent, ctrl: bool) {
        let Some(editing) = self.overlays.editing.as_mut() else { return };
        let Some(search) = editing.search.as_mut() else { return };
        match key.code {
            KeyCode::Esc => editing.search = None,
            KeyCode::Enter | KeyCode::Down => {
                editing.last_search = search.text().to_owned();
                if !editing.editor.find(&editing.last_search) {
                    let words = format!("{} is not in the text", editing.last_search);
                    self.say(words);
                }
            }
            KeyCode::Char('f') if ctrl => {
                editing.last_search = search.text().to_owned();
                editing.editor.find(&editing.last_search);
            }
            _ => {
                crate::tui::app::input::typed(search, key);
            }
        }
    }

    /// Keys while something can be completed; `None` when the text is to have the key.
    fn completion_key(&mut self, key: KeyEvent, ctrl: bool) -> Option<Vec<Effect>> {
        let editing = self.overlays.editing.as_mut()?;
        let completion = editing.completion.as_mut()?;
        let count = completion.items.len();
        match key.code {
            KeyCode::Down => completion.cursor = (completion.cursor + 1) % count.max(1),
            KeyCode::Up => completion.cursor = (completion.cursor + count.max(1) - 1) % count.max(1),
            KeyCode::Char('n') if ctrl => completion.cursor = (completion.cursor + 1) % count.max(1),
            KeyCode::Esc => editing.completion = None,
            KeyCode::Enter if !completion.chosen => {
                editing.completion = None;
                return None;
            }
            KeyCode::Tab | KeyCode::Enter => return Some(self.take_suggestion()),
            _ => return None,
        }
        if let Some(completion) = editing.completion.as_mut() {
            completion.chosen = true;
        }
        Some(Vec::new())
    }

    fn take_suggestion(&mut self) -> Vec<Effect> {
        let Some(editing) = self.overlays.editing.as_mut() else { return Vec::new() };
        let Some(completion) = editing.completion.take() else { return Vec::new() };
        let Some(item) = completion.items.get(completion.cursor) else { return Vec::new() };
        let row = editing.editor.row();
        // What follows the cursor and is the end of the same name is not written twice.
        let fits = editing.editor.complete(completion.from, &item.text);
        editing.touched(row);
        if item.text.ends_with(": ") {
            self.suggest(true, true);
        }
        self.text_edited(fits, None)
    }

    /// Shows what can be completed at the cursor; without `wanted` it goes away. While it is only typed, an empty or a
    /// finished word brings up nothing.
    fn suggest(&mut self, wanted: bool, asked: bool) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let Some(editing) = self.overlays.editing.as_mut() else { return };
        editing.completion = None;
        if !wanted {
            return;
        }
        let context = editing.context();
        if context.prefix.is_empty() && !asked {
            return;
        }
        let root = snapshot.documents.get(editing.upstream).map(|set| &set.main.root);
        let items = suggestions(&context, root, &editing.operations, editing.format);
        let is_done = items.len() == 1 && items.first().is_some_and(|item| item.text.trim_end() == context.prefix);
        if !items.is_empty() && !is_done {
            editing.completion = Some(Completion { items, cursor: 0, chosen: false, from: context.from });
        }
    }

    /// The text is another: it becomes the draft, and everything that follows from it is asked for.
    fn text_edited(&mut self, fits: bool, label: Option<&str>) -> Vec<Effect> {
        if !fits {
            self.complain("the text is too long: at most 1 MiB is edited here");
        }
        let Some(editing) = self.overlays.editing.as_ref() else { return Vec::new() };
        let (path, text) = (editing.path.clone(), editing.written());
        let mut effects = match label {
            Some(label) => self.edit_overlay(label, &path, &text),
            None => self.type_overlay(&path, &text),
        };
        let version = self.workbench.drafts.version();
        if let Some(editing) = self.overlays.editing.as_mut() {
            editing.seen = version;
        }
        effects.extend(self.check_text());
        effects
    }

    /// Makes the page beside the text.
    pub(crate) fn freshen_live(&mut self, width: usize) {
        let Some(editing) = self.overlays.editing.as_ref() else { return };
        let version = editing.version * 2 + u64::from(self.workbench.deriving);
        let shown = Shown::Live(version, self.workbench.drafts.version());
        let key = PageKey { shown, generation: self.shown_generation, checks: 0 };
        let mut pane = std::mem::take(&mut self.overlays.pane);
        pane.prepare(key, width, || super::live::lines(editing, &self.workbench, &self.index));
        self.overlays.pane = pane;
    }
}
