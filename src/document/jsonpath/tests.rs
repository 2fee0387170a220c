#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Query, normalized};
use crate::document::Node;
use crate::document::testing::from_json;

const SUITE: &str = include_str!("../../../fixtures/conformance/jsonpath/cts.json");

/// Values and normalised paths of the nodes selected.
fn run(selector: &str, document: &Node) -> (Vec<Node>, Vec<String>) {
    let hits = Query::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}")).select(document);
    hits.into_iter().map(|(pointer, node)| (node.clone(), normalized(&pointer))).unzip()
}

#[test]
fn the_compliance_suite_passes() {
    let suite: Json = serde_json::from_str(SUITE).unwrap();
    let cases = suite["tests"].as_array().unwrap();
    assert_eq!(cases.len(), 703);
    let mut failures = Vec::new();
    for case in cases {
        let (name, selector) = (&case["name"], case["selector"].as_str().unwrap());
        if case["invalid_selector"] == json!(true) {
            if let Ok(query) = Query::parse(selector) {
                failures.push(format!("{name}: {selector:?} was accepted as {query:?}"));
            }
            continue;
        }
        if let Err(error) = Query::parse(selector) {
            failures.push(format!("{name}: {selector:?} was refused: {error}"));
            continue;
        }
        let (values, paths) = run(selector, &from_json(&case["document"]));
        let either = |one: &str, many: &str| match case.get(many) {
            Some(alternatives) => alternatives.as_array().unwrap().clone(),
            None => vec![case[one].clone()],
        };
        let as_nodes = |alternative: &Json| from_json(alternative).items().cloned().collect::<Vec<_>>();
        let values_fit = either("result", "results").iter().any(|wanted| as_nodes(wanted) == values);
        let paths_fit = either("result_paths", "results_paths").contains(&json!(paths));
        if !values_fit || !paths_fit {
            failures.push(format!("{name}: {selector:?} gave {paths:?}"));
        }
    }
    assert!(failures.is_empty(), "{} of 703 fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn slips_get_a_remedy() {
    let cases = [
        ("$.x-foo", 3, "use ['x-foo'] instead of .x-foo"),
        ("$..x-foo", 4, "write ['x-foo'] after .."),
        ("$.paths./pets.get", 8, "write ['/pets']"),
        ("$.paths.*.get[?@.x-oai-traits.paged]", 18, "use ['x-oai-traits']"),
        ("$.servers[?@.description==Dev]", 26, "text is quoted: 'Dev'"),
        ("$.servers[?@.description='Dev']", 24, "write =="),
        ("$.servers[?@.a == 'b' and @.c]", 22, "write &&"),
        ("$.servers[?@.a == 'b' & @.c]", 22, "write &&"),
        ("$.servers[?@.a || @.b | @.c]", 22, "write ||"),
        ("$.servers[?@.a =~ /x/]", 15, "match("),
        ("$.servers[@.a]", 10, "[?@.name]"),
        ("$.servers[(@.length-1)]", 10, "[-1]"),
        ("$.paths[/pets]", 8, "a name is quoted: ['/pets']"),
        ("$.servers[0", 11, "add `]`"),
        ("$['a' 'b']", 6, "comma"),
        ("paths.x", 0, "write $.paths.x"),
        ("#/paths/~1pets/get", 0, "$.paths['/pets'].get"),
        ("$.a ", 3, "take them away"),
        (" $.a", 0, "blanks before it"),
        ("$.info.title~", 12, "target the node above"),
        ("$.'a'", 2, "['name']"),
        ("$..", 3, "..*"),
        ("$.", 2, "take the last dot away"),
        ("$[?@.a == True]", 10, "write true"),
        ("$[?not @.a]", 3, "write !"),
        ("$[?!@.a == 1]", 3, "write !="),
        ("$[?length(@.a)]", 3, "length(…) > 0"),
        ("$[?@.* == 1]", 3, "count() or value()"),
        ("$[?starts_with(@.a, 'x')]", 3, "length, count, value, match and search"),
        ("$[?count(1) > 2]", 9, "count(query)"),
        ("$[?match(@.a, 'x') == true]", 3, "match(…) alone"),
        ("$[?@.a == 01]", 10, "as in JSON"),
        ("$[?@.tags contains 'x']", 10, "no such operator"),
        ("$[?@.a == 'x]", 10, "close it"),
    ];
    for (text, offset, remedy) in cases {
        let error = Query::parse(text).expect_err(text);
        let told = error.remedy.clone().unwrap_or_default();
        assert!(told.contains(remedy), "{text}: {error:?}");
        assert_eq!(error.offset, offset, "{text}: {error:?}");
    }
}

#[test]
fn a_literal_pattern_that_is_none_is_remarked() {
    let query = Query::parse("$[?match(@.a, '(')]").unwrap();
    assert_eq!(query.remarks().len(), 1);
    assert_eq!(query.remarks()[0].offset, 14);
    assert!(query.locate(&from_json(&json!([{"a": "("}]))).is_empty());
    assert!(Query::parse("$[?match(@.a, 'x')]").unwrap().remarks().is_empty());
}

#[test]
fn work_and_nesting_are_bounded() {
    let wide = from_json(&Json::Array((0..200).map(|i| json!({"a": i})).collect()));
    let costly = Query::parse("$[?$[?$[?@.a == 'x']]]").unwrap();
    assert!(costly.locate_within(&wide, 10_000).is_err());
    assert_eq!(Query::parse("$[*].a").unwrap().locate_within(&wide, 10_000).unwrap().len(), 200);

    let refused = [
        "$[?".to_owned() + &"(".repeat(10_000),
        "$".to_owned() + &"[?@".repeat(5000),
        "$".to_owned() + &".a".repeat(5000),
        "$[?".to_owned() + &"!".repeat(5000),
        "$[?".to_owned() + &"length(".repeat(2000),
        "$".to_owned() + &".a".repeat(50_000),
    ];
    for text in &refused {
        assert!(Query::parse(text).is_err());
    }

    let deep = |levels: usize| from_json(&(0..levels).fold(json!(1), |inner, _| json!({ "a": inner })));
    assert_eq!(Query::parse("$..*").unwrap().locate(&deep(500)).len(), 500);
    assert_eq!(Query::parse("$..a..a").unwrap().locate(&deep(100)).len(), 100 * 99 / 2);

    // The most segments in the most filters, each from the root.
    let steps = "[*]".repeat(127);
    let longest = format!("${}{}", format!("{steps}[?$").repeat(8), "]".repeat(8));
    let list = (0..130).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(Query::parse(&longest).unwrap().locate(&from_json(&list)).len(), 1);
}

#[test]
fn exact_queries_are_known_by_their_form() {
    let cases =
        [("$", Some("")), ("$.a['b'][0]", Some("/a/b/0")), ("$.a[-1]", None), ("$..a", None), ("$.a['b','c']", None)];
    for (text, pointer) in cases {
        assert_eq!(Query::parse(text).unwrap().exact().map(|p| p.to_string()).as_deref(), pointer, "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\$?[\\$@.\\[\\]?()'\"ab0-9é!=<>&|,:* \\\\-]{0,40}") {
        if let Err(error) = Query::parse(&text) {
            prop_assert!(text.get(error.offset..).is_some());
        }
    }
}
