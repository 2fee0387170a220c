//! Targets over a catalog: findings.

use crate::derive::Catalog;
use crate::document::Finding;

use super::judge::judge;
use super::target::TargetChoice;

/// The targets that are checked when none is chosen.
pub const DEFAULT_TARGETS: &[&str] = &["safe-everywhere"];

/// What the targets have against the exposed tools.
///
/// In the order of the targets; for each first its documents and the list as a whole, then tool by tool. A rule gives at
/// most one finding for a tool, at the first offending place, with the number of the others. `tool`, `target`, `rule`
/// and `blast` are set; the place is the line to edit.
pub fn check(catalog: &Catalog, targets: &[TargetChoice]) -> Vec<Finding> {
    judge(catalog, targets).into_iter().flatten().map(|judgement| judgement.finding).collect()
}
