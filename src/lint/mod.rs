//! What clients and model providers do with the tools: targets as data, near-duplicates, token counts.
//!
//! In: a catalog and targets ([`TargetChoice`]). Out: findings ([`check`]) and a verdict of every target on every tool
//! ([`verdicts`]). Tokens ([`tokens`]) and look-alikes ([`similar`]) cost more and are asked for on their own.

mod check;
mod client;
mod document_rules;
mod facts;
mod judge;
mod list_rules;
mod locate;
mod raw;
mod reader;
mod refs;
mod rule;
mod schema_rules;
pub mod similar;
mod target;
pub mod tokens;
mod tool_rules;
mod verdict;

#[cfg(test)]
mod tests;

pub use check::{DEFAULT_TARGETS, check};
pub use client::Client;
pub use raw::TargetError;
pub use reader::{MOST as MOST_REFUSALS, Refusal, refusals};
pub use rule::{Confidence, Rule};
pub use target::{Target, TargetChoice};
pub use verdict::{Limit, Matrix, TargetTotals, Verdict, verdicts};
