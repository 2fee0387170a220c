//! What failed last time: kept in the state folder, by workspace. Names of suites and cases are all that is in it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::report::CaseResult;
use crate::workspace::{Workspace, state_file};

/// The form of the file; another one is not read.
const VERSION: u32 = 1;
/// A larger file is none of ours.
const LARGEST: u64 = 4 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    version: u32,
    failed: Vec<Name>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Name {
    suite: String,
    name: String,
}

/// Where it is kept; `None` where there is no such folder.
pub fn path(workspace: &Workspace) -> Option<PathBuf> {
    state_file(workspace, "smoke")
}

/// The cases that failed, by suite and name; `None` where no run is known.
pub fn recall(path: &Path) -> Option<HashSet<(String, String)>> {
    let found = std::fs::metadata(path).ok().filter(|found| found.len() <= LARGEST)?;
    let text = found.is_file().then(|| std::fs::read_to_string(path).ok()).flatten()?;
    let kept: Kept = serde_json::from_str(&text).ok().filter(|kept: &Kept| kept.version == VERSION)?;
    Some(kept.failed.into_iter().map(|name| (name.suite, name.name)).collect())
}

/// Keeps what failed now. Of cases that were not run, what was known before stays.
///
/// # Errors
/// What the system says.
pub fn keep(path: &Path, plan: &Plan, results: &[std::sync::Arc<CaseResult>]) -> std::io::Result<()> {
    let mut failed = recall(path).unwrap_or_default();
    for (item, result) in plan.items.iter().zip(results) {
        let key = (item.suite.to_string(), item.case.name.clone());
        match result.verdict {
            verdict if verdict.is_bad() => {
                failed.insert(key);
            }
            super::report::Verdict::Pass => {
                failed.remove(&key);
            }
            _ => {}
        }
    }
    let mut names: Vec<Name> = failed.into_iter().map(|(suite, name)| Name { suite, name }).collect();
    names.sort_by(|a, b| (&a.suite, &a.name).cmp(&(&b.suite, &b.name)));
    let Some(folder) = path.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder)?;
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let text = serde_json::to_string_pretty(&Kept { version: VERSION, failed: names })?;
    std::fs::write(&new, text + "\n")?;
    std::fs::rename(&new, path)
}
