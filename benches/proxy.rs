//! What the hops cost: one API on this machine that answers 1 KB of JSON, asked directly and through the proxy.
//!
//! `cargo bench --bench proxy` measures; with `-- --quick` it takes a few seconds and judges nothing. All lines are of
//! one run, so they can be compared with one another.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing
)]

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, FutureExt};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use toolscope::proxy::serve::{HttpOptions, HttpServer};
use toolscope::proxy::{CallOptions, Engine, Memory, Overrides, View};
use toolscope::workspace::{Options, SpecArg, Workspace, load};

const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: Things, version: '1'}
paths:
  /things/{id}:
    get:
      operationId: one
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200':
          description: One
          content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}, text: {type: string}}}}}
";
/// At one caller the hop in memory may add as much at p50.
const LIMIT: Duration = Duration::from_millis(1);

/// One way to the API: makes a call with that number and panics when it does not get the answer.
type Way = Arc<dyn Fn(usize) -> BoxFuture<'static, ()> + Send + Sync>;

struct Figures {
    per_second: f64,
    p50: Duration,
    p99: Duration,
}

fn body() -> String {
    let mut text = json!({"id": 7, "text": ""}).to_string();
    let filler = "x".repeat(1024 - text.len());
    text = text.replace("\"\"", &format!("\"{filler}\""));
    assert_eq!(text.len(), 1024);
    text
}

/// The API; gives its base URL.
async fn upstream() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let body = Bytes::from(body());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_nodelay(true).unwrap();
            let body = body.clone();
            let service = service_fn(move |_| {
                let answer = hyper::Response::builder().header("content-type", "application/json");
                std::future::ready(Ok::<_, Infallible>(answer.body(Full::new(body.clone())).unwrap()))
            });
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    url
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().tls_certs_only([]).tcp_nodelay(true).build().unwrap()
}

fn direct(base: &str) -> Way {
    let (client, base) = (client(), base.to_owned());
    Arc::new(move |number| {
        let request = client.get(format!("{base}/things/{number}"));
        async move {
            let answer: Value = serde_json::from_slice(&request.send().await.unwrap().bytes().await.unwrap()).unwrap();
            assert_eq!(answer["id"], 7);
        }
        .boxed()
    })
}

fn checked(result: &Value) {
    assert_eq!(result["structuredContent"]["id"], 7, "{result}");
}

fn arguments(number: usize) -> Map<String, Value> {
    json!({"id": number}).as_object().cloned().unwrap()
}

async fn memory(engine: &Arc<Engine>) -> Way {
    let client = Arc::new(Memory::connect(engine.clone(), View::default()).await.unwrap());
    Arc::new(move |number| {
        let client = client.clone();
        async move {
            let never = CancellationToken::new();
            checked(&client.call("one", arguments(number), CallOptions::default(), &never).await.unwrap().result);
        }
        .boxed()
    })
}

/// The result of a JSON-RPC message, which comes alone or as an event of a stream.
fn result(text: &str) -> Value {
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).find(|data| data.contains("jsonrpc"));
    let message: Value = serde_json::from_str(data.unwrap_or(text)).unwrap_or_else(|error| panic!("{error}: {text}"));
    message["result"].clone()
}

fn post(client: &reqwest::Client, url: &str, protocol: &str, message: &Value) -> reqwest::RequestBuilder {
    client
        .post(url)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", protocol)
        .body(message.to_string())
}

/// Protocol 2026-07-28: every request stands alone.
fn stateless(url: &str) -> Way {
    let (client, url) = (client(), url.to_owned());
    Arc::new(move |number| {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        });
        let params = json!({"name": "one", "arguments": arguments(number), "_meta": meta});
        let message = json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params});
        let request = post(&client, &url, "2026-07-28", &message).header("mcp-method", "tools/call");
        let request = request.header("mcp-name", "one");
        async move { checked(&result(&request.send().await.unwrap().text().await.unwrap())) }.boxed()
    })
}

/// Protocol 2025-11-25: within a session.
async fn session(url: &str) -> Way {
    let (client, url) = (client(), url.to_owned());
    let identity = json!({"name": "bench", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": identity});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let answer = post(&client, &url, "2025-11-25", &hello).send().await.unwrap();
    let session = answer.headers()["mcp-session-id"].clone();
    assert_eq!(result(&answer.text().await.unwrap())["protocolVersion"], "2025-11-25");
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let told = post(&client, &url, "2025-11-25", &ready).header("mcp-session-id", &session).send().await.unwrap();
    assert!(told.status().is_success(), "{}", told.status());
    Arc::new(move |number| {
        let params = json!({"name": "one", "arguments": arguments(number)});
        let message = json!({"jsonrpc": "2.0", "id": number + 1, "method": "tools/call", "params": params});
        let request = post(&client, &url, "2025-11-25", &message).header("mcp-session-id", &session);
        async move { checked(&result(&request.send().await.unwrap().text().await.unwrap())) }.boxed()
    })
}

/// Calls for that long, by that many callers of whom each waits for its answer.
async fn measure(way: &Way, callers: usize, span: Duration) -> Figures {
    let (started, mut running) = (Instant::now(), JoinSet::new());
    for caller in 0..callers {
        let way = way.clone();
        running.spawn(async move {
            let mut taken = Vec::new();
            while started.elapsed() < span {
                let clock = Instant::now();
                way(taken.len() * callers + caller).await;
                taken.push(clock.elapsed());
            }
            taken
        });
    }
    let mut taken: Vec<Duration> = running.join_all().await.concat();
    let per_second = taken.len() as f64 / started.elapsed().as_secs_f64();
    taken.sort_unstable();
    let at = |part: f64| taken.get((taken.len() as f64 * part) as usize).copied().unwrap_or_default();
    Figures { per_second, p50: at(0.50), p99: at(0.99) }
}

fn engine(base: &str) -> Arc<Engine> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("api.yaml"), DOCUMENT).unwrap();
    let specs = vec![SpecArg::parse("api.yaml")];
    let options = Options { specs, base_url: Some(base.to_owned()), ..Options::default() };
    let workspace = Workspace::resolve(&options, folder.path()).unwrap();
    let snapshot = load(&workspace, None).unwrap();
    Engine::new(&workspace, &snapshot, Overrides::default()).unwrap()
}

async fn run(span: Duration) -> Duration {
    let base = upstream().await;
    let engine = tokio::task::spawn_blocking({
        let base = base.clone();
        move || engine(&base)
    });
    let engine = engine.await.unwrap();
    let address = (Ipv4Addr::LOCALHOST, 0).into();
    let options = HttpOptions { address, token: None, allowed_origins: Vec::new(), read_only: false };
    let server = HttpServer::start(engine.clone(), options).await.unwrap();
    let url = server.endpoints().first().unwrap().1.clone();
    let ways = [
        ("HTTP, directly", direct(&base)),
        ("proxy in memory", memory(&engine).await),
        ("proxy over HTTP, 2026-07-28", stateless(&url)),
        ("proxy over HTTP, 2025-11-25", session(&url).await),
    ];
    println!("{:28} {:>8} {:>10} {:>10} {:>10}", "", "callers", "calls/s", "p50", "p99");
    let mut alone = Vec::new();
    for callers in [1, 16] {
        for (name, way) in &ways {
            measure(way, callers, span / 5).await;
            let Figures { per_second, p50, p99 } = measure(way, callers, span).await;
            let shown = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1000.0);
            println!("{name:28} {callers:>8} {per_second:>10.0} {:>10} {:>10}", shown(p50), shown(p99));
            if callers == 1 {
                alone.push(p50);
            }
        }
    }
    server.stop().await;
    alone[1].saturating_sub(alone[0])
}

fn main() {
    // Without `--bench` it is a test run of all targets, which only has to show that everything works.
    let quick = std::env::args().any(|argument| argument == "--quick" || argument == "--test");
    let quick = quick || !std::env::args().any(|argument| argument == "--bench");
    let span = if quick { Duration::from_millis(200) } else { Duration::from_secs(4) };
    // An error means that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let added = runtime.block_on(run(span));
    println!("\nThe hop in memory adds {:.3} ms at p50 and one caller.", added.as_secs_f64() * 1000.0);
    if !quick && added >= LIMIT {
        println!("That is not under {} ms.", LIMIT.as_millis());
        std::process::exit(1);
    }
}
