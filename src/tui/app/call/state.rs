//! State of the screen of calls.

use core::time::Duration;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::judge::Judged;
use super::outcome::Outcome;
use crate::tui::app::editor::Editor;
use crate::tui::app::pane::Pane;
use crate::tui::app::tools::ToolId;

/// Drafts of other tools that are kept.
const MOST_DRAFTS: usize = 100;

/// Where a text stops to be JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// Why.
    pub message: String,
}

/// What the detail shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// What would be sent.
    #[default]
    Request,
    /// What came back.
    Result,
}

/// A question that is answered by yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Send a call that may change something?
    Write,
    /// Run so many cases that may change something?
    SmokeWrites(usize),
    /// Quit although a call runs?
    Quit,
}

/// A call to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallJob {
    /// To be named in the answers.
    pub number: u64,
    /// The tool's name.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Json>,
}

/// The call that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Its number.
    pub number: u64,
    /// The tool.
    pub tool: String,
    /// How long it has been running, when that was told last.
    pub elapsed: Duration,
    /// It was asked to stop.
    pub stopping: bool,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Call {
    /// Whose arguments are in the editor.
    pub tool: Option<ToolId>,
    /// The arguments.
    pub editor: Editor,
    /// Why they are no JSON object.
    pub fault: Option<Fault>,
    /// What is to be said of them; of those before until the newest are judged.
    pub judged: Arc<Judged>,
    /// They are being judged.
    pub judging: bool,
    /// Number of the newest question.
    pub generation: u64,
    /// All arguments were filled in, not only the required ones.
    pub whole: bool,
    /// The call that runs.
    pub running: Option<Running>,
    /// Number of the last call.
    pub number: u64,
    /// What came of the last call.
    pub outcome: Option<Arc<Outcome>>,
    /// What the detail shows.
    pub side: Side,
    /// The person has said that calls may change something.
    pub allowed: bool,
    /// The page of the detail.
    pub pane: Pane,
    /// Counts what the page is made of.
    pub version: u64,
    /// The file in which the person's editor has the arguments, and whose they are.
    pub(super) outside: Option<(PathBuf, Option<ToolId>)>,
    drafts: VecDeque<(ToolId, Editor)>,
}

impl Call {
    /// Another tool's arguments: those of before, if there were some. Says whether there were.
    pub(super) fn take(&mut self, tool: ToolId) -> bool {
        let kept = self.drafts.iter().position(|(known, _)| *known == tool).and_then(|at| self.drafts.remove(at));
        let had = kept.is_some();
        let editor = std::mem::replace(&mut self.editor, kept.map(|(_, editor)| editor).unwrap_or_default());
        if let Some(before) = self.tool.replace(tool) {
            self.drafts.push_back((before, editor));
            if self.drafts.len() > MOST_DRAFTS {
                self.drafts.pop_front();
            }
        }
        self.judged = Arc::default();
        self.fault = None;
        had
    }

    /// The detail shows something else.
    pub(super) fn turn(&mut self, side: Side) {
        self.side = side;
        self.version += 1;
        self.pane.rewind();
    }
}
