//! Watching the files that a workspace was made from.
//!
//! Folders are watched, not files: editors write a new file and rename it over the old one, and a watch on the old one
//! would end there. What the system reports is only a hint; whether a file changed is decided by looking at it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};

/// Quiet time before a change is reported, so that a save in several steps is one change.
const QUIET: Duration = Duration::from_millis(150);

/// Why files cannot be watched. Everything else works on without; only changes are not noticed.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The system offers no watching, or no more of it.
    #[error("cannot watch files for changes: {reason}; reload by hand")]
    Unavailable {
        /// What the system said.
        reason: String,
    },
    /// One folder cannot be watched.
    #[error("cannot watch the folder {} for changes: {reason}; reload by hand", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        reason: String,
    },
}

/// What a file looks like from outside. Two different contents have different stamps unless they were written within
/// the clock's grain, have one length, and lie at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    file: u64,
}

impl Stamp {
    /// None: there is no such file.
    fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        #[cfg(unix)]
        let file = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let file = 0;
        Some(Self { modified: metadata.modified().ok(), length: metadata.len(), file })
    }
}

#[derive(Debug, Default)]
struct Watched {
    stamps: BTreeMap<PathBuf, Option<Stamp>>,
    /// Names under which the files, or what their links point to, appear in reports.
    names: BTreeSet<OsString>,
}

impl Watched {
    fn concerns(&self, report: &DebounceEventResult) -> bool {
        let Ok(events) = report else {
            // Reports were lost: look at everything.
            return true;
        };
        events.iter().any(|event| {
            event.need_rescan()
                || event.paths.iter().any(|path| path.file_name().is_some_and(|name| self.names.contains(name)))
        })
    }

    fn take_changes(&mut self) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for (path, stamp) in &mut self.stamps {
            let now = Stamp::of(path);
            if *stamp != now {
                *stamp = now;
                changed.push(path.clone());
            }
        }
        changed
    }
}

/// Watches a set of files for as long as it lives.
pub struct Watcher {
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    folders: BTreeSet<PathBuf>,
    watched: Arc<Mutex<Watched>>,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher").field("folders", &self.folders).finish_non_exhaustive()
    }
}

fn lock(watched: &Mutex<Watched>) -> MutexGuard<'_, Watched> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watcher {
    /// A watcher that watches nothing yet. `on_change` gets the files that were written, made or removed since the last
    /// call, in order of their names; it runs on the watcher's thread and should only pass the word on.
    ///
    /// # Errors
    /// [`WatchError::Unavailable`].
    pub fn new(on_change: impl Fn(Vec<PathBuf>) + Send + 'static) -> Result<Self, WatchError> {
        let watched = Arc::new(Mutex::new(Watched::default()));
        let shared = Arc::clone(&watched);
        let debouncer = new_debouncer(QUIET, None, move |report: DebounceEventResult| {
            let changed = {
                let mut watched = lock(&shared);
                if watched.concerns(&report) { watched.take_changes() } else { Vec::new() }
            };
            if !changed.is_empty() {
                on_change(changed);
            }
        })
        .map_err(|error| WatchError::Unavailable { reason: error.to_string() })?;
        Ok(Self { debouncer, folders: BTreeSet::new(), watched })
    }

    /// Watches these files and no others. They need not exist, but their folders must. Files watched before keep what was
    /// known of them, so that no change between two calls is lost; for a new one, changes count from now on.
    ///
    /// # Errors
    /// One for each folder that cannot be watched; all the others are.
    pub fn set(&mut self, paths: impl IntoIterator<Item = PathBuf>) -> Result<(), Vec<WatchError>> {
        let paths: BTreeSet<PathBuf> = paths.into_iter().collect();
        let mut names = BTreeSet::new();
        let mut folders = BTreeSet::new();
        for path in &paths {
            // A link's target is written where it is, not where the link is.
            for place in [Some(path.clone()), path.canonicalize().ok()].into_iter().flatten() {
                names.extend(place.file_name().map(OsString::from));
                folders.insert(folder_of(&place));
            }
        }
        // First the watch, then the look: the other way round a change between them would be lost.
        let watching = self.watch_folders(folders);
        let mut watched = lock(&self.watched);
        let known = std::mem::take(&mut watched.stamps);
        watched.stamps = paths
            .into_iter()
            .map(|path| {
                let stamp = known.get(&path).copied().unwrap_or_else(|| Stamp::of(&path));
                (path, stamp)
            })
            .collect();
        watched.names = names;
        watching
    }

    fn watch_folders(&mut self, wanted: BTreeSet<PathBuf>) -> Result<(), Vec<WatchError>> {
        let mut errors = Vec::new();
        for folder in self.folders.difference(&wanted) {
            // It fails only for a folder that is gone, and with it the watch.
            let _unwatched = self.debouncer.unwatch(folder);
        }
        let mut watching = BTreeSet::new();
        for folder in wanted {
            // A folder that was removed and made again needs a new watch, and a second one on the same folder is none.
            match self.debouncer.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    watching.insert(folder);
                }
                Err(error) => errors.push(WatchError::Folder { folder, reason: error.to_string() }),
            }
        }
        self.folders = watching;
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;
    use std::fs;
    use std::sync::mpsc::{Receiver, channel};

    const PATIENCE: Duration = Duration::from_secs(20);

    fn watcher() -> (Watcher, Receiver<Vec<PathBuf>>) {
        let (sender, receiver) = channel();
        let watcher = Watcher::new(move |changed| sender.send(changed).unwrap_or_default()).unwrap();
        (watcher, receiver)
    }

    /// Reports until one names the file.
    fn wait_for(changes: &Receiver<Vec<PathBuf>>, file: &Path) {
        loop {
            let changed = changes.recv_timeout(PATIENCE).expect("the change is reported");
            if changed.iter().any(|path| path == file) {
                return;
            }
        }
    }

    #[test]
    fn every_way_of_saving_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("spec.yaml");
        fs::write(&file, "one").unwrap();
        let (mut watcher, changes) = watcher();
        watcher.set([file.clone()]).unwrap();

        fs::write(&file, "two!").unwrap();
        wait_for(&changes, &file);

        // As editors do it: twice, because a watch on the file itself survives once.
        for text in ["three", "four"] {
            let new = folder.path().join(".spec.yaml.new");
            fs::write(&new, text).unwrap();
            fs::rename(&new, &file).unwrap();
            wait_for(&changes, &file);
        }

        fs::remove_file(&file).unwrap();
        wait_for(&changes, &file);
        fs::write(&file, "five").unwrap();
        wait_for(&changes, &file);
    }

    #[test]
    fn only_the_files_of_the_set_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let [file, other, marker] = ["a.yaml", "b.yaml", "marker"].map(|name| folder.path().join(name));
        fs::write(&file, "one").unwrap();
        let (mut watcher, changes) = watcher();
        watcher.set([file.clone(), marker.clone()]).unwrap();
        fs::write(&other, "not watched").unwrap();
        fs::write(&marker, "1").unwrap();
        assert_eq!(changes.recv_timeout(PATIENCE).unwrap(), std::slice::from_ref(&marker));

        watcher.set([other.clone(), marker.clone()]).unwrap();
        fs::write(&file, "no longer watched").unwrap();
        fs::write(&other, "now it is").unwrap();
        assert_eq!(changes.recv_timeout(PATIENCE).unwrap(), [other]);
    }

    #[test]
    fn a_touched_folder_without_a_changed_file_is_no_change() {
        let folder = tempfile::tempdir().unwrap();
        let [file, marker] = ["a.yaml", "marker"].map(|name| folder.path().join(name));
        fs::write(&file, "one").unwrap();
        let (mut watcher, changes) = watcher();
        watcher.set([file.clone(), marker.clone()]).unwrap();
        fs::read(&file).unwrap();
        fs::write(&marker, "1").unwrap();
        assert_eq!(changes.recv_timeout(PATIENCE).unwrap(), [marker]);
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_link_counts() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        fs::create_dir(&real).unwrap();
        let target = real.join("target.yaml");
        fs::write(&target, "one").unwrap();
        let link = folder.path().join("link.yaml");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let (mut watcher, changes) = watcher();
        watcher.set([link.clone()]).unwrap();
        fs::write(&target, "two!").unwrap();
        wait_for(&changes, &link);
    }

    #[test]
    fn a_missing_folder_is_an_error_that_names_it_and_the_rest_is_watched() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.yaml");
        let (mut watcher, changes) = watcher();
        let missing = folder.path().join("missing");
        let errors = watcher.set([missing.join("b.yaml"), file.clone()]).unwrap_err();
        assert_eq!(errors.len(), 1);
        assert!(errors[0].to_string().contains(&missing.display().to_string()), "{}", errors[0]);
        fs::write(&file, "made").unwrap();
        wait_for(&changes, &file);
    }
}
