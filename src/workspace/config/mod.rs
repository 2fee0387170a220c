//! The workspace file: the configuration schema of the mcp-anything proxy, with `overlays`, `profile`, `targets`,
//! `lint`, `environments`, `suites`, `ref_root` and `ref_hosts` on top.
//!
//! Read from the node tree, so that every finding has its line. See `read` for the keys.

mod nearest;
mod read;
mod read_checks;
mod read_lint;
mod section;
mod set;
#[cfg(test)]
mod tests;

pub use nearest::{nearest, nearest_all};
pub(crate) use section::{Notes, Section, wrong_type};
pub use set::{SetError, set};

use super::secret::SecretRef;
use crate::derive::ArgumentNames;
use crate::document::{Finding, Node, Place, Pointer};
use crate::naming::CollisionPolicy;

/// What a workspace file says.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `naming`.
    pub naming: NamingSettings,
    /// `profile`: the naming profile.
    pub profile: Option<String>,
    /// `upstreams`, in order.
    pub upstreams: Vec<UpstreamConfig>,
    /// `overlays`: applied to every upstream after its own.
    pub overlays: Vec<SourceConfig>,
    /// `groups`.
    pub groups: Vec<Group>,
    /// `targets`: lint targets.
    pub targets: Vec<TargetChoice>,
    /// `targets` is there, even when it is empty.
    pub chooses_targets: bool,
    /// `lint`.
    pub lint: LintSettings,
    /// `environments`.
    pub environments: Vec<Environment>,
    /// `suites`: files with saved cases, as written.
    pub suites: Vec<String>,
    /// `suites`: those that are written into the workspace file itself, and where.
    pub inline_suites: Vec<(Node, Pointer)>,
    /// `ref_root`: the folder that references to files may not leave, as written.
    pub ref_root: Option<String>,
    /// `ref_hosts`: hosts from which references may be read.
    pub ref_hosts: Vec<String>,
    /// What is wrong with the file.
    pub findings: Vec<Finding>,
}

/// `naming`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamingSettings {
    /// Between prefix and base; `None` leaves it to the profile.
    pub separator: Option<String>,
    /// Longest name, 0 for no limit; `None` leaves it to the profile.
    pub max_length: Option<usize>,
    /// What to do with a name that is claimed twice; `None` leaves it to the profile.
    pub conflict: Option<CollisionPolicy>,
    /// Longest description in code points, 0 for no limit; `None` leaves it to the profile.
    pub description_max_length: Option<usize>,
    /// Written where a description was cut; `None` leaves it to the profile.
    pub description_suffix: Option<String>,
    /// Where a description is taken from.
    pub description_source: Option<DescriptionSource>,
    /// `argument_names`: how arguments are called.
    pub argument_names: Option<ArgumentNames>,
    /// `default_slug_rules.lowercase`.
    pub lowercase: Option<bool>,
    /// `default_slug_rules.collapse_separators`.
    pub collapse: Option<bool>,
}

/// Where a tool's description is taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescriptionSource {
    /// `summary`, else `description`.
    #[default]
    Summary,
    /// `description`, else `summary`.
    Description,
    /// Both, one after the other.
    Both,
}

/// One of `upstreams`.
#[derive(Clone, Debug)]
pub struct UpstreamConfig {
    /// `name`.
    pub name: String,
    /// `enabled`, true when absent.
    pub enabled: bool,
    /// `tool_prefix`; `None` when absent or empty.
    pub prefix: Option<String>,
    /// `base_url`, as written.
    pub base_url: Option<String>,
    /// `openapi`; `None` for an upstream that is not described by a document.
    pub openapi: Option<SourceConfig>,
    /// `overlay`, then `overlays`.
    pub overlays: Vec<SourceConfig>,
    /// `headers`, sent with every call.
    pub headers: Vec<(String, SecretRef)>,
    /// `outbound_auth`.
    pub auth: OutboundAuth,
    /// `validation`.
    pub validation: Validation,
    /// `timeout`, as written (`10s`).
    pub timeout: Option<String>,
    /// `max_response_body`, as written (`10MB`).
    pub max_response_body: Option<String>,
    /// `connection`.
    pub connection: Connection,
    /// Where it stands.
    pub place: Option<Place>,
}

/// A document or an overlay as the file names it.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceConfig {
    /// Path or URL as written, or the text itself.
    pub location: SourceText,
    /// `auth_header`: the value of `Authorization` when it is read from a URL.
    pub auth_header: Option<SecretRef>,
    /// Where it stands.
    pub place: Option<Place>,
}

/// Where the text of a source is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceText {
    /// `source`: a path or URL as written.
    At(String),
    /// `inline`: the text itself.
    Inline(String),
}

/// `outbound_auth`: how calls to an upstream prove who they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OutboundAuth {
    /// Not at all.
    #[default]
    None,
    /// `Authorization: Bearer …`.
    Bearer(SecretRef),
    /// A key in a header, a query parameter or a cookie.
    ApiKey {
        /// The name of the header, query parameter or cookie.
        header: String,
        /// Where the key goes.
        place: KeyPlace,
        /// Its value, with the prefix.
        value: SecretRef,
    },
    /// `Authorization: Basic …`.
    Basic {
        /// Who.
        username: SecretRef,
        /// With which password.
        password: SecretRef,
    },
    /// OAuth 2 client credentials.
    ClientCredentials {
        /// Where tokens come from.
        token_url: String,
        /// Who asks.
        client_id: SecretRef,
        /// With which secret.
        client_secret: SecretRef,
        /// For what.
        scopes: Vec<String>,
    },
}

/// Where an API key goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyPlace {
    /// A header.
    #[default]
    Header,
    /// A query parameter.
    Query,
    /// A cookie.
    Cookie,
}

/// `connection`: how an upstream is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connection {
    /// `connect_timeout`, as written (`5s`).
    pub connect_timeout: Option<String>,
    /// `max_connections`: requests at one time.
    pub max_connections: Option<usize>,
    /// `retries`: of requests that may be sent twice, when there was no answer or a 502, 503 or 504.
    pub retries: Option<usize>,
    /// `proxy`: a URL, `none`, or `system` (default).
    pub proxy: Option<String>,
    /// `ca_file`: a PEM file with certificates that are trusted besides those of the system.
    pub ca_file: Option<String>,
    /// `client_certificate`: a PEM file.
    pub client_certificate: Option<String>,
    /// `client_key`: a PEM file; needed when the certificate's file does not hold the key as well.
    pub client_key: Option<String>,
    /// `tls_skip_verify` of the upstream: any certificate is taken.
    pub skip_verify: bool,
}

/// `validation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validation {
    /// Arguments are checked before a call.
    pub request: bool,
    /// Responses are checked after it.
    pub response: bool,
    /// A response that does not fit is an error.
    pub response_fails: bool,
    /// Status codes that are a success; empty for every 2xx.
    pub success_status: Vec<u16>,
}

impl Default for Validation {
    fn default() -> Self {
        Self { request: true, response: true, response_fails: false, success_status: Vec::new() }
    }
}

/// One of `groups`: some tools under one endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// `name`.
    pub name: String,
    /// `endpoint`, such as `/mcp`.
    pub endpoint: String,
    /// `upstreams`, by name; empty for all.
    pub upstreams: Vec<String>,
    /// `filter`, a JSONPath query over the document.
    pub filter: Option<String>,
    /// Where the filter stands.
    pub filter_place: Option<Place>,
}

/// A lint target and the name that clients will give to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetChoice {
    /// The target.
    pub name: String,
    /// The server's name.
    pub server_name: Option<String>,
    /// Where it stands in the workspace file.
    pub place: Option<Place>,
}

/// `lint`.
#[derive(Clone, Debug, PartialEq)]
pub struct LintSettings {
    /// `near_duplicates`: tools as alike as this (above 0, at most 1) are told of; `None` for `off`.
    pub near_duplicates: Option<f64>,
}

impl Default for LintSettings {
    fn default() -> Self {
        Self { near_duplicates: Some(crate::lint::similar::DEFAULT_THRESHOLD) }
    }
}

impl TargetChoice {
    /// Reads `NAME` or `NAME:server-name`.
    pub fn parse(text: &str) -> Self {
        let (name, server) = match text.split_once(':') {
            Some((name, server)) => (name, Some(server.to_owned())),
            None => (text, None),
        };
        Self { name: name.to_owned(), server_name: server, place: None }
    }

    /// `NAME` or `NAME:server-name`.
    pub fn text(&self) -> String {
        match &self.server_name {
            Some(server) => format!("{}:{server}", self.name),
            None => self.name.clone(),
        }
    }
}

/// One of `environments`: a named base URL with credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// `name`.
    pub name: String,
    /// `base_url`, as written.
    pub base_url: Option<String>,
    /// `production`: shown wherever a call can be made.
    pub production: bool,
    /// `allow_writes`: smoke cases may change something there.
    pub allow_writes: bool,
    /// `headers`.
    pub headers: Vec<(String, SecretRef)>,
    /// `outbound_auth`; `None` leaves it to the upstream.
    pub auth: Option<OutboundAuth>,
}

impl Config {
    /// Reads a workspace file that was parsed; relative paths are taken from `folder`. Never fails: what cannot be
    /// read is in [`Self::findings`].
    pub fn read(root: &Node, folder: &std::path::Path) -> Self {
        read::config(root, folder)
    }
}
