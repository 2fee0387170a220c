//! Findings as the list shows them: what several targets say of the same thing is one row.

use std::collections::HashMap;

use crate::derive::{Catalog, Tool};
use crate::document::{Finding, Place, Severity};
use crate::lint::Matrix;

/// Where a finding is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// In the catalog.
    Catalog(usize),
    /// In the index: it belongs to no target.
    Own(usize),
    /// Said by a target: the target's number and that of the finding in its list.
    Target(usize, usize),
}

/// One row: what is wrong with one thing, and who minds.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its kind.
    pub code: &'static str,
    /// The worst that is said of it, by chosen targets if they say something.
    pub severity: Severity,
    /// The tool, by its place in [`Catalog::all`].
    pub tool: Option<usize>,
    /// Who says so; at least one.
    pub said: Vec<Said>,
    /// It is true without any target, or a chosen target says it.
    pub chosen: bool,
    /// What filters look in, in lower case.
    pub text: String,
}

/// All findings of a catalog.
#[derive(Clone, Debug, Default)]
pub struct FindingIndex {
    items: Vec<Item>,
    own: Vec<Finding>,
    chosen: usize,
}

/// What makes two findings one row: kind, tool, and the place in file and document.
type Same<'a> = (&'static str, Option<usize>, Option<(u32, u32, u32, &'a str)>);

impl FindingIndex {
    /// The catalog's findings, `own` ones, and those of targets of which so many, from the first, were chosen.
    pub fn new(catalog: &Catalog, own: Vec<Finding>, targets: Option<(&Matrix, usize)>) -> Self {
        let names = Names::new(catalog);
        let mut items: Vec<Item> = Vec::new();
        for (at, finding) in catalog.findings.iter().enumerate() {
            items.push(item(catalog, &names, finding, Said::Catalog(at), true));
        }
        for (at, finding) in own.iter().enumerate() {
            items.push(item(catalog, &names, finding, Said::Own(at), true));
        }
        if let Some((matrix, chosen)) = targets {
            add_targets(catalog, &names, matrix, chosen, &mut items);
        }
        let chosen = items.iter().filter(|item| item.chosen).count();
        Self { items, own, chosen }
    }

    /// The row of that number.
    pub fn get(&self, at: usize) -> Option<&Item> {
        self.items.get(at)
    }

    /// All rows with their numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Item)> {
        self.items.iter().enumerate()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The number of rows that are true without any target, or said by a chosen one.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// No finding?
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What was said.
    pub fn finding<'a>(&'a self, catalog: &'a Catalog, matrix: Option<&'a Matrix>, said: Said) -> Option<&'a Finding> {
        match said {
            Said::Catalog(at) => catalog.findings.get(at),
            Said::Own(at) => self.own.get(at),
            Said::Target(target, at) => matrix?.findings.get(target)?.get(at),
        }
    }
}

fn add_targets(catalog: &Catalog, names: &Names<'_>, matrix: &Matrix, chosen: usize, items: &mut Vec<Item>) {
    let mut known: HashMap<Same<'_>, usize> = HashMap::new();
    for (target, findings) in matrix.findings.iter().enumerate() {
        for (at, finding) in findings.iter().enumerate() {
            let said = Said::Target(target, at);
            let tool = names.tool(finding);
            let place = finding.place.as_ref().map(|place| {
                let origin = place.origin;
                (origin.file.0, origin.start, origin.end, &*place.pointer)
            });
            match known.get(&(finding.code, tool, place)).and_then(|at| items.get_mut(*at)) {
                Some(item) => {
                    // Chosen targets come first: what others think of it changes nothing.
                    if target < chosen || !item.chosen {
                        item.severity = item.severity.max(finding.severity);
                    }
                    item.chosen |= target < chosen;
                    item.said.push(said);
                }
                None => {
                    known.insert((finding.code, tool, place), items.len());
                    items.push(item(catalog, names, finding, said, target < chosen));
                }
            }
        }
    }
}

fn item(catalog: &Catalog, names: &Names<'_>, finding: &Finding, said: Said, chosen: bool) -> Item {
    let tool = names.tool(finding);
    let file = finding.place.as_ref().and_then(|place| catalog.sources.get(place.origin.file));
    let parts = [
        finding.code,
        finding.tool.as_deref().unwrap_or_default(),
        &finding.message,
        file.map_or("", |file| file.name.as_str()),
    ];
    let text = parts.join(" ").to_lowercase();
    Item { code: finding.code, severity: finding.severity, tool, said: vec![said], chosen, text }
}

/// Tools by name. Several may claim one: then the place tells them apart.
struct Names<'a> {
    by_name: HashMap<&'a str, Vec<(usize, &'a Tool)>>,
}

impl<'a> Names<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let mut by_name: HashMap<&str, Vec<(usize, &Tool)>> = HashMap::new();
        for (at, tool) in catalog.all().enumerate() {
            by_name.entry(tool.named.name.as_str()).or_default().push((at, tool));
        }
        Self { by_name }
    }

    fn tool(&self, finding: &Finding) -> Option<usize> {
        let all = self.by_name.get(finding.tool.as_deref()?)?;
        let [(only, _)] = all.as_slice() else {
            let place = finding.place.as_ref();
            let found = all.iter().find(|(_, tool)| place.is_some_and(|place| holds(tool, place)));
            return found.or_else(|| all.first()).map(|(at, _)| *at);
        };
        Some(*only)
    }
}

/// Does a place belong to the tool's own operation?
fn holds(tool: &Tool, place: &Place) -> bool {
    let operation = &tool.operation;
    if tool.name_place() == place {
        return true;
    }
    let own = &operation.place;
    let inside = place.pointer.strip_prefix(&*own.pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    inside && place.origin.file == own.origin.file
}
