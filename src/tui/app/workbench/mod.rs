//! The workbench: overlay texts that are not saved yet, what they make of the tools, saving and what stands in its way.
//!
//! Everything that changes an overlay goes through [`App::edit_overlay`](super::App::edit_overlay) or
//! [`App::type_overlay`](super::App::type_overlay): the text becomes a draft with a step of the history, the tools are
//! derived anew with the drafts in the place of the files, and what is shown then is what saving will give.

mod act;
mod author;
mod drafts;
mod fixing;
mod keep;
mod leave;
pub mod menu;
pub mod preview;
mod recovery;
mod state;
#[cfg(test)]
mod tests;
mod update;

pub use drafts::{Drafts, OverlayText};
pub use leave::{Choice, Disagreement};
pub use menu::{ActionRef, Menu};
pub use preview::{Preview, PreviewJob, Previewed, Wanted};
pub use recovery::{Recovered, Recovery};
pub use state::{DeriveJob, Derived, NotSaved, SaveJob, Workbench, Written, summary};
