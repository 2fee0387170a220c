//! OAuth 2 client credentials (RFC 6749 section 4.4): one token for all calls, fetched once, renewed before it ends.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;
use url::form_urlencoded;

use super::failure::{FailureKind, SendFailure};
use crate::wire::Redactor;
use crate::workspace::{Env, SecretRef};

/// A token that says nothing of its end is kept as long.
const DEFAULT_LIFE: Duration = Duration::from_secs(300);
/// Renewed so long before its end.
const MARGIN: Duration = Duration::from_secs(30);
/// Bytes read of a token endpoint's answer.
const MAX_ANSWER: usize = 1 << 20;

#[derive(Debug)]
struct Token {
    value: SecretString,
    until: Instant,
}

/// The token of one upstream. Calls that need one at the same time wait for the same request.
#[derive(Debug, Default)]
pub(super) struct TokenCache {
    token: Mutex<Option<Token>>,
}

/// What is asked for, from where.
pub(super) struct Grant<'a> {
    pub(super) token_url: &'a str,
    pub(super) client_id: &'a SecretRef,
    pub(super) client_secret: &'a SecretRef,
    pub(super) scopes: &'a [String],
}

impl TokenCache {
    /// A token that is good now.
    pub(super) async fn get(
        &self,
        http: &reqwest::Client,
        grant: &Grant<'_>,
        env: &(dyn Env + Send + Sync),
    ) -> Result<SecretString, SendFailure> {
        let mut held = self.token.lock().await;
        if let Some(token) = held.as_ref().filter(|token| token.until > Instant::now()) {
            return Ok(token.value.clone());
        }
        let token = fetch(http, grant, env).await?;
        let value = token.value.clone();
        *held = Some(token);
        Ok(value)
    }

    /// Forgets a token that was refused; one that was fetched since stays.
    pub(super) async fn refused(&self, value: &SecretString) {
        let mut held = self.token.lock().await;
        if held.as_ref().is_some_and(|token| token.value.expose_secret() == value.expose_secret()) {
            *held = None;
        }
    }
}

async fn fetch(http: &reqwest::Client, grant: &Grant<'_>, env: &(dyn Env + Send + Sync)) -> Result<Token, SendFailure> {
    let missing = |error: crate::workspace::SecretError| {
        SendFailure::new(FailureKind::Authentication, format!("No token can be asked for: {error}."))
    };
    let id = grant.client_id.resolve(env).map_err(missing)?;
    let secret = grant.client_secret.resolve(env).map_err(missing)?;
    let (status, body) = ask(http, grant, &id, &secret, false).await?;
    // Section 2.3.1: servers should take the credentials as Basic; some only take them in the body.
    let (status, body) = match status {
        400 | 401 => ask(http, grant, &id, &secret, true).await?,
        _ => (status, body),
    };
    read(status, &body, grant)
}

async fn ask(
    http: &reqwest::Client,
    grant: &Grant<'_>,
    id: &SecretString,
    secret: &SecretString,
    in_body: bool,
) -> Result<(u16, Vec<u8>), SendFailure> {
    let mut request = http.post(grant.token_url).header("Accept", "application/json");
    if !in_body {
        let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let pair = format!("{}:{}", encoded(id.expose_secret()), encoded(secret.expose_secret()));
        request = request.header("Authorization", format!("Basic {}", STANDARD.encode(pair)));
    }
    let body = form(grant, in_body.then_some((id, secret)));
    let request = request.header("Content-Type", "application/x-www-form-urlencoded").body(body);
    let host = url::Url::parse(grant.token_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_else(|| "the token endpoint".to_owned());
    let unreachable = |error: reqwest::Error| {
        let failure = SendFailure::of(&error, &host, Duration::from_secs(10));
        SendFailure::new(failure.kind, format!("No token could be fetched: {}", failure.message))
    };
    let mut response = request.send().await.map_err(unreachable)?;
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER {
            break;
        }
    }
    Ok((status, body))
}

fn form(grant: &Grant<'_>, credentials: Option<(&SecretString, &SecretString)>) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    if !grant.scopes.is_empty() {
        form.append_pair("scope", &grant.scopes.join(" "));
    }
    if let Some((id, secret)) = credentials {
        form.append_pair("client_id", id.expose_secret()).append_pair("client_secret", secret.expose_secret());
    }
    form.finish()
}

fn read(status: u16, body: &[u8], grant: &Grant<'_>) -> Result<Token, SendFailure> {
    let answer: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(serde_json::Value::as_str);
    let token = text("access_token").filter(|_| (200..300).contains(&status));
    let Some(token) = token else {
        let why = match (text("error"), text("error_description")) {
            (Some(error), Some(more)) => format!("{error}: {more}"),
            (Some(error), None) => error.to_owned(),
            _ => "the answer holds no access_token".to_owned(),
        };
        let message = format!(
            "Nothing was sent: {} gave no token (HTTP {status}, {why}).",
            Redactor::default().url(grant.token_url)
        );
        return Err(SendFailure::new(FailureKind::Authentication, message));
    };
    let seconds = answer.get("expires_in").and_then(serde_json::Value::as_u64);
    let life = seconds.map_or(DEFAULT_LIFE, Duration::from_secs);
    let life = life.saturating_sub(MARGIN.min(life / 10));
    // A life without end would not fit on the clock.
    let life = life.min(Duration::from_secs(86_400 * 365));
    Ok(Token { value: SecretString::from(token), until: Instant::now() + life })
}
