//! Smoke runs of the screen: which cases there are, and running them away from it.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::app::Msg;
use super::app::smoke::{Place, PlanJob, Planned, SmokeJob};
use super::hosting::{Hosting, Loaded};
use super::lock::lock;
use super::outlook::Outlook;
use super::runtime::Reply;
use crate::proxy::{Engine, Memory, Mock, Overrides, Tap, View};
use crate::session::{CaseResult, Clients, Event, Plan, Policy, Run, Selection, Stop, generate, read};
use crate::workspace::config::Environment;
use crate::workspace::{ProcessEnv, Workspace};

/// News of a run are gathered for as long.
const GATHER: Duration = Duration::from_millis(60);
/// Cases at one time.
const JOBS: usize = 8;

fn words(error: &crate::workspace::LoadError) -> String {
    let file = error.file.as_deref().unwrap_or_default();
    let line = error.line.map(|line| format!(":{line}")).unwrap_or_default();
    let message = error.message.lines().next().unwrap_or_default();
    if file.is_empty() { message.to_owned() } else { format!("{file}{line}: {message}") }
}

/// Where cases can be run, where the program's own calls go first.
fn places(workspace: &Workspace, outlook: &Outlook) -> Vec<Place> {
    if outlook.is_mocked(workspace) {
        return vec![Place::Mock];
    }
    let environment = |it: &Environment| Place::Environment { name: it.name.clone(), production: it.production };
    let (own, others): (Vec<&Environment>, Vec<&Environment>) =
        workspace.environments.iter().partition(|it| outlook.environment.as_ref() == Some(&it.name));
    let own = own.first().map_or(Place::Workspace, |own| environment(own));
    [own, Place::Mock].into_iter().chain(others.into_iter().map(environment)).collect()
}

impl Hosting {
    /// The cases of a workspace: its suites, and one for every tool that changes nothing.
    pub(super) fn planned(&self, loaded: Option<&Loaded>, job: &PlanJob) -> Result<Arc<Planned>, String> {
        let (workspace, snapshot) = loaded.ok_or("nothing is loaded")?;
        let places = places(workspace, &self.outlook);
        let mock = job.place == Place::Mock || places == [Place::Mock];
        let (mut suites, fault) = match read::of_workspace(workspace) {
            Ok(suites) => (suites, None),
            Err(error) => (Vec::new(), Some(words(&error))),
        };
        suites.push(generate::suite(&snapshot.catalog, mock));
        let policy = Policy {
            mock,
            environments: workspace.environments.clone(),
            environment: match &job.place {
                Place::Environment { name, .. } => Some(name.clone()),
                Place::Workspace => self.outlook.environment.clone(),
                Place::Mock => None,
            },
            // The person is asked before the first run that writes.
            allow_writes: true,
            allow_production: false,
            how_writes: String::new(),
            how_production: "`toolscope smoke --allow-production` allows it".to_owned(),
        };
        let plan = Plan::new(&read::distinct(suites), &snapshot.catalog, &policy, &Selection::default());
        Ok(Arc::new(Planned { plan, places, fault }))
    }

    /// Runs cases and tells of them.
    pub(super) fn smoke(&self, loaded: Option<&Loaded>, job: &SmokeJob, reply: &Reply<Msg>) {
        let ended = loaded.ok_or_else(|| "nothing is loaded".to_owned()).and_then(|it| self.smoked(it, job, reply));
        lock(&self.smokes).remove(&job.number);
        reply.send(Msg::SmokeEnded(job.number, ended));
    }

    fn smoked(&self, loaded: &Loaded, job: &SmokeJob, reply: &Reply<Msg>) -> Result<(), String> {
        let stop = lock(&self.smokes).entry(job.number).or_default().clone();
        let own = self.engine(loaded)?;
        self.watch(&own, reply);
        let (workspace, snapshot) = (loaded.0.clone(), loaded.1.clone());
        let (plan, place) = (job.plan.clone(), job.place.clone());
        let always_mock = self.outlook.is_mocked(&workspace);
        let (sender, receiver) = channel();
        let handle = self.handle()?;
        let finished = handle.spawn(async move {
            let mock = match place == Place::Mock && !always_mock {
                true => {
                    let started = Mock::local(&snapshot.catalog).await;
                    Some(started.map_err(|error| error.to_string())?)
                }
                false => None,
            };
            let url = mock.as_ref().map(Mock::url);
            let clients = clients(&workspace, &snapshot, &plan, url, &own).await?;
            let catalog = snapshot.catalog.clone();
            let env = Arc::new(ProcessEnv);
            let run = Run { plan, catalog, clients: Arc::new(clients), env, jobs: JOBS, timeout: None };
            // Whoever listened has gone when the program ends.
            run.run(&stop, |event| drop(sender.send(event))).await;
            Ok::<(), String>(())
        });
        let mut news: Vec<(usize, Option<Arc<CaseResult>>)> = Vec::new();
        loop {
            match receiver.recv_timeout(GATHER) {
                Ok(event) => {
                    news.push(told(event));
                    std::thread::sleep(GATHER);
                    news.extend(receiver.try_iter().map(told));
                    if !reply.send(Msg::SmokeWentOn(job.number, std::mem::take(&mut news))) {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        handle.block_on(finished).map_err(|_| "it failed inside the program".to_owned())?
    }

    /// No more cases of a run; asked for again, no teardown either.
    pub(super) fn stop_smoke(&self, number: u64) {
        // It may not have begun yet.
        let mut smokes = lock(&self.smokes);
        let stop = smokes.entry(number).or_default();
        if stop.cases.is_cancelled() {
            stop.all.cancel();
        }
        stop.cases.cancel();
    }
}

fn told(event: Event) -> (usize, Option<Arc<CaseResult>>) {
    match event {
        Event::Started(at) => (at, None),
        Event::Ended(at, result) => (at, Some(result)),
    }
}

/// Connections for the environments of a plan; their calls are in the record of the program's own engine.
async fn clients(
    workspace: &Workspace,
    snapshot: &Arc<crate::workspace::Snapshot>,
    plan: &Plan,
    mock: Option<String>,
    own: &Arc<Engine>,
) -> Result<Clients, String> {
    let tap: Arc<Tap> = own.tap().clone();
    let mut clients = Clients::new();
    for environment in plan.environments() {
        let engine = match (&environment, &mock) {
            (None, None) => own.clone(),
            _ => {
                let overrides =
                    Overrides { environment: environment.clone(), mock: mock.clone(), ..Overrides::default() };
                let made = Engine::beside(workspace, snapshot, overrides, Arc::new(ProcessEnv), tap.clone());
                made.map_err(|error| error.to_string())?
            }
        };
        let client = Memory::connect(engine, View::default()).await.map_err(|error| error.to_string())?;
        clients.insert(environment, Arc::new(client));
    }
    Ok(clients)
}

/// Runs that go on, by number.
pub(super) type Smokes = std::collections::HashMap<u64, Stop>;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::workspace::Options;

    #[test]
    fn cases_run_first_where_the_programs_own_calls_go() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.yaml"), "openapi: 3.1.0\n").unwrap();
        let file = "upstreams: [{name: a, openapi: {source: a.yaml}}]\n\
                    environments: [{name: test}, {name: live, production: true}]\n";
        std::fs::write(folder.path().join("toolscope.yaml"), file).unwrap();
        let workspace = Workspace::resolve(&Options::default(), folder.path()).unwrap();
        let test = Place::Environment { name: "test".to_owned(), production: false };
        let live = Place::Environment { name: "live".to_owned(), production: true };
        let cases = [
            (None, false, vec![Place::Workspace, Place::Mock, test.clone(), live.clone()]),
            (Some("live"), false, vec![live, Place::Mock, test]),
            (Some("test"), true, vec![Place::Mock]),
        ];
        for (environment, mock, expected) in cases {
            let outlook = Outlook { environment: environment.map(str::to_owned), mock };
            assert_eq!(places(&workspace, &outlook), expected, "{environment:?} {mock}");
        }
    }
}
