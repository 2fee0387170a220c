//! From suites to a run: which cases, in which order, with what they need, and which of them must not be run. Pure.

use std::collections::HashSet;
use std::sync::Arc;

use super::suite::{Case, Role, Suite};
use crate::derive::{Catalog, Tool};
use crate::workspace::config::{Environment, nearest};

/// Where cases run, and what they may do there.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// A mock answers: nothing is changed anywhere.
    pub mock: bool,
    /// The environments of the workspace.
    pub environments: Vec<Environment>,
    /// The environment that was chosen for the whole run; it goes over what suites say.
    pub environment: Option<String>,
    /// Writes were allowed for this run.
    pub allow_writes: bool,
    /// Writes were allowed in production for this run.
    pub allow_production: bool,
    /// How the first is allowed, in words for the person.
    pub how_writes: String,
    /// How the second is allowed; empty when it cannot be here.
    pub how_production: String,
}

/// Why a case is not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is skipped.
    Skip(String),
    /// It has failed before any call.
    Fail(String),
}

/// A case in its place.
#[derive(Clone, Debug)]
pub struct Item {
    /// The suite.
    pub suite: Arc<str>,
    /// What it is there for.
    pub role: Role,
    /// The case.
    pub case: Arc<Case>,
    /// Its tool.
    pub tool: Option<Arc<Tool>>,
    /// Where it runs; `None` for what the workspace itself says, or for the mock.
    pub environment: Option<String>,
    /// It is not run.
    pub refusal: Option<Refusal>,
    /// Those that have to end well before.
    pub needs: Vec<usize>,
    /// Those that have to end before, however.
    pub after: Vec<usize>,
}

impl Item {
    /// The exposed name of the tool; what the case calls it where there is none.
    pub fn tool_name(&self) -> &str {
        self.tool.as_ref().map_or(&self.case.tool, |tool| &tool.named.name)
    }

    /// The method; empty where there is no tool.
    pub fn method(&self) -> &str {
        self.tool.as_ref().map_or("", |tool| &tool.operation.method)
    }
}

/// Which cases are wanted.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Words that all have to be found: in the case's name, the tool, the suite or the operation. `suite:`, `tool:`,
    /// `name:`, `method:` and `tag:` look at one of these.
    pub filter: String,
    /// Only these, by suite and name.
    pub only: Option<HashSet<(String, String)>>,
}

impl Selection {
    fn takes(&self, item: &Item) -> bool {
        let listed =
            self.only.as_ref().is_none_or(|only| only.contains(&(item.suite.to_string(), item.case.name.clone())));
        listed && self.filter.split_whitespace().all(|word| matches(item, word))
    }
}

/// Does a word of a filter fit a case?
pub fn matches(item: &Item, word: &str) -> bool {
    let lower = |text: &str| text.to_lowercase();
    let word = lower(word);
    let operation = item.tool.as_ref().map(|tool| &tool.operation);
    let method = lower(item.method());
    let path = operation.map_or(String::new(), |operation| lower(&operation.path));
    match word.split_once(':') {
        Some(("suite", rest)) => lower(&item.suite).contains(rest),
        Some(("tool", rest)) => lower(item.tool_name()).contains(rest),
        Some(("name", rest)) => lower(&item.case.name).contains(rest),
        Some(("method", rest)) => method == rest,
        Some(("tag", rest)) => operation.is_some_and(|operation| operation.tags.iter().any(|tag| lower(tag) == rest)),
        _ => {
            let texts = [lower(&item.case.name), lower(item.tool_name()), lower(&item.suite), path];
            texts.iter().any(|text| text.contains(&word)) || method == word
        }
    }
}

/// The cases of a run, in the order of the suites.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The cases.
    pub items: Vec<Item>,
    /// Those that were asked for; the others are there because these need them.
    pub asked: usize,
}

impl Plan {
    /// The plan of some suites over a catalog. A case that is wanted brings along what it needs: setup, cases whose
    /// captures it uses, and the teardown of its suite.
    pub fn new(suites: &[Suite], catalog: &Catalog, policy: &Policy, selection: &Selection) -> Self {
        let mut items = Vec::new();
        for suite in suites {
            add(suite, catalog, policy, &mut items);
        }
        let chosen: Vec<bool> = items.iter().map(|item| selection.takes(item)).collect();
        Self { items, asked: 0 }.only(&chosen).0
    }

    /// The part of the plan that some of its cases make, with what they need, and the places of its cases in this plan.
    pub fn only(&self, chosen: &[bool]) -> (Self, Vec<usize>) {
        let items = &self.items;
        let mut wanted = vec![false; items.len()];
        let is_chosen = |at: &usize| chosen.get(*at).copied().unwrap_or(false);
        let asked: Vec<usize> = (0..items.len()).filter(is_chosen).collect();
        asked.iter().for_each(|at| want(*at, items, &mut wanted));
        let suites: HashSet<Arc<str>> =
            items.iter().zip(&wanted).filter(|(_, wanted)| **wanted).map(|(item, _)| item.suite.clone()).collect();
        for (at, item) in items.iter().enumerate() {
            if item.role == Role::Teardown && suites.contains(&item.suite) {
                want(at, items, &mut wanted);
            }
        }
        let places = (0..items.len()).filter(|at| wanted.get(*at).copied().unwrap_or(false)).collect();
        (Self { items: keep(items, &wanted), asked: asked.len() }, places)
    }

    /// Has any case a tool that changes something, and will it be run?
    pub fn writes(&self) -> usize {
        let writes = |item: &&Item| item.refusal.is_none() && item.tool.as_ref().is_some_and(|tool| is_write(tool));
        self.items.iter().filter(writes).count()
    }

    /// The environments in which cases run.
    pub fn environments(&self) -> Vec<Option<String>> {
        let mut all: Vec<Option<String>> = Vec::new();
        for item in self.items.iter().filter(|item| item.refusal.is_none()) {
            if !all.contains(&item.environment) {
                all.push(item.environment.clone());
            }
        }
        all
    }
}

/// May the tool change something?
pub fn is_write(tool: &Tool) -> bool {
    !tool.operation.annotations.read_only_hint
}

fn want(at: usize, items: &[Item], wanted: &mut [bool]) {
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        let Some(flag) = wanted.get_mut(at).filter(|flag| !**flag) else { continue };
        *flag = true;
        open.extend(items.get(at).into_iter().flat_map(|item| item.needs.iter().copied()));
    }
}

/// Leaves out what is not wanted; the positions that the others name are moved.
fn keep(items: &[Item], wanted: &[bool]) -> Vec<Item> {
    let mut new = Vec::with_capacity(items.len());
    let mut next = 0;
    for wanted in wanted {
        new.push(wanted.then_some(next));
        next += usize::from(*wanted);
    }
    let moved = |all: &[usize]| all.iter().filter_map(|at| new.get(*at).copied().flatten()).collect::<Vec<usize>>();
    let kept = items.iter().zip(wanted).filter(|(_, wanted)| **wanted);
    kept.map(|(item, _)| Item { needs: moved(&item.needs), after: moved(&item.after), ..item.clone() }).collect()
}

fn add(suite: &Suite, catalog: &Catalog, policy: &Policy, items: &mut Vec<Item>) {
    let base = items.len();
    let captured = suite.captured();
    let of = |role: Role| suite.cases.iter().enumerate().filter(move |(_, (other, _))| *other == role);
    let last_setup = of(Role::Setup).next_back().map(|(at, _)| at);
    for (position, (role, case)) in suite.cases.iter().enumerate() {
        // Of several cases that capture a variable the last one before counts.
        let source = |name: &String| captured.iter().rfind(|(known, at)| known == name && *at < position);
        let sources: Vec<usize> = case.needs().iter().filter_map(source).map(|(_, at)| *at).collect();
        let (mut needs, mut after) = (sources, Vec::new());
        match role {
            Role::Setup => needs.extend(position.checked_sub(1)),
            Role::Case => needs.extend(last_setup),
            Role::Teardown => {
                // Cleaning up is tried whatever came before; a variable that is missing stops it by itself.
                after.append(&mut needs);
                after.extend(of(Role::Setup).chain(of(Role::Case)).map(|(at, _)| at));
                after.extend(position.checked_sub(1));
            }
        }
        let place = |list: Vec<usize>| {
            let mut list: Vec<usize> = list.into_iter().map(|at| at + base).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        items.push(item(suite, *role, case, catalog, policy, (place(needs), place(after))));
    }
}

fn item(
    suite: &Suite,
    role: Role,
    case: &Arc<Case>,
    catalog: &Catalog,
    policy: &Policy,
    (needs, after): (Vec<usize>, Vec<usize>),
) -> Item {
    let environment = match policy.mock {
        true => None,
        false => policy.environment.clone().or_else(|| case.environment.clone()).or_else(|| suite.environment.clone()),
    };
    let tool = catalog.lookup(&case.tool).cloned();
    let refusal = refusal(case, tool.as_ref(), environment.as_deref(), catalog, policy);
    Item { suite: suite.name.clone(), role, case: case.clone(), tool, environment, refusal, needs, after }
}

fn refusal(
    case: &Case,
    tool: Option<&Arc<Tool>>,
    environment: Option<&str>,
    catalog: &Catalog,
    policy: &Policy,
) -> Option<Refusal> {
    if let Some(why) = &case.skip {
        return Some(Refusal::Skip(why.clone()));
    }
    let Some(tool) = tool else {
        let names = catalog.all().map(|tool| tool.named.name.as_str());
        let near = nearest(&case.tool, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Some(Refusal::Fail(format!("there is no tool `{}`{near}", case.tool)));
    };
    let name = &tool.named.name;
    if let Some(hidden) = &tool.hidden {
        return Some(Refusal::Fail(format!("`{name}` is not exposed: {}", hidden.why)));
    }
    if catalog.find(name).is_some_and(|first| !Arc::ptr_eq(first, tool)) {
        return Some(Refusal::Fail(format!("the name `{name}` leads to another tool, which has it too")));
    }
    let known = environment.map(|name| (name, policy.environments.iter().find(|known| known.name == name)));
    let known = match known {
        Some((wanted, None)) => {
            let names = policy.environments.iter().map(|known| known.name.as_str());
            let near = nearest(wanted, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Some(Refusal::Fail(format!("there is no environment `{wanted}`{near}")));
        }
        Some((_, known)) => known,
        None => None,
    };
    if is_write(tool) { write_refusal(case, tool, known, catalog, policy).map(Refusal::Skip) } else { None }
}

/// Why a case may not change anything.
fn write_refusal(
    case: &Case,
    tool: &Tool,
    environment: Option<&Environment>,
    catalog: &Catalog,
    policy: &Policy,
) -> Option<String> {
    let method = &tool.operation.method;
    if !case.write {
        return Some(format!("{method} may change something; the case has to say `write: true`"));
    }
    if policy.mock {
        return None;
    }
    // Without an environment the workspace's own address counts, which may be that of production.
    let base = catalog.upstreams.get(tool.upstream).and_then(|upstream| upstream.base_url.as_deref());
    let same = |known: &&Environment| base.is_some() && known.base_url.as_deref() == base;
    let environment = environment.or_else(|| policy.environments.iter().find(same));
    match environment {
        Some(environment) if environment.production && !policy.allow_production => {
            let how = if policy.how_production.is_empty() { "" } else { "; " };
            Some(format!(
                "`{}` is production, where nothing is written{how}{}",
                environment.name, policy.how_production
            ))
        }
        Some(environment) if environment.production || environment.allow_writes || policy.allow_writes => None,
        Some(environment) => Some(format!(
            "the environment `{}` does not allow writes; set `allow_writes: true` there, or {}",
            environment.name, policy.how_writes
        )),
        None if policy.allow_writes => None,
        None => Some(format!(
            "nothing says that the API may be written to; choose an environment with `allow_writes: true`, or {}",
            policy.how_writes
        )),
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
