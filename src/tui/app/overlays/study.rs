//! What is found out about one action away from the screen: its effect on document and tools, and what it may have meant.

use std::sync::Arc;

use super::document;
use crate::document::Format;
use crate::overlay::{Proposal, propose};
use crate::tui::app::page::Line;
use crate::tui::app::workbench;
use crate::tui::theme::Role;
use crate::workspace::{Effect, Snapshot, Workspace, step};

/// An action to be looked at.
#[derive(Clone, Debug)]
pub struct StudyJob {
    /// To be named in the answer.
    pub generation: u64,
    /// Where it is.
    pub snapshot: Arc<Snapshot>,
    /// Number of the action in the index of the screen.
    pub item: usize,
    /// Number of its upstream.
    pub upstream: usize,
    /// Its place among the trails of the upstream.
    pub trail: usize,
}

impl PartialEq for StudyJob {
    fn eq(&self, other: &Self) -> bool {
        self.generation == other.generation && self.item == other.item && Arc::ptr_eq(&self.snapshot, &other.snapshot)
    }
}

impl Eq for StudyJob {}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// Targets that were probably meant, when it matches nothing.
    pub proposals: Vec<Proposal>,
    /// What it changes in the document.
    pub change: Vec<Line>,
    /// Its targets before it.
    pub before: Vec<Line>,
    /// Its targets after it.
    pub after: Vec<Line>,
    /// What it changes in the tools.
    pub effect: Effect,
    /// Why nothing could be found out.
    pub failure: Option<String>,
}

/// Looks at an action. Takes its time: not to be called where keys wait.
pub fn study(workspace: &Workspace, job: &StudyJob) -> Study {
    let mut study = Study::default();
    let stepped = match step(workspace, &job.snapshot, job.upstream, job.trail) {
        Ok(Some(stepped)) => stepped,
        Ok(None) => return study,
        Err(error) => {
            study.failure = Some(error.message.clone());
            let words = format!("nothing could be derived: {}", error.message);
            study.change = vec![Line::new().seg(words, Role::Error)];
            return study;
        }
    };
    let layers = job.snapshot.overlays.get(job.upstream);
    let Some(trail) = layers.and_then(|layers| layers.trails.get(job.trail)) else { return study };
    study.proposals = propose(trail, &stepped.before, None);
    let format = job.snapshot.documents.get(job.upstream).map_or(Format::Yaml, |set| set.main.format);
    let sources = &job.snapshot.catalog.sources;
    study.change = document::change(&stepped.before, &stepped.after, format, sources);
    study.before = document::moment(&stepped.before, &trail.matches, format, sources);
    study.after = document::moment(&stepped.after, &trail.matches, format, sources);
    study.effect = stepped.effect;
    study
}

impl Study {
    /// `+2 ~1 −0`: what becomes of the tools; nothing where they stay as they are.
    pub fn summary(&self) -> Option<String> {
        (!self.effect.changes.is_empty()).then(|| workbench::summary(&self.effect))
    }
}
