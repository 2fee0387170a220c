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
    pty.send("3");
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
