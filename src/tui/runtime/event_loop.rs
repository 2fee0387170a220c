//! The loop: waits, lets the program react, draws when something happened.

use std::future::poll_fn;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::{Context, Poll};

use crossterm::event::Event;
use tokio::sync::{mpsc, oneshot};

use super::clipboard;
use super::editor;
use super::effects::{self, Effects, Envelope};
use super::input::{Inbox, Input};
use super::keyboard::{self, Keyboard, Typed};
use super::panics;
use super::program::{Control, Notice, Program};
use super::signals::{self, Signal};
use super::slots::{Slots, Ticket};
use super::terminal::{self, Canvas};

/// Messages that may wait for the program before effects have to.
const QUEUE: usize = 256;
/// Steps before a frame is due although more wait.
const BATCH: usize = 256;

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It asked to.
    Quit,
    /// A signal of this number asked for it, or the terminal was closed, which is SIGHUP.
    Signal(i32),
}

/// SIGHUP has this number wherever there is such a thing.
const HUNG_UP: Exit = Exit::Signal(1);

impl Exit {
    /// The process's exit code: 0, and 128 + the number of a signal (129 for SIGHUP, 130 for SIGINT).
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Signal(number) => u8::try_from(number).map_or(u8::MAX, |number| number.saturating_add(128)),
        }
    }
}

/// Why the screen could not be shown, or no longer.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Standard output is a file or a pipe.
    #[error("standard output is not a terminal; use a command such as `toolscope list` for output to a file or a pipe")]
    NotATerminal,
    /// The terminal refused something.
    #[error("the terminal failed: {0}")]
    Terminal(#[source] io::Error),
    /// The system refused a thread, a signal handler or an event queue.
    #[error("the event loop could not start: {0}")]
    Start(#[source] io::Error),
}

/// Runs a program on the terminal until it quits or is told to end. The terminal is as before when this returns, also
/// by an error or a panic. Effects that still run are left behind; their threads end with the process.
///
/// # Errors
/// [`RunError`]: no terminal, or it failed.
pub fn run<P: Program>(program: &mut P, effects: impl Effects<P::Effect, P::Msg>) -> Result<Exit, RunError> {
    if !io::IsTerminal::is_terminal(&io::stdout()) {
        return Err(RunError::NotATerminal);
    }
    // Without drivers: all that is waited for are channels. One for signals would also compete with their own thread.
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(RunError::Start)?;
    let signals = signals::listen().map_err(RunError::Start)?;
    panics::install();
    let canvas = Canvas::enter().map_err(RunError::Terminal)?;
    let keyboard = Keyboard::listen().map_err(RunError::Start)?;
    let (sender, receiver) = mpsc::channel(QUEUE);
    runtime
        .block_on(async {
            let mut event_loop = Loop {
                program,
                canvas,
                keyboard: Some(keyboard),
                inbox: Inbox::default(),
                signals,
                effects: Arc::new(effects),
                slots: Slots::new(),
                sender,
                receiver,
                dirty: true,
                continued_by_us: false,
            };
            event_loop.drive().await
        })
        .or_else(or_hung_up)
        .map_err(RunError::Terminal)
}

/// A terminal that was closed fails in many ways, at whatever is tried first, and SIGHUP comes before or after: the
/// reason to give is always the hang-up.
fn or_hung_up(error: io::Error) -> io::Result<Exit> {
    if keyboard::is_hung_up() { Ok(HUNG_UP) } else { Err(error) }
}

/// Something that happened.
enum Step<M> {
    Signal(Signal),
    Typed(Typed),
    Panicked(String),
    Envelope(Envelope<M>),
}

struct Loop<'p, P: Program> {
    program: &'p mut P,
    canvas: Canvas,
    /// None while another program has the terminal.
    keyboard: Option<Keyboard>,
    inbox: Inbox,
    signals: mpsc::UnboundedReceiver<Signal>,
    effects: Arc<dyn Effects<P::Effect, P::Msg>>,
    slots: Slots<P::Effect>,
    sender: mpsc::Sender<Envelope<P::Msg>>,
    receiver: mpsc::Receiver<Envelope<P::Msg>>,
    dirty: bool,
    /// The next SIGCONT is the one that ended our own stop.
    continued_by_us: bool,
}

impl<P: Program> Loop<'_, P> {
    async fn drive(&mut self) -> io::Result<Exit> {
        let wanted = self.program.start();
        self.submit(wanted);
        if let Some(exit) = self.obey().await? {
            return Ok(exit);
        }
        loop {
            if self.dirty {
                self.dirty = false;
                self.canvas.draw(|frame| self.program.draw(frame))?;
            }
            let mut step = Some(poll_fn(|cx| self.poll_step(cx)).await);
            let mut taken = 0;
            // Everything that is there already belongs to the same frame.
            while let Some(happened) = step.take() {
                if let Some(exit) = self.take(happened).await? {
                    return Ok(exit);
                }
                taken += 1;
                if taken == BATCH {
                    tokio::task::yield_now().await;
                    break;
                }
                step = self.step_at_hand().await;
            }
            if let Some(exit) = self.work_off_inbox().await? {
                return Ok(exit);
            }
        }
    }

    /// What has happened already, without waiting. Polled with the loop's own waker, so that nothing that comes right
    /// after it is missed.
    async fn step_at_hand(&mut self) -> Option<Step<P::Msg>> {
        poll_fn(|cx| match self.poll_step(cx) {
            Poll::Ready(step) => Poll::Ready(Some(step)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step<P::Msg>> {
        if let Poll::Ready(Some(signal)) = self.signals.poll_recv(cx) {
            return Poll::Ready(Step::Signal(signal));
        }
        if let Some(keyboard) = &mut self.keyboard
            && let Poll::Ready(typed) = keyboard.poll_recv(cx)
        {
            return Poll::Ready(Step::Typed(typed));
        }
        if let Some(report) = panics::take(cx.waker()) {
            return Poll::Ready(Step::Panicked(report));
        }
        match self.receiver.poll_recv(cx) {
            Poll::Ready(Some(envelope)) => Poll::Ready(Step::Envelope(envelope)),
            // Never closed: the loop holds a sender itself.
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }

    async fn take(&mut self, step: Step<P::Msg>) -> io::Result<Option<Exit>> {
        match step {
            Step::Typed(Typed::Event(event)) => {
                self.hear(event);
                return Ok(None);
            }
            Step::Typed(Typed::Closed) => return Ok(Some(HUNG_UP)),
            Step::Typed(Typed::Failed(error)) => return Err(error),
            Step::Signal(Signal::Resize) => {
                let (columns, rows) = crossterm::terminal::size()?;
                self.inbox.push(Input::Resize(columns, rows));
                return Ok(None);
            }
            Step::Signal(Signal::End(number)) => return Ok(Some(Exit::Signal(number))),
            Step::Signal(Signal::Stop) => self.suspend().await?,
            Step::Signal(Signal::Continue) => self.continued()?,
            Step::Panicked(report) => self.tell(Notice::Panicked { report }),
            Step::Envelope(Envelope::Message(ticket, msg)) => {
                if !ticket.is_stale() {
                    self.dirty = true;
                    let wanted = self.program.message(msg);
                    self.submit(wanted);
                }
            }
            Step::Envelope(Envelope::Finished(ticket)) => {
                let next = self.slots.finished(&ticket);
                self.start_all(next);
            }
        }
        self.obey().await
    }

    fn hear(&mut self, event: Event) {
        // On Unix sizes are heard as signals; the reader hears of them only with the next key.
        if cfg!(unix) && matches!(event, Event::Resize(..)) {
            return;
        }
        if let Some(input) = Input::from_event(event) {
            self.inbox.push(input);
        }
    }

    async fn work_off_inbox(&mut self) -> io::Result<Option<Exit>> {
        while let Some(input) = self.inbox.pop() {
            self.dirty = true;
            let wanted = self.program.input(input);
            self.submit(wanted);
            if let Some(exit) = self.obey().await? {
                return Ok(Some(exit));
            }
        }
        Ok(None)
    }

    fn tell(&mut self, notice: Notice) {
        self.dirty = true;
        let wanted = self.program.notice(notice);
        self.submit(wanted);
    }

    fn submit(&mut self, wanted: Vec<P::Effect>) {
        for effect in wanted {
            let kind = self.effects.kind(&effect);
            let first = self.slots.submit(kind, effect);
            self.start_all(first);
        }
    }

    fn start_all(&mut self, mut next: Option<(Ticket, P::Effect)>) {
        while let Some((ticket, effect)) = next.take() {
            let started = effects::start(&self.effects, ticket.clone(), effect, self.sender.clone());
            if let Err(error) = started {
                next = self.slots.finished(&ticket);
                self.dirty = true;
                // Whatever the program wants done about it would start no thread either.
                let _unstartable = self.program.notice(Notice::EffectNotStarted { reason: error.to_string() });
            }
        }
    }

    async fn obey(&mut self) -> io::Result<Option<Exit>> {
        while let Some(control) = self.program.control() {
            match control {
                Control::Quit => return Ok(Some(Exit::Quit)),
                Control::Suspend => self.suspend().await?,
                Control::Copy(text) => self.copy(&text),
                Control::Edit { file, line } => {
                    if let Some(exit) = self.edit(file, line).await? {
                        return Ok(Some(exit));
                    }
                }
            }
        }
        terminal::set_mouse(self.program.wants_mouse())?;
        Ok(None)
    }

    fn copy(&mut self, text: &str) {
        let copied = clipboard::copy(text, &mut io::stdout(), &std::env::temp_dir());
        self.tell(match copied {
            Ok(copied) => Notice::Copied(copied),
            Err(error) => Notice::CopyFailed { reason: error.to_string() },
        });
    }

    async fn suspend(&mut self) -> io::Result<()> {
        if !signals::can_stop() {
            self.tell(Notice::CannotSuspend);
            return Ok(());
        }
        self.hand_over();
        self.continued_by_us = signals::stop_job();
        self.come_back()
    }

    /// Somebody stopped the process without asking (SIGSTOP) and the shell took the terminal: take it again.
    fn continued(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.continued_by_us) {
            return Ok(());
        }
        self.hand_over();
        self.come_back()
    }

    async fn edit(&mut self, file: PathBuf, line: Option<usize>) -> io::Result<Option<Exit>> {
        self.hand_over();
        let (ended, exit) = self.run_editor(&file, line).await;
        if exit.is_some() {
            return Ok(exit);
        }
        self.come_back()?;
        self.tell(match ended {
            Ok(()) => Notice::Edited { file },
            Err(reason) => Notice::EditFailed { file, reason },
        });
        Ok(None)
    }

    async fn run_editor(&mut self, file: &Path, line: Option<usize>) -> (Result<(), String>, Option<Exit>) {
        let editor = editor::from_environment();
        let spawned = editor::command(&editor, file, line).and_then(|mut command| command.spawn());
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => return (Err(format!("`{editor}` did not start: {error}")), None),
        };
        let (sender, mut receiver) = oneshot::channel();
        let waiting = std::thread::Builder::new().name("editor".to_owned()).spawn(move || sender.send(child.wait()));
        if let Err(error) = waiting {
            return (Err(format!("cannot wait for `{editor}`: {error}")), None);
        }
        loop {
            tokio::select! {
                ended = &mut receiver => return (judge(&editor, ended), self.forget_typed_signals().await),
                Some(signal) = self.signals.recv() => match signal {
                    // Ctrl-C and Ctrl-\ were typed into the editor and reach the whole job.
                    Signal::End(number) if is_from_keyboard(number) => signals::ignore_end(),
                    Signal::End(number) => return (Ok(()), Some(Exit::Signal(number))),
                    // The editor has stopped itself; the shell waits until we do too.
                    Signal::Stop => { signals::stop_job(); }
                    Signal::Continue | Signal::Resize => {}
                },
            }
        }
    }

    /// Takes the signals that were sent while the editor ran. They come through another thread, so they may arrive after
    /// the editor's end; a signal that is sent now and awaited marks the point.
    async fn forget_typed_signals(&mut self) -> Option<Exit> {
        if !signals::send_mark() {
            return None;
        }
        loop {
            match self.signals.recv().await {
                Some(Signal::End(number)) if !is_from_keyboard(number) => return Some(Exit::Signal(number)),
                Some(Signal::End(_)) => signals::ignore_end(),
                Some(Signal::Stop | Signal::Resize) => {}
                Some(Signal::Continue) | None => return None,
            }
        }
    }

    /// Lets go of keyboard and screen.
    fn hand_over(&mut self) {
        for event in self.keyboard.take().map(Keyboard::stop).unwrap_or_default() {
            self.hear(event);
        }
        terminal::leave();
    }

    fn come_back(&mut self) -> io::Result<()> {
        terminal::enter()?;
        terminal::set_mouse(self.program.wants_mouse())?;
        self.canvas.forget()?;
        self.keyboard = Some(Keyboard::listen()?);
        self.dirty = true;
        Ok(())
    }
}

type Ended = Result<io::Result<std::process::ExitStatus>, oneshot::error::RecvError>;

fn judge(editor: &str, ended: Ended) -> Result<(), String> {
    match ended {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("`{editor}` ended with {status}")),
        Ok(Err(error)) => Err(format!("cannot wait for `{editor}`: {error}")),
        Err(_gone) => Err(format!("nobody waited for `{editor}`")),
    }
}

#[cfg(unix)]
fn is_from_keyboard(number: i32) -> bool {
    use rustix::process::Signal as Number;
    number == Number::INT.as_raw() || number == Number::QUIT.as_raw()
}

#[cfg(not(unix))]
fn is_from_keyboard(_number: i32) -> bool {
    true
}
