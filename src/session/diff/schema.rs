//! What differs between two schemas, member by member, as far as it can be told apart.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::rules::Rule;
use super::{Change, types};
use crate::session::lock::{choices, kinds, shape, target};

/// Members are compared so deep.
const DEEPEST: usize = 24;
/// As many pairs of schemas are compared for one argument or result; some documents refer to all of themselves.
const MOST: usize = 5_000;

/// Whose schema it is: what breaks callers differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Arguments.
    Input,
    /// Results.
    Output,
}

/// What differs within a schema; the place of each change starts with `at`. With `is_told`, type and values of the schema
/// itself are not compared.
pub(super) fn changes(
    flow: Flow,
    at: &str,
    old: (&Value, &Value),
    new: (&Value, &Value),
    is_told: bool,
) -> Vec<Change> {
    let mut walk = Walk { flow, old_root: old.1, new_root: new.1, seen: HashSet::new(), left: MOST, found: Vec::new() };
    walk.compare(at, old.0, new.0, 0, is_told);
    let mut found = walk.found;
    let mut known = HashSet::new();
    found.retain(|change| known.insert(change.clone()));
    found
}

struct Walk<'a> {
    flow: Flow,
    old_root: &'a Value,
    new_root: &'a Value,
    seen: HashSet<(String, String)>,
    left: usize,
    found: Vec<Change>,
}

impl<'a> Walk<'a> {
    fn compare(&mut self, at: &str, old: &'a Value, new: &'a Value, depth: usize, is_told: bool) {
        if self.left == 0 || depth > DEEPEST {
            return;
        }
        self.left -= 1;
        // Whether null is allowed too is seen before what stands around the schema is taken off.
        if !is_told && !self.kind(at, old, new) {
            return;
        }
        let ((old, before), (new, after)) = (follow(old, self.old_root), follow(new, self.new_root));
        // What is referred to is told of once, where it is met first.
        let is_plain = before.is_empty() && after.is_empty();
        let is_new = is_plain || self.seen.insert((before.to_owned(), after.to_owned()));
        if !is_new {
            return;
        }
        if self.flow == Flow::Input {
            self.limits(at, old, new);
        }
        self.members(at, old, new, depth);
        self.below(&format!("{at}[]"), old.get("items"), new.get("items"), depth);
        let extra = |schema: &'a Value| schema.get("additionalProperties").filter(|it| it.is_object());
        self.below(&join(at, "*"), extra(old), extra(new), depth);
        for keyword in ["anyOf", "oneOf"] {
            self.alternatives(at, keyword, old, new, depth);
        }
    }

    /// Type and listed values; says whether there is a sense in going on.
    fn kind(&mut self, at: &str, old: &Value, new: &Value) -> bool {
        let (before, after) = (kinds(old, self.old_root, 0), kinds(new, self.new_root, 0));
        let relation = types::relation(&before, &after);
        let change = match (self.flow, relation) {
            (_, types::Relation::Same) => None,
            (Flow::Input, types::Relation::Widened) => Some(Rule::ArgumentTypeWidened),
            (Flow::Input, types::Relation::Narrowed) => Some(Rule::ArgumentTypeNarrowed),
            (Flow::Input, types::Relation::Other) => Some(Rule::ArgumentTypeChanged),
            (Flow::Output, types::Relation::Other) => Some(Rule::OutputTypeChanged),
            (Flow::Output, _) => Some(Rule::OutputChanged),
        };
        self.found.extend(change.map(|rule| Change::of(rule, at, types::words(&before), types::words(&after))));
        let (before, after) = (choices(old, self.old_root, 0), choices(new, self.new_root, 0));
        self.found.extend(types::values(self.flow, at, before.as_ref(), after.as_ref()));
        relation != types::Relation::Other
    }

    fn limits(&mut self, at: &str, old: &Value, new: &Value) {
        for (keyword, limit) in LIMITS {
            let (before, after) = (old.get(keyword), new.get(keyword));
            if before == after {
                continue;
            }
            let tighter = match (before, after, limit) {
                (_, None, _) => false,
                (None, Some(_), _) => true,
                (Some(before), Some(after), Limit::Lower) => after.as_f64() > before.as_f64(),
                (Some(before), Some(after), Limit::Upper) => after.as_f64() < before.as_f64(),
                (Some(_), Some(after), Limit::Flag) => after == &Value::Bool(true),
                (Some(_), Some(_), Limit::Form | Limit::Said) => true,
            };
            let rule = match (limit, tighter) {
                (Limit::Said, _) => Rule::ArgumentChanged,
                (_, true) => Rule::ArgumentLimitsTightened,
                (_, false) => Rule::ArgumentLimitsLoosened,
            };
            let words =
                |value: Option<&Value>| value.map_or("no ".to_owned() + keyword, |value| format!("{keyword} {value}"));
            self.found.push(Change::of(rule, at, words(before), words(after)));
        }
    }

    fn members(&mut self, at: &str, old: &'a Value, new: &'a Value, depth: usize) {
        let alike = ["anyOf", "oneOf"].iter().all(|keyword| parts(old, keyword).len() == parts(new, keyword).len());
        let (before, after) = (Members::of(old, self.old_root, !alike), Members::of(new, self.new_root, !alike));
        let (needed, needs) = (&before.required, &after.required);
        let (before, after) = (&before.all, &after.all);
        for (name, (schema, is_sure)) in before {
            let place = join(at, name);
            let Some((other, is_sure_too)) = after.get(name) else {
                self.gone(&place, schema);
                continue;
            };
            if !(*is_sure && *is_sure_too) {
                continue;
            }
            if self.flow == Flow::Input {
                match (needed.contains(name), needs.contains(name)) {
                    (false, true) => self.found.push(Change::at(Rule::ArgumentRequired, &place)),
                    (true, false) => self.found.push(Change::at(Rule::ArgumentOptional, &place)),
                    _ => {}
                }
            }
            self.compare(&place, schema, other, depth + 1, false);
        }
        for (name, (schema, _)) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            let rule = match (self.flow, needs.contains(name)) {
                (Flow::Input, true) => Rule::ArgumentAddedRequired,
                (Flow::Input, false) => Rule::ArgumentAdded,
                (Flow::Output, _) => Rule::OutputMemberAdded,
            };
            let kind = types::words(&kinds(schema, self.new_root, 0));
            self.found.push(Change { after: Some(kind), ..Change::at(rule, &join(at, name)) });
        }
    }

    fn gone(&mut self, place: &str, schema: &Value) {
        let rule = match self.flow {
            Flow::Input => Rule::ArgumentRemoved,
            Flow::Output => Rule::OutputMemberRemoved,
        };
        let kind = types::words(&kinds(schema, self.old_root, 0));
        self.found.push(Change { before: Some(kind), ..Change::at(rule, place) });
    }

    fn below(&mut self, at: &str, old: Option<&'a Value>, new: Option<&'a Value>, depth: usize) {
        if let (Some(old), Some(new)) = (old, new) {
            // That the items have another type is in the type of the list.
            let is_told = at.ends_with("[]");
            self.compare(at, old, new, depth + 1, is_told);
        }
    }

    /// Alternatives one by one while there are as many; else only that there are others.
    fn alternatives(&mut self, at: &str, keyword: &str, old: &'a Value, new: &'a Value, depth: usize) {
        let (before, after) = (parts(old, keyword), parts(new, keyword));
        if before.len() == after.len() {
            for (old, new) in before.iter().zip(after) {
                self.compare(at, old, new, depth + 1, false);
            }
            return;
        }
        let shapes = |schemas: &'a [Value], root: &'a Value| -> BTreeSet<String> {
            schemas.iter().map(|schema| shape(schema, root).to_string()).collect()
        };
        if shapes(before, self.old_root) != shapes(after, self.new_root) {
            let rule = if self.flow == Flow::Input { Rule::ArgumentChanged } else { Rule::OutputChanged };
            let words = |count: usize| format!("{count} × {keyword}");
            self.found.push(Change::of(rule, at, words(before.len()), words(after.len())));
        }
    }
}

/// How a higher value of a keyword changes what fits.
#[derive(Clone, Copy)]
enum Limit {
    /// Fewer values fit.
    Lower,
    /// More values fit.
    Upper,
    /// True lets fewer values fit.
    Flag,
    /// Any other value lets other values fit.
    Form,
    /// It says something, and constrains no value by itself.
    Said,
}

const LIMITS: [(&str, Limit); 14] = [
    ("minimum", Limit::Lower),
    ("exclusiveMinimum", Limit::Lower),
    ("minLength", Limit::Lower),
    ("minItems", Limit::Lower),
    ("minProperties", Limit::Lower),
    ("maximum", Limit::Upper),
    ("exclusiveMaximum", Limit::Upper),
    ("maxLength", Limit::Upper),
    ("maxItems", Limit::Upper),
    ("maxProperties", Limit::Upper),
    ("uniqueItems", Limit::Flag),
    ("pattern", Limit::Form),
    ("multipleOf", Limit::Form),
    ("format", Limit::Said),
];

/// The members of an object: its own, those of all its parts, and perhaps those of its alternatives.
#[derive(Default)]
struct Members<'a> {
    /// Whether a member is there in any case comes with it: what only an alternative has is not compared further.
    all: BTreeMap<&'a str, (&'a Value, bool)>,
    required: BTreeSet<&'a str>,
}

impl<'a> Members<'a> {
    fn of(schema: &'a Value, root: &'a Value, with_alternatives: bool) -> Self {
        let mut members = Self::default();
        members.gather(schema, root, with_alternatives, true, 0);
        members
    }

    fn gather(&mut self, schema: &'a Value, root: &'a Value, with_alternatives: bool, is_sure: bool, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        let (schema, _) = follow(schema, root);
        let own = schema.get("properties").and_then(Value::as_object);
        for (name, schema) in own.into_iter().flatten() {
            self.all.entry(name).or_insert((schema, is_sure));
        }
        if is_sure {
            let names = schema.get("required").and_then(Value::as_array);
            self.required.extend(names.into_iter().flatten().filter_map(Value::as_str));
        }
        for part in parts(schema, "allOf") {
            self.gather(part, root, with_alternatives, is_sure, depth + 1);
        }
        for part in ["anyOf", "oneOf"].iter().filter(|_| with_alternatives).flat_map(|keyword| parts(schema, keyword)) {
            self.gather(part, root, with_alternatives, false, depth + 1);
        }
    }
}

/// The schemas under a keyword.
fn parts<'a>(schema: &'a Value, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

fn reference(schema: &Value) -> &str {
    schema.get("$ref").and_then(Value::as_str).unwrap_or_default()
}

/// The schema that constrains a value: references are followed, and what stands around the only alternative that is not
/// null, or around the only part, is taken off. With the last reference that was followed.
fn follow<'a>(schema: &'a Value, root: &'a Value) -> (&'a Value, &'a str) {
    let (mut schema, mut last) = (schema, "");
    for _ in 0..16 {
        let found = reference(schema);
        let next = match target(root, found) {
            Some(target) if !found.is_empty() => {
                last = found;
                Some(target)
            }
            _ => only(schema),
        };
        match next {
            Some(next) => schema = next,
            None => break,
        }
    }
    (schema, last)
}

fn only(schema: &Value) -> Option<&Value> {
    if ["properties", "items", "enum"].iter().any(|keyword| schema.get(keyword).is_some()) {
        return None;
    }
    let is_null = |schema: &&Value| schema.get("type").and_then(Value::as_str) == Some("null");
    let mut found =
        ["allOf", "anyOf", "oneOf"].iter().flat_map(|keyword| parts(schema, keyword)).filter(|it| !is_null(it));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn join(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}
