//! Writing results: standard output in one buffer, colours, tables, harmless foreign text.

use std::borrow::Cow;
use std::io::{BufWriter, IsTerminal, StdoutLock, Write};

use unicode_width::UnicodeWidthStr;

use super::args::Color;

/// A field that is wider does not widen its column.
const WIDEST: usize = 64;

/// Standard output and whether it may have colours.
pub(super) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    coloured: bool,
}

/// What a colour says. Never the only sign of anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Strong,
    Faint,
    Good,
    Warning,
    Error,
}

impl Role {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Good => "32",
            Self::Warning => "33",
            Self::Error => "31",
        }
    }
}

impl Output {
    pub(super) fn stdout(color: Color) -> Self {
        let coloured = wants_colour(color, std::io::stdout().is_terminal());
        Self { writer: BufWriter::with_capacity(1 << 16, std::io::stdout().lock()), coloured }
    }

    /// Text in a role; foreign control characters are made visible.
    pub(super) fn paint(&self, role: Role, text: &str) -> String {
        paint(self.coloured, role, text)
    }

    pub(super) fn line(&mut self, text: &str) -> std::io::Result<()> {
        writeln!(self.writer, "{text}")
    }

    /// Rows with aligned columns; the last column is not padded.
    pub(super) fn table(&mut self, indent: &str, rows: &[Vec<Cell>]) -> std::io::Result<()> {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                // One long field shall not push the column of all others to the right.
                *width = if cell.width() > WIDEST { *width } else { (*width).max(cell.width()) };
            }
        }
        for row in rows {
            let mut line = String::from(indent);
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                line.push_str(&self.paint(cell.role, &cell.text));
                if at + 1 < row.len() {
                    line.push_str(&" ".repeat(width.saturating_sub(cell.width()) + 2));
                }
            }
            self.line(line.trim_end())?;
        }
        Ok(())
    }

    pub(super) fn writer(&mut self) -> &mut impl Write {
        &mut self.writer
    }

    pub(super) fn finish(mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

/// One field of a table.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    text: String,
    role: Role,
}

impl Cell {
    pub(super) fn new(text: impl AsRef<str>) -> Self {
        Self::of(Role::Plain, text)
    }

    pub(super) fn of(role: Role, text: impl AsRef<str>) -> Self {
        Self { text: harmless(text.as_ref()).into_owned(), role }
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

/// Says something on standard error.
pub(super) fn say(text: &str) {
    // Nothing is left to be done when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Are colours wanted on a stream?
pub(super) fn wants_colour(color: Color, is_terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

fn paint(coloured: bool, role: Role, text: &str) -> String {
    let text = harmless(text);
    if !coloured || role == Role::Plain || text.is_empty() {
        return text.into_owned();
    }
    format!("\u{1b}[{}m{text}\u{1b}[0m", role.code())
}

/// Foreign text with control, bidi and zero-width characters as visible escapes: it cannot move the cursor, change
/// colours, or reorder what stands beside it.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    let harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
    };
    if !text.chars().any(harmful) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => clean.push_str("\\n"),
            '\t' => clean.push_str("\\t"),
            '\r' => clean.push_str("\\r"),
            c if harmful(c) => clean.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => clean.push(c),
        }
    }
    Cow::Owned(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_harmless() {
        let cases = [
            ("plain é 😀", "plain é 😀"),
            ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
            ("one\ntwo\tthree\r", "one\\ntwo\\tthree\\r"),
            ("a\u{202e}b\u{200b}", "a\\u{202e}b\\u{200b}"),
            ("\u{9b}2J", "\\u{9b}2J"),
        ];
        for (text, expected) in cases {
            assert_eq!(harmless(text), expected);
        }
    }

    #[test]
    fn colours_only_when_wanted() {
        assert_eq!(paint(false, Role::Error, "x"), "x");
        assert_eq!(paint(true, Role::Error, "x"), "\u{1b}[31mx\u{1b}[0m");
        assert_eq!(paint(true, Role::Plain, "x"), "x");
        assert!(
            wants_colour(Color::Always, false)
                && !wants_colour(Color::Never, true)
                && !wants_colour(Color::Auto, false)
        );
    }
}
