//! Names: from an operation's sources to the exposed tool name, step by step, as data-driven profiles.
//!
//! Pure. See `model` for what goes in and comes out, `rules` for the stages and their parameters.

mod check;
mod class;
mod clean;
mod collide;
mod cut;
mod engine;
mod fit;
mod model;
mod prefix;
mod profile;
mod rename;
pub mod rules;
mod stages;
mod template;

pub use collide::{Claim, HiddenClaim, HiddenReason, NameConflict, Outcome, settle};
pub use cut::truncate_description;
pub use engine::{name, name_text};
pub use model::{Candidates, CollisionPolicy, MadeBy, NameInput, NameSource, NameStep, Named, Truncated};
pub use prefix::{PrefixClaim, PrefixIssue, PrefixReason, check_prefixes, check_server_id};
pub use profile::{Amendments, Parameter, Profile, ProfileError, ProfileProblem};
pub use rules::Rules;
