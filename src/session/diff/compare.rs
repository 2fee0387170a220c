//! What became of one tool.

use std::collections::BTreeMap;

use super::pairs::{Pair, Side};
use super::rules::Rule;
use super::schema::{self, Flow};
use super::{Change, types};
use crate::lint::Verdict;
use crate::session::lock::{Argument, Entry, kinds_of_words};

/// The changes of a pair, the worst first.
pub(super) fn changes(pair: &Pair<'_>) -> Vec<Change> {
    let mut found = match (pair.old, pair.new) {
        (Some(old), Some(new)) => both(&old, &new),
        (None, Some(Side { entry: Some(_), .. })) => vec![Change::new(Rule::Added)],
        (Some(Side { entry: Some(_), .. }), None) => vec![Change::new(Rule::Removed)],
        // What nobody had, before or after, is no change.
        _ => Vec::new(),
    };
    found.sort_by(|one, other| (one.rule, &one.at).cmp(&(other.rule, &other.at)));
    found
}

fn both(old: &Side<'_>, new: &Side<'_>) -> Vec<Change> {
    match (old.entry, new.entry) {
        (Some(before), Some(after)) => exposed(before, after),
        (Some(_), None) => {
            let by = new.hidden.map(|hidden| hidden.by.clone());
            vec![Change { after: by, ..Change::new(Rule::Hidden) }]
        }
        (None, Some(_)) => {
            let by = old.hidden.map(|hidden| hidden.by.clone());
            vec![Change { before: by, ..Change::new(Rule::Shown) }]
        }
        (None, None) => Vec::new(),
    }
}

fn exposed(old: &Entry, new: &Entry) -> Vec<Change> {
    let mut found = Vec::new();
    if old.id.name != new.id.name {
        found.push(Change::between(Rule::Renamed, &old.id.name, &new.id.name));
    }
    if new.conflict && !old.conflict {
        found.push(Change::new(Rule::NameConflict));
    }
    let operation = |entry: &Entry| format!("{} {}", entry.id.method, entry.id.path);
    if operation(old) != operation(new) {
        found.push(Change::between(Rule::Moved, operation(old), operation(new)));
    }
    if old.description != new.description {
        let text = |entry: &Entry| entry.full.as_ref().map(|full| full.description.clone());
        found.push(Change { before: text(old), after: text(new), ..Change::new(Rule::Description) });
    }
    let of_arguments = arguments(old, new);
    if of_arguments.is_empty() && old.input != new.input {
        found.push(Change::new(Rule::ArgumentText));
    }
    found.extend(of_arguments);
    found.extend(output(old, new));
    found.extend(hints(old, new));
    found.extend(verdicts(&old.targets, &new.targets));
    found
}

fn arguments(old: &Entry, new: &Entry) -> Vec<Change> {
    let mut gone: Vec<(&String, &Argument)> =
        old.arguments.iter().filter(|(name, _)| !new.arguments.contains_key(*name)).collect();
    let mut found = Vec::new();
    for (name, argument) in &new.arguments {
        if let Some(before) = old.arguments.get(name) {
            found.extend(one_argument(old, new, (name, before), (name, argument)));
            continue;
        }
        match gone.iter().position(|(was, before)| is_renamed((was, before), (name, argument))) {
            Some(at) => {
                let (was, before) = gone.remove(at);
                found.push(Change { at: Some(was.clone()), ..Change::between(Rule::ArgumentRenamed, was, name) });
                found.extend(one_argument(old, new, (was, before), (name, argument)));
            }
            None => {
                let rule = if argument.required { Rule::ArgumentAddedRequired } else { Rule::ArgumentAdded };
                found.push(Change { after: Some(argument.kind.clone()), ..Change::at(rule, name) });
            }
        }
    }
    found.extend(gone.into_iter().map(|(name, argument)| Change {
        before: Some(argument.kind.clone()),
        ..Change::at(Rule::ArgumentRemoved, name)
    }));
    found
}

/// The same place on the wire under another name; or a name that differs in case and separators only, or a placeholder of
/// the path, of the same type.
fn is_renamed(old: (&String, &Argument), new: (&String, &Argument)) -> bool {
    let (before, after) = (old.1, new.1);
    if before.place != after.place {
        return false;
    }
    let wire = |(name, argument): (&String, &Argument)| argument.wire.clone().unwrap_or_else(|| name.clone());
    let plain = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let is_like = plain(old.0) == plain(new.0) || before.place == "path";
    wire(old) == wire(new) || (is_like && before.kind == after.kind && before.required == after.required)
}

fn one_argument(
    old: &Entry,
    new: &Entry,
    (was, before): (&String, &Argument),
    (name, after): (&String, &Argument),
) -> Vec<Change> {
    let mut found = Vec::new();
    match (before.required, after.required) {
        (false, true) => found.push(Change::at(Rule::ArgumentRequired, name)),
        (true, false) => found.push(Change::at(Rule::ArgumentOptional, name)),
        _ => {}
    }
    let rule = match types::relation(&kinds_of_words(&before.kind), &kinds_of_words(&after.kind)) {
        types::Relation::Same => None,
        types::Relation::Widened => Some(Rule::ArgumentTypeWidened),
        types::Relation::Narrowed => Some(Rule::ArgumentTypeNarrowed),
        types::Relation::Other => Some(Rule::ArgumentTypeChanged),
    };
    found.extend(rule.map(|rule| Change::of(rule, name, before.kind.clone(), after.kind.clone())));
    found.extend(types::values(Flow::Input, name, before.choices.as_ref(), after.choices.as_ref()));
    if before.shape != after.shape && rule != Some(Rule::ArgumentTypeChanged) {
        let within = within(old, new, was, name);
        match within {
            Some(within) if !within.is_empty() => found.extend(within),
            _ if found.is_empty() => found.push(Change::at(Rule::ArgumentChanged, name)),
            _ => {}
        }
    }
    found
}

/// What changed inside of an argument; `None` where one side holds no schema.
fn within(old: &Entry, new: &Entry, was: &str, name: &str) -> Option<Vec<Change>> {
    let (before, after) = (&old.full.as_ref()?.input, &new.full.as_ref()?.input);
    let (old, new) = (before.get("properties")?.get(was)?, after.get("properties")?.get(name)?);
    Some(schema::changes(Flow::Input, name, (old, before), (new, after), true))
}

fn output(old: &Entry, new: &Entry) -> Vec<Change> {
    match (&old.output, &new.output) {
        (Some(before), Some(after)) if before != after => {
            let schema = |entry: &'_ Entry| entry.full.as_ref().and_then(|full| full.output.clone());
            let (Some(before), Some(after)) = (schema(old), schema(new)) else {
                return vec![Change::new(Rule::OutputChanged)];
            };
            let found = schema::changes(Flow::Output, "", (&before, &before), (&after, &after), false);
            if found.is_empty() { vec![Change::new(Rule::OutputChanged)] } else { found }
        }
        (Some(_), None) => vec![Change::new(Rule::OutputRemoved)],
        (None, Some(_)) => vec![Change::new(Rule::OutputAdded)],
        _ => Vec::new(),
    }
}

fn hints(old: &Entry, new: &Entry) -> Option<Change> {
    if old.hints == new.hints {
        return None;
    }
    let words = |entry: &Entry| {
        let hints = entry.hints;
        let all = [
            (hints.read_only, "read-only"),
            (hints.destructive, "destructive"),
            (hints.idempotent, "idempotent"),
            (hints.open_world, "open-world"),
        ];
        let on: Vec<&str> = all.into_iter().filter(|(on, _)| *on).map(|(_, word)| word).collect();
        if on.is_empty() { "none".to_owned() } else { on.join(", ") }
    };
    let rule = if old.hints.read_only && !new.hints.read_only { Rule::ReadOnlyLost } else { Rule::Hints };
    Some(Change::between(rule, words(old), words(new)))
}

/// What targets that both sides asked say now.
pub(super) fn verdicts(old: &BTreeMap<String, Verdict>, new: &BTreeMap<String, Verdict>) -> Vec<Change> {
    let differing = new.iter().filter_map(|(target, after)| {
        let before = old.get(target).filter(|before| *before != after)?;
        let taken = |verdict: &Verdict| *verdict <= Verdict::Warn;
        let rule = if taken(before) && !taken(after) { Rule::VerdictLost } else { Rule::Verdict };
        Some(Change::of(rule, target, before.as_str(), after.as_str()))
    });
    differing.collect()
}
