//! `smoke`: many calls through the embedded proxy, and what came of each.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::args::{Common, SmokeArgs, SmokeFormat};
use super::call::unusable;
use super::failure::{Failure, exit};
use super::output::{Output, harmless, say};
use super::progress::Progress;
use super::smoke_report::{self as report, Lines};
use super::{current_folder, load, own_mock, signals};
use crate::proxy::{Engine, Memory, MemoryError, Mock, Overrides, Tap, View, units};
use crate::session::generate::GENERATED;
use crate::session::{
    CaseResult, Clients, Ending, Event, Plan, Policy, Run, Selection, Stop, Suite, Totals, failed, generate, read,
};
use crate::workspace::config::nearest;
use crate::workspace::{ProcessEnv, Snapshot, Workspace};

/// Runs the cases and reports.
pub(super) fn run(args: &SmokeArgs) -> Result<u8, Failure> {
    let given = Given::of(args)?;
    let (workspace, snapshot) = load(&given.common)?;
    let mock = own_mock::is_wanted(args.mock, &workspace, args.env.as_ref());
    known_environment(args, &workspace)?;
    let suites = suites(args, &given, &workspace, &snapshot, mock)?;
    let state = failed::path(&workspace);
    let selection = selection(args, state.as_deref())?;
    let policy = Policy {
        mock,
        environments: workspace.environments.clone(),
        environment: args.env.clone(),
        allow_writes: args.allow_writes,
        allow_production: args.allow_production,
        how_writes: "pass --allow-writes".to_owned(),
        how_production: "--allow-production allows it for this run".to_owned(),
    };
    let plan = Plan::new(&suites, &snapshot.catalog, &policy, &selection);
    if plan.asked == 0 {
        return nothing(args);
    }
    let plan = Arc::new(plan);
    let clock = Instant::now();
    let mut out = Output::stdout(args.common.color);
    let results = signals::runtime()?.block_on(drive(args, &workspace, &snapshot, &plan, mock, &mut out))?;
    let elapsed = clock.elapsed();
    match args.format {
        SmokeFormat::Human => report::summary(&mut out, &plan, &results)?,
        SmokeFormat::Json => report::json(&mut out, &plan, &results, elapsed)?,
        SmokeFormat::Junit => report::junit(&mut out, &plan, &results, elapsed)?,
    }
    out.finish()?;
    keep(state.as_deref(), &plan, &results);
    conclude(args, &results, elapsed);
    Ok(exit_code(&results))
}

fn exit_code(results: &[Arc<CaseResult>]) -> u8 {
    match Ending::of(results.iter().map(|result| &**result)) {
        Ending::Passed => exit::OK,
        Ending::Failed => exit::FINDINGS,
        Ending::Unreachable => exit::UNREACHABLE,
        Ending::Authentication => exit::AUTHENTICATION,
        Ending::Interrupted => exit::INTERRUPTED,
    }
}

/// The words on the command line, told apart.
struct Given {
    common: Common,
    files: Vec<PathBuf>,
    /// Names of suites.
    names: Vec<String>,
}

impl Given {
    fn of(args: &SmokeArgs) -> Result<Self, Failure> {
        let folder = current_folder()?;
        let mut given = Self { common: args.common.clone(), files: Vec::new(), names: Vec::new() };
        given.files.extend(args.suite.iter().map(|path| folder.join(path)));
        given.common.specs.clear();
        for text in &args.common.specs {
            let path = folder.join(text);
            if read::is_suite(&path) {
                given.files.push(path);
            } else if is_name(text) && !path.exists() {
                given.names.push(text.clone());
            } else {
                given.common.specs.push(text.clone());
            }
        }
        Ok(given)
    }

    fn names_any(&self) -> bool {
        !self.files.is_empty() || !self.names.is_empty()
    }
}

/// Can it be the name of a suite, and nothing that is read?
fn is_name(text: &str) -> bool {
    text != "-" && !text.contains(['/', '\\', '=', ':'])
}

fn known_environment(args: &SmokeArgs, workspace: &Workspace) -> Result<(), Failure> {
    let Some(wanted) = &args.env else { return Ok(()) };
    let names: Vec<&str> = workspace.environments.iter().map(|environment| environment.name.as_str()).collect();
    if names.contains(&wanted.as_str()) {
        return Ok(());
    }
    let remedy = match nearest(wanted, names.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None if names.is_empty() => "The workspace file names its environments under `environments`.".to_owned(),
        None => format!("There are {}.", names.join(", ")),
    };
    Err(Failure::usage(format!("there is no environment `{wanted}`"), remedy))
}

/// The suites that are to be run.
fn suites(
    args: &SmokeArgs,
    given: &Given,
    workspace: &Workspace,
    snapshot: &Snapshot,
    mock: bool,
) -> Result<Vec<Suite>, Failure> {
    let fault = |error: Box<crate::workspace::LoadError>| Failure::Load(error);
    let mut suites = read::of_workspace(workspace).map_err(fault)?;
    let folder = current_folder()?;
    if given.names_any() {
        let known: HashSet<String> = suites.iter().map(|suite| suite.name.to_string()).collect();
        for name in &given.names {
            if name != GENERATED && !known.contains(name) {
                return Err(unknown(name, &known));
            }
        }
        suites.retain(|suite| given.names.iter().any(|name| *name == *suite.name));
    }
    for path in &given.files {
        suites.push(read::file(path, &folder).map_err(fault)?);
    }
    let generated = !given.names_any() || given.names.iter().any(|name| name == GENERATED);
    if generated && !args.no_generated {
        suites.push(generate::suite(&snapshot.catalog, mock));
    }
    Ok(read::distinct(suites))
}

fn unknown(name: &str, known: &HashSet<String>) -> Failure {
    let mut names: Vec<&str> = known.iter().map(String::as_str).chain([GENERATED]).collect();
    names.sort_unstable();
    let remedy = match nearest(name, names.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => format!("The suites are {}.", names.join(", ")),
    };
    Failure::usage(format!("`{name}` is neither a file nor a suite"), remedy)
}

fn selection(args: &SmokeArgs, state: Option<&Path>) -> Result<Selection, Failure> {
    let only = match args.failed {
        true => match state.and_then(failed::recall) {
            Some(failed) => Some(failed),
            None => {
                return Err(Failure::usage("no run of this workspace is known", "Run it without --failed first."));
            }
        },
        false => None,
    };
    Ok(Selection { filter: args.only.clone().unwrap_or_default(), only })
}

/// There is no case to be run: fine when nothing had failed, else nobody should take it for a success.
fn nothing(args: &SmokeArgs) -> Result<u8, Failure> {
    if args.failed && args.only.is_none() {
        if args.format != SmokeFormat::Human {
            let mut out = Output::stdout(args.common.color);
            match args.format {
                SmokeFormat::Json => report::json(&mut out, &Plan::default(), &[], Duration::ZERO)?,
                _ => report::junit(&mut out, &Plan::default(), &[], Duration::ZERO)?,
            }
            out.finish()?;
        }
        say("nothing failed last time");
        return Ok(exit::OK);
    }
    Err(match &args.only {
        Some(filter) => Failure::usage(format!("no case fits `{filter}`"), "Leave out --only to see all cases."),
        None => Failure::usage(
            "there are no cases: no suite is named, and no tool changes nothing",
            "Write a suite, and pass it or name it under `suites` in the workspace file.",
        ),
    })
}

/// Connects, runs, and shows what happens.
async fn drive(
    args: &SmokeArgs,
    workspace: &Workspace,
    snapshot: &Snapshot,
    plan: &Arc<Plan>,
    mock: bool,
    out: &mut Output,
) -> Result<Vec<Arc<CaseResult>>, Failure> {
    let mock = own_mock::start(mock, snapshot).await?;
    let clients = clients(workspace, snapshot, plan, mock.as_ref().map(Mock::url)).await?;
    let run = Run {
        plan: plan.clone(),
        catalog: snapshot.catalog.clone(),
        clients: Arc::new(clients),
        env: Arc::new(ProcessEnv),
        jobs: usize::from(args.jobs),
        timeout: args.timeout,
    };
    let stop = Stop { cases: signals::stop(), ..Stop::default() };
    let mut progress = Progress::new();
    let mut lines = Lines::new(plan);
    let mut broken = None;
    let mut totals = Totals::default();
    let mut tell = |event: Event| {
        let Event::Ended(at, result) = event else { return };
        totals = totals.with(&result);
        if args.format == SmokeFormat::Human && broken.is_none() {
            progress.clear();
            if let Err(error) = lines.ended(at, result, plan, out) {
                // Nobody reads on; the calls need not go on either.
                stop.cases.cancel();
                broken = Some(error);
            }
        }
        let bad = totals.fail + totals.drift;
        let words = if bad > 0 { format!("  {bad} not as expected") } else { String::new() };
        progress.draw(totals.cases, plan.items.len(), &words);
    };
    let results = run.run(&stop, &mut tell).await;
    progress.clear();
    match broken {
        Some(error) => Err(error.into()),
        None => Ok(results),
    }
}

async fn clients(
    workspace: &Workspace,
    snapshot: &Snapshot,
    plan: &Plan,
    mock: Option<String>,
) -> Result<Clients, Failure> {
    let tap = Arc::<Tap>::default();
    let mut clients = Clients::new();
    for environment in plan.environments() {
        let overrides = Overrides { environment: environment.clone(), mock: mock.clone(), ..Overrides::default() };
        let engine = Engine::beside(workspace, snapshot, overrides, Arc::new(ProcessEnv), tap.clone());
        let engine = engine.map_err(|error| unusable(&error))?;
        somewhere(&engine, plan, environment.as_ref())?;
        let broken = |error: MemoryError| Failure::Internal(error.to_string());
        clients.insert(environment, Arc::new(Memory::connect(engine, View::default()).await.map_err(broken)?));
    }
    Ok(clients)
}

/// Every case would fail for the same reason where nothing says which server the API has.
fn somewhere(engine: &Engine, plan: &Plan, environment: Option<&String>) -> Result<(), Failure> {
    let served = engine.served();
    let called = plan.items.iter().filter(|item| item.refusal.is_none() && item.environment.as_ref() == environment);
    for upstream in called.filter_map(|item| served.upstream(item.tool.as_ref()?)) {
        let settings = upstream.settings();
        let nowhere = settings.base_url.trim().is_empty() || settings.base_url.starts_with('/');
        if nowhere && settings.document_url.is_none() {
            return Err(Failure::usage(
                format!("nothing says where the API of `{}` is: its document names no server", settings.name),
                "Pass --base-url URL, choose an environment with --env, or call a mock with --mock.",
            ));
        }
    }
    Ok(())
}

fn keep(state: Option<&Path>, plan: &Plan, results: &[Arc<CaseResult>]) {
    let Some(path) = state else { return };
    if let Err(error) = failed::keep(path, plan, results) {
        say(&harmless(&format!("--failed will not know of this run: {}: {error}", path.display())));
    }
}

/// One line about the whole run.
fn conclude(args: &SmokeArgs, results: &[Arc<CaseResult>], elapsed: Duration) {
    let totals = Totals::of(results.iter().map(|result| &**result));
    let mut parts = Vec::new();
    for (count, word) in
        [(totals.fail, "failed"), (totals.drift, "drifted"), (totals.pass, "passed"), (totals.skipped, "skipped")]
    {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let mut text = format!("{} in {}", parts.join(", "), units::shown(elapsed));
    let ending = Ending::of(results.iter().map(|result| &**result));
    match ending {
        Ending::Interrupted => text.push_str("; interrupted"),
        Ending::Unreachable => text.push_str("; the API gave no answer to what failed"),
        Ending::Authentication => text.push_str("; credentials are missing or were refused"),
        Ending::Passed if totals.pass == 0 => text.push_str("; no case was run"),
        Ending::Passed | Ending::Failed => {}
    }
    if totals.fail + totals.drift > 0 && !args.failed {
        text.push_str("; --failed runs again what failed");
    }
    say(&text);
}
