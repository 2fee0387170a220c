//! The server over HTTP: who may come in, and what each endpoint shows.

use std::net::SocketAddr;

use secrecy::SecretString;
use serde_json::{Value, json};
use toolscope::proxy::serve::{HttpOptions, HttpServer};

use crate::raw::{Raw, json};
use crate::{Bench, DOCUMENT};

fn options(token: Option<&str>) -> HttpOptions {
    let address: SocketAddr = "127.0.0.1:0".parse().unwrap();
    HttpOptions { address, token: token.map(SecretString::from), allowed_origins: Vec::new(), read_only: false }
}

/// A request of the stateless protocol; gives status and result.
async fn ask(url: &str, method: &str, params: Value, headers: &[(&str, &str)]) -> (u16, Value) {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    let mut request = client
        .post(url)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = params["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.body(body).send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).find(|data| data.contains("jsonrpc"));
    (status, serde_json::from_str(data.unwrap_or(&text)).unwrap_or(Value::String(text)))
}

fn names(answer: &Value) -> Vec<&str> {
    let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

fn install_provider() {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

#[tokio::test]
async fn host_and_origin_are_checked() {
    install_provider();
    let bench = Bench::new(DOCUMENT, "", "");
    let server = HttpServer::start(bench.engine(), options(None)).await.unwrap();
    let url = server.endpoints()[0].1.clone();
    assert_eq!(url, format!("http://{}/mcp", server.address()));
    let (status, answer) = ask(&url, "tools/list", json!({}), &[]).await;
    assert_eq!((status, names(&answer).len()), (200, 4));
    for headers in [("origin", "https://evil.example"), ("origin", "http://localhost:1"), ("host", "evil.example")] {
        let (status, answer) = ask(&url, "tools/list", json!({}), &[headers]).await;
        assert_eq!(status, 403, "{headers:?} {answer}");
    }
    let (status, answer) = ask(&url.replace("/mcp", "/other"), "tools/list", json!({}), &[]).await;
    assert_eq!(status, 404);
    assert!(answer.as_str().is_some_and(|text| text.contains("/mcp")), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn a_token_opens_all_and_without_it_only_what_needs_none() {
    install_provider();
    let api = Raw::saying(json("[{\"id\": 1}]")).await;
    let bench = Bench::new(DOCUMENT, &api.base(), "");
    let server = HttpServer::start(bench.engine(), options(Some("t0ken-of-the-proxy"))).await.unwrap();
    let url = server.endpoints()[0].1.clone();
    let bearer = [("authorization", "Bearer t0ken-of-the-proxy")];
    let (_, all) = ask(&url, "tools/list", json!({}), &bearer).await;
    assert_eq!(names(&all), ["list", "make", "one", "remove"]);
    let (_, few) = ask(&url, "tools/list", json!({}), &[]).await;
    assert_eq!(names(&few), ["list"]);
    let (status, _) = ask(&url, "tools/list", json!({}), &[("authorization", "Bearer wrong")]).await;
    assert_eq!(status, 401);
    let (_, refused) = ask(&url, "tools/call", json!({"name": "one", "arguments": {"id": 1}}), &[]).await;
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("no tool `one`")), "{refused}");
    let (_, called) = ask(&url, "tools/call", json!({"name": "list", "arguments": {}}), &bearer).await;
    assert_eq!(called["result"]["structuredContent"]["result"], json!([{"id": 1}]), "{called}");
    // What a client sends to prove itself to the proxy is the proxy's alone.
    assert!(!api.heads().concat().contains("t0ken-of-the-proxy"), "{:?}", api.heads());
    server.stop().await;
}

#[tokio::test]
async fn other_addresses_need_a_token() {
    let bench = Bench::new(DOCUMENT, "", "");
    let open = HttpOptions { address: "0.0.0.0:0".parse().unwrap(), ..options(None) };
    let error = HttpServer::start(bench.engine(), open).await.unwrap_err();
    assert!(error.to_string().contains("no token is set"), "{error}");
}

#[tokio::test]
async fn groups_are_endpoints_of_their_own() {
    install_provider();
    let groups =
        "groups:\n  - {name: read, endpoint: /read, filter: '$.paths.*.get'}\n  - {name: all, endpoint: /all/}";
    let bench = Bench::new(DOCUMENT, "", groups);
    let server = HttpServer::start(bench.engine(), options(None)).await.unwrap();
    let listed: Vec<(&str, Vec<String>)> = {
        let mut listed = Vec::new();
        for (name, url) in server.endpoints() {
            let (_, answer) = ask(url, "tools/list", json!({}), &[]).await;
            listed.push((name.as_str(), names(&answer).iter().map(|name| (*name).to_owned()).collect()));
        }
        listed
    };
    assert_eq!(listed[0], ("read", vec!["list".to_owned(), "one".to_owned()]));
    assert_eq!((listed[1].0, listed[1].1.len()), ("all", 4));
    server.stop().await;
    let same = "groups: [{name: a, endpoint: /x}, {name: b, endpoint: x}]";
    let error = HttpServer::start(Bench::new(DOCUMENT, "", same).engine(), options(None)).await.unwrap_err();
    assert!(error.to_string().contains("same endpoint `/x`"), "{error}");
}
