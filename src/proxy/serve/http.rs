//! Streamable HTTP on a port: one path per group, Host and Origin checked, a bearer token where one is wanted.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::proxy::engine::Engine;
use crate::proxy::handler::{Anonymous, Endpoint};
use crate::proxy::served::View;

/// The path where no groups are.
const PATH: &str = "/mcp";

/// Where to listen and for whom.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// What clients have to send as `Authorization: Bearer …`.
    pub token: Option<SecretString>,
    /// Web pages that may call, such as `http://localhost:6274`; none unless named.
    pub allowed_origins: Vec<String>,
    /// Only tools that change nothing.
    pub read_only: bool,
}

/// The server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Anybody on the network could call.
    #[error("{address} is reachable from other machines, and no token is set")]
    Open {
        /// The address.
        address: SocketAddr,
    },
    /// The address is taken.
    #[error("cannot listen on {address}: {why}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        why: std::io::Error,
    },
    /// Two groups have one path.
    #[error("the groups `{one}` and `{other}` have the same endpoint `{path}`")]
    Endpoint {
        /// The path.
        path: String,
        /// A group.
        one: String,
        /// The other one.
        other: String,
    },
    /// The client at the other end of standard input did not speak the protocol.
    #[error("no session came about: {0}")]
    Session(String),
}

type Service = StreamableHttpService<Endpoint, LocalSessionManager>;

struct Doors {
    services: BTreeMap<String, Service>,
    token: Option<SecretString>,
    engine: Arc<Engine>,
    read_only: bool,
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    endpoints: Vec<(String, String)>,
    stop: CancellationToken,
    task: JoinHandle<std::io::Result<()>>,
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl HttpServer {
    /// Starts to listen.
    ///
    /// # Errors
    /// The address is open to others without a token, taken, or two groups have one path.
    pub async fn start(engine: Arc<Engine>, options: HttpOptions) -> Result<Self, ServeError> {
        let address = options.address;
        if !address.ip().is_loopback() && options.token.is_none() {
            return Err(ServeError::Open { address });
        }
        let views = views(&engine, options.read_only)?;
        let listener = TcpListener::bind(address).await.map_err(|why| ServeError::Bind { address, why })?;
        let address = listener.local_addr().map_err(|why| ServeError::Bind { address, why })?;
        let stop = CancellationToken::new();
        let config = config(&options, &stop);
        let mut endpoints = Vec::new();
        let mut services = BTreeMap::new();
        for (path, view) in views {
            let name = view.group.clone().unwrap_or_else(|| "toolscope".to_owned());
            endpoints.push((name, format!("http://{}{path}", reachable(address))));
            let endpoint = Endpoint { engine: engine.clone(), view, transport: "http" };
            let make = move || Ok(endpoint.clone());
            services.insert(path, Service::new(make, Arc::new(LocalSessionManager::default()), config.clone()));
        }
        let doors = Doors { services, token: options.token, engine, read_only: options.read_only };
        let app = Router::new().fallback(enter).with_state(Arc::new(doors));
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            // An answer comes in small parts, none of which may wait until the one before is acknowledged.
            let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
            let serve = axum::serve(listener, app);
            serve.with_graceful_shutdown(async move { stopped.cancelled_owned().await }).await
        });
        Ok(Self { address, endpoints, stop, task })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Name and URL of every endpoint: one, or one per group.
    pub fn endpoints(&self) -> &[(String, String)] {
        &self.endpoints
    }

    /// Ends all sessions and stops listening. Calls should have been drained before.
    pub async fn stop(mut self) {
        self.stop.cancel();
        // A client that keeps its connection open must not keep the program.
        let _ = tokio::time::timeout(std::time::Duration::from_secs(2), &mut self.task).await;
        self.task.abort();
    }
}

/// The paths and what each shows.
fn views(engine: &Engine, read_only: bool) -> Result<Vec<(String, View)>, ServeError> {
    let served = engine.served();
    let whole = View { read_only, ..View::default() };
    if served.groups.is_empty() {
        return Ok(vec![(PATH.to_owned(), whole)]);
    }
    let mut views: Vec<(String, View)> = Vec::new();
    for group in &served.groups {
        let path = format!("/{}", group.endpoint.trim_matches('/'));
        let taken = views.iter().find(|(known, _)| *known == path);
        if let Some((_, view)) = taken {
            let one = view.group.clone().unwrap_or_default();
            return Err(ServeError::Endpoint { path, one, other: group.name.clone() });
        }
        views.push((path, View { group: Some(group.name.clone()), ..whole.clone() }));
    }
    Ok(views)
}

fn config(options: &HttpOptions, stop: &CancellationToken) -> StreamableHttpServerConfig {
    let mut config = StreamableHttpServerConfig::default().enforce_origin_validation();
    config.cancellation_token = stop.child_token();
    if !options.allowed_origins.is_empty() {
        config = config.with_allowed_origins(options.allowed_origins.clone());
    }
    match options.address.ip() {
        ip if ip.is_loopback() => config,
        // All addresses of the machine, under whatever names: the token guards.
        ip if ip.is_unspecified() => config.disable_allowed_hosts(),
        ip => {
            let hosts = ["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned(), ip.to_string()];
            config.with_allowed_hosts(hosts)
        }
    }
}

/// An address that a client on this machine can use.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (std::net::Ipv4Addr::LOCALHOST, address.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (std::net::Ipv6Addr::LOCALHOST, address.port()).into(),
        _ => address,
    }
}

/// Who may come in.
#[derive(Debug, PartialEq, Eq)]
enum Pass {
    All,
    /// Only what needs no token.
    Public,
    No,
}

fn pass(token: Option<&SecretString>, headers: &HeaderMap) -> Pass {
    let Some(token) = token else { return Pass::All };
    let Some(given) = headers.get(header::AUTHORIZATION) else { return Pass::Public };
    let given = given.as_bytes();
    let bearer = given.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case(b"Bearer "));
    let secret = bearer.and_then(|_| given.get(7..)).unwrap_or_default();
    if same(secret, token.expose_secret().as_bytes()) { Pass::All } else { Pass::No }
}

/// Compares without telling by its time where the difference is.
fn same(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0_u8, |found, (a, b)| found | (a ^ b));
    one.len() == other.len() && differences == 0
}

async fn enter(State(doors): State<Arc<Doors>>, mut request: Request) -> Response {
    let path = request.uri().path();
    let Some(service) = doors.services.get(path).or_else(|| doors.services.get(path.trim_end_matches('/'))) else {
        let known: Vec<&str> = doors.services.keys().map(String::as_str).collect();
        let text = format!("There is nothing at {path}. MCP is served at {}.\n", known.join(", "));
        return (StatusCode::NOT_FOUND, text).into_response();
    };
    let public = View { read_only: doors.read_only, public_only: true, group: None };
    match pass(doors.token.as_ref(), request.headers()) {
        Pass::All => {}
        Pass::Public if doors.engine.served().tools(&public).next().is_some() => {
            request.extensions_mut().insert(Anonymous);
        }
        Pass::Public | Pass::No => {
            let challenge = [(header::WWW_AUTHENTICATE, "Bearer realm=\"toolscope\"")];
            return (StatusCode::UNAUTHORIZED, challenge, "A bearer token is needed.\n").into_response();
        }
    }
    service.handle(request).await.map(Body::new)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn tokens_let_in() {
        let token = SecretString::from("s3cret");
        let headers = |value: Option<&str>| {
            let pair = value.map(|value| (header::AUTHORIZATION, value.parse().unwrap()));
            pair.into_iter().collect::<HeaderMap>()
        };
        let cases = [
            (Some("Bearer s3cret"), Pass::All),
            (Some("bearer s3cret"), Pass::All),
            (Some("Bearer s3cre"), Pass::No),
            (Some("Bearer s3crets"), Pass::No),
            (Some("Bearer "), Pass::No),
            (Some("Basic s3cret"), Pass::No),
            (None, Pass::Public),
        ];
        for (value, expected) in cases {
            assert_eq!(pass(Some(&token), &headers(value)), expected, "{value:?}");
            assert_eq!(pass(None, &headers(value)), Pass::All);
        }
    }
}
