//! Tab *Schema*: the InputSchema and the output schema as a folding tree.

mod facts;
mod label;

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use self::label::{Head, head};
use super::{cite_action, json};
use crate::derive::{Catalog, ParameterIn, Tool};
use crate::document::pointer::escape;
use crate::document::{Node, Origin, Place};
use crate::tui::app::page::{Act, Line};
use crate::tui::theme::Role;

/// Levels that are open from the start.
const OPEN: usize = 2;
/// More rows than this nobody reads; the exact JSON has them all.
const MOST_ROWS: usize = 20_000;
/// Columns of the names at most; a longer one pushes its type to the right.
const NAME: usize = 26;
/// The run of a row's line that fills the column of names.
const FILL: usize = 4;

/// Which nodes are open: the first levels, or all, with exceptions.
#[derive(Clone, Debug, Default)]
pub(super) struct Folds {
    /// All are open, apart from those in `toggled`.
    pub(super) all: bool,
    /// Nodes that are not as the rule says, by pointer.
    pub(super) toggled: HashSet<Arc<str>>,
}

impl Folds {
    fn open(&self, pointer: &str, depth: usize, circular: bool) -> bool {
        let rule = if self.all { !circular } else { depth < OPEN && !circular };
        rule != self.toggled.contains(pointer)
    }
}

/// The references that led to a row, so that a schema that contains itself is not opened without end.
#[derive(Debug)]
struct Via {
    reference: String,
    before: Option<Rc<Via>>,
}

fn leads_back(via: Option<&Rc<Via>>, reference: &str) -> bool {
    let mut at = via;
    while let Some(step) = at {
        if step.reference == reference {
            return true;
        }
        at = step.before.as_ref();
    }
    false
}

/// A row that is still to be written.
struct Open<'a> {
    name: String,
    required: bool,
    node: &'a Node,
    pointer: String,
    depth: usize,
    via: Option<Rc<Via>>,
}

/// The page.
pub(super) fn lines(catalog: &Catalog, tool: &Tool, folds: &Folds, exact: bool) -> Vec<Line> {
    let operation = &*tool.operation;
    let mut out = Vec::new();
    title("Arguments", Some(&operation.input_schema), &mut out);
    if exact {
        out.extend(json::lines(&operation.input_schema));
    } else {
        tree(catalog, Some(tool), &operation.input_schema, "", folds, &mut out);
    }
    out.push(Line::new());
    title("Result", operation.output_schema.as_ref(), &mut out);
    match &operation.output_schema {
        None => out.push(Line::new().seg("no schema: the result is text as the server sends it", Role::Dim)),
        Some(schema) if exact => out.extend(json::lines(schema)),
        Some(schema) => tree(catalog, None, schema, "result:", folds, &mut out),
    }
    out
}

fn title(text: &str, schema: Option<&Node>, out: &mut Vec<Line>) {
    let line = Line::new().seg(text, Role::Title);
    let Some(schema) = schema else {
        out.push(line);
        return;
    };
    let properties = schema.get("properties").and_then(Node::as_map).map_or(0, crate::document::Map::len);
    let required = schema.get("required").and_then(Node::as_list).map_or(0, <[Node]>::len);
    let count = match (properties, required) {
        (0, _) => "none named".to_owned(),
        (all, 0) => format!("{all}, none required"),
        (all, some) => format!("{all}, {some} required (*)"),
    };
    out.push(line.seg(format!("  {count}"), Role::Dim));
}

fn tree(catalog: &Catalog, tool: Option<&Tool>, root: &Node, base: &str, folds: &Folds, out: &mut Vec<Line>) {
    let most = out.len() + MOST_ROWS;
    let mut open: Vec<Open<'_>> = Vec::new();
    let top = head(root, root);
    push_children(&top, base, 0, None, &mut open);
    if open.is_empty() {
        let line = Line::new().seg(top.label.clone(), Role::Literal);
        out.push(line.seg("  no members are described", Role::Dim));
    }
    let first = out.len();
    while let Some(row) = open.pop() {
        if out.len() >= most {
            out.push(Line::new().seg("more rows are left out here; x shows the exact JSON", Role::Warning));
            break;
        }
        let head = head(row.node, root);
        let circular = head.reference.as_deref().is_some_and(|reference| leads_back(row.via.as_ref(), reference));
        let unfolded = folds.open(&row.pointer, row.depth, circular);
        write_row(catalog, tool, &row, &head, unfolded, circular, out);
        if unfolded {
            let via = match &head.reference {
                Some(reference) => Some(Rc::new(Via { reference: reference.clone(), before: row.via.clone() })),
                None => row.via.clone(),
            };
            push_children(&head, &row.pointer, row.depth + 1, via, &mut open);
        }
    }
    align(out.get_mut(first..).unwrap_or_default());
}

/// Puts all types into one column, as far to the right as the names need.
fn align(rows: &mut [Line]) {
    let used = |line: &Line| -> Option<usize> {
        (line.segs.len() > FILL)
            .then(|| line.segs.iter().take(FILL).map(|seg| crate::tui::text::width(&seg.text)).sum())
    };
    let column = rows.iter().filter_map(used).filter(|used| *used <= NAME).max().unwrap_or(0);
    for line in rows {
        let Some(used) = used(line) else { continue };
        if let Some(fill) = line.segs.get_mut(FILL) {
            fill.text = " ".repeat(column.saturating_sub(used) + 2);
        }
    }
}

fn push_children<'a>(head: &Head<'a>, pointer: &str, depth: usize, via: Option<Rc<Via>>, open: &mut Vec<Open<'a>>) {
    open.extend(head.children().into_iter().rev().map(|child| Open {
        pointer: format!("{pointer}/{}", escape(&child.name)),
        name: child.name,
        required: child.required,
        node: child.node,
        depth,
        via: via.clone(),
    }));
}

fn write_row(
    catalog: &Catalog,
    tool: Option<&Tool>,
    row: &Open<'_>,
    head: &Head<'_>,
    unfolded: bool,
    circular: bool,
    out: &mut Vec<Line>,
) {
    let glyph = match (head.has_children(), unfolded) {
        (false, _) => "  ",
        (true, true) => "▾ ",
        (true, false) => "▸ ",
    };
    let place = Place { origin: row.node.origin, pointer: "".into() };
    let indent = 2 * row.depth;
    let mut line = Line::new().seg(" ".repeat(indent), Role::Text).seg(glyph, Role::Accent).at(Some(&place));
    line = line.seg(&row.name, Role::Key).seg(if row.required { "*" } else { "" }, Role::Error);
    line = line.seg("  ", Role::Text).seg(&head.label, Role::Literal);
    if circular {
        line = line.seg(" again", Role::Dim);
    }
    let location = tool.filter(|_| row.depth == 0).and_then(|tool| location(tool, &row.name));
    let facts = location.into_iter().map(str::to_owned).chain(facts::facts(head));
    for fact in facts {
        line = line.seg(" · ", Role::Dim).seg(fact, Role::Text);
    }
    if let Some((origin, action)) = written_by(row.node) {
        line = line.seg(format!("  ~\u{a0}{}", cite_action(catalog, origin.file, action)), Role::Changed);
    }
    let hang = indent + 4;
    line = line.hang(hang);
    let fold = |line: Line| if head.has_children() { line.act(Act::Fold(row.pointer.as_str().into())) } else { line };
    out.push(fold(line));
    for text in head.node.text("description").unwrap_or_default().lines().filter(|text| !text.trim().is_empty()) {
        let line = Line::new().seg(" ".repeat(hang), Role::Text).seg(text.trim(), Role::Dim).hang(hang);
        out.push(fold(line.at(Some(&place))));
    }
}

/// The overlay action that wrote the schema or one of its own words; members and branches have rows of their own.
fn written_by(node: &Node) -> Option<(Origin, u16)> {
    let own = node.members().map(|entry| &entry.value).filter(|value| value.as_map().is_none());
    std::iter::once(node).chain(own).find_map(|node| Some((node.origin, node.origin.action?)))
}

/// Where an argument of the root goes in the request.
fn location(tool: &Tool, argument: &str) -> Option<&'static str> {
    let binding = tool.operation.binding.iter().find(|binding| &*binding.argument == argument)?;
    Some(match binding.location {
        ParameterIn::Path => "in path",
        ParameterIn::Query => "in query",
        ParameterIn::QueryString => "is the query string",
        ParameterIn::Header => "in header",
        ParameterIn::Cookie => "in cookie",
        ParameterIn::Body if binding.wire_name.is_none() => "is the body",
        ParameterIn::Body => "in body",
    })
}
