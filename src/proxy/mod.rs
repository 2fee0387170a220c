//! The proxy: the Catalog as an MCP server, and the way to the APIs behind it.
//!
//! ```text
//! MCP client ──tools/call──▶ Endpoint ──▶ Engine ──wire::encode──▶ UpstreamClient ──HTTP──▶ API
//!            ◀───result─────          ◀──wire::decode──                          ◀────────
//!                                        │
//!                                        └── Tap: both hops, secrets masked, bounded
//! ```
//!
//! [`Engine`] holds what is served and swaps it on reload. [`Memory`] is a client within the process, [`serve`] offers the
//! same over HTTP and standard input and output. [`Mock`] is an API made from the document.

mod convert;
mod engine;
mod export;
mod handler;
mod isolate;
mod job;
mod memory;
mod messages;
pub mod mock;
mod record;
pub mod serve;
mod served;
mod tap;
pub mod units;
mod upstream;

pub use convert::{from_json, listed};
pub use engine::{CallOptions, Caller, Engine, Reply, UnknownTool};
pub use export::{har, jsonl};
pub use memory::{Memory, MemoryError, MemoryReply};
pub use mock::Mock;
pub use served::{Conflicts, Entry, Served, View, environment};
pub(crate) use tap::mask;
pub use tap::{Captured, Exchange, HttpHop, Tap};
pub(crate) use upstream::is_loopback;
pub use upstream::{
    Credential, FailureKind, Overrides, ProxyChoice, SendFailure, Sent, SettingsError, Stage, Tls, UpstreamClient,
    UpstreamSettings, asked, configured,
};
