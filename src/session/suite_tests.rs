#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use crate::session::testing;

const WHOLE: &str = "
name: pets
environment: staging
setup:
  - {name: create, tool: POST /pets, write: true, arguments: {name: Rex}, expect: {status: [200, 201]}, capture: {id: $.id, label: '.name + \"!\"'}}
cases:
  - name: read
    tool: getPet
    arguments: {petId: '${id}', note: 'of ${label}'}
    within: 2s
    expect:
      status: 2xx
      is_error: false
      schema: true
      jsonpath:
        - $.name
        - {path: $.id, equals: 7}
        - {path: $.owner, exists: false}
        - {path: $.name, matches: ^R}
        - {path: '$.tags[*]', count: 2}
        - {path: $.gone, equals: null}
      jq: .id > 0
  - {tool: listPets, skip: not now, environment: test}
teardown:
  - {name: delete, tool: 'DELETE /pets/{id}', write: true, arguments: {id: '${id}'}}
";

#[test]
fn everything_of_a_suite_is_read() {
    let suite = testing::suite(WHOLE).unwrap();
    assert_eq!((&*suite.name, suite.environment.as_deref()), ("pets", Some("staging")));
    let found: Vec<(Role, &str, &str)> =
        suite.cases.iter().map(|(role, case)| (*role, case.name.as_str(), case.at.as_str())).collect();
    let expected = [
        (Role::Setup, "create", "a.suite.yaml:5"),
        (Role::Case, "read", "a.suite.yaml:7"),
        (Role::Case, "listPets", "a.suite.yaml:23"),
        (Role::Teardown, "delete", "a.suite.yaml:25"),
    ];
    assert_eq!(found, expected);
    let (_, create) = &suite.cases[0];
    assert!(create.write && create.captures.len() == 2);
    assert_eq!(create.expect.status, [StatusRule::Exactly(200), StatusRule::Exactly(201)]);
    let (_, read) = &suite.cases[1];
    assert_eq!(read.needs(), ["id", "label"]);
    assert_eq!((read.expect.within, read.expect.is_error), (Some(Duration::from_secs(2)), Some(false)));
    assert_eq!((read.expect.paths.len(), read.expect.jq.len()), (6, 1));
    assert!(matches!(read.expect.paths[5].test, Test::Equals(Json::Null)));
    assert_eq!(suite.cases[2].1.skip.as_deref(), Some("not now"));
}

#[test]
fn what_is_wrong_has_its_line() {
    let cases: [(&str, &[&str]); 14] = [
        ("cases:\n- {tool: a, expects: {}}\n", &["2: `cases[0].expects` is no key that is known here"]),
        (
            "cases:\n- {tool: a, expect: {statuses: 200}}\n",
            &["2: `cases[0].expect.statuses` is no key that is known here"],
        ),
        ("case: []\n", &["1: the suite has no cases", "1: `case` is no key that is known here"]),
        ("cases:\n- {name: x}\n", &["2: the case names no tool"]),
        ("cases:\n- {tool: a}\n- {tool: a}\n", &["3: two cases of the suite are named `a`"]),
        ("cases:\n- {tool: a, expect: {status: 20}}\n", &["2: `status` is `20`, which is no status"]),
        ("cases:\n- {tool: a, expect: {status: [200, 9xx]}}\n", &["2: `status` is `9xx`, which is no status"]),
        ("cases:\n- {tool: a, within: soon}\n", &["2: `within` is `soon`, which is no duration"]),
        ("cases:\n- {tool: a, arguments: [1]}\n", &["2: `cases[0].arguments` is a list, not a map"]),
        (
            "cases:\n- tool: a\n  expect:\n    jsonpath:\n    - {path: '$.a', equals: 1, count: 2}\n",
            &["5: one path is tested for several things"],
        ),
        (
            "cases:\n- tool: a\n  arguments: {x: '${idd}'}\n- {tool: b, capture: {id: $.id}}\n",
            &["3: `a` uses `${idd}`, which no case captures"],
        ),
        (
            "cases:\n- tool: a\n  arguments: {x: '${id}'}\n- {tool: b, capture: {id: $.id}}\n",
            &["3: `a` uses `${id}`, which no case before it captures"],
        ),
        ("cases:\n- {tool: a, capture: {a b: $.id}}\n", &["2: `a b` is no name for a variable"]),
        ("cases: {}\n", &["1: `cases` is a map, not a list"]),
    ];
    for (text, expected) in cases {
        assert_eq!(testing::suite(text).unwrap_err(), expected, "{text}");
    }
    for (text, start) in [
        ("cases:\n- {tool: a, expect: {jsonpath: ['$.[']}}\n", "2: `$.[` is no JSONPath"),
        ("cases:\n- {tool: a, expect: {jq: '.a ['}}\n", "2: `.a [` is no jq"),
        ("cases:\n- {tool: a, expect: {jsonpath: [{path: $.a, matches: '('}]}}\n", "2: `(` is no regular expression"),
    ] {
        let found = testing::suite(text).unwrap_err();
        assert!(found.len() == 1 && found[0].starts_with(start), "{found:?}");
    }
}
