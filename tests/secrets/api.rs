//! An API that remembers what it got and repeats it, and a workspace that calls it in every way.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::planted::{encoded, forms, value};

/// Upstreams that answer.
pub(crate) const ANSWERED: [&str; 8] = ["bearer", "header", "query", "cookie", "basic", "granted", "static", "user"];
/// All of them.
pub(crate) const UPSTREAMS: [&str; 14] = [
    "bearer",
    "header",
    "query",
    "cookie",
    "basic",
    "granted",
    "static",
    "user",
    "ungranted",
    "refused",
    "tls",
    "wrong",
    "proxied",
    "unset",
];

pub(crate) struct Api {
    pub(crate) port: u16,
    closed: u16,
    got: Arc<Mutex<String>>,
    cookies: Arc<AtomicUsize>,
}

impl Api {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (got, cookies): (Arc<Mutex<String>>, Arc<AtomicUsize>) = Default::default();
        let (log, count) = (got.clone(), cookies.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (log, count) = (log.clone(), count.clone());
                std::thread::spawn(move || answer(stream, port, &log, &count));
            }
        });
        Self { port, closed, got, cookies }
    }

    /// The API has got a secret, in whatever form.
    pub(crate) fn saw(&self, name: &str) -> bool {
        let got = self.got.lock().unwrap();
        forms(value(name)).iter().any(|form| got.contains(form.as_str()))
    }

    /// How often it has set a cookie.
    pub(crate) fn set_cookies(&self) -> usize {
        self.cookies.load(Ordering::SeqCst)
    }

    pub(crate) fn document(&self) -> String {
        document(self.port)
    }

    pub(crate) fn workspace(&self) -> String {
        let (port, closed) = (self.port, self.closed);
        let literal = value("literal");
        let user = encoded(value("base-user"));
        let source = format!("http://127.0.0.1:{port}/protected");
        let keyed = format!(
            "http://me:{}@127.0.0.1:{port}/protected?token={}",
            encoded(value("document-user")),
            encoded(value("document-key"))
        );
        let key = |more: &str, name: &str| {
            format!("outbound_auth: {{strategy: api_key, api_key: {{{more}, value: 'env:PLANTED_{name}'}}}}")
        };
        let grant = |path: &str, secret: &str| {
            format!(
                "outbound_auth: {{strategy: oauth2_client_credentials, oauth2_client_credentials: {{token_url: \
                 'http://127.0.0.1:{port}{path}', client_id: me, client_secret: 'env:PLANTED_{secret}'}}}}"
            )
        };
        let bearer = "outbound_auth: {strategy: bearer, bearer: {token: 'env:PLANTED_BEARER'}}".to_owned();
        let file = "{source: api.yaml}".to_owned();
        let protected = format!("{{source: '{source}', auth_header: 'Bearer env:PLANTED_DOCUMENT_HEADER'}}");
        let base = |text: String| format!("base_url: '{text}'");
        let upstreams = [
            ("bearer", protected, vec![bearer.clone()]),
            ("header", format!("{{source: '{keyed}'}}"), vec![key("header: X-Key", "KEY_HEADER")]),
            ("query", file.clone(), vec![key("name: k, in: query", "KEY_QUERY")]),
            ("cookie", file.clone(), vec![key("name: c, in: cookie", "KEY_COOKIE")]),
            (
                "basic",
                file.clone(),
                vec!["outbound_auth: {strategy: basic, basic: {username: me, password: 'file:password'}}".to_owned()],
            ),
            ("granted", file.clone(), vec![grant("/token", "OAUTH_SECRET")]),
            (
                "static",
                file.clone(),
                vec![format!("headers: {{X-Static: 'env:PLANTED_STATIC', X-Literal-Token: '{literal}'}}")],
            ),
            ("user", file.clone(), vec![base(format!("http://me:{user}@127.0.0.1:{port}"))]),
            ("ungranted", file.clone(), vec![grant("/refuse", "OAUTH_REFUSED")]),
            ("refused", file.clone(), vec![bearer.clone(), base(format!("http://me:{user}@127.0.0.1:{closed}"))]),
            (
                "tls",
                file.clone(),
                vec![
                    bearer.clone(),
                    base(format!("https://me:{user}@127.0.0.1:{port}")),
                    "tls_skip_verify: true".to_owned(),
                ],
            ),
            ("wrong", file.clone(), vec![bearer.clone(), base(format!("http://me:{user}@[bad"))]),
            (
                "proxied",
                file.clone(),
                vec![
                    bearer,
                    base("http://api.invalid".to_owned()),
                    format!("connection: {{proxy: 'http://me:{}@127.0.0.1:{closed}'}}", value("proxy-user")),
                ],
            ),
            (
                "unset",
                file,
                vec!["outbound_auth: {strategy: bearer, bearer: {token: 'env:TOOLSCOPE_TEST_UNSET'}}".to_owned()],
            ),
        ];
        let mut text = "upstreams:\n".to_owned();
        for (name, document, lines) in upstreams {
            text.push_str(&format!("  - name: {name}\n    tool_prefix: {name}\n    openapi: {document}\n"));
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        text.push_str("naming: {separator: _}\n");
        text
    }
}

fn document(port: u16) -> String {
    let parameters = "[{name: X-Api-Key, in: header, schema: {type: string}}, {name: X-Pin, in: header, schema: {type: \
                      string, format: password, maxLength: 60}}, {name: api_key, in: query, schema: {type: string}}, \
                      {name: session_token, in: query, schema: {type: string}}, {name: number, in: query, schema: \
                      {type: integer}}, {name: X-Number-Token, in: header, schema: {type: integer}}]";
    let body = "{required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}";
    let mut text = format!(
        "openapi: 3.1.0\ninfo: {{title: Planted, version: '1'}}\nservers: [{{url: 'http://127.0.0.1:{port}'}}]\n\
         components:\n  securitySchemes: {{key: {{type: apiKey, in: query, name: k}}}}\n  schemas:\n    Pet: {{type: \
         object, required: [name], properties: {{name: {{type: string}}, password: {{type: string}}, account: {{$ref: \
         '#/components/schemas/Account'}}}}}}\n    Account: {{type: object, properties: {{login: {{type: string}}, \
         code: {{type: string, format: password}}}}}}\npaths:\n"
    );
    for path in ["write", "denied", "broken", "page"] {
        text.push_str(&format!(
            "  /{path}: {{post: {{operationId: {path}, summary: Does it, parameters: {parameters}, requestBody: {body}, \
             responses: {{'200': {{description: ok}}}}}}}}\n"
        ));
    }
    text
}

fn read(stream: &mut TcpStream) -> Option<String> {
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let mut got = Vec::new();
    let mut buffer = [0; 1 << 14];
    loop {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        got.extend_from_slice(&buffer[..count]);
        // The beginning of TLS, which is not spoken here.
        if got[0] == 0x16 {
            return None;
        }
        let text = String::from_utf8_lossy(&got).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0_usize) {
            return Some(text);
        }
    }
}

fn answer(mut stream: TcpStream, port: u16, log: &Mutex<String>, cookies: &AtomicUsize) {
    let Some(request) = read(&mut stream) else { return };
    log.lock().unwrap().push_str(&format!("{request}\n"));
    let path = request.split([' ', '?']).nth(1).unwrap_or_default();
    let lower = request.to_ascii_lowercase();
    let allowed = lower.contains("\r\nauthorization: ");
    let echo = serde_json::json!({"got": request}).to_string();
    let json = "content-type: application/json\r\n";
    let cookie = format!("set-cookie: session={}; HttpOnly\r\n", value("cookie-answer"));
    let token = format!("{{\"access_token\": \"{}\", \"expires_in\": 3600}}", value("oauth-token"));
    let description = serde_json::json!({"error": "invalid_client", "error_description": request}).to_string();
    let (status, headers, body) = match path {
        "/protected" if allowed => ("200 OK", "content-type: application/yaml\r\n".to_owned(), document(port)),
        "/token" => ("200 OK", json.to_owned(), token),
        "/refuse" => ("401 Unauthorized", json.to_owned(), description),
        "/write" => ("200 OK", format!("{json}{cookie}x-got: {}\r\n", one_line(&request)), echo),
        "/moved" => ("302 Found", "location: http://127.0.0.2:1/elsewhere\r\n".to_owned(), String::new()),
        "/broken" => ("200 OK", format!("{json}{cookie}"), echo.clone()),
        "/page" => ("404 Not Found", format!("content-type: text/plain\r\n{cookie}"), request.clone()),
        _ => ("401 Unauthorized", format!("content-type: text/plain\r\n{cookie}"), request.clone()),
    };
    if headers.contains("set-cookie") {
        cookies.fetch_add(1, Ordering::SeqCst);
    }
    // A body that breaks off is announced as longer than it is.
    let length = if path == "/broken" { body.len() + 100 } else { body.len() };
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body.as_bytes());
}

fn one_line(request: &str) -> String {
    request.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
