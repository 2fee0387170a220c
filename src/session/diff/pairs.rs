//! Which tool of one lock is which of another: by operation first, then by what an operation keeps when it moves.

use std::collections::HashMap;
use std::hash::Hash;

use crate::session::lock::{Entry, HiddenEntry, Identity, Lock};

/// A tool of a lock, exposed or hidden.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub(super) id: &'a Identity,
    /// `None` for one that is not exposed.
    pub(super) entry: Option<&'a Entry>,
    pub(super) hidden: Option<&'a HiddenEntry>,
}

/// One tool before and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) old: Option<Side<'a>>,
    pub(super) new: Option<Side<'a>>,
}

struct Matching<'a> {
    old: Vec<Side<'a>>,
    new: Vec<Side<'a>>,
    /// For each of `new` the index of its `old`.
    found: Vec<Option<usize>>,
    taken: Vec<bool>,
    /// Upstreams are told apart by name.
    by_upstream: bool,
}

/// All tools of both locks: in the order of the new one, then those that went.
pub(super) fn pairs<'a>(old: &'a Lock, new: &'a Lock) -> Vec<Pair<'a>> {
    let (old, new) = (sides(old), sides(new));
    // Two files with one API each are compared whatever the files are called.
    let by_upstream = count(&old) > 1 || count(&new) > 1;
    let mut matching = Matching { found: vec![None; new.len()], taken: vec![false; old.len()], old, new, by_upstream };
    matching.by(|side| Some((&*side.id.method, &*side.id.path)), false);
    matching.by(|side| side.id.operation_id.as_deref(), true);
    matching.by(|side| Some((&*side.id.method, without_names(&side.id.path))), true);
    matching.by(|side| side.entry.map(|_| &*side.id.name), true);
    matching.by(|side| Some((&*side.id.method, without_version(&without_names(&side.id.path)))), true);
    let Matching { old, new, found, taken, .. } = matching;
    let mut pairs: Vec<Pair<'a>> = Vec::new();
    for (new, at) in new.into_iter().zip(found) {
        pairs.push(Pair { old: at.and_then(|at| old.get(at).copied()), new: Some(new) });
    }
    let gone = old.into_iter().zip(taken).filter(|(_, taken)| !taken);
    pairs.extend(gone.map(|(old, _)| Pair { old: Some(old), new: None }));
    pairs
}

fn sides(lock: &Lock) -> Vec<Side<'_>> {
    let exposed = lock.tools.iter().map(|entry| Side { id: &entry.id, entry: Some(entry), hidden: None });
    let hidden = lock.hidden.iter().map(|hidden| Side { id: &hidden.id, entry: None, hidden: Some(hidden) });
    exposed.chain(hidden).collect()
}

fn count(sides: &[Side<'_>]) -> usize {
    let mut names: Vec<&str> = sides.iter().map(|side| side.id.upstream.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

impl<'a> Matching<'a> {
    /// Matches what is left over by a key; with `once`, only where it is the key of one tool on each side.
    fn by<K: Eq + Hash>(&mut self, key: impl Fn(&Side<'a>) -> Option<K>, once: bool) {
        let upstream = |side: &Side<'a>| if self.by_upstream { side.id.upstream.as_str() } else { "" };
        let mut open: HashMap<(&str, K), Vec<usize>> = HashMap::new();
        for (at, side) in self.old.iter().enumerate().filter(|(at, _)| self.taken.get(*at) == Some(&false)) {
            if let Some(key) = key(side) {
                open.entry((upstream(side), key)).or_default().push(at);
            }
        }
        let mut wanted: HashMap<(&str, K), usize> = HashMap::new();
        let free = |found: &[Option<usize>], at: usize| found.get(at) == Some(&None);
        for (_, side) in self.new.iter().enumerate().filter(|(at, _)| free(&self.found, *at)) {
            if let Some(key) = key(side) {
                *wanted.entry((upstream(side), key)).or_default() += 1;
            }
        }
        let mut matched = Vec::new();
        for (at, side) in self.new.iter().enumerate().filter(|(at, _)| free(&self.found, *at)) {
            let Some(key) = key(side).map(|key| (upstream(side), key)) else { continue };
            let is_unique = wanted.get(&key) == Some(&1) && open.get(&key).is_some_and(|olds| olds.len() == 1);
            let old = open.get_mut(&key).filter(|olds| !olds.is_empty() && (!once || is_unique));
            matched.extend(old.map(|olds| (at, olds.remove(0))));
        }
        for (new, old) in matched {
            if let (Some(found), Some(taken)) = (self.found.get_mut(new), self.taken.get_mut(old)) {
                *found = Some(old);
                *taken = true;
            }
        }
    }
}

/// `/pets/{id}` and `/pets/{petId}/` are one path.
fn without_names(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut depth = 0_usize;
    for c in path.trim_end_matches('/').chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => continue,
            _ => {}
        }
        out.push(c);
    }
    out
}

/// `/v1/pets` and `/api/v2/pets`: without what stands before and in a version's segment.
fn without_version(path: &str) -> String {
    let is_version = |segment: &str| {
        let number = segment.strip_prefix('v').unwrap_or_default();
        number.starts_with(|c: char| c.is_ascii_digit())
    };
    let segments: Vec<&str> = path.split('/').collect();
    match segments.iter().take(4).position(|segment| is_version(segment)) {
        Some(at) => format!("/{}", segments.get(at + 1..).unwrap_or_default().join("/")),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(tools: &[(&str, &str, &str, Option<&str>)]) -> Lock {
        let entry = |(name, method, path, id): &(&str, &str, &str, Option<&str>)| Entry {
            id: Identity {
                name: (*name).to_owned(),
                upstream: "u".to_owned(),
                method: (*method).to_owned(),
                path: (*path).to_owned(),
                operation_id: id.map(str::to_owned),
            },
            ..Entry::default()
        };
        Lock { tools: tools.iter().map(entry).collect(), ..Lock::default() }
    }

    fn matched(old: &[(&str, &str, &str, Option<&str>)], new: &[(&str, &str, &str, Option<&str>)]) -> Vec<String> {
        let (old, new) = (lock(old), lock(new));
        let name = |side: Option<Side<'_>>| side.map_or_else(|| "-".to_owned(), |side| side.id.name.clone());
        pairs(&old, &new).into_iter().map(|pair| format!("{}>{}", name(pair.old), name(pair.new))).collect()
    }

    #[test]
    fn an_operation_is_known_again() {
        type Tools = &'static [(&'static str, &'static str, &'static str, Option<&'static str>)];
        let cases: [(&str, Tools, Tools, &[&str]); 8] = [
            ("same operation", &[("a", "GET", "/a", None)], &[("b", "GET", "/a", None)], &["a>b"]),
            ("same id", &[("a", "GET", "/a", Some("x"))], &[("a", "PUT", "/b", Some("x"))], &["a>a"]),
            ("parameter renamed", &[("a", "GET", "/a/{id}", None)], &[("b", "GET", "/a/{aId}", None)], &["a>b"]),
            ("same name", &[("a", "GET", "/a", None)], &[("a", "POST", "/z", None)], &["a>a"]),
            ("next version", &[("a", "GET", "/v1/a", None)], &[("b", "GET", "/api/v2/a", None)], &["a>b"]),
            ("other", &[("a", "GET", "/a", None)], &[("b", "GET", "/b", None)], &["->b", "a>-"]),
            (
                "the operation comes before the id",
                &[("a", "GET", "/a", Some("x")), ("b", "GET", "/b", Some("y"))],
                &[("c", "GET", "/a", Some("y")), ("d", "GET", "/b", Some("x"))],
                &["a>c", "b>d"],
            ),
            (
                "an id that two have says nothing",
                &[("a", "GET", "/a", Some("x")), ("b", "GET", "/b", Some("x"))],
                &[("c", "GET", "/c", Some("x"))],
                &["->c", "a>-", "b>-"],
            ),
        ];
        for (what, old, new, expected) in cases {
            assert_eq!(matched(old, new), expected, "{what}");
        }
    }
}
