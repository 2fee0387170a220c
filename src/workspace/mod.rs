//! The workspace: which documents and overlays, from where, with which settings; reading and watching them.

mod snapshot;
mod watch;

pub use snapshot::Snapshot;
pub use watch::{WatchError, Watcher};
