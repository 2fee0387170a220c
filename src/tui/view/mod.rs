//! Drawing: the state of the program in the cells of a frame, and a map of what is where.
//!
//! Three layouts: list and detail side by side from 120 columns, one above the other from 80, one of them at a time
//! below that or where the rows do not do for two. Only visible rows are touched.

mod authoring;
mod call;
mod clients;
mod detail;
mod editor;
mod filter;
mod findings;
mod layers;
mod list;
mod loading;
mod meter;
#[cfg(test)]
mod overlay_tests;
mod overlay_text;
mod overlays;
mod paint;
#[cfg(test)]
pub(crate) mod record;
#[cfg(test)]
mod screen_tests;
mod smoke;
mod status;
mod targets;
#[cfg(test)]
pub(crate) mod tests;
mod wire;
mod workbench;
#[cfg(test)]
mod workbench_tests;

use ratatui::Frame;
use ratatui::layout::Rect;

use self::paint::Canvas;
use crate::tui::app::hits::{Hit, Hits};
use crate::tui::app::screens::Screen;
use crate::tui::app::{App, Focus};

/// Columns from which list and detail are side by side.
const BESIDE: u16 = 120;
/// Columns from which they are one above the other.
const ABOVE: u16 = 80;
/// Rows that two panes, one above the other, need.
const ABOVE_ROWS: u16 = 14;
/// No pane is narrower than this while there are two.
const NARROWEST: u16 = 40;
/// No pane is lower than this while there are two.
const LOWEST: u16 = 5;

/// Draws the whole frame. Afterwards the state knows where it was drawn and how many rows there are.
pub fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    app.hits = Hits::default();
    if area.is_empty() {
        return;
    }
    let theme = app.theme.clone();
    let mut canvas = Canvas::new(frame.buffer_mut(), &theme);
    let body = status::frame(app, &mut canvas, area);
    if app.snapshot.is_some() {
        panes(app, &mut canvas, body);
    } else if let Some(failure) = app.load.failure.clone() {
        loading::failure(app, &failure, &mut canvas, body);
    } else {
        loading::reading(app, &mut canvas, body);
    }
    layers::draw(app, &mut canvas, area);
    canvas.finish();
    let cursor = canvas.cursor;
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
}

fn panes(app: &mut App, canvas: &mut Canvas<'_>, body: Rect) {
    app.hits.body = body;
    // The table needs the width for its columns.
    let beside = body.width >= BESIDE && app.screen != Screen::Targets;
    if beside {
        let left = share(body.width, app.split.beside, NARROWEST);
        let list = Rect { width: left, ..body };
        let splitter = Rect { x: body.x + left, width: 1, ..body };
        let detail = Rect { x: splitter.x + 1, width: body.width - left - 1, ..body };
        app.hits.beside = true;
        canvas.vertical(splitter);
        main(app, canvas, list);
        detail::draw(app, canvas, detail);
        app.hits.put(splitter, Hit::Splitter);
    } else if !one_pane(app, body) {
        let percent = if app.screen == Screen::Targets { app.split.table } else { app.split.above };
        let top = share(body.height, percent, LOWEST);
        let list = Rect { height: top, ..body };
        let detail = Rect { y: body.y + top, height: body.height - top, ..body };
        main(app, canvas, list);
        // The bar with the tabs is the splitter; the tabs in it lie over that.
        app.hits.put(Rect { height: 1, ..detail }, Hit::Splitter);
        detail::draw(app, canvas, detail);
    } else if app.focus == Focus::Detail && app.has_detail() {
        detail::draw(app, canvas, body);
    } else {
        main(app, canvas, body);
    }
}

/// What the screen is about.
fn main(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    match app.screen {
        Screen::Tools => list::draw(app, canvas, area),
        Screen::Findings => findings::draw(app, canvas, area),
        Screen::Overlays => overlays::draw(app, canvas, area),
        Screen::Call => call::draw(app, canvas, area),
        Screen::Wire => wire::draw(app, canvas, area),
        Screen::Smoke => smoke::draw(app, canvas, area),
        Screen::Targets => targets::draw(app, canvas, area),
    }
}

/// Is there room for only one of list and detail?
fn one_pane(app: &App, body: Rect) -> bool {
    body.width < ABOVE || ((body.width < BESIDE || app.screen == Screen::Targets) && body.height < ABOVE_ROWS)
}

/// The part of `length` that `percent` gives, with at least `least` on both sides.
fn share(length: u16, percent: u16, least: u16) -> u16 {
    let part = u32::from(length) * u32::from(percent) / 100;
    let least = least.min(length / 2);
    u16::try_from(part).unwrap_or(length).clamp(least, length - least)
}
