//! What keys and answers do on the screens of calls and of the record, and to the proxy.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use core::time::Duration;
use std::sync::Arc;

use serde_json::json;

use super::call::{Ending, Outcome, Side};
use super::fixture::{loaded, shop};
use super::model::{Destination, Layer};
use super::screens::Screen;
use super::wire::Row;
use super::{App, Effect, Focus, Msg};
use crate::tui::runtime::{Control, Input, Notice, Program};
use crate::tui::view::record::{record, serving};
use crate::tui::view::tests::{press, screen};

/// The shop on the screen of calls, with the tool of that row.
fn calling(row: usize) -> App {
    let mut app = loaded(shop());
    screen(&mut app, 120, 40);
    press(&mut app, &"j".repeat(row));
    press(&mut app, "4");
    screen(&mut app, 120, 40);
    app
}

fn outcome(text: &str, is_error: bool) -> Arc<Outcome> {
    let result = json!({"content": [{"type": "text", "text": text}], "isError": is_error});
    Arc::new(Outcome::of("getPet", &result, None, Duration::from_millis(5)))
}

fn sent(effects: &[Effect]) -> Option<(u64, String, String)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Call(job) => Some((job.number, job.tool.clone(), json!(job.arguments).to_string())),
        _ => None,
    })
}

#[test]
fn a_call_starts_with_the_required_arguments_and_is_sent() {
    let mut app = calling(2);
    assert_eq!(app.call.editor.text(), "{\n  \"petId\": 1\n}");
    let effects = press(&mut app, "c");
    assert_eq!(sent(&effects), Some((1, "getPet".to_owned(), "{\"petId\":1}".to_owned())));
    assert_eq!(app.call.side, Side::Result);
    app.message(Msg::Ticked(1, Duration::from_millis(1230)));
    assert!(screen(&mut app, 120, 40).contains("running 1.2 s"));
    assert_eq!(sent(&press(&mut app, "c")), None, "one call at a time");
    app.message(Msg::Answered(9, outcome("of another call", false)));
    assert!(app.call.running.is_some());
    app.message(Msg::Answered(1, outcome("{\"id\":1}", false)));
    assert!(app.call.running.is_none());
    assert!(screen(&mut app, 120, 40).contains("\"id\": 1"));
    press(&mut app, "y");
    assert_eq!(app.control(), Some(Control::Copy("{\"id\":1}".to_owned())));
    press(&mut app, "v y");
    let Some(Control::Copy(curl)) = app.control() else { panic!("the command is copied") };
    assert!(curl.starts_with("curl ") && curl.contains("/pets/1"), "{curl}");
}

#[test]
fn a_text_that_is_no_json_is_not_sent_and_its_place_is_shown() {
    let mut app = calling(2);
    press(&mut app, "Enter");
    assert_eq!(app.focus(), Focus::Editor);
    press(&mut app, "Down Right Right x Esc");
    assert_eq!(app.focus(), Focus::List);
    assert_eq!(app.call.fault.as_ref().map(|fault| (fault.line, fault.column)), Some((2, 3)));
    let effects = press(&mut app, "c");
    assert_eq!(sent(&effects), None);
    assert!(app.note.as_ref().unwrap().text.starts_with("not sent: line 2, column 3"), "{:?}", app.note);
    assert_eq!((app.call.editor.row(), app.call.editor.column()), (1, 2));
}

#[test]
fn keys_and_pastes_in_the_editor_are_text() {
    let mut app = calling(2);
    press(&mut app, "Enter");
    press(&mut app, "cqx4");
    assert_eq!(app.control(), None);
    assert!(app.call.editor.text().starts_with("cqx4{"));
    app.input(Input::Paste("1\r\n\u{1b}2".to_owned()));
    assert!(app.call.editor.text().starts_with("cqx41\n2{"), "{}", app.call.editor.text());
}

#[test]
fn arguments_that_do_not_fit_are_named_and_drafts_are_kept() {
    let mut app = calling(2);
    press(&mut app, "Enter");
    for _ in 0..20 {
        press(&mut app, "Down");
    }
    press(&mut app, "Right");
    app.input(Input::Key(crossterm::event::KeyCode::End.into()));
    for _ in 0..20 {
        app.input(Input::Key(crossterm::event::KeyCode::Backspace.into()));
    }
    press(&mut app, "{\"petid\":true} Esc");
    let text = screen(&mut app, 120, 40);
    assert!(text.contains("the tool has no argument `petid`"), "{text}");
    press(&mut app, "1 j 4");
    assert_ne!(app.call.editor.text(), "{\"petid\":true}");
    press(&mut app, "1 k 4");
    assert_eq!(app.call.editor.text(), "{\"petid\":true}", "what was typed for a tool comes back");
    press(&mut app, "a");
    assert!(app.call.editor.text().contains("\"petId\""), "{}", app.call.editor.text());
}

#[test]
fn a_call_that_writes_is_asked_about_once() {
    let mut app = calling(1);
    assert_eq!(sent(&press(&mut app, "c")), None);
    assert!(matches!(app.layers.last(), Some(Layer::Ask(_))));
    assert_eq!(sent(&press(&mut app, "n")), None);
    assert!(app.layers.is_empty());
    press(&mut app, "c");
    assert_eq!(sent(&press(&mut app, "y")).map(|call| call.1), Some("createPet".to_owned()));
    app.message(Msg::Answered(1, outcome("done", false)));
    assert!(sent(&press(&mut app, "c")).is_some(), "asked once");

    let mut app = calling(1);
    app.destination = Destination::Mock;
    assert!(sent(&press(&mut app, "c")).is_some(), "a mock has nothing that could change");
}

#[test]
fn tools_that_cannot_be_called_say_why() {
    for (row, why) in [(3, "the tool is hidden"), (5, "another tool has this name")] {
        let mut app = calling(row);
        assert_eq!(sent(&press(&mut app, "c")), None, "row {row}");
        assert!(app.note.as_ref().unwrap().text.starts_with(why), "{:?}", app.note);
    }
}

#[test]
fn a_call_is_cancelled_and_quitting_asks_while_it_runs() {
    let mut app = calling(2);
    press(&mut app, "c q");
    assert_eq!(app.control(), None);
    press(&mut app, "Esc x");
    assert!(app.call.running.as_ref().unwrap().stopping);
    press(&mut app, "q y");
    assert_eq!(app.control(), Some(Control::Quit));
    let cancelled = Outcome::none("getPet", Ending::Cancelled, Duration::from_secs(1));
    app.message(Msg::Answered(1, Arc::new(cancelled)));
    press(&mut app, "q");
    assert_eq!(app.control(), Some(Control::Quit), "nothing runs any more");
}

#[test]
fn the_record_follows_the_newest_call_unless_one_looks_elsewhere() {
    let mut app = loaded(shop());
    screen(&mut app, 120, 40);
    press(&mut app, "5");
    let all = record();
    app.message(Msg::Recorded(all[..1].to_vec()));
    assert_eq!(app.wire.selected(), Some(Row::Call(0)));
    app.message(Msg::Recorded(all[..2].to_vec()));
    assert_eq!(app.wire.selected(), Some(Row::Call(1)));
    press(&mut app, "g j");
    assert_eq!(app.wire.selected(), Some(Row::Hop(0, 0)));
    app.message(Msg::Recorded(all.clone()));
    assert_eq!(app.wire.selected(), Some(Row::Hop(0, 0)));
    app.message(Msg::Recorded(all[1..].to_vec()));
    assert_eq!(app.wire.selected(), Some(Row::Call(1)), "it is gone from the record");
    press(&mut app, "N");
    assert_eq!(app.wire.selected(), Some(Row::Call(0)));
    let effects = press(&mut app, "w");
    assert!(matches!(&effects[..], [Effect::Export { har: false, calls }] if calls.0.len() == 2));
    app.message(Msg::Exported(Ok("/tmp/x.jsonl".into())));
    assert_eq!(app.note.as_ref().unwrap().text, "2 calls written to /tmp/x.jsonl");
}

#[test]
fn the_mouse_goes_to_the_text_and_turns_the_detail() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let click = |app: &mut App, column: u16, row: u16| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        app.input(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
        screen(app, 120, 40);
    };
    let mut app = calling(2);
    click(&mut app, 10, 4);
    assert_eq!((app.focus(), app.call.editor.row()), (Focus::Editor, 1));
    press(&mut app, "Esc c");
    app.message(Msg::Answered(1, outcome("{}", false)));
    screen(&mut app, 120, 40);
    assert_eq!(app.call.side, Side::Result);
    click(&mut app, 64, 1);
    assert_eq!(app.call.side, Side::Request);
}

#[test]
fn arguments_go_through_the_editor_of_the_person() {
    let mut app = calling(2);
    assert_eq!(press(&mut app, "e"), [Effect::WriteDraft("{\n  \"petId\": 1\n}\n".to_owned())]);
    let file = std::path::PathBuf::from("/tmp/toolscope-arguments-1.json");
    app.message(Msg::DraftWritten(Ok(file.clone())));
    assert_eq!(app.control(), Some(Control::Edit { file: file.clone(), line: Some(1) }));
    let other = Notice::Edited { file: "shop.yaml".into() };
    assert!(matches!(app.notice(other)[..], [Effect::Load { .. }]), "another file is read anew");
    assert_eq!(app.notice(Notice::Edited { file: file.clone() }), [Effect::ReadDraft(file)]);
    app.message(Msg::DraftRead(Ok("{\"petId\": 2,\n}\n".to_owned())));
    assert_eq!(app.call.editor.text(), "{\"petId\": 2,\n}");
    assert_eq!(app.call.fault.as_ref().map(|fault| fault.line), Some(2));
}

#[test]
fn a_recorded_call_is_made_again() {
    let mut app = loaded(shop());
    screen(&mut app, 120, 40);
    app.message(Msg::Recorded(record()));
    press(&mut app, "5 g c");
    assert_eq!((app.screen(), app.call.editor.text()), (Screen::Call, "{\n  \"petId\": 3\n}".to_owned()));
    assert_eq!(sent(&press(&mut app, "c")).map(|call| call.2), Some("{\"petId\":3}".to_owned()));
    press(&mut app, "5 g j j c");
    assert!(app.note.as_ref().unwrap().text.starts_with("secrets were masked"), "{:?}", app.note);
    assert!(app.call.editor.text().contains("\"Rex\""));
}

#[test]
fn the_proxy_starts_and_stops_by_one_key() {
    let mut app = loaded(shop());
    screen(&mut app, 120, 40);
    assert_eq!(press(&mut app, "p"), [Effect::Serve(true)]);
    assert!(press(&mut app, "p").is_empty(), "it is being started");
    app.message(Msg::Served(Ok(Some(serving()))));
    assert!(screen(&mut app, 120, 40).contains("proxy 127.0.0.1:40123"));
    press(&mut app, "P j y");
    let Some(Control::Copy(text)) = app.control() else { panic!("the configuration is copied") };
    assert!(text.contains("mcpServers"), "{text}");
    press(&mut app, "Esc");
    assert_eq!(press(&mut app, "p"), [Effect::Serve(false)]);
    app.message(Msg::Served(Ok(None)));
    assert!(!screen(&mut app, 120, 40).contains("proxy 127.0.0.1:40123"));
    app.message(Msg::Served(Err("no port is free".to_owned())));
    assert_eq!(app.note.as_ref().unwrap().text, "the proxy: no port is free");
}

#[test]
fn a_reload_keeps_the_draft() {
    let mut app = calling(2);
    press(&mut app, "Enter { Esc");
    let text = app.call.editor.text();
    app.message(Msg::FilesChanged);
    app.message(Msg::Loaded(app.load.generation, Ok(shop())));
    assert_eq!((app.screen(), app.call.editor.text()), (Screen::Call, text));
}
