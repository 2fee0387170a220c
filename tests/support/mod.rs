//! What integration tests share.

#[cfg(unix)]
pub mod pty;
