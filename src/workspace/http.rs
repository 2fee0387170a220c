//! One GET request for a document: time-outs, headers from secret references, redirects that leak nothing.

use std::error::Error as _;
use std::sync::Once;
use std::time::Duration;

use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use secrecy::ExposeSecret;
use url::Url;

use super::error::{LoadError, LoadErrorKind};
use super::secret::Env;
use super::shown::shown_address;
use super::source::{Source, kind_of_status};

/// As many redirects are followed.
const MAX_REDIRECTS: usize = 10;
const ACCEPTED: &str = "application/yaml, application/json, text/yaml;q=0.9, text/plain;q=0.8, */*;q=0.5";

/// How long a request may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until there is a connection.
    pub connect: Duration,
    /// Until everything was read.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), total: Duration::from_secs(60) }
    }
}

/// The response to a GET with a successful status; its body is still to be read.
///
/// # Errors
/// A header has no value, the server cannot be reached, or its status is not a success.
pub(super) fn get(source: &Source, url: &Url, env: &dyn Env, timeouts: Timeouts) -> Result<Response, LoadError> {
    let name = source.name.as_str();
    let headers = headers(source, env)?;
    let has_secret = !headers.is_empty() || !url.username().is_empty() || url.password().is_some();
    let client = client(url, has_secret, timeouts)
        .map_err(|error| LoadError::new(LoadErrorKind::Unreachable, format!("no request can be made: {error}")))?;
    let request = client.get(url.clone()).header(ACCEPT, ACCEPTED).headers(headers);
    let response = request.send().map_err(|error| failed(name, error, timeouts))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    Err(refused(name, status, response.headers(), has_secret))
}

/// A body that broke off.
pub(super) fn interrupted(name: &str, error: &std::io::Error, timeouts: Timeouts) -> LoadError {
    let timed_out = error.kind() == std::io::ErrorKind::TimedOut
        || error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<reqwest::Error>())
            .is_some_and(reqwest::Error::is_timeout);
    if timed_out {
        return too_slow(name, timeouts);
    }
    LoadError::new(LoadErrorKind::Unreachable, format!("`{name}` broke off: {error}"))
        .in_file(name)
        .remedy("Try again, or download the document and name the file.")
}

/// A URL without user name and password, and with the values of keys such as `token` masked; any other text as it is.
pub(super) fn without_password(text: &str) -> String {
    let bare = match Url::parse(text) {
        Ok(mut url) if text.contains("://") && (!url.username().is_empty() || url.password().is_some()) => {
            // Both fail only for URLs that cannot have credentials.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.to_string()
        }
        _ => text.to_owned(),
    };
    shown_address(&bare)
}

fn client(url: &Url, has_secret: bool, timeouts: Timeouts) -> reqwest::Result<Client> {
    static PROVIDER: Once = Once::new();
    // An error means that a provider is installed already.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let origin = url.origin();
    let policy = Policy::custom(move |attempt| {
        if attempt.previous().len() > MAX_REDIRECTS {
            attempt.error("too many redirects")
        } else if has_secret && attempt.url().origin() != origin {
            // Headers of our own would go along; the 3xx is reported instead.
            attempt.stop()
        } else {
            attempt.follow()
        }
    });
    let mut builder = Client::builder()
        .connect_timeout(timeouts.connect)
        .timeout(timeouts.total)
        .redirect(policy)
        .user_agent(concat!("toolscope/", env!("CARGO_PKG_VERSION")));
    let loopback = match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(domain)) => domain == "localhost",
        None => false,
    };
    if loopback {
        builder = builder.no_proxy();
    }
    builder.build()
}

fn headers(source: &Source, env: &dyn Env) -> Result<HeaderMap, LoadError> {
    let mut headers = HeaderMap::new();
    for (name, reference) in &source.headers {
        let missing = |why: String| {
            LoadError::new(
                LoadErrorKind::Authentication,
                format!("the header {name} for `{}` has no value: {why}", source.name),
            )
        };
        let value = reference
            .resolve(env)
            .map_err(|error| missing(error.to_string()).remedy("Set it before starting the program."))?;
        let mut value = HeaderValue::from_str(value.expose_secret().trim())
            .map_err(|_| missing("the secret holds characters that no header may have".to_owned()))?;
        value.set_sensitive(true);
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
            LoadError::usage(format!("`{name}` is no header name")).remedy("Write 'Name: env:VARIABLE'.")
        })?;
        headers.insert(name, value);
    }
    Ok(headers)
}

fn failed(name: &str, error: reqwest::Error, timeouts: Timeouts) -> LoadError {
    if error.is_timeout() {
        return too_slow(name, timeouts);
    }
    // The URL may hold a key in its query.
    let error = error.without_url();
    let mut cause = error.to_string();
    let mut below = error.source();
    while let Some(inner) = below {
        cause = inner.to_string();
        below = inner.source();
    }
    LoadError::new(LoadErrorKind::Unreachable, format!("`{name}` cannot be reached: {cause}"))
        .in_file(name)
        .remedy("Check the address and the network, or download the document and name the file.")
}

fn too_slow(name: &str, timeouts: Timeouts) -> LoadError {
    let Timeouts { connect, total } = timeouts;
    let message = format!(
        "`{name}` did not answer in time ({} s to connect, {} s in all)",
        connect.as_secs_f32(),
        total.as_secs_f32()
    );
    LoadError::new(LoadErrorKind::Unreachable, message)
        .in_file(name)
        .remedy("Try again, or download the document and name the file.")
}

fn refused(name: &str, status: reqwest::StatusCode, headers: &HeaderMap, has_secret: bool) -> LoadError {
    let code = status.as_u16();
    let reason = status.canonical_reason().unwrap_or("unknown");
    let error = LoadError::new(kind_of_status(code), format!("`{name}` answered {code} {reason}")).in_file(name);
    match code {
        300..=399 => {
            let to = headers.get(LOCATION).and_then(|to| to.to_str().ok()).map(without_password).unwrap_or_default();
            let host = Url::parse(&to).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or(to);
            error.remedy(format!(
                "It points to {host}, and a credential is not sent to another server. Name that address instead."
            ))
        }
        401 | 403 if has_secret => {
            error.remedy("The credential was sent and not accepted; check its value and rights.")
        }
        401 | 403 => error.remedy(
            "Send a credential: --header 'Authorization: Bearer env:TOKEN', or `auth_header` in the workspace file.",
        ),
        404 | 410 => error.remedy("Check the address."),
        _ => error.remedy("Try again later, or download the document and name the file."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_taken_out_of_names() {
        let cases = [
            ("https://user:pw@host/a?b=c", "https://host/a?b=c"),
            ("https://host/a", "https://host/a"),
            ("https://user:pw@host/a?token=b&c=d", "https://host/a?token=***&c=d"),
            ("https://user:pw@[host/a", "https://***@[host/a"),
            ("a:b@c.yaml", "a:b@c.yaml"),
            ("api.yaml", "api.yaml"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_password(text), expected);
        }
    }
}
