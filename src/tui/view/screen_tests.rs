//! The screens of findings and targets as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::tests::{MIDDLE, SMALL, WIDE, after, press, screen};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyCode;

use super::record::{conversation, record, serving};
use crate::tui::app::Msg;
use crate::tui::app::call::Outcome;
use crate::tui::app::fixture::{checked, demo, loaded, many, shop};
use crate::tui::runtime::{Input, Program};

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
fn screens_of_calls() {
    let cases = [
        ("call", "jj 4"),
        ("call_filled", "j 4 a"),
        ("call_no_json", "jj 4 Enter Down Right Right x"),
        ("call_misfit", ""),
        ("call_ask", "j 4 c"),
        ("call_running", "jj 4 c"),
        ("call_result", "jj 4 c"),
        ("call_error", "jj 4 c"),
    ];
    for (name, keys) in cases {
        for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
            let mut app = checked(shop());
            screen(&mut app, columns, rows);
            if name == "call_misfit" {
                press(&mut app, "jj 4 Enter");
                (0..20).for_each(|_| {
                    app.input(Input::Key(KeyCode::Delete.into()));
                });
                press(&mut app, "{\"petId\":{},\"tag\":1} Esc Tab");
            } else {
                press(&mut app, keys);
            }
            if name == "call_running" {
                app.message(Msg::Ticked(1, Duration::from_millis(4560)));
            }
            if let Some((text, is_error)) = match name {
                "call_result" => {
                    Some(("{\"id\":3,\"name\":\"a\\u001b[31mb\",\"tags\":[\"x\",null],\"price\":1.50}", false))
                }
                "call_error" => Some(("The API at http://127.0.0.1:4010 cannot be reached.\u{1b}[2J", true)),
                _ => None,
            } {
                let result = serde_json::json!({"content": [{"type": "text", "text": text}], "isError": is_error});
                let outcome = Outcome::of("getPet", &result, Some(&record()[0]), Duration::from_millis(5));
                app.message(Msg::Answered(1, Arc::new(outcome)));
            }
            insta::assert_snapshot!(format!("{name}_{size}"), screen(&mut app, columns, rows));
        }
    }
}

#[test]
fn screens_of_the_record_and_the_proxy() {
    let cases =
        [("wire", "5 g"), ("wire_hop", "5 g j Enter"), ("wire_failed", "5 g n Enter"), ("wire_clients", "5 P j")];
    for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
        insta::assert_snapshot!(format!("wire_empty_{size}"), after("5", columns, rows));
        for (name, keys) in cases {
            let mut app = checked(shop());
            app.message(Msg::Recorded(record()));
            app.message(Msg::Served(Ok(Some(serving()))));
            screen(&mut app, columns, rows);
            press(&mut app, keys);
            insta::assert_snapshot!(format!("{name}_{size}"), screen(&mut app, columns, rows));
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

#[test]
fn screens_of_smoke_runs() {
    use crate::session::{CaseResult, Check, DriftPoint, Verdict};
    use crate::tui::app::smoke_tests::{app, result};
    let check =
        |what: &str, why: &str| Check { what: what.to_owned(), ok: why.is_empty(), why: why.to_owned(), drift: false };
    let call = record()[0].clone();
    let failed = CaseResult {
        status: Some(200),
        exchange: Some(call.clone()),
        elapsed: Duration::from_millis(12),
        checks: vec![check("status 200", ""), check("$.name equals \"Rex\"", "`$.name` is \"Max\", not \"Rex\"")],
        ..CaseResult::failed("`$.name` is \"Max\", not \"Rex\"")
    };
    let point = DriftPoint {
        pointer: "/0/name".to_owned(),
        rule: "type".to_owned(),
        message: "must be string, not null".to_owned(),
        remedy: Some("allow null".to_owned()),
        fix: vec![crate::tui::app::fixture::json_node(
            "{\"target\": \"$.components.schemas.Pet.properties.name\", \"update\": {\"nullable\": true}}",
        )],
    };
    let drifted = CaseResult {
        verdict: Verdict::Drift,
        drift: vec![point],
        exchange: Some(call),
        status: Some(200),
        ..failed.clone()
    };
    let drifted =
        CaseResult { why: "/0/name: must be string, not null (type)".to_owned(), checks: Vec::new(), ..drifted };
    for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
        let mut app = app();
        screen(&mut app, columns, rows);
        insta::assert_snapshot!(format!("smoke_{size}"), screen(&mut app, columns, rows));
        press(&mut app, "a");
        insta::assert_snapshot!(format!("smoke_ask_{size}"), screen(&mut app, columns, rows));
        press(&mut app, "y");
        let news = vec![
            (0, Some(result(Verdict::Pass, ""))),
            (1, Some(Arc::new(failed.clone()))),
            (2, Some(Arc::new(drifted.clone()))),
            (3, Some(result(Verdict::Skipped, "nothing of its suite was run"))),
            (4, None),
        ];
        app.message(Msg::SmokeWentOn(1, news));
        press(&mut app, "g j");
        insta::assert_snapshot!(format!("smoke_running_{size}"), screen(&mut app, columns, rows));
        app.message(Msg::SmokeEnded(1, Ok(())));
        insta::assert_snapshot!(format!("smoke_ended_{size}"), screen(&mut app, columns, rows));
        press(&mut app, "Enter");
        insta::assert_snapshot!(format!("smoke_failed_{size}"), screen(&mut app, columns, rows));
        press(&mut app, "Esc j Enter");
        insta::assert_snapshot!(format!("smoke_drift_{size}"), screen(&mut app, columns, rows));
    }
}

#[test]
fn messages_that_are_no_calls_are_in_the_record() {
    for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
        for (name, keys) in [("wire_messages", "5 g"), ("wire_told", "5 G"), ("wire_list", "5 g j j Enter")] {
            let mut app = checked(shop());
            app.message(Msg::Recorded(conversation()));
            screen(&mut app, columns, rows);
            press(&mut app, keys);
            insta::assert_snapshot!(format!("{name}_{size}"), screen(&mut app, columns, rows));
        }
    }
}
