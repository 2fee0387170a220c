//! The lines in which two texts differ.

use std::ops::Range;

use similar::{ChangeTag, TextDiff};

/// Lines around a change.
const AROUND: usize = 3;

/// Lines that differ, with some that do not around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Lines of the old text, from 0.
    pub old: Range<usize>,
    /// Lines of the new text, from 0.
    pub new: Range<usize>,
    /// The lines in order, without their line breaks.
    pub lines: Vec<(LineChange, String)>,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// It is in both texts.
    Kept,
    /// It is in the old text only.
    Removed,
    /// It is in the new text only.
    Added,
}

/// The hunks of two texts, in order.
pub(super) fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    if before == after {
        return Vec::new();
    }
    let diff = TextDiff::from_lines(before, after);
    let of_group = |group: Vec<similar::DiffOp>| {
        let (first, last) = (group.first()?, group.last()?);
        let lines = group.iter().flat_map(|operation| diff.iter_changes(operation)).map(|change| {
            let what = match change.tag() {
                ChangeTag::Equal => LineChange::Kept,
                ChangeTag::Delete => LineChange::Removed,
                ChangeTag::Insert => LineChange::Added,
            };
            (what, change.value().trim_end_matches(['\n', '\r']).to_owned())
        });
        Some(Hunk {
            old: first.old_range().start..last.old_range().end,
            new: first.new_range().start..last.new_range().end,
            lines: lines.collect(),
        })
    };
    diff.grouped_ops(AROUND).into_iter().filter_map(of_group).collect()
}

/// Two texts as a unified diff; empty when they are equal.
pub fn unified(before: &str, after: &str, old_name: &str, new_name: &str) -> String {
    if before == after {
        return String::new();
    }
    TextDiff::from_lines(before, after).unified_diff().context_radius(AROUND).header(old_name, new_name).to_string()
}
