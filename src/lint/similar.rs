//! Tools that a model would mix up: a lexical measure over the words of names and descriptions, the same every time.
//!
//! Two tools are compared by the weighted Jaccard index of their words: the weight of the words that both have over the
//! weight of all. A word weighs the more the fewer tools have it. Words of a name count double. Words of action (`get`,
//! `delete`) and numbers (`v1`) weigh as much as the rarest word: they are common, but they tell tools apart.

use std::collections::{BTreeSet, HashMap};

use crate::derive::{Catalog, Tool};
use crate::document::Finding;

/// Tools as alike as this are told of when nothing else is asked for.
pub const DEFAULT_THRESHOLD: f64 = 0.85;

/// So many different words of a description count: models choose by the beginning.
const WORDS: usize = 32;

/// A name's word counts as so many of the description's.
const NAME_WEIGHT: f64 = 2.0;

const ACTIONS: &[&str] = &[
    "add",
    "archive",
    "assign",
    "cancel",
    "check",
    "clear",
    "close",
    "compare",
    "connect",
    "copy",
    "count",
    "create",
    "delete",
    "disable",
    "download",
    "edit",
    "enable",
    "export",
    "fetch",
    "find",
    "get",
    "import",
    "insert",
    "list",
    "lock",
    "mark",
    "merge",
    "move",
    "open",
    "patch",
    "pause",
    "post",
    "publish",
    "put",
    "query",
    "read",
    "redeliver",
    "remove",
    "rename",
    "replace",
    "reset",
    "restore",
    "resume",
    "retrieve",
    "revoke",
    "run",
    "search",
    "send",
    "set",
    "start",
    "stop",
    "subscribe",
    "sync",
    "unlock",
    "unarchive",
    "unassign",
    "unsubscribe",
    "update",
    "upload",
    "upsert",
    "validate",
    "verify",
    "watch",
    "write",
    "not",
    "all",
];

const STOP: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or", "that", "the",
    "this", "to", "with",
];

/// Two exposed tools that are alike, by their indices in [`Catalog::tools`], the earlier first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The earlier tool.
    pub first: usize,
    /// The later one.
    pub second: usize,
    /// From 0 (no word in common) to 1 (the same words).
    pub score: f64,
}

/// For each exposed tool the one that is most like it, when they are at least as alike as the threshold (0 to 1); the
/// earlier one of several. Each pair once, most alike first.
pub fn pairs(catalog: &Catalog, threshold: f64) -> Vec<Pair> {
    let threshold = threshold.clamp(0.05, 1.0);
    let sets = Sets::of(catalog);
    let mut best: Vec<Option<(f64, usize)>> = vec![None; sets.tools.len()];
    let mut by_word: HashMap<usize, Vec<usize>> = HashMap::new();
    for (second, set) in sets.tools.iter().enumerate() {
        let telling = set.telling(threshold);
        let candidates: BTreeSet<usize> =
            telling.iter().filter_map(|(word, _)| by_word.get(word)).flatten().copied().collect();
        for first in candidates {
            let Some(score) = sets.tools.get(first).map(|other| other.alike(set)) else { continue };
            // A hair below still counts: sums of the same weights differ in their last bit.
            if score + 1e-9 < threshold {
                continue;
            }
            for (one, other) in [(first, second), (second, first)] {
                if let Some(slot) = best.get_mut(one).filter(|slot| slot.is_none_or(|(known, _)| score > known)) {
                    *slot = Some((score, other));
                }
            }
        }
        for (word, _) in telling {
            by_word.entry(*word).or_default().push(second);
        }
    }
    let mut found: Vec<Pair> = Vec::new();
    let mut told: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (at, (score, other)) in best.into_iter().enumerate().filter_map(|(at, best)| Some((at, best?))) {
        let (first, second) = (at.min(other), at.max(other));
        if told.insert((first, second)) {
            found.push(Pair { first, second, score });
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.first, a.second).cmp(&(b.first, b.second))));
    found
}

/// The same as findings of code `near-duplicate`, at the name of the later tool.
pub fn near_duplicates(catalog: &Catalog, threshold: f64) -> Vec<Finding> {
    let finding = |pair: Pair| {
        let (first, second) = (catalog.tools.get(pair.first)?, catalog.tools.get(pair.second)?);
        let alike = if pair.score > 0.9995 {
            "say the same".to_owned()
        } else {
            format!("are {:.0} % alike", pair.score * 100.0)
        };
        let message = format!(
            "`{}` ({}) and `{}` ({}) {alike} in name and description; a model may take one for the other",
            second.named.name,
            operation(second),
            first.named.name,
            operation(first)
        );
        let mut finding = Finding::warning("near-duplicate", message)
            .remedy("say in both descriptions when to use which, or hide one of them")
            .at(second.name_place().clone());
        finding.tool = Some(second.named.name.clone());
        Some(finding)
    };
    pairs(catalog, threshold).into_iter().filter_map(finding).collect()
}

fn operation(tool: &Tool) -> String {
    format!("{} {}", tool.operation.method, tool.operation.path)
}

/// The words of a tool with their weights: rarest first, ties by number, so that two sets can be merged.
#[derive(Debug, Default)]
struct Set {
    words: Vec<(usize, f64)>,
    weight: f64,
}

impl Set {
    /// The rarest words, so many that two sets without one of them in common are less alike than the threshold.
    fn telling(&self, threshold: f64) -> &[(usize, f64)] {
        let mut rest = self.weight;
        let enough = self.words.iter().position(|(_, weight)| {
            let done = rest + 1e-9 < threshold * self.weight;
            rest -= weight;
            done
        });
        self.words.get(..enough.unwrap_or(self.words.len())).unwrap_or(&self.words)
    }

    fn alike(&self, other: &Self) -> f64 {
        let (mut common, mut rest) = (0.0, other.words.iter().peekable());
        for (word, weight) in &self.words {
            while rest.next_if(|(other, _)| other < word).is_some() {}
            if rest.next_if(|(other, _)| other == word).is_some() {
                common += weight;
            }
        }
        let all = self.weight + other.weight - common;
        if all > 0.0 { common / all } else { 0.0 }
    }
}

struct Sets {
    tools: Vec<Set>,
}

impl Sets {
    fn of(catalog: &Catalog) -> Self {
        let texts: Vec<Vec<(bool, String)>> = catalog.tools.iter().map(|tool| words_of(tool)).collect();
        let mut tools_with: HashMap<&(bool, String), usize> = HashMap::new();
        for word in texts.iter().flatten() {
            *tools_with.entry(word).or_default() += 1;
        }
        // Numbered rarest first; by the word itself where equally many tools have it.
        let mut order: Vec<(usize, &(bool, String))> = tools_with.iter().map(|(word, tools)| (*tools, *word)).collect();
        order.sort_unstable();
        let numbers: HashMap<&(bool, String), usize> =
            order.iter().enumerate().map(|(number, (_, word))| (*word, number)).collect();
        let rarity = |tools: usize| ((texts.len() + 1) as f64 / tools as f64).ln().max(0.05);
        let weight = |word: &(bool, String)| {
            let tells = word.1.bytes().any(|byte| byte.is_ascii_digit()) || ACTIONS.contains(&word.1.as_str());
            let tools = if tells { 1 } else { tools_with.get(word).copied().unwrap_or(1) };
            rarity(tools) * if word.0 { NAME_WEIGHT } else { 1.0 }
        };
        let set = |words: &Vec<(bool, String)>| {
            let mut words: Vec<(usize, f64)> =
                words.iter().filter_map(|word| Some((*numbers.get(word)?, weight(word)))).collect();
            words.sort_unstable_by_key(|(number, _)| *number);
            let weight = words.iter().map(|(_, weight)| weight).sum();
            Set { words, weight }
        };
        Self { tools: texts.iter().map(set).collect() }
    }
}

/// The different words of a tool; `true` marks those of the name.
fn words_of(tool: &Tool) -> Vec<(bool, String)> {
    let mut out: Vec<(bool, String)> = words(&tool.named.base).map(|word| (true, word)).collect();
    if out.is_empty() {
        out = words(&tool.named.name).map(|word| (true, word)).collect();
    }
    out.sort_unstable();
    out.dedup();
    let mut seen = BTreeSet::new();
    let description = words(&tool.operation.description).filter(|word| !STOP.contains(&word.as_str()));
    out.extend(description.filter(|word| seen.insert(word.clone())).take(WORDS).map(|word| (false, word)));
    out
}

/// Words in lower case, camel case parted, the plural's `s` taken off.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
            parts.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    parts.push(word);
    parts.into_iter().filter(|word| !word.is_empty()).map(singular)
}

fn singular(word: String) -> String {
    let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    if plural { word.strip_suffix('s').map(str::to_owned).unwrap_or(word) } else { word }
}
