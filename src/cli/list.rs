//! `list`: every tool with its operation.

use std::io::Write;

use super::args::{ListArgs, ListFormat};
use super::failure::{Failure, exit};
use super::json::{self, Totals};
use super::load;
use super::output::{Cell, Output, Role, say};
use crate::derive::{Catalog, HiddenBy, Tool};
use crate::naming::NameSource;
use crate::proxy::{Conflicts, listed};

pub(super) fn run(args: &ListArgs) -> Result<u8, Failure> {
    let (_, snapshot) = load(&args.common)?;
    let catalog = &*snapshot.catalog;
    let mut out = Output::stdout(args.common.color);
    match args.format {
        ListFormat::Human => human(&mut out, catalog)?,
        ListFormat::Markdown => markdown(&mut out, catalog)?,
        ListFormat::Json => {
            serde_json::to_writer(out.writer(), &json::list(catalog, &json::Tokens::of(catalog)))?;
            out.line("")?;
        }
        ListFormat::Mcp => mcp(&mut out, catalog)?,
    }
    out.finish()?;
    if args.format == ListFormat::Human {
        say(&summary(catalog));
    }
    Ok(exit::OK)
}

fn human(out: &mut Output, catalog: &Catalog) -> std::io::Result<()> {
    let several = catalog.upstreams.len() > 1;
    let mut rows = Vec::new();
    for tool in catalog.tools.iter() {
        rows.push(row(catalog, tool, several));
    }
    for tool in catalog.hidden.iter() {
        let mut row = row(catalog, tool, several);
        let why = tool.hidden.as_ref().map_or("", |hidden| hidden.why.as_str());
        row.push(Cell::of(Role::Faint, format!("hidden: {why}")));
        rows.push(row);
    }
    out.table("", &rows)
}

fn row(catalog: &Catalog, tool: &Tool, several: bool) -> Vec<Cell> {
    let hidden = tool.hidden.is_some();
    let role = match (hidden, tool.conflict) {
        (true, _) => Role::Faint,
        (false, Some(_)) => Role::Error,
        (false, None) => Role::Strong,
    };
    let mut row = vec![
        Cell::new(marks(tool)),
        Cell::of(role, &tool.named.name),
        Cell::new(&*tool.operation.method),
        Cell::new(&*tool.operation.path),
    ];
    if several {
        row.push(Cell::of(Role::Faint, catalog.upstreams.get(tool.upstream).map_or("", |upstream| &upstream.name)));
    }
    row
}

/// One character each: what the name is made from, conflict, truncated, hidden, findings, changed by an overlay.
pub(super) fn marks(tool: &Tool) -> String {
    let source = match tool.named.source {
        NameSource::Override => '!',
        NameSource::OperationId => 'o',
        NameSource::Slug => 's',
    };
    let truncated = tool.named.truncated.is_some() || tool.operation.description_truncated.is_some();
    let flags = [
        (tool.conflict.is_some(), 'C'),
        (truncated, 'T'),
        (tool.hidden.is_some(), 'H'),
        (!tool.findings.is_empty(), 'F'),
        (!tool.touched_by.is_empty(), '*'),
    ];
    let mark = |(on, mark): (bool, char)| if on { mark } else { '.' };
    std::iter::once(source).chain(flags.into_iter().map(mark)).collect()
}

/// The totals in words.
pub(super) fn summary(catalog: &Catalog) -> String {
    let Totals { tools, hidden, conflicts, truncated, findings, .. } = Totals::of(catalog);
    let by = |wanted: HiddenBy| {
        catalog.hidden.iter().filter(|tool| tool.hidden.as_ref().is_some_and(|hidden| hidden.by == wanted)).count()
    };
    let reasons: Vec<String> = [
        ("x-mcp-enabled", by(HiddenBy::Extension)),
        ("method", by(HiddenBy::Method)),
        ("filter", by(HiddenBy::Filter)),
        ("conflict", by(HiddenBy::Conflict)),
        ("invalid", by(HiddenBy::Invalid)),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(reason, count)| format!("{count} by {reason}"))
    .collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
    format!(
        "{}, {hidden} hidden{reasons}, {}, {truncated} truncated, {}\n\
         marks: o operationId, s slug, ! override; C conflict, T truncated, H hidden, F findings, * changed by an overlay",
        plural(tools, "tool"),
        plural(conflicts, "conflict"),
        plural(findings, "finding"),
    )
}

pub(super) fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// The exposed tools as a client of the proxy gets them. It would get none while a name is claimed twice, so that is said.
fn mcp(out: &mut Output, catalog: &Catalog) -> Result<(), Failure> {
    let tools: Result<Vec<serde_json::Value>, _> = catalog.tools.iter().map(|tool| listed(tool)).collect();
    serde_json::to_writer_pretty(out.writer(), &serde_json::json!({"tools": tools?}))?;
    out.line("")?;
    for line in Conflicts::of(catalog).lines() {
        say(&format!("warning: {line}; `serve` refuses to start before that is mended"));
    }
    Ok(())
}

fn markdown(out: &mut Output, catalog: &Catalog) -> std::io::Result<()> {
    out.line("| tool | operation | description |")?;
    out.line("| --- | --- | --- |")?;
    for tool in &catalog.tools {
        let operation = &tool.operation;
        let description = operation.description.lines().next().unwrap_or_default();
        let [name, path, description] = [&tool.named.name, &*operation.path, description].map(escape_markdown);
        writeln!(out.writer(), "| `{name}` | {} `{path}` | {description} |", operation.method)?;
    }
    Ok(())
}

/// Text for a cell of a table.
fn escape_markdown(text: &str) -> String {
    super::output::harmless(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
}
