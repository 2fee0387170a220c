//! What is to be written into clients of the proxy, and questions.

use ratatui::layout::Rect;

use super::layers::centered;
use super::paint::{Canvas, rows};
use crate::tui::app::App;
use crate::tui::app::call::Ask;
use crate::tui::app::hits::Hit;
use crate::tui::app::page::{Line, lay};
use crate::tui::theme::Role;

/// Columns of a box at most.
const WIDTH: u16 = 92;

fn framed(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, title: &str, lines: &[Line]) {
    let outer_width = WIDTH.min(area.width.saturating_sub(2).max(20));
    let laid = lay(lines, usize::from(outer_width.saturating_sub(4)));
    let height = u16::try_from(laid.len()).unwrap_or(u16::MAX).saturating_add(2);
    let outer = centered(area, outer_width, height.min(area.height.saturating_sub(2).max(3)));
    app.hits.put(area, Hit::Outside);
    app.hits.put(outer, Hit::Layer);
    let inside = canvas.boxed(outer, title);
    let text = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    for (row, line) in rows(text).zip(&laid) {
        canvas.segs(row, &line.segs);
    }
}

pub(super) fn draw(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, at: usize) {
    let Some(serving) = app.wire.serving.clone() else { return };
    let mut lines = Vec::new();
    for (name, url) in &serving.endpoints {
        lines.push(Line::new().seg(format!("{name}  "), Role::Dim).seg(url, Role::Accent).hang(2));
    }
    lines.push(Line::new());
    for (number, client) in serving.clients.iter().enumerate() {
        let chosen = number == at;
        let sign = if chosen { "› " } else { "  " };
        let line =
            Line::new().seg(sign, Role::Accent).seg(client.client, if chosen { Role::Title } else { Role::Text });
        lines.push(line.seg(format!("  {}", client.place), Role::Dim).hang(4));
    }
    if let Some(client) = serving.clients.get(at) {
        lines.push(Line::new());
        lines.extend(client.text.lines().map(|line| Line::new().seg(line, Role::Text).hang(4)));
    }
    framed(app, canvas, area, " Clients of the proxy ", &lines);
}

pub(super) fn ask(app: &mut App, canvas: &mut Canvas<'_>, area: Rect, ask: &Ask) {
    let keys =
        Line::new().seg("y", Role::Accent).seg(" yes   ", Role::Dim).seg("n", Role::Accent).seg(" no", Role::Dim);
    let (title, mut lines) = match ask {
        Ask::Write => {
            let tool = app.selected().map(|entry| entry.tool.clone());
            let mut line = Line::new();
            if let Some(tool) = tool {
                line = line.seg(&tool.named.name, Role::Title).seg(" is ", Role::Text);
                line = line.seg(&*tool.operation.method, Role::Accent).seg(" and may change something.", Role::Text);
            }
            let mut more = Line::new().seg("Send it", Role::Text);
            if let Some(server) = &app.call.judged.server {
                more = more.seg(" to ", Role::Text).seg(server, Role::Accent);
            }
            let more = more.seg("? Calls of this session are not asked about again.", Role::Text);
            let mut lines = vec![line, more];
            if app.destination.is_production() {
                lines.push(Line::new().seg("What is done there is done in PRODUCTION.", Role::Error));
            }
            (" A call that writes ", lines)
        }
        Ask::SmokeWrites(count) => {
            let cases = if *count == 1 { "One case".to_owned() } else { format!("{count} cases") };
            let line = Line::new().seg(cases, Role::Title).seg(" may change something.", Role::Text);
            let more = Line::new().seg("Run on ", Role::Text).seg(app.smoke.place().label(), Role::Accent);
            let more = more.seg("? Runs of this session are not asked about again.", Role::Text);
            (" Cases that write ", vec![line, more])
        }
        Ask::Quit if app.call.running.is_none() => {
            (" Quit? ", vec![Line::new().seg("A smoke run goes on. It is given up when the program ends.", Role::Text)])
        }
        Ask::Quit => {
            (" Quit? ", vec![Line::new().seg("A call runs. It is given up when the program ends.", Role::Text)])
        }
    };
    lines.push(Line::new());
    lines.push(keys);
    framed(app, canvas, area, title, &lines);
}
