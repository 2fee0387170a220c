//! Overlays (OpenAPI Overlay Specification 1.0 and 1.1): reading them and applying them with a trail of what each action did.
//!
//! # Where the specification leaves room
//!
//! - An action that fails changes nothing; the other actions go on. A target that matches nothing is a warning.
//! - Every part of an overlay that can be understood is applied, also when the overlay is not valid as a whole; what is
//!   not valid is an error finding at its place.
//! - `remove: true` wins over `update` and `copy`, `remove: false` is as good as absent. `update` and `copy` together
//!   are an error, since each "has no impact" beside the other.
//! - Removing the root is an error. An action without effect field is a warning.
//! - A location that a target selects twice is changed once. Removal takes the outermost of nested matches and deletes
//!   from the end of a list to its start.
//! - `update` and `copy` need targets of one kind (all objects, all arrays, or all primitives), in every version.
//! - The merge rules are those of 1.1 for all versions: arrays are concatenated, and a kind that does not fit the one
//!   that it meets is an error. Overlay 1.0 knows no primitive targets: removing them is done without a word (the
//!   specification's own set `remove-example` does it), updating them is done with a warning.
//! - New members go to the end of their object. A value equal to what is there is no change and keeps its origin.
//! - What an action writes has the origin of its bytes in the overlay and the number of the action, recursively. What
//!   `copy` writes has the origin of the `copy` field on its topmost node; below it the nodes keep their own.
//! - An overlay may add 500,000 nodes in all and nest 512 levels deep; a target may visit 20,000,000 nodes.
//! - Reusable actions and `$self` of the 1.2 draft are recognised and not applied.

mod apply;
mod author;
mod dialect;
mod difference;
mod extends;
mod history;
mod ledger;
mod make;
mod measure;
mod merge;
mod model;
mod nearest;
mod patch;
mod read;
mod read_action;
mod rebase;
mod remove;

#[cfg(test)]
mod tests;

pub use apply::{ActionTrail, Applied, apply};
pub use author::{
    Argument, AuthorError, Authored, Done, Draft, DraftEffect, Intent, IntentError, Plan, Request, Summary, Transform,
    author, overlay_text, plan, targets,
};
pub use dialect::{DialectHint, dialect_hints};
pub use difference::{Difference, differences};
pub use extends::check_extends;
pub use history::{Change, History, Step as HistoryStep};
pub use make::{Made, MakeError, make};
pub use model::{Action, ActionKind, CopySource, Overlay, Rules};
pub use patch::{Chunk, Edit, Hunk, LineChange, Patch, PatchError, merged, three_way, unified};
pub use read::action_offsets;
pub use rebase::{Proposal, propose};
