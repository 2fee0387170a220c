//! The state of the program on the screen.

use std::path::PathBuf;
use std::sync::Arc;

use super::actions::infos;
use super::detail::Detail;
use super::field::Field;
use super::hits::Hits;
use super::message::LoadFailure;
use super::tools::{Index, List};
use crate::tui::keymap::{DEFAULT, Keymap};
use crate::tui::runtime::Control;
use crate::tui::theme::Theme;
use crate::workspace::Snapshot;

/// What the keys go to. One value, so that two parts can never both have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list of tools.
    #[default]
    List,
    /// The filter above it.
    Filter,
    /// The detail of the selected tool.
    Detail,
}

/// What lies over the screen. The topmost has the keys.
#[derive(Clone, Debug)]
pub enum Layer {
    /// The help, scrolled by so many lines.
    Help(usize),
    /// The actions, to be found by name.
    Palette(Palette),
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
}

/// How list and detail share the screen, in percent for the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Side by side.
    pub beside: u16,
    /// One above the other.
    pub above: u16,
}

impl Default for Split {
    fn default() -> Self {
        Self { beside: 50, above: 45 }
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
}

impl Launch {
    /// A start with the built-in keys.
    ///
    /// # Errors
    /// The built-in key map is at fault, which the tests exclude.
    pub fn new(inputs: Vec<String>, theme: Theme) -> Result<Self, crate::tui::keymap::KeymapError> {
        Ok(Self { inputs, keymap: Keymap::from_toml(&infos(), DEFAULT, None)?, theme })
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
    pub(crate) list: List,
    pub(crate) detail: Detail,
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
        Self {
            inputs: launch.inputs,
            keymap: launch.keymap,
            theme: Arc::new(launch.theme),
            load: Load::default(),
            watched: Vec::new(),
            snapshot: None,
            shown_generation: 0,
            index: Index::default(),
            list: List::default(),
            detail: Detail::default(),
            focus: Focus::default(),
            layers: Vec::new(),
            split: Split::default(),
            dragging: false,
            mouse: true,
            note: None,
            control: None,
            fault_offset: 0,
            hits: Hits::default(),
        }
    }

    /// What has the keys.
    pub fn focus(&self) -> Focus {
        self.focus
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
