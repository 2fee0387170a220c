//! Encoding, validating and decoding one call.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]
fn main() {}
