//! State of the workbench, and the jobs that it gives away.

use std::path::PathBuf;
use std::sync::Arc;

use super::drafts::Drafts;
use super::recovery::Recovery;
use crate::tui::app::message::LoadFailure;
use crate::tui::app::tools::ToolId;
use crate::workspace::{DraftText, Effect as Difference, Snapshot, TextFile};

/// Drafts of which the tools are to be derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeriveJob {
    /// To be named in the answer.
    pub generation: u64,
    /// To be read instead of files.
    pub drafts: Vec<DraftText>,
    /// Files that no workspace names as they are saved: what differs is told against these too.
    pub saved: Vec<DraftText>,
}

/// What drafts make of the tools.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The tools.
    pub snapshot: Arc<Snapshot>,
    /// How they differ from those of the files.
    pub difference: Arc<Difference>,
}

/// A text to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveJob {
    /// The file as the text is based on it.
    pub base: TextFile,
    /// The text.
    pub text: String,
}

/// Where a text was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// In its file, as it is now.
    File(TextFile),
    /// In another one: its own is built into the program.
    Elsewhere(PathBuf),
}

/// Why a text was not written. The file is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSaved {
    /// Somebody else has changed the file: what is in it now.
    Changed(TextFile),
    /// In words.
    Failed(String),
}

/// State of the workbench.
#[derive(Debug, Default)]
pub struct Workbench {
    /// The texts.
    pub drafts: Drafts,
    /// What the files give, without the drafts.
    pub saved: Option<Arc<Snapshot>>,
    /// Number of the derivation that was asked for last.
    pub(super) generation: u64,
    /// It has not ended.
    pub deriving: bool,
    /// Why the drafts give no tools as they are; the tools that are shown are those of an earlier text.
    pub problem: Option<LoadFailure>,
    /// How the tools that are shown differ from those of the files.
    pub difference: Option<Arc<Difference>>,
    /// Tools that are marked for a change.
    pub marks: Vec<ToolId>,
    /// Number of the preview that was asked for last.
    pub(super) previews: u64,
    /// Files that are being written.
    pub(super) saving: usize,
    /// The program ends when everything is written.
    pub(super) leaving: bool,
    /// The text of the recovery file as it was asked for last.
    pub(super) remembered: Option<String>,
    /// What an earlier run left unsaved.
    pub recovery: Option<Recovery>,
    /// It was offered.
    pub(super) is_offered: bool,
    /// The recovery file of an earlier run, to be removed when it is settled.
    pub(super) settled: Option<PathBuf>,
}

impl Workbench {
    /// A workbench without drafts, and what an earlier run left unsaved.
    pub fn new(recovery: Option<Recovery>) -> Self {
        Self { recovery, ..Self::default() }
    }

    /// Number of files with something unsaved.
    pub fn unsaved(&self) -> usize {
        self.drafts.dirty_files().len()
    }

    /// `+2 ~1 −0`: what the drafts do to the tools; nothing where there are none.
    pub fn summary(&self) -> Option<String> {
        if self.unsaved() == 0 {
            return None;
        }
        self.difference.as_deref().map(summary)
    }
}

/// `+2 ~1 −0`: tools that came or are shown, that changed, that went or are hidden.
pub fn summary(difference: &Difference) -> String {
    use crate::workspace::ChangeKind as K;
    let (mut more, mut other, mut fewer) = (0, 0, 0);
    for change in &difference.changes {
        let has = |wanted: &[K]| change.kinds.iter().any(|kind| wanted.contains(kind));
        if has(&[K::Removed, K::Hidden]) {
            fewer += 1;
        } else if has(&[K::Added, K::Shown]) {
            more += 1;
        } else {
            other += 1;
        }
    }
    format!("+{more} ~{other} −{fewer}")
}
