//! toolscope shows how an HTTP API will look to an LLM.
//!
//! ```text
//! bytes ──parse──▶ Document ──apply overlays──▶ Document' ──derive──▶ tools ──name, collide──▶ Catalog ──lint──▶ findings
//!         document/             overlay/                    derive/           naming/           (Arc, immutable)   lint/
//!                                                                                   │
//!              tui/  cli/  draw it         proxy/  serves it  ◀─────────────────────┘
//!                                             │
//! (tool, arguments) ──encode──▶ HttpRequest ──send──▶ HttpResponse ──decode──▶ CallResult
//!                     wire/                  proxy/               wire/
//! ```
//!
//! Everything in the first line is pure: no clock, no environment, no file, no network. The same inputs give the
//! same bytes. The shell around it ([`workspace`], [`session`], [`cli`], [`tui`]) does the I/O and is thin.
//!
//! `tests/architecture.rs` holds the table of which room may import which.

pub mod cli;
pub mod derive;
pub mod document;
pub mod lint;
pub mod naming;
pub mod overlay;
pub mod proxy;
pub mod session;
pub mod tui;
pub mod wire;
pub mod workspace;
