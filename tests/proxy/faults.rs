//! Everything that can go wrong between the proxy and an API. Each result says what happened, and in its time.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolscope::proxy::{FailureKind, MemoryReply};

use crate::raw::{Raw, Step, json, response};
use crate::{call, engine, text};

const JSON: (&str, &str) = ("content-type", "application/json");

fn say(text: &str) -> Step {
    Step::Say(text.as_bytes().to_vec())
}

struct Case {
    name: &'static str,
    steps: Vec<Step>,
    /// More settings of the upstream.
    settings: &'static str,
    /// `None`: the call is a success.
    failure: Option<FailureKind>,
    /// All of these are in the text of the result.
    says: &'static [&'static str],
}

fn case(name: &'static str, steps: Vec<Step>, failure: Option<FailureKind>, says: &'static [&'static str]) -> Case {
    Case { name, steps, settings: "", failure, says }
}

fn connection_cases() -> Vec<Case> {
    use FailureKind::{TimedOut, Unreachable};
    let partial = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n[{\"id\"";
    let chunked = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n3\r\n[{\"";
    vec![
        case("closed without an answer", vec![], Some(Unreachable), &["closed the connection before it had answered"]),
        case("reset before an answer", vec![Step::Reset], Some(Unreachable), &["before it had answered"]),
        case(
            "closed in the body",
            vec![say(partial)],
            Some(Unreachable),
            &["HTTP 200", "broke off after 6 bytes", "[{\"id\""],
        ),
        case("closed in a chunk", vec![say(chunked)], Some(Unreachable), &["HTTP 200", "broke off"]),
        case(
            "no HTTP at all",
            vec![say("SSH-2.0-OpenSSH_9\r\n\r\n")],
            Some(Unreachable),
            &["The request to 127.0.0.1:", "failed"],
        ),
        Case {
            settings: "\n    timeout: 300ms",
            ..case(
                "no answer",
                vec![Step::Wait(Duration::from_secs(60))],
                Some(TimedOut),
                &["no answer within 0.3 seconds"],
            )
        },
        Case {
            settings: "\n    timeout: 3s",
            ..case(
                "slow body",
                vec![say(partial), Step::Wait(Duration::from_secs(60))],
                Some(TimedOut),
                &["within 3 seconds", "HTTP 200 and 6 bytes of its body had come"],
            )
        },
    ]
}

fn body_cases() -> Vec<Case> {
    use FailureKind::{Tool, Unreachable};
    // `[{"id":1}]` by gzip, without its last 12 bytes.
    let gzip: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x8b, 0xae, 0x56, 0xca, 0x4c, 0x51, 0xb2, 0x32];
    let encoded = &[JSON, ("content-encoding", "gzip")];
    let long = format!("[{}]", vec!["{\"id\": 1}"; 1000].join(","));
    let cut = &["HTTP 200 OK", "longer than 500 bytes", "[{\"id\": 1}"];
    vec![
        Case { settings: "\n    max_response_body: 500B", ..case("body over the limit", json(&long), Some(Tool), cut) },
        case(
            "truncated gzip",
            response("200 OK", encoded, gzip),
            Some(Unreachable),
            &["HTTP 200", "compressed", "incomplete or damaged"],
        ),
        case(
            "no gzip although it says so",
            response("200 OK", encoded, b"[1]"),
            Some(Unreachable),
            &["compressed", "damaged"],
        ),
        case(
            "wrong charset",
            response("200 OK", &[("content-type", "application/json; charset=utf-8")], b"[{\"id\": \"\xff\xfe\"}]"),
            None,
            &["id", "Note:"],
        ),
        case("invalid JSON", json("{\"id\": "), None, &["{\"id\": ", "no JSON"]),
        case(
            "HTML for JSON",
            response("200 OK", &[("content-type", "text/html")], b"<p>Hello</p>"),
            None,
            &["<p>Hello</p>"],
        ),
        case("an empty body", response("200 OK", &[JSON], b""), None, &["HTTP 200 OK", "no body"]),
        case("what was promised", json("[{\"id\": 1}]"), None, &["[{\"id\": 1}]"]),
    ]
}

fn status_cases() -> Vec<Case> {
    use FailureKind::{Authentication, Tool};
    let problem =
        "{\"type\": \"about:blank\", \"title\": \"Out of stock\", \"detail\": \"None left.\", \"balance\": 30}";
    let page = response("503 Service Unavailable", &[("content-type", "text/html")], b"<h1>Busy</h1>");
    let asked = "asks for key (header X-Key), or oauth (OAuth 2)";
    vec![
        case("204", vec![say("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")], None, &["HTTP 204 No Content"]),
        case(
            "304",
            vec![say("HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n")],
            Some(Tool),
            &["HTTP 304 Not Modified"],
        ),
        case(
            "400",
            response("400 Bad Request", &[JSON], b"{\"why\": \"x\"}"),
            Some(Tool),
            &["HTTP 400 Bad Request", "{\"why\": \"x\"}"],
        ),
        case(
            "401",
            response("401 Unauthorized", &[], b""),
            Some(Authentication),
            &["HTTP 401", "asks for key", "Configured for this upstream: nothing"],
        ),
        Case {
            says: Box::leak(Box::new(["HTTP 403 Forbidden", asked])),
            ..case("403", response("403 Forbidden", &[], b""), Some(Authentication), &[])
        },
        case("404", response("404 Not Found", &[], b"gone"), Some(Tool), &["HTTP 404 Not Found", "gone"]),
        case(
            "429",
            response("429 Too Many Requests", &[("retry-after", "7")], b""),
            Some(Tool),
            &["HTTP 429", "Retry-After: 7"],
        ),
        case("500", response("500 Internal Server Error", &[], b"trace"), Some(Tool), &["HTTP 500", "trace"]),
        case("an error page", page, Some(Tool), &["HTTP 503", "<h1>Busy</h1>"]),
        case(
            "a problem",
            response("409 Conflict", &[("content-type", "application/problem+json")], problem.as_bytes()),
            Some(Tool),
            &["HTTP 409 Conflict: Out of stock", "None left.", "balance: 30"],
        ),
        case(
            "a redirect to another origin",
            response("302 Found", &[("location", "https://elsewhere.example/x?token=abcdef")], b""),
            Some(Tool),
            &["HTTP 302 Found", "redirects to https://elsewhere.example/x?token=***", "not followed"],
        ),
    ]
}

fn assert_case(case: &Case, reply: &MemoryReply, elapsed: Duration) {
    let said = text(&reply.result);
    assert_eq!(reply.failure, case.failure, "{}: {said}", case.name);
    assert_eq!(reply.is_error, case.failure.is_some(), "{}: {said}", case.name);
    for part in case.says {
        assert!(said.contains(part), "{}: {part:?} is not in {said:?}", case.name);
    }
    assert!(elapsed < Duration::from_secs(30), "{}: {elapsed:?}", case.name);
    let exchange = reply.exchange.as_ref().unwrap();
    assert_eq!(exchange.http.len(), 1, "{}", case.name);
    assert_eq!(exchange.is_error, reply.is_error);
}

async fn run(cases: Vec<Case>) {
    for case in cases {
        let server = Raw::saying(case.steps.clone()).await;
        let engine = engine(&format!("{}{}", server.base(), case.settings));
        let started = Instant::now();
        let reply = call(&engine, "list", json!({})).await;
        assert_case(&case, &reply, started.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_break() {
    run(connection_cases()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_are_wrong() {
    run(body_cases()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statuses() {
    run(status_cases()).await;
}

#[tokio::test]
async fn nobody_is_there() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cases = [
        (format!("http://127.0.0.1:{port}"), "refused the connection"),
        ("http://no-such-host.invalid".to_owned(), "cannot be resolved"),
    ];
    for (base, part) in cases {
        let reply =
            call(&engine(&format!("    base_url: {base}\n    connection: {{proxy: none}}")), "list", json!({})).await;
        assert_eq!(reply.failure, Some(FailureKind::Unreachable), "{base}: {}", text(&reply.result));
        assert!(text(&reply.result).contains(part), "{base}: {}", text(&reply.result));
    }
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_and_no_tls_at_all() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let reply = call(&engine(&format!("    base_url: https://127.0.0.1:{port}")), "list", json!({})).await;
    assert_eq!(reply.failure, Some(FailureKind::Unreachable), "{}", text(&reply.result));
    assert!(text(&reply.result).contains("no secure connection"), "{}", text(&reply.result));
    let engine = engine("    base_url: https://127.0.0.1:1\n    connection: {ca_file: none.pem}");
    let reply = call(&engine, "list", json!({})).await;
    assert!(text(&reply.result).contains("`connection.ca_file`"), "{}", text(&reply.result));
}

#[tokio::test]
async fn redirects_within_the_origin_are_followed_where_the_method_stays() {
    let server = Raw::start(|request| match request {
        request if request.contains(" /things HTTP") => {
            response("307 Temporary Redirect", &[("location", "/moved?x=1")], b"")
        }
        request if request.contains(" /moved?x=1 HTTP") => json("[{\"id\": 7}]"),
        _ => response("404 Not Found", &[], b""),
    })
    .await;
    let engine = engine(&server.base());
    let reply = call(&engine, "list", json!({})).await;
    assert_eq!(reply.result["structuredContent"]["result"], json!([{"id": 7}]), "{}", reply.result);
    assert_eq!(reply.exchange.as_ref().unwrap().http.len(), 2);
    let reply = call(&engine, "make", json!({"name": "x"})).await;
    assert!(!reply.is_error, "{}", text(&reply.result));
    let last = server.heads().pop().unwrap();
    assert!(last.starts_with("POST /moved?x=1") && last.ends_with("{\"name\":\"x\"}"), "{last}");
    let endless = Raw::start(|_| response("302 Found", &[("location", "/things")], b"")).await;
    let reply = call(&self::engine(&endless.base()), "list", json!({})).await;
    assert!(text(&reply.result).contains("more than 10 times"), "{}", text(&reply.result));
}

#[tokio::test]
async fn retries_only_when_asked_for_and_only_of_what_may_be_sent_twice() {
    let busy = || response("503 Service Unavailable", &[], b"busy");
    for (settings, tool, arguments, expected) in [
        ("", "list", json!({}), 1),
        ("\n    connection: {retries: 2}", "list", json!({}), 3),
        ("\n    connection: {retries: 2}", "make", json!({"name": "x"}), 1),
    ] {
        let server = Raw::saying(busy()).await;
        let reply = call(&engine(&format!("{}{settings}", server.base())), tool, arguments).await;
        assert!(text(&reply.result).contains("HTTP 503"), "{}", text(&reply.result));
        assert_eq!(server.requests(), expected, "{settings} {tool}");
    }
}

#[tokio::test]
async fn a_body_that_drifts_is_returned_and_the_difference_recorded() {
    let server = Raw::saying(json("[{\"id\": \"one\"}]")).await;
    let reply = call(&engine(&server.base()), "list", json!({})).await;
    assert!(!reply.is_error);
    let drift = reply.exchange.unwrap().drift.clone().unwrap();
    assert_eq!(drift.problems.len(), 1, "{drift:?}");
    let strict = format!("{}\n    validation: {{response_validation_failure: fail}}", server.base());
    let reply = call(&engine(&strict), "list", json!({})).await;
    assert!(reply.is_error && text(&reply.result).contains("does not fit the schema"), "{}", text(&reply.result));
    let Value::Object(_) = reply.result else { panic!("{}", reply.result) };
}
