//! The screens of findings and targets as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::tests::{MIDDLE, SMALL, WIDE, after, press, screen};
use crate::tui::app::fixture::{checked, demo, loaded, many, shop};

#[test]
fn screens_of_findings_and_targets() {
    let cases = [
        ("screen_findings", "2"),
        ("screen_findings_one", "2 jj Tab"),
        ("screen_findings_all", "2 t / target:gemini Enter"),
        ("screen_targets", "7"),
        ("screen_targets_cell", "7 Right Right j j Enter"),
        ("screen_targets_all", "7 kkkkkk s s"),
        ("screen_meter", "7 v storefront-production-of-the-whole-company"),
    ];
    for (name, keys) in cases {
        for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
            insta::assert_snapshot!(format!("{name}_{size}"), after(keys, columns, rows));
        }
    }
}

#[test]
fn before_the_targets_answer_the_screens_say_so() {
    let mut app = loaded(shop());
    app.checks.checking = true;
    for (name, keys) in [("unchecked_findings", "2"), ("unchecked_targets", "7")] {
        press(&mut app, keys);
        insta::assert_snapshot!(name, screen(&mut app, 80, 16));
    }
}

#[test]
fn screens_of_the_demo_with_findings_and_targets() {
    let mut app = checked(demo());
    for (name, keys) in [("demo_findings", "2"), ("demo_targets", "7")] {
        press(&mut app, keys);
        insta::assert_snapshot!(name, screen(&mut app, 160, 45));
    }
}

#[test]
fn a_large_table_scrolls_both_ways() {
    let mut app = checked(many(300));
    screen(&mut app, 120, 40);
    press(&mut app, "7 G Right Right Right Right Right Right Right Right Right Right");
    insta::assert_snapshot!("many_targets", screen(&mut app, 120, 40));
}
