//! What leaves the program: the editor at a place, text to the clipboard.

use std::path::{Path, PathBuf};

use super::detail::{Tab, request};
use super::model::{App, Focus};
use super::screens::Screen;
use crate::document::{Place, to_json};
use crate::tui::runtime::Control;

impl App {
    /// The place of what is selected: of the line in the detail, else of the tool's name.
    fn place(&self) -> Option<Place> {
        let line = (self.focus == Focus::Detail).then(|| self.pane().line()).flatten();
        let of_line = line.and_then(|line| line.place.clone());
        of_line.or_else(|| match self.screen {
            Screen::Findings => self.finding_place(),
            Screen::Tools => self.selected().map(|entry| entry.tool.name_place().clone()),
            Screen::Overlays => self.overlay_place(),
            Screen::Call => self.selected().map(|entry| entry.tool.name_place().clone()),
            Screen::Wire => None,
            Screen::Smoke => self.smoke.tool().map(|tool| tool.name_place().clone()),
            Screen::Targets => self.table_tool().map(|entry| entry.tool.name_place().clone()),
        })
    }

    pub(crate) fn edit(&mut self) {
        self.freshen();
        let Some(snapshot) = self.snapshot.clone() else { return self.edit_failure() };
        let Some(place) = self.place() else { return self.complain("it is not known where this stands") };
        let sources = &snapshot.catalog.sources;
        let file = sources.get(place.origin.file).map(|file| file.name.clone());
        self.open_editor(file, Some(sources.line_column(place.origin).0));
    }

    pub(super) fn edit_failure(&mut self) {
        if let Some(failure) = self.load.failure.clone() {
            self.open_editor(failure.file, failure.line);
        }
    }

    pub(crate) fn open_editor(&mut self, file: Option<String>, line: Option<usize>) {
        let Some(name) = file else { return self.complain("it is not known in which file this stands") };
        match self.path_of(&name) {
            Some(file) => self.control = Some(Control::Edit { file, line }),
            None => self.complain(format!("{name} is not a file on this disk, so no editor can open it")),
        }
    }

    /// The file on disk that a name means. The name is as it was given, perhaps from another folder, so a path that ends
    /// like it is taken, else the only one with its last part.
    fn path_of(&self, name: &str) -> Option<PathBuf> {
        let known = self.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.files).iter().chain(&self.watched);
        let wanted = Path::new(name.strip_prefix("file://").unwrap_or(name));
        let wanted = wanted.strip_prefix("./").unwrap_or(wanted);
        if let Some(path) = known.clone().find(|path| path.ends_with(wanted)) {
            return Some(path.clone());
        }
        let mut alike = known.filter(|path| path.file_name() == wanted.file_name() && !name.contains("://"));
        let first = alike.next()?;
        alike.all(|other| other == first).then(|| first.clone())
    }

    pub(super) fn copy(&mut self) {
        self.freshen();
        let text = match self.screen {
            Screen::Tools => {
                let Some(tool) = self.selected().map(|entry| entry.tool.clone()) else { return };
                match self.detail.tab() {
                    Tab::Name => tool.named.name.clone(),
                    Tab::Schema => to_json(&tool.operation.input_schema, true),
                    Tab::Request => {
                        let Some(snapshot) = &self.snapshot else { return };
                        match request::curl(&snapshot.catalog, &tool, self.detail.whole) {
                            Ok(command) => command,
                            Err(why) => return self.complain(why),
                        }
                    }
                    Tab::Source | Tab::Findings | Tab::Cost => self.pane().text(),
                }
            }
            Screen::Call => match self.call_text() {
                Ok(text) => text,
                Err(why) => return self.complain(why),
            },
            Screen::Findings | Screen::Overlays | Screen::Wire | Screen::Smoke | Screen::Targets => self.pane().text(),
        };
        self.control = Some(Control::Copy(text));
    }
}
