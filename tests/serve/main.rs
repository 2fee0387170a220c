//! The real program as a server: driven by the official Python SDK, by plain pipes, and by signals.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod commands;
mod inspector;
#[path = "../support/mocked.rs"]
mod mocked;
#[path = "../support/python.rs"]
mod python;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use python::{run_for, wait};
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_toolscope");

/// A Python with the SDK. `None` where that cannot be.
fn python() -> Option<PathBuf> {
    python::python("mcp-client", "import mcp; from mcp import Client", "mcp>=2.3,<3", Duration::from_secs(180))
}

#[cfg(unix)]
#[test]
fn the_official_python_sdk_drives_both_transports_with_both_protocols() {
    let Some(python) = python() else {
        writeln!(std::io::stdout(), "skipped: the Python package `mcp` cannot be installed here").unwrap();
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/client.py");
    let mut command = Command::new(python);
    command.arg(script).arg(PROGRAM);
    let output = run_for(&mut command, Duration::from_secs(240)).expect("the client hangs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert_eq!(out.lines().count(), 4, "{out}\n{err}");
}

#[test]
fn standard_output_holds_nothing_but_the_protocol() {
    let mut child = Command::new(PROGRAM)
        .args(["serve", "--demo", "--stdio", "--set", "naming.conflict_resolution=suffix"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut say = |message: Value| writeln!(input, "{message}").unwrap();
    let mut hear = || {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0");
        message
    };
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    say(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    assert_eq!(hear()["result"]["protocolVersion"], "2025-11-25");
    say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    say(
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "shop__getPet", "arguments": {"petId": 7}}}),
    );
    assert_eq!(hear()["result"]["isError"], false);
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    assert_eq!(wait(&mut child, Duration::from_secs(60)), Some(0));
}
