//! Findings that are known: a file of fingerprints, so that `check` fails only for what is new.
//!
//! A fingerprint stays the same when lines move, when items are put before others in a list, and when a message is worded
//! better. It is made of the code, the target with its rule, the file, the pointer without the numbers of list items, and
//! what the message quotes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lock::hash;
use crate::document::{Finding, Severity, Sources};

/// The form of the file. A file of a higher version is refused.
pub const VERSION: u32 = 1;

/// Findings that are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// [`VERSION`].
    #[serde(rename = "toolscope_baseline")]
    pub version: u32,
    /// In the order of their fingerprints; two alike stand twice.
    pub findings: Vec<Known>,
}

/// A finding that is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Known {
    /// See [`fingerprint`].
    pub fingerprint: String,
    /// Its code, for people.
    pub code: String,
    /// How bad it was.
    pub severity: Severity,
    /// The lint target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The message, for people.
    pub message: String,
}

/// Findings told apart by what is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sorted {
    /// Not in the baseline.
    pub new: Vec<Finding>,
    /// In it.
    pub known: Vec<Finding>,
    /// Of the baseline, and not found any more.
    pub fixed: Vec<Known>,
}

/// Why a text is no baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// It is not what such a file looks like.
    #[error("it is no baseline of findings: {0}")]
    Form(String),
    /// It was written by a later version of this program.
    #[error("it has version {0}, and this program reads up to {VERSION}")]
    Version(u32),
}

impl Baseline {
    /// All of some findings.
    pub fn of(sources: &Sources, findings: &[Finding]) -> Self {
        let known = |finding: &Finding| Known {
            fingerprint: fingerprint(sources, finding),
            code: finding.code.to_owned(),
            severity: finding.severity,
            target: finding.target.clone(),
            tool: finding.tool.clone(),
            message: finding.message.clone(),
        };
        let mut findings: Vec<Known> = findings.iter().map(known).collect();
        findings.sort();
        Self { version: VERSION, findings }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// It is none, or one of a later version.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let text = text.trim_start_matches('\u{FEFF}');
        let read: Self = serde_json::from_str(text).map_err(|error| BaselineError::Form(error.to_string()))?;
        if read.version > VERSION { Err(BaselineError::Version(read.version)) } else { Ok(read) }
    }

    /// The text of the file, one line for each finding.
    ///
    /// # Errors
    /// None is known; the serialiser reserves the right.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        let lines: Result<Vec<String>, _> = self.findings.iter().map(serde_json::to_string).collect();
        let lines = lines?;
        let list = if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) };
        Ok(format!("{{\"toolscope_baseline\": {},\n\"findings\": {list}}}\n", self.version))
    }

    /// Which findings are known. One that is known once and found twice is new once.
    pub fn sort(&self, sources: &Sources, findings: Vec<Finding>) -> Sorted {
        let mut open: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
        for known in &self.findings {
            open.entry(&known.fingerprint).or_default().push(known);
        }
        let mut sorted = Sorted::default();
        for finding in findings {
            match open.get_mut(fingerprint(sources, &finding).as_str()).and_then(Vec::pop) {
                Some(_) => sorted.known.push(finding),
                None => sorted.new.push(finding),
            }
        }
        sorted.fixed = open.into_values().flatten().cloned().collect();
        sorted
    }
}

/// What stays of a finding when lines move.
pub fn fingerprint(sources: &Sources, finding: &Finding) -> String {
    let place = finding.place.as_ref().map(|place| {
        let found = sources.locate(place);
        let file = found.file.rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}#{}", without_numbers(&found.pointer))
    });
    let subject = place.or_else(|| finding.tool.clone()).unwrap_or_default();
    let parts = [
        finding.code,
        finding.target.as_deref().unwrap_or_default(),
        finding.rule.as_deref().unwrap_or_default(),
        &subject,
        &quoted(&finding.message),
    ];
    hash(&parts.join("\n"))
}

fn without_numbers(pointer: &str) -> String {
    let is_number = |step: &str| !step.is_empty() && step.len() < 3 && step.bytes().all(|byte| byte.is_ascii_digit());
    pointer.split('/').map(|step| if is_number(step) { "#" } else { step }).collect::<Vec<_>>().join("/")
}

/// What stands between backticks; a line after a colon is left out.
fn quoted(message: &str) -> String {
    let named = message.split('`').skip(1).step_by(2);
    let without_line = |text: &str| match text.rsplit_once(':') {
        Some((file, line)) if !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()) => file.to_owned(),
        _ => text.to_owned(),
    };
    named.map(without_line).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::document::{FileId, Origin, Place, SourceFile};

    fn at(start: usize, pointer: &str, message: &str) -> Finding {
        let origin = Origin::new(FileId(0), start, start + 1);
        Finding::warning("some-code", message).at(Place { origin, pointer: pointer.into() })
    }

    fn sources() -> Sources {
        let mut sources = Sources::default();
        sources.put(SourceFile::new("dir/a.yaml", "x\n".repeat(100)));
        sources
    }

    #[test]
    fn fingerprints_survive_what_does_not_matter() {
        let print = |finding: &Finding| fingerprint(&sources(), finding);
        let base = at(4, "/paths/~1a/get/parameters/1/schema", "`x` is cut, see `a.yaml:12`");
        let same = [
            at(90, "/paths/~1a/get/parameters/1/schema", "`x` is cut, see `a.yaml:44`"),
            at(4, "/paths/~1a/get/parameters/2/schema", "`x` was cut off (`a.yaml:12`)"),
        ];
        for finding in &same {
            assert_eq!(print(finding), print(&base), "{finding:?}");
        }
        let other = [
            at(4, "/paths/~1b/get/parameters/1/schema", "`x` is cut, see `a.yaml:12`"),
            at(4, "/paths/~1a/get/parameters/1/schema", "`y` is cut, see `a.yaml:12`"),
            at(4, "/paths/~1a/get/responses/200/schema", "`x` is cut, see `a.yaml:12`"),
        ];
        for finding in &other {
            assert_ne!(print(finding), print(&base), "{finding:?}");
        }
        assert_ne!(
            print(&other[2]),
            print(&at(4, "/paths/~1a/get/responses/404/schema", "`x` is cut, see `a.yaml:12`"))
        );
    }

    #[test]
    fn known_new_and_fixed_are_told_apart_and_counted() {
        let sources = sources();
        let (one, two) = (at(0, "/a", "`a`"), at(0, "/b", "`b`"));
        let baseline = Baseline::of(&sources, &[one.clone(), two.clone(), two.clone()]);
        let text = baseline.write().unwrap();
        assert_eq!(Baseline::parse(&text).unwrap(), baseline);
        assert_eq!(text.lines().count(), 3 + baseline.findings.len(), "{text}");
        let sorted = baseline.sort(&sources, vec![at(8, "/a", "`a`"), at(8, "/a", "`a`"), at(8, "/c", "`c`")]);
        assert_eq!((sorted.known.len(), sorted.new.len(), sorted.fixed.len()), (1, 2, 2));
        assert!(sorted.fixed.iter().all(|known| known.message == "`b`"));
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        assert!(matches!(Baseline::parse("{}"), Err(BaselineError::Form(_))));
        assert_eq!(Baseline::parse("{\"toolscope_baseline\": 9, \"findings\": []}"), Err(BaselineError::Version(9)));
    }
}
