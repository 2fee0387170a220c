//! The program on a real terminal: what is seen follows the keys and the files.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use support::pty::Pty;

const SIZE: (u16, u16) = (100, 30);
const GOOD: &str =
    "openapi: 3.1.0\ninfo: {title: Zoo, version: '1'}\npaths:\n  /animals:\n    get: {operationId: listAnimals}\n";
const MORE: &str = "    post: {operationId: addAnimal}\n";

fn start(args: &[&str], env: &[(&str, &str)]) -> Pty {
    Pty::spawn(Path::new(env!("CARGO_BIN_EXE_toolscope")), args, env, SIZE)
}

fn quit(mut pty: Pty) {
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn the_demo_is_filtered_and_read() {
    let pty = start(&["--demo"], &[]);
    pty.wait_text("all 23");
    pty.send("/conflict");
    pty.wait_text("2 of 23");
    pty.send("\r");
    pty.send("o");
    pty.wait_text("operationId: listPets");
    pty.send("?");
    pty.wait_text("In the list");
    pty.send("\u{1b}");
    pty.wait("the help to close", |screen| !screen.contents().contains("In the list"));
    quit(pty);
}

#[test]
fn a_file_is_followed_through_good_and_bad() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("zoo.yaml");
    fs::write(&file, "openapi: 3.1.0\npaths: {]\n").unwrap();
    let pty = start(&[file.to_str().unwrap()], &[]);
    pty.wait_text("Nothing could be loaded");
    pty.wait_text("paths: {]");
    fs::write(&file, GOOD).unwrap();
    pty.wait_text("listAnimals");
    fs::write(&file, format!("{GOOD}{MORE}")).unwrap();
    pty.wait_text("addAnimal");
    fs::write(&file, format!("{GOOD}{MORE}  ]\n")).unwrap();
    pty.wait_text("not reloaded");
    assert!(pty.contents().contains("addAnimal"), "the last good tools stay: {}", pty.contents());
    fs::write(&file, GOOD).unwrap();
    pty.wait("the mended file", |screen| {
        let text = screen.contents();
        text.contains("all 1") && !text.contains("not reloaded")
    });
    quit(pty);
}

#[test]
fn the_editor_gets_file_and_line_and_its_work_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (file, seen) = (folder.path().join("zoo.yaml"), folder.path().join("seen"));
    fs::write(&file, GOOD).unwrap();
    let editor = folder.path().join("vi");
    let script = format!(
        "#!/bin/sh\necho \"$@\" > {}\nprintf '{}' >> {}\n",
        seen.display(),
        MORE.trim_end().to_owned() + "\\n",
        file.display()
    );
    fs::write(&editor, script).unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let pty = start(&[file.to_str().unwrap()], &[("VISUAL", editor.to_str().unwrap())]);
    pty.wait_text("listAnimals");
    pty.send("e");
    pty.wait_text("addAnimal");
    let arguments = fs::read_to_string(&seen).unwrap();
    assert!(arguments.contains("zoo.yaml") && arguments.contains('5'), "{arguments}");
    quit(pty);
}

#[test]
fn screens_of_the_demo_are_switched_and_come_back() {
    let home = tempfile::tempdir().unwrap();
    let env = [("XDG_STATE_HOME", home.path().to_str().unwrap())];
    let pty = start(&["--demo"], &env);
    pty.wait_text("all 23");
    pty.send("2");
    pty.wait_text("target-key-pattern");
    pty.send("/code:overlay\r");
    pty.wait_text("1 of 14");
    pty.wait_text("overlay-no-match");
    pty.send("7");
    pty.wait_text("usable of all tools");
    pty.wait_text("0/20");
    pty.send("v");
    pty.send("a-shop-with-a-long-name");
    pty.wait_text("Room for the server");
    pty.send("\r");
    pty.wait_text("as `a-shop-with");
    pty.send("j");
    pty.wait_text("mcp__a-shop-with-a-long-name__shop__createPet");
    quit(pty);
    let again = start(&["--demo"], &env);
    again.wait_text("mcp__a-shop-with-a-long-name__shop__createPet");
    again.send("2");
    again.wait_text("1 of 14");
    quit(again);
}

#[test]
fn the_demo_is_called_on_its_mock_and_served() {
    let home = tempfile::tempdir().unwrap();
    let env = [("XDG_STATE_HOME", home.path().to_str().unwrap()), ("TMPDIR", home.path().to_str().unwrap())];
    let pty = start(&["--demo"], &env);
    pty.wait_text("all 23");
    pty.send("/^shop__getPet$\r");
    pty.wait_text("1 of 23");
    pty.send("u");
    pty.wait_text("curl https://");
    pty.send("4");
    pty.wait_text("\"petId\":");
    pty.wait_text("the arguments fit");
    pty.wait_text("GET http://127.0.0.1:");
    pty.send("\r");
    pty.wait_text("leave the text");
    pty.send("x");
    pty.wait_text("no JSON");
    pty.send("\u{7f}\u{1b}");
    pty.wait_text("the arguments fit");
    pty.send("c");
    pty.wait_text("HTTP 200");
    pty.wait_text("\"species\"");
    pty.send("5");
    pty.wait_text("└ GET http");
    pty.wait_text("tools/call, params");
    pty.send("j");
    pty.wait_text("HTTP/1.1 200");
    pty.send("w");
    pty.wait_text("1 call written to");
    let written = fs::read_to_string(home.path().join("toolscope-wire-1.jsonl")).unwrap();
    assert!(written.contains("\"tool\":\"shop__getPet\""), "{written}");
    pty.send("p");
    pty.wait_text("not served: `shop__listPets` is claimed more than once. 2 shows them");
    quit(pty);
    let pty = start(&["--demo", "--set", "naming.conflict_resolution=suffix"], &env);
    pty.wait_text("20 tools");
    pty.send("p");
    pty.wait_text("the proxy serves at http://127.0.0.1:");
    pty.send("P");
    pty.wait_text("claude mcp add --transport http");
    pty.send("\u{1b}");
    pty.wait("the layer to close", |screen| !screen.contents().contains("claude mcp add"));
    let shown = pty.contents();
    let address = shown.split("proxy ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap().to_owned();
    assert!(std::net::TcpStream::connect(&address).is_ok(), "{address}");
    pty.send("p");
    pty.wait_text("the proxy is stopped");
    assert!(std::net::TcpStream::connect(&address).is_err(), "{address}");
    quit(pty);
}

#[test]
fn the_screen_says_where_its_calls_go() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
    write("a.yaml", "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {/a: {post: {operationId: put_a}}}\n");
    let file = "upstreams: [{name: a, openapi: {source: a.yaml}}]\n\
                environments: [{name: test, base_url: 'http://127.0.0.1:9'}, {name: live, base_url: 'http://127.0.0.1:9', production: true}]\n";
    write("toolscope.yaml", file);
    let config = home.path().join("toolscope.yaml");
    let at = ["--config", config.to_str().unwrap()];
    for (options, words) in [(["--env", "live"], "PRODUCTION live"), (["--env", "test"], "env test")] {
        let pty = start(&[&at[..], &options].concat(), &[]);
        pty.wait_text(words);
        pty.wait_text("put_a");
        pty.send("4");
        pty.wait_text("POST http://127.0.0.1:9/a");
        pty.send("c");
        pty.wait_text("A call that writes");
        assert_eq!(pty.contents().contains("done in PRODUCTION"), options[1] == "live", "{}", pty.contents());
        pty.send("y");
        pty.wait_text("refused the connection");
        // It is asked once.
        pty.send("c5");
        pty.wait_text("2 calls");
        pty.resize((40, 12));
        pty.wait("a narrow screen that says it too", |screen| {
            screen.contents().lines().next().is_some_and(|line| line.contains(words) && line.chars().count() <= 40)
        });
        quit(pty);
    }
    let pty = start(&[&at[..], &["--mock"]].concat(), &[]);
    pty.wait_text(" mock ");
    pty.wait_text("put_a");
    // A mock has nothing that could change: it is not asked.
    pty.send("4c");
    pty.wait_text("HTTP 2");
    quit(pty);
    let args = [&at[..], &["--env", "lvie"]].concat();
    let mut pty = Pty::spawn(Path::new(env!("CARGO_BIN_EXE_toolscope")), &args, &[], (120, 24));
    assert_eq!(pty.wait_exit().exit_code(), 2, "{}", pty.contents());
    assert!(pty.contents().contains("did you mean `live`?"), "{}", pty.contents());
}

#[test]
fn the_editor_gets_the_arguments_of_a_call() {
    let home = tempfile::tempdir().unwrap();
    let editor = home.path().join("vi");
    fs::write(&editor, "#!/bin/sh\nfor last; do :; done\necho '{\"petId\": 77}' > \"$last\"\n").unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let home_text = home.path().to_str().unwrap();
    let pty = start(
        &["--demo"],
        &[("XDG_STATE_HOME", home_text), ("TMPDIR", home_text), ("VISUAL", editor.to_str().unwrap())],
    );
    pty.wait_text("all 23");
    pty.send("/^shop__getPet$\r4");
    pty.wait_text("\"petId\":");
    pty.send("e");
    pty.wait_text("{\"petId\": 77}");
    pty.send("c");
    pty.wait_text("HTTP 200");
    assert!(!home.path().join("toolscope-arguments-1.json").exists(), "the file is gone");
    quit(pty);
}

#[test]
fn a_broken_state_file_is_ignored_with_a_note() {
    let home = tempfile::tempdir().unwrap();
    let env = [("XDG_STATE_HOME", home.path().to_str().unwrap())];
    let pty = start(&["--demo"], &env);
    pty.wait_text("all 23");
    quit(pty);
    let folder = home.path().join("toolscope").join("screen");
    let kept = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    fs::write(&kept, "{\"version\": ").unwrap();
    let pty = start(&["--demo"], &env);
    pty.wait_text("is ignored");
    pty.wait_text("all 23");
    quit(pty);
}

#[test]
fn faults_of_themes_and_keys_are_told_by_line_before_the_screen() {
    let home = tempfile::tempdir().unwrap();
    let settings = home.path().join("toolscope");
    fs::create_dir(&settings).unwrap();
    fs::write(settings.join("keys.toml"), "reload = \"R\"\nqiut = \"Q\"\n").unwrap();
    let theme = home.path().join("mine.toml");
    fs::write(&theme, "error = \"red\"\nwarnung = \"blue\"\n").unwrap();
    let nothing = tempfile::tempdir().unwrap();
    let cases = [
        (vec!["--demo"], home.path(), "keys.toml:2: there is no action `qiut`"),
        (vec!["--demo", "--theme", theme.to_str().unwrap()], nothing.path(), "mine.toml:2: there is no role `warnung`"),
        (vec!["--demo", "--theme", "drak"], nothing.path(), "neither a theme nor a file `drak`"),
        (vec!["--demo", "--target", "opnai"], nothing.path(), "there is no lint target `opnai`"),
    ];
    for (args, config, words) in cases {
        let env = [("XDG_CONFIG_HOME", config.to_str().unwrap())];
        let size = (200, 30);
        let mut pty = Pty::spawn(Path::new(env!("CARGO_BIN_EXE_toolscope")), &args, &env, size);
        assert_eq!(pty.wait_exit().exit_code(), 2, "{args:?}: {}", pty.contents());
        assert!(pty.contents().contains(words), "{args:?}: {}", pty.contents());
        pty.assert_restored();
    }
}

#[test]
fn own_keys_and_ascii_signs_are_taken() {
    let home = tempfile::tempdir().unwrap();
    let settings = home.path().join("toolscope");
    fs::create_dir(&settings).unwrap();
    fs::write(settings.join("keys.toml"), "screen-targets = [\"T\", \"7\"]\n").unwrap();
    let env = [("XDG_CONFIG_HOME", home.path().to_str().unwrap())];
    let pty = start(&["--demo", "--ascii", "--theme", "mono"], &env);
    pty.wait_text("all 23");
    pty.send("T");
    pty.wait_text("T Targets");
    pty.wait_text("0/20");
    assert!(pty.contents().is_ascii(), "{}", pty.contents());
    quit(pty);
}

#[test]
fn a_persons_own_profiles_and_targets_are_asked_too() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("zoo.yaml", GOOD);
    write("toolscope.yaml", "upstreams: [{name: zoo, openapi: {source: zoo.yaml}}]\ntargets: [house-rules]\n");
    write("profiles/short.toml", "name = \"short-names\"\nabout = \"short\"\nextends = \"default\"\n");
    let rule = "[[rules]]\nid = \"brief\"\nkind = \"name_length\"\nmax = 4\nseverity = \"error\"\nblast = \"tool_dropped\"\n\
                why = \"no room\"\nremedy = \"rename it\"\nsource = \"the manual\"\ndate = \"2026-11\"\nconfidence = \"H\"\n";
    write(
        "targets/house.toml",
        &format!("name = \"house-rules\"\ntitle = \"The house\"\nextends = \"safe-everywhere\"\n{rule}"),
    );
    let config = folder.path().join("toolscope.yaml");
    let program = Path::new(env!("CARGO_BIN_EXE_toolscope"));
    let pty = Pty::spawn(program, &["--config", config.to_str().unwrap()], &[], (130, 45));
    pty.wait_text("short-names");
    pty.send("7");
    pty.wait_text("house-");
    pty.send("2");
    pty.wait_text("target-name-length");
    quit(pty);
}

const NAMES: &str = "overlay: 1.1.0\ninfo: {title: Names, version: '1'}\nactions:\n  # The path has an s.\n  - target: $.paths['/animal'].get\n    update:\n      x-mcp-tool-name: zoo\n";

#[test]
fn an_overlay_is_mended_edited_and_saved_with_the_keyboard_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, overlay) = (folder.path().join("zoo.yaml"), folder.path().join("names.overlay.yaml"));
    fs::write(&spec, GOOD).unwrap();
    fs::write(&overlay, NAMES).unwrap();
    let pty = start(&[spec.to_str().unwrap(), "--overlay", overlay.to_str().unwrap()], &[]);
    pty.wait_text("listAnimals");
    pty.send("3");
    pty.wait_text("is named almost the same");
    // The proposal, through its preview.
    pty.send("a");
    pty.wait_text("target of action 1");
    pty.wait_text("+   - target: $.paths['/animals'].get");
    pty.send("\r");
    pty.wait_text("1 unsaved +0 ~1");
    // The text itself, with what fits completed.
    pty.send("i");
    pty.wait_text("matches 1 place");
    pty.send("\u{1b}[B\u{1b}[B\u{1b}[F\r");
    pty.send("x-mcp-ena");
    pty.wait_text("false hides the tool");
    pty.send("\t");
    pty.send("fal\t");
    pty.wait_text("1 unsaved +0 ~0");
    pty.wait_text("hidden");
    // Ctrl-S, and out of the text.
    pty.send("\u{13}");
    pty.wait("the file to be saved", |_| fs::read_to_string(&overlay).is_ok_and(|text| text.contains("x-mcp-enabled")));
    pty.wait("nothing to be unsaved", |screen| !screen.contents().contains("unsaved"));
    pty.send("\u{1b}");
    pty.wait_text("edit here");
    assert_eq!(
        fs::read_to_string(&overlay).unwrap(),
        NAMES.replace("/animal'", "/animals'") + "      x-mcp-enabled: false\n",
    );
    quit(pty);
}
