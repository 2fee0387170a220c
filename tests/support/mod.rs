//! What integration tests share.

#[cfg(unix)]
pub(crate) mod pty;
