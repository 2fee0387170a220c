//! Tab *Name*: why the tool has its name, step by step, and what else it could have been called.

use super::cite;
use crate::derive::{Annotations, Catalog, Conflict, Tool};
use crate::lint::Verdict;
use crate::naming::{CollisionPolicy, MadeBy, NameSource, Truncated, name};
use crate::tui::app::checks::Checks;
use crate::tui::app::page::{Act, Line};
use crate::tui::app::targets::page::verdict;
use crate::tui::app::tools::{Entry, Index};
use crate::tui::theme::Role;

/// Columns of the first word of a line.
const LABEL: usize = 14;
/// Columns of a profile's name.
const PROFILE: usize = 23;

/// The page.
pub(super) fn lines(catalog: &Catalog, index: &Index, entry: &Entry, checks: &Checks) -> Vec<Line> {
    let tool = &*entry.tool;
    let mut out = Vec::new();
    head(catalog, tool, &mut out);
    hidden(catalog, tool, &mut out);
    conflict(catalog, index, tool, &mut out);
    steps(catalog, tool, &mut out);
    candidates(tool, &mut out);
    if let Some(cut) = &tool.named.truncated {
        section("Cut from the name", &mut out);
        cut_lines(cut, &mut out);
    }
    for (code, words) in &tool.named.warnings {
        out.push(labelled("warning", Role::Warning, words, Role::Text).seg(format!("  {code}"), Role::Dim));
    }
    targets(entry, checks, &mut out);
    profiles(catalog, tool, checks, &mut out);
    description(tool, &mut out);
    out
}

/// What each target does with the tool, the worst first.
fn targets(entry: &Entry, checks: &Checks, out: &mut Vec<Line>) {
    let (Some(exposed), Some(checked)) = (entry.exposed, &checks.checked) else {
        if checks.checking && entry.exposed.is_some() {
            section("What targets do", out);
            out.push(Line::new().seg("checking targets …", Role::Dim));
        }
        return;
    };
    section("What targets do", out);
    let all = [Verdict::PoisonsAll, Verdict::Refused, Verdict::Dropped, Verdict::Warn, Verdict::Ok];
    for said in all {
        let with = checked.matrix.of_tool(exposed).filter(|(_, other)| *other == said);
        let labels: Vec<&str> = with.map(|(label, _)| label).collect();
        if !labels.is_empty() {
            let (word, role) = verdict(said);
            out.push(labelled(word, role, &labels.join(", "), Role::Text));
        }
    }
}

/// The name that the tool would have elsewhere.
fn profiles(catalog: &Catalog, tool: &Tool, checks: &Checks, out: &mut Vec<Line>) {
    let Some(checked) = &checks.checked else { return };
    section("Under other naming profiles", out);
    let input = catalog.name_input(tool);
    for profile in checked.choices.profiles.iter() {
        let named = name(profile, &input);
        let line = Line::new().cell(profile.name(), PROFILE, Role::Accent).hang(PROFILE);
        let mut line = if named.name.is_empty() {
            line.seg("(empty)", Role::Error)
        } else if named.name == tool.named.name {
            line.seg("the same", Role::Dim)
        } else {
            line.seg(&named.name, Role::Text)
        };
        if let Some(why) = &named.rejected {
            line = line.seg(format!("  refused: {why}"), Role::Error);
        } else if named.truncated.is_some() {
            line = line.seg("  cut", Role::Warning);
        }
        out.push(line);
    }
}

fn section(title: &str, out: &mut Vec<Line>) {
    out.push(Line::new());
    out.push(Line::new().seg(title, Role::Title));
}

fn labelled(label: &str, role: Role, text: &str, text_role: Role) -> Line {
    Line::new().cell(label, LABEL, role).seg(text, text_role).hang(LABEL)
}

fn head(catalog: &Catalog, tool: &Tool, out: &mut Vec<Line>) {
    let operation = &*tool.operation;
    let place = Some(tool.name_place());
    if tool.named.name.is_empty() {
        out.push(Line::new().seg("(the name is empty)", Role::Error).at(place));
    } else {
        let length = tool.named.name.chars().count();
        let line = Line::new().seg(&tool.named.name, Role::Title);
        out.push(line.seg(format!("  {length}\u{a0}characters"), Role::Dim).at(place));
    }
    let line = Line::new().seg(&operation.method, Role::Accent).seg(" ", Role::Text).seg(&operation.path, Role::Text);
    out.push(line.seg(format!("  {}", cite(catalog, &operation.place)), Role::Dim).at(Some(&operation.place)));
    let mut hints = hints(&operation.annotations).join(" · ");
    if !operation.tags.is_empty() {
        hints = format!("{hints}   tags: {}", operation.tags.join(", "));
    }
    out.push(Line::new().seg(hints, Role::Dim).at(Some(&operation.place)));
}

/// The hints of MCP in words.
fn hints(annotations: &Annotations) -> Vec<&'static str> {
    let mut words = vec![match (annotations.read_only_hint, annotations.destructive_hint) {
        (true, _) => "read-only",
        (false, true) => "destructive",
        (false, false) => "writes",
    }];
    if annotations.idempotent_hint {
        words.push("idempotent");
    }
    if annotations.open_world_hint {
        words.push("open world");
    }
    words
}

fn hidden(catalog: &Catalog, tool: &Tool, out: &mut Vec<Line>) {
    if let Some(hidden) = &tool.hidden {
        section("Hidden", out);
        let place = hidden.place.as_ref();
        out.push(Line::new().seg(&hidden.why, Role::Warning).at(place));
        if let Some(place) = place {
            out.push(Line::new().seg(format!("to show it, edit {}", cite(catalog, place)), Role::Dim).at(Some(place)));
        }
    }
    if let Some(why) = &tool.named.rejected {
        section("Refused by the profile", out);
        out.push(Line::new().seg(why, Role::Error).at(Some(tool.name_place())));
    }
}

/// Who else claims the name, each with a way there.
pub(crate) fn conflict(catalog: &Catalog, index: &Index, tool: &Tool, out: &mut Vec<Line>) {
    let Some(conflict) = tool.conflict.and_then(|at| catalog.conflicts.get(at)) else { return };
    section("Conflict", out);
    let made_by = match conflict.made_by {
        MadeBy::SameSource => "the sources were the same text",
        MadeBy::Sanitising => "different sources became one in cleaning",
        MadeBy::Truncation => "they differ only in what was cut off",
    };
    let count = conflict.tools.len();
    let claim = format!("{} is claimed {count} times: {made_by}.", conflict.name);
    out.push(Line::new().seg(claim, Role::Error).at(Some(tool.name_place())));
    out.push(Line::new().seg(policy(conflict), Role::Text));
    let (own_upstream, method, path) = tool.id();
    let own_upstream = catalog.upstreams.get(own_upstream).map_or("", |upstream| upstream.name.as_str());
    for other in &conflict.tools {
        let own = other.upstream == own_upstream && other.method == method && other.path == path;
        let id = super::super::tools::ToolId {
            upstream: other.upstream.clone(),
            method: other.method.clone(),
            path: other.path.clone(),
        };
        let line = Line::new().cell(if own { "this tool" } else { "also" }, LABEL, Role::Dim).hang(LABEL);
        let line = line.seg(format!("{} ", other.method), Role::Accent).seg(&other.path, Role::Text);
        let line = line.seg(format!("  {}", other.upstream), Role::Dim);
        out.push(match index.find(catalog, &id).filter(|_| !own) {
            Some(tool) => line.seg("  Enter: go there", Role::Dim).act(Act::Jump(tool)),
            None => line,
        });
    }
}

fn policy(conflict: &Conflict) -> &'static str {
    match conflict.policy {
        CollisionPolicy::Error => "Policy error: all stay visible, nothing may be served until the names differ.",
        CollisionPolicy::FirstWins => {
            "Policy first_wins: the first in document order keeps the name, the others are hidden."
        }
        CollisionPolicy::Skip => "Policy skip: every tool involved is hidden.",
        CollisionPolicy::Suffix => "Policy suffix: _2, _3 … in document order.",
        CollisionPolicy::Hash => "Policy hash: a hash of the source is appended.",
    }
}

fn steps(catalog: &Catalog, tool: &Tool, out: &mut Vec<Line>) {
    section("Steps", out);
    for step in &tool.named.trail {
        let source = step.stage == "source";
        let mut line = Line::new().cell(step.stage, LABEL, Role::Accent).hang(LABEL);
        if !step.before.is_empty() && step.before != step.after {
            line = line.seg(&step.before, Role::Text).seg(" → ", Role::Dim);
        }
        let after = if step.after.is_empty() { "(empty)" } else { &step.after };
        let place = tool.name_place();
        out.push(line.seg(after, Role::Title).at(Some(place)));
        let mut rule = step.rule.clone();
        if source {
            rule = format!("{rule}  {}", cite(catalog, place));
        }
        out.push(labelled("", Role::Text, &rule, Role::Dim).at(Some(place)));
    }
    if tool.named.trail.is_empty() {
        out.push(Line::new().seg("no step is recorded", Role::Dim));
    }
}

fn candidates(tool: &Tool, out: &mut Vec<Line>) {
    section("What each source gives", out);
    let candidates = &tool.named.candidates;
    let operation = &*tool.operation;
    let all = [
        ("override", NameSource::Override, &candidates.name_override, operation.name_override_place.as_ref()),
        ("operationId", NameSource::OperationId, &candidates.operation_id, operation.operation_id_place.as_ref()),
        ("slug", NameSource::Slug, &candidates.slug, Some(&operation.place)),
    ];
    for (label, source, name, place) in all {
        let line = match name {
            Some(name) if source == tool.named.source => {
                labelled(label, Role::Accent, name, Role::Title).seg("  used", Role::Added)
            }
            Some(name) => labelled(label, Role::Dim, name, Role::Text),
            None => labelled(label, Role::Dim, "not there", Role::Dim),
        };
        out.push(line.at(place));
    }
}

fn cut_lines(cut: &Truncated, out: &mut Vec<Line>) {
    out.push(labelled("whole", Role::Dim, &cut.full, Role::Text));
    out.push(labelled("cut off", Role::Warning, &cut.cut, Role::Removed));
}

fn description(tool: &Tool, out: &mut Vec<Line>) {
    let operation = &*tool.operation;
    section("Description for the model", out);
    if operation.description.is_empty() {
        out.push(Line::new().seg("none: the model sees the name and the schema only", Role::Warning));
    }
    for line in operation.description.lines() {
        out.push(Line::new().seg(line, Role::Text).at(Some(&operation.place)));
    }
    if let Some(cut) = &operation.description_truncated {
        let (full, lost) = (cut.full.chars().count(), cut.cut.chars().count());
        section(&format!("Cut from the description: {lost} of {full} characters"), out);
        out.extend(cut.cut.lines().map(|line| Line::new().seg(line, Role::Removed).at(Some(&operation.place))));
    }
}
