//! Nodes to YAML.

use super::super::node::{Entry, Node, Value};
use super::scalar;

/// What is left to write of an open list or map, and how far it is indented.
struct Open<'a> {
    rest: Rest<'a>,
    indent: usize,
}

enum Rest<'a> {
    Items(std::slice::Iter<'a, Node>),
    Members(std::slice::Iter<'a, Entry>),
}

/// How YAML is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YamlLayout {
    /// Columns by which the value of a key is indented, at least 1.
    pub step: usize,
    /// Text of several lines may become a literal block; else it stands in double quotes on one line.
    pub literals: bool,
}

impl Default for YamlLayout {
    fn default() -> Self {
        Self { step: 2, literals: true }
    }
}

/// A node as YAML in block style, indented by two spaces, with a line break at the end.
///
/// Members keep their order, numbers their written form. A text stands without quotes only where readers of YAML 1.1
/// and 1.2 get the same text back; text of several lines becomes a literal block where that loses nothing.
pub fn to_yaml(node: &Node) -> String {
    to_yaml_with(node, YamlLayout::default())
}

/// The same in another layout.
pub fn to_yaml_with(node: &Node, layout: YamlLayout) -> String {
    let mut writer = Writer { out: String::new(), open: Vec::new(), fresh: true, layout };
    writer.node(node, 0, false);
    while let Some(open) = writer.open.last_mut() {
        let indent = open.indent;
        match &mut open.rest {
            Rest::Items(items) => match items.next() {
                Some(item) => writer.item(item, indent),
                None => drop(writer.open.pop()),
            },
            Rest::Members(members) => match members.next() {
                Some(entry) => writer.member(entry, indent),
                None => drop(writer.open.pop()),
            },
        }
    }
    writer.out.push('\n');
    writer.out
}

struct Writer<'a> {
    out: String,
    open: Vec<Open<'a>>,
    /// The line at hand has its indentation and nothing else that the next member or item would have to leave.
    fresh: bool,
    layout: YamlLayout,
}

impl<'a> Writer<'a> {
    fn line(&mut self, indent: usize) {
        if !std::mem::take(&mut self.fresh) {
            self.out.push('\n');
            self.spaces(indent);
        }
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
    }

    fn item(&mut self, item: &'a Node, indent: usize) {
        self.line(indent);
        self.out.push('-');
        self.node(item, indent + 2, true);
    }

    fn member(&mut self, entry: &'a Entry, indent: usize) {
        self.line(indent);
        if entry.key.chars().nth(scalar::LONGEST_KEY).is_some() {
            self.out.push_str("? ");
            scalar::inline(&mut self.out, &entry.key);
            self.out.push('\n');
            self.spaces(indent);
        } else {
            scalar::inline(&mut self.out, &entry.key);
        }
        self.out.push(':');
        self.node(&entry.value, indent + self.layout.step.max(1), false);
    }

    /// What stands behind a `:` or `-`. Containers are opened; what is in them follows at `indent`.
    fn node(&mut self, node: &'a Node, indent: usize, after_dash: bool) {
        let root = self.open.is_empty();
        let rest = match &node.value {
            Value::List(items) if !items.is_empty() => Rest::Items(items.iter()),
            Value::Map(map) if !map.is_empty() => Rest::Members(map.iter()),
            value => {
                if !root {
                    self.out.push(' ');
                }
                self.scalar(value, indent.max(self.layout.step.max(1)));
                return;
            }
        };
        if after_dash {
            // The first member or item stands on the line of the dash.
            self.out.push(' ');
            self.fresh = true;
        }
        self.open.push(Open { rest, indent });
    }

    fn scalar(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(flag) => self.out.push_str(if *flag { "true" } else { "false" }),
            Value::Number(number) => self.out.push_str(&number.to_string()),
            Value::String(text) if self.layout.literals && scalar::is_literal(text) => self.literal(text, indent),
            Value::String(text) => scalar::inline(&mut self.out, text),
            // Only empty ones come here.
            Value::List(_) => self.out.push_str("[]"),
            Value::Map(_) => self.out.push_str("{}"),
        }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        let body = text.strip_suffix('\n');
        self.out.push_str(if body.is_some() { "|" } else { "|-" });
        for line in body.unwrap_or(text).split('\n') {
            self.out.push('\n');
            if !line.is_empty() {
                self.spaces(indent);
                self.out.push_str(line);
            }
        }
    }
}
