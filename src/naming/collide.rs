//! Stage 16: what happens when tools claim one name.

use std::collections::{BTreeMap, BTreeSet};

use super::fit;
use super::model::{CollisionPolicy, MadeBy, NameInput, NameSource, NameStep, Named};
use super::profile::Profile;
use super::rename;
use super::template::quoted;

/// A tool that wants its name.
#[derive(Debug)]
pub struct Claim<'a> {
    /// Index of its upstream: the profile's index in the call of [`settle`].
    pub upstream: usize,
    /// What its name was made from.
    pub input: NameInput<'a>,
    /// Its name; the policies `suffix` and `hash` change it and record a step.
    pub named: &'a mut Named,
    /// A tool that is not exposed claims nothing.
    pub enabled: bool,
}

/// Two or more tools that claimed one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameConflict {
    /// The name that was claimed.
    pub name: String,
    /// How it came about.
    pub made_by: MadeBy,
    /// What was done.
    pub policy: CollisionPolicy,
    /// The claimants in document order, as indices into the claims.
    pub claimants: Vec<usize>,
}

/// Why a tool is not exposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HiddenReason {
    /// The profile refuses its name.
    Invalid,
    /// Another tool has the name, and the policy hides this one.
    Conflict,
}

/// A tool that is not exposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenClaim {
    /// Index into the claims.
    pub claim: usize,
    /// By which rule.
    pub reason: HiddenReason,
    /// In words.
    pub why: String,
}

/// What became of the claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// In the order of their first claimant.
    pub conflicts: Vec<NameConflict>,
    /// Refused and colliding tools, in the order of the claims.
    pub hidden: Vec<HiddenClaim>,
}

/// Settles who has which name.
///
/// `profiles` holds one profile for each upstream, as amended by the workspace; `claims` stand in document order, which
/// alone decides who is first. Where the policy is one within and across upstreams, all claims are settled together; else
/// first those of each upstream, then what is left of all. Where the profiles of the upstreams have different policies
/// across, it is `error`. Costs O(n log n).
pub fn settle(profiles: &[&Profile], claims: &mut [Claim<'_>]) -> Outcome {
    let facts = claims.iter().map(Fact::of).collect();
    let mut settling = Settling { profiles, claims, facts, hidden: BTreeMap::new(), conflicts: Vec::new() };
    settling.refused();
    let across = across_policy(profiles);
    let one_scope = profiles.iter().all(|profile| profile.rules().collide.within == across);
    if !one_scope {
        for upstream in settling.upstreams() {
            let policy =
                profiles.get(upstream).map_or(CollisionPolicy::Error, |profile| profile.rules().collide.within);
            let members = settling.live(|of| of == upstream);
            settling.apply(policy, &members, false);
        }
    }
    let all = settling.live(|_| true);
    settling.apply(across, &all, !one_scope);
    settling.outcome()
}

fn across_policy(profiles: &[&Profile]) -> CollisionPolicy {
    let mut policies = profiles.iter().map(|profile| profile.rules().collide.across);
    let first = policies.next().unwrap_or(CollisionPolicy::Error);
    if policies.all(|policy| policy == first) { first } else { CollisionPolicy::Error }
}

/// What tells how two tools came to one name, as it was before any renaming.
struct Fact {
    raw: String,
    /// The method where the name is made from it.
    method: String,
    untruncated: String,
    truncated: bool,
}

impl Fact {
    fn of(claim: &Claim<'_>) -> Self {
        let Named { source, trail, truncated, name, .. } = &*claim.named;
        let raw = trail.first().map(|step| step.after.clone()).unwrap_or_default();
        let method = if *source == NameSource::Slug { claim.input.method.to_owned() } else { String::new() };
        let untruncated = truncated.as_ref().map_or_else(|| name.clone(), |truncated| truncated.full.clone());
        Self { raw, method, untruncated, truncated: truncated.is_some() }
    }

    fn same_source(&self, other: &Fact) -> bool {
        (&self.raw, &self.method) == (&other.raw, &other.method)
    }
}

struct Settling<'s, 'c> {
    profiles: &'s [&'s Profile],
    claims: &'s mut [Claim<'c>],
    facts: Vec<Fact>,
    hidden: BTreeMap<usize, (HiddenReason, String)>,
    conflicts: Vec<NameConflict>,
}

impl Settling<'_, '_> {
    fn refused(&mut self) {
        for (at, claim) in self.claims.iter().enumerate().filter(|(_, claim)| claim.enabled) {
            if let Some(why) = &claim.named.rejected {
                self.hidden.insert(at, (HiddenReason::Invalid, why.clone()));
            }
        }
    }

    fn upstreams(&self) -> BTreeSet<usize> {
        self.claims.iter().map(|claim| claim.upstream).collect()
    }

    /// Claims that are exposed as things stand.
    fn live(&self, of: impl Fn(usize) -> bool) -> Vec<usize> {
        let claims = self.claims.iter().enumerate();
        let live = claims.filter(|(at, claim)| claim.enabled && of(claim.upstream) && !self.hidden.contains_key(at));
        live.map(|(at, _)| at).collect()
    }

    fn named(&self, at: usize) -> &str {
        self.claims.get(at).map_or("", |claim| &claim.named.name)
    }

    fn upstream(&self, at: usize) -> usize {
        self.claims.get(at).map_or(0, |claim| claim.upstream)
    }

    /// Groups of two and more with one name, in the order of their first member.
    fn groups(&self, members: &[usize], across: bool) -> Vec<Vec<usize>> {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in members {
            by_name.entry(self.named(*at)).or_default().push(*at);
        }
        let wide = |group: &[usize]| {
            group.iter().any(|at| Some(self.upstream(*at)) != group.first().map(|at| self.upstream(*at)))
        };
        let mut groups: Vec<Vec<usize>> = by_name.into_values().collect();
        groups.retain(|group| group.len() > 1 && (!across || wide(group)));
        groups.sort_unstable();
        groups
    }

    /// One policy over some claims. `across`: only claims of different upstreams meet.
    fn apply(&mut self, policy: CollisionPolicy, members: &[usize], across: bool) {
        if policy == CollisionPolicy::Suffix {
            return self.suffix(members, across);
        }
        let groups = self.groups(members, across);
        for group in &groups {
            let name = group.first().map(|at| self.named(*at).to_owned()).unwrap_or_default();
            let kept = usize::from(policy == CollisionPolicy::FirstWins);
            if matches!(policy, CollisionPolicy::FirstWins | CollisionPolicy::Skip) {
                for at in group.iter().skip(kept) {
                    let why = self.why(&name, policy, group, *at);
                    self.hidden.insert(*at, (HiddenReason::Conflict, why));
                }
            }
            self.conflict(name, policy, group.clone());
        }
        if policy == CollisionPolicy::Hash && !groups.is_empty() {
            self.hash(members, &groups);
        }
    }

    /// In document order each claim takes its name, or the first free number after it. What a number made is taken like
    /// any other name, so a later claim of it is numbered in its turn.
    fn suffix(&mut self, members: &[usize], across: bool) {
        let mut owners: BTreeMap<String, usize> = BTreeMap::new();
        let mut claimed: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut numbers = rename::Numbers::default();
        for at in members.iter().copied() {
            let name = self.named(at).to_owned();
            let Some(owner) = owners.get(&name).copied() else {
                owners.insert(name, at);
                continue;
            };
            if across && self.upstream(owner) == self.upstream(at) {
                continue;
            }
            claimed.entry(name.clone()).or_insert_with(|| vec![owner]).push(at);
            let Some((profile, claim)) = self.of(at) else { continue };
            let head = fit::head(profile, claim.input.prefix);
            let rule = &profile.rules().length;
            match numbers.next(&name, &head, rule, |candidate| !owners.contains_key(candidate)) {
                Ok(after) => {
                    self.rename(at, format!("{} is taken: numbered in document order", quoted(&name)), after.clone());
                    owners.insert(after, at);
                }
                Err(why) => {
                    self.hidden.insert(at, (HiddenReason::Invalid, why));
                }
            }
        }
        for (name, claimants) in claimed {
            self.conflict(name, CollisionPolicy::Suffix, claimants);
        }
    }

    /// Every claimant gets a hash of what it is made from, so that no name depends on the order; one that meets another
    /// name even so is hashed again.
    fn hash(&mut self, members: &[usize], groups: &[Vec<usize>]) {
        let renamed: BTreeSet<usize> = groups.iter().flatten().copied().collect();
        let others = members.iter().filter(|at| !renamed.contains(at));
        let mut taken: BTreeSet<String> = others.map(|at| self.named(*at).to_owned()).collect();
        for at in renamed {
            let name = self.named(at).to_owned();
            let raw = self.facts.get(at).map_or("", |fact| fact.raw.as_str()).to_owned();
            let Some((profile, claim)) = self.of(at) else { continue };
            let head = fit::head(profile, claim.input.prefix);
            let rules = profile.rules();
            let text = rename::identity(&claim.input, &raw);
            let digits = rules.collide.hash_digits;
            match rename::hashed(&name, &head, &rules.length, &text, digits, |candidate| !taken.contains(candidate)) {
                Ok(after) => {
                    self.rename(
                        at,
                        format!("{} is claimed more than once: a hash of the source follows", quoted(&name)),
                        after.clone(),
                    );
                    taken.insert(after);
                }
                Err(why) => {
                    self.hidden.insert(at, (HiddenReason::Invalid, why));
                }
            }
        }
    }

    fn of(&self, at: usize) -> Option<(&Profile, &Claim<'_>)> {
        let claim = self.claims.get(at)?;
        Some((self.profiles.get(claim.upstream)?, claim))
    }

    fn rename(&mut self, at: usize, rule: String, after: String) {
        let Some(claim) = self.claims.get_mut(at) else { return };
        let before = std::mem::replace(&mut claim.named.name, after.clone());
        claim.named.trail.push(NameStep { stage: "collide", rule, before, after });
        let Some(profile) = self.profiles.get(claim.upstream) else { return };
        let mut trail = std::mem::take(&mut claim.named.trail);
        claim.named.warnings.retain(|(code, _)| *code != "name-assertion");
        fit::assert(profile, &mut trail, claim.named);
        claim.named.trail = trail;
        if let Some(why) = &claim.named.rejected {
            self.hidden.insert(at, (HiddenReason::Invalid, why.clone()));
        }
    }

    fn conflict(&mut self, name: String, policy: CollisionPolicy, claimants: Vec<usize>) {
        let made_by = self.made_by(&claimants);
        self.conflicts.push(NameConflict { name, made_by, policy, claimants });
    }

    fn made_by(&self, claimants: &[usize]) -> MadeBy {
        let facts: Vec<&Fact> = claimants.iter().filter_map(|at| self.facts.get(*at)).collect();
        let Some(first) = facts.first() else { return MadeBy::SameSource };
        if facts.iter().all(|fact| fact.same_source(first)) {
            MadeBy::SameSource
        } else if facts.iter().any(|fact| fact.truncated && fact.untruncated != first.untruncated)
            || (first.truncated && facts.iter().any(|fact| fact.untruncated != first.untruncated))
        {
            MadeBy::Truncation
        } else {
            MadeBy::Sanitising
        }
    }

    fn why(&self, name: &str, policy: CollisionPolicy, group: &[usize], me: usize) -> String {
        let others = group.iter().filter(|at| **at != me).take(3).filter_map(|at| self.claims.get(*at));
        let shown: Vec<String> =
            others.map(|claim| format!("{} {}", claim.input.method, quoted(claim.input.path))).collect();
        let more = (group.len() - 1).saturating_sub(shown.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = match policy {
            CollisionPolicy::FirstWins => "the first in document order keeps it",
            _ => "every tool that claims it is hidden",
        };
        format!(
            "the name {} is also claimed by {}{more}; {what} (policy {})",
            quoted(name),
            shown.join(", "),
            policy.as_str()
        )
    }

    fn outcome(mut self) -> Outcome {
        self.conflicts.sort_by(|a, b| (&a.claimants, &a.name).cmp(&(&b.claimants, &b.name)));
        let hidden = |(claim, (reason, why))| HiddenClaim { claim, reason, why };
        Outcome { conflicts: self.conflicts, hidden: self.hidden.into_iter().map(hidden).collect() }
    }
}
