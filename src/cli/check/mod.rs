//! `check`: everything that is wrong, and an exit code for it.

mod claimed;
mod human;
mod known;
mod locked;

use serde::Serialize;

use super::args::{CheckArgs, CheckFormat, FailOn};
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, say};
use super::{github, json, junit, lint, load, sarif};
use crate::derive::Catalog;
use crate::document::{Finding, Severity};
use crate::session::baseline::{Baseline, Known, Sorted};
use crate::workspace::{Fixer, Snapshot, Workspace};

pub(super) use human::finding;

pub(super) fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let (workspace, snapshot) = load(&args.common)?;
    let mut catalog = (*snapshot.catalog).clone();
    let findings = lint::findings(&workspace, &catalog);
    if let Some(path) = &args.write_baseline {
        known::write(path, &catalog.sources, &findings)?;
        return Ok(exit::OK);
    }
    let baseline = args.baseline.as_deref().map(known::read).transpose()?;
    let mut sorted = match &baseline {
        Some(baseline) => baseline.sort(&catalog.sources, findings),
        None => Sorted { new: findings, ..Sorted::default() },
    };
    let differing = match &args.lock {
        Some(path) => locked::findings(path, args, &workspace, &snapshot, &mut catalog)?,
        None => Vec::new(),
    };
    let differs = !differing.is_empty();
    sorted.new.extend(differing);
    if args.format == CheckFormat::Json {
        add_fixes(&snapshot, &mut sorted.new);
    }
    let report = Report { workspace: &workspace, catalog: &catalog, baseline: baseline.as_ref(), sorted: &sorted };
    let least = least(args.fail_on);
    let mut out = Output::stdout(args.common.color);
    report.write(&mut out, args, least)?;
    out.finish()?;
    if matches!(args.format, CheckFormat::Human | CheckFormat::Github) {
        report.say_totals();
    }
    let fails = sorted.new.iter().any(|finding| least.is_some_and(|least| finding.severity >= least));
    let fails = fails || (differs && least.is_some());
    Ok(if fails { exit::FINDINGS } else { exit::OK })
}

/// Adds the overlay action that mends a finding, where there is one.
fn add_fixes(snapshot: &Snapshot, findings: &mut [Finding]) {
    let fixer = Fixer::new(snapshot);
    for finding in findings.iter_mut().filter(|finding| finding.fix.is_none()) {
        finding.fix = fixer.action(finding);
    }
}

/// The least severity that fails; `None` when nothing does.
fn least(fail_on: FailOn) -> Option<Severity> {
    match fail_on {
        FailOn::Error => Some(Severity::Error),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Info => Some(Severity::Info),
        FailOn::Never => None,
    }
}

/// What was found, for every format.
struct Report<'a> {
    workspace: &'a Workspace,
    catalog: &'a Catalog,
    baseline: Option<&'a Baseline>,
    sorted: &'a Sorted,
}

impl Report<'_> {
    fn write(&self, out: &mut Output, args: &CheckArgs, least: Option<Severity>) -> Result<(), Failure> {
        let (catalog, findings) = (self.catalog, &self.sorted.new);
        match args.format {
            CheckFormat::Human => {
                human::write(out, catalog, findings, args.all)?;
                known::fixed(out, &self.sorted.fixed, args.all)?;
            }
            CheckFormat::Sarif => {
                serde_json::to_writer_pretty(out.writer(), &sarif::log(self.workspace, catalog, findings))?;
                out.line("")?;
            }
            CheckFormat::Github => github::write(out, catalog, findings)?,
            CheckFormat::Junit => junit::write(out, catalog, findings, &self.sorted.known, least)?,
            CheckFormat::Json => {
                serde_json::to_writer(out.writer(), &self.json())?;
                out.line("")?;
            }
        }
        Ok(())
    }

    fn json(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Check<'a, F> {
            findings: F,
            totals: Totals,
            #[serde(skip_serializing_if = "Option::is_none")]
            baseline: Option<BaselineJson<'a>>,
        }
        #[derive(Serialize)]
        struct BaselineJson<'a> {
            known: usize,
            fixed: &'a [Known],
        }
        let of_baseline = BaselineJson { known: self.sorted.known.len(), fixed: &self.sorted.fixed };
        Check {
            findings: json::findings(&self.catalog.sources, &self.sorted.new),
            totals: Totals::of(self.catalog, &self.sorted.new),
            baseline: self.baseline.map(|_| of_baseline),
        }
    }

    fn say_totals(&self) {
        let Totals { errors, warnings, infos, tools, .. } = Totals::of(self.catalog, &self.sorted.new);
        let words = [plural(errors, "error"), plural(warnings, "warning"), plural(infos, "remark")].join(", ");
        let targets: Vec<String> = self.workspace.targets_to_check().iter().map(|choice| choice.label()).collect();
        let under = match targets.as_slice() {
            [] => "no target; --target safe-everywhere asks what clients would make of them".to_owned(),
            targets => targets.join(", "),
        };
        say(&format!("{words} in {} under {under}", plural(tools, "tool")));
        if self.baseline.is_some() {
            let Sorted { known, fixed, .. } = self.sorted;
            say(&format!("{} known by the baseline; {} of it not found any more", known.len(), fixed.len()));
        }
    }
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
