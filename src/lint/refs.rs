//! References inside a derived schema: those that lead nowhere, those that lead in a circle, and the depth through them.

use std::collections::HashMap;

use crate::document::{Node, Origin, pointer};

use super::facts::Facts;

/// A `$ref`, as it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference<'a> {
    pub(super) visit: usize,
    pub(super) text: &'a str,
    pub(super) origin: Origin,
}

/// A definition, or the schema itself, with the references that it holds.
#[derive(Clone, Debug, Default)]
struct Unit {
    /// Deepest level of its own.
    depth: usize,
    /// Level of a reference, where it leads, and which one it is.
    edges: Vec<(usize, usize, usize)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Fills in what the facts say of references and of depth.
pub(super) fn settle<'a>(
    facts: &mut Facts<'a>,
    schema: &Node,
    names: &HashMap<&'a str, usize>,
    references: &[Reference<'a>],
) {
    facts.name_text += names.keys().map(|name| name.chars().count()).sum::<usize>();
    let mut units = vec![Unit::default(); names.len() + 1];
    for visit in &facts.visits {
        if let Some(unit) = units.get_mut(visit.unit) {
            unit.depth = unit.depth.max(visit.depth);
        }
    }
    for (number, reference) in references.iter().enumerate() {
        match leads_to(schema, names, reference.text) {
            Some(to) => {
                let Some(from) = facts.visits.get(reference.visit) else { continue };
                if let Some(unit) = units.get_mut(from.unit) {
                    unit.edges.push((from.depth, to, number));
                }
            }
            None => {
                facts.dangling.add(reference.visit, reference.origin);
                facts.dangling_text.get_or_insert(reference.text);
            }
        }
    }
    facts.depth = deepest(&units, |number| {
        if let Some(reference) = references.get(number) {
            facts.recursive.add(reference.visit, reference.origin);
        }
    });
}

/// The unit that a reference leads to; one into the middle of a definition counts for the whole of it.
fn leads_to(schema: &Node, names: &HashMap<&str, usize>, text: &str) -> Option<usize> {
    let fragment = text.strip_prefix('#')?;
    pointer::resolve(schema, fragment).ok()?;
    let Some(rest) = fragment.strip_prefix("/$defs/") else { return Some(0) };
    let token = rest.split('/').next().unwrap_or(rest);
    names.get(&*pointer::unescape(token)).copied()
}

/// The longest way down from the schema itself. Each reference that closes a circle is reported and not followed.
fn deepest(units: &[Unit], mut circle: impl FnMut(usize)) -> usize {
    let mut marks = vec![Mark::New; units.len()];
    let mut depths: Vec<usize> = units.iter().map(|unit| unit.depth).collect();
    let mut open: Vec<(usize, usize)> = vec![(0, 0)];
    while let Some((at, next)) = open.last_mut() {
        let (at, edge) = (*at, units.get(*at).and_then(|unit| unit.edges.get(*next)));
        *next += 1;
        if let Some(mark) = marks.get_mut(at).filter(|mark| **mark == Mark::New) {
            *mark = Mark::Open;
        }
        match edge {
            Some((level, to, number)) => match marks.get(*to) {
                Some(Mark::Open) => circle(*number),
                Some(Mark::New) => {
                    // Looked at again when it is done.
                    if let Some((_, next)) = open.last_mut() {
                        *next -= 1;
                    }
                    open.push((*to, 0));
                }
                _ => {
                    let through = level + depths.get(*to).copied().unwrap_or(0);
                    if let Some(depth) = depths.get_mut(at) {
                        *depth = (*depth).max(through);
                    }
                }
            },
            None => {
                if let Some(mark) = marks.get_mut(at) {
                    *mark = Mark::Done;
                }
                open.pop();
            }
        }
    }
    depths.first().copied().unwrap_or(0)
}
