//! `smoke` as scripts see it: verdicts, formats, exit codes, against a mock that answers for another version of the API.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::mocked::{self, Mock};
use support::xml;

const PROGRAM: &str = env!("CARGO_BIN_EXE_toolscope");
const SECRET: &str = "t0p-s3cret-owner";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn mock(args: &[&str]) -> Mock {
    mocked::mock(fixture("smoke/staging.yaml"), args)
}

/// A folder with a workspace, and a home of its own for what is remembered.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// `url` is where staging and production are; `gone` is where nobody listens.
    fn new(url: &str, suites: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for file in ["shop.yaml", "pets.suite.yaml"] {
            fs::copy(fixture("smoke").join(file), folder.path().join(file)).unwrap();
        }
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let workspace = format!(
            "upstreams:\n- name: shop\n  openapi: {{source: shop.yaml}}\n  overlays: [fixes.overlay.yaml]\n\
             environments:\n\
             - {{name: staging, base_url: '{url}', allow_writes: true}}\n\
             - {{name: careful, base_url: '{url}'}}\n\
             - {{name: live, base_url: '{url}', production: true}}\n\
             - {{name: gone, base_url: 'http://{free}', allow_writes: true}}\n\
             - name: closed\n  base_url: '{url}'\n  allow_writes: true\n  outbound_auth: {{strategy: bearer, bearer: {{token_env: SMOKE_UNSET}}}}\n\
             suites: {suites}\n"
        );
        fs::write(folder.path().join("toolscope.yaml"), workspace).unwrap();
        let place = Self { folder };
        place.write(
            "fixes.overlay.yaml",
            "overlay: 1.0.0\ninfo: {title: F, version: '1'}\nactions: [{target: $.info, update: {x-f: 1}}]\n",
        );
        place
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.folder.path()).arg("smoke").args(args).stdin(Stdio::null());
        command.env("XDG_CONFIG_HOME", self.folder.path().join("none")).env_remove("NO_COLOR");
        command.env("XDG_STATE_HOME", self.folder.path().join("state"));
        command.env("SMOKE_OWNER", SECRET).env_remove("SMOKE_UNSET");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        let output = self.command(args).output().unwrap();
        for stream in [out(&output), err(&output)] {
            assert!(!stream.contains(SECRET), "a secret is shown: {stream}");
        }
        output
    }

    fn json(&self, args: &[&str]) -> (i32, Value) {
        let output = self.run(&[args, &["--format", "json"]].concat());
        let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", err(&output)));
        fits_its_schema(&report);
        (code(&output), report)
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn fits_its_schema(report: &Value) {
    let schema = fs::read_to_string(fixture("contract/smoke.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let problems: Vec<String> =
        validator.iter_errors(report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(problems, Vec::<String>::new());
}

fn fits_junit(text: &str) -> xml::Element {
    let schema = xml::parse(&fs::read_to_string(fixture("contract/junit.xsd")).unwrap());
    let document = xml::parse(text);
    assert_eq!(xml::problems(&schema, &document), Vec::<String>::new(), "{text}");
    document
}

/// `suite/name` with its verdict.
fn verdicts(report: &Value) -> BTreeMap<String, String> {
    let cases = report["cases"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    cases.map(|case| (format!("{}/{}", text(&case["suite"]), text(&case["name"])), text(&case["verdict"]))).collect()
}

fn case<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut cases = report["cases"].as_array().unwrap().iter();
    cases.find(|case| case["name"] == name).unwrap_or_else(|| panic!("no {name} in {report:#}"))
}

/// What comes of the suite and the generated cases on staging.
const EXPECTED: &[(&str, &str)] = &[
    ("generated/getPet", "drift"),
    ("generated/getReport", "skipped"),
    ("generated/listOrders", "fail"),
    ("generated/listPets", "pass"),
    ("pets/a pet is made", "pass"),
    ("pets/a wrong argument is refused", "pass"),
    ("pets/nothing is written by accident", "skipped"),
    ("pets/the pet fits its document", "drift"),
    ("pets/the pet has a name", "fail"),
    ("pets/the pet is gone", "pass"),
    ("pets/the pet is there", "pass"),
    ("pets/there are pets", "pass"),
];

fn expected(verdicts: &[(&str, &str)]) -> BTreeMap<String, String> {
    verdicts.iter().map(|(name, verdict)| ((*name).to_owned(), (*verdict).to_owned())).collect()
}

#[test]
fn every_verdict_of_a_staging_that_differs() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[pets.suite.yaml]");
    let (code, report) = place.json(&["--env", "staging"]);
    assert_eq!(code, 6);
    assert_eq!(verdicts(&report), expected(EXPECTED));
    let totals = &report["totals"];
    let counts = ["cases", "pass", "fail", "drift", "skipped"].map(|key| totals[key].as_u64().unwrap());
    assert_eq!(counts, [12, 6, 2, 2, 2]);
    // The five fields of the contract come first.
    let keys: Vec<&String> = report["cases"][0].as_object().unwrap().keys().take(5).collect();
    assert_eq!(keys, ["name", "tool", "verdict", "why", "elapsed_ms"]);
    let failed = case(&report, "the pet has a name");
    assert_eq!(failed["why"], "`$.name` is null, not \"Rex\"");
    assert_eq!((&failed["environment"], &failed["at"]), (&"staging".into(), &"pets.suite.yaml:28".into()));
    assert!(case(&report, "listOrders")["why"].as_str().unwrap().starts_with("HTTP 404"));
    assert_eq!(
        case(&report, "nothing is written by accident")["why"],
        "POST may change something; the case has to say `write: true`"
    );
    let drift = case(&report, "the pet fits its document");
    assert_eq!((&drift["drift"][0]["pointer"], &drift["drift"][0]["rule"]), (&"/name".into(), &"type".into()));
    let targets: Vec<&str> = drift["fix"].as_array().unwrap().iter().map(|it| it["target"].as_str().unwrap()).collect();
    let name = "$.components.schemas.Pet.properties.name";
    assert_eq!(targets, [&format!("{name}.type"), name]);
}

#[test]
fn the_fix_of_a_drift_mends_it() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[]");
    let (code, report) = place.json(&["--env", "staging", "--only", "tool:getPet"]);
    assert_eq!(code, 6);
    let fix = case(&report, "getPet")["fix"].clone();
    let overlay = serde_json::json!({"overlay": "1.0.0", "info": {"title": "F", "version": "1"}, "actions": fix});
    place.write("fixes.overlay.yaml", &overlay.to_string());
    let (code, report) = place.json(&["--env", "staging", "--only", "tool:getPet"]);
    assert_eq!((code, case(&report, "getPet")["verdict"].as_str()), (0, Some("pass")));
}

#[test]
fn people_see_a_line_for_each_case_and_what_failed_by_name() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[pets.suite.yaml]");
    let output = place.run(&["--env", "staging"]);
    assert_eq!(code(&output), 6);
    let (text, said) = (out(&output), err(&output));
    let (lines, summary) = text.split_once("\nFailed (2)\n").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(lines.lines().filter(|line| line.starts_with("  ")).count(), 12, "{lines}");
    assert!(lines.starts_with("pets\n  pass     setup: a pet is made (createPet)"), "{lines}");
    assert!(
        summary.starts_with("  pets: the pet has a name (getPet)  GET /pets/{petId}, staging, pets.suite.yaml:28\n"),
        "{summary}"
    );
    assert!(summary.contains("Does not fit its document (2)"), "{summary}");
    assert!(
        summary.contains(
            "→ allow null: {\"target\":\"$.components.schemas.Pet.properties.name.type\",\"remove\":true}, {"
        ),
        "{summary}"
    );
    assert!(said.starts_with("2 failed, 2 drifted, 6 passed, 2 skipped in "), "{said}");
    assert!(!text.contains('\u{1b}') && !said.contains('\u{1b}'), "no colours and no bar where there is no terminal");
}

#[test]
fn junit_reports_fit_their_schema() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[pets.suite.yaml]");
    let output = place.run(&["--env", "staging", "--format", "junit"]);
    assert_eq!(code(&output), 6);
    let report = fits_junit(&out(&output));
    assert_eq!(["tests", "failures", "errors"].map(|key| report.attribute(key)), ["12", "4", "0"]);
    let suites: Vec<[&str; 4]> = report
        .all("testsuite")
        .map(|it| ["name", "tests", "failures", "skipped"].map(|key| it.attribute(key)))
        .collect();
    assert_eq!(suites, [["pets", "8", "2", "1"], ["generated", "4", "2", "1"]]);
    let failed =
        report.all("testsuite").flat_map(|it| it.all("testcase")).find(|it| it.attribute("name") == "listOrders");
    let failure = failed.unwrap().all("failure").next().unwrap();
    assert_eq!(failure.attribute("type"), "fail");
    assert!(failure.text.contains("GET /orders: HTTP 404"), "{}", failure.text);
    // Without an answer it is an error, not a failure.
    let output = place.run(&["--env", "gone", "--format", "junit", "generated"]);
    let report = fits_junit(&out(&output));
    assert_eq!(["tests", "failures", "errors"].map(|key| report.attribute(key)), ["4", "0", "3"]);
    // The reports of `check` have the same form.
    let mut check = Command::new(PROGRAM);
    check.current_dir(place.folder.path()).args(["check", "--demo", "--format", "junit"]);
    fits_junit(&out(&check.output().unwrap()));
}

#[test]
fn the_exit_code_says_what_kept_cases_from_passing() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[pets.suite.yaml]");
    let cases: [(&[&str], i32, &str); 13] = [
        (&["--env", "staging"], 6, "--failed runs again what failed"),
        (&["--env", "gone"], 4, "the API gave no answer to what failed"),
        (&["--env", "closed"], 3, "credentials are missing or were refused"),
        (&["--mock", "generated"], 0, "4 passed"),
        (&["--env", "staging", "--only", "name:listpets generated"], 0, "1 passed in"),
        (&["--env", "stagin"], 2, "Did you mean `staging`?"),
        (&["--env", "staging", "--only", "nothing-like-it"], 2, "no case fits `nothing-like-it`"),
        (&["pest"], 2, "Did you mean `pets`?"),
        (&["--env", "staging", "--mock"], 2, "cannot be used with"),
        (&["generated"], 2, "nothing says where the API of `shop` is"),
        (&["--env", "staging", "--jobs", "0"], 2, "0 is not in 1..=256"),
        (&["--no-generated", "--env", "careful"], 0, "8 skipped in"),
        (&["pets", "--env", "staging", "--only", "name:there"], 0, "4 passed"),
    ];
    for (args, expected, words) in cases {
        let output = place.run(args);
        assert_eq!(code(&output), expected, "{args:?}: {}{}", out(&output), err(&output));
        assert!(err(&output).contains(words), "{args:?}: {}", err(&output));
    }
}

#[test]
fn setup_keeps_cases_from_running_and_teardown_runs_all_the_same() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[]");
    place.write(
        "order.suite.yaml",
        "name: order\nsetup:\n- {name: up, tool: listPets, expect: {status: 500}}\n- {name: up more, tool: listPets}\n\
         cases: [{name: in between, tool: listPets}]\n\
         teardown:\n- {name: down, tool: listPets}\n- {name: down more, tool: listPets, expect: {status: 404}}\n- {name: down last, tool: listPets}\n",
    );
    let (code, report) = place.json(&["order.suite.yaml", "--env", "staging"]);
    assert_eq!(code, 6);
    let found: Vec<(&str, &str, &str)> = report["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| {
            let text = |key: &str| case[key].as_str().unwrap_or_default();
            (text("name"), text("verdict"), text("why"))
        })
        .collect();
    let expected = [
        ("up", "fail", "the status is 200"),
        ("up more", "skipped", "it needs `up`, which did not end well"),
        ("in between", "skipped", "it needs `up more`, which did not end well"),
        ("down", "pass", ""),
        ("down more", "fail", "the status is 200"),
        ("down last", "pass", ""),
    ];
    assert_eq!(found, expected);
}

#[test]
fn nothing_is_written_where_it_is_not_allowed() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[]");
    place.write("w.suite.yaml", "cases: [{name: make, tool: createPet, write: true, arguments: {name: Rex}}]\n");
    let cases: [(&[&str], &str, &str); 7] = [
        (&["--env", "staging"], "pass", ""),
        (
            &["--env", "careful"],
            "skipped",
            "the environment `careful` does not allow writes; set `allow_writes: true` there, or pass --allow-writes",
        ),
        (&["--env", "careful", "--allow-writes"], "pass", ""),
        (
            &["--env", "live"],
            "skipped",
            "`live` is production, where nothing is written; --allow-production allows it for this run",
        ),
        (
            &["--env", "live", "--allow-writes"],
            "skipped",
            "`live` is production, where nothing is written; --allow-production allows it for this run",
        ),
        (&["--env", "live", "--allow-production"], "pass", ""),
        (&["--mock"], "pass", ""),
    ];
    for (args, verdict, why) in cases {
        let (code, report) = place.json(&[&["w.suite.yaml"], args].concat());
        let made = case(&report, "make");
        assert_eq!(
            (code, made["verdict"].as_str(), made["why"].as_str().unwrap_or_default()),
            (0, Some(verdict), why),
            "{args:?}"
        );
    }
}

#[test]
fn what_failed_is_run_again_alone() {
    let mock = mock(&[]);
    let place = Place::new(&mock.url, "[pets.suite.yaml]");
    let nothing = place.run(&["--failed", "--env", "staging"]);
    assert_eq!(code(&nothing), 2, "{}", err(&nothing));
    assert!(err(&nothing).contains("no run of this workspace is known"));
    assert_eq!(place.json(&["--env", "staging"]).0, 6);
    let (code_of_failed, report) = place.json(&["--failed", "--env", "staging"]);
    assert_eq!(code_of_failed, 6);
    // With the setup that they need and the teardown of their suite.
    let again = [
        ("generated/getPet", "drift"),
        ("generated/listOrders", "fail"),
        ("pets/a pet is made", "pass"),
        ("pets/the pet fits its document", "drift"),
        ("pets/the pet has a name", "fail"),
        ("pets/the pet is gone", "pass"),
    ];
    assert_eq!(verdicts(&report), expected(&again));
    let kept: Vec<PathBuf> =
        fs::read_dir(place.folder.path().join("state/toolscope/smoke")).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    assert!(!fs::read_to_string(&kept[0]).unwrap().contains(SECRET));
    // All of it passes on a mock of the document itself, and then nothing is left.
    place.write(
        "pets.suite.yaml",
        "cases: [{name: the pet has a name, tool: listPets}, {name: the pet fits its document, tool: listPets}]\n",
    );
    assert_eq!(code(&place.run(&["--failed", "--mock"])), 0);
    let (code, report) = place.json(&["--failed", "--mock"]);
    assert_eq!((code, report["cases"].as_array().unwrap().len()), (0, 0));
}

#[test]
fn a_suite_with_a_fault_is_refused_with_its_line() {
    let place = Place::new("http://127.0.0.1:9", "[]");
    let cases = [
        (
            "cases:\n- tool: listPets\n  expects: {}\n",
            "x.suite.yaml:3",
            "`cases[0].expects` is no key that is known here",
        ),
        ("cases:\n- tool: [\n", "x.suite.yaml:", "error"),
        ("cases:\n- {tool: getPet, arguments: {petId: '${id}'}}\n", "x.suite.yaml:2", "which no case captures"),
    ];
    for (text, at, words) in cases {
        place.write("x.suite.yaml", text);
        let output = place.run(&["--suite", "x.suite.yaml"]);
        let said = err(&output);
        assert!(code(&output) == 2 && said.contains(at) && said.contains(words), "{said}");
    }
    let output = place.run(&["--suite", "x.suite.yaml", "--format", "json"]);
    let error: Value = serde_json::from_str(&err(&output)).unwrap();
    assert_eq!((&error["error"]["file"], &error["error"]["line"]), (&"x.suite.yaml".into(), &2.into()));
    // In the workspace file a suite may stand itself.
    place.write("toolscope.yaml", "upstreams: [{name: shop, openapi: {source: shop.yaml}}]\nsuites:\n- name: own\n  cases: [{tool: listPets}]\n- {cases: [{tol: x}]}\n");
    let output = place.run(&["--mock"]);
    assert!(
        err(&output).contains("toolscope.yaml:5") && err(&output).contains("`suites[1].cases[0].tol`"),
        "{}",
        err(&output)
    );
    place.write(
        "toolscope.yaml",
        "upstreams: [{name: shop, openapi: {source: shop.yaml}}]\nsuites:\n- name: own\n  cases: [{tool: listPets}]\n",
    );
    let (code, report) = place.json(&["own", "--mock"]);
    assert_eq!((code, verdicts(&report)), (0, expected(&[("own/listPets", "pass")])));
}

#[test]
fn a_time_limit_that_passes_is_a_failure_of_the_case() {
    let mock = mock(&["--delay", "30s"]);
    let place = Place::new(&mock.url, "[]");
    place.write("slow.suite.yaml", "cases: [{name: slow, tool: listPets, within: 100ms}]\n");
    let (code, report) = place.json(&["slow.suite.yaml", "--env", "staging"]);
    assert_eq!((code, case(&report, "slow")["why"].as_str()), (6, Some("there was no answer within 100 ms")));
    // Without a limit of its own it is the API that does not answer.
    let (code, report) =
        place.json(&["generated", "--env", "staging", "--timeout", "100ms", "--only", "name:listPets"]);
    assert_eq!((code, &case(&report, "listPets")["failure"]), (4, &"timed-out".into()));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_what_it_has() {
    use std::io::Read as _;
    let mock = mock(&["--fault", "hang"]);
    let place = Place::new(&mock.url, "[]");
    place.write(
        "i.suite.yaml",
        "cases:\n- {name: first, tool: listPets, skip: not now}\n- {name: second, tool: listPets}\n- {name: third, tool: listPets}\n",
    );
    let mut command = place.command(&["i.suite.yaml", "--env", "staging", "--jobs", "1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("first") {
        assert!(lines.read_line(&mut text).unwrap() > 0, "it ended: {text}");
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    lines.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    assert_eq!(text.matches("the run was interrupted").count(), 2, "{text}");
}

#[cfg(unix)]
mod on_a_terminal {
    use super::support::pty::Pty;
    use super::*;

    const SIZE: (u16, u16) = (100, 30);

    #[test]
    fn a_run_shows_its_progress() {
        let mock = mock(&["--fault", "hang"]);
        let place = Place::new(&mock.url, "[]");
        let config = place.folder.path().join("toolscope.yaml");
        place.write("s.suite.yaml", "cases: [{name: one, tool: listPets, skip: x}, {name: two, tool: listPets}]\n");
        let suite = place.folder.path().join("s.suite.yaml");
        let args = [
            "smoke",
            "--config",
            config.to_str().unwrap(),
            "--suite",
            suite.to_str().unwrap(),
            "--env",
            "staging",
            "--no-generated",
        ];
        let mut pty = Pty::spawn(Path::new(PROGRAM), &args, &[], SIZE);
        pty.wait_text("[###############---------------] 1/2");
        pty.send("\u{3}");
        assert_eq!(pty.wait_exit().exit_code(), 130);
        assert!(!pty.contents().contains("1/2"), "the bar is gone: {}", pty.contents());
    }

    #[test]
    fn the_screen_runs_cases_and_leads_to_their_calls() {
        let mut pty = Pty::spawn(Path::new(PROGRAM), &["--demo"], &[], SIZE);
        pty.wait_text("all 23");
        pty.send("6");
        pty.wait_text("10 cases");
        pty.send("a");
        pty.wait_text("9 passed, 0 failed, 0 drifted, 1 skipped");
        pty.send("/getPet\r");
        pty.wait_text("2 of 10");
        pty.send("w");
        pty.wait_text("9 calls");
        pty.wait_text("MCP");
        pty.send("6");
        pty.wait_text("2 of 10");
        pty.send("t");
        pty.wait_text("shop__getPet  12 characters");
        pty.send("q");
        assert_eq!(pty.wait_exit().exit_code(), 0);
        pty.assert_restored();
    }
}
