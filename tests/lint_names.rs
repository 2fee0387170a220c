//! Two operationIds that differ only after character 64, under every naming profile and every target: no tool gets lost
//! without a word.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;

use toolscope::derive::Catalog;
use toolscope::lint::{Target, TargetChoice, Verdict, verdicts};
use toolscope::naming::Profile;
use toolscope::workspace::{Options, SettingArg, SpecArg, Workspace, load};

const ID: &str = "get_the_report_of_all_orders_that_were_placed_but_never_delivered_to_the_customer";

fn spec() -> String {
    let path =
        |end: &str| format!("  /{end}: {{get: {{operationId: {ID}_{end}, tags: [x], summary: S, responses: {{}}}}}}\n");
    format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n{}{}", path("a"), path("b"))
}

/// The catalog, or none where the profile does not take the length.
fn catalog(folder: &Path, profile: &str, length: Option<&str>) -> Option<std::sync::Arc<Catalog>> {
    let options = Options {
        specs: vec![SpecArg::parse("l.yaml")],
        prefix: Some("p".into()),
        profile: Some(profile.into()),
        settings: length
            .iter()
            .map(|length| SettingArg::parse(&format!("naming.max_length={length}")).unwrap())
            .collect(),
        ..Options::default()
    };
    let workspace = Workspace::resolve(&options, folder).unwrap();
    match load(&workspace, None) {
        Ok(snapshot) => Some(snapshot.catalog),
        Err(error) => {
            assert!(length.is_some() && error.message.contains("does not go with the profile"), "{error}");
            None
        }
    }
}

/// The most characters that a target takes of a name, the server's included where the target counts it.
fn limit(choice: &TargetChoice) -> Option<usize> {
    let is_limit = |kind: &str| ["name_length", "combined_length"].contains(&kind);
    let rules = choice.target.rules().iter().filter(|rule| is_limit(rule.kind()));
    rules.filter(|rule| rule.severity == toolscope::document::Severity::Error).filter_map(|rule| rule.limit()).min()
}

/// Every target, and with a server's name where it takes one.
fn choices() -> Vec<TargetChoice> {
    let named = |target: Target| TargetChoice { target, server_name: Some("my-server".to_owned()) };
    let takes = Target::builtins().into_iter().filter(|target| target.client().adds_server());
    Target::builtins().into_iter().map(TargetChoice::new).chain(takes.map(named)).collect()
}

#[test]
fn names_that_differ_after_character_64_are_never_lost_silently() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("l.yaml"), spec()).unwrap();
    let choices = choices();
    assert!(choices.iter().filter(|choice| limit(choice).is_some_and(|limit| limit <= 64)).count() >= 12);
    let (mut exposed, mut hidden, mut cut) = (0, 0, 0);
    for profile in Profile::builtin_names() {
        for length in [None, Some("64")] {
            let Some(catalog) = catalog(folder.path(), profile, length) else { continue };
            let case = format!("{profile} {length:?}");
            assert_eq!(catalog.tools.len() + catalog.hidden.len(), 2, "{case}");
            hidden += catalog.hidden.len();
            for tool in &catalog.hidden {
                assert!(!tool.hidden.as_ref().unwrap().why.is_empty(), "{case}");
            }
            exposed += catalog.tools.len();
            cut += check_verdicts(&catalog, &choices, &case);
        }
    }
    assert!(exposed >= 12 && hidden >= 4 && cut >= 100, "{exposed} exposed, {hidden} hidden, {cut} refused");
}

/// A target that would leave a tool out, or take it for the other one, has a verdict that says so, with a reason.
fn check_verdicts(catalog: &Catalog, choices: &[TargetChoice], case: &str) -> usize {
    let matrix = verdicts(catalog, choices);
    let mut found = 0;
    for (number, choice) in choices.iter().enumerate() {
        let limit = limit(choice);
        let name = |at: usize| choice.exposed(&catalog.tools[at]);
        let cut = |name: &str| name.chars().take(limit.unwrap_or(usize::MAX)).collect::<String>();
        for at in 0..catalog.tools.len() {
            let own = name(at);
            let too_long = limit.is_some_and(|limit| own.chars().count() > limit);
            let twins = (0..catalog.tools.len()).filter(|other| cut(&name(*other)) == cut(&own)).count() > 1;
            if !too_long && !twins {
                continue;
            }
            found += 1;
            let verdict = matrix.get(number, at);
            assert!(verdict >= Verdict::Dropped, "{case} {}: `{own}` is {}", choice.label(), verdict.as_str());
            assert!(!matrix.reasons(number, at, catalog).is_empty(), "{case} {}: no reason", choice.label());
        }
    }
    found
}
