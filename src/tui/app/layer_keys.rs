//! Keys in the small layers: the server's name, what is written into clients, a question.

use crossterm::event::{KeyCode, KeyEvent};

use super::input::typed;
use super::message::Effect;
use super::model::{App, Layer};
use crate::tui::runtime::Control;

impl App {
    /// Keys in the field of the server's name.
    pub(super) fn meter_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(Layer::Meter(field)) = self.layers.last_mut() else { return Vec::new() };
        match key.code {
            KeyCode::Esc => {
                self.layers.pop();
            }
            KeyCode::Enter => {
                let server = std::mem::take(field);
                self.layers.pop();
                if server.text().trim() != self.table.server.text().trim() {
                    self.table.server = server;
                    return self.ask_targets();
                }
            }
            _ => {
                typed(field, key);
            }
        }
        Vec::new()
    }

    /// Keys over what is to be written into clients.
    pub(super) fn clients_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let count = self.wire.serving.as_ref().map_or(0, |serving| serving.clients.len());
        let Some(Layer::Clients(at)) = self.layers.last_mut() else { return Vec::new() };
        match key.code {
            KeyCode::Down | KeyCode::Tab | KeyCode::Right | KeyCode::Char('j' | 'l') => {
                *at = (*at + 1) % count.max(1);
            }
            KeyCode::Up | KeyCode::BackTab | KeyCode::Left | KeyCode::Char('k' | 'h') => {
                *at = at.checked_sub(1).unwrap_or(count.saturating_sub(1));
            }
            KeyCode::Enter | KeyCode::Char('y') => {
                let at = *at;
                let client = self.wire.serving.as_ref().and_then(|serving| serving.clients.get(at));
                self.control = client.map(|client| Control::Copy(client.text.clone()));
            }
            KeyCode::Esc | KeyCode::Char('q' | 'P') => {
                self.layers.pop();
            }
            _ => {}
        }
        Vec::new()
    }

    /// Keys over a question.
    pub(super) fn ask_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let yes = match key.code {
            KeyCode::Enter | KeyCode::Char('y') => true,
            KeyCode::Esc | KeyCode::Char('n' | 'q') => false,
            _ => return Vec::new(),
        };
        match self.layers.pop() {
            Some(Layer::Ask(ask)) => self.answer_to(&ask, yes),
            _ => Vec::new(),
        }
    }
}
