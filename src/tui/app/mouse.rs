//! The mouse: clicks, the wheel, and the border that is dragged.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::findings::Row;
use super::hits::Hit;
use super::message::Effect;
use super::model::{App, Focus, Layer};
use super::overlays;
use super::page::Act;
use super::screens::Screen;

/// Rows that a step of the wheel scrolls.
const WHEEL: isize = 3;

impl App {
    pub(super) fn mouse_event(&mut self, event: MouseEvent) -> Vec<Effect> {
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
