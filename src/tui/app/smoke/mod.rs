//! The screen of smoke runs: cases, live verdicts, and what was expected of each.

mod act;
mod page;
mod state;

pub(crate) use page::role;
pub use state::{Place, PlanJob, Planned, Smoke, SmokeJob, SmokeRun};
