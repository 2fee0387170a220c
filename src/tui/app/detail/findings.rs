//! Tab *Findings*: what is wrong with the tool and what it does not carry.

use super::cite;
use crate::derive::{Catalog, Loss, Tool};
use crate::document::{Blast, Finding, Severity};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// Columns of the first word of a line.
const LABEL: usize = 9;

/// The page: findings, the worst first, then losses.
pub(super) fn lines(catalog: &Catalog, tool: &Tool) -> Vec<Line> {
    let mut findings: Vec<&Finding> = tool.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut out = Vec::new();
    for finding in findings {
        push_finding(catalog, finding, &mut out);
    }
    let losses = losses(tool);
    if !losses.is_empty() {
        out.push(Line::new().seg("Not carried by the tool", Role::Title));
    }
    for loss in losses {
        let place = Some(&loss.place);
        out.push(Line::new().cell("lost", LABEL, Role::Warning).seg(loss.what, Role::Title).at(place));
        out.push(indented(&loss.why, Role::Text).at(place));
        let cited = cite(catalog, &loss.place);
        out.push(indented(&format!("{cited}  {}", loss.place.pointer), Role::Dim).at(place));
        out.push(Line::new());
    }
    if out.is_empty() {
        out.push(Line::new().seg("Nothing to report: the tool carries all that the document says.", Role::Dim));
    }
    out
}

/// Losses that no finding tells of already.
fn losses(tool: &Tool) -> Vec<&Loss> {
    let told = |loss: &&Loss| {
        tool.findings.iter().any(|finding| finding.code == loss.what && finding.place.as_ref() == Some(&loss.place))
    };
    tool.operation.losses.iter().filter(|loss| !told(loss)).collect()
}

/// How many things the page tells of.
pub(crate) fn count(tool: &Tool) -> usize {
    tool.findings.len() + losses(tool).len()
}

/// The word and the role of a severity.
pub(crate) fn severity(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Error => ("error", Role::Error),
        Severity::Warning => ("warning", Role::Warning),
        Severity::Info => ("info", Role::Info),
    }
}

/// What to do about a finding, below its first word of that width.
pub(crate) fn remedy_line(remedy: &str, indent: usize) -> Line {
    Line::new().cell("", indent, Role::Text).seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(indent + 2)
}

fn push_finding(catalog: &Catalog, finding: &Finding, out: &mut Vec<Line>) {
    let place = finding.place.as_ref();
    let (word, role) = severity(finding.severity);
    out.push(Line::new().cell(word, LABEL, role).seg(finding.code, Role::Title).at(place));
    out.push(indented(&finding.message, Role::Text).at(place));
    if let Some(remedy) = &finding.remedy {
        out.push(remedy_line(remedy, LABEL).at(place));
    }
    if finding.target.is_some() || finding.blast.is_some() {
        let target = finding.target.as_deref().unwrap_or("any client");
        let blast = finding.blast.map_or("", blast);
        out.push(indented(&format!("{target}: {blast}"), Role::Dim).at(place));
    }
    if let Some(place) = place {
        out.push(indented(&format!("{}  {}", cite(catalog, place), place.pointer), Role::Dim).at(Some(place)));
    }
    out.push(Line::new());
}

/// What a target does, in words.
pub(crate) fn blast(blast: Blast) -> &'static str {
    match blast {
        Blast::None => "no effect",
        Blast::ToolDropped => "leaves this tool out",
        Blast::ServerDropped => "leaves out all tools of the server",
        Blast::RequestRefused => "refuses every request that carries this tool",
        Blast::Silent => "loses something without a word",
    }
}

fn indented(text: &str, role: Role) -> Line {
    Line::new().cell("", LABEL, Role::Text).seg(text, role).hang(LABEL)
}
