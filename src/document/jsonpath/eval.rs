//! From tree to nodes (RFC 9535 sections 2.3 to 2.5).
//!
//! Depth first: what a segment selects in one node goes through the rest of the query before its next node. That is
//! the order which the RFC gives a nodelist, and it needs no list between segments. A [`Sink`] follows the way down,
//! so that a location is made for a hit only and never for a node that was merely visited.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use regex::Regex;

use super::ast::{Comparable, Logical, Operator, Pattern, Reach, Segment, Selector, SubQuery};
use super::pattern;
use crate::document::{FileId, Node, Number, Origin, Pointer, Step, Value};

/// Patterns from the document that are kept compiled.
const KEPT_PATTERNS: usize = 256;

/// One step down, borrowed.
#[derive(Clone, Copy)]
pub(super) enum Down<'a> {
    Key(&'a Arc<str>),
    Index(usize),
}

/// What becomes of the nodes that a query selects.
pub(super) trait Sink<'a> {
    fn down(&mut self, _step: Down<'a>) {}
    fn up(&mut self) {}
    /// A selected node; `Break` ends the evaluation.
    fn hit(&mut self, node: &'a Node) -> ControlFlow<()>;
}

/// Nodes with their locations.
#[derive(Default)]
pub(super) struct Located<'a> {
    way: Vec<Down<'a>>,
    pub(super) hits: Vec<(Pointer, &'a Node)>,
}

impl<'a> Sink<'a> for Located<'a> {
    fn down(&mut self, step: Down<'a>) {
        self.way.push(step);
    }

    fn up(&mut self) {
        self.way.pop();
    }

    fn hit(&mut self, node: &'a Node) -> ControlFlow<()> {
        let steps = self.way.iter().map(|step| match step {
            Down::Key(key) => Step::Key(Arc::clone(key)),
            Down::Index(at) => Step::Index(*at),
        });
        self.hits.push((Pointer(steps.collect()), node));
        ControlFlow::Continue(())
    }
}

/// The first nodes, no more than `most`.
pub(super) struct Nodes<'a> {
    pub(super) hits: Vec<&'a Node>,
    pub(super) most: usize,
}

impl<'a> Sink<'a> for Nodes<'a> {
    fn hit(&mut self, node: &'a Node) -> ControlFlow<()> {
        self.hits.push(node);
        if self.hits.len() >= self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Their number.
struct Count(usize);

impl<'a> Sink<'a> for Count {
    fn hit(&mut self, _node: &'a Node) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// A value of type `ValueType`; `None` is the RFC's `Nothing`.
enum Operand<'a, 'q> {
    Nothing,
    Found(&'a Node),
    Written(&'q Node),
    Made(Node),
}

impl Operand<'_, '_> {
    fn node(&self) -> Option<&Node> {
        match self {
            Self::Nothing => None,
            Self::Found(node) => Some(node),
            Self::Written(node) => Some(node),
            Self::Made(node) => Some(node),
        }
    }
}

/// Patterns found in the document, each with whether it is to match the whole text; `None` is no valid pattern.
type Patterns = HashMap<(bool, Box<str>), Option<Regex>>;

/// One evaluation over one document.
pub(super) struct Evaluation<'a> {
    root: &'a Node,
    /// Visits that are left; a query in a query in a query could else run for hours.
    left: Cell<u64>,
    patterns: RefCell<Patterns>,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(root: &'a Node, visits: u64) -> Self {
        Self { root, left: Cell::new(visits), patterns: RefCell::default() }
    }

    /// Were the visits used up?
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    fn visit(&self) -> ControlFlow<()> {
        match self.left.get() {
            0 => ControlFlow::Break(()),
            left => {
                self.left.set(left - 1);
                ControlFlow::Continue(())
            }
        }
    }

    /// Sends everything that the segments select from the node to the sink.
    pub(super) fn run<S: Sink<'a>>(&self, node: &'a Node, segments: &[Segment], sink: &mut S) -> ControlFlow<()> {
        let Some((segment, rest)) = segments.split_first() else {
            return sink.hit(node);
        };
        match segment.reach {
            Reach::Child => self.children(node, segment, rest, sink),
            Reach::Descendant => self.descend(node, segment, rest, sink),
        }
    }

    /// The node and all below it, parents before children, without recursion.
    fn descend<S: Sink<'a>>(
        &self,
        top: &'a Node,
        segment: &Segment,
        rest: &[Segment],
        sink: &mut S,
    ) -> ControlFlow<()> {
        self.children(top, segment, rest, sink)?;
        let mut open = vec![Children::of(top)];
        while let Some(children) = open.last_mut() {
            let Some((step, child)) = children.next() else {
                open.pop();
                if !open.is_empty() {
                    sink.up();
                }
                continue;
            };
            if !matches!(child.value, Value::List(_) | Value::Map(_)) {
                continue;
            }
            sink.down(step);
            self.children(child, segment, rest, sink)?;
            open.push(Children::of(child));
        }
        ControlFlow::Continue(())
    }

    fn children<S: Sink<'a>>(
        &self,
        node: &'a Node,
        segment: &Segment,
        rest: &[Segment],
        sink: &mut S,
    ) -> ControlFlow<()> {
        for selector in &segment.selectors {
            match selector {
                Selector::Name(name) => {
                    if let Some(entry) = node.as_map().and_then(|map| map.peek(name)) {
                        self.step(Down::Key(&entry.key), &entry.value, rest, sink)?;
                    }
                }
                Selector::Index(index) => {
                    let items = node.as_list().unwrap_or_default();
                    if let Some((at, item)) = place(*index, items.len()).and_then(|at| Some((at, items.get(at)?))) {
                        self.step(Down::Index(at), item, rest, sink)?;
                    }
                }
                Selector::Wildcard => {
                    for (step, child) in Children::of(node) {
                        self.step(step, child, rest, sink)?;
                    }
                }
                Selector::Slice { start, end, step } => {
                    let items = node.as_list().unwrap_or_default();
                    for at in slice(*start, *end, *step, items.len()) {
                        if let Some(item) = items.get(at) {
                            self.step(Down::Index(at), item, rest, sink)?;
                        }
                    }
                }
                Selector::Filter(condition) => {
                    for (step, child) in Children::of(node) {
                        self.visit()?;
                        if self.holds(condition, child) {
                            self.step(step, child, rest, sink)?;
                        }
                    }
                }
            }
        }
        self.visit()
    }

    fn step<S: Sink<'a>>(&self, step: Down<'a>, child: &'a Node, rest: &[Segment], sink: &mut S) -> ControlFlow<()> {
        sink.down(step);
        self.run(child, rest, sink)?;
        sink.up();
        ControlFlow::Continue(())
    }

    fn holds(&self, condition: &Logical, current: &'a Node) -> bool {
        match condition {
            Logical::Or(parts) => parts.iter().any(|part| self.holds(part, current)),
            Logical::And(parts) => parts.iter().all(|part| self.holds(part, current)),
            Logical::Not(inner) => !self.holds(inner, current),
            Logical::Exists(query) => match singular(&query.segments, self.start(query, current)) {
                Some(found) => found.is_some(),
                None => !self.nodes(query, current, 1).is_empty(),
            },
            Logical::Compare { left, operator, right } => {
                let (left, right) = (self.operand(left, current), self.operand(right, current));
                compare(left.node(), *operator, right.node())
            }
            Logical::Matches { text, pattern, whole } => {
                let text = self.operand(text, current);
                text.node().and_then(Node::as_str).is_some_and(|text| self.matches(text, pattern, *whole, current))
            }
        }
    }

    fn start(&self, query: &SubQuery, current: &'a Node) -> &'a Node {
        if query.absolute { self.root } else { current }
    }

    fn nodes(&self, query: &SubQuery, current: &'a Node, most: usize) -> Vec<&'a Node> {
        let mut sink = Nodes { hits: Vec::new(), most };
        let _ended_early = self.run(self.start(query, current), &query.segments, &mut sink);
        sink.hits
    }

    fn operand<'q>(&self, comparable: &'q Comparable, current: &'a Node) -> Operand<'a, 'q> {
        let found = |node: Option<&'a Node>| node.map_or(Operand::Nothing, Operand::Found);
        match comparable {
            Comparable::Literal(node) => Operand::Written(node),
            Comparable::Query(query) => found(singular(&query.segments, self.start(query, current)).flatten()),
            Comparable::Length(value) => {
                let value = self.operand(value, current);
                match value.node().map(|node| &node.value) {
                    Some(Value::String(text)) => number(text.chars().count()),
                    Some(Value::List(items)) => number(items.len()),
                    Some(Value::Map(map)) => number(map.len()),
                    _ => Operand::Nothing,
                }
            }
            Comparable::Count(query) => {
                let mut count = Count(0);
                let _ended_early = self.run(self.start(query, current), &query.segments, &mut count);
                number(count.0)
            }
            Comparable::Value(query) => match self.nodes(query, current, 2).as_slice() {
                [only] => Operand::Found(only),
                _ => Operand::Nothing,
            },
        }
    }

    fn matches(&self, text: &str, pattern: &Pattern, whole: bool, current: &'a Node) -> bool {
        let found = match pattern {
            Pattern::Fixed(regex) => return regex.as_ref().is_some_and(|regex| regex.is_match(text)),
            Pattern::Found(comparable) => self.operand(comparable, current),
        };
        let Some(pattern) = found.node().and_then(Node::as_str) else {
            return false;
        };
        let mut kept = self.patterns.borrow_mut();
        if kept.len() >= KEPT_PATTERNS {
            kept.clear();
        }
        let regex = kept.entry((whole, pattern.into())).or_insert_with(|| pattern::compile(pattern, whole).ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

/// The node of a singular query; the outer `None` when the query is not singular.
fn singular<'a>(segments: &[Segment], start: &'a Node) -> Option<Option<&'a Node>> {
    let mut at = Some(start);
    for segment in segments {
        if segment.reach != Reach::Child {
            return None;
        }
        at = match segment.selectors.as_slice() {
            [Selector::Name(name)] => at.and_then(|node| Some(&node.as_map()?.peek(name)?.value)),
            [Selector::Index(index)] => at.and_then(|node| {
                let items = node.as_list()?;
                items.get(place(*index, items.len())?)
            }),
            _ => return None,
        };
    }
    Some(at)
}

fn number<'a, 'q>(count: usize) -> Operand<'a, 'q> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Operand::Made(Node::new(Value::Number(Number::Int(count)), Origin::new(FileId(u32::MAX), 0, 0)))
}

/// Section 2.3.5.2.2.
fn compare(left: Option<&Node>, operator: Operator, right: Option<&Node>) -> bool {
    match operator {
        Operator::Equal => left == right,
        Operator::NotEqual => left != right,
        Operator::Less => less(left, right),
        Operator::Greater => less(right, left),
        Operator::LessOrEqual => less(left, right) || left == right,
        Operator::GreaterOrEqual => less(right, left) || left == right,
    }
}

fn less(left: Option<&Node>, right: Option<&Node>) -> bool {
    match (left.map(|node| &node.value), right.map(|node| &node.value)) {
        (Some(Value::Number(left)), Some(Value::Number(right))) => left.compare(right).is_lt(),
        // The order of UTF-8 bytes is the order of Unicode scalar values.
        (Some(Value::String(left)), Some(Value::String(right))) => left < right,
        _ => false,
    }
}

/// The item that an index means.
fn place(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if index < 0 { length + index } else { index }).ok()
}

/// The indexes of a slice (section 2.3.4.2.2).
fn slice(start: Option<i64>, end: Option<i64>, step: i64, length: usize) -> impl Iterator<Item = usize> {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let absolute = |index: i64| if index < 0 { length + index } else { index };
    let (from, until) = if step >= 0 {
        let from = absolute(start.unwrap_or(0)).clamp(0, length);
        (from, absolute(end.unwrap_or(length)).clamp(0, length))
    } else {
        let from = start.map_or(length - 1, absolute).clamp(-1, length - 1);
        (from, end.map_or(-1, absolute).clamp(-1, length - 1))
    };
    let inside = move |at: &i64| (step > 0 && *at < until) || (step < 0 && *at > until);
    std::iter::successors(Some(from), move |at| at.checked_add(step))
        .take_while(inside)
        .filter_map(|at| usize::try_from(at).ok())
}

/// The children of a node with the steps to them; none for a scalar.
enum Children<'a> {
    None,
    Items(std::iter::Enumerate<std::slice::Iter<'a, Node>>),
    Members(std::slice::Iter<'a, crate::document::Entry>),
}

impl<'a> Children<'a> {
    fn of(node: &'a Node) -> Self {
        match &node.value {
            Value::List(items) => Self::Items(items.iter().enumerate()),
            Value::Map(map) => Self::Members(map.iter()),
            _ => Self::None,
        }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = (Down<'a>, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::None => None,
            Self::Items(items) => items.next().map(|(at, item)| (Down::Index(at), item)),
            Self::Members(members) => members.next().map(|entry| (Down::Key(&entry.key), &entry.value)),
        }
    }
}
