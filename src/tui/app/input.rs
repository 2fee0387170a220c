//! Keys and pastes, each to what has the focus.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::actions::{Context, by_id};
use super::field::{Field, Move};
use super::message::Effect;
use super::model::{App, Focus, Layer};
use super::screens::Screen;
use crate::tui::keymap::Key;
use crate::tui::runtime::{Control, Input};

/// What a key did in a field.
pub(crate) enum Typed {
    /// The text is another.
    Changed,
    /// The cursor moved, or nothing happened.
    Taken,
    /// The field has no use for it.
    Left,
}

impl App {
    /// Takes in what the person did and names what is to be done.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        let mut effects = self.take_input(input);
        effects.extend(self.follow_drafts());
        if self.focus == Focus::List && self.editing().is_some() {
            // There is no list while a text is open.
            self.focus = Focus::Editor;
        }
        effects.extend(self.ask_study());
        effects
    }

    fn take_input(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) => {
                self.note = None;
                self.key(key)
            }
            Input::Paste(text)
                if self.layers.is_empty() && self.focus == Focus::Editor && self.screen == Screen::Overlays =>
            {
                self.paste_text(&text)
            }
            Input::Paste(text) if self.layers.is_empty() && self.focus == Focus::Editor => {
                let fits = self.call.editor.insert(&text);
                self.edited(fits)
            }
            Input::Paste(text) => {
                self.paste(&text);
                Vec::new()
            }
            Input::Mouse(event) => self.mouse_event(event),
            Input::Resize(..) => {
                self.list.follow = true;
                self.findings.follow = true;
                self.table.follow = true;
                self.overlays.follow = true;
                if let Some(editing) = self.overlays.editing.as_mut() {
                    editing.editor.follow = true;
                }
                self.call.editor.follow = true;
                self.wire.follow = true;
                self.smoke.follow = true;
                self.pane_mut().follow();
                Vec::new()
            }
            Input::FocusGained | Input::FocusLost => Vec::new(),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        // Also in a field: whoever presses these wants out.
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => {
                    self.control = Some(Control::Quit);
                    return Vec::new();
                }
                KeyCode::Char('z') => {
                    self.control = Some(Control::Suspend);
                    return Vec::new();
                }
                _ => {}
            }
        }
        match self.layers.last() {
            Some(Layer::Palette(_)) => return self.palette_key(key),
            Some(Layer::Meter(_)) => return self.meter_key(key),
            Some(Layer::Clients(_)) => return self.clients_key(key),
            Some(Layer::Ask(_)) => return self.ask_key(key),
            Some(Layer::Work(_)) => return self.work_key(key),
            Some(Layer::Help(_)) | None => {}
        }
        let pane = match self.focus {
            Focus::Filter if self.layers.is_empty() => return self.filter_key(key),
            Focus::Editor if self.layers.is_empty() && self.screen == Screen::Overlays => return self.text_key(key),
            Focus::Editor if self.layers.is_empty() => return self.editor_key(key),
            Focus::Detail => Context::Detail,
            Focus::List | Focus::Filter | Focus::Editor => Context::List,
        };
        let contexts = [pane.id(), Context::of(self.screen).id(), Context::Global.id()];
        match self.keymap.lookup(&contexts, key).and_then(by_id) {
            Some(action) if self.reaches(action) => self.perform(action),
            Some(_) => Vec::new(),
            None => {
                self.tell_of_unbound(key);
                Vec::new()
            }
        }
    }

    /// A key without an action here: where it has one, or that it has none. Over a layer nothing is said.
    fn tell_of_unbound(&mut self, key: KeyEvent) {
        if !self.layers.is_empty() {
            return;
        }
        let elsewhere: Vec<&str> = Screen::ALL
            .into_iter()
            .filter(|screen| self.keymap.lookup(&[Context::of(*screen).id()], key).is_some())
            .map(Screen::title)
            .collect();
        let name = Key::from(key);
        let help = self.keymap.keys_for("help").into_iter().next().unwrap_or_default();
        self.complain(match elsewhere.as_slice() {
            [] => format!("{name} has no action; {help} lists the keys"),
            [one] => format!("{name} is a key of the screen {one}; {help} lists those of this one"),
            many => format!("{name} is a key of the screens {}; {help} lists those of this one", many.join(", ")),
        });
    }

    fn filter_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        match key.code {
            KeyCode::Enter | KeyCode::Esc | KeyCode::Tab => self.focus = Focus::List,
            KeyCode::Down => self.list_step(1),
            KeyCode::Up => self.list_step(-1),
            KeyCode::PageDown => self.list_step(self.page()),
            KeyCode::PageUp => self.list_step(-self.page()),
            _ => {
                if let Typed::Changed = typed(self.filter_mut(), key) {
                    self.refilter();
                }
            }
        }
        Vec::new()
    }

    /// A paste goes into the field that has the focus; elsewhere it is no text for anything.
    fn paste(&mut self, text: &str) {
        if let Some(Layer::Palette(palette)) = self.layers.last_mut() {
            palette.field.insert(text);
            palette.cursor = 0;
        } else if let Some(Layer::Work(layer)) = self.layers.last_mut() {
            layer.paste(text);
        } else if let Some(Layer::Meter(field)) = self.layers.last_mut() {
            field.insert(text);
        } else if self.layers.is_empty() && self.focus == Focus::Filter {
            self.filter_mut().insert(text);
            self.refilter();
        } else {
            self.complain("pasted text goes into a field only; / opens the filter");
        }
    }
}

/// A key in a field. Printable keys are text there, whatever they mean elsewhere.
pub(crate) fn typed(field: &mut Field, key: KeyEvent) -> Typed {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL) && !key.modifiers.contains(KeyModifiers::ALT);
    match key.code {
        KeyCode::Char('u') if ctrl => field.delete_to_start(),
        KeyCode::Char('w') if ctrl => field.delete_word(),
        KeyCode::Char(_) if ctrl => return Typed::Left,
        KeyCode::Char(c) => field.insert(c.encode_utf8(&mut [0; 4])),
        KeyCode::Backspace => {
            field.backspace();
        }
        KeyCode::Delete => field.delete(),
        KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End => {
            field.go(match key.code {
                KeyCode::Left => Move::Left,
                KeyCode::Right => Move::Right,
                KeyCode::Home => Move::Home,
                _ => Move::End,
            });
            return Typed::Taken;
        }
        _ => return Typed::Left,
    }
    Typed::Changed
}
