//! Targets that match exactly the operations that are meant.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::jsonpath::{Query, is_shorthand, quoted, readable};
use crate::document::{Node, Pointer, Step};

/// Visits that checking one target may take.
const VISITS: u64 = 5_000_000;
/// Names that one target lists.
const LISTED: usize = 12;
/// Shortest beginning of operationIds that is worth a pattern.
const SHORTEST: usize = 3;

/// One target for all operations where there is one that matches exactly them, else one for each, as readable paths.
///
/// Every target was evaluated over the document.
pub fn targets(root: &Node, operations: &[Pointer]) -> Vec<String> {
    let wanted: BTreeSet<&Pointer> = operations.iter().collect();
    let one_each = || operations.iter().map(readable).collect();
    if wanted.len() < 2 {
        return one_each();
    }
    let Some(shared) = Shared::of(root, operations) else { return one_each() };
    let matches = |text: &String| {
        let located = Query::parse(text).ok().and_then(|query| query.locate_within(root, VISITS).ok());
        located.is_some_and(|found| found.iter().collect::<BTreeSet<_>>() == wanted)
    };
    match shared.candidates().into_iter().find(matches) {
        Some(target) => vec![target],
        None => one_each(),
    }
}

/// What some operations have in common.
struct Shared<'a> {
    methods: BTreeSet<&'a str>,
    paths: Vec<&'a str>,
    tags: Vec<&'a str>,
    /// `None` when one has no operationId.
    ids: Option<Vec<&'a str>>,
    flags: Vec<&'static str>,
}

impl<'a> Shared<'a> {
    fn of(root: &'a Node, operations: &'a [Pointer]) -> Option<Self> {
        let mut methods = BTreeSet::new();
        let mut paths: Vec<&str> = Vec::new();
        let mut nodes = Vec::new();
        for pointer in operations {
            let [Step::Key(top), Step::Key(path), Step::Key(method)] = pointer.0.as_slice() else { return None };
            if &**top != "paths" {
                return None;
            }
            methods.insert(&**method);
            if !paths.contains(&&**path) {
                paths.push(path);
            }
            nodes.push(pointer.find(root)?);
        }
        let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
        for node in &nodes {
            let own: BTreeSet<&str> =
                node.get("tags").into_iter().flat_map(Node::items).filter_map(Node::as_str).collect();
            own.into_iter().for_each(|tag| *tags.entry(tag).or_default() += 1);
        }
        let tags = tags.into_iter().filter(|(_, count)| *count == nodes.len()).map(|(tag, _)| tag).collect();
        let ids = nodes.iter().map(|node| node.text("operationId")).collect();
        let set = |key: &&str| nodes.iter().all(|node| node.get(key).and_then(Node::as_bool) == Some(true));
        let flags = ["deprecated", "x-mcp-safe"].into_iter().filter(set).collect();
        Some(Self { methods, paths, tags, ids, flags })
    }

    /// Targets that may match, those that say most of why first.
    fn candidates(&self) -> Vec<String> {
        let mut all = Vec::new();
        let methods = self.method_selector();
        if let [path] = self.paths.as_slice() {
            all.push(format!("$.paths[{}]{methods}", quoted(path)));
        }
        all.push(format!("$.paths.*{methods}"));
        for tag in &self.tags {
            let test = format!("tags[?@ == {}]", quoted(tag));
            all.push(format!("$.paths.*[?@.{test}]"));
            if let [method] = self.methods.iter().copied().collect::<Vec<_>>().as_slice() {
                all.push(format!("$.paths[?@{0}.{test}]{0}", step(method)));
            }
        }
        all.extend(self.flags.iter().map(|flag| format!("$.paths.*[?@{} == true]", step(flag))));
        all.extend(self.pattern());
        if self.paths.len() <= LISTED {
            let paths: Vec<String> = self.paths.iter().map(|path| quoted(path)).collect();
            all.push(format!("$.paths[{}]{methods}", paths.join(", ")));
        }
        all.extend(self.listed());
        all
    }

    fn method_selector(&self) -> String {
        let methods: Vec<&str> = self.methods.iter().copied().collect();
        match methods.as_slice() {
            [method] => step(method),
            several => format!("[{}]", several.iter().map(|method| quoted(method)).collect::<Vec<_>>().join(", ")),
        }
    }

    /// By how their operationIds begin.
    fn pattern(&self) -> Option<String> {
        let ids = self.ids.as_ref()?;
        let first = ids.first()?;
        let common = ids.iter().fold(first.len(), |length, id| {
            length.min(first.bytes().zip(id.bytes()).take_while(|(a, b)| a == b).count())
        });
        let beginning = first.get(..common)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-/".contains(c);
        let fits = beginning.len() >= SHORTEST && beginning.chars().all(plain);
        fits.then(|| format!("$.paths.*[?match(@.operationId, {})]", quoted(&format!("{beginning}.*"))))
    }

    /// By their operationIds one after the other.
    fn listed(&self) -> Option<String> {
        let ids = self.ids.as_ref().filter(|ids| ids.len() <= LISTED)?;
        let tests: Vec<String> = ids.iter().map(|id| format!("@.operationId == {}", quoted(id))).collect();
        Some(format!("$.paths.*[?{}]", tests.join(" || ")))
    }
}

fn step(name: &str) -> String {
    if is_shorthand(name) { format!(".{name}") } else { format!("[{}]", quoted(name)) }
}
