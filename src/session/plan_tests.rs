#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use crate::session::testing;

const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: A, version: '1'}
servers: [{url: https://api.example.com}]
paths:
  /pets: {get: {operationId: list, tags: [pets]}, post: {operationId: create}}
  /hidden: {get: {operationId: gone, x-mcp-enabled: false}}
";
const SUITE: &str = "
name: s
setup: [{name: up, tool: create, write: true, capture: {id: $.id}}, {name: up2, tool: list}]
cases:
  - {name: one, tool: list, arguments: {a: '${id}'}}
  - {name: two, tool: list, capture: {x: $.x}}
  - {name: three, tool: list, arguments: {a: '${x}'}}
teardown: [{name: down, tool: create, write: true, arguments: {a: '${id}'}}, {name: down2, tool: list}]
";

fn environment(name: &str, production: bool, allow_writes: bool) -> Environment {
    let base_url = Some(format!("https://{name}.example.com"));
    Environment { name: name.to_owned(), base_url, production, allow_writes, headers: Vec::new(), auth: None }
}

fn policy() -> Policy {
    Policy {
        environments: vec![
            environment("staging", false, true),
            environment("test", false, false),
            environment("api", true, false),
        ],
        how_writes: "pass --allow-writes".to_owned(),
        how_production: "--allow-production allows it".to_owned(),
        ..Policy::default()
    }
}

fn plan(text: &str, policy: &Policy, selection: &Selection) -> Plan {
    let (_, snapshot) = testing::load(DOCUMENT);
    Plan::new(&[testing::suite(text).unwrap()], &snapshot.catalog, policy, selection)
}

/// Names with what they need and what they come after.
fn shape(plan: &Plan) -> Vec<(String, Vec<usize>, Vec<usize>)> {
    plan.items.iter().map(|item| (item.case.name.clone(), item.needs.clone(), item.after.clone())).collect()
}

#[test]
fn cases_come_after_what_they_need() {
    let whole = plan(SUITE, &Policy { mock: true, ..policy() }, &Selection::default());
    let row = |name: &str, needs: &[usize], after: &[usize]| (name.to_owned(), needs.to_vec(), after.to_vec());
    let expected = [
        row("up", &[], &[]),
        row("up2", &[0], &[]),
        row("one", &[0, 1], &[]),
        row("two", &[1], &[]),
        row("three", &[1, 3], &[]),
        row("down", &[], &[0, 1, 2, 3, 4]),
        row("down2", &[], &[0, 1, 2, 3, 4, 5]),
    ];
    assert_eq!((shape(&whole), whole.asked), (expected.to_vec(), 7));
    assert_eq!(whole.writes(), 2);
}

#[test]
fn a_chosen_case_brings_what_it_needs() {
    let names = |filter: &str| {
        let selection = Selection { filter: filter.to_owned(), only: None };
        let plan = plan(SUITE, &Policy { mock: true, ..policy() }, &selection);
        (shape(&plan).into_iter().map(|(name, ..)| name).collect::<Vec<_>>().join(" "), plan.asked)
    };
    let cases = [
        ("name:three", "up up2 two three down down2", 1),
        ("name:one", "up up2 one down down2", 1),
        ("nothing-like-it", "", 0),
        ("method:post", "up down down2", 2),
        ("tag:pets suite:s name:two", "up up2 two down down2", 1),
        ("/pets name:up2", "up up2 down down2", 1),
    ];
    for (filter, expected, asked) in cases {
        assert_eq!(names(filter), (expected.to_owned(), asked), "{filter}");
    }
    let only = Some(HashSet::from([("s".to_owned(), "two".to_owned())]));
    let plan = plan(SUITE, &Policy { mock: true, ..policy() }, &Selection { filter: String::new(), only });
    assert_eq!(shape(&plan)[2], ("two".to_owned(), vec![1], vec![]));
}

#[test]
fn writes_need_a_case_and_a_place_that_allow_them() {
    let written = |write: bool, environment: &str| {
        let environment = if environment.is_empty() { String::new() } else { format!(", environment: {environment}") };
        format!("cases: [{{tool: create, write: {write}{environment}}}]\n")
    };
    let (mock, allowed) = (Policy { mock: true, ..policy() }, Policy { allow_writes: true, ..policy() });
    let production = Policy { allow_production: true, ..policy() };
    let chosen = Policy { environment: Some("api".to_owned()), ..allowed.clone() };
    let cases: [(String, &Policy, Option<&str>); 12] = [
        (written(false, ""), &mock, Some("POST may change something; the case has to say `write: true`")),
        (written(true, ""), &mock, None),
        (written(true, "staging"), &policy(), None),
        (written(false, "staging"), &policy(), Some("POST may change something; the case has to say `write: true`")),
        (
            written(true, "test"),
            &policy(),
            Some(
                "the environment `test` does not allow writes; set `allow_writes: true` there, or pass --allow-writes",
            ),
        ),
        (written(true, "test"), &allowed, None),
        // The workspace's own address is that of production.
        (
            written(true, ""),
            &allowed,
            Some("`api` is production, where nothing is written; --allow-production allows it"),
        ),
        (
            written(true, "api"),
            &policy(),
            Some("`api` is production, where nothing is written; --allow-production allows it"),
        ),
        (
            written(true, "api"),
            &allowed,
            Some("`api` is production, where nothing is written; --allow-production allows it"),
        ),
        (written(true, "api"), &production, None),
        // What is chosen for the run goes over what the case says.
        (
            written(true, "staging"),
            &chosen,
            Some("`api` is production, where nothing is written; --allow-production allows it"),
        ),
        ("cases: [{tool: list, environment: api}]\n".to_owned(), &policy(), None),
    ];
    for (text, policy, expected) in cases {
        let plan = plan(&text, policy, &Selection::default());
        let expected = expected.map(|why| Refusal::Skip(why.to_owned()));
        assert_eq!(plan.items[0].refusal, expected, "{text}");
    }
    let none = Policy { environments: Vec::new(), ..policy() };
    let unknown = plan(&written(true, ""), &none, &Selection::default());
    assert!(
        matches!(&unknown.items[0].refusal, Some(Refusal::Skip(why)) if why.starts_with("nothing says that the API may be written to"))
    );
}

#[test]
fn what_is_not_there_fails() {
    let cases = [
        ("cases: [{tool: lst}]\n", "there is no tool `lst`; did you mean `list`?"),
        ("cases: [{tool: gone}]\n", "`gone` is not exposed: "),
        ("cases: [{tool: list, environment: stagin}]\n", "there is no environment `stagin`; did you mean `staging`?"),
    ];
    for (text, expected) in cases {
        let plan = plan(text, &policy(), &Selection::default());
        let Some(Refusal::Fail(why)) = &plan.items[0].refusal else { panic!("{text}") };
        assert!(why.starts_with(expected), "{why}");
    }
    let skipped = plan("cases: [{tool: lst, skip: later}]\n", &policy(), &Selection::default());
    assert_eq!(skipped.items[0].refusal, Some(Refusal::Skip("later".to_owned())));
}
