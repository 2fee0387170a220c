//! The real program, left in every way: the terminal is as before. `terminal_guard.rs` has the finer cases of the runtime.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::PathBuf;

use rustix::process::Signal;
use support::pty::{Pty, take_terminal_away};

const SIZE: (u16, u16) = (100, 30);

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_toolscope"))
}

/// The demo, loaded and drawn.
fn start(env: &[(&str, &str)]) -> Pty {
    let pty = Pty::spawn(&program(), &["--demo"], env, SIZE);
    pty.wait_text("shop__createPet");
    pty.wait_taken();
    pty
}

#[test]
fn quit() {
    let mut pty = start(&[]);
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
    assert!(!pty.contents().contains("shop__"), "the shell's screen is back: {}", pty.contents());
}

#[test]
fn panic_of_the_screen() {
    let mut pty = start(&[("TOOLSCOPE_TEST_PANIC", "ui")]);
    pty.send("!");
    assert_eq!(pty.wait_exit().exit_code(), 101);
    pty.assert_restored();
    assert!(pty.contents().contains("screen went wrong"), "{}", pty.contents());
}

#[test]
fn panic_of_an_effect_is_a_message_and_the_program_goes_on() {
    let mut pty = start(&[("TOOLSCOPE_TEST_PANIC", "effect")]);
    pty.send("!");
    pty.wait_text("effect went wrong");
    pty.wait_taken();
    pty.send("/photo");
    pty.wait_text("4 of 23");
    pty.send("\r");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn signals() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let mut pty = start(&[]);
        pty.signal(signal);
        assert_eq!(pty.wait_exit().exit_code(), code, "{signal:?}");
        pty.assert_restored();
    }
}

#[test]
fn a_closed_terminal_ends_it() {
    assert_eq!(take_terminal_away(&program(), "shop__createPet").exit_code(), 129);
}

#[test]
fn ctrl_z_and_back() {
    let script =
        format!("'{}' --demo; echo STOPPED; read line; echo \"got $line\"; fg; echo ENDED $?", program().display());
    let mut pty = Pty::spawn(&PathBuf::from("bash"), &["-m", "-c", &script], &[], SIZE);
    pty.wait_text("shop__createPet");
    pty.wait_taken();
    pty.send("\x1a");
    pty.wait_text("STOPPED");
    pty.assert_restored();
    pty.send("a line for the shell\r");
    pty.wait("the program's screen", |screen| {
        screen.alternate_screen() && screen.contents().contains("shop__createPet")
    });
    pty.wait_taken();
    pty.send("/photo");
    pty.wait_text("4 of 23");
    pty.send("\rq");
    pty.wait_text("ENDED 0");
    pty.wait_exit();
    pty.assert_restored();
    assert!(pty.contents().contains("got a line for the shell"), "{}", pty.contents());
}
