//! What comes into the program and what it wants done.

use core::time::Duration;
use std::path::PathBuf;
use std::sync::Arc;

use super::call::{CallJob, JudgeJob, Judged, Outcome};
use super::checks::{CheckJob, Checked, Counted};
use super::overlays::{CheckText, Checked as TextChecked, Study, StudyJob};
use super::smoke::{PlanJob, Planned, SmokeJob};
use super::wire::{Calls, Serving};
use super::workbench::{DeriveJob, Derived, NotSaved, OverlayText, PreviewJob, Previewed, SaveJob, Written};
use crate::proxy::Exchange;
use crate::session::CaseResult;
use crate::workspace::Snapshot;

/// What effects send back.
#[derive(Clone, Debug)]
pub enum Msg {
    /// A load goes on: so many of so many documents and overlays are read.
    Reading {
        /// Generation of the load.
        generation: u64,
        /// Read so far.
        done: usize,
        /// To be read, as far as is known.
        total: usize,
    },
    /// A load has ended. A result of any but the newest generation is dropped.
    Loaded(u64, Result<Arc<Snapshot>, Box<LoadFailure>>),
    /// The overlay files as they are read along with a load; comes before its end.
    OverlaysRead(Vec<OverlayText>),
    /// What drafts make of the tools. A result of any but the newest generation is dropped.
    Derived(u64, Result<Arc<Derived>, Box<LoadFailure>>),
    /// What a change would give; or why it cannot be made, and what to do. An answer to any but the newest question is
    /// dropped.
    Previewed(u64, Result<Arc<Previewed>, (String, Option<String>)>),
    /// The text of an overlay was written, or was not.
    OverlaySaved(PathBuf, String, Result<Written, NotSaved>),
    /// The calls go to the tools that are shown.
    Hosted,
    /// A watched file has changed.
    FilesChanged,
    /// The targets have answered. An answer to any but the newest question is dropped.
    Checked(u64, Arc<Checked>),
    /// Tokens are counted, for the same question.
    Counted(u64, Arc<Counted>),
    /// What is to be said of arguments. An answer to any but the newest question is dropped.
    Judged(u64, Arc<Judged>),
    /// What was found out about an action: the question's number and the action's. Answers to older questions are dropped.
    Studied(u64, usize, Arc<Study>),
    /// What is to be said of the text of an overlay. An answer to any but the newest question is dropped.
    TextChecked(u64, Arc<TextChecked>),
    /// The call of that number has been running so long.
    Ticked(u64, Duration),
    /// The call of that number has ended.
    Answered(u64, Arc<Outcome>),
    /// The record of calls as it is now.
    Recorded(Vec<Arc<Exchange>>),
    /// The proxy serves, or no longer; or why not.
    Served(Result<Option<Arc<Serving>>, String>),
    /// The proxy could not take over what was loaded.
    NotServed(String),
    /// The arguments are in a file, for the person's editor; or why not.
    DraftWritten(Result<PathBuf, String>),
    /// The arguments as the editor left them; or why they cannot be read.
    DraftRead(Result<String, String>),
    /// The record is in a file; or why not.
    Exported(Result<PathBuf, String>),
    /// The cases that there are; or why there are none. An answer to any but the newest question is dropped.
    SmokePlanned(u64, Result<Arc<Planned>, String>),
    /// Cases of the run of that number have begun (without a result) or ended, by their place in it.
    SmokeWentOn(u64, Vec<(usize, Option<Arc<CaseResult>>)>),
    /// The run of that number has ended; or why it could not be made.
    SmokeEnded(u64, Result<(), String>),
    /// The files cannot be watched; reload by hand.
    WatchFailed(String),
}

/// What the program wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read and derive everything; answer with [`Msg::Loaded`] and, on the way, [`Msg::Reading`].
    Load {
        /// To be named in the answer.
        generation: u64,
    },
    /// Derive the tools with drafts in the place of files; answer with [`Msg::Derived`].
    Derive(DeriveJob),
    /// Find out what a change would give; answer with [`Msg::Previewed`].
    Preview(Box<PreviewJob>),
    /// Let calls go to the tools that are shown; answer with [`Msg::Hosted`].
    Host,
    /// Write the text of an overlay, unless somebody else has changed the file; answer with [`Msg::OverlaySaved`].
    SaveOverlay(SaveJob),
    /// Keep what is unsaved for the case that the program does not end by itself, or nothing; and remove what an earlier
    /// run had kept.
    Remember {
        /// What is unsaved.
        text: Option<String>,
        /// The file of an earlier run.
        instead_of: Option<PathBuf>,
    },
    /// Watch these files instead of those watched before; answer with [`Msg::FilesChanged`].
    Watch(Vec<PathBuf>),
    /// Ask the targets and count tokens; answer with [`Msg::Checked`], then with [`Msg::Counted`].
    Check(CheckJob),
    /// Look at the arguments of a call; answer with [`Msg::Judged`].
    Judge(JudgeJob),
    /// Look at an action of an overlay; answer with [`Msg::Studied`].
    Study(StudyJob),
    /// Look at the text of an overlay; answer with [`Msg::TextChecked`].
    CheckText(CheckText),
    /// Make a call; answer with [`Msg::Ticked`] on the way, and with [`Msg::Answered`].
    Call(CallJob),
    /// Give up the call of that number.
    Cancel(u64),
    /// Make the cases; answer with [`Msg::SmokePlanned`].
    PlanSmoke(PlanJob),
    /// Run cases; answer with [`Msg::SmokeWentOn`] on the way, and with [`Msg::SmokeEnded`].
    RunSmoke(SmokeJob),
    /// Stop the run of that number.
    StopSmoke(u64),
    /// Write arguments into a file of their own; answer with [`Msg::DraftWritten`].
    WriteDraft(String),
    /// Read that file and remove it; answer with [`Msg::DraftRead`].
    ReadDraft(PathBuf),
    /// Start or stop the proxy; answer with [`Msg::Served`].
    Serve(bool),
    /// Write the record into a file; answer with [`Msg::Exported`].
    Export {
        /// As HAR, not as JSON Lines.
        har: bool,
        /// The calls.
        calls: Calls,
    },
}

/// Why nothing could be loaded, fit for a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadFailure {
    /// What happened, in one or a few sentences.
    pub message: String,
    /// What to do.
    pub remedy: Option<String>,
    /// The file at fault, as it was given.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// Lines around the place, with their numbers.
    pub excerpt: Vec<(usize, String)>,
    /// Characters of the excerpt's line before the fault, which is not the column where the line is shown in part.
    pub caret: Option<usize>,
    /// Files to watch until they are mended.
    pub files: Vec<PathBuf>,
}

impl LoadFailure {
    /// `file:line:column`, as far as it is known.
    pub fn cite(&self) -> Option<String> {
        let mut cited = self.file.clone()?;
        for number in [self.line, self.column].into_iter().map_while(|number| number) {
            cited.push_str(&format!(":{number}"));
        }
        Some(cited)
    }
}
