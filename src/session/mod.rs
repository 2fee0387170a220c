//! What outlives one look at the tools: runs over many calls, lock files, differences between two states, known findings.
//!
//! ```text
//! suite files ──read──▶ Suite ─┐
//! Catalog ──generate──▶ Suite ─┴─▶ Plan (order, needs, refusals) ──run──▶ CaseResult ──▶ Totals, exit
//! ```
//!
//! Calls go through the proxy like those of any client. [`suite`], [`expect`], [`generate`], [`plan`] and [`report`] are
//! pure; [`read`], [`run`] and [`failed`] read files, call and remember.
//!
//! [`lock`] writes down what the tools are, [`diff`] says what became of them and what of it breaks callers, [`baseline`]
//! remembers findings that are known. [`doctor`] asks an API step by step whether it can be reached.

pub mod baseline;
pub mod diff;
pub mod doctor;
pub mod expect;
pub mod failed;
pub mod fill;
pub mod generate;
pub mod lock;
pub mod plan;
pub mod read;
pub mod report;
pub mod run;
pub mod suite;
#[cfg(test)]
pub(crate) mod testing;

pub use expect::{Check, Expect};
pub use plan::{Item, Plan, Policy, Refusal, Selection};
pub use report::{CaseResult, DriftPoint, Ending, Totals, Verdict};
pub use run::{Clients, Event, Run, Stop};
pub use suite::{Arguments, Case, Role, Suite};
