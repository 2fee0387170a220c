//! The screen of calls: arguments as JSON, what would be sent, what came back.

mod act;
pub mod judge;
pub mod outcome;
mod state;

pub use super::editor::Editor;
pub use judge::{Draft, JudgeJob, Judged};
pub use outcome::{Ending, Outcome};
pub use state::{Ask, Call, CallJob, Fault, Side};
