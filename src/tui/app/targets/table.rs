//! The rows and columns of the table, and which cell is selected.

use std::cmp::Reverse;

use crate::lint::{Matrix, Verdict};
use crate::tui::app::field::Field;
use crate::tui::app::pane::{Pane, window};
use crate::tui::app::tools::Index;

/// What the rows are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// As the list of tools has them.
    #[default]
    List,
    /// By name.
    Name,
    /// What the worst of all targets does, the worst first.
    Worst,
    /// What one target does, the worst first.
    Target(usize),
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Table {
    /// What the rows are ordered by.
    pub arrangement: Arrangement,
    /// The server's name that clients put before the tools' names; empty for none.
    pub server: Field,
    /// The page of the selected cell.
    pub pane: Pane,
    /// Exposed tools that pass the filter, by number in the index. Row 0 of the table is for all tools together.
    tools: Vec<usize>,
    cursor: usize,
    column: usize,
    /// First visible row, not counting that for all tools.
    pub offset: usize,
    /// First visible column.
    pub column_offset: usize,
    /// The next frame moves the window to the selection.
    pub follow: bool,
}

impl Table {
    /// The tools of the rows, by number in the index.
    pub fn tools(&self) -> &[usize] {
        &self.tools
    }

    /// The selected row: 0 for all tools together, then the tools.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The selected tool, by number in the index; `None` for all of them.
    pub fn selected(&self) -> Option<usize> {
        self.tools.get(self.cursor.checked_sub(1)?).copied()
    }

    /// The selected target, by number.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Makes the rows anew from the tools of the list, and selects `keep` where it is among them.
    pub fn refresh(
        &mut self,
        listed: impl Iterator<Item = usize>,
        index: &Index,
        answers: Option<(&Matrix, &[Verdict])>,
        keep: Option<usize>,
    ) {
        let exposed = |at: usize| index.get(at).and_then(|entry| entry.exposed);
        let mut tools: Vec<usize> = listed.filter(|at| exposed(*at).is_some()).collect();
        let count = answers.map_or(0, |(matrix, _)| matrix.totals.len());
        if count > 0 {
            self.column = self.column.min(count - 1);
        }
        match (self.arrangement, answers) {
            (Arrangement::List, _) | (_, None) => {}
            (Arrangement::Name, _) => {
                tools.sort_by_key(|at| index.get(*at).map(|entry| entry.tool.named.name.as_str()));
            }
            (Arrangement::Worst, Some((matrix, worst))) => {
                // Among equals the one that more targets mind.
                let minds = |tool: usize| (0..count).filter(|at| matrix.get(*at, tool) > Verdict::Ok).count();
                let key = |at: &usize| exposed(*at).map(|tool| (worst.get(tool).copied(), minds(tool)));
                tools.sort_by_cached_key(|at| Reverse(key(at)));
            }
            (Arrangement::Target(target), Some((matrix, _))) => {
                tools.sort_by_key(|at| Reverse(exposed(*at).map(|tool| matrix.get(target, tool))));
            }
        }
        self.tools = tools;
        let kept = keep.and_then(|keep| self.tools.iter().position(|tool| *tool == keep));
        self.cursor = match kept {
            Some(at) => at + 1,
            None => self.cursor.min(self.tools.len()),
        };
        self.follow = true;
    }

    /// Forgets the rows.
    pub fn clear(&mut self) {
        self.tools.clear();
        self.cursor = 0;
    }

    /// Moves the selection by that many rows; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.tools.len());
        self.follow = true;
    }

    /// Moves the selection to the next (or the previous) of so many columns; it stops at the ends.
    pub fn step_column(&mut self, forward: bool, count: usize) {
        let next = if forward { self.column + 1 } else { self.column.saturating_sub(1) };
        self.select_column(next.min(count.saturating_sub(1)));
    }

    /// Selects a column.
    pub fn select_column(&mut self, column: usize) {
        self.column = column;
        self.follow = true;
    }

    /// Selects a row, if there is one.
    pub fn select_row(&mut self, row: usize) {
        if row <= self.tools.len() {
            self.cursor = row;
        }
    }

    /// Selects the next (or the previous) tool for which `wanted` holds, around the end. False when there is none.
    pub fn seek(&mut self, forward: bool, wanted: impl Fn(usize) -> bool) -> bool {
        let count = self.tools.len() + 1;
        let found = (1..=count)
            .map(|step| if forward { (self.cursor + step) % count } else { (self.cursor + count - step) % count })
            .find(|row| row.checked_sub(1).and_then(|at| self.tools.get(at)).is_some_and(|tool| wanted(*tool)));
        self.cursor = found.unwrap_or(self.cursor);
        self.follow = true;
        found.is_some()
    }

    /// Moves the window by that many rows; the selection stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }

    /// Fits the window of so many rows and columns to the table and, after a move, to the selection.
    pub fn fit(&mut self, height: usize, width: usize, count: usize) {
        self.offset = self.offset.min(self.tools.len().saturating_sub(height));
        self.column_offset = self.column_offset.min(count.saturating_sub(width));
        if std::mem::take(&mut self.follow) {
            if let Some(row) = self.cursor.checked_sub(1) {
                self.offset = window(self.offset, row, height);
            }
            self.column_offset = window(self.column_offset, self.column, width);
        }
    }
}
