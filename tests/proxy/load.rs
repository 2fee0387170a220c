//! Many calls at a time with faults among them: nothing hangs, each result is its own, no socket is left behind.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use toolscope::proxy::mock::{Fault, Faults, MockOptions};
use toolscope::proxy::{CallOptions, Engine, FailureKind, Memory, Mock, Overrides, View};

use crate::{Bench, DOCUMENT, map, text};

const CALLS: usize = 10_000;
const AT_A_TIME: usize = 64;

#[cfg(target_os = "linux")]
fn sockets() -> usize {
    let all = std::fs::read_dir("/proc/self/fd").unwrap().filter_map(Result::ok);
    all.filter(|entry| {
        std::fs::read_link(entry.path()).is_ok_and(|target| target.to_string_lossy().starts_with("socket:"))
    })
    .count()
}

#[cfg(not(target_os = "linux"))]
fn sockets() -> usize {
    0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_calls_with_faults() {
    let bench = Bench::new(DOCUMENT, "    timeout: 20s", "");
    let faults = ["reset:1%", "truncate:2%", "error:3%"].map(|text| Fault::parse(text).unwrap());
    let options = MockOptions { faults: Faults::new(faults.to_vec(), Duration::ZERO), lenient: false };
    let mock = Mock::start(&bench.snapshot.catalog, (Ipv4Addr::LOCALHOST, 0).into(), options, |_| {}).await.unwrap();
    let overrides = Overrides { mock: Some(mock.url()), ..Overrides::default() };
    let engine = Engine::new(&bench.workspace, &bench.snapshot, overrides).unwrap();
    let client = Arc::new(Memory::connect(engine.clone(), View::default()).await.unwrap());
    let mut running = JoinSet::new();
    let (mut good, mut broken, mut failed) = (0, 0, 0);
    let mut most = 0;
    for number in 0..CALLS {
        if running.len() >= AT_A_TIME {
            tally(running.join_next().await, &mut good, &mut broken, &mut failed);
        }
        let client = client.clone();
        running.spawn(async move {
            let arguments = map(json!({"id": number}));
            let call = client.call("one", arguments, CallOptions::default(), &CancellationToken::new()).await;
            call.unwrap()
        });
        if number % 500 == 499 {
            most = most.max(sockets());
        }
    }
    while !running.is_empty() {
        let next = tokio::time::timeout(Duration::from_secs(30), running.join_next()).await.expect("a call hangs");
        tally(next, &mut good, &mut broken, &mut failed);
    }
    assert_eq!(good + broken + failed, CALLS);
    // Evenly 6 of 100; where two faults fall on one request, the first wins.
    assert!((200..=320).contains(&broken), "{broken}");
    assert!((200..=320).contains(&failed), "{failed}");
    // Both ends of every connection are in this process.
    assert!(most < 2 * AT_A_TIME + 60, "{most} sockets");
    assert_eq!(engine.active(), 0);
    assert!(engine.tap().calls().len() <= 1000);
}

fn tally(
    next: Option<Result<toolscope::proxy::MemoryReply, tokio::task::JoinError>>,
    good: &mut usize,
    broken: &mut usize,
    failed: &mut usize,
) {
    let reply = next.unwrap().unwrap();
    match reply.failure {
        None => {
            assert!(reply.result["structuredContent"]["id"].is_i64(), "{}", reply.result);
            *good += 1;
        }
        Some(FailureKind::Unreachable) => {
            let said = text(&reply.result);
            assert!(said.contains("broke off") || said.contains("before it had answered"), "{said}");
            *broken += 1;
        }
        Some(FailureKind::Tool) => {
            assert!(text(&reply.result).contains("HTTP 500"), "{}", reply.result);
            *failed += 1;
        }
        other => panic!("{other:?}: {}", reply.result),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_cancelled_ends_at_the_api_too() {
    let bench = Bench::new(DOCUMENT, "    timeout: 60s", "");
    let faults = Faults::new(vec![Fault::parse("hang").unwrap()], Duration::ZERO);
    let options = MockOptions { faults, lenient: false };
    let mock = Mock::start(&bench.snapshot.catalog, (Ipv4Addr::LOCALHOST, 0).into(), options, |_| {}).await.unwrap();
    let overrides = Overrides { mock: Some(mock.url()), ..Overrides::default() };
    let engine = Engine::new(&bench.workspace, &bench.snapshot, overrides).unwrap();
    let client = Memory::connect(engine.clone(), View::default()).await.unwrap();
    let cancel = CancellationToken::new();
    let (started, later) = (std::time::Instant::now(), cancel.clone());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(200)).await;
        later.cancel();
    });
    let error = client.call("list", map(json!({})), CallOptions::default(), &cancel).await.unwrap_err();
    assert_eq!(error.to_string(), "cancelled");
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(engine.drain(Duration::from_secs(30)).await, "the call still runs");
    let recorded = engine.tap().calls().pop().unwrap();
    assert_eq!((recorded.tool.as_str(), recorded.failure), ("list", Some(FailureKind::Cancelled)));
    let short = CallOptions { timeout: Some(Duration::from_millis(150)), ..CallOptions::default() };
    let reply = client.call("list", map(json!({})), short, &CancellationToken::new()).await.unwrap();
    assert!(text(&reply.result).contains("shutting down"), "{}", reply.result);
}
