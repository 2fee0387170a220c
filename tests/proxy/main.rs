//! The proxy over real sockets of this machine: faults, reach, cancelling, credentials, the server over HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod cancel;
mod credentials;
mod faults;
mod http;
mod messages;
mod raw;
mod reach;
mod reload;
mod tls;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use toolscope::proxy::{CallOptions, Engine, Memory, MemoryReply, Overrides, View};
use toolscope::workspace::{Options, Snapshot, Workspace, load};

/// A document with one operation of each kind that the tests need.
const DOCUMENT: &str = r"
openapi: 3.1.0
info: {title: Things, version: '1'}
servers: [{url: 'http://127.0.0.1:9/never'}]
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    oauth: {type: oauth2, flows: {}}
security: [{key: []}, {oauth: []}]
paths:
  /things:
    get:
      operationId: list
      summary: List the things
      x-mcp-auth-required: false
      responses:
        '200':
          description: All
          content:
            application/json:
              schema: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}}}}
    post:
      operationId: make
      summary: Make a thing
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [name], properties: {name: {type: string}, password: {type: string}}}
      responses: {'201': {description: Made}}
  /things/{id}:
    get:
      operationId: one
      summary: Get one
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200':
          description: One
          content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}
    delete:
      operationId: remove
      summary: Remove one
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: Gone}}
";

/// A workspace in a folder of its own, with these lines for its upstream and below the top.
struct Bench {
    folder: tempfile::TempDir,
    workspace: Workspace,
    snapshot: Snapshot,
}

impl Bench {
    fn new(document: &str, upstream: &str, top: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("api.yaml"), document).unwrap();
        let file = format!("upstreams:\n  - name: things\n    openapi: {{source: api.yaml}}\n{upstream}\n{top}\n");
        std::fs::write(folder.path().join("toolscope.yaml"), file).unwrap();
        let (workspace, snapshot) = opened(folder.path());
        let told: Vec<&String> = workspace.findings.iter().map(|finding| &finding.message).collect();
        assert!(told.is_empty(), "{told:?}");
        Self { folder, workspace, snapshot }
    }

    fn engine(&self) -> Arc<Engine> {
        Engine::new(&self.workspace, &self.snapshot, Overrides::default()).unwrap()
    }
}

fn opened(folder: &Path) -> (Workspace, Snapshot) {
    let workspace = Workspace::resolve(&Options::default(), folder).unwrap();
    let snapshot = load(&workspace, None).unwrap();
    (workspace, snapshot)
}

/// An engine on the usual document, with these settings of its upstream.
fn engine(upstream: &str) -> Arc<Engine> {
    Bench::new(DOCUMENT, upstream, "").engine()
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// One call over the pipe in memory; it has to end in time.
async fn call(engine: &Arc<Engine>, tool: &str, arguments: Value) -> MemoryReply {
    let client = Memory::connect(engine.clone(), View::default()).await.unwrap();
    let never = CancellationToken::new();
    let call = client.call(tool, map(arguments), CallOptions::default(), &never);
    let reply = tokio::time::timeout(Duration::from_secs(60), call).await.expect("the call hangs").unwrap();
    client.close().await;
    reply
}

/// All text of a result.
fn text(result: &Value) -> String {
    let content = result["content"].as_array().unwrap();
    content.iter().filter_map(|content| content["text"].as_str()).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_refused_by_the_protocol() {
    let engine = engine("    base_url: http://127.0.0.1:9");
    let client = Memory::connect(engine, View::default()).await.unwrap();
    let error =
        client.call("nothing", Map::new(), CallOptions::default(), &CancellationToken::new()).await.unwrap_err();
    assert!(error.to_string().contains("no tool `nothing`"), "{error}");
    let names: Vec<Value> = client.tools().await.unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, [json!("list"), json!("make"), json!("one"), json!("remove")]);
    client.close().await;
}

#[tokio::test]
async fn a_view_shows_and_calls_only_what_is_its_own() {
    let engine = engine("    base_url: http://127.0.0.1:9");
    let client = Memory::connect(engine, View { read_only: true, ..View::default() }).await.unwrap();
    let names: Vec<Value> = client.tools().await.unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, [json!("list"), json!("one")]);
    let refused = client.call("remove", map(json!({"id": 1})), CallOptions::default(), &CancellationToken::new()).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("no tool `remove`")));
    client.close().await;
}

#[tokio::test]
async fn long_lists_come_in_pages_and_always_in_the_same_order() {
    let paths: String = (0..250)
        .map(|at| format!("  /p{at}: {{get: {{operationId: t{at}, responses: {{'200': {{description: x}}}}}}}}\n"))
        .collect();
    let document = format!("openapi: 3.1.0\ninfo: {{title: Many, version: '1'}}\npaths:\n{paths}");
    let bench = Bench::new(&document, "    base_url: http://127.0.0.1:9", "");
    let client = Memory::connect(bench.engine(), View::default()).await.unwrap();
    let listed = client.tools().await.unwrap();
    let names: Vec<&str> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected: Vec<String> = (0..250).map(|at| format!("t{at}")).collect();
    assert_eq!(names, expected);
    client.close().await;
}
