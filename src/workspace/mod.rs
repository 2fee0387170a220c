//! The workspace: which documents and overlays, from where, with which settings; reading and watching them.
//!
//! `options` (command line) and `config` (workspace file) become a [`Workspace`] in `resolve`; `open` reads what it
//! names through `source`; `loader` applies overlays and derives the tools.

mod authoring;
pub mod config;
pub mod demo;
mod drafts;
mod effect;
mod error;
mod fix;
mod groups;
mod http;
mod library;
mod loader;
mod open;
mod options;
mod parts;
mod pipeline;
mod resolve;
mod save;
mod secret;
mod shown;
mod snapshot;
mod source;
mod state;
mod step;
mod targets;
#[cfg(test)]
mod tests;
mod watch;

pub use authoring::{
    Preview, PreviewError, Wish, append as append_actions, operation_pointer, preview, preview_actions, preview_edits,
    slot,
};
pub use drafts::{DraftText, overlay_files, overlay_path, with_drafts};
pub use effect::{ChangeKind, Effect, ToolChange};
pub use error::{Excerpt, LoadError, LoadErrorKind};
pub use fix::{Fix, Fixer, Mend};
pub use groups::members as group_members;
pub use http::Timeouts;
pub use library::{Broken, Kind as LibraryKind, Library, Own};
pub use loader::{Overlaid, load, load_with, open_and_apply};
pub use open::{Opened, OpenedUpstream};
pub use options::{HeaderArg, Options, OverlayArg, SettingArg, SpecArg};
pub use resolve::{DEFAULT_PROFILE, FILE_NAMES, UpstreamSource, Workspace};
pub use save::{SaveError, TextFile};
pub use secret::{Env, ProcessEnv, SecretError, SecretRef};
pub use shown::{shown_address, shown_arguments};
pub use snapshot::{OverlayFile, Snapshot, UpstreamOverlays};
pub use source::{Location, Location as SourceLocation, MAX_BYTES, Place as SourcePlace, Reader, Source};
pub use state::state_file;
pub use step::{Stepped, before as document_before, step};
pub use watch::{WatchError, Watcher};
