//! `doctor`: can an upstream be reached, and which step fails?

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::args::{DoctorArgs, Format};
use super::failure::{Failure, exit};
use super::output::{Cell, Output, Role, say};
use super::{load, own_mock, signals};
use crate::derive::Upstream;
use crate::proxy::{Engine, Mock, Overrides, SettingsError};
use crate::session::doctor::{Examination, State, Step, StepName, examine};
use crate::workspace::config::nearest;
use crate::workspace::{FILE_NAMES, Snapshot, Workspace};

pub(super) fn run(args: &DoctorArgs) -> Result<u8, Failure> {
    let mut common = args.common.clone();
    let (specs, names) = common.specs.drain(..).partition(|text| is_document(text));
    common.specs = specs;
    let mut names: Vec<String> = names;
    let has_file = FILE_NAMES.iter().any(|name| Path::new(name).is_file());
    if common.specs.is_empty() && common.config.is_none() && !common.demo && !has_file {
        // There is no workspace that could have upstreams by name.
        common.specs = std::mem::take(&mut names);
    }
    let (workspace, snapshot) = load(&common)?;
    let chosen = chosen(&names, &snapshot)?;
    let runtime = signals::runtime()?;
    let stop = runtime.block_on(async { signals::stop() });
    let found = runtime.block_on(async {
        tokio::select! {
            found = examinations(args, &workspace, &snapshot, &chosen) => Some(found),
            () = stop.cancelled() => None,
        }
    });
    // A name that is still being looked up is not waited for.
    runtime.shutdown_timeout(Duration::from_millis(100));
    let Some(found) = found else {
        say("interrupted");
        return Ok(exit::INTERRUPTED);
    };
    let found = found?;
    let mut out = Output::stdout(args.common.color);
    match args.format {
        Format::Human => human(&mut out, &found)?,
        Format::Json => {
            serde_json::to_writer_pretty(out.writer(), &DoctorJson::new(&found))?;
            out.line("")?;
        }
    }
    out.finish()?;
    Ok(found.iter().find_map(Examination::failed).map_or(exit::OK, |step| code(step.name)))
}

/// The exit code of a step that fails.
fn code(step: StepName) -> u8 {
    match step {
        StepName::Configuration => exit::USAGE,
        StepName::Secrets | StepName::Auth => exit::AUTHENTICATION,
        StepName::Resolve | StepName::Connect | StepName::Tls | StepName::Http => exit::UNREACHABLE,
        StepName::Call => exit::TOOL,
    }
}

/// Is it meant as a document, and not as the name of an upstream?
fn is_document(text: &str) -> bool {
    text == "-" || text.contains("://") || text.contains('=') || Path::new(text).exists()
}

/// The upstreams that are meant, by their place in the catalog; all where none is named.
fn chosen(names: &[String], snapshot: &Snapshot) -> Result<Vec<usize>, Failure> {
    let upstreams = &snapshot.catalog.upstreams;
    if names.is_empty() {
        return Ok((0..upstreams.len()).collect());
    }
    let one = |wanted: &String| {
        let is_it = |upstream: &Upstream| upstream.name == *wanted || upstream.prefix.as_ref() == Some(wanted);
        upstreams.iter().position(is_it).ok_or_else(|| {
            let known: Vec<&str> = upstreams.iter().map(|upstream| upstream.name.as_str()).collect();
            let remedy = match nearest(wanted, known.iter().copied()) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => format!("The upstreams are: {}.", known.join(", ")),
            };
            Failure::usage(format!("there is neither an upstream nor a document `{wanted}`"), remedy)
        })
    };
    names.iter().map(one).collect()
}

async fn examinations(
    args: &DoctorArgs,
    workspace: &Workspace,
    snapshot: &Snapshot,
    chosen: &[usize],
) -> Result<Vec<Examination>, Failure> {
    let is_mocked = own_mock::is_wanted(args.mock, workspace, args.env.as_ref());
    let mock = own_mock::start(is_mocked, snapshot).await?;
    let overrides =
        Overrides { environment: args.env.clone(), mock: mock.as_ref().map(Mock::url), ..Overrides::default() };
    let engine = match Engine::new(workspace, snapshot, overrides) {
        Ok(engine) => engine,
        Err(SettingsError { upstream, message }) => return Ok(vec![Examination::unusable(&upstream, &message)]),
    };
    let mut found = Vec::new();
    for at in chosen {
        found.push(examine(&engine, *at, args.timeout, mock.is_some()).await);
    }
    Ok(found)
}

fn human(out: &mut Output, found: &[Examination]) -> std::io::Result<()> {
    for (at, examination) in found.iter().enumerate() {
        if at > 0 {
            out.line("")?;
        }
        let title = format!("{}  {}", examination.upstream, examination.base_url);
        let title = out.paint(Role::Strong, title.trim_end());
        out.line(&title)?;
        for step in &examination.steps {
            let (role, word) = match step.state {
                State::Ok => (Role::Good, "ok"),
                State::Warning => (Role::Warning, "warning"),
                State::Failed => (Role::Error, "FAILED"),
                State::Skipped => (Role::Faint, "-"),
            };
            let row = vec![
                Cell::of(role, format!("{word:<7}")),
                Cell::new(format!("{:<13}", step.name.word())),
                Cell::new(&step.seen),
            ];
            out.table("  ", &[row])?;
            if let Some(remedy) = &step.remedy {
                let line = out.paint(Role::Plain, &format!("→ {remedy}"));
                out.line(&format!("{:26}{line}", ""))?;
            }
        }
    }
    for examination in found {
        say(&match examination.failed() {
            Some(step) => format!("{}: it fails at `{}`", examination.upstream, step.name.word()),
            None => format!("{}: it can be called", examination.upstream),
        });
    }
    Ok(())
}

#[derive(Serialize)]
struct DoctorJson<'a> {
    ok: bool,
    upstreams: Vec<ExaminationJson<'a>>,
}

#[derive(Serialize)]
struct ExaminationJson<'a> {
    name: &'a str,
    base_url: &'a str,
    ok: bool,
    failed: Option<StepName>,
    steps: Vec<StepJson<'a>>,
}

#[derive(Serialize)]
struct StepJson<'a> {
    step: StepName,
    state: State,
    seen: &'a str,
    remedy: Option<&'a str>,
    elapsed_ms: u128,
}

impl<'a> DoctorJson<'a> {
    fn new(found: &'a [Examination]) -> Self {
        let step = |step: &'a Step| StepJson {
            step: step.name,
            state: step.state,
            seen: &step.seen,
            remedy: step.remedy.as_deref(),
            elapsed_ms: step.elapsed.as_millis(),
        };
        let upstreams = found.iter().map(|examination| ExaminationJson {
            name: &examination.upstream,
            base_url: &examination.base_url,
            ok: examination.failed().is_none(),
            failed: examination.failed().map(|step| step.name),
            steps: examination.steps.iter().map(step).collect(),
        });
        Self { ok: found.iter().all(|examination| examination.failed().is_none()), upstreams: upstreams.collect() }
    }
}
