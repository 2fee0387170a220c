//! The mock on a port of this machine.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use hyper::body::{Bytes, Frame, Incoming as HyperBody};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::answer::{Answer, answer};
use super::check::{Incoming, check};
use super::faults::{FaultKind, Faults};
use super::route::{Match, Routes};
use crate::derive::Catalog;

/// Bytes of a request that are read.
const MAX_REQUEST: usize = 32 << 20;
/// Requests that are remembered.
const MOST_SEEN: usize = 20_000;

type Body = BoxBody<Bytes, std::io::Error>;

/// The mock cannot start.
#[derive(Debug, thiserror::Error)]
#[error("the mock cannot listen on {address}: {why}")]
pub struct MockError {
    /// Where.
    pub address: SocketAddr,
    /// What the system said.
    pub why: std::io::Error,
}

/// How a mock behaves.
#[derive(Debug, Default)]
pub struct MockOptions {
    /// Faults on purpose.
    pub faults: Faults,
    /// Answer requests that do not fit the document as well, instead of with 400.
    pub lenient: bool,
}

/// A request that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The tool of the operation that it means.
    pub tool: Option<String>,
    /// What about it the document does not allow.
    pub problems: Vec<String>,
    /// What was answered; `None` when a fault took the answer.
    pub status: Option<u16>,
}

struct State {
    routes: RwLock<Arc<Routes>>,
    options: MockOptions,
    seen: Mutex<VecDeque<Seen>>,
    tell: Box<dyn Fn(&Seen) + Send + Sync>,
}

/// A mock that runs until it is dropped.
pub struct Mock {
    address: SocketAddr,
    state: Arc<State>,
    stop: CancellationToken,
}

impl std::fmt::Debug for Mock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mock").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Mock {
    /// Starts a mock of all operations of a catalog, hidden ones too. `tell` is called for every request that was
    /// answered.
    ///
    /// # Errors
    /// The address is taken.
    pub async fn start(
        catalog: &Catalog,
        address: SocketAddr,
        options: MockOptions,
        tell: impl Fn(&Seen) + Send + Sync + 'static,
    ) -> Result<Self, MockError> {
        let listener = TcpListener::bind(address).await.map_err(|why| MockError { address, why })?;
        let address = listener.local_addr().map_err(|why| MockError { address, why })?;
        let state = Arc::new(State {
            routes: RwLock::new(Arc::new(Routes::new(catalog))),
            options,
            seen: Mutex::default(),
            tell: Box::new(tell),
        });
        let stop = CancellationToken::new();
        tokio::spawn(accept(listener, state.clone(), stop.clone()));
        Ok(Self { address, state, stop })
    }

    /// Starts a mock for calls of this process: it answers as it should, on a free port that only this machine reaches.
    ///
    /// # Errors
    /// The system gives no port.
    pub async fn local(catalog: &Catalog) -> Result<Self, MockError> {
        Self::start(catalog, (Ipv4Addr::LOCALHOST, 0).into(), MockOptions::default(), |_| {}).await
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its base URL. With several upstreams each has a path of its own below it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Operations that it answers.
    pub fn operations(&self) -> usize {
        self.state.routes.read().unwrap_or_else(PoisonError::into_inner).count()
    }

    /// Answers for another catalog from now on.
    pub fn replace(&self, catalog: &Catalog) {
        *self.state.routes.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Routes::new(catalog));
    }

    /// The requests that came and were answered, oldest first.
    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

async fn accept(listener: TcpListener, state: Arc<State>, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                tokio::spawn(connection(stream, state.clone(), stop.clone()));
            }
            // Too many open files, say: the next try must not come at once.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn connection(stream: TcpStream, state: Arc<State>, stop: CancellationToken) {
    // A small answer must not wait for more.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| respond(request, state.clone()));
    let served = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        () = stop.cancelled() => {}
        // A client that goes away in the middle is no concern of anybody.
        _ = served => {}
    }
}

async fn respond(request: Request<HyperBody>, state: Arc<State>) -> Result<Response<Body>, std::io::Error> {
    let (parts, body) = request.into_parts();
    let text = |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    let body = Limited::new(body, MAX_REQUEST).collect().await.map_err(std::io::Error::other)?;
    let incoming = Incoming {
        method: parts.method.as_str().to_owned(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers,
        body: body.to_bytes().to_vec(),
    };
    let fault = state.options.faults.next();
    if !state.options.faults.delay.is_zero() {
        tokio::time::sleep(state.options.faults.delay).await;
    }
    let (answer, mut seen) = find(&incoming, &state);
    if fault.is_some_and(|fault| matches!(fault, FaultKind::Reset | FaultKind::Hang)) {
        seen.status = None;
    }
    state.note(seen);
    match fault {
        None => response(answer.status, &answer.media_type, full(answer.body.clone())),
        Some(FaultKind::Reset) => Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset)),
        Some(FaultKind::Hang) => std::future::pending().await,
        Some(FaultKind::Error) => {
            let problem = Answer::problem(500, "A fault of the mock", "It was asked for.", &[]);
            response(500, &problem.media_type, full(problem.body))
        }
        Some(FaultKind::WrongType) => response(200, "text/html", full(b"<!doctype html><p>Not what you want".to_vec())),
        Some(FaultKind::InvalidJson) => response(200, "application/json", full(b"{\"broken\": ".to_vec())),
        Some(FaultKind::Truncate) => truncated(&answer),
    }
}

fn find(incoming: &Incoming, state: &State) -> (Arc<Answer>, Seen) {
    let routes = state.routes.read().unwrap_or_else(PoisonError::into_inner).clone();
    let target = match incoming.query.as_str() {
        "" => incoming.path.clone(),
        query => format!("{}?{query}", incoming.path),
    };
    let mut seen = Seen { method: incoming.method.clone(), target, tool: None, problems: Vec::new(), status: None };
    let answer = match routes.find(&incoming.method, &incoming.path) {
        Match::Found(candidates) => {
            let held = candidates.iter().map(|(route, captures)| (route, check(route, captures, incoming)));
            let Some((route, problems)) = held.min_by_key(|(_, problems)| problems.len()) else {
                return (Arc::default(), seen);
            };
            seen.tool = Some(route.tool.named.name.clone());
            seen.problems = problems;
            if seen.problems.is_empty() || state.options.lenient {
                answer(route, incoming)
            } else {
                let title = "The request does not fit the document";
                Arc::new(Answer::problem(400, title, &seen.problems.join("; "), &seen.problems))
            }
        }
        Match::OtherMethods(methods) => {
            let detail = format!("The document has {} for this path.", methods.join(", "));
            Arc::new(Answer::problem(405, "No such method here", &detail, &[]))
        }
        Match::Nothing => {
            let detail = format!("The document has no path for {}.", incoming.path);
            Arc::new(Answer::problem(404, "No such path", &detail, &[]))
        }
    };
    seen.status = Some(answer.status);
    (answer, seen)
}

impl State {
    fn note(&self, seen: Seen) {
        (self.tell)(&seen);
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_SEEN {
            all.pop_front();
        }
        all.push_back(seen);
    }
}

fn full(body: Vec<u8>) -> Body {
    Full::new(Bytes::from(body)).map_err(|never| match never {}).boxed()
}

fn response(status: u16, media_type: &str, body: Body) -> Result<Response<Body>, std::io::Error> {
    let mut builder = Response::builder().status(status).header("server", "toolscope mock");
    if !media_type.is_empty() {
        builder = builder.header("content-type", media_type);
    }
    builder.body(body).map_err(std::io::Error::other)
}

/// Half of a body, though its length says all of it.
fn truncated(answer: &Answer) -> Result<Response<Body>, std::io::Error> {
    let half = answer.body.get(..answer.body.len() / 2).unwrap_or_default().to_vec();
    let broken = Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset));
    let frames = stream::iter([Ok(Frame::data(Bytes::from(half))), broken]);
    let length = answer.body.len().max(2);
    Response::builder()
        .status(answer.status)
        .header("content-type", &answer.media_type)
        .header("content-length", length)
        .body(BodyExt::boxed(StreamBody::new(frames)))
        .map_err(std::io::Error::other)
}
