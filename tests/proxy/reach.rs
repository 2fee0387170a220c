//! A call with made-up arguments for every tool reaches its operation: the mock holds each request to the document.

use std::net::Ipv4Addr;
use std::path::Path;

use crate::text;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use toolscope::document::to_json;
use toolscope::proxy::mock::MockOptions;
use toolscope::proxy::{CallOptions, Engine, Memory, Mock, Overrides, View};
use toolscope::wire::{Extent, synthesize};
use toolscope::workspace::{Options, SettingArg, SpecArg, Workspace, load};

async fn reach(options: Options) -> usize {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let first_wins = SettingArg::parse("naming.conflict_resolution=suffix").unwrap();
    let options = Options { settings: vec![first_wins], ..options };
    let (workspace, snapshot) = tokio::task::spawn_blocking(move || {
        let workspace = Workspace::resolve(&options, here).unwrap();
        let snapshot = load(&workspace, None).unwrap();
        (workspace, snapshot)
    })
    .await
    .unwrap();
    let mock =
        Mock::start(&snapshot.catalog, (Ipv4Addr::LOCALHOST, 0).into(), MockOptions::default(), |_| {}).await.unwrap();
    let overrides = Overrides { mock: Some(mock.url()), ..Overrides::default() };
    let engine = Engine::new(&workspace, &snapshot, overrides).unwrap();
    let client = Memory::connect(engine, View::default()).await.unwrap();
    let mut count = 0;
    for tool in &snapshot.catalog.tools {
        for extent in [Extent::All, Extent::Required] {
            for instance in synthesize(tool, extent) {
                if !instance.problems.is_empty() {
                    continue;
                }
                let arguments: Map<String, Value> = serde_json::from_str(&to_json(&instance.value, false)).unwrap();
                let name = &tool.named.name;
                let reply =
                    client.call(name, arguments, CallOptions::default(), &CancellationToken::new()).await.unwrap();
                // A list in a path has to hold something, which its schema does not say.
                if extent == Extent::Required && text(&reply.result).contains("(path-segment)") {
                    continue;
                }
                let seen = mock.seen().pop().unwrap_or_else(|| panic!("{name}: nothing came: {}", reply.result));
                assert_eq!(seen.tool.as_deref(), Some(name.as_str()), "{extent:?}: {seen:?}");
                // A body whose members are arguments beside others cannot say how many of them there are at least.
                let is_bound = |problem: &String| extent == Extent::Required && problem.ends_with("(minProperties)");
                if seen.problems.iter().all(is_bound) && !seen.problems.is_empty() {
                    count += 1;
                    continue;
                }
                assert_eq!(
                    seen.problems,
                    [] as [&str; 0],
                    "{name} {extent:?} {}: {}",
                    seen.target,
                    to_json(&instance.value, false)
                );
                assert!(!reply.is_error, "{name}: {}", reply.result);
                let drift = reply.exchange.as_ref().and_then(|exchange| exchange.drift.clone());
                assert!(drift.is_none(), "{name}: {drift:?}");
                count += 1;
            }
        }
    }
    assert_eq!(mock.seen().len(), count);
    client.close().await;
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_the_demo_reaches_its_operation() {
    let count = reach(Options { demo: true, ..Options::default() }).await;
    assert!(count >= 30, "{count}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_the_versions_reaches_its_operation() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/versions");
    let mut count = 0;
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "yaml" || it == "json")) {
        let specs = vec![SpecArg::parse(file.to_str().unwrap())];
        count += reach(Options { specs, ..Options::default() }).await;
    }
    assert!(count >= 4, "{count}");
    // All at once: each has a path of its own at the mock.
    let named = |(at, file): (usize, &std::path::PathBuf)| SpecArg::parse(&format!("api-{at}={}", file.display()));
    let specs: Vec<SpecArg> = files.iter().enumerate().map(named).collect();
    let together = reach(Options { specs, ..Options::default() }).await;
    assert_eq!(together, count);
}
