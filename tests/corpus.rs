//! Every document of a corpus of real ones: no panic, no hang, every promise of the catalog kept.
//!
//! Runs where `TOOLSCOPE_CORPUS` names the folder (with its `manifest.tsv`); prints what it found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the figures are what it is for")]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::schema;
use toolscope::derive::{Catalog, Operation, ParameterIn, Tool};
use toolscope::document::to_json;
use toolscope::naming::NameSource;
use toolscope::workspace::{Options, SpecArg, Workspace, load};

/// No document may take longer.
const LONGEST: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Tally {
    counts: BTreeMap<&'static str, usize>,
    losses: BTreeMap<&'static str, usize>,
    findings: BTreeMap<&'static str, usize>,
    unreadable: Vec<String>,
    uncompilable: BTreeMap<String, usize>,
    slowest: Vec<(Duration, String)>,
    broken: Vec<String>,
}

impl Tally {
    fn add(&mut self, what: &'static str, count: usize) {
        *self.counts.entry(what).or_default() += count;
    }
}

/// The folder of the corpus, when there is one.
fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("TOOLSCOPE_CORPUS");
    if named.is_none() {
        eprintln!("skipped: TOOLSCOPE_CORPUS is not set");
    }
    named.map(|folder| std::fs::canonicalize(folder).unwrap())
}

fn documents(corpus: &Path) -> Vec<PathBuf> {
    let manifest = std::fs::read_to_string(corpus.join("manifest.tsv")).unwrap();
    let mut found: Vec<PathBuf> =
        manifest.lines().skip(1).filter_map(|line| line.split('\t').next()).map(|path| corpus.join(path)).collect();
    found.push(corpus.join("_trees/digitalocean/specification/DigitalOcean-public.v2.yaml"));
    found
}

#[test]
fn every_document_is_read_or_refused_with_a_reason() {
    let Some(corpus) = corpus() else { return };
    let documents = documents(&corpus);
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
                    examine(path, path.strip_prefix(&corpus).unwrap(), &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    print(&tally);
    assert!(documents.len() > 1_000, "the corpus is not whole: {} documents", documents.len());
    assert_eq!(tally.broken, Vec::<String>::new());
}

/// Under every profile no tool is lost, and a name leads to one operation unless a conflict says otherwise.
#[test]
fn every_profile_accounts_for_every_operation() {
    let Some(corpus) = corpus() else { return };
    let shown = [
        "github/generated__api.github.com.json",
        "stripe/openapi__spec3.yaml",
        "kubernetes/lib__specs__swagger-1.13.json",
    ];
    let mut broken = Vec::new();
    let mut table = Vec::new();
    for path in documents(&corpus) {
        let location = path.to_str().unwrap().to_owned();
        let mut previous = None;
        for profile in toolscope::naming::Profile::builtin_names() {
            let specs = vec![SpecArg { prefix: Some("api".into()), location: location.clone() }];
            let options = Options { specs, profile: Some(profile.to_owned()), ..Options::default() };
            let workspace = Workspace::resolve(&options, path.parent().unwrap()).unwrap();
            let Ok(snapshot) = load(&workspace, previous.as_ref()) else { break };
            let name = path.strip_prefix(&corpus).unwrap().display().to_string();
            account(&snapshot.catalog, &format!("{name} {profile}"), &mut broken);
            if shown.contains(&name.as_str()) {
                let catalog = &snapshot.catalog;
                let rejected = catalog.all().filter(|tool| tool.named.rejected.is_some()).count();
                let cut = catalog.all().filter(|tool| tool.named.truncated.is_some()).count();
                let colliding = catalog.all().filter(|tool| tool.conflict.is_some()).count();
                table.push(format!(
                    "{name:<45} {profile:<22} cut {cut:>4}  colliding {colliding:>4}  rejected {rejected:>4}"
                ));
            }
            previous = Some(snapshot);
        }
    }
    table.iter().for_each(|line| println!("{line}"));
    assert_eq!(table.len(), shown.len() * toolscope::naming::Profile::builtin_names().count());
    assert_eq!(broken, Vec::<String>::new());
}

fn account(catalog: &Catalog, what: &str, broken: &mut Vec<String>) {
    let mut owners: BTreeMap<&str, &Tool> = BTreeMap::new();
    for tool in &catalog.tools {
        let known = owners.insert(&tool.named.name, tool);
        let told = |tool: &Tool| tool.conflict.is_some();
        if known.is_some_and(|known| !told(known) || !told(tool)) {
            broken.push(format!("{what}: {} is two tools without a conflict", tool.named.name));
        }
        if tool.named.rejected.is_some() {
            broken.push(format!("{what}: {} is exposed although it is rejected", tool.named.name));
        }
    }
    for tool in &catalog.hidden {
        if tool.hidden.as_ref().is_none_or(|hidden| hidden.why.is_empty()) {
            broken.push(format!("{what}: {} is hidden without a reason", tool.operation.path));
        }
    }
}

fn examine(path: &Path, name: &Path, tally: &Mutex<Tally>) {
    let location = path.to_str().unwrap().to_owned();
    let options = Options { specs: vec![SpecArg { prefix: None, location }], ..Options::default() };
    let start = Instant::now();
    let loaded = std::panic::catch_unwind(|| {
        let workspace = Workspace::resolve(&options, path.parent().unwrap())?;
        load(&workspace, None)
    });
    let took = start.elapsed();
    let name = name.display().to_string();
    let mut problems = Vec::new();
    if took > LONGEST {
        problems.push(format!("{name}: took {took:?}"));
    }
    let loaded = match loaded {
        Err(_) => {
            tally.lock().unwrap().broken.push(format!("{name}: panicked"));
            return;
        }
        Ok(loaded) => loaded,
    };
    let mut compile = BTreeMap::new();
    if let Ok(snapshot) = &loaded {
        let catalog = &snapshot.catalog;
        for tool in catalog.all() {
            check_tool(tool, catalog, &name, &mut problems, &mut compile);
        }
    }
    let mut tally = tally.lock().unwrap();
    tally.broken.append(&mut problems);
    compile.into_iter().for_each(|(why, count)| *tally.uncompilable.entry(why).or_default() += count);
    tally.slowest.push((took, name.clone()));
    tally.add("documents", 1);
    match loaded {
        Err(error) => {
            tally.add("unreadable", 1);
            if error.line.is_none() {
                tally.broken.push(format!("{name}: an error without line: {error}"));
            }
            tally.unreadable.push(format!("{name}:{}: {}", error.line.unwrap_or(0), error.message));
        }
        Ok(snapshot) => count(&snapshot.catalog, &mut tally),
    }
}

fn count(catalog: &Catalog, tally: &mut Tally) {
    tally.add("operations", catalog.all().count());
    tally.add("tools", catalog.tools.len());
    tally.add("hidden", catalog.hidden.len());
    tally.add("conflicts", catalog.conflicts.len());
    tally.add("degraded operations", catalog.all().filter(|tool| tool.operation.degraded).count());
    tally.add("names cut", catalog.all().filter(|tool| tool.named.truncated.is_some()).count());
    tally.add("descriptions cut", catalog.all().filter(|tool| tool.operation.description_truncated.is_some()).count());
    tally.add("output schemas", catalog.all().filter(|tool| tool.operation.output_schema.is_some()).count());
    tally.add("body declared, no body argument", catalog.all().filter(|tool| lacks_body(&tool.operation)).count());
    for loss in catalog.all().flat_map(|tool| &tool.operation.losses) {
        *tally.losses.entry(loss.what).or_default() += 1;
    }
    for finding in &catalog.findings {
        *tally.findings.entry(finding.code).or_default() += 1;
    }
}

/// The document declares a body and no argument goes there.
fn lacks_body(operation: &Operation) -> bool {
    let body = operation.node.get("requestBody").is_some()
        || operation
            .node
            .get("parameters")
            .into_iter()
            .flat_map(|list| list.items())
            .any(|parameter| parameter.get("in").and_then(|node| node.as_str()) == Some("body"));
    body && !operation.binding.iter().any(|row| row.location == ParameterIn::Body)
}

fn check_tool(
    tool: &Tool,
    catalog: &Catalog,
    document: &str,
    problems: &mut Vec<String>,
    uncompilable: &mut BTreeMap<String, usize>,
) {
    let operation = &*tool.operation;
    let at = |what: String| format!("{document}: {} {}: {what}", operation.method, operation.path);
    for (which, node) in
        [("InputSchema", Some(&operation.input_schema)), ("output schema", operation.output_schema.as_ref())]
    {
        let Some(node) = node else { continue };
        let value: Value = serde_json::from_str(&to_json(node, false)).unwrap();
        problems.extend(schema::problems(&value).into_iter().map(|problem| at(format!("{which}: {problem}"))));
        if let Err(error) = jsonschema::draft202012::new(&value) {
            *uncompilable.entry(format!("{error:.60}")).or_default() += 1;
        }
    }
    let arguments: Vec<&str> =
        operation.input_schema.get("properties").unwrap().members().map(|entry| &*entry.key).collect();
    let bound: Vec<&str> = operation.binding.iter().map(|row| &*row.argument).collect();
    if arguments != bound {
        problems.push(at(format!("arguments {arguments:?} are bound as {bound:?}")));
    }
    if lacks_body(operation) && operation.losses.is_empty() {
        problems.push(at("a body without argument is not in the loss report".to_owned()));
    }
    if tool.named.source == NameSource::OperationId {
        let place = tool.name_place();
        let text = &catalog.sources.get(place.origin.file).unwrap().text;
        let written = &text[place.origin.start as usize..place.origin.end as usize];
        let id = operation.operation_id.as_deref().unwrap();
        // A text with escapes or folded over lines looks different in the file.
        let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
        if plain && !written.contains(id) {
            problems.push(at(format!("its operationId is not at its place: {written:?}")));
        }
    }
}

fn print(tally: &Tally) {
    let table = |title: &str, rows: &BTreeMap<&'static str, usize>| {
        println!("\n{title}");
        rows.iter().for_each(|(what, count)| println!("{count:>9}  {what}"));
    };
    table("Corpus", &tally.counts);
    table("Losses by kind", &tally.losses);
    table("Findings by code", &tally.findings);
    println!("\nUnreadable");
    tally.unreadable.iter().for_each(|line| println!("  {line}"));
    println!("\nSchemas that a validator does not take (patterns in another dialect)");
    tally.uncompilable.iter().for_each(|(why, count)| println!("{count:>9}  {why}"));
    let mut slowest: Vec<_> = tally.slowest.iter().collect();
    slowest.sort_by(|a, b| b.cmp(a));
    println!("\nSlowest");
    slowest.iter().take(5).for_each(|(took, name)| println!("{:>9.2?}  {name}", took));
    println!("\n{} broken promises", tally.broken.len());
    tally.broken.iter().take(60).for_each(|line| println!("  {line}"));
}
