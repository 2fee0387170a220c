//! Tab *Tools*: what becomes of the tools by one action, or by any change of the overlays.

use std::collections::HashMap;

use crate::derive::{Conflict, Tool};
use crate::tui::app::page::{Act, Line};
use crate::tui::app::tools::Index;
use crate::tui::app::workbench;
use crate::tui::theme::Role;
use crate::workspace::{ChangeKind, Effect, ToolChange};

/// Columns of the first word of a line.
const VERB: usize = 13;
/// Tools that are listed one by one.
const MOST: usize = 2_000;
/// Characters of a description that are shown.
const LONGEST: usize = 240;

/// `+2 ~1 −0 tools`, and what becomes of conflicts.
fn summary(effect: &Effect) -> String {
    let mut words = format!("{} tools", workbench::summary(effect));
    let conflicts = |count: usize, what: &str| match count {
        0 => String::new(),
        1 => format!(" · 1 conflict {what}"),
        count => format!(" · {count} conflicts {what}"),
    };
    words.push_str(&conflicts(effect.solved_conflicts.len(), "solved"));
    words.push_str(&conflicts(effect.new_conflicts.len(), "made"));
    words
}

/// The page.
pub(crate) fn lines(effect: &Effect, index: &Index) -> Vec<Line> {
    if effect.is_empty() {
        return vec![Line::new().seg("The tools are the same with and without it.", Role::Dim)];
    }
    let numbers: HashMap<(usize, &str, &str), usize> =
        index.iter().enumerate().map(|(at, entry)| (entry.tool.id(), at)).collect();
    let mut out = vec![Line::new().seg(summary(effect), Role::Title), Line::new()];
    for conflict in &effect.new_conflicts {
        claimed(conflict, "conflict", Role::Error, &mut out);
    }
    for conflict in &effect.solved_conflicts {
        claimed(conflict, "solved", Role::Success, &mut out);
    }
    for change in effect.changes.iter().take(MOST) {
        tool(change, &numbers, &mut out);
    }
    if effect.changes.len() > MOST {
        out.push(Line::new().seg(format!("and {} more tools", effect.changes.len() - MOST), Role::Dim));
    }
    out
}

fn claimed(conflict: &Conflict, word: &str, role: Role, out: &mut Vec<Line>) {
    let claims: Vec<String> = conflict.tools.iter().map(|claim| format!("{} {}", claim.method, claim.path)).collect();
    let what = if role == Role::Success { "is claimed once now, no more by" } else { "is claimed by" };
    let line = Line::new().cell(word, VERB, role).seg(&conflict.name, Role::Title).hang(VERB);
    out.push(line.seg(format!(" {what} {}", claims.join(" and ")), Role::Text));
}

fn tool(change: &ToolChange, numbers: &HashMap<(usize, &str, &str), usize>, out: &mut Vec<Line>) {
    let Some(shown) = change.after.as_ref().or(change.before.as_ref()) else { return };
    let verbs = [
        (ChangeKind::Added, Role::Added),
        (ChangeKind::Removed, Role::Removed),
        (ChangeKind::Hidden, Role::Hidden),
        (ChangeKind::Shown, Role::Added),
        (ChangeKind::Renamed, Role::Changed),
    ];
    let verb = verbs.into_iter().find(|(kind, _)| change.kinds.contains(kind));
    let (word, role) = verb.map_or(("changed", Role::Changed), |(kind, role)| (kind.word(), role));
    let name = |tool: &Tool| if tool.named.name.is_empty() { "(empty)".to_owned() } else { tool.named.name.clone() };
    let (before, after) = (change.before.as_deref().map(name), change.after.as_deref().map(name));
    let mut line = Line::new().cell(word, VERB, role).hang(VERB);
    if let (Some(before), Some(after)) = (&before, &after)
        && before != after
    {
        line = line.seg(before, Role::Removed).seg(" → ", Role::Dim).seg(after, Role::Added);
    } else {
        line = line.seg(after.or(before).unwrap_or_default(), Role::Title);
    }
    line = line.seg(format!("  {} {}", shown.operation.method, shown.operation.path), Role::Dim);
    let more: Vec<&str> = change
        .kinds
        .iter()
        .filter(|kind| verb.is_none_or(|(verb, _)| verb != **kind))
        .map(|kind| kind.word())
        .collect();
    if !more.is_empty() {
        line = line.seg(format!("  {}", more.join(", ")), Role::Text);
    }
    line = line.at(Some(shown.name_place()));
    out.push(match numbers.get(&shown.id()) {
        Some(at) => line.act(Act::Jump(*at)),
        None => line,
    });
    if change.kinds.contains(&ChangeKind::Description) {
        described(change, out);
    }
}

fn described(change: &ToolChange, out: &mut Vec<Line>) {
    for (tool, sign, role) in [(&change.before, "- ", Role::Removed), (&change.after, "+ ", Role::Added)] {
        let Some(text) = tool.as_ref().map(|tool| tool.operation.description.as_str()) else { continue };
        let cut: String = text.chars().take(LONGEST).collect();
        let tail = if cut.len() < text.len() { "…" } else { "" };
        let line = Line::new().cell("", VERB, Role::Text).seg(sign, role).hang(VERB + 2);
        out.push(line.seg(format!("{}{tail}", cut.replace('\n', " ")), role));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn nothing_is_no_change() {
        assert_eq!(summary(&Effect::default()), "+0 ~0 −0 tools");
        assert!(lines(&Effect::default(), &Index::default()).first().unwrap().text().contains("the same"));
    }
}
