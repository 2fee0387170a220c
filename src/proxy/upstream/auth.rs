//! Credentials: from references to headers, query parameters and cookies of a request.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

use super::failure::{FailureKind, SendFailure};
use super::settings::UpstreamSettings;
use crate::document::{MASK, is_secret_header};
use crate::wire::{HttpRequest, Redactor};
use crate::workspace::config::{KeyPlace, OutboundAuth};
use crate::workspace::{Env, SecretRef};

/// Everything but the unreserved characters of RFC 3986.
const KEY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

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
        match bare {
            _ if secret == MASK => named,
            Some(("Basic", pair)) => with_pair(named, pair),
            _ => named.with_secret(secret),
        }
    })
}

/// A pair of Basic, as it is sent and the password in it: an API that refuses it may repeat either.
fn with_pair(known: Redactor, pair: &str) -> Redactor {
    let decoded = STANDARD.decode(pair).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let password = decoded.as_deref().and_then(|text| text.split_once(':')).map(|(_, password)| password);
    let known = known.with_secret(pair);
    password.map_or(known.clone(), |password| known.with_secret(password))
}

/// The same with what stands before the host of a URL; it is sent as Basic.
pub(super) fn with_user(known: Redactor, url: &str) -> Redactor {
    let Ok(url) = url::Url::parse(url) else { return known };
    let plain = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (user, password) = (plain(url.username()), url.password().map(plain));
    match password {
        Some(password) => with_pair(known.with_secret(&password), &STANDARD.encode(format!("{user}:{password}"))),
        None if user.is_empty() => known,
        // A token alone stands in the place of the name.
        None => with_pair(known.with_secret(&user), &STANDARD.encode(format!("{user}:"))),
    }
}

/// The same with what a token is asked for with: the endpoint may repeat it when it refuses.
pub(super) fn with_grant(known: Redactor, settings: &UpstreamSettings, env: &dyn Env) -> Redactor {
    let OutboundAuth::ClientCredentials { client_id, client_secret, token_url, .. } = &settings.auth else {
        return known;
    };
    let known = with_user(known, token_url);
    // What has no value is said when the token is asked for.
    let (Ok(id), Ok(secret)) = (client_id.resolve(env), client_secret.resolve(env)) else { return known };
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(id.expose_secret()), encoded(secret.expose_secret()));
    known.with_secret(secret.expose_secret()).with_secret(&STANDARD.encode(pair))
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
