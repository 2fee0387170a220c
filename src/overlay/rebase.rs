//! After a new revision of a document: what the targets that match nothing any more probably mean now.

use similar::TextDiff;

use super::apply::ActionTrail;
use crate::document::jsonpath::ast::{Comparable, Logical, Segment, Selector};
use crate::document::jsonpath::{Query, quoted, readable};
use crate::document::{Node, Pointer, Step};

/// Proposals for one action.
const MOST: usize = 3;
/// Names and values that are compared for one target.
const COMPARED: usize = 5_000;
/// Least likeness of a name by itself.
const ALIKE: f32 = 0.6;
/// Proposals that are less likely than the best by more than this are noise.
const BEHIND: f32 = 0.2;
/// Visits that checking one proposal may take.
const VISITS: u64 = 2_000_000;

/// A target that was probably meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The target; it matches in the document.
    pub target: String,
    /// Why, in words that follow "probably".
    pub why: String,
    /// How sure, from 0 to 1.
    pub likeness: f32,
}

/// What the target of an action that matches nothing probably means, the likeliest first.
///
/// `old` is the revision that the overlay was written for: with it a thing is known again by what it is and not only by its
/// name. Nothing when the target matches.
pub fn propose(trail: &ActionTrail, new: &Node, old: Option<&Node>) -> Vec<Proposal> {
    if !trail.matches.is_empty() {
        return Vec::new();
    }
    let Ok(query) = Query::parse(&trail.target) else { return Vec::new() };
    let mut found = match query.exact() {
        Some(pointer) => moved(&pointer, new, old),
        None => revalued(&query, new),
    };
    found.retain(|proposal| {
        let located = Query::parse(&proposal.target).ok().and_then(|query| query.locate_within(new, VISITS).ok());
        located.is_some_and(|located| !located.is_empty())
    });
    // Equal ones stay in document order.
    found.sort_by(|a, b| b.likeness.total_cmp(&a.likeness));
    let best = found.first().map_or(0.0, |proposal| proposal.likeness);
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|proposal| proposal.likeness + BEHIND >= best && seen.insert(proposal.target.clone()));
    found.truncate(MOST);
    found
}

/// Other places for a path of names.
fn moved(pointer: &Pointer, new: &Node, old: Option<&Node>) -> Vec<Proposal> {
    let before = old.and_then(|old| pointer.find(old));
    let mut found: Vec<Proposal> = before.and_then(|before| same_operation(pointer, before, new)).into_iter().collect();
    let Some(at) = (0..pointer.0.len()).rev().find(|at| head(pointer, *at).find(new).is_some()) else {
        return found;
    };
    let parent = head(pointer, at);
    let (Some(Step::Key(lost)), Some(map)) = (pointer.0.get(at), parent.find(new).and_then(Node::as_map)) else {
        return found;
    };
    let rest = Pointer(pointer.0.get(at + 1..).unwrap_or_default().to_vec());
    let below_old = old.and_then(|old| head(pointer, at).find(old));
    for entry in map.iter().take(COMPARED) {
        if rest.find(&entry.value).is_none() {
            continue;
        }
        // What was there before under its name is itself and nothing that was renamed.
        let was_there = below_old.is_some_and(|old| old.get(&entry.key).is_some());
        let names = likeness(&plain(lost), &plain(&entry.key));
        let content = before.zip(rest.find(&entry.value)).map(|(before, now)| content(before, now));
        let score = match (content, was_there) {
            (_, true) => names * 0.7,
            (Some(content), false) => content.max(names),
            (None, false) => names,
        };
        if score < ALIKE {
            continue;
        }
        let why = if plain(lost) == plain(&entry.key) {
            "it has another name for its parameters".to_owned()
        } else if content.is_some_and(|content| content > names) {
            format!("{} has the same content", quoted(&entry.key))
        } else {
            format!("{} is named almost the same", quoted(&entry.key))
        };
        let mut steps = parent.0.clone();
        steps.push(Step::Key(entry.key.clone()));
        steps.extend(rest.0.iter().cloned());
        found.push(Proposal { target: readable(&Pointer(steps)), why, likeness: score });
    }
    found
}

fn head(pointer: &Pointer, count: usize) -> Pointer {
    Pointer(pointer.0.get(..count).unwrap_or_default().to_vec())
}

/// An operation is known again by its operationId, wherever it went.
fn same_operation(pointer: &Pointer, before: &Node, new: &Node) -> Option<Proposal> {
    let id = before.text("operationId")?;
    let [Step::Key(top), _, _] = pointer.0.as_slice() else { return None };
    let items = new.get(top)?;
    let (path, method) = items.members().take(COMPARED).find_map(|item| {
        let method = item.value.members().find(|entry| entry.value.text("operationId") == Some(id))?;
        Some((item.key.clone(), method.key.clone()))
    })?;
    let target = readable(&Pointer::default().key(top.clone()).key(path).key(method));
    Some(Proposal { target, why: format!("the operation `{id}` moved there"), likeness: 1.0 })
}

/// Other values for the texts that a filter compares with.
fn revalued(query: &Query, new: &Node) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (at, segment) in query.segments().iter().enumerate() {
        for (name, wanted) in segment.selectors.iter().filter_map(compared) {
            let parents = query.reach(new, at, COMPARED, VISITS);
            let children =
                parents.iter().flat_map(|parent| parent.items().chain(parent.members().map(|entry| &entry.value)));
            let mut values: Vec<&str> = children.filter_map(|child| child.text(&name)).take(COMPARED).collect();
            values.sort_unstable();
            values.dedup();
            for value in values.into_iter().filter(|value| *value != wanted) {
                let score = likeness(&wanted, value);
                if score < ALIKE {
                    continue;
                }
                for (old, new) in [(quoted(&wanted), quoted(value)), (format!("\"{wanted}\""), quoted(value))] {
                    if query.text().contains(&old) {
                        let target = query.text().replacen(&old, &new, 1);
                        let why = format!("`{name}` is {new} now");
                        found.push(Proposal { target, why, likeness: score });
                    }
                }
            }
        }
    }
    found
}

/// The member and the text of `[?@.member == 'text']`.
fn compared(selector: &Selector) -> Option<(String, String)> {
    let Selector::Filter(condition) = selector else { return None };
    let Logical::Compare { left, right, .. } = &**condition else { return None };
    let (query, literal) = match (left, right) {
        (Comparable::Query(query), Comparable::Literal(literal))
        | (Comparable::Literal(literal), Comparable::Query(query)) => (query, literal),
        _ => return None,
    };
    let [Segment { selectors, .. }] = query.segments.as_slice() else { return None };
    let [Selector::Name(name)] = selectors.as_slice() else { return None };
    (!query.absolute).then_some(())?;
    Some((name.to_string(), literal.as_str()?.to_owned()))
}

/// A path without the names of its parameters, a name as it is.
fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut inside = false;
    for character in name.chars() {
        match character {
            '{' => {
                inside = true;
                out.push_str("{}");
            }
            '}' => inside = false,
            other if !inside => out.push(other),
            _ => {}
        }
    }
    out
}

/// From 0 to 1.
fn likeness(a: &str, b: &str) -> f32 {
    if a == b {
        return 1.0;
    }
    let (long, short) = (a.len().max(b.len()), a.len().min(b.len()));
    // Most names are not worth a comparison.
    if long > 400 || short * 3 < long {
        return 0.0;
    }
    let depth = |name: &str| name.matches('/').count();
    // A path with more or fewer segments is mostly another thing.
    let factor = if depth(a) == depth(b) { 1.0 } else { 0.8 };
    factor * TextDiff::from_chars(a, b).ratio()
}

/// How many of the members of two objects are the same; 1 for equal values.
fn content(before: &Node, now: &Node) -> f32 {
    if before == now {
        return 1.0;
    }
    let (Some(old), Some(new)) = (before.as_map(), now.as_map()) else { return 0.0 };
    let same = old.iter().filter(|entry| new.get(&entry.key) == Some(&entry.value)).count();
    let all = old.len() + new.len() - same;
    // Counts of members are small.
    if all == 0 {
        0.0
    } else {
        f32::from(u16::try_from(same).unwrap_or(u16::MAX)) / f32::from(u16::try_from(all).unwrap_or(u16::MAX))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;
    use crate::document::testing::document;
    use crate::overlay::{Overlay, apply};

    fn proposed(target: &str, new: &str, old: Option<&str>) -> Vec<(String, String)> {
        let text = format!(
            "{{overlay: 1.1.0, info: {{title: t, version: '1'}}, actions: [{{target: {target:?}, remove: true}}]}}"
        );
        let overlay = Overlay::read(&document(1, &text), "o.yaml").unwrap();
        let new = document(0, new);
        let old = old.map(|old| document(2, old).root);
        let applied = apply(&new, &[overlay]);
        let found = propose(&applied.trails[0], &new.root, old.as_ref());
        found.into_iter().map(|proposal| (proposal.target, proposal.why)).collect()
    }

    #[test]
    fn lost_targets_are_found_again() {
        let new = "{paths: {'/v2/pets/{petId}': {get: {operationId: getPet}}, '/v2/pets': {get: {operationId: listPets}}, '/x': {get: {}}}, s: {Animal: {type: object, a: 1}, Order: {}}}";
        let old = "{paths: {'/beasts/{id}': {post: {operationId: getPet}}}, s: {Pet: {type: object, a: 1}, Order: {}}}";
        let cases: Vec<(&str, Option<&str>, &[&str])> = vec![
            ("$.paths['/v2/pets/{id}'].get", None, &["$.paths['/v2/pets/{petId}'].get"]),
            ("$.paths['/v1/pets'].get", None, &["$.paths['/v2/pets'].get"]),
            ("$.paths['/v1/pets'].delete", None, &[]),
            ("$.paths['/v2/pets'].get", None, &[]),
            ("$.paths.*[?@.operationId == 'listPet']", None, &["$.paths.*[?@.operationId == 'listPets']"]),
            // Known again by what it is.
            ("$.paths['/beasts/{id}'].post", Some(old), &["$.paths['/v2/pets/{petId}'].get"]),
            ("$.s.Pet", Some(old), &["$.s.Animal"]),
            ("$.s.Pet", None, &[]),
        ];
        for (target, old, expected) in cases {
            let found: Vec<String> = proposed(target, new, old).into_iter().map(|(target, _)| target).collect();
            assert_eq!(found, expected, "{target}");
        }
        let (_, why) = proposed("$.paths['/v2/pets/{id}'].get", new, None).remove(0);
        assert_eq!(why, "it has another name for its parameters");
    }
}
