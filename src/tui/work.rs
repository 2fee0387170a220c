//! What the screen wants done, done: loads, watching, drafts, the proxy, files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use super::app::checks::{check, count};
use super::app::overlays::edit::check::check as check_text;
use super::app::overlays::study::study;
use super::app::workbench::DeriveJob;
use super::app::{Effect, LoadFailure, Msg};
use super::drafting::{self, Drafting};
use super::hosting::{Hosting, Loaded};
use super::lock::lock;
use super::outlook::Outlook;
use super::runtime::{Effects, Kind, Reply};
use super::save::save;
use crate::proxy::{har, jsonl};
use crate::workspace::{LoadError, ProcessEnv, Snapshot, SourcePlace, Watcher, Workspace, load};

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
pub(super) struct Work {
    /// As it was resolved last.
    workspace: Mutex<Workspace>,
    /// The last good load; what did not change since is taken from it.
    previous: Mutex<Option<Arc<Snapshot>>>,
    watcher: Mutex<Option<Watcher>>,
    /// The workspace was resolved before the start, so the first load need not do it again.
    resolved: Mutex<bool>,
    /// When files were changed last, as it was before they were read: watching starts after that.
    read: Mutex<Vec<(PathBuf, Option<SystemTime>)>>,
    hosting: Hosting,
    drafting: Drafting,
    /// Where what is unsaved is kept.
    unsaved: Option<PathBuf>,
    /// The program has ended: what is unsaved is written by whoever ends it. Held while it is written.
    pub(super) is_over: Arc<Mutex<bool>>,
}

/// When a file was changed last; `None` when there is none.
fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

impl Work {
    /// `unsaved` is where what is unsaved is kept.
    pub(super) fn new(workspace: Workspace, outlook: Outlook, unsaved: Option<PathBuf>) -> Self {
        Self {
            workspace: Mutex::new(workspace),
            previous: Mutex::new(None),
            watcher: Mutex::new(None),
            resolved: Mutex::new(true),
            read: Mutex::new(Vec::new()),
            hosting: Hosting::new(outlook),
            drafting: Drafting::default(),
            unsaved,
            is_over: Arc::default(),
        }
    }

    fn load(&self) -> Result<Arc<Snapshot>, Box<LoadFailure>> {
        let mut workspace = lock(&self.workspace).clone();
        let failed = |error: LoadError, workspace: &Workspace| failure(&error, files(workspace));
        if !std::mem::take(&mut *lock(&self.resolved)) {
            // The workspace file may be what changed.
            workspace =
                Workspace::resolve(&workspace.options, &workspace.folder).map_err(|error| failed(error, &workspace))?;
            *lock(&self.workspace) = workspace.clone();
        }
        *lock(&self.read) = files(&workspace).into_iter().map(|path| (path.clone(), changed(&path))).collect();
        let previous = lock(&self.previous).clone();
        let snapshot = load(&workspace, previous.as_deref()).map_err(|error| failed(error, &workspace))?;
        let snapshot = Arc::new(snapshot);
        self.drafting.forget();
        // Lines are looked up on the screen; a large file's are counted here instead of there.
        for (_, file) in snapshot.catalog.sources.iter() {
            let _counted = file.line_count();
        }
        *lock(&self.previous) = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// What is shown: what was loaded last, or what drafts made of it; for the proxy.
    fn loaded(&self) -> Option<Loaded> {
        if let Some(shown) = self.drafting.shown() {
            return Some(shown);
        }
        let snapshot = lock(&self.previous).clone()?;
        Some((lock(&self.workspace).clone(), snapshot))
    }

    /// Loads, and lets the proxy take over what was loaded.
    fn reload(&self, generation: u64, reply: &Reply<Msg>) {
        let loaded = self.load();
        let taken = match &loaded {
            Ok(snapshot) => {
                let workspace = lock(&self.workspace).clone();
                self.hosting.reloaded(&workspace, snapshot)
            }
            Err(_) => Ok(()),
        };
        reply.send(Msg::OverlaysRead(drafting::overlay_texts(&lock(&self.workspace).clone())));
        reply.send(Msg::Loaded(generation, loaded));
        if let Err(why) = taken {
            reply.send(Msg::NotServed(why));
        }
    }

    /// Derives drafts for the screen.
    fn derive(&self, job: &DeriveJob, reply: &Reply<Msg>) {
        let (workspace, saved) = (lock(&self.workspace).clone(), lock(&self.previous).clone());
        let derived = self.drafting.derive(job, &workspace, saved.as_ref());
        let told = derived.map(Arc::new).map_err(|failed| failure(&failed.0, files(&failed.1)));
        reply.send(Msg::Derived(job.generation, told));
        self.drafting.tidy();
    }

    /// Lets the proxy take over what is shown.
    fn host(&self, reply: &Reply<Msg>) {
        let Some((workspace, snapshot)) = self.loaded() else { return };
        if let Err(why) = self.hosting.reloaded(&workspace, &snapshot) {
            reply.send(Msg::NotServed(why));
        }
        reply.send(Msg::Hosted);
    }

    /// Keeps what is unsaved, once nothing more is typed.
    fn remember(&self, text: Option<&str>, instead_of: Option<&Path>, reply: &Reply<Msg>) {
        let Some(file) = &self.unsaved else { return };
        if text.is_some() && !self.drafting.rests(|| reply.is_stale()) {
            return;
        }
        let is_over = lock(&self.is_over);
        if *is_over {
            return;
        }
        // Without the file only what a kill would leave is lost, and the person is asked at every other end.
        let _written = drafting::remember(file, text, instead_of);
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
        let errors = watcher.as_mut().and_then(|watcher| watcher.set(files).err());
        drop(watcher);
        // What was written between reading and watching would otherwise be seen by nobody.
        if std::mem::take(&mut *lock(&self.read)).iter().any(|(path, before)| changed(path) != *before) {
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
            Effect::Derive(_) => Kind::Latest("derive"),
            Effect::Preview(_) => Kind::Latest("preview"),
            Effect::Host => Kind::Latest("host"),
            Effect::SaveOverlay(_) => Kind::Ordered("save"),
            Effect::Remember { .. } => Kind::Latest("remember"),
            Effect::Check(_) => Kind::Latest("check"),
            Effect::Judge(_) => Kind::Latest("judge"),
            Effect::Study(_) => Kind::Latest("study"),
            Effect::CheckText(_) => Kind::Latest("text"),
            Effect::Call(_) | Effect::Cancel(_) => Kind::Each,
            Effect::Serve(_) => Kind::Ordered("proxy"),
            Effect::PlanSmoke(_) => Kind::Latest("smoke"),
            Effect::RunSmoke(_) | Effect::StopSmoke(_) => Kind::Each,
            Effect::Export { .. } => Kind::Ordered("export"),
            Effect::WriteDraft(_) | Effect::ReadDraft(_) => Kind::Ordered("draft"),
        }
    }

    fn run(&self, effect: Effect, reply: Reply<Msg>) {
        match effect {
            Effect::Load { generation } => self.reload(generation, &reply),
            Effect::Derive(job) => self.derive(&job, &reply),
            Effect::Preview(job) => {
                let workspace = lock(&self.workspace).clone();
                reply.send(Msg::Previewed(job.generation, drafting::preview(&job, &workspace).map(Arc::new)));
            }
            Effect::Host => self.host(&reply),
            Effect::SaveOverlay(job) => {
                let written = drafting::write(&job);
                reply.send(Msg::OverlaySaved(job.base.path, job.text, written));
            }
            Effect::Remember { text, instead_of } => self.remember(text.as_deref(), instead_of.as_deref(), &reply),
            Effect::Watch(files) => self.watch(files, reply),
            Effect::Judge(job) => {
                let judged = self.hosting.judge(self.loaded().as_ref(), &job);
                reply.send(Msg::Judged(job.generation, Arc::new(judged)));
            }
            Effect::CheckText(job) => {
                let checked = check_text(&job);
                reply.send(Msg::TextChecked(job.generation, Arc::new(checked)));
            }
            Effect::Study(job) => {
                let workspace = lock(&self.workspace).clone();
                let studied = Arc::new(study(&workspace, &job));
                reply.send(Msg::Studied(job.generation, job.item, studied));
            }
            Effect::Call(job) => self.hosting.call(self.loaded().as_ref(), job, &reply),
            Effect::Cancel(number) => self.hosting.cancel(number),
            Effect::Serve(start) => {
                let served = self.hosting.serve(self.loaded().as_ref(), start, &reply);
                reply.send(Msg::Served(served));
            }
            Effect::PlanSmoke(job) => {
                let planned = self.hosting.planned(self.loaded().as_ref(), &job);
                reply.send(Msg::SmokePlanned(job.generation, planned));
            }
            Effect::RunSmoke(job) => self.hosting.smoke(self.loaded().as_ref(), &job, &reply),
            Effect::StopSmoke(number) => self.hosting.stop_smoke(number),
            Effect::WriteDraft(text) => {
                let written = save(None, "arguments", "json", &text);
                reply.send(Msg::DraftWritten(written));
            }
            Effect::ReadDraft(path) => {
                let read = fs::read_to_string(&path).map_err(|error| error.to_string());
                // It may hold secrets. What cannot be removed is in a folder that is emptied by others.
                let _removed = fs::remove_file(&path);
                reply.send(Msg::DraftRead(read));
            }
            Effect::Export { har: is_har, calls } => {
                let records = calls.0.iter().map(|call| &**call);
                let (ending, text) = if is_har { ("har", har(records).to_string()) } else { ("jsonl", jsonl(records)) };
                let workspace = lock(&self.workspace).clone();
                let folder = (!workspace.is_demo).then_some(workspace.folder.as_path());
                reply.send(Msg::Exported(save(folder, "wire", ending, &text)));
            }
            Effect::Check(job) => {
                let checked = Arc::new(check(&job));
                if reply.send(Msg::Checked(job.generation, checked.clone())) {
                    reply.send(Msg::Counted(job.generation, Arc::new(count(&job, &checked))));
                }
            }
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
    use super::*;
    use crate::tui::app::checks::{CheckJob, Choices};
    use crate::workspace::{Options, SpecArg};

    fn work(folder: &Path) -> Work {
        let options = Options { specs: vec![SpecArg::parse("a.yaml")], ..Options::default() };
        Work::new(Workspace::resolve(&options, folder).unwrap(), Outlook::default(), None)
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
    fn what_is_written_between_reading_and_watching_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.yaml");
        fs::write(&file, "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n").unwrap();
        let work = work(folder.path());
        for (written, expected) in [(false, 0), (true, 1)] {
            let snapshot = work.load().unwrap();
            if written {
                let later = SystemTime::now() + std::time::Duration::from_secs(5);
                fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
            }
            let heard = Arc::new(Mutex::new(0));
            let counter = heard.clone();
            let reply = Reply::to(move |msg| {
                *lock(&counter) += usize::from(matches!(msg, Msg::FilesChanged));
                true
            });
            work.watch(snapshot.files.clone(), reply);
            assert_eq!(*lock(&heard), expected, "written: {written}");
        }
    }

    #[test]
    fn targets_answer_first_and_tokens_follow() {
        let job = CheckJob {
            generation: 7,
            catalog: crate::tui::app::fixture::shop().catalog.clone(),
            choices: Choices::new(&[], &[]),
            counted: None,
        };
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.yaml"), "openapi: 3.1.0\n").unwrap();
        let work = work(folder.path());
        assert_eq!(work.kind(&Effect::Check(job.clone())), Kind::Latest("check"));
        let heard: Arc<Mutex<Vec<Msg>>> = Arc::default();
        let sink = heard.clone();
        work.run(
            Effect::Check(job),
            Reply::to(move |msg| {
                lock(&sink).push(msg);
                true
            }),
        );
        let heard = lock(&heard);
        let [Msg::Checked(7, checked), Msg::Counted(7, counted)] = heard.as_slice() else { panic!("{heard:?}") };
        assert_eq!((checked.worst.len(), counted.tools.len()), (6, 6));
        assert_eq!(counted.targets.len(), checked.choices.all.len());
        assert_eq!(counted.total, counted.tools.iter().map(|count| count.total).sum::<usize>());
    }
}
