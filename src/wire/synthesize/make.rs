//! From folded schemas to values.

use crate::document::{Entry, Map, Node, Number, Value};
use crate::wire::json::integer;

use super::text;

/// Values within values.
const DEEPEST: usize = 24;
/// Beyond this depth only what is required is made.
const FULL_DEPTH: usize = 6;
/// Values in one instance.
const MOST_VALUES: usize = 4000;
/// Items that a bound can make a list have.
const MOST_ITEMS: usize = 256;

/// How one instance is made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    /// Optional members too.
    pub(super) all: bool,
    /// Examples and defaults are taken.
    pub(super) examples: bool,
    /// The branch that choices take.
    pub(super) usual: usize,
    /// The choice, in the order met, that takes another branch.
    pub(super) turn: Option<(usize, usize)>,
    /// Where a choice is made only what is required is: optional members may fit several branches.
    pub(super) lean: bool,
}

pub(super) struct Maker<'s> {
    pub(super) root: &'s Node,
    plan: Plan,
    /// Branches of each choice met.
    choices: Vec<usize>,
    /// References that the value at hand is within.
    within: Vec<String>,
    made: usize,
    /// Schemas folded, for a bound on what branches of branches cost.
    pub(super) folded: usize,
}

impl<'s> Maker<'s> {
    pub(super) fn new(root: &'s Node, plan: Plan) -> Self {
        Self { root, plan, choices: Vec::new(), within: Vec::new(), made: 0, folded: 0 }
    }

    pub(super) fn make(&mut self) -> Option<Node> {
        self.value(self.root, 0)
    }

    /// The number of branches of each choice, in the order met.
    pub(super) fn choices(&self) -> &[usize] {
        &self.choices
    }

    pub(super) fn choose(&mut self, branches: usize) -> usize {
        if branches < 2 {
            return 0;
        }
        let number = self.choices.len();
        self.choices.push(branches);
        match self.plan.turn {
            Some((choice, branch)) if choice == number => branch % branches,
            _ => self.plan.usual % branches,
        }
    }

    /// A value, or `None` when there is none: `false`, or a schema within itself without end.
    fn value(&mut self, schema: &Node, depth: usize) -> Option<Node> {
        self.made += 1;
        if depth > DEEPEST || self.made > MOST_VALUES {
            return None;
        }
        let mut refs = Vec::new();
        let choices = self.choices.len();
        let folded = self.fold(schema, 0, &mut refs)?;
        let chosen = self.choices.len() > choices;
        // Once around a cycle is enough; a second time it has to end.
        if refs.iter().any(|text| self.within.iter().filter(|known| *known == text).count() > 1) {
            return None;
        }
        let outer = self.within.len();
        self.within.append(&mut refs);
        // Beyond the full depth only what is required is made.
        let value_depth = if chosen && self.plan.lean { depth.max(FULL_DEPTH) } else { depth };
        let value = self.of(&folded, schema, value_depth);
        self.within.truncate(outer);
        value
    }

    fn of(&mut self, schema: &Map, written: &Node, depth: usize) -> Option<Node> {
        let origin = written.origin;
        if let Some(constant) = schema.get("const") {
            return Some(constant.clone());
        }
        let kind = kind(schema);
        if let Some(values) = schema.get("enum").and_then(Node::as_list) {
            let fitting = values.iter().find(|value| has_kind(value, kind) && !matches!(value.value, Value::Null));
            return fitting.or_else(|| values.first()).cloned();
        }
        let has_members = schema.get("properties").is_some_and(|it| it.as_map().is_some_and(|map| !map.is_empty()));
        let may_copy = self.plan.examples && !(kind == "object" && has_members);
        if let Some(example) = may_copy.then(|| example(schema, kind)).flatten() {
            return Some(example);
        }
        match kind {
            "object" => self.object(schema, written, depth),
            "array" => self.list(schema, written, depth),
            "integer" => Some(number(schema, true, written)),
            "number" => Some(number(schema, false, written)),
            "boolean" => Some(Node::new(Value::Bool(true), origin)),
            "null" => Some(Node::new(Value::Null, origin)),
            _ => Some(Node::string(text::text(schema), origin)),
        }
    }

    fn object(&mut self, schema: &Map, written: &Node, depth: usize) -> Option<Node> {
        let mut required: Vec<&str> =
            schema.get("required").into_iter().flat_map(Node::items).filter_map(Node::as_str).collect();
        let properties = schema.get("properties").and_then(Node::as_map);
        let all = self.plan.all && depth < FULL_DEPTH;
        let most = bound(schema, "maxProperties").unwrap_or(usize::MAX);
        let mut entries: Vec<Entry> = Vec::new();
        for property in properties.into_iter().flatten() {
            let needed = required.contains(&&*property.key);
            let room = required.len().max(entries.len()) < most;
            let wanted = needed || (all && room);
            if !wanted {
                continue;
            }
            match self.value(&property.value, depth + 1) {
                Some(value) => {
                    required.extend(dependent(schema, &property.key));
                    entries.push(Entry { value, ..property.clone() });
                }
                None if needed => return None,
                None => {}
            }
        }
        let rest = schema.get("additionalProperties").cloned();
        for name in required {
            if entries.iter().any(|entry| *entry.key == *name) {
                continue;
            }
            let declared = properties.and_then(|properties| properties.get(name)).or(rest.as_ref());
            let value = match declared {
                Some(declared) => self.value(declared, depth + 1)?,
                None => Node::string("text", written.origin),
            };
            entries.push(crate::wire::json::member(name, value));
        }
        let needed =
            |name: &str| schema.get("required").is_some_and(|list| list.items().any(|it| it.as_str() == Some(name)));
        without_forbidden(schema, needed, &mut entries);
        self.fill(schema, rest.as_ref(), all && properties.is_none_or(Map::is_empty), written, depth, &mut entries);
        Some(Node::map(entries, written.origin))
    }

    /// Members with names of our own, where a bound asks for more or the object is a map.
    fn fill(
        &mut self,
        schema: &Map,
        rest: Option<&Node>,
        one: bool,
        written: &Node,
        depth: usize,
        entries: &mut Vec<Entry>,
    ) {
        let open = rest.is_some_and(|rest| rest.as_map().is_some());
        let least = bound(schema, "minProperties").unwrap_or(0).max(usize::from(one && open)).min(MOST_ITEMS);
        let pattern = schema.get("patternProperties").and_then(|it| it.members().next());
        let names = schema.get("propertyNames").and_then(Node::as_map);
        for number in 1..=least {
            if entries.len() >= least {
                return;
            }
            let name = match (names, pattern) {
                (Some(names), _) if names.get("enum").is_some() => {
                    let listed = names.get("enum").and_then(|names| names.as_list()?.get(number - 1)?.as_str());
                    listed.map(str::to_owned)
                }
                (Some(names), _) => Some(text::text(names)),
                (None, Some(pattern)) if rest.is_none_or(|rest| rest.as_bool() == Some(false)) => {
                    text::matching(&pattern.key, 0, usize::MAX)
                }
                _ => Some(format!("key{number}")),
            };
            let schema = match (pattern, rest) {
                (Some(pattern), None | Some(Node { value: Value::Bool(false), .. })) => Some(&pattern.value),
                (_, rest) => rest,
            };
            let value = match schema {
                Some(schema) => self.value(schema, depth + 1),
                None => Some(Node::string("text", written.origin)),
            };
            let (Some(name), Some(value)) = (name, value) else { return };
            if !entries.iter().any(|entry| *entry.key == *name) {
                entries.push(crate::wire::json::member(name, value));
            }
        }
    }

    fn list(&mut self, schema: &Map, written: &Node, depth: usize) -> Option<Node> {
        let least = bound(schema, "minItems").unwrap_or(0);
        let most = bound(schema, "maxItems").unwrap_or(usize::MAX).min(MOST_ITEMS);
        let first: Vec<Node> = schema.get("prefixItems").into_iter().flat_map(Node::items).cloned().collect();
        let full = self.plan.all && depth < FULL_DEPTH;
        let wanted = least.max(if full { first.len().max(1) } else { 0 }).min(most);
        let items = schema.get("items").cloned();
        let distinct = schema.get("uniqueItems").and_then(Node::as_bool) == Some(true);
        let mut out: Vec<Node> = Vec::new();
        for at in 0..wanted {
            let of = first.get(at).or_else(|| schema.get("contains").filter(|_| at == first.len())).or(items.as_ref());
            let made = match of {
                Some(schema) => self.value(schema, depth + 1),
                None => Some(Node::string("text", written.origin)),
            };
            match made {
                Some(value) if distinct && out.contains(&value) => {
                    match of.and_then(|of| self.another(of, &value, &out)) {
                        Some(other) => out.push(other),
                        None => break,
                    }
                }
                Some(value) => out.push(value),
                None if out.len() >= least => break,
                None => return None,
            }
        }
        (out.len() >= least.min(most)).then(|| Node::list(out, written.origin))
    }

    /// A value like the one given that is not among those there are.
    fn another(&mut self, schema: &Node, like: &Node, taken: &[Node]) -> Option<Node> {
        let folded = self.fold(schema, 0, &mut Vec::new())?;
        if let Some(values) = folded.get("enum").and_then(Node::as_list) {
            return values.iter().find(|value| !taken.contains(value)).cloned();
        }
        let tries = (0..=taken.len() as i64).map(|step| match &like.value {
            Value::Number(number) => {
                let next = number.as_i128().and_then(|value| i64::try_from(value).ok())?;
                let step_by = folded.get("multipleOf").and_then(Node::as_number).and_then(Number::as_i128).unwrap_or(1);
                Some(integer(next.checked_add(step.checked_mul(i64::try_from(step_by).ok()?)?)?, like.origin))
            }
            Value::String(text) => Some(Node::string(format!("{text}{step}"), like.origin)),
            Value::Bool(flag) => Some(Node::new(Value::Bool(!flag), like.origin)),
            _ => None,
        });
        tries.flatten().find(|value| !taken.contains(value))
    }
}

/// `not: {required: […]}` forbids members together: the last of them that nothing needs is left out.
fn without_forbidden(schema: &Map, needed: impl Fn(&str) -> bool, entries: &mut Vec<Entry>) {
    let Some(not) = schema.get("not").and_then(Node::as_map).filter(|not| not.len() == 1) else { return };
    let together: Vec<&str> = not.get("required").into_iter().flat_map(Node::items).filter_map(Node::as_str).collect();
    let given = |name: &&str| entries.iter().any(|entry| *entry.key == **name);
    if together.is_empty() || !together.iter().all(given) {
        return;
    }
    if let Some(name) = together.iter().rev().find(|name| !needed(name)) {
        entries.retain(|entry| *entry.key != **name);
    }
}

/// Members that a member asks for (`dependentRequired`).
fn dependent<'m>(schema: &'m Map, name: &str) -> impl Iterator<Item = &'m str> {
    let asked = schema.get("dependentRequired").and_then(|map| map.get(name));
    asked.into_iter().flat_map(Node::items).filter_map(Node::as_str)
}

pub(super) fn bound(schema: &Map, key: &str) -> Option<usize> {
    schema.get(key)?.as_number()?.as_i128().and_then(|value| usize::try_from(value).ok())
}

/// The type that is made: the first that is not null, else what the keywords speak of.
fn kind(schema: &Map) -> &str {
    let written = schema.get("type");
    let listed = written.into_iter().flat_map(Node::items).filter_map(Node::as_str).find(|kind| *kind != "null");
    if let Some(kind) = written.and_then(Node::as_str).or(listed) {
        return kind;
    }
    if written.is_some_and(|list| list.items().any(|kind| kind.as_str() == Some("null"))) {
        return "null";
    }
    let speaks = |keys: &[&str]| keys.iter().any(|key| schema.get(key).is_some());
    if speaks(&["properties", "required", "additionalProperties", "minProperties", "patternProperties"]) {
        "object"
    } else if speaks(&["items", "prefixItems", "uniqueItems", "contains"]) {
        "array"
    } else if speaks(&["pattern", "format", "minLength", "maxLength"]) {
        "string"
    } else if speaks(&["minItems", "maxItems"]) {
        "array"
    } else if speaks(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
        "number"
    } else {
        "any"
    }
}

fn has_kind(value: &Node, kind: &str) -> bool {
    match kind {
        "any" => true,
        "integer" => value.as_number().is_some_and(|number| number.as_i128().is_some()),
        kind => value.kind() == kind,
    }
}

/// The first example, else the default, that has the right type.
fn example(schema: &Map, kind: &str) -> Option<Node> {
    let examples = schema.get("examples").into_iter().flat_map(Node::items);
    let mut given = examples.chain(schema.get("default"));
    given.find(|value| has_kind(value, kind) && text::fits(schema, value)).cloned()
}

/// A number within bounds, 1 where nothing is said.
fn number(schema: &Map, whole: bool, written: &Node) -> Node {
    let read = |key: &str| schema.get(key).and_then(Node::as_number).map(Number::as_f64);
    let step = read("multipleOf").filter(|step| *step > 0.0);
    let inside = |value: f64| {
        read("minimum").is_none_or(|least| value >= least)
            && read("maximum").is_none_or(|most| value <= most)
            && read("exclusiveMinimum").is_none_or(|least| value > least)
            && read("exclusiveMaximum").is_none_or(|most| value < most)
    };
    let low = [read("minimum"), read("exclusiveMinimum")].into_iter().flatten().fold(f64::NEG_INFINITY, f64::max);
    let high = [read("maximum"), read("exclusiveMaximum")].into_iter().flatten().fold(f64::INFINITY, f64::min);
    let mut tries = vec![1.0, 0.0, low, low.floor() + 1.0, high, high.ceil() - 1.0, f64::midpoint(low, high)];
    if let Some(step) = step {
        let above = (low / step).ceil() * step;
        let below = (high / step).floor() * step;
        tries = vec![step, 0.0, above, above + step, below, below - step];
    }
    let fitting =
        tries.into_iter().find(|value| value.is_finite() && inside(*value) && (!whole || value.fract() == 0.0));
    let value = fitting.unwrap_or(1.0);
    let written_form =
        if value.fract() == 0.0 && value.abs() < 9e15 { format!("{}", value as i64) } else { value.to_string() };
    let number = Number::parse(&written_form).unwrap_or(Number::Int(1));
    Node::new(Value::Number(number), written.origin)
}
