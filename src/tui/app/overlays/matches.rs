//! Tab *Matches*: what the target selects, what is wrong with the action, and what it may have meant.

use super::index::{Item, OverlayIndex, Overridden};
use super::page::{About, LABEL};
use crate::derive::Catalog;
use crate::document::jsonpath::readable;
use crate::document::{FileId, Finding, Node, Origin, Place, Pointer};
use crate::overlay::ActionTrail;
use crate::tui::app::detail::{cite, cite_action, remedy_line, severity};
use crate::tui::app::page::{Act, Line};
use crate::tui::theme::Role;

/// Places that are listed one by one.
const MOST: usize = 500;
/// Findings that are listed one by one.
const MOST_FINDINGS: usize = 20;

/// The page.
pub(super) fn lines(about: About<'_>, item: &Item, trail: &ActionTrail) -> Vec<Line> {
    let mut out = Vec::new();
    head(about, item, trail, &mut out);
    findings(about, item, trail, &mut out);
    proposals(about, item, &mut out);
    overridden(about, item, trail, &mut out);
    let places = Places::of(about, item);
    if !trail.matches.is_empty() {
        let count = trail.matches.len();
        section(&format!("Matches {count} {}", if count == 1 { "place" } else { "places" }), &mut out);
        listed(about, &places, &trail.matches, "", &mut out);
    }
    if !trail.changed.is_empty() {
        section(&format!("Changes {}", trail.changed.len()), &mut out);
        let sign = if trail.kind == "remove" { "- " } else { "~ " };
        listed(about, &places, &trail.changed, sign, &mut out);
    }
    out
}

fn section(title: &str, out: &mut Vec<Line>) {
    out.push(Line::new());
    out.push(Line::new().seg(title, Role::Title));
}

fn head(about: About<'_>, item: &Item, trail: &ActionTrail, out: &mut Vec<Line>) {
    let place = Place { origin: trail.origin, pointer: "".into() };
    out.push(Line::new().seg(&item.target, Role::Title).hang(2).at(Some(&place)));
    let line = Line::new().seg(item.kind, Role::Accent).seg("  ", Role::Text);
    let line = line.seg(cite_action(about.catalog, trail.overlay, trail.index), Role::Dim).at(Some(&place));
    out.push(if item.description.is_empty() {
        line
    } else {
        line.seg(format!("  {}", item.description), Role::Text).hang(2)
    });
}

fn findings(about: About<'_>, item: &Item, trail: &ActionTrail, out: &mut Vec<Line>) {
    let of_catalog = item.findings.iter().filter_map(|at| about.catalog.findings.get(*at));
    let all: Vec<&Finding> = trail.findings.iter().chain(of_catalog).collect();
    if all.is_empty() {
        return;
    }
    out.push(Line::new());
    for finding in all.iter().take(MOST_FINDINGS) {
        let (word, role) = severity(finding.severity);
        let place = finding.place.as_ref();
        let line = Line::new().cell(word, LABEL, role).seg(&finding.message, Role::Text).hang(LABEL).at(place);
        let line = match &finding.tool {
            Some(tool) => line.seg(format!("  {tool}"), Role::Accent),
            None => line,
        };
        out.push(line.seg(format!("  {}", finding.code), Role::Dim));
        if let Some(remedy) = &finding.remedy {
            out.push(remedy_line(remedy, LABEL).at(place));
        }
    }
    if all.len() > MOST_FINDINGS {
        out.push(Line::new().seg(format!("and {} more findings", all.len() - MOST_FINDINGS), Role::Dim));
    }
}

/// What the target may have meant.
fn proposals(about: About<'_>, item: &Item, out: &mut Vec<Line>) {
    if !item.marks.no_match {
        return;
    }
    let Some(study) = about.study else {
        section("Probably meant", out);
        out.push(Line::new().seg("looking for what is like it …", Role::Dim));
        return;
    };
    if study.proposals.is_empty() {
        return;
    }
    section("Probably meant", out);
    for (at, proposal) in study.proposals.iter().enumerate() {
        let line =
            Line::new().seg(&proposal.target, Role::Accent).seg(format!("  {}", proposal.why), Role::Text).hang(2);
        out.push(line.act(Act::Propose(at)));
    }
    out.push(Line::new().seg("a takes the first over; Enter on a line takes that one", Role::Dim));
}

fn overridden(about: About<'_>, item: &Item, trail: &ActionTrail, out: &mut Vec<Line>) {
    let title = match item.marks.overridden {
        Overridden::Not => return,
        Overridden::Partly => "Partly overridden by",
        Overridden::Wholly => "Overridden by",
    };
    section(title, out);
    for (file, action) in trail.overridden_by.iter().take(MOST) {
        let line = Line::new().seg(cite_action(about.catalog, *file, *action), Role::Accent);
        let target = about.index.find(*file, *action).and_then(|at| about.index.items.get(at));
        let line = line.seg(format!("  {}", target.map_or("", |item| item.target.as_str())), Role::Text);
        out.push(line.hang(2).act(Act::Action { file: *file, action: *action }));
    }
}

/// Where the nodes of pointers stand: in the document before overlays where they were there, else where they are now.
struct Places<'a> {
    before: Option<&'a Node>,
    after: Option<&'a Node>,
    main: Option<FileId>,
}

impl<'a> Places<'a> {
    fn of(about: About<'a>, item: &Item) -> Self {
        let root = |sets: &'a [std::sync::Arc<crate::document::DocumentSet>]| {
            sets.get(item.upstream).map(|set| &set.main.root)
        };
        Self {
            before: root(&about.snapshot.originals),
            after: root(&about.snapshot.documents),
            main: about.snapshot.originals.get(item.upstream).map(|set| set.main.file),
        }
    }

    /// The line alone where it is in the document itself, which needs no name.
    fn cite(&self, catalog: &Catalog, place: &Place) -> String {
        match place.origin {
            Origin { file, action: None, .. } if Some(file) == self.main => {
                format!("line {}", catalog.sources.line_column(place.origin).0)
            }
            _ => cite(catalog, place),
        }
    }

    fn find(&self, pointer: &Pointer) -> Option<Place> {
        let node = [self.before, self.after].into_iter().flatten().find_map(|root| pointer.find(root))?;
        Some(Place { origin: node.origin, pointer: pointer.to_string().into() })
    }
}

fn listed(about: About<'_>, places: &Places<'_>, pointers: &[Pointer], sign: &str, out: &mut Vec<Line>) {
    for pointer in pointers.iter().take(MOST) {
        let place = places.find(pointer);
        let line = Line::new().seg(sign, Role::Changed).seg(readable(pointer), Role::Text).hang(2).at(place.as_ref());
        out.push(match &place {
            Some(place) => line.seg(format!("  {}", places.cite(about.catalog, place)), Role::Dim),
            None => line.seg("  is gone by the end", Role::Dim),
        });
    }
    if pointers.len() > MOST {
        out.push(Line::new().seg(format!("and {} more", pointers.len() - MOST), Role::Dim));
    }
}

/// The number of an action in words: `#3/12`.
pub(super) fn number(index: &OverlayIndex, item: &Item) -> String {
    let count = index.files.get(item.file).map_or(0, |file| file.count);
    format!("#{}/{count}", OverlayIndex::number(item))
}
