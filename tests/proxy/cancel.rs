//! A call that is given up.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolscope::proxy::mock::{Fault, Faults, MockOptions};
use toolscope::proxy::{CallOptions, Engine, FailureKind, Memory, Mock, Overrides, View};

use crate::{Bench, DOCUMENT, map, text};

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
