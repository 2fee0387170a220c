//! How two sets of types, or of values, relate.

use std::collections::BTreeSet;

use super::Change;
use super::rules::Rule;
use super::schema::Flow;
use crate::session::lock::kinds_of_words;

/// How the second set relates to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    /// All of the first, and more.
    Widened,
    /// Some of the first, and nothing else.
    Narrowed,
    Other,
}

/// Types as `lock::kinds` has them.
pub(super) fn relation(old: &BTreeSet<String>, new: &BTreeSet<String>) -> Relation {
    let covers = |outer: &BTreeSet<String>, inner: &BTreeSet<String>| inner.iter().all(|kind| holds(outer, kind));
    match (covers(new, old), covers(old, new)) {
        (true, true) => Relation::Same,
        (true, false) => Relation::Widened,
        (false, true) => Relation::Narrowed,
        (false, false) => Relation::Other,
    }
}

fn holds(outer: &BTreeSet<String>, kind: &str) -> bool {
    if outer.contains("any") || outer.contains(kind) || (kind == "integer" && outer.contains("number")) {
        return true;
    }
    let Some(items) = items(kind) else { return false };
    outer.contains("array")
        || outer.iter().filter_map(|other| self::items(other)).any(|other| items.iter().all(|kind| holds(&other, kind)))
}

/// The types in `array<…>`.
fn items(kind: &str) -> Option<BTreeSet<String>> {
    Some(kinds_of_words(kind.strip_prefix("array<")?.strip_suffix('>')?))
}

/// The types in words.
pub(super) fn words(kinds: &BTreeSet<String>) -> String {
    kinds.iter().map(String::as_str).collect::<Vec<_>>().join("|")
}

/// What became of listed values.
pub(super) fn values(
    flow: Flow,
    at: &str,
    old: Option<&BTreeSet<String>>,
    new: Option<&BTreeSet<String>>,
) -> Option<Change> {
    let (narrowed, widened) = match flow {
        Flow::Input => (Rule::ArgumentEnumNarrowed, Rule::ArgumentEnumWidened),
        Flow::Output => (Rule::OutputChanged, Rule::OutputChanged),
    };
    match (old, new) {
        (Some(old), Some(new)) if old != new => {
            let gone: Vec<&str> = old.difference(new).map(String::as_str).collect();
            let came: Vec<&str> = new.difference(old).map(String::as_str).collect();
            let rule = if gone.is_empty() { widened } else { narrowed };
            let list = |values: &[&str]| (!values.is_empty()).then(|| short(values));
            Some(Change { before: list(&gone), after: list(&came), ..Change::at(rule, at) })
        }
        (None, Some(new)) => {
            Some(Change::of(narrowed, at, "any value", short(&new.iter().map(String::as_str).collect::<Vec<_>>())))
        }
        (Some(old), None) => {
            Some(Change::of(widened, at, short(&old.iter().map(String::as_str).collect::<Vec<_>>()), "any value"))
        }
        _ => None,
    }
}

/// The first values of a list.
fn short(values: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown = values.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match values.len().checked_sub(SHOWN) {
        Some(rest) if rest > 0 => format!("{shown} and {rest} more"),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_relate() {
        let cases = [
            ("string", "string", Relation::Same),
            ("integer", "number", Relation::Widened),
            ("number", "integer", Relation::Narrowed),
            ("string", "integer", Relation::Other),
            ("string", "null|string", Relation::Widened),
            ("any", "string", Relation::Narrowed),
            ("string", "any", Relation::Widened),
            ("array<integer>", "array<number>", Relation::Widened),
            ("array<string>", "array<integer>", Relation::Other),
            ("array<string>", "array", Relation::Widened),
            ("array<array<a|b>|c>", "array<array<a>|c>", Relation::Narrowed),
        ];
        let set = kinds_of_words;
        for (old, new, expected) in cases {
            assert_eq!(relation(&set(old), &set(new)), expected, "{old} {new}");
        }
    }
}
