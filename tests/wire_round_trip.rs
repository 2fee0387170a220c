//! For random values and every style that OpenAPI has, a reader written from its rules finds the values that were sent.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wire_support;

use std::sync::LazyLock;

use proptest::prelude::*;
use toolscope::derive::Catalog;
use toolscope::wire::encode;
use wire_support::{check, derived, json};

const BASE: &str = "https://api.example.com/v1";

const PATH: [&str; 3] = ["simple", "label", "matrix"];
const QUERY: [&str; 5] = ["form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"];

/// One operation per place, style, explode and allowReserved.
fn rows() -> Vec<(&'static str, &'static str, bool, bool)> {
    let both = [false, true];
    let mut rows = Vec::new();
    for explode in both {
        for reserved in both {
            rows.extend(PATH.map(|style| ("path", style, explode, reserved)));
            rows.extend(QUERY.map(|style| ("query", style, explode, reserved)));
        }
        rows.push(("header", "simple", explode, false));
        rows.push(("cookie", "form", explode, false));
        rows.push(("cookie", "cookie", explode, false));
        rows.extend(QUERY.map(|style| ("field", style, explode, false)));
    }
    rows
}

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let operations = rows().into_iter().enumerate().map(|(at, (place, style, explode, reserved))| {
        let written = format!("style: {style}, explode: {explode}, allowReserved: {reserved}");
        let operation = if place == "field" {
            format!(
                "{{requestBody: {{content: {{application/x-www-form-urlencoded: {{schema: {{type: object, properties: {{'v x': {{}}}}}}, encoding: {{'v x': {{{written}}}}}}}}}}}, responses: {{}}}}"
            )
        } else {
            let required = place == "path";
            format!("{{parameters: [{{name: v-x, in: {place}, required: {required}, schema: {{}}, {written}}}], responses: {{}}}}")
        };
        let path = if place == "path" { format!("/o{at}/{{v-x}}/end/{{v-x}}") } else { format!("/o{at}") };
        format!("  {path}:\n    post: {operation}\n")
    });
    let bodies = "  /json: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {v: {}}}}}}, responses: {}}}
  /whole: {post: {requestBody: {content: {application/json: {schema: {}}}}, responses: {}}}
  /multipart: {post: {requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {v: {}}}}}}, responses: {}}}
  /plain-form: {post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {v: {}}}}}}, responses: {}}}
  /content: {post: {parameters: [{name: v, in: query, content: {application/json: {}}}, {name: w, in: header, content: {application/json: {}}}], responses: {}}}
";
    let paths: String = operations.collect();
    let text = format!("openapi: 3.2.0\ninfo: {{title: t, version: '1'}}\npaths:\n{paths}{bodies}");
    derived("styles.yaml", &text).unwrap()
});

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,12}".prop_map(|text| quoted(&text)),
        "[a-c,;=&|.+%/?# \\[\\]]{1,6}".prop_map(|text| quoted(&text)),
        "\\PC{0,6}".prop_map(|text| quoted(&text)),
        any::<i64>().prop_map(|number| number.to_string()),
        Just("1.10".to_owned()),
        Just("123456789012345678901234567890".to_owned()),
        any::<bool>().prop_map(|flag| flag.to_string()),
    ]
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::btree_map("[a-z][a-z=,. é]{0,3}", value, 1..4).prop_map(|map| {
        let members: Vec<String> = map.iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
        format!("{{{}}}", members.join(","))
    })
}

fn list(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec(value, 1..4).prop_map(|items| format!("[{}]", items.join(",")))
}

fn flat() -> impl Strategy<Value = String> {
    prop_oneof![scalar(), list(scalar()), object(scalar())]
}

fn nested() -> impl Strategy<Value = String> {
    let inner = prop_oneof![scalar(), list(scalar()), object(scalar())];
    prop_oneof![flat(), list(inner.boxed()), object(flat())]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_is_what_arrives(value in flat(), deep in nested()) {
        let rows = rows();
        let mut sent = 0;
        for tool in CATALOG.all() {
            let place = tool.operation.path.strip_prefix("/o").and_then(|rest| rest.split('/').next()?.parse::<usize>().ok());
            let style = place.map(|at| rows[at]);
            let value = match style {
                Some((_, style, ..)) if style != "deepObject" => &value,
                _ => &deep,
            };
            let names: Vec<String> = tool.operation.binding.iter().map(|row| quoted(&row.argument)).collect();
            let arguments: Vec<String> = names.iter().map(|name| format!("{name}:{value}")).collect();
            let arguments = json(&format!("{{{}}}", arguments.join(",")));
            match encode(tool, BASE, &arguments) {
                Ok(request) => {
                    sent += 1;
                    prop_assert!(request.url.is_ascii(), "{}", request.url);
                    let url = url::Url::parse(&request.url).unwrap();
                    prop_assert_eq!(url.as_str(), &request.url, "a client changes the URL");
                    let verdict = check(tool, &arguments, BASE, &request);
                    prop_assert!(verdict.is_ok(), "{style:?} {value}: {verdict:?}\n{request:?}");
                }
                Err(problems) => {
                    // Only what cannot be told apart is refused, and only where that can happen.
                    let rules = ["separator-in-item", "path-segment", "header-value", "cookie-value"];
                    prop_assert!(problems.iter().all(|problem| rules.contains(&problem.rule.as_str())), "{problems:?}");
                    let (place, style, explode, _) = style.expect("JSON takes everything");
                    let ambiguous = matches!(place, "header" | "cookie")
                        || matches!(style, "deepObject")
                        || (!explode && style.ends_with("Delimited"))
                        || problems.iter().all(|problem| problem.rule == "path-segment");
                    prop_assert!(ambiguous, "{place} {style} {explode} {value}: {problems:?}");
                }
            }
        }
        prop_assert!(sent >= 20, "almost everything was refused: {sent} for {value}");
    }

    #[test]
    fn a_path_value_never_leaves_its_segment(value in "[a./%?#\\\\ 2eE]{0,6}") {
        let tool = CATALOG.tools.iter().find(|tool| tool.operation.path.contains("v-x")).unwrap();
        let arguments = json(&format!("{{\"v-x\":{}}}", quoted(&value)));
        match encode(tool, BASE, &arguments) {
            Ok(request) => {
                let url = url::Url::parse(&request.url).unwrap();
                let segments: Vec<&str> = url.path_segments().unwrap().collect();
                prop_assert_eq!(segments.len(), 5, "{}", url);
                prop_assert_eq!(segments[3], "end");
                prop_assert!(url.query().is_none() && url.fragment().is_none());
            }
            Err(problems) => {
                prop_assert!(value.is_empty() || value == "." || value == "..", "{value:?}: {problems:?}");
            }
        }
    }
}
