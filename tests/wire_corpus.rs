//! Every tool of a folder of documents: synthetic arguments, encoded, read back by another hand.
//!
//! The folder is that of the variable `TOOLSCOPE_CORPUS`; without it the test says that it read nothing.
//! `TOOLSCOPE_CORPUS_EVERY=n` takes every n-th document.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

mod wire_support;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use toolscope::wire::{Extent, encode, synthesize};
use wire_support::{check, derived};

const BASE: &str = "https://api.example.com/base";

fn folder() -> Option<PathBuf> {
    std::env::var_os("TOOLSCOPE_CORPUS").map(PathBuf::from).filter(|folder| folder.is_dir())
}

fn documents(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('_') {
                documents(&path, out);
            }
        } else if matches!(path.extension().and_then(|it| it.to_str()), Some("json" | "yaml" | "yml")) {
            out.push(path);
        }
    }
}

#[derive(Default)]
struct Totals {
    documents: usize,
    tools: usize,
    instances: usize,
    unfit: BTreeMap<String, Vec<String>>,
    refused: BTreeMap<String, Vec<String>>,
    wrong: BTreeMap<String, Vec<String>>,
}

fn note(map: &mut BTreeMap<String, Vec<String>>, kind: &str, detail: String) {
    map.entry(kind.to_owned()).or_default().push(detail);
}

#[test]
fn every_argument_of_the_corpus_arrives_where_it_belongs() {
    let Some(folder) = folder() else {
        println!("no corpus: set TOOLSCOPE_CORPUS to a folder of OpenAPI documents");
        return;
    };
    let mut paths = Vec::new();
    documents(&folder, &mut paths);
    let slice = std::env::var("TOOLSCOPE_CORPUS_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut totals = Totals::default();
    for path in paths.iter().step_by(slice) {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let Ok(catalog) = derived(&name, &text) else { continue };
        totals.documents += 1;
        for tool in catalog.all().filter(|tool| tool.operation.kind == toolscope::derive::OperationKind::Path) {
            totals.tools += 1;
            for extent in [Extent::All, Extent::Required] {
                one(&name, tool, extent, &mut totals);
            }
        }
    }
    println!("{} documents, {} tools, {} instances", totals.documents, totals.tools, totals.instances);
    for (title, map) in [("unfit", &totals.unfit), ("refused", &totals.refused), ("wrong", &totals.wrong)] {
        println!("{title}: {}", map.values().map(Vec::len).sum::<usize>());
        for (kind, details) in map {
            println!("  {:6} {kind}", details.len());
            details.iter().step_by((details.len() / 6).max(1)).take(6).for_each(|detail| println!("         {detail}"));
        }
    }
    assert!(totals.wrong.is_empty(), "arguments that did not arrive as they were given");
    assert!(totals.documents == 0 || totals.instances > 0, "nothing was encoded");
}

fn one(name: &str, tool: &toolscope::derive::Tool, extent: Extent, totals: &mut Totals) {
    let at = format!("{name} {} {}", tool.operation.method, tool.operation.path);
    for instance in synthesize(tool, extent) {
        totals.instances += 1;
        if let Some(problem) = instance.problems.first() {
            note(&mut totals.unfit, &problem.rule, format!("{at}: {problem}"));
        }
        match encode(tool, BASE, &instance.value) {
            Err(problems) => {
                let first = &problems[0];
                note(&mut totals.refused, &first.rule, format!("{at}: {first}"));
            }
            Ok(request) => {
                let checked = catch_unwind(AssertUnwindSafe(|| check(tool, &instance.value, BASE, &request)));
                let verdict = checked.unwrap_or_else(|_| Err("reader: the request cannot be read".to_owned()));
                if let Err(why) = verdict {
                    let (kind, detail) = why.split_once(": ").unwrap();
                    note(&mut totals.wrong, kind, format!("{at}: {detail}"));
                }
            }
        }
    }
}
