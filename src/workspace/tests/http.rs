//! Reading from URLs, against a listener of our own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::reader;
use crate::workspace::{LoadError, LoadErrorKind, Reader, SecretRef, Source, Timeouts};

/// A server that answers each request with the next response; tells the requests that came.
struct Server {
    address: String,
    requests: Receiver<String>,
}

fn serve(responses: Vec<Vec<u8>>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, requests) = channel();
    std::thread::spawn(move || {
        for response in responses {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            let mut request = String::new();
            while lines.read_line(&mut request).unwrap() > 2 {}
            let _ = tell.send(request);
            let _ = stream.write_all(&response);
        }
    });
    Server { address, requests }
}

fn response(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}", body.len())
        .into_bytes()
}

fn get(reader: &mut Reader, url: &str, header: Option<&str>) -> Result<String, LoadError> {
    let headers = header.map(|value| ("Authorization".to_owned(), SecretRef::parse(value, Path::new(""))));
    let source = Source::written(url, Path::new("")).with_headers(headers);
    let place = source.place(reader.env.as_ref())?;
    reader.read(&source, &place).map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn a_document_with_a_credential() {
    let server = serve(vec![response("200 OK", "", "openapi: 3.1.0\n")]);
    let text = get(&mut reader(""), &format!("{}/a.yaml?k=1", server.address), Some("Bearer ${TOKEN}")).unwrap();
    assert_eq!(text, "openapi: 3.1.0\n");
    let request = server.requests.recv().unwrap().to_ascii_lowercase();
    assert!(request.starts_with("get /a.yaml?k=1 http/1.1"), "{request}");
    assert!(request.contains("authorization: bearer s3cret"), "{request}");
    assert!(request.contains("user-agent: toolscope/"), "{request}");
}

#[test]
fn failures_say_what_and_what_to_do() {
    use LoadErrorKind::{Authentication, Input, Unreachable};
    let html = "<!DOCTYPE html><html></html>";
    let cases = [
        (response("404 Not Found", "", ""), None, Unreachable, "answered 404 Not Found", "Check the address"),
        (response("401 Unauthorized", "", ""), None, Authentication, "answered 401 Unauthorized", "--header"),
        (
            response("403 Forbidden", "", ""),
            Some("env:TOKEN"),
            Authentication,
            "answered 403",
            "was sent and not accepted",
        ),
        (response("503 Service Unavailable", "", ""), None, Unreachable, "answered 503", "later"),
        (response("200 OK", "Content-Type: text/html\r\n", html), None, Input, "is a web page", "raw"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc".to_vec(), None, Unreachable, "broke off", "download"),
        (b"nonsense\r\n\r\n".to_vec(), None, Unreachable, "cannot be reached", "network"),
    ];
    for (answer, header, kind, message, remedy) in cases {
        let server = serve(vec![answer]);
        let error = get(&mut reader(""), &format!("{}/a.yaml", server.address), header).unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(message), "{error}");
        assert!(error.remedy.as_deref().unwrap_or_default().contains(remedy), "{error}");
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
}

#[test]
fn a_missing_credential_is_no_request() {
    let error = get(&mut reader(""), "http://127.0.0.1:9/a.yaml", Some("env:MISSING")).unwrap_err();
    assert_eq!(error.kind, LoadErrorKind::Authentication);
    assert!(error.message.contains("MISSING is not set"), "{error}");
}

#[test]
fn redirects_keep_credentials_at_home() {
    // Without a header: followed to another origin.
    let goal = serve(vec![response("200 OK", "", "a: 1")]);
    let moved = |to: &str| response("302 Found", &format!("Location: {to}/b.yaml\r\n"), "");
    let start = serve(vec![moved(&goal.address)]);
    assert_eq!(get(&mut reader(""), &start.address, None).unwrap(), "a: 1");

    // With one: another port is another origin, and it gets no request.
    let goal = serve(vec![response("200 OK", "", "a: 1")]);
    let start = serve(vec![moved(&goal.address)]);
    let error = get(&mut reader(""), &start.address, Some("env:TOKEN")).unwrap_err();
    assert!(error.message.contains("answered 302"), "{error}");
    assert!(error.remedy.unwrap().contains("not sent to another server"));
    assert!(goal.requests.recv_timeout(Duration::from_millis(100)).is_err());

    // The same origin is followed, with the header.
    let home = serve(vec![response("302 Found", "Location: /b.yaml\r\n", ""), response("200 OK", "", "a: 2")]);
    assert_eq!(get(&mut reader(""), &home.address, Some("env:TOKEN")).unwrap(), "a: 2");
    home.requests.recv().unwrap();
    assert!(home.requests.recv().unwrap().to_ascii_lowercase().contains("authorization: s3cret"));
}

#[test]
fn the_cap_holds_while_reading() {
    // No length is told, and the body would never end: only the cap stops it.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/a.yaml", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        while stream.write_all(&[b'a'; 65536]).is_ok() {}
    });
    let mut reader = reader("");
    reader.max_bytes = 1024 * 1024;
    let error = get(&mut reader, &address, None).unwrap_err();
    assert!(error.message.contains("is larger than 1 MiB"), "{error}");
}

#[test]
fn a_silent_server_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/a.yaml", listener.local_addr().unwrap());
    let mut reader = reader("");
    reader.timeouts = Timeouts { connect: Duration::from_millis(200), total: Duration::from_millis(300) };
    let error = get(&mut reader, &address, None).unwrap_err();
    assert_eq!(error.kind, LoadErrorKind::Unreachable);
    assert!(error.message.contains("did not answer in time"), "{error}");
    drop(listener);
}
