//! The list: which tools it shows in which order, and which of them is selected.

use std::cmp::Reverse;
use std::collections::HashMap;

use nucleo_matcher::Matcher;

use super::index::{Entry, Index};
use super::query::{Letters, Query, matcher};
use crate::derive::Catalog;
use crate::lint::Matrix;
use crate::tui::app::field::Field;

/// What the rows are grouped by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// Nothing.
    #[default]
    None,
    /// The upstream.
    Upstream,
    /// The operation's first tag.
    Tag,
    /// The first segment of the path.
    Path,
}

/// What the rows are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As in the documents; with words in the filter the best match first.
    #[default]
    Document,
    /// By name.
    Name,
    /// By path, then method.
    Path,
    /// The worst finding first.
    Findings,
}

impl Grouping {
    /// The next one.
    pub fn next(self) -> Self {
        match self {
            Self::None => Self::Upstream,
            Self::Upstream => Self::Tag,
            Self::Tag => Self::Path,
            Self::Path => Self::None,
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::None => "not grouped",
            Self::Upstream => "by upstream",
            Self::Tag => "by tag",
            Self::Path => "by path",
        }
    }
}

impl Order {
    /// The next one.
    pub fn next(self) -> Self {
        match self {
            Self::Document => Self::Name,
            Self::Name => Self::Path,
            Self::Path => Self::Findings,
            Self::Findings => Self::Document,
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Document => "document order",
            Self::Name => "sorted by name",
            Self::Path => "sorted by path",
            Self::Findings => "worst finding first",
        }
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// The heading of a group and the number of tools in it.
    Group(String, usize),
    /// A tool, by its number in the index.
    Tool(usize),
}

/// State of the list.
#[derive(Debug)]
pub struct List {
    /// The filter as typed.
    pub filter: Field,
    /// The filter as understood.
    pub query: Query,
    /// What the rows are grouped by.
    pub grouping: Grouping,
    /// What the rows are ordered by.
    pub order: Order,
    rows: Vec<Row>,
    shown: usize,
    /// Index into `rows`, always of a tool.
    cursor: Option<usize>,
    /// First visible row.
    pub offset: usize,
    /// The next frame moves the window to the selection.
    pub follow: bool,
    matcher: Matcher,
}

impl Default for List {
    fn default() -> Self {
        Self {
            filter: Field::default(),
            query: Query::default(),
            grouping: Grouping::default(),
            order: Order::default(),
            rows: Vec::new(),
            shown: 0,
            cursor: None,
            offset: 0,
            follow: true,
            matcher: matcher(),
        }
    }
}

impl List {
    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Number of tools that pass the filter.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// Row of the selection.
    pub fn cursor(&self) -> Option<usize> {
        self.cursor
    }

    /// The letters of a tool that the filter matched.
    pub fn letters(&mut self, entry: &Entry) -> Letters {
        self.query.letters(entry, &mut self.matcher)
    }

    /// The selected tool, by its number in the index.
    pub fn selected(&self) -> Option<usize> {
        self.tool_at(self.cursor?)
    }

    fn tool_at(&self, row: usize) -> Option<usize> {
        match self.rows.get(row) {
            Some(Row::Tool(tool)) => Some(*tool),
            _ => None,
        }
    }

    /// The tools of the rows, in order.
    pub fn tools(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows.iter().filter_map(|row| match row {
            Row::Tool(tool) => Some(*tool),
            Row::Group(..) => None,
        })
    }

    /// Makes the rows anew and selects `keep` where it is among them, else what stands where the selection stood.
    pub fn refresh(&mut self, index: &Index, catalog: &Catalog, matrix: Option<&Matrix>, keep: Option<usize>) {
        let was = self.cursor.unwrap_or(0);
        let found = self.find(index, catalog, matrix);
        self.shown = found.len();
        self.rows = group(found, self.grouping, index, catalog);
        self.cursor = keep.and_then(|tool| self.rows.iter().position(|row| *row == Row::Tool(tool)));
        if self.cursor.is_none() {
            self.cursor = self.nearest(was);
        }
        self.follow = true;
    }

    /// Reads the filter anew. With words in it the best match is selected.
    pub fn filtered(&mut self, index: &Index, catalog: &Catalog, matrix: Option<&Matrix>) {
        let keep = self.selected();
        self.query = Query::parse(self.filter.text());
        self.refresh(index, catalog, matrix, keep);
        if self.query.ranks() && self.order == Order::Document {
            self.first();
        }
    }

    fn find(&mut self, index: &Index, catalog: &Catalog, matrix: Option<&Matrix>) -> Vec<usize> {
        let mut found: Vec<(u32, usize)> = if self.query.is_empty() {
            (0..index.len()).map(|at| (0, at)).collect()
        } else {
            let Self { query, matcher, .. } = self;
            let upstream = |at: usize| catalog.upstreams.get(at).map_or("", |upstream| upstream.name.as_str());
            let scored = index.iter().enumerate();
            scored
                .filter_map(|(at, entry)| {
                    Some((query.score(entry, upstream(entry.tool.upstream), matrix, matcher)?, at))
                })
                .collect()
        };
        let tool = |at: usize| index.get(at).map(|entry| &entry.tool);
        match self.order {
            Order::Document if self.query.ranks() => found.sort_by_key(|(score, at)| (Reverse(*score), *at)),
            Order::Document => {}
            Order::Name => found.sort_by_key(|(_, at)| tool(*at).map(|tool| tool.named.name.as_str())),
            Order::Path => {
                found.sort_by_key(|(_, at)| tool(*at).map(|tool| (&*tool.operation.path, &*tool.operation.method)))
            }
            Order::Findings => {
                found.sort_by_key(|(_, at)| Reverse(index.get(*at).and_then(|entry| entry.marks.finding)));
            }
        }
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// The tool row nearest to `row`, downwards first.
    fn nearest(&self, row: usize) -> Option<usize> {
        let row = row.min(self.rows.len().saturating_sub(1));
        let is_tool = |at: &usize| matches!(self.rows.get(*at), Some(Row::Tool(_)));
        (row..self.rows.len()).find(is_tool).or_else(|| (0..row).rev().find(is_tool))
    }

    /// Moves the selection by that many tools; it stops at the ends.
    pub fn step(&mut self, by: isize) {
        let Some(mut at) = self.cursor.or_else(|| self.nearest(0)) else { return };
        for _ in 0..by.unsigned_abs() {
            let next = if by > 0 {
                (at + 1..self.rows.len()).find(|row| self.tool_at(*row).is_some())
            } else {
                (0..at).rev().find(|row| self.tool_at(*row).is_some())
            };
            match next {
                Some(row) => at = row,
                None => break,
            }
        }
        self.cursor = Some(at);
        self.follow = true;
    }

    /// Selects the first tool.
    pub fn first(&mut self) {
        self.cursor = self.nearest(0);
        self.follow = true;
    }

    /// Selects the last tool.
    pub fn last(&mut self) {
        self.cursor = self.nearest(usize::MAX);
        self.follow = true;
    }

    /// Selects the tool of that row, if it is one.
    pub fn select_row(&mut self, row: usize) {
        if self.tool_at(row).is_some() {
            self.cursor = Some(row);
        }
    }

    /// Selects a tool by its number. False when the filter hides it.
    pub fn select(&mut self, tool: usize) -> bool {
        let row = self.rows.iter().position(|row| *row == Row::Tool(tool));
        if row.is_some() {
            self.cursor = row;
            self.follow = true;
        }
        row.is_some()
    }

    /// Selects the next (or the previous) tool for which `wanted` holds, around the end. False when there is none.
    pub fn seek(&mut self, forward: bool, wanted: impl Fn(usize) -> bool) -> bool {
        let count = self.rows.len();
        let from = self.cursor.unwrap_or(0);
        let hit = (1..=count)
            .map(|step| if forward { (from + step) % count } else { (from + count - step) % count })
            .find(|row| self.tool_at(*row).is_some_and(&wanted));
        if hit.is_some() {
            self.cursor = hit;
            self.follow = true;
        }
        hit.is_some()
    }

    /// Moves the window by that many rows; the selection stays.
    pub fn scroll(&mut self, by: isize) {
        self.offset = self.offset.saturating_add_signed(by);
        self.follow = false;
    }

    /// Fits the window of `height` rows to the rows and, after a move, to the selection.
    pub fn fit(&mut self, height: usize) {
        self.offset = self.offset.min(self.rows.len().saturating_sub(height));
        let Some(cursor) = self.cursor.filter(|_| self.follow) else { return };
        // The heading above the first tool of a group comes along.
        let top = match cursor.checked_sub(1).and_then(|above| self.rows.get(above)) {
            Some(Row::Group(..)) if height > 1 => cursor - 1,
            _ => cursor,
        };
        if top < self.offset {
            self.offset = top;
        } else if cursor >= self.offset + height {
            self.offset = (cursor + 1).saturating_sub(height);
        }
        self.follow = false;
    }
}

fn group(found: Vec<usize>, grouping: Grouping, index: &Index, catalog: &Catalog) -> Vec<Row> {
    if grouping == Grouping::None {
        return found.into_iter().map(Row::Tool).collect();
    }
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for tool in found {
        let heading = heading(tool, grouping, index, catalog);
        let at = *known.entry(heading.clone()).or_insert_with(|| {
            groups.push((heading, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, members)) = groups.get_mut(at) {
            members.push(tool);
        }
    }
    groups
        .into_iter()
        .flat_map(|(heading, members)| {
            std::iter::once(Row::Group(heading, members.len())).chain(members.into_iter().map(Row::Tool))
        })
        .collect()
}

fn heading(tool: usize, grouping: Grouping, index: &Index, catalog: &Catalog) -> String {
    let Some(tool) = index.get(tool).map(|entry| &entry.tool) else { return String::new() };
    match grouping {
        Grouping::None => String::new(),
        Grouping::Upstream => catalog.upstreams.get(tool.upstream).map_or_else(String::new, |up| up.name.clone()),
        Grouping::Tag => tool.operation.tags.first().map_or_else(|| "(no tag)".to_owned(), ToString::to_string),
        Grouping::Path => {
            let segment = tool.operation.path.split('/').find(|segment| !segment.is_empty());
            segment.map_or_else(|| "/".to_owned(), |segment| format!("/{segment}"))
        }
    }
}
