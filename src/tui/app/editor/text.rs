//! A text of several lines that a person types into.

use unicode_segmentation::UnicodeSegmentation;

use crate::tui::app::field::Move;
use crate::tui::app::pane::window;
use crate::tui::text::{harmless, width};

/// Bytes that a text may have.
pub const LONGEST: usize = 1 << 20;
/// Blanks of one step of the indent.
const INDENT: &str = "  ";

/// Lines with a cursor between their graphemes. There is always a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    lines: Vec<String>,
    row: usize,
    /// Byte offset in the line, always at the start of a grapheme or at the end.
    at: usize,
    /// Columns where the cursor wants to be when it moves up or down.
    wanted: usize,
    bytes: usize,
    /// First visible row.
    pub offset: usize,
    /// The next frame moves the window to the cursor.
    pub follow: bool,
}

impl Default for Editor {
    fn default() -> Self {
        Self { lines: vec![String::new()], row: 0, at: 0, wanted: 0, bytes: 0, offset: 0, follow: true }
    }
}

impl Editor {
    /// An editor with a text, the cursor at its beginning.
    pub fn of(text: &str) -> Self {
        let mut editor = Self::default();
        editor.insert(text);
        editor.go_to(0, 0);
        editor
    }

    /// An editor with a text as it is, tabs and all: for a text that has to come back with every byte. A text that is too
    /// long is not taken.
    pub fn verbatim(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let lines = text.split('\n').map(str::to_owned).collect();
        Some(Self { lines, bytes: text.len(), ..Self::default() })
    }

    /// Another text in the place of this one; the cursor stays where it is, or as near as can be.
    pub fn put(&mut self, text: &str) {
        let (row, at) = (self.row, self.at);
        if let Some(new) = Self::verbatim(text) {
            let offset = self.offset;
            *self = Self { offset, ..new };
            self.go_to_byte(row, at);
        }
    }

    /// Bytes before the cursor in its line.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Puts the cursor at a line and a byte of it, or as near as there is one.
    pub fn go_to_byte(&mut self, row: usize, byte: usize) {
        self.row = row.min(self.lines.len().saturating_sub(1));
        let line = self.line();
        self.at = boundary(line, byte.min(line.len()));
        self.moved();
    }

    /// Puts a text in the place of what is between a byte of the line and the cursor.
    pub fn complete(&mut self, from: usize, text: &str) -> bool {
        let (row, at) = (self.row, self.at);
        let Some(line) = self.lines.get_mut(row) else { return false };
        if from > at || !line.is_char_boundary(from) {
            return false;
        }
        line.replace_range(from..at, "");
        self.bytes -= at - from;
        self.at = boundary(line, from);
        self.insert(text)
    }

    /// Breaks the line of a YAML text; the next one is indented like it, and one step more behind a colon or the sign of a
    /// block text. Behind a dash it stands below what follows the dash.
    pub fn break_yaml_line(&mut self) -> bool {
        let before = self.halves().0;
        let mut indent = before.len() - before.trim_start_matches(' ').len();
        let mut rest = before.trim_start_matches(' ');
        while let Some(item) = rest.strip_prefix("- ") {
            indent += 2;
            rest = item;
        }
        let end = rest.trim_end();
        if end.ends_with(':') || [" |", " |-", " >", " >-", " |+", " >+"].iter().any(|sign| end.ends_with(sign)) {
            indent += INDENT.len();
        }
        self.insert(&format!("\n{}", " ".repeat(indent)))
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

    /// All of the text.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Its lines.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The line that the cursor is on.
    pub fn row(&self) -> usize {
        self.row
    }

    fn line(&self) -> &str {
        self.lines.get(self.row).map_or("", String::as_str)
    }

    fn halves(&self) -> (&str, &str) {
        self.line().split_at_checked(self.at).unwrap_or((self.line(), ""))
    }

    /// Columns before the cursor, as the line is drawn.
    pub fn column(&self) -> usize {
        width(&harmless(self.halves().0))
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

    fn moved(&mut self) {
        self.wanted = self.column();
        self.follow = true;
    }

    /// Inserts at the cursor. Tabs become blanks, other control characters but line breaks are left out. False when there
    /// is no room for it.
    pub fn insert(&mut self, text: &str) -> bool {
        let clean: String = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .replace('\t', INDENT)
            .chars()
            .filter(|c| *c == '\n' || !c.is_control())
            .collect();
        if self.bytes + clean.len() > LONGEST {
            return false;
        }
        self.bytes += clean.len();
        let tail = match self.lines.get_mut(self.row) {
            Some(line) => line.split_off(self.at.min(line.len())),
            None => String::new(),
        };
        let mut parts = clean.split('\n');
        if let (Some(line), Some(first)) = (self.lines.get_mut(self.row), parts.next()) {
            line.push_str(first);
        }
        let more: Vec<String> = parts.map(str::to_owned).collect();
        let count = more.len();
        let behind = self.row + 1;
        self.lines.splice(behind..behind, more);
        self.row += count;
        if let Some(line) = self.lines.get_mut(self.row) {
            let end = line.len();
            line.push_str(&tail);
            // A combining mark may have joined what follows.
            self.at = boundary(line, end);
        }
        self.moved();
        true
    }

    /// Breaks the line; the next one is indented like it, and one step more behind an opening bracket.
    pub fn break_line(&mut self) -> bool {
        let (before, after) = self.halves();
        let blanks = before.len() - before.trim_start_matches(' ').len();
        let mut text = format!("\n{}", " ".repeat(blanks));
        let opens = before.trim_end().ends_with(['{', '[']);
        let closes = after.trim_start().starts_with(['}', ']']);
        if opens {
            text.push_str(INDENT);
        }
        let (row, column) = (self.row + 1, text.len() - 1);
        if opens && closes {
            text.push_str(&format!("\n{}", " ".repeat(blanks)));
        }
        let fits = self.insert(&text);
        if fits {
            self.go_to(row, column);
        }
        fits
    }

    /// Deletes the grapheme before the cursor, or joins the line to the one before.
    pub fn backspace(&mut self) {
        if self.step_left() {
            self.delete();
        }
    }

    /// Deletes the grapheme behind the cursor, or joins the next line to this one.
    pub fn delete(&mut self) {
        let after = self.halves().1.graphemes(true).next().map(str::len);
        match after {
            Some(length) => {
                if let Some(line) = self.lines.get_mut(self.row) {
                    line.replace_range(self.at..self.at + length, "");
                    self.at = boundary(line, self.at);
                }
                self.bytes -= length;
            }
            None if self.row + 1 < self.lines.len() => {
                let next = self.lines.remove(self.row + 1);
                if let Some(line) = self.lines.get_mut(self.row) {
                    line.push_str(&next);
                    self.at = boundary(line, self.at);
                }
                self.bytes -= 1;
            }
            None => {}
        }
        self.moved();
    }

    /// Deletes the line before the cursor.
    pub fn delete_to_start(&mut self) {
        if let Some(line) = self.lines.get_mut(self.row) {
            line.replace_range(..self.at, "");
            self.bytes -= self.at;
            self.at = 0;
        }
        self.moved();
    }

    fn step_left(&mut self) -> bool {
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

    /// Fits the window of `height` rows to the text and, after a move, to the cursor.
    pub fn fit(&mut self, height: usize) {
        self.offset = self.offset.min(self.lines.len().saturating_sub(height));
        if self.follow {
            self.offset = window(self.offset, self.row, height);
            self.follow = false;
        }
    }

    /// Moves the window; the cursor stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }
}

/// The first start of a grapheme at or behind a byte.
fn boundary(line: &str, byte: usize) -> usize {
    let starts = line.grapheme_indices(true).map(|(at, _)| at);
    starts.chain([line.len()]).find(|at| *at >= byte).unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_with_their_indent_and_join() {
        let mut editor = Editor::of("{}");
        editor.go(Move::Right);
        editor.break_line();
        editor.insert("\"a\": [");
        editor.break_line();
        editor.insert("1\r\n]");
        assert_eq!(editor.text(), "{\n  \"a\": [\n    1\n]\n}");
        assert_eq!((editor.row(), editor.column()), (3, 1));
        editor.backspace();
        editor.backspace();
        assert_eq!(editor.text(), "{\n  \"a\": [\n    1\n}");
        editor.delete();
        assert_eq!(editor.text(), "{\n  \"a\": [\n    1}");
        editor.step(-1);
        assert_eq!((editor.row(), editor.column()), (1, 5));
        editor.delete_to_start();
        assert_eq!(editor.text(), "{\n: [\n    1}");
    }

    #[test]
    fn a_text_comes_back_with_every_byte() {
        for text in ["", "a\r\n\tb\u{1}\n", "\n\n", "é"] {
            let mut editor = Editor::verbatim(text).unwrap();
            assert_eq!(editor.text(), text);
            editor.put("x\ny");
            assert_eq!(editor.text(), "x\ny");
        }
        assert!(Editor::verbatim(&"x".repeat(LONGEST + 1)).is_none());
    }

    #[test]
    fn lines_of_yaml_break_below_what_they_belong_to() {
        let cases = [
            ("a: 1", "a: 1\n"),
            ("a:", "a:\n  "),
            ("  - target: $", "  - target: $\n    "),
            ("- update:", "- update:\n    "),
            ("  x: |", "  x: |\n    "),
        ];
        for (text, expected) in cases {
            let mut editor = Editor::verbatim(text).unwrap();
            editor.go(Move::End);
            editor.break_yaml_line();
            assert_eq!(editor.text(), expected);
        }
    }

    #[test]
    fn texts_are_found_around_the_end_and_completed() {
        let mut editor = Editor::verbatim("get: Pets\nput: pets").unwrap();
        let mut places = Vec::new();
        for _ in 0..3 {
            assert!(editor.find("pets"));
            places.push((editor.row(), editor.at()));
        }
        assert_eq!(places, [(0, 5), (1, 5), (0, 5)]);
        assert!(!editor.find("dogs") && !editor.find("PETS"));
        editor.go(Move::End);
        assert!(editor.complete(5, "cats") && !editor.complete(90, "x"));
        assert_eq!((editor.text().as_str(), editor.column()), ("get: cats\nput: pets", 9));
    }

    #[test]
    fn a_text_too_long_is_not_taken() {
        let mut editor = Editor::of("a");
        assert!(!editor.insert(&"x".repeat(LONGEST)));
        assert_eq!(editor.text(), "a");
    }

    proptest! {
        #[test]
        fn no_editing_breaks_the_text(steps in proptest::collection::vec((0usize..12, "\\PC{0,4}|\n|\u{301}|\u{200d}"), 0..60)) {
            let mut editor = Editor::default();
            for (step, text) in steps {
                match step {
                    0..=2 => { editor.insert(&text); }
                    3 => { editor.break_line(); }
                    4 => editor.backspace(),
                    5 => editor.delete(),
                    6 => editor.go(Move::Left),
                    7 => editor.go(Move::Right),
                    8 => editor.step(-1),
                    9 => editor.step(2),
                    10 => editor.go(Move::End),
                    _ => editor.delete_to_start(),
                }
                let line = editor.line();
                prop_assert!(line.is_char_boundary(editor.at), "{line:?} at {}", editor.at);
                prop_assert_eq!(boundary(line, editor.at), editor.at);
                prop_assert_eq!(editor.bytes, editor.text().len());
                prop_assert!(!editor.text().chars().any(|c| c.is_control() && c != '\n'));
            }
        }
    }
}
