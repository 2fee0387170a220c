//! What keys, clicks and answers do on the screen of overlays.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::index::Overridden;
use super::{ActionQuery, Part, Row};
use crate::tui::app::fixture::{edited, overlaid};
use crate::tui::app::hits::Hit;
use crate::tui::app::memory::Memory;
use crate::tui::app::model::Layer;
use crate::tui::app::screens::Screen;
use crate::tui::app::{App, Focus};
use crate::tui::runtime::{Control, Input, Program};
use crate::tui::view::tests::{press, screen};

fn opened() -> App {
    let mut app = overlaid();
    screen(&mut app, 120, 40);
    press(&mut app, "3");
    screen(&mut app, 120, 40);
    app
}

/// Presses keys, and derives and previews what they ask for.
fn work(app: &mut App, keys: &str) {
    let effects = press(app, keys);
    edited(app, effects);
    screen(app, 120, 40);
}

/// Goes down in the detail to the first line that begins so.
fn seek(app: &mut App, prefix: &str) {
    for _ in 0..300 {
        if app.pane().line().is_some_and(|line| line.text().starts_with(prefix)) {
            return;
        }
        work(app, "j");
    }
    panic!("no line begins with {prefix}: {}", app.pane().text());
}

fn end(app: &mut App) {
    app.input(Input::Key(KeyCode::End.into()));
}

fn ctrl(app: &mut App, letter: char) {
    let effects = app.input(Input::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)));
    edited(app, effects);
}

fn paste(app: &mut App, text: &str) {
    let effects = app.input(Input::Paste(text.to_owned()));
    edited(app, effects);
}

fn number(app: &App) -> Option<u16> {
    Some(app.overlays.item(app.overlays.selected_item()?)?.id.1 + 1)
}

fn text(app: &App) -> &str {
    app.overlay_text(Path::new("flawed.yaml")).unwrap()
}

#[test]
fn every_flaw_has_its_mark() {
    let app = opened();
    let marks: Vec<_> = app.overlays.index.items.iter().map(|item| item.marks).collect();
    assert_eq!(marks.len(), 8);
    let having = |holds: &dyn Fn(usize) -> bool| (0..8).filter(|at| holds(*at)).map(|at| at + 1).collect::<Vec<_>>();
    assert_eq!(having(&|at| marks[at].no_match), [3]);
    assert_eq!(having(&|at| marks[at].no_change), [4]);
    assert_eq!(having(&|at| marks[at].overridden == Overridden::Wholly), [5]);
    assert_eq!(having(&|at| marks[at].overridden == Overridden::Partly), [1]);
    assert_eq!(having(&|at| marks[at].surprise), [6]);
    assert_eq!(app.overlays.index.hints.len(), 1);
}

#[test]
fn the_filter_of_actions_understands_its_words() {
    let app = opened();
    let found = |filter: &str| -> Vec<u16> {
        let query = ActionQuery::parse(filter);
        let items = app.overlays.index.items.iter();
        items.filter(|item| query.holds(item, "flawed.yaml")).map(|item| item.id.1 + 1).collect()
    };
    for (filter, expected) in [
        ("nomatch", &[3][..]),
        ("nochange", &[4]),
        ("overridden", &[1, 5]),
        ("kind:remove", &[8]),
        ("kind:rem,copy", &[8]),
        ("PETID !nomatch", &[8]),
        ("warning", &[3, 6]),
        ("findings !warning !info", &[]),
        ("file:other", &[]),
        ("'nomatch", &[]),
    ] {
        assert_eq!(found(filter), expected, "{filter}");
    }
    assert_eq!(ActionQuery::parse("kind:").problem.as_deref(), Some("`kind:` wants a value"));
}

#[test]
fn stepping_keeps_the_tab_and_the_focus() {
    let mut app = opened();
    assert_eq!(number(&app), Some(1));
    work(&mut app, "Tab Enter J J");
    assert_eq!((number(&app), app.overlays.part, app.focus()), (Some(3), Part::Document, Focus::Detail));
    work(&mut app, "K");
    assert_eq!(number(&app), Some(2));
    assert!(
        app.overlays.study(1).is_some_and(|study| study.summary().as_deref() == Some("+0 ~1 −0")),
        "it was looked at"
    );
    work(&mut app, "Esc n");
    assert_eq!(number(&app), Some(3), "the next one with something to be told");
    work(&mut app, "G J");
    assert!(app.note.as_ref().is_none_or(|note| !note.error));
}

#[test]
fn a_touched_tool_and_the_action_that_touched_it_lead_to_each_other() {
    let mut app = opened();
    work(&mut app, "J Tab Tab Enter");
    seek(&mut app, "renamed");
    work(&mut app, "Enter");
    assert_eq!((app.screen(), app.selected().unwrap().tool.named.name.as_str()), (Screen::Tools, "list_pets"));
    work(&mut app, "o Enter");
    seek(&mut app, "name  ");
    assert!(app.pane().line().unwrap().text().contains("flawed.yaml:12 #2"), "{}", app.pane().line().unwrap().text());
    work(&mut app, "Enter");
    assert_eq!((app.screen(), number(&app)), (Screen::Overlays, Some(2)));
}

#[test]
fn a_proposal_is_shown_before_it_is_kept() {
    let mut app = opened();
    work(&mut app, "J J a");
    assert!(matches!(app.layers.last(), Some(Layer::Work(_))), "a preview lies over the screen");
    assert!(!text(&app).contains("$.paths['/pets/{petId}'].get"));
    work(&mut app, "Enter");
    assert!(text(&app).contains("  - target: $.paths['/pets/{petId}'].get\n    description: The path has an s\n"));
    assert_eq!((number(&app), app.overlays.index.items[2].matches), (Some(3), 1), "the list follows at once");
    work(&mut app, "J a");
    assert_eq!(app.note.as_ref().unwrap().text, "nothing is proposed for this row");
    work(&mut app, "U");
    assert_eq!(app.overlays.index.items[2].matches, 0);
}

#[test]
fn the_worst_finding_of_an_action_is_mended() {
    let mut app = opened();
    work(&mut app, "J J J J J f");
    assert!(matches!(app.layers.last(), Some(Layer::Work(_))), "{:?}", app.note);
    work(&mut app, "Enter");
    assert!(
        text(&app).contains("      summary: Add a pet\n      x-mcp-safe: true\n"),
        "the quotes are gone: {}",
        text(&app)
    );
    work(&mut app, "J f");
    assert_eq!(app.note.as_ref().unwrap().text, "nothing is wrong with this action");
}

#[test]
fn what_another_program_says_is_converted() {
    let mut app = opened();
    work(&mut app, "G");
    assert_eq!(app.overlays.selected(), Some(Row::Hint(0)));
    work(&mut app, "a");
    work(&mut app, "Enter");
    assert!(
        text(&app).ends_with("  - target: $.paths['/pets'].post\n    update:\n      x-mcp-tool-name: add_pet\n"),
        "{}",
        text(&app)
    );
    assert!(app.overlays.index.hints.is_empty(), "it is said in x-mcp-* now");
}

#[test]
fn keys_in_the_text_are_text_and_undo_takes_them_back() {
    let mut app = opened();
    let before = text(&app).to_owned();
    work(&mut app, "J i");
    assert_eq!((app.focus(), app.editing().unwrap().editor.row()), (Focus::Editor, 11));
    work(&mut app, "Down Down Down");
    end(&mut app);
    work(&mut app, "Enter");
    work(&mut app, "qU");
    assert!(text(&app).contains("      summary: List the pets that are for sale\n      qU\n"), "{}", text(&app));
    assert!(app.control().is_none());
    assert_eq!(app.editing().unwrap().told().unwrap().line, 16, "no YAML: it is told at once");
    assert!(app.workbench.problem.is_some());
    ctrl(&mut app, 'u');
    ctrl(&mut app, 'u');
    assert_eq!((text(&app), app.editing().unwrap().editor.text().as_str()), (before.as_str(), before.as_str()));
    ctrl(&mut app, 'r');
    ctrl(&mut app, 'r');
    assert!(app.editing().unwrap().editor.text().contains("qU"));
    ctrl(&mut app, 'u');
    work(&mut app, "Esc");
    assert_eq!((app.focus(), number(&app)), (Focus::List, Some(2)));
}

#[test]
fn a_paste_is_one_step_and_seen_in_the_tools() {
    let mut app = opened();
    work(&mut app, "J i Down Down Down");
    end(&mut app);
    work(&mut app, "Enter");
    paste(&mut app, "x-mcp-enabled: false\n      x-mcp-tier: gold");
    assert_eq!(app.workbench.summary().as_deref(), Some("+0 ~0 −1"));
    assert!(screen(&mut app, 120, 40).contains("hidden"), "the page beside the text tells of it");
    ctrl(&mut app, 'u');
    assert_eq!(app.workbench.summary().as_deref(), Some("+0 ~0 −0"));
}

#[test]
fn what_fits_is_completed_and_found() {
    let mut app = opened();
    work(&mut app, "J i Down Down Down");
    end(&mut app);
    work(&mut app, "Enter");
    work(&mut app, "x-mcp-en");
    assert_eq!(app.editing().unwrap().completion.as_ref().unwrap().items[0].label, "x-mcp-enabled");
    work(&mut app, "Tab");
    assert!(text(&app).contains("      x-mcp-enabled: \n"));
    let offered: Vec<String> =
        app.editing().unwrap().completion.as_ref().unwrap().items.iter().map(|item| item.label.clone()).collect();
    assert_eq!(offered, ["true", "false"], "a value follows");
    work(&mut app, "Down Enter");
    assert!(text(&app).contains("      x-mcp-enabled: false\n"));
    work(&mut app, "Enter");
    assert!(text(&app).contains("      x-mcp-enabled: false\n      \n"), "without a choice Enter breaks the line");
    ctrl(&mut app, 'f');
    work(&mut app, "delete Enter");
    let editing = app.editing().unwrap();
    assert!(editing.editor.lines()[editing.editor.row()].contains("].delete"));
    work(&mut app, "Esc Esc");
    assert_eq!(number(&app), Some(8));
}

#[test]
fn line_breaks_of_the_file_stay() {
    let mut app = opened();
    let file = PathBuf::from("flawed.yaml");
    let windows = text(&app).replace('\n', "\r\n");
    let effects = app.edit_overlay("windows", &file, &windows);
    edited(&mut app, effects);
    work(&mut app, "J i Down Down Down");
    end(&mut app);
    paste(&mut app, "s\nx-mcp-tier: gold");
    assert_eq!(text(&app).matches('\n').count(), text(&app).matches("\r\n").count());
    assert_eq!(text(&app).replacen("s\r\nx-mcp-tier: gold", "", 1), windows);
}

#[test]
fn a_new_overlay_begins_with_the_selected_tool() {
    let mut app = opened();
    let effects = press(&mut app, "1 j 3 O");
    let Some(crate::tui::app::Effect::Preview(job)) = effects.last() else { panic!("{effects:?}") };
    let crate::tui::app::workbench::Wanted::Actions(drafts) = &job.wanted else { panic!() };
    assert_eq!(drafts[0].target, "$.paths['/pets'].post");
}

#[test]
fn the_mouse_selects_rows_tabs_and_lines() {
    let mut app = opened();
    let click = |app: &mut App, wanted: Hit| {
        let find = |row: u16, column: u16| app.hits.at(column, row).next() == Some(wanted);
        let (row, column) = (0..40)
            .flat_map(|row| (0..120).map(move |column| (row, column)))
            .find(|(row, column)| find(*row, *column))
            .unwrap();
        let event = |kind| MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        let effects = app.input(Input::Mouse(event(MouseEventKind::Down(MouseButton::Left))));
        edited(app, effects);
        screen(app, 120, 40);
    };
    click(&mut app, Hit::ListRow(3));
    assert_eq!(number(&app), Some(3));
    click(&mut app, Hit::Part(Part::Source));
    assert_eq!(app.overlays.part, Part::Source);
    click(&mut app, Hit::ListRow(0));
    click(&mut app, Hit::ListRow(0));
    assert_eq!(app.overlays.rows().len(), 3, "a second click folds the overlay; the hints stay");
    click(&mut app, Hit::ListRow(0));
    work(&mut app, "J i");
    click(&mut app, Hit::ListRow(20));
    assert_eq!((app.editing().unwrap().editor.row(), app.editing().unwrap().editor.column()), (20, 0));
    let (column, ..) = app.hits.text.unwrap();
    let row = (0..40).find(|row| app.hits.at(column, *row).next() == Some(Hit::ListRow(20))).unwrap();
    let kind = MouseEventKind::Down(MouseButton::Left);
    app.input(Input::Mouse(MouseEvent { kind, column: column + 6, row, modifiers: KeyModifiers::NONE }));
    assert_eq!(app.editing().unwrap().editor.column(), 6);
}

#[test]
fn where_one_was_is_kept_for_next_time() {
    let mut app = opened();
    work(&mut app, "J J Tab / pets Enter");
    let memory = Memory::from_json(&app.memory().to_json()).unwrap();
    let mut launch = crate::tui::app::Launch::new(vec!["shop.yaml".to_owned()], Default::default(), None).unwrap();
    launch.memory = Some(memory);
    let mut next = App::new(launch);
    let generation = next.reload().len() as u64;
    next.update(crate::tui::app::Msg::Loaded(generation, Ok(app.snapshot().unwrap().clone())));
    assert_eq!(
        (next.screen(), next.overlays.part, next.overlays.filter.text()),
        (Screen::Overlays, Part::Document, "pets")
    );
    assert_eq!(number(&next), number(&app));
}

#[test]
fn the_editor_of_the_person_opens_at_the_action() {
    let mut app = opened();
    let mut snapshot = (**app.snapshot().unwrap()).clone();
    snapshot.files = vec![PathBuf::from("flawed.yaml")];
    app.snapshot = Some(std::sync::Arc::new(snapshot));
    work(&mut app, "J e");
    assert_eq!(app.control(), Some(Control::Edit { file: PathBuf::from("flawed.yaml"), line: Some(12) }));
}
