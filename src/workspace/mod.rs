//! The workspace: which documents and overlays, from where, with which settings; reading and watching them.

mod snapshot;

pub use snapshot::Snapshot;
