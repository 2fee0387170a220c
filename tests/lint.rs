//! Lint on the command line: targets, own files, reports for other programs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use support::program::program;

/// Two tools alike, one argument that some clients refuse, a name of 61 characters.
const SPEC: &str = "openapi: 3.0.3
info: {title: T, version: '1'}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List the pets of the shop
      parameters:
      - {name: 'filter[kind]', in: query, schema: {type: string}}
      responses: {'200': {description: ok}}
  /animals:
    get:
      operationId: list_pets
      summary: List the pets of the shop
      responses: {'200': {description: ok}}
  /long:
    post:
      operationId: a_name_with_sixty_one_characters_which_is_one_more_than_good1
      summary: Does something, 100 %
      responses: {'200': {description: ok}}
";

const OWN_TARGET: &str = "name = 'mine'
title = 'Our own client'
extends = 'cursor'

[[rules]]
id = 'short'
kind = 'name_length'
max = 8
severity = 'error'
blast = 'tool_dropped'
why = 'our client stops there'
remedy = 'choose a short name'
source = 'ourselves'
date = '2026-11'
confidence = 'H'
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("a.yaml", SPEC);
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let config = self.0.path().join("config");
        program(self.0.path()).env("XDG_CONFIG_HOME", config).args(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--format", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", err(&output)))
    }
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn codes(check: &Value) -> Vec<(&str, Option<&str>, Option<&str>)> {
    let of = |finding: &'_ Value, key: &str| finding[key].as_str().map(str::to_owned).map(String::leak).map(|s| &*s);
    let findings = check["findings"].as_array().unwrap();
    findings.iter().map(|finding| (of(finding, "code").unwrap(), of(finding, "target"), of(finding, "rule"))).collect()
}

#[test]
fn exit_codes_and_what_is_told() {
    let workspace = "upstreams: [{name: a, openapi: {source: a.yaml}}]\ntargets: [mistral, curser]\n";
    let no_targets = "upstreams: [{name: a, openapi: {source: a.yaml}}]\ntargets: []\n";
    let broken = "name = 'odd'\ntitle = 'Odd'\nrulez = []\n";
    let folder = Folder::new(&[
        ("w.yaml", workspace),
        ("n.yaml", no_targets),
        ("targets/odd.toml", broken),
        ("profiles/bad.toml", "name = 'bad'\nmax = \n"),
        ("targets/mine.toml", OWN_TARGET),
    ]);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["check", "a.yaml"], 0, "under no target; --target safe-everywhere"),
        (&["check", "a.yaml", "--target", "safe-everywhere"], 6, "under safe-everywhere"),
        (&["check", "a.yaml", "--target", "none"], 0, "under no target"),
        (&["check", "--config", "n.yaml"], 0, "under no target"),
        (&["check", "a.yaml", "--target", "windsurf"], 0, "under windsurf"),
        (&["check", "a.yaml", "--target", "cursor"], 6, "under cursor"),
        (
            &["check", "a.yaml", "--target", "windsurf", "--target", "cursor:s", "--target", "cursor:s"],
            6,
            "windsurf, cursor:s\n",
        ),
        (&["check", "a.yaml", "--target", "mine"], 6, "under mine"),
        (&["check", "a.yaml", "--target", "curser"], 2, "Did you mean `cursor`?"),
        (&["check", "a.yaml", "--target", "cursor:"], 2, "no server name after the colon"),
        (&["check", "a.yaml", "--target", "mistral:x"], 2, "--target mistral:x: "),
        (&["check", "a.yaml", "--target", "odd"], 2, "targets/odd.toml:3:1"),
        (&["list", "a.yaml", "--profile", "bad"], 2, "profiles/bad.toml:2:"),
        (&["list", "a.yaml"], 0, "3 tools"),
        (&["check", "--config", "w.yaml"], 2, "w.yaml:2:20"),
        (&["check", "--demo", "--set", "targets=[nothing]"], 2, "there is no lint target `nothing`"),
        (&["check", "--demo", "--set", "lint.near_duplicates=2"], 2, "above 0 and up to 1"),
        (&["targets"], 2, "targets/odd.toml:3:1"),
        (&["profiles"], 2, "profiles/bad.toml:2:"),
    ];
    for (args, code, told) in cases {
        let output = folder.run(args);
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {}", err(&output));
        assert!(err(&output).contains(told), "{args:?}: {told} is missing in\n{}", err(&output));
    }
    // A broken file that nobody asked for fails nothing, and is not passed over in silence.
    let list = folder.json(&["list", "a.yaml"]);
    let told: Vec<_> = list["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["code"].as_str().unwrap(), &f["origin"]["file"], &f["origin"]["line"]))
        .collect();
    assert_eq!(
        told[..2],
        [
            ("profile-file", &json!("profiles/bad.toml"), &json!(2)),
            ("target-file", &json!("targets/odd.toml"), &json!(3))
        ]
    );
}

#[test]
fn check_joins_catalog_near_duplicates_and_targets() {
    let folder = Folder::new(&[]);
    let check = folder.json(&["check", "a.yaml", "--target", "cursor:my-server", "--target", "anthropic-api"]);
    let expected = [
        ("near-duplicate", None, None),
        ("target-combined-length", Some("cursor:my-server"), Some("combined-length")),
        ("target-key-pattern", Some("anthropic-api"), Some("argument-names")),
    ];
    let found = codes(&check);
    for wanted in expected {
        assert!(found.contains(&wanted), "{wanted:?} is missing in {found:#?}");
    }
    let places: Vec<_> = expected.iter().map(|wanted| found.iter().position(|one| one == wanted).unwrap()).collect();
    assert!(places.is_sorted(), "{found:#?}");
    assert_eq!(check["totals"]["findings"], found.len());
    let key = check["findings"].as_array().unwrap().iter().find(|f| f["code"] == "target-key-pattern").unwrap();
    assert_eq!(
        (&key["tool"], &key["blast"], &key["origin"]["line"]),
        (&json!("listPets"), &json!("request_refused"), &json!(10))
    );
    for (value, expected) in [("off", 0), ("false", 0), ("0.5", 1)] {
        let setting = format!("lint.near_duplicates={value}");
        let check = folder.json(&["check", "a.yaml", "--target", "none", "--set", &setting]);
        let alike = codes(&check).iter().filter(|(code, ..)| *code == "near-duplicate").count();
        assert_eq!(alike, expected, "{value}");
    }
    // Listing asks no target.
    let list = folder.json(&["list", "a.yaml", "--target", "cursor"]);
    assert!(codes(&list).iter().all(|(code, target, _)| target.is_none() && *code != "near-duplicate"), "{list:#}");
}

#[test]
fn many_of_a_kind_are_told_together() {
    let paths: String = (0..12)
        .map(|n| format!("  /p{n}: {{get: {{operationId: 'op{n}', summary: 'S{n}', parameters: [{{name: 'a-{n}', in: query, schema: {{type: string}}}}], responses: {{}}}}}}\n"))
        .collect();
    let folder =
        Folder::new(&[("b.yaml", &format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}"))]);
    let output = folder.run(&["check", "b.yaml", "--target", "safe-everywhere"]);
    let told = out(&output);
    assert!(told.contains("  12 × target-key-pattern safe-everywhere: one such key and some APIs refuse"), "{told}");
    assert_eq!(told.matches("is not of the form").count(), 10, "{told}");
    assert_eq!(told.matches("→ set naming.argument_names: legal").count(), 1, "{told}");
    assert!(told.contains("… and 2 more"), "{told}");
    let output = folder.run(&["check", "b.yaml", "--target", "safe-everywhere", "--all"]);
    assert_eq!(out(&output).matches("is not of the form").count(), 12);
}

#[test]
fn sarif_is_valid_and_leads_to_the_line() {
    let mut schema: Value = serde_json::from_str(include_str!("../fixtures/contract/sarif-schema-2.1.0.json")).unwrap();
    // The pattern of a language is no regular expression of ECMA-262 (`]` stands alone), so the validator refuses the
    // schema as a whole. Nothing is written there.
    for part in ["run", "toolComponent"] {
        let language = schema["definitions"][part]["properties"]["language"].as_object_mut().unwrap();
        language.shift_remove("pattern").unwrap();
    }
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    // A validator that takes anything would prove nothing.
    assert!(!validator.is_valid(&json!({"version": "2.1.0", "runs": [{"tool": {}}]})));
    let folder = Folder::new(&[("sub dir/é.yaml", SPEC)]);
    for args in [
        &["check", "--demo"][..],
        &["check", "./sub dir/é.yaml", "--target", "cursor:x", "--target", "agentgateway", "--target", "anthropic-api"],
        &["check", "a.yaml", "--target", "none", "--set", "lint.near_duplicates=off"],
    ] {
        let output = folder.run(&[args, &["--format", "sarif"]].concat());
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{args:?}: {errors:#?}");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let check = folder.json(args);
        let findings = check["findings"].as_array().unwrap();
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), findings.len(), "{args:?}");
        for (result, finding) in results.iter().zip(findings) {
            let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(!rule["help"]["text"].as_str().unwrap().is_empty());
            assert!(result["ruleId"].as_str().unwrap().starts_with(finding["code"].as_str().unwrap()));
            let region = &result["locations"][0]["physicalLocation"]["region"];
            let line = finding["origin"]["line"].as_u64().unwrap_or(1);
            assert_eq!(region["startLine"], line, "{result:#}");
        }
    }
    let log = folder.run(&["check", "./sub dir/é.yaml", "--target", "anthropic-api", "--format", "sarif"]);
    let log: Value = serde_json::from_slice(&log.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let key = results.iter().find(|r| r["ruleId"] == "target-key-pattern/anthropic-api/argument-names").unwrap();
    let place = &key["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "sub%20dir/%C3%A9.yaml");
    assert_eq!(place["region"]["startLine"], 10);
    assert!(key["message"]["text"].as_str().unwrap().contains("Set naming.argument_names: legal"), "{key:#}");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["id"] == key["ruleId"]).unwrap();
    assert!(rule["help"]["text"].as_str().unwrap().starts_with("Set naming.argument_names: legal"), "{rule:#}");
}

#[test]
fn github_commands_carry_place_and_remedy() {
    let folder = Folder::new(&[
        ("a,b:c.yaml", SPEC),
        ("w.yaml", "upstreams: [{name: a, openapi: {source: a.yaml}}]\nseperator: x\n"),
    ]);
    let output = folder.run(&["check", "a,b:c.yaml", "--target", "cursor", "--format", "github"]);
    let told = out(&output);
    let line = told.lines().find(|line| line.contains("target-combined-length")).unwrap();
    assert!(
        line.starts_with("::error file=a%2Cb%3Ac.yaml,line=19,col=20,title=target-combined-length (cursor)%3A a_name_"),
        "{line}"
    );
    assert!(
        line.ends_with(
            "Rename it with x-mcp-tool-name, or set naming.max_length lower, or give the server a shorter name."
        ),
        "{line}"
    );
    let percent = told.lines().find(|line| line.starts_with("::warning") && line.contains("near-duplicate")).unwrap();
    assert!(percent.contains("a model may take one for the other") && !percent.contains(" % "), "{percent}");
    assert!(told.lines().all(|line| line.starts_with("::")), "{told}");
    assert_eq!(output.status.code(), Some(6));
    // What has no place is shown at the document's first line.
    let many: String =
        (0..41).map(|n| format!("  /p{n}: {{get: {{operationId: 'op{n}', responses: {{}}}}}}\n")).collect();
    folder.write("many.yaml", &format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n{many}"));
    let output = folder.run(&["check", "many.yaml", "--target", "cursor", "--format", "github"]);
    assert!(
        out(&output).contains("::warning file=many.yaml,line=1,col=1,title=target-tool-count (cursor)::41 tools"),
        "{}",
        out(&output)
    );
    let output = folder.run(&["check", "--config", "w.yaml", "--format", "github"]);
    assert!(out(&output).contains("::warning file=w.yaml,line=2,col=1,title=config-unknown-key::"), "{}", out(&output));
}

#[test]
fn junit_has_a_case_for_each_finding() {
    let folder = Folder::new(&[]);
    let output = folder.run(&["check", "a.yaml", "--target", "cursor", "--format", "junit"]);
    let told = out(&output);
    let check = folder.json(&["check", "a.yaml", "--target", "cursor"]);
    assert_eq!(told.matches("<testcase ").count(), check["findings"].as_array().unwrap().len());
    assert_eq!(told.matches("<failure ").count() as u64, check["totals"]["errors"].as_u64().unwrap());
    assert!(
        told.starts_with("<?xml version=\"1.0\"")
            && told.contains("<testsuite name=\"cursor\" tests=\"1\" failures=\"1\""),
        "{told}"
    );
}

#[test]
fn targets_for_people_and_programs() {
    let folder = Folder::new(&[
        ("conf/w.yaml", "{}"),
        ("conf/targets/mine.toml", OWN_TARGET),
        ("config/toolscope/targets/user.toml", &OWN_TARGET.replace("'mine'", "'user'")),
    ]);
    let all = folder.json(&["targets", "--config", "conf/w.yaml"]);
    let all = all["targets"].as_array().unwrap();
    let names: Vec<_> = all.iter().map(|target| target["name"].as_str().unwrap()).collect();
    assert!(names.starts_with(&["safe-everywhere"]) && names.ends_with(&["mine", "user"]), "{names:?}");
    for target in all {
        for rule in target["rules"].as_array().unwrap() {
            for key in ["id", "kind", "wants", "severity", "blast", "why", "source", "date", "confidence"] {
                assert!(rule[key].is_string(), "{key}: {rule}");
            }
        }
    }
    let from = |name: &str| all.iter().find(|target| target["name"] == name).unwrap()["from"].clone();
    assert_eq!((from("cursor"), from("mine")), (json!("built in"), json!("conf/targets/mine.toml")));
    assert!(from("user").as_str().unwrap().ends_with("config/toolscope/targets/user.toml"));

    let output = folder.run(&["targets"]);
    let told = out(&output);
    for part in ["TARGET", "cursor", "(40)", "≤ 60", "tadata-org/fastapi_mcp#64, #161 (2026-02)", "user"] {
        assert!(told.contains(part), "{part} is missing in\n{told}");
    }
    let output = folder.run(&["targets", "mine", "--config", "conf/w.yaml"]);
    for part in [
        "Our own client",
        "conf/targets/mine.toml",
        "short",
        "error, tool dropped",
        "at most 8",
        "→ choose a short name",
        "ourselves, 2026-11",
        "mine:my-server",
    ] {
        assert!(out(&output).contains(part), "{part} is missing in\n{}", out(&output));
    }
    let output = folder.run(&["targets", "cursr"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("Did you mean `cursor`?"), "{}", err(&output));
}

#[test]
fn own_profiles_are_listed_used_and_explained() {
    let profile = "name = 'ours'\nextends = 'default'\nabout = 'Short names'\n[length]\nmax = 20\nrule = 'cut'\n";
    let folder = Folder::new(&[("profiles/ours.toml", profile), ("config/toolscope/profiles/twin.toml", profile)]);
    let list = folder.json(&["list", "a.yaml", "--profile", "ours"]);
    assert_eq!(list["tools"][2]["name"], "a_name_with_sixty_on");
    let twin = list["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == "profile-file").unwrap();
    assert!(twin["message"].as_str().unwrap().contains("`ours` is in `profiles/ours.toml` already"), "{twin}");
    std::fs::remove_file(folder.0.path().join("config/toolscope/profiles/twin.toml")).unwrap();
    let profiles = folder.json(&["profiles"]);
    let ours = profiles["profiles"].as_array().unwrap().iter().find(|profile| profile["name"] == "ours").unwrap();
    assert_eq!((&ours["from"], &ours["about"]), (&json!("profiles/ours.toml"), &json!("Short names")));
    let output = folder.run(&["profiles", "ours"]);
    assert!(out(&output).starts_with("ours  Short names  profiles/ours.toml\n"), "{}", out(&output));
    let explained = folder.json(&["explain", "listPets", "a.yaml"]);
    assert_eq!(explained["profiles"]["ours"], "listPets");
}

#[test]
fn explain_says_what_every_target_does() {
    let folder = Folder::new(&[]);
    let explained = folder.json(&["explain", "listPets", "a.yaml"]);
    let verdicts = explained["targets"].as_object().unwrap();
    assert_eq!(verdicts.len(), 20);
    assert_eq!((&verdicts["windsurf"], &verdicts["anthropic-api"]), (&json!("ok"), &json!("refused")));
    let reasons = explained["target_reasons"].as_object().unwrap();
    assert_eq!(reasons["anthropic-api"][0]["rule"], "argument-names");
    for (target, verdict) in verdicts {
        assert!(verdict == "ok" || !reasons[target].as_array().unwrap().is_empty(), "{target} says no reason");
    }
    assert!(explained["tokens"]["total"].as_u64().unwrap() > 0);

    let named = folder.json(&["explain", "listPets", "a.yaml", "--target", "cursor:my-server"]);
    assert_eq!(named["targets"], json!({"cursor:my-server": "ok"}));
    assert_eq!(named["target_names"]["cursor:my-server"], "mcp_my-server_listPets");
    let hidden = folder.json(&["explain", "HEAD /pets/{petId}", "--demo"]);
    assert!(hidden["hidden"].is_object() && hidden["targets"]["cursor"].is_null(), "{}", hidden["targets"]);

    let output = folder.run(&["explain", "listPets", "a.yaml"]);
    let told = out(&output);
    let row = told.lines().find(|line| line.trim_start().starts_with("anthropic-api")).unwrap();
    assert!(row.contains("refused") && row.contains("`filter[kind]`") && row.contains("→ "), "{row}");
}

#[test]
fn lists_count_tokens() {
    let folder = Folder::new(&[]);
    let list = folder.json(&["list", "a.yaml"]);
    let mut sum = 0;
    for tool in list["tools"].as_array().unwrap() {
        let of = |key: &str| tool["tokens"][key].as_u64().unwrap();
        assert_eq!(of("name") + of("description") + of("schema"), of("total"));
        assert!(of("name") > 0 && of("schema") > 0);
        sum += of("total");
    }
    assert_eq!(list["totals"]["tokens"], sum);
    let upstreams = list["totals"]["tokens_by"]["upstreams"].as_array().unwrap();
    assert_eq!(upstreams.iter().map(|share| share["tokens"].as_u64().unwrap()).sum::<u64>(), sum);
    assert!(list["totals"]["tokens_by"]["tags"].is_array());
}

#[test]
fn nothing_of_the_file_system_is_needed_for_the_folders() {
    // Folders that are no folders, files that are no text.
    let folder = Folder::new(&[("targets", "no folder")]);
    assert_eq!(folder.run(&["targets"]).status.code(), Some(0));
    let profiles = folder.0.path().join("profiles");
    std::fs::create_dir(&profiles).unwrap();
    std::fs::write(profiles.join("x.toml"), [0xff, 0xfe, 0x00]).unwrap();
    let output = folder.run(&["profiles"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("no UTF-8 text"), "{}", err(&output));
    assert!(Path::new(&profiles).exists());
}
