//! The shell around the screen: terminal modes, the event loop, effects on threads, signals, editor, clipboard.
//!
//! A [`Program`] is pure: it is told what happened, changes itself and names the [`Effects`] it wants. [`run`] does
//! the rest and puts the terminal back after every exit: quit, error, panic, SIGINT, SIGTERM, SIGHUP, SIGQUIT, Ctrl-Z.

mod clipboard;
mod editor;
mod effects;
mod event_loop;
mod exit;
mod hand_over;
mod input;
mod keyboard;
mod panics;
mod program;
mod signals;
mod slots;
mod terminal;

pub use clipboard::{COPY_LIMIT, Copied};
pub use effects::{Effects, Kind, Reply};
pub use event_loop::run;
pub use exit::{Exit, RunError};
pub use input::Input;
pub use program::{Control, Notice, Program};
