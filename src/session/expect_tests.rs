#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::json;

use super::*;
use crate::proxy::from_json;
use crate::session::testing;
use crate::wire::ArgumentProblem;

const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: A, version: '1'}
paths:
  /a: {get: {operationId: typed, responses: {'200': {content: {application/json: {schema: {type: object}}}}}}}
  /b: {get: {operationId: untyped}}
";

/// The expectations of a case written as YAML.
fn expect(text: &str) -> Expect {
    let suite = testing::suite(&format!("cases:\n- tool: a\n  expect: {text}\n")).unwrap();
    suite.cases[0].1.expect.clone()
}

fn answer(status: u16, body: Json) -> Answer<'static> {
    let is_error = status >= 400;
    Answer {
        status: Some(status),
        is_error,
        body: Some(from_json(body)),
        text: if is_error { format!("HTTP {status} Not Found: gone") } else { String::new() },
        elapsed: Duration::from_millis(1500),
        drift: None,
        redactor: Redactor::default(),
    }
}

#[test]
fn expectations_hold_or_say_what_is_instead() {
    let (_, snapshot) = testing::load(DOCUMENT);
    let tool = snapshot.catalog.find("untyped").unwrap();
    let pet = || json!({"id": 7, "name": "Rex", "tags": ["a", "b"], "owner": null, "password": "hunter2", "f": 1.0});
    let cases: [(&str, Answer<'_>, Option<&str>); 34] = [
        ("{}", answer(200, pet()), None),
        ("{}", answer(404, json!({})), Some("HTTP 404 Not Found: gone")),
        ("{status: 404}", answer(404, json!({})), None),
        ("{status: 200}", answer(404, json!({})), Some("the status is 404: Not Found: gone")),
        ("{status: 2xx}", answer(204, pet()), None),
        ("{status: 2xx}", answer(301, pet()), Some("the status is 301")),
        ("{status: [201, 4xx]}", answer(422, pet()), None),
        ("{is_error: true}", answer(404, json!({})), None),
        ("{is_error: true}", answer(200, pet()), Some("the result is no error")),
        ("{is_error: false}", answer(404, json!({})), Some("the result is an error: HTTP 404 Not Found: gone")),
        ("{within: 2s}", answer(200, pet()), None),
        ("{within: 1s}", answer(200, pet()), Some("it took 1.5 s")),
        ("{jsonpath: [$.name]}", answer(200, pet()), None),
        ("{jsonpath: [$.gone]}", answer(200, pet()), Some("`$.gone` selects nothing")),
        ("{jsonpath: [{path: $.gone, exists: false}]}", answer(200, pet()), None),
        ("{jsonpath: [{path: $.id, exists: false}]}", answer(200, pet()), Some("`$.id` selects 7")),
        ("{jsonpath: [{path: $.id, equals: 7}]}", answer(200, pet()), None),
        ("{jsonpath: [{path: $.id, equals: 7.0}]}", answer(200, pet()), None),
        ("{jsonpath: [{path: $.f, equals: 1}]}", answer(200, pet()), None),
        ("{jsonpath: [{path: $.id, equals: '7'}]}", answer(200, pet()), Some("`$.id` is 7, not \"7\"")),
        ("{jsonpath: [{path: $.owner, equals: null}]}", answer(200, pet()), None),
        ("{jsonpath: [{path: $.tags, equals: [a, b]}]}", answer(200, pet()), None),
        ("{jsonpath: [{path: '$.tags[*]', equals: a}]}", answer(200, pet()), Some("`$.tags[*]` is \"b\", not \"a\"")),
        ("{jsonpath: [{path: $.gone, equals: 1}]}", answer(200, pet()), Some("`$.gone` selects nothing")),
        ("{jsonpath: [{path: '$.tags[*]', matches: '^[ab]$'}]}", answer(200, pet()), None),
        (
            "{jsonpath: [{path: $.name, matches: ^M}]}",
            answer(200, pet()),
            Some("`$.name` is \"Rex\", which does not match /^M/"),
        ),
        ("{jsonpath: [{path: '$.tags[*]', count: 2}]}", answer(200, pet()), None),
        ("{jsonpath: [{path: '$.tags[*]', count: 3}]}", answer(200, pet()), Some("`$.tags[*]` selects 2, not 3")),
        // What stands under the name of a secret is not shown.
        ("{jsonpath: [{path: $.password, equals: x}]}", answer(200, pet()), Some("`$.password` is \"***\", not \"x\"")),
        ("{jq: [.id == 7, '.tags | length == 2']}", answer(200, pet()), None),
        ("{jq: .id}", answer(200, pet()), Some("`.id` gives 7")),
        ("{jq: .id > 7}", answer(200, pet()), Some("`.id > 7` gives false")),
        ("{schema: true}", answer(200, pet()), Some("the document gives no schema for the answer")),
        ("{jsonpath: [$.a]}", Answer { body: None, ..answer(200, pet()) }, Some("the answer is no JSON")),
    ];
    for (text, answer, expected) in cases {
        let checks = judge(&expect(text), &answer, tool);
        assert!(!checks.is_empty(), "{text}");
        let wrong: Vec<&str> = checks.iter().filter(|check| !check.ok).map(|check| check.why.as_str()).collect();
        assert_eq!(wrong, expected.into_iter().collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn a_body_that_does_not_fit_is_drift_unless_nobody_asks() {
    let (_, snapshot) = testing::load(DOCUMENT);
    let tool = snapshot.catalog.find("typed").unwrap();
    let drift = Drift { problems: vec![ArgumentProblem::call("type", "must be object")], ..Drift::default() };
    for (text, is_error, expected) in [("{}", false, true), ("{schema: false}", false, false), ("{}", true, true)] {
        // With `response_validation_failure: fail` the result is an error for the drift alone.
        let answer = Answer { drift: Some(&drift), is_error, ..answer(200, json!([])) };
        let checks = judge(&expect(text), &answer, tool);
        assert_eq!(checks.iter().any(|check| check.drift), expected, "{text}");
        assert!(checks.iter().all(|check| check.ok || check.drift), "{text}: {checks:?}");
    }
}

#[test]
fn values_are_captured_by_path_and_by_jq() {
    let suite = testing::suite("cases:\n- {tool: a, capture: {a: $.id, b: '.tags[0]', c: '$.tags[*]', d: $.gone}}\n");
    let captures = suite.unwrap().cases[0].1.captures.clone();
    let answer = answer(200, json!({"id": 7, "tags": ["x", "y"]}));
    let found: Vec<Result<Json, String>> = captures.iter().map(|it| capture(it, &answer)).collect();
    let expected = [
        Ok(json!(7)),
        Ok(json!("x")),
        Err("`$.tags[*]` selects 2 values, and one is wanted".to_owned()),
        Err("`$.gone` selects nothing".to_owned()),
    ];
    assert_eq!(found, expected);
}
