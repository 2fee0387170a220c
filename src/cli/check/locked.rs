//! What differs from a lock file, as findings.

use std::path::Path;
use std::sync::Arc;

use crate::cli::args::CheckArgs;
use crate::cli::diff::lock_file;
use crate::cli::failure::Failure;
use crate::cli::lock;
use crate::derive::{Catalog, Tool};
use crate::document::{FileId, Finding, Origin, Place, Severity, SourceFile};
use crate::session::diff::{Change, Diff, Rule, ToolDiff};
use crate::session::lock::Identity;
use crate::workspace::{Options, Snapshot, Workspace};

/// A finding for each change: an error when it breaks callers, else a warning. The lock file is put among the sources of
/// the catalog, since what is gone has its line there.
pub(super) fn findings(
    path: &Path,
    args: &CheckArgs,
    workspace: &Workspace,
    snapshot: &Snapshot,
    catalog: &mut Catalog,
) -> Result<Vec<Finding>, Failure> {
    let (text, old) = lock_file(path)?;
    let asked = if args.common.target.is_empty() && !old.targets.is_empty() {
        let targets = old.targets.keys().cloned().collect();
        let options = Options { targets, ..workspace.options.clone() };
        Some(Workspace::resolve(&options, &workspace.folder)?)
    } else {
        None
    };
    let new = lock::of(asked.as_ref().unwrap_or(workspace), snapshot);
    let diff = Diff::between(&old, &new);
    let mut sources = (*catalog.sources).clone();
    let file = sources.put(SourceFile::new(path.display().to_string(), text.as_str()));
    catalog.sources = Arc::new(sources);
    let mut found = Vec::new();
    for tool in &diff.tools {
        let place = tool.new.as_ref().and_then(|id| place(catalog, id)).or_else(|| line(file, &text, tool));
        found.extend(tool.changes.iter().map(|change| finding(change, Some(tool), place.clone(), path)));
    }
    found.extend(diff.lists.iter().map(|change| finding(change, None, None, path)));
    Ok(found)
}

fn finding(change: &Change, tool: Option<&ToolDiff>, place: Option<Place>, path: &Path) -> Finding {
    let rule = change.rule;
    let severity = if rule.breaking() { Severity::Error } else { Severity::Warning };
    let name = tool.map(ToolDiff::name);
    let message = match (name, rule) {
        (Some(_), Rule::NameReused) => change.sentence(),
        (Some(name), _) => format!("`{name}`: {}", change.sentence()),
        (None, _) => format!("the list as a whole: {}", change.sentence()),
    };
    let remedy = match rule.breaking() {
        true => format!("{} If it is meant, write {} anew with `toolscope lock`.", rule.why(), path.display()),
        false => format!("If it is meant, write {} anew with `toolscope lock`.", path.display()),
    };
    let mut finding = Finding::new(rule.code(), severity, message).remedy(remedy);
    finding.tool = name.map(str::to_owned);
    finding.place = place;
    finding
}

/// Where the operation stands now.
fn place(catalog: &Catalog, id: &Identity) -> Option<Place> {
    let is_it = |tool: &&Arc<Tool>| *tool.operation.method == *id.method && *tool.operation.path == *id.path;
    let upstream = |tool: &&Arc<Tool>| catalog.upstreams.get(tool.upstream).is_some_and(|it| it.name == id.upstream);
    catalog.all().filter(is_it).find(upstream).map(|tool| tool.operation.place.clone())
}

/// Its line in the lock file.
fn line(file: FileId, text: &str, tool: &ToolDiff) -> Option<Place> {
    let id = tool.old.as_ref()?;
    let json = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let start = format!("{{\"name\":{},\"upstream\":{},", json(&id.name), json(&id.upstream));
    let rest = format!("\"method\":{},\"path\":{}", json(&id.method), json(&id.path));
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(&start) && line.contains(&rest) {
            let origin = Origin::new(file, offset, offset + line.trim_end().len());
            return Some(Place { origin, pointer: "".into() });
        }
        offset += line.len();
    }
    None
}
