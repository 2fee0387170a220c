//! The proxy within the program: made when it is first needed, served over HTTP when it is wanted, kept up to date by loads.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::sync::CancellationToken;

use super::app::Msg;
use super::app::call::{CallJob, Ending, JudgeJob, Judged, Outcome, judge};
use super::app::wire::Serving;
use super::lock::lock;
use super::outlook::Outlook;
use super::runtime::Reply;
use super::smoking::Smokes;
use crate::proxy::serve::{HttpOptions, HttpServer, LeftOut, client_configs, own_command};
use crate::proxy::{CallOptions, Conflicts, Engine, Memory, MemoryError, MemoryReply, Mock, Overrides, View};
use crate::workspace::{Snapshot, Workspace, shown_arguments};

/// How often a call that runs says how long it has been running.
const TICK: Duration = Duration::from_millis(100);
/// News of the record are gathered for as long.
const GATHER: Duration = Duration::from_millis(50);
/// Calls that run when the proxy is told to stop may take as long.
const DRAIN: Duration = Duration::from_secs(3);

/// What to do about names that are claimed more than once.
const WAY_OUT: &str = "2 shows them; rename, or set naming.conflict_resolution";

/// What was loaded, for the proxy.
pub(super) type Loaded = (Workspace, Arc<Snapshot>);

struct Host {
    engine: Arc<Engine>,
    /// The program's own client, once it was needed.
    client: Arc<tokio::sync::Mutex<Option<Arc<Memory>>>>,
    mock: Option<Mock>,
    server: Option<HttpServer>,
}

/// The proxy and the calls that run.
#[derive(Default)]
pub(super) struct Hosting {
    pub(super) outlook: Outlook,
    runtime: Mutex<Option<Runtime>>,
    host: Mutex<Option<Host>>,
    calls: Mutex<HashMap<u64, CancellationToken>>,
    pub(super) smokes: Mutex<Smokes>,
    is_watched: AtomicBool,
}

impl Drop for Hosting {
    fn drop(&mut self) {
        // The program may end within another runtime, where none may be waited for.
        if let Some(runtime) = lock(&self.runtime).take() {
            runtime.shutdown_background();
        }
    }
}

impl Hosting {
    /// With calls that go to an environment, or to a mock.
    pub(super) fn new(outlook: Outlook) -> Self {
        Self {
            outlook,
            runtime: Mutex::default(),
            host: Mutex::default(),
            calls: Mutex::default(),
            is_watched: AtomicBool::default(),
            smokes: Mutex::default(),
        }
    }

    pub(super) fn handle(&self) -> Result<Handle, String> {
        let mut runtime = lock(&self.runtime);
        if let Some(runtime) = &*runtime {
            return Ok(runtime.handle().clone());
        }
        let made =
            Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(|error| error.to_string())?;
        Ok(runtime.insert(made).handle().clone())
    }

    /// The engine; it is made when there is none. The demo has no API but its mock.
    pub(super) fn engine(&self, loaded: &Loaded) -> Result<Arc<Engine>, String> {
        let mut host = lock(&self.host);
        if let Some(host) = &*host {
            return Ok(host.engine.clone());
        }
        let (workspace, snapshot) = loaded;
        let handle = self.handle()?;
        let mock = if self.outlook.is_mocked(workspace) {
            let started = handle.block_on(Mock::local(&snapshot.catalog));
            Some(started.map_err(|error| error.to_string())?)
        } else {
            None
        };
        let environment = self.outlook.environment.clone();
        let overrides = Overrides { environment, mock: mock.as_ref().map(Mock::url), ..Overrides::default() };
        // Connections are made on the runtime that sends.
        let _inside = handle.enter();
        let engine = Engine::new(workspace, snapshot, overrides).map_err(|error| error.to_string())?;
        Ok(host.insert(Host { engine, client: Arc::default(), mock, server: None }).engine.clone())
    }

    /// The proxy takes over what was loaded; clients are told when their lists change.
    ///
    /// # Errors
    /// Why it cannot; it keeps what it had.
    pub(super) fn reloaded(&self, workspace: &Workspace, snapshot: &Snapshot) -> Result<(), String> {
        let host = lock(&self.host);
        let Some(host) = &*host else { return Ok(()) };
        if host.server.is_some() {
            refuse(snapshot)?;
        }
        let handle = self.handle()?;
        let _inside = handle.enter();
        host.engine.replace(workspace, snapshot).map_err(|error| error.to_string())?;
        if let Some(mock) = &host.mock {
            mock.replace(&snapshot.catalog);
        }
        Ok(())
    }

    /// Says what is to be said of arguments.
    pub(super) fn judge(&self, loaded: Option<&Loaded>, job: &JudgeJob) -> Judged {
        judge::judge(job, |tool, arguments| {
            let loaded = loaded.ok_or("nothing is loaded")?;
            Ok(self.engine(loaded)?.preview(tool, arguments, false))
        })
    }

    /// Makes a call and tells of it.
    pub(super) fn call(&self, loaded: Option<&Loaded>, job: CallJob, reply: &Reply<Msg>) {
        let clock = Instant::now();
        let failed = |why: String| Outcome::none(&job.tool, Ending::Failed(why), clock.elapsed());
        let outcome = match loaded.ok_or_else(|| "nothing is loaded".to_owned()).and_then(|it| self.engine(it)) {
            Ok(engine) => {
                self.watch(&engine, reply);
                match self.answer(engine, &job, clock, reply) {
                    Ok(Ok(answer)) => {
                        Outcome::of(&job.tool, &answer.result, answer.exchange.as_deref(), clock.elapsed())
                    }
                    Ok(Err(MemoryError::Cancelled)) => Outcome::none(&job.tool, Ending::Cancelled, clock.elapsed()),
                    Ok(Err(error)) => failed(error.to_string()),
                    Err(why) => failed(why),
                }
            }
            Err(why) => failed(why),
        };
        lock(&self.calls).remove(&job.number);
        reply.send(Msg::Answered(job.number, Arc::new(outcome)));
    }

    /// Waits for a call, and tells how long it has been running.
    fn answer(
        &self,
        engine: Arc<Engine>,
        job: &CallJob,
        clock: Instant,
        reply: &Reply<Msg>,
    ) -> Result<Result<MemoryReply, MemoryError>, String> {
        let cancel = lock(&self.calls).entry(job.number).or_default().clone();
        let (sender, receiver) = channel();
        let (tool, arguments) = (job.tool.clone(), job.arguments.clone());
        let held = lock(&self.host).as_ref().map(|host| host.client.clone()).unwrap_or_default();
        self.handle()?.spawn(async move {
            let work = async {
                let client = connected(&held, engine).await?;
                let answer = client.call(&tool, arguments, CallOptions::default(), &cancel).await;
                if matches!(answer, Err(MemoryError::Connection(_))) {
                    // The next call has another one.
                    held.lock().await.take();
                }
                answer
            };
            // Whoever waited has gone when the program ends.
            let _ = sender.send(work.await);
        });
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) => {
                    reply.send(Msg::Ticked(job.number, clock.elapsed()));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("the call failed inside the program".to_owned()),
            }
        }
    }

    /// Gives up a call.
    pub(super) fn cancel(&self, number: u64) {
        // It may not have begun yet.
        lock(&self.calls).entry(number).or_default().cancel();
    }

    /// Tells of everything that is recorded, from now on.
    pub(super) fn watch(&self, engine: &Arc<Engine>, reply: &Reply<Msg>) {
        if self.is_watched.swap(true, Ordering::AcqRel) {
            return;
        }
        let Ok(handle) = self.handle() else { return };
        let (tap, reply) = (engine.tap().clone(), reply.clone());
        let mut news = tap.news();
        let (sender, receiver) = channel();
        handle.spawn(async move { while news.changed().await.is_ok() && sender.send(()).is_ok() {} });
        let gather = move || {
            while receiver.recv().is_ok() {
                std::thread::sleep(GATHER);
                while receiver.try_recv().is_ok() {}
                if !reply.send(Msg::Recorded(tap.messages())) {
                    break;
                }
            }
        };
        // Without the thread the record is not seen, but calls can be made.
        let _ = std::thread::Builder::new().name("record".to_owned()).spawn(gather);
    }

    /// Starts or stops to serve over HTTP.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn serve(
        &self,
        loaded: Option<&Loaded>,
        start: bool,
        reply: &Reply<Msg>,
    ) -> Result<Option<Arc<Serving>>, String> {
        if !start {
            return self.stop().map(|()| None);
        }
        let loaded = loaded.ok_or("nothing is loaded")?;
        refuse(&loaded.1)?;
        let engine = self.engine(loaded)?;
        self.watch(&engine, reply);
        let options = HttpOptions {
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            token: None,
            allowed_origins: Vec::new(),
            read_only: false,
        };
        let server = self.handle()?.block_on(HttpServer::start(engine, options)).map_err(|error| error.to_string())?;
        let endpoints = server.endpoints().to_vec();
        let clients = endpoints.first().map(|(name, url)| client_configs(name, url, &stdio_command(&loaded.0), false));
        let serving =
            Serving { address: server.address().to_string(), endpoints, clients: clients.unwrap_or_default() };
        if let Some(host) = &mut *lock(&self.host) {
            host.server = Some(server);
        }
        Ok(Some(Arc::new(serving)))
    }

    fn stop(&self) -> Result<(), String> {
        let server = lock(&self.host).as_mut().and_then(|host| Some((host.server.take()?, host.engine.clone())));
        let Some((server, engine)) = server else { return Ok(()) };
        self.handle()?.block_on(async {
            let deadline = Instant::now() + DRAIN;
            // The engine itself goes on: the program's own calls need it.
            while engine.active() > 0 && Instant::now() < deadline {
                tokio::time::sleep(GATHER).await;
            }
            server.stop().await;
        });
        Ok(())
    }
}

/// The program's own client, connected at the first call.
async fn connected(
    held: &tokio::sync::Mutex<Option<Arc<Memory>>>,
    engine: Arc<Engine>,
) -> Result<Arc<Memory>, MemoryError> {
    let mut held = held.lock().await;
    if let Some(client) = &*held {
        return Ok(client.clone());
    }
    let client = Arc::new(Memory::connect(engine, View::default()).await?);
    Ok(held.insert(client).clone())
}

/// Tools with one name that the policy leaves standing are not served, as `serve` does not.
fn refuse(snapshot: &Snapshot) -> Result<(), String> {
    match Conflicts::of(&snapshot.catalog).0.as_slice() {
        [] => Ok(()),
        [(name, _)] => Err(format!("not served: `{name}` is claimed more than once. {WAY_OUT}")),
        many => Err(format!("not served: {} names are claimed more than once. {WAY_OUT}", many.len())),
    }
}

/// How a client that starts its servers would start this program.
fn stdio_command(workspace: &Workspace) -> Vec<String> {
    // What only concerns the screen is left out.
    let mut command = own_command(&LeftOut { flags: &["--ascii"], options: &["--theme"] });
    command.insert(1, "serve".to_owned());
    if workspace.is_demo && !command.iter().any(|argument| argument == "--demo") {
        command.push("--demo".to_owned());
    }
    command.push("--stdio".to_owned());
    shown_arguments(command)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use std::path::Path;

    use super::*;
    use crate::workspace::{Options, load};

    /// Its names collide on purpose.
    fn demo() -> Loaded {
        let settings = vec![crate::workspace::SettingArg::parse("naming.conflict_resolution=suffix").unwrap()];
        let options = Options { demo: true, settings, ..Options::default() };
        let workspace = Workspace::resolve(&options, Path::new(".")).unwrap();
        let snapshot = Arc::new(load(&workspace, None).unwrap());
        (workspace, snapshot)
    }

    fn listen() -> (Reply<Msg>, std::sync::mpsc::Receiver<Msg>) {
        let (sender, receiver) = channel();
        let sender = Mutex::new(sender);
        (Reply::to(move |msg| lock(&sender).send(msg).is_ok()), receiver)
    }

    #[test]
    fn the_demo_is_called_on_its_mock_and_both_hops_are_recorded() {
        let (hosting, loaded) = (Hosting::default(), demo());
        let (reply, receiver) = listen();
        let arguments = serde_json::json!({"petId": 3}).as_object().unwrap().clone();
        let job = CallJob { number: 7, tool: "shop__getPet".to_owned(), arguments };
        hosting.call(Some(&loaded), job, &reply);
        let (mut answer, mut record) = (None, None);
        while answer.is_none() || record.is_none() {
            match receiver.recv_timeout(Duration::from_secs(20)).unwrap() {
                Msg::Answered(number, outcome) => answer = Some((number, outcome)),
                Msg::Recorded(messages) => record = Some(messages).filter(|all| all.iter().any(|it| it.is_call())),
                _ => {}
            }
        }
        let (number, outcome) = answer.unwrap();
        assert_eq!((number, outcome.status, outcome.is_error), (7, Some(200), false), "{}", outcome.text);
        let record = record.unwrap();
        let shown: Vec<(&str, usize)> = record.iter().map(|message| (message.title(), message.http.len())).collect();
        assert_eq!(shown, [("server/discover", 0), ("shop__getPet", 1)]);
        assert!(crate::proxy::jsonl(record.iter().map(|call| &**call)).contains("shop__getPet"));
    }

    #[test]
    fn a_call_that_waits_tells_its_time_and_is_given_up() {
        // Connections are taken in by the system, and nobody answers.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let document = format!(
            "openapi: 3.1.0\ninfo: {{title: A, version: '1'}}\nservers: [{{url: 'http://{}'}}]\n\
             paths: {{/a: {{get: {{operationId: a}}}}, /b: {{get: {{operationId: a}}}}}}\n",
            silent.local_addr().unwrap()
        );
        std::fs::write(folder.path().join("a.yaml"), document).unwrap();
        let options = Options { specs: vec![crate::workspace::SpecArg::parse("a.yaml")], ..Options::default() };
        let workspace = Workspace::resolve(&options, folder.path()).unwrap();
        let loaded = (workspace.clone(), Arc::new(load(&workspace, None).unwrap()));
        let hosting = Arc::new(Hosting::default());
        let (reply, receiver) = listen();
        let job =
            CallJob { number: 1, tool: loaded.1.catalog.tools[0].named.name.clone(), arguments: Default::default() };
        let calling = {
            let (hosting, loaded, reply) = (hosting.clone(), loaded.clone(), reply.clone());
            std::thread::spawn(move || hosting.call(Some(&loaded), job, &reply))
        };
        loop {
            match receiver.recv_timeout(Duration::from_secs(20)).unwrap() {
                Msg::Recorded(_) => {}
                Msg::Ticked(1, _) => break,
                other => panic!("{other:?}"),
            }
        }
        hosting.cancel(1);
        calling.join().unwrap();
        let last = receiver.try_iter().find_map(|msg| if let Msg::Answered(1, one) = msg { Some(one) } else { None });
        assert_eq!(last.unwrap().ending, Ending::Cancelled);
        let refused = hosting.serve(Some(&loaded), true, &reply).unwrap_err();
        assert!(refused.contains("`a` is claimed more than once. 2 shows them"), "{refused}");
    }

    #[test]
    fn the_proxy_starts_follows_a_load_and_stops() {
        let (hosting, loaded) = (Hosting::default(), demo());
        let (reply, _receiver) = listen();
        let serving = hosting.serve(Some(&loaded), true, &reply).unwrap().unwrap();
        assert!(serving.address.starts_with("127.0.0.1:"), "{}", serving.address);
        assert!(serving.clients.iter().any(|client| client.text.contains(&serving.address)));
        assert!(std::net::TcpStream::connect(&serving.address).is_ok());
        hosting.reloaded(&loaded.0, &loaded.1).unwrap();
        assert_eq!(hosting.serve(Some(&loaded), false, &reply), Ok(None));
        assert!(std::net::TcpStream::connect(&serving.address).is_err());
    }
}
