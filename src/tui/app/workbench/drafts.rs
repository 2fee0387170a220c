//! The texts of overlay files as they are edited, over saves and reloads, with one history.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::recovery::Recovered;
use crate::overlay::{Change, History, HistoryStep};
use crate::workspace::{DraftText, TextFile};

/// An overlay file as it was read, and what is to be known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayText {
    /// The file with its text.
    pub file: TextFile,
    /// Its name in messages.
    pub name: String,
    /// The upstream that gets it, for a file that the workspace does not name.
    pub upstream: Option<String>,
}

/// One overlay file.
#[derive(Clone, Debug)]
struct Draft {
    /// What edits are based on, as it was read or written last.
    base: TextFile,
    /// The text as it is edited; `None` where there is no file yet.
    text: Option<String>,
    name: String,
    upstream: Option<String>,
    /// What is in the file now, when somebody else has changed it under an edit.
    theirs: Option<TextFile>,
    /// The text that was written elsewhere because this is built into the program.
    kept: Option<String>,
}

impl Draft {
    fn of(read: OverlayText) -> Self {
        let text = read.file.exists().then(|| read.file.text.clone());
        Self { base: read.file, text, name: read.name, upstream: read.upstream, theirs: None, kept: None }
    }

    fn saved(&self) -> Option<&str> {
        self.base.exists().then_some(self.base.text.as_str())
    }

    fn differs(&self) -> bool {
        self.text.as_deref() != self.saved()
    }

    fn is_dirty(&self) -> bool {
        self.differs() && (self.kept.is_none() || self.text != self.kept)
    }
}

/// The overlay files that were read or begun, by their paths, as `workspace::overlay_path` gives them.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    files: BTreeMap<PathBuf, Draft>,
    history: History,
    /// The file into which was typed last, so that a word is one step.
    typing: Option<PathBuf>,
    version: u64,
}

impl Drafts {
    /// The text of a file as it is edited; that of the file where there is no edit. `None`: it is not known, or there is
    /// no such file.
    pub fn text(&self, file: &Path) -> Option<&str> {
        self.files.get(file)?.text.as_deref()
    }

    /// The file as an edit of it is based on it.
    pub fn base(&self, file: &Path) -> Option<&TextFile> {
        Some(&self.files.get(file)?.base)
    }

    /// Its name in messages.
    pub fn name(&self, file: &Path) -> Option<&str> {
        Some(&self.files.get(file)?.name)
    }

    /// The files, by path.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Counts changes of any text, for what is made from them.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// There is something in it that no file has.
    pub fn is_dirty(&self, file: &Path) -> bool {
        self.files.get(file).is_some_and(Draft::is_dirty)
    }

    /// The files that have something unsaved, by path.
    pub fn dirty_files(&self) -> Vec<PathBuf> {
        self.files.iter().filter(|(_, draft)| draft.is_dirty()).map(|(path, _)| path.clone()).collect()
    }

    /// What is in the file now, when somebody else has changed it under an edit.
    pub fn theirs(&self, file: &Path) -> Option<&TextFile> {
        self.files.get(file)?.theirs.as_ref()
    }

    /// The texts to be read instead of files: those that differ from them, and those that no workspace names.
    pub fn instead(&self) -> Vec<DraftText> {
        let counts = |draft: &Draft| draft.differs() || draft.upstream.is_some();
        let text = |(path, draft): (&PathBuf, &Draft)| DraftText {
            path: path.clone(),
            name: draft.name.clone(),
            text: draft.text.clone(),
            upstream: draft.upstream.clone(),
        };
        self.files.iter().filter(|(_, draft)| counts(draft)).map(text).collect()
    }

    /// The files that no workspace names, as they are saved; those that are not there yet are left out.
    pub fn unnamed_saved(&self) -> Vec<DraftText> {
        let text = |(path, draft): (&PathBuf, &Draft)| {
            let upstream = Some(draft.upstream.clone()?);
            let text = Some(draft.saved()?.to_owned());
            Some(DraftText { path: path.clone(), name: draft.name.clone(), text, upstream })
        };
        self.files.iter().filter_map(text).collect()
    }

    /// A file of the workspace was read, or read again. One without edits follows it; under an edit the new text is
    /// remembered as theirs. `true` when that is news.
    pub fn read(&mut self, read: OverlayText) -> bool {
        let path = read.file.path.clone();
        let Some(draft) = self.files.get_mut(&path) else {
            self.files.insert(path, Draft::of(read));
            self.version += 1;
            return false;
        };
        // The workspace names it by now.
        draft.upstream = None;
        draft.name = read.name;
        if read.file == draft.base {
            draft.theirs = None;
            return false;
        }
        let now = read.file.exists().then_some(read.file.text.as_str());
        if draft.differs() && draft.text.as_deref() != now {
            let is_news = draft.theirs.as_ref() != Some(&read.file);
            draft.theirs = Some(read.file);
            return is_news;
        }
        draft.text = now.map(str::to_owned);
        draft.base = read.file;
        draft.theirs = None;
        self.version += 1;
        false
    }

    /// A file that the workspace does not name, with the upstream that gets it.
    pub fn begin(&mut self, read: OverlayText) {
        let path = read.file.path.clone();
        self.files.entry(path).or_insert_with(|| Draft::of(read));
    }

    /// Gives a file another text: a step of the history. `false` when the file is not known or has that text already.
    pub fn edit(&mut self, label: &str, file: &Path, text: &str) -> bool {
        self.typing = None;
        self.put(label, file, Some(text))
    }

    /// The same for what is typed: letters that follow each other on a line are one step.
    pub fn type_in(&mut self, file: &Path, text: &str) -> bool {
        let lines = |text: &str| text.matches('\n').count();
        let same_line = self.text(file).is_some_and(|before| lines(before) == lines(text));
        let goes_on = same_line && self.typing.as_deref() == Some(file);
        if !self.put("typing", file, Some(text)) {
            return false;
        }
        if goes_on {
            self.history.join();
        }
        self.typing = Some(file.to_owned());
        true
    }

    fn put(&mut self, label: &str, file: &Path, text: Option<&str>) -> bool {
        let Some(draft) = self.files.get_mut(file).filter(|draft| draft.text.as_deref() != text) else { return false };
        let before = std::mem::replace(&mut draft.text, text.map(str::to_owned));
        let change = Change { file: key(file), before, after: draft.text.clone() };
        self.history.push(HistoryStep { label: label.to_owned(), changes: vec![change] });
        self.version += 1;
        true
    }

    /// Takes back the last step, also one from before a save: gives its name.
    ///
    /// # Errors
    /// In words, why it cannot be taken back.
    pub fn undo(&mut self) -> Result<String, String> {
        let Some(step) = self.history.undo() else { return Err("there is nothing to undo".to_owned()) };
        self.apply(&step).inspect_err(|_| {
            self.history.redo();
        })
    }

    /// Makes the step that was taken back last once more: gives its name.
    ///
    /// # Errors
    /// In words, why it cannot be made.
    pub fn redo(&mut self) -> Result<String, String> {
        let Some(step) = self.history.redo() else { return Err("there is nothing to redo".to_owned()) };
        self.apply(&step).inspect_err(|_| {
            self.history.undo();
        })
    }

    /// What would be undone and redone next.
    pub fn steps(&self) -> (Option<&str>, Option<&str>) {
        (self.history.undoable(), self.history.redoable())
    }

    fn apply(&mut self, step: &HistoryStep) -> Result<String, String> {
        self.typing = None;
        for change in &step.changes {
            let draft = self.files.get(Path::new(&change.file));
            if draft.map(|draft| &draft.text) != Some(&change.before) {
                return Err(format!("{} is not as it was after “{}” any more", change.file, step.label));
            }
            if change.after.is_none() && draft.is_some_and(|draft| draft.base.exists()) {
                return Err(format!("{} was saved; remove the file by hand if it is not wanted", change.file));
            }
        }
        for change in &step.changes {
            if let Some(draft) = self.files.get_mut(Path::new(&change.file)) {
                draft.text.clone_from(&change.after);
            }
        }
        self.version += 1;
        Ok(step.label.clone())
    }

    /// What is to be written for a file, with what it is based on. `None` when it has nothing unsaved.
    pub fn to_save(&self, file: &Path) -> Option<(TextFile, String)> {
        let draft = self.files.get(file).filter(|draft| draft.is_dirty())?;
        Some((draft.base.clone(), draft.text.clone()?))
    }

    /// The upstream that gets the file, when no workspace names it.
    pub fn unnamed(&self, file: &Path) -> Option<&str> {
        self.files.get(file)?.upstream.as_deref()
    }

    /// What is unsaved of a file, for a recovery file.
    pub(super) fn to_recover(&self, file: &Path) -> Option<Recovered> {
        let draft = self.files.get(file)?;
        Some(Recovered {
            path: file.to_owned(),
            name: draft.name.clone(),
            upstream: draft.upstream.clone(),
            base: draft.saved().map(str::to_owned),
            text: draft.text.clone()?,
            now: None,
        })
    }

    /// Brings an unsaved text back: a step that can be undone. `false` when somebody else has changed the file since.
    pub(super) fn restore(&mut self, recovered: &Recovered) -> bool {
        let path = recovered.path();
        let known = self.files.get(path).map(|draft| draft.base.clone());
        let Some(now) = known.or_else(|| recovered.now.clone()).or_else(|| Some(recovered.base_file())) else {
            return true;
        };
        let is_current = recovered.is_current(&now);
        let base = if is_current { now.clone() } else { recovered.base_file() };
        let upstream = recovered.upstream.clone();
        let read = OverlayText { file: base, name: recovered.name.clone(), upstream };
        let draft = Draft { theirs: (!is_current).then_some(now), ..Draft::of(read) };
        self.files.insert(path.to_owned(), draft);
        self.edit("restore", path, &recovered.text);
        is_current
    }

    /// A file was written. What was typed since stays unsaved.
    pub fn saved(&mut self, written: TextFile) {
        self.typing = None;
        if let Some(draft) = self.files.get_mut(&written.path) {
            draft.base = written;
            draft.theirs = None;
        }
    }

    /// A text was written to another file, because this one is built in.
    pub fn kept(&mut self, file: &Path, text: String) {
        self.typing = None;
        if let Some(draft) = self.files.get_mut(file) {
            draft.kept = Some(text);
        }
    }

    /// Somebody else has changed the file: nothing was written.
    pub fn disagrees(&mut self, theirs: TextFile) {
        if let Some(draft) = self.files.get_mut(&theirs.path) {
            draft.theirs = Some(theirs);
        }
    }

    /// Takes what is in the file now as the base, and a text for the edit: what is in the file itself, or what was merged.
    /// `false` when there is no disagreement.
    pub fn settle(&mut self, label: &str, file: &Path, text: Option<&str>) -> bool {
        self.typing = None;
        let Some(theirs) = self.files.get_mut(file).and_then(|draft| draft.theirs.take()) else { return false };
        let own = theirs.exists().then(|| theirs.text.clone());
        self.put(label, file, text.or(own.as_deref()));
        if let Some(draft) = self.files.get_mut(file) {
            draft.base = theirs;
        }
        self.version += 1;
        true
    }

    /// Goes back to what is in the file: a step that can be undone. `false` when nothing was unsaved.
    pub fn discard(&mut self, file: &Path) -> bool {
        self.typing = None;
        let Some(draft) = self.files.get(file).filter(|draft| draft.differs()) else { return false };
        if draft.theirs.is_some() {
            return self.settle("discard", file, None);
        }
        let saved = draft.saved().map(str::to_owned);
        self.put("discard", file, saved.as_deref())
    }
}

fn key(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;

    fn read(path: &str, text: Option<&str>) -> OverlayText {
        let base = TextFile::built_in(path, "");
        OverlayText { file: base.edited(text), name: path.to_owned(), upstream: None }
    }

    fn drafts() -> (Drafts, &'static Path, &'static Path) {
        let mut drafts = Drafts::default();
        drafts.read(read("/a", Some("a0")));
        drafts.read(read("/b", Some("b0")));
        (drafts, Path::new("/a"), Path::new("/b"))
    }

    #[test]
    fn steps_go_over_files_and_saves() {
        let (mut drafts, a, b) = drafts();
        assert!(drafts.edit("one", a, "a1") && drafts.edit("two", b, "b1") && drafts.edit("three", a, "a2"));
        assert!(!drafts.edit("nothing", a, "a2") && !drafts.edit("unknown", Path::new("/c"), "x"));
        assert_eq!(drafts.dirty_files(), [a, b]);
        drafts.saved(drafts.base(a).unwrap().edited(Some("a2")));
        assert_eq!((drafts.is_dirty(a), drafts.is_dirty(b)), (false, true));
        assert_eq!(drafts.undo().as_deref(), Ok("three"));
        assert_eq!((drafts.text(a), drafts.is_dirty(a)), (Some("a1"), true));
        assert_eq!(drafts.undo().as_deref(), Ok("two"));
        assert_eq!(drafts.undo().as_deref(), Ok("one"));
        assert_eq!((drafts.text(a), drafts.text(b), drafts.is_dirty(b)), (Some("a0"), Some("b0"), false));
        assert!(drafts.undo().is_err());
        for label in ["one", "two", "three"] {
            assert_eq!(drafts.redo().as_deref(), Ok(label));
        }
        assert_eq!((drafts.is_dirty(a), drafts.instead().len()), (false, 1));
    }

    #[test]
    fn what_is_typed_on_a_line_is_one_step() {
        let (mut drafts, a, b) = drafts();
        for text in ["a0x", "a0xy", "a0xy\n", "a0xy\nz", "a0xy\nzz"] {
            assert!(drafts.type_in(a, text));
        }
        drafts.type_in(b, "b");
        drafts.type_in(a, "a0xy\nzzz");
        let mut back = Vec::new();
        while drafts.undo().is_ok() {
            back.push((drafts.text(a).unwrap().to_owned(), drafts.text(b).unwrap().to_owned()));
        }
        let expected = [("a0xy\nzz", "b"), ("a0xy\nzz", "b0"), ("a0xy", "b0"), ("a0", "b0")];
        assert_eq!(back, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn a_file_without_edits_follows_and_an_edit_is_kept() {
        let (mut drafts, a, b) = drafts();
        drafts.edit("one", a, "mine");
        assert!(drafts.read(read("/a", Some("theirs"))), "news");
        assert!(!drafts.read(read("/a", Some("theirs"))), "no news any more");
        assert!(!drafts.read(read("/b", Some("b1"))));
        assert_eq!((drafts.text(a), drafts.text(b)), (Some("mine"), Some("b1")));
        assert_eq!(drafts.theirs(a).unwrap().text, "theirs");
        assert!(drafts.settle("merge", a, Some("both")));
        assert_eq!((drafts.text(a), drafts.is_dirty(a), drafts.theirs(a)), (Some("both"), true, None));
        assert!(!drafts.read(read("/a", Some("theirs"))));
        assert!(drafts.discard(a) && !drafts.discard(a));
        assert_eq!((drafts.text(a), drafts.is_dirty(a)), (Some("theirs"), false));
        assert_eq!(drafts.undo().as_deref(), Ok("discard"));
        assert_eq!(drafts.text(a), Some("both"));
        // Somebody wrote the same.
        assert!(!drafts.read(read("/a", Some("both"))));
        assert!(!drafts.is_dirty(a));
    }

    #[test]
    fn a_new_file_comes_and_goes_until_it_is_saved() {
        let (mut drafts, ..) = drafts();
        let new = Path::new("/new.yaml");
        drafts.begin(OverlayText { upstream: Some("shop".into()), ..read("/new.yaml", None) });
        assert_eq!((drafts.text(new), drafts.is_dirty(new)), (None, false));
        drafts.edit("rename", new, "overlay");
        assert_eq!(drafts.instead()[0].upstream.as_deref(), Some("shop"));
        assert_eq!(drafts.undo().as_deref(), Ok("rename"));
        assert_eq!((drafts.text(new), drafts.to_save(new)), (None, None));
        drafts.redo().unwrap();
        assert!(drafts.unnamed_saved().is_empty(), "it is in no file yet");
        drafts.saved(drafts.to_save(new).unwrap().0.edited(Some("overlay")));
        assert!(drafts.undo().unwrap_err().contains("was saved"));
        assert_eq!((drafts.text(new), drafts.instead().len()), (Some("overlay"), 1), "no workspace names it yet");
        assert_eq!(drafts.unnamed_saved(), drafts.instead());
        drafts.read(read("/new.yaml", Some("overlay")));
        assert!(drafts.instead().is_empty() && drafts.unnamed_saved().is_empty());
    }
}
