//! A text of several lines with a cursor in it.

use unicode_segmentation::UnicodeSegmentation;

use crate::tui::app::pane::window;
use crate::tui::text::{harmless, width};

/// Bytes that a text may have.
pub const LONGEST: usize = 1 << 20;

/// Lines with a cursor between their graphemes. There is always a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    pub(super) lines: Vec<String>,
    pub(super) row: usize,
    /// Byte offset in the line, always at the start of a grapheme or at the end.
    pub(super) at: usize,
    /// Columns where the cursor wants to be when it moves up or down.
    pub(super) wanted: usize,
    pub(super) bytes: usize,
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

    pub(super) fn line(&self) -> &str {
        self.lines.get(self.row).map_or("", String::as_str)
    }

    pub(super) fn halves(&self) -> (&str, &str) {
        self.line().split_at_checked(self.at).unwrap_or((self.line(), ""))
    }

    /// Columns before the cursor, as the line is drawn.
    pub fn column(&self) -> usize {
        width(&harmless(self.halves().0))
    }

    pub(super) fn moved(&mut self) {
        self.wanted = self.column();
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
pub(super) fn boundary(line: &str, byte: usize) -> usize {
    let starts = line.grapheme_indices(true).map(|(at, _)| at);
    starts.chain([line.len()]).find(|at| *at >= byte).unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use proptest::prelude::*;

    use super::*;
    use crate::tui::app::field::Move;

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
