//! Texts that are not saved yet in the place of overlay files.

use std::path::{Path, PathBuf};

use super::resolve::Workspace;
use super::secret::Env;
use super::source::{Location, Place, Reader, Source};

/// A text that is read instead of an overlay file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftText {
    /// The file, as [`overlay_path`] gives it.
    pub path: PathBuf,
    /// Its name in messages, for a file that the workspace does not name.
    pub name: String,
    /// The text; without one the file is not there.
    pub text: Option<String>,
    /// The upstream that gets a file that the workspace does not name.
    pub upstream: Option<String>,
}

/// The file that an edit of an overlay is written to, without links. What is built into the program goes by its name.
/// `None` for what cannot be edited: an address or standard input.
pub fn overlay_path(source: &Source, env: &dyn Env) -> Option<PathBuf> {
    if let Some(path) = &source.stands_for {
        return Some(path.clone());
    }
    match (&source.location, source.place(env).ok()?) {
        (_, Place::File(path)) => Some(real(&path)),
        (Location::Text(_), _) => Some(PathBuf::from(&source.name)),
        _ => None,
    }
}

/// Which of the overlays is that file?
pub(super) fn position(overlays: &[Source], file: &Path, env: &dyn Env) -> Option<usize> {
    let wanted = real(file);
    let is_it = |path: PathBuf| path == wanted || path == file;
    overlays.iter().position(|source| overlay_path(source, env).is_some_and(is_it))
}

/// Every overlay of a workspace that can be edited, each once: its file and the source.
pub fn overlay_files<'a>(workspace: &'a Workspace, env: &dyn Env) -> Vec<(PathBuf, &'a Source)> {
    let mut files: Vec<(PathBuf, &Source)> = Vec::new();
    for source in workspace.upstreams.iter().flat_map(|upstream| &upstream.overlays) {
        if let Some(path) = overlay_path(source, env)
            && !files.iter().any(|(known, _)| *known == path)
        {
            files.push((path, source));
        }
    }
    files
}

/// The workspace with texts in the place of files, in every upstream that reads them. A file that no upstream reads is
/// applied last to the upstream that the draft names.
#[must_use]
pub fn with_drafts(workspace: &Workspace, drafts: &[DraftText], reader: &Reader) -> Workspace {
    let mut changed = workspace.clone();
    for draft in drafts {
        let mut is_read = false;
        for upstream in &mut changed.upstreams {
            let Some(at) = position(&upstream.overlays, &draft.path, reader.env.as_ref()) else { continue };
            is_read = true;
            match (&draft.text, upstream.overlays.get_mut(at)) {
                (Some(text), Some(source)) => *source = source.with_text(text.as_str(), &draft.path),
                _ => {
                    upstream.overlays.remove(at);
                }
            }
        }
        let (Some(text), Some(name), false) = (&draft.text, &draft.upstream, is_read) else { continue };
        if let Some(upstream) = changed.upstreams.iter_mut().find(|upstream| upstream.name == *name) {
            upstream.overlays.push(Source::text(&draft.name, "").with_text(text.as_str(), &draft.path));
        }
    }
    changed
}

/// Without links and dots, also for a file that is still to be made.
pub(super) fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(made).unwrap_or_else(|| path.to_owned())
}
