//! The screen of smoke runs: the filter, how far the run is, the cases with their verdicts.

use ratatui::layout::Rect;

use super::filter;
use super::paint::{Canvas, below, rows};
use super::status::grouped;
use crate::proxy::units;
use crate::session::{Totals, Verdict};
use crate::tui::app::hits::Hit;
use crate::tui::app::smoke::Smoke;
use crate::tui::app::{App, Focus};
use crate::tui::text::width;
use crate::tui::theme::Role;

/// Columns from which status and time of every case are shown.
const WITH_FIGURES: u16 = 52;
/// Columns of the bar at most.
const BAR: u16 = 24;
/// Columns of a verdict.
const VERDICT: u16 = 9;

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect) {
    let (shown, all) = (app.smoke.rows().len(), app.smoke.results.len());
    let count = if shown == all { format!("{} cases", grouped(all)) } else { format!("{shown} of {}", grouped(all)) };
    filter::draw(app, canvas, Rect { height: area.height.min(1), ..area }, &count);
    let line = below(area, 1);
    progress(
        &app.smoke,
        canvas,
        Rect { x: line.x + 1, width: line.width.saturating_sub(2), height: line.height.min(1), ..line },
    );
    let rest = below(area, 2);
    app.hits.put(rest, Hit::List);
    app.hits.list_height = usize::from(rest.height);
    if app.smoke.rows().is_empty() {
        return empty(app, canvas, rest);
    }
    app.smoke.fit(usize::from(rest.height));
    let offset = app.smoke.offset;
    let bar = if app.hits.beside { 1 } else { 0 };
    for (at, line) in rows(rest).enumerate() {
        let Some(case) = app.smoke.rows().get(offset + at).copied() else { break };
        let line = Rect { width: rest.width.saturating_sub(1), ..line };
        row(&app.smoke, canvas, line, case);
        if app.smoke.cursor() == Some(offset + at) {
            canvas.text(line, line.x, "›", Role::Accent);
            if app.focus != Focus::Detail {
                canvas.cover(line, Role::Selection);
            }
        }
        app.hits.put(line, Hit::ListRow(offset + at));
    }
    canvas.scrollbar(Rect { width: rest.width + bar, ..rest }, offset, app.smoke.rows().len());
}

fn empty(app: &App, canvas: &mut Canvas<'_>, area: Rect) {
    let (what, hint) = match (&app.smoke.planned, app.smoke.planning) {
        (_, true) => ("The cases are being made …", ""),
        (Some(planned), _) if planned.plan.items.is_empty() => (
            "There are no cases.",
            "Every tool that changes nothing has one, and suites of the workspace file have some.",
        ),
        (Some(_), _) => ("No case fits the filter.", "Esc clears it."),
        (None, _) => ("No cases were made yet.", "r loads everything again."),
    };
    filter::nothing(canvas, area, what, hint);
}

/// `[########--------] 8/16  2 fail  1 drift  5 pass` and at the right where cases run.
fn progress(smoke: &Smoke, canvas: &mut Canvas<'_>, line: Rect) {
    let Totals { pass, fail, drift, skipped, .. } = smoke.totals();
    let mut x = line.x;
    if let Some(run) = &smoke.run {
        let total = run.places.len().max(1);
        let cells = usize::from(BAR.min(line.width / 3)).max(4);
        let filled = (run.done * cells / total).min(cells);
        x = canvas.text(line, x, &"█".repeat(filled), Role::Accent);
        x = canvas.text(line, x, &"░".repeat(cells - filled), Role::Border);
        let words = format!(" {}/{}{}", run.done, run.places.len(), if run.stopping { " stopping" } else { "" });
        x = canvas.text(line, x, &words, Role::Text) + 2;
    }
    let counts = [
        (fail, Verdict::Fail, Role::Error),
        (drift, Verdict::Drift, Role::Warning),
        (skipped, Verdict::Skipped, Role::Dim),
        (pass, Verdict::Pass, Role::Success),
    ];
    for (count, verdict, role) in counts.into_iter().filter(|(count, ..)| *count > 0) {
        x = canvas.text(line, x, &format!("{} {}", grouped(count), verdict.word()), role) + 2;
    }
    if smoke.run.is_none() && pass + fail + drift + skipped == 0 && !smoke.rows().is_empty() {
        x = canvas.text(line, x, "a runs all, c the selected one", Role::Dim) + 2;
    }
    let label = smoke.place().label();
    let place = format!("on {label}");
    let room = Rect { x, width: line.right().saturating_sub(x), ..line };
    if width(&place) <= usize::from(room.width) {
        let role = if label.ends_with("PRODUCTION") { Role::Warning } else { Role::Dim };
        canvas.right(room, &place, role);
    }
}

/// ` fail     shop__getPet                 404    12 ms`
fn row(smoke: &Smoke, canvas: &mut Canvas<'_>, line: Rect, at: usize) {
    let Some(item) = smoke.item(at) else { return };
    let result = smoke.result(at);
    let runs = smoke.running.get(at).copied().unwrap_or(false);
    let (word, role) = match result {
        Some(result) => (result.verdict.word(), crate::tui::app::smoke::role(result.verdict)),
        None if runs => ("runs", Role::Accent),
        None => ("·", Role::Dim),
    };
    canvas.text(line, line.x + 1, word, role);
    let x = line.x + 1 + VERDICT;
    let mut room = Rect { width: line.right().saturating_sub(line.x), ..line };
    if let Some(result) = result.filter(|result| result.exchange.is_some() && line.width >= WITH_FIGURES) {
        canvas.right(room, &units::shown(result.elapsed), Role::Dim);
        room.width = room.width.saturating_sub(9);
        let status = result.status.map_or("none".to_owned(), |status| status.to_string());
        canvas.right(room, &status, Role::Dim);
        room.width = room.width.saturating_sub(5);
    }
    let mut end = x;
    if item.role != crate::session::Role::Case {
        end = canvas.text(room, end, &format!("{} ", item.role.word()), Role::Accent);
    }
    end = canvas.text(room, end, &item.case.name, Role::Text);
    // The suite, or what is wrong, where there is room.
    let words = match result {
        Some(result) if !result.why.is_empty() => result.why.clone(),
        _ => item.suite.to_string(),
    };
    let left = Rect { x: end + 2, width: room.right().saturating_sub(end + 2), ..room };
    if left.width >= 8 {
        canvas.text(left, left.x, &words, Role::Dim);
    }
}

/// `─ Case ────── shop__getPet ─`
pub(super) fn title(app: &App, canvas: &mut Canvas<'_>, bar: Rect) {
    let focused = app.focus == Focus::Detail;
    canvas.horizontal(bar, if focused { Role::BorderFocus } else { Role::Border });
    let x = canvas.text(bar, bar.x + 1, " Case ", if focused { Role::Title } else { Role::Dim });
    let item = app.smoke.selected().and_then(|at| app.smoke.item(at));
    let name = item.map(|item| format!(" {} ", item.case.name)).unwrap_or_default();
    let room = Rect { x: x + 1, width: bar.right().saturating_sub(x + 2), ..bar };
    canvas.right(room, &name, Role::Title);
}
