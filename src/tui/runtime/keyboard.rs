//! The keyboard, read on a thread that lets go of it when told to.
//!
//! Not crossterm's `EventStream`: a stream that is dropped at the wrong moment leaves a thread behind that takes the
//! first key meant for the editor; half an escape sequence blocks whoever polls it; and after a hang-up it reads the
//! end of the input for ever. Here the thread waits for the terminal and for the word to stop, both at once.
//!
//! crossterm is built with `use-dev-tty`, whose reader asks by `poll`. Its other reader asks for changes only, and
//! forgets a key that comes together with a change of size until the next key.

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use crossterm::event::{self, Event};
use tokio::sync::mpsc;

/// Events that may wait for the program before the reader does.
const QUEUE: usize = 256;
/// How long the thread may take to stop. It takes longer only inside half an escape sequence.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long more events are waited for before the thread goes back to waiting for the word to stop. Not zero:
/// crossterm's reader does not look at the terminal then.
const DRAIN: Duration = Duration::from_millis(1);
/// Pause after the terminal had something to read that was no event.
const PAUSE: Duration = Duration::from_millis(20);

/// What the thread sends.
#[derive(Debug)]
pub(crate) enum Typed {
    Event(Event),
    /// The terminal is gone; nothing follows.
    Closed,
    /// The terminal failed; nothing follows.
    Failed(io::Error),
}

pub(crate) struct Keyboard {
    receiver: mpsc::Receiver<Typed>,
    stop: platform::Stop,
    /// Closed by the thread's end.
    ended: std::sync::mpsc::Receiver<()>,
}

impl Keyboard {
    /// Starts reading.
    ///
    /// # Errors
    /// When there is no terminal to read from, or no thread.
    pub(crate) fn listen() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let (stop, mut source) = platform::open()?;
        let (alive, ended) = std::sync::mpsc::channel();
        thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
            let _alive: std::sync::mpsc::Sender<()> = alive;
            let last = match read_on(&mut source, &sender) {
                Ok(last) => last,
                Err(error) => Some(Typed::Failed(error)),
            };
            if let Some(last) = last {
                // Nobody listens any more only when the program has ended or stopped us.
                let _heard = sender.blocking_send(last);
            }
        })?;
        Ok(Self { receiver, stop, ended })
    }

    pub(crate) fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<Typed> {
        self.receiver.poll_recv(cx).map(|typed| typed.unwrap_or(Typed::Closed))
    }

    /// Stops reading; from here on keys go to whoever reads the terminal. Gives what was read and not yet heard.
    pub(crate) fn stop(mut self) -> Vec<Event> {
        self.receiver.close();
        self.stop.now();
        // Nothing is ever sent there: the thread ends, or does not in time.
        let _ended: Result<(), RecvTimeoutError> = self.ended.recv_timeout(PATIENCE);
        let mut unheard = Vec::new();
        while let Ok(Typed::Event(event)) = self.receiver.try_recv() {
            unheard.push(event);
        }
        unheard
    }
}

/// Whether the terminal that keys come from was closed. Known as soon as anything fails by it, and before SIGHUP comes.
pub(crate) fn is_hung_up() -> bool {
    platform::is_hung_up()
}

/// Reads until told to stop (`None`) or until nothing can follow.
fn read_on(source: &mut platform::Source, sender: &mpsc::Sender<Typed>) -> io::Result<Option<Typed>> {
    loop {
        match source.wait()? {
            platform::Ready::Stop => return Ok(None),
            platform::Ready::Closed => return Ok(Some(Typed::Closed)),
            platform::Ready::Readable => {}
        }
        let mut events = 0;
        while event::poll(DRAIN)? {
            events += 1;
            if sender.blocking_send(Typed::Event(event::read()?)).is_err() {
                return Ok(None);
            }
        }
        if events == 0 {
            thread::sleep(PAUSE);
        }
    }
}

#[cfg(unix)]
mod platform {
    use std::fs::File;
    use std::io::{self, IsTerminal, Write};
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::net::UnixStream;

    use rustix::event::{PollFd, PollFlags, poll};

    pub(super) struct Stop(UnixStream);

    impl Stop {
        pub(super) fn now(&mut self) {
            // It fails only when the thread has ended.
            let _told = self.0.write_all(&[0]);
        }
    }

    pub(super) enum Ready {
        Readable,
        Closed,
        Stop,
    }

    pub(super) struct Source {
        /// None: standard input.
        terminal: Option<File>,
        stop: UnixStream,
    }

    /// The terminal that crossterm reads too: standard input, or the controlling terminal where that is something else.
    pub(super) fn open() -> io::Result<(Stop, Source)> {
        let terminal = if io::stdin().is_terminal() { None } else { Some(File::open("/dev/tty")?) };
        let (told, stop) = UnixStream::pair()?;
        Ok((Stop(told), Source { terminal, stop }))
    }

    pub(super) fn is_hung_up() -> bool {
        // Neither stream can be opened again once it is gone, so look at those that are open.
        let (stdin, stdout) = (io::stdin(), io::stdout());
        [stdin.as_fd(), stdout.as_fd()].into_iter().any(|stream| {
            let mut look = [PollFd::from_borrowed_fd(stream, PollFlags::empty())];
            let looked = poll(&mut look, Some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 }));
            looked.is_ok() && look.iter().any(|stream| stream.revents().contains(PollFlags::HUP))
        })
    }

    impl Source {
        pub(super) fn wait(&mut self) -> io::Result<Ready> {
            let stdin = io::stdin();
            let terminal: BorrowedFd<'_> = match &self.terminal {
                Some(file) => file.as_fd(),
                None => stdin.as_fd(),
            };
            loop {
                let mut waiting =
                    [PollFd::from_borrowed_fd(terminal, PollFlags::IN), PollFd::new(&self.stop, PollFlags::IN)];
                match poll(&mut waiting, None) {
                    Err(rustix::io::Errno::INTR) => continue,
                    other => other?,
                };
                let [terminal, stop] = waiting.each_ref().map(PollFd::revents);
                if !stop.is_empty() {
                    return Ok(Ready::Stop);
                }
                if terminal.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                    return Ok(Ready::Closed);
                }
                if terminal.contains(PollFlags::IN) {
                    return Ok(Ready::Readable);
                }
            }
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// How often the word to stop is looked for.
    const GLANCE: Duration = Duration::from_millis(100);

    pub(super) struct Stop(Arc<AtomicBool>);

    impl Stop {
        pub(super) fn now(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[allow(dead_code)]
    pub(super) enum Ready {
        Readable,
        Closed,
        Stop,
    }

    pub(super) struct Source(Arc<AtomicBool>);

    pub(super) fn is_hung_up() -> bool {
        false
    }

    pub(super) fn open() -> io::Result<(Stop, Source)> {
        let stop = Arc::new(AtomicBool::new(false));
        Ok((Stop(Arc::clone(&stop)), Source(stop)))
    }

    impl Source {
        pub(super) fn wait(&mut self) -> io::Result<Ready> {
            loop {
                if self.0.load(Ordering::SeqCst) {
                    return Ok(Ready::Stop);
                }
                if crossterm::event::poll(GLANCE)? {
                    return Ok(Ready::Readable);
                }
            }
        }
    }
}
