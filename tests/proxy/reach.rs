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

/// Real documents, where they are at hand: `TOOLSCOPE_CORPUS` names their folder, `TOOLSCOPE_CORPUS_STEP` takes every
/// so many of them. Their flaws are theirs, so a few requests may not fit; none may reach another operation.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_a_corpus_reaches_its_operation() {
    let Some(folder) = std::env::var_os("TOOLSCOPE_CORPUS") else { return };
    let step = std::env::var("TOOLSCOPE_CORPUS_STEP").ok().and_then(|step| step.parse().ok()).unwrap_or(40);
    let mut open = vec![std::path::PathBuf::from(folder)];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => open.push(path),
                Some("yaml" | "yml" | "json") if path.metadata().unwrap().len() < 300_000 => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let (mut sent, mut wrong, mut unfit, mut drifted) = (0, Vec::new(), Vec::new(), 0);
    let mut twofold = Vec::new();
    for file in files.iter().step_by(step) {
        let specs = vec![SpecArg { prefix: None, location: file.display().to_string() }];
        let Some(seen) = visit(Options { specs, ..Options::default() }).await else { continue };
        for (name, seen, drift) in seen {
            sent += 1;
            drifted += usize::from(drift);
            let line = format!("{}: {name}: {} {} {:?}", file.display(), seen.method, seen.target, seen.problems);
            if seen.tool.is_none() {
                wrong.push(line);
            } else if seen.tool.as_deref() != Some(name.as_str()) {
                // Some documents have two templates that one path fits, such as `/v/{id}` and `/v/{number}`.
                twofold.push(line);
            } else if !seen.problems.is_empty() {
                unfit.push(line);
            }
        }
    }
    let show = |lines: &[String]| lines.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(sent > 0, "nothing was sent");
    assert!(wrong.is_empty(), "{} of {sent} reached no operation:\n{}", wrong.len(), show(&wrong));
    assert!(twofold.len() * 200 <= sent, "{} of {sent} reached another operation:\n{}", twofold.len(), show(&twofold));
    assert!(unfit.len() * 50 <= sent, "{} of {sent} do not fit:\n{}", unfit.len(), show(&unfit));
    assert!(drifted * 20 <= sent, "{drifted} of {sent} answers of the mock drift");
}

/// One call of each tool with all its arguments; what arrived, and whether the answer drifted.
async fn visit(options: Options) -> Option<Vec<(String, toolscope::proxy::mock::Seen, bool)>> {
    let suffix = SettingArg::parse("naming.conflict_resolution=suffix").unwrap();
    let options = Options { settings: vec![suffix], ..options };
    let opened = tokio::task::spawn_blocking(move || {
        let workspace = Workspace::resolve(&options, Path::new("/")).ok()?;
        let snapshot = load(&workspace, None).ok()?;
        Some((workspace, snapshot))
    });
    let (workspace, snapshot) = opened.await.unwrap()?;
    let address = (Ipv4Addr::LOCALHOST, 0).into();
    let mock = Mock::start(&snapshot.catalog, address, MockOptions::default(), |_| {}).await.unwrap();
    let overrides = Overrides { mock: Some(mock.url()), ..Overrides::default() };
    let engine = Engine::new(&workspace, &snapshot, overrides).ok()?;
    let client = Memory::connect(engine, View::default()).await.unwrap();
    let mut found = Vec::new();
    for tool in snapshot.catalog.tools.iter().take(25) {
        let Some(instance) = synthesize(tool, Extent::All).into_iter().find(|it| it.problems.is_empty()) else {
            continue;
        };
        let Ok(arguments) = serde_json::from_str(&to_json(&instance.value, false)) else { continue };
        let name = tool.named.name.clone();
        let before = mock.seen().len();
        let reply = client.call(&name, arguments, CallOptions::default(), &CancellationToken::new()).await.unwrap();
        let seen = mock.seen();
        if seen.len() > before {
            let drift = reply.exchange.as_ref().is_some_and(|exchange| exchange.drift.is_some());
            found.extend(seen.last().map(|seen| (name, seen.clone(), drift)));
        }
    }
    client.close().await;
    Some(found)
}
