//! An overlay being edited on the screen: its text, what can be completed, and what is to be said of it.

mod act;
pub mod check;
mod complete;
mod context;
mod live;

use std::path::PathBuf;
use std::sync::Arc;

pub use check::{CheckText, Checked, Fault, Trial};
pub use complete::Suggestion;
pub use context::{Context, context};

use crate::document::{Format, Severity};
use crate::tui::app::editor::Editor;
use crate::tui::app::editor::highlight::{State, spans};
use crate::tui::app::field::Field;

/// What can be completed at the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// What fits, the best first.
    pub items: Vec<Suggestion>,
    /// The selected one.
    pub cursor: usize,
    /// It was chosen with the arrows, so Enter takes it.
    pub chosen: bool,
    /// Byte of the line from which it replaces.
    pub from: usize,
}

/// State of the editor.
#[derive(Debug)]
pub struct Editing {
    /// The file, as drafts know it.
    pub path: PathBuf,
    /// Its name in messages.
    pub name: String,
    /// How it is written.
    pub format: Format,
    /// Number of the upstream.
    pub upstream: usize,
    /// Its place among the overlays of the upstream.
    pub overlay: usize,
    /// The text.
    pub editor: Editor,
    /// What can be completed, while it is shown.
    pub completion: Option<Completion>,
    /// What is looked for, while it is typed.
    pub search: Option<Field>,
    /// What is to be said of the text.
    pub checked: Arc<Checked>,
    /// Number of the newest question about it.
    pub generation: u64,
    /// Counts what the page beside it is made of.
    pub version: u64,
    /// Version of the drafts that the text is from.
    seen: u64,
    /// Every line of the file ends in CR LF.
    breaks_crlf: bool,
    last_search: String,
    /// Rows of the window in the last frame.
    height: usize,
    /// What is open at the beginning of each line, as far as that was looked at.
    states: Vec<State>,
    /// Operations of the document as readable paths.
    operations: Arc<Vec<String>>,
}

impl Editing {
    /// The text as the file has it.
    fn written(&self) -> String {
        let text = self.editor.text();
        if self.breaks_crlf { text.replace('\n', "\r\n") } else { text }
    }

    /// Takes in a text. `None` when it is too long.
    fn read(text: &str) -> Option<(Editor, bool)> {
        let breaks = text.matches('\n').count();
        let crlf = breaks > 0 && text.matches("\r\n").count() == breaks;
        let editor = if crlf { Editor::verbatim(&text.replace("\r\n", "\n")) } else { Editor::verbatim(text) };
        Some((editor?, crlf))
    }

    /// The worst fault of a line (from 0).
    pub fn fault(&self, row: usize) -> Option<&Fault> {
        self.checked.faults.iter().find(|fault| fault.line == row + 1)
    }

    /// What is open at the beginning of a line; lines before it are looked at once.
    pub fn state(&mut self, row: usize) -> State {
        if self.states.is_empty() {
            self.states.push(State::default());
        }
        while self.states.len() <= row {
            let at = self.states.len() - 1;
            let before = self.states.last().copied().unwrap_or_default();
            let line = self.editor.lines().get(at).map_or("", String::as_str);
            self.states.push(spans(self.format, before, line).1);
        }
        self.states.get(row).copied().unwrap_or_default()
    }

    /// Lines from this one on are others.
    fn touched(&mut self, row: usize) {
        self.states.truncate(row + 1);
    }

    /// When the window has another height than before, it follows the cursor.
    pub fn keep_visible(&mut self, height: usize) {
        if self.height != height {
            self.height = height;
            self.editor.follow = true;
        }
    }

    /// Where the cursor is in the overlay.
    pub fn context(&self) -> Context {
        context(self.editor.lines(), self.editor.row(), self.editor.at())
    }

    /// The fault that is told below the text: that of the cursor's line, else the first error.
    pub fn told(&self) -> Option<&Fault> {
        let worst = || {
            let faults = self.checked.faults.iter().filter(|fault| fault.severity == Severity::Error);
            faults.min_by_key(|fault| fault.line)
        };
        self.fault(self.editor.row()).or_else(worst)
    }
}
