//! What differs between two catalogs of the same workspace.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::Serialize;

use crate::derive::{Catalog, Conflict, Tool};

/// What became of the tools.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// The tools that differ, in the order of the second catalog, those that are gone last.
    pub changes: Vec<ToolChange>,
    /// Names that are claimed more than once now.
    pub new_conflicts: Vec<Conflict>,
    /// Names that were claimed more than once before.
    pub solved_conflicts: Vec<Conflict>,
}

/// One tool before and after.
#[derive(Clone, Debug)]
pub struct ToolChange {
    /// Before; `None` for one that came.
    pub before: Option<Arc<Tool>>,
    /// After; `None` for one that went.
    pub after: Option<Arc<Tool>>,
    /// What differs.
    pub kinds: Vec<ChangeKind>,
}

/// What differs in a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The operation came.
    Added,
    /// The operation went.
    Removed,
    /// It is not exposed any more.
    Hidden,
    /// It is exposed now.
    Shown,
    /// Its name.
    Renamed,
    /// What the model reads.
    Description,
    /// Its arguments.
    InputSchema,
    /// Its result.
    OutputSchema,
    /// Title and hints.
    Annotations,
    /// Where arguments go.
    Binding,
}

impl ChangeKind {
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Hidden => "hidden",
            Self::Shown => "shown",
            Self::Renamed => "renamed",
            Self::Description => "description",
            Self::InputSchema => "input schema",
            Self::OutputSchema => "output schema",
            Self::Annotations => "annotations",
            Self::Binding => "where arguments go",
        }
    }
}

impl Effect {
    /// Compares two catalogs; a tool is recognised by its upstream, method and path.
    pub fn between(before: &Catalog, after: &Catalog) -> Self {
        if let Some(changes) = in_step(before, after) {
            return Self::with_conflicts(changes, before, after);
        }
        let mut old: BTreeMap<(&str, &str, &str), &Arc<Tool>> = BTreeMap::new();
        for tool in before.all() {
            old.entry(id(before, tool)).or_insert(tool);
        }
        let mut changes = Vec::new();
        let mut seen: BTreeMap<(&str, &str, &str), ()> = BTreeMap::new();
        for tool in after.all() {
            let id = id(after, tool);
            if seen.insert(id, ()).is_some() {
                continue;
            }
            let kinds = match old.remove(&id) {
                Some(known) => (Some(known.clone()), kinds(known, tool)),
                None => (None, vec![ChangeKind::Added]),
            };
            if !kinds.1.is_empty() {
                changes.push(ToolChange { before: kinds.0, after: Some(tool.clone()), kinds: kinds.1 });
            }
        }
        let gone = before.all().filter(|tool| old.get(&id(before, tool)).is_some_and(|known| Arc::ptr_eq(known, tool)));
        changes.extend(gone.map(|tool| ToolChange {
            before: Some(tool.clone()),
            after: None,
            kinds: vec![ChangeKind::Removed],
        }));
        Self::with_conflicts(changes, before, after)
    }

    fn with_conflicts(changes: Vec<ToolChange>, before: &Catalog, after: &Catalog) -> Self {
        let lacks = |catalog: &Catalog, conflict: &Conflict| {
            !catalog.conflicts.iter().any(|known| known.kind == conflict.kind && known.name == conflict.name)
        };
        let missing = |from: &Catalog, other: &Catalog| -> Vec<Conflict> {
            from.conflicts.iter().filter(|conflict| lacks(other, conflict)).cloned().collect()
        };
        Self { changes, new_conflicts: missing(after, before), solved_conflicts: missing(before, after) }
    }

    /// Nothing differs.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.new_conflicts.is_empty() && self.solved_conflicts.is_empty()
    }
}

/// The changes where both have the same operations, in the order of the documents, as after an edit; else `None`.
fn in_step(before: &Catalog, after: &Catalog) -> Option<Vec<ToolChange>> {
    let names =
        |catalog: &'_ Catalog| -> Vec<String> { catalog.upstreams.iter().map(|one| one.name.clone()).collect() };
    let (old, new): (Vec<_>, Vec<_>) = (before.all().collect(), after.all().collect());
    if old.len() != new.len() || names(before) != names(after) {
        return None;
    }
    let mut changes = Vec::new();
    let mut seen = HashSet::with_capacity(new.len());
    for (old, new) in old.into_iter().zip(new) {
        if old.id() != new.id() || !seen.insert(new.id()) {
            return None;
        }
        let kinds = kinds(old, new);
        if !kinds.is_empty() {
            changes.push(ToolChange { before: Some(old.clone()), after: Some(new.clone()), kinds });
        }
    }
    Some(changes)
}

fn id<'a>(catalog: &'a Catalog, tool: &'a Tool) -> (&'a str, &'a str, &'a str) {
    let upstream = catalog.upstreams.get(tool.upstream).map_or("", |upstream| upstream.name.as_str());
    (upstream, &tool.operation.method, &tool.operation.path)
}

fn kinds(before: &Tool, after: &Tool) -> Vec<ChangeKind> {
    if Arc::ptr_eq(&before.operation, &after.operation)
        && before.named.name == after.named.name
        && before.hidden.is_some() == after.hidden.is_some()
    {
        return Vec::new();
    }
    let (old, new) = (&before.operation, &after.operation);
    let differing = [
        (before.hidden.is_none() && after.hidden.is_some(), ChangeKind::Hidden),
        (before.hidden.is_some() && after.hidden.is_none(), ChangeKind::Shown),
        (before.named.name != after.named.name, ChangeKind::Renamed),
        (old.description != new.description, ChangeKind::Description),
        (old.input_schema != new.input_schema, ChangeKind::InputSchema),
        (old.output_schema != new.output_schema, ChangeKind::OutputSchema),
        (old.annotations != new.annotations, ChangeKind::Annotations),
        (old.binding != new.binding, ChangeKind::Binding),
    ];
    differing.into_iter().filter(|(differs, _)| *differs).map(|(_, kind)| kind).collect()
}
