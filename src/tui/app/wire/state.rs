//! State of the screen of the record.

use std::sync::Arc;

use crate::proxy::Exchange;
use crate::proxy::serve::ClientConfig;
use crate::tui::app::pane::{Pane, window};

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The MCP hop of a call, or another message, by its number in the list.
    Call(usize),
    /// An HTTP hop: the call's number, and its own.
    Hop(usize, usize),
}

impl Row {
    /// Number of the call.
    pub fn call(self) -> usize {
        match self {
            Self::Call(call) | Self::Hop(call, _) => call,
        }
    }
}

/// The proxy as clients see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serving {
    /// Address and port.
    pub address: String,
    /// Name and URL of every endpoint.
    pub endpoints: Vec<(String, String)>,
    /// What to write into clients.
    pub clients: Vec<ClientConfig>,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Wire {
    calls: Vec<Arc<Exchange>>,
    rows: Vec<Row>,
    cursor: usize,
    /// First visible row.
    pub offset: usize,
    /// The next frame moves the window to the selection.
    pub follow: bool,
    /// The page of the selected row.
    pub pane: Pane,
    /// The proxy, while it serves over HTTP.
    pub serving: Option<Arc<Serving>>,
    /// It is being started or stopped.
    pub changing: bool,
}

impl Wire {
    /// The messages, the oldest first; most are calls.
    pub fn calls(&self) -> &[Arc<Exchange>] {
        &self.calls
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Row of the selection; `None` when there are no rows.
    pub fn cursor(&self) -> Option<usize> {
        (self.cursor < self.rows.len()).then_some(self.cursor)
    }

    /// The selected row.
    pub fn selected(&self) -> Option<Row> {
        self.rows.get(self.cursor).copied()
    }

    /// The call of a row.
    pub fn call(&self, row: Row) -> Option<&Arc<Exchange>> {
        self.calls.get(row.call())
    }

    /// Takes in the record as it is now. The selection stays at its hop, or at the newest call if it was there.
    pub fn replace(&mut self, calls: Vec<Arc<Exchange>>) {
        let was_last = self.selected().is_none_or(|row| row.call() + 1 == self.calls.len());
        let kept = self.selected().and_then(|row| Some((self.call(row)?.id, row)));
        self.rows.clear();
        for (at, call) in calls.iter().enumerate() {
            self.rows.push(Row::Call(at));
            self.rows.extend((0..call.http.len()).map(|hop| Row::Hop(at, hop)));
        }
        self.calls = calls;
        let same = |row: &Row| {
            let Some((id, was)) = kept else { return false };
            let hop = |row: Row| if let Row::Hop(_, hop) = row { Some(hop) } else { None };
            self.calls.get(row.call()).is_some_and(|call| call.id == id) && hop(*row) == hop(was)
        };
        let newest = self.rows.iter().rposition(|row| matches!(row, Row::Call(_)));
        let stays = self.rows.iter().position(same).filter(|_| !was_last);
        self.cursor = stays.or(newest).unwrap_or(0);
        self.follow = true;
        self.pane.rewind();
    }

    /// Moves the selection by that many rows; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
        self.follow = true;
        self.pane.rewind();
    }

    /// Selects a row.
    pub fn select_row(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.pane.rewind();
    }

    /// Selects the call of that number in the record; says whether it is there.
    pub fn select_call(&mut self, id: u64) -> bool {
        let is_it = |row: &Row| matches!(row, Row::Call(at) if self.calls.get(*at).is_some_and(|call| call.id == id));
        let found = self.rows.iter().position(is_it);
        if let Some(row) = found {
            self.select_row(row);
            self.follow = true;
        }
        found.is_some()
    }

    /// Moves the window; the selection stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }

    /// Fits the window of `height` rows to the list and, after a move, to the selection.
    pub fn fit(&mut self, height: usize) {
        self.offset = self.offset.min(self.rows.len().saturating_sub(height));
        if self.follow {
            self.offset = window(self.offset, self.cursor, height);
            self.follow = false;
        }
    }
}
