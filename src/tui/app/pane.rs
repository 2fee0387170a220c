//! A pane of text: a page of lines, where in it the cursor is, and what of it is visible.

use super::detail::Tab;
use super::overlays::Part;
use super::page::{Laid, Line, lay};

/// What a page tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A tool, by its number in the index, under a tab. The last number counts folding and the like.
    Tool(usize, Tab, u64),
    /// A finding, by its number in the index of findings.
    Finding(usize),
    /// All findings of a kind that are listed.
    Kind(&'static str, usize),
    /// An overlay, by its number, with a number that counts what is known of it.
    Overlay(usize, u64),
    /// An action, by its number, under a tab at a moment; the last number counts what is known of it.
    Action(usize, Part, u8, u64),
    /// What another program's extension says, or all of them, with a number that counts what is known.
    Hint(Option<usize>, u64),
    /// What is said beside a text that is edited, with numbers that count what it is made of.
    Live(u64, u64),
    /// The request or the result of the screen of calls, with a number that counts both.
    Call(bool, u64),
    /// A call of the record by its number, or one of its HTTP hops.
    Hop(u64, Option<usize>),
    /// A smoke case by its position, with a number that counts what is known of it.
    Case(usize, u64),
    /// A tool, or all of them, under a target.
    Cell(Option<usize>, usize),
}

/// What a page was made from; the same key gives the same page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageKey {
    /// What it tells of.
    pub shown: Shown,
    /// Generation of the catalog.
    pub generation: u64,
    /// How often targets and tokens answered.
    pub checks: u64,
}

#[derive(Debug)]
struct Page {
    key: PageKey,
    width: usize,
    lines: Vec<Line>,
    laid: Vec<Laid>,
}

/// State of a pane.
#[derive(Debug, Default)]
pub struct Pane {
    /// Index into the laid lines.
    cursor: usize,
    /// First visible line.
    pub offset: usize,
    follow: bool,
    page: Option<Page>,
}

impl Pane {
    /// Back to the beginning: something else is shown.
    pub fn rewind(&mut self) {
        self.cursor = 0;
        self.offset = 0;
        self.follow = true;
    }

    /// Makes the page of a key at a width, unless it is there already.
    pub fn prepare(&mut self, key: PageKey, width: usize, make: impl FnOnce() -> Vec<Line>) {
        let line = self.line_index();
        match &mut self.page {
            Some(page) if page.key == key && page.width == width => return,
            Some(page) if page.key == key => {
                page.laid = lay(&page.lines, width);
                page.width = width;
                // The cursor stays on its line, which now begins elsewhere.
                self.cursor = page.laid.iter().position(|laid| Some(laid.line) == line).unwrap_or(0);
                self.follow = true;
            }
            _ => {
                let lines = make();
                let laid = lay(&lines, width);
                self.page = Some(Page { key, width, lines, laid });
            }
        }
        self.cursor = self.cursor.min(self.laid().len().saturating_sub(1));
    }

    /// The lines of the page.
    pub fn laid(&self) -> &[Laid] {
        self.page.as_ref().map_or(&[], |page| &page.laid)
    }

    /// The laid line that the cursor is on.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    fn line_index(&self) -> Option<usize> {
        self.laid().get(self.cursor).map(|laid| laid.line)
    }

    /// The line that the cursor is on.
    pub fn line(&self) -> Option<&Line> {
        self.page.as_ref()?.lines.get(self.line_index()?)
    }

    /// All text of the page.
    pub fn text(&self) -> String {
        let lines = self.page.as_ref().map_or(&[][..], |page| &page.lines);
        lines.iter().map(|line| line.text().trim_end().to_owned() + "\n").collect()
    }

    /// Moves the cursor by that many lines; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        let last = self.laid().len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
        self.follow = true;
    }

    /// Puts the cursor on a line.
    pub fn select(&mut self, line: usize) {
        self.cursor = line.min(self.laid().len().saturating_sub(1));
    }

    /// Moves the window by that many lines; the cursor stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }

    /// The next frame moves the window to the cursor.
    pub fn follow(&mut self) {
        self.follow = true;
    }

    /// Fits the window of `height` lines to the page and, after a move, to the cursor.
    pub fn fit(&mut self, height: usize) {
        self.offset = self.offset.min(self.laid().len().saturating_sub(height));
        if self.follow {
            self.offset = window(self.offset, self.cursor, height);
            self.follow = false;
        }
    }
}

/// The first visible row so that the row of the cursor is visible, moved no further than needed.
pub(crate) fn window(offset: usize, cursor: usize, height: usize) -> usize {
    if cursor < offset {
        cursor
    } else if cursor >= offset + height {
        (cursor + 1).saturating_sub(height)
    } else {
        offset
    }
}
