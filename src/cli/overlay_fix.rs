//! `overlay fix`: what the findings propose becomes part of the overlays, one fix after the other.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::args::OverlayFixArgs;
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, harmless, say};
use super::overlay_add::unsaved;
use super::overlay_diff::diff_lines;
use super::{lint, resolve};
use crate::document::Finding;
use crate::overlay::Patch;
use crate::workspace::{
    self, DraftText, Fix, Fixer, Preview, PreviewError, Reader, Snapshot, TextFile, Wish, Workspace, load_with,
    operation_pointer, with_drafts,
};

/// Fixes that one run makes at most.
const MOST: usize = 500;

/// An overlay file as it becomes.
struct Draft {
    file: TextFile,
    name: String,
    text: String,
}

pub(super) fn run(args: &OverlayFixArgs) -> Result<u8, Failure> {
    let workspace = resolve(&args.common)?;
    let mut reader = Reader::default();
    let mut snapshot = load_with(&workspace, None, &mut reader)?;
    if snapshot.overlays.iter().all(|overlays| overlays.files.is_empty()) {
        return Err(Failure::usage("no overlay is named", "Add --overlay FILE, or `overlays` in the workspace file."));
    }
    reader.holds = true;
    let mut drafts: Vec<Draft> = Vec::new();
    // A fix that does not help is not tried again.
    let mut tried: BTreeSet<(&'static str, String)> = BTreeSet::new();
    while tried.len() < MOST {
        let drafted = with_drafts(&workspace, &texts(&drafts), &reader);
        let Some((finding, fix)) = next(&workspace, &snapshot, args, &tried) else { break };
        tried.insert((finding.code, finding.message.clone()));
        let Some((path, name)) = file_of(&snapshot, &fix) else { continue };
        let at = match drafts.iter().position(|draft| draft.file.path == path) {
            Some(at) => at,
            None => {
                let file = TextFile::read(&path).map_err(unsaved)?;
                drafts.push(Draft { text: file.text.clone(), file, name });
                drafts.len() - 1
            }
        };
        let Some(draft) = drafts.get_mut(at) else { continue };
        let Some(made) = preview(&drafted, &snapshot, draft, &fix, &mut reader) else { continue };
        let preview = match made {
            Ok(preview) => preview,
            Err(PreviewError::Load(error)) => return Err(error.into()),
            Err(error @ PreviewError::Author(_)) => {
                say(&format!("not fixed: {} [{}]: {error}", harmless(&finding.message), finding.code));
                continue;
            }
        };
        if !preview.effect.new_conflicts.is_empty() {
            continue;
        }
        say(&format!("fixed: {} [{}]", harmless(&finding.message), finding.code));
        draft.text.clone_from(&preview.authored.patch.after);
        snapshot = preview.snapshot;
    }
    drafts.retain(|draft| draft.text != draft.file.text);
    let mut out = Output::stdout(args.common.color);
    for draft in &drafts {
        diff_lines(&mut out, &Patch::between(&draft.file.text, &draft.text).unified(&draft.name))?;
        if !args.dry_run {
            draft.file.save(&draft.text).map_err(unsaved)?;
        }
    }
    out.finish()?;
    let left = lint::findings(&workspace, &snapshot.catalog).len();
    let would = if args.dry_run { "would be " } else { "" };
    say(&format!("{} {would}changed; {} left", plural(drafts.len(), "file"), plural(left, "finding")));
    Ok(exit::OK)
}

fn texts(drafts: &[Draft]) -> Vec<DraftText> {
    let text = |draft: &Draft| DraftText {
        path: draft.file.path.clone(),
        name: draft.name.clone(),
        text: Some(draft.text.clone()),
        upstream: None,
    };
    drafts.iter().map(text).collect()
}

/// The next finding that can be fixed: those at an overlay first, since what is written there is less settled than the
/// document.
fn next(
    workspace: &Workspace,
    snapshot: &Snapshot,
    args: &OverlayFixArgs,
    tried: &BTreeSet<(&'static str, String)>,
) -> Option<(Finding, Fix)> {
    let fixer = Fixer::new(snapshot);
    let mut findings = lint::findings(workspace, &snapshot.catalog);
    let is_of_overlay = |finding: &Finding| {
        let file = finding.place.as_ref().map(|place| place.origin.file);
        snapshot.overlays.iter().flat_map(|overlays| &overlays.files).any(|overlay| Some(overlay.file) == file)
    };
    findings.sort_by_key(|finding| !is_of_overlay(finding));
    let asked = |finding: &Finding| args.code.is_empty() || args.code.iter().any(|code| code == finding.code);
    findings.into_iter().find_map(|finding| {
        if !asked(&finding) || tried.contains(&(finding.code, finding.message.clone())) {
            return None;
        }
        let fix = fixer.fix(&finding)?;
        Some((finding, fix))
    })
}

/// The overlay that a fix goes to: that of the action, or the last one of the tool's upstream.
fn file_of(snapshot: &Snapshot, fix: &Fix) -> Option<(PathBuf, String)> {
    let file = match fix {
        Fix::Action { upstream, overlay, .. } => snapshot.overlays.get(*upstream)?.files.get(*overlay)?,
        Fix::Tool { tool, .. } => {
            let upstream = snapshot.catalog.all().nth(*tool)?.upstream;
            snapshot.overlays.get(upstream)?.files.iter().rev().find(|file| file.path.is_some())?
        }
    };
    let path = file.path.clone().filter(|path| path.is_absolute())?;
    Some((path, file.name.clone()))
}

fn preview(
    drafted: &Workspace,
    snapshot: &Snapshot,
    draft: &Draft,
    fix: &Fix,
    reader: &mut Reader,
) -> Option<Result<Preview, PreviewError>> {
    let file = draft.file.edited(Some(&draft.text));
    Some(match fix {
        Fix::Tool { tool, intent } => {
            let tool = snapshot.catalog.all().nth(*tool)?;
            let upstream = snapshot.catalog.upstreams.get(tool.upstream)?.name.clone();
            let operations = [operation_pointer(&tool.operation.place.pointer)];
            let wish = Wish { file: &file, name: &draft.name, upstream: &upstream, operations: &operations, intent };
            workspace::preview(drafted, snapshot, &wish, reader)
        }
        Fix::Action { .. } => workspace::preview_edits(drafted, snapshot, (&file, &draft.name), &fix.edits(), reader),
    })
}
