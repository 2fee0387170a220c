//! `groups` of the workspace file: which tools are exposed at all.

use std::collections::HashSet;
use std::sync::Arc;

use super::config::Group;
use crate::derive::{Catalog, Hidden, HiddenBy, Tool};
use crate::document::jsonpath::Query;
use crate::document::{DocumentSet, Finding};

/// A filter may visit as many nodes.
const MAX_VISITS: u64 = 50_000_000;

/// Hides every tool that no group takes. Without groups every tool is taken.
///
/// A filter is an RFC 9535 query over the document after overlays; it takes the operations that it selects. One that
/// cannot be read takes every tool of its group, so that nothing vanishes by a slip, and is an error finding.
pub(super) fn apply(groups: &[Group], catalog: &mut Catalog, documents: &[Arc<DocumentSet>]) {
    if groups.is_empty() {
        return;
    }
    let mut findings = Vec::new();
    let rules: Vec<Rule<'_>> = groups.iter().map(|group| Rule::new(group, catalog, documents, &mut findings)).collect();
    let (kept, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut catalog.tools)
        .into_iter()
        .partition(|tool| rules.iter().any(|rule| rule.takes(catalog, tool)));
    for rule in rules.iter().filter(|rule| rule.selected.is_some()) {
        if !kept.iter().any(|tool| rule.takes(catalog, tool)) {
            findings.push(no_match(rule.group));
        }
    }
    catalog.tools = kept;
    catalog.hidden.extend(dropped.into_iter().map(|tool| hide(tool, groups)));
    catalog.findings.append(&mut findings);
}

/// For every exposed tool of a catalog, in its order: does the group take it? A filter that cannot be read takes all.
pub fn members(group: &Group, catalog: &Catalog, documents: &[Arc<DocumentSet>]) -> Vec<bool> {
    // What is wrong with the filter is a finding of the catalog already.
    let rule = Rule::new(group, catalog, documents, &mut Vec::new());
    catalog.tools.iter().map(|tool| rule.takes(catalog, tool)).collect()
}

struct Rule<'a> {
    group: &'a Group,
    /// Upstream and pointer of every selected node; `None` without a filter.
    selected: Option<HashSet<(usize, String)>>,
}

impl<'a> Rule<'a> {
    fn new(group: &'a Group, catalog: &Catalog, documents: &[Arc<DocumentSet>], findings: &mut Vec<Finding>) -> Self {
        let Some(filter) = &group.filter else { return Self { group, selected: None } };
        let query = match Query::parse(filter) {
            Ok(query) => query,
            Err(error) => {
                let message = format!("the filter of the group `{}` cannot be read: {error}", group.name);
                findings
                    .push(at_filter(Finding::error("group-filter", message), group).remedy("Write an RFC 9535 query."));
                return Self { group, selected: None };
            }
        };
        let mut selected = HashSet::new();
        for (index, set) in documents.iter().enumerate() {
            if !Self::has(group, catalog, index) {
                continue;
            }
            match query.locate_within(&set.main.root, MAX_VISITS) {
                Ok(pointers) => selected.extend(pointers.iter().map(|pointer| (index, pointer.to_string()))),
                Err(error) => {
                    let message = format!("the filter of the group `{}` was given up: {error}", group.name);
                    let finding = at_filter(Finding::error("group-filter", message), group);
                    findings.push(finding.remedy("Name the way instead of `..`."));
                }
            }
        }
        Self { group, selected: Some(selected) }
    }

    fn has(group: &Group, catalog: &Catalog, upstream: usize) -> bool {
        let name = catalog.upstreams.get(upstream).map(|upstream| &upstream.name);
        group.upstreams.is_empty() || name.is_some_and(|name| group.upstreams.contains(name))
    }

    fn takes(&self, catalog: &Catalog, tool: &Tool) -> bool {
        let is_selected = |selected: &HashSet<(usize, String)>| {
            selected.contains(&(tool.upstream, tool.operation.place.pointer.to_string()))
        };
        Self::has(self.group, catalog, tool.upstream) && self.selected.as_ref().is_none_or(is_selected)
    }
}

fn hide(mut tool: Arc<Tool>, groups: &[Group]) -> Arc<Tool> {
    let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    let why = format!("no group of the workspace file takes it ({})", names.join(", "));
    let place = groups.iter().find_map(|group| group.filter_place.clone());
    Arc::make_mut(&mut tool).hidden = Some(Hidden { by: HiddenBy::Filter, why, place });
    tool
}

fn no_match(group: &Group) -> Finding {
    let filter = group.filter.as_deref().unwrap_or_default();
    let message = format!("the filter of the group `{}` takes no tool", group.name);
    let finding = at_filter(Finding::warning("group-filter-no-match", message), group);
    // `….get[?(@.x == true)]` tests the members of the operation, not the operation.
    let tests_members = ["get[?", "put[?", "post[?", "delete[?", "patch[?"].iter().any(|part| filter.contains(part));
    finding.remedy(if tests_members {
        "A filter tests what is below the part before it: write `$.paths.*[?@['x-mcp-safe'] == true]` to test operations."
    } else {
        "It has to select operations, as `$.paths.*.get` or `$.paths.*[?@['x-mcp-safe'] == true]` do."
    })
}

fn at_filter(mut finding: Finding, group: &Group) -> Finding {
    finding.place.clone_from(&group.filter_place);
    finding
}
