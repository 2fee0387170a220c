//! An overlay from two versions of a document.
//!
//! Each object that differs gets at most one removal and one update of its own, so an action names what it changes.
//! A list keeps the items that are in both versions in their order: those are changed in place, the others are removed,
//! and new ones at the end are appended; where that does not do, everything behind the common beginning is written
//! anew. Where the kind of a value changes, it is removed and added. The order of the members of an object is not part of its
//! value: new members come last.

use std::sync::Arc;

use super::apply::apply;
use super::author::{Draft, overlay_text};
use super::model::Overlay;
use super::patch::unified;
use crate::document::jsonpath::{Query, is_shorthand, quoted};
use crate::document::{Document, Entry, Format, Node, Value, parse};

/// Longest target that is written; queries may have 16 KiB.
const LONGEST_TARGET: usize = 8 * 1024;
/// Deepest target: queries may have 128 segments in a row.
const DEEPEST_TARGET: usize = 100;
/// Lists up to this length (the product of both) are aligned item by item.
const ALIGNED: usize = 250_000;
/// Longest text by which an item is named.
const LONGEST_IDENTITY: usize = 120;
/// As many actions an overlay may have.
const MOST_ACTIONS: usize = 60_000;

/// Why there is no overlay that turns the one document into the other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// They are equal, and an overlay needs at least one action.
    #[error("the two documents are equal; there is nothing to write")]
    Equal,
    /// The whole value is of another kind, or an object became a list.
    #[error("one document is {0}, the other {1}: no overlay replaces a whole document")]
    Root(&'static str, &'static str),
    /// A name is too long to be named in a target.
    #[error("a name in the document is too long for a target")]
    TooLong,
    /// More actions than an overlay may have.
    #[error("the documents differ in more than {MOST_ACTIONS} places")]
    TooMany,
    /// The overlay was made and does not give the second document.
    #[error("the overlay that was made does not give the second document: {0}")]
    Unproved(String),
}

/// An overlay that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its text.
    pub text: String,
    /// Number of its actions.
    pub actions: usize,
}

/// The overlay that turns `old` into `new`, in the given format.
///
/// It was applied before it is handed out: the result is equal to `new` (numbers by value, members in any order).
///
/// # Errors
/// See [`MakeError`].
pub fn make(old: &Document, new: &Document, title: &str, format: Format) -> Result<Made, MakeError> {
    if old.root == new.root {
        return Err(MakeError::Equal);
    }
    let mut maker = Maker { drafts: Vec::new() };
    let root = Spot { target: "$".to_owned(), depth: 0 };
    maker.differ(&root, &old.root, &new.root).map_err(|stop| match stop {
        Stop::Unreachable if old.root.kind() != new.root.kind() => MakeError::Root(old.root.kind(), new.root.kind()),
        Stop::Unreachable => MakeError::TooLong,
        Stop::TooMany => MakeError::TooMany,
    })?;
    let text = overlay_text(title, &maker.drafts, format);
    prove(old, new, &text, format)?;
    Ok(Made { text, actions: maker.drafts.len() })
}

fn prove(old: &Document, new: &Document, text: &str, format: Format) -> Result<(), MakeError> {
    let name = if format == Format::Json { "made.json" } else { "made.yaml" };
    let unproved = |why: String| MakeError::Unproved(why);
    let document = parse(old.file, name, text).map_err(|error| unproved(error.to_string()))?;
    let overlay = Overlay::read(&document, name)
        .map_err(|findings| unproved(findings.first().map(|finding| finding.message.clone()).unwrap_or_default()))?;
    let applied = apply(old, &[overlay]);
    if applied.document.root == new.root {
        return Ok(());
    }
    let first = applied.findings.first().map(|finding| finding.message.clone());
    let lines = || unified(&show(&applied.document.root), &show(&new.root), "made", "wanted");
    Err(unproved(first.unwrap_or_else(|| lines().chars().take(400).collect())))
}

fn show(node: &Node) -> String {
    crate::document::to_json(node, true)
}

/// The way to a node.
struct Spot {
    target: String,
    depth: usize,
}

impl Spot {
    /// The child, or nothing where a target could not name it.
    fn child(&self, written: &str) -> Result<Self, Stop> {
        let target = format!("{}{written}", self.target);
        if target.len() > LONGEST_TARGET || self.depth >= DEEPEST_TARGET {
            return Err(Stop::Unreachable);
        }
        Ok(Self { target, depth: self.depth + 1 })
    }

    fn member(&self, key: &str) -> Result<Self, Stop> {
        match is_shorthand(key) {
            true => self.child(&format!(".{key}")),
            false => self.child(&format!("[{}]", quoted(key))),
        }
    }
}

/// Why a place cannot be changed by an action of its own.
enum Stop {
    /// No target can name it.
    Unreachable,
    TooMany,
}

struct Maker {
    drafts: Vec<Draft>,
}

impl Maker {
    fn push(&mut self, draft: Draft) -> Result<(), Stop> {
        if self.drafts.len() >= MOST_ACTIONS {
            return Err(Stop::TooMany);
        }
        self.drafts.push(draft);
        Ok(())
    }

    /// Actions that turn the old node at a place into the new one, without replacing it.
    fn differ(&mut self, at: &Spot, old: &Node, new: &Node) -> Result<(), Stop> {
        if old == new {
            return Ok(());
        }
        match (&old.value, &new.value) {
            (Value::Map(_), Value::Map(_)) => self.objects(at, old, new),
            (Value::List(before), Value::List(after)) => self.lists(at, before, after),
            (a, b) if !is_container(a) && !is_container(b) => self.push(Draft::update(&at.target, new.clone())),
            _ => Err(Stop::Unreachable),
        }
    }

    fn objects(&mut self, at: &Spot, old: &Node, new: &Node) -> Result<(), Stop> {
        let mut gone: Vec<&str> = Vec::new();
        let mut set: Vec<Entry> = Vec::new();
        let mut inner = Maker { drafts: Vec::new() };
        for entry in old.members() {
            let Some(value) = new.get(&entry.key) else {
                gone.push(&entry.key);
                continue;
            };
            if entry.value == *value {
                continue;
            }
            if !is_container(&entry.value.value) && !is_container(&value.value) {
                set.push(with(entry, value));
                continue;
            }
            let drafts = inner.drafts.len();
            let changed = at.member(&entry.key).and_then(|spot| inner.differ(&spot, &entry.value, value));
            match changed {
                Ok(()) => {}
                Err(Stop::Unreachable) => {
                    inner.drafts.truncate(drafts);
                    gone.push(&entry.key);
                    set.push(with(entry, value));
                }
                Err(stop) => return Err(stop),
            }
        }
        set.extend(new.members().filter(|entry| old.get(&entry.key).is_none()).cloned());
        self.remove_members(at, &gone)?;
        if !set.is_empty() {
            self.push(Draft::update(&at.target, Node::map(set, new.origin)))?;
        }
        inner.drafts.into_iter().try_for_each(|draft| self.push(draft))
    }

    /// One action where its target stays readable.
    fn remove_members(&mut self, at: &Spot, gone: &[&str]) -> Result<(), Stop> {
        if let [only] = gone {
            let target = at.member(only)?.target;
            return self.push(Draft::remove(&target));
        }
        let mut together: Vec<String> = Vec::new();
        for key in gone {
            let name = quoted(key);
            // The name alone has to fit.
            at.child(&format!("[{name}]"))?;
            let length: usize = together.iter().map(|name| name.len() + 2).sum();
            if at.target.len() + length + name.len() > LONGEST_TARGET / 4 && !together.is_empty() {
                self.push(Draft::remove(&format!("{}[{}]", at.target, together.join(", "))))?;
                together.clear();
            }
            together.push(name);
        }
        if together.is_empty() {
            return Ok(());
        }
        self.push(Draft::remove(&format!("{}[{}]", at.target, together.join(", "))))
    }

    fn lists(&mut self, at: &Spot, old: &[Node], new: &[Node]) -> Result<(), Stop> {
        let before = self.drafts.len();
        if let Some(alignment) = align(old, new) {
            match self.aligned(at, old, new, &alignment) {
                Err(Stop::Unreachable) => self.drafts.truncate(before),
                done => return done,
            }
        }
        let kept = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        if kept < old.len() {
            let rest = if kept == 0 { "[*]".to_owned() } else { format!("[{kept}:]") };
            self.push(Draft::remove(&at.child(&rest)?.target))?;
        }
        self.append(at, new.get(kept..).unwrap_or_default())
    }

    /// The pairs are in order, and the items of `new` without a partner come after all of them.
    fn aligned(&mut self, at: &Spot, old: &[Node], new: &[Node], alignment: &Alignment) -> Result<(), Stop> {
        let Alignment { pairs, by_identity } = alignment;
        for (a, b) in pairs {
            if let (Some(before), Some(after)) = (old.get(*a), new.get(*b))
                && before != after
            {
                let named = by_identity.then(|| selector(old, before)).flatten();
                let spot = at.child(&named.unwrap_or_else(|| format!("[{a}]")))?;
                self.differ(&spot, before, after)?;
            }
        }
        let kept: std::collections::BTreeSet<usize> = pairs.iter().map(|(a, _)| *a).collect();
        let gone: Vec<String> = (0..old.len()).filter(|a| !kept.contains(a)).map(|a| a.to_string()).collect();
        if !gone.is_empty() {
            let target = at.child(&format!("[{}]", gone.join(",")))?.target;
            self.push(Draft::remove(&target))?;
        }
        let behind = pairs.last().map_or(0, |(_, b)| b + 1);
        self.append(at, new.get(behind..).unwrap_or_default())
    }

    fn append(&mut self, at: &Spot, items: &[Node]) -> Result<(), Stop> {
        let Some(first) = items.first() else { return Ok(()) };
        self.push(Draft::update(&at.target, Node::list(items.to_vec(), first.origin)))
    }
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Map(_))
}

fn with(entry: &Entry, value: &Node) -> Entry {
    Entry { key: entry.key.clone(), key_origin: entry.key_origin, value: value.clone() }
}

/// Which items of an old list become which of a new one.
struct Alignment {
    pairs: Vec<(usize, usize)>,
    /// Every pair is equal or of the same identity, so identities name items all along.
    by_identity: bool,
}

/// The alignment with the fewest actions; `None` when a new item stands before one that is kept.
fn align(old: &[Node], new: &[Node]) -> Option<Alignment> {
    if old.len().saturating_mul(new.len()) > ALIGNED {
        return None;
    }
    let pairs = longest_common(old, new);
    let at_end = pairs.iter().enumerate().all(|(at, (_, b))| at == *b);
    let cost = |pairs: &[(usize, usize)]| {
        let differ = |(a, b): &&(usize, usize)| old.get(*a) != new.get(*b);
        let changed = pairs.iter().filter(differ).count();
        changed + usize::from(pairs.len() < old.len()) + usize::from(pairs.len() < new.len())
    };
    // The same number of items: each may have changed where it stands.
    let in_place = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| fits(a, b));
    let places: Vec<_> = (0..old.len()).map(|at| (at, at)).collect();
    if in_place && (!at_end || cost(&places) < cost(&pairs)) {
        return Some(Alignment { pairs: places, by_identity: false });
    }
    at_end.then_some(Alignment { pairs, by_identity: true })
}

/// The longest run of pairs in order that are equal or the same thing by their identity.
fn longest_common(old: &[Node], new: &[Node]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut best = vec![0_u32; (old.len() + 1) * width];
    let cell = |best: &[u32], a: usize, b: usize| best.get(a * width + b).copied().unwrap_or(0);
    let paired: Vec<bool> = old.iter().flat_map(|a| new.iter().map(|b| is_same(a, b))).collect();
    let pair = |a: usize, b: usize| paired.get(a * new.len() + b).copied().unwrap_or(false);
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            let value = match pair(a, b) {
                true => cell(&best, a + 1, b + 1) + 1,
                false => cell(&best, a + 1, b).max(cell(&best, a, b + 1)),
            };
            if let Some(slot) = best.get_mut(a * width + b) {
                *slot = value;
            }
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while a < old.len() && b < new.len() {
        if pair(a, b) {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if cell(&best, a + 1, b) >= cell(&best, a, b + 1) {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

/// May the one be changed into the other without being replaced?
fn fits(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Map(_), Value::Map(_)) => identity(a) == identity(b),
        (Value::List(_), Value::List(_)) => true,
        (a, b) => !is_container(a) && !is_container(b),
    }
}

/// What tells the objects of the usual lists apart: parameters, tags, servers, references.
const IDENTITIES: [&[&str]; 5] = [&["name", "in"], &["name"], &["url"], &["$ref"], &["operationId"]];

fn identity(node: &Node) -> Option<Vec<(&'static str, &str)>> {
    IDENTITIES.iter().find_map(|keys| keys.iter().map(|key| Some((*key, node.text(key)?))).collect())
}

fn is_same(a: &Node, b: &Node) -> bool {
    a == b || (a.as_map().is_some() && identity(a).is_some_and(|identity_a| Some(identity_a) == identity(b)))
}

/// `[?@.name == 'limit']` where that names one item.
fn selector(list: &[Node], item: &Node) -> Option<String> {
    let identity = identity(item)?;
    if identity.iter().any(|(_, value)| value.len() > LONGEST_IDENTITY) {
        return None;
    }
    let unique = |part: &&[(&str, &str)]| {
        let is = |other: &&Node| part.iter().all(|(key, value)| other.text(key) == Some(value));
        list.iter().filter(is).count() == 1
    };
    // As few conditions as tell it from the others.
    let part = [identity.get(..1)?, &identity].into_iter().find(unique)?;
    let condition = |(key, value): &(&str, &str)| {
        let path = if is_shorthand(key) { format!("@.{key}") } else { format!("@[{}]", quoted(key)) };
        format!("{path} == {}", quoted(value))
    };
    let written = format!("[?{}]", part.iter().map(condition).collect::<Vec<_>>().join(" && "));
    // Proved, for a list may hold more than meets the eye.
    let root = Node::new(Value::List(Arc::new(list.to_vec())), item.origin);
    let query = Query::parse(&format!("${written}")).ok()?;
    (query.locate(&root).len() == 1).then_some(written)
}
