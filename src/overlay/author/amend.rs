//! From actions to edits of an overlay's text.

use std::sync::Arc;

use super::draft::{Draft, DraftEffect, entry, overlay_text};
use super::intent::Intent;
use super::plan::{IntentError, Plan, plan};
use crate::document::{Document, FileId, Finding, Format, Node, Pointer, Severity, parse};
use crate::overlay::patch::{Edit, Patch, PatchError};
use crate::overlay::{Action, ActionKind, Overlay, apply};

/// What is to be authored, and in which surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Name of the overlay file; its ending says whether it is JSON or YAML.
    pub name: &'a str,
    /// Its text; `None` when it is to be created.
    pub text: Option<&'a str>,
    /// `info.title` of an overlay that is to be created.
    pub title: &'a str,
    /// The document before all overlays.
    pub document: &'a Document,
    /// Overlays that are applied before this one.
    pub earlier: &'a [Overlay],
    /// Overlays that are applied after this one.
    pub later: &'a [Overlay],
    /// The operations, by their pointers in the document.
    pub operations: &'a [Pointer],
    /// What is wanted of them.
    pub intent: &'a Intent,
}

/// What was done to an overlay's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Authored {
    /// The change of the text.
    pub patch: Patch,
    /// The actions that were written.
    pub done: Vec<Done>,
    /// What a person should know before it is kept.
    pub remarks: Vec<String>,
}

/// An action that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Its index in the overlay, from 0.
    pub index: usize,
    /// Its target.
    pub target: String,
    /// It was there and got or changed these members of its `update`; empty for a new action.
    pub amended: Vec<Arc<str>>,
}

/// Why nothing was authored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AuthorError {
    /// The intent cannot become an action.
    #[error(transparent)]
    Intent(#[from] IntentError),
    /// The text cannot be changed.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// The file is no overlay.
    #[error("`{name}` is no overlay: {}", finding.message)]
    NoOverlay {
        /// The file.
        name: String,
        /// The worst that is wrong with it.
        finding: Box<Finding>,
    },
}

/// Writes what is wanted into an overlay: an action that has the same single target gets or changes members, everything
/// else becomes an action at the end. What comes out gives exactly the document that the planned actions give.
///
/// # Errors
/// See [`AuthorError`]. Nothing is changed then.
pub fn author(request: &Request<'_>) -> Result<Authored, AuthorError> {
    let mut text = match request.text {
        Some(text) => text.to_owned(),
        None => String::new(),
    };
    let mut overlay = request.text.map(|text| read(request.name, text)).transpose()?;
    let before = applied(request, overlay.as_ref());
    let Plan { drafts, mut remarks } = plan(&before.root, request.operations, request.intent)?;
    let mut state = before;
    let mut done = Vec::new();
    for draft in &drafts {
        let Some(known) = &overlay else {
            let format = if request.name.ends_with(".json") { Format::Json } else { Format::Yaml };
            text = overlay_text(request.title, std::slice::from_ref(draft), format);
            let made = read(request.name, &text)?;
            done.push(Done { index: 0, target: draft.target.clone(), amended: Vec::new() });
            state = applied(request, Some(&made));
            overlay = Some(made);
            continue;
        };
        let wanted = wanted(&state, draft)?;
        let (next, how) = match amend(request, &text, known, draft, &wanted)? {
            Some(amended) => amended,
            None => append(request.name, &text, known, draft)?,
        };
        text = next;
        done.push(how);
        let changed = read(request.name, &text)?;
        state = applied(request, Some(&changed));
        overlay = Some(changed);
    }
    remarks.extend(overlay.as_ref().and_then(|overlay| overridden(request, overlay, &done)));
    Ok(Authored { patch: Patch::between(request.text.unwrap_or_default(), &text), done, remarks })
}

fn read(name: &str, text: &str) -> Result<Overlay, AuthorError> {
    let none = |finding: Finding| AuthorError::NoOverlay { name: name.to_owned(), finding: Box::new(finding) };
    let document = parse(FileId(u32::MAX), name, text).map_err(|error| none(error.finding()))?;
    Overlay::read(&document, name).map_err(|findings| {
        let worst = findings.into_iter().max_by_key(|finding| finding.severity == Severity::Error);
        none(worst.unwrap_or_else(|| Finding::error("overlay-invalid", "it has no actions")))
    })
}

/// The document after the earlier overlays and this one.
fn applied(request: &Request<'_>, overlay: Option<&Overlay>) -> Document {
    let overlays: Vec<Overlay> = request.earlier.iter().chain(overlay).cloned().collect();
    apply(request.document, &overlays).document
}

/// The document after one more action.
fn wanted(state: &Document, draft: &Draft) -> Result<Node, AuthorError> {
    let text = overlay_text("planned", std::slice::from_ref(draft), Format::Json);
    let overlay = read("planned.json", &text)?;
    Ok(apply(state, &[overlay]).document.root)
}

/// The draft within an action that is there, when that gives the same document.
fn amend(
    request: &Request<'_>,
    text: &str,
    overlay: &Overlay,
    draft: &Draft,
    wanted: &Node,
) -> Result<Option<(String, Done)>, AuthorError> {
    let DraftEffect::Update(value) = &draft.effect else { return Ok(None) };
    let place = crate::document::jsonpath::Query::parse(&draft.target).ok().and_then(|query| query.exact());
    let Some(place) = place else { return Ok(None) };
    let same = |action: &&Action| action.query.as_ref().ok().and_then(|query| query.exact()).as_ref() == Some(&place);
    let candidates = overlay.actions.iter().rev().filter(same);
    for action in candidates {
        let ActionKind::Update(old) = &action.kind else { continue };
        if old.as_map().is_none() {
            continue;
        }
        let update = Pointer::default().key("actions").index(usize::from(action.index)).key("update");
        let edit = |member: &crate::document::Entry| match old.get(&member.key) {
            Some(_) => Edit::Set { at: update.key(member.key.clone()), value: member.value.clone() },
            None => Edit::Add { map: update.clone(), key: member.key.clone(), value: member.value.clone() },
        };
        let edits: Vec<Edit> = value.members().map(edit).collect();
        let Ok(patch) = Patch::make(request.name, text, &edits) else { continue };
        let Ok(changed) = read(request.name, &patch.after) else { continue };
        if applied(request, Some(&changed)).root == *wanted {
            let amended = value.members().map(|member| member.key.clone()).collect();
            let done = Done { index: usize::from(action.index), target: action.target.clone(), amended };
            return Ok(Some((patch.after, done)));
        }
    }
    Ok(None)
}

fn append(name: &str, text: &str, overlay: &Overlay, draft: &Draft) -> Result<(String, Done), AuthorError> {
    let index = overlay.actions.len();
    let edit = Edit::Insert { list: Pointer::default().key("actions"), index, value: draft.to_node() };
    let patch = Patch::make(name, text, &[edit])?;
    Ok((patch.after, Done { index, target: draft.target.clone(), amended: Vec::new() }))
}

/// Later overlays that undo what was written.
fn overridden(request: &Request<'_>, overlay: &Overlay, done: &[Done]) -> Option<String> {
    if request.later.is_empty() {
        return None;
    }
    let overlays: Vec<Overlay> =
        request.earlier.iter().chain(std::iter::once(overlay)).chain(request.later).cloned().collect();
    let applied = apply(request.document, &overlays);
    let trail = applied.trails.iter().find(|trail| {
        trail.overlay == overlay.file
            && done.iter().any(|done| done.index == usize::from(trail.index))
            && trail.overridden
    })?;
    let by = trail.overridden_by.first()?;
    let name = request.later.iter().find(|later| later.file == by.0).map_or("a later overlay", |later| &later.name);
    Some(format!("{name} is applied later and overrides `{}`", trail.target))
}

/// The edits that take an action away, or put one in; for callers that step through an overlay.
impl Edit {
    /// Takes the action of that index away.
    pub fn remove_action(index: usize) -> Self {
        Self::Remove { at: Pointer::default().key("actions").index(index) }
    }

    /// Puts an action in before that of this index.
    pub fn insert_action(index: usize, draft: &Draft) -> Self {
        Self::Insert { list: Pointer::default().key("actions"), index, value: draft.to_node() }
    }

    /// Gives an action another target.
    pub fn retarget(index: usize, target: &str) -> Self {
        let at = Pointer::default().key("actions").index(index).key("target");
        Self::Set { at, value: entry("target", super::draft::text(target)).value }
    }
}
