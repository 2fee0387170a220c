//! A program in a pseudo-terminal, with an emulator that shows what a person would see.
//!
//! Nothing here sleeps: a thread reads what the program writes and signals a condition variable; waits end by what they
//! wait for or fail with the screen's contents.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use vt100::{Callbacks, MouseProtocolMode, Parser, Screen};

const PATIENCE: Duration = Duration::from_secs(60);

/// Answers the questions that programs ask a terminal, and remembers what they copied.
#[derive(Default)]
struct Answers {
    replies: Vec<u8>,
    copied: Vec<Vec<u8>>,
}

impl Callbacks for Answers {
    fn copy_to_clipboard(&mut self, _: &mut Screen, _ty: &[u8], data: &[u8]) {
        self.copied.push(data.to_vec());
    }

    fn unhandled_csi(&mut self, screen: &mut Screen, i1: Option<u8>, _i2: Option<u8>, params: &[&[u16]], c: char) {
        match (i1, c, params) {
            (None, 'c', _) => self.replies.extend_from_slice(b"\x1b[?62;22c"),
            (None, 'n', [[6]]) => {
                let (row, column) = screen.cursor_position();
                self.replies.extend_from_slice(format!("\x1b[{};{}R", row + 1, column + 1).as_bytes());
            }
            (Some(b'?'), 'u', _) => self.replies.extend_from_slice(b"\x1b[?0u"),
            _ => {}
        }
    }
}

struct State {
    parser: Parser<Answers>,
    raw: Vec<u8>,
    closed: bool,
}

type Shared = Arc<(Mutex<State>, Condvar)>;

pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Option<Box<dyn Child + Send + Sync>>,
    pid: Pid,
    shared: Shared,
    modes_before: String,
    /// What the program keeps for next time and what it reads of a person's settings, apart from those of whoever tests.
    _home: tempfile::TempDir,
}

impl Pty {
    /// Starts a program on a terminal of this many columns and rows.
    pub(crate) fn spawn<S: AsRef<OsStr>>(program: &Path, args: &[S], env: &[(&str, &str)], size: (u16, u16)) -> Self {
        let pair = native_pty_system().openpty(pty_size(size)).unwrap();
        let home = tempfile::tempdir().unwrap();
        let command = command(program, args, env, home.path());
        let modes_before = modes(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let pid = Pid::from_raw(i32::try_from(child.process_id().unwrap()).unwrap()).unwrap();
        let parser = Parser::new_with_callbacks(cells(size.1), cells(size.0), 0, Answers::default());
        let shared: Shared = Arc::new((Mutex::new(State { parser, raw: Vec::new(), closed: false }), Condvar::new()));
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        read_along(pair.master.try_clone_reader().unwrap(), Arc::clone(&shared), Arc::clone(&writer));
        Self { master: pair.master, writer, child: Some(child), pid, shared, modes_before, _home: home }
    }

    /// Types.
    pub(crate) fn send(&self, text: &str) {
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// The process's number.
    pub(crate) fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Puts something on the screen that the program did not write.
    pub(crate) fn disturb(&self, text: &str) {
        self.shared.0.lock().unwrap().parser.process(text.as_bytes());
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).unwrap();
    }

    pub(crate) fn resize(&self, size: (u16, u16)) {
        self.shared.0.lock().unwrap().parser.screen_mut().set_size(cells(size.1), cells(size.0));
        self.master.resize(pty_size(size)).unwrap();
    }

    /// The text on the screen.
    pub(crate) fn contents(&self) -> String {
        self.shared.0.lock().unwrap().parser.screen().contents()
    }

    /// All that the program wrote so far.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.shared.0.lock().unwrap().raw.clone()
    }

    /// What the program copied, as base64.
    pub(crate) fn copied(&self) -> Vec<Vec<u8>> {
        self.shared.0.lock().unwrap().parser.callbacks().copied.clone()
    }

    /// Waits until the screen shows a text.
    pub(crate) fn wait_text(&self, text: &str) {
        self.wait(&format!("the text {text:?}"), |screen| screen.contents().contains(text));
    }

    /// Waits until the screen is as described.
    pub(crate) fn wait(&self, what: &str, met: impl Fn(&Screen) -> bool) {
        let (state, changed) = &*self.shared;
        let deadline = Instant::now() + PATIENCE;
        let mut state = state.lock().unwrap();
        while !met(state.parser.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !state.closed, "no {what}; the screen:\n{}", state.parser.screen().contents());
            state = changed.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Waits until the program has ended and all that it wrote was read.
    pub(crate) fn wait_exit(&mut self) -> ExitStatus {
        let child = self.child.take().expect("waited for once");
        let Some(status) = end_of(child) else {
            panic!("the program did not end; the screen:\n{}", self.contents());
        };
        let (state, changed) = &*self.shared;
        let all_read = changed.wait_timeout_while(state.lock().unwrap(), PATIENCE, |state| !state.closed).unwrap();
        assert!(all_read.0.closed, "somebody still holds the terminal");
        status
    }

    /// Whether the program has the screen: alternate screen on, terminal raw.
    pub(crate) fn wait_taken(&self) {
        self.wait("alternate screen", |screen| screen.alternate_screen() && screen.bracketed_paste());
        assert_ne!(modes(self.master.as_ref()), self.modes_before, "the terminal is not raw");
    }

    /// Fails unless every mode of the terminal is as before the program.
    pub(crate) fn assert_restored(&self) {
        {
            let state = self.shared.0.lock().unwrap();
            let screen = state.parser.screen();
            assert!(!screen.alternate_screen(), "alternate screen is on");
            assert!(!screen.hide_cursor(), "cursor is hidden");
            assert!(!screen.bracketed_paste(), "bracketed paste is on");
            assert_eq!(screen.mouse_protocol_mode(), MouseProtocolMode::None, "mouse reports are on");
            for (on, off) in [("\x1b[?1004h", "\x1b[?1004l"), ("\x1b[?2026h", "\x1b[?2026l")] {
                assert!(last(&state.raw, off) >= last(&state.raw, on), "{on:?} was not taken back");
            }
        }
        assert_eq!(modes(self.master.as_ref()), self.modes_before, "raw mode or the like is on");
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _dead = child.kill();
            let _reaped = child.wait();
        }
    }
}

/// Starts a program, waits until it has written a text, and takes its terminal away as a closed window does. Gives how
/// the program ended.
pub(crate) fn take_terminal_away(program: &Path, text: &str) -> ExitStatus {
    let pair = native_pty_system().openpty(pty_size((80, 24))).unwrap();
    let home = tempfile::tempdir().unwrap();
    let child = pair.slave.spawn_command(command::<&str>(program, &[], &[], home.path())).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut parser = Parser::new(cells(24), cells(80), 0);
    let mut killer = child.clone_killer();
    let (shown, is_shown) = mpsc::channel::<()>();
    // A program that shows nothing would be read from for ever.
    thread::spawn(move || {
        if is_shown.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _dead = killer.kill();
        }
    });
    while !parser.screen().contents().contains(text) {
        let mut bytes = [0; 4096];
        let count = reader.read(&mut bytes).unwrap_or(0);
        assert!(count > 0, "no text {text:?}; the screen:\n{}", parser.screen().contents());
        parser.process(&bytes[..count]);
    }
    drop(shown);
    drop(reader);
    drop(pair.master);
    end_of(child).expect("the program goes on without a terminal")
}

/// A program with a home of its own, so that what whoever tests has kept or set does not reach it.
fn command<S: AsRef<OsStr>>(program: &Path, args: &[S], env: &[(&str, &str)], home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.args(args);
    command.cwd(std::env::temp_dir());
    for name in ["NO_COLOR", "VISUAL", "EDITOR", "COLORTERM", "TMUX", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home);
    }
    env.iter().for_each(|(name, value)| command.env(name, value));
    command
}

/// How a program ended; none, and it is killed, when it does not.
fn end_of(mut child: Box<dyn Child + Send + Sync>) -> Option<ExitStatus> {
    let mut killer = child.clone_killer();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait()));
    let status = receiver.recv_timeout(PATIENCE);
    if status.is_err() {
        let _dead = killer.kill();
    }
    Some(status.ok()?.unwrap())
}

fn last(raw: &[u8], part: &str) -> Option<usize> {
    raw.windows(part.len()).rposition(|window| window == part.as_bytes())
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has rows and columns")
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

/// The line discipline's modes, comparable.
fn modes(master: &dyn MasterPty) -> String {
    let termios = master.get_termios().expect("a terminal has modes");
    format!("{:?} {:?} {:?}", termios.input_flags, termios.output_flags, termios.local_flags)
}

fn read_along(mut reader: Box<dyn Read + Send>, shared: Shared, writer: Arc<Mutex<Box<dyn Write + Send>>>) {
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        loop {
            // The end of the last process on a terminal arrives as an error.
            let count = reader.read(&mut bytes).unwrap_or(0);
            let replies = {
                let mut state = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
                state.closed = count == 0;
                state.raw.extend_from_slice(&bytes[..count]);
                state.parser.process(&bytes[..count]);
                std::mem::take(&mut state.parser.callbacks_mut().replies)
            };
            shared.1.notify_all();
            if count == 0 {
                break;
            }
            if !replies.is_empty() {
                let _gone = writer.lock().unwrap().write_all(&replies);
            }
        }
    });
}
