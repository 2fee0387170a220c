//! The difference for people.

use super::sides::State;
use super::{compared, notes};
use crate::cli::list::plural;
use crate::cli::output::{Output, Role, say};
use crate::session::diff::{Diff, Line, Rule, excerpts};

/// As many lines are shown of each kind.
const SHOWN: usize = 12;
/// As many tools are named in a line.
const NAMED: usize = 3;
/// As much of a text is shown.
const TEXT: usize = 100;

pub(super) fn write(out: &mut Output, old: &State, new: &State, diff: &Diff, all: bool) -> std::io::Result<()> {
    if diff.is_empty() {
        out.line("the tools are the same")?;
    }
    let lines = diff.lines();
    let mut is_first = true;
    for breaking in [true, false] {
        let groups: Vec<&(Rule, Vec<Line<'_>>)> =
            lines.iter().filter(|(rule, _)| rule.breaking() == breaking).collect();
        if groups.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.line("")?;
        }
        let count: usize = groups.iter().flat_map(|(_, lines)| lines).map(|line| line.tools.len().max(1)).sum();
        let (role, title) = if breaking { (Role::Error, "Breaking") } else { (Role::Strong, "Not breaking") };
        let title = out.paint(role, &format!("{title} ({count})"));
        out.line(&title)?;
        for (rule, lines) in groups {
            group(out, *rule, lines, if all { usize::MAX } else { SHOWN })?;
        }
    }
    say(&compared(old, new));
    notes(old, new, diff).iter().for_each(|note| say(&format!("note: {note}")));
    Ok(())
}

fn group(out: &mut Output, rule: Rule, lines: &[Line<'_>], most: usize) -> std::io::Result<()> {
    let heading = format!("  {}  [{}]", rule.words(), rule.id());
    let heading = out.paint(Role::Strong, &heading);
    out.line(&heading)?;
    for line in lines.iter().take(most) {
        let text = out.paint(Role::Plain, &told(line, most));
        out.line(&format!("    {text}"))?;
        if rule == Rule::Description {
            texts(out, line)?;
        }
    }
    if lines.len() > most {
        let more = out.paint(Role::Faint, &format!("    … and {} more, which --all shows", lines.len() - most));
        out.line(&more)?;
    }
    Ok(())
}

fn told(line: &Line<'_>, most: usize) -> String {
    let change = line.change;
    let Some(first) = line.tools.first() else {
        return format!("the list as a whole: {}", change.sentence());
    };
    let operation = first.operation();
    match change.rule {
        Rule::Removed | Rule::Added | Rule::Description | Rule::NameConflict => {
            format!("{}  ({operation})", first.name())
        }
        Rule::Hidden | Rule::Shown => format!("{}  ({operation}): {}", first.name(), change.sentence()),
        Rule::Renamed => match first.names() {
            (Some(old), Some(new)) => format!("{old} -> {new}  ({operation})"),
            _ => first.name().to_owned(),
        },
        Rule::NameReused => change.sentence(),
        _ if line.tools.len() == 1 => format!("{}: {}", first.name(), change.sentence()),
        _ => {
            let named = if most == usize::MAX { usize::MAX } else { NAMED };
            let mut names: Vec<&str> = line.tools.iter().take(named).map(|tool| tool.name()).collect();
            let rest = line.tools.len() - names.len();
            let more = format!("{rest} more");
            if rest > 0 {
                names.push(&more);
            }
            format!("{}  in {}: {}", change.sentence(), plural(line.tools.len(), "tool"), names.join(", "))
        }
    }
}

fn texts(out: &mut Output, line: &Line<'_>) -> std::io::Result<()> {
    let (Some(before), Some(after)) = (&line.change.before, &line.change.after) else { return Ok(()) };
    let (before, after) = excerpts(before, after, TEXT);
    let before = out.paint(Role::Error, &format!("- {before}"));
    let after = out.paint(Role::Good, &format!("+ {after}"));
    out.line(&format!("      {before}"))?;
    out.line(&format!("      {after}"))
}
