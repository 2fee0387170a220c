//! An API asked step by step whether it can be reached, so that what fails has a name.
//!
//! ```text
//! configuration ─▶ secrets ─▶ resolve ─▶ connect ─▶ tls ─▶ http ─▶ auth ─▶ call
//! ```
//!
//! The last three go through the client of the proxy with its settings, the very last as a call of a tool. A step that
//! fails ends the examination; what comes after it is left out.

mod network;
mod probe;
mod settings;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use url::Url;

use crate::proxy::{Engine, UpstreamClient};

/// A step, in the order in which they are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepName {
    /// There is a base URL, and what the settings name is there.
    Configuration,
    /// Every secret that is referred to has a value.
    Secrets,
    /// The host's name has an address.
    Resolve,
    /// The address takes a connection.
    Connect,
    /// The connection is made secure.
    Tls,
    /// The server answers HTTP.
    Http,
    /// The credentials are taken.
    Auth,
    /// A tool that changes nothing gives a result.
    Call,
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should.
    Ok,
    /// It went, and something is to be known.
    Warning,
    /// It did not.
    Failed,
    /// There was nothing to do.
    Skipped,
}

/// One step and what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub name: StepName,
    /// How it went.
    pub state: State,
    /// What was seen; no secret is in it.
    pub seen: String,
    /// What to do.
    pub remedy: Option<String>,
    /// The time it took.
    pub elapsed: Duration,
}

/// What was found out about one upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// The upstream.
    pub upstream: String,
    /// Where it is; empty when that is not known.
    pub base_url: String,
    /// The steps that were taken.
    pub steps: Vec<Step>,
}

impl StepName {
    /// The stable word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Secrets => "secrets",
            Self::Resolve => "resolve",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Http => "http",
            Self::Auth => "auth",
            Self::Call => "call",
        }
    }
}

impl Step {
    pub(super) fn ok(name: StepName, seen: impl Into<String>) -> Self {
        Self { name, state: State::Ok, seen: seen.into(), remedy: None, elapsed: Duration::ZERO }
    }

    pub(super) fn skipped(name: StepName, seen: impl Into<String>) -> Self {
        Self { state: State::Skipped, ..Self::ok(name, seen) }
    }

    pub(super) fn warning(name: StepName, seen: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Warning, remedy: Some(remedy.into()), ..Self::ok(name, seen) }
    }

    pub(super) fn failed(name: StepName, seen: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Failed, remedy: Some(remedy.into()), ..Self::ok(name, seen) }
    }

    fn since(self, start: Instant) -> Self {
        Self { elapsed: start.elapsed(), ..self }
    }
}

impl Examination {
    /// An upstream whose settings cannot be used at all.
    pub fn unusable(upstream: &str, why: &str) -> Self {
        let step =
            Step::failed(StepName::Configuration, why, "Mend it in the workspace file, or leave the option out.");
        Self { upstream: upstream.to_owned(), base_url: String::new(), steps: vec![step] }
    }

    /// The step that failed.
    pub fn failed(&self) -> Option<&Step> {
        self.steps.iter().find(|step| step.state == State::Failed)
    }
}

/// One upstream of what an engine serves, by its place in the catalog. No step takes longer than `limit`. A mock is sent
/// no credentials, so none are asked for.
pub async fn examine(engine: &Arc<Engine>, at: usize, limit: Duration, is_mock: bool) -> Examination {
    let served = engine.served();
    let Some(client) = served.upstreams().get(at).cloned() else { return Examination::unusable("", "it is not there") };
    let base_url = client.settings().base_url.clone();
    let mut found = Examination { upstream: client.settings().name.clone(), base_url, steps: Vec::new() };
    let patient = Patient { engine, client: &client, at, limit, is_mock };
    let step = |found: &mut Examination, step: Step| {
        let goes_on = step.state != State::Failed;
        found.steps.push(step);
        goes_on
    };
    let start = Instant::now();
    let (first, address) = settings::configuration(&patient);
    if !step(&mut found, first.since(start)) {
        return found;
    }
    let Some(address) = address else { return found };
    if found.base_url.is_empty() || Url::parse(&found.base_url).is_err() {
        found.base_url = address.to_string();
    }
    if !step(&mut found, settings::secrets(&patient)) {
        return found;
    }
    for next in [StepName::Resolve, StepName::Connect, StepName::Http] {
        let start = Instant::now();
        let steps = match next {
            StepName::Resolve => vec![network::resolve(&patient, &address).await],
            StepName::Connect => vec![network::connect(&patient, &address).await],
            _ => probe::http(&patient, &address).await,
        };
        for taken in steps {
            if !step(&mut found, taken.since(start)) {
                return found;
            }
        }
    }
    let start = Instant::now();
    for taken in probe::call(&patient).await {
        if !step(&mut found, taken.since(start)) {
            return found;
        }
    }
    found
}

/// What is examined, and with what.
struct Patient<'a> {
    engine: &'a Arc<Engine>,
    client: &'a Arc<UpstreamClient>,
    at: usize,
    limit: Duration,
    is_mock: bool,
}
