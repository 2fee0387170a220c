//! The detail of a finding, or of all of one kind.

use super::excerpt;
use super::index::{Item, Said};
use super::list::{Findings, Kind};
use crate::derive::{Catalog, NAME_CONFLICT};
use crate::document::Finding;
use crate::tui::app::checks::Checks;
use crate::tui::app::detail::{blast, cite, conflict, severity};
use crate::tui::app::page::{Act, Line};
use crate::tui::app::tools::Index;
use crate::tui::theme::Role;

/// Columns of the first word of a line.
const LABEL: usize = 10;

/// What pages are made from.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) tools: &'a Index,
    pub(crate) checks: &'a Checks,
    pub(crate) findings: &'a Findings,
}

impl<'a> About<'a> {
    fn finding(&self, said: Said) -> Option<&'a Finding> {
        let matrix = self.checks.checked.as_ref().map(|checked| &checked.matrix);
        self.findings.index.finding(self.catalog, matrix, said)
    }
}

/// The page of one finding.
pub(crate) fn item(about: About<'_>, item: &Item) -> Vec<Line> {
    let mut out = Vec::new();
    let said: Vec<(Said, &Finding)> =
        item.said.iter().filter_map(|said| Some((*said, about.finding(*said)?))).collect();
    let Some((_, first)) = said.first() else { return out };
    let place = first.place.as_ref();
    let (word, role) = severity(item.severity);
    out.push(Line::new().cell(word, LABEL, role).seg(item.code, Role::Title).at(place));
    if let Some(name) = &first.tool {
        let line = Line::new().cell("tool", LABEL, Role::Dim).seg(name, Role::Text).hang(LABEL).at(place);
        out.push(match item.tool.and_then(|all| about.tools.number(all)) {
            Some(tool) => line.seg("  Enter: go there", Role::Dim).act(Act::Jump(tool)),
            None => line,
        });
    }
    out.push(Line::new());
    told(&said, &mut out);
    let entry = item.tool.and_then(|all| about.tools.get(about.tools.number(all)?));
    if let Some(entry) = entry.filter(|_| item.code == NAME_CONFLICT) {
        conflict(about.catalog, about.tools, &entry.tool, &mut out);
    }
    if said.iter().any(|(said, _)| matches!(said, Said::Target(..))) {
        minds(&said, &mut out);
    }
    if let Some(place) = place {
        out.push(Line::new());
        let line = Line::new().seg(cite(about.catalog, place), Role::Title);
        out.push(line.seg(format!("  {}", place.pointer), Role::Dim).at(Some(place)));
        out.extend(excerpt::lines(about.catalog, place));
    }
    out
}

/// Each different message once, with what to do.
fn told(said: &[(Said, &Finding)], out: &mut Vec<Line>) {
    let mut messages: Vec<&str> = Vec::new();
    let mut remedies: Vec<&str> = Vec::new();
    for (_, finding) in said {
        let place = finding.place.as_ref();
        if !messages.contains(&finding.message.as_str()) {
            messages.push(&finding.message);
            out.push(Line::new().seg(&finding.message, Role::Text).at(place));
        }
    }
    for (_, finding) in said {
        let Some(remedy) = finding.remedy.as_deref().filter(|remedy| !remedies.contains(remedy)) else { continue };
        remedies.push(remedy);
        let place = finding.place.as_ref();
        out.push(Line::new().seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(2).at(place));
    }
}

/// What each target does.
fn minds(said: &[(Said, &Finding)], out: &mut Vec<Line>) {
    out.push(Line::new());
    out.push(Line::new().seg("Who minds", Role::Title));
    let label = |finding: &Finding| finding.target.clone().unwrap_or_default();
    let width = said.iter().map(|(_, finding)| crate::tui::text::width(&label(finding))).max().unwrap_or(0) + 2;
    for (_, finding) in said.iter().filter(|(said, _)| matches!(said, Said::Target(..))) {
        let (word, role) = severity(finding.severity);
        let mut line = Line::new().cell(label(finding), width, Role::Text).cell(word, LABEL, role).hang(width + LABEL);
        line = line.seg(finding.blast.map_or("", blast), Role::Text);
        if let Some(rule) = &finding.rule {
            line = line.seg(format!("  rule {rule}"), Role::Dim);
        }
        out.push(line.at(finding.place.as_ref()));
    }
}

/// The page of a kind.
pub(crate) fn kind(about: About<'_>, kind: &Kind) -> Vec<Line> {
    let (word, role) = severity(kind.worst);
    let count = kind.items.len();
    let words = if count == 1 { "1 finding".to_owned() } else { format!("{count} findings") };
    let mut out = vec![
        Line::new().cell(word, LABEL, role).seg(kind.code, Role::Title),
        Line::new().cell("", LABEL, Role::Dim).seg(words, Role::Text),
        Line::new(),
    ];
    let first = kind.items.first().and_then(|at| about.findings.index.get(*at));
    if let Some(finding) = first.and_then(|item| item.said.first()).and_then(|said| about.finding(*said)) {
        let place = finding.place.as_ref();
        out.push(Line::new().seg("For example", Role::Title).at(place));
        out.push(Line::new().seg(&finding.message, Role::Text).at(place));
        if let Some(remedy) = &finding.remedy {
            out.push(Line::new().seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(2).at(place));
        }
    }
    if let Some(checked) = about.checks.checked.as_ref().filter(|_| !kind.targets.is_empty()) {
        out.push(Line::new());
        out.push(Line::new().seg("Who minds", Role::Title));
        for (target, count) in &kind.targets {
            let label = checked.matrix.totals.get(*target).map_or("", |totals| totals.target.as_str());
            let said = kind.items.iter().filter_map(|at| about.findings.index.get(*at));
            let example =
                said.flat_map(|item| &item.said).find(|said| matches!(said, Said::Target(at, _) if at == target));
            let does =
                example.and_then(|said| about.finding(*said)).and_then(|finding| finding.blast).map_or("", blast);
            let line = Line::new().cell(label, 22, Role::Text).cell(count.to_string(), 7, Role::Number).hang(29);
            out.push(line.seg(does, Role::Text));
        }
    }
    out
}
