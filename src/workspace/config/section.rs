//! One map of the workspace file while it is read: typed look-ups that turn every surprise into a finding with its line.

use std::cell::RefCell;
use std::path::Path;

use super::nearest::nearest;
use crate::document::{Entry, Finding, Node, Origin, Place, Pointer};
use crate::workspace::secret::SecretRef;

/// What one reading collects.
pub(crate) struct Notes<'a> {
    /// The folder of the workspace file, from which relative paths are taken.
    pub(crate) folder: &'a Path,
    findings: RefCell<Vec<Finding>>,
}

impl<'a> Notes<'a> {
    pub(crate) fn new(folder: &'a Path) -> Self {
        Self { folder, findings: RefCell::default() }
    }

    pub(crate) fn push(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    /// Nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.findings.borrow().is_empty()
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_inner()
    }
}

/// A map of the file, with the keys that were asked for.
pub(crate) struct Section<'a> {
    node: Option<&'a Node>,
    pointer: Pointer,
    notes: &'a Notes<'a>,
    known: RefCell<Vec<&'static str>>,
}

impl<'a> Section<'a> {
    /// The map at `node`; a value of another kind is a finding and reads as an empty map.
    pub(crate) fn new(node: Option<&'a Node>, pointer: Pointer, notes: &'a Notes<'a>) -> Self {
        let section =
            Self { node: node.filter(|node| node.as_map().is_some()), pointer, notes, known: RefCell::default() };
        if let Some(node) = node.filter(|node| node.as_map().is_none() && !is_null(node)) {
            section.wrong_type(node, &section.pointer, "a map");
        }
        section
    }

    /// The origin of the map, when it is there.
    pub(crate) fn place(&self) -> Option<Place> {
        self.node.map(|node| place(node.origin, &self.pointer))
    }

    /// The map is in the file.
    pub(crate) fn is_present(&self) -> bool {
        self.node.is_some()
    }

    fn entry(&self, key: &'static str) -> Option<&'a Entry> {
        self.known.borrow_mut().push(key);
        self.node?.entry(key)
    }

    /// The value, when it is there and not null.
    pub(crate) fn value(&self, key: &'static str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.value).filter(|node| !is_null(node))
    }

    /// The value, when it is there, null as well.
    pub(crate) fn written(&self, key: &'static str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The pointer of a key.
    pub(crate) fn at(&self, key: &str) -> Pointer {
        self.pointer.key(key)
    }

    /// The place of a key's value, else of the map.
    pub(crate) fn place_of(&self, key: &str) -> Option<Place> {
        match self.node.and_then(|node| node.get(key)) {
            Some(node) => Some(place(node.origin, &self.at(key))),
            None => self.place(),
        }
    }

    /// A map below.
    pub(crate) fn section(&self, key: &'static str) -> Section<'a> {
        Section::new(self.value(key), self.at(key), self.notes)
    }

    /// The maps of a list below.
    pub(crate) fn sections(&self, key: &'static str) -> Vec<Section<'a>> {
        let pointer = self.at(key);
        let items = self.list(key);
        items.iter().enumerate().map(|(at, node)| Section::new(Some(node), pointer.index(at), self.notes)).collect()
    }

    /// The items of a list below; a value of another kind is a finding.
    pub(crate) fn list(&self, key: &'static str) -> &'a [Node] {
        match self.value(key) {
            Some(node) => node.as_list().unwrap_or_else(|| {
                self.wrong_type(node, &self.at(key), "a list");
                &[]
            }),
            None => &[],
        }
    }

    fn typed<T>(&self, key: &'static str, wanted: &str, read: impl FnOnce(&'a Node) -> Option<T>) -> Option<T> {
        let node = self.value(key)?;
        let found = read(node);
        if found.is_none() {
            self.wrong_type(node, &self.at(key), wanted);
        }
        found
    }

    /// Text.
    pub(crate) fn text(&self, key: &'static str) -> Option<&'a str> {
        self.typed(key, "text", Node::as_str)
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, key: &'static str) -> Option<bool> {
        self.typed(key, "true or false", Node::as_bool)
    }

    /// A whole number from 0.
    pub(crate) fn size(&self, key: &'static str) -> Option<usize> {
        self.typed(key, "a whole number from 0", |node| usize::try_from(node.as_number()?.as_i128()?).ok())
    }

    /// A list of texts; items of another kind are findings.
    pub(crate) fn texts(&self, key: &'static str) -> Vec<&'a str> {
        let pointer = self.at(key);
        let text = |(at, node): (usize, &'a Node)| {
            if node.as_str().is_none() {
                self.wrong_type(node, &pointer.index(at), "text");
            }
            node.as_str()
        };
        self.list(key).iter().enumerate().filter_map(text).collect()
    }

    /// One of some words; another one is a finding that lists them.
    pub(crate) fn choice<T: Copy>(&self, key: &'static str, choices: &[(&'static str, T)]) -> Option<T> {
        let text = self.text(key)?;
        let found = choices.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let mut finding = Finding::error("config-value", format!("`{key}` is `{text}`, which it cannot be"));
            finding.place = self.place_of(key);
            self.notes.push(finding.remedy(format!("Write one of: {}.", words.join(", "))));
        }
        found
    }

    /// A reference that stands in a secret's place; a literal there is a finding that does not repeat it.
    pub(crate) fn secret(&self, key: &'static str) -> Option<SecretRef> {
        let text = self.text(key)?;
        let reference = SecretRef::parse(text, self.notes.folder);
        if reference.is_empty() {
            return None;
        }
        self.check_literal(key, &reference, self.place_of(key));
        Some(reference)
    }

    /// Reports a literal in a secret's place.
    pub(crate) fn check_literal(&self, key: &str, reference: &SecretRef, place: Option<Place>) {
        if reference.is_literal() && !reference.is_empty() {
            self.notes.push(literal_secret(key, place));
        }
    }

    /// Keys of the other proxy that are accepted and not acted on. Secrets in them are still looked at.
    pub(crate) fn not_used(&self, keys: &[&'static str]) {
        for key in keys {
            let Some(entry) = self.entry(key) else { continue };
            let pointer = self.at(key);
            let dotted = dotted(&pointer);
            let finding = Finding::info("config-not-used", format!("`{dotted}` is not used here"));
            self.notes.push(finding.at(place(entry.key_origin, &pointer)));
            self.scan_secrets(&entry.value, pointer);
        }
    }

    /// Keys that are accepted without a word.
    pub(crate) fn accepted(&self, keys: &[&'static str]) {
        self.known.borrow_mut().extend(keys);
    }

    /// Looks for literals under names that hold secrets, in a part of the file that is not read otherwise.
    fn scan_secrets(&self, node: &Node, pointer: Pointer) {
        let mut open = vec![(node, pointer)];
        while let Some((node, pointer)) = open.pop() {
            for entry in node.members().rev() {
                let below = pointer.key(entry.key.clone());
                let Some(text) = entry.value.as_str() else {
                    open.push((&entry.value, below));
                    continue;
                };
                if ["client_secret", "password", "api_key", "token", "secret"].contains(&&*entry.key) {
                    let reference = SecretRef::parse(text, self.notes.folder);
                    self.check_literal(&entry.key, &reference, Some(place(entry.value.origin, &below)));
                }
            }
            open.extend(node.items().enumerate().rev().map(|(at, item)| (item, pointer.index(at))));
        }
    }

    /// The members of a free map, by name.
    pub(crate) fn members(&self) -> impl Iterator<Item = &'a Entry> {
        self.node.into_iter().flat_map(Node::members)
    }

    /// Reports every key that nothing asked for.
    pub(crate) fn finish(self) {
        let known = self.known.borrow();
        for entry in self.node.into_iter().flat_map(Node::members) {
            if known.contains(&&*entry.key) || entry.key.starts_with("x-") {
                continue;
            }
            let pointer = self.at(&entry.key);
            let message = format!("`{}` is no key that is known here", dotted(&pointer));
            let finding = Finding::warning("config-unknown-key", message).at(place(entry.key_origin, &pointer));
            self.notes.push(match nearest(&entry.key, known.iter().copied()) {
                Some(near) => finding.remedy(format!("Did you mean `{near}`?")),
                None => finding.remedy(format!("Remove it, or use one of: {}.", known.join(", "))),
            });
        }
    }

    fn wrong_type(&self, node: &Node, pointer: &Pointer, wanted: &str) {
        self.notes.push(wrong_type(node, pointer, wanted));
    }
}

/// The finding for a value of the wrong kind.
pub(crate) fn wrong_type(node: &Node, pointer: &Pointer, wanted: &str) -> Finding {
    let name = if pointer.0.is_empty() { "the workspace file".to_owned() } else { format!("`{}`", dotted(pointer)) };
    Finding::error("config-type", format!("{name} is {}, not {wanted}", article(node.kind())))
        .at(place(node.origin, pointer))
        .remedy(format!("Write {wanted} there."))
}

/// The finding for a secret that was written down.
pub(crate) fn literal_secret(key: &str, place: Option<Place>) -> Finding {
    let mut finding = Finding::warning("literal-secret", format!("`{key}` holds a secret as plain text"))
        .remedy("Write a reference: `env:NAME`, `${NAME}` or `file:PATH`.");
    finding.place = place;
    finding
}

pub(crate) fn place(origin: Origin, pointer: &Pointer) -> Place {
    Place { origin, pointer: pointer.to_string().into() }
}

pub(crate) fn is_null(node: &Node) -> bool {
    matches!(node.value, crate::document::Value::Null)
}

/// `upstreams[0].name`
pub(crate) fn dotted(pointer: &Pointer) -> String {
    use crate::document::Step;
    let mut text = String::new();
    for step in &pointer.0 {
        match step {
            Step::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(key);
            }
            Step::Index(at) => text.push_str(&format!("[{at}]")),
        }
    }
    text
}

fn article(kind: &str) -> String {
    match kind {
        "null" => "empty".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "a map".to_owned(),
        "string" => "text".to_owned(),
        other => format!("a {other}"),
    }
}
