//! Runs every vector of `fixtures/naming.json`: what each known naming system makes of an input.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use std::collections::BTreeSet;

use serde_json::Value;
use toolscope::naming::{
    Amendments, Claim, HiddenReason, NameInput, NameSource, Named, Outcome, Profile, check_server_id, name, name_text,
    settle, truncate_description,
};

type Section = (&'static str, fn(&Value) -> usize);

const SECTIONS: [Section; 16] = [
    ("slug", slug),
    ("operation_id", operation_id),
    ("empty_base", empty_base),
    ("prefixed_name", prefixed_name),
    ("truncate_description", descriptions),
    ("conduit_exposed_name", conduit_exposed_name),
    ("conduit_invalid_tool", conduit_invalid_tool),
    ("conduit_server_id", conduit_server_id),
    ("conduit_build", conduit_build),
    ("agents_normalize", agents_normalize),
    ("agents_path_fallback", agents_path_fallback),
    ("agents_full_name", agents_full_name),
    ("agents_collision", agents_collision),
    ("stitchkit", stitchkit),
    ("stitchkit_rejected", stitchkit_rejected),
    ("stitchkit_openapi", stitchkit_openapi),
];

#[test]
fn every_vector_of_every_profile() {
    let file: Value = serde_json::from_str(include_str!("../fixtures/naming.json")).unwrap();
    let present: BTreeSet<&str> = file.as_object().unwrap().keys().map(String::as_str).collect();
    let covered: BTreeSet<&str> = SECTIONS.iter().map(|(section, _)| *section).collect();
    assert_eq!(present, covered, "sections of the file and sections that run");
    for (section, run) in SECTIONS {
        let vectors = file[section].as_array().unwrap();
        assert!(!vectors.is_empty(), "{section} is empty");
        let checks: usize = vectors.iter().map(run).sum();
        assert!(checks >= vectors.len(), "{section} checks less than it has vectors");
        println!("{section}: {} vectors, {checks} checks", vectors.len());
    }
}

fn profile(name: &str) -> Profile {
    Profile::builtin(name).unwrap_or_else(|| panic!("no profile {name}"))
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap_or_else(|| panic!("{key} of {vector}"))
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// The expected base for each profile of a vector.
fn bases(vector: &Value, input: NameInput<'_>) -> usize {
    let profiles = vector["profiles"].as_object().unwrap();
    for (profile_name, expected) in profiles {
        let named = name(&profile(profile_name), &input);
        assert_eq!(named.base, expected.as_str().unwrap(), "{profile_name}: {vector}");
        consistent(&named);
    }
    profiles.len()
}

/// The trail is a chain from nothing to the name.
fn consistent(named: &Named) {
    assert_eq!(named.trail[0].stage, "source");
    assert_eq!(named.trail[0].before, "");
    for pair in named.trail.windows(2) {
        assert_eq!(pair[0].after, pair[1].before, "{named:?}");
    }
    if named.rejected.is_none() {
        assert_eq!(named.trail.last().unwrap().after, named.name, "{named:?}");
    }
}

fn slug(vector: &Value) -> usize {
    let (method, path) = (text(vector, "method"), text(vector, "path"));
    assert_eq!(path.contains('{'), vector["has_path_params"].as_bool().unwrap());
    bases(vector, NameInput { method, path, ..NameInput::default() })
}

fn operation_id(vector: &Value) -> usize {
    let operation_id = Some(text(vector, "operation_id"));
    bases(vector, NameInput { method: "GET", path: "/x", operation_id, ..NameInput::default() })
}

fn empty_base(vector: &Value) -> usize {
    let operation_id = text(vector, "operation_id");
    let input = NameInput {
        method: "GET",
        path: "/pets",
        operation_id: Some(operation_id),
        prefix: Some("shop"),
        ..NameInput::default()
    };
    let kept = name(&profile("mcp-anything"), &input);
    assert_eq!((kept.name.as_str(), kept.source), ("shop__", NameSource::OperationId));
    let fallen = name(&profile("default"), &input);
    assert_eq!((fallen.name.as_str(), fallen.source), ("shop__list_pets", NameSource::Slug));
    assert!(fallen.trail[0].rule.contains(operation_id), "{:?}", fallen.trail);
    assert!(fallen.warnings.iter().any(|(code, why)| *code == "name-source-empty" && why.contains(operation_id)));
    assert_eq!(fallen.candidates.operation_id, None);
    1 + bases(vector, input)
}

fn prefixed_name(vector: &Value) -> usize {
    let amendments = Amendments {
        separator: Some(text(vector, "separator").into()),
        max_length: Some(vector["max_length"].as_u64().unwrap() as usize),
        ..Amendments::default()
    };
    for profile_name in ["default", "mcp-anything"] {
        let profile = profile(profile_name).amended(&amendments).unwrap();
        let base = text(vector, "base");
        let input = NameInput {
            method: "GET",
            path: "/x",
            name_override: Some(base),
            prefix: Some(text(vector, "prefix")),
            ..NameInput::default()
        };
        let named = name(&profile, &input);
        assert_eq!(named.name, text(vector, "expected"), "{profile_name}: {vector}");
        assert_eq!(named.base, base);
        let whole = format!("{}{}", named.name, named.truncated.as_ref().map_or("", |truncated| &truncated.cut));
        assert_eq!(whole, format!("shop__{base}"));
        consistent(&named);
    }
    2
}

fn descriptions(vector: &Value) -> usize {
    let whole = text(vector, "text");
    let suffix = text(vector, "suffix");
    let (cut, rest) = truncate_description(whole, vector["max_length"].as_u64().unwrap() as usize, suffix);
    assert_eq!(cut, text(vector, "expected"), "{vector}");
    match rest {
        None => assert_eq!(cut, whole),
        Some(rest) => assert!(whole.ends_with(&rest) && !rest.is_empty(), "{vector}"),
    }
    1
}

/// The profile `conduit` with a global prefix; without namespace the server stands only in the hash.
fn conduit(global: &str, namespace: bool) -> Profile {
    let template = if namespace { "{global}{prefix}{separator}{base}" } else { "{global}{base}" };
    let file =
        format!("name = \"x\"\nextends = \"conduit\"\n[namespace]\ntemplate = \"{template}\"\nglobal = \"{global}\"\n");
    Profile::parse(&file, "x.toml").unwrap()
}

fn conduit_exposed_name(vector: &Value) -> usize {
    let profile = conduit(text(vector, "prefix"), vector["namespace"].as_bool().unwrap());
    let tool = text(vector, "tool");
    let server = Some(text(vector, "server"));
    let input =
        NameInput { method: "GET", path: "/x", name_override: Some(tool), prefix: server, ..NameInput::default() };
    for named in [name_text(&profile, NameSource::Override, tool, &input), name(&profile, &input)] {
        assert_eq!((named.name.as_str(), &named.rejected), (text(vector, "expected"), &None), "{vector}");
        consistent(&named);
    }
    2
}

fn conduit_invalid_tool(vector: &Value) -> usize {
    let tool = vector.as_str().unwrap();
    let input = NameInput { method: "GET", path: "/x", prefix: Some("files"), ..NameInput::default() };
    let named = name_text(&profile("conduit"), NameSource::Override, tool, &input);
    assert!(named.rejected.is_some(), "{vector}");
    assert_eq!(named.trail.last().unwrap().stage, "admit", "{vector}");
    let mut named = named;
    let claims = &mut [Claim { upstream: 0, input, named: &mut named, enabled: true }];
    let outcome = settle(&[&profile("conduit")], claims);
    assert_eq!(outcome.hidden.len(), 1);
    assert_eq!(outcome.hidden[0].reason, HiddenReason::Invalid);
    1
}

fn conduit_server_id(vector: &Value) -> usize {
    let reason = check_server_id(&profile("conduit"), text(vector, "id"));
    assert_eq!(reason.map_or("ok", |reason| reason.code()), text(vector, "result"), "{vector}");
    1
}

fn conduit_build(vector: &Value) -> usize {
    let mut tools: Vec<(usize, &str, &str)> = Vec::new();
    for (upstream, server) in vector["servers"].as_array().unwrap().iter().enumerate() {
        tools.extend(texts(&server[1]).into_iter().map(|tool| (upstream, server[0].as_str().unwrap(), tool)));
    }
    let profile = profile("conduit");
    let (names, outcome) = build(&profile, NameSource::Override, &tools);
    let hidden: BTreeSet<usize> = outcome.hidden.iter().map(|hidden| hidden.claim).collect();
    let shown: Vec<&String> =
        names.iter().enumerate().filter(|(at, _)| !hidden.contains(at)).map(|(_, name)| name).collect();
    assert_eq!(shown, texts(&vector["names"]));
    let word = |reason| if reason == HiddenReason::Conflict { "collision" } else { "invalid" };
    let rejected: Vec<_> = outcome
        .hidden
        .iter()
        .map(|hidden| serde_json::json!([tools[hidden.claim].1, tools[hidden.claim].2, word(hidden.reason)]))
        .collect();
    assert_eq!(Value::from(rejected), vector["rejected"]);
    let tool = |at: &usize| serde_json::json!([tools[*at].1, tools[*at].2]);
    let collisions: Vec<_> = outcome
        .conflicts
        .iter()
        .map(|conflict| serde_json::json!([conflict.name, conflict.claimants.iter().map(tool).collect::<Vec<_>>()]))
        .collect();
    assert_eq!(Value::from(collisions), vector["collisions"]);
    1
}

/// Names tools of (upstream, prefix, raw text) and settles them.
fn build(profile: &Profile, source: NameSource, tools: &[(usize, &str, &str)]) -> (Vec<String>, Outcome) {
    let input = |prefix| NameInput { method: "GET", path: "/x", prefix: Some(prefix), ..NameInput::default() };
    let mut named: Vec<Named> =
        tools.iter().map(|(_, prefix, raw)| name_text(profile, source, raw, &input(prefix))).collect();
    let mut claims: Vec<Claim<'_>> = named
        .iter_mut()
        .zip(tools)
        .map(|(named, (upstream, prefix, _))| Claim { upstream: *upstream, input: input(prefix), named, enabled: true })
        .collect();
    let upstreams = tools.iter().map(|tool| tool.0).max().unwrap() + 1;
    let outcome = settle(&vec![profile; upstreams], &mut claims);
    named.iter().for_each(consistent);
    (named.into_iter().map(|named| named.name).collect(), outcome)
}

fn agents_normalize(vector: &Value) -> usize {
    let operation_id = Some(text(vector, "input"));
    bases(vector, NameInput { method: "GET", path: "/x", operation_id, ..NameInput::default() })
}

fn agents_path_fallback(vector: &Value) -> usize {
    let input = NameInput { method: text(vector, "method"), path: text(vector, "path"), ..NameInput::default() };
    let named = name(&profile("agents"), &input);
    assert_eq!((named.name.as_str(), named.source), (text(vector, "expected"), NameSource::Slug), "{vector}");
    consistent(&named);
    1
}

fn agents_full_name(vector: &Value) -> usize {
    let input = NameInput {
        method: "GET",
        path: "/x",
        operation_id: Some(text(vector, "operation_id")),
        prefix: Some(text(vector, "toolbox")),
        ..NameInput::default()
    };
    for profile_name in ["agents", "agents@code"] {
        assert_eq!(name(&profile(profile_name), &input).name, text(vector, "expected"), "{profile_name}: {vector}");
    }
    2
}

fn agents_collision(vector: &Value) -> usize {
    let tools: Vec<_> = texts(&vector["names"]).into_iter().map(|raw| (0, "", raw)).collect();
    let (names, outcome) = build(&profile("agents"), NameSource::OperationId, &tools);
    assert_eq!(names, texts(&vector["expected"]), "{vector}");
    assert_eq!((outcome.conflicts.len(), outcome.hidden.len()), (1, 0));
    assert_eq!(outcome.conflicts[0].claimants, [0, 1, 2]);
    1
}

fn stitchkit(vector: &Value) -> usize {
    let named = contract(vector);
    assert_eq!((named.name.as_str(), &named.rejected), (text(vector, "expected"), &None), "{vector}");
    consistent(&named);
    1
}

fn contract(vector: &Value) -> Named {
    let input = NameInput {
        method: "GET",
        path: "/",
        operation_id: Some(text(vector, "method")),
        tag: Some(text(vector, "service")),
        ..NameInput::default()
    };
    name(&profile("stitchkit"), &input)
}

fn stitchkit_rejected(vector: &Value) -> usize {
    let named = contract(vector);
    assert!(named.rejected.as_ref().is_some_and(|why| why.contains(text(vector, "reason"))), "{vector}: {named:?}");
    consistent(&named);
    1
}

fn stitchkit_openapi(vector: &Value) -> usize {
    let connection = text(vector, "connection");
    let raw = texts(&vector["raw"]);
    let tools: Vec<_> = raw.iter().map(|raw| (0, connection, *raw)).collect();
    let (names, _) = build(&profile("stitchkit-openapi"), NameSource::OperationId, &tools);
    assert_eq!(names, texts(&vector["expected"]), "{vector}");
    if let Some((method, path)) = raw[0].split_once('_').filter(|(_, path)| path.starts_with('/')) {
        let input = NameInput { method, path, prefix: Some(connection), ..NameInput::default() };
        assert_eq!(name(&profile("stitchkit-openapi"), &input).name, texts(&vector["expected"])[0]);
        return 2;
    }
    1
}
