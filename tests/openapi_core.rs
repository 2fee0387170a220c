//! The requests of a corpus of real documents, judged by an implementation of OpenAPI that is not ours.
//!
//! Runs where `TOOLSCOPE_CORPUS` names the folder (with its `manifest.tsv`) and the Python package `openapi-core` can
//! be installed. `TOOLSCOPE_CORPUS_EVERY=n` takes every n-th of the documents that qualify.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the figures are what it is for")]

#[path = "support/python.rs"]
mod python;
mod wire_support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use toolscope::derive::{Binding, OperationKind, ParameterIn, Style, Tool};
use toolscope::document::{Node, to_json};
use toolscope::wire::{Extent, encode, synthesize};
use wire_support::derived;

const BASE: &str = "https://api.example.com/base";
/// Fewer say nothing.
const LEAST: usize = 300;
const TOOLS_PER_DOCUMENT: usize = 4;
const LARGEST: u64 = 400_000;

/// The documents that qualify, in the order of the manifest.
fn documents(corpus: &Path) -> Vec<PathBuf> {
    let manifest = std::fs::read_to_string(corpus.join("manifest.tsv")).unwrap();
    let mut lines = manifest.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let rows = lines.map(|line| columns.iter().copied().zip(line.split('\t')).collect::<BTreeMap<_, _>>());
    let fits = |row: &BTreeMap<&str, &str>| {
        (row["openapi_version"].starts_with("3.0") || row["openapi_version"].starts_with("3.1"))
            && row["bytes"].parse::<u64>().is_ok_and(|bytes| bytes < LARGEST)
            && row["schema_valid"] == "valid"
            && row["ext_file_refs"] == "0"
    };
    rows.filter(fits).map(|row| corpus.join(row["path"])).collect()
}

/// How much there is to get wrong in the requests of a tool.
fn interest(tool: &Tool) -> usize {
    let shape = |row: &Binding| {
        let schema = tool.operation.input_schema.get("properties").and_then(|all| all.get(&row.argument));
        schema.and_then(|schema| schema.get("type")).and_then(Node::as_str).map(str::to_owned)
    };
    let of = |row: &Binding| match (row.location, row.style) {
        (ParameterIn::Body, _) => 1,
        (_, Some(Style::Matrix | Style::Label | Style::DeepObject | Style::SpaceDelimited | Style::PipeDelimited)) => 3,
        _ => 2 * usize::from(matches!(shape(row).as_deref(), Some("array" | "object"))),
    };
    tool.operation.binding.iter().map(of).max().unwrap_or(0)
}

/// What the arguments of a tool are on the wire.
fn given(tool: &Tool, arguments: &Node) -> Vec<Value> {
    let row = |row: &Binding| {
        let value: Value = serde_json::from_str(&to_json(arguments.get(&row.argument)?, false)).unwrap();
        let content = row.media_type.clone().filter(|_| row.location != ParameterIn::Body);
        Some(json!({
            "in": row.location, "name": row.wire_name, "style": row.style, "explode": row.explode,
            "content": content, "value": value,
        }))
    };
    tool.operation.binding.iter().filter_map(row).collect()
}

/// One line for the judge; `None` where no arguments could be made that fit the tool's own schema.
fn offered(path: &Path, tool: &Tool) -> Option<String> {
    let instance = synthesize(tool, Extent::All).into_iter().next().filter(|made| made.problems.is_empty())?;
    let request = encode(tool, BASE, &instance.value).ok()?;
    let body = request.body.as_ref();
    let line = json!({
        "document": path, "path": tool.operation.path, "method": request.method, "base": BASE, "url": request.url,
        "headers": request.headers, "body": body.map(|body| STANDARD.encode(&body.bytes)),
        "media_type": body.map(|body| &body.media_type), "given": given(tool, &instance.value),
    });
    Some(line.to_string())
}

fn offers(corpus: &Path) -> (Vec<String>, usize) {
    let every = std::env::var("TOOLSCOPE_CORPUS_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let (mut lines, mut unfit) = (Vec::new(), 0);
    for path in documents(corpus).iter().step_by(every) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let Ok(catalog) = derived(&path.to_string_lossy(), &text) else { continue };
        let mut tools: Vec<_> = catalog.all().filter(|tool| tool.operation.kind == OperationKind::Path).collect();
        tools.sort_by_key(|tool| std::cmp::Reverse(interest(tool)));
        let made: Vec<Option<String>> = tools.iter().take(TOOLS_PER_DOCUMENT).map(|tool| offered(path, tool)).collect();
        unfit += made.iter().filter(|line| line.is_none()).count();
        lines.extend(made.into_iter().flatten());
    }
    (lines, unfit)
}

#[test]
fn openapi_core_reads_the_requests_as_they_were_meant() {
    let Some(corpus) = std::env::var_os("TOOLSCOPE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: TOOLSCOPE_CORPUS is not set");
        return;
    };
    let install = Duration::from_secs(120);
    let Some(python) = python::python("openapi-core", "import openapi_core, yaml", "openapi-core>=0.23,<0.24", install)
    else {
        eprintln!("skipped: the Python package `openapi-core` cannot be installed here");
        return;
    };
    let (lines, unfit) = offers(&corpus);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openapi-core-requests.jsonl");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openapi_core.py");
    let output = python::run_for(Command::new(python).arg(script).arg(&file), Duration::from_secs(600));
    let output = output.expect("openapi-core takes too long");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{out}{unfit} operations without arguments that fit, or refused before a request was built");
    assert!(output.status.success(), "{err}");
    // The last line is for this test: the three numbers.
    let numbers: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    let number = |name: &str| usize::try_from(numbers[name].as_u64().unwrap()).unwrap();
    let (agreed, disagreed, unjudged) = (number("agreed"), number("disagreed"), number("unjudged"));
    assert_eq!(agreed + disagreed + unjudged, lines.len(), "every request has its verdict");
    assert!(lines.len() >= LEAST, "only {} requests were offered", lines.len());
    // It is known to disagree about:
    // - an empty value in the query (`sort=`, from a default or an `enum` of the document): it refuses every one without
    //   `allowEmptyValue`, even where the schema has the empty string;
    // - a variable of the path for which the document declares no parameter: it does not look for it; a parameter of the
    //   path that the template does not have: it misses it;
    // - names in `required` for which the body has no property (misspelt ones, mostly): no argument can give them;
    // - required members that are readOnly, in 3.1: to it readOnly is a remark, and it misses them;
    // - a readOnly member with a default: it puts the default in by itself, and then refuses it;
    // - `nullable: true` without a `type` beside it: it follows OpenAPI 3.0.3 to the letter and refuses null;
    // - a `discriminator` that names a schema as the document calls it, without mapping: it does not resolve it;
    // - `format: time`: it checks it by the rule of JSON Schema draft 3, without an offset;
    // - numbers in multipart bodies, parts that are no text, and text or bytes for which the schema wants an object: it
    //   does not make of them what the schema says;
    // - parameters of a union of types, or with an `enum` beside `type: array`: it checks what it has not cut or cast;
    // - objects in an array of a header, for which no style is defined: they are sent as JSON, it cuts at each comma;
    // - `encoding.style` in multipart bodies: it takes bytes for text and fails.
    // Brackets and other characters that are percent-encoded are no disagreement: it reads decoded pairs.
    assert!(agreed * 10 >= (agreed + disagreed) * 9, "openapi-core disagrees with {disagreed} requests");
}
