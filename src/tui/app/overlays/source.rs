//! Tab *Source*: the text of an action in its file.

use super::page::About;
use crate::document::{FileId, Format, Origin, Place, SourceFile};
use crate::overlay::ActionTrail;
use crate::tui::app::editor::highlight::{State, paint};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// Lines before and after the action.
const AROUND: usize = 3;
/// A line longer than this is shown in part.
const LONG: usize = 2_000;

/// The page.
pub(super) fn lines(about: About<'_>, trail: &ActionTrail) -> Vec<Line> {
    let Some(file) = about.catalog.sources.get(trail.overlay) else {
        return vec![Line::new().seg("The file of this overlay was not read.", Role::Warning)];
    };
    let first = file.line_column(trail.origin.start).0;
    let text = file.text.get(trail.origin.start as usize..trail.origin.end as usize).unwrap_or_default();
    let length = u32::try_from(text.trim_end().len().saturating_sub(1)).unwrap_or(0);
    let last = file.line_column(trail.origin.start + length).0.max(first);
    let mut out = vec![
        Line::new().seg(&file.name, Role::Title).seg(format!("  lines {first} to {last}"), Role::Dim),
        Line::new(),
    ];
    out.extend(numbered(file, trail.overlay, first, last));
    out
}

/// Lines with their numbers and colours; those around what is meant are dim.
fn numbered(file: &SourceFile, id: FileId, first: usize, last: usize) -> Vec<Line> {
    let format = if file.name.ends_with(".json") { Format::Json } else { Format::Yaml };
    let mut state = State::default();
    let mut out = Vec::new();
    for number in first.saturating_sub(AROUND).max(1)..=last + AROUND {
        let (Some(start), Some(text)) = (file.line_start(number), file.line(number)) else { break };
        let shown: String = text.chars().take(LONG).collect();
        let place = Place { origin: Origin::new(id, start as usize, start as usize + text.len()), pointer: "".into() };
        let line = Line::new().seg(format!("{number:>5} "), Role::Dim).hang(8).at(Some(&place));
        out.push(if (first..=last).contains(&number) {
            paint(line, format, &mut state, &shown)
        } else {
            line.seg(shown, Role::Dim)
        });
    }
    out
}
