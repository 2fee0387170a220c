//! Changes as sentences, and the same change in many tools as one line.

use std::collections::HashMap;

use super::rules::Rule;
use super::{Change, Diff, ToolDiff};

/// One change and the tools that it befell.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// The change.
    pub change: &'a Change,
    /// The tools, in the order of the diff; empty for a change of the list as a whole.
    pub tools: Vec<&'a ToolDiff>,
}

impl Diff {
    /// The changes by rule, in the order of the table. What befell several tools in the same way is one line.
    pub fn lines(&self) -> Vec<(Rule, Vec<Line<'_>>)> {
        let mut lines: Vec<Line<'_>> = Vec::new();
        let mut known: HashMap<&Change, usize> = HashMap::new();
        for tool in &self.tools {
            for change in &tool.changes {
                let alone = stands_alone(change.rule);
                match known.get(change).filter(|_| !alone).and_then(|at| lines.get_mut(*at)) {
                    Some(line) => line.tools.push(tool),
                    None => {
                        known.insert(change, lines.len());
                        lines.push(Line { change, tools: vec![tool] });
                    }
                }
            }
        }
        lines.extend(self.lists.iter().map(|change| Line { change, tools: Vec::new() }));
        // Stable: within a rule the order stays.
        lines.sort_by_key(|line| line.change.rule);
        let mut groups: Vec<(Rule, Vec<Line<'_>>)> = Vec::new();
        for line in lines {
            match groups.last_mut().filter(|(rule, _)| *rule == line.change.rule) {
                Some((_, group)) => group.push(line),
                None => groups.push((line.change.rule, vec![line])),
            }
        }
        groups
    }
}

/// Is a change about one tool only, even when another has the like?
fn stands_alone(rule: Rule) -> bool {
    use Rule::{Added, Description, Hidden, Moved, NameConflict, NameReused, Removed, Renamed, Shown};
    matches!(rule, Added | Description | Hidden | Moved | NameConflict | NameReused | Removed | Renamed | Shown)
}

impl Change {
    /// What happened, without the tool; names in backticks.
    pub fn sentence(&self) -> String {
        use Rule::{
            Added, ArgumentAdded, ArgumentAddedRequired, ArgumentChanged, ArgumentEnumNarrowed, ArgumentEnumWidened,
            ArgumentLimitsLoosened, ArgumentLimitsTightened, ArgumentOptional, ArgumentRemoved, ArgumentRenamed,
            ArgumentRequired, ArgumentText, ArgumentTypeChanged, ArgumentTypeNarrowed, ArgumentTypeWidened,
            Description, Hidden, Hints, Moved, NameConflict, NameReused, OutputAdded, OutputChanged, OutputMemberAdded,
            OutputMemberRemoved, OutputRemoved, OutputTypeChanged, ReadOnlyLost, Removed, Renamed, Shown, Verdict,
            VerdictLost,
        };
        let (before, after) = (self.before.as_deref().unwrap_or("?"), self.after.as_deref().unwrap_or("?"));
        let at = match &self.at {
            Some(at) => format!("`{at}`"),
            None => "the whole".to_owned(),
        };
        match self.rule {
            Removed | Added | NameConflict | Description | ArgumentText | OutputRemoved | OutputAdded => {
                self.rule.words().to_owned()
            }
            Hidden => format!("hidden by {after}"),
            Shown => format!("shown; it was hidden by {before}"),
            Renamed => format!("renamed from `{before}` to `{after}`"),
            NameReused => format!("{at} was the name of {before} and is now that of {after}"),
            Moved => format!("leads to {after} instead of {before}"),
            ReadOnlyLost => format!("no longer read-only: {after} instead of {before}"),
            Hints => format!("hints: {after} instead of {before}"),
            ArgumentRemoved => format!("argument {at} ({before}) removed"),
            ArgumentRenamed => format!("argument `{before}` renamed to `{after}`"),
            ArgumentAddedRequired => format!("required argument {at} ({after}) added"),
            ArgumentAdded => format!("optional argument {at} ({after}) added"),
            ArgumentRequired => format!("argument {at} became required"),
            ArgumentOptional => format!("argument {at} became optional"),
            ArgumentTypeChanged | ArgumentTypeNarrowed | ArgumentTypeWidened => {
                format!("argument {at} is {after} instead of {before}")
            }
            ArgumentEnumNarrowed | ArgumentEnumWidened => format!("argument {at} {}", self.values()),
            ArgumentLimitsTightened | ArgumentLimitsLoosened => format!("argument {at}: {after} instead of {before}"),
            ArgumentChanged if self.before.is_some() => format!("argument {at}: {after} instead of {before}"),
            ArgumentChanged => format!("argument {at} changed inside"),
            OutputMemberRemoved => format!("result lost {at} ({before})"),
            OutputMemberAdded => format!("result has {at} ({after})"),
            OutputTypeChanged => format!("{at} of the result is {after} instead of {before}"),
            OutputChanged if self.before.is_some() || self.after.is_some() => {
                format!("{at} of the result {}", self.values())
            }
            OutputChanged => "output schema changed in its limits or texts".to_owned(),
            VerdictLost | Verdict => format!("{at} says {after} instead of {before}"),
        }
    }

    /// Values that went and came.
    fn values(&self) -> String {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if after == "any value" => format!("takes any value, not only {before}"),
            (Some(before), Some(after)) if before == "any value" => format!("takes only {after}"),
            (Some(before), Some(after)) => format!("has {after} instead of {before}"),
            (Some(gone), None) => format!("no longer has {gone}"),
            (None, Some(came)) => format!("has {came} too"),
            (None, None) => "changed".to_owned(),
        }
    }
}

impl ToolDiff {
    /// The names, before and after.
    pub fn names(&self) -> (Option<&str>, Option<&str>) {
        (self.old.as_ref().map(|id| id.name.as_str()), self.new.as_ref().map(|id| id.name.as_str()))
    }

    /// The name now, else as it was.
    pub fn name(&self) -> &str {
        self.id().map_or("", |id| id.name.as_str())
    }

    /// The operation now, else as it was.
    pub fn operation(&self) -> String {
        self.id().map(|id| format!("{} {}", id.method, id.path)).unwrap_or_default()
    }
}

/// Where two texts differ: both from a little before the first difference on, cut to some length.
pub fn excerpts(before: &str, after: &str, most: usize) -> (String, String) {
    const CONTEXT: usize = 30;
    let common = before.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let skip = if common > CONTEXT + 10 { common - CONTEXT } else { 0 };
    let cut = |text: &str| {
        let start = if skip > 0 { "…" } else { "" };
        let shown: String = text.chars().skip(skip).take(most).collect();
        let end = if text.chars().nth(skip + most).is_some() { "…" } else { "" };
        format!("{start}{}{end}", shown.replace(['\n', '\r'], " "))
    };
    (cut(before), cut(after))
}
