//! Synthetic instances: arguments that fit a schema, made from the schema alone. The same schema gives the same ones.

mod make;
mod merge;
mod text;
mod unfit;

pub use unfit::check_instances;

use crate::derive::{ParameterIn, Tool};
use crate::document::Node;

use super::json::{integer, member};
use super::problem::ArgumentProblem;
use super::validate::Validator;

use make::{Maker, Plan};

/// Branches for which an instance of its own is made at most.
const MOST_BRANCHES: usize = 32;
/// Other branches that are tried where the first does not fit.
const TRIES: usize = 3;

/// How much an instance holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All members.
    All,
    /// Required members only.
    Required,
    /// All members, once for each branch of each `oneOf` and `anyOf`.
    Branches,
}

/// An instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The value.
    pub value: Node,
    /// What is special about it: `all`, `required`, or the branch that it takes.
    pub label: String,
    /// Why it does not fit its schema; empty when it does.
    pub problems: Vec<ArgumentProblem>,
}

/// Arguments for a tool that fit its InputSchema. One instance, or one per branch for [`Extent::Branches`] (none when
/// there is no choice). Examples and defaults are taken first, then what formats, patterns and bounds ask for.
pub fn synthesize(tool: &Tool, extent: Extent) -> Vec<Instance> {
    synthesize_schema(&with_full_paths(tool), extent)
}

/// The InputSchema, with path arguments that are not empty: no request can be made with those.
fn with_full_paths(tool: &Tool) -> Node {
    let mut schema = tool.operation.input_schema.clone();
    let origin = schema.origin;
    let least = || {
        let members = ["minLength", "minItems"].map(|key| member(key, integer(1, origin)));
        Node::map(members.to_vec(), origin)
    };
    let in_path = tool.operation.binding.iter().filter(|row| row.location == ParameterIn::Path);
    if let Some(properties) = schema.map_mut().and_then(|map| map.get_mut("properties")?.map_mut()) {
        for row in in_path {
            if let Some(property) = properties.get_mut(&row.argument) {
                let both = Node::list(vec![property.clone(), least()], origin);
                *property = Node::map(vec![member("allOf", both)], origin);
            }
        }
    }
    schema
}

/// The same for any schema (JSON Schema 2020-12) that holds all that it refers to.
pub fn synthesize_schema(schema: &Node, extent: Extent) -> Vec<Instance> {
    let loose = Validator::new(schema);
    let strict = Validator::strict(schema);
    let check = |value: &Node| {
        // A format that nothing here can make is no reason to give up an instance that is otherwise right.
        let problems = loose.check(value);
        if problems.is_empty() { (problems, strict.check(value).len()) } else { (problems, 0) }
    };
    match extent {
        Extent::All => vec![best(schema, "all", Plan { all: true, ..Plan::default() }, &check)],
        Extent::Required => vec![best(schema, "required", Plan::default(), &check)],
        Extent::Branches => {
            let plan = Plan { all: true, ..Plan::default() };
            let mut maker = Maker::new(schema, plan);
            let _ = maker.make();
            let choices = maker.choices();
            let each = choices.iter().enumerate().flat_map(|(at, count)| (0..*count).map(move |branch| (at, branch)));
            let instances = each.take(MOST_BRANCHES).map(|(at, branch)| {
                let plan = Plan { turn: Some((at, branch)), ..plan };
                best(schema, &format!("choice {} branch {}", at + 1, branch + 1), plan, &check)
            });
            instances.collect()
        }
    }
}

type Checked = (Vec<ArgumentProblem>, usize);

/// Tries with examples and without, with other branches, and with less, until an instance fits.
fn best(schema: &Node, label: &str, plan: Plan, check: &dyn Fn(&Node) -> Checked) -> Instance {
    let mut first: Option<(usize, Instance)> = None;
    let tries = [(false, true), (false, false), (true, true), (true, false)];
    for ((lean, examples), usual) in tries.into_iter().flat_map(|it| (0..TRIES).map(move |usual| (it, usual))) {
        let mut maker = Maker::new(schema, Plan { examples, usual, lean, ..plan });
        let Some(value) = maker.make() else { continue };
        let (problems, formats) = check(&value);
        let fits = problems.is_empty() && formats == 0;
        let rank = if problems.is_empty() { 0 } else { 1 + problems.len() };
        if fits || first.as_ref().is_none_or(|(known, _)| rank < *known) {
            first = Some((rank, Instance { value, label: label.to_owned(), problems }));
        }
        // Without a choice the other branches are the same one.
        if fits || (usual == 0 && maker.choices().is_empty() && !examples) {
            break;
        }
    }
    first.map(|(_, instance)| instance).unwrap_or_else(|| {
        let message =
            "no value can be made: the schema asks for a value within itself without end, or for nothing that exists";
        let value = Node::map(Vec::new(), schema.origin);
        Instance { value, label: label.to_owned(), problems: vec![ArgumentProblem::call("synthesis", message)] }
    })
}
