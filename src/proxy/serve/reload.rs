//! Reload on change: files are watched, a new catalog is made beside the old one, and takes its place when it is good.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::proxy::engine::Engine;
use crate::proxy::mock::Mock;
use crate::proxy::served::Conflicts;
use crate::workspace::{Snapshot, WatchError, Watcher, Workspace, load};

/// What came of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReloadEvent {
    /// The new catalog is served.
    Reloaded {
        /// Tools that it exposes.
        tools: usize,
        /// Clients see other lists and were told.
        changed: bool,
    },
    /// The new catalog cannot be served; the old one still is.
    Kept {
        /// Why, in words.
        why: String,
    },
}

/// Reloads until it is dropped.
#[derive(Debug)]
pub struct Reloader {
    watcher: Arc<Mutex<Option<Watcher>>>,
}

impl Drop for Reloader {
    fn drop(&mut self) {
        // With the watcher goes the sender, and with it the thread.
        drop(self.watcher.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

struct Work {
    workspace: Workspace,
    snapshot: Arc<Snapshot>,
    engine: Arc<Engine>,
    mock: Option<Arc<Mock>>,
}

impl Reloader {
    /// Watches the files of a load. `tell` is called for every reload, from a thread of its own.
    ///
    /// # Errors
    /// The system cannot watch files.
    pub fn start(
        workspace: Workspace,
        snapshot: Arc<Snapshot>,
        engine: Arc<Engine>,
        mock: Option<Arc<Mock>>,
        tell: impl Fn(ReloadEvent) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let (sender, receiver): (Sender<()>, Receiver<()>) = channel();
        let mut watcher = Watcher::new(move |_| {
            // A receiver that is gone wants no more news.
            let _ = sender.send(());
        })?;
        if let Err(errors) = watcher.set(snapshot.files.clone()) {
            // Other folders may still be watched; one that cannot is no reason to watch none.
            if let Some(first) = errors.into_iter().next().filter(|_| snapshot.files.len() == 1) {
                return Err(first);
            }
        }
        let shared = Arc::new(Mutex::new(Some(watcher)));
        let watcher = shared.clone();
        let mut work = Work { workspace, snapshot, engine, mock };
        thread::spawn(move || {
            while receiver.recv().is_ok() {
                while receiver.try_recv().is_ok() {}
                let event = work.reload();
                if let Some(watcher) = watcher.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                    // What cannot be watched was told at the start.
                    let _ = watcher.set(work.snapshot.files.clone());
                }
                tell(event);
            }
        });
        Ok(Self { watcher: shared })
    }
}

impl Work {
    fn reload(&mut self) -> ReloadEvent {
        let kept = |why: String| ReloadEvent::Kept { why };
        let workspace = match Workspace::resolve(&self.workspace.options, &self.workspace.folder) {
            Ok(workspace) => workspace,
            Err(error) => return kept(error.to_string()),
        };
        let snapshot = match load(&workspace, Some(&self.snapshot)) {
            Ok(snapshot) => snapshot,
            Err(error) => return kept(error.to_string()),
        };
        let conflicts = Conflicts::of(&snapshot.catalog);
        if !conflicts.is_empty() {
            return kept(conflicts.lines().join("\n"));
        }
        let changed = match self.engine.replace(&workspace, &snapshot) {
            Ok(changed) => changed,
            Err(error) => return kept(error.to_string()),
        };
        if let Some(mock) = &self.mock {
            mock.replace(&snapshot.catalog);
        }
        let tools = snapshot.catalog.tools.len();
        (self.workspace, self.snapshot) = (workspace, Arc::new(snapshot));
        ReloadEvent::Reloaded { tools, changed }
    }
}
