//! The screen of overlays as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use super::tests::{MIDDLE, SMALL, WIDE, press, screen};
use crate::tui::app::App;
use crate::tui::app::fixture::{edited, loaded, overlaid, shop};
use crate::tui::runtime::{Input, Program};
use crate::tui::theme::Theme;

const SIZES: [(&str, (u16, u16)); 3] = [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)];

/// The flawed overlays after some keys; texts of files are known and drafts are derived.
fn after(keys: &[&str], columns: u16, rows: u16) -> (App, String) {
    let mut app = overlaid();
    screen(&mut app, columns, rows);
    for keys in keys {
        match keys.strip_prefix("paste ") {
            Some(text) => {
                let effects = app.input(Input::Paste(text.to_owned()));
                edited(&mut app, effects);
            }
            None => {
                let effects = press(&mut app, keys);
                edited(&mut app, effects);
            }
        }
        screen(&mut app, columns, rows);
    }
    let text = screen(&mut app, columns, rows);
    (app, text)
}

#[test]
fn screens_of_overlays() {
    let cases: [(&str, &[&str]); 18] = [
        ("matches", &["3"]),
        ("no_match", &["3 JJ Enter"]),
        ("no_change", &["3 JJJ Enter"]),
        ("overridden", &["3 JJJJ Enter"]),
        ("surprise", &["3 JJJJJ Enter"]),
        ("document", &["3 Tab Enter"]),
        ("document_removed", &["3 JJJJJJJ Tab Enter"]),
        ("document_before", &["3 v Enter"]),
        ("document_after", &["3 v v Enter"]),
        ("tools", &["3 Tab Tab Enter"]),
        ("source", &["3 Tab Tab Tab Enter"]),
        ("file", &["3 Up Tab"]),
        ("folded", &["3 Up Enter"]),
        ("filter", &["3 / nomatch Enter"]),
        ("filter_nothing", &["3 / zzz"]),
        ("hint", &["3 G"]),
        ("hints", &["3 G Up"]),
        ("take_over", &["3 JJ a"]),
    ];
    for (name, keys) in cases {
        for (size, (columns, rows)) in SIZES {
            insta::assert_snapshot!(format!("overlays_{name}_{size}"), after(keys, columns, rows).1);
        }
    }
}

#[test]
fn screens_of_a_text() {
    let cases: [(&str, &[&str]); 8] = [
        ("text", &["3 i"]),
        ("text_typed", &["3 i", "paste x"]),
        ("text_fault", &["3 i Enter", "paste ]"]),
        ("text_completion", &["3 i Down Down Enter", "x-mcp-r"]),
        ("text_targets", &["3 i", "paste .", "g"]),
        ("text_jq", &["3 i Down Down Enter", "paste x-mcp-request-transform: '{query: {limit: .limit}}'"]),
        ("text_no_jq", &["3 i Down Down Enter", "paste x-mcp-request-transform: '{query: '"]),
        ("text_nothing", &["3 JJ i"]),
    ];
    for (name, keys) in cases {
        for (size, (columns, rows)) in SIZES {
            insta::assert_snapshot!(format!("overlays_{name}_{size}"), after(keys, columns, rows).1);
        }
    }
}

#[test]
fn where_each_field_comes_from() {
    let mut app = loaded(shop());
    screen(&mut app, 120, 40);
    press(&mut app, "o Enter G");
    insta::assert_snapshot!("overlays_blame_wide", screen(&mut app, 120, 40));
}

#[test]
fn a_theme_with_ascii_draws_ascii_alone() {
    let mut app = overlaid();
    let mut theme = Theme::built_in("mono").unwrap();
    theme.ascii = true;
    app.theme = Arc::new(theme);
    for keys in ["3", "Tab", "Tab", "Tab", "JJ", "Tab", "Up", "i", "Enter", "x"] {
        let effects = press(&mut app, keys);
        edited(&mut app, effects);
        for (_, (columns, rows)) in SIZES {
            let text = screen(&mut app, columns, rows);
            assert!(text.is_ascii(), "{keys}:\n{text}");
        }
    }
}

#[test]
fn no_size_is_too_small() {
    for keys in [&["3"][..], &["3 Enter"], &["3 i", "x-"], &["3 JJ a"]] {
        let (mut app, _) = after(keys, 120, 40);
        for (columns, rows) in [(1, 1), (10, 3), (20, 5), (40, 10), (60, 4), (200, 6), (300, 80)] {
            screen(&mut app, columns, rows);
        }
    }
}
