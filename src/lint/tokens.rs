//! Tokens of the tools, with the vocabulary `o200k_base`, which the program carries: nothing is fetched.
//!
//! Other models count differently, by some ten percent; what matters here is which tool is dear and what an edit saves.
//! The first count reads the vocabulary, which takes about half a second. Count on demand and away from the screen.

use std::collections::HashMap;

use serde::Serialize;

use crate::derive::{Catalog, Tool};
use crate::document::{Entry, Node, Value, pointer, to_json};

/// Tokens of one tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TokenCount {
    /// Of its name.
    pub name: usize,
    /// Of its description.
    pub description: usize,
    /// Of its InputSchema as compact JSON.
    pub schema: usize,
    /// Of the three together.
    pub total: usize,
}

/// Tokens of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TokenTotals {
    /// Of all exposed tools.
    pub total: usize,
    /// By upstream, in their order.
    pub upstreams: Vec<(String, usize)>,
    /// By tag, in the order in which tags first occur. A tool with several tags counts for each; one without for none.
    pub tags: Vec<(String, usize)>,
}

/// References are written out no deeper than this when their saving is counted; recursive ones would never end.
const INLINE_DEPTH: usize = 6;

/// Counts texts and remembers their parts, since the schemas of one API repeat each other.
#[derive(Debug, Default)]
pub struct Counter {
    known: HashMap<Box<str>, usize>,
}

impl Counter {
    /// Tokens of a text.
    ///
    /// The text is counted in parts that are cut where the tokenizer cuts anyway: before a letter or digit that follows
    /// two ASCII punctuation characters. There its pattern takes the punctuation as one piece, which no token crosses.
    pub fn count(&mut self, text: &str) -> usize {
        let mut total = 0;
        let (mut start, mut punctuation) = (0, 0);
        for (at, byte) in text.bytes().enumerate() {
            if punctuation >= 2 && byte.is_ascii_alphanumeric() {
                total += self.part(text.get(start..at).unwrap_or_default());
                start = at;
            }
            punctuation = if byte.is_ascii_punctuation() { punctuation + 1 } else { 0 };
        }
        total + self.part(text.get(start..).unwrap_or_default())
    }

    fn part(&mut self, text: &str) -> usize {
        if text.is_empty() {
            return 0;
        }
        if let Some(count) = self.known.get(text) {
            return *count;
        }
        let count = whole(text);
        self.known.insert(text.into(), count);
        count
    }

    /// Tokens of a tool.
    pub fn tool(&mut self, tool: &Tool) -> TokenCount {
        let name = self.count(&tool.named.name);
        let description = self.count(&tool.operation.description);
        let schema = self.count(&to_json(&tool.operation.input_schema, false));
        TokenCount { name, description, schema, total: name + description + schema }
    }
}

/// Runs without a break longer than this are counted in parts: the tokenizer's time grows with the square of a run.
const LONGEST_RUN: usize = 4096;

/// Tokens of a text as the tokenizer counts it.
fn whole(text: &str) -> usize {
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    if text.len() <= LONGEST_RUN {
        return tokenizer.count_ordinary(text);
    }
    let (mut total, mut rest) = (0, text);
    while !rest.is_empty() {
        let mut end = rest.len().min(LONGEST_RUN);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        // Before a space, where the tokenizer cuts too, unless there is none.
        if end < rest.len() {
            end = rest.get(..end).and_then(|head| head.rfind(' ')).filter(|at| *at > 0).unwrap_or(end);
        }
        let (head, tail) = rest.split_at(end);
        total += tokenizer.count_ordinary(head);
        rest = tail;
    }
    total
}

/// Tokens of one tool. For many use [`count_all`], which counts what they share once.
pub fn count(tool: &Tool) -> TokenCount {
    Counter::default().tool(tool)
}

/// Tokens of each exposed tool, in the order of [`Catalog::tools`].
pub fn count_all(catalog: &Catalog) -> Vec<TokenCount> {
    let mut counter = Counter::default();
    catalog.tools.iter().map(|tool| counter.tool(tool)).collect()
}

/// Sums of what [`count_all`] gave for the same catalog.
pub fn totals(catalog: &Catalog, counts: &[TokenCount]) -> TokenTotals {
    let upstreams = catalog.upstreams.iter().map(|upstream| (upstream.name.clone(), 0)).collect();
    let mut totals = TokenTotals { upstreams, ..TokenTotals::default() };
    let mut tags: HashMap<&str, usize> = HashMap::new();
    for (tool, count) in catalog.tools.iter().zip(counts) {
        totals.total += count.total;
        if let Some((_, sum)) = totals.upstreams.get_mut(tool.upstream) {
            *sum += count.total;
        }
        for tag in &tool.operation.tags {
            let at = *tags.entry(tag).or_insert_with(|| {
                totals.tags.push((tag.to_string(), 0));
                totals.tags.len() - 1
            });
            if let Some((_, sum)) = totals.tags.get_mut(at) {
                *sum += count.total;
            }
        }
    }
    totals
}

/// What the tools' `$defs` save: tokens that the schemas would have more if every reference were written out, recursive
/// ones to a depth of six. For each exposed tool; 0 where a schema would even be shorter.
pub fn saved_by_defs(catalog: &Catalog) -> Vec<u64> {
    let mut counter = Counter::default();
    catalog.tools.iter().map(|tool| saved(&mut counter, &tool.operation.input_schema)).collect()
}

/// A definition or the schema itself.
#[derive(Debug, Default)]
struct Unit {
    /// Tokens of its text without the reference objects in it.
    own: u64,
    /// Where each of them leads, and the tokens that it takes.
    references: Vec<(Option<usize>, u64)>,
}

fn saved(counter: &mut Counter, schema: &Node) -> u64 {
    let definitions = schema.get("$defs").map(Node::members).unwrap_or_default();
    let names: HashMap<&str, usize> =
        definitions.clone().enumerate().map(|(at, entry)| (&*entry.key, at + 1)).collect();
    if names.is_empty() {
        return 0;
    }
    let main: Vec<Entry> = schema.members().filter(|entry| &*entry.key != "$defs").cloned().collect();
    let main = Node::map(main, schema.origin);
    let mut units = vec![unit(counter, &main, &names)];
    units.extend(definitions.map(|entry| unit(counter, &entry.value, &names)));
    // Depth by depth; at depth 0 a reference stays.
    let mut sizes: Vec<u64> =
        units.iter().map(|unit| unit.own + unit.references.iter().map(|(_, t)| t).sum::<u64>()).collect();
    for _ in 0..INLINE_DEPTH {
        let size = |unit: &Unit| {
            unit.references.iter().fold(unit.own, |sum, (to, tokens)| {
                sum.saturating_add(to.and_then(|to| sizes.get(to)).copied().unwrap_or(*tokens))
            })
        };
        sizes = units.iter().map(size).collect();
    }
    let present = counter.count(&to_json(schema, false)) as u64;
    sizes.first().copied().unwrap_or(0).saturating_sub(present)
}

fn unit(counter: &mut Counter, node: &Node, names: &HashMap<&str, usize>) -> Unit {
    let mut references = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match reference(node) {
            Some(text) => {
                let token = text.strip_prefix("#/$defs/").map(pointer::unescape);
                let to = token.and_then(|name| names.get(&*name).copied());
                references.push((to, counter.count(&to_json(node, false)) as u64));
            }
            None => {
                open.extend(node.members().map(|entry| &entry.value));
                open.extend(node.items());
            }
        }
    }
    let all = counter.count(&to_json(node, false)) as u64;
    let own = all.saturating_sub(references.iter().map(|(_, tokens)| tokens).sum());
    Unit { own, references }
}

fn reference(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Map(_) => node.text("$ref"),
        _ => None,
    }
}
