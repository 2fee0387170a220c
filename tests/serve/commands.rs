//! `call`, `serve` and `mock` as scripts see them.

use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::PROGRAM;
use super::mocked::{self, Mock};

fn run(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder.path()).env_remove("TOOLSCOPE_TEST_UNSET").stdin(Stdio::null());
    command.args(args).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn mock(args: &[&str]) -> Mock {
    mocked::mock("--demo", args)
}

#[test]
fn a_call_ends_with_the_code_of_what_happened() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = format!("http://{free}");
    let broken = mock(&["--fault", "error"]);
    let silent = mock(&["--fault", "hang"]);
    let get = ["shop__getPet", "--demo", "--arg", "petId=7"];
    let cases: [(&[&str], i32, &str); 8] = [
        (&[], 0, "\"id\": 1"),
        (&["--arg", "petId=seven"], 5, "/petId: must be integer"),
        (&["--no-validate", "--arg", "petId=seven"], 5, "HTTP 400"),
        (&["--base-url", &nobody], 4, "refused the connection"),
        (&["--base-url", &silent.url, "--timeout", "300ms"], 4, "within 0.3 seconds"),
        (&["--base-url", &broken.url], 5, "HTTP 500"),
        (&["--base-url", &nobody, "--mock"], 0, "\"id\": 1"),
        (&["--set", "naming.separator=."], 2, ""),
    ];
    for (more, expected, part) in cases {
        let args: Vec<&str> = ["call"].iter().chain(&get).chain(more).copied().collect();
        let output = run(&args);
        assert_eq!(code(&output), expected, "{more:?}: {} {}", out(&output), err(&output));
        assert!(out(&output).contains(part), "{more:?}: {}", out(&output));
    }
}

#[test]
fn a_credential_that_is_missing_is_its_own_code() {
    let folder = tempfile::tempdir().unwrap();
    let api = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\nservers: [{url: 'http://127.0.0.1:9'}]\n\
               paths: {/x: {get: {operationId: x, responses: {'200': {description: ok}}}}}\n";
    std::fs::write(folder.path().join("a.yaml"), api).unwrap();
    let file = "upstreams:\n  - name: a\n    openapi: {source: a.yaml}\n\
                \x20   outbound_auth: {strategy: bearer, bearer: {token_env: TOOLSCOPE_TEST_UNSET}}\n\
                environments:\n  - {name: live, base_url: 'http://127.0.0.1:8', production: true}\n";
    std::fs::write(folder.path().join("toolscope.yaml"), file).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path()).env_remove("TOOLSCOPE_TEST_UNSET").args(args).output().unwrap()
    };
    let output = run(&["call", "x"]);
    assert_eq!(code(&output), 3, "{}", err(&output));
    assert!(out(&output).contains("TOOLSCOPE_TEST_UNSET is not set"), "{}", out(&output));
    // Nothing is sent, so nothing is needed.
    let output = run(&["call", "x", "--dry-run", "--format", "json", "--env", "live"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["url"], "http://127.0.0.1:8/x");
    assert!(shown["headers"].as_array().unwrap().contains(&json!(["Authorization", "Bearer ***"])), "{shown}");
    let output = run(&["call", "x", "--env", "lvie"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("did you mean `live`?"), "{}", err(&output));
}

#[test]
fn a_dry_run_shows_the_request_and_nothing_else() {
    let args = ["call", "shop__createPet", "--demo", "--dry-run", "--format", "json"];
    let all = ["--args", "{\"name\": \"Rex\", \"species\": \"dog\"}", "--arg", "price:=1.50"];
    let output = run(&[&args[..], &all].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let keys: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["method", "url", "headers", "body"]);
    assert_eq!((&shown["method"], &shown["url"]), (&json!("POST"), &json!("https://petstore.example.com/v2/pets")));
    assert!(shown["headers"].as_array().unwrap().contains(&json!(["Content-Type", "application/json"])), "{shown}");
    assert_eq!(shown["body"]["media_type"], "application/json");
    let body: Value = serde_json::from_str(shown["body"]["text"].as_str().unwrap()).unwrap();
    assert_eq!(body, json!({"name": "Rex", "species": "dog", "price": 1.5}));
    let output = run(&["call", "shop__getPet", "--demo", "--dry-run", "--format", "json", "--arg", "petId=7"]);
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["body"], Value::Null);
    let output = run(&["call", "shop__getPet", "--demo", "--dry-run", "--format", "json"]);
    assert_eq!(code(&output), 2);
    let error: Value = serde_json::from_str(err(&output).trim()).unwrap();
    assert!(error["error"]["message"].as_str().unwrap().contains("`petId` is required"), "{error}");
}

#[test]
fn a_result_as_json_has_the_exchange() {
    let output = run(&["call", "GET /pets/{petId}", "--demo", "--arg", "petId=7", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["content", "structuredContent", "isError", "exchange"]);
    let exchange = &result["exchange"];
    let keys: Vec<&str> = exchange.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["request", "status", "headers", "elapsed_ms", "bytes"]);
    assert_eq!(exchange["status"], 200);
    assert!(exchange["request"]["url"].as_str().unwrap().ends_with("/pets/7"), "{exchange}");
    assert!(exchange["elapsed_ms"].is_f64() && exchange["bytes"].as_u64().unwrap() > 20, "{exchange}");
}

#[test]
fn what_is_hidden_or_not_its_own_cannot_be_called() {
    for (tool, part) in [
        ("shop__getMetrics", "is not exposed"),
        ("GET /pets/{petId}/photos", "leads to GET /pets, which has it too"),
        ("shop__getPett", "Did you mean"),
    ] {
        let output = run(&["call", tool, "--demo"]);
        assert_eq!(code(&output), 2, "{tool}: {}", err(&output));
        assert!(err(&output).contains(part), "{tool}: {}", err(&output));
    }
}

#[test]
fn conflicts_and_open_doors_are_refused() {
    let output = run(&["serve", "--demo", "--http", "127.0.0.1:0"]);
    assert_eq!(code(&output), 6, "{}", err(&output));
    let said = err(&output);
    let pair = "is claimed by GET /pets (petstore) and by GET /pets/{petId}/photos (petstore)";
    assert!(said.contains(pair) && said.contains("first_wins"), "{said}");
    let serve = ["serve", "--demo", "--set", "naming.conflict_resolution=first_wins", "--http"];
    let output = run(&[&serve[..], &["0.0.0.0:0"]].concat());
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("no token is set"), "{}", err(&output));
    let output = run(&[&serve[..], &["127.0.0.1:0", "--token", "plain"]].concat());
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("takes a reference") && !err(&output).contains("plain\""), "{}", err(&output));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&[&serve[..], &[&address]].concat());
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("cannot listen on"), "{}", err(&output));
}

#[test]
fn the_mock_answers_what_is_preferred_and_holds_requests_to_the_document() {
    let mock = mock(&[]);
    let client = |method: &str, target: &str, headers: &[&str], body: &str| {
        use std::io::{Read, Write};
        let address = mock.url.trim_start_matches("http://");
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        write!(stream, "{method} {target} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    let json = "content-type: application/json";
    type Case<'a> = (&'a str, &'a str, &'a [&'a str], &'a str, &'a str, &'a str);
    let cases: [Case<'_>; 10] = [
        ("GET", "/pets/7", &[], "", "200", "\"species\""),
        ("GET", "/v2/pets/7", &[], "", "200", "\"species\""),
        ("GET", "/pets/7", &["prefer: code=404"], "", "404", "problem+json"),
        ("GET", "/pets/seven", &[], "", "400", "no integer"),
        ("GET", "/pets?colour=red", &[], "", "400", "no query parameter `colour`"),
        ("GET", "/nothing", &[], "", "404", "no path"),
        ("PUT", "/pets", &[], "", "405", "GET"),
        ("POST", "/pets", &[json], "{\"name\": \"Rex\"}", "400", "species"),
        ("POST", "/pets", &[json], "{\"name\": \"Rex\", \"species\": \"dog\"}", "201", "\"status\""),
        ("DELETE", "/pets/7", &[], "", "204", ""),
    ];
    for (method, target, headers, body, status, part) in cases {
        let answer = client(method, target, headers, body);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{method} {target}: {answer}");
        assert!(answer.contains(part), "{method} {target}: {answer}");
    }
}
