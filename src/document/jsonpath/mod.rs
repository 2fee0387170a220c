//! JSONPath (RFC 9535) over the node tree.
//!
//! Complete: all selectors, filters, the five functions with their types, I-Regexp patterns. No extensions, as
//! Overlay 1.1 section 4.4.3.1 demands of targets. Where the RFC leaves room:
//!
//! - members are visited in document order;
//! - patterns may use what the `regex` crate knows beyond I-Regexp; a pattern that does not compile matches nothing
//!   (section 2.4.6) and a literal one is a [`Remark`] of the query;
//! - names are compared as they are, without Unicode normalisation (section 2.1.1);
//! - a query has at most 16 KiB, 128 segments in a row, 48 levels of nesting, 8 levels of filters, and
//!   [`Query::locate_within`] bounds the work of evaluating it.

pub mod ast;
mod eval;
mod filter;
mod hints;
mod parser;
mod path;
mod pattern;
mod scan;

#[cfg(test)]
mod tests;

use std::fmt;

pub use path::{is_shorthand, normalized, quoted, readable};

use self::ast::{Segment, Selector};
use self::eval::{Evaluation, Located, Nodes};
use super::node::Node;
use super::pointer::{Pointer, Step};

/// A parsed query.
#[derive(Clone, Debug)]
pub struct Query {
    text: String,
    segments: Vec<Segment>,
    remarks: Vec<Remark>,
}

/// Why a text is no query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at character {})", offset + 1)]
pub struct QueryError {
    /// Byte in the text at which it went wrong.
    pub offset: usize,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to write instead.
    pub remedy: Option<String>,
}

impl QueryError {
    fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// Something in a valid query that is surely not what was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Byte in the text.
    pub offset: usize,
    /// What is odd, in one sentence.
    pub message: String,
}

/// The evaluation of a query was given up because it visited too many nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the query visits more than {visits} nodes")]
pub struct TooMuchWork {
    /// The bound.
    pub visits: u64,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// The text is not well-formed or not valid (RFC 9535 section 2.1); with the place and, for slips that people
    /// make, with what to write instead.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let (segments, remarks) = parser::parse(text)?;
        Ok(Self { text: text.to_owned(), segments, remarks })
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its segments.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// What is odd about it.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The locations of the nodes that it selects, in the order of the RFC's nodelist, duplicates included.
    pub fn locate(&self, root: &Node) -> Vec<Pointer> {
        self.select(root).into_iter().map(|(pointer, _)| pointer).collect()
    }

    /// The same with the nodes.
    pub fn select<'a>(&self, root: &'a Node) -> Vec<(Pointer, &'a Node)> {
        self.select_within(root, u64::MAX).unwrap_or_default()
    }

    /// As [`Self::locate`], with a bound on the number of visits to nodes.
    ///
    /// # Errors
    /// The bound was reached before the end.
    pub fn locate_within(&self, root: &Node, visits: u64) -> Result<Vec<Pointer>, TooMuchWork> {
        Ok(self.select_within(root, visits)?.into_iter().map(|(pointer, _)| pointer).collect())
    }

    fn select_within<'a>(&self, root: &'a Node, visits: u64) -> Result<Vec<(Pointer, &'a Node)>, TooMuchWork> {
        let evaluation = Evaluation::new(root, visits);
        let mut sink = Located::default();
        let _ended_early = evaluation.run(root, &self.segments, &mut sink);
        if evaluation.is_exhausted() { Err(TooMuchWork { visits }) } else { Ok(sink.hits) }
    }

    /// The nodes that its first `segments` segments select, no more than `most` of them. A bound on the visits is
    /// kept silently: this serves hints.
    pub fn reach<'a>(&self, root: &'a Node, segments: usize, most: usize, visits: u64) -> Vec<&'a Node> {
        if most == 0 {
            return Vec::new();
        }
        let evaluation = Evaluation::new(root, visits);
        let mut sink = Nodes { hits: Vec::new(), most };
        let _ended_early = evaluation.run(root, self.segments.get(..segments).unwrap_or(&self.segments), &mut sink);
        sink.hits
    }

    /// The location that it names when it names exactly one by its form: names and indexes from 0 only.
    pub fn exact(&self) -> Option<Pointer> {
        let step = |segment: &Segment| match segment.selectors.as_slice() {
            [Selector::Name(name)] if segment.is_singular() => Some(Step::Key(name.clone())),
            [Selector::Index(at)] if segment.is_singular() => usize::try_from(*at).ok().map(Step::Index),
            _ => None,
        };
        self.segments.iter().map(step).collect::<Option<Vec<_>>>().map(Pointer)
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
