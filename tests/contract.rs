//! What scripts hold on to, through the real program: the JSON of every command against its schema in
//! `fixtures/contract`, every exit code, every output format.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::program::program;

const SPEC: &str = "openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: 'http://127.0.0.1:9'}]
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
paths:
  /a:
    get:
      operationId: readA
      summary: Read A
      parameters:
        - {name: q, in: query, schema: {type: string, enum: [x, y]}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {b: {type: string}}}}}}}
    put:
      operationId: writeA
      summary: Write A
      requestBody: {content: {application/octet-stream: {schema: {type: string, format: binary}}}}
      responses: {'204': {description: done}}
  /b:
    get: {operationId: readB, summary: Read B, x-mcp-enabled: false, responses: {'200': {description: ok}}}
";

/// The same with a renamed tool, a new argument that is required, and a tool less.
fn next_spec() -> String {
    SPEC.replace("operationId: readA", "operationId: getA")
        .replace(
            "enum: [x, y]}}",
            "enum: [x]}}\n        - {name: r, in: query, required: true, schema: {type: integer}}",
        )
        .replace(
            "    put:\n      operationId: writeA\n      summary: Write A\n",
            "    patch:\n      summary: Change A\n",
        )
}

const OVERLAY: &str = r#"overlay: 1.0.0
info: {title: Names, version: '1'}
actions:
  - {target: "$.paths['/a'].get", update: {x-mcp-tool-name: look}}
  - {target: "$.paths['/gone'].get", update: {summary: x}}
"#;

/// A folder with everything that the tables name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.yaml", SPEC);
    write("next.yaml", &next_spec());
    write("o.yaml", OVERLAY);
    write("bad.yaml", "openapi: 3.1.0\npaths: [\n");
    write(
        "w.yaml",
        "upstreams:\n- {name: shop, openapi: {source: a.yaml}, outbound_auth: {strategy: bearer, bearer: {token_env: TOOLSCOPE_TEST_UNSET}}}\n",
    );
    for args in [
        &["lock", "a.yaml", "-o", "a.lock.json", "--target", "cursor:shop"][..],
        &["lock", "a.yaml", "-o", "full.lock.json", "--full"],
        &["check", "a.yaml", "--overlay", "o.yaml", "--write-baseline", "known.json"],
    ] {
        let output = run(folder.path(), args);
        assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    }
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder).args(args).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn schema(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/contract/{name}.schema.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn problems(name: &str, value: &Value) -> Vec<String> {
    let validator = jsonschema::draft202012::options().offline().build(&schema(name)).unwrap();
    validator.iter_errors(value).map(|error| format!("{}: {error:.200}", error.instance_path())).collect()
}

/// Arguments, schema, exit code. A command that takes `--format json` has to be here.
const JSON: &[(&[&str], &str, i32)] = &[
    (&["list", "--demo", "--format", "json"], "list", 0),
    (&["list", "a.yaml", "--overlay", "o.yaml", "--format", "json"], "list", 0),
    (&["list", "--demo", "--format", "mcp"], "mcp", 0),
    (&["list", "a.yaml", "--format", "mcp"], "mcp", 0),
    (&["explain", "getPet", "--demo", "--format", "json"], "explain", 0),
    (&["explain", "GET /admin/metrics", "--demo", "--format", "json"], "explain", 0),
    (&["check", "--demo", "--format", "json", "--target", "cursor:shop", "--target", "gemini-api"], "check", 6),
    (&["check", "next.yaml", "--lock", "a.lock.json", "--format", "json"], "check", 6),
    (&["check", "a.yaml", "--baseline", "known.json", "--format", "json"], "check", 0),
    (&["overlay", "check", "--demo", "--format", "json"], "overlay-check", 0),
    (&["overlay", "diff", "--demo", "--tools", "--format", "json"], "overlay-diff-tools", 0),
    (&["overlay", "diff", "--demo", "--format", "json"], "overlay-diff", 0),
    (&["call", "shop__getPet", "--demo", "--arg", "petId=7", "--format", "json"], "call", 0),
    (&["call", "shop__getPet", "--demo", "--arg", "petId=x", "--format", "json"], "call", 5),
    (&["call", "readA", "a.yaml", "--format", "json"], "call", 4),
    (&["call", "readA", "a.yaml", "--dry-run", "--format", "json"], "call-dry-run", 0),
    (&["call", "writeA", "a.yaml", "--arg", "body=AAEC", "--dry-run", "--format", "json"], "call-dry-run", 0),
    (&["profiles", "--format", "json"], "profiles", 0),
    (&["profiles", "conduit", "--format", "json"], "profiles", 0),
    (&["targets", "--format", "json"], "targets", 0),
    (&["lock", "--demo", "-o", "-", "--target", "cursor:shop"], "lock", 0),
    (&["lock", "a.yaml", "-o", "-", "--full"], "lock", 0),
    (&["diff", "a.yaml", "next.yaml", "--format", "json"], "diff", 6),
    (&["diff", "a.lock.json", "next.yaml", "--format", "json"], "diff", 6),
    (&["diff", "full.lock.json", "a.yaml", "--format", "json"], "diff", 0),
    (&["diff", "--rules", "--format", "json"], "diff-rules", 0),
    (&["smoke", "--demo", "--format", "json"], "smoke", 0),
    (&["smoke", "a.yaml", "--format", "json"], "smoke", 4),
    (&["doctor", "--demo", "--format", "json"], "doctor", 0),
    (&["doctor", "a.yaml", "--format", "json"], "doctor", 4),
];

#[test]
fn the_json_of_every_command_fits_its_schema() {
    let folder = folder();
    for (args, name, expected) in JSON {
        let output = run(folder.path(), args);
        assert_eq!(code(&output), *expected, "{args:?}: {}{}", out(&output), err(&output));
        let value: Value = serde_json::from_str(out(&output)).unwrap_or_else(|error| panic!("{args:?}: {error}"));
        assert_eq!(problems(name, &value), Vec::<String>::new(), "{args:?}");
    }
    let baseline: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("known.json")).unwrap()).unwrap();
    assert_eq!(problems("baseline", &baseline), Vec::<String>::new());
    assert_eq!(baseline["findings"].as_array().unwrap().len(), 1, "{baseline}");
}

/// A schema that takes anything proves nothing.
#[test]
fn the_schemas_refuse_what_is_misspelt_or_missing() {
    let folder = folder();
    for (args, name, _) in JSON {
        let schema = schema(name);
        assert!(jsonschema::draft202012::meta::validate(&schema).is_ok(), "{name}");
        let value: Value = serde_json::from_str(out(&run(folder.path(), args))).unwrap();
        let mut more = value.clone();
        more["mispelt"] = true.into();
        assert_ne!(problems(name, &more), Vec::<String>::new(), "{name} takes any key");
        for key in schema["required"].as_array().unwrap() {
            let mut less = value.clone();
            less.as_object_mut().unwrap().remove(key.as_str().unwrap());
            assert_ne!(problems(name, &less), Vec::<String>::new(), "{name} does without {key}");
        }
    }
    let list: Value = serde_json::from_str(out(&run(folder.path(), JSON[0].0))).unwrap();
    let spoilt: [(&str, Value); 6] = [
        ("/tools/0/source", "guess".into()),
        ("/tools/0/method", "get".into()),
        ("/tools/0/origin/line", 0.into()),
        ("/tools/0/binding/0/in", "path ".into()),
        ("/findings/0/severity", "fatal".into()),
        ("/conflicts/0/tools", Value::Array(Vec::new())),
    ];
    for (pointer, wrong) in spoilt {
        let mut changed = list.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = wrong;
        assert_eq!(problems("list", &changed).len(), 1, "{pointer}");
    }
}

/// Every command that offers a format, with the formats that its help names.
fn formats() -> Vec<(Vec<String>, Vec<String>)> {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    let mut open = vec![Vec::<String>::new()];
    while let Some(command) = open.pop() {
        let args: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let output = run(folder.path(), &args);
        let help = out(&output).to_owned();
        let below = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
        for line in below.lines() {
            let name = line.split_whitespace().next().unwrap_or_default();
            // A description that goes on stands further right.
            if line.starts_with("  ") && !line.starts_with("   ") && name != "help" {
                open.push(command.iter().cloned().chain([name.to_owned()]).collect());
            }
        }
        let option = help.split("--format <").nth(1).unwrap_or_default();
        let option = option.split("\n      --").next().unwrap_or_default();
        let values: Vec<String> = match option.split("Possible values:").nth(1) {
            Some(list) => list
                .lines()
                .filter_map(|line| line.trim().strip_prefix("- "))
                .map(|line| line.split(':').next().unwrap().to_owned())
                .collect(),
            None => Vec::new(),
        };
        if !values.is_empty() {
            found.push((command, values));
        }
    }
    found
}

#[test]
fn no_command_with_json_is_left_out_of_the_table() {
    let formats = formats();
    assert!(formats.len() >= 10, "the help is read wrongly: {formats:?}");
    for (command, values) in formats.iter().filter(|(_, values)| values.contains(&"json".to_owned())) {
        let is_it = |args: &&[&str]| args.iter().take(command.len()).eq(command.iter());
        assert!(JSON.iter().any(|(args, ..)| is_it(args)), "{command:?} has {values:?} and is in no row");
    }
}

/// Every format of every command: how the output starts, and something that is in it.
const FORMATS: &[(&[&str], &str, &str)] = &[
    (&["list", "a.yaml"], "o", "readA"),
    (&["list", "a.yaml", "--format", "human"], "o", "hidden: "),
    (
        &["list", "a.yaml", "--format", "markdown"],
        "| tool | operation | description |\n| --- | --- | --- |\n",
        "| `readA` | GET `/a` | Read A |",
    ),
    (&["list", "a.yaml", "--format", "mcp"], "{\n  \"tools\": [", "\"readOnlyHint\": true"),
    (&["list", "a.yaml", "--format", "json"], "{\"tools\":[", "\"operation_id\":\"readA\""),
    (&["explain", "readA", "a.yaml", "--format", "human"], "readA", "GET /a"),
    (&["explain", "readA", "a.yaml", "--format", "json"], "{\"name\":\"readA\"", "\"request_jq\""),
    (&["check", "a.yaml", "--overlay", "o.yaml", "--format", "human"], "Warnings (", "o.yaml:5"),
    (&["check", "a.yaml", "--overlay", "o.yaml", "--format", "json"], "{\"findings\":[", "\"overlay-no-match\""),
    (&["check", "a.yaml", "--overlay", "o.yaml", "--format", "sarif"], "{\n", "\"partialFingerprints\""),
    (&["check", "a.yaml", "--overlay", "o.yaml", "--format", "github"], "::", "::warning file=o.yaml,line=5"),
    (
        &["check", "a.yaml", "--overlay", "o.yaml", "--format", "junit"],
        "<?xml version=\"1.0\"",
        "classname=\"overlay-no-match\"",
    ),
    (&["overlay", "check", "--demo", "--format", "human"], "demo:petstore.overlay.yaml", "matches nothing"),
    (&["overlay", "check", "--demo", "--format", "json"], "{\"overlays\":[", "\"proposals\""),
    (
        &["overlay", "diff", "--demo", "--format", "human"],
        "--- demo:petstore.yaml before",
        "+      x-mcp-tool-name: find_pets",
    ),
    (&["overlay", "diff", "--demo", "--format", "json"], "{\"documents\":[", "x-mcp-tool-name: find_pets"),
    (&["call", "shop__getPet", "--demo", "--arg", "petId=7", "--format", "human"], "{\n", "\"species\""),
    (&["call", "shop__getPet", "--demo", "--arg", "petId=7", "--format", "json"], "{\n  \"content\"", "\"exchange\""),
    (&["profiles", "--format", "human"], "default", "conduit"),
    (&["profiles", "--format", "json"], "{\"profiles\":[", "\"conduit\""),
    (&["targets", "--format", "human"], "TARGET", "cursor"),
    (&["targets", "--format", "json"], "{\"targets\":[", "\"cursor\""),
    (&["diff", "a.yaml", "next.yaml", "--format", "human"], "Breaking (", "readA -> getA  (GET /a)"),
    (&["diff", "a.yaml", "next.yaml", "--format", "json"], "{\"old\":{\"kind\":\"document\"", "\"rule\":\"renamed\""),
    (&["diff", "a.yaml", "next.yaml", "--format", "markdown"], "### Tools: ", "| `readA` | `getA` | `GET /a` |"),
    (&["smoke", "--demo", "--format", "human"], "generated", "pass"),
    (&["smoke", "--demo", "--format", "json"], "{\"cases\":[", "\"verdict\":\"pass\""),
    (&["smoke", "--demo", "--format", "junit"], "<?xml version=\"1.0\"", "<testsuite name=\"generated\""),
    (&["doctor", "--demo", "--format", "human"], "petstore", "call"),
    (&["doctor", "--demo", "--format", "json"], "{\n  \"ok\": true", "\"call\""),
];

#[test]
fn every_format_of_every_command() {
    let folder = folder();
    for (args, start, part) in FORMATS {
        let output = run(folder.path(), args);
        let told = out(&output);
        assert!(told.starts_with(start), "{args:?} starts with {:?}", told.chars().take(60).collect::<String>());
        assert!(told.contains(part), "{args:?} lacks {part}:\n{told}");
    }
    for (command, values) in formats() {
        for value in values {
            let is_it = |args: &&[&str]| {
                args.iter().take(command.len()).eq(command.iter()) && args.ends_with(&["--format", &value])
            };
            assert!(FORMATS.iter().any(|(args, ..)| is_it(args)), "{command:?} --format {value} is in no row");
        }
    }
}

#[test]
fn every_exit_code_with_its_reason() {
    let folder = folder();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["list", "a.yaml"], 0, ""),
        (&["diff", "a.yaml", "a.yaml"], 0, ""),
        (&["diff", "a.yaml", "next.yaml", "--fail-on", "none"], 0, ""),
        (&["check", "--demo", "--fail-on", "never"], 0, ""),
        (&["check", "a.yaml", "--lock", "a.lock.json"], 0, ""),
        (&["completions", "bash"], 0, ""),
        (&["list", "gone.yaml"], 2, "there is no file `gone.yaml`"),
        (&["list", "bad.yaml"], 2, "bad.yaml"),
        (&["diff"], 2, "OLD"),
        (&["diff", "gone.json", "a.yaml"], 2, "there is no file `gone.json`"),
        (&["check", "a.yaml", "--lock", "known.json"], 2, "no lock file"),
        (&["check", "a.yaml", "--baseline", "a.lock.json"], 2, "no baseline"),
        (&["init", "a.yaml", "-o", "o.yaml"], 2, "is not overwritten"),
        (&["doctor", "nobody", "--config", "w.yaml"], 2, "`nobody`"),
        (&["doctor", "b.yaml"], 2, "there is no file `b.yaml`"),
        (&["call", "readA", "--config", "w.yaml"], 3, "TOOLSCOPE_TEST_UNSET"),
        (&["doctor", "--config", "w.yaml"], 3, "fails at `secrets`"),
        (&["list", "http://127.0.0.1:9/a.yaml"], 4, "127.0.0.1:9"),
        (&["call", "readA", "a.yaml"], 4, ""),
        (&["smoke", "a.yaml"], 4, "readA"),
        (&["doctor", "a.yaml"], 4, "fails at `connect`"),
        (&["call", "shop__getPet", "--demo", "--arg", "petId=x"], 5, ""),
        (&["check", "--demo"], 6, "error"),
        (&["check", "next.yaml", "--lock", "a.lock.json"], 6, "error"),
        (&["diff", "a.yaml", "next.yaml"], 6, ""),
        (&["diff", "a.lock.json", "next.yaml", "--fail-on", "any"], 6, ""),
        (&["overlay", "check", "--demo", "--strict"], 6, ""),
    ];
    for (args, expected, said) in cases {
        let output = run(folder.path(), args);
        assert_eq!(code(&output), *expected, "{args:?}: {}{}", out(&output), err(&output));
        let told = format!("{}{}", out(&output), err(&output));
        assert!(told.contains(said), "{args:?} does not say {said}: {told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_code_1() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let folder = folder();
    let output = program(folder.path()).args(["list", "a.yaml", "--format", "json"]).stdout(full).output().unwrap();
    assert_eq!(code(&output), 1, "{}", err(&output));
    let error: Value = serde_json::from_str(err(&output)).unwrap();
    assert_eq!(error["error"]["code"], "internal");
    assert_eq!(problems("error", &error), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_call_that_is_interrupted_is_code_130() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", silent.local_addr().unwrap());
    let folder = folder();
    for args in [&["call", "readA", "a.yaml", "--timeout", "300s"][..], &["doctor", "a.yaml", "--timeout", "300s"]] {
        let mut child = program(folder.path())
            .args(args)
            .args(["--base-url", &base])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It is under way as soon as it has asked something.
        loop {
            let (mut connection, _) = silent.accept().unwrap();
            if connection.read(&mut [0; 1]).is_ok_and(|got| got > 0) {
                std::mem::forget(connection);
                break;
            }
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let ended = child.wait().unwrap();
        let mut said = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(ended.code(), Some(130), "{args:?}: {said}");
    }
}

#[test]
fn a_failure_with_json_is_one_line_that_fits_its_schema() {
    let folder = folder();
    let cases: &[(&[&str], &str)] = &[
        (&["list", "gone.yaml"], "usage"),
        (&["list", "bad.yaml"], "input"),
        (&["list", "http://127.0.0.1:9/a.yaml"], "unreachable"),
        (&["explain", "nothing", "a.yaml"], "usage"),
        (&["check", "gone.yaml"], "usage"),
        (&["check", "a.yaml", "--lock", "gone.json"], "usage"),
        (&["check", "a.yaml", "--baseline", "o.yaml"], "usage"),
        (&["overlay", "check", "gone.yaml"], "usage"),
        (&["overlay", "diff", "a.yaml"], "usage"),
        (&["call", "nothing", "a.yaml"], "usage"),
        (&["call", "readA", "a.yaml", "--dry-run", "--arg", "q=z"], "usage"),
        (&["profiles", "nothing"], "usage"),
        (&["targets", "nothing"], "usage"),
        (&["diff", "gone.yaml", "a.yaml"], "usage"),
        (&["diff", "a.yaml", "bad.yaml"], "input"),
        (&["diff", "--nonsense"], "usage"),
        (&["doctor", "nobody", "--config", "w.yaml"], "usage"),
        (&["smoke", "gone.yaml"], "usage"),
    ];
    for (args, expected) in cases {
        let output = program(folder.path()).args(*args).args(["--format", "json"]).output().unwrap();
        let said = err(&output);
        assert_eq!((said.lines().count(), out(&output)), (1, ""), "{args:?}: {said}");
        let error: Value = serde_json::from_str(said).unwrap_or_else(|error| panic!("{args:?}: {error}: {said}"));
        assert_eq!(error["error"]["code"], *expected, "{args:?}: {said}");
        assert_eq!(problems("error", &error), Vec::<String>::new(), "{args:?}");
    }
}
