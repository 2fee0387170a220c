//! What came of cases: verdicts, why, and what a whole run means for an exit code. Pure.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::expect::Check;
use crate::document::{DocumentSet, Node, to_json};
use crate::proxy::{Exchange, FailureKind};
use crate::wire::Drift;

/// Characters of a sentence that are shown.
const LONGEST: usize = 400;

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything is as expected.
    Pass,
    /// Something is not.
    Fail,
    /// Everything is, but the answer does not fit the output schema.
    Drift,
    /// It was not run.
    Skipped,
}

impl Verdict {
    /// All, the worst first.
    pub const ALL: [Self; 4] = [Self::Fail, Self::Drift, Self::Skipped, Self::Pass];

    /// The stable word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Drift => "drift",
            Self::Skipped => "skipped",
        }
    }

    /// It makes a run fail.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Fail | Self::Drift)
    }
}

/// One difference between an answer and the output schema.
#[derive(Clone, Debug, PartialEq)]
pub struct DriftPoint {
    /// RFC 6901 pointer into the answer.
    pub pointer: String,
    /// The rule that is broken, a keyword of JSON Schema.
    pub rule: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The change of the document that would mend it, in words.
    pub remedy: Option<String>,
    /// The same as overlay actions, to be applied in this order; empty where there are none.
    pub fix: Vec<Node>,
}

impl DriftPoint {
    /// All differences of an answer. `wrapped`: the schema speaks of `{"result": answer}`.
    pub fn of(drift: &Drift, wrapped: bool, documents: Option<&DocumentSet>) -> Vec<Self> {
        let mut points: Vec<Self> = Vec::new();
        for problem in &drift.problems {
            let pointer = match wrapped {
                true => problem.pointer.strip_prefix("/result").unwrap_or(&problem.pointer),
                false => &problem.pointer,
            };
            let remedy =
                drift.remedies.iter().find(|remedy| remedy.problem == problem.pointer && remedy.rule == problem.rule);
            let fix = remedy.zip(documents).map(|(remedy, documents)| remedy.actions(documents)).unwrap_or_default();
            // Before OpenAPI 3.1 a schema has one type, which is not widened but replaced.
            let replaced = fix.last().and_then(|action| action.get("update")?.text("type"));
            let words = |why: &str| replaced.map_or_else(|| why.to_owned(), |kind| format!("make it {kind}"));
            points.push(Self {
                pointer: pointer.to_owned(),
                rule: problem.rule.clone(),
                message: problem.message.clone(),
                remedy: remedy.map(|remedy| words(&remedy.why)).filter(|_| !fix.is_empty()),
                fix,
            });
        }
        points
    }

    /// `/name: … (type)`
    pub fn sentence(&self) -> String {
        match self.pointer.as_str() {
            "" => format!("{} ({})", self.message, self.rule),
            pointer => format!("{pointer}: {} ({})", self.message, self.rule),
        }
    }

    /// The overlay actions as JSON, each on one line.
    pub fn fix_lines(&self) -> Vec<String> {
        self.fix.iter().map(|action| to_json(action, false)).collect()
    }
}

/// What came of a case.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// How it ended.
    pub verdict: Verdict,
    /// Why, in one sentence; empty for a pass.
    pub why: String,
    /// The call's time.
    pub elapsed: Duration,
    /// Status of the API's answer.
    pub status: Option<u16>,
    /// How the call failed, when it was not for what the API answered.
    pub failure: Option<FailureKind>,
    /// Every expectation with its outcome.
    pub checks: Vec<Check>,
    /// Where the answer does not fit the output schema.
    pub drift: Vec<DriftPoint>,
    /// The record of the call.
    pub exchange: Option<Arc<Exchange>>,
    /// The case was not reached because the run was given up.
    pub interrupted: bool,
}

impl CaseResult {
    /// A case that was not run.
    pub fn skipped(why: impl Into<String>) -> Self {
        Self::without_call(Verdict::Skipped, why)
    }

    /// A case that failed before any call.
    pub fn failed(why: impl Into<String>) -> Self {
        Self::without_call(Verdict::Fail, why)
    }

    fn without_call(verdict: Verdict, why: impl Into<String>) -> Self {
        Self {
            verdict,
            why: one_line(&why.into()),
            elapsed: Duration::ZERO,
            status: None,
            failure: None,
            checks: Vec::new(),
            drift: Vec::new(),
            exchange: None,
            interrupted: false,
        }
    }

    /// The verdict over what was checked.
    pub fn of(checks: Vec<Check>, drift: Vec<DriftPoint>) -> Self {
        let wrong: Vec<&Check> = checks.iter().filter(|check| !check.ok && !check.drift).collect();
        let has_drift = checks.iter().any(|check| check.drift);
        let (verdict, why) = match (wrong.first(), has_drift) {
            (Some(first), _) => (Verdict::Fail, with_more(&first.why, wrong.len())),
            (None, true) => {
                let first = drift.first().map(DriftPoint::sentence).unwrap_or_default();
                (Verdict::Drift, with_more(&first, drift.len()))
            }
            (None, false) => (Verdict::Pass, String::new()),
        };
        Self { why: one_line(&why), drift, checks, ..Self::without_call(verdict, "") }
    }

    /// What a person does about it: the overlay actions that would mend the document, each once.
    pub fn fixes(&self) -> Vec<&DriftPoint> {
        let mut fixes: Vec<&DriftPoint> = Vec::new();
        for point in self.drift.iter().filter(|point| !point.fix.is_empty()) {
            if !fixes.iter().any(|known| known.fix_lines() == point.fix_lines()) {
                fixes.push(point);
            }
        }
        fixes
    }
}

fn with_more(first: &str, count: usize) -> String {
    if count > 1 { format!("{first}; and {} more", count - 1) } else { first.to_owned() }
}

/// One line of a bounded length.
pub fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Numbers of verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// All cases.
    pub cases: usize,
    /// As expected.
    pub pass: usize,
    /// Not as expected.
    pub fail: usize,
    /// Not as the document says.
    pub drift: usize,
    /// Not run.
    pub skipped: usize,
}

/// What a run means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is wrong.
    Passed,
    /// Some answer is not as expected, or does not fit.
    Failed,
    /// Whatever failed had no answer.
    Unreachable,
    /// Whatever failed was refused for its credentials, or had no answer.
    Authentication,
    /// It was given up.
    Interrupted,
}

impl Totals {
    /// Counts.
    pub fn of<'a>(results: impl IntoIterator<Item = &'a CaseResult>) -> Self {
        results.into_iter().fold(Self::default(), Self::with)
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, result: &CaseResult) -> Self {
        self.cases += 1;
        match result.verdict {
            Verdict::Pass => self.pass += 1,
            Verdict::Fail => self.fail += 1,
            Verdict::Drift => self.drift += 1,
            Verdict::Skipped => self.skipped += 1,
        }
        self
    }
}

impl Ending {
    /// What some results mean together. One answer that is wrong is a finding, whatever else there was; without any it is
    /// what kept the calls from being answered.
    pub fn of<'a>(results: impl IntoIterator<Item = &'a CaseResult>) -> Self {
        let (mut unreachable, mut refused, mut wrong, mut interrupted) = (false, false, false, false);
        for result in results {
            interrupted |= result.interrupted;
            if !result.verdict.is_bad() {
                continue;
            }
            match result.failure {
                Some(FailureKind::Unreachable | FailureKind::TimedOut) => unreachable = true,
                Some(FailureKind::Authentication) => refused = true,
                _ => wrong = true,
            }
        }
        match (interrupted, wrong, refused, unreachable) {
            (true, ..) => Self::Interrupted,
            (_, true, ..) => Self::Failed,
            (_, _, true, _) => Self::Authentication,
            (_, _, _, true) => Self::Unreachable,
            _ => Self::Passed,
        }
    }
}
