//! What keys and answers do on the screens of findings and targets, and what is kept for next time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::PathBuf;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::actions::{ACTIONS, Context};
use super::findings::{FindingQuery, Row};
use super::fixture::{answer, app, checked, demo, loaded, many, shop};
use super::memory::Memory;
use super::model::Layer;
use super::screens::Screen;
use super::{App, Effect, Focus, Msg};
use crate::tui::runtime::{Control, Input, Program};
use crate::tui::view::tests::{press, screen};

fn drawn(mut app: App) -> App {
    screen(&mut app, 120, 40);
    app
}

fn name(app: &App) -> &str {
    app.selected().map_or("", |entry| &entry.tool.named.name)
}

/// Kinds that are listed, each with the number of its findings.
fn kinds(app: &App) -> Vec<(&'static str, usize)> {
    let kind = |row: &Row| match row {
        Row::Kind(at) => app.findings.kind(*at).map(|kind| (kind.code, kind.items.len())),
        Row::Item(..) => None,
    };
    app.findings.rows().iter().filter_map(kind).collect()
}

#[test]
fn the_filter_of_findings_understands_its_words() {
    let cases: [(&str, &[(&str, usize)]); 12] = [
        ("info", &[("media-type", 1)]),
        ("code:truncated", &[("name-truncated", 1)]),
        ("code:truncated,media", &[("name-truncated", 1), ("media-type", 1)]),
        ("error !code:target", &[("name-conflict", 2)]),
        ("error target:safe", &[("target-duplicate-name", 2), ("target-name-length", 1)]),
        ("target:gemini", &[("target-keyword", 1), ("target-format", 1)]),
        ("tool:createpet info", &[("media-type", 1)]),
        ("cleaning MADE", &[("name-conflict", 2)]),
        ("file:overlay", &[]),
        ("'error", &[]),
        ("nothing like it", &[]),
        ("error info", &[]),
    ];
    for (filter, expected) in cases {
        let mut app = drawn(checked(shop()));
        press(&mut app, "2 /");
        app.input(Input::Paste(filter.to_owned()));
        assert_eq!(kinds(&app), expected, "{filter}");
    }
    assert_eq!(FindingQuery::parse("code:").problem.as_deref(), Some("`code:` wants a value"));
}

#[test]
fn every_finding_of_the_catalog_is_in_the_list() {
    for snapshot in [shop(), demo()] {
        let app = loaded(snapshot.clone());
        assert_eq!(app.findings.shown(), snapshot.catalog.findings.len());
        assert!(app.findings.shown() > 0);
    }
}

#[test]
fn what_several_targets_say_of_one_thing_is_one_row() {
    let app = checked(shop());
    let checked = app.checks.checked.clone().unwrap();
    let said: usize = app.findings.index.iter().map(|(_, item)| item.said.len()).sum();
    let all: usize = checked.matrix.findings.iter().map(Vec::len).sum::<usize>() + shop().catalog.findings.len();
    assert!(said >= all, "nothing is lost: {said} of {all}");
    assert!(app.findings.index.len() < said, "some are one row");
    assert!(app.findings.index.iter().all(|(_, item)| {
        let tool = item.tool.and_then(|all| app.index.number(all)).and_then(|at| app.index.get(at));
        item.said.iter().all(|said| {
            let finding = app.findings.index.finding(&shop().catalog, Some(&checked.matrix), *said).cloned();
            finding.is_some_and(|finding| finding.tool.as_deref() == tool.map(|entry| entry.tool.named.name.as_str()))
        })
    }));
}

#[test]
fn tools_with_one_name_are_told_apart() {
    let app = checked(shop());
    let of_kind = |code: &str| -> Vec<usize> {
        app.findings.index.iter().filter(|(_, item)| item.code == code).filter_map(|(_, item)| item.tool).collect()
    };
    for code in ["name-conflict", "target-duplicate-name"] {
        let tools = of_kind(code);
        assert_eq!(tools.len(), 2, "{code}");
        assert_ne!(tools[0], tools[1], "{code}");
    }
}

#[test]
fn enter_folds_a_kind_and_leads_from_a_finding_to_its_tool() {
    let mut app = drawn(checked(shop()));
    press(&mut app, "2");
    let all = app.findings.rows().len();
    press(&mut app, "Enter");
    assert_eq!(app.findings.rows().len(), all - 2);
    press(&mut app, "Right Down Down Enter");
    assert_eq!((app.screen(), app.focus(), name(&app)), (Screen::Tools, Focus::List, "list_store_orders"));
    assert_eq!(app.selected().unwrap().tool.operation.path.as_ref(), "/store-orders", "the second of the name");
    press(&mut app, "2");
    assert_eq!(app.findings.cursor(), Some(2), "coming back one is where one was");
    press(&mut app, "z");
    assert_eq!(app.findings.rows().len(), kinds(&app).len(), "all were unfolded");
    press(&mut app, "z");
    assert_eq!(app.findings.rows().len(), all);
}

#[test]
fn a_finding_without_a_tool_shows_its_place_and_the_editor_opens_there() {
    let mut app = drawn(checked(demo()));
    press(&mut app, "2 / overlay-no-match Enter j Enter");
    assert_eq!((app.screen(), app.focus()), (Screen::Findings, Focus::Detail));
    let text = screen(&mut app, 120, 40);
    assert!(text.contains("petstore.overlay.yaml:") && text.contains("target: $.paths['/pet/{petId}'].get"), "{text}");
    let mut app = drawn(checked(shop()));
    press(&mut app, "2 j e");
    let expected = Control::Edit { file: PathBuf::from("shop.yaml"), line: Some(67) };
    assert_eq!(app.control(), Some(expected));
    // The line of the excerpt that the cursor is on.
    press(&mut app, "Tab");
    screen(&mut app, 120, 40);
    press(&mut app, "G e");
    let expected = Control::Edit { file: PathBuf::from("shop.yaml"), line: Some(70) };
    assert_eq!(app.control(), Some(expected));
}

#[test]
fn all_targets_say_more_than_the_chosen_ones() {
    let mut app = drawn(checked(shop()));
    press(&mut app, "2");
    let few = app.findings.shown();
    press(&mut app, "t");
    let all = app.findings.shown();
    assert!(all > few);
    assert_eq!(all, app.findings.index.len());
    press(&mut app, "t");
    assert_eq!(app.findings.shown(), few);
}

#[test]
fn answers_to_old_questions_do_not_count() {
    let mut app = checked(shop());
    let before = app.checks.checked.clone().unwrap();
    let generation = app.checks.generation;
    app.message(Msg::FilesChanged);
    let effects = app.message(Msg::Loaded(app.load.generation, Ok(many(3))));
    assert!(app.checks.checked.is_none() && app.checks.checking, "answers about other tools are gone");
    app.message(Msg::Checked(generation, before));
    assert!(app.checks.checked.is_none(), "late answers are dropped");
    answer(&mut app, effects);
    assert_eq!(app.checks.checked.as_ref().map(|checked| checked.worst.len()), Some(3));
    assert_eq!(app.checks.state(), None);
}

#[test]
fn the_table_and_the_list_share_filter_and_selection() {
    let mut app = drawn(checked(shop()));
    press(&mut app, "jj 7");
    assert_eq!(app.table_tool().map(|entry| entry.tool.named.name.as_str()), Some("getPet"));
    press(&mut app, "/ store Enter");
    assert_eq!(app.table.tools().len(), 3);
    press(&mut app, "G 1");
    assert_eq!(app.list.filter.text(), "store");
    assert!(name(&app).starts_with("get_store"));
    press(&mut app, "7 Esc");
    assert_eq!((app.list.filter.text(), app.table.tools().len()), ("", 6), "the hidden tool has no verdict");
    press(&mut app, "g t");
    assert!(app.note.as_ref().is_some_and(|note| note.text == "no tool is selected"), "{:?}", app.note);
    press(&mut app, "j t");
    assert_eq!((app.screen(), name(&app)), (Screen::Tools, "listPets"));
}

#[test]
fn tools_are_filtered_by_what_targets_say() {
    let mut app = drawn(loaded(shop()));
    press(&mut app, "/ target:safe Enter");
    assert_eq!(app.list.shown(), 0, "nobody has answered");
    app.base_choices = checked(shop()).base_choices;
    let effects = app.ask_targets();
    answer(&mut app, effects);
    let names: Vec<&str> =
        app.list.tools().filter_map(|at| app.index.get(at)).map(|entry| entry.tool.named.name.as_str()).collect();
    assert_eq!(names.len(), 4);
    assert_eq!(names[..3], ["createPet", "list_store_orders", "list_store_orders"]);
}

#[test]
fn rows_are_sorted_by_the_worst_and_by_one_target() {
    let mut app = drawn(checked(shop()));
    let names = |app: &App| -> Vec<String> {
        let tools = app.table.tools().iter().filter_map(|at| app.index.get(*at));
        tools.map(|entry| entry.tool.named.name.chars().take(9).collect()).collect()
    };
    press(&mut app, "7");
    let listed = names(&app);
    press(&mut app, "s");
    assert_eq!(names(&app)[..2], ["createPet", "getPet"], "by name");
    press(&mut app, "s");
    assert_eq!(names(&app)[0], "createPet", "refused by the most");
    press(&mut app, "s");
    assert!(names(&app)[..3].iter().all(|name| !name.contains("Pet")), "dropped by safe-everywhere: {:?}", names(&app));
    press(&mut app, "s");
    assert_eq!(names(&app), listed);
}

#[test]
fn a_server_name_is_measured_while_typed_and_checked_after_enter() {
    let mut app = drawn(checked(shop()));
    press(&mut app, "7 v");
    assert!(matches!(app.layers.last(), Some(Layer::Meter(_))));
    press(&mut app, "q2s");
    let rooms = &app.checks.checked.as_ref().unwrap().rooms;
    let fits: Vec<(usize, usize, usize)> =
        rooms.iter().map(|room| room.fit("q2s")).map(|fit| (fit.longest, fit.limit, fit.over)).collect();
    // safe-everywhere and claude-code write mcp__q2s__name, agentcore q2s___name, cursor counts q2s and the name.
    assert_eq!(fits, [(74, 60, 1), (74, 128, 0), (70, 64, 1), (67, 60, 1)]);
    let text = screen(&mut app, 120, 40);
    assert!(text.contains("74/60") && text.contains("54 free"), "{text}");
    let effects = app.input(Input::Key(crossterm::event::KeyCode::Enter.into()));
    assert!(matches!(effects.as_slice(), [Effect::Check(_)]));
    assert!(app.layers.is_empty() && app.checks.checking);
    answer(&mut app, effects);
    let checked = app.checks.checked.clone().unwrap();
    let labels: Vec<&str> = checked.matrix.totals.iter().map(|totals| totals.target.as_str()).collect();
    assert!(labels.contains(&"claude-code:q2s") && labels.contains(&"openai-chat"), "{labels:?}");
    let shown = checked.choices.all.iter().map(|choice| choice.exposed(&shop().catalog.tools[0]));
    assert_eq!(shown.max_by_key(String::len).as_deref(), Some("mcp__q2s__listPets"));
    press(&mut app, "v Esc");
    assert!(app.layers.is_empty() && !app.checks.checking, "nothing new to check");
}

#[test]
fn the_meter_agrees_with_the_targets() {
    let mut app = checked(demo());
    let server = "a_rather_long_server";
    press(&mut app, "7 v");
    app.input(Input::Paste(server.to_owned()));
    let effects = app.input(Input::Key(crossterm::event::KeyCode::Enter.into()));
    answer(&mut app, effects);
    let checked = app.checks.checked.clone().unwrap();
    assert!(!checked.rooms.is_empty());
    for room in &checked.rooms {
        let rules = ["target-name-length", "target-combined-length"];
        let findings = checked.matrix.findings[room.target].iter().filter(|finding| rules.contains(&finding.code));
        assert_eq!(room.over(server).count(), findings.count(), "{}", checked.matrix.totals[room.target].target);
    }
}

#[test]
fn the_mouse_selects_screens_kinds_and_cells() {
    let click = |app: &mut App, column: u16, row: u16| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        app.input(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
        screen(app, 120, 40);
    };
    let mut app = drawn(checked(shop()));
    click(&mut app, 12, 0);
    assert_eq!(app.screen(), Screen::Findings);
    let all = app.findings.rows().len();
    click(&mut app, 5, 2);
    assert_eq!(app.findings.rows().len(), all - 2, "a click on the selected heading folds it");
<<<<<<< HEAD
    click(&mut app, 62, 0);
=======
    click(&mut app, 55, 0);
>>>>>>> overlays
    assert_eq!(app.screen(), Screen::Targets);
    click(&mut app, 66, 11);
    assert_eq!((app.table.column(), app.table_tool().unwrap().tool.named.name.as_str()), (1, "createPet"));
}

#[test]
fn where_one_was_is_where_one_comes_back() {
    let mut app = drawn(checked(shop()));
    press(&mut app, "jj s a 2 / code:name Enter s 7 Right Right Right s v shop-eu Enter");
    let memory = app.memory();
    let text = memory.to_json();
    let memory = Memory::from_json(&text).unwrap();
    let mut next = self::app(&["shop.yaml"]);
    next.base_choices = app.base_choices.clone();
    next.choices = app.base_choices.clone();
    next.remember(memory.clone());
    next.start();
    let effects = next.message(Msg::Loaded(1, Ok(shop())));
    answer(&mut next, effects);
    assert_eq!(next.memory(), memory);
    assert_eq!((next.screen(), next.table.column(), next.table.server.text()), (Screen::Targets, 3, "shop-eu"));
    assert_eq!(next.findings.shown(), app.findings.shown());
    press(&mut next, "1");
    assert_eq!((name(&next), next.detail.tab().title()), ("getPet", "Schema"));
}

#[test]
fn quitting_before_the_first_load_keeps_what_was_known() {
    let mut app = drawn(checked(shop()));
    press(&mut app, "jj");
    let memory = app.memory();
    let mut next = self::app(&["shop.yaml"]);
    next.remember(memory.clone());
    assert_eq!(next.memory().to_json().contains("/pets/{petId}"), memory.to_json().contains("/pets/{petId}"));
    assert!(next.memory().to_json().contains("/pets/{petId}"));
}

#[test]
fn no_key_of_a_screen_hides_one_that_holds_beside_it() {
    let app = loaded(shop());
    let keys = |wanted: &[Context]| -> Vec<(String, &str)> {
        let specs = ACTIONS.iter().filter(|spec| wanted.contains(&spec.context));
        specs.flat_map(|spec| app.keymap.keys_for(spec.id).into_iter().map(|key| (key, spec.id))).collect()
    };
    for own in [Context::Tools, Context::Findings, Context::Targets] {
        let beside = keys(&[Context::List, Context::Detail, Context::Global]);
        for (key, id) in keys(&[own]) {
            let hidden = beside.iter().find(|(other, _)| *other == key);
            assert_eq!(hidden, None, "{key} of {id}");
        }
    }
}

#[test]
fn a_reload_keeps_the_finding_of_a_target_until_the_targets_answer() {
    let mut app = drawn(checked(shop()));
    press(&mut app, "2 / code:recursive Enter Esc");
    let selected = |app: &App| match app.findings.selected() {
        Some(Row::Item(_, at)) => app.findings.index.get(at).map(|item| item.code),
        _ => None,
    };
    while selected(&app) != Some("target-recursive-ref") {
        press(&mut app, "j");
    }
    app.message(Msg::FilesChanged);
    let effects = app.message(Msg::Loaded(app.load.generation, Ok(shop())));
    assert_ne!(selected(&app), Some("target-recursive-ref"), "nobody says so yet");
    answer(&mut app, effects);
    assert_eq!(selected(&app), Some("target-recursive-ref"));
}
