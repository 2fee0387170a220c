//! Whole screens as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::tui::app::fixture::{app, failure, loaded, many, shop};
use crate::tui::app::{App, Msg};
use crate::tui::runtime::{Input, Program};

/// The screen as text, without blanks at the ends of lines.
pub(crate) fn screen(app: &mut App, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut out = String::new();
    for y in 0..rows {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..columns {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                line.push_str(symbol);
                skip = crate::tui::text::width(symbol).saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Keys as they are written in key maps, apart by blanks; everything else is typed letter by letter.
pub(crate) fn press(app: &mut App, keys: &str) {
    for word in keys.split(' ') {
        let code = match word {
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            "Down" => KeyCode::Down,
            "Up" => KeyCode::Up,
            "Space" => KeyCode::Char(' '),
            letters => {
                for c in letters.chars() {
                    app.input(Input::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
                }
                continue;
            }
        };
        app.input(Input::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
}

/// A loaded shop after some keys; a first frame is drawn so that pages have a height.
fn after(keys: &str, columns: u16, rows: u16) -> String {
    let mut app = loaded(shop());
    screen(&mut app, columns, rows);
    press(&mut app, keys);
    screen(&mut app, columns, rows)
}

const WIDE: (u16, u16) = (120, 40);
const MIDDLE: (u16, u16) = (80, 24);
const SMALL: (u16, u16) = (40, 12);

#[test]
fn screens_of_the_shop() {
    let cases = [
        ("list", "j"),
        ("name_conflict", "jjjjj"),
        ("name_cut", "G Enter"),
        ("hidden", "jjj"),
        ("schema", "j 2 Enter"),
        ("schema_unfolded", "j 2 Enter z"),
        ("schema_exact", "x"),
        ("source_changed", "3"),
        ("source_removed", "jjj 3"),
        ("source_elsewhere", "j 3 Enter G"),
        ("findings", "j 4 Enter"),
        ("filter", "/ ord"),
        ("filter_nothing", "/ zzzz"),
        ("filter_problem", "/ source:foo"),
        ("grouped", "bb"),
        ("help", "?"),
        ("palette", ": cop"),
    ];
    for (name, keys) in cases {
        for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
            insta::assert_snapshot!(format!("{name}_{size}"), after(keys, columns, rows));
        }
    }
}

#[test]
fn screens_without_a_catalog() {
    for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
        let mut reading = app(&["shop.yaml", "shop-overlay.yaml"]);
        reading.start();
        insta::assert_snapshot!(format!("reading_{size}"), screen(&mut reading, columns, rows));
        reading.message(Msg::Loaded(1, Err(failure())));
        insta::assert_snapshot!(format!("failed_{size}"), screen(&mut reading, columns, rows));
        let mut shown = loaded(shop());
        shown.message(Msg::FilesChanged);
        shown.message(Msg::Loaded(2, Err(failure())));
        insta::assert_snapshot!(format!("reload_failed_{size}"), screen(&mut shown, columns, rows));
        let mut empty = loaded(many(0));
        insta::assert_snapshot!(format!("empty_{size}"), screen(&mut empty, columns, rows));
    }
}

#[test]
fn a_large_catalog_has_a_scrollbar_and_a_summary() {
    let mut app = loaded(many(10_000));
    screen(&mut app, 200, 20);
    press(&mut app, "GG");
    insta::assert_snapshot!("many", screen(&mut app, 200, 20));
}
