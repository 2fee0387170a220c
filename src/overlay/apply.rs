//! Applying overlays, with a trail of what every action did (Overlay 1.1 section 4.4.3).

use std::collections::{BTreeMap, HashSet};

use super::ledger::{Ledger, Standing};
use super::measure::{DEEPEST, measure};
use super::merge::{Effect, Kind, Merge, Mismatch, Surprise, kind, mismatches};
use super::model::{Action, ActionKind, CopySource, Overlay, Rules};
use super::nearest;
use super::read::{place, with_article};
use super::remove::{outermost, remove};
use crate::document::jsonpath::{Query, readable};
use crate::document::{Document, FileId, Finding, Node, Origin, Pointer, Touch};

/// Nodes that all actions together may add: copies of copies would else double without end. Tests need not wait.
const MOST_ADDED: usize = if cfg!(test) { 20_000 } else { 500_000 };
/// Visits that one target may take: a second or so, forty searches through a very large document. Tests need not wait.
const MOST_VISITS: u64 = if cfg!(test) { 500_000 } else { 20_000_000 };
/// Targets without a match that get a hint.
const MOST_HINTS: usize = 32;
/// Longest chain of overriding actions named in a message.
const NAMED: usize = 3;

/// A document with overlays applied.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The result. It shares every subtree that no action changed with the original.
    pub document: Document,
    /// One trail for each action of each overlay, in order.
    pub trails: Vec<ActionTrail>,
    /// Every change in the order in which it was made. A pointer is that in the result where the node still is, else
    /// that at the time of the change.
    pub touches: Vec<Touch>,
    /// What was noticed while applying; what was noticed while reading is in [`Overlay::findings`].
    pub findings: Vec<Finding>,
}

/// What one action did.
#[derive(Clone, Debug)]
pub struct ActionTrail {
    /// The overlay.
    pub overlay: FileId,
    /// Index of the action, from 0.
    pub index: u16,
    /// The whole action in the overlay file.
    pub origin: Origin,
    /// Its target, as written.
    pub target: String,
    /// `update`, `remove`, `copy`, `none` or `invalid`.
    pub kind: &'static str,
    /// The locations that the target selected when the action ran, without duplicates.
    pub matches: Vec<Pointer>,
    /// The nodes that it set, added or removed, as finely as can be told, at the time.
    pub changed: Vec<Pointer>,
    /// Later actions that set or removed again something that this one set: overlay and index. A removal is
    /// overridden by nothing, for removing and setting anew is the way to replace a list.
    pub overridden_by: Vec<(FileId, u16)>,
    /// Nothing that it set is left.
    pub overridden: bool,
    /// Findings of this action, from reading and from applying.
    pub findings: Vec<Finding>,
}

/// Applies the overlays in order, each action to the result of the one before.
///
/// Never fails: an action that cannot be applied changes nothing and has an error among its findings.
pub fn apply(document: &Document, overlays: &[Overlay]) -> Applied {
    let mut run = Run {
        root: document.root.clone(),
        ledger: Ledger::default(),
        findings: Vec::new(),
        budget: MOST_ADDED,
        hints: MOST_HINTS,
    };
    let mut trails = Vec::new();
    for overlay in overlays {
        for action in &overlay.actions {
            trails.push(run.action(overlay, action));
        }
    }
    let (touches, standings) = run.ledger.close();
    let mut findings = run.findings;
    settle(&mut trails, &standings, &mut findings);
    Applied { document: Document { root: run.root, ..document.clone() }, trails, touches, findings }
}

/// Tells the actions whose work is gone by whom.
fn settle(trails: &mut [ActionTrail], standings: &[Standing], findings: &mut Vec<Finding>) {
    let names: Vec<_> = trails.iter().map(|trail| (trail.overlay, trail.index, trail.target.clone())).collect();
    for (trail, standing) in trails.iter_mut().zip(standings) {
        let by: Vec<_> = standing.overridden_by.iter().filter_map(|number| names.get(*number)).collect();
        trail.overridden_by = by.iter().map(|(file, index, _)| (*file, *index)).collect();
        trail.overridden = standing.is_overridden();
        if trail.overridden {
            let targets: Vec<_> = by.iter().take(NAMED).map(|(_, _, target)| format!("`{target}`")).collect();
            let more = if by.len() > NAMED { " and others" } else { "" };
            let message = format!(
                "all that this action changes is overridden later, by the action on {}{more}",
                targets.join(", ")
            );
            let pointer = format!("/actions/{}", trail.index);
            let finding = Finding::info("overlay-overridden", message).at(place(trail.origin, pointer));
            let finding = finding.remedy("take the action away, or move it after the others");
            trail.findings.push(finding.clone());
            findings.push(finding);
        }
    }
}

/// The document between two actions.
struct Run {
    root: Node,
    ledger: Ledger,
    findings: Vec<Finding>,
    budget: usize,
    hints: usize,
}

/// What `update` and `copy` merge.
struct Input<'n> {
    value: &'n Node,
    /// Origin of what is inserted when it is not the value's own.
    origin: Option<Origin>,
}

impl Run {
    fn action(&mut self, overlay: &Overlay, action: &Action) -> ActionTrail {
        self.ledger.open();
        let mut trail = ActionTrail {
            overlay: overlay.file,
            index: action.index,
            origin: action.origin,
            target: action.target.clone(),
            kind: action.kind.label(),
            matches: Vec::new(),
            changed: Vec::new(),
            overridden_by: Vec::new(),
            overridden: false,
            findings: Vec::new(),
        };
        match self.perform(overlay, action, &mut trail) {
            Ok(()) => {}
            Err(finding) => trail.findings.push(*finding),
        }
        self.findings.extend(trail.findings.iter().cloned());
        trail.findings.splice(0..0, action.findings.iter().cloned());
        trail
    }

    fn perform(&mut self, overlay: &Overlay, action: &Action, trail: &mut ActionTrail) -> Result<(), Box<Finding>> {
        let Ok(query) = &action.query else {
            return Ok(());
        };
        trail.matches = self.locate(query).map_err(|why| {
            let finding = Finding::error("overlay-target-too-costly", format!("the target is not applied: {why}"));
            finding.at(action.target_place()).remedy("name the way to the targets instead of searching with ..")
        })?;
        if trail.matches.is_empty() {
            return Err(Box::new(self.no_match(action, query)));
        }
        match &action.kind {
            ActionKind::None | ActionKind::Invalid => Ok(()),
            ActionKind::Remove => self.remove(overlay, action, trail),
            ActionKind::Update(value) => self.merge(overlay, action, trail, &Input { value, origin: None }),
            ActionKind::Copy(source) => {
                let Some(value) = self.source(action, source)? else {
                    return Ok(());
                };
                self.merge(overlay, action, trail, &Input { value: &value, origin: Some(source.origin) })
            }
        }
    }

    /// The locations without duplicates, in the order of the nodelist.
    fn locate(&self, query: &Query) -> Result<Vec<Pointer>, crate::document::jsonpath::TooMuchWork> {
        // A name and index says where it is: no search needed, whatever the size of the document.
        if let Some(pointer) = query.exact() {
            return Ok(pointer.find(&self.root).map(|_| pointer).into_iter().collect());
        }
        let mut located = query.locate_within(&self.root, MOST_VISITS)?;
        let mut seen = HashSet::with_capacity(located.len());
        located.retain(|pointer| seen.insert(pointer.clone()));
        Ok(located)
    }

    fn no_match(&mut self, action: &Action, query: &Query) -> Finding {
        let hint = self.hints.checked_sub(1).and_then(|left| {
            self.hints = left;
            nearest::explain(query, &self.root, matches!(action.kind, ActionKind::Update(_) | ActionKind::Copy(_)))
        });
        let mut message = format!("the target `{}` matches nothing", action.target);
        let mut remedy = None;
        if let Some(hint) = hint {
            message = format!("{message}: {}", hint.why);
            remedy = hint.remedy;
        }
        let finding = Finding::warning("overlay-no-match", message).at(action.target_place());
        finding.remedy(
            remedy.unwrap_or_else(|| "compare the target with the document, as earlier actions left it".to_owned()),
        )
    }

    fn remove(&mut self, overlay: &Overlay, action: &Action, trail: &mut ActionTrail) -> Result<(), Box<Finding>> {
        if trail.matches.iter().any(|pointer| pointer.0.is_empty()) {
            let finding =
                Finding::error("overlay-remove-root", "the action would remove the whole document; nothing is removed");
            return Err(Box::new(finding.at(action.target_place()).remedy("target what is to go")));
        }
        trail.changed = outermost(&trail.matches);
        let groups = remove(&mut self.root, &trail.changed);
        self.ledger.remove(overlay.file, action.index, &trail.changed, &groups);
        Ok(())
    }

    /// The one node that a copy takes; `None` when its query is invalid, which reading has told.
    fn source(&self, action: &Action, source: &CopySource) -> Result<Option<Node>, Box<Finding>> {
        let Ok(query) = &source.query else {
            return Ok(None);
        };
        let at = place(source.origin, format!("/actions/{}/copy", action.index));
        let found = self.locate(query).map_err(|why| {
            Finding::error("overlay-target-too-costly", format!("nothing is copied: {why}"))
                .at(at.clone())
                .remedy("name the way to the source")
        })?;
        match found.as_slice() {
            [only] => Ok(only.find(&self.root).cloned()),
            [] => {
                let hint = nearest::explain(query, &self.root, false);
                let why = hint.as_ref().map(|hint| format!(": {}", hint.why)).unwrap_or_default();
                let message = format!("`copy` needs exactly one source, `{}` matches nothing{why}", source.text);
                let remedy =
                    hint.and_then(|hint| hint.remedy).unwrap_or_else(|| "name a source that exists".to_owned());
                Err(Box::new(Finding::error("overlay-copy-source", message).at(at).remedy(remedy)))
            }
            [first, ..] => {
                let message = format!("`copy` needs exactly one source, `{}` matches {}", source.text, found.len());
                let remedy = format!("name one of them, such as {}", readable(first));
                Err(Box::new(Finding::error("overlay-copy-source", message).at(at).remedy(remedy)))
            }
        }
    }

    fn merge(
        &mut self,
        overlay: &Overlay,
        action: &Action,
        trail: &mut ActionTrail,
        input: &Input<'_>,
    ) -> Result<(), Box<Finding>> {
        let kind = self.one_kind(action, &trail.matches)?;
        self.check_extent(action, trail, input.value)?;
        if kind == Some(Kind::Primitive) && overlay.rules == Rules::V1_0 {
            let message =
                "Overlay 1.0 has no primitive targets; programs differ in what they do with one, here it is set";
            let finding = Finding::warning("overlay-primitive-target", message).at(action.target_place());
            trail.findings.push(finding.remedy("write `overlay: 1.1.0`, or target the object above it"));
        }
        let mut wrong = Vec::new();
        for pointer in &trail.matches {
            if let Some(target) = pointer.find(&self.root) {
                mismatches(target, input.value, &mut pointer.clone(), &mut wrong);
            }
        }
        // Targets inside each other can change each other's kinds, so only then is a failure on the way possible.
        let backup = (outermost(&trail.matches).len() < trail.matches.len()).then(|| self.root.clone());
        let mut effect = Effect::default();
        for pointer in trail.matches.iter().filter(|_| wrong.is_empty()).collect::<Vec<_>>() {
            let Some(target) = pointer.find_mut(&mut self.root) else {
                continue;
            };
            if backup.is_some() {
                mismatches(target, input.value, &mut pointer.clone(), &mut wrong);
                if !wrong.is_empty() {
                    break;
                }
            }
            Merge { origin: input.origin, effect: &mut effect }.apply(target, input.value, &mut pointer.clone());
        }
        if let Some(first) = wrong.first() {
            if let Some(backup) = backup {
                self.root = backup;
            }
            return Err(Box::new(mismatch(action, first, wrong.len())));
        }
        self.book(overlay, action, trail, effect);
        Ok(())
    }

    fn book(&mut self, overlay: &Overlay, action: &Action, trail: &mut ActionTrail, effect: Effect) {
        for pointer in &effect.changed {
            self.ledger.set(overlay.file, action.index, pointer);
        }
        trail.changed = effect.changed;
        if trail.changed.is_empty() {
            let message = "the action changes nothing: all that it sets is there already";
            let finding = Finding::info("overlay-no-change", message).at(action.place());
            trail.findings.push(finding.remedy("take the action away; to empty or replace a list, remove it first"));
        }
        trail.findings.extend(surprise_findings(&effect.surprises));
    }

    /// All targets are objects, or all arrays, or all primitives.
    fn one_kind(&self, action: &Action, matches: &[Pointer]) -> Result<Option<Kind>, Box<Finding>> {
        let mut kinds: BTreeMap<Kind, (usize, &Pointer)> = BTreeMap::new();
        for pointer in matches {
            if let Some(node) = pointer.find(&self.root) {
                kinds.entry(kind(node)).or_insert((0, pointer)).0 += 1;
            }
        }
        if kinds.len() < 2 {
            return Ok(kinds.into_keys().next());
        }
        let name = |kind: &Kind| match kind {
            Kind::Object => "objects",
            Kind::Array => "arrays",
            Kind::Primitive => "primitives",
        };
        let counts: Vec<_> =
            kinds.iter().map(|(kind, (count, first))| format!("{count} {} (such as {first})", name(kind))).collect();
        let message = format!("the targets are of mixed kinds: {}; nothing is changed", counts.join(", "));
        let finding = Finding::error("overlay-mixed-targets", message).at(action.target_place());
        Err(Box::new(
            finding.remedy("narrow the target with a filter, such as [?@.operationId], or make several actions"),
        ))
    }

    /// Bounds what an action adds, in number and depth.
    fn check_extent(&mut self, action: &Action, trail: &ActionTrail, value: &Node) -> Result<(), Box<Finding>> {
        let extent = measure(value, self.budget);
        let added = extent.nodes.saturating_mul(trail.matches.len());
        let deepest = trail.matches.iter().map(|pointer| pointer.0.len()).max().unwrap_or(0);
        // An appended item is one level below its target.
        let depth = extent.depth.saturating_add(deepest).saturating_add(1);
        let message = if added > self.budget {
            format!("the action would bring what overlays add to more than {MOST_ADDED} nodes; nothing is changed")
        } else if depth > DEEPEST {
            format!("the action would nest the document more than {DEEPEST} levels deep; nothing is changed")
        } else {
            self.budget -= added;
            return Ok(());
        };
        let finding = Finding::error("overlay-too-large", message).at(action.place());
        Err(Box::new(finding.remedy("narrow the target, or make the value smaller")))
    }
}

fn mismatch(action: &Action, first: &Mismatch, count: usize) -> Finding {
    let more = if count > 1 { format!(" (and {} more places)", count - 1) } else { String::new() };
    let (gets, has) = (with_article(first.gets), with_article(first.has));
    let message = format!(
        "{gets} cannot be merged into {has} at {}{more}; the action changes nothing",
        pointer_text(&first.pointer)
    );
    let finding = Finding::error("overlay-kind-mismatch", message).at(action.place());
    finding.remedy("give a value of the same kind, or remove the target first and set it through the object above")
}

/// One finding for each value in the overlay, however many targets it went to.
fn surprise_findings(surprises: &[Surprise]) -> Vec<Finding> {
    let mut by_value: BTreeMap<(FileId, u32), (usize, &Surprise)> = BTreeMap::new();
    for surprise in surprises {
        let origin = surprise.gets.origin;
        by_value.entry((origin.file, origin.start)).or_insert((0, surprise)).0 += 1;
    }
    let finding = |(count, surprise): (usize, &Surprise)| {
        let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        let Surprise { pointer, had, gets } = surprise;
        let code = "overlay-type-surprise";
        let was = format!("{pointer}{more} was {}", with_article(had));
        let finding = match gets.as_str() {
            Some(text) => Finding::warning(code, format!("{was} and becomes the text \"{}\"", excerpt(text)))
                .remedy("write the value without quotes"),
            // Examples and defaults change so for good reasons, when their type does.
            None => Finding::info(code, format!("{was} and becomes a {}", gets.kind()))
                .remedy("put the value in quotes, if text is meant"),
        };
        finding.at(place(gets.origin, pointer.to_string()))
    };
    by_value.into_values().map(finding).collect()
}

fn pointer_text(pointer: &Pointer) -> String {
    if pointer.0.is_empty() { "the root".to_owned() } else { pointer.to_string() }
}

fn excerpt(text: &str) -> String {
    let mut out: String = text.chars().take(40).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}
