//! One request to an API: credentials, time, redirects, retries, and a body that ends at its limit.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout_at};
use url::Url;

use super::auth::{apply, credentials, placeholders, redactor, with_grant, with_user};
use super::failure::{FailureKind, SendFailure};
use super::http;
use super::oauth::{Grant, TokenCache};
use super::settings::UpstreamSettings;
use crate::proxy::tap::HttpHop;
use crate::wire::{HttpRequest, HttpResponse, Redactor};
use crate::workspace::Env;
use crate::workspace::config::OutboundAuth;

/// As many redirects are followed.
const MAX_REDIRECTS: usize = 10;
/// The wait before the first retry; it doubles.
const FIRST_WAIT: Duration = Duration::from_millis(200);

/// An upstream, ready for calls. Made once; it keeps connections and tokens.
pub struct UpstreamClient {
    settings: UpstreamSettings,
    known: Redactor,
    env: Arc<dyn Env + Send + Sync>,
    http: OnceLock<Result<reqwest::Client, String>>,
    permits: Semaphore,
    tokens: TokenCache,
}

impl std::fmt::Debug for UpstreamClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UpstreamClient").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// What came of a request.
#[derive(Debug)]
pub struct Sent {
    /// Every message that went over the wire, secrets masked, in order: redirects and retries too.
    pub hops: Vec<HttpHop>,
    /// The response, or why there is none.
    pub outcome: Result<HttpResponse, SendFailure>,
    /// Masks the secrets of this request in anything else that is shown.
    pub redactor: Redactor,
}

/// The clock of one call.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    fn over(self, while_doing: &str) -> SendFailure {
        SendFailure::timeout(self.limit, while_doing)
    }
}

/// Why one exchange gave nothing, and what is known of it all the same.
struct Broken {
    failure: SendFailure,
    /// The request may have had no effect and can be tried again.
    early: bool,
}

impl UpstreamClient {
    /// A client with these settings; `known` knows which headers and query keys of the document carry secrets.
    pub fn new(settings: UpstreamSettings, known: Redactor, env: Arc<dyn Env + Send + Sync>) -> Self {
        let permits = Semaphore::new(settings.max_connections);
        Self { settings, known, env, http: OnceLock::new(), permits, tokens: TokenCache::default() }
    }

    /// The settings.
    pub fn settings(&self) -> &UpstreamSettings {
        &self.settings
    }

    /// A request as it would be sent, with `***` for every secret. Nothing is sent and no secret is read.
    pub fn preview(&self, request: &HttpRequest, known: Redactor) -> HttpRequest {
        let credentials = placeholders(&self.settings, self.env.as_ref());
        let mut request = request.clone();
        apply(&mut request, &credentials);
        redactor(known, &credentials).request(&request)
    }

    /// Knows the names under which the document's secrets go.
    pub fn known(&self) -> &Redactor {
        &self.known
    }

    /// Sends a request and reads its response, within `limit`. What `known` masks is masked in the record. Never fails
    /// otherwise than by [`Sent::outcome`].
    pub async fn send(&self, request: HttpRequest, limit: Duration, known: Redactor) -> Sent {
        let deadline = Deadline { at: Instant::now() + limit, limit };
        let redactor = with_user(known, &request.url);
        let mut sent = Sent { hops: Vec::new(), outcome: Ok(HttpResponse::default()), redactor };
        let outcome = self.within(&request, deadline, &mut sent).await;
        sent.outcome = outcome;
        sent
    }

    async fn within(
        &self,
        request: &HttpRequest,
        deadline: Deadline,
        sent: &mut Sent,
    ) -> Result<HttpResponse, SendFailure> {
        let client = self.http.get_or_init(|| http::build(&self.settings)).as_ref();
        let client =
            client.map_err(|why| SendFailure::new(FailureKind::Unreachable, format!("Nothing was sent: {why}.")))?;
        let permit = timeout_at(deadline.at, self.permits.acquire());
        let busy = || {
            let most = self.settings.max_connections;
            deadline.over(&format!("all {most} connections to it are in use"))
        };
        let _permit = permit.await.map_err(|_| busy())?.map_err(|_| busy())?;
        sent.redactor = with_grant(std::mem::take(&mut sent.redactor), &self.settings, self.env.as_ref());
        let token = self.token(client, deadline).await?;
        let response = self.attempts(client, request, token.as_ref(), deadline, sent).await?;
        match token {
            // The token may have been withdrawn before its time.
            Some(refused) if response.status == 401 => {
                self.tokens.refused(&refused).await;
                let token = self.token(client, deadline).await?;
                self.attempts(client, request, token.as_ref(), deadline, sent).await
            }
            _ => Ok(response),
        }
    }

    async fn token(&self, client: &reqwest::Client, deadline: Deadline) -> Result<Option<SecretString>, SendFailure> {
        let OutboundAuth::ClientCredentials { token_url, client_id, client_secret, scopes } = &self.settings.auth
        else {
            return Ok(None);
        };
        let grant = Grant { token_url, client_id, client_secret, scopes };
        let token = timeout_at(deadline.at, self.tokens.get(client, &grant, self.env.as_ref())).await;
        token.map_err(|_| deadline.over("a token was being fetched"))?.map(Some)
    }

    /// The request with retries, where those are switched on.
    async fn attempts(
        &self,
        client: &reqwest::Client,
        request: &HttpRequest,
        token: Option<&SecretString>,
        deadline: Deadline,
        sent: &mut Sent,
    ) -> Result<HttpResponse, SendFailure> {
        let credentials = credentials(&self.settings, token, self.env.as_ref())?;
        sent.redactor = redactor(std::mem::take(&mut sent.redactor), &credentials);
        let mut request = request.clone();
        apply(&mut request, &credentials);
        let may_repeat = matches!(&*request.method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PUT" | "DELETE");
        let mut left = if may_repeat { self.settings.retries } else { 0 };
        let mut wait = FIRST_WAIT;
        loop {
            let outcome = self.follow(client, request.clone(), deadline, sent).await;
            let again = match &outcome {
                Ok(response) => matches!(response.status, 502..=504),
                Err(broken) => broken.early && broken.failure.kind == FailureKind::Unreachable,
            };
            let next = Instant::now() + wait;
            if left == 0 || !again || next >= deadline.at {
                return outcome.map_err(|broken| broken.failure);
            }
            sleep_until(next).await;
            left -= 1;
            wait *= 2;
        }
    }

    /// The request with its redirects: to the same origin only, and never with a method changed behind one's back.
    async fn follow(
        &self,
        client: &reqwest::Client,
        mut request: HttpRequest,
        deadline: Deadline,
        sent: &mut Sent,
    ) -> Result<HttpResponse, Broken> {
        for _ in 0..=MAX_REDIRECTS {
            let response = self.once(client, &request, deadline, sent).await?;
            let Some(target) = redirect(&request, &response) else { return Ok(response) };
            request.url = target;
            request.parts.clear();
        }
        let message = format!("The API redirected the call more than {MAX_REDIRECTS} times.");
        Err(Broken { failure: SendFailure::new(FailureKind::Tool, message), early: false })
    }

    /// One message out, one message in.
    async fn once(
        &self,
        client: &reqwest::Client,
        request: &HttpRequest,
        deadline: Deadline,
        sent: &mut Sent,
    ) -> Result<HttpResponse, Broken> {
        let started = Instant::now();
        let shown = sent.redactor.request(request);
        let mut hop = HttpHop::new(&shown);
        let outcome = self.exchange(client, request, deadline, &mut hop, started).await;
        hop.elapsed = started.elapsed();
        match &outcome {
            Ok(response) => hop.response(response, &sent.redactor),
            Err(broken) => hop.error = Some(sent.redactor.text(&broken.failure.message)),
        }
        sent.hops.push(hop);
        outcome
    }

    async fn exchange(
        &self,
        client: &reqwest::Client,
        request: &HttpRequest,
        deadline: Deadline,
        hop: &mut HttpHop,
        started: Instant,
    ) -> Result<HttpResponse, Broken> {
        let to = authority(&request.url);
        let early = |failure| Broken { failure, early: true };
        let made = make(client, request).map_err(|why| Broken {
            failure: SendFailure::new(FailureKind::Tool, format!("The request cannot be sent: {why}.")),
            early: false,
        })?;
        let answer = timeout_at(deadline.at, made.send()).await;
        let mut response = answer
            .map_err(|_| early(deadline.over(&format!("{to} had not begun to answer"))))?
            .map_err(|error| early(SendFailure::of(&error, &to, self.settings.connect_timeout)))?;
        hop.waited = started.elapsed();
        let status = response.status().as_u16();
        hop.status = Some(status);
        hop.version = format!("{:?}", response.version());
        let headers = pairs(response.headers());
        let mut found = HttpResponse { status, headers, url: Some(request.url.clone()), ..HttpResponse::default() };
        let limit = self.settings.max_response_body;
        loop {
            let chunk = timeout_at(deadline.at, response.chunk()).await;
            let got = found.body.len();
            let slow = || deadline.over(&format!("HTTP {status} and {got} bytes of its body had come"));
            let late = |failure| Broken { failure, early: false };
            let chunk = chunk.map_err(|_| late(slow()))?;
            let chunk = chunk.map_err(|error| late(SendFailure::of_body(&error, status, &found.body)))?;
            let Some(chunk) = chunk else { break };
            let room = limit.saturating_sub(found.body.len() as u64);
            if chunk.len() as u64 > room {
                found.body.extend(chunk.iter().take(usize::try_from(room).unwrap_or(usize::MAX)));
                // The rest is not read: dropping the response closes the connection.
                found.cut_at = Some(limit);
                break;
            }
            found.body.extend_from_slice(&chunk);
        }
        Ok(found)
    }
}

fn make(client: &reqwest::Client, request: &HttpRequest) -> Result<reqwest::RequestBuilder, String> {
    let method = Method::from_bytes(request.method.as_bytes()).map_err(|error| error.to_string())?;
    let url = Url::parse(&request.url).map_err(|error| error.to_string())?;
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("`{name}` is no header name"))?;
        let value = HeaderValue::from_bytes(value.as_bytes())
            .map_err(|_| format!("the value of the header {name} holds what no header may"))?;
        headers.append(key, value);
    }
    let builder = client.request(method, url).headers(headers);
    Ok(match &request.body {
        Some(body) => builder.body(body.bytes.clone()),
        None => builder,
    })
}

fn pairs(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

/// Where a response sends the request, when that may be followed: the same scheme, host and port, and either the method
/// stays (307, 308) or nothing was to be changed anyway.
fn redirect(request: &HttpRequest, response: &HttpResponse) -> Option<String> {
    let keeps_method = match response.status {
        307 | 308 => true,
        301..=303 => matches!(&*request.method, "GET" | "HEAD"),
        _ => return None,
    };
    let from = Url::parse(&request.url).ok()?;
    let to = from.join(response.header("location")?).ok()?;
    (keeps_method && to.origin() == from.origin()).then(|| to.to_string())
}

/// `host:port` of a URL.
fn authority(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return "the API".to_owned() };
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_at_home_and_keep_the_method() {
        let cases = [
            ("GET", 302, "/b", Some("https://h/b")),
            ("GET", 302, "b?x=1", Some("https://h/a/b?x=1")),
            ("GET", 301, "https://h/b", Some("https://h/b")),
            ("GET", 302, "http://h/b", None),
            ("GET", 302, "https://h:8443/b", None),
            ("GET", 302, "https://other/b", None),
            ("GET", 302, "//other/b", None),
            ("POST", 302, "/b", None),
            ("POST", 303, "/b", None),
            ("POST", 307, "/b", Some("https://h/b")),
            ("GET", 304, "/b", None),
            ("GET", 200, "/b", None),
        ];
        for (method, status, location, expected) in cases {
            let request =
                HttpRequest { method: method.into(), url: "https://h/a/c".to_owned(), ..HttpRequest::default() };
            let headers = vec![("Location".to_owned(), location.to_owned())];
            let response = HttpResponse { status, headers, ..HttpResponse::default() };
            assert_eq!(redirect(&request, &response).as_deref(), expected, "{method} {status} {location}");
        }
    }
}
