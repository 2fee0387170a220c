//! What the list needs of every action, made once for each snapshot.

use std::collections::HashMap;

use crate::derive::DescriptionSource;
use crate::document::{FileId, Finding, Severity};
use crate::overlay::{ActionTrail, DialectHint, Summary, dialect_hints};
use crate::workspace::Snapshot;

/// How much of what an action set is overridden by later ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overridden {
    /// Nothing.
    #[default]
    Not,
    /// Some of it.
    Partly,
    /// All of it.
    Wholly,
}

/// What the marks of an action say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionMarks {
    /// Its target matches nothing.
    pub no_match: bool,
    /// All that it sets is there already.
    pub no_change: bool,
    /// Later actions set the same.
    pub overridden: Overridden,
    /// A value of one type takes the place of one of another.
    pub surprise: bool,
    /// The description that it sets is hidden by a summary.
    pub hidden: bool,
    /// The worst finding.
    pub worst: Option<Severity>,
}

/// One action as the list knows it.
#[derive(Clone, Debug)]
pub struct Item {
    /// Number of the upstream.
    pub upstream: usize,
    /// Number of its file in the index.
    pub file: usize,
    /// Its place in [`crate::workspace::UpstreamOverlays::trails`].
    pub trail: usize,
    /// The overlay's file and the action's index in it.
    pub id: (FileId, u16),
    /// `update`, `remove`, `copy`, `none` or `invalid`.
    pub kind: &'static str,
    /// Its target.
    pub target: String,
    /// Its description.
    pub description: String,
    /// Locations that the target selects.
    pub matches: usize,
    /// Nodes that it changes.
    pub changed: usize,
    /// Its marks.
    pub marks: ActionMarks,
    /// Findings of the catalog at what this action wrote, by number, besides those of the trail.
    pub findings: Vec<usize>,
    /// What filters look in, in lower case.
    pub text: String,
}

/// One overlay on one upstream.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// Number of the upstream.
    pub upstream: usize,
    /// Its place in [`crate::workspace::UpstreamOverlays::overlays`].
    pub overlay: usize,
    /// The file.
    pub id: FileId,
    /// Its name as it was given.
    pub name: String,
    /// `info.title`.
    pub title: String,
    /// The first of its items.
    pub first: usize,
    /// The number of its items.
    pub count: usize,
}

/// What another program's extension says of a tool.
#[derive(Clone, Debug)]
pub struct HintItem {
    /// Number of the upstream.
    pub upstream: usize,
    /// What it says, as actions.
    pub hint: DialectHint,
}

/// All actions of all overlays of all upstreams, in the order in which they are applied.
#[derive(Clone, Debug, Default)]
pub struct OverlayIndex {
    /// The overlays.
    pub files: Vec<FileEntry>,
    /// The actions.
    pub items: Vec<Item>,
    /// Extensions of other programs that say what `x-mcp-*` does not say yet.
    pub hints: Vec<HintItem>,
}

impl OverlayIndex {
    /// The index of a snapshot.
    pub fn new(snapshot: &Snapshot) -> Self {
        let mut index = Self::default();
        let told = told(&snapshot.catalog.findings);
        for (upstream, layers) in snapshot.overlays.iter().enumerate() {
            let mut trails = layers.trails.iter().enumerate().peekable();
            for (overlay, read) in layers.overlays.iter().enumerate() {
                let file = index.files.len();
                let first = index.items.len();
                // Two overlays may be the same file; each has its own run of trails.
                for action in &read.actions {
                    let Some((at, trail)) = trails.next_if(|(_, trail)| trail.overlay == read.file) else { break };
                    let mut item = item(trail, at, upstream, file, action.description.as_deref());
                    let key = (trail.overlay, trail.index);
                    item.findings = told.get(&key).cloned().unwrap_or_default();
                    let findings = item.findings.iter().filter_map(|at| snapshot.catalog.findings.get(*at));
                    for finding in findings {
                        item.marks.worst = item.marks.worst.max(Some(finding.severity));
                        item.marks.hidden |= finding.code == "description-hidden";
                    }
                    item.text =
                        format!("{} {} {} {}", item.target, item.description, item.kind, read.name).to_lowercase();
                    index.items.push(item);
                }
                index.files.push(FileEntry {
                    upstream,
                    overlay,
                    id: read.file,
                    name: read.name.clone(),
                    title: read.title.clone(),
                    first,
                    count: index.items.len() - first,
                });
            }
        }
        let reads = match snapshot.catalog.description_rules.source {
            DescriptionSource::Summary => Summary::First,
            DescriptionSource::Description => Summary::Last,
            DescriptionSource::Both => Summary::Both,
        };
        for (upstream, set) in snapshot.documents.iter().enumerate() {
            let hints = dialect_hints(&set.main.root, reads).into_iter();
            index.hints.extend(hints.map(|hint| HintItem { upstream, hint }));
        }
        index
    }

    /// The item of an action.
    pub fn find(&self, file: FileId, action: u16) -> Option<usize> {
        self.items.iter().position(|item| item.id == (file, action))
    }

    /// Number of an action as its file counts, from 1.
    pub fn number(item: &Item) -> usize {
        usize::from(item.id.1) + 1
    }
}

/// Findings at what actions wrote, by action; those of the overlays themselves are in the trails.
fn told(findings: &[Finding]) -> HashMap<(FileId, u16), Vec<usize>> {
    let mut told: HashMap<(FileId, u16), Vec<usize>> = HashMap::new();
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| !finding.code.starts_with("overlay-")) {
        let origin = finding.place.as_ref().map(|place| place.origin);
        if let Some((file, action)) = origin.and_then(|origin| Some((origin.file, origin.action?))) {
            told.entry((file, action)).or_default().push(at);
        }
    }
    told
}

fn item(trail: &ActionTrail, at: usize, upstream: usize, file: usize, description: Option<&str>) -> Item {
    let has = |code: &str| trail.findings.iter().any(|finding| finding.code == code);
    Item {
        upstream,
        file,
        trail: at,
        id: (trail.overlay, trail.index),
        kind: trail.kind,
        target: trail.target.clone(),
        description: description.unwrap_or_default().to_owned(),
        matches: trail.matches.len(),
        changed: trail.changed.len(),
        marks: ActionMarks {
            no_match: has("overlay-no-match"),
            no_change: has("overlay-no-change"),
            overridden: match (trail.overridden, trail.overridden_by.is_empty()) {
                (true, _) => Overridden::Wholly,
                (false, false) => Overridden::Partly,
                (false, true) => Overridden::Not,
            },
            surprise: has("overlay-type-surprise"),
            hidden: false,
            worst: trail.findings.iter().map(|finding| finding.severity).max(),
        },
        findings: Vec::new(),
        text: String::new(),
    }
}
