//! The screen on a workspace: the program, and the effects that it asks for.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::app::{App, Effect, Launch, LoadFailure, Msg};
use super::keymap::KeymapError;
use super::runtime::{Effects, Exit, Kind, Reply, RunError, run};
#[cfg(debug_assertions)]
use super::test_hook;
use super::theme::Theme;
use crate::workspace::{LoadError, ProcessEnv, Snapshot, SourcePlace, Watcher, Workspace, load};

/// Why the screen could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The keys are at fault.
    #[error("{0}")]
    Keys(#[from] KeymapError),
    /// The terminal is.
    #[error("{0}")]
    Run(#[from] RunError),
}

/// Shows a workspace on the terminal until the person quits.
///
/// # Errors
/// [`OpenError`]. A workspace that cannot be loaded is none: that is a screen.
pub fn open(workspace: Workspace, theme: Theme) -> Result<Exit, OpenError> {
    let mut app = App::new(Launch::new(names(&workspace), theme)?);
    let work = Work::new(workspace);
    #[cfg(debug_assertions)]
    if let Some(place) = test_hook::Place::asked() {
        return Ok(run(&mut test_hook::Hooked { app, place }, test_hook::HookedEffects(work))?);
    }
    Ok(run(&mut app, work)?)
}

/// The documents and overlays of a workspace, as they were given.
fn names(workspace: &Workspace) -> Vec<String> {
    let upstreams = workspace.upstreams.iter();
    upstreams
        .flat_map(|upstream| std::iter::once(&upstream.document).chain(&upstream.overlays))
        .map(|source| source.name.clone())
        .collect()
}

/// The files that a workspace would read, whether they can be read or not.
fn files(workspace: &Workspace) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = workspace.config_path.iter().cloned().collect();
    for upstream in &workspace.upstreams {
        for source in std::iter::once(&upstream.document).chain(&upstream.overlays) {
            if let Ok(SourcePlace::File(path)) = source.place(&ProcessEnv) {
                files.push(path);
            }
        }
    }
    files
}

/// Does what the program wants done.
struct Work {
    /// As it was resolved last.
    workspace: Mutex<Workspace>,
    /// The last good load; what did not change since is taken from it.
    previous: Mutex<Option<Arc<Snapshot>>>,
    watcher: Mutex<Option<Watcher>>,
    /// The workspace was resolved before the start, so the first load need not do it again.
    resolved: Mutex<bool>,
    /// When the last load began to read.
    began: Mutex<SystemTime>,
}

/// How much earlier than the clock a file system may date a change.
const DATING: Duration = Duration::from_millis(20);

/// Was one of the files changed since, as far as their dates tell?
fn changed_since(files: &[PathBuf], began: SystemTime) -> bool {
    let dated = files.iter().filter_map(|file| std::fs::metadata(file).and_then(|data| data.modified()).ok());
    dated.into_iter().any(|modified| modified + DATING >= began)
}

/// A panic while a lock is held leaves a value that is whole all the same: values are only replaced.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work {
    fn new(workspace: Workspace) -> Self {
        Self {
            workspace: Mutex::new(workspace),
            previous: Mutex::new(None),
            watcher: Mutex::new(None),
            resolved: Mutex::new(true),
            began: Mutex::new(SystemTime::now()),
        }
    }

    fn load(&self) -> Result<Arc<Snapshot>, Box<LoadFailure>> {
        *lock(&self.began) = SystemTime::now();
        let mut workspace = lock(&self.workspace).clone();
        let failed = |error: LoadError, workspace: &Workspace| failure(&error, files(workspace));
        if !std::mem::take(&mut *lock(&self.resolved)) {
            // The workspace file may be what changed.
            workspace =
                Workspace::resolve(&workspace.options, &workspace.folder).map_err(|error| failed(error, &workspace))?;
            *lock(&self.workspace) = workspace.clone();
        }
        let previous = lock(&self.previous).clone();
        let snapshot = load(&workspace, previous.as_deref()).map_err(|error| failed(error, &workspace))?;
        let snapshot = Arc::new(snapshot);
        *lock(&self.previous) = Some(snapshot.clone());
        Ok(snapshot)
    }

    fn watch(&self, files: Vec<PathBuf>, reply: Reply<Msg>) {
        let mut watcher = lock(&self.watcher);
        if watcher.is_none() {
            let tell = reply.clone();
            match Watcher::new(move |_changed| {
                tell.send(Msg::FilesChanged);
            }) {
                Ok(new) => *watcher = Some(new),
                Err(error) => {
                    reply.send(Msg::WatchFailed(error.to_string()));
                    return;
                }
            }
        }
        let errors = watcher.as_mut().and_then(|watcher| watcher.set(files.clone()).err());
        drop(watcher);
        // Nobody watched while the files were read.
        if changed_since(&files, *lock(&self.began)) {
            reply.send(Msg::FilesChanged);
        }
        let Some(errors) = errors else { return };
        if let Some(first) = errors.first() {
            reply.send(Msg::WatchFailed(first.to_string()));
        }
    }
}

impl Effects<Effect, Msg> for Work {
    fn kind(&self, effect: &Effect) -> Kind {
        match effect {
            Effect::Load { .. } => Kind::Latest("load"),
            // The watcher lives on and answers through the reply that it got first, which must not go stale.
            Effect::Watch(_) => Kind::Ordered("watch"),
        }
    }

    fn run(&self, effect: Effect, reply: Reply<Msg>) {
        match effect {
            Effect::Load { generation } => {
                reply.send(Msg::Loaded(generation, self.load()));
            }
            Effect::Watch(files) => self.watch(files, reply),
        }
    }
}

/// A failed load for the screen.
fn failure(error: &LoadError, files: Vec<PathBuf>) -> Box<LoadFailure> {
    let mut failure = LoadFailure {
        message: error.message.clone(),
        remedy: error.remedy.clone(),
        file: error.file.clone(),
        line: error.line,
        column: error.column,
        files,
        ..LoadFailure::default()
    };
    if let Some(excerpt) = &error.excerpt {
        let numbered = (excerpt.first_line..).zip(excerpt.text.lines());
        failure.excerpt = numbered.map(|(number, line)| (number, line.to_owned())).collect();
        let before = excerpt.text.get(..excerpt.span.start).unwrap_or_default();
        let in_line = before.rsplit('\n').next().unwrap_or_default();
        failure.caret = Some(in_line.chars().count());
    }
    Box::new(failure)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::workspace::{Options, SpecArg};

    fn work(folder: &Path) -> Work {
        let options = Options { specs: vec![SpecArg::parse("a.yaml")], ..Options::default() };
        Work::new(Workspace::resolve(&options, folder).unwrap())
    }

    #[test]
    fn a_failed_load_knows_its_line_and_what_to_watch_and_is_mended() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.yaml");
        fs::write(&file, "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {]\n").unwrap();
        let work = work(folder.path());
        let failure = work.load().unwrap_err();
        assert_eq!((failure.file.as_deref(), failure.line), (Some("a.yaml"), Some(3)), "{failure:?}");
        assert_eq!(failure.files, std::slice::from_ref(&file));
        let at_fault = failure.excerpt.iter().find(|(number, _)| *number == 3).unwrap();
        assert_eq!(at_fault.1, "paths: {]");
        assert_eq!(failure.caret, failure.column.map(|column| column - 1));
        fs::write(&file, "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {/x: {get: {}}}\n").unwrap();
        let snapshot = work.load().unwrap();
        assert_eq!((snapshot.catalog.tools.len(), &snapshot.files), (1, &vec![file]));
    }

    #[test]
    fn a_change_while_nobody_watched_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.yaml");
        fs::write(&file, "openapi: 3.1.0\n").unwrap();
        let written = fs::metadata(&file).unwrap().modified().unwrap();
        let minute = Duration::from_secs(60);
        assert!(changed_since(std::slice::from_ref(&file), written));
        assert!(changed_since(std::slice::from_ref(&file), written - minute));
        assert!(!changed_since(&[file, folder.path().join("missing.yaml")], written + minute));
    }
}
