//! What integration tests share.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod mocked;
pub mod program;
#[cfg(unix)]
pub mod pty;
pub mod schema;
pub mod xml;
