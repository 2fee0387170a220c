//! The loop: waits, lets the program react, draws when something happened.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};

use crossterm::event::Event;
use tokio::sync::mpsc;

use super::clipboard;
use super::effects::{self, Effects, Envelope};
use super::exit::{Exit, HUNG_UP, RunError};
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

pub(super) struct Loop<'p, P: Program> {
    pub(super) program: &'p mut P,
    pub(super) canvas: Canvas,
    /// None while another program has the terminal.
    pub(super) keyboard: Option<Keyboard>,
    inbox: Inbox,
    pub(super) signals: mpsc::UnboundedReceiver<Signal>,
    effects: Arc<dyn Effects<P::Effect, P::Msg>>,
    slots: Slots<P::Effect>,
    sender: mpsc::Sender<Envelope<P::Msg>>,
    receiver: mpsc::Receiver<Envelope<P::Msg>>,
    pub(super) dirty: bool,
    /// The next SIGCONT is the one that ended our own stop.
    pub(super) continued_by_us: bool,
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

    pub(super) fn hear(&mut self, event: Event) {
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

    pub(super) fn tell(&mut self, notice: Notice) {
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
}
