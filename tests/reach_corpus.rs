//! Every tool of some large real documents, called with made-up arguments through the proxy in memory: the mock holds each
//! request to the document by code that shares nothing with the encoder, and what it answers has to come back as promised.
//!
//! The documents lie in the folder of the variable `TOOLSCOPE_CORPUS`; without it the test says that it called nothing.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use toolscope::derive::Tool;
use toolscope::document::to_json;
use toolscope::proxy::mock::MockOptions;
use toolscope::proxy::{CallOptions, Engine, Memory, MemoryReply, Mock, Overrides, View};
use toolscope::wire::{Extent, synthesize};
use toolscope::workspace::{Options, SettingArg, Snapshot, SpecArg, Workspace, load};

/// The built-in pet store, GitHub, Stripe with its form bodies, and Kubernetes in Swagger 2.0.
const DOCUMENTS: [(&str, Option<&str>, usize); 4] = [
    ("demo", None, 20),
    ("github", Some("github/generated__api.github.com.json"), 1000),
    ("stripe", Some("stripe/openapi__spec3.yaml"), 400),
    ("kubernetes", Some("kubernetes/lib__specs__swagger-1.13.json"), 900),
];

/// What is known not to come out right: document, kind, how often at most, and why.
const KNOWN: &[(&str, &str, usize, &str)] = &[
    (
        "demo",
        "does not fit",
        1,
        "a body whose members are arguments beside others cannot say how many of them there are at least (minProperties)",
    ),
    ("github", "drift", 388, "the mock answers with the document's own examples, and these do not fit its schemas"),
    (
        "stripe",
        "does not fit",
        6,
        "a form has no way to write a list or an object that is empty, so a body that only has such a one is none",
    ),
];

#[derive(Default)]
struct Totals {
    tools: usize,
    calls: usize,
    right: usize,
    failures: BTreeMap<&'static str, Vec<String>>,
}

fn open(path: Option<PathBuf>) -> (Workspace, Snapshot) {
    let settings = vec![SettingArg::parse("naming.conflict_resolution=suffix").unwrap()];
    let specs = path.iter().map(|path| SpecArg { prefix: None, location: path.display().to_string() }).collect();
    let options = Options { specs, demo: path.is_none(), settings, ..Options::default() };
    let workspace = Workspace::resolve(&options, Path::new("/")).unwrap();
    let snapshot = load(&workspace, None).unwrap();
    (workspace, snapshot)
}

/// What came of a call: nothing when all is right, else the kind of failure and its details.
fn verdict(tool: &Tool, mock: &Mock, before: usize, reply: &MemoryReply) -> Option<(&'static str, String)> {
    let seen = mock.seen();
    if seen.len() == before {
        return Some(("not sent", reply.result.to_string()));
    }
    let seen = seen.last().unwrap();
    let line = format!("{} {}", seen.method, seen.target);
    match &seen.tool {
        None => return Some(("no operation", line)),
        Some(found) if *found != tool.named.name => return Some(("another operation", format!("{line} is {found}"))),
        Some(_) if !seen.problems.is_empty() => return Some(("does not fit", format!("{line}: {:?}", seen.problems))),
        Some(_) => {}
    }
    if reply.is_error {
        return Some(("error", format!("{line}: {}", reply.result)));
    }
    let drift = reply.exchange.as_ref().and_then(|exchange| exchange.drift.clone());
    drift.map(|drift| ("drift", format!("{line}: {:?}", drift.problems.first())))
}

async fn call_all(path: Option<PathBuf>) -> Totals {
    let (workspace, snapshot) = tokio::task::spawn_blocking(move || open(path)).await.unwrap();
    let address = (Ipv4Addr::LOCALHOST, 0).into();
    let mock = Mock::start(&snapshot.catalog, address, MockOptions::default(), |_| {}).await.unwrap();
    let overrides = Overrides { mock: Some(mock.url()), ..Overrides::default() };
    let engine = Engine::new(&workspace, &snapshot, overrides).unwrap();
    let client = Memory::connect(engine, View::default()).await.unwrap();
    let mut totals = Totals { tools: snapshot.catalog.tools.len(), ..Totals::default() };
    for tool in &snapshot.catalog.tools {
        for extent in [Extent::All, Extent::Required] {
            one(tool, extent, &mock, &client, &mut totals).await;
        }
    }
    client.close().await;
    totals
}

async fn one(tool: &Arc<Tool>, extent: Extent, mock: &Mock, client: &Memory, totals: &mut Totals) {
    let name = &tool.named.name;
    let mut fail = |kind, details: String| {
        totals.failures.entry(kind).or_default().push(format!("{name} {extent:?}: {details}"));
    };
    totals.calls += 1;
    let Some(instance) = synthesize(tool, extent).into_iter().next() else {
        return fail("no arguments", String::new());
    };
    if let Some(problem) = instance.problems.first() {
        return fail("no arguments", problem.to_string());
    }
    let arguments: Map<String, Value> = serde_json::from_str(&to_json(&instance.value, false)).unwrap();
    let before = mock.seen().len();
    let reply = client.call(name, arguments, CallOptions::default(), &CancellationToken::new()).await.unwrap();
    match verdict(tool, mock, before, &reply) {
        Some((kind, details)) => fail(kind, details),
        None => totals.right += 1,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_large_documents_is_reached() {
    let Some(folder) = std::env::var_os("TOOLSCOPE_CORPUS").map(PathBuf::from).filter(|folder| folder.is_dir()) else {
        println!("no corpus: set TOOLSCOPE_CORPUS to a folder of OpenAPI documents");
        return;
    };
    println!("{:12} {:>6} {:>6} {:>6} {:>7}  failures", "document", "tools", "calls", "right", "seconds");
    let mut unknown = Vec::new();
    for (name, path, least) in DOCUMENTS {
        let clock = Instant::now();
        let totals = call_all(path.map(|path| folder.join(path))).await;
        let counts: Vec<String> =
            totals.failures.iter().map(|(kind, lines)| format!("{} {kind}", lines.len())).collect();
        let seconds = clock.elapsed().as_secs_f64();
        let Totals { tools, calls, right, .. } = totals;
        println!("{name:12} {tools:>6} {calls:>6} {right:>6} {seconds:>7.1}  {}", counts.join(", "));
        assert!(tools >= least, "{name} has {tools} tools only");
        for (kind, lines) in &totals.failures {
            let known = KNOWN.iter().find(|(document, known, ..)| *document == name && known == kind);
            if let Some((.., why)) = known {
                println!("  known, {kind}: {why}");
            }
            if lines.len() > known.map_or(0, |(_, _, most, _)| *most) {
                lines.iter().take(12).for_each(|line| println!("  {kind}: {:.600}", line));
                unknown.push(format!("{name}: {} {kind}", lines.len()));
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
}
