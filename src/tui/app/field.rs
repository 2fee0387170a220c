//! A line that a person types into.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Text with a cursor between its graphemes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    text: String,
    /// Byte offset, always at the start of a grapheme or at the end.
    cursor: usize,
}

/// How the cursor moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// One grapheme to the left.
    Left,
    /// One grapheme to the right.
    Right,
    /// To the beginning.
    Home,
    /// To the end.
    End,
}

impl Field {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text on both sides of the cursor.
    pub fn halves(&self) -> (&str, &str) {
        self.text.split_at_checked(self.cursor).unwrap_or((&self.text, ""))
    }

    /// Replaces all of it; the cursor goes to the end.
    pub fn set(&mut self, text: impl Into<String>) {
        self.text = text.into();
        self.cursor = self.text.len();
    }

    /// Inserts at the cursor. Line breaks and tabs become blanks, other control characters are left out.
    pub fn insert(&mut self, text: &str) {
        let clean: String = text
            .chars()
            .filter_map(|c| if matches!(c, '\n' | '\t') { Some(' ') } else { (!c.is_control()).then_some(c) })
            .collect();
        self.text.insert_str(self.cursor, &clean);
        self.cursor += clean.len();
        // A combining mark may have joined what follows.
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        if !cursor.is_boundary(&self.text, 0).unwrap_or(true) {
            self.cursor = cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len());
        }
    }

    /// Deletes the grapheme before the cursor. False when there is none.
    pub fn backspace(&mut self) -> bool {
        let Some(start) = self.before() else { return false };
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
        true
    }

    /// Deletes the grapheme after the cursor.
    pub fn delete(&mut self) {
        if let Some(end) = self.after() {
            self.text.replace_range(self.cursor..end, "");
        }
    }

    /// Deletes the word before the cursor, with the blanks after it.
    pub fn delete_word(&mut self) {
        let (head, _) = self.halves();
        let blank = head.trim_end().char_indices().rev().find(|(_, c)| c.is_whitespace());
        let start = blank.map_or(0, |(at, blank)| at + blank.len_utf8());
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    /// Deletes everything before the cursor.
    pub fn delete_to_start(&mut self) {
        self.text.replace_range(..self.cursor, "");
        self.cursor = 0;
    }

    /// Moves the cursor.
    pub fn go(&mut self, step: Move) {
        self.cursor = match step {
            Move::Left => self.before().unwrap_or(0),
            Move::Right => self.after().unwrap_or(self.text.len()),
            Move::Home => 0,
            Move::End => self.text.len(),
        };
    }

    fn before(&self) -> Option<usize> {
        let (head, _) = self.halves();
        head.grapheme_indices(true).next_back().map(|(at, _)| at)
    }

    fn after(&self) -> Option<usize> {
        let (_, tail) = self.halves();
        tail.graphemes(true).next().map(|grapheme| self.cursor + grapheme.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_goes_by_graphemes() {
        let mut field = Field::default();
        field.insert("ae\u{301}日\n\u{1b}b");
        assert_eq!(field.text(), "ae\u{301}日 b");
        field.go(Move::Left);
        field.go(Move::Left);
        assert!(field.backspace());
        assert_eq!(field.text(), "ae\u{301} b");
        assert!(field.backspace());
        assert_eq!((field.text(), field.halves()), ("a b", ("a", " b")));
        field.delete();
        field.go(Move::End);
        field.delete_word();
        assert_eq!(field.text(), "");
        assert!(!field.backspace());
    }

    #[test]
    fn a_combining_mark_does_not_leave_the_cursor_inside_a_grapheme() {
        let mut field = Field::default();
        field.insert("\u{301}x");
        field.go(Move::Home);
        field.insert("e");
        assert!(field.backspace());
        assert_eq!(field.text(), "x");
    }
}
