//! Why a workspace could not be loaded, with the line at fault.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::document::SourceFile;

/// Lines shown before the line at fault.
const LINES_BEFORE: usize = 2;
/// Characters shown on either side of the fault in a long line.
const WINDOW: usize = 60;

/// What kind of failure it is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadErrorKind {
    /// What was asked for makes no sense or does not exist.
    Usage,
    /// A server did not answer, or not with the document.
    Unreachable,
    /// A server refused, or a credential is missing.
    Authentication,
    /// A file was read and is not what it should be.
    Input,
}

/// A load that failed. Few things fail a load; everything else is a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Kind.
    pub kind: LoadErrorKind,
    /// What happened, in one sentence.
    pub message: String,
    /// The file that it concerns, as the user named it.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// The lines around the fault.
    pub excerpt: Option<Box<Excerpt>>,
    /// What to do.
    pub remedy: Option<String>,
}

/// Some lines of a file with the fault in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines; control characters are replaced.
    pub text: String,
    /// Number of the first of them, from 1.
    pub first_line: usize,
    /// The fault, in bytes of `text`.
    pub span: Range<usize>,
    /// `text` is a part of a line that is too long to be shown whole.
    pub is_window: bool,
}

impl LoadError {
    /// An error of a kind.
    pub fn new(kind: LoadErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), file: None, line: None, column: None, excerpt: None, remedy: None }
    }

    /// An error in what was asked for.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(LoadErrorKind::Usage, message)
    }

    /// An error in a file.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(LoadErrorKind::Input, message)
    }

    /// With the file that it concerns.
    pub fn in_file(mut self, name: impl Into<String>) -> Self {
        self.file = Some(name.into());
        self
    }

    /// With what to do.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// With the place in a file that was read: bytes `start..end`.
    pub fn at(mut self, file: &SourceFile, start: u32, end: u32) -> Self {
        let (line, column) = file.line_column(start);
        self.file = Some(file.name.clone());
        self.line = Some(line);
        self.column = Some(column);
        self.excerpt = Some(Box::new(Excerpt::around(file, line, column, end.saturating_sub(start).max(1) as usize)));
        self
    }

    /// The exit code of a program that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            LoadErrorKind::Usage | LoadErrorKind::Input => 2,
            LoadErrorKind::Authentication => 3,
            LoadErrorKind::Unreachable => 4,
        }
    }

    /// The stable word for the kind: `usage`, `input`, `authentication`, `unreachable`.
    pub fn code(&self) -> &'static str {
        match self.kind {
            LoadErrorKind::Usage => "usage",
            LoadErrorKind::Input => "input",
            LoadErrorKind::Authentication => "authentication",
            LoadErrorKind::Unreachable => "unreachable",
        }
    }

    fn origin<'a>(&self, file: String) -> Origin<'a> {
        let origin = Origin::path(file);
        match (self.line, self.column) {
            (Some(line), Some(column)) => origin.line(line).char_column(column),
            (Some(line), None) => origin.line(line),
            _ => origin,
        }
    }

    /// The error with its excerpt as text of several lines, with or without colours.
    pub fn render(&self, coloured: bool) -> String {
        let message = printable(&self.message);
        let mut group = Group::with_title(Level::ERROR.primary_title(message));
        let file = self.file.as_deref().map(printable).unwrap_or_default();
        match &self.excerpt {
            Some(excerpt) if !excerpt.is_window => {
                let snippet = Snippet::source(excerpt.text.as_str())
                    .path(file)
                    .line_start(excerpt.first_line)
                    .annotation(AnnotationKind::Primary.span(excerpt.span.clone()));
                group = group.element(snippet);
            }
            _ if self.line.is_some() => group = group.element(self.origin(file)),
            _ => {}
        }
        // A part of a very long line stands for itself: a snippet would count columns from its start.
        if let Some(excerpt) = self.excerpt.as_ref().filter(|excerpt| excerpt.is_window) {
            let (before, after) = excerpt.text.split_at_checked(excerpt.span.start).unwrap_or((&excerpt.text, ""));
            group = group.element(Level::NOTE.message(format!("in the middle of `{before}» «{after}`")));
        }
        let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
        let Some(remedy) = &self.remedy else { return renderer.render(&[group]) };
        let help = Group::with_title(Level::HELP.secondary_title(printable(remedy)));
        if self.line.is_some() {
            return renderer.render(&[group, help]);
        }
        // Without an excerpt there is nothing for the renderer to draw a margin along.
        format!("{}\n{}", renderer.render(&[group]), renderer.render(&[help]))
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for LoadError {}

impl Excerpt {
    fn around(file: &SourceFile, line: usize, column: usize, length: usize) -> Self {
        let fault = file.line(line).unwrap_or_default();
        if fault.chars().count() > 4 * WINDOW {
            return Self::window(fault, line, column, length);
        }
        let first_line = line.saturating_sub(LINES_BEFORE).max(1);
        let mut text = String::new();
        for number in first_line..line {
            text.push_str(&printable(file.line(number).unwrap_or_default()));
            text.push('\n');
        }
        let start = text.len() + printable_prefix(fault, column - 1);
        text.push_str(&printable(fault));
        Self { span: start..end_of(&text, start, length), text, first_line, is_window: false }
    }

    /// A part of a line that is too long to show.
    fn window(fault: &str, line: usize, column: usize, length: usize) -> Self {
        let skipped = (column - 1).saturating_sub(WINDOW);
        let part: String = fault.chars().skip(skipped).take(2 * WINDOW).collect();
        let lead = if skipped > 0 { "…" } else { "" };
        let start = lead.len() + printable_prefix(&part, column - 1 - skipped);
        let text = format!("{lead}{}…", printable(&part));
        Self { span: start..end_of(&text, start, length), text, first_line: line, is_window: true }
    }
}

fn end_of(text: &str, start: usize, length: usize) -> usize {
    let mut end = (start + length).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}

/// Length in bytes of the first characters as they are printed.
fn printable_prefix(text: &str, characters: usize) -> usize {
    text.chars().take(characters).map(|c| printable_char(c).len_utf8()).sum()
}

fn printable_char(c: char) -> char {
    if c.is_control() && c != '\t' && c != '\n' { char::REPLACEMENT_CHARACTER } else { c }
}

fn printable(text: &str) -> String {
    text.chars().map(printable_char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_shows_its_line_and_remedy() {
        let file = SourceFile::new("api.yaml", "openapi: 3.1.0\ninfo:\n  title: [\npaths: {}\n");
        let error = LoadError::input("a list is not closed").at(&file, 31, 32).remedy("Close it with `]`.");
        assert_eq!((error.line, error.column), (Some(3), Some(11)));
        let text = error.render(false);
        for part in ["error: a list is not closed", "api.yaml:3:11", "3 |   title: [", "^", "help: Close it with `]`."]
        {
            assert!(text.contains(part), "{part:?} is missing in\n{text}");
        }
        assert!(!text.contains('\u{1b}'));
        assert!(error.render(true).contains('\u{1b}'));
    }

    #[test]
    fn a_very_long_line_is_shown_in_part_with_its_true_column() {
        let line = format!("{{\"é\": \"{}\", x", "é".repeat(5_000));
        let at = u32::try_from(line.len() - 1).unwrap_or_default();
        let file = SourceFile::new("min.json", line.as_str());
        let text = LoadError::input("x").at(&file, at, at + 1).render(false);
        assert!(text.contains("min.json:1:5011"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 200) && text.contains("» «x…"), "{text}");
    }

    #[test]
    fn control_characters_of_a_file_do_not_reach_the_terminal() {
        let file = SourceFile::new("a\u{1b}[2J", "\u{1b}[31mred: [\n");
        let text = LoadError::input("\u{1b}[0m").at(&file, 10, 11).render(false);
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }

    #[test]
    fn kinds_have_exit_codes() {
        let codes =
            [LoadErrorKind::Usage, LoadErrorKind::Input, LoadErrorKind::Authentication, LoadErrorKind::Unreachable]
                .map(|kind| LoadError::new(kind, "x").exit_code());
        assert_eq!(codes, [2, 2, 3, 4]);
    }
}
