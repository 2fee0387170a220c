//! Files to a snapshot.

use super::{folder, options, reader};
use crate::document::{Node, RefError};
use crate::workspace::{DraftText, LoadErrorKind, Reader, Snapshot, Workspace, load_with, with_drafts};

const MAIN: &str = "openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /pets:
    $ref: paths/pets.yaml
  /local:
    get: {operationId: local, responses: {'200': {description: ok}}}
components:
  schemas:
    Id: {type: integer}
";
const PETS: &str = "get:
  operationId: listPets
  parameters:
    - $ref: '../common.yaml#/parameters/Limit'
    - {name: id, in: query, schema: {$ref: '../api.yaml#/components/schemas/Id'}}
    - {name: x, in: query, schema: {$ref: '../../outside.yaml'}}
    - {name: y, in: query, schema: {$ref: 'https://elsewhere.example/y.yaml#/Y'}}
    - {name: z, in: query, schema: {$ref: '../broken.yaml'}}
  responses: {'200': {description: ok}}
";
const COMMON: &str = "parameters:\n  Limit: {name: limit, in: query, schema: {type: integer}}\n";
const OVERLAY: &str = "overlay: 1.0.0
info: {title: O, version: '1'}
actions:
  - target: $.paths['/local'].get
    update:
      summary: Changed
      parameters: [{$ref: 'common.yaml#/parameters/Limit'}]
";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("api/api.yaml", MAIN),
        ("api/paths/pets.yaml", PETS),
        ("api/common.yaml", COMMON),
        ("api/broken.yaml", "a: [\n"),
        ("outside.yaml", "type: string"),
        ("o.yaml", OVERLAY),
    ]
}

fn load(folder: &tempfile::TempDir, specs: &[&str], overlays: &[&str], previous: Option<&Snapshot>) -> Snapshot {
    let workspace = Workspace::resolve(&options(specs, overlays), folder.path()).unwrap();
    load_with(&workspace, previous, &mut reader("")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn parts_are_read_breadth_first_and_refused_parts_say_why() {
    let folder = folder(&files());
    let snapshot = load(&folder, &["api/api.yaml"], &[], None);
    let names: Vec<&str> = snapshot.catalog.sources.iter().map(|(_, file)| file.name.as_str()).collect();
    assert_eq!(names, ["api/api.yaml", "api/paths/pets.yaml", "api/common.yaml", "api/broken.yaml"]);
    let set = &snapshot.documents[0];
    let pets = snapshot.catalog.sources.find("api/paths/pets.yaml").unwrap();
    let why = |text: &str| match set.resolve_text(text, pets) {
        Ok(_) => String::new(),
        Err(RefError::Unread { why, .. }) => why,
        Err(other) => panic!("{other}"),
    };
    assert_eq!(why("../common.yaml#/parameters/Limit"), "");
    assert_eq!(why("../api.yaml#/components/schemas/Id"), "", "a part may refer back to the main document");
    assert!(why("../../outside.yaml").contains("--ref-root"));
    assert!(why("https://elsewhere.example/y.yaml").contains("ref_hosts: [elsewhere.example]"));
    assert!(why("../broken.yaml").starts_with("api/broken.yaml:"), "{}", why("../broken.yaml"));
    assert!(snapshot.catalog.find("listPets").is_some(), "a path item in another file is followed");
    assert_eq!(snapshot.files.len(), 4, "{:?}", snapshot.files);
}

#[test]
fn a_wider_root_allows_more() {
    let folder = folder(&files());
    let mut given = options(&["api/api.yaml"], &[]);
    given.ref_root = Some(".".into());
    let workspace = Workspace::resolve(&given, folder.path()).unwrap();
    let snapshot = load_with(&workspace, None, &mut reader("")).unwrap();
    assert!(snapshot.catalog.sources.find("outside.yaml").is_some());
}

#[test]
fn an_overlay_is_applied_and_may_refer_to_files() {
    let folder = folder(&files());
    let snapshot = load(&folder, &["api/api.yaml"], &["o.yaml"], None);
    let tool = snapshot.catalog.find("local").unwrap();
    assert_eq!(tool.operation.description, "Changed");
    assert!(tool.operation.input_schema.get("properties").and_then(|all| all.get("limit")).is_some());
    assert_eq!(tool.touched_by.len(), 1);
    let overlay = snapshot.catalog.sources.get(tool.touched_by[0].file).unwrap();
    assert_eq!((overlay.name.as_str(), overlay.actions.len()), ("o.yaml", 1));
}

#[test]
fn what_did_not_change_keeps_its_tree() {
    let folder = folder(&files());
    let first = load(&folder, &["api/api.yaml"], &["o.yaml"], None);
    let changed = COMMON.replace("integer", "string");
    std::fs::write(folder.path().join("api/common.yaml"), &changed).unwrap();
    let second = load(&folder, &["api/api.yaml"], &["o.yaml"], Some(&first));
    let root = |snapshot: &Snapshot, name: &str| -> Node {
        let id = snapshot.catalog.sources.find(name).unwrap();
        snapshot.originals[0].document(id).unwrap().root.clone()
    };
    for (name, same) in [("api/api.yaml", true), ("api/paths/pets.yaml", true), ("api/common.yaml", false)] {
        assert_eq!(root(&first, name).same(&root(&second, name)), same, "{name}");
        assert_eq!(first.catalog.sources.find(name), second.catalog.sources.find(name), "{name} keeps its number");
    }
    let properties = second.catalog.find("local").unwrap().operation.input_schema.get("properties").unwrap().clone();
    assert_eq!(properties.get("limit").unwrap().text("type"), Some("string"));
}

#[test]
fn standard_input_is_read_once_and_kept_for_a_reload() {
    let folder = folder(&files());
    let workspace = Workspace::resolve(&options(&["-"], &[]), folder.path()).unwrap();
    let first = load_with(
        &workspace,
        None,
        &mut reader("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {}}}\n"),
    )
    .unwrap();
    assert_eq!(first.catalog.tools.len(), 1);
    let second = load_with(&workspace, Some(&first), &mut reader("")).unwrap();
    assert_eq!(second.catalog.tools.len(), 1);
}

#[test]
fn failures_carry_their_line() {
    let folder = folder(&[
        ("bad.yaml", "openapi: 3.1.0\npaths: [\n"),
        ("old.yaml", "info: {}\nopenapi: 9.9.9\n"),
        ("none.yaml", "hello: world\n"),
        ("good.yaml", MAIN),
        ("bad-overlay.yaml", "overlay: 1.0.0\n"),
        ("latin.yaml", "x"),
    ]);
    std::fs::write(folder.path().join("latin.yaml"), b"a: \xE9\n").unwrap();
    type Case<'a> = (&'a str, &'a [&'a str], LoadErrorKind, &'a str, Option<usize>);
    let cases: [Case<'_>; 6] = [
        ("bad.yaml", &[], LoadErrorKind::Input, "", Some(3)),
        ("old.yaml", &[], LoadErrorKind::Input, "9.9.9", Some(2)),
        ("none.yaml", &[], LoadErrorKind::Input, "", Some(1)),
        ("gone.yaml", &[], LoadErrorKind::Usage, "there is no file", None),
        ("good.yaml", &["bad-overlay.yaml"], LoadErrorKind::Input, "is no overlay", Some(1)),
        ("latin.yaml", &[], LoadErrorKind::Input, "is no text", None),
    ];
    for (spec, overlays, kind, message, line) in cases {
        let workspace = Workspace::resolve(&options(&[spec], overlays), folder.path()).unwrap();
        let error = load_with(&workspace, None, &mut reader("")).unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(message), "{error}");
        let line = if spec == "bad.yaml" { error.line } else { line };
        assert_eq!(error.line, line, "{error}");
        assert!(error.line.is_none() || error.excerpt.is_some(), "{error}");
    }
}

#[test]
fn a_disabled_upstream_is_told_and_not_shown() {
    let config = "upstreams:\n- {name: a, openapi: {source: api/api.yaml}}\n- {name: b, enabled: false, openapi: {source: api/api.yaml}}\n- {name: c, enabled: false, openapi: {source: gone.yaml}}\n";
    let mut all = files();
    all.push(("toolscope.yaml", config));
    let folder = folder(&all);
    let snapshot = load(&folder, &[], &[], None);
    assert_eq!((snapshot.catalog.upstreams.len(), snapshot.documents.len(), snapshot.originals.len()), (1, 1, 1));
    let codes: Vec<_> = snapshot.catalog.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"upstream-disabled") && codes.contains(&"upstream-not-read"), "{codes:?}");
}

#[test]
fn the_demo_shows_each_of_its_flaws() {
    let folder = folder(&[]);
    let workspace = Workspace::resolve_or_demo(&Default::default(), folder.path()).unwrap();
    let catalog = load_with(&workspace, None, &mut reader("")).unwrap().catalog;
    assert_eq!(catalog.conflicts.iter().map(|conflict| conflict.name.as_str()).collect::<Vec<_>>(), ["shop__listPets"]);
    assert_eq!(catalog.find("shop__find_pets").map(|tool| &*tool.operation.path), Some("/pets/search"));
    let truncated = catalog.tools.iter().filter(|tool| tool.named.truncated.is_some()).count();
    assert_eq!(truncated, 1);
    assert!(catalog.findings.iter().any(|finding| finding.code == "overlay-no-match"));
    let hidden: Vec<&str> = catalog.hidden.iter().map(|tool| &*tool.operation.path).collect();
    assert!(hidden.contains(&"/admin/metrics"), "{hidden:?}");
    assert!((18..=26).contains(&catalog.tools.len()), "{}", catalog.tools.len());
}

#[test]
fn groups_hide_what_they_do_not_take() {
    let spec = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get: {operationId: ga, x-mcp-safe: true, responses: {}}\n    post: {operationId: pa, responses: {}}\n";
    let cases: [(&str, &[&str], &[&str]); 8] = [
        ("[]", &["ga", "pa", "b__ga", "b__pa"], &[]),
        ("[{name: g}]", &["ga", "pa", "b__ga", "b__pa"], &[]),
        ("[{name: g, upstreams: [b]}]", &["b__ga", "b__pa"], &[]),
        (
            "[{name: g, upstreams: [a], filter: '$.paths.*.get'}, {name: h, upstreams: [b]}]",
            &["ga", "b__ga", "b__pa"],
            &[],
        ),
        ("[{name: g, filter: \"$.paths.*[?@['x-mcp-safe'] == true]\"}]", &["ga", "b__ga"], &[]),
        ("[{name: g, filter: \"$.paths.*.get[?(@['x-mcp-safe'] == true)]\"}]", &[], &["group-filter-no-match"]),
        ("[{name: g, upstreams: [a], filter: '$.paths['}]", &["ga", "pa"], &["group-filter"]),
        ("[{name: g, filter: '$.info'}]", &[], &["group-filter-no-match"]),
    ];
    for (groups, names, codes) in cases {
        let config = format!(
            "upstreams:\n- {{name: a, openapi: {{source: a.yaml}}}}\n- {{name: b, tool_prefix: b, openapi: {{source: a.yaml}}}}\ngroups: {groups}\n"
        );
        let folder = folder(&[("a.yaml", spec), ("toolscope.yaml", &config)]);
        let catalog = load(&folder, &[], &[], None).catalog;
        let found: Vec<&str> = catalog.tools.iter().map(|tool| tool.named.name.as_str()).collect();
        assert_eq!(found, names, "{groups}");
        assert_eq!(catalog.tools.len() + catalog.hidden.len(), 4, "{groups}");
        assert!(catalog.hidden.iter().all(|tool| tool.hidden.as_ref().unwrap().by == crate::derive::HiddenBy::Filter));
        let found: Vec<_> = catalog.findings.iter().map(|f| f.code).filter(|code| code.starts_with("group-")).collect();
        assert_eq!(found, codes, "{groups}");
    }
}

#[test]
fn drafts_are_read_instead_of_files_and_nothing_else_is_read_again() {
    let folder = folder(&[]);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "a.yaml",
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /x: {get: {operationId: x, parameters: [{$ref: 'p.yaml#/p'}]}}\n",
    );
    write("p.yaml", "p: {name: q, in: query, schema: {type: string}}\n");
    write(
        "o.yaml",
        "overlay: 1.1.0\ninfo: {title: o, version: '1'}\nactions: [{target: $.paths.*.get, update: {x-mcp-tool-name: saved}}]\n",
    );
    let workspace = Workspace::resolve(&options(&["a.yaml"], &["o.yaml"]), folder.path()).unwrap();
    let saved = load_with(&workspace, None, &mut reader("")).unwrap();
    let file = saved.overlays[0].files[0].clone();
    assert_eq!(file.path, Some(folder.path().canonicalize().unwrap().join("o.yaml")));
    assert_eq!((saved.overlays[0].trails.len(), file.name.as_str()), (1, "o.yaml"));
    for name in ["a.yaml", "p.yaml"] {
        write(name, "broken: [");
    }
    let draft = |text: Option<&str>| DraftText {
        path: file.path.clone().unwrap(),
        name: "o.yaml".into(),
        text: text.map(str::to_owned),
        upstream: None,
    };
    let mut holding = Reader { holds: true, ..reader("") };
    let text = "overlay: 1.1.0\ninfo: {title: o, version: '1'}\nactions: [{target: $.paths.*.get, update: {x-mcp-tool-name: drafted}}]\n";
    for (text, name) in [(Some(text), "drafted"), (None, "x")] {
        let drafted = with_drafts(&workspace, &[draft(text)], &holding);
        let derived = load_with(&drafted, Some(&saved), &mut holding).unwrap();
        assert_eq!(derived.catalog.tools[0].named.name, name);
        assert_eq!(derived.catalog.tools[0].operation.binding.len(), 1, "the part is still there");
        assert!(std::sync::Arc::ptr_eq(&derived.originals[0], &saved.originals[0]));
        assert!(["a.yaml", "p.yaml"].iter().all(|name| derived.files.iter().any(|file| file.ends_with(name))));
        // An edit of it is still one of the file.
        let known = derived.overlays[0].files.first().map(|overlay| overlay.path.clone());
        assert_eq!(known, text.map(|_| file.path.clone()));
    }
    assert!(load_with(&workspace, Some(&saved), &mut reader("")).is_err(), "without holding the files are read");
    // A file that no upstream names goes to the one that the draft names.
    let new = DraftText {
        path: folder.path().join("new.yaml"),
        upstream: Some(saved.catalog.upstreams[0].name.clone()),
        ..draft(Some(text))
    };
    let drafted = with_drafts(&workspace, &[new], &holding);
    assert_eq!(drafted.upstreams[0].overlays.len(), 2);
}
