#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::net::Ipv4Addr;
use std::path::Path;

use super::*;
use crate::proxy::mock::MockOptions;
use crate::proxy::{Engine, Mock, Overrides, View, jsonl};
use crate::session::{Policy, Selection, testing};

const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: A, version: '1'}
paths:
  /pets:
    get: {operationId: list, parameters: [{name: X-Note, in: header, schema: {type: string}}, {name: q, in: query, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {example: [{id: 1}]}}}}}
    post: {operationId: create, requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {'201': {description: d, content: {application/json: {example: {id: 7, token: tok-123456}}}}}}
  /pets/{id}:
    get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'200': {description: d, content: {application/json: {example: {id: 7}}}}}}
";
const SECRET: &str = "s3cret/with \"signs\" & more";

struct Fixed;

impl Env for Fixed {
    fn variable(&self, name: &str) -> Option<String> {
        (name == "SECRET").then(|| SECRET.to_owned())
    }

    fn file(&self, _path: &Path) -> std::io::Result<String> {
        Err(std::io::Error::other("none"))
    }
}

/// Runs a suite on a mock; gives the events, the results and the record of calls as text.
async fn run(suite: &str, jobs: usize, stop: &Stop) -> (Vec<String>, Vec<Arc<CaseResult>>, String) {
    let (_, snapshot) = testing::load(DOCUMENT);
    let address = (Ipv4Addr::LOCALHOST, 0).into();
    let mock = Mock::start(&snapshot.catalog, address, MockOptions::default(), |_| {}).await.unwrap();
    run_at(mock.url(), suite, jobs, stop).await
}

/// The same on whatever is at a URL.
async fn run_at(url: String, suite: &str, jobs: usize, stop: &Stop) -> (Vec<String>, Vec<Arc<CaseResult>>, String) {
    let (workspace, snapshot) = testing::load(DOCUMENT);
    let overrides = Overrides { mock: Some(url), ..Overrides::default() };
    let engine = Engine::new(&workspace, &snapshot, overrides).unwrap();
    let client = Arc::new(Memory::connect(engine.clone(), View::default()).await.unwrap());
    let policy = Policy { mock: true, ..Policy::default() };
    let suites = [testing::suite(suite).unwrap()];
    let plan = Arc::new(Plan::new(&suites, &snapshot.catalog, &policy, &Selection::default()));
    let run = Run {
        plan: plan.clone(),
        catalog: snapshot.catalog.clone(),
        clients: Arc::new(Clients::from([(None, client)])),
        env: Arc::new(Fixed),
        jobs,
        timeout: None,
    };
    let mut events = Vec::new();
    let results = run
        .run(stop, |event| {
            events.push(match event {
                Event::Started(at) => format!("+{}", plan.items[at].case.name),
                Event::Ended(at, result) => format!("{} {}", plan.items[at].case.name, result.verdict.word()),
            });
        })
        .await;
    let record = jsonl(engine.tap().calls().iter().map(|call| &**call));
    (events, results, record)
}

const CHAIN: &str = "
setup: [{name: up, tool: create, write: true, arguments: {name: Rex}, expect: {status: 201}, capture: {id: $.id}}]
cases:
  - {name: late, tool: read, arguments: {id: '${again}'}}
  - {name: again, tool: read, arguments: {id: '${id}'}, capture: {again: $.id}}
teardown: [{name: down, tool: read, arguments: {id: '${id}'}}]
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_job_runs_one_case_at_a_time_in_the_order_of_their_needs() {
    // A case may use what a case after it captures only where the reader lets it; here it does not.
    assert!(testing::suite(CHAIN).is_err());
    let ordered = CHAIN.replace("name: late", "name: x").replace("${again}", "${id}").replace("name: x", "name: late");
    let (events, results, _) = run(&ordered, 1, &Stop::default()).await;
    let expected = ["+up", "up pass", "+late", "late pass", "+again", "again pass", "+down", "down pass"];
    assert_eq!(events, expected);
    assert!(results.iter().all(|result| result.verdict == Verdict::Pass && result.exchange.is_some()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_cases_than_jobs_run_at_a_time() {
    let mut suite = "cases:\n".to_owned();
    for number in 0..20 {
        suite.push_str(&format!("- {{name: c{number}, tool: list}}\n"));
    }
    let (events, results, _) = run(&suite, 3, &Stop::default()).await;
    let (mut now, mut most) = (0_i32, 0);
    for event in &events {
        now += if event.starts_with('+') { 1 } else { -1 };
        most = most.max(now);
    }
    assert_eq!((results.len(), now, most), (20, 0, 3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_run_still_tears_down_unless_it_is_told_twice() {
    let stop = Stop::default();
    stop.cases.cancel();
    let (events, ..) = run(&CHAIN.replace("${again}", "${id}"), 4, &stop).await;
    // Nothing was set up, so nothing is torn down.
    assert!(events.iter().all(|event| event.ends_with("skipped")), "{events:?}");
    let stop = Stop::default();
    stop.cases.cancel();
    stop.all.cancel();
    let (events, results, _) = run(&CHAIN.replace("${again}", "${id}"), 4, &stop).await;
    assert!(events.iter().all(|event| event.ends_with("skipped")) && results.iter().all(|result| result.interrupted));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_in_no_record_and_in_no_word() {
    let suite = "cases:\n- {name: a, tool: list, arguments: {X-Note: env:SECRET, q: env:SECRET}}\n\
                 - {name: b, tool: create, write: true, arguments: {name: env:SECRET}}\n\
                 - {name: c, tool: read, arguments: {id: env:SECRET}}\n\
                 - {name: d, tool: list, arguments: {q: env:GONE}}\n";
    let (_, results, record) = run(suite, 1, &Stop::default()).await;
    let verdicts: Vec<&str> = results.iter().map(|result| result.verdict.word()).collect();
    assert_eq!(verdicts, ["pass", "pass", "fail", "fail"]);
    assert_eq!(results[3].why, "the environment variable GONE is not set");
    assert_eq!(record.lines().count(), 3);
    // No form of it: as text, in JSON, in a URL.
    for form in ["s3cret", "with \\\"signs", "with%20"] {
        assert!(!record.contains(form), "{form} in {record}");
        assert!(results.iter().all(|result| !format!("{result:?}").contains(form)), "{form}: {results:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_answers_the_rest_is_not_tried() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut suite = "cases:\n".to_owned();
    for number in 0..40 {
        suite.push_str(&format!("- {{name: c{number}, tool: list}}\n"));
    }
    let (_, results, _) = run_at(format!("http://{free}"), &suite, 1, &Stop::default()).await;
    let failed = results.iter().filter(|result| result.verdict == Verdict::Fail).count();
    assert_eq!((results.len(), failed), (40, GIVE_UP));
    assert!(results.iter().skip(GIVE_UP).all(|result| result.why == "not tried: 16 calls in a row had no answer"));
    assert_eq!(crate::session::Ending::of(results.iter().map(|it| &**it)), crate::session::Ending::Unreachable);
}
