//! What `diff` compares is told by its content: documents, locks, workspace files, folders, standard input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use support::program::program;

fn run(folder: &Path, args: &[&str], stdin: Option<&str>) -> Output {
    let mut command = program(folder);
    command.args(args);
    command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    if let Some(text) = stdin {
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    }
    child.wait_with_output().unwrap()
}

fn document(id: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get: {{operationId: {id}, responses: {{}}}}\n"
    )
}

/// Two workspaces over the two documents, with prefixes of their own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("main")).unwrap();
    write("old.yaml", &document("readA"));
    write("new.yaml", &document("getA"));
    write("main/old.yaml", &document("readA"));
    let workspace = |document: &str, prefix: &str| {
        format!("upstreams:\n- name: shop\n  tool_prefix: {prefix}\n  openapi:\n    source: {document}\n")
    };
    write("toolscope.yaml", &workspace("new.yaml", "p"));
    write("main/toolscope.yaml", &workspace("old.yaml", "q"));
    write(
        "two.yaml",
        &format!("{}- {{name: b, tool_prefix: b, openapi: {{source: old.yaml}}}}\n", workspace("new.yaml", "p")),
    );
    for args in [["lock", "old.yaml", "-o", "old.lock.json"], ["lock", "new.yaml", "-o", "new.lock.json"]] {
        assert_eq!(run(folder.path(), &args, None).status.code(), Some(0));
    }
    folder
}

#[test]
fn every_pair_of_kinds_is_compared() {
    let folder = folder();
    // arguments, standard input, kinds, the name before and after
    type Case = (&'static [&'static str], Option<&'static str>, [&'static str; 2], [&'static str; 2]);
    let cases: [Case; 10] = [
        (&["old.yaml", "new.yaml"], None, ["document", "document"], ["readA", "getA"]),
        (&["old.yaml", "new.yaml", "--prefix", "x"], None, ["document", "document"], ["x__readA", "x__getA"]),
        (&["old.lock.json", "new.lock.json"], None, ["lock", "lock"], ["readA", "getA"]),
        (&["old.lock.json", "new.yaml"], None, ["lock", "document"], ["readA", "getA"]),
        (&["old.yaml", "new.lock.json"], None, ["document", "lock"], ["readA", "getA"]),
        // The document stands in the place of the workspace's own, with its prefix.
        (&["old.yaml"], None, ["document", "workspace"], ["p__readA", "p__getA"]),
        (&["main", "toolscope.yaml"], None, ["workspace", "workspace"], ["q__readA", "p__getA"]),
        (&["main/toolscope.yaml"], None, ["workspace", "workspace"], ["q__readA", "p__getA"]),
        (&["main", "."], None, ["workspace", "workspace"], ["q__readA", "p__getA"]),
        (&["-", "new.yaml"], Some("old"), ["document", "document"], ["readA", "getA"]),
    ];
    let old = document("readA");
    for (args, stdin, kinds, names) in cases {
        let args = [&["diff"], args, &["--format", "json"]].concat();
        let output = run(folder.path(), &args, stdin.map(|_| old.as_str()));
        assert_eq!(output.status.code(), Some(6), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        let diff: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!([diff["old"]["kind"].as_str().unwrap(), diff["new"]["kind"].as_str().unwrap()], kinds, "{args:?}");
        let change = &diff["tools"][0];
        assert_eq!(change["changes"][0]["rule"], "renamed", "{args:?}: {diff}");
        assert_eq!([change["old_name"].as_str().unwrap(), change["new_name"].as_str().unwrap()], names, "{args:?}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_reason() {
    let folder = folder();
    let nothing = tempfile::tempdir_in(folder.path()).unwrap();
    let empty = nothing.path().to_str().unwrap().to_owned();
    let cases: [(&[&str], &str); 4] = [
        (&["old.yaml", "two.yaml"], "is one document, and the other side has 2"),
        (&[&empty, "new.yaml"], "holds no workspace file"),
        (&["old.yaml", "gone.yaml"], "there is no file `gone.yaml`"),
        (&["old.lock.json", "--config", "gone.yaml"], "gone.yaml"),
    ];
    for (args, said) in cases {
        let args = [&["diff"], args].concat();
        let output = run(folder.path(), &args, None);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(said), "{args:?}: {told}");
    }
}
