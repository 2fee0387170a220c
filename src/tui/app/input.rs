//! Keys, pastes and the mouse.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::actions::{Context, by_id};
use super::field::{Field, Move};
use super::findings::Row;
use super::hits::Hit;
use super::message::Effect;
use super::model::{App, Focus, Layer};
use super::overlays;
use super::page::Act;
use super::screens::Screen;
use crate::tui::keymap::Key;
use crate::tui::runtime::{Control, Input};

/// Rows that a step of the wheel scrolls.
const WHEEL: isize = 3;

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

    fn palette_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let matches = self.palette_matches();
        let Some(Layer::Palette(palette)) = self.layers.last_mut() else { return Vec::new() };
        let last = matches.len().saturating_sub(1);
        match key.code {
            KeyCode::Esc => {
                self.layers.pop();
            }
            KeyCode::Down => palette.cursor = (palette.cursor + 1).min(last),
            KeyCode::Up => palette.cursor = palette.cursor.saturating_sub(1),
            KeyCode::PageDown | KeyCode::End => palette.cursor = last,
            KeyCode::PageUp | KeyCode::Home => palette.cursor = 0,
            KeyCode::Enter => {
                if let Some(hit) = matches.get(palette.cursor) {
                    self.layers.pop();
                    return self.perform(hit.action);
                }
            }
            _ => match typed(&mut palette.field, key) {
                Typed::Changed => palette.cursor = 0,
                Typed::Taken | Typed::Left => {}
            },
        }
        Vec::new()
    }

    /// Keys in the field of the server's name.
    fn meter_key(&mut self, key: KeyEvent) -> Vec<Effect> {
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
    fn clients_key(&mut self, key: KeyEvent) -> Vec<Effect> {
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
    fn ask_key(&mut self, key: KeyEvent) -> Vec<Effect> {
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

    fn mouse_event(&mut self, event: MouseEvent) -> Vec<Effect> {
        let hits: Vec<Hit> = self.hits.at(event.column, event.row).collect();
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.note = None;
                let effects = self.click(hits.first().copied());
                if matches!(hits.first(), Some(Hit::ListRow(_))) {
                    self.click_column(event.column);
                }
                return effects;
            }
            MouseEventKind::Drag(MouseButton::Left) if self.dragging => self.drag(event),
            MouseEventKind::Up(_) => self.dragging = false,
            MouseEventKind::ScrollDown => self.wheel(&hits, WHEEL),
            MouseEventKind::ScrollUp => self.wheel(&hits, -WHEEL),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, hit: Option<Hit>) -> Vec<Effect> {
        match hit {
            Some(Hit::ListRow(row)) => self.click_row(row),
            Some(Hit::Cell(row, target)) => {
                self.table.select_column(target);
                self.click_row(row);
            }
            Some(Hit::Column(target)) => {
                self.table.select_column(target);
                self.table.pane.rewind();
            }
            Some(Hit::Screen(screen)) => return self.show_screen(screen),
            Some(Hit::DetailLine(line)) => {
                self.focus = Focus::Detail;
                self.pane_mut().select(line);
                if let Some(Act::Fold(pointer)) = self.pane().line().and_then(|line| line.act.clone()) {
                    self.detail.toggle_fold(&pointer);
                }
            }
            Some(Hit::List) => self.focus = Focus::List,
            Some(Hit::Detail) => self.focus = Focus::Detail,
            Some(Hit::Filter) => self.focus = Focus::Filter,
            Some(Hit::Tab(tab)) => self.detail.open(tab),
            Some(Hit::Part(part)) => self.open_part(part),
            Some(Hit::Splitter) => self.dragging = true,
            Some(Hit::Action(action)) => {
                self.layers.pop();
                return self.perform(action);
            }
            Some(Hit::Outside) => {
                self.layers.pop();
            }
            Some(Hit::Layer) | None => {}
        }
        Vec::new()
    }

    /// A click into a text goes to the letter that is seen there.
    fn click_column(&mut self, column: u16) {
        let (Some(text), true) = (self.hits.text, self.focus == Focus::Editor) else { return };
        let editor = match self.overlays.editing.as_mut().filter(|_| self.screen == Screen::Overlays) {
            Some(editing) => &mut editing.editor,
            None if self.screen == Screen::Call => &mut self.call.editor,
            None => return,
        };
        let (start, skipped, row) = text;
        let skipped = if editor.row() == row { skipped } else { 0 };
        editor.go_to_column(usize::from(column.saturating_sub(start)) + skipped);
    }

    fn click_row(&mut self, row: usize) {
        self.focus = Focus::List;
        match self.screen {
            Screen::Tools => {
                let before = self.list.selected();
                self.list.select_row(row);
                self.selection_moved(before);
            }
            Screen::Findings => {
                let was = self.findings.cursor();
                self.findings.select_row(row);
                self.findings.pane.rewind();
                // A second click on a heading folds it.
                if was == Some(row) && matches!(self.findings.selected(), Some(Row::Kind(_))) {
                    self.findings.fold(None);
                }
            }
            Screen::Overlays if self.overlays.editing.is_some() => {
                if let Some(editing) = self.overlays.editing.as_mut() {
                    editing.editor.go_to(row, 0);
                    editing.completion = None;
                }
                self.focus = Focus::Editor;
            }
            Screen::Overlays => {
                let was = self.overlays.cursor();
                self.overlays.select_row(row);
                self.overlays.pane.rewind();
                // A second click on a heading folds it.
                if was == Some(row) && matches!(self.overlays.selected(), Some(overlays::Row::File(_))) {
                    self.overlays.fold();
                }
            }
            Screen::Call => {
                self.call.editor.go_to(row, 0);
                self.focus = Focus::Editor;
            }
            Screen::Wire => self.wire.select_row(row),
            Screen::Smoke => self.smoke.select_row(row),
            Screen::Targets => {
                self.table.select_row(row);
                self.row_moved();
            }
        }
    }

    fn drag(&mut self, event: MouseEvent) {
        let body = self.hits.body;
        let percent = |at: u16, from: u16, length: u16| {
            let share = u32::from(at.saturating_sub(from)) * 100 / u32::from(length.max(1));
            u16::try_from(share).unwrap_or(100).clamp(20, 80)
        };
        if self.hits.beside {
            self.split.beside = percent(event.column, body.x, body.width);
        } else if self.screen == Screen::Targets {
            self.split.table = percent(event.row, body.y, body.height);
        } else {
            self.split.above = percent(event.row, body.y, body.height);
        }
        self.list.follow = true;
        self.findings.follow = true;
        self.table.follow = true;
    }

    fn wheel(&mut self, hits: &[Hit], by: isize) {
        let over = |wanted: &[Hit]| hits.iter().any(|hit| wanted.contains(hit));
        if let Some(layer) = self.layers.last_mut() {
            match layer {
                Layer::Help(offset) => *offset = offset.saturating_add_signed(by),
                Layer::Palette(palette) => palette.cursor = palette.cursor.saturating_add_signed(by.signum()),
                Layer::Work(layer) => layer.scroll(by),
                Layer::Meter(_) | Layer::Clients(_) | Layer::Ask(_) => {}
            }
        } else if self.snapshot.is_none() {
            self.fault_offset = self.fault_offset.saturating_add_signed(by);
        } else if over(&[Hit::List]) {
            match self.screen {
                Screen::Tools => self.list.scroll(by),
                Screen::Findings => self.findings.scroll(by),
                Screen::Overlays => match self.overlays.editing.as_mut() {
                    Some(editing) => editing.editor.scroll(by),
                    None => self.overlays.scroll(by),
                },
                Screen::Call => self.call.editor.scroll(by),
                Screen::Wire => self.wire.scroll(by),
                Screen::Smoke => self.smoke.scroll(by),
                Screen::Targets => self.table.scroll(by),
            }
        } else if over(&[Hit::Detail]) {
            self.pane_mut().scroll(by);
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
