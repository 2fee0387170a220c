//! What outlives one look at the tools: lock files, the differences between two states, known findings.
//!
//! [`lock`] writes down what the tools are, [`diff`] says what became of them and what of it breaks callers, [`baseline`]
//! remembers findings that are known. [`doctor`] asks an API step by step whether it can be reached.

pub mod baseline;
pub mod diff;
pub mod doctor;
pub mod lock;
