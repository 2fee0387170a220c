//! The difference as the comment of a pull request: what breaks first and open, the rest folded.

use super::sides::State;
use super::{compared, notes};
use crate::cli::list::plural;
use crate::cli::output::{Output, harmless};
use crate::session::diff::{Diff, Line, Rule, excerpts};

/// As many lines are shown of each kind; a comment may not be longer than 65,536 characters.
const SHOWN: usize = 40;
/// As many tools are named in a line.
const NAMED: usize = 5;
/// As much of a text is shown.
const TEXT: usize = 160;

pub(super) fn write(out: &mut Output, old: &State, new: &State, diff: &Diff, all: bool) -> std::io::Result<()> {
    let most = if all { usize::MAX } else { SHOWN };
    let lines = diff.lines();
    let of = |breaking: bool| lines.iter().filter(move |(rule, _)| rule.breaking() == breaking);
    let count = |breaking: bool| -> usize {
        of(breaking).flat_map(|(_, lines)| lines).map(|line| line.tools.len().max(1)).sum()
    };
    let (breaking, other) = (count(true), count(false));
    let title = match (breaking, other) {
        (0, 0) => "The tools are the same".to_owned(),
        (0, _) => format!("Tools: {}, none of which breaks callers", plural(other, "change")),
        (_, 0) => format!("Tools: {} callers", breaks(breaking)),
        _ => format!("Tools: {} callers, {} not", breaks(breaking), does(other)),
    };
    out.line(&format!("### {title}\n"))?;
    out.line(&format!("{}.", text(&compared(old, new))))?;
    let summary = summary(diff);
    if !summary.is_empty() {
        out.line(&format!("{summary}."))?;
    }
    for (rule, lines) in of(true) {
        out.line(&format!("\n**{}** ({}): {}\n", capital(rule.words()), total(lines), rule.why()))?;
        group(out, *rule, lines, most)?;
    }
    if other > 0 {
        out.line(&format!("\n<details>\n<summary>{}</summary>", plural_not_breaking(other)))?;
        for (rule, lines) in of(false) {
            out.line(&format!("\n**{}** ({})\n", capital(rule.words()), total(lines)))?;
            group(out, *rule, lines, most)?;
        }
        out.line("\n</details>")?;
    }
    for note in notes(old, new, diff) {
        out.line(&format!("\n_Note: {}._", text(&note)))?;
    }
    Ok(())
}

fn breaks(count: usize) -> String {
    if count == 1 { "1 change breaks".to_owned() } else { format!("{count} changes break") }
}

fn does(count: usize) -> String {
    if count == 1 { "1 does".to_owned() } else { format!("{count} do") }
}

fn plural_not_breaking(count: usize) -> String {
    if count == 1 { "1 change that breaks nothing".to_owned() } else { format!("{count} changes that break nothing") }
}

/// The rules that were met, in numbers.
fn summary(diff: &Diff) -> String {
    use Rule::{Added, Hidden, Moved, Removed, Renamed, Shown};
    let counts = diff.counts_by_rule();
    let named = [Renamed, Removed, Hidden, Added, Shown, Moved].into_iter().filter_map(|wanted| {
        let (rule, count) = counts.iter().find(|(rule, _)| *rule == wanted)?;
        let word = if *rule == Moved { "moved" } else { rule.words() };
        Some(format!("{count} {word}"))
    });
    let mut parts: Vec<String> = named.collect();
    let inside = diff.tools.iter().filter(|tool| {
        tool.changes.iter().any(|change| ![Renamed, Removed, Hidden, Added, Shown, Moved].contains(&change.rule))
    });
    let inside = inside.count();
    if inside > 0 {
        parts.push(format!("{inside} changed inside"));
    }
    if !parts.is_empty() {
        parts.push(format!("{} as before", diff.unchanged));
    }
    parts.join(", ")
}

fn total(lines: &[Line<'_>]) -> usize {
    lines.iter().map(|line| line.tools.len().max(1)).sum()
}

fn group(out: &mut Output, rule: Rule, lines: &[Line<'_>], most: usize) -> std::io::Result<()> {
    if rule == Rule::Renamed {
        out.line("| was | is | operation |\n| --- | --- | --- |")?;
    }
    for line in lines.iter().take(most) {
        out.line(&told(line, most))?;
    }
    if lines.len() > most {
        let gap = if rule == Rule::Renamed { "\n" } else { "" };
        out.line(&format!("{gap}- … and {} more", lines.len() - most))?;
    }
    Ok(())
}

fn told(line: &Line<'_>, most: usize) -> String {
    let change = line.change;
    let sentence = text(&change.sentence());
    let Some(first) = line.tools.first() else { return format!("- the list as a whole: {sentence}") };
    let (name, operation) = (code(first.name()), code(&first.operation()));
    match change.rule {
        Rule::Renamed => match first.names() {
            (Some(old), Some(new)) => format!("| {} | {} | {operation} |", cell(old), cell(new)),
            _ => format!("| | {name} | {operation} |"),
        },
        Rule::Removed | Rule::Added | Rule::NameConflict => format!("- {name}, {operation}"),
        Rule::Hidden | Rule::Shown => format!("- {name}, {operation}: {sentence}"),
        Rule::NameReused => format!("- {sentence}"),
        Rule::Description => match (&change.before, &change.after) {
            (Some(before), Some(after)) => {
                let (before, after) = excerpts(before, after, TEXT);
                // A fence of tildes is ended by none of the text's own backticks, and no line of it starts with a tilde.
                let [before, after] = [before, after].map(|text| harmless(&text).into_owned());
                format!("- {name}\n  ~~~diff\n  - {before}\n  + {after}\n  ~~~")
            }
            _ => format!("- {name}"),
        },
        _ if line.tools.len() == 1 => format!("- {name}: {sentence}"),
        _ => {
            let named = if most == usize::MAX { usize::MAX } else { NAMED };
            let names: Vec<String> = line.tools.iter().take(named).map(|tool| code(tool.name())).collect();
            let rest = line.tools.len() - names.len();
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("- {sentence}, in {}: {}{rest}", plural(line.tools.len(), "tool"), names.join(", "))
        }
    }
}

/// Foreign text outside of code; what is in backticks stays.
fn text(text: &str) -> String {
    harmless(text).replace('<', "&lt;").replace('@', "@\u{2060}")
}

/// Foreign text as code.
fn code(text: &str) -> String {
    format!("`{}`", harmless(text).replace('`', "'"))
}

/// The same within a table.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
