//! Calls: find the tool, check the arguments, encode, send, decode, record.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Map, Value as Json, json};
use tokio::sync::{Notify, watch};

use super::convert;
use super::isolate::isolated;
use super::served::{Entry, Served, View};
use super::tap::{Exchange, HttpHop, Tap, mask, shorten};
use super::upstream::{FailureKind, Overrides, Sent, SettingsError, UpstreamClient, asked, configured};
use crate::wire::{self, CallResult, Content, HttpRequest, HttpResponse, Options, Rules};
use crate::workspace::{Env, ProcessEnv, Snapshot, Workspace};

/// Who calls.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// Its name and version, and how it came.
    pub name: String,
}

/// What a caller within the process may say of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallOptions {
    /// Arguments are checked, or not, whatever the workspace says.
    pub validate: Option<bool>,
    /// The response is checked against the output schema, or not, whatever the workspace says.
    pub response: Option<bool>,
    /// The time that it has.
    pub timeout: Option<Duration>,
}

/// There is no tool of that name, or not for this caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no tool `{0}`")]
pub struct UnknownTool(pub String);

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The result as a client gets it.
    pub result: CallResult,
    /// What kind of failure it is.
    pub failure: Option<FailureKind>,
    /// Its number in the [`Tap`].
    pub exchange: u64,
}

/// What is served and the calls that run. Shared by all transports.
#[derive(Debug)]
pub struct Engine {
    served: RwLock<Arc<Served>>,
    overrides: Overrides,
    env: EnvBox,
    changed: watch::Sender<u64>,
    tap: Arc<Tap>,
    active: AtomicUsize,
    idle: Notify,
    closing: AtomicBool,
    /// Secrets among the arguments of calls within the process.
    concealed: RwLock<wire::Redactor>,
}

struct EnvBox(Arc<dyn Env + Send + Sync>);

impl std::fmt::Debug for EnvBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Env")
    }
}

impl Engine {
    /// An engine that serves a load, with the environment of this process.
    ///
    /// # Errors
    /// A setting of an upstream cannot be used.
    pub fn new(workspace: &Workspace, snapshot: &Snapshot, overrides: Overrides) -> Result<Arc<Self>, SettingsError> {
        Self::with_env(workspace, snapshot, overrides, Arc::new(ProcessEnv))
    }

    /// The same with another environment.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_env(
        workspace: &Workspace,
        snapshot: &Snapshot,
        overrides: Overrides,
        env: Arc<dyn Env + Send + Sync>,
    ) -> Result<Arc<Self>, SettingsError> {
        Self::beside(workspace, snapshot, overrides, env, Arc::default())
    }

    /// The same, with the record of another engine: the calls of both are in it.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn beside(
        workspace: &Workspace,
        snapshot: &Snapshot,
        overrides: Overrides,
        env: Arc<dyn Env + Send + Sync>,
        tap: Arc<Tap>,
    ) -> Result<Arc<Self>, SettingsError> {
        let served = Served::new(workspace, snapshot, &overrides, &env, None)?;
        Ok(Arc::new(Self {
            served: RwLock::new(Arc::new(served)),
            overrides,
            env: EnvBox(env),
            changed: watch::Sender::new(0),
            tap,
            active: AtomicUsize::new(0),
            idle: Notify::new(),
            closing: AtomicBool::new(false),
            concealed: RwLock::default(),
        }))
    }

    /// What is served now.
    pub fn served(&self) -> Arc<Served> {
        // The value is only ever replaced, so it is whole even after a panic.
        self.served.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Serves another load from now on; calls that run end with what they began with. Says whether clients see other
    /// lists; they have been told then.
    ///
    /// # Errors
    /// A setting cannot be used. What was served before stays.
    pub fn replace(&self, workspace: &Workspace, snapshot: &Snapshot) -> Result<bool, SettingsError> {
        let before = self.served();
        let next = Served::new(workspace, snapshot, &self.overrides, &self.env.0, Some(&before))?;
        let is_new = !next.lists_like(&before);
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
        if is_new {
            self.changed.send_modify(|generation| *generation += 1);
        }
        Ok(is_new)
    }

    /// Changes whenever clients see other lists.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The record of calls.
    pub fn tap(&self) -> &Arc<Tap> {
        &self.tap
    }

    /// A value that is masked in the record of every call from now on, in the forms that it has in texts, JSON and URLs.
    /// For arguments that are secrets, which no document marks as such.
    pub fn conceal(&self, secret: &str) {
        let mut concealed = self.concealed.write().unwrap_or_else(PoisonError::into_inner);
        *concealed = std::mem::take(&mut *concealed).with_secret_in_all_forms(secret);
    }

    fn concealed(&self) -> wire::Redactor {
        self.concealed.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls that run.
    pub fn active(&self) -> usize {
        self.active.load(Ordering::Acquire)
    }

    /// Refuses new calls and waits until none runs, or until the time is over. Says whether none runs.
    pub async fn drain(&self, limit: Duration) -> bool {
        self.closing.store(true, Ordering::Release);
        let deadline = tokio::time::Instant::now() + limit;
        loop {
            let idle = self.idle.notified();
            if self.active() == 0 {
                return true;
            }
            if tokio::time::timeout_at(deadline, idle).await.is_err() {
                return self.active() == 0;
            }
        }
    }

    /// The request that a call would send, secrets as `***`. Nothing is sent.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    pub fn preview(
        &self,
        tool: &crate::derive::Tool,
        arguments: &crate::document::Node,
        validate: bool,
    ) -> Result<HttpRequest, Vec<wire::ArgumentProblem>> {
        if validate {
            let problems = wire::validate(tool, arguments);
            if !problems.is_empty() {
                return Err(problems);
            }
        }
        let served = self.served();
        let Some(upstream) = served.upstream(tool) else { return Ok(HttpRequest::default()) };
        let request = encode(tool, None, upstream, arguments)?;
        Ok(upstream.preview(&request))
    }

    /// Calls a tool. Dropping the future ends the call.
    ///
    /// # Errors
    /// The view shows no tool of that name. Everything else that goes wrong is a result.
    pub async fn call(
        self: &Arc<Self>,
        view: &View,
        name: &str,
        arguments: Option<Map<String, Json>>,
        options: CallOptions,
        caller: &Caller,
    ) -> Result<Reply, UnknownTool> {
        let served = self.served();
        let entry = served.tool(view, name).ok_or_else(|| UnknownTool(name.to_owned()))?.clone();
        let record = Record::begin(self, name, arguments.as_ref(), caller);
        let made = if self.closing.load(Ordering::Acquire) {
            Made::failure(FailureKind::Cancelled, "The proxy is shutting down; nothing was sent.")
        } else {
            let job = Job { entry: entry.clone(), upstream: served.upstream(&entry.tool).cloned(), options, served };
            match isolated(job.run(arguments)).await {
                Ok(made) => made,
                Err(_) => Made::failure(
                    FailureKind::Internal,
                    "This call failed inside the proxy, which is a defect of toolscope. Other calls are not affected.",
                ),
            }
        };
        Ok(record.end(made))
    }
}

/// A call on its way into the record. One that is dropped before its end was cancelled, and is recorded as such.
struct Record<'a> {
    engine: &'a Engine,
    clock: Instant,
    exchange: Option<Exchange>,
}

impl<'a> Record<'a> {
    fn begin(engine: &'a Engine, name: &str, arguments: Option<&Map<String, Json>>, caller: &Caller) -> Self {
        engine.active.fetch_add(1, Ordering::AcqRel);
        let mut request = json!({"name": name, "arguments": arguments.cloned().unwrap_or_default()});
        let size = request.to_string().len() as u64;
        mask(&mut request);
        shorten(&mut request);
        let exchange = Exchange {
            id: engine.tap.number(),
            started: SystemTime::now(),
            tool: name.to_owned(),
            caller: caller.name.clone(),
            request,
            result: Json::Null,
            sizes: (size, 0),
            http: Vec::new(),
            elapsed: Duration::ZERO,
            failure: Some(FailureKind::Cancelled),
            is_error: true,
            drift: None,
        };
        Self { engine, clock: Instant::now(), exchange: Some(exchange) }
    }

    fn end(mut self, made: Made) -> Reply {
        let mut id = 0;
        if let Some(exchange) = &mut self.exchange {
            id = exchange.id;
            let mut result = serde_json::to_value(&made.result).unwrap_or_default();
            exchange.sizes.1 = result.to_string().len() as u64;
            mask(&mut result);
            shorten(&mut result);
            redact(&mut result, &made.redactor);
            redact(&mut exchange.request, &made.redactor);
            let concealed = self.engine.concealed();
            redact(&mut result, &concealed);
            redact(&mut exchange.request, &concealed);
            exchange.result = result;
            exchange.http = made.http;
            exchange.http.iter_mut().for_each(|hop| hop.mask(&concealed));
            exchange.failure = made.failure;
            exchange.is_error = made.result.is_error;
            exchange.drift = made.result.drift.clone().map(Arc::new);
        }
        Reply { result: made.result, failure: made.failure, exchange: id }
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        if let Some(mut exchange) = self.exchange.take() {
            exchange.elapsed = self.clock.elapsed();
            self.engine.tap.record(exchange);
        }
        if self.engine.active.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.engine.idle.notify_waiters();
        }
    }
}

fn encode(
    tool: &crate::derive::Tool,
    transforms: Option<Arc<wire::Transforms>>,
    upstream: &UpstreamClient,
    arguments: &crate::document::Node,
) -> Result<HttpRequest, Vec<wire::ArgumentProblem>> {
    let settings = upstream.settings();
    let options = Options { document_url: settings.document_url.clone(), transforms };
    wire::encode_with(tool, &settings.base_url, arguments, &options)
}

/// Does what may run a transform: for a tool that has one, away from the tasks that other calls wait on.
fn aside<T>(entry: &Entry, work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    let many = Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
    if many && entry.transforms_anything() { tokio::task::block_in_place(work) } else { work() }
}

fn redact(value: &mut Json, redactor: &wire::Redactor) {
    match value {
        Json::String(text) => *text = redactor.text(text),
        Json::Array(items) => items.iter_mut().for_each(|item| redact(item, redactor)),
        Json::Object(map) => map.values_mut().for_each(|item| redact(item, redactor)),
        _ => {}
    }
}

/// What a call made.
struct Made {
    result: CallResult,
    failure: Option<FailureKind>,
    http: Vec<HttpHop>,
    redactor: wire::Redactor,
}

impl Made {
    fn failure(kind: FailureKind, message: impl Into<String>) -> Self {
        Self::of(CallResult::failure(message), Some(kind))
    }

    fn of(result: CallResult, failure: Option<FailureKind>) -> Self {
        Self { result, failure, http: Vec::new(), redactor: wire::Redactor::default() }
    }
}

/// One call, with all that it needs: a reload meanwhile changes nothing for it.
struct Job {
    entry: Arc<Entry>,
    upstream: Option<Arc<UpstreamClient>>,
    options: CallOptions,
    served: Arc<Served>,
}

impl Job {
    async fn run(self, arguments: Option<Map<String, Json>>) -> Made {
        let tool = &self.entry.tool;
        let arguments = convert::arguments(arguments);
        let Some(upstream) = &self.upstream else {
            return Made::failure(FailureKind::Internal, "The tool belongs to no upstream.");
        };
        let settings = upstream.settings();
        if self.options.validate.unwrap_or(settings.validation.request) {
            let problems = self.entry.input().arguments(tool, &arguments);
            if !problems.is_empty() {
                return Made::of(CallResult::refused(&problems), Some(FailureKind::Arguments));
            }
        }
        let encoded = aside(&self.entry, || encode(tool, self.entry.transforms(), upstream, &arguments));
        let request = match encoded {
            Ok(request) => request,
            Err(problems) => return Made::of(CallResult::refused(&problems), Some(FailureKind::Arguments)),
        };
        let limit = self.options.timeout.unwrap_or(settings.timeout);
        let Sent { hops, outcome, redactor } = upstream.send(request, limit).await;
        let (mut result, failure) = match outcome {
            Ok(response) => self.decode(&response, upstream),
            Err(failure) => (CallResult::failure(failure.message), Some(failure.kind)),
        };
        if failure.is_some() {
            // What an API says of a refused credential may repeat it.
            for content in &mut result.content {
                if let Content::Text { text } = content {
                    *text = redactor.text(text);
                }
            }
        }
        Made { result, failure, http: hops, redactor }
    }

    fn decode(&self, response: &HttpResponse, upstream: &UpstreamClient) -> (CallResult, Option<FailureKind>) {
        let validation = &upstream.settings().validation;
        let checks = self.options.response.unwrap_or(validation.response);
        let rules = Rules {
            success_status: validation.success_status.clone(),
            fail_on_drift: validation.response && validation.response_fails,
            output: self.entry.output(),
            transforms: self.entry.transforms(),
        };
        let mut result = aside(&self.entry, || wire::decode(response, &self.entry.tool, &rules));
        if !checks {
            result.drift = None;
        }
        if !result.is_error {
            return (result, None);
        }
        if let Some(note) = self.note(response, upstream) {
            result.content.push(Content::text(note));
        }
        let kind = match response.status {
            401 | 403 | 407 => FailureKind::Authentication,
            _ => FailureKind::Tool,
        };
        (result, Some(kind))
    }

    /// What a person has to know besides what the API said.
    fn note(&self, response: &HttpResponse, upstream: &UpstreamClient) -> Option<String> {
        match response.status {
            401 | 403 => {
                let tool = &self.entry.tool;
                let document = &self.served.catalog.upstreams.get(tool.upstream)?.documents.main.root;
                let asked = asked(document, &tool.operation.node);
                let asked = if asked.is_empty() { "nothing".to_owned() } else { asked.join(", or ") };
                let configured = configured(upstream.settings());
                Some(format!("The document asks for {asked}. Configured for this upstream: {configured}."))
            }
            300..=399 if response.status != 304 => {
                let to = response.header("location")?;
                let shown = wire::Redactor::default().url(to);
                Some(format!(
                    "The API redirects to {shown}. That was not followed: only the same origin is, and only where the \
                     method stays. If that is where the API is now, change the base URL."
                ))
            }
            _ => None,
        }
    }
}
