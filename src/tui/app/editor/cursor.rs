//! Where the cursor of a text goes.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::text::{Editor, boundary};
use crate::tui::app::field::Move;
use crate::tui::text::{harmless, width};

impl Editor {
    /// What a key that moves the cursor does; `page` is the number of lines of a page. False for any other key.
    pub fn travel(&mut self, key: KeyCode, page: isize) -> bool {
        match key {
            KeyCode::Up => self.step(-1),
            KeyCode::Down => self.step(1),
            KeyCode::PageUp => self.step(-page),
            KeyCode::PageDown => self.step(page),
            KeyCode::Left => self.go(Move::Left),
            KeyCode::Right => self.go(Move::Right),
            KeyCode::Home => self.go(Move::Home),
            KeyCode::End => self.go(Move::End),
            _ => return false,
        }
        true
    }

    /// Puts the cursor at a line and a byte of it, or as near as there is one.
    pub fn go_to_byte(&mut self, row: usize, byte: usize) {
        self.row = row.min(self.lines.len().saturating_sub(1));
        let line = self.line();
        self.at = boundary(line, byte.min(line.len()));
        self.moved();
    }

    /// Puts the cursor at the next place of a text behind it, around the end; small letters find great ones.
    pub fn find(&mut self, needle: &str) -> bool {
        if needle.is_empty() {
            return false;
        }
        let is_small = !needle.chars().any(char::is_uppercase);
        let place = |line: &str, from: usize| {
            let tail = line.get(from..)?;
            if is_small && line.is_ascii() {
                return tail.to_ascii_lowercase().find(needle).map(|at| from + at);
            }
            tail.find(needle).map(|at| from + at)
        };
        let count = self.lines.len();
        let next = boundary(self.line(), self.at + 1);
        let here = place(self.line(), next).map(|at| (self.row, at));
        let others = (1..=count).map(|step| (self.row + step) % count);
        let found = here.or_else(|| others.into_iter().find_map(|row| Some((row, place(self.lines.get(row)?, 0)?))));
        if let Some((row, at)) = found {
            self.go_to_byte(row, at);
        }
        found.is_some()
    }

    /// Puts the cursor at a line and a character of it, both from 0, or as near as there is one.
    pub fn go_to(&mut self, row: usize, character: usize) {
        self.row = row.min(self.lines.len().saturating_sub(1));
        let line = self.line();
        let byte = line.char_indices().nth(character).map_or(line.len(), |(at, _)| at);
        self.at = boundary(line, byte);
        self.moved();
    }

    /// Puts the cursor at a column of its line, as the line is drawn, or at the end.
    pub fn go_to_column(&mut self, column: usize) {
        self.wanted = column;
        self.step(0);
        self.moved();
    }

    pub(super) fn step_left(&mut self) -> bool {
        let before = self.halves().0.grapheme_indices(true).next_back().map(|(at, _)| at);
        match before {
            Some(at) => self.at = at,
            None if self.row > 0 => {
                self.row -= 1;
                self.at = self.line().len();
            }
            None => return false,
        }
        true
    }

    /// Moves the cursor; at the ends of a line to the next or the one before.
    pub fn go(&mut self, step: Move) {
        match step {
            Move::Left => {
                self.step_left();
            }
            Move::Right => match self.halves().1.graphemes(true).next().map(str::len) {
                Some(length) => self.at += length,
                None if self.row + 1 < self.lines.len() => {
                    self.row += 1;
                    self.at = 0;
                }
                None => {}
            },
            Move::Home => self.at = 0,
            Move::End => self.at = self.line().len(),
        }
        self.moved();
    }

    /// Moves the cursor by that many lines; it stays in its column where the line is long enough.
    pub fn step(&mut self, by: isize) {
        self.row = self.row.saturating_add_signed(by).min(self.lines.len().saturating_sub(1));
        let (mut at, mut used) = (0, 0);
        for grapheme in self.line().graphemes(true) {
            used += width(&harmless(grapheme));
            if used > self.wanted {
                break;
            }
            at += grapheme.len();
        }
        self.at = at;
        self.follow = true;
    }
}
