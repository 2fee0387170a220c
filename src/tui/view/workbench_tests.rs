//! What of the workbench lies over the screen, as text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::tests::{MIDDLE, SMALL, WIDE, press, screen};
use crate::tui::app::fixture::{checked, demo, failure};
use crate::tui::app::workbench::{Recovered, Recovery};
use crate::tui::app::{App, Effect, Msg};
use crate::tui::drafting::{Drafting, overlay_texts, preview};
use crate::tui::runtime::Program;
use crate::workspace::{Options, Workspace, demo as texts};

fn workspace() -> Workspace {
    Workspace::resolve(&Options { demo: true, ..Options::default() }, Path::new(".")).unwrap()
}

/// The demo with its overlay, of that size.
fn start(columns: u16, rows: u16) -> App {
    let mut app = checked(demo());
    app.update(Msg::OverlaysRead(overlay_texts(&workspace())));
    screen(&mut app, columns, rows);
    app
}

/// Presses keys and does what is asked of the workbench, as the shell around the program does.
fn work(app: &mut App, keys: &str) {
    let drafting = Drafting::default();
    for word in keys.split(' ') {
        for effect in press(app, word) {
            match effect {
                Effect::Preview(job) => {
                    let previewed = preview(&job, &workspace()).map(Arc::new);
                    app.update(Msg::Previewed(job.generation, previewed));
                }
                Effect::Derive(job) => {
                    let saved = app.workbench.saved.clone().unwrap();
                    let derived = drafting.derive(&job, &workspace(), Some(&saved)).map_err(|error| error.0).unwrap();
                    app.update(Msg::Derived(job.generation, Ok(Arc::new(derived))));
                }
                _ => {}
            }
        }
    }
}

fn overlay() -> PathBuf {
    PathBuf::from(texts::OVERLAY_NAME)
}

#[test]
fn layers_of_authoring() {
    let cases = [
        ("menu", "tt A"),
        ("menu_argument", "A v"),
        ("menu_value", "A o .items["),
        ("menu_one_name", "A Tab r"),
        ("preview_rename", "A r 2 Enter"),
        ("preview_hide_all", "/ tag:users Enter A Tab h"),
        ("preview_nothing", "A s"),
        ("preview_new_file", "A h Tab"),
        ("preview_kept", "A h Enter"),
        ("fix_target", "2 / code:overlay-no-match Enter j f"),
        ("fix_in_tab", "jjjjjjjj f Enter f"),
        ("fix_conflict", "2 / code:name-conflict Enter jj f Enter"),
    ];
    for (name, keys) in cases {
        for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
            let mut app = start(columns, rows);
            work(&mut app, keys);
            insta::assert_snapshot!(format!("{name}_{size}"), screen(&mut app, columns, rows));
        }
    }
}

#[test]
fn layers_of_saving() {
    for (size, (columns, rows)) in [("wide", WIDE), ("middle", MIDDLE), ("small", SMALL)] {
        let mut app = start(columns, rows);
        let mine = texts::OVERLAY.replace("find_pets", "search_pets");
        app.edit_overlay("rename", &overlay(), &mine);
        press(&mut app, "q");
        insta::assert_snapshot!(format!("leave_{size}"), screen(&mut app, columns, rows));
        press(&mut app, "Esc");
        let mut theirs = overlay_texts(&workspace()).remove(0);
        theirs.file = theirs.file.edited(Some(&texts::OVERLAY.replace("find_pets", "look_for_pets")));
        app.update(Msg::OverlaysRead(vec![theirs]));
        press(&mut app, "S");
        insta::assert_snapshot!(format!("disagree_{size}"), screen(&mut app, columns, rows));
        press(&mut app, "Esc");
        let effects = app.type_overlay(&overlay(), "overlay: [");
        let Effect::Derive(job) = &effects[0] else { panic!("{effects:?}") };
        app.update(Msg::Derived(job.generation, Err(failure())));
        insta::assert_snapshot!(format!("broken_draft_{size}"), screen(&mut app, columns, rows));
        let mut app = start(columns, rows);
        let files = vec![Recovered {
            path: overlay(),
            name: texts::OVERLAY_NAME.to_owned(),
            upstream: None,
            base: Some(texts::OVERLAY.to_owned()),
            text: mine,
            now: None,
        }];
        app.workbench.recovery = Some(Recovery { file: "/left".into(), when: "5 minutes ago".to_owned(), files });
        app.reload();
        app.message(Msg::Loaded(app.load.generation, Ok(demo())));
        insta::assert_snapshot!(format!("recover_{size}"), screen(&mut app, columns, rows));
    }
}
