//! Authoring: what a person wants of some tools becomes actions, and the actions become edits of an overlay's text.

mod amend;
mod argument;
mod draft;
mod intent;
mod plan;
mod target;

#[cfg(test)]
mod tests;

pub use amend::{AuthorError, Authored, Done, Request, author};
pub use argument::Argument;
pub use draft::{Draft, DraftEffect, overlay_text};
pub use intent::{Intent, Summary, Transform};
pub use plan::{IntentError, Plan, plan};
pub use target::targets;
