//! The difference in the words of the machine-readable contract.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::sides::{Kind, State};
use crate::session::diff::{Change, Diff, RULES, ToolDiff};

/// All of `diff --format json`.
#[derive(Serialize)]
pub(in crate::cli) struct DiffJson<'a> {
    old: SideJson<'a>,
    new: SideJson<'a>,
    breaking: bool,
    tools: Vec<ToolDiffJson<'a>>,
    lists: Vec<ChangeJson<'a>>,
    totals: Totals,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct SideJson<'a> {
    kind: Kind,
    name: &'a str,
    profile: &'a str,
    tools: usize,
    hidden: usize,
    targets: Vec<&'a str>,
}

#[derive(Serialize)]
struct ToolDiffJson<'a> {
    name: &'a str,
    old_name: Option<&'a str>,
    new_name: Option<&'a str>,
    upstream: &'a str,
    method: &'a str,
    path: &'a str,
    operation_id: Option<&'a str>,
    old_operation: Option<String>,
    breaking: bool,
    changes: Vec<ChangeJson<'a>>,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    rule: &'static str,
    breaking: bool,
    at: Option<&'a str>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    message: String,
}

#[derive(Serialize)]
struct Totals {
    changes: usize,
    breaking: usize,
    tools_changed: usize,
    tools_breaking: usize,
    tools_unchanged: usize,
    by_rule: Map<String, Value>,
}

impl<'a> DiffJson<'a> {
    pub(in crate::cli) fn new(old: &'a State, new: &'a State, diff: &'a Diff) -> Self {
        Self {
            old: SideJson::new(old),
            new: SideJson::new(new),
            breaking: diff.breaking(),
            tools: diff.tools.iter().map(ToolDiffJson::new).collect(),
            lists: diff.lists.iter().map(ChangeJson::new).collect(),
            totals: Totals {
                changes: diff.changes().count(),
                breaking: diff.changes().filter(|change| change.rule.breaking()).count(),
                tools_changed: diff.tools.len(),
                tools_breaking: diff.tools.iter().filter(|tool| tool.breaking()).count(),
                tools_unchanged: diff.unchanged,
                by_rule: diff.counts_by_rule().into_iter().map(|(rule, n)| (rule.id().to_owned(), n.into())).collect(),
            },
            notes: super::notes(old, new, diff),
        }
    }
}

impl<'a> SideJson<'a> {
    fn new(state: &'a State) -> Self {
        Self {
            kind: state.kind,
            name: &state.name,
            profile: &state.lock.profile,
            tools: state.lock.tools.len(),
            hidden: state.lock.hidden.len(),
            targets: state.lock.targets.keys().map(String::as_str).collect(),
        }
    }
}

impl<'a> ToolDiffJson<'a> {
    fn new(tool: &'a ToolDiff) -> Self {
        let (old_name, new_name) = tool.names();
        let id = tool.id();
        Self {
            name: tool.name(),
            old_name,
            new_name,
            upstream: id.map_or("", |id| &id.upstream),
            method: id.map_or("", |id| &id.method),
            path: id.map_or("", |id| &id.path),
            operation_id: id.and_then(|id| id.operation_id.as_deref()),
            old_operation: tool.old.as_ref().map(|id| format!("{} {}", id.method, id.path)),
            breaking: tool.breaking(),
            changes: tool.changes.iter().map(ChangeJson::new).collect(),
        }
    }
}

impl<'a> ChangeJson<'a> {
    fn new(change: &'a Change) -> Self {
        Self {
            rule: change.rule.id(),
            breaking: change.rule.breaking(),
            at: change.at.as_deref(),
            before: change.before.as_deref(),
            after: change.after.as_deref(),
            message: change.sentence(),
        }
    }
}

/// The table of rules.
pub(super) fn rules() -> Vec<Value> {
    let row = |rule: &crate::session::diff::Rule| json!({"rule": rule.id(), "breaking": rule.breaking(), "words": rule.words(), "why": rule.why()});
    RULES.iter().map(row).collect()
}
