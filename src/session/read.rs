//! Suites from files and from the workspace file.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::suite::Suite;
use crate::document::{Finding, Pointer, SourceFile, Sources, decode, parse};
use crate::workspace::{LoadError, Workspace};

/// Other faults of a suite that are named beside the first.
const MORE: usize = 5;
/// A larger file is not looked into to tell whether it holds a suite.
const LARGEST: u64 = 1 << 20;

/// All suites that the workspace names, those within its file first.
///
/// # Errors
/// The first suite that cannot be read or has a fault, with its line.
pub fn of_workspace(workspace: &Workspace) -> Result<Vec<Suite>, Box<LoadError>> {
    let mut suites = Vec::new();
    let folder = workspace.config_path.as_deref().and_then(Path::parent).unwrap_or(&workspace.folder);
    for (at, (node, pointer)) in workspace.inline_suites.iter().enumerate() {
        let name = if at == 0 { "workspace".to_owned() } else { format!("workspace-{}", at + 1) };
        suites.push(checked(Suite::read(node, pointer, &name, folder, &workspace.sources), &workspace.sources)?);
    }
    for path in &workspace.suites {
        suites.push(file(path, &workspace.folder)?);
    }
    Ok(distinct(suites))
}

/// The suite of a file, JSON or YAML; in messages its path is relative to `folder` where it can be.
///
/// # Errors
/// The file cannot be read, is neither, or has a fault; with its line.
pub fn file(path: &Path, folder: &Path) -> Result<Suite, Box<LoadError>> {
    let shown = path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        let message = format!("the suite `{shown}` cannot be read: {error}");
        Box::new(LoadError::usage(message).in_file(&shown).remedy("Check the path."))
    })?;
    let text = decode(&bytes).map_err(|error| {
        Box::new(LoadError::input(format!("`{shown}` is no text: {error}")).in_file(&shown).remedy(error.remedy))
    })?;
    let mut sources = Sources::default();
    let id = sources.put(SourceFile::new(shown.as_str(), text.as_str()));
    let document = parse(id, &shown, &text).map_err(|error| {
        let file = SourceFile::new(shown.as_str(), text.as_str());
        let at = u32::try_from(error.offset.min(text.len())).unwrap_or(u32::MAX);
        let failed = LoadError::input(error.message).at(&file, at, at.saturating_add(1));
        Box::new(match error.remedy {
            Some(remedy) => failed.remedy(remedy),
            None => failed,
        })
    })?;
    let name = path.file_stem().map_or_else(|| shown.clone(), |stem| stem.to_string_lossy().into_owned());
    let name = name.strip_suffix(".suite").unwrap_or(&name).to_owned();
    let folder = path.parent().unwrap_or(folder);
    let (suite, mut findings) = Suite::read(&document.root, &Pointer::default(), &name, folder, &sources);
    findings
        .extend(document.findings.into_iter().filter(|finding| finding.severity == crate::document::Severity::Error));
    checked((suite, findings), &sources)
}

fn checked((suite, findings): (Suite, Vec<Finding>), sources: &Sources) -> Result<Suite, Box<LoadError>> {
    let Some(first) = findings.first() else { return Ok(suite) };
    let mut message = first.message.clone();
    for other in findings.iter().skip(1).take(MORE) {
        let place = other.place.as_ref().map(|place| format!("{}: ", sources.cite(place))).unwrap_or_default();
        message.push_str(&format!("\nalso {place}{}", other.message));
    }
    if findings.len() > MORE + 1 {
        message.push_str(&format!("\nand {} more", findings.len() - MORE - 1));
    }
    let mut error = LoadError::input(message);
    if let Some((place, file)) = first.place.as_ref().and_then(|place| Some((place, sources.get(place.origin.file)?))) {
        error = error.at(file, place.origin.start, place.origin.end);
    }
    error.remedy.clone_from(&first.remedy);
    Err(Box::new(error))
}

/// Suites of one name are told apart by a number.
pub fn distinct(suites: Vec<Suite>) -> Vec<Suite> {
    let mut names: HashSet<Arc<str>> = HashSet::new();
    let rename = |mut suite: Suite| {
        let first = suite.name.clone();
        let mut number = 2;
        while !names.insert(suite.name.clone()) {
            suite.name = format!("{first}-{number}").into();
            number += 1;
        }
        suite
    };
    suites.into_iter().map(rename).collect()
}

/// Does the file hold a suite, and no API document? A file that cannot be read or understood does not.
pub fn is_suite(path: &Path) -> bool {
    let small = std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
    let Some(text) = small.then(|| std::fs::read(path).ok()).flatten().and_then(|bytes| decode(&bytes).ok()) else {
        return false;
    };
    let mut sources = Sources::default();
    let id = sources.put(SourceFile::new("suite", text.as_str()));
    let Ok(document) = parse(id, "suite", &text) else { return false };
    let has = |key: &str| document.root.get(key).is_some();
    !["openapi", "swagger", "overlay"].into_iter().any(has) && ["cases", "setup", "teardown"].into_iter().any(has)
}
