//! What actions and answers do on the screen of calls.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::judge::{Draft, JudgeJob, Judged, arguments};
use super::outcome::{Ending, Outcome};
use super::state::{Ask, CallJob, Running, Side};
use crate::tui::app::actions::Action;
use crate::tui::app::detail::request;
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Destination, Focus, Layer};
use crate::tui::app::page::Line;
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;
use crate::tui::runtime::{Control, Notice};
use crate::tui::theme::Role;

impl App {
    pub(crate) fn hindrance_of_call(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        match action {
            A::Filter | A::Sort | A::NextProblem | A::PreviousProblem => Some("there is no list here"),
            A::ToggleAll => Some("nothing folds here"),
            A::Cancel if self.call.running.is_none() => Some("no call runs"),
            A::Open | A::Look | A::Fill | A::Side | A::Edit | A::Send if self.selected().is_none() => {
                Some("no tool is selected")
            }
            A::Send if self.call.running.is_some() => Some("a call runs; x cancels it"),
            A::Send => self.uncallable(),
            A::Toggle => Some("nothing folds here"),
            _ => None,
        }
    }

    /// Why the selected tool cannot be called.
    fn uncallable(&self) -> Option<&'static str> {
        let entry = self.selected()?;
        let catalog = &self.snapshot.as_ref()?.catalog;
        let Some(exposed) = entry.exposed else { return Some("the tool is hidden, so it cannot be called") };
        let name = &entry.tool.named.name;
        let first = catalog.tools.iter().position(|tool| tool.named.name == *name);
        (first != Some(exposed)).then_some("another tool has this name and is called by it")
    }

    /// The editor has the arguments of the selected tool, as soon as the screen of calls is shown.
    pub(crate) fn draft(&mut self) -> Vec<Effect> {
        if self.screen != Screen::Call {
            return Vec::new();
        }
        let selected = self.snapshot.as_ref().zip(self.list.selected());
        let Some(id) = selected.and_then(|(snapshot, tool)| self.index.id(&snapshot.catalog, tool)) else {
            return Vec::new();
        };
        if self.call.tool.as_ref() == Some(&id) {
            return self.judge();
        }
        let had = self.call.take(id);
        self.call.whole = false;
        let is_this = self
            .call
            .outcome
            .as_ref()
            .is_some_and(|outcome| self.selected().is_some_and(|entry| entry.tool.named.name == outcome.tool));
        self.call.turn(if is_this { Side::Result } else { Side::Request });
        if had { self.judge() } else { self.ask_for_judgement(Draft::Made { whole: false }) }
    }

    /// Looks at what is typed; what takes time is done away from the screen.
    pub(crate) fn judge(&mut self) -> Vec<Effect> {
        let text = self.call.editor.text();
        self.call.fault = arguments(&text).err();
        self.ask_for_judgement(Draft::Typed(text.into()))
    }

    fn ask_for_judgement(&mut self, draft: Draft) -> Vec<Effect> {
        let Some(tool) = self.selected().map(|entry| entry.tool.clone()) else { return Vec::new() };
        self.call.generation += 1;
        self.call.judging = true;
        vec![Effect::Judge(JudgeJob { generation: self.call.generation, tool, draft })]
    }

    pub(crate) fn judged(&mut self, generation: u64, judged: Arc<Judged>) {
        if generation != self.call.generation {
            return;
        }
        self.call.judging = false;
        if let Some(text) = &judged.text {
            self.call.editor = super::Editor::of(text);
            self.call.fault = None;
        }
        self.call.judged = judged;
        if self.call.side == Side::Request {
            self.call.version += 1;
        }
    }

    /// The arguments go to the person's editor, through a file.
    pub(crate) fn edit_draft(&mut self) -> Vec<Effect> {
        vec![Effect::WriteDraft(self.call.editor.text() + "\n")]
    }

    pub(crate) fn draft_written(&mut self, result: Result<PathBuf, String>) {
        match result {
            Ok(file) => {
                self.call.outside = Some((file.clone(), self.call.tool.clone()));
                let line = Some(self.call.editor.row() + 1);
                self.control = Some(Control::Edit { file, line });
            }
            Err(why) => self.complain(format!("the arguments cannot be given to an editor: {why}")),
        }
    }

    /// What follows when the editor has left the file with the arguments; `None` when it was another file.
    pub(crate) fn draft_left(&mut self, notice: &Notice) -> Option<Vec<Effect>> {
        let (Notice::Edited { file } | Notice::EditFailed { file, .. }) = notice else { return None };
        let (outside, _) = self.call.outside.as_ref()?;
        (outside == file).then(|| vec![Effect::ReadDraft(file.clone())])
    }

    pub(crate) fn draft_read(&mut self, result: Result<String, String>) -> Vec<Effect> {
        let Some((_, tool)) = self.call.outside.take() else { return Vec::new() };
        if tool != self.call.tool {
            return Vec::new();
        }
        match result {
            Ok(text) => {
                let mut editor = super::Editor::default();
                let fits = editor.insert(text.trim_end());
                editor.go_to(0, 0);
                if fits {
                    self.call.editor = editor;
                }
                self.edited(fits)
            }
            Err(why) => {
                self.complain(format!("the arguments of the editor cannot be read: {why}"));
                Vec::new()
            }
        }
    }

    /// Fills the arguments in anew: all, then the required ones again.
    pub(crate) fn fill(&mut self) -> Vec<Effect> {
        self.call.whole = !self.call.whole;
        let whole = self.call.whole;
        self.say(if whole { "all arguments, made up" } else { "the required arguments, made up" });
        self.ask_for_judgement(Draft::Made { whole })
    }

    pub(crate) fn turn_side(&mut self) {
        match self.call.side {
            Side::Request if self.call.outcome.is_none() && self.call.running.is_none() => {
                self.say("nothing was called yet");
            }
            Side::Request => self.call.turn(Side::Result),
            Side::Result => self.call.turn(Side::Request),
        }
    }

    /// Sends the call, or asks whether it may be sent, or says why it cannot.
    pub(crate) fn send(&mut self) -> Vec<Effect> {
        if let Err(fault) = arguments(&self.call.editor.text()) {
            let words = format!("not sent: line {}, column {}: {}", fault.line, fault.column, fault.message);
            self.call.editor.go_to(fault.line - 1, fault.column.saturating_sub(1));
            self.call.fault = Some(fault);
            self.complain(words);
            return Vec::new();
        }
        let reads = self.selected().is_some_and(|entry| entry.tool.operation.annotations.read_only_hint);
        // A mock has nothing that could change.
        if !reads && !self.call.allowed && self.destination != Destination::Mock {
            self.layers.push(Layer::Ask(Ask::Write));
            return Vec::new();
        }
        self.send_now()
    }

    fn send_now(&mut self) -> Vec<Effect> {
        let Some(tool) = self.selected().map(|entry| entry.tool.named.name.clone()) else { return Vec::new() };
        let Ok(arguments) = arguments(&self.call.editor.text()) else { return Vec::new() };
        if self.call.running.is_some() {
            return Vec::new();
        }
        self.call.number += 1;
        let number = self.call.number;
        let elapsed = core::time::Duration::ZERO;
        self.call.running = Some(Running { number, tool: tool.clone(), elapsed, stopping: false });
        self.call.outcome = None;
        self.call.turn(Side::Result);
        if self.hits.one_pane {
            self.focus = Focus::Detail;
        }
        vec![Effect::Call(CallJob { number, tool, arguments })]
    }

    pub(crate) fn cancel_call(&mut self) -> Vec<Effect> {
        let Some(running) = &mut self.call.running else { return Vec::new() };
        running.stopping = true;
        vec![Effect::Cancel(running.number)]
    }

    pub(crate) fn answered(&mut self, number: u64, outcome: Arc<Outcome>) {
        if self.call.running.as_ref().is_none_or(|running| running.number != number) {
            return;
        }
        self.call.running = None;
        if self.screen != Screen::Call {
            let words = format!("{}: {}", outcome.tool, outcome.summary());
            if outcome.is_error { self.complain(words) } else { self.say(words) }
        }
        self.call.outcome = Some(outcome);
        if self.call.side == Side::Result {
            self.call.turn(Side::Result);
        }
    }

    /// The person has answered a question.
    pub(crate) fn answer_to(&mut self, ask: &Ask, yes: bool) -> Vec<Effect> {
        match (ask, yes) {
            (Ask::Write, true) => {
                self.call.allowed = true;
                return self.send_now();
            }
            (Ask::Write, false) => self.say("not sent"),
            (Ask::SmokeWrites(_), yes) => return self.smoke_writes(yes),
            (Ask::Quit, true) => self.control = Some(Control::Quit),
            (Ask::Quit, false) => {}
        }
        Vec::new()
    }

    /// Keys in the editor. Printable keys are text there, whatever they mean elsewhere.
    pub(crate) fn editor_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL) && !key.modifiers.contains(KeyModifiers::ALT);
        let page = self.page();
        let editor = &mut self.call.editor;
        match key.code {
            code if editor.travel(code, page) => {}
            KeyCode::Esc => self.focus = Focus::List,
            _ => return self.edit_key(key, ctrl),
        }
        Vec::new()
    }

    fn edit_key(&mut self, key: KeyEvent, ctrl: bool) -> Vec<Effect> {
        let editor = &mut self.call.editor;
        let mut fits = true;
        match key.code {
            KeyCode::Enter => fits = editor.break_line(),
            KeyCode::Tab => fits = editor.insert("\t"),
            KeyCode::Backspace => editor.backspace(),
            KeyCode::Delete => editor.delete(),
            KeyCode::Char('u') if ctrl => editor.delete_to_start(),
            KeyCode::Char(_) if ctrl => return Vec::new(),
            KeyCode::Char(c) => fits = editor.insert(c.encode_utf8(&mut [0; 4])),
            _ => return Vec::new(),
        }
        self.edited(fits)
    }

    /// The text may be another.
    pub(crate) fn edited(&mut self, fits: bool) -> Vec<Effect> {
        if !fits {
            self.complain("the arguments are too long: at most 1 MiB is taken");
        }
        self.judge()
    }

    /// Makes the page of the detail.
    pub(crate) fn freshen_call(&mut self, width: usize) {
        let shown = Shown::Call(self.call.side == Side::Result, self.call.version);
        let key = PageKey { shown, generation: 0, checks: 0 };
        let (judged, outcome) = (self.call.judged.clone(), self.call.outcome.clone());
        let (side, runs) = (self.call.side, self.call.running.is_some());
        self.call.pane.prepare(key, width, || match (side, outcome) {
            (Side::Result, Some(outcome)) => outcome.lines.clone(),
            (Side::Result, None) if runs => vec![Line::new().seg("waiting for the answer …", Role::Dim)],
            (Side::Result, None) => vec![Line::new().seg("nothing was called yet", Role::Dim)],
            (Side::Request, _) => {
                let mut lines = request::problems(&judged.problems);
                if !lines.is_empty() {
                    lines.push(Line::new());
                }
                lines.extend(judged.request.iter().cloned());
                lines
            }
        });
    }

    /// What is copied here: the result, or the request as a command.
    pub(crate) fn call_text(&self) -> Result<String, &'static str> {
        match (self.call.side, &self.call.outcome) {
            (Side::Result, Some(outcome)) if outcome.ending == Ending::Result => Ok(outcome.text.clone()),
            (Side::Result, _) => Err("there is no result to copy"),
            (Side::Request, _) => self.call.judged.curl.clone().ok_or("there is no request to copy"),
        }
    }
}
