//! The program as scripts see it: exit codes, streams, and the shape of the machine-readable contract.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::io::{Read, Write};
use std::process::{Output, Stdio};

use serde_json::Value;
use support::program::program;

fn run(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    program(folder.path()).args(args).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = run(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", text(&output.stderr)))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn assert_has(value: &Value, wanted: &[&str]) {
    let found = keys(value);
    for key in wanted {
        assert!(found.contains(key), "{key} is missing in {found:?}");
    }
}

const TOOL: &[&str] = &[
    "name",
    "upstream",
    "method",
    "path",
    "operation_id",
    "source",
    "trail",
    "candidates",
    "truncated",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "binding",
    "losses",
    "findings",
    "tokens",
    "touched_by",
];
const ORIGIN: &[&str] = &["kind", "file", "line", "column", "pointer", "action"];
const FINDING: &[&str] = &["code", "severity", "message", "origin", "tool", "target", "blast", "fix", "remedy", "rule"];

/// What stands in an overlay is the tool's own name; the prefix comes before it under any policy of conflicts.
#[test]
fn a_proposed_name_is_without_the_prefix() {
    for (policy, expected) in [
        ("error", &["list_pets", "get_pets_petId_photos", "cancelOrder"][..]),
        ("suffix", &["list_pets", "get_pets_petId_photos", "cancelOrder"]),
    ] {
        let set = format!("naming.conflict_resolution={policy}");
        let out = run(&["check", "--demo", "--set", &set, "--format", "json"]);
        let report: Value = serde_json::from_slice(&out.stdout).unwrap();
        let named = |finding: &Value| Some(finding["fix"]["update"]["x-mcp-tool-name"].as_str()?.to_owned());
        let named: Vec<String> = report["findings"].as_array().unwrap().iter().filter_map(named).collect();
        assert_eq!(named, expected, "{policy}");
    }
}

#[test]
fn exit_codes() {
    let cases: [(&[&str], i32); 14] = [
        (&["list", "--demo"], 0),
        (&["check", "--demo"], 6),
        (&["overlay", "check", "--demo"], 0),
        (&["overlay", "check", "--demo", "--strict"], 6),
        (&["explain", "shop__getPet", "--demo"], 0),
        (&["explain", "getPett", "--demo"], 2),
        (&["profiles"], 0),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["list"], 2),
        (&["list", "gone.yaml"], 2),
        (&["list", "--bogus"], 2),
        (&["list", "http://127.0.0.1:9/api.yaml"], 4),
        (&[], 2),
    ];
    for (args, expected) in cases {
        let output = run(args);
        assert_eq!(code(&output), expected, "{args:?}: {}", text(&output.stderr));
        assert_eq!(output.stdout.is_empty(), expected != 0 && expected != 6, "{args:?}: data only on success");
    }
}

#[test]
fn list_in_the_words_of_the_contract() {
    let list = json(&["list", "--demo", "--format", "json"]);
    assert_eq!(keys(&list), ["tools", "hidden", "conflicts", "findings", "totals"]);
    assert_has(&list["totals"], &["tools", "hidden", "conflicts", "truncated", "findings", "tokens"]);
    for (key, total) in [("tools", "tools"), ("hidden", "hidden"), ("conflicts", "conflicts"), ("findings", "findings")]
    {
        assert_eq!(list[key].as_array().unwrap().len() as u64, list["totals"][total].as_u64().unwrap(), "{key}");
    }
    for tool in list["tools"].as_array().unwrap() {
        assert_has(tool, TOOL);
        assert_has(&tool["candidates"], &["override", "operationId", "slug"]);
        assert_has(&tool["truncated"], &["name", "description"]);
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["trail"][0]["stage"], "source");
        for step in tool["trail"].as_array().unwrap() {
            assert_has(step, &["stage", "rule", "before", "after", "origin"]);
            assert_has(&step["origin"], ORIGIN);
        }
        for row in tool["binding"].as_array().unwrap() {
            let row_keys =
                ["argument", "in", "wire_name", "style", "explode", "allow_reserved", "media_type", "required"];
            assert_has(row, &row_keys);
        }
        for loss in tool["losses"].as_array().unwrap() {
            assert_has(loss, &["what", "pointer", "why", "origin"]);
        }
        assert_eq!(tool["hidden"], Value::Null);
    }
    for finding in list["findings"].as_array().unwrap() {
        assert_has(finding, FINDING);
    }
    let metrics = list["hidden"].as_array().unwrap().iter().find(|tool| tool["path"] == "/admin/metrics").unwrap();
    assert_eq!(metrics["hidden"]["by"], "x-mcp-enabled");
    assert_eq!(metrics["hidden"]["origin"]["kind"], "overlay");
    let head = list["hidden"].as_array().unwrap().iter().find(|tool| tool["method"] == "HEAD").unwrap();
    assert_eq!(head["hidden"]["by"], "method");
    let conflict = &list["conflicts"][0];
    assert_has(conflict, &["name", "kind", "made_by", "policy", "tools"]);
    assert_eq!((&conflict["name"], &conflict["kind"]), (&"shop__listPets".into(), &"name".into()));
    assert_eq!(conflict["tools"].as_array().unwrap().len(), 2);
    assert_has(&conflict["tools"][0], &["upstream", "method", "path"]);
    let renamed = list["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "shop__find_pets").unwrap();
    assert_eq!(
        (&renamed["source"], &renamed["candidates"]["operationId"]),
        (&"override".into(), &"shop__searchPets".into())
    );
    let touched = serde_json::json!([{"overlay": "demo:petstore.overlay.yaml", "action": 0}]);
    assert_eq!(renamed["touched_by"], touched);
    assert_eq!(renamed["trail"][0]["origin"]["line"], 9, "the line of the action");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let args = ["list", "--demo", "--format", "json"];
    assert_eq!(run(&args).stdout, run(&args).stdout);
}

#[test]
fn explain_finds_a_tool_by_name_id_and_operation() {
    for tool in ["shop__getPet", "getPet", "GET /pets/{petId}", "get /pets/{petId}"] {
        let explained = json(&["explain", tool, "--demo", "--format", "json"]);
        assert_has(&explained, TOOL);
        assert_eq!(explained["name"], "shop__getPet", "{tool}");
        assert_eq!(explained["profiles"]["default"], "shop__getPet");
        assert!(explained["profiles"].as_object().unwrap().len() >= 5);
        assert_eq!(explained["targets"]["claude-code"], "ok");
    }
    let output = run(&["explain", "shop__getPett", "--demo"]);
    assert!(text(&output.stderr).contains("Did you mean `shop__getPet`"), "{}", text(&output.stderr));
    let output = run(&["explain", "GET", "/pets/{petId}", "--demo"]);
    let told = text(&output.stdout);
    for part in
        ["shop__getPet", "demo:petstore.yaml:", "lost: default prefers the operationId", "path `petId`", "conduit"]
    {
        assert!(told.contains(part), "{part} is missing in\n{told}");
    }
}

#[test]
fn check_groups_by_severity_and_fails_as_asked() {
    // Short descriptions, so that there are remarks as well.
    let told = text(&run(&["check", "--demo", "--set", "naming.description_max_length=20"]).stdout).to_owned();
    let at = |word: &str| told.find(word).unwrap_or_else(|| panic!("{word} is missing in\n{told}"));
    assert!(at("Errors (") < at("Warnings (") && at("Warnings (") < at("Remarks ("));
    assert!(told.contains("demo:petstore.overlay.yaml:23: "), "{told}");
    let check = json(&["check", "--demo", "--format", "json"]);
    assert_eq!(keys(&check), ["findings", "totals"]);

    let folder = tempfile::tempdir().unwrap();
    let spec = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: a\n      summary: A\n      responses: {'200': {description: ok}}\n";
    std::fs::write(folder.path().join("a.yaml"), spec).unwrap();
    let overlay = "overlay: 1.0.0\ninfo: {title: O, version: '1'}\nactions: [{target: $.nothing, update: {x: 1}}]\n";
    std::fs::write(folder.path().join("o.yaml"), overlay).unwrap();
    for (fail_on, overlays, expected) in [("error", true, 0), ("warning", true, 6), ("warning", false, 0)] {
        let mut command = program(folder.path());
        command.args(["check", "a.yaml", "--fail-on", fail_on]);
        if overlays {
            command.args(["--overlay", "o.yaml"]);
        }
        let output = command.output().unwrap();
        assert_eq!(code(&output), expected, "{fail_on}: {}", text(&output.stdout));
    }
}

#[test]
fn a_name_that_several_claim_is_one_entry_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, title: &str, ids: &[&str]| {
        let operation = |(at, id): (usize, &&str)| {
            format!("  /{title}{at}:\n    get: {{operationId: {id}, summary: '{title} {at}', responses: {{}}}}\n")
        };
        let paths: String = ids.iter().enumerate().map(operation).collect();
        let text = format!("openapi: 3.1.0\ninfo: {{title: {title}, version: '1'}}\npaths:\n{paths}");
        std::fs::write(folder.path().join(file), text).unwrap();
    };
    write("a.yaml", "a", &["one", "one", "two", "three", "three"]);
    write("b.yaml", "b", &["one"]);
    let check = |args: &[&str]| {
        let output = program(folder.path()).args(["check", "a.yaml", "b.yaml"]).args(args).output().unwrap();
        text(&output.stdout).to_owned()
    };
    let told = check(&[]);
    let entries = "\
  `one` is claimed by 3 operations: they have the same source  [name-conflict]
      a.yaml:5: GET /a0 of `a`
      a.yaml:7: GET /a1 of `a`
      b.yaml:5: GET /b0 of `b`
      → give all but one of them another name with `x-mcp-tool-name` in an overlay
  `three` is claimed by 2 operations: they have the same source  [name-conflict]
      a.yaml:11: GET /a3
      a.yaml:13: GET /a4
      → give all but one of them another name with `x-mcp-tool-name` in an overlay
";
    assert!(told.contains("Errors (7)") && told.contains(entries), "{told}");
    let json: Value = serde_json::from_str(&check(&["--format", "json"])).unwrap();
    let codes = json["findings"].as_array().unwrap().iter().filter(|finding| finding["code"] == "name-conflict");
    assert_eq!(codes.count(), 5);
}

#[test]
fn a_failure_is_one_line_of_json_when_json_is_asked_for() {
    let cases: [(&[&str], &str); 4] = [
        (&["list", "gone.yaml", "--format", "json"], "usage"),
        (&["list", "http://127.0.0.1:9/x", "--format=json"], "unreachable"),
        (&["list", "--bogus", "--format", "json"], "usage"),
        (&["explain", "nope", "--demo", "--format", "json"], "usage"),
    ];
    for (args, expected) in cases {
        let output = run(args);
        let told = text(&output.stderr);
        assert_eq!(told.lines().count(), 1, "{told}");
        let error: Value = serde_json::from_str(told).unwrap();
        assert_eq!(error["error"]["code"], expected);
        assert_has(&error["error"], &["code", "message", "file", "line"]);
        assert!(output.stdout.is_empty());
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.json"), "{\n  \"openapi\": oops\n}\n").unwrap();
    let output = program(folder.path()).args(["list", "a.json", "--format", "json"]).output().unwrap();
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&error["error"]["file"], &error["error"]["code"]), (&"a.json".into(), &"input".into()), "{error}");
    assert!(error["error"]["line"].as_u64().is_some(), "{error}");
    assert_eq!(code(&output), 2);
}

#[test]
fn overlay_check_in_the_words_of_the_contract() {
    let check = json(&["overlay", "check", "--demo", "--format", "json"]);
    let overlay = &check["overlays"][0];
    assert_has(overlay, &["file", "version", "actions"]);
    let actions = overlay["actions"].as_array().unwrap();
    for (index, action) in actions.iter().enumerate() {
        assert_has(
            action,
            &["index", "line", "target", "kind", "matches", "pointers", "changed", "overridden_by", "findings"],
        );
        assert_eq!(action["index"], index);
    }
    let unmatched: Vec<_> = actions.iter().filter(|action| action["matches"] == 0).collect();
    assert_eq!(unmatched.len(), 1);
    assert_eq!((&unmatched[0]["line"], &unmatched[0]["kind"]), (&23.into(), &"update".into()));
    assert_eq!(unmatched[0]["findings"][0]["severity"], "warning");
    assert_eq!(actions[0]["pointers"], serde_json::json!(["/paths/~1pets~1search/post"]));
    let strict = json(&["overlay", "check", "--demo", "--strict", "--format", "json"]);
    assert_eq!(strict["overlays"][0]["actions"][2]["findings"][0]["severity"], "error");
}

#[test]
fn overlay_apply_keeps_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let overlay = r#"{"overlay": "1.0.0", "info": {"title": "O", "version": "1"}, "actions": [{"target": "$.info", "update": {"title": "New"}}]}"#;
    std::fs::write(folder.path().join("o.json"), overlay).unwrap();
    let cases = [
        (
            "a.json",
            "{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"Old\", \"version\": \"1\"}, \"paths\": {}}",
            "{\n",
        ),
        ("a.yaml", "openapi: 3.1.0\ninfo:\n  title: Old\n  version: '1'\npaths: {}\n", "openapi: "),
    ];
    for (name, spec, start) in cases {
        std::fs::write(folder.path().join(name), spec).unwrap();
        let output = program(folder.path()).args(["overlay", "apply", name, "--overlay", "o.json"]).output().unwrap();
        let told = text(&output.stdout);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(told.starts_with(start) && told.contains("New") && !told.contains("Old"), "{told}");
        let file = program(folder.path())
            .args(["overlay", "apply", name, "--overlay", "o.json", "-o", "out"])
            .output()
            .unwrap();
        assert!(file.stdout.is_empty());
        assert_eq!(std::fs::read_to_string(folder.path().join("out")).unwrap(), told);
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "nothing half-made is left: {names:?}");
}

#[test]
fn standard_input_and_workspace_file() {
    let folder = tempfile::tempdir().unwrap();
    let spec =
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {operationId: readA, responses: {}}}}\n";
    let mut child = program(folder.path())
        .args(["list", "-", "--prefix", "p", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(spec.as_bytes()).unwrap();
    let list: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!((&list["tools"][0]["name"], &list["tools"][0]["upstream"]), (&"p__readA".into(), &"stdin".into()));

    std::fs::write(folder.path().join("a.yaml"), spec).unwrap();
    let config =
        "naming: {separator: '-'}\nupstreams:\n- {name: x, tool_prefix: q, openapi: {source: a.yaml}}\ntelemetry: {}\n";
    std::fs::write(folder.path().join("toolscope.yaml"), config).unwrap();
    let output = program(folder.path()).args(["list", "--format", "json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list["tools"][0]["name"], "q-readA");
    let unused = &list["findings"][0];
    assert_eq!(
        (&unused["code"], &unused["origin"]["file"], &unused["origin"]["line"]),
        (&"config-not-used".into(), &"toolscope.yaml".into(), &4.into())
    );
}

#[test]
fn markdown_and_colours() {
    let told = run(&["list", "--demo", "--format", "markdown"]);
    let told = text(&told.stdout);
    assert!(told.starts_with("| tool | operation | description |\n| --- | --- | --- |\n"));
    assert!(told.contains("| `shop__getPet` | GET `/pets/{petId}` | Get one pet |"), "{told}");
    let coloured = |args: &[&str]| run(args).stdout.contains(&0x1b);
    assert!(!coloured(&["list", "--demo"]));
    assert!(!coloured(&["list", "--demo", "--color", "never"]));
    assert!(coloured(&["list", "--demo", "--color", "always"]));
}

#[test]
fn foreign_control_characters_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let spec = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a\u001b[2J": {"get": {"operationId": "a", "summary": "x\u001b]0;title\u0007", "responses": {}}}}}"#;
    std::fs::write(folder.path().join("a.json"), spec).unwrap();
    for args in [
        &["list", "a.json"][..],
        &["explain", "a", "a.json"],
        &["check", "a.json"],
        &["list", "a.json", "--format", "markdown"],
    ] {
        let output = program(folder.path()).args(args).output().unwrap();
        assert!(![output.stdout, output.stderr].concat().contains(&0x1b), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<String> =
        (0..3000).map(|n| format!("/p{n}: {{get: {{operationId: op{n}, responses: {{}}}}}}")).collect();
    let spec = format!("openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths: {{{}}}\n", paths.join(", "));
    std::fs::write(folder.path().join("a.yaml"), spec).unwrap();
    let mut child = program(folder.path())
        .args(["list", "a.yaml", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), text(&output.stderr)), (0, ""));
}

#[test]
fn profiles_for_people_and_programs() {
    let profiles = json(&["profiles", "--format", "json"]);
    let first = &profiles["profiles"][0];
    assert_eq!(first["name"], "default");
    assert_has(&first["parameters"][0], &["key", "value", "from"]);
    assert!(text(&run(&["profiles"]).stdout).contains("mcp-anything"));
}

const LOST: &str = "overlay: 1.1.0\ninfo: {title: O, version: '1'}\nactions:\n# Mended by the program.\n- target: $.paths['/animal'].get\n  update: {x-mcp-safe: true}\n";
const ZOO: &str = "openapi: 3.1.0\ninfo: {title: Zoo, version: '1'}\npaths:\n  /animals:\n    get: {operationId: listAnimals, x-gram: {name: list_animals}}\n";

#[test]
fn overlay_check_mends_and_converts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("zoo.yaml"), ZOO).unwrap();
    std::fs::write(folder.path().join("o.yaml"), LOST).unwrap();
    let run = |more: &[&str]| {
        let output = program(folder.path())
            .args(["overlay", "check", "zoo.yaml", "--overlay", "o.yaml"])
            .args(more)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let now = || std::fs::read_to_string(folder.path().join("o.yaml")).unwrap();
    let (code, patch, _) = run(&["--retarget", "--convert", "--dry-run"]);
    assert_eq!((code, now().as_str()), (Some(0), LOST), "nothing is written");
    assert!(patch.contains("-- target: $.paths['/animal'].get\n+- target: $.paths['/animals'].get\n"), "{patch}");
    assert!(patch.contains("+    x-mcp-tool-name: list_animals\n"), "{patch}");
    let (code, out, told) = run(&["--retarget"]);
    assert_eq!((code, out.as_str(), now()), (Some(0), "", LOST.replace("/animal'", "/animals'")));
    assert!(told.contains("o.yaml: action 1: $.paths['/animal'].get becomes $.paths['/animals'].get"), "{told}");
    run(&["--convert"]);
    assert!(
        now().ends_with("- target: $.paths['/animals'].get\n  update:\n    x-mcp-tool-name: list_animals\n"),
        "{}",
        now()
    );
    let (code, _, told) = run(&["--retarget", "--convert"]);
    assert_eq!((code, told.contains("there is nothing that can be mended by itself")), (Some(0), true), "{told}");
    assert_eq!(run(&["--dry-run"]).0, Some(2));
}

/// What the program says of every overlay that the specification's own tests call invalid.
#[test]
fn every_invalid_overlay_is_refused_with_line_and_remedy() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/conformance/overlay/schema-tests/v1.1/fail");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    let spec = tempfile::tempdir().unwrap();
    std::fs::write(spec.path().join("zoo.yaml"), ZOO.replace(", x-gram: {name: list_animals}", "")).unwrap();
    let mut told = String::new();
    for file in &files {
        let name = file.to_string_lossy();
        std::fs::copy(folder.join(file), spec.path().join(file)).unwrap();
        let output = program(spec.path()).args(["overlay", "check", "zoo.yaml", "--overlay", &name]).output().unwrap();
        let code = output.status.code();
        assert!(matches!(code, Some(2 | 6)), "{name}: {code:?}");
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        told.push_str(&format!("── {name}\n{said}\n"));
    }
    assert_eq!(files.len(), 22);
    insta::assert_snapshot!("invalid_overlays_by_the_program", told);
}
