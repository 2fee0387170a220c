//! Colours of YAML and JSON, line by line. What a line means may depend on the lines before it: that is a [`State`], so
//! that nobody has to look at a text from its beginning for each line.
//!
//! It tells people where they are and judges nothing: every text has colours, also one that is neither.

use crate::document::Format;
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// What is open at the beginning of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The quote of a text that goes on.
    quote: Option<char>,
    /// A block text goes on while lines are indented by more than this.
    block: Option<usize>,
    /// Open brackets.
    depth: u16,
}

/// A run of bytes of a line with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// What it means.
    pub role: Role,
}

/// The runs of a line, without gaps, and what is open behind it.
pub fn spans(format: Format, state: State, text: &str) -> (Vec<Span>, State) {
    let mut scan = Scan { format, text, at: 0, state, out: Vec::new(), column: 0, fresh: true };
    scan.run();
    (scan.out, scan.state)
}

/// Adds a line with its colours to what is drawn.
pub fn paint(line: Line, format: Format, state: &mut State, text: &str) -> Line {
    let (found, next) = spans(format, *state, text);
    *state = next;
    found.iter().fold(line, |line, span| line.seg(text.get(span.start..span.end).unwrap_or_default(), span.role))
}

struct Scan<'t> {
    format: Format,
    text: &'t str,
    at: usize,
    state: State,
    out: Vec<Span>,
    /// Column of the innermost key or dash of the line: a block text behind it is indented by more.
    column: usize,
    /// A value may start here, so that `-`, `|` and the like are signs and no text.
    fresh: bool,
}

impl<'t> Scan<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, end: usize, role: Role) {
        if end > self.at {
            match self.out.last_mut() {
                Some(last) if last.role == role => last.end = end,
                _ => self.out.push(Span { start: self.at, end, role }),
            }
        }
        self.at = end;
    }

    fn run(&mut self) {
        let indent = self.text.len() - self.text.trim_start_matches(' ').len();
        if let Some(parent) = self.state.block {
            if self.text.trim().is_empty() || indent > parent {
                return self.push(self.text.len(), Role::String);
            }
            self.state.block = None;
        }
        if let Some(quote) = self.state.quote {
            let end = self.quoted(quote, 0);
            self.push(end, Role::String);
        }
        self.column = indent;
        while self.at < self.text.len() {
            self.token();
        }
    }

    /// Where a quoted text ends that goes on from a byte; the state says whether it does.
    fn quoted(&mut self, quote: char, from: usize) -> usize {
        let mut characters = self.text.get(from..).unwrap_or_default().char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            if character == '\\' && quote == '"' {
                let _escaped = characters.next();
            } else if character == quote {
                if quote == '\'' && characters.next_if(|(_, next)| *next == '\'').is_some() {
                    continue;
                }
                self.state.quote = None;
                return from + at + 1;
            }
        }
        self.state.quote = Some(quote);
        self.text.len()
    }

    fn token(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        let ends = after.is_empty() || after.starts_with([' ', '\t']);
        let begins = self.at == 0 || self.text.get(..self.at).is_some_and(|head| head.ends_with([' ', '\t']));
        let yaml = self.format == Format::Yaml;
        match first {
            ' ' | '\t' => {
                let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                self.push(self.at + blanks, Role::Text);
            }
            '#' if yaml && begins => self.push(self.text.len(), Role::Dim),
            '{' | '[' => {
                self.state.depth = self.state.depth.saturating_add(1);
                self.sign(1);
            }
            '}' | ']' => {
                self.state.depth = self.state.depth.saturating_sub(1);
                self.sign(1);
            }
            ',' if self.state.depth > 0 => self.sign(1),
            ':' if ends || self.state.depth > 0 => self.sign(1),
            '-' | '?' if yaml && self.fresh && ends && self.state.depth == 0 => {
                self.column = self.at;
                self.sign(1);
            }
            '|' | '>' if yaml && self.fresh && self.state.depth == 0 => {
                self.state.block = Some(self.column);
                let header = rest.find('#').unwrap_or(rest.len());
                self.push(self.at + header, Role::Dim);
            }
            '&' | '*' | '!' if yaml && self.fresh => {
                let length = rest.find([' ', ',', ']', '}']).unwrap_or(rest.len());
                self.push(self.at + length, Role::Accent);
            }
            '"' | '\'' if self.fresh && (yaml || first == '"') => {
                let end = self.quoted(first, self.at + 1);
                let role = self.role_before(end, Role::String);
                self.push(end, role);
                self.fresh = false;
            }
            _ => self.plain(),
        }
    }

    fn sign(&mut self, bytes: usize) {
        self.push(self.at + bytes, Role::Dim);
        self.fresh = true;
    }

    /// The key's role when a colon follows, and then its column counts.
    fn role_before(&mut self, end: usize, role: Role) -> Role {
        let behind = self.text.get(end..).unwrap_or_default().trim_start();
        let colon = behind
            .strip_prefix(':')
            .is_some_and(|rest| self.state.depth > 0 || rest.is_empty() || rest.starts_with([' ', '\t']));
        if colon {
            self.column = self.at;
            Role::Key
        } else {
            role
        }
    }

    /// A text without quotes, to the next sign that ends it.
    fn plain(&mut self) {
        let rest = self.rest();
        let mut end = rest.len();
        let bytes = rest.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let next_blank = bytes.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'\t'));
            let before_blank = at > 0 && bytes.get(at - 1).is_some_and(|before| matches!(before, b' ' | b'\t'));
            let stops = match byte {
                b':' => next_blank,
                b'#' => before_blank && self.format == Format::Yaml,
                b',' | b']' | b'}' | b'[' | b'{' => self.state.depth > 0,
                _ => false,
            };
            if stops && at > 0 {
                end = at;
                break;
            }
        }
        let word = rest.get(..end).unwrap_or(rest).trim_end().to_owned();
        // At least one byte, so that the work ends.
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let stop = self.at + word.len().max(first);
        let role = self.role_before(stop, scalar(&word));
        self.push(stop, role);
        self.fresh = false;
    }
}

fn scalar(word: &str) -> Role {
    match word {
        "true" | "false" | "null" | "~" | "True" | "False" | "Null" => Role::Literal,
        _ if word.parse::<f64>().is_ok() && word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            Role::Number
        }
        _ => Role::String,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use proptest::prelude::*;

    use super::*;

    /// One letter for each byte: what it means.
    fn letters(format: Format, text: &str) -> Vec<String> {
        let mut state = State::default();
        let line = |text: &str| {
            let (found, next) = spans(format, state, text);
            state = next;
            let letter = |role: Role| match role {
                Role::Key => "k",
                Role::String => "s",
                Role::Number => "n",
                Role::Literal => "l",
                Role::Dim => "-",
                Role::Accent => "a",
                _ => " ",
            };
            found.iter().map(|span| letter(span.role).repeat(span.end - span.start)).collect()
        };
        text.lines().map(line).collect()
    }

    #[test]
    fn yaml_has_its_colours() {
        let cases = [
            ("overlay: 1.1.0 # why", "kkkkkkk- sssss -----"),
            ("- target: $.paths['/a'].get", "- kkkkkk- sssssssssssssssss"),
            ("  x-mcp-safe: true", "  kkkkkkkkkk- llll"),
            ("a: {b: 1, 'c': [x, null]}", "k- -k- n- kkk- -s- llll--"),
            ("url: http://a.b/#c", "kkk- sssssssssssss"),
            ("a: &x 'it''s': 2", "k- aa kkkkkkk- n"),
            ("- -1.5e3", "- nnnnnn"),
            ("a: \"x: # y\" # z", "k- ssssssss ---"),
        ];
        for (text, expected) in cases {
            assert_eq!(letters(Format::Yaml, text), [expected], "{text}");
        }
    }

    #[test]
    fn texts_go_on_over_lines() {
        let text = "- a: |\n    # no comment\n\n    b: c\n  d: \"x\n    y\" \n  e: >- # folded\n   z\nf: 1";
        let expected =
            ["- k- -", "ssssssssssssssss", "", "ssssssss", "  k- ss", "ssssss ", "  k- -----------", "ssss", "k- n"];
        assert_eq!(letters(Format::Yaml, text), expected);
    }

    #[test]
    fn json_has_its_colours() {
        let text = "{\n  \"a\\\"b\": [1, \"x, y\", true], # no\n}";
        assert_eq!(letters(Format::Json, text), ["-", "  kkkkkk- -n- ssssss- llll-- ssss", "-"]);
    }

    proptest! {
        #[test]
        fn every_line_is_covered_without_gaps(lines in proptest::collection::vec("[ a#:'\"|>{}\\[\\],\\\\&*!é-]{0,24}", 0..8)) {
            for format in [Format::Yaml, Format::Json] {
                let mut state = State::default();
                for text in &lines {
                    let (found, next) = spans(format, state, text);
                    state = next;
                    let mut at = 0;
                    for span in &found {
                        prop_assert_eq!(span.start, at);
                        prop_assert!(text.get(span.start..span.end).is_some_and(|part| !part.is_empty()));
                        at = span.end;
                    }
                    prop_assert_eq!(at, text.len());
                }
            }
        }
    }
}
