//! What actions and answers do on the screen of the record, and to the proxy.

use std::path::PathBuf;
use std::sync::Arc;

use super::page;
use super::state::Serving;
use crate::proxy::Exchange;
use crate::tui::app::actions::Action;
use crate::tui::app::call::Editor;
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Layer};
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;

pub(crate) use page::ending;

impl App {
    pub(crate) fn hindrance_of_wire(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        match action {
            A::Filter | A::Sort => Some("this list is in the order in which calls ended"),
            A::Toggle | A::ToggleAll => Some("nothing folds here"),
            A::Edit => Some("a record has no place in a file"),
            A::Open | A::Copy | A::Replay | A::SaveJsonl | A::SaveHar | A::NextProblem | A::PreviousProblem
                if self.wire.rows().is_empty() =>
            {
                Some("no call was made yet")
            }
            A::Replay if self.wire.selected().and_then(|row| self.wire.call(row)).is_some_and(|it| !it.is_call()) => {
                Some("only a call is made again")
            }
            _ => None,
        }
    }

    /// Selects the next call that failed.
    pub(crate) fn seek_failed(&mut self, forward: bool) {
        let rows = self.wire.rows();
        let failed = |at: &usize| {
            let row = rows.get(*at).copied();
            row.is_some_and(|row| {
                matches!(row, super::Row::Call(_)) && self.wire.call(row).is_some_and(|call| call.is_error)
            })
        };
        let (cursor, count) = (self.wire.cursor().unwrap_or(0), rows.len());
        let found = if forward {
            (cursor + 1..count).chain(0..cursor).find(failed)
        } else {
            (0..cursor).rev().chain((cursor + 1..count).rev()).find(failed)
        };
        match found {
            Some(row) => {
                self.wire.select_row(row);
                self.wire.follow = true;
            }
            None => self.say("no other call failed"),
        }
    }

    pub(crate) fn recorded(&mut self, calls: Vec<Arc<Exchange>>) {
        self.wire.replace(calls);
    }

    /// The arguments of a call as they were, ready to be sent again.
    pub(crate) fn replay(&mut self) -> Vec<Effect> {
        let Some(call) = self.wire.selected().and_then(|row| self.wire.call(row)).cloned() else { return Vec::new() };
        let exposed = self.index.iter().position(|entry| entry.exposed.is_some() && entry.tool.named.name == call.tool);
        let Some(tool) = exposed else {
            self.complain(format!("there is no tool `{}` any more", call.tool));
            return Vec::new();
        };
        self.jump(tool);
        let mut effects = self.show_screen(Screen::Call);
        let arguments = call.request.get("arguments").cloned().unwrap_or_default();
        let text = if arguments.is_null() { "{}".to_owned() } else { format!("{arguments:#}") };
        if text.contains("***") {
            self.complain("secrets were masked when the call was recorded: write them again in place of ***");
        }
        self.call.editor = Editor::of(&text);
        // What was asked about the arguments before is of no interest.
        effects.clear();
        effects.extend(self.judge());
        effects
    }

    pub(crate) fn save_record(&mut self, har: bool) -> Vec<Effect> {
        vec![Effect::Export { har, calls: Calls(self.wire.calls().to_vec()) }]
    }

    pub(crate) fn exported(&mut self, result: Result<PathBuf, String>) {
        match result {
            Ok(path) => {
                let calls = self.wire.calls().iter().filter(|message| message.is_call()).count();
                let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
                self.say(format!("{calls} written to {}", path.display()));
            }
            Err(why) => self.complain(format!("not written: {why}")),
        }
    }

    /// Starts or stops the proxy.
    pub(crate) fn toggle_proxy(&mut self) -> Vec<Effect> {
        if self.wire.changing {
            self.say("one moment: the proxy is being started or stopped");
            return Vec::new();
        }
        self.wire.changing = true;
        vec![Effect::Serve(self.wire.serving.is_none())]
    }

    pub(crate) fn served(&mut self, result: Result<Option<Arc<Serving>>, String>) {
        self.wire.changing = false;
        match result {
            Ok(Some(serving)) => {
                let url = serving.endpoints.first().map_or(serving.address.as_str(), |(_, url)| url.as_str());
                self.say(format!("the proxy serves at {url}; P shows what to write into clients"));
                self.wire.serving = Some(serving);
            }
            Ok(None) => {
                self.wire.serving = None;
                self.layers.retain(|layer| !matches!(layer, Layer::Clients(_)));
                self.say("the proxy is stopped");
            }
            Err(why) => self.complain(format!("the proxy: {why}")),
        }
    }

    /// Makes the page of the selected row.
    pub(crate) fn freshen_hop(&mut self, width: usize) {
        let Some(row) = self.wire.selected() else { return };
        let Some(call) = self.wire.call(row).cloned() else { return };
        let hop = if let super::Row::Hop(_, hop) = row { Some(hop) } else { None };
        let key = PageKey { shown: Shown::Hop(call.id, hop), generation: 0, checks: 0 };
        self.wire.pane.prepare(key, width, || page::lines(&call, row));
    }
}

/// Calls to be written; two are the same when they are the same records.
#[derive(Clone, Debug)]
pub struct Calls(pub Vec<Arc<Exchange>>);

impl PartialEq for Calls {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(one, two)| Arc::ptr_eq(one, two))
    }
}

impl Eq for Calls {}
