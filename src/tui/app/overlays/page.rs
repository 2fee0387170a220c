//! The page of the selected row: of an action under a tab, or of an overlay.

use super::index::{FileEntry, HintItem, Item, OverlayIndex};
use super::study::Study;
use super::{Moment, Part, matches, source, tools};
use crate::derive::Catalog;
use crate::document::jsonpath::readable;
use crate::document::{FileId, Finding, Format, Node, Origin, Place, to_yaml};
use crate::tui::app::detail::{cite, severity};
use crate::tui::app::editor::highlight::{State, paint};
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
        fact("on", upstream),
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

/// The page of what all other programs' extensions say.
pub(crate) fn hints(about: About<'_>) -> Vec<Line> {
    let count = about.index.hints.len();
    let words = if count == 1 { "1 extension says".to_owned() } else { format!("{count} extensions say") };
    let mut out = vec![
        Line::new().seg("Extensions of other programs", Role::Title),
        Line::new().seg(format!("{words} what x-mcp-* does not say yet."), Role::Text),
        Line::new()
            .seg("They are read as hints and change nothing. a converts them all, through a preview.", Role::Dim),
    ];
    let mut kinds: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for item in &about.index.hints {
        *kinds.entry(item.hint.extension.as_str()).or_default() += 1;
    }
    out.push(Line::new());
    for (extension, count) in kinds {
        out.push(Line::new().cell(extension, 30, Role::Key).seg(count.to_string(), Role::Number));
    }
    out
}

/// The page of what one of them says.
pub(crate) fn hint(about: About<'_>, item: &HintItem) -> Vec<Line> {
    let finding = &item.hint.finding;
    let place = finding.place.as_ref();
    let cited = place.map(|place| cite(about.catalog, place)).unwrap_or_default();
    let mut out = vec![
        Line::new().seg(&item.hint.extension, Role::Title).seg(format!("  {cited}"), Role::Dim).at(place),
        Line::new().seg(readable(&item.hint.operation), Role::Text).hang(2).at(place),
        Line::new(),
        Line::new().seg(&finding.message, Role::Text).hang(2).at(place),
        Line::new(),
        Line::new().seg("The same for this program", Role::Title),
    ];
    for draft in &item.hint.drafts {
        let mut state = State::default();
        let text = to_yaml(&Node::list(
            vec![draft.to_node()],
            item.hint.finding.place.as_ref().map_or(Origin::new(FileId(0), 0, 0), |place| place.origin),
        ));
        out.extend(text.lines().map(|line| paint(Line::new().seg("  ", Role::Text), Format::Yaml, &mut state, line)));
    }
    out.push(Line::new());
    out.push(Line::new().seg("a puts it into an overlay, through a preview", Role::Dim));
    out
}
