//! How the screen ends.

use std::io;

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It asked to.
    Quit,
    /// A signal of this number asked for it, or the terminal was closed, which is SIGHUP.
    Signal(i32),
}

/// SIGHUP has this number wherever there is such a thing.
pub(super) const HUNG_UP: Exit = Exit::Signal(1);

impl Exit {
    /// The process's exit code: 0, and 128 + the number of a signal (129 for SIGHUP, 130 for SIGINT).
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Signal(number) => u8::try_from(number).map_or(u8::MAX, |number| number.saturating_add(128)),
        }
    }
}

/// Why the screen could not be shown, or no longer.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Standard output is a file or a pipe.
    #[error("standard output is not a terminal; use a command such as `toolscope list` for output to a file or a pipe")]
    NotATerminal,
    /// The terminal refused something.
    #[error("the terminal failed: {0}")]
    Terminal(#[source] io::Error),
    /// The system refused a thread, a signal handler or an event queue.
    #[error("the event loop could not start: {0}")]
    Start(#[source] io::Error),
}
