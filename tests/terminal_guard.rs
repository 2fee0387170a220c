//! The terminal is as before after every way out, on a real process in a real pseudo-terminal.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::{Path, PathBuf};

use rustix::process::Signal;
use support::pty::{Pty, take_terminal_away};

const SIZE: (u16, u16) = (80, 24);

/// The program under test: the example, which is built before the tests run.
fn program() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples/guard_demo");
    assert!(path.exists(), "first build the program: cargo build --example guard_demo");
    path
}

fn start(env: &[(&str, &str)]) -> Pty {
    let pty = Pty::spawn::<&str>(&program(), &[], env, SIZE);
    pty.wait_text("demo is ready");
    pty.wait_taken();
    pty.wait("mouse reports", |screen| screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None);
    pty
}

#[test]
fn quit() {
    let mut pty = start(&[]);
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn panic_on_the_screens_thread() {
    let mut pty = start(&[("TOOLSCOPE_TEST_PANIC", "ui")]);
    pty.send("!");
    assert_eq!(pty.wait_exit().exit_code(), 101);
    pty.assert_restored();
    assert!(pty.contents().contains("screen went wrong"), "the words are readable: {}", pty.contents());
    assert!(!pty.contents().contains("demo is ready"), "no frame follows them: {}", pty.contents());
}

#[test]
fn panic_in_an_effect_is_a_message() {
    let mut pty = start(&[("TOOLSCOPE_TEST_PANIC", "effect")]);
    pty.send("!");
    pty.wait_text("thread effect: effect went wrong");
    pty.wait_taken();
    pty.send("n");
    pty.wait_text("count 1000 of 1000");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
    let raw = String::from_utf8_lossy(&pty.raw()).into_owned();
    assert!(!raw.contains("panicked at"), "nothing was written over the screen: {raw}");
}

#[test]
fn signals_that_end() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129), (Signal::QUIT, 131)] {
        let mut pty = start(&[]);
        pty.signal(signal);
        assert_eq!(pty.wait_exit().exit_code(), code, "{signal:?}");
        pty.assert_restored();
    }
}

#[test]
fn stop_and_continue_under_a_shell() {
    let script = format!("'{}'; echo STOPPED; read line; echo \"got $line\"; fg; echo ENDED $?", program().display());
    let mut pty = Pty::spawn(&PathBuf::from("bash"), &["-m", "-c", &script], &[], SIZE);
    pty.wait_text("demo is ready");
    pty.wait_taken();
    pty.send("\x1a");
    pty.wait_text("STOPPED");
    pty.assert_restored();
    pty.send("a line for the shell\r");
    // Back, and drawn whole although nothing changed.
    pty.wait("the program's screen", |screen| screen.alternate_screen() && screen.contents().contains("demo is ready"));
    pty.wait_taken();
    assert!(!pty.contents().contains("STOPPED"), "{}", pty.contents());
    pty.send("k");
    pty.wait_text("last: key k");
    pty.send("q");
    pty.wait_text("ENDED 0");
    pty.wait_exit();
    pty.assert_restored();
    assert!(pty.contents().contains("got a line for the shell"), "{}", pty.contents());
}

#[test]
fn stopped_from_outside_it_takes_the_terminal_again() {
    let mut pty = start(&[]);
    // A shell would put the terminal into its own modes here.
    pty.signal(Signal::STOP);
    pty.disturb("\x1b[?1049l\x1b[?1000l\x1b[?2004l\x1b[2Jnot the program");
    pty.signal(Signal::CONT);
    pty.wait("the program's screen", |screen| screen.alternate_screen() && screen.contents().contains("demo is ready"));
    pty.wait_taken();
    pty.send("k");
    pty.wait_text("last: key k");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn without_a_shell_it_does_not_stop() {
    let mut pty = start(&[]);
    pty.send("\x1a");
    pty.wait_text("cannot suspend");
    pty.wait_taken();
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn the_editor_gets_the_terminal_and_gives_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spec.yaml");
    std::fs::write(&file, "a\n").unwrap();
    let script = "echo \"EDITOR $1 $(basename \"$2\")\"\nread line\necho \"typed: $line\" >> \"$2\"";
    let vi = editor(folder.path(), script);
    let mut pty = start(&[("VISUAL", vi.to_str().unwrap()), ("DEMO_FILE", file.to_str().unwrap())]);
    pty.send("e");
    pty.wait_text("EDITOR +3 spec.yaml");
    pty.assert_restored();
    pty.send("quick brown fox\r");
    pty.wait_text("notice back from editing");
    pty.wait_taken();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a\ntyped: quick brown fox\n");
    pty.send("k");
    pty.wait_text("last: key k");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

/// An executable script that is known, by its name, as an editor that takes +LINE.
fn editor(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("vi");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[test]
fn ctrl_c_in_the_editor_is_the_editors() {
    let folder = tempfile::tempdir().unwrap();
    // It goes on longer than a signal that is meant for the program leaves it.
    let script = "trap 'sleep 2.5; echo INTERRUPTED; exit 7' INT\necho WAITING\nread line";
    let vi = editor(folder.path(), script);
    let mut pty = start(&[("VISUAL", vi.to_str().unwrap())]);
    pty.send("e");
    pty.wait_text("WAITING");
    pty.send("\x03");
    pty.wait_text("notice editing");
    pty.wait_taken();
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn a_closed_terminal_ends_the_program() {
    for _ in 0..5 {
        assert_eq!(take_terminal_away(&program(), "demo is ready").exit_code(), 129);
    }
}

#[test]
fn input_of_every_sort_arrives() {
    let mut pty = start(&[]);
    pty.send("\x1b[200~two\rlines q\x1b[201~");
    pty.wait_text("last: paste \"two\\nlines q\"");
    pty.send("\x1b[<0;5;7M");
    pty.wait_text("last: mouse at 4,6");
    pty.send("m");
    pty.wait("no mouse reports", |screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None);
    pty.resize((60, 15));
    pty.wait_text("last: size 60x15");
    pty.send("c");
    pty.wait_text("copied 5 bytes");
    assert_eq!(pty.copied(), [b"aGVsbG8=".to_vec()]);
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn a_flood_of_messages_is_drawn_in_few_frames() {
    let mut pty = start(&[]);
    pty.send("n");
    pty.wait_text("count 1000 of 1000");
    let contents = pty.contents();
    let draws: usize = contents.split_once("draws: ").unwrap().1.split_once('.').unwrap().0.parse().unwrap();
    assert!(draws < 500, "{draws} frames for 1000 messages");
    pty.send("q");
    pty.wait_exit();
}

/// Wake-ups of all the process's threads so far.
#[cfg(target_os = "linux")]
fn wake_ups(pty: &Pty) -> u64 {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", pty.pid())).unwrap();
    let count = |task: std::fs::DirEntry| {
        let status = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line.map_or(0, |number| number.trim().parse::<u64>().unwrap())
    };
    tasks.map(|task| count(task.unwrap())).sum()
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_wakes_an_idle_program() {
    let mut pty = start(&[]);
    pty.send("k");
    pty.wait_text("last: key k");
    // The only way to see that nothing happens is to let time pass. On a busy machine what is under way takes its time.
    let mut before = wake_ups(&pty);
    let idle = (0..20).any(|_| {
        std::thread::sleep(std::time::Duration::from_secs(1));
        let last = std::mem::replace(&mut before, wake_ups(&pty));
        last == before
    });
    assert!(idle, "it wakes up all the time");
    assert!(before > 0);
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
}
