//! `overlay check --retarget` and `--convert`: targets that match nothing get the one that they probably meant, and what other
//! programs' extensions say is said in `x-mcp-*`.

use std::path::PathBuf;

use super::args::OverlayCheckArgs;
use super::failure::{Failure, exit};
use super::output::{Output, harmless, say};
use super::overlay_add::unsaved;
use super::overlay_diff::diff_lines;
use crate::document::Node;
use crate::overlay::{Draft, Edit, Overlay, Patch, PatchError, Summary, dialect_hints, propose};
use crate::workspace::{
    Opened, Overlaid, ProcessEnv, Source, SourceLocation, TextFile, Workspace, append_actions, overlay_path,
};

/// Proposals whose likeness differs by less are a matter of opinion.
const CLEAR: f32 = 0.02;

/// Mends the overlays as the arguments say. `since` is the revision that they were written for.
pub(super) fn run(
    args: &OverlayCheckArgs,
    workspace: &Workspace,
    (opened, overlaid): (&Opened, &[Overlaid]),
    since: Option<&Node>,
) -> Result<u8, Failure> {
    let mut files: Vec<Mended> = Vec::new();
    for (upstream, overlaid) in opened.upstreams.iter().zip(overlaid) {
        let named = workspace.upstreams.iter().find(|one| one.name == upstream.source.name);
        let sources = named.map_or(&[][..], |one| &one.overlays);
        for (source, overlay) in sources.iter().zip(&overlaid.overlays) {
            let Some(path) = overlay_path(source, &ProcessEnv) else {
                say(&format!("{}: it is no file, so it is left as it is", overlay.name));
                continue;
            };
            let mended = Mended::of(&mut files, path, source)?;
            if args.retarget {
                retarget(mended, overlay, overlaid, since)?;
            }
        }
        let last = sources.iter().rev().find_map(|source| Some((overlay_path(source, &ProcessEnv)?, source)));
        if let (true, Some((path, source))) = (args.convert, last) {
            convert(Mended::of(&mut files, path, source)?, overlaid)?;
        }
    }
    let mut out = Output::stdout(args.common.color);
    let mut changed = false;
    for mended in files.iter().filter(|mended| mended.text != mended.file.text) {
        changed = true;
        if args.dry_run {
            diff_lines(&mut out, &Patch::between(&mended.file.text, &mended.text).unified(&mended.name))?;
        } else {
            mended.file.save(&mended.text).map_err(unsaved)?;
        }
        for words in &mended.words {
            say(&format!("{}: {}", mended.name, harmless(words)));
        }
    }
    out.finish()?;
    if !changed {
        say("there is nothing that can be mended by itself");
    }
    Ok(exit::OK)
}

/// A file while it is mended.
struct Mended {
    path: PathBuf,
    name: String,
    file: TextFile,
    text: String,
    /// What was done, in words.
    words: Vec<String>,
}

impl Mended {
    /// That file; it is read when it comes up first. Several upstreams may read it.
    fn of<'a>(files: &'a mut Vec<Self>, path: PathBuf, source: &Source) -> Result<&'a mut Self, Failure> {
        let at = match files.iter().position(|known| known.path == path) {
            Some(at) => at,
            None => {
                let file = match &source.location {
                    SourceLocation::Text(text) => TextFile::built_in(&source.name, text),
                    _ => TextFile::read(&path).map_err(unsaved)?,
                };
                let text = file.text.clone();
                files.push(Self { path, name: source.name.clone(), file, text, words: Vec::new() });
                files.len() - 1
            }
        };
        let lost = || Failure::usage("the overlay is not there any more", "Run the command again.");
        files.get_mut(at).ok_or_else(lost)
    }
}

/// Gives targets that match nothing the one that is clearly meant.
fn retarget(mended: &mut Mended, overlay: &Overlay, overlaid: &Overlaid, since: Option<&Node>) -> Result<(), Failure> {
    let root = &overlaid.documents.main.root;
    for trail in overlaid.trails.iter().filter(|trail| trail.overlay == overlay.file) {
        let proposals = propose(trail, root, since);
        let Some(best) = proposals.first() else { continue };
        let number = usize::from(trail.index) + 1;
        if let Some(other) = proposals.get(1).filter(|other| other.likeness + CLEAR > best.likeness) {
            let words = format!("action {number} may mean {} or {}; it is left as it is", best.target, other.target);
            say(&format!("{}: {}", mended.name, harmless(&words)));
            continue;
        }
        let edit = Edit::retarget(usize::from(trail.index), &best.target);
        mended.text = Patch::make(&mended.name, &mended.text, &[edit]).map_err(refused)?.after;
        mended.words.push(format!("action {number}: {} becomes {} ({})", trail.target, best.target, best.why));
    }
    Ok(())
}

/// Says in an overlay what other programs' extensions say.
fn convert(mended: &mut Mended, overlaid: &Overlaid) -> Result<(), Failure> {
    let hints = dialect_hints(&overlaid.documents.main.root, Summary::First);
    if hints.is_empty() {
        return Ok(());
    }
    let drafts: Vec<Draft> = hints.iter().flat_map(|hint| hint.drafts.iter().cloned()).collect();
    mended.text = append_actions(&mended.name, &mended.text, &drafts).map_err(refused)?.after;
    let words = hints.iter().map(|hint| format!("{} of {} is said in x-mcp-*", hint.extension, hint.operation));
    mended.words.extend(words);
    Ok(())
}

fn refused(error: PatchError) -> Failure {
    Failure::usage(error.to_string(), error.remedy)
}
