//! The way to an API: settings, credentials, the HTTP client, and what can go wrong.

mod auth;
mod client;
mod failure;
mod http;
mod oauth;
mod security;
mod settings;

pub use auth::Credential;
pub use client::{Sent, UpstreamClient};
pub use failure::{FailureKind, SendFailure, Stage};
pub(crate) use http::is_loopback;
pub use security::{asked, configured};
pub use settings::{Overrides, ProxyChoice, SettingsError, Tls, UpstreamSettings};
