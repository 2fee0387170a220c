//! Runs over many calls: suites of saved cases, cases that are made from the document, and what came of them.
//!
//! ```text
//! suite files ──read──▶ Suite ─┐
//! Catalog ──generate──▶ Suite ─┴─▶ Plan (order, needs, refusals) ──run──▶ CaseResult ──▶ Totals, exit
//! ```
//!
//! Calls go through the proxy like those of any client. [`suite`], [`expect`], [`generate`], [`plan`] and [`report`] are
//! pure; [`read`], [`run`] and [`failed`] read files, call and remember.

pub mod expect;
pub mod failed;
pub mod fill;
pub mod generate;
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
