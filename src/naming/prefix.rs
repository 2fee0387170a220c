//! Prefixes of upstreams: operator input that must keep their tools apart.

use std::collections::BTreeMap;

use super::fit;
use super::profile::Profile;

/// An upstream and the prefix that its tools get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefixClaim<'a> {
    /// The upstream's name, for messages.
    pub upstream: &'a str,
    /// Its prefix, when it has one.
    pub prefix: Option<&'a str>,
    /// A disabled upstream does not count.
    pub enabled: bool,
}

/// What is wrong with a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PrefixReason {
    /// Two upstreams have it.
    Duplicate,
    /// There are several upstreams and this one has none.
    Missing,
    /// It has not the form that the profile asks for.
    InvalidFormat,
    /// It holds `__`.
    DoubleUnderscore,
    /// It ends with `_`, which the profile forbids.
    TrailingUnderscore,
    /// It holds the separator, so that a reader cannot tell where it ends.
    ContainsSeparator,
    /// It starts or ends with `_`.
    EdgeUnderscore,
    /// What stands before the base of one upstream starts like that of another: `a` + `_x` meets `a_` + `x`.
    Meets,
}

impl PrefixReason {
    /// The reason's stable name.
    pub fn code(self) -> &'static str {
        match self {
            PrefixReason::Duplicate => "duplicate",
            PrefixReason::Missing => "missing",
            PrefixReason::InvalidFormat => "invalid_format",
            PrefixReason::DoubleUnderscore => "double_underscore",
            PrefixReason::TrailingUnderscore => "trailing_underscore",
            PrefixReason::ContainsSeparator => "contains_separator",
            PrefixReason::EdgeUnderscore => "edge_underscore",
            PrefixReason::Meets => "meets",
        }
    }

    /// Whether nothing may be served with it. The others are warnings.
    pub fn is_error(self) -> bool {
        matches!(
            self,
            PrefixReason::Duplicate
                | PrefixReason::Missing
                | PrefixReason::InvalidFormat
                | PrefixReason::DoubleUnderscore
                | PrefixReason::TrailingUnderscore
        )
    }
}

/// One thing that is wrong with one or more prefixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrefixIssue {
    /// What.
    pub reason: PrefixReason,
    /// The prefix as it was written; empty when it is missing.
    pub prefix: String,
    /// The upstreams that it concerns, as indices into the claims, in order.
    pub upstreams: Vec<usize>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do, in one sentence.
    pub remedy: String,
}

/// The rule that a prefix or server id breaks by itself, the first in the profile's order.
pub fn check_server_id(profile: &Profile, id: &str) -> Option<PrefixReason> {
    let rules = &profile.rules().prefix;
    if profile.compiled().prefix_format.as_ref().is_some_and(|format| !format.is_match(id)) {
        Some(PrefixReason::InvalidFormat)
    } else if rules.no_double_underscore && id.contains("__") {
        Some(PrefixReason::DoubleUnderscore)
    } else if rules.no_trailing_underscore && id.ends_with('_') {
        Some(PrefixReason::TrailingUnderscore)
    } else {
        None
    }
}

/// Checks the prefixes of all upstreams, before any tool is derived and whatever the collision policy.
///
/// `profiles` holds one profile for each claim. Issues come in the order of the first upstream that they concern.
pub fn check_prefixes(profiles: &[&Profile], claims: &[PrefixClaim<'_>]) -> Vec<PrefixIssue> {
    let enabled = || profiles.iter().copied().zip(claims).enumerate().filter(|(_, (_, claim))| claim.enabled);
    let several = enabled().count() > 1;
    let mut issues = Vec::new();
    let mut by_prefix: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut heads = Vec::new();
    for (at, (profile, claim)) in enabled() {
        match claim.prefix.filter(|prefix| !prefix.is_empty()) {
            None if several => issues.push(missing(at, claim)),
            None => {}
            Some(prefix) => {
                by_prefix.entry(fit::effective_prefix(profile, prefix)).or_default().push(at);
                heads.push((fit::head(profile, Some(prefix)), at));
                alone(profile, claim.upstream, prefix, at, &mut issues);
            }
        }
    }
    issues.extend(by_prefix.into_values().filter(|group| group.len() > 1).map(|group| duplicate(claims, group)));
    meets(claims, heads, &mut issues);
    issues.sort_by(|a, b| (&a.upstreams, a.reason).cmp(&(&b.upstreams, b.reason)));
    issues
}

fn missing(at: usize, claim: &PrefixClaim<'_>) -> PrefixIssue {
    PrefixIssue {
        reason: PrefixReason::Missing,
        prefix: String::new(),
        upstreams: vec![at],
        message: format!("upstream `{}` has no prefix, and there are several upstreams", claim.upstream),
        remedy: "give every upstream a prefix of its own".into(),
    }
}

fn duplicate(claims: &[PrefixClaim<'_>], group: Vec<usize>) -> PrefixIssue {
    let of = |at: &usize| claims.get(*at);
    let names: Vec<String> = group.iter().filter_map(of).map(|claim| format!("`{}`", claim.upstream)).collect();
    let prefix = group.first().and_then(of).and_then(|claim| claim.prefix).unwrap_or_default().to_owned();
    PrefixIssue {
        reason: PrefixReason::Duplicate,
        message: format!("the upstreams {} have one prefix, `{prefix}`", names.join(", ")),
        remedy: "change the prefix of all but one of them".into(),
        prefix,
        upstreams: group,
    }
}

/// What can be said of a prefix without the others.
fn alone(profile: &Profile, upstream: &str, prefix: &str, at: usize, issues: &mut Vec<PrefixIssue>) {
    let mut issue = |reason, what: String, remedy: String| {
        let message = format!("the prefix `{prefix}` of upstream `{upstream}` {what}");
        issues.push(PrefixIssue { reason, prefix: prefix.to_owned(), upstreams: vec![at], message, remedy });
    };
    let rules = profile.rules();
    let broken = check_server_id(profile, prefix);
    if let Some(reason) = broken {
        let what = match reason {
            PrefixReason::DoubleUnderscore => "holds `__`".to_owned(),
            PrefixReason::TrailingUnderscore => "ends with `_`".to_owned(),
            _ => format!("does not match {}", rules.prefix.format),
        };
        issue(reason, format!("{what}, which profile {} refuses", profile.name()), "choose another one".into());
    }
    let separator = &rules.namespace.separator;
    let shown = fit::effective_prefix(profile, prefix);
    if broken != Some(PrefixReason::DoubleUnderscore) && !separator.is_empty() && shown.contains(separator.as_str()) {
        let what = format!("holds the separator `{separator}`: nobody can tell where it ends in a name");
        issue(PrefixReason::ContainsSeparator, what, format!("take `{separator}` out of it"));
    }
    if broken != Some(PrefixReason::TrailingUnderscore) && (shown.starts_with('_') || shown.ends_with('_')) {
        let what = "starts or ends with `_`, which runs into the separator".to_owned();
        issue(PrefixReason::EdgeUnderscore, what, "take the `_` off".into());
    }
}

/// Heads that continue one another: a base of the shorter can spell the rest of the longer. In order of text, those
/// that start with a head follow it directly.
fn meets(claims: &[PrefixClaim<'_>], mut heads: Vec<(String, usize)>, issues: &mut Vec<PrefixIssue>) {
    heads.sort();
    for (at, (short, one)) in heads.iter().enumerate() {
        let longer = heads.iter().skip(at + 1).take_while(|(long, _)| long.starts_with(short.as_str()));
        for (long, other) in longer.filter(|(long, _)| long.len() > short.len()) {
            let rest = long.get(short.len()..).unwrap_or_default();
            let prefix = |at: &usize| claims.get(*at).and_then(|claim| claim.prefix).unwrap_or_default();
            let (a, b) = (prefix(one), prefix(other));
            let mut upstreams = vec![*one, *other];
            upstreams.sort_unstable();
            issues.push(PrefixIssue {
                reason: PrefixReason::Meets,
                prefix: a.to_owned(),
                upstreams,
                message: format!(
                    "the prefixes `{a}` and `{b}` can meet in one name: `{a}` with `{rest}x` is `{b}` with `x`"
                ),
                remedy: "choose prefixes of which none is the start of another with `_` after it".into(),
            });
        }
    }
}
