//! Names claimed more than once, and prefixes: every policy, every scope, every reason.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use toolscope::naming::{
    Amendments, Claim, CollisionPolicy, HiddenReason, MadeBy, NameInput, Named, Outcome, PrefixClaim, PrefixReason,
    Profile, check_prefixes, name, settle,
};

fn profile(name: &str) -> Profile {
    Profile::builtin(name).unwrap()
}

fn with(name: &str, policy: CollisionPolicy, max_length: Option<usize>) -> Profile {
    let amendments = Amendments { conflict: Some(policy), max_length, ..Amendments::default() };
    profile(name).amended(&amendments).unwrap()
}

fn operation(path: &'static str, operation_id: &'static str) -> NameInput<'static> {
    NameInput { method: "GET", path, operation_id: Some(operation_id), ..NameInput::default() }
}

/// Names all and settles them: names as they are afterwards, and what was done.
fn settled(profiles: &[&Profile], inputs: &[(usize, NameInput<'static>)]) -> (Vec<Named>, Outcome) {
    let mut named: Vec<Named> = inputs.iter().map(|(upstream, input)| name(profiles[*upstream], input)).collect();
    let mut claims: Vec<Claim<'_>> = named
        .iter_mut()
        .zip(inputs)
        .map(|(named, (upstream, input))| Claim { upstream: *upstream, input: *input, named, enabled: true })
        .collect();
    let outcome = settle(profiles, &mut claims);
    (named, outcome)
}

fn names(named: &[Named]) -> Vec<&str> {
    named.iter().map(|named| named.name.as_str()).collect()
}

fn hidden(outcome: &Outcome) -> Vec<(usize, HiddenReason)> {
    outcome.hidden.iter().map(|hidden| (hidden.claim, hidden.reason)).collect()
}

#[test]
fn each_policy_does_what_it_says() {
    let inputs = [
        (0, operation("/1", "a.b")),
        (0, operation("/2", "other")),
        (0, operation("/3", "a_b")),
        (0, operation("/4", "a/b")),
    ];
    let conflict = HiddenReason::Conflict;
    let cases = [
        (CollisionPolicy::Error, vec!["a_b", "other", "a_b", "a_b"], vec![]),
        (CollisionPolicy::FirstWins, vec!["a_b", "other", "a_b", "a_b"], vec![(2, conflict), (3, conflict)]),
        (CollisionPolicy::Skip, vec!["a_b", "other", "a_b", "a_b"], vec![(0, conflict), (2, conflict), (3, conflict)]),
        (CollisionPolicy::Suffix, vec!["a_b", "other", "a_b_2", "a_b_3"], vec![]),
    ];
    for (policy, expected, gone) in cases {
        let (named, outcome) = settled(&[&with("default", policy, None)], &inputs);
        assert_eq!(names(&named), expected, "{policy:?}");
        assert_eq!(hidden(&outcome), gone, "{policy:?}");
        let [conflict] = &outcome.conflicts[..] else { panic!("{outcome:?}") };
        assert_eq!((conflict.name.as_str(), conflict.policy, conflict.made_by), ("a_b", policy, MadeBy::Sanitising));
        assert_eq!(conflict.claimants, [0, 2, 3]);
    }
}

#[test]
fn a_hidden_tool_is_told_who_has_its_name() {
    let inputs = [(0, operation("/1", "x")), (0, operation("/2", "x"))];
    let (_, outcome) = settled(&[&with("default", CollisionPolicy::FirstWins, None)], &inputs);
    let why = &outcome.hidden[0].why;
    assert!(why.contains("`x`") && why.contains("GET `/1`") && why.contains("first_wins"), "{why}");
}

#[test]
fn a_hash_names_every_claimant_whatever_the_order() {
    let profile = with("default", CollisionPolicy::Hash, None);
    let mut inputs = [(0, operation("/1", "x")), (0, operation("/2", "x")), (0, operation("/3", "y"))];
    let (before, _) = settled(&[&profile], &inputs);
    inputs.reverse();
    let (mut after, _) = settled(&[&profile], &inputs);
    after.reverse();
    assert_eq!(names(&before), names(&after));
    assert_eq!(before[2].name, "y");
    assert!(before[..2].iter().all(|named| named.name.len() == "x_123456".len()), "{:?}", names(&before));
    assert_ne!(before[0].name, before[1].name);
    assert_eq!(before[0].trail.last().unwrap().stage, "collide");
}

#[test]
fn a_number_that_meets_another_name_is_counted_on() {
    let ids = ["x", "x", "x_2", "x", "x_2_2"];
    let inputs: Vec<_> = ids.iter().map(|id| (0, operation("/1", id))).collect();
    let (named, outcome) = settled(&[&with("default", CollisionPolicy::Suffix, None)], &inputs);
    assert_eq!(names(&named), ["x", "x_2", "x_2_2", "x_3", "x_2_2_2"]);
    let claimed: Vec<_> = outcome.conflicts.iter().map(|conflict| (&*conflict.name, &conflict.claimants[..])).collect();
    assert_eq!(claimed, [("x", &[0, 1, 3][..]), ("x_2", &[1, 2]), ("x_2_2", &[2, 4])]);
}

#[test]
fn numbers_and_hashes_stay_within_the_limit() {
    let inputs: Vec<_> = ["abcdefgh1", "abcdefgh2", "abcdefgh3"].iter().map(|id| (0, operation("/1", id))).collect();
    let (named, outcome) = settled(&[&with("default", CollisionPolicy::Suffix, Some(8))], &inputs);
    assert_eq!(names(&named), ["abcdefgh", "abcdef_2", "abcdef_3"]);
    assert_eq!(outcome.conflicts[0].made_by, MadeBy::Truncation);
    let (named, _) = settled(&[&with("default", CollisionPolicy::Hash, Some(8))], &inputs);
    assert!(named.iter().all(|named| named.name.starts_with("a_") && named.name.len() == 8), "{:?}", names(&named));
    let (_, outcome) = settled(&[&with("default", CollisionPolicy::Hash, Some(7))], &inputs);
    assert_eq!(hidden(&outcome), [0, 1, 2].map(|at| (at, HiddenReason::Invalid)));
    assert!(outcome.hidden[0].why.contains("no room"), "{outcome:?}");
}

#[test]
fn what_made_a_conflict_is_told() {
    let cases = [
        ([operation("/1", "x"), operation("/2", "x")], None, MadeBy::SameSource),
        ([operation("/1", "x."), operation("/2", "x")], None, MadeBy::Sanitising),
        ([operation("/1", "abcd"), operation("/2", "abce")], Some(3), MadeBy::Truncation),
        ([operation("/1", "abc"), operation("/2", "abcd")], Some(3), MadeBy::Truncation),
        ([operation("/1", "abcd"), operation("/2", "abcd")], Some(3), MadeBy::SameSource),
        ([operation("/1", "abcd"), operation("/2", "abcd.")], Some(3), MadeBy::Sanitising),
    ];
    for (inputs, max, expected) in cases {
        let profile = with("default", CollisionPolicy::Error, max);
        let (_, outcome) = settled(&[&profile], &inputs.map(|input| (0, input)));
        assert_eq!(outcome.conflicts[0].made_by, expected, "{inputs:?}");
    }
}

#[test]
fn scopes_within_and_across_upstreams() {
    let inputs = [(0, operation("/1", "x")), (0, operation("/2", "x")), (1, operation("/3", "x"))];
    // Numbered within each upstream; across them it is an error.
    let agents = profile("agents");
    let (named, outcome) = settled(&[&agents, &agents], &inputs);
    assert_eq!(names(&named), ["x", "x_2", "x"]);
    let told: Vec<_> = outcome.conflicts.iter().map(|conflict| (conflict.policy, &conflict.claimants[..])).collect();
    assert_eq!(told, [(CollisionPolicy::Suffix, &[0, 1][..]), (CollisionPolicy::Error, &[0, 2])]);
    // A workspace's policy holds within; across this proxy always refuses.
    let proxy = with("mcp-anything", CollisionPolicy::FirstWins, None);
    let (_, outcome) = settled(&[&proxy, &proxy], &inputs);
    assert_eq!(hidden(&outcome), [(1, HiddenReason::Conflict)]);
    assert_eq!(outcome.conflicts[1].policy, CollisionPolicy::Error);
    assert_eq!(outcome.conflicts[1].claimants, [0, 2]);
    // One policy for all is one conflict.
    let default = profile("default");
    let (_, outcome) = settled(&[&default, &default], &inputs);
    assert_eq!(outcome.conflicts.len(), 1);
    assert_eq!(outcome.conflicts[0].claimants, [0, 1, 2]);
    let kit = profile("stitchkit-openapi");
    let (named, _) = settled(&[&kit, &kit], &inputs);
    assert_eq!(names(&named), ["x", "x_2", "x_3"]);
}

#[test]
fn what_is_not_exposed_claims_nothing_and_refused_tools_are_reported_in_order() {
    let conduit = profile("conduit");
    let inputs = ["a.b", "a_b", "a b", "c"].map(|id| NameInput {
        method: "GET",
        path: "/x",
        name_override: Some(id),
        ..NameInput::default()
    });
    let mut named: Vec<Named> = inputs.iter().map(|input| name(&conduit, input)).collect();
    let mut run = |first: bool| {
        let mut claims: Vec<Claim<'_>> = named
            .iter_mut()
            .zip(inputs)
            .enumerate()
            .map(|(at, (named, input))| Claim { upstream: 0, input, named, enabled: at != 0 || first })
            .collect();
        hidden(&settle(&[&conduit], &mut claims))
    };
    let (conflict, invalid) = (HiddenReason::Conflict, HiddenReason::Invalid);
    assert_eq!(run(true), [(0, conflict), (1, conflict), (2, invalid)]);
    assert_eq!(run(false), [(2, invalid)]);
}

#[test]
fn twenty_thousand_tools_are_settled() {
    const COUNT: usize = 20_000;
    let policies = [
        CollisionPolicy::Error,
        CollisionPolicy::FirstWins,
        CollisionPolicy::Skip,
        CollisionPolicy::Suffix,
        CollisionPolicy::Hash,
    ];
    // All of one name, and pairs of names that differ only where a number would stand.
    let same = vec![String::from("x"); COUNT];
    let near: Vec<String> = (0..COUNT).map(|at| format!("{}{:05}", "y".repeat(59), at / 2)).collect();
    for (ids, policy) in [same, near].iter().flat_map(|ids| policies.map(|policy| (ids, policy))) {
        let profile = with("default", policy, Some(64));
        let mut named: Vec<Named> = Vec::new();
        let template = name(&profile, &operation("/1", "x"));
        named.extend(ids.iter().map(|id| Named { name: id.clone(), base: id.clone(), ..template.clone() }));
        let paths: Vec<String> = (0..COUNT).map(|at| format!("/{at}")).collect();
        let mut claims: Vec<Claim<'_>> = named
            .iter_mut()
            .zip(&paths)
            .map(|(named, path)| {
                let input = NameInput { method: "GET", path, ..NameInput::default() };
                Claim { upstream: 0, input, named, enabled: true }
            })
            .collect();
        let outcome = settle(&[&profile], &mut claims);
        assert_eq!(outcome.conflicts.iter().map(|conflict| conflict.claimants.len()).sum::<usize>(), COUNT);
        if matches!(policy, CollisionPolicy::Suffix | CollisionPolicy::Hash) {
            let mut names = names(&named);
            names.sort_unstable();
            names.dedup();
            assert_eq!((names.len(), outcome.hidden.len()), (COUNT, 0), "{policy:?}");
            assert!(names.iter().all(|name| name.len() <= 64));
        }
    }
}

/// The reasons that a set of prefixes raises, with the upstreams concerned.
fn issues(profile: &Profile, prefixes: &[(Option<&str>, bool)]) -> Vec<(PrefixReason, Vec<usize>)> {
    let claims: Vec<_> = prefixes
        .iter()
        .map(|(prefix, enabled)| PrefixClaim { upstream: "u", prefix: *prefix, enabled: *enabled })
        .collect();
    let issues = check_prefixes(&vec![profile; claims.len()], &claims);
    assert!(issues.iter().all(|issue| !issue.message.is_empty() && !issue.remedy.is_empty()));
    issues.into_iter().map(|issue| (issue.reason, issue.upstreams)).collect()
}

#[test]
fn prefixes_are_checked_before_any_tool() {
    use PrefixReason::*;
    let default = profile("default");
    let on = |prefix| (Some(prefix), true);
    type Case<'a> = (Vec<(Option<&'a str>, bool)>, Vec<(PrefixReason, Vec<usize>)>);
    let cases: Vec<Case<'_>> = vec![
        (vec![on("shop")], vec![]),
        (vec![(None, true)], vec![]),
        (vec![on("shop"), on("pay")], vec![]),
        (vec![on("shop"), on("shop")], vec![(Duplicate, vec![0, 1])]),
        (vec![on("shop"), (Some("shop"), false)], vec![]),
        (vec![on("shop"), (None, false)], vec![]),
        (vec![on("shop"), (None, true)], vec![(Missing, vec![1])]),
        (vec![on(""), (None, true)], vec![(Missing, vec![0]), (Missing, vec![1])]),
        (vec![on("a__b")], vec![(ContainsSeparator, vec![0])]),
        (vec![on("_a")], vec![(EdgeUnderscore, vec![0])]),
        (vec![on("b"), on("a_"), on("a")], vec![(EdgeUnderscore, vec![1]), (Meets, vec![1, 2])]),
        (vec![on("ab"), on("a")], vec![]),
    ];
    for (prefixes, expected) in cases {
        assert_eq!(issues(&default, &prefixes), expected, "{prefixes:?}");
    }
    assert!(Duplicate.is_error() && Missing.is_error() && !Meets.is_error() && !ContainsSeparator.is_error());
}

#[test]
fn a_profile_has_rules_for_prefixes_of_its_own() {
    use PrefixReason::*;
    let conduit = profile("conduit");
    let one = |prefix| issues(&conduit, &[(Some(prefix), true)]);
    assert_eq!(one("Files"), [(InvalidFormat, vec![0])]);
    assert_eq!(one("git__hub"), [(DoubleUnderscore, vec![0])]);
    assert_eq!(one("git_"), [(TrailingUnderscore, vec![0])]);
    assert_eq!(one("files"), []);
    // Where prefixes are cleaned, those that become one are one.
    let agents = profile("agents");
    assert_eq!(issues(&agents, &[(Some("my-api"), true), (Some("my.api"), true)]), [(Duplicate, vec![0, 1])]);
}
