//! What targets do with one tool, for people.

use super::lint::Opinion;
use super::output::{Cell, Output, Role};
use crate::derive::Tool;
use crate::document::{Finding, Severity};
use crate::lint::Verdict;

/// A row for every target: verdict, and why; further reasons in rows of their own.
pub(super) fn table(out: &mut Output, tool: &Tool, opinions: &[Opinion]) -> std::io::Result<()> {
    let mut rows = Vec::new();
    for opinion in opinions {
        let (role, word) = verdict(opinion);
        let mut reasons = reasons(opinion).into_iter();
        let exposed = if opinion.exposed == tool.named.name { None } else { Some(format!("as {}", opinion.exposed)) };
        let first = reasons.next().or(exposed).unwrap_or_default();
        rows.push(vec![Cell::new(&opinion.target), Cell::of(role, word), Cell::new(first)]);
        rows.extend(reasons.map(|why| vec![Cell::new(""), Cell::new(""), Cell::new(why)]));
    }
    out.table("  ", &rows)
}

fn verdict(opinion: &Opinion) -> (Role, &'static str) {
    match opinion.verdict {
        None => (Role::Faint, "-"),
        // The tool alone is fine, and the model does not get it all the same.
        Some(Verdict::Ok | Verdict::Warn) if opinion.list >= Verdict::Dropped => (Role::Error, "list"),
        Some(Verdict::Ok) => (Role::Good, "ok"),
        Some(Verdict::Warn) => (Role::Warning, "warn"),
        Some(Verdict::Dropped) => (Role::Error, "dropped"),
        Some(Verdict::Refused) => (Role::Error, "refused"),
        Some(Verdict::PoisonsAll) => (Role::Error, "poisons all"),
    }
}

fn is_of_list(finding: &Finding) -> bool {
    finding.tool.is_none() && finding.place.is_none()
}

/// Of one target as many reasons are shown.
const SHOWN: usize = 3;

/// The worst first, each once; remarks say nothing about the verdict.
fn reasons(opinion: &Opinion) -> Vec<String> {
    // What is only unwise about the list is the same for every tool, and `check` says it.
    let matters = |finding: &&Finding| match is_of_list(finding) {
        true => finding.severity == Severity::Error,
        false => finding.severity > Severity::Info,
    };
    let mut findings: Vec<&Finding> = opinion.reasons.iter().filter(matters).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let text = |finding: &Finding| match &finding.remedy {
        Some(remedy) if !is_of_list(finding) => format!("{} → {remedy}", finding.message),
        _ => finding.message.clone(),
    };
    let mut told: Vec<String> = Vec::new();
    for text in findings.into_iter().map(text) {
        if !told.contains(&text) {
            told.push(text);
        }
    }
    let rest = told.len().saturating_sub(SHOWN);
    told.truncate(SHOWN);
    if rest > 0 {
        told.push(format!("… and {rest} more, which --format json lists"));
    }
    told
}
