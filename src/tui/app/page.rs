//! Lines of text with meaning: what the detail pane shows, before it has a width and colours.

use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;

use crate::document::{FileId, Place};
use crate::tui::text;
use crate::tui::theme::Role;

/// A run of harmless text with one meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seg {
    /// The text; made harmless when the run was made.
    pub text: String,
    /// What it means, from which the theme makes a style.
    pub role: Role,
}

impl Seg {
    /// A run; the text is made harmless here, so that nothing foreign gets past.
    pub fn new(text: impl AsRef<str>, role: Role) -> Self {
        Self { text: text::harmless(text.as_ref()).into_owned(), role }
    }

    /// A run, filled with blanks to `width` columns.
    pub fn padded(text: impl AsRef<str>, width: usize, role: Role) -> Self {
        let mut seg = Self::new(text, role);
        let missing = width.saturating_sub(text::width(&seg.text));
        seg.text.extend(std::iter::repeat_n(' ', missing));
        seg
    }
}

/// What Enter does on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Folds or unfolds the node of that pointer.
    Fold(Arc<str>),
    /// Selects the tool of that number in the index.
    Jump(usize),
    /// Shows an action of an overlay.
    Action {
        /// The overlay.
        file: FileId,
        /// Index of the action, from 0.
        action: u16,
    },
    /// Takes over the proposal of that number.
    Propose(usize),
}

/// One line before wrapping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its runs.
    pub segs: Vec<Seg>,
    /// Columns by which its continuation is indented.
    pub hang: usize,
    /// What the editor opens from here.
    pub place: Option<Place>,
    /// What Enter does here.
    pub act: Option<Act>,
}

impl Line {
    /// An empty line, to be filled.
    pub fn new() -> Self {
        Self::default()
    }

    /// With another run.
    pub fn seg(mut self, text: impl AsRef<str>, role: Role) -> Self {
        self.segs.push(Seg::new(text, role));
        self
    }

    /// With another run, filled with blanks to `width` columns.
    pub fn cell(mut self, text: impl AsRef<str>, width: usize, role: Role) -> Self {
        self.segs.push(Seg::padded(text, width, role));
        self
    }

    /// With its continuation indented.
    pub fn hang(mut self, columns: usize) -> Self {
        self.hang = columns;
        self
    }

    /// With the place that the editor opens.
    pub fn at(mut self, place: Option<&Place>) -> Self {
        self.place = place.cloned();
        self
    }

    /// With what Enter does.
    pub fn act(mut self, act: Act) -> Self {
        self.act = Some(act);
        self
    }

    /// Its text without meaning.
    pub fn text(&self) -> String {
        self.segs.iter().map(|seg| seg.text.as_str()).collect()
    }
}

/// One line of the screen and the line that it is a part of.
#[derive(Clone, Debug, PartialEq)]
pub struct Laid {
    /// Its runs.
    pub segs: Vec<Seg>,
    /// Index of the [`Line`].
    pub line: usize,
}

/// Breaks lines to a width: at blanks where there are some, else anywhere between graphemes. Nothing is lost but the
/// blanks at a break.
pub fn lay(lines: &[Line], width: usize) -> Vec<Laid> {
    let width = width.max(1);
    let mut out = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let total: usize = line.segs.iter().map(|seg| text::width(&seg.text)).sum();
        if total <= width {
            out.push(Laid { segs: line.segs.clone(), line: at });
        } else {
            break_line(line, at, width, &mut out);
        }
    }
    out
}

/// A grapheme with its width and role.
type Cell<'a> = (&'a str, usize, Role);

fn break_line(line: &Line, at: usize, width: usize, out: &mut Vec<Laid>) {
    let cells: Vec<Cell<'_>> = line
        .segs
        .iter()
        .flat_map(|seg| seg.text.graphemes(true).map(|grapheme| (grapheme, text::width(grapheme), seg.role)))
        .collect();
    // An indent that leaves no room for text would never end.
    let hang = if line.hang + 8 <= width { line.hang } else { 0 };
    let mut rest = cells.as_slice();
    let mut indent = 0;
    while !rest.is_empty() {
        let room = width - indent;
        let fits = fitting(rest, room);
        let cut = if fits == rest.len() { fits } else { break_at(rest, fits, if indent == 0 { line.hang } else { 0 }) };
        let (head, tail) = rest.split_at(cut);
        out.push(Laid { segs: join(indent, head), line: at });
        let blanks = tail.iter().take_while(|cell| cell.0 == " ").count();
        rest = tail.get(blanks..).unwrap_or(&[]);
        indent = hang;
    }
}

/// How many cells fit into `room` columns; at least one, so that the work ends.
fn fitting(cells: &[Cell<'_>], room: usize) -> usize {
    let mut used = 0;
    let fits = cells.iter().take_while(|cell| {
        used += cell.1;
        used <= room
    });
    fits.count().max(1)
}

/// The last blank from which a break leaves something on the line, else where the room ends.
fn break_at(cells: &[Cell<'_>], fits: usize, keep: usize) -> usize {
    if cells.get(fits).is_some_and(|cell| cell.0 == " ") {
        return fits;
    }
    let head = cells.get(..fits).unwrap_or(cells);
    match head.iter().rposition(|cell| cell.0 == " ") {
        // A break far to the left wastes the line: a long word is better cut.
        Some(blank) if blank > keep && blank * 3 > fits => blank + 1,
        _ => fits,
    }
}

fn join(indent: usize, cells: &[Cell<'_>]) -> Vec<Seg> {
    let mut segs: Vec<Seg> = Vec::new();
    if indent > 0 {
        segs.push(Seg { text: " ".repeat(indent), role: Role::Text });
    }
    for (grapheme, _, role) in cells {
        match segs.last_mut() {
            Some(last) if last.role == *role => last.text.push_str(grapheme),
            _ => segs.push(Seg { text: (*grapheme).to_owned(), role: *role }),
        }
    }
    segs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_keep_their_indent() {
        let cases: [(&str, usize, usize, &[&str]); 6] = [
            ("one two three", 20, 0, &["one two three"]),
            ("one two three", 8, 0, &["one two", "three"]),
            ("stage  long words here", 16, 7, &["stage  long", "       words", "       here"]),
            ("abcdefghij", 4, 0, &["abcd", "efgh", "ij"]),
            ("日本語", 3, 0, &["日", "本", "語"]),
            ("", 5, 0, &[""]),
        ];
        for (given, width, hang, expected) in cases {
            let line = Line::new().seg(given, Role::Text).hang(hang);
            let laid: Vec<String> = lay(&[line], width)
                .iter()
                .map(|line| line.segs.iter().map(|seg| seg.text.as_str()).collect::<String>().trim_end().to_owned())
                .collect();
            assert_eq!(laid, expected, "{given:?} at {width}");
        }
    }

    #[test]
    fn control_characters_do_not_get_into_a_run() {
        let seg = Seg::new("a\u{1b}[31mb\u{202e}c\n", Role::Text);
        assert!(!seg.text.chars().any(char::is_control), "{:?}", seg.text);
        assert!(!seg.text.contains('\u{202e}'));
    }
}
