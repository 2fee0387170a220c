//! Lines of a file around a place.

use crate::derive::Catalog;
use crate::document::{Origin, Place};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// Lines before and after.
const AROUND: usize = 3;
/// A longer line is shown in part.
const LONG: usize = 300;
/// Characters before the place that are shown of a long line.
const BEFORE: usize = 60;

/// The lines around a place with their numbers, each of which opens the editor there; nothing when the file is not known.
pub fn lines(catalog: &Catalog, place: &Place) -> Vec<Line> {
    let Some(file) = catalog.sources.get(place.origin.file) else { return Vec::new() };
    let (number, column) = file.line_column(place.origin.start);
    let first = number.saturating_sub(AROUND).max(1);
    let width = (number + AROUND).to_string().len().max(4);
    let mut out = Vec::new();
    for at in first..=number + AROUND {
        let (Some(start), Some(text)) = (file.line_start(at), file.line(at)) else { break };
        let here = at == number;
        let origin = Origin { file: place.origin.file, start, end: start, action: None };
        let line_place = if here { place.clone() } else { Place { origin, pointer: "".into() } };
        let sign = if here { "›" } else { " " };
        let line = Line::new().seg(format!("{sign}{at:>width$} │ "), Role::Dim).hang(width + 4).at(Some(&line_place));
        let shown = part(text.trim_end(), if here { column } else { 1 });
        out.push(line.seg(shown, if here { Role::Title } else { Role::Dim }));
    }
    out
}

/// A line, or the part of a long one around a column (from 1).
fn part(text: &str, column: usize) -> String {
    if text.chars().count() <= LONG {
        return text.to_owned();
    }
    let skip = column.saturating_sub(BEFORE + 1);
    let head = if skip > 0 { "…" } else { "" };
    let shown: String = text.chars().skip(skip).take(LONG).collect();
    let tail = if text.chars().count() > skip + LONG { "…" } else { "" };
    format!("{head}{shown}{tail}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;
    use crate::tui::app::fixture::shop;

    #[test]
    fn the_line_is_among_its_neighbours() {
        let snapshot = shop();
        let tool = snapshot.catalog.find("listPets").unwrap();
        let shown: Vec<String> = lines(&snapshot.catalog, &tool.operation.place).iter().map(Line::text).collect();
        assert_eq!(shown.len(), 2 * AROUND + 1);
        assert!(shown[AROUND].starts_with("›") && shown[AROUND].contains("get:"), "{shown:?}");
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let text = format!("{}HERE{}", "x".repeat(5_000), "y".repeat(5_000));
        let shown = part(&text, 5_001);
        assert_eq!(shown.chars().count(), LONG + 2);
        assert_eq!(shown.chars().position(|c| c == 'H'), Some(BEFORE + 1));
    }
}
