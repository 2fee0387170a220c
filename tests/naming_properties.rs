//! What holds for every input in every profile.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proptest::prelude::*;
use toolscope::naming::rules::{LengthRule, OnFailure};
use toolscope::naming::{
    Amendments, Claim, CollisionPolicy, NameInput, Named, Profile, name, settle, truncate_description,
};

static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(Profile::builtins);

const POLICIES: [CollisionPolicy; 5] = [
    CollisionPolicy::Error,
    CollisionPolicy::FirstWins,
    CollisionPolicy::Skip,
    CollisionPolicy::Suffix,
    CollisionPolicy::Hash,
];

/// Every profile with every policy and a short limit, so that collisions of every kind happen.
static AMENDED: LazyLock<Vec<(CollisionPolicy, Profile)>> = LazyLock::new(|| {
    let amended = |profile: &Profile, policy: CollisionPolicy, max: usize| {
        let amendments = Amendments { conflict: Some(policy), max_length: Some(max), ..Amendments::default() };
        (policy, profile.amended(&amendments).unwrap())
    };
    let each = |profile| POLICIES.map(|policy| [amended(profile, policy, 20), amended(profile, policy, 0)]);
    PROFILES.iter().flat_map(each).flatten().collect()
});

static PATTERNS: LazyLock<BTreeMap<String, regex::Regex>> = LazyLock::new(|| {
    let patterns = PROFILES.iter().map(|profile| profile.rules().assert.pattern.clone());
    patterns.map(|text| (text.clone(), regex::Regex::new(&format!(r"\A(?:{text})\z")).unwrap())).collect()
});

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Owned {
    method: String,
    path: String,
    operation_id: Option<String>,
    name_override: Option<String>,
    tag: Option<String>,
    prefix: Option<String>,
}

impl Owned {
    fn input(&self) -> NameInput<'_> {
        NameInput {
            method: &self.method,
            path: &self.path,
            operation_id: self.operation_id.as_deref(),
            name_override: self.name_override.as_deref(),
            tag: self.tag.as_deref(),
            prefix: self.prefix.as_deref(),
        }
    }
}

prop_compose! {
    fn anything()(
        method in any::<String>(),
        path in any::<String>(),
        operation_id in any::<Option<String>>(),
        name_override in any::<Option<String>>(),
        tag in any::<Option<String>>(),
        prefix in any::<Option<String>>(),
    ) -> Owned {
        Owned { method, path, operation_id, name_override, tag, prefix }
    }
}

prop_compose! {
    /// Inputs of few characters, which collide.
    fn crowded()(
        method in "GET|PUT",
        path in "/[ab]{1,2}(/\\{a\\})?",
        operation_id in proptest::option::of("[aA._2é]{0,4}|abcdefghijklmnopqrs[tuv]{0,4}"),
        name_override in proptest::option::weighted(0.1, "[ab_]{0,3}"),
        tag in proptest::option::of("[ab]s?"),
    ) -> Owned {
        Owned { method, path, operation_id, name_override, tag, prefix: Some("p".into()) }
    }
}

/// A name is within the limit and as the profile promises, or there is a warning.
fn holds(profile: &Profile, named: &Named) {
    let rules = profile.rules();
    if named.rejected.is_some() {
        return;
    }
    let length = &rules.length;
    if length.rule != LengthRule::None && length.max > 0 {
        assert!(length.unit.count(&named.name) <= length.max, "{}: {named:?}", profile.name());
    }
    if rules.assert.pattern.is_empty() {
        return;
    }
    let warned = rules.assert.on_failure == OnFailure::Warn && !named.warnings.is_empty();
    assert!(PATTERNS[&rules.assert.pattern].is_match(&named.name) || warned, "{}: {named:?}", profile.name());
}

fn chained(named: &Named) {
    assert!(named.trail[0].stage == "source" && named.trail[0].before.is_empty());
    for pair in named.trail.windows(2) {
        assert_eq!(&pair[0].after, &pair[1].before, "{named:?}");
        let refusing = named.rejected.is_some() && pair[1].after.is_empty();
        assert!(refusing || pair[1].before != pair[1].after, "{named:?}");
    }
    if named.rejected.is_none() {
        assert_eq!(&named.trail.last().unwrap().after, &named.name, "{named:?}");
    }
}

/// Names and settles; what is exposed, by claim.
fn exposed(profile: &Profile, inputs: &[Owned]) -> BTreeMap<usize, Named> {
    let mut named: Vec<Named> = inputs.iter().map(|input| name(profile, &input.input())).collect();
    let mut claims: Vec<Claim<'_>> = named
        .iter_mut()
        .zip(inputs)
        .map(|(named, input)| Claim { upstream: 0, input: input.input(), named, enabled: true })
        .collect();
    let outcome = settle(&[profile], &mut claims);
    let hidden: BTreeSet<usize> = outcome.hidden.iter().map(|hidden| hidden.claim).collect();
    assert!(outcome.hidden.windows(2).all(|pair| pair[0].claim < pair[1].claim));
    named.into_iter().enumerate().filter(|(at, _)| !hidden.contains(at)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_input_gets_a_name_or_a_reason(input in anything()) {
        for profile in PROFILES.iter().chain(AMENDED.iter().map(|(_, profile)| profile).step_by(7)) {
            let named = name(profile, &input.input());
            holds(profile, &named);
            chained(&named);
            prop_assert_eq!(&named, &name(profile, &input.input()));
            if let Some(truncated) = &named.truncated {
                prop_assert!(truncated.full.contains(&truncated.cut));
            }
        }
    }

    #[test]
    fn exposed_names_are_unique_where_the_policy_says_so(
        inputs in proptest::collection::vec(crowded(), 1..24),
        start in 0_usize..7,
    ) {
        for (policy, profile) in AMENDED.iter().skip(start).step_by(7) {
            let exposed = exposed(profile, &inputs);
            for named in exposed.values() {
                prop_assert!(named.rejected.is_none());
                holds(profile, named);
                chained(named);
            }
            if *policy != CollisionPolicy::Error {
                let names: BTreeSet<&str> = exposed.values().map(|named| named.name.as_str()).collect();
                prop_assert_eq!(names.len(), exposed.len(), "{} {:?}", profile.name(), policy);
            }
        }
    }

    #[test]
    fn skip_does_not_depend_on_the_order(inputs in proptest::collection::btree_set(crowded(), 1..16)) {
        let forward: Vec<Owned> = inputs.into_iter().collect();
        let backward: Vec<Owned> = forward.iter().rev().cloned().collect();
        for (policy, profile) in AMENDED.iter() {
            if *policy == CollisionPolicy::Skip {
                let one: BTreeSet<String> = exposed(profile, &forward).into_values().map(|named| named.name).collect();
                let two: BTreeSet<String> = exposed(profile, &backward).into_values().map(|named| named.name).collect();
                prop_assert_eq!(one, two, "{}", profile.name());
            }
        }
    }

    #[test]
    fn a_description_is_cut_within_its_limit(text in any::<String>(), max in 0_usize..40, suffix in "[.…]{0,5}") {
        let (cut, rest) = truncate_description(&text, max, &suffix);
        prop_assert!(max == 0 || cut.chars().count() <= max);
        match rest {
            None => prop_assert_eq!(cut, text),
            Some(rest) => {
                let kept = text.strip_suffix(rest.as_str()).unwrap();
                prop_assert!(cut.starts_with(kept));
            }
        }
    }

    #[test]
    fn any_text_is_a_profile_or_an_error_with_a_line(
        text in any::<String>(),
        key in "[a-z.]{1,12}",
        value in "[a-z0-9\"\\[\\]{}-]{0,8}",
    ) {
        for text in [text, format!("name = \"x\"\nextends = \"default\"\n{key} = {value}\n")] {
            if let Err(error) = Profile::parse(&text, "x.toml") {
                prop_assert!(error.line >= 1 && error.column >= 1 && error.line <= text.lines().count() + 1);
            }
        }
    }
}
