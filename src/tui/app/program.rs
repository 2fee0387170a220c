//! The program as the runtime drives it.

use super::message::{Effect, Msg};
use super::model::{App, Note};
use crate::tui::runtime::{Control, Input, Notice, Program};
use crate::tui::view;

impl Program for App {
    type Msg = Msg;
    type Effect = Effect;

    fn start(&mut self) -> Vec<Effect> {
        self.reload()
    }

    fn input(&mut self, input: Input) -> Vec<Effect> {
        self.handle(input)
    }

    fn message(&mut self, msg: Msg) -> Vec<Effect> {
        self.update(msg)
    }

    fn notice(&mut self, notice: Notice) -> Vec<Effect> {
        self.note = Some(Note { text: notice.to_string(), error: notice.is_error() });
        if let Some(effects) = self.draft_left(&notice) {
            return effects;
        }
        // The watcher may be slow or missing, and whoever comes back from the editor wants to see the effect.
        if matches!(notice, Notice::Edited { .. }) { self.reload() } else { Vec::new() }
    }

    fn draw(&mut self, frame: &mut ratatui::Frame<'_>) {
        view::draw(self, frame);
    }

    fn wants_mouse(&self) -> bool {
        self.mouse
    }

    fn control(&mut self) -> Option<Control> {
        self.control.take()
    }
}
