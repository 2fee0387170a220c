//! The command line of the MCP Inspector, on the official TypeScript SDK, against the real program.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::PROGRAM;
use crate::python::{drain, run_for, wait};

const PACKAGE: &str = "@modelcontextprotocol/inspector@^0.15.0";
/// One request, with the start of the program that makes it.
const LIMIT: Duration = Duration::from_secs(90);

/// The inspector, installed on the first run. `None` where that cannot be.
fn inspector() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspector");
    let program = folder.join("node_modules/.bin/mcp-inspector");
    // Written last, so that an installation that was broken off is begun anew.
    let whole = folder.join("installed");
    if !whole.exists() {
        std::fs::create_dir_all(&folder).ok()?;
        let mut install = Command::new("npm");
        install.args(["install", "--no-audit", "--no-fund", "--fetch-retries=0", "--prefix"]).arg(&folder).arg(PACKAGE);
        run_for(&mut install, Duration::from_secs(240)).filter(|output| output.status.success())?;
        std::fs::write(&whole, PACKAGE).ok()?;
    }
    program.exists().then_some(program)
}

/// What the inspector prints, as JSON.
fn ask(inspector: &Path, server: &[&str], request: &[&str]) -> Value {
    let mut command = Command::new(inspector);
    command.arg("--cli").args(server).args(request);
    let output = run_for(&mut command, LIMIT).expect("the inspector hangs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{request:?}: {out}\n{err}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}\n{err}"))
}

fn drive(inspector: &Path, server: &[&str]) {
    let listed = ask(inspector, server, &["--method", "tools/list"]);
    let tools = listed["tools"].as_array().unwrap_or_else(|| panic!("{listed}"));
    let pet = tools.iter().find(|tool| tool["name"] == "shop__getPet").unwrap_or_else(|| panic!("{listed}"));
    assert_eq!(pet["inputSchema"]["required"], serde_json::json!(["petId"]));
    assert!(tools.len() >= 20, "{}", tools.len());
    let call = |id: &str| {
        let argument = format!("petId={id}");
        ask(inspector, server, &["--method", "tools/call", "--tool-name", "shop__getPet", "--tool-arg", &argument])
    };
    let called = call("7");
    assert_eq!(called["isError"], false, "{called}");
    assert!(called["content"][0]["text"].as_str().is_some_and(|text| text.contains("species")), "{called}");
    let refused = call("seven");
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(refused["content"][0]["text"].as_str().is_some_and(|text| text.contains("/petId")), "{refused}");
}

#[cfg(unix)]
#[test]
fn the_inspector_lists_and_calls_over_both_transports() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(inspector) = inspector() else {
        writeln!(std::io::stdout(), "skipped: the MCP Inspector cannot be installed here").unwrap();
        return;
    };
    let serve = ["serve", "--demo", "--set", "naming.conflict_resolution=suffix"];
    let mut child = Command::new(PROGRAM)
        .args(serve)
        .args(["--http", "0"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let reader = drain(said);
    let url = line.split_whitespace().next().unwrap_or_default().to_owned();
    let http = std::panic::catch_unwind(|| drive(&inspector, &[&url, "--transport", "http"]));
    let _ = child.kill();
    wait(&mut child, Duration::from_secs(30));
    reader.join().unwrap();
    http.unwrap_or_else(|cause| std::panic::resume_unwind(cause));
    // The inspector takes options for its own, so the program with its options is a command without any.
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("server");
    std::fs::write(&script, format!("#!/bin/sh\nexec '{PROGRAM}' {} --stdio\n", serve.join(" "))).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    drive(&inspector, &[script.to_str().unwrap()]);
}
