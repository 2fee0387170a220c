//! The server's name, and the room that clients leave for it.

use ratatui::layout::Rect;

use super::layers::centered;
use super::paint::{Canvas, rows};
use crate::tui::app::App;
use crate::tui::app::field::Field;
use crate::tui::app::hits::Hit;
use crate::tui::app::page::{Line, lay};
use crate::tui::app::room::{Fit, Room};
use crate::tui::text::width;
use crate::tui::theme::Role;

/// Columns of the box at most.
const WIDTH: u16 = 96;
/// Columns of a bar.
const BAR: usize = 20;
/// Columns of a target's name.
const NAME: usize = 19;
/// A box below this width has no bars, and names no tools.
const WITH_BARS: usize = 60;
/// Tools over a limit that are named.
const NAMED: usize = 3;

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, field: &Field) {
    let outer_width = WIDTH.min(area.width.saturating_sub(2).max(20));
    let inner = usize::from(outer_width.saturating_sub(4));
    let mut laid = lay(&lines(app, field.text(), inner), inner);
    let height = u16::try_from(laid.len()).unwrap_or(u16::MAX).saturating_add(4);
    let outer = centered(area, outer_width, height.min(area.height.saturating_sub(2).max(4)));
    app.hits.put(area, Hit::Outside);
    app.hits.put(outer, Hit::Layer);
    let inside = canvas.boxed(outer, " Room for the server's name ");
    let text = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    let mut free = rows(text);
    let Some(first) = free.next() else { return };
    let x = canvas.text(first, first.x, "server: ", Role::Accent);
    canvas.field(Rect { x, width: first.right().saturating_sub(x), ..first }, field, true);
    // One row stays free below the field, while there is one.
    if usize::from(text.height) > laid.len() + 1 {
        free.next();
    }
    laid.truncate(usize::from(text.height));
    for (row, line) in free.zip(&laid) {
        canvas.segs(row, &line.segs);
    }
}

fn lines(app: &App, server: &str, room: usize) -> Vec<Line> {
    let Some(checked) = &app.checks.checked else { return vec![Line::new().seg("checking targets …", Role::Dim)] };
    let mut out = Vec::new();
    for one in &checked.rooms {
        let label = app.choices.all.get(one.target).map_or("", |choice| choice.target.name());
        out.push(meter(label, &one.fit(server), room));
        if room >= WITH_BARS {
            out.extend(culprits(app, one, server));
        }
    }
    if out.is_empty() {
        out.push(Line::new().seg("No target with a limit puts the server's name before a tool's.", Role::Dim));
    }
    out
}

/// `claude-code   ██████··············  41/128  87 free`
fn meter(label: &str, fit: &Fit, room: usize) -> Line {
    let over = fit.longest > fit.limit;
    let role = if over { Role::Error } else { Role::Success };
    let mut line = Line::new().cell(label, NAME, Role::Text).hang(2);
    if room >= WITH_BARS {
        let filled = (fit.longest * BAR).div_ceil(fit.limit.max(1)).min(BAR);
        line = line.seg("█".repeat(filled), role).seg("·".repeat(BAR - filled), Role::Dim).seg("  ", Role::Text);
    }
    let numbers = format!("{}/{}", fit.longest, fit.limit);
    line = line.cell(&numbers, 9.max(width(&numbers) + 1), role);
    if room < WITH_BARS {
        let words = if over { format!("{} over", fit.over) } else { format!("{} free", fit.limit - fit.longest) };
        line.seg(words, role)
    } else if over {
        line.seg(format!("{} over, room for {}", fit.over, fit.room), Role::Error)
    } else {
        line.seg(format!("{} free", fit.limit - fit.longest), Role::Dim)
    }
}

/// The tools whose names get too long, the longest first.
fn culprits(app: &App, room: &Room, server: &str) -> Vec<Line> {
    let Some(snapshot) = &app.snapshot else { return Vec::new() };
    let line = |(tool, length): (usize, usize)| {
        let name = snapshot.catalog.tools.get(tool).map_or("", |tool| tool.named.name.as_str());
        Line::new().seg(format!("    {length:>3}  "), Role::Error).seg(name, Role::Text).hang(9)
    };
    room.over(server).take(NAMED).map(line).collect()
}
