//! The program on the screen: state, messages, actions. Pure: no I/O, no clock.
//!
//! [`App::handle`] takes what the person does, [`App::update`] what effects answer; both name the effects that follow.
//! What is seen is in `tui::view`, which reads this state.

pub mod actions;
mod arrange;
pub mod call;
#[cfg(test)]
mod call_tests;
pub mod checks;
pub mod detail;
pub mod editor;
mod facts;
pub mod field;
pub mod findings;
#[doc(hidden)]
pub mod fixture;
mod hindrance;
pub mod hits;
mod input;
mod layer_keys;
pub mod memory;
pub mod message;
pub mod model;
mod motion;
mod mouse;
mod outward;
pub mod overlays;
pub mod page;
mod pages;
mod palette;
pub mod pane;
mod perform;
mod program;
pub mod room;
#[cfg(test)]
mod screen_tests;
pub mod screens;
pub mod smoke;
#[cfg(test)]
pub(crate) mod smoke_tests;
pub mod targets;
#[cfg(test)]
mod tests;
pub mod tools;
mod update;
pub mod wire;
pub mod workbench;

pub use message::{Effect, LoadFailure, Msg};
pub use model::{App, Focus, Launch};
