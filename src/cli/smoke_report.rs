//! What came of smoke cases: lines as they end, a summary, JSON, JUnit XML.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::junit::escape;
use super::output::{Output, Role};
use crate::proxy::{FailureKind, units};
use crate::session::{CaseResult, Check, Item, Plan, Totals, Verdict};

/// A longer name does not widen the column of names.
const WIDEST: usize = 44;
/// Expectations and differences that are shown of one case.
const MOST: usize = 12;

/// Lines in the order of the plan, each as soon as those before it are there.
pub(super) struct Lines {
    waiting: Vec<Option<Arc<CaseResult>>>,
    next: usize,
    width: usize,
}

impl Lines {
    pub(super) fn new(plan: &Plan) -> Self {
        let widths = plan.items.iter().map(|item| label(item).chars().count()).filter(|width| *width <= WIDEST);
        Self { waiting: vec![None; plan.items.len()], next: 0, width: widths.max().unwrap_or(WIDEST) }
    }

    /// A case has ended.
    pub(super) fn ended(
        &mut self,
        at: usize,
        result: Arc<CaseResult>,
        plan: &Plan,
        out: &mut Output,
    ) -> std::io::Result<()> {
        if let Some(slot) = self.waiting.get_mut(at) {
            *slot = Some(result);
        }
        let mut any = false;
        while let Some(result) = self.waiting.get_mut(self.next).and_then(Option::take) {
            let before = self.next.checked_sub(1).and_then(|at| plan.items.get(at));
            if let Some(item) = plan.items.get(self.next) {
                if before.is_none_or(|before| before.suite != item.suite) {
                    if before.is_some() {
                        out.line("")?;
                    }
                    out.line(&out.paint(Role::Strong, &item.suite))?;
                }
                self.line(item, &result, out)?;
            }
            self.next += 1;
            any = true;
        }
        if any { out.writer().flush() } else { Ok(()) }
    }

    fn line(&self, item: &Item, result: &CaseResult, out: &mut Output) -> std::io::Result<()> {
        let verdict = out.paint(role(result.verdict), &format!("{:<7}", result.verdict.word()));
        let label = label(item);
        let missing = self.width.saturating_sub(label.chars().count());
        let mut line = format!("  {verdict}  {}{}", out.paint(Role::Plain, &label), " ".repeat(missing));
        if result.exchange.is_some() {
            let status = result.status.map_or("  -".to_owned(), |status| status.to_string());
            let facts = format!("  {status} {:>8}", units::shown(result.elapsed));
            line.push_str(&out.paint(Role::Faint, &facts));
        }
        if !result.why.is_empty() {
            line.push_str(&format!("  {}", out.paint(Role::Plain, &result.why)));
        }
        out.line(line.trim_end())
    }
}

/// The case's name, with its tool where that is another, and what it is there for.
fn label(item: &Item) -> String {
    let mut label = item.case.name.clone();
    if label != item.tool_name() && !label.starts_with(item.tool_name()) {
        label.push_str(&format!(" ({})", item.tool_name()));
    }
    match item.role {
        crate::session::Role::Case => label,
        other => format!("{}: {label}", other.word()),
    }
}

fn role(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Pass => Role::Good,
        Verdict::Fail => Role::Error,
        Verdict::Drift => Role::Warning,
        Verdict::Skipped => Role::Faint,
    }
}

/// What failed and what drifted, each with all that is known of it.
pub(super) fn summary(out: &mut Output, plan: &Plan, results: &[Arc<CaseResult>]) -> std::io::Result<()> {
    for (verdict, title) in [(Verdict::Fail, "Failed"), (Verdict::Drift, "Does not fit its document")] {
        let cases: Vec<(&Item, &Arc<CaseResult>)> =
            plan.items.iter().zip(results).filter(|(_, result)| result.verdict == verdict).collect();
        if cases.is_empty() {
            continue;
        }
        out.line("")?;
        out.line(&out.paint(role(verdict), &format!("{title} ({})", cases.len())))?;
        for (item, result) in cases {
            one(out, item, result)?;
        }
    }
    Ok(())
}

fn one(out: &mut Output, item: &Item, result: &CaseResult) -> std::io::Result<()> {
    let head = format!("  {}: {}", item.suite, label(item));
    let mut facts: Vec<String> = Vec::new();
    if let Some(tool) = &item.tool {
        facts.push(format!("{} {}", tool.operation.method, tool.operation.path));
    }
    facts.extend(item.environment.clone());
    facts.extend((!item.case.at.is_empty()).then(|| item.case.at.clone()));
    let facts = out.paint(Role::Faint, &format!("  {}", facts.join(", ")));
    let line = format!("{}{facts}", out.paint(Role::Strong, &head));
    out.line(&line)?;
    let wrong: Vec<&Check> = result.checks.iter().filter(|check| !check.ok && !check.drift).collect();
    if wrong.is_empty() && result.verdict == Verdict::Fail {
        out.line(&format!("      {}", out.paint(Role::Plain, &result.why)))?;
    }
    for check in wrong.iter().take(MOST) {
        let line = format!("      {}: {}", check.what, crate::session::report::one_line(&check.why));
        out.line(&out.paint(Role::Plain, &line))?;
    }
    for point in result.drift.iter().take(MOST) {
        out.line(&format!("      {}", out.paint(Role::Plain, &point.sentence())))?;
    }
    if result.drift.len() > MOST {
        out.line(&format!("      … and {} more, which --format json has", result.drift.len() - MOST))?;
    }
    for point in result.fixes().into_iter().take(MOST) {
        let fix = point.fix_lines().join(", ");
        let line = format!("      → {}: {fix}", point.remedy.as_deref().unwrap_or_default());
        out.line(&out.paint(Role::Plain, &line))?;
    }
    Ok(())
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1_000_000.0).round() / 1000.0
}

/// The contract: fields may be added, never renamed.
pub(super) fn json(
    out: &mut Output,
    plan: &Plan,
    results: &[Arc<CaseResult>],
    elapsed: Duration,
) -> std::io::Result<()> {
    #[derive(Serialize)]
    struct All {
        #[serde(flatten)]
        totals: Totals,
        elapsed_ms: f64,
    }
    #[derive(Serialize)]
    struct Report {
        cases: Vec<Json>,
        totals: All,
    }
    let cases = plan.items.iter().zip(results).map(|(item, result)| case(item, result)).collect();
    let totals = Totals::of(results.iter().map(|result| &**result));
    let totals = All { totals, elapsed_ms: milliseconds(elapsed) };
    serde_json::to_writer(out.writer(), &Report { cases, totals })?;
    out.line("")
}

fn case(item: &Item, result: &CaseResult) -> Json {
    let operation = item.tool.as_ref().map(|tool| &tool.operation);
    let check = |check: &Check| json!({"what": check.what, "ok": check.ok, "why": text(&check.why)});
    let fixes = result.fixes();
    let drift: Vec<Json> = result
        .drift
        .iter()
        .map(|point| {
            json!({
                "pointer": point.pointer,
                "rule": point.rule,
                "message": point.message,
                "remedy": point.remedy,
                "fix": point.fix,
            })
        })
        .collect();
    json!({
        "name": item.case.name,
        "tool": item.tool_name(),
        "verdict": result.verdict,
        "why": text(&result.why),
        "elapsed_ms": milliseconds(result.elapsed),
        "suite": &*item.suite,
        "role": item.role.word(),
        "environment": item.environment,
        "method": operation.map(|operation| &*operation.method),
        "path": operation.map(|operation| &*operation.path),
        "status": result.status,
        "failure": result.failure,
        "at": text(&item.case.at),
        "expectations": result.checks.iter().map(check).collect::<Vec<Json>>(),
        "drift": drift,
        "fix": fixes.iter().flat_map(|point| &point.fix).collect::<Vec<_>>(),
    })
}

fn text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// One `testsuite` for each suite.
pub(super) fn junit(
    out: &mut Output,
    plan: &Plan,
    results: &[Arc<CaseResult>],
    elapsed: Duration,
) -> std::io::Result<()> {
    let all: Vec<(&Item, &Arc<CaseResult>)> = plan.items.iter().zip(results).collect();
    out.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let counts = counts(&all);
    let seconds = elapsed.as_secs_f64();
    out.line(&format!("<testsuites name=\"toolscope smoke\" {} time=\"{seconds:.3}\">", attributes(counts, false)))?;
    for of_suite in all.chunk_by(|one, other| one.0.suite == other.0.suite) {
        let Some((first, _)) = of_suite.first() else { continue };
        let seconds: f64 = of_suite.iter().map(|(_, result)| result.elapsed.as_secs_f64()).sum();
        let counts = self::counts(of_suite);
        let name = escape(&first.suite);
        out.line(&format!("  <testsuite name=\"{name}\" {} time=\"{seconds:.3}\">", attributes(counts, true)))?;
        for (item, result) in of_suite {
            testcase(out, item, result)?;
        }
        out.line("  </testsuite>")?;
    }
    out.line("</testsuites>")
}

#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

fn counts(cases: &[(&Item, &Arc<CaseResult>)]) -> Counts {
    let mut counts = Counts { tests: cases.len(), ..Counts::default() };
    for (_, result) in cases {
        match result.verdict {
            Verdict::Pass => {}
            Verdict::Skipped => counts.skipped += 1,
            Verdict::Fail | Verdict::Drift if had_no_answer(result) => counts.errors += 1,
            Verdict::Fail | Verdict::Drift => counts.failures += 1,
        }
    }
    counts
}

/// The root has no count of what was skipped.
fn attributes(counts: Counts, skipped: bool) -> String {
    let Counts { tests, failures, errors, .. } = counts;
    let mut text = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    if skipped {
        text.push_str(&format!(" skipped=\"{}\"", counts.skipped));
    }
    text
}

/// Test reports tell what was wrong from what could not be tried.
fn had_no_answer(result: &CaseResult) -> bool {
    matches!(
        result.failure,
        Some(FailureKind::Unreachable | FailureKind::TimedOut | FailureKind::Authentication | FailureKind::Internal)
    )
}

fn testcase(out: &mut Output, item: &Item, result: &CaseResult) -> std::io::Result<()> {
    let name = match item.role {
        crate::session::Role::Case => item.case.name.clone(),
        other => format!("{}: {}", other.word(), item.case.name),
    };
    let (suite, name) = (escape(&item.suite), escape(&name));
    let seconds = result.elapsed.as_secs_f64();
    let head = format!("    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{seconds:.3}\"");
    let why = escape(&result.why);
    match result.verdict {
        Verdict::Pass => return out.line(&format!("{head}/>")),
        Verdict::Skipped => {
            out.line(&format!("{head}>"))?;
            out.line(&format!("      <skipped message=\"{why}\"/>"))?;
        }
        Verdict::Fail | Verdict::Drift => {
            out.line(&format!("{head}>"))?;
            let (element, kind) = match result.failure.filter(|_| had_no_answer(result)) {
                Some(failure) => ("error", failure.word()),
                None => ("failure", result.verdict.word()),
            };
            let details = escape(&details(item, result));
            out.line(&format!("      <{element} type=\"{kind}\" message=\"{why}\">{details}</{element}>"))?;
        }
    }
    out.line("    </testcase>")
}

fn details(item: &Item, result: &CaseResult) -> String {
    let mut lines = Vec::new();
    if let Some(tool) = &item.tool {
        let status = result.status.map(|status| format!(": HTTP {status}")).unwrap_or_default();
        lines.push(format!("{} {}{status}", tool.operation.method, tool.operation.path));
    }
    let wrong = result.checks.iter().filter(|check| !check.ok && !check.drift);
    lines.extend(wrong.map(|check| format!("{}: {}", check.what, check.why)));
    lines.extend(result.drift.iter().map(crate::session::DriftPoint::sentence));
    for point in result.fixes() {
        let fix = point.fix_lines().join(", ");
        lines.push(format!("fix ({}): {fix}", point.remedy.as_deref().unwrap_or_default()));
    }
    if !item.case.at.is_empty() {
        lines.push(item.case.at.clone());
    }
    lines.join("\n")
}
