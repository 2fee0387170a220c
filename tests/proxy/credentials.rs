//! Credentials: where they go, that they are fetched once, and that they are in no record.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolscope::proxy::{FailureKind, har, jsonl};

use crate::raw::{Raw, json, response};
use crate::{Bench, DOCUMENT, call, text};

const SECRET: &str = "s3cret-of-the-test";

fn bench(upstream: &str) -> Bench {
    let bench = Bench::new(DOCUMENT, upstream, "");
    std::fs::write(bench.folder.path().join("secret"), format!("{SECRET}\n")).unwrap();
    bench
}

#[tokio::test]
async fn credentials_arrive_and_are_masked_in_every_record() {
    let cases = [
        ("{strategy: bearer, bearer: {token: 'file:secret'}}", format!("authorization: Bearer {SECRET}")),
        ("{strategy: api_key, api_key: {header: X-Key, value: 'file:secret'}}", format!("x-key: {SECRET}")),
        (
            "{strategy: api_key, api_key: {name: k, in: query, value: 'file:secret'}}",
            format!("GET /things?k={SECRET} HTTP"),
        ),
        ("{strategy: api_key, api_key: {name: k, in: cookie, value: 'file:secret'}}", format!("cookie: k={SECRET}")),
        ("{strategy: basic, basic: {username: me, password: 'file:secret'}}", "authorization: Basic bWU6".to_owned()),
    ];
    for (auth, expected) in cases {
        // An API that repeats the credential, as some do in their errors.
        let server = Raw::start(|request| {
            response("403 Forbidden", &[("content-type", "text/plain")], format!("refused {request}").as_bytes())
        })
        .await;
        let bench = bench(&format!("{}\n    outbound_auth: {auth}", server.base()));
        let engine = bench.engine();
        let reply = call(&engine, "list", json!({})).await;
        let head = server.heads().pop().unwrap();
        assert!(head.contains(&expected), "{auth}: {head}");
        assert_eq!(reply.failure, Some(FailureKind::Authentication));
        let calls = engine.tap().calls();
        let calls = || calls.iter().map(Arc::as_ref);
        let records = format!("{}{}{}{:?}", jsonl(calls()), har(calls()), reply.result, calls().collect::<Vec<_>>());
        assert!(!records.contains(SECRET), "{auth}: {records}");
        assert!(records.contains("***"), "{records}");
    }
}

#[tokio::test]
async fn a_credential_that_is_not_there_is_said_and_nothing_is_sent() {
    let server = Raw::saying(json("[]")).await;
    let bench = bench(&format!(
        "{}\n    outbound_auth: {{strategy: bearer, bearer: {{token_env: TOOLSCOPE_TEST_UNSET}}}}",
        server.base()
    ));
    let reply = call(&bench.engine(), "list", json!({})).await;
    assert_eq!(reply.failure, Some(FailureKind::Authentication));
    assert!(text(&reply.result).contains("TOOLSCOPE_TEST_UNSET is not set"), "{}", text(&reply.result));
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn what_a_model_says_is_a_password_is_masked_too() {
    let server =
        Raw::saying(response("201 Created", &[("content-type", "application/json")], b"{\"token\": \"t0ken\"}")).await;
    let engine = bench(&server.base()).engine();
    let reply = call(&engine, "make", json!({"name": "x", "password": "hunter22"})).await;
    assert!(!reply.is_error, "{}", text(&reply.result));
    assert!(server.heads()[0].contains("hunter22"));
    let calls = engine.tap().calls();
    let record = jsonl(calls.iter().map(Arc::as_ref));
    assert!(!record.contains("hunter22"), "{record}");
    let archive = har(calls.iter().map(Arc::as_ref)).to_string();
    assert!(!archive.contains("hunter22") && !archive.contains("t0ken"), "{archive}");
    let entry: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(entry["http"][0]["status"], 201);
    assert_eq!(entry["mcp"]["request"]["method"], "tools/call");
}

#[tokio::test]
async fn a_token_is_fetched_once_and_again_when_it_is_refused() {
    let fetched = Arc::new(AtomicUsize::new(0));
    let count = fetched.clone();
    let server = Raw::start(move |request| {
        if request.is_empty() {
            return Vec::new();
        }
        if request.starts_with("POST /token") {
            assert!(request.contains("grant_type=client_credentials&scope=a+b"), "{request}");
            let number = count.fetch_add(1, Ordering::SeqCst) + 1;
            return json(&format!("{{\"access_token\": \"token-{number}\", \"expires_in\": 3600}}"));
        }
        match request.contains("Bearer token-1") && request.contains(" /things/2 ") {
            true => response("401 Unauthorized", &[], b"withdrawn"),
            false => json("{\"id\": 1}"),
        }
    })
    .await;
    let auth = format!(
        "{}\n    outbound_auth:\n      strategy: oauth2_client_credentials\n      oauth2_client_credentials: \
         {{token_url: 'http://127.0.0.1:{}/token', client_id: me, client_secret: 'file:secret', scopes: [a, b]}}",
        server.base(),
        server.port
    );
    let bench = bench(&auth);
    let engine = bench.engine();
    for (id, expected) in [(1, 1), (1, 1), (2, 2), (1, 2)] {
        let reply = call(&engine, "one", json!({"id": id})).await;
        assert!(!reply.is_error, "{}", text(&reply.result));
        let posts = server.heads().iter().filter(|head| head.starts_with("POST /token")).count();
        assert_eq!(posts, expected, "call of {id}");
    }
    assert!(server.heads().iter().any(|head| head.contains("Bearer token-2")));
}
