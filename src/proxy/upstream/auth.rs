//! Credentials: from references to headers, query parameters and cookies of a request.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

use super::failure::{FailureKind, SendFailure};
use super::settings::UpstreamSettings;
use crate::wire::{HttpRequest, Redactor};
use crate::workspace::config::{KeyPlace, OutboundAuth, is_secret_header};
use crate::workspace::{Env, SecretRef};

/// Everything but the unreserved characters of RFC 3986.
const KEY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Stands for a secret where nothing is sent.
const MASK: &str = "***";

/// One thing that goes with a request.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Where.
    pub place: KeyPlace,
    /// Under which name.
    pub name: String,
    /// The value.
    pub value: SecretString,
    /// It must not be shown.
    pub is_secret: bool,
    /// It is what the upstream's `outbound_auth` says; the others are plain headers of the workspace.
    pub is_auth: bool,
}

/// The static headers and credentials of an upstream. `token` is that of OAuth 2.
///
/// # Errors
/// A variable is not set, a file cannot be read, or a value holds what no header may.
pub(super) fn credentials(
    settings: &UpstreamSettings,
    token: Option<&SecretString>,
    env: &dyn Env,
) -> Result<Vec<Credential>, SendFailure> {
    let mut found = Vec::new();
    for (name, reference) in &settings.headers {
        let value = value(settings, name, reference, env)?;
        let is_secret = !reference.is_literal() || is_secret_header(name);
        found.push(Credential { place: KeyPlace::Header, name: name.clone(), value, is_secret, is_auth: false });
    }
    let bearer = |token: &str| {
        let token = token.strip_prefix("Bearer ").unwrap_or(token).trim();
        authorization(format!("Bearer {token}"))
    };
    match &settings.auth {
        OutboundAuth::None => {}
        OutboundAuth::Bearer(reference) => {
            let token = value(settings, "Authorization", reference, env)?;
            found.push(bearer(token.expose_secret()));
        }
        OutboundAuth::ApiKey { header, place, value: reference } => {
            let value = value(settings, header, reference, env)?;
            found.push(Credential { place: *place, name: header.clone(), value, is_secret: true, is_auth: true });
        }
        OutboundAuth::Basic { username, password } => {
            let username = value(settings, "Authorization", username, env)?;
            let password = value(settings, "Authorization", password, env)?;
            let pair = format!("{}:{}", username.expose_secret(), password.expose_secret());
            found.push(authorization(format!("Basic {}", STANDARD.encode(pair))));
        }
        OutboundAuth::ClientCredentials { .. } => found.extend(token.map(|token| bearer(token.expose_secret()))),
    }
    Ok(found)
}

/// The same without any secret, for a request that is only shown.
pub(super) fn placeholders(settings: &UpstreamSettings, env: &dyn Env) -> Vec<Credential> {
    let mut found = Vec::new();
    for (name, reference) in &settings.headers {
        let plain = reference.is_literal() && !is_secret_header(name);
        let value = if plain { reference.resolve(env).ok() } else { None };
        let value = value.unwrap_or_else(|| SecretString::from(MASK));
        found.push(Credential {
            place: KeyPlace::Header,
            name: name.clone(),
            value,
            is_secret: !plain,
            is_auth: false,
        });
    }
    match &settings.auth {
        OutboundAuth::None => {}
        OutboundAuth::ApiKey { header, place, .. } => found.push(Credential {
            place: *place,
            name: header.clone(),
            value: SecretString::from(MASK),
            is_secret: true,
            is_auth: true,
        }),
        OutboundAuth::Basic { .. } => found.push(authorization(format!("Basic {MASK}"))),
        OutboundAuth::Bearer(_) | OutboundAuth::ClientCredentials { .. } => {
            found.push(authorization(format!("Bearer {MASK}")));
        }
    }
    found
}

/// A redactor that knows the credentials and those of the document.
pub(super) fn redactor(known: Redactor, credentials: &[Credential]) -> Redactor {
    credentials.iter().filter(|credential| credential.is_secret).fold(known, |redactor, credential| {
        let value = credential.value.expose_secret();
        let bare = value.split_once(' ').filter(|_| credential.name.eq_ignore_ascii_case("authorization"));
        let secret = bare.map_or(value, |(_, secret)| secret);
        let named = redactor.with_name(&credential.name);
        if secret == MASK { named } else { named.with_secret(secret) }
    })
}

fn authorization(value: String) -> Credential {
    Credential {
        place: KeyPlace::Header,
        name: "Authorization".to_owned(),
        value: SecretString::from(value),
        is_secret: true,
        is_auth: true,
    }
}

fn value(
    settings: &UpstreamSettings,
    name: &str,
    reference: &SecretRef,
    env: &dyn Env,
) -> Result<SecretString, SendFailure> {
    let fail = |why: String| {
        let message = format!("Nothing was sent: {name} for the upstream `{}` has no value: {why}.", settings.name);
        SendFailure::new(FailureKind::Authentication, message)
    };
    let value = reference.resolve(env).map_err(|error| fail(error.to_string()))?;
    if value.expose_secret().chars().any(char::is_control) {
        return Err(fail("it holds a line break or another control character".to_owned()));
    }
    Ok(value)
}

/// Puts credentials into a request. They replace what arguments put there; nothing of a client's own request to the
/// proxy ever comes here.
pub(super) fn apply(request: &mut HttpRequest, credentials: &[Credential]) {
    for Credential { place, name, value, .. } in credentials {
        let value = value.expose_secret();
        match place {
            KeyPlace::Header => {
                request.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                request.headers.push((name.clone(), value.to_owned()));
            }
            KeyPlace::Query => {
                let separator = if request.url.contains('?') { '&' } else { '?' };
                let (name, value) = (utf8_percent_encode(name, KEY), utf8_percent_encode(value, KEY));
                request.url.push_str(&format!("{separator}{name}={value}"));
            }
            KeyPlace::Cookie => {
                let pair = format!("{name}={}", utf8_percent_encode(value, KEY));
                match request.headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case("cookie")) {
                    Some((_, cookies)) => cookies.push_str(&format!("; {pair}")),
                    None => request.headers.push(("Cookie".to_owned(), pair)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(place: KeyPlace) -> Credential {
        let value = SecretString::from("a b&c");
        Credential { place, name: "k".to_owned(), value, is_secret: true, is_auth: true }
    }

    #[test]
    fn credentials_go_where_they_belong() {
        let plain = HttpRequest { url: "http://h/p".to_owned(), ..HttpRequest::default() };
        let mut request = plain.clone();
        request.headers = vec![("K".to_owned(), "forged".to_owned())];
        apply(&mut request, &[key(KeyPlace::Header)]);
        assert_eq!(request.headers, [("k".to_owned(), "a b&c".to_owned())]);
        let mut request = plain.clone();
        apply(&mut request, &[key(KeyPlace::Query), key(KeyPlace::Query)]);
        assert_eq!(request.url, "http://h/p?k=a%20b%26c&k=a%20b%26c");
        let mut request = plain;
        request.headers = vec![("Cookie".to_owned(), "s=1".to_owned())];
        apply(&mut request, &[key(KeyPlace::Cookie)]);
        assert_eq!(request.headers, [("Cookie".to_owned(), "s=1; k=a%20b%26c".to_owned())]);
    }

    #[test]
    fn secrets_are_masked_wherever_they_are() {
        let redactor = redactor(Redactor::default(), &[authorization("Bearer s3cret-token".to_owned())]);
        assert_eq!(redactor.text("token s3cret-token!"), "token ***!");
    }
}
