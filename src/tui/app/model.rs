//! The state of the program on the screen.

use std::path::PathBuf;
use std::sync::Arc;

use super::actions::infos;
use super::call::{Ask, Call};
use super::checks::{Checks, Choices};
use super::detail::Detail;
use super::field::Field;
use super::findings::Findings;
use super::hits::Hits;
use super::memory::Memory;
use super::message::LoadFailure;
use super::overlays::Overlays;
use super::screens::Screen;
use super::smoke::Smoke;
use super::targets::Table;
use super::tools::{Index, List};
use super::wire::Wire;
use super::workbench::menu::Step;
use super::workbench::preview::State;
use super::workbench::{Disagreement, Menu, Preview, Recovery, Workbench};
use crate::tui::keymap::{DEFAULT, Keymap, KeymapError};
use crate::tui::runtime::Control;
use crate::tui::theme::Theme;
use crate::workspace::Snapshot;

/// What the keys go to. One value, so that two parts can never both have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list of the screen: tools, findings, or the table of targets.
    #[default]
    List,
    /// The filter above it.
    Filter,
    /// The arguments of a call.
    Editor,
    /// The detail of what is selected.
    Detail,
}

/// What lies over the screen. The topmost has the keys.
#[derive(Clone, Debug)]
pub enum Layer {
    /// The help, scrolled by so many lines.
    Help(usize),
    /// The actions, to be found by name.
    Palette(Palette),
    /// The server's name and the room that clients leave for it.
    Meter(Field),
    /// What to write into clients of the proxy: the selected one.
    Clients(usize),
    /// A question.
    Ask(Ask),
    /// Something of the workbench.
    Work(WorkLayer),
}

/// What of the workbench lies over the screen.
#[derive(Clone, Debug)]
pub enum WorkLayer {
    /// What is to become of what is unsaved, before the program ends.
    Leave,
    /// What an earlier run left unsaved.
    Recover,
    /// A file that was changed here and by somebody else.
    Disagree(Box<Disagreement>),
    /// The menu of changes.
    Menu(Box<Menu>),
    /// A change before it is kept.
    Preview(Box<Preview>),
}

impl WorkLayer {
    /// The footer under it: keys and what they do.
    pub fn hints(&self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Leave => vec![("s", " save and quit  "), ("d", " discard and quit  "), ("Esc", " stay")],
            Self::Recover => vec![("r", " restore  "), ("d", " discard  "), ("Esc", " decide next time")],
            Self::Disagree(view) if view.is_gone => vec![("t", " take theirs  "), ("Esc", " keep editing")],
            Self::Disagree(_) => vec![("m", " merge  "), ("t", " take theirs  "), ("Esc", " keep editing")],
            Self::Menu(menu) => match &menu.step {
                Step::Choose(_) => {
                    vec![("Enter", " choose  "), ("Up Down", " move  "), ("Tab", " other tools  "), ("Esc", " close")]
                }
                Step::Value(..) => vec![("Enter", " look at the change  "), ("Esc", " close")],
                Step::Argument(..) | Step::Format(_) => {
                    vec![("Enter", " choose  "), ("Up Down", " move  "), ("Esc", " close")]
                }
            },
            Self::Preview(preview) => {
                let mut hints = vec![("Esc", " drop  "), ("Up Down", " scroll  ")];
                if matches!(preview.state, State::Ready(_)) {
                    hints.insert(0, ("Enter", " keep  "));
                }
                if !preview.is_bound {
                    hints.push(("Tab", " other file"));
                }
                hints
            }
        }
    }

    /// Scrolls it.
    pub fn scroll(&mut self, by: isize) {
        match self {
            Self::Disagree(view) => view.offset = view.offset.saturating_add_signed(by),
            Self::Preview(preview) => preview.offset = preview.offset.saturating_add_signed(by),
            Self::Menu(menu) => {
                let last = menu.rows().saturating_sub(1);
                if let Some(row) = menu.row() {
                    *row = row.saturating_add_signed(by.signum()).min(last);
                }
            }
            Self::Leave | Self::Recover => {}
        }
    }

    /// Takes in a text that was pasted.
    pub fn paste(&mut self, text: &str) {
        if let Self::Menu(menu) = self
            && let Step::Value(_, _, field) = &mut menu.step
        {
            field.insert(text);
        }
    }
}

/// State of the palette.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// What is typed.
    pub field: Field,
    /// Row of the selection.
    pub cursor: usize,
}

/// A line about what just happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// In words.
    pub text: String,
    /// It tells of a failure.
    pub error: bool,
}

/// Where calls go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Destination {
    /// To where the documents or the workspace say the API is.
    #[default]
    Api,
    /// To a mock within the program.
    Mock,
    /// To an environment of the workspace.
    Environment {
        /// Its name.
        name: String,
        /// What is done there is done for real.
        production: bool,
    },
}

impl Destination {
    /// In a few words; nothing where it goes without saying.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Api => None,
            Self::Mock => Some("mock".to_owned()),
            Self::Environment { name, production: false } => Some(format!("env {name}")),
            Self::Environment { name, production: true } => Some(format!("PRODUCTION {name}")),
        }
    }

    /// What is done there is done for real.
    pub fn is_production(&self) -> bool {
        matches!(self, Self::Environment { production: true, .. })
    }
}

/// The load that was asked for last.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// Its number.
    pub generation: u64,
    /// It has not ended.
    pub running: bool,
    /// Documents read and to be read, when it has said so.
    pub progress: Option<(usize, usize)>,
    /// Why it failed.
    pub failure: Option<LoadFailure>,
    /// The person has asked for it, and is told when it has ended.
    pub asked: bool,
}

/// How list and detail share the screen, in percent for the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Split {
    /// Side by side.
    pub beside: u16,
    /// One above the other.
    pub above: u16,
    /// The table of targets above its detail.
    pub table: u16,
}

impl Default for Split {
    fn default() -> Self {
        Self { beside: 50, above: 45, table: 60 }
    }
}

/// What the program is started with.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The documents and overlays that will be read, as they were given.
    pub inputs: Vec<String>,
    /// Which key does what.
    pub keymap: Keymap,
    /// Colours and glyphs.
    pub theme: Theme,
    /// The targets that are asked; none, and nothing is checked.
    pub choices: Choices,
    /// What was open last time.
    pub memory: Option<Memory>,
    /// What an earlier run left unsaved.
    pub recovery: Option<Recovery>,
    /// What is to be said at the start.
    pub note: Option<Note>,
    /// Where calls go.
    pub destination: Destination,
}

impl Launch {
    /// A start with the built-in keys and, over them, a person's own: the file's name and text.
    ///
    /// # Errors
    /// The first fault of the person's file, with its line.
    pub fn new(inputs: Vec<String>, theme: Theme, keys: Option<(&str, &str)>) -> Result<Self, KeymapError> {
        let keymap = Keymap::from_toml(&infos(), DEFAULT, keys)?;
        Ok(Self {
            inputs,
            keymap,
            theme,
            choices: Choices::default(),
            memory: None,
            recovery: None,
            note: None,
            destination: Destination::default(),
        })
    }
}

/// Everything that the screen shows and remembers.
#[derive(Debug)]
pub struct App {
    pub(crate) inputs: Vec<String>,
    pub(crate) keymap: Keymap,
    pub(crate) theme: Arc<Theme>,
    pub(crate) load: Load,
    pub(crate) watched: Vec<PathBuf>,
    pub(crate) snapshot: Option<Arc<Snapshot>>,
    /// Generation of `snapshot`.
    pub(crate) shown_generation: u64,
    pub(crate) index: Index,
    /// What is shown.
    pub(crate) screen: Screen,
    pub(crate) list: List,
    pub(crate) detail: Detail,
    pub(crate) findings: Findings,
    pub(crate) overlays: Overlays,
    pub(crate) table: Table,
    pub(crate) call: Call,
    pub(crate) wire: Wire,
    pub(crate) smoke: Smoke,
    pub(crate) destination: Destination,
    pub(crate) workbench: Workbench,
    /// Targets, with the server's name that was typed.
    pub(crate) choices: Choices,
    /// Targets as they were chosen.
    pub(crate) base_choices: Choices,
    pub(crate) checks: Checks,
    /// What is still to be restored once there are tools.
    pub(crate) memory: Option<Memory>,
    pub(crate) focus: Focus,
    pub(crate) layers: Vec<Layer>,
    pub(crate) split: Split,
    /// The splitter is being dragged.
    pub(crate) dragging: bool,
    pub(crate) mouse: bool,
    pub(crate) note: Option<Note>,
    pub(crate) control: Option<Control>,
    /// First visible line of the screen that says why nothing is loaded.
    pub(crate) fault_offset: usize,
    /// Where the last frame drew what.
    pub(crate) hits: Hits,
}

impl App {
    /// The program before anything is loaded.
    pub fn new(launch: Launch) -> Self {
        let mut app = Self {
            inputs: launch.inputs,
            keymap: launch.keymap,
            theme: Arc::new(launch.theme),
            load: Load::default(),
            watched: Vec::new(),
            snapshot: None,
            shown_generation: 0,
            index: Index::default(),
            screen: Screen::default(),
            list: List::default(),
            detail: Detail::default(),
            findings: Findings::default(),
            overlays: Overlays::default(),
            table: Table::default(),
            call: Call::default(),
            wire: Wire::default(),
            smoke: Smoke::default(),
            destination: launch.destination,
            workbench: Workbench::new(launch.recovery),
            choices: launch.choices.clone(),
            base_choices: launch.choices,
            checks: Checks::default(),
            memory: None,
            focus: Focus::default(),
            layers: Vec::new(),
            split: Split::default(),
            dragging: false,
            mouse: true,
            note: launch.note,
            control: None,
            fault_offset: 0,
            hits: Hits::default(),
        };
        if let Some(memory) = launch.memory {
            app.remember(memory);
        }
        app
    }

    /// What has the keys.
    pub fn focus(&self) -> Focus {
        self.focus
    }

    /// The screen that is shown.
    pub fn screen(&self) -> Screen {
        self.screen
    }

    /// The last good snapshot.
    pub fn snapshot(&self) -> Option<&Arc<Snapshot>> {
        self.snapshot.as_ref()
    }

    /// The list.
    pub fn list(&self) -> &List {
        &self.list
    }

    /// The selected tool.
    pub fn selected(&self) -> Option<&super::tools::Entry> {
        self.index.get(self.list.selected()?)
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.note = Some(Note { text: text.into(), error: false });
    }

    pub(crate) fn complain(&mut self, text: impl Into<String>) {
        self.note = Some(Note { text: text.into(), error: true });
    }
}
