//! The terminal's modes: taken, given back, and given back for sure.

use std::io::{self, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;

/// Whether the terminal is in our modes. Global, because the panic hook and the watch over signals must be able to
/// give it back from any thread.
static OURS: AtomicBool = AtomicBool::new(false);
static MOUSE: AtomicBool = AtomicBool::new(false);

pub(crate) fn is_ours() -> bool {
    OURS.load(Ordering::SeqCst)
}

/// Takes the terminal. Does nothing when it is ours already.
///
/// # Errors
/// When there is no terminal to take; whatever was changed by then is undone.
pub(crate) fn enter() -> io::Result<()> {
    if OURS.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    // Raw mode first: a process in the background is stopped here, before it has written anything.
    let taken = enable_raw_mode()
        .and_then(|()| execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, EnableFocusChange, Hide));
    if taken.is_err() {
        leave();
    }
    taken
}

/// Gives the terminal back. Does nothing when it is not ours. Failures are of no use to anyone here: the terminal
/// may be gone.
pub(crate) fn leave() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    MOUSE.store(false, Ordering::SeqCst);
    let _written = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableFocusChange,
        DisableBracketedPaste,
        ResetColor,
        LeaveAlternateScreen,
        Show
    );
    let _cooked = disable_raw_mode();
}

/// Turns mouse reports on or off where that is a change.
pub(crate) fn set_mouse(wanted: bool) -> io::Result<()> {
    if !is_ours() || MOUSE.swap(wanted, Ordering::SeqCst) == wanted {
        return Ok(());
    }
    if wanted { enable_mouse() } else { execute!(io::stdout(), DisableMouseCapture) }
}

/// Clicks, wheel and drags in SGR form. Not crossterm's own command: it also asks for every movement without a
/// button, which wakes the program whenever the pointer passes over it.
#[cfg(unix)]
fn enable_mouse() -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(b"\x1b[?1000h\x1b[?1002h\x1b[?1006h")?;
    out.flush()
}

#[cfg(not(unix))]
fn enable_mouse() -> io::Result<()> {
    execute!(io::stdout(), crossterm::event::EnableMouseCapture)
}

/// Collects a frame and writes it at once. Unlike a `BufWriter` it writes nothing when dropped, and nothing while the
/// terminal is not ours: half a frame must not follow the panic's words onto the shell's screen.
#[derive(Debug)]
pub(crate) struct FrameWriter {
    out: Stdout,
    frame: Vec<u8>,
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = if is_ours() {
            let mut out = self.out.lock();
            out.write_all(&self.frame).and_then(|()| out.flush())
        } else {
            Ok(())
        };
        self.frame.clear();
        written
    }
}

/// The terminal while it is ours: what frames are drawn on. Gives the terminal back when dropped, on every way out of
/// a function.
pub(crate) struct Canvas {
    terminal: Terminal<CrosstermBackend<FrameWriter>>,
}

impl Canvas {
    /// Takes the terminal.
    ///
    /// # Errors
    /// When there is none to take; whatever was changed by then is undone.
    pub(crate) fn enter() -> io::Result<Self> {
        let writer = FrameWriter { out: io::stdout(), frame: Vec::with_capacity(16 * 1024) };
        let canvas = Self { terminal: Terminal::new(CrosstermBackend::new(writer))? };
        enter()?;
        Ok(canvas)
    }

    /// Draws one frame as a synchronized update, which terminals that do not know it ignore.
    pub(crate) fn draw(&mut self, render: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(render)?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    /// Forgets what is on the screen, so that the next frame is drawn whole. By `resize`, not by `clear`: that one
    /// asks the terminal for the cursor's position and fails without an answer.
    pub(crate) fn forget(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::new(0, 0, size.width, size.height))
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        // Before ratatui's terminal is dropped: it shows the cursor too, and where that fails, as on a closed terminal,
        // complains on standard error, which is closed just as well. The writer takes anything once we have left.
        leave();
    }
}
