//! The detail of a cell: what a target does with a tool, by which rule, who says so, and what to do.

use crate::derive::Catalog;
use crate::document::Finding;
use crate::lint::{Confidence, Rule, TargetChoice, Verdict};
use crate::tui::app::checks::{Checked, Checks};
use crate::tui::app::detail::{blast, cite, severity};
use crate::tui::app::page::{Act, Line};
use crate::tui::app::tools::Index;
use crate::tui::theme::Role;

/// Columns of the first word of a line.
const LABEL: usize = 12;
/// Findings of one cell that are written out.
const MOST: usize = 40;

/// A verdict in words, and its role.
pub(crate) fn verdict(verdict: Verdict) -> (&'static str, Role) {
    match verdict {
        Verdict::Ok => ("ok", Role::Success),
        Verdict::Warn => ("warn", Role::Warning),
        Verdict::Dropped => ("dropped", Role::Error),
        Verdict::Refused => ("refused", Role::Error),
        Verdict::PoisonsAll => ("poisons all", Role::Error),
    }
}

/// What a verdict means for a tool.
fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "the target takes the tool as it is",
        Verdict::Warn => "it takes the tool, but something is not as it should be",
        Verdict::Dropped => "it leaves the tool out",
        Verdict::Refused => "it refuses every request that carries the tool",
        Verdict::PoisonsAll => "it leaves out all tools of the server",
    }
}

/// What pages are made from.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) tools: &'a Index,
    pub(crate) checks: &'a Checks,
}

/// The page of a tool, or of all of them, under a target.
pub(crate) fn lines(about: About<'_>, tool: Option<usize>, target: usize) -> Vec<Line> {
    let Some(checked) = about.checks.checked.as_deref() else {
        return vec![Line::new().seg("The targets are being checked …", Role::Dim)];
    };
    let Some(choice) = checked.choices.all.get(target) else { return Vec::new() };
    let mut out = Vec::new();
    let line = Line::new().seg(choice.label(), Role::Title);
    out.push(line.seg(format!("  {}", choice.target.title()), Role::Dim));
    match tool {
        Some(tool) => cell(about, checked, choice, target, tool, &mut out),
        None => whole(about, checked, choice, target, &mut out),
    }
    out
}

fn cell(about: About<'_>, checked: &Checked, choice: &TargetChoice, target: usize, tool: usize, out: &mut Vec<Line>) {
    let Some(entry) = about.tools.get(tool) else { return };
    let Some(exposed) = entry.exposed else { return };
    let said = checked.matrix.get(target, exposed);
    let (word, role) = verdict(said);
    let name = &entry.tool.named.name;
    let place = Some(entry.tool.name_place());
    out.push(Line::new().cell(word, LABEL, role).seg(meaning(said), Role::Text).hang(LABEL).at(place));
    let shown = choice.exposed(&entry.tool);
    let line = Line::new().cell("tool", LABEL, Role::Dim).seg(name, Role::Text).hang(LABEL).at(place);
    out.push(line.seg("  Enter: go there", Role::Dim).act(Act::Jump(tool)));
    if shown != *name {
        let length = shown.chars().count();
        let line = Line::new().cell("shown as", LABEL, Role::Dim).seg(shown, Role::Text).hang(LABEL).at(place);
        out.push(line.seg(format!("  {length} characters"), Role::Dim));
    }
    if let Some(count) = about.checks.counted.as_ref().and_then(|counted| counted.tools.get(exposed)) {
        out.push(Line::new().cell("tokens", LABEL, Role::Dim).seg(count.total.to_string(), Role::Number));
    }
    let all = checked.matrix.findings.get(target).map_or(&[][..], Vec::as_slice);
    let own: Vec<&Finding> = all.iter().filter(|finding| is_of(about, checked, finding, target, exposed)).collect();
    let of_document = |finding: &&Finding| finding.tool.is_none() && finding.place.is_some();
    findings(about.catalog, choice, &own, out);
    let documents: Vec<&Finding> = all.iter().filter(of_document).collect();
    if !documents.is_empty() {
        section("Of the document, and so of every tool in it", out);
        findings(about.catalog, choice, &documents, out);
    } else if own.is_empty() {
        out.push(Line::new());
        out.push(Line::new().seg("No rule of this target speaks against the tool.", Role::Dim));
    }
}

/// Is a finding of that target about the exposed tool of that number? Tools that share a name are told apart as the index
/// of findings does it.
fn is_of(about: About<'_>, checked: &Checked, finding: &Finding, target: usize, exposed: usize) -> bool {
    let Some(tool) = about.catalog.tools.get(exposed) else { return false };
    if finding.tool.as_deref() != Some(tool.named.name.as_str()) {
        return false;
    }
    if tool.conflict.is_none() {
        return true;
    }
    let same = |said: &crate::tui::app::findings::Said| {
        let found = checked.findings.finding(about.catalog, Some(&checked.matrix), *said);
        matches!(said, crate::tui::app::findings::Said::Target(at, _) if *at == target)
            && found.is_some_and(|found| std::ptr::eq(found, finding))
    };
    checked.findings.iter().any(|(_, item)| item.tool == Some(exposed) && item.said.iter().any(same))
}

fn whole(about: About<'_>, checked: &Checked, choice: &TargetChoice, target: usize, out: &mut Vec<Line>) {
    let Some(totals) = checked.matrix.totals.get(target) else { return };
    if !choice.target.about().is_empty() {
        out.push(Line::new().seg(choice.target.about(), Role::Text));
    }
    let (word, role) = verdict(totals.list);
    out.push(Line::new().cell("the list", LABEL, Role::Dim).seg(word, role));
    let usable = format!("{} of {} tools reach the model", totals.usable, totals.tools);
    let role = if totals.usable == totals.tools { Role::Success } else { Role::Error };
    out.push(Line::new().cell("usable", LABEL, Role::Dim).seg(usable, role));
    let counts = [
        (Verdict::Ok, totals.ok),
        (Verdict::Warn, totals.warn),
        (Verdict::Dropped, totals.dropped),
        (Verdict::Refused, totals.refused),
        (Verdict::PoisonsAll, totals.poisons_all),
    ];
    let mut line = Line::new().cell("tools", LABEL, Role::Dim).hang(LABEL);
    for (said, count) in counts.iter().filter(|(_, count)| *count > 0) {
        let (word, role) = verdict(*said);
        line = line.seg(format!("{count} {word}   "), role);
    }
    out.push(line);
    for limit in &totals.limits {
        let over = limit.count > limit.max;
        let role = if over { Role::Error } else { Role::Text };
        let words = format!("{}/{}{}", limit.count, limit.max, if over { " over" } else { "" });
        let line = Line::new().cell("limit", LABEL, Role::Dim).seg(words, role).hang(LABEL);
        out.push(line.seg(format!("  rule {}", limit.rule), Role::Dim));
    }
    if let Some(tokens) = about.checks.counted.as_ref().and_then(|counted| *counted.targets.get(target)?) {
        out.push(Line::new().cell("tokens", LABEL, Role::Dim).seg(tokens.to_string(), Role::Number));
    }
    let all = checked.matrix.findings.get(target).map_or(&[][..], Vec::as_slice);
    let of_list: Vec<&Finding> = all.iter().filter(|finding| finding.tool.is_none()).collect();
    findings(about.catalog, choice, &of_list, out);
    section("Rules", out);
    for rule in choice.target.rules() {
        let (word, role) = severity(rule.severity);
        let line = Line::new().cell(word, LABEL, role).seg(&rule.id, Role::Text).hang(LABEL);
        out.push(line.seg(format!("  {}  {}", rule.wants(), source(rule)), Role::Dim));
    }
}

fn section(title: &str, out: &mut Vec<Line>) {
    out.push(Line::new());
    out.push(Line::new().seg(title, Role::Title));
}

fn findings(catalog: &Catalog, choice: &TargetChoice, all: &[&Finding], out: &mut Vec<Line>) {
    for finding in all.iter().take(MOST) {
        let place = finding.place.as_ref();
        let (word, role) = severity(finding.severity);
        out.push(Line::new());
        let head = finding.rule.as_deref().unwrap_or(finding.code);
        let line = Line::new().cell(word, LABEL, role).seg(head, Role::Title).at(place).hang(LABEL);
        out.push(line.seg(format!("  {}", finding.blast.map_or("", blast)), Role::Text));
        out.push(Line::new().cell("why", LABEL, Role::Dim).seg(&finding.message, Role::Text).hang(LABEL).at(place));
        if let Some(remedy) = &finding.remedy {
            out.push(Line::new().cell("remedy", LABEL, Role::Accent).seg(remedy, Role::Text).hang(LABEL).at(place));
        }
        if let Some(rule) = finding.rule.as_deref().and_then(|id| choice.target.rule(id)) {
            out.push(Line::new().cell("source", LABEL, Role::Dim).seg(source(rule), Role::Dim).hang(LABEL).at(place));
        }
        if let Some(place) = place {
            let cited = format!("{}  {}", cite(catalog, place), place.pointer);
            out.push(Line::new().cell("place", LABEL, Role::Dim).seg(cited, Role::Dim).hang(LABEL).at(Some(place)));
        }
    }
    if all.len() > MOST {
        out.push(Line::new().seg(format!("and {} more", all.len() - MOST), Role::Dim));
    }
}

/// Who says that a rule holds, when, and how sure it is.
fn source(rule: &Rule) -> String {
    let sure = match rule.confidence {
        Confidence::High => "a specification or the vendor says so",
        Confidence::Medium => "seen in errors or reports",
        Confidence::Low => "a third party says so",
    };
    format!("{}, {} ({sure})", rule.source, rule.date)
}
