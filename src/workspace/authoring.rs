//! Authoring in a workspace: what a person wants of some tools becomes a change of an overlay file, and its effect is
//! known before the file is written.

use std::path::Path;

use super::drafts::{DraftText, position, with_drafts};
use super::effect::Effect;
use super::error::LoadError;
use super::loader::{load_with, open_and_apply};
use super::resolve::{UpstreamSource, Workspace};
use super::save::TextFile;
use super::snapshot::Snapshot;
use super::source::Reader;
use crate::document::{Document, FileId, Format, Pointer, Step, parse, pointer};
use crate::overlay::{
    AuthorError, Authored, Draft, Edit, Intent, Overlay, Patch, PatchError, Request, author, overlay_text,
};

/// What is wanted, of which tools, and in which file it is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// The overlay file as it was read; it may be one that is not there yet.
    pub file: &'a TextFile,
    /// Its name in messages.
    pub name: &'a str,
    /// The upstream of the tools.
    pub upstream: &'a str,
    /// The operations of the tools, as in `Operation::place`.
    pub operations: &'a [Pointer],
    /// What is wanted of them.
    pub intent: &'a Intent,
}

/// A change of an overlay file that is not saved yet, and its effect.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The change.
    pub authored: Authored,
    /// The workspace with the change in memory.
    pub workspace: Workspace,
    /// What it gives.
    pub snapshot: Snapshot,
    /// How that differs from before.
    pub effect: Effect,
    /// The workspace reads the file; if not, somebody has to name it.
    pub in_workspace: bool,
}

/// Why there is no preview.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// Nothing was authored.
    #[error(transparent)]
    Author(#[from] AuthorError),
    /// The workspace cannot be loaded, before the change or with it.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Authors without saving. `before` is what the workspace gives without the change.
///
/// # Errors
/// See [`PreviewError`].
pub fn preview(
    workspace: &Workspace,
    before: &Snapshot,
    wish: &Wish<'_>,
    reader: &mut Reader,
) -> Result<Preview, PreviewError> {
    let (opened, overlaid) = open_and_apply(workspace, Some(before), reader)?;
    let mine = opened.upstreams.iter().zip(&overlaid).find(|(upstream, _)| upstream.source.name == wish.upstream);
    let Some((upstream, overlaid)) = mine else {
        return Err(LoadError::usage(format!("there is no upstream `{}`", wish.upstream)).into());
    };
    let slot = slot(&upstream.source, &wish.file.path, reader);
    let overlays: &[Overlay] = &overlaid.overlays;
    let (earlier, later) = match slot {
        Some(at) => (overlays.get(..at).unwrap_or_default(), overlays.get(at + 1..).unwrap_or_default()),
        None => (overlays, [].as_slice()),
    };
    let title = format!("How {} looks to a model", upstream.source.name);
    let authored = author(&Request {
        name: wish.name,
        text: wish.file.exists().then_some(wish.file.text.as_str()),
        title: &title,
        document: &upstream.original.main,
        earlier,
        later,
        operations: wish.operations,
        intent: wish.intent,
    })?;
    let changed = with_text(workspace, wish, &authored.patch.after, reader);
    let snapshot = load_with(&changed, Some(before), reader)?;
    let effect = Effect::between(&before.catalog, &snapshot.catalog);
    Ok(Preview { authored, workspace: changed, snapshot, effect, in_workspace: slot.is_some() })
}

/// The same for edits of the text itself, such as another target for an action.
///
/// # Errors
/// See [`PreviewError`].
pub fn preview_edits(
    workspace: &Workspace,
    before: &Snapshot,
    (file, name): (&TextFile, &str),
    edits: &[Edit],
    reader: &mut Reader,
) -> Result<Preview, PreviewError> {
    let patch = Patch::make(name, &file.text, edits).map_err(AuthorError::from)?;
    preview_patch(workspace, before, (file, name), None, patch, reader)
}

/// The same for actions as they are, put behind those that are there; in a file that is not there yet they are the first.
/// `upstream` gets a file that the workspace does not name.
///
/// # Errors
/// See [`PreviewError`].
pub fn preview_actions(
    workspace: &Workspace,
    before: &Snapshot,
    (file, name): (&TextFile, &str),
    upstream: &str,
    drafts: &[Draft],
    reader: &mut Reader,
) -> Result<Preview, PreviewError> {
    let patch = if file.exists() {
        append(name, &file.text, drafts).map_err(AuthorError::from)?
    } else {
        let format = if name.ends_with(".json") { Format::Json } else { Format::Yaml };
        let title = format!("How {upstream} looks to a model");
        Patch::between("", &overlay_text(&title, drafts, format))
    };
    preview_patch(workspace, before, (file, name), Some(upstream), patch, reader)
}

/// Puts actions behind those of an overlay's text.
///
/// # Errors
/// The text is no overlay, or cannot be changed without touching more than it should.
pub fn append(name: &str, text: &str, drafts: &[Draft]) -> Result<Patch, PatchError> {
    let values = drafts.iter().map(Draft::to_node).collect();
    // A text that cannot be read is refused below.
    let count = |document: Document| document.root.get("actions").map_or(0, |node| node.items().len());
    let index = parse(FileId(0), name, text).map(count).unwrap_or_default();
    let edit = Edit::Insert { list: Pointer::default().key("actions"), index, values };
    Patch::make(name, text, &[edit])
}

fn preview_patch(
    workspace: &Workspace,
    before: &Snapshot,
    (file, name): (&TextFile, &str),
    upstream: Option<&str>,
    patch: Patch,
    reader: &mut Reader,
) -> Result<Preview, PreviewError> {
    let authored = Authored { patch, done: Vec::new(), remarks: Vec::new() };
    let text = Some(authored.patch.after.clone());
    let upstream = upstream.map(str::to_owned);
    let draft = DraftText { path: file.path.clone(), name: name.to_owned(), text, upstream };
    let changed = with_drafts(workspace, &[draft], reader);
    let snapshot = load_with(&changed, Some(before), reader)?;
    let effect = Effect::between(&before.catalog, &snapshot.catalog);
    Ok(Preview { authored, workspace: changed, snapshot, effect, in_workspace: true })
}

/// Which overlay of the upstream is that file?
pub fn slot(upstream: &UpstreamSource, file: &Path, reader: &Reader) -> Option<usize> {
    position(&upstream.overlays, file, reader.env.as_ref())
}

/// The workspace with another text of the file, in every upstream that reads it.
fn with_text(workspace: &Workspace, wish: &Wish<'_>, text: &str, reader: &Reader) -> Workspace {
    let draft = DraftText {
        path: wish.file.path.clone(),
        name: wish.name.to_owned(),
        text: Some(text.to_owned()),
        upstream: Some(wish.upstream.to_owned()),
    };
    with_drafts(workspace, &[draft], reader)
}

/// The pointer that a place has as text, when it is one of names: `/paths/~1pets/get`.
pub fn operation_pointer(text: &str) -> Pointer {
    Pointer(text.split('/').skip(1).map(|token| Step::Key(pointer::unescape(token).into())).collect())
}
