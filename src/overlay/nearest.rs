//! The name that a person may have meant, and why a target matches nothing.

use crate::document::jsonpath::ast::{Comparable, Logical, Operator, Segment, Selector, SubQuery};
use crate::document::jsonpath::{Query, is_shorthand, quoted};
use crate::document::{Node, Pointer, Step};

/// Nodes looked at for a hint.
const LOOKED_AT: usize = 2000;
/// Visits that the search for a hint may take.
const VISITS: u64 = 500_000;

/// The candidate that is closest to the name in insertions, deletions and replacements, when one is close enough to
/// be a slip; the first of equals.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(128).flat_map(char::to_lowercase).collect();
    let allowed = (name.len() / 4).clamp(1, 4);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let within = best.map_or(allowed, |(distance, _)| distance.saturating_sub(1));
        if let Some(distance) = distance(&name, candidate, within) {
            if distance == 0 {
                return Some(candidate);
            }
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The edit distance, case aside, when it is not beyond the bound.
fn distance(name: &[char], candidate: &str, within: usize) -> Option<usize> {
    if candidate.len().abs_diff(name.len()) > within + 3 * name.len() {
        return None;
    }
    let other: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
    if other.len().abs_diff(name.len()) > within {
        return None;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, a) in name.iter().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        let mut least = left;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, b) in row.iter_mut().skip(1).zip(&other) {
            let replaced = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
            least = least.min(left);
        }
        if least > within {
            return None;
        }
    }
    row.last().copied().filter(|distance| *distance <= within)
}

/// Why a query matches nothing.
pub(super) struct Hint {
    /// What is there and what is not.
    pub(super) why: String,
    /// What to do.
    pub(super) remedy: Option<String>,
}

/// Looks for the segment at which the query stops matching. With `adds` a missing member may be meant to be added.
pub(super) fn explain(query: &Query, root: &Node, adds: bool) -> Option<Hint> {
    let segments = query.segments();
    let reached = (0..segments.len()).rev().find(|count| !query.reach(root, *count, 1, VISITS).is_empty())?;
    let failed = segments.get(reached)?;
    let parents = query.reach(root, reached, LOOKED_AT, VISITS);
    let text = |end: usize| query.text().get(..end).unwrap_or_default();
    let before = text(reached.checked_sub(1).and_then(|last| segments.get(last)).map_or(1, |last| last.span.end));
    let written = query.text().get(failed.span.clone()).unwrap_or_default();
    let why = format!("`{before}` exists, `{written}` selects nothing in it");
    let remedy = match failed.selectors.as_slice() {
        [Selector::Name(name)] => near_name(name, &parents, failed, adds && reached + 1 == segments.len(), before),
        [Selector::Index(at)] => index_of_object(*at, &parents),
        [Selector::Filter(condition)] => near_value(condition, &parents),
        _ => None,
    };
    Some(Hint { why, remedy })
}

fn near_name(name: &str, parents: &[&Node], failed: &Segment, last: bool, before: &str) -> Option<String> {
    let names = parents.iter().flat_map(|parent| parent.members()).map(|entry| &*entry.key).take(LOOKED_AT);
    if let Some(near) = nearest(name, names) {
        return Some(format!(
            "did you mean {}?",
            if is_shorthand(near) { format!(".{near}") } else { format!("[{}]", quoted(near)) }
        ));
    }
    let addable = last && failed.is_singular() && parents.iter().all(|parent| parent.as_map().is_some());
    addable.then(|| format!("to add it, target `{before}` and put `{name}` into `update`"))
}

fn index_of_object(at: i64, parents: &[&Node]) -> Option<String> {
    let key = at.to_string();
    let named = parents.iter().any(|parent| parent.get(&key).is_some());
    named.then(|| format!("a name is quoted, also when it is a number: ['{key}']"))
}

/// For `[?@.name == 'text']` the closest text that is there.
fn near_value(condition: &Logical, parents: &[&Node]) -> Option<String> {
    let Logical::Compare { left, operator: Operator::Equal, right } = condition else {
        return None;
    };
    let (query, wanted) = match (left, right) {
        (Comparable::Query(query), Comparable::Literal(wanted))
        | (Comparable::Literal(wanted), Comparable::Query(query)) => (query, wanted),
        _ => return None,
    };
    let pointer = relative(query)?;
    let children = parents.iter().flat_map(|parent| parent.items().chain(parent.members().map(|entry| &entry.value)));
    let values = children.take(LOOKED_AT).filter_map(|child| pointer.find(child)?.as_str());
    nearest(wanted.as_str()?, values).map(|near| format!("did you mean {}?", quoted(near)))
}

fn relative(query: &SubQuery) -> Option<Pointer> {
    let step = |segment: &Segment| match segment.selectors.as_slice() {
        [Selector::Name(name)] if segment.is_singular() => Some(Step::Key(name.clone())),
        _ => None,
    };
    if query.absolute { None } else { query.segments.iter().map(step).collect::<Option<Vec<_>>>().map(Pointer) }
}
