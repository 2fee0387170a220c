//! `check`: everything that is wrong, and an exit code for it.

use serde::Serialize;

use super::args::{CheckArgs, CheckFormat, FailOn};
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, Role, say};
use super::{github, json, junit, lint, load, sarif};
use crate::derive::Catalog;
use crate::document::{Finding, Severity, Sources};

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
        let under = if targets.is_empty() { "no target".to_owned() } else { targets.join(", ") };
        say(&format!("{words} in {} under {under}", plural(tools, "tool")));
    }
    let fails = findings.iter().any(|finding| finding.severity >= least);
    Ok(if fails { exit::FINDINGS } else { exit::OK })
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

/// Some findings of one kind. What to do is told once where it is the same for all.
fn group(out: &mut Output, sources: &Sources, group: &[&Finding], most: usize) -> std::io::Result<()> {
    let remedy = group.first().and_then(|first| first.remedy.as_ref());
    let is_common = group.len() > 1 && group.iter().all(|finding| finding.remedy.as_ref() == remedy);
    for finding in group.iter().take(most) {
        line(out, sources, finding)?;
        if !is_common {
            self::remedy(out, finding)?;
        }
    }
    if group.len() > most
        && let Some(first) = group.first()
    {
        let text = format!("  … and {} more  [{}]  --all shows them", group.len() - most, label(first));
        out.line(&out.paint(Role::Faint, &text))?;
    }
    match group.first().filter(|_| is_common) {
        Some(first) => self::remedy(out, first),
        None => Ok(()),
    }
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
    line(out, sources, finding)?;
    remedy(out, finding)
}

fn line(out: &mut Output, sources: &Sources, finding: &Finding) -> std::io::Result<()> {
    let place = finding.place.as_ref().map(|place| format!("{}: ", sources.cite(place))).unwrap_or_default();
    let (role, _) = heading(finding.severity);
    let code = out.paint(role, &label(finding));
    let is_said = |tool: &&str| !finding.message.contains(&format!("`{tool}`"));
    let tool = finding.tool.as_deref().filter(is_said).map(|tool| format!(" ({tool})")).unwrap_or_default();
    let line = format!(
        "  {}{}{}  [{code}]",
        out.paint(Role::Strong, &place),
        out.paint(Role::Plain, &finding.message),
        out.paint(Role::Faint, &tool)
    );
    out.line(&line)
}

fn remedy(out: &mut Output, finding: &Finding) -> std::io::Result<()> {
    let Some(remedy) = &finding.remedy else { return Ok(()) };
    let line = format!("      {}", out.paint(Role::Plain, remedy));
    out.line(&line)
}
