//! The HTTP client of an upstream: pool, proxy, certificates.

use std::path::Path;
use std::sync::Once;

use reqwest::redirect::Policy;
use url::{Host, Url};

use super::settings::{ProxyChoice, UpstreamSettings};
use crate::wire::Redactor;
use crate::workspace::config::OutboundAuth;

/// Builds the client. Redirects are followed by the caller, which knows what may go along; time-outs of whole calls are
/// its business too.
///
/// # Errors
/// A certificate or a proxy cannot be used, or the system has no certificates to trust.
pub(super) fn build(settings: &UpstreamSettings) -> Result<reqwest::Client, String> {
    match (configured(settings, true), &settings.tls.ca_file) {
        // A machine without any certificates of its own still has those of the file.
        (Err(_), Some(_)) => configured(settings, false),
        (built, _) => built,
    }
}

fn configured(settings: &UpstreamSettings, with_system: bool) -> Result<reqwest::Client, String> {
    static PROVIDER: Once = Once::new();
    // An error means that a provider is installed already.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let mut builder = reqwest::Client::builder()
        .connect_timeout(settings.connect_timeout)
        .pool_max_idle_per_host(settings.max_connections)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .user_agent(concat!("toolscope/", env!("CARGO_PKG_VERSION")));
    builder = match &settings.proxy {
        ProxyChoice::Direct => builder.no_proxy(),
        ProxyChoice::System if is_loopback(&settings.base_url) => builder.no_proxy(),
        ProxyChoice::System => builder,
        ProxyChoice::Url(url) => {
            let proxy = reqwest::Proxy::all(url).map_err(|error| {
                let shown = Redactor::default().url(url);
                format!("the proxy `{shown}` cannot be used: {}", root_cause(&error.without_url()))
            })?;
            builder.proxy(proxy)
        }
    };
    let tls = &settings.tls;
    if tls.skip_verify {
        // Then no certificates are of any use.
        builder = builder.tls_danger_accept_invalid_certs(true).tls_certs_only([]);
    } else if let Some(path) = &tls.ca_file {
        let pem = read(path, "ca_file")?;
        let certificates = reqwest::Certificate::from_pem_bundle(&pem)
            .map_err(|error| format!("`{}` holds no certificates: {}", path.display(), root_cause(&error)))?;
        if certificates.is_empty() {
            return Err(format!("`{}` holds no certificates", path.display()));
        }
        builder = match with_system {
            true => builder.tls_certs_merge(certificates),
            false => builder.tls_certs_only(certificates),
        };
    } else if !needs_tls(settings) {
        // Nothing here is encrypted, so the certificates of the system, which may be missing, need not be read.
        builder = builder.tls_certs_only([]);
    }
    if let Some(path) = &tls.client_certificate {
        let mut pem = read(path, "client_certificate")?;
        if let Some(key) = &tls.client_key {
            pem.push(b'\n');
            pem.extend(read(key, "client_key")?);
        }
        let identity = reqwest::Identity::from_pem(&pem)
            .map_err(|error| format!("`{}` is no certificate with a key: {}", path.display(), root_cause(&error)))?;
        builder = builder.identity(identity);
    }
    builder.build().map_err(|error| format!("no HTTP client can be made: {}", root_cause(&error)))
}

fn read(path: &Path, key: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("`connection.{key}`: {} cannot be read: {error}", path.display()))
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause = error.to_string();
    let mut below = std::error::Error::source(error);
    while let Some(inner) = below {
        cause = inner.to_string();
        below = inner.source();
    }
    cause
}

fn needs_tls(settings: &UpstreamSettings) -> bool {
    let is_plain = |url: &str| url.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("http://"));
    let token = match &settings.auth {
        OutboundAuth::ClientCredentials { token_url, .. } => Some(token_url),
        _ => None,
    };
    let proxy_is_plain = match &settings.proxy {
        ProxyChoice::Url(url) => is_plain(url),
        ProxyChoice::Direct => true,
        ProxyChoice::System => is_loopback(&settings.base_url),
    };
    !is_plain(&settings.base_url) || token.is_some_and(|url| !is_plain(url)) || !proxy_is_plain
}

/// Is a URL on this machine? Those never go through a proxy of the system.
pub(crate) fn is_loopback(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(domain)) => domain == "localhost" || domain.ends_with(".localhost"),
        None => false,
    }
}
