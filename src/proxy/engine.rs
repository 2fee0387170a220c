//! What is served, who is told when it changes, and the calls that run.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde_json::{Map, Value as Json};
use tokio::sync::{Notify, watch};

use super::isolate::isolated;
use super::job::{Job, Made, encode};
use super::record::Record;
use super::served::{Served, View};
use super::tap::Tap;
use super::upstream::{FailureKind, Overrides, SettingsError};
use crate::wire::{self, CallResult, HttpRequest};
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

    pub(super) fn concealed(&self) -> wire::Redactor {
        self.concealed.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A call begins.
    pub(super) fn enter(&self) {
        self.active.fetch_add(1, Ordering::AcqRel);
    }

    /// A call has ended.
    pub(super) fn leave(&self) {
        if self.active.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.idle.notify_waiters();
        }
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
        let redactor = upstream.known().clone().with_arguments(tool, &wire::to_value(arguments));
        Ok(upstream.preview(&request, redactor))
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
        let given = Json::Object(arguments.unwrap_or_default());
        let upstream = served.upstream(&entry.tool).cloned();
        let known = upstream.as_ref().map(|upstream| upstream.known().clone()).unwrap_or_default();
        let redactor = known.with_arguments(&entry.tool, &given);
        let record = Record::begin(self, name, &given, &redactor, caller);
        let made = if self.closing.load(Ordering::Acquire) {
            Made::failure(FailureKind::Cancelled, "The proxy is shutting down; nothing was sent.", redactor)
        } else {
            let job = Job { entry, upstream, options, served, redactor: redactor.clone() };
            match isolated(job.run(given)).await {
                Ok(made) => made,
                Err(_) => Made::failure(
                    FailureKind::Internal,
                    "This call failed inside the proxy, which is a defect of toolscope. Other calls are not affected.",
                    redactor,
                ),
            }
        };
        Ok(record.end(made))
    }
}
