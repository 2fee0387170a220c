//! What the workbench wants done: reading overlay files, deriving drafts, writing files, keeping what is unsaved.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use super::app::workbench::preview::{Consequences, Into, Wanted};
use super::app::workbench::{
    DeriveJob, Derived, NotSaved, OverlayText, PreviewJob, Previewed, Recovered, Recovery, SaveJob, Written,
};
use super::hosting::Loaded;
use super::lock::lock;
use super::save::save;
use crate::overlay::{AuthorError, Authored};
use crate::workspace::{
    self, DraftText, Effect as Difference, LoadError, PreviewError, ProcessEnv, Reader, SaveError, Snapshot,
    SourceLocation, SourcePlace, TextFile, Wish, Workspace, load_with, overlay_files, with_drafts,
};

/// Typing goes on for as long before what is unsaved is written down.
const REST: Duration = Duration::from_millis(150);
/// Whoever types without a rest loses no more than this by a kill.
const LONGEST: Duration = Duration::from_secs(1);
/// Larger files are none that this program wrote.
const LARGEST: u64 = 64 << 20;

/// What was derived from drafts last.
#[derive(Default)]
pub struct Drafting {
    derived: Mutex<Option<Loaded>>,
    /// What was derived before: the screen lets go of it last, and taking it apart takes a while.
    retired: Mutex<Vec<Loaded>>,
    /// What the files give with those that no workspace names.
    base: Mutex<Option<Base>>,
    /// When what is unsaved was written down last.
    remembered: Mutex<Option<Instant>>,
}

/// What the workspace gave, the saved files that it does not name, and what both give together.
type Base = (Arc<Snapshot>, Vec<DraftText>, Arc<Snapshot>);

impl Drafting {
    /// The workspace with the drafts that are shown, when there are any.
    pub(super) fn shown(&self) -> Option<Loaded> {
        lock(&self.derived).clone()
    }

    /// The files were read anew.
    pub(super) fn forget(&self) {
        let before = lock(&self.derived).take();
        lock(&self.retired).extend(before);
        lock(&self.base).take();
    }

    /// Takes apart what nobody shows any more.
    pub fn tidy(&self) {
        lock(&self.retired).retain(|(_, snapshot)| Arc::strong_count(snapshot) > 1);
    }

    /// Waits until nothing more is typed; `false` when there is something newer to keep and something was kept lately.
    pub(super) fn rests(&self, is_stale: impl Fn() -> bool) -> bool {
        std::thread::sleep(REST);
        let mut last = lock(&self.remembered);
        if is_stale() && last.is_some_and(|last| last.elapsed() < LONGEST) {
            return false;
        }
        *last = Some(Instant::now());
        true
    }

    /// Derives the tools with drafts. What the files gave last is not read again; where that is nothing, everything is.
    ///
    /// # Errors
    /// Why there are none, and the workspace with the drafts.
    pub fn derive(
        &self,
        job: &DeriveJob,
        workspace: &Workspace,
        saved: Option<&Arc<Snapshot>>,
    ) -> Result<Derived, Box<(LoadError, Workspace)>> {
        if let (true, Some(saved)) = (job.drafts.is_empty(), saved) {
            self.forget();
            return Ok(Derived { snapshot: saved.clone(), difference: Arc::default() });
        }
        let mut reader = Reader { holds: saved.is_some(), ..Reader::default() };
        let changed = with_drafts(workspace, &job.drafts, &reader);
        let before = self.shown().map(|(_, snapshot)| snapshot).or_else(|| saved.cloned());
        let snapshot = match load_with(&changed, before.as_deref(), &mut reader) {
            Ok(snapshot) => Arc::new(snapshot),
            Err(error) => return Err(Box::new((error, changed))),
        };
        let base = saved.map(|saved| self.base(saved, job, workspace, &snapshot));
        let difference = base.map(|base| Difference::between(&base.catalog, &snapshot.catalog)).unwrap_or_default();
        let before = lock(&self.derived).replace((changed, snapshot.clone()));
        lock(&self.retired).extend(before);
        Ok(Derived { snapshot, difference: Arc::new(difference) })
    }

    /// What all files give as they are saved, also those that no workspace names. Where they cannot be loaded together it
    /// is what the workspace gives.
    fn base(
        &self,
        saved: &Arc<Snapshot>,
        job: &DeriveJob,
        workspace: &Workspace,
        derived: &Arc<Snapshot>,
    ) -> Arc<Snapshot> {
        if job.saved.is_empty() {
            return saved.clone();
        }
        let mut known = lock(&self.base);
        match known.as_ref() {
            Some((of, texts, base)) if Arc::ptr_eq(of, saved) && *texts == job.saved => return base.clone(),
            _ => {}
        }
        let base = if job.drafts == job.saved {
            derived.clone()
        } else {
            let mut reader = Reader { holds: true, ..Reader::default() };
            let all = with_drafts(workspace, &job.saved, &reader);
            load_with(&all, Some(saved), &mut reader).map_or_else(|_| saved.clone(), Arc::new)
        };
        *known = Some((saved.clone(), job.saved.clone(), base.clone()));
        base
    }
}

/// The overlay files of a workspace as they are now. One that cannot be read is left out: the load tells why.
pub fn overlay_texts(workspace: &Workspace) -> Vec<OverlayText> {
    let read = |(path, source): (PathBuf, &crate::workspace::Source)| {
        let file = match &source.location {
            SourceLocation::Text(text) => TextFile::built_in(&path.to_string_lossy(), text),
            _ => TextFile::read(&path).ok()?,
        };
        Some(OverlayText { file, name: source.name.clone(), upstream: None })
    };
    overlay_files(workspace, &ProcessEnv).into_iter().filter_map(read).collect()
}

/// Finds out what a change of an overlay would give.
///
/// # Errors
/// Why it cannot be made, and what to do.
pub(in crate::tui) fn preview(job: &PreviewJob, workspace: &Workspace) -> Result<Previewed, (String, Option<String>)> {
    let mut reader = Reader { holds: true, ..Reader::default() };
    let drafted = with_drafts(workspace, &job.drafts, &reader);
    let read = match &job.into {
        Into::Known { file, name } => OverlayText { file: file.clone(), name: name.clone(), upstream: None },
        Into::New => new_overlay(workspace, &job.upstream, &job.drafts).map_err(|error| (error.to_string(), None))?,
    };
    let OverlayText { file, name, .. } = &read;
    let made = match &job.wanted {
        Wanted::Intent { intent, operations } => {
            let wish = Wish { file, name, upstream: &job.upstream, operations, intent };
            workspace::preview(&drafted, &job.shown, &wish, &mut reader)
        }
        Wanted::Actions(drafts) => {
            workspace::preview_actions(&drafted, &job.shown, (file, name), &job.upstream, drafts, &mut reader)
        }
        Wanted::Edits(edits) => workspace::preview_edits(&drafted, &job.shown, (file, name), edits, &mut reader),
    };
    let preview = made.map_err(refused)?;
    let (before, after) = (&job.shown.catalog, &preview.snapshot.catalog);
    let consequences = Consequences::between(before, after, &job.choices, job.checked.as_deref());
    let Authored { patch, remarks, .. } = preview.authored;
    Ok(Previewed { file: read, patch, remarks, difference: preview.effect, consequences })
}

/// A file that is still to be made, beside the workspace file or the document, with a name that nothing has.
fn new_overlay(workspace: &Workspace, upstream: &str, taken: &[DraftText]) -> Result<OverlayText, SaveError> {
    let document = workspace.upstreams.iter().find(|one| one.name == upstream).map(|one| &one.document);
    let place = document.and_then(|source| source.place(&ProcessEnv).ok());
    let folder = match (&workspace.config_path, place) {
        (Some(config), _) => config.parent().map(Path::to_owned),
        (None, Some(SourcePlace::File(path))) => path.parent().map(Path::to_owned),
        _ => None,
    };
    let folder = folder.unwrap_or_else(|| workspace.folder.clone());
    let folder = folder.canonicalize().unwrap_or(folder);
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let stem: String = upstream.chars().map(plain).collect();
    let free = |number: &u32| {
        let number = if *number == 1 { String::new() } else { format!("-{number}") };
        let name = format!("{stem}{number}.overlay.yaml");
        let path = folder.join(&name);
        (!path.exists() && taken.iter().all(|draft| draft.path != path)).then_some(name)
    };
    let name = (1..1000).find_map(|number| free(&number)).unwrap_or_else(|| format!("{stem}.overlay.yaml"));
    let file = TextFile::read(&folder.join(&name))?;
    Ok(OverlayText { file, name, upstream: Some(upstream.to_owned()) })
}

fn refused(error: PreviewError) -> (String, Option<String>) {
    match error {
        PreviewError::Load(error) => {
            let place = error.line.zip(error.column).map_or_else(String::new, |(line, column)| {
                format!(" ({}:{line}:{column})", error.file.as_deref().unwrap_or_default())
            });
            (format!("{}{place}", error.message), error.remedy)
        }
        PreviewError::Author(AuthorError::Intent(error)) => (error.message, Some(error.remedy)),
        PreviewError::Author(AuthorError::Patch(error)) => (error.to_string(), Some(error.remedy)),
        PreviewError::Author(error @ AuthorError::NoOverlay { .. }) => {
            (error.to_string(), Some("mend the file, or choose another one with Tab".to_owned()))
        }
    }
}

/// Writes a draft to its file; that of the demo to a file of its own.
pub(super) fn write(job: &SaveJob) -> Result<Written, NotSaved> {
    match job.base.save(&job.text) {
        Ok(file) => Ok(Written::File(file)),
        Err(SaveError::Changed { path, .. }) => {
            let theirs = TextFile::read(&path).unwrap_or_else(|_| job.base.edited(None));
            Err(NotSaved::Changed(theirs))
        }
        Err(SaveError::BuiltIn { path }) => {
            let ending = if path.extension().is_some_and(|ending| ending == "json") { "json" } else { "yaml" };
            let folder = std::env::current_dir().ok();
            save(folder.as_deref(), "overlay", ending, &job.text).map(Written::Elsewhere).map_err(NotSaved::Failed)
        }
        Err(error) => Err(NotSaved::Failed(error.to_string())),
    }
}

/// Where what is unsaved is kept: beside what was open, one file for each run, so that two runs do not write over each
/// other.
pub(super) fn unsaved_file(memory: &Path) -> Option<PathBuf> {
    let name = memory.file_stem()?.to_str()?;
    Some(memory.parent()?.parent()?.join("unsaved").join(format!("{name}-{}.json", std::process::id())))
}

/// Keeps what is unsaved, or nothing; whole or not at all, for this user only. What an earlier run had kept is removed
/// after that.
///
/// # Errors
/// What the system says.
pub(super) fn remember(file: &Path, text: Option<&str>, instead_of: Option<&Path>) -> io::Result<()> {
    let gone = |path: &Path| match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    match (text, file.parent()) {
        (Some(text), Some(folder)) => {
            fs::create_dir_all(folder)?;
            let new = file.with_extension("new");
            gone(&new)?;
            let mut options = fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut out = options.open(&new)?;
            out.write_all(text.as_bytes())?;
            out.sync_all()?;
            fs::rename(&new, file)?;
        }
        _ => gone(file)?,
    }
    instead_of.map_or(Ok(()), gone)
}

/// What the newest of the runs that did not end by themselves has left for a workspace. A file that cannot be used is
/// named.
pub(super) fn left_behind(own: &Path) -> Result<Option<Recovery>, String> {
    let Some((folder, name)) = own.parent().zip(own.file_name().and_then(|name| name.to_str())) else {
        return Ok(None);
    };
    let prefix = name.split('-').next().unwrap_or(name);
    let is_left = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.split_once('-'));
        let number = stem.filter(|(hash, _)| *hash == prefix).and_then(|(_, number)| number.parse().ok());
        path.extension().is_some_and(|ending| ending == "json") && number.is_some_and(|number| !is_running(number))
    };
    let Ok(entries) = fs::read_dir(folder) else { return Ok(None) };
    let found = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_left);
    let changed = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let Some(file) = found.max_by_key(changed) else { return Ok(None) };
    let ignored = |why: String| format!("{} is ignored: {why}", file.display());
    if file.metadata().is_ok_and(|metadata| metadata.len() > LARGEST) {
        return Err(ignored("it is too large".to_owned()));
    }
    let text = fs::read_to_string(&file).map_err(|error| ignored(error.to_string()))?;
    let mut files = Recovered::from_json(&text).map_err(ignored)?;
    for recovered in files.iter_mut().filter(|recovered| recovered.path.is_absolute()) {
        recovered.now = TextFile::read(&recovered.path).ok();
    }
    let when = changed(&file).and_then(|at| SystemTime::now().duration_since(at).ok()).map_or_else(String::new, ago);
    Ok((!files.is_empty()).then_some(Recovery { file, when, files }))
}

#[cfg(unix)]
fn is_running(number: u32) -> bool {
    let pid = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw);
    // One of another user is no run of this one, but its number is taken all the same.
    number == std::process::id()
        || pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(number: u32) -> bool {
    number == std::process::id()
}

fn ago(passed: Duration) -> String {
    let minutes = passed.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "a moment ago".to_owned(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}
