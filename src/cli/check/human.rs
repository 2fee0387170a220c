//! Findings for people: by severity, and those of one kind together.

use super::claimed;
use crate::cli::output::{Output, Role};
use crate::derive::Catalog;
use crate::document::{Finding, Severity, Sources};

pub(super) fn write(out: &mut Output, catalog: &Catalog, findings: &[Finding], all: bool) -> std::io::Result<()> {
    let mut is_first = true;
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let of_it: Vec<&Finding> = findings.iter().filter(|finding| finding.severity == severity).collect();
        if of_it.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.line("")?;
        }
        let (role, title) = heading(severity);
        out.line(&out.paint(role, &format!("{title} ({})", of_it.len())))?;
        let most = if all { usize::MAX } else { shown(severity) };
        for group in groups(&of_it) {
            let (claimed, others) = claimed::by_name(catalog, &group);
            claimed::write(out, catalog, &claimed, most)?;
            self::group(out, &catalog.sources, &others, most)?;
        }
    }
    Ok(())
}

/// A thousand findings of one kind say no more than a few of them and their number.
fn shown(severity: Severity) -> usize {
    match severity {
        Severity::Error => 10,
        Severity::Warning => 5,
        Severity::Info => 3,
    }
}

/// Findings of one kind together, in the order in which the kinds occur.
fn groups<'a>(findings: &[&'a Finding]) -> Vec<Vec<&'a Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let key = |finding: &Finding| (finding.code, finding.target.clone(), finding.rule.clone());
        let wanted = key(finding);
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| key(first) == wanted)) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// From as many findings on, what they have in common is told once.
const GROUP: usize = 3;

/// Findings of one kind: each for itself while they are few, else under a line that says what they have in common.
fn group(out: &mut Output, sources: &Sources, group: &[&Finding], most: usize) -> std::io::Result<()> {
    let Some(first) = group.first().filter(|_| group.len() >= GROUP) else {
        return group.iter().try_for_each(|one| finding(out, sources, one));
    };
    let (role, _) = heading(first.severity);
    let why = common_end(group);
    let head = out.paint(role, &label(first));
    let tail = why.map(|why| format!(": {}", out.paint(Role::Plain, why))).unwrap_or_default();
    out.line(&format!("  {} × {head}{tail}", group.len()))?;
    let is_common = group.iter().all(|finding| finding.remedy == first.remedy);
    for finding in group.iter().take(most) {
        let end = why.map_or(0, |why| why.len() + SEPARATOR.len());
        let said = finding.message.get(..finding.message.len().saturating_sub(end)).unwrap_or(&finding.message);
        let line = format!("      {}", told(out, sources, finding, said));
        out.line(&line)?;
        if !is_common {
            remedy(out, "          ", finding)?;
        }
    }
    more(out, "      ", group.len(), most)?;
    if is_common { remedy(out, "      ", first) } else { Ok(()) }
}

/// Says how many are not shown.
pub(super) fn more(out: &mut Output, indent: &str, count: usize, most: usize) -> std::io::Result<()> {
    if count <= most {
        return Ok(());
    }
    let text = format!("{indent}… and {} more, which --all shows", count - most);
    out.line(&out.paint(Role::Faint, &text))
}

/// Between what was found and what comes of it.
const SEPARATOR: &str = "; ";

/// What comes of it, when that is the same for all.
fn common_end<'a>(group: &[&'a Finding]) -> Option<&'a str> {
    let end = |finding: &'a Finding| finding.message.split_once(SEPARATOR).map(|(_, end)| end);
    let first = end(group.first()?)?;
    group.iter().all(|finding| end(finding) == Some(first)).then_some(first)
}

pub(super) fn heading(severity: Severity) -> (Role, &'static str) {
    match severity {
        Severity::Error => (Role::Error, "Errors"),
        Severity::Warning => (Role::Warning, "Warnings"),
        Severity::Info => (Role::Faint, "Remarks"),
    }
}

/// The code of a finding, with its target.
pub(super) fn label(finding: &Finding) -> String {
    match &finding.target {
        Some(target) => format!("{} {target}", finding.code),
        None => finding.code.to_owned(),
    }
}

/// A finding in one or two lines: place and message, tool, code; what to do.
pub(in crate::cli) fn finding(out: &mut Output, sources: &Sources, finding: &Finding) -> std::io::Result<()> {
    let (role, _) = heading(finding.severity);
    let code = out.paint(role, &label(finding));
    let line = format!("  {}  [{code}]", told(out, sources, finding, &finding.message));
    out.line(&line)?;
    remedy(out, "      ", finding)
}

/// Place, message and tool.
fn told(out: &Output, sources: &Sources, finding: &Finding, message: &str) -> String {
    let place = finding.place.as_ref().map(|place| format!("{}: ", sources.cite(place))).unwrap_or_default();
    let is_said = |tool: &&str| !message.contains(&format!("`{tool}`"));
    let tool = finding.tool.as_deref().filter(is_said).map(|tool| format!(" ({tool})")).unwrap_or_default();
    let [place, message, tool] = [(Role::Strong, &*place), (Role::Plain, message), (Role::Faint, &*tool)]
        .map(|(role, text)| out.paint(role, text));
    format!("{place}{message}{tool}")
}

pub(super) fn remedy(out: &mut Output, indent: &str, finding: &Finding) -> std::io::Result<()> {
    let Some(remedy) = &finding.remedy else { return Ok(()) };
    let line = format!("{indent}→ {}", out.paint(Role::Plain, remedy));
    out.line(&line)
}
