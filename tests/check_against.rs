//! `check` against a lock and against a baseline, in every format.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use support::program::program;

fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder).args(args).output().unwrap()
}

fn told(folder: &Path, args: &[&str], expected: i32) -> String {
    let output = run(folder, args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(expected), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, args: &[&str], expected: i32) -> Value {
    serde_json::from_str(&told(folder, args, expected)).unwrap()
}

fn document(paths: &[(&str, &str)]) -> String {
    let operation = |(path, id): &(&str, &str)| {
        format!(
            "  {path}:\n    get:\n      operationId: {id}\n      summary: Get it\n      responses: {{'200': {{description: ok}}}}\n"
        )
    };
    let paths: Vec<String> = paths.iter().map(operation).collect();
    format!("openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n{}", paths.concat())
}

#[test]
fn what_differs_from_the_lock_stands_in_every_format_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("a.yaml"), text).unwrap();
    write(&document(&[("/a", "readA"), ("/gone", "readGone")]));
    told(folder.path(), &["lock", "a.yaml"], 0);
    let args = ["check", "a.yaml", "--lock", "toolscope.lock.json"];
    told(folder.path(), &args, 0);
    write(&document(&[("/a", "getA"), ("/new", "readNew")]));
    let with = |format: &'static str| [&args[..], &["--format", format]].concat();
    let found = json(folder.path(), &with("json"), 6);
    let rows: Vec<(String, String, String, u64)> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let origin = &finding["origin"];
            (
                text(&finding["code"]),
                text(&finding["severity"]),
                text(&origin["file"]),
                origin["line"].as_u64().unwrap(),
            )
        })
        .collect();
    let row =
        |code: &str, severity: &str, file: &str, line| (code.to_owned(), severity.to_owned(), file.to_owned(), line);
    assert_eq!(
        rows,
        [
            row("lock-renamed", "error", "a.yaml", 5),
            row("lock-removed", "error", "toolscope.lock.json", 6),
            row("lock-added", "warning", "a.yaml", 10),
        ]
    );
    let human = told(folder.path(), &with("human"), 6);
    assert!(human.contains("a.yaml:5: `getA`: renamed from `readA` to `getA`"), "{human}");
    let github = told(folder.path(), &with("github"), 6);
    assert!(github.contains("::error file=toolscope.lock.json,line=6"), "{github}");
    let junit = told(folder.path(), &with("junit"), 6);
    assert!(junit.contains("tests=\"3\" failures=\"3\""), "even what breaks nothing differs: {junit}");
    let sarif: Value = serde_json::from_str(&told(folder.path(), &with("sarif"), 6)).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 3);
    // Only something that breaks nothing: it differs all the same.
    write(&document(&[("/a", "readA"), ("/gone", "readGone"), ("/new", "readNew")]));
    told(folder.path(), &args, 6);
    told(folder.path(), &[&args[..], &["--fail-on", "never"]].concat(), 0);
    // Made anew, it fits.
    told(folder.path(), &["lock", "a.yaml"], 0);
    told(folder.path(), &args, 0);
}

#[test]
fn a_lock_remembers_whom_it_asked() {
    let folder = tempfile::tempdir().unwrap();
    let name = |length: usize| document(&[("/a", &"n".repeat(length))]);
    std::fs::write(folder.path().join("a.yaml"), name(20)).unwrap();
    told(folder.path(), &["lock", "a.yaml", "--target", "cursor:shop", "-o", "l.json"], 0);
    std::fs::write(folder.path().join("a.yaml"), name(70)).unwrap();
    let found = json(folder.path(), &["check", "a.yaml", "--lock", "l.json", "--format", "json"], 6);
    let codes: Vec<&str> = found["findings"].as_array().unwrap().iter().filter_map(|it| it["code"].as_str()).collect();
    assert_eq!(codes, ["lock-renamed", "lock-verdict-lost"], "{found:#}");
}

#[test]
fn known_findings_are_counted_new_ones_fail_and_mended_ones_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let overlay = |targets: &[&str]| {
        let actions: Vec<String> =
            targets.iter().map(|target| format!("- {{target: $.{target}, update: {{x: 1}}}}\n")).collect();
        format!("overlay: 1.0.0\ninfo: {{title: O, version: '1'}}\nactions:\n{}", actions.concat())
    };
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.yaml", &document(&[("/a", "readA")]));
    write("o.yaml", &overlay(&["one", "two"]));
    let base = ["check", "a.yaml", "--overlay", "o.yaml", "--fail-on", "warning"];
    let check = |more: &[&'static str]| [&base[..], more].concat();
    told(folder.path(), &base, 6);
    told(folder.path(), &check(&["--write-baseline", "known.json"]), 0);
    let known = json(folder.path(), &check(&["--baseline", "known.json", "--format", "json"]), 0);
    assert_eq!((&known["baseline"]["known"], &known["totals"]["findings"]), (&2.into(), &0.into()), "{known:#}");
    // Lines move, and one is mended.
    write("o.yaml", &format!("# moved\n\n{}", overlay(&["zwei", "two"]).replace("$.zwei", "$.info")));
    let args = check(&["--baseline", "known.json", "--format", "json"]);
    let mended = json(folder.path(), &args, 0);
    assert_eq!(
        (&mended["baseline"]["known"], mended["baseline"]["fixed"].as_array().unwrap().len()),
        (&1.into(), 1),
        "{mended:#}"
    );
    let human = told(folder.path(), &check(&["--baseline", "known.json"]), 0);
    assert!(human.contains("Fixed (1)") && human.contains("$.one"), "{human}");
    // One is new.
    write("o.yaml", &overlay(&["one", "two", "three"]));
    let new = json(folder.path(), &args, 6);
    assert_eq!((&new["baseline"]["known"], &new["totals"]["findings"]), (&2.into(), &1.into()), "{new:#}");
    let junit = told(folder.path(), &check(&["--baseline", "known.json", "--format", "junit"]), 6);
    assert!(junit.contains("tests=\"3\" failures=\"1\"") && junit.contains("skipped=\"2\""), "{junit}");
}
