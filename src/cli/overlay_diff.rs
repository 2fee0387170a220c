//! `overlay diff`: what the overlays change in the document, or in the tools.

use serde::Serialize;

use super::args::{Format, OverlayDiffArgs};
use super::failure::{Failure, exit};
use super::output::{Output, Role, harmless};
use super::resolve;
use crate::derive::{Catalog, Conflict, Tool};
use crate::document::{self, Document, Node};
use crate::overlay::unified;
use crate::workspace::{self, ChangeKind, Effect, Opened, Reader, Source, ToolChange, Workspace, open_and_apply};

pub(super) fn run(args: &OverlayDiffArgs) -> Result<u8, Failure> {
    let workspace = resolve(&args.common)?;
    let mut reader = Reader::default();
    let (opened, _) = open_and_apply(&workspace, None, &mut reader)?;
    if opened.upstreams.iter().all(|upstream| upstream.overlays.is_empty()) {
        return Err(Failure::usage("no overlay is named", "Add --overlay FILE, or `overlays` in the workspace file."));
    }
    let after = match args.upto {
        Some(most) => upto(&workspace, &opened, most),
        None => in_memory(&workspace, &opened),
    };
    if args.tools {
        return tools(args, &workspace, &after, &mut reader);
    }
    let (opened, overlaid) = open_and_apply(&after, None, &mut reader)?;
    let mut out = Output::stdout(args.common.color);
    let mut documents = Vec::new();
    for (upstream, overlaid) in opened.upstreams.iter().zip(&overlaid) {
        let (before, after) = (&upstream.original.main, &overlaid.documents.main);
        let name = &upstream.source.document.name;
        let text = unified(&written(before), &written(after), &format!("{name} before"), &format!("{name} after"));
        match args.format {
            Format::Human => diff_lines(&mut out, &text)?,
            Format::Json => documents.push(DocumentJson { upstream: &upstream.source.name, file: name, diff: text }),
        }
    }
    if args.format == Format::Json {
        serde_json::to_writer(out.writer(), &serde_json::json!({"documents": documents}))?;
        out.line("")?;
    }
    out.finish()?;
    Ok(exit::OK)
}

/// In the document's own format.
fn written(document: &Document) -> String {
    match document.format {
        document::Format::Json => format!("{}\n", document::to_json(&document.root, true)),
        document::Format::Yaml => document::to_yaml(&document.root),
    }
}

pub(super) fn diff_lines(out: &mut Output, text: &str) -> std::io::Result<()> {
    for line in text.lines() {
        let role = match line.as_bytes().first() {
            Some(b'+') => Role::Good,
            Some(b'-') => Role::Error,
            Some(b'@') => Role::Faint,
            _ => Role::Plain,
        };
        out.line(&out.paint(role, line))?;
    }
    Ok(())
}

/// What was read stands in memory from here on: standard input cannot be read twice.
fn in_memory(workspace: &Workspace, opened: &Opened) -> Workspace {
    let mut changed = workspace.clone();
    for upstream in &mut changed.upstreams {
        let Some(read) = opened.upstreams.iter().find(|read| read.source.name == upstream.name) else { continue };
        for (source, document) in upstream.overlays.iter_mut().zip(&read.overlays) {
            if let Some(file) = opened.sources.get(document.file) {
                *source = Source::text(&source.name, file.text.clone());
            }
        }
    }
    changed
}

/// The workspace with no more than the first actions of each upstream's overlays.
fn upto(workspace: &Workspace, opened: &Opened, most: usize) -> Workspace {
    let mut changed = workspace.clone();
    for upstream in &mut changed.upstreams {
        let Some(read) = opened.upstreams.iter().find(|read| read.source.name == upstream.name) else { continue };
        let mut left = most;
        let mut kept = Vec::new();
        for (source, document) in upstream.overlays.iter().zip(&read.overlays) {
            let actions = document.root.get("actions").and_then(Node::as_list).unwrap_or_default();
            let taken = actions.len().min(left);
            left -= taken;
            if taken == 0 {
                break;
            }
            let mut root = document.root.clone();
            let list = Node::list(actions.get(..taken).unwrap_or_default().to_vec(), root.origin);
            if let Some(slot) = root.map_mut().and_then(|map| map.get_mut("actions")) {
                *slot = list;
            }
            kept.push(Source::text(&source.name, document::to_json(&root, true)));
        }
        upstream.overlays = kept;
    }
    changed
}

fn tools(args: &OverlayDiffArgs, workspace: &Workspace, after: &Workspace, reader: &mut Reader) -> Result<u8, Failure> {
    let mut bare = workspace.clone();
    bare.upstreams.iter_mut().for_each(|upstream| upstream.overlays.clear());
    let before = workspace::load_with(&bare, None, reader)?;
    let after = workspace::load_with(after, Some(&before), reader)?;
    let effect = Effect::between(&before.catalog, &after.catalog);
    let mut out = Output::stdout(args.common.color);
    match args.format {
        Format::Json => {
            serde_json::to_writer(out.writer(), &EffectJson::new(&effect, &before.catalog, &after.catalog))?;
            out.line("")?;
        }
        Format::Human if effect.is_empty() => out.line("the tools are the same")?,
        Format::Human => {
            for line in lines(&effect) {
                out.line(&out.paint(Role::Plain, &line))?;
            }
        }
    }
    out.finish()?;
    Ok(exit::OK)
}

/// The effect in words, one line for each tool and each conflict.
pub(super) fn lines(effect: &Effect) -> Vec<String> {
    let mut lines: Vec<String> = effect.changes.iter().map(line).collect();
    let claimants = |conflict: &Conflict| {
        let all = conflict.tools.iter().map(|claim| format!("{} {}", claim.method, claim.path));
        all.collect::<Vec<_>>().join(", ")
    };
    lines.extend(
        effect
            .new_conflicts
            .iter()
            .map(|conflict| format!("conflict     `{}` is claimed by {}", conflict.name, claimants(conflict))),
    );
    lines.extend(
        effect.solved_conflicts.iter().map(|conflict| format!("solved       `{}` is claimed once", conflict.name)),
    );
    lines.iter().map(|line| harmless(line).into_owned()).collect()
}

fn line(change: &ToolChange) -> String {
    let name = |tool: &Tool| tool.named.name.clone();
    let place = change
        .after
        .as_ref()
        .or(change.before.as_ref())
        .map_or_else(String::new, |tool| format!("  ({} {})", tool.operation.method, tool.operation.path));
    let (before, after) = (change.before.as_deref().map(name), change.after.as_deref().map(name));
    let has = |kind| change.kinds.contains(&kind);
    let verb = [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Hidden, ChangeKind::Shown, ChangeKind::Renamed];
    let verb = verb.into_iter().find(|kind| has(*kind));
    let names = match (before, after) {
        (Some(before), Some(after)) if before != after => format!("{before} -> {after}"),
        (before, after) => after.or(before).unwrap_or_default(),
    };
    let others: Vec<&str> = change.kinds.iter().filter(|kind| Some(**kind) != verb).map(|kind| kind.word()).collect();
    let others = if others.is_empty() { String::new() } else { format!(": {}", others.join(", ")) };
    format!("{:<12} {names}{place}{others}", verb.map_or("changed", ChangeKind::word))
}

/// What overlays change in one document.
#[derive(Serialize)]
struct DocumentJson<'a> {
    upstream: &'a str,
    file: &'a str,
    /// As a unified diff; empty where nothing changes.
    diff: String,
}

#[derive(Serialize)]
struct EffectJson<'a> {
    tools: Vec<ChangeJson<'a>>,
    conflicts: ConflictsJson<'a>,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    upstream: &'a str,
    method: &'a str,
    path: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
    changes: &'a [ChangeKind],
}

#[derive(Serialize)]
struct ConflictsJson<'a> {
    new: Vec<&'a str>,
    solved: Vec<&'a str>,
}

impl<'a> EffectJson<'a> {
    fn new(effect: &'a Effect, before: &'a Catalog, after: &'a Catalog) -> Self {
        let tool = |change: &'a ToolChange| {
            let (catalog, tool) = match (&change.after, &change.before) {
                (Some(tool), _) => (after, tool),
                (None, Some(tool)) => (before, tool),
                (None, None) => return None,
            };
            let name = |tool: &'a Option<std::sync::Arc<Tool>>| tool.as_ref().map(|tool| tool.named.name.as_str());
            Some(ChangeJson {
                upstream: catalog.upstreams.get(tool.upstream).map_or("", |upstream| &upstream.name),
                method: &tool.operation.method,
                path: &tool.operation.path,
                before: name(&change.before),
                after: name(&change.after),
                changes: &change.kinds,
            })
        };
        let names = |conflicts: &'a [Conflict]| conflicts.iter().map(|conflict| conflict.name.as_str()).collect();
        Self {
            tools: effect.changes.iter().filter_map(tool).collect(),
            conflicts: ConflictsJson { new: names(&effect.new_conflicts), solved: names(&effect.solved_conflicts) },
        }
    }
}
