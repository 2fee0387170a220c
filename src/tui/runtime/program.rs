//! What the loop drives.

use std::fmt;
use std::path::PathBuf;

use super::clipboard::Copied;
use super::input::Input;

/// The program on the screen. Pure: no I/O and no clock in any of these; what it wants done it returns as effects
/// or leaves for [`Program::control`].
pub trait Program {
    /// What effects send back.
    type Msg: Send + 'static;
    /// What the program wants done outside itself.
    type Effect: Send + 'static;

    /// Called once, before the first frame.
    fn start(&mut self) -> Vec<Self::Effect>;
    /// The person did something, or the terminal changed.
    fn input(&mut self, input: Input) -> Vec<Self::Effect>;
    /// An effect answered.
    fn message(&mut self, msg: Self::Msg) -> Vec<Self::Effect>;
    /// The runtime has something to say, as a rule for the status line.
    fn notice(&mut self, notice: Notice) -> Vec<Self::Effect>;
    /// Draws the whole frame.
    fn draw(&mut self, frame: &mut ratatui::Frame<'_>);
    /// Whether the mouse should be captured now; asked after every step.
    fn wants_mouse(&self) -> bool;
    /// What only the runtime can do; taken after every step until it gives `None`.
    fn control(&mut self) -> Option<Control>;
}

/// Things that only the runtime can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// End the program.
    Quit,
    /// Stop the process until it is continued (Ctrl-Z).
    Suspend,
    /// Hand the terminal to the person's editor, wait for it, come back.
    Edit {
        /// The file to open.
        file: PathBuf,
        /// The line to open it at, counted from 1.
        line: Option<usize>,
    },
    /// Put text on the clipboard, or into a file where it is too long for one.
    Copy(String),
}

/// What the runtime tells the program. The `Display` text is fit for a status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Where a copied text went.
    Copied(Copied),
    /// The text could be copied nowhere.
    CopyFailed {
        /// What the system said.
        reason: String,
    },
    /// The editor has ended and the terminal is ours again.
    Edited {
        /// The file that was open.
        file: PathBuf,
    },
    /// The editor did not run, or ended with a failure; the file may have changed all the same.
    EditFailed {
        /// The file that was to be open.
        file: PathBuf,
        /// What went wrong.
        reason: String,
    },
    /// There is no shell to come back from, so the process was not stopped.
    CannotSuspend,
    /// A thread other than the screen's panicked; the program goes on.
    Panicked {
        /// The panic's message with its place.
        report: String,
    },
    /// No thread could be started for an effect, which therefore did not run.
    EffectNotStarted {
        /// What the system said.
        reason: String,
    },
}

impl Notice {
    /// Whether it tells of a failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        !matches!(self, Self::Copied(_) | Self::Edited { .. })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copied(copied) => copied.fmt(f),
            Self::CopyFailed { reason } => write!(f, "not copied: {reason}"),
            Self::Edited { file } => write!(f, "back from editing {}", file.display()),
            Self::EditFailed { file, reason } => write!(f, "editing {}: {reason}", file.display()),
            Self::CannotSuspend => f.write_str("cannot suspend: no shell with job control started this program"),
            Self::Panicked { report } => write!(f, "internal error, please report it: {report}"),
            Self::EffectNotStarted { reason } => write!(f, "could not start a background task: {reason}"),
        }
    }
}
