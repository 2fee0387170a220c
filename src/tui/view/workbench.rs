//! What of the workbench lies over the screen.

use ratatui::layout::Rect;

use super::authoring;
use super::layers::centered;
use super::paint::{Canvas, rows};
use crate::overlay::Chunk;
use crate::tui::app::App;
use crate::tui::app::hits::Hit;
use crate::tui::app::model::{Layer, WorkLayer};
use crate::tui::app::page::{Line, lay};
use crate::tui::app::workbench::Disagreement;
use crate::tui::theme::Role;

/// Columns of a box at most.
const WIDTH: u16 = 100;
/// Lines around a change that are shown.
const AROUND: usize = 2;

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, layer: &WorkLayer) {
    match layer {
        WorkLayer::Leave => {
            let lines = leave_lines(app);
            scrolled(app, canvas, area, " Quit? ", &lines, 0);
        }
        WorkLayer::Recover => {
            let lines = recover_lines(app);
            scrolled(app, canvas, area, " Unsaved edits of an earlier run ", &lines, 0);
        }
        WorkLayer::Disagree(view) => {
            let offset = scrolled(app, canvas, area, " Changed by somebody else ", &disagree_lines(view), view.offset);
            if let Some(Layer::Work(WorkLayer::Disagree(view))) = app.layers.last_mut() {
                view.offset = offset;
            }
        }
        WorkLayer::Menu(menu) => authoring::menu(app, canvas, area, menu),
        WorkLayer::Preview(preview) => authoring::preview(app, canvas, area, preview),
    }
}

/// A box with lines of which the first are scrolled away; gives how many.
pub(super) fn scrolled(
    app: &mut App,
    canvas: &mut Canvas<'_>,
    area: Rect,
    title: &str,
    lines: &[Line],
    offset: usize,
) -> usize {
    let width = WIDTH.min(area.width.saturating_sub(2).max(20));
    let laid = lay(lines, usize::from(width.saturating_sub(4)));
    let height = u16::try_from(laid.len()).unwrap_or(u16::MAX).saturating_add(2);
    let outer = centered(area, width, height.min(area.height.saturating_sub(2).max(3)));
    app.hits.put(area, Hit::Outside);
    app.hits.put(outer, Hit::Layer);
    let inner = canvas.boxed(outer, title);
    let offset = offset.min(laid.len().saturating_sub(usize::from(inner.height)));
    let text = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    for (row, line) in rows(text).zip(laid.iter().skip(offset)) {
        canvas.segs(row, &line.segs);
    }
    canvas.scrollbar(Rect { width: inner.width + 1, ..inner }, offset, laid.len());
    offset
}

/// Keys and what they do, one under the other.
fn ways(keys: &[(&str, &str)]) -> Vec<Line> {
    let line = |(key, what): &(&str, &str)| Line::new().cell(key, 6, Role::Accent).seg(what, Role::Text).hang(6);
    keys.iter().map(line).collect()
}

fn leave_lines(app: &App) -> Vec<Line> {
    let drafts = &app.workbench.drafts;
    let mut lines = Vec::new();
    for file in drafts.dirty_files() {
        lines.push(
            Line::new()
                .seg(drafts.name(&file).unwrap_or_default(), Role::Title)
                .seg(" has unsaved changes", Role::Text),
        );
    }
    if app.call.running.is_some() {
        lines.push(Line::new().seg("A call runs. It is given up when the program ends.", Role::Text));
    }
    lines.push(Line::new());
    lines.extend(ways(&[("s", "save and quit"), ("d", "discard and quit"), ("Esc", "stay")]));
    lines
}

fn recover_lines(app: &App) -> Vec<Line> {
    let Some(recovery) = &app.workbench.recovery else { return Vec::new() };
    let mut lines = Vec::new();
    for file in &recovery.files {
        lines.push(
            Line::new()
                .seg("unsaved edits of ", Role::Text)
                .seg(&file.name, Role::Title)
                .seg(format!(" from {}", recovery.when), Role::Text),
        );
    }
    lines.push(Line::new());
    lines.extend(ways(&[("r", "restore"), ("d", "discard"), ("Esc", "decide next time")]));
    lines
}

fn disagree_lines(view: &Disagreement) -> Vec<Line> {
    let mut first = Line::new().seg(&view.name, Role::Title);
    let words = match (view.is_gone, view.conflicts()) {
        (true, _) => " is gone, or is no text any more. Your text is still here.".to_owned(),
        (false, 0) => " was changed in other places than here; both changes fit together.".to_owned(),
        (false, 1) => " was changed here and there; at one place they disagree.".to_owned(),
        (false, many) => format!(" was changed here and there; at {many} places they disagree."),
    };
    first = first.seg(words, Role::Text);
    let mut lines = vec![first, Line::new().seg("Nothing was overwritten.", Role::Dim), Line::new()];
    let merge = if view.conflicts() == 0 { "take both changes" } else { "take both, with marks where they disagree" };
    let mut keys = vec![("m", merge), ("t", "take what is in the file"), ("Esc", "keep editing, unsaved")];
    if view.is_gone {
        keys.remove(0);
    }
    lines.extend(ways(&keys));
    lines.push(Line::new());
    for (at, chunk) in view.chunks.iter().enumerate() {
        let last = at + 1 == view.chunks.len();
        match chunk {
            Chunk::Kept(text) => kept(text, at == 0, last, &mut lines),
            Chunk::Mine { base, mine } => {
                side("was", '-', base, Role::Dim, &mut lines);
                side("yours", '+', mine, Role::Success, &mut lines);
            }
            Chunk::Theirs { base, theirs } => {
                side("was", '-', base, Role::Dim, &mut lines);
                side("theirs", '+', theirs, Role::Accent, &mut lines);
            }
            Chunk::Both { base, now } => {
                side("was", '-', base, Role::Dim, &mut lines);
                side("both", '+', now, Role::Text, &mut lines);
            }
            Chunk::Conflict { base, mine, theirs } => {
                side("was", '!', base, Role::Dim, &mut lines);
                side("yours", '!', mine, Role::Error, &mut lines);
                side("theirs", '!', theirs, Role::Error, &mut lines);
            }
        }
    }
    lines
}

fn side(whose: &str, sign: char, text: &str, role: Role, lines: &mut Vec<Line>) {
    for line in text.lines() {
        lines.push(Line::new().cell(whose, 7, Role::Dim).seg(format!("{sign} {line}"), role).hang(9));
    }
}

/// Lines that both have, without those far from a change.
fn kept(text: &str, first: bool, last: bool, lines: &mut Vec<Line>) {
    let all: Vec<&str> = text.lines().collect();
    let (head, tail) = (if first { 0 } else { AROUND }, if last { 0 } else { AROUND });
    let skipped = all.len().saturating_sub(head + tail);
    for (at, line) in all.iter().enumerate() {
        if at < head || at >= head + skipped || skipped < 2 {
            lines.push(Line::new().cell("", 9, Role::Dim).seg(line, Role::Text).hang(9));
        } else if at == head {
            lines.push(Line::new().cell("", 9, Role::Dim).seg(format!("… {skipped} lines"), Role::Dim));
        }
    }
}
