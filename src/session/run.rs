//! A run: cases in their order, so many at a time, through the proxy.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value as Json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::expect::{self, Answer};
use super::fill::{self, Filled};
use super::generate;
use super::plan::{Item, Plan, Refusal};
use super::report::{CaseResult, DriftPoint, Verdict};
use super::suite::{Arguments, Role};
use crate::derive::{Catalog, Tool};
use crate::document::Node;
use crate::proxy::{CallOptions, FailureKind, Memory, MemoryError, MemoryReply, from_json};
use crate::wire::Redactor;
use crate::workspace::Env;

/// Connections to the proxy, by environment.
pub type Clients = HashMap<Option<String>, Arc<Memory>>;

/// What happens during a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// The call of a case begins.
    Started(usize),
    /// A case has ended.
    Ended(usize, Arc<CaseResult>),
}

/// The wish to end a run.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// No more cases; what was set up is still torn down.
    pub cases: CancellationToken,
    /// No teardown either.
    pub all: CancellationToken,
}

/// Everything that a run needs.
#[derive(Clone)]
pub struct Run {
    /// The cases.
    pub plan: Arc<Plan>,
    /// The tools.
    pub catalog: Arc<Catalog>,
    /// Connections.
    pub clients: Arc<Clients>,
    /// For secrets in arguments.
    pub env: Arc<dyn Env + Send + Sync>,
    /// Cases at one time.
    pub jobs: usize,
    /// The time of a call whose case says nothing; `None` for what the workspace says.
    pub timeout: Option<Duration>,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("plan", &self.plan).field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// So many calls in a row without an answer, and nobody is there: the others would only wait for as long.
const GIVE_UP: usize = 16;

/// Captured values, by suite.
type Variables = Arc<Mutex<HashMap<Arc<str>, HashMap<String, Json>>>>;

/// Where a run is.
struct Progress {
    results: Vec<Option<Arc<CaseResult>>>,
    started: Vec<bool>,
    /// Suites of which a call was made.
    touched: HashSet<Arc<str>>,
    waiting: usize,
    /// Calls without an answer since the last one that had one, by environment.
    silent: HashMap<Option<String>, usize>,
}

impl Run {
    /// Runs all cases and gives what came of each, in the order of the plan. `tell` hears of everything as it happens.
    pub async fn run(&self, stop: &Stop, mut tell: impl FnMut(Event)) -> Vec<Arc<CaseResult>> {
        let count = self.plan.items.len();
        let mut progress = Progress {
            results: vec![None; count],
            started: vec![false; count],
            touched: HashSet::new(),
            waiting: count,
            silent: HashMap::new(),
        };
        let variables = Variables::default();
        let mut tasks: JoinSet<(usize, CaseResult)> = JoinSet::new();
        loop {
            self.start(&mut progress, &mut tasks, &variables, stop, &mut tell);
            let Some(joined) = tasks.join_next().await else { break };
            // A task that panicked names no case; it is found among those that never ended.
            if let Ok((at, result)) = joined {
                if let Some(item) = self.plan.items.get(at) {
                    progress.heard(item, &result);
                }
                progress.end(at, result, &mut tell);
            }
        }
        for at in 0..count {
            if progress.results.get(at).is_some_and(Option::is_none) {
                let why = "this case failed inside the program, which is a defect of toolscope";
                progress.end(at, CaseResult::failed(why), &mut tell);
            }
        }
        progress.results.into_iter().flatten().collect()
    }

    /// Starts what can be started, and ends what need not be.
    fn start(
        &self,
        progress: &mut Progress,
        tasks: &mut JoinSet<(usize, CaseResult)>,
        variables: &Variables,
        stop: &Stop,
        tell: &mut impl FnMut(Event),
    ) {
        // What ends without a call may let others start that stand before it.
        let mut again = progress.waiting > 0;
        while std::mem::take(&mut again) {
            for (at, item) in self.plan.items.iter().enumerate() {
                if tasks.len() >= self.jobs.max(1) || progress.started.get(at).copied().unwrap_or(true) {
                    continue;
                }
                if let Some(result) = self.settled(item, progress, stop) {
                    progress.begin(at);
                    progress.end(at, result, tell);
                    again = true;
                } else if progress.is_ready(item) {
                    progress.begin(at);
                    progress.touched.insert(item.suite.clone());
                    tell(Event::Started(at));
                    let (run, variables, stop) = (self.clone(), variables.clone(), stop.clone());
                    tasks.spawn(async move { (at, run.case(at, &variables, &stop).await) });
                }
            }
        }
    }

    /// The result of a case that is not to be called, as soon as that is sure.
    fn settled(&self, item: &Item, progress: &Progress, stop: &Stop) -> Option<CaseResult> {
        match &item.refusal {
            Some(Refusal::Skip(why)) => return Some(CaseResult::skipped(why.clone())),
            Some(Refusal::Fail(why)) => return Some(CaseResult::failed(why.clone())),
            None => {}
        }
        let is_teardown = item.role == Role::Teardown;
        let stopped = stop.all.is_cancelled() || (stop.cases.is_cancelled() && !is_teardown);
        if stopped {
            return Some(interrupted());
        }
        if progress.silent.get(&item.environment).is_some_and(|calls| *calls >= GIVE_UP) {
            let why = format!("not tried: {GIVE_UP} calls in a row had no answer");
            return Some(CaseResult::skipped(why));
        }
        let ended = |at: &usize| progress.results.get(*at).and_then(Option::as_ref);
        let failed = item.needs.iter().find(|at| ended(at).is_some_and(|result| !has_ended_well(result)));
        if let Some(at) = failed {
            let name = self.plan.items.get(*at).map_or("", |item| &item.case.name);
            return Some(CaseResult::skipped(format!("it needs `{name}`, which did not end well")));
        }
        let all_ended = item.after.iter().all(|at| ended(at).is_some());
        if is_teardown && all_ended && !progress.touched.contains(&item.suite) {
            return Some(CaseResult::skipped("nothing of its suite was run"));
        }
        None
    }

    /// Runs one case.
    async fn case(&self, at: usize, variables: &Variables, stop: &Stop) -> CaseResult {
        let Some(item) = self.plan.items.get(at) else { return CaseResult::failed("there is no such case") };
        let Some(tool) = &item.tool else { return CaseResult::failed("there is no such tool") };
        let Some(client) = self.clients.get(&item.environment) else {
            return CaseResult::failed("there is no connection to the proxy");
        };
        let filled = match self.arguments(item, tool, variables) {
            Ok(filled) => filled,
            Err(result) => return result,
        };
        let mut redactor = Redactor::default();
        for secret in &filled.secrets {
            client.engine().conceal(secret);
            redactor = redactor.with_secret_in_all_forms(secret);
        }
        let timeout = item.case.expect.within.or(self.timeout);
        let options =
            CallOptions { validate: None, response: (item.case.expect.schema != Some(false)).then_some(true), timeout };
        let cancel = if item.role == Role::Teardown { &stop.all } else { &stop.cases };
        let reply = match client.call(&tool.named.name, filled.arguments, options, cancel).await {
            Ok(reply) => reply,
            Err(MemoryError::Cancelled) => return interrupted(),
            Err(error) => return CaseResult::failed(redactor.text(&error.to_string())),
        };
        self.judge(item, tool, &reply, &redactor, variables)
    }

    fn arguments(&self, item: &Item, tool: &Tool, variables: &Variables) -> Result<Filled, CaseResult> {
        match &item.case.arguments {
            Arguments::Generated => match generate::arguments(tool) {
                Ok(arguments) => Ok(Filled { arguments, secrets: Vec::new() }),
                Err(why) => Err(CaseResult::skipped(why)),
            },
            Arguments::Written(map) => {
                let known = lock(variables).get(&item.suite).cloned().unwrap_or_default();
                fill::fill(map, &known, self.env.as_ref(), &item.case.folder).map_err(|why| match item.role {
                    // What was never made need not be cleaned up.
                    Role::Teardown => CaseResult::skipped(why),
                    _ => CaseResult::failed(why),
                })
            }
        }
    }

    /// Looks at the answer, and captures what later cases need.
    fn judge(
        &self,
        item: &Item,
        tool: &Tool,
        reply: &MemoryReply,
        redactor: &Redactor,
        variables: &Variables,
    ) -> CaseResult {
        let exchange = reply.exchange.as_deref();
        let drift = exchange.and_then(|exchange| exchange.drift.as_deref());
        let answer = Answer {
            status: exchange.and_then(|exchange| exchange.last_hop()).and_then(|hop| hop.status),
            is_error: reply.is_error,
            body: body(reply, tool),
            text: redactor.text(&said(&reply.result)),
            elapsed: exchange.map_or(Duration::ZERO, |exchange| exchange.elapsed),
            drift,
            redactor: redactor.clone(),
        };
        let documents = self.catalog.upstreams.get(tool.upstream).map(|upstream| &*upstream.documents);
        let mut result = match no_answer(item, reply, &answer) {
            Some(result) => result,
            None => {
                let mut checks = expect::judge(&item.case.expect, &answer, tool);
                for check in &mut checks {
                    check.why = redactor.text(&check.why);
                }
                let points = drift.map(|drift| DriftPoint::of(drift, tool.operation.messages.wrapped, documents));
                let has_drift = checks.iter().any(|check| check.drift);
                let mut points = points.filter(|_| has_drift).unwrap_or_default();
                for point in &mut points {
                    point.message = redactor.text(&point.message);
                }
                let mut result = CaseResult::of(checks, points);
                result.failure = reply.failure.filter(|_| result.verdict.is_bad());
                result
            }
        };
        result.status = answer.status;
        result.elapsed = answer.elapsed;
        result.exchange.clone_from(&reply.exchange);
        if result.verdict != Verdict::Fail {
            self.capture(item, &answer, redactor, variables, &mut result);
        }
        result
    }

    fn capture(
        &self,
        item: &Item,
        answer: &Answer<'_>,
        redactor: &Redactor,
        variables: &Variables,
        result: &mut CaseResult,
    ) {
        for capture in &item.case.captures {
            match expect::capture(capture, answer) {
                Ok(value) => {
                    let mut variables = lock(variables);
                    variables.entry(item.suite.clone()).or_default().insert(capture.name.clone(), value);
                }
                Err(why) => {
                    result.verdict = Verdict::Fail;
                    result.why = redactor.text(&format!("`{}` is not captured: {why}", capture.name));
                    return;
                }
            }
        }
    }
}

impl Progress {
    fn begin(&mut self, at: usize) {
        if let Some(started) = self.started.get_mut(at) {
            *started = true;
            self.waiting = self.waiting.saturating_sub(1);
        }
    }

    fn end(&mut self, at: usize, result: CaseResult, tell: &mut impl FnMut(Event)) {
        let result = Arc::new(result);
        if let Some(slot) = self.results.get_mut(at) {
            *slot = Some(result.clone());
        }
        tell(Event::Ended(at, result));
    }

    /// A call has ended: was there an answer?
    fn heard(&mut self, item: &Item, result: &CaseResult) {
        let silent = self.silent.entry(item.environment.clone()).or_default();
        match result.failure {
            Some(FailureKind::Unreachable | FailureKind::TimedOut) => *silent += 1,
            _ if result.status.is_some() => *silent = 0,
            _ => {}
        }
    }

    fn is_ready(&self, item: &Item) -> bool {
        item.needs.iter().chain(&item.after).all(|at| self.results.get(*at).is_some_and(Option::is_some))
    }
}

/// Others may build on it: it gave what it should.
fn has_ended_well(result: &CaseResult) -> bool {
    matches!(result.verdict, Verdict::Pass | Verdict::Drift)
}

fn interrupted() -> CaseResult {
    CaseResult { interrupted: true, ..CaseResult::skipped("the run was interrupted") }
}

/// The result of a call that the API never answered; no expectation can be met then.
fn no_answer(item: &Item, reply: &MemoryReply, answer: &Answer<'_>) -> Option<CaseResult> {
    let kind = reply.failure?;
    let expected = item.case.expect.is_error == Some(true) && item.case.expect.status.is_empty();
    match kind {
        FailureKind::TimedOut if item.case.expect.within.is_some() => {
            let within = item.case.expect.within.unwrap_or_default();
            Some(CaseResult::failed(format!("there was no answer within {}", crate::proxy::units::shown(within))))
        }
        FailureKind::Unreachable | FailureKind::TimedOut | FailureKind::Internal | FailureKind::Cancelled => {
            Some(CaseResult { failure: Some(kind), ..CaseResult::failed(&answer.text) })
        }
        FailureKind::Authentication if answer.status.is_none() => {
            Some(CaseResult { failure: Some(kind), ..CaseResult::failed(&answer.text) })
        }
        FailureKind::Arguments if !expected => {
            Some(CaseResult { failure: Some(kind), ..CaseResult::failed(&answer.text) })
        }
        FailureKind::Arguments | FailureKind::Authentication | FailureKind::Tool => None,
    }
}

/// The texts of a result.
fn said(result: &Json) -> String {
    let texts = result.get("content").and_then(Json::as_array).into_iter().flatten();
    let texts: Vec<&str> = texts.filter_map(|content| content.get("text").and_then(Json::as_str)).collect();
    texts.join(" ")
}

/// The answer as JSON: for a success what the client gets, for an error what the API said.
fn body(reply: &MemoryReply, tool: &Tool) -> Option<Node> {
    let parse = |text: &str| serde_json::from_str::<Json>(text).ok();
    let content = || reply.result.get("content").and_then(Json::as_array).into_iter().flatten();
    let texts = || content().filter_map(|content| content.get("text").and_then(Json::as_str)).find_map(parse);
    let structured = || {
        let value = reply.result.get("structuredContent")?;
        if tool.operation.messages.wrapped { value.get("result").cloned() } else { Some(value.clone()) }
    };
    let received = || {
        let hop = reply.exchange.as_deref()?.last_hop()?;
        parse(std::str::from_utf8(&hop.response_body.bytes).ok()?)
    };
    let found = if reply.is_error { received() } else { texts().or_else(structured) };
    found.map(from_json)
}

fn lock(variables: &Variables) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, HashMap<String, Json>>> {
    // A value is inserted whole or not at all.
    variables.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Arguments that a case would send, for people: variables and references as they are written.
pub fn written(item: &Item) -> Option<Map<String, Json>> {
    match &item.case.arguments {
        Arguments::Written(map) => Some(map.clone()),
        Arguments::Generated => item.tool.as_ref().and_then(|tool| generate::arguments(tool).ok()),
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
