//! Names and prefixes that are claimed twice.

use crate::document::{Finding, Severity};
use crate::naming::{self, Claim, CollisionPolicy, HiddenReason, MadeBy, PrefixClaim, PrefixReason};

use super::model::{Catalog, Claimant, Conflict, ConflictKind, Hidden, HiddenBy, Operation, Tool};
use super::settings::{Settings, UpstreamInput};

/// Checks the prefixes, before any tool is derived.
pub(crate) fn prefixes(inputs: &[UpstreamInput], settings: &Settings, catalog: &mut Catalog) {
    let claims: Vec<PrefixClaim<'_>> = inputs
        .iter()
        .map(|input| PrefixClaim { upstream: &input.name, prefix: input.prefix.as_deref(), enabled: true })
        .collect();
    let profiles = vec![&settings.profile; inputs.len()];
    for issue in naming::check_prefixes(&profiles, &claims) {
        let severity = if issue.reason.is_error() { Severity::Error } else { Severity::Warning };
        let code = match issue.reason {
            PrefixReason::Duplicate => "prefix-conflict",
            PrefixReason::Missing => "prefix-missing",
            _ => "prefix-form",
        };
        catalog.findings.push(Finding::new(code, severity, issue.message).remedy(issue.remedy));
        if issue.reason == PrefixReason::Duplicate {
            let names = issue.upstreams.iter().filter_map(|index| inputs.get(*index));
            catalog.conflicts.push(Conflict {
                name: issue.prefix,
                kind: ConflictKind::Prefix,
                made_by: MadeBy::SameSource,
                policy: CollisionPolicy::Error,
                tools: names
                    .map(|input| Claimant { upstream: input.name.clone(), method: String::new(), path: String::new() })
                    .collect(),
            });
        }
    }
}

/// Settles who has which name: renames or hides tools as the policy says, and lists the conflicts.
pub(crate) fn settle(tools: &mut [Tool], settings: &Settings, catalog: &mut Catalog) {
    let profiles = vec![&settings.profile; catalog.upstreams.len()];
    let outcome = {
        let mut claims: Vec<Claim<'_>> = Vec::with_capacity(tools.len());
        for tool in tools.iter_mut() {
            let prefix = catalog.upstreams.get(tool.upstream).and_then(|upstream| upstream.prefix.as_deref());
            claims.push(Claim {
                upstream: tool.upstream,
                input: tool.operation.name_input(prefix),
                named: &mut tool.named,
                enabled: tool.hidden.is_none(),
            });
        }
        naming::settle(&profiles, &mut claims)
    };
    for conflict in outcome.conflicts {
        let index = catalog.conflicts.len();
        let mut claimants = Vec::new();
        for claimant in &conflict.claimants {
            let Some(tool) = tools.get_mut(*claimant) else { continue };
            tool.conflict = Some(index);
            let upstream = catalog.upstreams.get(tool.upstream).map(|upstream| upstream.name.clone());
            claimants.push(claimant_of(upstream.unwrap_or_default(), &tool.operation));
        }
        catalog.conflicts.push(Conflict {
            name: conflict.name,
            kind: ConflictKind::Name,
            made_by: conflict.made_by,
            policy: conflict.policy,
            tools: claimants,
        });
    }
    for hidden in outcome.hidden {
        let by = match hidden.reason {
            HiddenReason::Invalid => HiddenBy::Invalid,
            HiddenReason::Conflict => HiddenBy::Conflict,
        };
        if let Some(tool) = tools.get_mut(hidden.claim) {
            let place = Some(tool.name_place().clone());
            tool.hidden.get_or_insert(Hidden { by, why: hidden.why, place });
        }
    }
}

/// A claimant as the contract lists it: a callback or webhook has its expression for a path.
fn claimant_of(upstream: String, operation: &Operation) -> Claimant {
    Claimant { upstream, method: operation.method.to_string(), path: operation.path.to_string() }
}

impl Conflict {
    /// How it came about, in words about its claimants.
    pub fn how(&self) -> &'static str {
        match self.made_by {
            MadeBy::SameSource => "they have the same source",
            MadeBy::Sanitising => "cleaning made their sources equal",
            MadeBy::Truncation => "they differ only in what was cut off",
        }
    }
}

/// The code of [`finding`].
pub const NAME_CONFLICT: &str = "name-conflict";

/// The finding of one claimant.
pub(crate) fn finding(tool: &Tool, upstream: &str, conflict: &Conflict) -> Finding {
    let severity = match conflict.policy {
        CollisionPolicy::Error => Severity::Error,
        CollisionPolicy::FirstWins | CollisionPolicy::Skip => Severity::Warning,
        CollisionPolicy::Suffix | CollisionPolicy::Hash => Severity::Info,
    };
    let several = conflict.tools.iter().any(|claimant| claimant.upstream != upstream);
    let mut own = false;
    let others = conflict.tools.iter().filter(|claimant| {
        let is_self = claimant.upstream == upstream
            && claimant.method == *tool.operation.method
            && claimant.path == *tool.operation.path;
        !is_self || std::mem::replace(&mut own, true)
    });
    let others: Vec<String> = others
        .map(|claimant| {
            let of = if several { format!(" of `{}`", claimant.upstream) } else { String::new() };
            format!("{} {}{of}", claimant.method, claimant.path)
        })
        .collect();
    let (name, how) = (&conflict.name, conflict.how());
    let message = format!("`{name}` is also claimed by {}: {how}", others.join(" and "));
    let remedy = "give all but one of them another name with `x-mcp-tool-name` in an overlay";
    Finding::new(NAME_CONFLICT, severity, message).at(tool.name_place().clone()).remedy(remedy)
}
