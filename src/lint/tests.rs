//! Targets over real documents: for every rule a tool that keeps it and one that breaks it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod documents;
mod names;
mod rules;
mod sizes;
mod target_files;

use std::sync::Arc;

use super::*;
use crate::derive::{Catalog, Settings, UpstreamInput, catalog};
use crate::document::{DocumentSet, Finding, SourceFile, Sources, parse};
use crate::naming::{Amendments, Profile};

/// The catalog of one YAML document, with names of any length.
fn derived(text: &str) -> Catalog {
    derived_with(text, 0)
}

fn derived_with(text: &str, max_length: usize) -> Catalog {
    let mut sources = Sources::default();
    let file = sources.put(SourceFile::new("api.yaml", text));
    let upstream = UpstreamInput {
        name: "api".to_owned(),
        prefix: None,
        base_url: None,
        documents: Arc::new(DocumentSet::single(parse(file, "api.yaml", text).unwrap())),
        touches: Vec::new(),
        findings: Vec::new(),
    };
    let amendments = Amendments { max_length: Some(max_length), ..Amendments::default() };
    let profile = Profile::builtin("default").unwrap().amended(&amendments).unwrap();
    catalog(&[upstream], &Settings::new(profile), Arc::new(sources), None)
}

/// A document of operations, each as `(operationId, rest of the operation in flow style)`.
fn document(operations: &[(&str, &str)]) -> String {
    let mut text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n".to_owned();
    for (at, (id, rest)) in operations.iter().enumerate() {
        let id = if id.is_empty() { String::new() } else { format!("operationId: {id}, ") };
        text += &format!("  /p{at}:\n    post: {{{id}{rest}}}\n");
    }
    text + "components: {schemas: {Tree: {type: object, properties: {next: {$ref: '#/components/schemas/Tree'}, name: {type: string}}}}}\n"
}

fn choice(text: &str) -> TargetChoice {
    TargetChoice::parse(text, &[]).unwrap()
}

/// A target of one rule; `rule` is what the rule says besides what every rule has.
fn target_of(rule: &str) -> TargetChoice {
    let text = format!(
        "name = \"mine\"\ntitle = \"Mine\"\n[client]\nexposes = \"{{server}}.{{name}}\"\n[[rules]]\nid = \"r\"\n{rule}\nseverity = \"error\"\nblast = \"tool_dropped\"\nwhy = \"it says so\"\nsource = \"a test\"\ndate = \"2026-11\"\nconfidence = \"H\"\n"
    );
    TargetChoice::new(Target::parse(&text, "mine.toml").unwrap())
}

fn rule_ids(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.rule.as_deref().unwrap()).collect()
}
