//! What became of the tools between two states, and what of it breaks callers.
//!
//! ```text
//! Lock, Lock ──pairs──▶ which tool is which ──compare──▶ changes, each under a rule of the table in `rules`
//! ```
//!
//! Pure. Both states are locks: one of a catalog carries the schemas themselves, so more can be told of it than of a file.

mod compare;
mod pairs;
mod rules;
mod schema;
mod types;
mod words;

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::lock::{Identity, Lock};
use pairs::Pair;

pub use rules::{RULES, Rule};
pub use words::{Line, excerpts};

/// One thing that changed in a tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// What happened.
    pub rule: Rule,
    /// To which argument, member of the result, or target; `a.b` and `a[]` lead into it.
    pub at: Option<String>,
    /// What was there, in words.
    pub before: Option<String>,
    /// What is there now.
    pub after: Option<String>,
}

/// One tool before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDiff {
    /// Before; `None` for one that came.
    pub old: Option<Identity>,
    /// After; `None` for one that went.
    pub new: Option<Identity>,
    /// What changed, the worst first.
    pub changes: Vec<Change>,
}

/// What became of the tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The tools that differ: those that break callers first, then by name.
    pub tools: Vec<ToolDiff>,
    /// What targets say of the list as a whole.
    pub lists: Vec<Change>,
    /// Exposed tools before, and after.
    pub counts: (usize, usize),
    /// Tools that are what they were.
    pub unchanged: usize,
}

impl Change {
    fn new(rule: Rule) -> Self {
        Self { rule, at: None, before: None, after: None }
    }

    fn at(rule: Rule, at: &str) -> Self {
        Self { at: Some(at.to_owned()).filter(|at| !at.is_empty()), ..Self::new(rule) }
    }

    fn between(rule: Rule, before: impl Into<String>, after: impl Into<String>) -> Self {
        Self { before: Some(before.into()), after: Some(after.into()), ..Self::new(rule) }
    }

    fn of(rule: Rule, at: &str, before: impl Into<String>, after: impl Into<String>) -> Self {
        Self { before: Some(before.into()), after: Some(after.into()), ..Self::at(rule, at) }
    }
}

impl ToolDiff {
    /// A change of it breaks callers.
    pub fn breaking(&self) -> bool {
        self.changes.iter().any(|change| change.rule.breaking())
    }

    /// The tool as it is now, else as it was.
    pub fn id(&self) -> Option<&Identity> {
        self.new.as_ref().or(self.old.as_ref())
    }
}

impl Diff {
    /// Compares two states.
    pub fn between(old: &Lock, new: &Lock) -> Self {
        let pairs = pairs::pairs(old, new);
        let reused = reused(old, &pairs);
        let mut diff = Self {
            lists: compare::verdicts(&old.targets, &new.targets),
            counts: (old.tools.len(), new.tools.len()),
            ..Self::default()
        };
        for (pair, reused) in pairs.iter().zip(reused) {
            let mut changes = compare::changes(pair);
            changes.extend(reused);
            changes.sort();
            match changes.is_empty() {
                true => diff.unchanged += usize::from(pair.new.is_some_and(|new| new.entry.is_some())),
                false => diff.tools.push(ToolDiff {
                    old: pair.old.map(|side| side.id.clone()),
                    new: pair.new.map(|side| side.id.clone()),
                    changes,
                }),
            }
        }
        let key =
            |tool: &ToolDiff| (!tool.breaking(), tool.changes.first().map(|change| change.rule), tool.id().cloned());
        diff.tools.sort_by_cached_key(key);
        diff
    }

    /// Nothing differs.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.lists.is_empty()
    }

    /// All changes.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.tools.iter().flat_map(|tool| &tool.changes).chain(&self.lists)
    }

    /// Something breaks callers.
    pub fn breaking(&self) -> bool {
        self.changes().any(|change| change.rule.breaking())
    }

    /// How often each rule was met, in the order of the table; those that were not are left out.
    pub fn counts_by_rule(&self) -> Vec<(Rule, usize)> {
        let mut counts: BTreeMap<Rule, usize> = BTreeMap::new();
        for change in self.changes() {
            *counts.entry(change.rule).or_default() += 1;
        }
        counts.into_iter().collect()
    }
}

/// For each pair: its name was the name of another operation.
fn reused(old: &Lock, pairs: &[Pair<'_>]) -> Vec<Option<Change>> {
    let mut owners: HashMap<&str, &Identity> = HashMap::new();
    for entry in old.tools.iter().filter(|entry| !entry.conflict) {
        owners.insert(&entry.id.name, &entry.id);
    }
    let one = |pair: &Pair<'_>| {
        let new = pair.new.filter(|side| side.entry.is_some())?;
        let owner = owners.get(new.id.name.as_str())?;
        let before = pair.old.map(|side| side.id);
        if before.is_some_and(|before| before == *owner || before.name == new.id.name) {
            return None;
        }
        let words = |id: &Identity| format!("{} {}", id.method, id.path);
        Some(Change { at: Some(new.id.name.clone()), ..Change::between(Rule::NameReused, words(owner), words(new.id)) })
    };
    pairs.iter().map(one).collect()
}
