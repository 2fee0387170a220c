//! What keys, the mouse and messages do to the state.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use core::time::Duration;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::call::{Ending, Outcome};
use super::fixture::{answer, app, checked, failure, loaded, many, shop};
use super::memory::Memory;
use super::tools::Query;
use super::{App, Effect, Focus, Msg};
use crate::tui::runtime::{Control, Input, Program};
use crate::tui::view::record::{record, serving};
use crate::tui::view::tests::{press, screen};

mod anything;

fn name(app: &App) -> &str {
    app.selected().map_or("", |entry| &entry.tool.named.name)
}

/// The shop on a screen of that size.
fn drawn(columns: u16, rows: u16) -> App {
    let mut app = loaded(shop());
    screen(&mut app, columns, rows);
    app
}

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> Input {
    Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
}

#[test]
fn the_filter_understands_its_words() {
    let cases: [(&str, &[&str]); 16] = [
        ("", &["listPets", "createPet", "getPet", "deletePet", "list_store_orders", "list_store_orders", "64"]),
        ("method:get tag:pets", &["listPets", "getPet"]),
        ("method:post,delete", &["createPet", "deletePet"]),
        ("conflict", &["list_store_orders", "list_store_orders"]),
        ("truncated", &["64"]),
        ("hidden", &["deletePet"]),
        ("!hidden source:operationId", &["listPets", "createPet", "getPet"]),
        ("changed", &["listPets", "createPet", "deletePet"]),
        ("source:slug !conflict", &["64"]),
        ("findings !truncated !method:post", &["list_store_orders", "list_store_orders"]),
        ("upstream:shop hidden", &["deletePet"]),
        ("upstream:other", &[]),
        ("old way", &["list_store_orders"]),
        ("!pet", &["list_store_orders", "list_store_orders", "64"]),
        ("^getp", &["getPet"]),
        ("^get Pet$", &["getPet"]),
    ];
    for (filter, expected) in cases {
        let mut app = drawn(120, 40);
        press(&mut app, "/");
        app.input(Input::Paste(filter.to_owned()));
        let names: Vec<&str> = app
            .list
            .rows()
            .iter()
            .filter_map(|row| match row {
                super::tools::Row::Tool(at) => app.index.get(*at),
                super::tools::Row::Group(..) => None,
            })
            .map(|entry| if entry.marks.truncated { "64" } else { entry.tool.named.name.as_str() })
            .collect();
        assert_eq!(names, expected, "{filter}");
    }
}

#[test]
fn a_filter_says_what_it_does_not_understand() {
    let cases = [
        ("source:foo", Some("`source:` is one of override, operationId, slug")),
        ("tag:", Some("`tag:` wants a value")),
        ("http://x", None),
        ("source:o,s", None),
        ("target:", Some("`target:` wants a value")),
    ];
    for (filter, problem) in cases {
        assert_eq!(Query::parse(filter).problem.as_deref(), problem, "{filter}");
    }
}

#[test]
fn the_best_match_comes_first_and_is_selected() {
    let mut app = drawn(120, 40);
    press(&mut app, "/getpet");
    assert_eq!(name(&app), "getPet");
    press(&mut app, "Esc");
    assert_eq!((app.focus(), app.list.filter.text()), (Focus::List, "getpet"), "leaving the field keeps the filter");
    press(&mut app, "Esc");
    assert_eq!((app.list.filter.text(), name(&app)), ("", "getPet"), "without the filter the tool stays selected");
    press(&mut app, "Esc Esc Esc");
    assert_eq!(app.control(), None, "Esc never quits");
}

#[test]
fn keys_in_a_field_are_text() {
    let mut app = drawn(120, 40);
    press(&mut app, "/qmr?: Space e");
    assert_eq!(app.control(), None);
    assert_eq!(app.list.filter.text(), "qmr?: e");
    assert!(app.mouse && app.layers.is_empty());
    app.input(Input::Paste("\nq".to_owned()));
    assert_eq!(app.list.filter.text(), "qmr?: e q");
}

#[test]
fn a_paste_outside_of_a_field_does_nothing() {
    let mut app = drawn(120, 40);
    assert!(app.input(Input::Paste("rq:".to_owned())).is_empty());
    assert_eq!(app.control(), None);
    assert_eq!((app.layers.len(), app.list.filter.text()), (0, ""));
}

#[test]
fn esc_peels_one_layer_at_a_time() {
    let mut app = drawn(120, 40);
    press(&mut app, "/pet Enter Enter ? :");
    assert_eq!((app.layers.len(), app.focus()), (2, Focus::Detail));
    for expected in
        [(1, Focus::Detail, "pet"), (0, Focus::Detail, "pet"), (0, Focus::List, "pet"), (0, Focus::List, "")]
    {
        press(&mut app, "Esc");
        assert_eq!((app.layers.len(), app.focus(), app.list.filter.text()), expected);
    }
    press(&mut app, "q");
    assert_eq!(app.control(), Some(Control::Quit));
}

#[test]
fn q_in_a_layer_closes_it() {
    let mut app = drawn(120, 40);
    press(&mut app, "? q");
    assert_eq!((app.layers.len(), app.control()), (0, None));
}

#[test]
fn keys_under_the_help_do_nothing() {
    let mut app = drawn(120, 40);
    press(&mut app, "? n e y Enter m o 2 /");
    assert_eq!(app.control(), None);
    assert_eq!((name(&app), app.focus(), app.layers.len(), app.mouse), ("listPets", Focus::List, 1, true));
    press(&mut app, "jj");
    assert!(matches!(app.layers[0], super::model::Layer::Help(2)));
}

#[test]
fn a_key_that_does_nothing_says_why() {
    let cases = [
        ("1 C", "C has no action; ? lists the keys"),
        ("1 J", "J is a key of the screen Overlays; ? lists those of this one"),
        ("2 A", "A is a key of the screen Tools; ? lists those of this one"),
        ("7 W", "W is a key of the screen Wire; ? lists those of this one"),
        ("2 f", "a kind is selected; unfold it and select one of its findings"),
    ];
    for (keys, expected) in cases {
        let mut app = drawn(120, 40);
        press(&mut app, keys);
        let note = app.note.as_ref().map(|note| note.text.as_str());
        assert_eq!(note, Some(expected), "{keys}");
    }
    // Under the help there is nothing to see it on.
    let mut app = drawn(120, 40);
    press(&mut app, "? C");
    assert_eq!(app.note, None);
}

#[test]
fn the_palette_does_what_it_finds() {
    let mut app = drawn(120, 40);
    press(&mut app, ": findings Space tab Enter");
    assert!(app.layers.is_empty());
    assert_eq!(app.detail.tab(), super::detail::Tab::Findings);
}

#[test]
fn the_editor_opens_at_the_selected_thing() {
    let cases = [
        ("e", "shop.yaml", 8),
        ("jjjj e", "shop.yaml", 67),
        // The summary's line, then the line that says what the overlay made of it.
        ("o Enter jjjjj e", "shop.yaml", 10),
        ("o Enter jjjjjj e", "shop-overlay.yaml", 6),
        ("jjj Enter jjjjj e", "shop-overlay.yaml", 13),
    ];
    for (keys, file, line) in cases {
        let mut app = drawn(120, 40);
        for key in keys.split(' ') {
            press(&mut app, key);
            screen(&mut app, 120, 40);
        }
        let expected = Control::Edit { file: PathBuf::from(file), line: Some(line) };
        assert_eq!(app.control(), Some(expected), "{keys}");
    }
}

#[test]
fn a_document_from_the_net_has_no_editor() {
    let mut snapshot = (*shop()).clone();
    snapshot.files.clear();
    let mut app = loaded(std::sync::Arc::new(snapshot));
    press(&mut app, "e");
    assert_eq!(app.control(), None);
    assert!(app.note.as_ref().is_some_and(|note| note.error && note.text.contains("shop.yaml")));
}

#[test]
fn keys_faster_than_frames_reach_the_right_page() {
    for (columns, rows) in [(120, 40), (60, 20)] {
        let mut app = drawn(columns, rows);
        press(&mut app, "o y");
        let Some(Control::Copy(text)) = app.control() else { panic!("nothing is copied") };
        assert!(text.contains("operationId: listPets"), "{text}");
        press(&mut app, "Enter G");
        screen(&mut app, columns, rows);
        assert_eq!(app.pane().cursor() + 1, app.pane().laid().len(), "at {columns}x{rows}");
    }
}

#[test]
fn copies_are_of_what_is_open() {
    let mut app = drawn(120, 40);
    press(&mut app, "y");
    assert_eq!(app.control(), Some(Control::Copy("listPets".to_owned())));
    press(&mut app, "a y");
    let Some(Control::Copy(json)) = app.control() else { panic!("nothing is copied") };
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["properties"]["limit"]["maximum"], 100);
}

#[test]
fn a_line_that_names_a_tool_leads_to_it() {
    let mut app = drawn(120, 40);
    press(&mut app, "/conflict Enter");
    let first = app.list.selected();
    press(&mut app, "Enter");
    screen(&mut app, 120, 40);
    for _ in 0..40 {
        if app.pane().line().is_some_and(|line| line.act.is_some()) {
            break;
        }
        press(&mut app, "j");
    }
    press(&mut app, "Enter");
    assert_eq!(name(&app), "list_store_orders");
    assert_ne!(app.list.selected(), first);
}

#[test]
fn a_reload_keeps_the_tool_and_a_failed_one_keeps_the_catalog() {
    let mut app = drawn(120, 40);
    press(&mut app, "jj");
    assert_eq!(name(&app), "getPet");
    assert_eq!(app.message(Msg::FilesChanged), [Effect::Load { generation: 2 }]);
    assert_eq!(app.message(Msg::FilesChanged), [Effect::Load { generation: 3 }], "the newest wins");
    // Without the first tool everything moves up by one.
    let mut snapshot = (*shop()).clone();
    let mut catalog = (*snapshot.catalog).clone();
    catalog.tools.remove(0);
    snapshot.catalog = std::sync::Arc::new(catalog);
    assert!(app.message(Msg::Loaded(2, Err(failure()))).is_empty());
    assert!(app.load.failure.is_none() && app.load.running, "an older answer does not count");
    app.message(Msg::Loaded(3, Ok(std::sync::Arc::new(snapshot))));
    assert_eq!((name(&app), app.list.cursor()), ("getPet", Some(1)));
    assert_eq!(app.note, None, "nobody asked for it");
    press(&mut app, "r");
    app.message(Msg::Loaded(4, Ok(shop())));
    assert_eq!(app.note.as_ref().unwrap().text, "all files are read again");
    press(&mut app, "r");
    let effects = app.message(Msg::Loaded(5, Err(failure())));
    assert!(effects.is_empty(), "all files are watched already");
    assert_eq!((name(&app), app.load.failure.is_some()), ("getPet", true));
    press(&mut app, "E");
    let expected = Control::Edit { file: PathBuf::from("shop.yaml"), line: Some(7) };
    assert_eq!(app.control(), Some(expected));
}

#[test]
fn a_first_load_that_fails_is_watched_and_can_be_edited() {
    let mut app = app(&["shop.yaml"]);
    assert_eq!(app.start(), [Effect::Load { generation: 1 }]);
    let effects = app.message(Msg::Loaded(1, Err(failure())));
    assert_eq!(effects, [Effect::Watch(vec![PathBuf::from("shop.yaml")])]);
    press(&mut app, "e");
    let expected = Control::Edit { file: PathBuf::from("shop.yaml"), line: Some(7) };
    assert_eq!(app.control(), Some(expected));
    app.message(Msg::FilesChanged);
    app.message(Msg::Loaded(2, Ok(shop())));
    assert_eq!(name(&app), "listPets");
}

#[test]
fn groups_and_orders_keep_the_selection() {
    let mut app = drawn(120, 40);
    press(&mut app, "jj");
    for key in ["b", "b", "b", "b", "s", "s", "s", "s"] {
        press(&mut app, key);
        assert_eq!(name(&app), "getPet", "after {key}");
    }
    press(&mut app, "s g");
    assert_eq!(name(&app), "createPet", "by name");
}

#[test]
fn problems_are_found_around_the_end() {
    let mut app = drawn(120, 40);
    let mut seen = Vec::new();
    for _ in 0..4 {
        press(&mut app, "n");
        seen.push(app.list.cursor().unwrap());
    }
    assert_eq!(seen, [4, 5, 6, 4]);
    press(&mut app, "N");
    assert_eq!(app.list.cursor(), Some(6));
}

#[test]
fn the_mouse_selects_scrolls_and_drags() {
    let mut app = drawn(120, 40);
    // Status, filter, headings, then the tools.
    app.input(mouse(MouseEventKind::Down(MouseButton::Left), 12, 5));
    assert_eq!(name(&app), "getPet");
    app.input(mouse(MouseEventKind::Down(MouseButton::Left), 60, 20));
    app.input(mouse(MouseEventKind::Drag(MouseButton::Left), 80, 20));
    app.input(mouse(MouseEventKind::Up(MouseButton::Left), 80, 20));
    app.input(mouse(MouseEventKind::Drag(MouseButton::Left), 20, 20));
    assert_eq!(app.split.beside, 66);
    let mut app = loaded(many(100));
    screen(&mut app, 120, 40);
    app.input(mouse(MouseEventKind::ScrollDown, 12, 12));
    screen(&mut app, 120, 40);
    assert_eq!((app.list.offset, app.list.cursor()), (3, Some(0)), "the wheel moves the window, not the selection");
    press(&mut app, "m");
    assert!(!app.wants_mouse());
}

#[test]
fn narrow_screens_show_one_pane_at_a_time() {
    let mut app = drawn(60, 20);
    press(&mut app, "a");
    assert_eq!(app.focus(), Focus::Detail, "a tab must be seen to be read");
    press(&mut app, "Esc");
    assert_eq!(app.focus(), Focus::List);
}

#[test]
fn every_action_has_a_key_and_a_footer_key_is_in_the_help() {
    let app = drawn(120, 40);
    for spec in super::actions::ACTIONS {
        assert!(!app.keymap.keys_for(spec.id).is_empty(), "{} has no key", spec.id);
        assert_eq!(super::actions::by_id(spec.id), Some(spec.action), "{} is there twice", spec.id);
    }
}
