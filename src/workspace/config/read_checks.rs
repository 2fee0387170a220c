//! What the parts of a workspace file have to agree on.

use super::section::{Notes, dotted};
use super::{Config, UpstreamConfig};
use crate::document::{Finding, Pointer};

pub(super) fn check_upstreams(upstreams: &[UpstreamConfig], notes: &Notes<'_>) {
    for (at, upstream) in upstreams.iter().enumerate() {
        if upstreams.iter().take(at).any(|other| other.name == upstream.name) {
            let mut finding =
                Finding::error("config-duplicate", format!("two upstreams are named `{}`", upstream.name))
                    .remedy("Give each upstream its own `name`.");
            finding.place = upstream.place.clone();
            notes.push(finding);
        }
    }
}

pub(super) fn check_groups(config: &Config, notes: &Notes<'_>) {
    for (at, group) in config.groups.iter().enumerate() {
        let pointer = Pointer::default().key("groups").index(at);
        for name in &group.upstreams {
            if config.upstreams.iter().any(|upstream| upstream.name == *name) {
                continue;
            }
            let message = format!("`{}` names the upstream `{name}`, which is not there", dotted(&pointer));
            let mut finding = Finding::error("config-unknown-upstream", message);
            let known = config.upstreams.iter().map(|upstream| upstream.name.as_str());
            finding.remedy = super::nearest(name, known).map(|near| format!("Did you mean `{near}`?"));
            finding.place = group.filter_place.clone();
            notes.push(finding);
        }
    }
}
