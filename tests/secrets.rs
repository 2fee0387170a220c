//! Planted secrets: one of its own in every place that takes one, and every output of the real program searched for all of
//! them. The API that the program calls remembers what it got and repeats it, so a secret that was not sent, and an output
//! that could not have held it, make the tests fail.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

#[path = "secrets/api.rs"]
mod api;
#[path = "secrets/planted.rs"]
mod planted;
mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use api::Api;
use planted::{PLANTED, Planted, forms, leaks, value};
use support::pty::Pty;

const PROGRAM: &str = env!("CARGO_BIN_EXE_toolscope");

/// An API, and a folder with a workspace whose upstreams each prove themselves in another way.
struct Plant {
    api: Api,
    folder: tempfile::TempDir,
}

impl Plant {
    fn new() -> Self {
        let api = Api::start();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("api.yaml"), api.document()).unwrap();
        fs::write(folder.path().join("password"), format!("{}\n", value("basic"))).unwrap();
        fs::write(folder.path().join("toolscope.yaml"), api.workspace()).unwrap();
        Self { api, folder }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.folder.path()).args(args).stdin(Stdio::null());
        for planted in PLANTED {
            command.env(planted.variable(), planted.value);
        }
        for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR"] {
            command.env(name, self.folder.path().join("home"));
        }
        command
    }

    /// Everything that a command writes, and its exit code.
    fn run(&self, args: &[&str]) -> (String, i32) {
        let output = self.command(args).output().unwrap();
        let text = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (text, output.status.code().unwrap())
    }

    /// The same for a command that ends with that code; its output may hold no secret.
    fn clean(&self, args: &[&str], code: i32) -> String {
        let (text, found) = self.run(args);
        assert_eq!(found, code, "{args:?}: {text}");
        assert_eq!(leaks(&text), [] as [&str; 0], "{args:?}: {text}");
        text
    }
}

/// The arguments of a call whose values are secrets.
fn secret_arguments() -> String {
    serde_json::json!({
        "X-Api-Key": value("argument-header"),
        "X-Pin": value("argument-format"),
        "api_key": value("argument-query"),
        "session_token": "page-2-of-the-list",
        "name": "Rex",
        "password": value("argument-body"),
        "account": {"login": "me", "code": value("argument-nested")},
    })
    .to_string()
}

#[test]
fn every_form_of_a_secret_is_found() {
    // The search itself: what it cannot find it cannot keep out.
    for planted in PLANTED {
        for form in forms(planted.value) {
            assert_eq!(leaks(&format!("before{form}after")), [planted.name], "{form}");
        }
    }
    assert_eq!(leaks("nothing of that kind, *** and [REDACTED]"), [] as [&str; 0]);
}

#[test]
fn what_is_listed_explained_and_checked_holds_no_secret() {
    let plant = Plant::new();
    for format in ["human", "json", "markdown"] {
        let text = plant.clean(&["list", "--format", format], 0);
        assert!(text.contains("bearer_write"), "{text}");
    }
    for (upstream, format) in api::UPSTREAMS.iter().zip(["human", "json"].into_iter().cycle()) {
        plant.clean(&["explain", &format!("{upstream}_write"), "--format", format], 0);
    }
    for format in ["human", "json", "sarif", "github", "junit"] {
        let (text, _) = plant.run(&["check", "--all", "--format", format]);
        assert!(text.contains("literal-secret") && text.contains("tls-not-verified"), "{format}: {text}");
        assert_eq!(leaks(&text), [] as [&str; 0], "{format}: {text}");
    }
    for place in ["document-header", "document-user", "document-key"] {
        assert!(plant.api.saw(place), "the document was read without {place}");
    }
}

#[test]
fn calls_send_every_secret_and_show_none() {
    let plant = Plant::new();
    let arguments = secret_arguments();
    let mut formats = ["human", "json", "json", "human", "json", "human", "human"].into_iter().cycle();
    for upstream in api::ANSWERED {
        let tool = |name: &str| format!("{upstream}_{name}");
        let common = ["--args", &arguments];
        let write = tool("write");
        let shown = [&["call", &write, "--dry-run"][..], &common].concat();
        // Every kind of answer once, in either form in turn; the program is started for each.
        let shown = plant.clean(&[&shown[..], &["--format", formats.next().unwrap()]].concat(), 0);
        assert!(shown.contains("page-2-of-the-list"), "only secrets are masked: {shown}");
        for (name, code) in [("write", 0), ("write", 0), ("denied", 3), ("broken", 4), ("page", 5)] {
            let format = formats.next().unwrap();
            let text = plant.clean(&[&["call", &tool(name), "--format", format][..], &common].concat(), code);
            assert!(text.contains("***"), "the API repeats what it got: {upstream} {name} {text}");
        }
    }
    let text = plant.clean(&["call", "bearer_write", "--args", &arguments.replace("\"Rex\"", "7")], 5);
    assert!(text.contains("/name"), "{text}");
    // What does not fit is said without repeating it.
    let long = format!("{}{}", value("argument-format"), "x".repeat(100));
    let text = plant.clean(&["call", "bearer_write", "--args", &arguments.replace(value("argument-format"), &long)], 5);
    assert!(text.contains("/X-Pin"), "{text}");
    for planted in PLANTED.iter().filter(|planted| planted.is_sent) {
        assert!(plant.api.saw(planted.name), "the API never got {}", planted.name);
    }
    assert!(plant.api.set_cookies() > 0, "the API sets no cookie");
}

#[test]
fn calls_that_fail_hold_no_secret() {
    let plant = Plant::new();
    let arguments = secret_arguments();
    for (tool, code, part) in [
        ("refused_write", 4, "refused the connection"),
        ("tls_write", 4, "no secure connection"),
        ("wrong_write", 5, ""),
        ("ungranted_write", 3, "gave no token"),
        ("proxied_write", 4, ""),
        ("unset_write", 3, "TOOLSCOPE_TEST_UNSET is not set"),
    ] {
        for format in ["human", "json"] {
            let (text, found) = plant.run(&["call", tool, "--args", &arguments, "--format", format]);
            assert_eq!(leaks(&text), [] as [&str; 0], "{tool}: {text}");
            assert!(text.contains(part), "{tool}: {text}");
            assert!(found == code, "{tool}: {found} {text}");
        }
        plant.clean(&["call", tool, "--args", &arguments, "--dry-run"], if tool == "wrong_write" { 2 } else { 0 });
    }
    assert!(plant.api.saw("oauth-refused"), "the token endpoint that refuses was not asked");
}

#[test]
fn documents_that_cannot_be_read_hold_no_secret() {
    let plant = Plant::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (user, key, port) = (value("document-user"), value("document-key"), plant.api.port);
    let (user, key) = (planted::encoded(user), planted::encoded(key));
    let addresses = [
        format!("http://me:{user}@127.0.0.1:{port}/denied?token={key}"),
        format!("http://me:{user}@127.0.0.1:{port}/moved?token={key}"),
        format!("http://me:{user}@127.0.0.1:{port}/broken?token={key}"),
        format!("http://me:{user}@127.0.0.1:{port}/page?token={key}"),
        format!("http://me:{user}@{free}/?token={key}"),
        format!("https://me:{user}@127.0.0.1:{port}/?token={key}"),
        format!("http://me:{user}@[bad/?token={key}"),
        format!("ftp://me:{user}@host/?token={key}"),
    ];
    for address in &addresses {
        for args in [&["list"][..], &["list", "--format", "json"], &["check"], &["explain", "x"], &["serve"], &["mock"]]
        {
            let header = format!("X-Doc-Token: {}", value("document-literal"));
            let (text, code) = plant.run(&[args, &[address, "--header", &header]].concat());
            assert!(code != 0 && code != 1, "{address}: {code} {text}");
            assert_eq!(leaks(&text), [] as [&str; 0], "{args:?} {address}: {text}");
        }
    }
    assert!(plant.api.saw("document-user") && plant.api.saw("document-key") && plant.api.saw("document-literal"));
    for base in [format!("http://me:{user}@[bad"), format!("me:{user}@host"), format!("http://me:{user}@")] {
        plant.run_base(&base);
    }
    // What is said on the command line and refused.
    for key in ["upstreams.0.outbound_auth.bearer.token", "naming.secret", "a.b.password"] {
        let set = format!("{key}={}", value("literal"));
        let (text, code) = plant.run(&["list", "--set", &set]);
        assert_eq!(code, 2, "{text}");
        assert_eq!(leaks(&text), [] as [&str; 0], "{text}");
    }
    // A workspace file that is broken where a secret stands.
    let literal = value("literal");
    fs::write(
        plant.folder.path().join("toolscope.yaml"),
        format!("upstreams:\n  - name: a\n    outbound_auth: {{strategy: bearer, bearer: {{token: {literal}}}\n"),
    )
    .unwrap();
    for format in ["human", "json"] {
        let text = plant.clean(&["list", "--format", format], 2);
        assert!(text.contains("toolscope.yaml"), "{text}");
    }
}

impl Plant {
    fn run_base(&self, base: &str) {
        for args in [&["list"][..], &["call", "write"], &["call", "write", "--dry-run"]] {
            let (text, _) = self.run(&[args, &["api.yaml", "--base-url", base]].concat());
            assert_eq!(leaks(&text), [] as [&str; 0], "{args:?} {base}: {text}");
        }
    }
}

/// A server of the program, what it said, and its address.
struct Server {
    child: Child,
    said: Arc<Mutex<String>>,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said: Arc<Mutex<String>> = Arc::default();
        let (lines, log) = (BufReader::new(child.stderr.take().unwrap()), said.clone());
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                let url = line.split_whitespace().find(|word| word.starts_with("http://127.0.0.1:")).map(str::to_owned);
                log.lock().unwrap().push_str(&format!("{line}\n"));
                if let Some(url) = url {
                    let _ = sender.send(url);
                }
            }
        });
        let url = receiver.recv_timeout(Duration::from_secs(30)).unwrap_or_else(|_| panic!("{}", said.lock().unwrap()));
        Self { child, said, url }
    }

    fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Waits until the program has said something.
    fn wait(&self, part: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self.said().contains(part) {
            assert!(Instant::now() < deadline, "no {part:?}: {}", self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A request by plain means; gives the whole answer.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let address = self.url.trim_start_matches("http://").split('/').next().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let length = body.len();
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{head}content-length: {length}\r\n\r\n{body}").unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    fn rpc(&self, token: &str, method: &str, mut params: serde_json::Value) -> String {
        params["_meta"] = serde_json::json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        });
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let body = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let bearer = format!("Bearer {token}");
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
            ("mcp-name", &name),
            ("authorization", &bearer),
            ("x-client-token", value("client")),
        ];
        let count = if name.is_empty() { 4 } else { 5 };
        let headers: Vec<_> = headers[..count].iter().chain(&headers[5..]).copied().collect();
        self.ask("POST", "/mcp", &headers, &body)
    }
}

#[test]
fn a_server_says_no_secret_and_hands_on_none() {
    let plant = Plant::new();
    let server = Server::start(plant.command(&["serve", "--http", "0", "--token", "env:PLANTED_INBOUND"]));
    let refused = server.rpc("wrong-token-of-a-client", "tools/list", serde_json::json!({}));
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    let inbound = value("inbound");
    let listed = server.rpc(inbound, "tools/list", serde_json::json!({}));
    assert!(listed.contains("bearer_write"), "{listed}");
    assert_eq!(leaks(&listed), [] as [&str; 0], "{listed}");
    let arguments: serde_json::Value = serde_json::from_str(&secret_arguments()).unwrap();
    for upstream in api::UPSTREAMS {
        for tool in ["write", "denied", "broken", "page"] {
            let params = serde_json::json!({"name": format!("{upstream}_{tool}"), "arguments": arguments});
            let answer = server.rpc(inbound, "tools/call", params);
            assert!(answer.starts_with("HTTP/1.1 200"), "{upstream} {tool}: {answer}");
            assert_eq!(leaks(&answer), [] as [&str; 0], "{upstream} {tool}: {answer}");
        }
    }
    // A reload that fails and one that goes well are told of.
    let file = plant.folder.path().join("toolscope.yaml");
    let good = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{good}\nx: [\n  password: {}\n", value("literal"))).unwrap();
    server.wait("Not reloaded");
    fs::write(&file, format!("{good}\n# more\n")).unwrap();
    server.wait("Reloaded");
    let said = server.said();
    assert!(said.contains("credentials: bearer token (env:PLANTED_BEARER)"), "{said}");
    assert!(said.contains("NOT verified"), "{said}");
    assert_eq!(leaks(&said), [] as [&str; 0], "{said}");
    assert!(plant.api.saw("bearer"), "nothing was called");
    for planted in ["inbound", "client"] {
        assert!(!plant.api.saw(planted), "the API got what a client proves itself to the proxy with: {planted}");
    }
}

#[test]
fn how_a_client_starts_the_server_is_told_without_secrets() {
    let plant = Plant::new();
    let (user, key) = (planted::encoded(value("document-user")), planted::encoded(value("document-key")));
    let address = format!("http://me:{user}@127.0.0.1:{}/protected?token={key}", plant.api.port);
    let base = format!("--base-url=http://me:{}@127.0.0.1:{}", planted::encoded(value("base-user")), plant.api.port);
    let header = format!("X-Doc-Token: {}", value("document-literal"));
    let server = Server::start(plant.command(&["serve", "--http", "0", &address, &base, "--header", &header]));
    server.wait(".vscode/mcp.json");
    let said = server.said();
    assert!(said.contains("claude mcp add") && said.contains("--stdio") && said.contains("***"), "{said}");
    assert_eq!(leaks(&said), [] as [&str; 0], "{said}");
}

#[test]
fn the_log_of_the_mock_holds_no_secret() {
    let plant = Plant::new();
    let mock = Server::start(plant.command(&["mock", "--http", "0", "api.yaml"]));
    let (key, other) = (planted::encoded(value("argument-query")), planted::encoded(value("key-query")));
    let secret = value("argument-header");
    for target in [
        format!("/write?api_key={key}"),
        format!("/denied?k={other}"),
        format!("/nothing?token={key}"),
        format!("/write?api_key={key}&number=many"),
    ] {
        let headers = [("x-api-key", secret), ("x-number-token", secret), ("content-type", "application/json")];
        let body = serde_json::json!({"name": 7, "password": value("argument-body")}).to_string();
        let answer = mock.ask("POST", &target, &headers, &body);
        assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    }
    mock.wait("/nothing");
    mock.wait("number");
    let said = mock.said();
    assert!(said.contains("***"), "{said}");
    assert_eq!(leaks(&said), [] as [&str; 0], "{said}");
}

fn files_below(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().map_while(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push((path.display().to_string(), String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
        }
    }
}

#[test]
fn the_screen_shows_exports_and_keeps_no_secret() {
    let plant = Plant::new();
    let home = plant.folder.path().join("home");
    fs::create_dir_all(&home).unwrap();
    // A program of the person's own fills the arguments in.
    let editor = home.join("vi");
    fs::write(home.join("arguments.json"), secret_arguments()).unwrap();
    fs::write(
        &editor,
        format!("#!/bin/sh\nfor last; do :; done\ncat '{}' > \"$last\"\n", home.join("arguments.json").display()),
    )
    .unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let config = plant.folder.path().join("toolscope.yaml");
    let home_text = home.to_str().unwrap();
    let mut env = vec![("XDG_STATE_HOME", home_text), ("TMPDIR", home_text), ("VISUAL", editor.to_str().unwrap())];
    let variables: Vec<(String, &str)> = PLANTED.iter().map(|one| (one.variable(), one.value)).collect();
    env.extend(variables.iter().map(|(name, value)| (name.as_str(), *value)));
    let args = ["--config", config.to_str().unwrap()];
    // Files are exported to where the person stands.
    let start = format!("cd '{}' && exec '{PROGRAM}' \"$@\"", plant.folder.path().display());
    let args = [&["-c", &start, "sh"][..], &args].concat();
    let mut pty = Pty::spawn(Path::new("/bin/sh"), &args, &env, (200, 60));
    pty.wait_text("bearer_write");
    let calls = ["bearer", "header", "query", "cookie", "basic", "granted", "static", "user", "ungranted"];
    for (at, upstream) in calls.iter().enumerate() {
        pty.send(&format!("1/^{upstream}_write$\r"));
        pty.wait_text("1 of ");
        pty.send("u");
        pty.wait_text("curl ");
        pty.send("4");
        pty.wait_text("the arguments");
        pty.send("c");
        if at == 0 {
            pty.wait_text("A call that writes");
            pty.send("y");
        }
        pty.send("5");
        pty.wait_text(&format!("{} call", at + 1));
        pty.send("1/\u{15}\r");
        pty.wait_text("all ");
    }
    for keys in ["2", "7", "5"] {
        pty.send(keys);
    }
    pty.wait_text("└ POST http");
    pty.send("gj\r");
    pty.wait_text("***");
    pty.send("\u{1b}");
    let raw = String::from_utf8_lossy(&pty.raw()).into_owned();
    assert_eq!(leaks(&raw), [] as [&str; 0], "{}", pty.contents());
    // Secrets that are typed are seen where they are typed, and nowhere else.
    pty.send("1/^bearer_write$\r");
    pty.wait_text("1 of ");
    pty.send("4e");
    pty.wait_text("\"X-Pin\"");
    pty.send("c5");
    pty.wait_text(&format!("{} calls", calls.len() + 1));
    pty.send("G");
    pty.wait_text("HTTP/1.1 200");
    pty.wait("the call's page", |screen| screen.contents().contains("***"));
    assert_eq!(leaks(&pty.contents()), [] as [&str; 0], "{}", pty.contents());
    pty.send("k");
    pty.wait_text("tools/call, params");
    assert_eq!(leaks(&pty.contents()), [] as [&str; 0], "{}", pty.contents());
    pty.send("w");
    pty.wait_text("wire-1.jsonl");
    pty.send("W");
    pty.wait_text("wire-1.har");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    fs::remove_file(home.join("arguments.json")).unwrap();
    for upstream in ["bearer", "argument-format", "argument-nested"] {
        assert!(plant.api.saw(upstream), "{upstream} was not sent");
    }
    let mut files = Vec::new();
    files_below(&home, &mut files);
    let exports = ["toolscope-wire-1.jsonl", "toolscope-wire-1.har"].map(|name| plant.folder.path().join(name));
    files.extend(exports.iter().map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())));
    assert!(files.iter().any(|(path, _)| path.contains("toolscope/screen/")), "no state was kept: {files:?}");
    for (path, text) in &files {
        assert_eq!(leaks(text), [] as [&str; 0], "{path}: {text}");
    }
    for export in &exports {
        let text = fs::read_to_string(export).unwrap();
        assert!(text.contains("bearer_write") && text.contains("***"), "{text}");
    }
}

#[test]
fn every_place_is_planted() {
    // One value each, long enough to be no accident, and none part of another.
    for (at, Planted { name, value, .. }) in PLANTED.iter().enumerate() {
        assert!(value.len() >= 16, "{name}");
        assert!(PLANTED.iter().enumerate().all(|(other, one)| at == other || !one.value.contains(value)), "{name}");
    }
}
