//! The page of the selected row: of an action under a tab, or of an overlay.

use super::index::{FileEntry, Item, OverlayIndex};
use super::study::Study;
use super::{Moment, Part, matches, source, tools};
use crate::derive::Catalog;
use crate::document::{Finding, Place};
use crate::tui::app::detail::{cite, severity};
use crate::tui::app::page::Line;
use crate::tui::app::tools::Index;
use crate::tui::theme::Role;
use crate::workspace::{Snapshot, UpstreamOverlays};

/// Columns of the first word of a line.
pub(super) const LABEL: usize = 10;

/// What pages are made from.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) catalog: &'a Catalog,
    pub(crate) tools: &'a Index,
    pub(crate) index: &'a OverlayIndex,
    /// What was found out about the action; `None` until it is.
    pub(crate) study: Option<&'a Study>,
}

impl<'a> About<'a> {
    fn layers(&self, upstream: usize) -> Option<&'a UpstreamOverlays> {
        self.snapshot.overlays.get(upstream).map(|layers| &**layers)
    }
}

/// The page of an action.
pub(crate) fn action(about: About<'_>, item: &Item, part: Part, moment: Moment) -> Vec<Line> {
    let Some(trail) = about.layers(item.upstream).and_then(|layers| layers.trails.get(item.trail)) else {
        return Vec::new();
    };
    let waiting = || vec![Line::new().seg("stepping through the actions before it …", Role::Dim)];
    match (part, about.study) {
        (Part::Matches, _) => matches::lines(about, item, trail),
        (Part::Source, _) => source::lines(about, trail),
        (Part::Document | Part::Tools, None) => waiting(),
        (Part::Document, Some(study)) => match moment {
            Moment::Change => study.change.clone(),
            Moment::Before => study.before.clone(),
            Moment::After => study.after.clone(),
        },
        (Part::Tools, Some(study)) => match &study.failure {
            Some(why) => vec![Line::new().seg(why, Role::Error)],
            None => tools::lines(&study.effect, about.tools),
        },
    }
}

/// The page of an overlay.
pub(crate) fn file(about: About<'_>, file: &FileEntry) -> Vec<Line> {
    let Some(overlay) = about.layers(file.upstream).and_then(|layers| layers.overlays.get(file.overlay)) else {
        return Vec::new();
    };
    let fact = |label: &str, text: &str| Line::new().cell(label, LABEL, Role::Accent).seg(text, Role::Text).hang(LABEL);
    let upstream = about.catalog.upstreams.get(file.upstream).map_or("", |upstream| upstream.name.as_str());
    let mut out = vec![
        Line::new().seg(&file.name, Role::Title),
        fact("title", &overlay.title),
        fact("overlay", &overlay.version),
        fact("applied to", upstream),
    ];
    out.extend(overlay.extends.as_ref().map(|extends| fact("extends", extends)));
    out.extend(overlay.description.as_ref().map(|description| fact("about", description)));
    let items = about.index.items.get(file.first..file.first + file.count).unwrap_or_default();
    let count = |holds: &dyn Fn(&Item) -> bool| items.iter().filter(|item| holds(item)).count();
    let idle = count(&|item| item.marks.no_match);
    let same = count(&|item| item.marks.no_change);
    let mut words = format!("{} actions", items.len());
    for (count, what) in [(idle, "match nothing"), (same, "change nothing")] {
        if count > 0 {
            words.push_str(&format!(", {count} {what}"));
        }
    }
    out.push(fact("does", &words));
    let of_action = |finding: &&Finding| overlay.actions.iter().any(|action| action.findings.contains(finding));
    for finding in overlay.findings.iter().filter(|finding| !of_action(finding)) {
        let (word, role) = severity(finding.severity);
        let place = finding.place.as_ref();
        let cited = place.map(|place| format!("  {}", cite(about.catalog, place))).unwrap_or_default();
        out.push(Line::new());
        let line = Line::new().cell(word, LABEL, role).seg(&finding.message, Role::Text).hang(LABEL).at(place);
        out.push(line.seg(cited, Role::Dim));
        if let Some(remedy) = &finding.remedy {
            out.push(
                Line::new().cell("", LABEL, Role::Text).seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(LABEL + 2),
            );
        }
    }
    let origin = crate::document::Origin::new(file.id, 0, 0);
    let place = Place { origin, pointer: "".into() };
    out.into_iter().map(|line| if line.place.is_some() { line } else { line.at(Some(&place)) }).collect()
}
