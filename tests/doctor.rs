//! `doctor` against servers that fail at one step each: it names that step, and its exit code is that of the step.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use support::program::program;

const SPEC: &str = "openapi: 3.1.0
info: {title: Shop, version: '1'}
security: [{key: []}]
components: {securitySchemes: {key: {type: http, scheme: bearer}}}
paths:
  /things:
    get: {operationId: things, responses: {'200': {description: ok}}}
  /things/{id}:
    get:
      operationId: thing
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: ok}}
";

/// A server that answers every request in the same way. It ends with the test's process.
fn server(answer: impl Fn(&str) -> Option<String> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let Ok(mut connection) = connection else { continue };
            let request = head(&mut connection);
            // A connection that is only tried sends nothing.
            if let Some(answer) = answer(&request).filter(|_| !request.is_empty()) {
                let _ = connection.write_all(answer.as_bytes());
            }
        }
    });
    format!("http://{address}")
}

fn head(connection: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut byte = [0; 1];
    while !request.ends_with(b"\r\n\r\n") && connection.read(&mut byte).is_ok_and(|got| got > 0) {
        request.push(byte[0]);
        // What is no HTTP, such as the start of a handshake, has no such end.
        if request == [0x16] {
            break;
        }
    }
    String::from_utf8_lossy(&request).into_owned()
}

fn answer(status: &str) -> Option<String> {
    Some(format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
    ))
}

fn doctor(folder: &Path, args: &[&str], token: Option<&str>) -> (Output, Value) {
    let mut command = program(folder);
    command.env_remove("TOOLSCOPE_TEST_TOKEN");
    command.envs(token.map(|token| ("TOOLSCOPE_TEST_TOKEN", token)));
    let output = command.arg("doctor").args(args).args(["--format", "json"]).output().unwrap();
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
    (output, value)
}

fn workspace(folder: &Path, base_url: &str, more: &str) {
    let text = format!(
        "upstreams:\n- name: shop\n  openapi: {{source: a.yaml}}\n  base_url: '{base_url}'\n  outbound_auth: {{strategy: bearer, bearer: {{token_env: TOOLSCOPE_TEST_TOKEN}}}}\n{more}"
    );
    std::fs::write(folder.join("toolscope.yaml"), text).unwrap();
}

type Case = (String, &'static str, Option<&'static str>, Option<&'static str>, i32, &'static str);

#[test]
fn the_step_that_fails_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), SPEC).unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let fine = server(|_| answer("200 OK"));
    let ca = concat!("  connection: {ca_file: '", env!("CARGO_MANIFEST_DIR"), "/fixtures/tls/ca.pem'}\n");
    let secret = Some("s3cret-token");
    // base URL, more of the workspace, token, step, exit code, what is seen
    let cases: Vec<Case> = vec![
        (fine.clone(), "", secret, None, 0, "HTTP 200 to `things` (GET /things)"),
        ("ftp://h/".to_owned(), "", secret, Some("configuration"), 2, "not reached by HTTP"),
        (String::new(), "", secret, Some("configuration"), 2, "no base URL"),
        (fine.clone(), "  connection: {ca_file: gone.pem}\n", secret, Some("configuration"), 2, "gone.pem"),
        (fine.clone(), "  timeout: soon\n", secret, Some("configuration"), 2, "no duration"),
        (fine.clone(), "", None, Some("secrets"), 3, "TOOLSCOPE_TEST_TOKEN is not set"),
        (fine.clone(), "", Some(" "), Some("secrets"), 3, "is empty"),
        ("http://nowhere.invalid/".to_owned(), "", secret, Some("resolve"), 4, "nowhere.invalid has no address"),
        (format!("http://{free}"), "", secret, Some("connect"), 4, "refused"),
        (fine.replace("http:", "https:"), ca, secret, Some("tls"), 4, "no secure connection"),
        (server(|_| None), "", secret, Some("http"), 4, "before it had answered"),
        (server(|_| Some("SMTP ready\r\n".to_owned())), "", secret, Some("http"), 4, "127.0.0.1"),
        (server(|_| answer("401 Unauthorized")), "", secret, Some("auth"), 3, "HTTP 401 to `things`"),
        (server(|_| answer("403 Forbidden")), "", secret, Some("auth"), 3, "bearer token (env:TOOLSCOPE_TEST_TOKEN)"),
        (server(|_| answer("404 Not Found")), "", secret, Some("call"), 5, "HTTP 404 to `things`"),
        (server(|_| answer("500 Oops")), "", secret, Some("call"), 5, "HTTP 500"),
    ];
    for (base_url, more, token, failed, expected, seen) in cases {
        workspace(folder.path(), &base_url, more);
        let (output, found) = doctor(folder.path(), &["shop", "--timeout", "60s"], token);
        assert_eq!(output.status.code(), Some(expected), "{base_url} {more}: {found:#}");
        let upstream = &found["upstreams"][0];
        assert_eq!(upstream["failed"].as_str(), failed, "{base_url} {more}: {found:#}");
        let last = upstream["steps"].as_array().unwrap().last().unwrap();
        assert!(last["seen"].as_str().unwrap().contains(seen), "{base_url} {more}: {last:#}");
        assert_eq!(last["remedy"].is_string(), failed.is_some(), "what fails says what to do: {last:#}");
        assert!(!found.to_string().contains("s3cret"), "{found:#}");
    }
}

#[test]
fn the_request_without_credentials_carries_none_and_the_call_does() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), SPEC).unwrap();
    let url = server(|request| match request.to_ascii_lowercase().contains("authorization: bearer s3cret-token") {
        true => answer(if request.starts_with("GET /things ") { "200 OK" } else { "410 Gone" }),
        false => answer("401 Unauthorized"),
    });
    workspace(folder.path(), &url, "");
    let (output, found) = doctor(folder.path(), &[], Some("s3cret-token"));
    assert_eq!(output.status.code(), Some(0), "{found:#}");
    let steps = found["upstreams"][0]["steps"].as_array().unwrap();
    let seen =
        |name: &str| steps.iter().find(|step| step["step"] == name).unwrap()["seen"].as_str().unwrap().to_owned();
    assert!(seen("http").contains("401 to GET"), "{found:#}");
    assert!(seen("call").contains("HTTP 200"), "{found:#}");
    assert_eq!(steps.len(), 8, "{found:#}");
}

#[test]
fn arguments_that_are_made_up_are_no_reason_to_fail() {
    let folder = tempfile::tempdir().unwrap();
    let spec = SPEC.replace("  /things:\n    get: {operationId: things, responses: {'200': {description: ok}}}\n", "");
    std::fs::write(folder.path().join("a.yaml"), spec).unwrap();
    let url = server(|_| answer("404 Not Found"));
    let (output, found) = doctor(folder.path(), &["a.yaml", "--base-url", &url], None);
    assert_eq!(output.status.code(), Some(0), "{found:#}");
    let states: Vec<_> =
        found["upstreams"][0]["steps"].as_array().unwrap().iter().map(|step| step["state"].clone()).collect();
    // The document asks for a credential and none is configured; and the argument was made up.
    assert_eq!(states, ["ok", "warning", "ok", "ok", "skipped", "ok", "ok", "warning"], "{found:#}");
}
