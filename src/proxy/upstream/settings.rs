//! What the workspace says of an upstream, made ready for calls.

use std::path::PathBuf;
use std::time::Duration;

use crate::derive;
use crate::proxy::units;
use crate::wire::Redactor;
use crate::workspace::config::{Environment, OutboundAuth, Validation};
use crate::workspace::{Env, SecretRef, SourcePlace, UpstreamSource};

/// How long a call may take when nothing is said.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Where reading a body stops.
const MAX_RESPONSE_BODY: u64 = 10_000_000;
/// Requests to one upstream at a time.
const MAX_CONNECTIONS: usize = 64;
/// More is no number of retries but a slip.
const MOST_RETRIES: usize = 10;

/// Which proxy requests go through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyChoice {
    /// What `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say; never for loopback addresses.
    System,
    /// None.
    Direct,
    /// This one.
    Url(String),
}

/// Certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// Trusted besides those of the system, PEM.
    pub ca_file: Option<PathBuf>,
    /// The client's own, PEM.
    pub client_certificate: Option<PathBuf>,
    /// Its key, PEM, when it is not in the same file.
    pub client_key: Option<PathBuf>,
    /// Any certificate is taken.
    pub skip_verify: bool,
}

/// Everything that a call to one upstream needs besides the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamSettings {
    /// The upstream.
    pub name: String,
    /// Base URL; empty when none is known.
    pub base_url: String,
    /// The address of the document, for servers that are relative to it.
    pub document_url: Option<String>,
    /// Sent with every call.
    pub headers: Vec<(String, SecretRef)>,
    /// How calls prove who they are.
    pub auth: OutboundAuth,
    /// What is checked.
    pub validation: Validation,
    /// How long a call may take.
    pub timeout: Duration,
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// Where reading a body stops, after decompression.
    pub max_response_body: u64,
    /// Requests at one time; the others wait.
    pub max_connections: usize,
    /// How often a request that may be sent twice is tried again.
    pub retries: usize,
    /// The proxy.
    pub proxy: ProxyChoice,
    /// Certificates.
    pub tls: Tls,
}

/// What a command says over the workspace.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The environment, by name.
    pub environment: Option<String>,
    /// The base URL of a mock; credentials and connection settings are left out then.
    pub mock: Option<String>,
    /// The time-out of every call.
    pub timeout: Option<Duration>,
    /// Arguments are checked, or not, whatever the workspace says.
    pub validate: Option<bool>,
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("upstream `{upstream}`: {message}")]
pub struct SettingsError {
    /// The upstream.
    pub upstream: String,
    /// What is wrong.
    pub message: String,
}

impl UpstreamSettings {
    /// The settings of an upstream.
    ///
    /// # Errors
    /// A duration or size that cannot be read, or a variable of the base URL that is not set.
    pub fn of(
        source: &UpstreamSource,
        upstream: &derive::Upstream,
        environment: Option<&Environment>,
        overrides: &Overrides,
        env: &dyn Env,
    ) -> Result<Self, SettingsError> {
        let fail = |message: String| SettingsError { upstream: source.name.clone(), message };
        let span = |key: &str, text: Option<&String>, default: Duration| match text {
            Some(text) => units::duration(text)
                .filter(|it| !it.is_zero())
                .ok_or_else(|| fail(format!("`{key}` is `{text}`, which is no duration; write it like 10s or 500ms"))),
            None => Ok(default),
        };
        let size = match &source.max_response_body {
            Some(text) => units::bytes(text).filter(|size| *size > 0).ok_or_else(|| {
                fail(format!("`max_response_body` is `{text}`, which is no size; write it like 10MB"))
            })?,
            None => MAX_RESPONSE_BODY,
        };
        let connection = &source.connection;
        let mut settings = Self {
            name: source.name.clone(),
            base_url: base_url(source, upstream, environment, env).map_err(fail)?,
            document_url: document_url(source, env),
            headers: source.headers.clone(),
            auth: source.auth.clone(),
            validation: source.validation.clone(),
            timeout: span("timeout", source.timeout.as_ref(), TIMEOUT)?,
            connect_timeout: span("connection.connect_timeout", connection.connect_timeout.as_ref(), CONNECT_TIMEOUT)?,
            max_response_body: size,
            max_connections: connection.max_connections.filter(|most| *most > 0).unwrap_or(MAX_CONNECTIONS),
            retries: connection.retries.unwrap_or(0).min(MOST_RETRIES),
            proxy: match connection.proxy.as_deref() {
                None | Some("system") => ProxyChoice::System,
                Some("none") => ProxyChoice::Direct,
                Some(url) => ProxyChoice::Url(url.to_owned()),
            },
            tls: Tls {
                ca_file: connection.ca_file.as_ref().map(|path| source.folder.join(path)),
                client_certificate: connection.client_certificate.as_ref().map(|path| source.folder.join(path)),
                client_key: connection.client_key.as_ref().map(|path| source.folder.join(path)),
                skip_verify: connection.skip_verify,
            },
        };
        if let Some(environment) = environment {
            settings.headers.extend(environment.headers.iter().cloned());
            if let Some(auth) = &environment.auth {
                settings.auth = auth.clone();
            }
        }
        settings.take(overrides);
        Ok(settings)
    }

    fn take(&mut self, overrides: &Overrides) {
        if let Some(mock) = &overrides.mock {
            self.base_url.clone_from(mock);
            // A credential has no business at a mock.
            self.auth = OutboundAuth::None;
            self.headers.clear();
            self.tls = Tls::default();
            self.proxy = ProxyChoice::Direct;
        }
        if let Some(timeout) = overrides.timeout {
            self.timeout = timeout;
        }
        if let Some(validate) = overrides.validate {
            self.validation.request = validate;
        }
    }
}

fn base_url(
    source: &UpstreamSource,
    upstream: &derive::Upstream,
    environment: Option<&Environment>,
    env: &dyn Env,
) -> Result<String, String> {
    let chosen = environment.and_then(|environment| environment.base_url.as_deref());
    // What the workspace writes may refer to the environment; what the document says never does.
    let written = chosen.or(source.base_url.as_deref());
    let Some(written) = written else { return Ok(upstream.base_url.clone().unwrap_or_default()) };
    let resolved = SecretRef::parse(written, &source.folder).resolve_public(env);
    resolved.map_err(|error| format!("the base URL `{}` has no value: {error}", Redactor::default().url(written)))
}

fn document_url(source: &UpstreamSource, env: &dyn Env) -> Option<String> {
    match source.document.place(env) {
        Ok(SourcePlace::Url(url)) => Some(url.to_string()),
        _ => None,
    }
}
