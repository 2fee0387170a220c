//! `check`: everything that is wrong, and an exit code for it.

use serde::Serialize;

use super::args::{CheckArgs, CheckFormat, FailOn};
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, Role, say};
use super::{github, json, junit, lint, load, sarif};
use crate::derive::Catalog;
use crate::document::{Finding, Severity, Sources};
use crate::workspace::{Fixer, Snapshot};

pub(super) fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let (workspace, snapshot) = load(&args.common)?;
    let catalog = &*snapshot.catalog;
    let findings = lint::findings(&workspace, catalog);
    let least = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Info => Severity::Info,
    };
    let mut out = Output::stdout(args.common.color);
    match args.format {
        CheckFormat::Human => human(&mut out, &catalog.sources, &findings, args.all)?,
        CheckFormat::Sarif => {
            serde_json::to_writer_pretty(out.writer(), &sarif::log(&workspace, catalog, &findings))?;
            out.line("")?;
        }
        CheckFormat::Github => github::write(&mut out, catalog, &findings)?,
        CheckFormat::Junit => junit::write(&mut out, catalog, &findings, least)?,
        CheckFormat::Json => {
            #[derive(Serialize)]
            struct Check<F> {
                findings: F,
                totals: Totals,
            }
            let totals = Totals::of(catalog, &findings);
            let findings = with_fixes(&snapshot, findings.clone());
            let findings = json::findings(&catalog.sources, &findings);
            serde_json::to_writer(out.writer(), &Check { findings, totals })?;
            out.line("")?;
        }
    }
    out.finish()?;
    if matches!(args.format, CheckFormat::Human | CheckFormat::Github) {
        let Totals { errors, warnings, infos, tools, .. } = Totals::of(catalog, &findings);
        let words = [plural(errors, "error"), plural(warnings, "warning"), plural(infos, "remark")].join(", ");
        let targets: Vec<String> = workspace.targets_to_check().iter().map(|choice| choice.label()).collect();
        let under = match targets.as_slice() {
            [] => "no target; --target safe-everywhere asks what clients would make of them".to_owned(),
            targets => targets.join(", "),
        };
        say(&format!("{words} in {} under {under}", plural(tools, "tool")));
    }
    let fails = findings.iter().any(|finding| finding.severity >= least);
    Ok(if fails { exit::FINDINGS } else { exit::OK })
}

/// Every finding with the overlay action that mends it, where there is one.
fn with_fixes(snapshot: &Snapshot, mut findings: Vec<Finding>) -> Vec<Finding> {
    let fixer = Fixer::new(snapshot);
    for finding in findings.iter_mut().filter(|finding| finding.fix.is_none()) {
        finding.fix = fixer.action(finding);
    }
    findings
}

#[derive(Serialize)]
struct Totals {
    errors: usize,
    warnings: usize,
    infos: usize,
    findings: usize,
    tools: usize,
    hidden: usize,
    conflicts: usize,
    truncated: usize,
}

impl Totals {
    fn of(catalog: &Catalog, findings: &[Finding]) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        let json::Totals { tools, hidden, conflicts, truncated, .. } = json::Totals::of(catalog);
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            findings: findings.len(),
            tools,
            hidden,
            conflicts,
            truncated,
        }
    }
}

fn human(out: &mut Output, sources: &Sources, findings: &[Finding], all: bool) -> std::io::Result<()> {
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
            self::group(out, sources, &group, most)?;
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
    if group.len() > most {
        let text = format!("      … and {} more, which --all shows", group.len() - most);
        out.line(&out.paint(Role::Faint, &text))?;
    }
    if is_common { remedy(out, "      ", first) } else { Ok(()) }
}

/// Between what was found and what comes of it.
const SEPARATOR: &str = "; ";

/// What comes of it, when that is the same for all.
fn common_end<'a>(group: &[&'a Finding]) -> Option<&'a str> {
    let end = |finding: &'a Finding| finding.message.split_once(SEPARATOR).map(|(_, end)| end);
    let first = end(group.first()?)?;
    group.iter().all(|finding| end(finding) == Some(first)).then_some(first)
}

fn heading(severity: Severity) -> (Role, &'static str) {
    match severity {
        Severity::Error => (Role::Error, "Errors"),
        Severity::Warning => (Role::Warning, "Warnings"),
        Severity::Info => (Role::Faint, "Remarks"),
    }
}

/// The code of a finding, with its target.
fn label(finding: &Finding) -> String {
    match &finding.target {
        Some(target) => format!("{} {target}", finding.code),
        None => finding.code.to_owned(),
    }
}

/// A finding in one or two lines: place and message, tool, code; what to do.
pub(super) fn finding(out: &mut Output, sources: &Sources, finding: &Finding) -> std::io::Result<()> {
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

fn remedy(out: &mut Output, indent: &str, finding: &Finding) -> std::io::Result<()> {
    let Some(remedy) = &finding.remedy else { return Ok(()) };
    let line = format!("{indent}→ {}", out.paint(Role::Plain, remedy));
    out.line(&line)
}
