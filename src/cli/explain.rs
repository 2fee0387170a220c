//! `explain TOOL`: why it has its name, what the model reads, where every argument goes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::args::{ExplainArgs, Format};
use super::failure::{Failure, exit};
use super::find;
use super::json::{FindingJson, ToolJson};
use super::lint::{Opinion, opinions};
use super::output::{Cell, Output, Role};
use super::shelf::word;
use super::{load, opinion};
use crate::derive::{Catalog, Tool};
use crate::document::Node;
use crate::naming::{self, NameSource, Profile};
use crate::workspace::Workspace;

const METHODS: [&str; 9] = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"];

pub(super) fn run(args: &ExplainArgs) -> Result<u8, Failure> {
    let (wanted, common) = operation_of_two_words(args);
    let (workspace, snapshot) = load(&common)?;
    let catalog = &*snapshot.catalog;
    let tool = find::tool(catalog, &wanted)?;
    let names = under_profiles(&workspace, catalog, tool);
    let opinions = opinions(&workspace, catalog, tool);
    let mut out = Output::stdout(common.color);
    match args.format {
        Format::Json => json(&mut out, catalog, tool, &names, &opinions)?,
        Format::Human => human(&mut out, &workspace, catalog, tool, &names, &opinions)?,
    }
    out.finish()?;
    Ok(exit::OK)
}

/// `explain GET /pets` without quotes: the path is no document.
fn operation_of_two_words(args: &ExplainArgs) -> (String, super::args::Common) {
    let mut common = args.common.clone();
    let is_method = METHODS.iter().any(|method| args.tool.eq_ignore_ascii_case(method));
    match common.specs.first() {
        Some(first) if is_method && first.starts_with('/') && !std::path::Path::new(first).exists() => {
            let wanted = format!("{} {first}", args.tool);
            common.specs.remove(0);
            (wanted, common)
        }
        _ => (args.tool.clone(), common),
    }
}

/// The name under every profile, the user's own too, or why there is none.
fn under_profiles(workspace: &Workspace, catalog: &Catalog, tool: &Tool) -> Vec<(String, Result<String, String>)> {
    let input = catalog.name_input(tool);
    let verdict = |named: &naming::Named| match &named.rejected {
        Some(why) => Err(why.clone()),
        None => Ok(named.name.clone()),
    };
    let mut names = Vec::new();
    let own = workspace.library.profiles.iter().map(|own| own.value.clone());
    for profile in Profile::builtins().into_iter().chain(own) {
        // The workspace may have amended its own profile.
        let found = if profile.name() == workspace.profile {
            verdict(&tool.named)
        } else {
            verdict(&naming::name(&profile, &input))
        };
        names.push((profile.name().to_owned(), found));
    }
    if names.iter().all(|(name, _)| *name != workspace.profile) {
        names.insert(0, (workspace.profile.clone(), verdict(&tool.named)));
    }
    names
}

fn json(
    out: &mut Output,
    catalog: &Catalog,
    tool: &Tool,
    names: &[(String, Result<String, String>)],
    opinions: &[Opinion],
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Explained<'a> {
        #[serde(flatten)]
        tool: ToolJson<'a>,
        profiles: serde_json::Map<String, serde_json::Value>,
        /// Why a profile gives no name.
        profile_reasons: BTreeMap<&'a str, &'a str>,
        /// Null for a tool that is hidden.
        targets: serde_json::Map<String, serde_json::Value>,
        /// Why a verdict is not `ok`; findings of `tool` null are on the document or on the list as a whole.
        target_reasons: BTreeMap<&'a str, Vec<FindingJson<'a>>>,
        /// The name under which the model sees it.
        target_names: BTreeMap<&'a str, &'a str>,
        /// The binding as an `x-mcp-request-transform`, to start one from.
        request_jq: String,
    }
    let reasons = |opinion: &'_ Opinion| !opinion.reasons.is_empty();
    let explained = Explained {
        tool: ToolJson::new(catalog, tool, crate::lint::tokens::count(tool)),
        profiles: names.iter().map(|(profile, name)| (profile.clone(), name.clone().ok().into())).collect(),
        profile_reasons: names
            .iter()
            .filter_map(|(profile, name)| Some((profile.as_str(), name.as_ref().err()?.as_str())))
            .collect(),
        targets: opinions
            .iter()
            .map(|opinion| (opinion.target.clone(), opinion.verdict.map(|verdict| verdict.as_str()).into()))
            .collect(),
        target_reasons: opinions
            .iter()
            .filter(|opinion| reasons(opinion))
            .map(|opinion| {
                let findings = opinion.reasons.iter().map(|finding| FindingJson::new(&catalog.sources, finding));
                (opinion.target.as_str(), findings.collect())
            })
            .collect(),
        target_names: opinions.iter().map(|opinion| (opinion.target.as_str(), opinion.exposed.as_str())).collect(),
        request_jq: crate::wire::generated_jq(tool),
    };
    serde_json::to_writer(out.writer(), &explained)?;
    out.line("")?;
    Ok(())
}

fn human(
    out: &mut Output,
    workspace: &Workspace,
    catalog: &Catalog,
    tool: &Tool,
    names: &[(String, Result<String, String>)],
    opinions: &[Opinion],
) -> std::io::Result<()> {
    let operation = &*tool.operation;
    let upstream = catalog.upstreams.get(tool.upstream).map_or("", |upstream| upstream.name.as_str());
    let head = format!("{} {}", operation.method, operation.path);
    let head = format!(
        "{}  {}  {}",
        out.paint(Role::Strong, &tool.named.name),
        out.paint(Role::Plain, &head),
        out.paint(Role::Faint, &format!("{upstream}, {}", catalog.sources.cite(&operation.place)))
    );
    out.line(&head)?;
    if let Some(hidden) = &tool.hidden {
        let line = out.paint(Role::Warning, &format!("hidden: {}", hidden.why));
        out.line(&line)?;
    }
    conflict(out, catalog, tool)?;
    trail(out, catalog, tool)?;
    candidates(out, workspace, tool)?;
    title(out, "Under other profiles")?;
    let mut rows = Vec::new();
    for (profile, name) in names.iter().filter(|(profile, _)| *profile != workspace.profile) {
        let cell = match name {
            Ok(name) => Cell::new(name),
            Err(why) => Cell::of(Role::Warning, format!("none: {why}")),
        };
        rows.push(vec![Cell::new(profile), cell]);
    }
    out.table("  ", &rows)?;
    title(out, "Under targets")?;
    opinion::table(out, tool, opinions)?;
    description(out, tool)?;
    arguments(out, tool)?;
    title(out, "Request as jq (x-mcp-request-transform)")?;
    for line in crate::wire::generated_jq(tool).lines() {
        let line = format!("  {}", out.paint(Role::Plain, line));
        out.line(&line)?;
    }
    losses(out, catalog, tool)?;
    touched(out, catalog, tool)?;
    if !tool.findings.is_empty() {
        title(out, "Findings")?;
        for finding in &tool.findings {
            super::check::finding(out, &catalog.sources, finding)?;
        }
    }
    Ok(())
}

fn title(out: &mut Output, text: &str) -> std::io::Result<()> {
    out.line("")?;
    let text = out.paint(Role::Strong, text);
    out.line(&text)
}

fn conflict(out: &mut Output, catalog: &Catalog, tool: &Tool) -> std::io::Result<()> {
    let Some(conflict) = tool.conflict.and_then(|at| catalog.conflicts.get(at)) else { return Ok(()) };
    let others: Vec<String> = conflict
        .tools
        .iter()
        .map(|claimant| format!("{} {} ({})", claimant.method, claimant.path, claimant.upstream))
        .collect();
    let line = out.paint(Role::Error, &format!("conflict: `{}` is claimed by {}", conflict.name, others.join(" and ")));
    out.line(&line)
}

fn trail(out: &mut Output, catalog: &Catalog, tool: &Tool) -> std::io::Result<()> {
    title(out, "Name")?;
    let mut rows = Vec::new();
    for step in &tool.named.trail {
        let change = if step.before.is_empty() || step.before == step.after {
            step.after.clone()
        } else {
            format!("{} -> {}", step.before, step.after)
        };
        let mut row = vec![Cell::of(Role::Faint, step.stage), Cell::new(change), Cell::new(&step.rule)];
        if step.stage == "source" {
            row.push(Cell::of(Role::Faint, catalog.sources.cite(tool.name_place())));
        }
        rows.push(row);
    }
    out.table("  ", &rows)?;
    if let Some(truncated) = &tool.named.truncated {
        let line = out.paint(Role::Warning, &format!("  cut off: `{}` of `{}`", truncated.cut, truncated.full));
        out.line(&line)?;
    }
    Ok(())
}

fn candidates(out: &mut Output, workspace: &Workspace, tool: &Tool) -> std::io::Result<()> {
    title(out, "Candidates")?;
    let candidates = &tool.named.candidates;
    let all = [
        (NameSource::Override, "override", &candidates.name_override, "the operation has no x-mcp-tool-name"),
        (NameSource::OperationId, "operationId", &candidates.operation_id, "the operation has no operationId"),
        (NameSource::Slug, "slug", &candidates.slug, "the profile makes no name from method and path"),
    ];
    let taken = all.iter().find(|(source, ..)| *source == tool.named.source).map_or("", |(_, word, ..)| word);
    let row = |(source, word, name, absent): &(NameSource, &str, &Option<String>, &str)| {
        let why = match name {
            Some(_) if *source == tool.named.source => (Role::Good, "taken".to_owned()),
            Some(_) => (Role::Faint, format!("lost: {} prefers the {taken}", workspace.profile)),
            None => (Role::Faint, (*absent).to_owned()),
        };
        vec![Cell::new(word), Cell::new(name.as_deref().unwrap_or("-")), Cell::of(why.0, why.1)]
    };
    out.table("  ", &all.iter().map(row).collect::<Vec<_>>())
}

fn description(out: &mut Output, tool: &Tool) -> std::io::Result<()> {
    title(out, "Description")?;
    if tool.operation.description.is_empty() {
        let line = out.paint(Role::Warning, "  (empty)");
        out.line(&line)?;
    }
    for line in tool.operation.description.lines() {
        let line = format!("  {}", out.paint(Role::Plain, line));
        out.line(&line)?;
    }
    if let Some(truncated) = &tool.operation.description_truncated {
        let text = format!("  cut off: {} characters", truncated.cut.chars().count());
        let line = out.paint(Role::Warning, &text);
        out.line(&line)?;
    }
    Ok(())
}

fn arguments(out: &mut Output, tool: &Tool) -> std::io::Result<()> {
    title(out, "Arguments")?;
    let binding = &tool.operation.binding;
    if binding.is_empty() {
        return out.line("  none");
    }
    let properties = tool.operation.input_schema.get("properties");
    let mut rows = Vec::new();
    for row in binding {
        let schema = properties.and_then(|properties| properties.get(&row.argument));
        let wire = match &row.wire_name {
            Some(name) => format!("{} `{name}`", word(&row.location)),
            None => format!("the whole {}", word(&row.location)),
        };
        let mut notes: Vec<String> = Vec::new();
        if let Some(style) = &row.style {
            let explode = if row.explode == Some(true) { ", exploded" } else { "" };
            notes.push(format!("{}{explode}", word(style)));
        }
        notes.extend(row.media_type.as_deref().map(str::to_owned));
        if row.allow_reserved {
            notes.push("reserved characters as they are".to_owned());
        }
        rows.push(vec![
            Cell::of(Role::Strong, &*row.argument),
            Cell::new(schema.map_or("any".to_owned(), kind)),
            Cell::of(
                if row.required { Role::Warning } else { Role::Faint },
                if row.required { "required" } else { "optional" },
            ),
            Cell::new(wire),
            Cell::of(Role::Faint, notes.join(", ")),
        ]);
    }
    out.table("  ", &rows)
}

/// A schema in a few words.
fn kind(schema: &Node) -> String {
    if let Some(values) = schema.get("enum").and_then(Node::as_list) {
        return format!("one of {}", values.len());
    }
    if let Some(reference) = schema.text("$ref") {
        return reference.rsplit('/').next().unwrap_or(reference).to_owned();
    }
    match schema.get("type") {
        Some(node) => {
            let list: Vec<&str> = node.items().filter_map(Node::as_str).collect();
            let name = node.as_str().map_or_else(|| list.join(" or "), str::to_owned);
            match (name.as_str(), schema.get("items")) {
                ("array", Some(items)) => format!("array of {}", kind(items)),
                _ => name,
            }
        }
        None => {
            ["oneOf", "anyOf", "allOf"].into_iter().find(|key| schema.get(key).is_some()).unwrap_or("any").to_owned()
        }
    }
}

fn losses(out: &mut Output, catalog: &Catalog, tool: &Tool) -> std::io::Result<()> {
    if tool.operation.losses.is_empty() {
        return Ok(());
    }
    title(out, "Not carried over")?;
    let row = |loss: &crate::derive::Loss| {
        vec![
            Cell::of(Role::Faint, catalog.sources.cite(&loss.place)),
            Cell::of(Role::Warning, loss.what),
            Cell::new(&loss.why),
        ]
    };
    out.table("  ", &tool.operation.losses.iter().map(row).collect::<Vec<_>>())
}

fn touched(out: &mut Output, catalog: &Catalog, tool: &Tool) -> std::io::Result<()> {
    if tool.touched_by.is_empty() {
        return Ok(());
    }
    title(out, "Changed by")?;
    for touched in &tool.touched_by {
        let file = catalog.sources.get(touched.file);
        let name = file.map_or("", |file| file.name.as_str());
        let start = file.and_then(|file| file.actions.get(usize::from(touched.action)));
        let line = start.zip(file).map(|(start, file)| format!(":{}", file.line_column(*start).0)).unwrap_or_default();
        let text = format!("  {name}{line} #{}", u32::from(touched.action) + 1);
        let text = out.paint(Role::Plain, &text);
        out.line(&text)?;
    }
    Ok(())
}
