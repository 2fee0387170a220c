//! Faults on purpose: how often, and which.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The connection is closed instead of an answer.
    Reset,
    /// The body ends in the middle.
    Truncate,
    /// HTML with a success status, where JSON was promised.
    WrongType,
    /// The body is no JSON although it says so.
    InvalidJson,
    /// Status 500.
    Error,
    /// There is no answer at all.
    Hang,
}

/// All kinds with their words.
const KINDS: [(&str, FaultKind); 6] = [
    ("reset", FaultKind::Reset),
    ("truncate", FaultKind::Truncate),
    ("wrong-type", FaultKind::WrongType),
    ("invalid-json", FaultKind::InvalidJson),
    ("error", FaultKind::Error),
    ("hang", FaultKind::Hang),
];

/// A kind and how often it comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// Of 1.0.
    pub rate: f64,
}

impl Fault {
    /// Reads `reset` or `reset:5%`.
    ///
    /// # Errors
    /// The kind is not known or the rate is none; in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (word, rate) = text.split_once(':').unwrap_or((text, "100%"));
        let kind = KINDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
        let words: Vec<&str> = KINDS.iter().map(|(word, _)| *word).collect();
        let kind = kind.ok_or_else(|| format!("`{word}` is no fault; there are {}", words.join(", ")))?;
        let percent = rate.strip_suffix('%').unwrap_or(rate).parse::<f64>().ok();
        let rate = percent.filter(|percent| (0.0..=100.0).contains(percent));
        let rate = rate.ok_or_else(|| format!("`{text}` has no rate from 0% to 100%"))? / 100.0;
        Ok(Self { kind, rate })
    }
}

/// The faults of a mock. They come evenly and the same in every run.
#[derive(Debug, Default)]
pub struct Faults {
    /// Which.
    pub faults: Vec<Fault>,
    /// Before every answer.
    pub delay: Duration,
    count: AtomicU64,
}

impl Faults {
    /// These faults, and a delay before every answer.
    pub fn new(faults: Vec<Fault>, delay: Duration) -> Self {
        Self { faults, delay, count: AtomicU64::new(0) }
    }

    /// What happens to the next request.
    pub(super) fn next(&self) -> Option<FaultKind> {
        let number = self.count.fetch_add(1, Ordering::Relaxed) as f64;
        let is_due = |fault: &&Fault| ((number + 1.0) * fault.rate).floor() > (number * fault.rate).floor();
        self.faults.iter().find(is_due).map(|fault| fault.kind)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn faults_come_evenly() {
        let faults = Faults::new(vec![Fault::parse("error:5%").unwrap()], Duration::ZERO);
        let hit: Vec<usize> = (0..100).filter(|_| faults.next().is_some()).collect();
        assert_eq!(hit, [19, 39, 59, 79, 99]);
        let always = Faults::new(vec![Fault::parse("hang").unwrap()], Duration::ZERO);
        assert!((0..3).all(|_| always.next() == Some(FaultKind::Hang)));
        for wrong in ["", "fire", "reset:x", "reset:101%", "reset:-1"] {
            assert!(Fault::parse(wrong).is_err(), "{wrong}");
        }
    }
}
