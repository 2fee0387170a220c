//! A change before it is kept: the text that it gives, and what that does to names, conflicts, findings and targets.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::drafts::OverlayText;
use crate::derive::Catalog;
use crate::document::{Finding, Pointer};
use crate::lint::{Matrix, Verdict, similar, verdicts};
use crate::overlay::{Draft, Edit, Intent, Patch};
use crate::tui::app::checks::{Checked, Choices};
use crate::workspace::{DraftText, Effect as Difference, Snapshot, TextFile};

/// What is to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// What is wanted of operations.
    Intent {
        /// What.
        intent: Intent,
        /// Of which.
        operations: Vec<Pointer>,
    },
    /// Edits of the text itself.
    Edits(Vec<Edit>),
    /// Actions as they are, behind those that are there.
    Actions(Vec<Draft>),
}

/// Where it is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Into {
    /// Into a file that is known, as it is edited.
    Known {
        /// The file with its text.
        file: TextFile,
        /// Its name in messages.
        name: String,
    },
    /// Into a file that is still to be made, beside the document.
    New,
}

/// A change of which the effect is to be found out.
#[derive(Clone, Debug)]
pub struct PreviewJob {
    /// To be named in the answer.
    pub generation: u64,
    /// What is unsaved already.
    pub drafts: Vec<DraftText>,
    /// What is shown.
    pub shown: Arc<Snapshot>,
    /// What the targets say of it, when they have answered.
    pub checked: Option<Arc<Checked>>,
    /// The targets.
    pub choices: Choices,
    /// Name of the upstream.
    pub upstream: String,
    /// What.
    pub wanted: Wanted,
    /// Where.
    pub into: Into,
}

impl PartialEq for PreviewJob {
    fn eq(&self, other: &Self) -> bool {
        self.generation == other.generation && self.wanted == other.wanted
    }
}

impl Eq for PreviewJob {}

/// What a change gives.
#[derive(Clone, Debug)]
pub struct Previewed {
    /// The file; a new one as it is to be begun.
    pub file: OverlayText,
    /// The change of its text.
    pub patch: Patch,
    /// What a person should know before it is kept.
    pub remarks: Vec<String>,
    /// What becomes of the tools.
    pub difference: Difference,
    /// What becomes of findings and targets.
    pub consequences: Consequences,
}

/// What becomes of findings and targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consequences {
    /// Findings that are there no more: code and message.
    pub solved: Vec<(&'static str, String)>,
    /// Findings that come up.
    pub new: Vec<(&'static str, String)>,
    /// For each chosen target whose verdicts change: name, tools that it takes before and after, of how many.
    pub targets: Vec<(String, usize, usize, usize)>,
}

impl Consequences {
    /// Compares two catalogs under the chosen targets.
    pub fn between(before: &Catalog, after: &Catalog, choices: &Choices, checked: Option<&Checked>) -> Self {
        let alike = choices.near_duplicates;
        let (old, new) = (findings(before, alike), findings(after, alike));
        let chosen = choices.all.get(..choices.chosen).unwrap_or_default();
        let asked: Matrix;
        let earlier = match checked {
            Some(checked) => &checked.matrix,
            None => {
                asked = verdicts(before, chosen);
                &asked
            }
        };
        let later = verdicts(after, chosen);
        let mut targets = Vec::new();
        for (at, choice) in chosen.iter().enumerate() {
            let takes = |matrix: &Matrix, catalog: &Catalog| {
                (0..catalog.tools.len()).filter(|tool| matrix.get(at, *tool) <= Verdict::Warn).count()
            };
            let (was, is) = (takes(earlier, before), takes(&later, after));
            if was != is || before.tools.len() != after.tools.len() {
                targets.push((choice.label(), was, is, after.tools.len()));
            }
        }
        Self { solved: missing(&old, &new), new: missing(&new, &old), targets }
    }
}

/// What makes a finding the same before and after: its kind and where it is, or what it says.
type Key = (&'static str, String);

/// What is wrong with a catalog; tools that are as much alike as `alike` says are told of.
fn findings(catalog: &Catalog, alike: Option<f64>) -> BTreeMap<Key, Vec<String>> {
    let mut all: BTreeMap<Key, Vec<String>> = BTreeMap::new();
    let alike = alike.map(|from| similar::near_duplicates(catalog, from)).unwrap_or_default();
    for finding in catalog.findings.iter().chain(&alike) {
        all.entry(key(finding)).or_default().push(finding.message.clone());
    }
    all
}

fn key(finding: &Finding) -> Key {
    // Actions are counted from the start of a file, so their places move.
    let place = finding.place.as_ref().filter(|place| !place.pointer.starts_with("/actions"));
    (finding.code, place.map_or_else(|| finding.message.clone(), |place| place.pointer.to_string()))
}

fn missing(from: &BTreeMap<Key, Vec<String>>, other: &BTreeMap<Key, Vec<String>>) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    for (key, messages) in from {
        let kept = other.get(key).map_or(0, Vec::len);
        out.extend(messages.iter().skip(kept).map(|message| (key.0, message.clone())));
    }
    out
}

/// How far it is with the preview.
#[derive(Clone, Debug)]
pub enum State {
    /// It is worked out.
    Working,
    /// There is none: why, and what to do.
    Failed(String, Option<String>),
    /// It is there.
    Ready(Arc<Previewed>),
}

/// The layer that shows a change before it is kept.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Number of the question.
    pub generation: u64,
    /// What the change is, such as `rename listPets`.
    pub label: String,
    /// What.
    pub wanted: Wanted,
    /// Upstream, by its number in the catalog.
    pub upstream: usize,
    /// Files that it can go to; behind the last one comes a new file.
    pub files: Vec<PathBuf>,
    /// Which of them.
    pub at: usize,
    /// It can go to one file only.
    pub is_bound: bool,
    /// How far it is.
    pub state: State,
    /// First visible line.
    pub offset: usize,
}
