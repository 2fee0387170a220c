//! What a query says, as a tree (RFC 9535 section 2).
//!
//! The tree keeps the byte range of every segment, so that a reader of it can say at which part of the text a query
//! stops matching.

use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

use crate::document::Node;

/// One segment: how far it reaches and what it selects (section 2.5).
#[derive(Clone, Debug)]
pub struct Segment {
    /// Children only, or the node and everything below it.
    pub reach: Reach,
    /// Its selectors, at least one.
    pub selectors: Vec<Selector>,
    /// Its bytes in the text of the query.
    pub span: Range<usize>,
}

/// How far a segment reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// `[…]` and `.name`: children of the node.
    Child,
    /// `..[…]` and `..name`: children of the node and of everything below it.
    Descendant,
}

/// One selector (section 2.3).
#[derive(Clone, Debug)]
pub enum Selector {
    /// `'name'`
    Name(Arc<str>),
    /// `*`
    Wildcard,
    /// `3`, or `-1` for the last.
    Index(i64),
    /// `start:end:step`
    Slice {
        /// First index; `None` is the end that the step starts from.
        start: Option<i64>,
        /// Bound that is not reached.
        end: Option<i64>,
        /// Step, 1 when it is not written.
        step: i64,
    },
    /// `?expression`
    Filter(Box<Logical>),
}

/// An expression that is true or false (section 2.3.5).
#[derive(Clone, Debug)]
pub enum Logical {
    /// `a || b`, two or more.
    Or(Vec<Logical>),
    /// `a && b`, two or more.
    And(Vec<Logical>),
    /// `!a`
    Not(Box<Logical>),
    /// The query selects something.
    Exists(SubQuery),
    /// `a == b` and its kin.
    Compare {
        /// Left side.
        left: Comparable,
        /// Operator.
        operator: Operator,
        /// Right side.
        right: Comparable,
    },
    /// `match()` (the whole text) or `search()` (a part of it).
    Matches {
        /// The text.
        text: Comparable,
        /// The pattern.
        pattern: Pattern,
        /// Must the pattern match the whole text?
        whole: bool,
    },
}

/// A query inside a filter.
#[derive(Clone, Debug)]
pub struct SubQuery {
    /// Starts at the root (`$`) and not at the node under test (`@`).
    pub absolute: bool,
    /// Its segments.
    pub segments: Vec<Segment>,
}

impl SubQuery {
    /// Can it select at most one node, by its form (section 2.3.5.1)?
    pub fn is_singular(&self) -> bool {
        self.segments.iter().all(Segment::is_singular)
    }
}

impl Segment {
    /// Can it select at most one child, by its form?
    pub fn is_singular(&self) -> bool {
        self.reach == Reach::Child && matches!(self.selectors.as_slice(), [Selector::Name(_) | Selector::Index(_)])
    }
}

/// Something of type `ValueType` (section 2.4.1).
#[derive(Clone, Debug)]
pub enum Comparable {
    /// A number, text, `true`, `false` or `null`; its origin means nothing.
    Literal(Node),
    /// A singular query.
    Query(SubQuery),
    /// `length(value)`
    Length(Box<Comparable>),
    /// `count(query)`
    Count(SubQuery),
    /// `value(query)`
    Value(SubQuery),
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// The second argument of `match()` and `search()`.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Written in the query and compiled with it; `None` is no valid pattern and never matches.
    Fixed(Option<Regex>),
    /// Found in the document.
    Found(Comparable),
}
