//! Findings of a reader, with lines, and not without end.

use std::collections::BTreeMap;

use memchr::memchr_iter;

use super::source::{FileId, Origin, Place};
use super::{Finding, Pointer};

/// Findings of one document that are told one by one; the rest is counted.
const TOLD: usize = 200;

/// Collects what a reader notices.
#[derive(Debug)]
pub(super) struct Notes<'a> {
    file: FileId,
    text: &'a str,
    /// Offsets at which lines start; made for the first finding that names a line.
    lines: Option<Vec<usize>>,
    findings: Vec<Finding>,
    untold: BTreeMap<&'static str, usize>,
}

impl<'a> Notes<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Self {
        Self { file, text, lines: None, findings: Vec::new(), untold: BTreeMap::new() }
    }

    /// The line of an offset, from 1.
    pub(super) fn line(&mut self, offset: usize) -> usize {
        let lines = self.lines.get_or_insert_with(|| {
            let breaks = memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1);
            std::iter::once(0).chain(breaks).collect()
        });
        lines.partition_point(|start| *start <= offset)
    }

    /// Is there room for another finding? If not, it is counted; so making its text and its pointer can be spared.
    pub(super) fn wants(&mut self, code: &'static str) -> bool {
        let room = self.findings.len() < TOLD;
        if !room {
            *self.untold.entry(code).or_default() += 1;
        }
        room
    }

    /// Adds a finding; `make` is called only when there is still room for it.
    pub(super) fn add(&mut self, code: &'static str, make: impl FnOnce(&mut Self) -> (Finding, Origin, Pointer)) {
        if !self.wants(code) {
            return;
        }
        let (finding, origin, pointer) = make(self);
        let place = Place { origin, pointer: pointer.to_string().into() };
        self.findings.push(finding.at(place));
    }

    /// All findings; those that were only counted as one more each.
    pub(super) fn finish(self) -> Vec<Finding> {
        let mut findings = self.findings;
        for (code, count) in self.untold {
            let origin = Origin::new(self.file, 0, 0);
            let finding = Finding::warning(code, format!("{count} more findings of this kind are not listed"));
            findings.push(finding.at(Place { origin, pointer: "".into() }));
        }
        findings
    }
}
