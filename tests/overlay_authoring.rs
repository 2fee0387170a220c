//! `overlay add`, `overlay make` and `overlay diff` through the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use support::program::program;

fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output of a run that has to succeed, and what it said.
fn fine(folder: &Path, args: &[&str]) -> (String, String) {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn refused(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stderr)
}

/// A folder with the shop and its overlay.
fn shop() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/seed");
    for name in ["shop.yaml", "shop.overlay.yaml"] {
        fs::copy(seed.join(name), dir.path().join(name)).unwrap();
    }
    dir
}

fn names(folder: &Path, overlay: &str) -> Vec<String> {
    let (list, _) = fine(folder, &["list", "shop.yaml", "--overlay", overlay, "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_overlay_from_nothing_grows_and_keeps_every_byte() {
    let dir = shop();
    let folder = dir.path();
    let before = names(folder, "shop.overlay.yaml");
    let tool = before[0].as_str();
    let add = |args: &[&str]| fine(folder, &[&["overlay", "add", "new.yaml"], args, &["--spec", "shop.yaml"]].concat());

    let (out, said) = add(&["rename", "fetchPet", "get_pet", "--dry-run"]);
    assert!(out.contains("+overlay: 1.1.0") && said.contains("would be created"), "{out}{said}");
    assert!(!folder.join("new.yaml").exists());

    let (out, said) = add(&["rename", "fetchPet", "get_pet"]);
    assert!(out.is_empty() && said.contains("renamed") && said.contains("fetchPet -> get_pet"), "{said}");
    let first = fs::read_to_string(folder.join("new.yaml")).unwrap();
    // Found by the new name, and put into the same action.
    let (_, said) = add(&["describe", "get_pet", "One pet: with its price"]);
    assert!(said.contains("amended"), "{said}");
    let second = fs::read_to_string(folder.join("new.yaml")).unwrap();
    assert!(second.starts_with(&first), "{second}");
    assert!(names(folder, "new.yaml").contains(&"get_pet".to_owned()));

    let (_, said) = add(&["hide", "get_pet"]);
    assert!(said.contains("hidden"), "{said}");
    assert!(!names(folder, "new.yaml").contains(&"get_pet".to_owned()), "{tool}");
    let (_, said) = add(&["hide", "get_pet"]);
    assert!(said.contains("so already"), "{said}");
    let (_, said) = add(&["show", "fetchPet"]);
    assert!(said.contains("shown"), "{said}");
    assert!(names(folder, "new.yaml").contains(&"get_pet".to_owned()));
}

#[test]
fn an_overlay_with_comments_changes_where_it_must() {
    let dir = shop();
    let folder = dir.path();
    let path = folder.join("shop.overlay.yaml");
    let before = format!("# mine\r\n{}# end", fs::read_to_string(&path).unwrap().replace('\n', "\r\n"));
    fs::write(&path, &before).unwrap();
    let spec = ["--spec", "shop.yaml"];
    let add = |args: &[&str]| fine(folder, &[&["overlay", "add", "shop.overlay.yaml"], args, &spec].concat());
    let (patch, _) = add(&["safe", "place_order", "--dry-run"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    let added: Vec<&str> = patch.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")).collect();
    assert_eq!(added, ["+      x-mcp-safe: true"], "{patch}");
    assert!(!patch.lines().any(|line| line.starts_with('-') && !line.starts_with("---")), "{patch}");
    add(&["safe", "place_order"]);
    let after = fs::read_to_string(&path).unwrap();
    assert_eq!(after, before.replacen("place_order\r\n", "place_order\r\n      x-mcp-safe: true\r\n", 1));
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2, "nothing is left beside the files");
}

#[test]
fn what_cannot_be_added_is_told_with_a_remedy() {
    let dir = shop();
    let folder = dir.path();
    fs::write(folder.join("broken.yaml"), "overlay: 1.1.0\nactions: [\n").unwrap();
    fs::write(folder.join("none.yaml"), "openapi: 3.1.0\n").unwrap();
    let cases: [(&[&str], &str); 8] = [
        (&["x.yaml", "rename", "fetchPets", "a", "--spec", "shop.yaml"], "Did you mean"),
        (&["x.yaml", "rename", "fetchPet", "--spec", "shop.yaml"], "the new name is missing"),
        (&["x.yaml", "format", "fetchPet", "jpeg", "--spec", "shop.yaml"], "json, text, image"),
        (&["x.yaml", "hide", "fetchPet", "a", "--spec", "shop.yaml"], "one word too many"),
        (&["x.yaml", "safe", "fetchPet", "maybe", "--spec", "shop.yaml"], "neither true nor false"),
        (&["x.yaml", "require", "fetchPet", "nothing", "--spec", "shop.yaml"], "no argument `nothing`"),
        (&["none.yaml", "hide", "fetchPet", "--spec", "shop.yaml"], "no overlay"),
        (&["x.yaml", "hide", "fetchPet"], "--demo"),
    ];
    for (args, expected) in cases {
        let said = refused(folder, &[&["overlay", "add"], args].concat());
        assert!(said.contains(expected), "{args:?}: {said}");
        assert!(!folder.join("x.yaml").exists());
    }
    let broken = run(folder, &["overlay", "add", "broken.yaml", "hide", "fetchPet", "--spec", "shop.yaml"]);
    assert!(!broken.status.success() && text(&broken.stderr).contains("broken.yaml:"), "{}", text(&broken.stderr));
    assert_eq!(fs::read_to_string(folder.join("broken.yaml")).unwrap(), "overlay: 1.1.0\nactions: [\n");
}

#[test]
fn the_workspace_file_says_where_a_tool_comes_from() {
    let dir = shop();
    let folder = dir.path();
    let workspace =
        "upstreams:\n  - name: shop\n    openapi: {source: shop.yaml}\n    overlays: [shop.overlay.yaml, mine.yaml]\n";
    fs::write(folder.join("toolscope.yaml"), workspace).unwrap();
    // Named and not there yet.
    let (_, said) = fine(folder, &["overlay", "add", "mine.yaml", "safe", "place_order"]);
    assert!(said.contains("created") && !said.contains("does not name"), "{said}");
    let (_, said) = fine(folder, &["overlay", "add", "shop.overlay.yaml", "rename", "place_order", "buy"]);
    assert!(said.contains("place_order -> buy"), "{said}");
    let (_, said) = fine(folder, &["overlay", "add", "other.yaml", "hide", "buy"]);
    assert!(said.contains("does not name other.yaml"), "{said}");
}

#[test]
fn make_writes_what_turns_one_document_into_the_other() {
    let dir = shop();
    let folder = dir.path();
    let applied = fine(folder, &["overlay", "apply", "shop.yaml", "--overlay", "shop.overlay.yaml"]).0;
    fs::write(folder.join("new.yaml"), &applied).unwrap();
    let (made, _) = fine(folder, &["overlay", "make", "shop.yaml", "new.yaml"]);
    assert!(made.starts_with("overlay: 1.1.0\n") && made.contains("target: $.paths['/orders'].post"), "{made}");
    for name in ["made.yaml", "made.json"] {
        fine(folder, &["overlay", "make", "shop.yaml", "new.yaml", "-o", name]);
        let again = fine(folder, &["overlay", "apply", "shop.yaml", "--overlay", name]).0;
        assert_eq!(again, applied);
    }
    assert!(fs::read_to_string(folder.join("made.json")).unwrap().starts_with("{\n"));
    let (out, said) = fine(folder, &["overlay", "make", "shop.yaml", "shop.yaml"]);
    assert!(out.is_empty() && said.contains("equal"), "{said}");
    fs::write(folder.join("list.yaml"), "- 1\n").unwrap();
    assert!(refused(folder, &["overlay", "make", "shop.yaml", "list.yaml"]).contains("no overlay replaces"));
}

#[test]
fn diff_shows_the_document_or_the_tools() {
    let dir = shop();
    let folder = dir.path();
    let diff = |args: &[&str]| {
        fine(folder, &[&["overlay", "diff", "shop.yaml", "--overlay", "shop.overlay.yaml"], args].concat()).0
    };
    let whole = diff(&[]);
    assert!(whole.contains("+++ shop.yaml after") && whole.contains("+      x-mcp-tool-name: place_order"), "{whole}");
    assert!(whole.contains("+      x-mcp-enabled: false"), "{whole}");
    let first = diff(&["--upto", "1"]);
    assert!(first.contains("place_order") && !first.contains("x-mcp-enabled"), "{first}");
    assert_eq!(diff(&["--upto", "0"]), "");
    let tools = diff(&["--tools"]);
    assert!(tools.contains("renamed") && tools.contains("-> place_order") && tools.contains("hidden"), "{tools}");
    assert!(!diff(&["--tools", "--upto", "1"]).contains("hidden"));
    assert_eq!(diff(&["--tools", "--upto", "0"]), "the tools are the same\n");
    let json: serde_json::Value = serde_json::from_str(&diff(&["--tools", "--format", "json"])).unwrap();
    let changes = json["tools"].as_array().unwrap();
    assert_eq!(changes.len(), 2, "{json}");
    assert!(changes.iter().any(|change| change["changes"] == serde_json::json!(["renamed"])), "{json}");
    assert!(refused(folder, &["overlay", "diff", "shop.yaml"]).contains("no overlay is named"));
}

#[test]
fn check_says_what_lost_targets_mean_now_and_reads_dialects() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let head = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n";
    write("old.yaml", &format!("{head}  /animals/{{id}}:\n    get: {{operationId: getPet}}\n"));
    write("new.yaml", &format!("{head}  /pets/{{petId}}:\n    get: {{operationId: getPet, x-gram: {{name: pet}}}}\n"));
    write(
        "o.yaml",
        "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n- target: $.paths['/animals/{id}'].get\n  update: {x-mcp-safe: true}\n",
    );
    let check = ["overlay", "check", "new.yaml", "--overlay", "o.yaml"];
    let (out, _) = fine(folder, &[&check[..], &["--since", "old.yaml"]].concat());
    assert!(out.contains("probably $.paths['/pets/{petId}'].get  (the operation `getPet` moved there)"), "{out}");
    assert!(out.contains("`x-gram` names the tool `pet`"), "{out}");
    let (out, _) = fine(folder, &[&check[..], &["--since", "old.yaml", "--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let proposals = &json["overlays"][0]["actions"][0]["proposals"];
    assert_eq!(proposals[0]["target"], "$.paths['/pets/{petId}'].get", "{json}");
    assert_eq!(json["hints"][0]["fix"]["update"]["x-mcp-tool-name"], "pet", "{json}");
}

#[test]
fn what_findings_propose_is_written_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
    for name in ["petstore.yaml", "petstore.overlay.yaml"] {
        fs::copy(demo.join(name), dir.path().join(name)).unwrap();
    }
    let before = fs::read_to_string(dir.path().join("petstore.overlay.yaml")).unwrap();
    let common = ["shop=petstore.yaml", "--overlay", "petstore.overlay.yaml"];
    let fix = |more: &[&str]| fine(dir.path(), &[&["overlay", "fix"], &common[..], more].concat());
    let (out, said) = fix(&["--dry-run"]);
    assert!(out.contains("+  - target: $.paths['/pets/{petId}'].get"), "{out}");
    assert!(said.contains("1 file would be changed; 0 findings left"), "{said}");
    assert_eq!(fs::read_to_string(dir.path().join("petstore.overlay.yaml")).unwrap(), before);
    let (_, said) = fix(&["--code", "overlay-no-match"]);
    assert!(said.contains("4 findings left"), "{said}");
    let (_, said) = fix(&[]);
    assert!(said.contains("fixed: ") && said.contains("0 findings left"), "{said}");
    fine(dir.path(), &[&["check"], &common[..], &["--fail-on", "info"]].concat());
    let after = fs::read_to_string(dir.path().join("petstore.overlay.yaml")).unwrap();
    let changed = before.lines().zip(after.lines()).filter(|(old, new)| old != new).count();
    assert_eq!((changed, before.lines().count()), (3, after.lines().count()), "{after}");
    let (_, said) = fix(&[]);
    assert!(said.contains("0 files changed"), "{said}");
}

#[test]
fn a_finding_shows_the_action_that_mends_it() {
    let dir = tempfile::tempdir().unwrap();
    let spec = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a/{id}:\n    get: {operationId: a, x-mcp-safe: true, responses: {}}\n";
    fs::write(dir.path().join("a.yaml"), spec).unwrap();
    let actions = [
        "- {target: \"$.paths['/a/{id}'].get\", update: {x-mcp-safe: 'false'}}",
        "- {target: \"$.paths['/a/{id}'].get\", update: {operationId: a}}",
    ];
    let overlay = format!("overlay: 1.0.0\ninfo: {{title: O, version: '1'}}\nactions:\n{}\n", actions.join("\n"));
    fs::write(dir.path().join("o.yaml"), overlay).unwrap();
    let (out, _) = fine(dir.path(), &["check", "a.yaml", "--overlay", "o.yaml", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    let fix = |code: &str| {
        let finding = found["findings"].as_array().unwrap().iter().find(|one| one["code"] == code);
        finding.unwrap_or_else(|| panic!("{code}: {out}"))["fix"].clone()
    };
    let target = "$.paths['/a/{id}'].get";
    let typed = serde_json::json!({"target": target, "update": {"x-mcp-safe": false}});
    assert_eq!(fix("overlay-type-surprise"), typed);
    assert_eq!(fix("overlay-no-change"), serde_json::Value::Null, "the action goes, so there is none to show");
    let described = serde_json::json!({"target": target, "update": {"description": "Get a by id"}});
    assert_eq!(fix("no-description"), described);
}
