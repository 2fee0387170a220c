//! `check`: everything that is wrong, and an exit code for it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::args::{CheckArgs, FailOn, Format};
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, Role, say};
use super::{json, load};
use crate::derive::Catalog;
use crate::document::{Finding, Severity, Sources};

pub(super) fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let (_, snapshot) = load(&args.common)?;
    let catalog = &*snapshot.catalog;
    let mut out = Output::stdout(args.common.color);
    match args.format {
        Format::Human => human(&mut out, catalog)?,
        Format::Json => {
            #[derive(Serialize)]
            struct Check<F> {
                findings: F,
                totals: Totals,
            }
            let findings = json::findings(&catalog.sources, &catalog.findings);
            serde_json::to_writer(out.writer(), &Check { findings, totals: Totals::of(catalog) })?;
            out.line("")?;
        }
    }
    out.finish()?;
    if args.format == Format::Human {
        let Totals { errors, warnings, infos, tools, .. } = Totals::of(catalog);
        let words = [plural(errors, "error"), plural(warnings, "warning"), plural(infos, "remark")].join(", ");
        say(&format!("{words} in {}", plural(tools, "tool")));
    }
    let least = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Info => Severity::Info,
    };
    let fails = catalog.findings.iter().any(|finding| finding.severity >= least);
    Ok(if fails { exit::FINDINGS } else { exit::OK })
}

/// Remarks of one kind that people are shown.
const SHOWN_REMARKS: usize = 3;

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
    fn of(catalog: &Catalog) -> Self {
        let count = |severity| catalog.findings.iter().filter(|finding| finding.severity == severity).count();
        let json::Totals { tools, hidden, conflicts, truncated, findings, .. } = json::Totals::of(catalog);
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            findings,
            tools,
            hidden,
            conflicts,
            truncated,
        }
    }
}

fn human(out: &mut Output, catalog: &Catalog) -> std::io::Result<()> {
    let mut is_first = true;
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let of_it: Vec<&Finding> = catalog.findings.iter().filter(|finding| finding.severity == severity).collect();
        if of_it.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.line("")?;
        }
        let (role, title) = heading(severity);
        out.line(&out.paint(role, &format!("{title} ({})", of_it.len())))?;
        // A thousand remarks of one kind say no more than a few of them and their number.
        let most = if severity == Severity::Info { SHOWN_REMARKS } else { usize::MAX };
        let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in of_it {
            let count = shown.entry(finding.code).or_default();
            *count += 1;
            if *count <= most {
                self::finding(out, &catalog.sources, finding)?;
            }
        }
        for (code, count) in shown.into_iter().filter(|(_, count)| *count > most) {
            let line = format!("  … and {} more  [{code}]  --format json lists them", count - most);
            out.line(&out.paint(Role::Faint, &line))?;
        }
    }
    Ok(())
}

fn heading(severity: Severity) -> (Role, &'static str) {
    match severity {
        Severity::Error => (Role::Error, "Errors"),
        Severity::Warning => (Role::Warning, "Warnings"),
        Severity::Info => (Role::Faint, "Remarks"),
    }
}

/// A finding in two or three lines: place and message, tool, remedy.
pub(super) fn finding(out: &mut Output, sources: &Sources, finding: &Finding) -> std::io::Result<()> {
    let place = finding.place.as_ref().map(|place| format!("{}: ", sources.cite(place))).unwrap_or_default();
    let (role, _) = heading(finding.severity);
    let code = out.paint(role, finding.code);
    let tool = finding.tool.as_deref().map(|tool| format!(" ({tool})")).unwrap_or_default();
    let line = format!(
        "  {}{}{}  [{code}]",
        out.paint(Role::Strong, &place),
        out.paint(Role::Plain, &finding.message),
        out.paint(Role::Faint, &tool)
    );
    out.line(&line)?;
    if let Some(remedy) = &finding.remedy {
        let line = format!("      {}", out.paint(Role::Plain, remedy));
        out.line(&line)?;
    }
    Ok(())
}
