//! Whole screens as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::derive::{Operation, Tool};
use crate::tui::app::fixture::{answer, app, checked, demo, failure, loaded, many, shop, text_snapshot};
use crate::tui::app::{App, Effect, Msg};
use crate::tui::runtime::{Input, Program};
use crate::tui::theme::Theme;

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

/// The shop with one tool changed.
fn altered(change: impl FnOnce(&mut Tool, &mut Operation)) -> App {
    let mut snapshot = (*shop()).clone();
    let mut catalog = (*snapshot.catalog).clone();
    let mut tool = (*catalog.tools[0]).clone();
    let mut operation = (*tool.operation).clone();
    change(&mut tool, &mut operation);
    tool.operation = Arc::new(operation);
    catalog.tools[0] = Arc::new(tool);
    snapshot.catalog = Arc::new(catalog);
    checked(Arc::new(snapshot))
}

/// Keys as they are written in key maps, apart by blanks; everything else is typed letter by letter. What is asked of
/// arguments is answered; gives what else is to be done.
pub(crate) fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut left = Vec::new();
    let mut hit = |app: &mut App, code: KeyCode| {
        let effects = app.input(Input::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        let (asked, rest) = effects
            .into_iter()
            .partition(|effect| matches!(effect, Effect::Judge(_) | Effect::Study(_) | Effect::CheckText(_)));
        answer(app, asked);
        left.extend::<Vec<Effect>>(rest);
    };
    for word in keys.split(' ') {
        let code = match word {
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            "Down" => KeyCode::Down,
            "Up" => KeyCode::Up,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            "Space" => KeyCode::Char(' '),
            letters => {
                for c in letters.chars() {
                    hit(app, KeyCode::Char(c));
                }
                continue;
            }
        };
        hit(app, code);
    }
    left
}

/// A loaded shop after some keys; a first frame is drawn so that pages have a height.
pub(super) fn after(keys: &str, columns: u16, rows: u16) -> String {
    let mut app = checked(shop());
    screen(&mut app, columns, rows);
    press(&mut app, keys);
    screen(&mut app, columns, rows)
}

pub(crate) const WIDE: (u16, u16) = (120, 40);
pub(crate) const MIDDLE: (u16, u16) = (80, 24);
pub(crate) const SMALL: (u16, u16) = (40, 12);

#[test]
fn screens_of_the_shop() {
    let cases = [
        ("list", "j"),
        ("name_conflict", "jjjjj"),
        ("name_cut", "G Enter"),
        ("hidden", "jjj"),
        ("schema", "j a Enter"),
        ("schema_unfolded", "j a Enter z"),
        ("schema_exact", "x"),
        ("request", "u Enter"),
        ("request_path", "jj u"),
        ("request_whole", "j u z Enter"),
        ("source_changed", "o"),
        ("source_removed", "jjj o"),
        ("source_elsewhere", "j o Enter G"),
        ("findings", "j f Enter"),
        ("cost", "j c"),
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

#[test]
fn foreign_text_does_nothing_to_the_screen() {
    let evil = "a\u{1b}[31m\u{202e}b\r\n\tc\u{200b}d\u{9b}2J";
    let mut app = altered(|tool, operation| {
        tool.named.name = evil.to_owned();
        operation.path = evil.into();
        operation.title = Some(evil.to_owned());
        operation.description = evil.to_owned();
        operation.tags = vec![evil.into()];
        operation.method = evil.into();
    });
    for keys in ["w", "a", "o", "f", "c", "bb", "2", "z", "7", "v", "Esc", "/ ab"] {
        press(&mut app, keys);
        for (columns, rows) in [WIDE, MIDDLE, SMALL] {
            let text = screen(&mut app, columns, rows);
            let harmful = |c: &char| c.is_control() && *c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}');
            assert_eq!(text.chars().find(harmful), None, "{keys} at {columns}x{rows}");
        }
    }
}

#[test]
fn wide_letters_do_not_move_what_is_right_of_them() {
    let mut app = altered(|tool, operation| {
        tool.named.name = "注文の追跡イベント".repeat(8);
        operation.path = "/注文の追跡イベント".repeat(8).into();
    });
    for keys in ["", "?", "Esc", ":", "Esc", "2", "7", "v"] {
        press(&mut app, keys);
        for columns in 100..140 {
            let mut terminal = Terminal::new(TestBackend::new(columns, 30)).unwrap();
            terminal.draw(|frame| app.draw(frame)).unwrap();
            let buffer = terminal.backend().buffer();
            for y in 0..30 {
                for x in 0..columns - 1 {
                    let wide = crate::tui::text::width(buffer[(x, y)].symbol()) == 2;
                    let next = buffer[(x + 1, y)].symbol();
                    assert!(
                        !wide || next == " " || next.is_empty(),
                        "{next:?} lies in a letter at {x},{y} of {columns}"
                    );
                }
                assert_ne!(crate::tui::text::width(buffer[(columns - 1, y)].symbol()), 2, "a letter leaves the screen");
            }
        }
    }
}

#[test]
fn a_theme_with_ascii_draws_ascii_alone() {
    let mut app = checked(many(200));
    let mut theme = Theme::built_in("mono").unwrap();
    theme.ascii = true;
    app.theme = Arc::new(theme);
    for keys in ["", "a", "o", "f", "c", "?", "Esc", ":", "Esc", "bbb", "2", "Tab", "7", "v a", "Esc", "/ inv"] {
        press(&mut app, keys);
        for (columns, rows) in [WIDE, MIDDLE, SMALL] {
            let text = screen(&mut app, columns, rows);
            assert!(text.is_ascii(), "{keys}:\n{text}");
        }
    }
}

#[test]
fn matched_letters_are_marked_where_they_are() {
    let mut app = loaded(shop());
    press(&mut app, "/ gtp Enter");
    let mut terminal = Terminal::new(TestBackend::new(120, 20)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let underlined = ratatui::style::Modifier::UNDERLINED;
    let marked: String = (8..30)
        .map(|x| &buffer[(x, 3)])
        .filter(|cell| cell.modifier.contains(underlined))
        .map(|cell| cell.symbol())
        .collect();
    assert_eq!(marked, "gtP");
}

#[test]
fn an_operation_on_one_long_line_is_shown_as_json() {
    let text = format!("{{\"x\":\"{}\"}}", "y".repeat(3_000));
    let mut snapshot = (*shop()).clone();
    let mut catalog = (*snapshot.catalog).clone();
    let mut sources = (*catalog.sources).clone();
    sources.put(crate::document::SourceFile::new("shop.yaml", text));
    catalog.sources = Arc::new(sources);
    snapshot.catalog = Arc::new(catalog);
    let mut app = loaded(Arc::new(snapshot));
    press(&mut app, "o");
    let text = screen(&mut app, 120, 40);
    assert!(text.contains("on one very long line") && text.contains("\"operationId\": \"listPets\""), "{text}");
    assert!(text.contains("shop-overlay.yaml:6 #1"), "the changes are named all the same:\n{text}");
}

#[test]
fn the_cursor_is_in_the_field_that_has_the_keys() {
    for (keys, expected) in [("/ ab", Some((5, 1))), (":", Some((28, 14))), ("Esc", None)] {
        let mut app = loaded(shop());
        press(&mut app, keys);
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
        terminal.draw(|frame| app.draw(frame)).unwrap();
        let cursor = terminal.backend().cursor_visible().then(|| terminal.backend().cursor_position());
        assert_eq!(cursor.map(|at| (at.x, at.y)), expected, "{keys}");
    }
}

#[test]
fn an_operation_of_an_overlay_is_shown_in_the_overlay() {
    let overlay = shop().catalog.sources.find("shop-overlay.yaml").unwrap();
    let mut app = altered(|_, operation| {
        let mut origin = crate::document::Origin::new(overlay, 80, 200);
        origin.action = Some(0);
        operation.place.origin = origin;
        operation.node.origin = origin;
    });
    press(&mut app, "o");
    let text = screen(&mut app, 120, 40);
    assert!(text.contains("written by the overlay action"), "{text}");
    assert!(text.contains("    6   ") && text.contains("target: $.paths['/pets'].get"), "{text}");
}

#[test]
fn screens_of_the_demo() {
    let mut app = checked(demo());
    for (name, keys) in [("demo", ""), ("demo_conflict", "/ conflict"), ("demo_cut", "Esc Esc / truncated")] {
        press(&mut app, keys);
        insta::assert_snapshot!(name, screen(&mut app, 160, 45));
    }
}

#[test]
fn of_two_actions_on_one_node_the_later_has_the_word() {
    let document = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /x:\n    get:\n      summary: one\n";
    let action = |text: &str| format!("  - target: $.paths['/x'].get\n    update: {{summary: {text}}}\n");
    let overlay =
        format!("overlay: 1.0.0\ninfo: {{title: O, version: '1'}}\nactions:\n{}{}", action("two"), action("three"));
    let mut app = loaded(Arc::new(text_snapshot("a.yaml", document, &[("o.yaml", &overlay)])));
    press(&mut app, "o");
    let text = screen(&mut app, 180, 20);
    assert!(text.contains("o.yaml:4 #1  summary is changed, and again by o.yaml:6 #2"), "{text}");
    assert!(text.contains("o.yaml:6 #2  summary is now \"three\""), "{text}");
}
