//! What the tests of the room need.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use crate::workspace::{Options, Snapshot, SpecArg, Workspace, load as load_workspace};

/// A document, loaded.
pub(crate) fn load(document: &str) -> (Workspace, Arc<Snapshot>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), document).unwrap();
    let options = Options { specs: vec![SpecArg::parse("a.yaml")], ..Options::default() };
    let workspace = Workspace::resolve(&options, folder.path()).unwrap();
    let snapshot = Arc::new(load_workspace(&workspace, None).unwrap());
    (workspace, snapshot)
}

/// A suite, or what is wrong with it: `line: message`.
pub(crate) fn suite(text: &str) -> Result<super::Suite, Vec<String>> {
    use crate::document::{Pointer, SourceFile, Sources, parse};
    let mut sources = Sources::default();
    let id = sources.put(SourceFile::new("a.suite.yaml", text));
    let document = parse(id, "a.suite.yaml", text).unwrap();
    let folder = std::path::Path::new("/suites");
    let (suite, findings) = super::Suite::read(&document.root, &Pointer::default(), "a", folder, &sources);
    if findings.is_empty() {
        return Ok(suite);
    }
    let line = |finding: &crate::document::Finding| {
        let line = finding.place.as_ref().map_or(0, |place| sources.line_column(place.origin).0);
        format!("{line}: {}", finding.message)
    };
    Err(findings.iter().map(line).collect())
}
