//! What edits, files, saves and leaving do to the state.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Derived, NotSaved, OverlayText, Recovered, Recovery, Written};
use crate::overlay::Chunk;
use crate::tui::app::fixture::{app, loaded, shop, text_snapshot};
use crate::tui::app::model::{Layer, WorkLayer};
use crate::tui::app::{App, Effect, Msg};
use crate::tui::runtime::{Control, Program};
use crate::tui::view::tests::press;
use crate::workspace::{Effect as Difference, TextFile};

const SPEC: &str = "openapi: 3.1.0\ninfo: {title: Zoo, version: '1'}\npaths:\n  /animals:\n    get: {operationId: listAnimals}\n    post: {operationId: addAnimal}\n";
const OVERLAY: &str = "overlay: 1.1.0\ninfo: {title: o, version: '1'}\nactions:\n- target: $.paths['/animals'].get\n  update: {x-mcp-tool-name: animals}\n";

fn file() -> PathBuf {
    PathBuf::from("o.yaml")
}

fn read(text: &str) -> OverlayText {
    OverlayText { file: TextFile::built_in("o.yaml", text), name: "o.yaml".into(), upstream: None }
}

fn zoo() -> App {
    let mut app = loaded(Arc::new(text_snapshot("zoo.yaml", SPEC, &[("o.yaml", OVERLAY)])));
    app.update(Msg::OverlaysRead(vec![read(OVERLAY)]));
    app
}

/// Derives what is asked for, as the shell around the program does, and answers.
fn derive(app: &mut App, effects: &[Effect]) -> usize {
    let mut derived = 0;
    for effect in effects {
        let Effect::Derive(job) = effect else { continue };
        derived += 1;
        let saved = app.workbench.saved.clone().unwrap();
        let text = job.drafts.first().and_then(|draft| draft.text.as_deref()).unwrap_or(OVERLAY);
        let snapshot = Arc::new(text_snapshot("zoo.yaml", SPEC, &[("o.yaml", text)]));
        let difference = Arc::new(Difference::between(&saved.catalog, &snapshot.catalog));
        app.update(Msg::Derived(job.generation, Ok(Arc::new(Derived { snapshot, difference }))));
    }
    derived
}

fn names(app: &App) -> Vec<String> {
    app.index.iter().map(|entry| entry.tool.named.name.clone()).collect()
}

fn top(app: &App) -> Option<&WorkLayer> {
    match app.layers.last() {
        Some(Layer::Work(layer)) => Some(layer),
        _ => None,
    }
}

#[test]
fn an_edit_is_seen_before_it_is_saved_and_taken_back() {
    let mut app = zoo();
    assert_eq!(names(&app), ["animals", "addAnimal"]);
    let effects = app.edit_overlay("rename", &file(), &OVERLAY.replace("animals}", "zoo}"));
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Remember { text: Some(text), .. } if text.contains("zoo")))
    );
    assert_eq!(derive(&mut app, &effects), 1);
    assert_eq!(names(&app), ["zoo", "addAnimal"]);
    assert_eq!((app.workbench.unsaved(), app.workbench.summary().as_deref()), (1, Some("+0 ~1 −0")));
    let effects = press(&mut app, "U");
    assert!(effects.contains(&Effect::Remember { text: None, instead_of: None }), "{effects:?}");
    let Effect::Derive(job) = &effects[0] else { panic!("{effects:?}") };
    assert!(job.drafts.is_empty());
    derive(&mut app, &effects);
    assert_eq!((names(&app)[0].as_str(), app.workbench.unsaved()), ("animals", 0));
    let effects = press(&mut app, "R");
    derive(&mut app, &effects);
    assert_eq!(names(&app)[0], "zoo");
}

#[test]
fn an_older_derivation_and_a_broken_text_change_nothing_that_is_shown() {
    let mut app = zoo();
    let first = app.edit_overlay("rename", &file(), &OVERLAY.replace("animals}", "first}"));
    let second = app.edit_overlay("rename", &file(), &OVERLAY.replace("animals}", "second}"));
    derive(&mut app, &second);
    derive(&mut app, &first);
    assert_eq!(names(&app)[0], "second");
    let effects = app.type_overlay(&file(), "overlay: [");
    let Effect::Derive(job) = &effects[0] else { panic!("{effects:?}") };
    app.update(Msg::Derived(job.generation, Err(crate::tui::app::fixture::failure())));
    assert_eq!((names(&app)[0].as_str(), app.workbench.problem.is_some()), ("second", true));
    let effects = press(&mut app, "U");
    derive(&mut app, &effects);
    assert!(app.workbench.problem.is_none());
}

#[test]
fn a_reload_keeps_what_is_edited() {
    let mut app = zoo();
    let effects = app.edit_overlay("rename", &file(), &OVERLAY.replace("animals}", "mine}"));
    derive(&mut app, &effects);
    app.update(Msg::OverlaysRead(vec![read(&OVERLAY.replace("title: o", "title: other"))]));
    let note = app.note.clone().unwrap();
    assert!(note.error && note.text.contains("o.yaml was changed by somebody else"), "{note:?}");
    app.reload();
    let again = Arc::new(text_snapshot("zoo.yaml", SPEC, &[("o.yaml", OVERLAY)]));
    let effects = app.update(Msg::Loaded(app.load.generation, Ok(again)));
    assert_eq!(names(&app)[0], "mine", "what is shown stays until the drafts are derived");
    assert_eq!(derive(&mut app, &effects), 1);
    // Saving shows the view instead of writing.
    assert!(press(&mut app, "S").is_empty());
    let Some(WorkLayer::Disagree(view)) = top(&app) else { panic!("{:?}", app.layers) };
    assert_eq!(view.conflicts(), 0);
    assert!(view.chunks.iter().any(|chunk| matches!(chunk, Chunk::Theirs { .. })));
    let effects = press(&mut app, "m");
    derive(&mut app, &effects);
    let merged = app.overlay_text(&file()).unwrap();
    assert!(merged.contains("title: other") && merged.contains("mine}"), "{merged}");
    let saves = press(&mut app, "S");
    assert!(matches!(saves.as_slice(), [Effect::SaveOverlay(job)] if job.base.text.contains("other")), "{saves:?}");
}

#[test]
fn what_somebody_else_wrote_during_a_save_is_taken_or_left() {
    for (key, text, dirty) in [("t", "theirs", false), ("Esc", "mine", true)] {
        let mut app = zoo();
        app.edit_overlay("edit", &file(), "mine");
        assert_eq!(press(&mut app, "S").len(), 1);
        let theirs = TextFile::built_in("o.yaml", "theirs");
        app.update(Msg::OverlaySaved(file(), "mine".into(), Err(NotSaved::Changed(theirs))));
        assert!(matches!(top(&app), Some(WorkLayer::Disagree(view)) if view.conflicts() == 1));
        press(&mut app, key);
        assert_eq!((app.overlay_text(&file()), app.workbench.drafts.is_dirty(&file())), (Some(text), dirty), "{key}");
        assert!(app.layers.is_empty());
    }
}

#[test]
fn quitting_asks_for_what_is_unsaved() {
    let mut app = zoo();
    app.edit_overlay("edit", &file(), "mine");
    press(&mut app, "q");
    assert!(matches!(top(&app), Some(WorkLayer::Leave)));
    press(&mut app, "Esc");
    assert_eq!((app.control(), app.layers.len(), app.workbench.unsaved()), (None, 0, 1));
    let effects = press(&mut app, "q s");
    let [Effect::SaveOverlay(job)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(app.control(), None, "not before it is written");
    let failed = Err(NotSaved::Failed("no room".into()));
    app.update(Msg::OverlaySaved(file(), job.text.clone(), failed));
    assert_eq!((app.control(), app.note.clone().unwrap().text.as_str()), (None, "no room"));
    press(&mut app, "q s");
    let written = Ok(Written::File(TextFile::built_in("o.yaml", "mine")));
    app.update(Msg::OverlaySaved(file(), "mine".into(), written));
    assert!(matches!(app.control(), Some(Control::Quit)));
    let mut app = zoo();
    app.edit_overlay("edit", &file(), "mine");
    let effects = press(&mut app, "q d");
    assert!(matches!(app.control(), Some(Control::Quit)));
    assert_eq!(effects, [Effect::Remember { text: None, instead_of: None }]);
}

#[test]
fn what_a_killed_run_left_is_offered() {
    let recovered = |base: &str| Recovered {
        path: file(),
        name: "o.yaml".into(),
        upstream: None,
        base: Some(base.into()),
        text: OVERLAY.replace("animals}", "back}"),
        now: None,
    };
    let start = |base: &str| {
        let mut app = app(&["zoo.yaml"]);
        let files = vec![recovered(base)];
        app.workbench.recovery = Some(Recovery { file: "/left.json".into(), when: "a moment ago".into(), files });
        app.start();
        app.update(Msg::OverlaysRead(vec![read(OVERLAY)]));
        let snapshot = Arc::new(text_snapshot("zoo.yaml", SPEC, &[("o.yaml", OVERLAY)]));
        app.update(Msg::Loaded(1, Ok(snapshot)));
        assert!(matches!(top(&app), Some(WorkLayer::Recover)));
        app
    };
    let mut app = start(OVERLAY);
    let effects = press(&mut app, "r");
    let kept = effects.iter().find_map(|effect| match effect {
        Effect::Remember { text, instead_of } => Some((text.is_some(), instead_of.clone())),
        _ => None,
    });
    assert_eq!(kept, Some((true, Some(PathBuf::from("/left.json")))));
    derive(&mut app, &effects);
    assert_eq!((names(&app)[0].as_str(), app.workbench.unsaved()), ("back", 1));
    let mut app = start(OVERLAY);
    let effects = press(&mut app, "d");
    assert_eq!(effects, [Effect::Remember { text: None, instead_of: Some("/left.json".into()) }]);
    let mut app = start(OVERLAY);
    assert!(press(&mut app, "Esc").is_empty(), "the next start offers it again");
    // The file is another one by now.
    let mut app = start("overlay: 1.0.0\n");
    press(&mut app, "r");
    assert!(matches!(top(&app), Some(WorkLayer::Disagree(_))));
    assert!(app.workbench.drafts.theirs(Path::new("o.yaml")).is_some());
}

#[test]
fn nothing_is_done_where_nothing_is_unsaved() {
    let mut app = loaded(shop());
    for (key, words) in [("U", "nothing to undo"), ("R", "nothing to redo"), ("S", "nothing is unsaved")] {
        assert!(press(&mut app, key).is_empty());
        assert!(app.note.clone().unwrap().text.contains(words));
    }
}
