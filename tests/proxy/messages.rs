//! The record holds what clients and the proxy say to one another beside calls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolscope::proxy::serve::{HttpOptions, HttpServer};
use toolscope::proxy::{Engine, Memory, Overrides, View, har, jsonl};

use crate::raw::{Raw, json};
use crate::{Bench, DOCUMENT, opened};

/// Waits until a message of that kind is in the record.
async fn recorded(engine: &Engine, title: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !engine.tap().messages().iter().any(|message| message.title() == title) {
        assert!(Instant::now() < deadline, "no {title}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_session_is_recorded_from_its_beginning() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let api = Raw::saying(json("[{\"id\": 1}]")).await;
    let bench = Bench::new(DOCUMENT, &api.base(), "");
    let engine = Engine::new(&bench.workspace, &bench.snapshot, Overrides::default()).unwrap();
    let address = "127.0.0.1:0".parse().unwrap();
    let options = HttpOptions { address, token: None, allowed_origins: Vec::new(), read_only: false };
    let server = HttpServer::start(engine.clone(), options).await.unwrap();
    let url = server.endpoints()[0].1.clone();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    let mut session = None;
    let identity = json!({"name": "probe", "version": "7"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": identity});
    for (id, method, params) in [
        (Some(1), "initialize", hello),
        (None, "notifications/initialized", json!({})),
        (Some(2), "tools/list", json!({})),
        (Some(3), "tools/call", json!({"name": "list", "arguments": {}})),
        (None, "notifications/cancelled", json!({"requestId": 99, "reason": "no more interest"})),
    ] {
        let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if let Some(id) = id {
            message["id"] = json!(id);
        }
        let mut request = client
            .post(&url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .body(message.to_string());
        if let Some(session) = &session {
            request = request.header("mcp-session-id", session);
        }
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{method}: {}", answer.status());
        session = session.or_else(|| answer.headers().get("mcp-session-id").cloned());
        answer.text().await.unwrap();
        recorded(&engine, if method == "tools/call" { "list" } else { method.trim_start_matches("notifications/") })
            .await;
    }
    let path = bench.folder.path().join("api.yaml");
    std::fs::write(&path, DOCUMENT.replace("operationId: remove", "operationId: erase")).unwrap();
    let folder = bench.folder.path().to_owned();
    let (workspace, snapshot) = tokio::task::spawn_blocking(move || opened(&folder)).await.unwrap();
    assert!(engine.replace(&workspace, &snapshot).unwrap());
    recorded(&engine, "tools/list_changed").await;
    server.stop().await;
    let messages = engine.tap().messages();
    let lines = jsonl(messages.iter().map(Arc::as_ref));
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let find = |method: &str| lines.iter().find(|line| line["mcp"]["request"]["method"] == method).unwrap();
    let hello = find("initialize");
    assert_eq!((&hello["caller"], &hello["from"]), (&json!("probe 7 (http)"), &json!("client")));
    assert_eq!(hello["mcp"]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!((&hello["tool"], hello["http"].as_array().unwrap().len()), (&Value::Null, 0));
    let listed = find("tools/list");
    assert_eq!(listed["mcp"]["result"]["tools"][0], json!({"name": "list"}));
    assert!(listed["mcp"]["result_bytes"].as_u64().unwrap() > 500, "{listed}");
    assert_eq!(find("notifications/cancelled")["mcp"]["request"]["params"]["reason"], "no more interest");
    let changed = find("notifications/tools/list_changed");
    assert_eq!((&changed["from"], &changed["caller"]), (&json!("proxy"), &json!("probe 7 (http)")));
    // A call is the one message with two hops.
    let call = find("tools/call");
    assert_eq!((&call["tool"], call["http"].as_array().unwrap().len()), (&json!("list"), 1));
    let archive = har(messages.iter().map(Arc::as_ref));
    assert_eq!(archive["log"]["entries"].as_array().unwrap().len(), 1);
    assert_eq!(engine.tap().calls().len(), 1);
}

#[tokio::test]
async fn the_newest_protocol_has_its_own_beginning() {
    let engine = crate::engine("    base_url: http://127.0.0.1:9");
    let client = Memory::connect(engine.clone(), View::default()).await.unwrap();
    client.tools().await.unwrap();
    client.close().await;
    let titles: Vec<String> = engine.tap().messages().iter().map(|message| message.title().to_owned()).collect();
    assert_eq!(titles, ["server/discover", "tools/list"]);
}
