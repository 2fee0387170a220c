//! The detail of the selected tool.

use ratatui::layout::Rect;

use super::paint::{Canvas, below, rows};
use crate::tui::app::detail::{Tab, finding_count};
use crate::tui::app::findings::Row;
use crate::tui::app::hits::Hit;
use crate::tui::app::screens::Screen;
use crate::tui::app::{App, Focus};
use crate::tui::text::{harmless, width};
use crate::tui::theme::Role;

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let bar = Rect { height: area.height.min(1), ..area };
    match app.screen {
        Screen::Tools => tabs(app, canvas, bar),
        Screen::Findings | Screen::Targets => title(app, canvas, bar),
        Screen::Overlays => super::overlays::tabs(app, canvas, bar),
        Screen::Call => super::call::title(app, canvas, bar),
        Screen::Wire => super::wire::title(app, canvas, bar),
        Screen::Smoke => super::smoke::title(app, canvas, bar),
    }
    let rest = below(area, 1);
    app.hits.put(rest, Hit::Detail);
    app.hits.detail_height = usize::from(rest.height);
    if !app.has_detail() {
        let hint = match app.screen {
            Screen::Tools => "Select a tool to see why it looks as it does.",
            Screen::Call => "Select a tool on the screen of tools.",
            Screen::Findings | Screen::Overlays | Screen::Wire | Screen::Smoke | Screen::Targets => "",
        };
        canvas.text(rest, rest.x + 1, hint, Role::Dim);
        return;
    }
    // A column at the left for the cursor's sign, one at the right for the scrollbar.
    let inner = Rect { x: rest.x + 1, width: rest.width.saturating_sub(2), ..rest };
    app.hits.detail_width = usize::from(inner.width);
    app.prepare(usize::from(inner.width));
    app.pane_mut().fit(usize::from(rest.height));
    let offset = app.pane().offset;
    let focused = app.focus == Focus::Detail && app.layers.is_empty();
    for (at, line) in rows(inner).enumerate() {
        let Some(laid) = app.pane().laid().get(offset + at) else { break };
        canvas.segs(line, &laid.segs);
        let whole = Rect { x: rest.x, width: rest.width.saturating_sub(1), ..line };
        if focused && app.pane().cursor() == offset + at {
            canvas.text(whole, whole.x, "›", Role::Accent);
            canvas.cover(whole, Role::Selection);
        }
        app.hits.put(whole, Hit::DetailLine(offset + at));
    }
    canvas.scrollbar(rest, offset, app.pane().laid().len());
}

/// `─ Finding ─────── list_pets ─`
fn title(app: &App, canvas: &mut Canvas<'_>, bar: Rect) {
    let focused = app.focus == Focus::Detail;
    canvas.horizontal(bar, if focused { Role::BorderFocus } else { Role::Border });
    let (title, name) = match app.screen {
        Screen::Findings => match app.findings.selected() {
            Some(Row::Kind(_)) | None => (" Kind ", None),
            Some(Row::Item(..)) => (" Finding ", app.selected_finding().and_then(|finding| finding.tool.clone())),
        },
        Screen::Tools | Screen::Overlays | Screen::Call | Screen::Wire | Screen::Smoke | Screen::Targets => {
            (" Verdict ", Some(app.table_tool().map_or("all tools".to_owned(), |entry| entry.tool.named.name.clone())))
        }
    };
    let x = canvas.text(bar, bar.x + 1, title, if focused { Role::Title } else { Role::Dim });
    let name = name.map(|name| format!(" {} ", harmless(&name))).unwrap_or_default();
    let room = Rect { x: x + 1, width: bar.right().saturating_sub(x + 2), ..bar };
    if width(&name) <= usize::from(room.width) {
        canvas.right(room, &name, Role::Title);
    }
}

/// `─ Name ─ Schema ─ Source ─ Findings 2 ───── list_pets ─`
fn tabs(app: &mut App, canvas: &mut Canvas<'_>, bar: Rect) {
    let focused = app.focus == Focus::Detail;
    let line = if focused { Role::BorderFocus } else { Role::Border };
    canvas.horizontal(bar, line);
    let tool = app.selected().map(|entry| entry.tool.clone());
    let marks = tool.as_ref().map_or(0, |tool| finding_count(tool));
    let mut x = bar.x + 1;
    for tab in Tab::ALL {
        let open = tab == app.detail.tab();
        let mut title = format!(" {} ", tab.title());
        if tab == Tab::Findings && marks > 0 {
            title = format!(" {} {marks} ", tab.title());
        }
        let from = x;
        x = canvas.text(bar, x, &title, if open { Role::Title } else { Role::Dim });
        let area = Rect { x: from, width: x.saturating_sub(from), ..bar };
        if open {
            canvas.cover(area, Role::Selection);
        }
        app.hits.put(area, Hit::Tab(tab));
        x = x.saturating_add(1);
    }
    let Some(tool) = tool else { return };
    let name = format!(" {} ", harmless(&tool.named.name));
    let room = Rect { x, width: bar.right().saturating_sub(x + 1), ..bar };
    if width(&name) <= usize::from(room.width) {
        canvas.right(room, &name, Role::Title);
    }
}
