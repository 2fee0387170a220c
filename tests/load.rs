//! Ten thousand calls, many at a time, with faults among them: nothing hangs, each result is its own, and neither memory nor
//! sockets grow. Alone in its process, so that what it measures is its own.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use toolscope::proxy::mock::{Fault, Faults, MockOptions};
use toolscope::proxy::{CallOptions, Engine, FailureKind, Memory, MemoryReply, Mock, Overrides, View};
use toolscope::workspace::{Options, SpecArg, Workspace, load};

const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: Things, version: '1'}
servers: [{url: 'http://127.0.0.1:9'}]
paths:
  /things/{id}:
    get:
      operationId: one
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200':
          description: One
          content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}
";
/// Until every part has been used and the record is full.
const FIRST: usize = 3_000;
const CALLS: usize = 10_000;
const AT_A_TIME: usize = 64;
/// The rest of the calls may take as many bytes; one of 2,500 bytes each would be seen.
const GROWTH: usize = 16 << 20;

/// Bytes of memory that are in use by the process.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
fn sockets() -> usize {
    let all = std::fs::read_dir("/proc/self/fd").unwrap().filter_map(Result::ok);
    let is_socket = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path()).is_ok_and(|target| target.to_string_lossy().starts_with("socket:"))
    };
    all.filter(is_socket).count()
}

#[cfg(not(target_os = "linux"))]
fn resident() -> usize {
    0
}

#[cfg(not(target_os = "linux"))]
fn sockets() -> usize {
    0
}

#[derive(Debug, Default)]
struct Tally {
    good: usize,
    broken: usize,
    failed: usize,
    most_sockets: usize,
}

impl Tally {
    fn count(&mut self, next: Option<Result<MemoryReply, JoinError>>) {
        let reply = next.unwrap().unwrap();
        let said = reply.result["content"][0]["text"].as_str().unwrap_or_default();
        match reply.failure {
            None => {
                assert!(reply.result["structuredContent"]["id"].is_i64(), "{}", reply.result);
                self.good += 1;
            }
            Some(FailureKind::Unreachable) => {
                assert!(said.contains("broke off") || said.contains("before it had answered"), "{said}");
                self.broken += 1;
            }
            Some(FailureKind::Tool) => {
                assert!(said.contains("HTTP 500"), "{said}");
                self.failed += 1;
            }
            other => panic!("{other:?}: {}", reply.result),
        }
    }
}

async fn calls(client: &Arc<Memory>, numbers: std::ops::Range<usize>, tally: &mut Tally) {
    let mut running = JoinSet::new();
    for number in numbers {
        if running.len() >= AT_A_TIME {
            let next = tokio::time::timeout(Duration::from_secs(60), running.join_next()).await;
            tally.count(next.expect("a call hangs"));
        }
        let client = client.clone();
        running.spawn(async move {
            let arguments = json!({"id": number}).as_object().cloned().unwrap();
            client.call("one", arguments, CallOptions::default(), &CancellationToken::new()).await.unwrap()
        });
        if number % 500 == 499 {
            tally.most_sockets = tally.most_sockets.max(sockets());
        }
    }
    while !running.is_empty() {
        let next = tokio::time::timeout(Duration::from_secs(60), running.join_next()).await;
        tally.count(next.expect("a call hangs"));
    }
}

fn engine(mock: &str, workspace: &Workspace) -> Arc<Engine> {
    let snapshot = load(workspace, None).unwrap();
    let overrides = Overrides { mock: Some(mock.to_owned()), ..Overrides::default() };
    Engine::new(workspace, &snapshot, overrides).unwrap()
}

#[test]
fn ten_thousand_calls_with_faults_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("api.yaml"), DOCUMENT).unwrap();
    let options = Options { specs: vec![SpecArg::parse("api.yaml")], ..Options::default() };
    let workspace = Workspace::resolve(&options, folder.path()).unwrap();
    let snapshot = load(&workspace, None).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let faults = ["reset:1.2%", "truncate:1.3%", "error:2.5%"].map(|text| Fault::parse(text).unwrap());
        let options = MockOptions { faults: Faults::new(faults.to_vec(), Duration::ZERO), lenient: false };
        let mock = Mock::start(&snapshot.catalog, (Ipv4Addr::LOCALHOST, 0).into(), options, |_| {}).await.unwrap();
        let engine = engine(&mock.url(), &workspace);
        let client = Arc::new(Memory::connect(engine.clone(), View::default()).await.unwrap());
        let mut tally = Tally::default();
        calls(&client, 0..FIRST, &mut tally).await;
        let (memory, open) = (resident(), sockets());
        calls(&client, FIRST..CALLS, &mut tally).await;
        let (memory_after, open_after) = (resident(), sockets());
        assert_eq!(tally.good + tally.broken + tally.failed, CALLS);
        // Evenly 5 of 100; where two faults fall on one request, the first wins.
        assert!((200..=250).contains(&tally.broken) && (200..=250).contains(&tally.failed), "{tally:?}");
        // Both ends of every connection are in this process.
        assert!(tally.most_sockets <= 4 * AT_A_TIME, "{tally:?}");
        assert!(open_after <= open.max(4 * AT_A_TIME), "{open} sockets, then {open_after}");
        assert!(memory_after <= memory + GROWTH, "{memory} bytes, then {memory_after}");
        assert_eq!(engine.active(), 0);
        assert!(engine.tap().messages().len() <= 1000);
        assert_eq!(mock.seen().len(), CALLS);
    });
    the_measures_see_a_leak();
}

/// What is measured is what is there: more than the growth that is allowed, and more sockets, are seen.
#[cfg(target_os = "linux")]
fn the_measures_see_a_leak() {
    let memory = resident();
    let held = vec![1_u8; 4 * GROWTH];
    let ends: Vec<_> = (0..500).map(|_| std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()).collect();
    assert!(resident() > memory + 2 * GROWTH, "{} bytes of {memory} with {} more", resident(), held.len());
    // Those of the calls may still be closing, so what was open before says nothing.
    assert!(sockets() >= ends.len(), "{} sockets", sockets());
}

#[cfg(not(target_os = "linux"))]
fn the_measures_see_a_leak() {}
