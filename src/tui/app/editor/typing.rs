//! What typing does to a text: it grows at the cursor, breaks into lines, is deleted.

use unicode_segmentation::UnicodeSegmentation;

use super::text::{Editor, LONGEST, boundary};

/// Blanks of one step of the indent.
const INDENT: &str = "  ";

impl Editor {
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
}
