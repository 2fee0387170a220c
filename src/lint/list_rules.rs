//! Rules on the whole list of exposed tools.

use std::collections::BTreeMap;

use crate::derive::Catalog;
use crate::document::to_json;

use super::rule::{Check, Kind};

/// Sizes of the list that more than one target asks for; counted once.
#[derive(Debug)]
pub(super) struct ListFacts {
    pub(super) tools: usize,
    /// Characters of names, descriptions and InputSchemas as compact JSON.
    pub(super) size: usize,
}

impl ListFacts {
    pub(super) fn of(catalog: &Catalog, size_wanted: bool) -> Self {
        let size_of = |tool: &crate::derive::Tool| {
            let operation = &tool.operation;
            let schema = to_json(&operation.input_schema, false);
            tool.named.name.chars().count() + operation.description.chars().count() + schema.chars().count()
        };
        let size = if size_wanted { catalog.tools.iter().map(|tool| size_of(tool)).sum() } else { 0 };
        Self { tools: catalog.tools.len(), size }
    }

    /// What a limit of that kind counts.
    pub(super) fn count(&self, kind: Kind) -> Option<usize> {
        match kind {
            Kind::ToolCount => Some(self.tools),
            Kind::ListSize => Some(self.size),
            _ => None,
        }
    }
}

/// Checks a limit; in words what is wrong, `None` when it holds.
pub(super) fn breach(check: &Check, facts: &ListFacts) -> Option<String> {
    let Check::Limit(kind, max) = check else { return None };
    let found = facts.count(*kind).filter(|found| found > max)?;
    Some(match kind {
        Kind::ListSize => {
            format!(
                "names, descriptions and InputSchemas of the {} tools have {found} characters, more than {max}",
                facts.tools
            )
        }
        _ => format!("{found} tools are exposed, {} more than {max}", found - max),
    })
}

/// Names that more than one tool has, with the indices of the tools; by the first of each.
pub(super) fn duplicates(names: &[String]) -> Vec<(&str, Vec<usize>)> {
    shared(names.iter().map(String::as_str))
}

/// For names over the limit: the tools that are one once names are cut there.
pub(super) fn alike_when_cut(names: &[String], max: usize) -> Vec<(&str, Vec<usize>)> {
    let cut = |name: &'_ String| name.char_indices().nth(max).map_or(name.len(), |(at, _)| at);
    let mut groups = shared(names.iter().map(|name| name.get(..cut(name)).unwrap_or(name)));
    groups.retain(|(_, tools)| tools.iter().any(|at| names.get(*at).is_some_and(|name| name.chars().count() > max)));
    groups
}

fn shared<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(&'a str, Vec<usize>)> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, name) in names.enumerate() {
        by_name.entry(name).or_default().push(at);
    }
    let mut groups: Vec<_> = by_name.into_iter().filter(|(_, tools)| tools.len() > 1).collect();
    groups.sort_by_key(|(_, tools)| tools.first().copied());
    groups
}
