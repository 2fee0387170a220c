//! From actions to edits of an overlay's text.

use std::sync::Arc;

use super::draft::{Draft, DraftEffect, entry, overlay_text};
use super::intent::Intent;
use super::plan::{IntentError, Plan, plan};
use crate::document::jsonpath::Query;
use crate::document::{Document, Entry, FileId, Finding, Format, Node, Pointer, Severity, parse};
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
    let overlay = request.text.map(|text| read(request.name, text)).transpose()?;
    let before = applied(request, overlay.as_ref());
    let Plan { drafts, mut remarks } = plan(&before.root, request.operations, request.intent)?;
    let Some(overlay) = overlay else { return fresh(request, &drafts, remarks) };
    let mut writing = Writing { request, text: request.text.unwrap_or_default().to_owned(), overlay, done: Vec::new() };
    let mut new: Vec<&Draft> = Vec::new();
    for draft in &drafts {
        if writing.candidates(draft).is_empty() {
            new.push(draft);
            continue;
        }
        writing.append(&new)?;
        new.clear();
        if !writing.amend(draft)? {
            new.push(draft);
        }
    }
    writing.append(&new)?;
    let Writing { text, overlay, done, .. } = writing;
    remarks.extend(overridden(request, &overlay, &done));
    Ok(Authored { patch: Patch::between(request.text.unwrap_or_default(), &text), done, remarks })
}

/// An overlay from nothing.
fn fresh(request: &Request<'_>, drafts: &[Draft], mut remarks: Vec<String>) -> Result<Authored, AuthorError> {
    let format = if request.name.ends_with(".json") { Format::Json } else { Format::Yaml };
    let text = overlay_text(request.title, drafts, format);
    let overlay = read(request.name, &text)?;
    let added = |(index, draft): (usize, &Draft)| Done { index, target: draft.target.clone(), amended: Vec::new() };
    let done: Vec<Done> = drafts.iter().enumerate().map(added).collect();
    remarks.extend(overridden(request, &overlay, &done));
    Ok(Authored { patch: Patch::between("", &text), done, remarks })
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

/// The overlay's text while it changes.
struct Writing<'a> {
    request: &'a Request<'a>,
    text: String,
    overlay: Overlay,
    done: Vec<Done>,
}

impl Writing<'_> {
    /// Actions that update the one place that the draft updates, the last one first.
    fn candidates(&self, draft: &Draft) -> Vec<Action> {
        let exact = |query: &Query| query.exact();
        let place = match &draft.effect {
            DraftEffect::Update(value) if value.as_map().is_some() => {
                Query::parse(&draft.target).ok().as_ref().and_then(exact)
            }
            _ => None,
        };
        let Some(place) = place else { return Vec::new() };
        let fits = |action: &&Action| {
            matches!(&action.kind, ActionKind::Update(old) if old.as_map().is_some())
                && action.query.as_ref().ok().and_then(exact).as_ref() == Some(&place)
        };
        self.overlay.actions.iter().rev().filter(fits).cloned().collect()
    }

    /// Puts the draft into an action that is there, when that gives the same document; `false` when none does.
    fn amend(&mut self, draft: &Draft) -> Result<bool, AuthorError> {
        let DraftEffect::Update(value) = &draft.effect else { return Ok(false) };
        let wanted = wanted(&applied(self.request, Some(&self.overlay)), draft)?;
        for action in self.candidates(draft) {
            let ActionKind::Update(old) = &action.kind else { continue };
            let update = Pointer::default().key("actions").index(usize::from(action.index)).key("update");
            let edit = |member: &Entry| match old.get(&member.key) {
                Some(_) => Edit::Set { at: update.key(member.key.clone()), value: member.value.clone() },
                None => Edit::Add { map: update.clone(), key: member.key.clone(), value: member.value.clone() },
            };
            let edits: Vec<Edit> = value.members().map(edit).collect();
            let Ok(patch) = Patch::make(self.request.name, &self.text, &edits) else { continue };
            let Ok(changed) = read(self.request.name, &patch.after) else { continue };
            if applied(self.request, Some(&changed)).root == wanted {
                let amended = value.members().map(|member| member.key.clone()).collect();
                self.done.push(Done { index: usize::from(action.index), target: action.target.clone(), amended });
                (self.text, self.overlay) = (patch.after, changed);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts the drafts at the end, all in one cut.
    fn append(&mut self, drafts: &[&Draft]) -> Result<(), AuthorError> {
        if drafts.is_empty() {
            return Ok(());
        }
        let index = self.overlay.actions.len();
        let values = drafts.iter().map(|draft| draft.to_node()).collect();
        let edit = Edit::Insert { list: Pointer::default().key("actions"), index, values };
        self.text = Patch::make(self.request.name, &self.text, &[edit])?.after;
        self.overlay = read(self.request.name, &self.text)?;
        let added = |(at, draft): (usize, &&Draft)| Done {
            index: index + at,
            target: draft.target.clone(),
            amended: Vec::new(),
        };
        self.done.extend(drafts.iter().enumerate().map(added));
        Ok(())
    }
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

    /// Gives an action another target.
    pub fn retarget(index: usize, target: &str) -> Self {
        let at = Pointer::default().key("actions").index(index).key("target");
        Self::Set { at, value: entry("target", super::draft::text(target)).value }
    }
}
