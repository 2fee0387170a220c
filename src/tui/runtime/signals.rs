//! Signals, heard on a thread of their own.
//!
//! Not on the screen's thread: a write to a terminal that takes nothing blocks, and a frame may take long. Whatever holds
//! the screen's thread then, the process still ends.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::mpsc;

/// What the loop hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// End, with 128 + this number as exit code.
    End(i32),
    /// The terminal has another size.
    Resize,
    /// Stop until continued.
    Stop,
    /// The process was stopped and goes on; the terminal may have been used by others.
    Continue,
}

/// Counts the ends that were asked for and not meant for us, so that none of them is brought about by force.
static IGNORED: AtomicU64 = AtomicU64::new(0);

/// Says that a [`Signal::End`] was heard and is not obeyed.
pub(crate) fn ignore_end() {
    IGNORED.fetch_add(1, Ordering::SeqCst);
}

/// Starts listening. From here to the end of the process the signals no longer have their default effect.
///
/// # Errors
/// When the system refuses a handler or the thread.
#[cfg(unix)]
pub(crate) fn listen() -> io::Result<mpsc::UnboundedReceiver<Signal>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let (ready, is_ready) = std::sync::mpsc::sync_channel(1);
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return ready.send(Err(error)).unwrap_or_default(),
        };
        runtime.block_on(unix::forward(&sender, &ready));
    })?;
    is_ready.recv().unwrap_or_else(|_| Err(io::Error::other("the thread that listens for signals has ended")))?;
    Ok(receiver)
}

/// Starts listening for Ctrl-C and Ctrl-Break from outside; a key press arrives as a key.
///
/// # Errors
/// When the system refuses the thread.
#[cfg(not(unix))]
pub(crate) fn listen() -> io::Result<mpsc::UnboundedReceiver<Signal>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
            while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
                if sender.send(Signal::End(2)).is_err() {
                    break;
                }
            }
        }
    })?;
    Ok(receiver)
}

/// Whether there is a shell that would notice that we stopped, and continue us. A shell with job control puts each job
/// into a group of its own; inside the session leader's group nobody would.
#[cfg(unix)]
pub(crate) fn can_stop() -> bool {
    use rustix::process::{getpgrp, getsid};
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// Stops this process and the rest of its job until the shell continues it. The whole job, so that the shell also
/// notices when a wrapper (a script, a build tool) started us.
#[cfg(unix)]
pub(crate) fn stop_job() -> bool {
    use rustix::process::{Signal, kill_current_process_group};
    can_stop() && kill_current_process_group(Signal::STOP).is_ok()
}

/// Sends ourselves a [`Signal::Continue`]: what arrives before it was sent before it. `false` when it was not sent.
#[cfg(unix)]
pub(crate) fn send_mark() -> bool {
    use rustix::process::{Signal, getpid, kill_process};
    kill_process(getpid(), Signal::CONT).is_ok()
}

/// There is no such thing here.
#[cfg(not(unix))]
pub(crate) fn send_mark() -> bool {
    false
}

/// There is no such thing here.
#[cfg(not(unix))]
pub(crate) fn can_stop() -> bool {
    false
}

/// There is no such thing here.
#[cfg(not(unix))]
pub(crate) fn stop_job() -> bool {
    false
}

#[cfg(unix)]
mod unix {
    use std::future::poll_fn;
    use std::io;
    use std::sync::atomic::Ordering;
    use std::sync::mpsc::SyncSender;
    use std::task::Poll;
    use std::thread;
    use std::time::Duration;

    use rustix::process::Signal as Number;
    use tokio::signal::unix::{SignalKind, signal};
    use tokio::sync::mpsc::UnboundedSender;

    use super::{IGNORED, Signal};
    use crate::tui::runtime::terminal;

    /// How long the screen's thread has to end by itself.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// How long a terminal that takes no more bytes may hold up the end.
    const LAST_WORDS: Duration = Duration::from_millis(300);

    pub(super) async fn forward(sender: &UnboundedSender<Signal>, ready: &SyncSender<io::Result<()>>) {
        let meanings = [
            (Number::INT, None),
            (Number::TERM, None),
            (Number::HUP, None),
            (Number::QUIT, None),
            (Number::WINCH, Some(Signal::Resize)),
            (Number::TSTP, Some(Signal::Stop)),
            (Number::CONT, Some(Signal::Continue)),
        ];
        let mut listeners = Vec::with_capacity(meanings.len());
        for (number, meaning) in meanings {
            let meaning = meaning.unwrap_or(Signal::End(number.as_raw()));
            match signal(SignalKind::from_raw(number.as_raw())) {
                Ok(listener) => listeners.push((listener, meaning)),
                Err(error) => return ready.send(Err(error)).unwrap_or_default(),
            }
        }
        if ready.send(Ok(())).is_err() {
            return;
        }
        loop {
            let heard = poll_fn(|cx| {
                for (listener, meaning) in &mut listeners {
                    if listener.poll_recv(cx).is_ready() {
                        return Poll::Ready(*meaning);
                    }
                }
                Poll::Pending
            })
            .await;
            if let Signal::End(number) = heard {
                end_by_force_unless_left(number);
            }
            let _ended = sender.send(heard);
        }
    }

    fn end_by_force_unless_left(number: i32) {
        let ignored = IGNORED.load(Ordering::SeqCst);
        let _watch = thread::Builder::new().name("last resort".to_owned()).spawn(move || {
            thread::sleep(PATIENCE);
            if terminal::is_ours() && IGNORED.load(Ordering::SeqCst) == ignored {
                let _leaving = thread::Builder::new().spawn(terminal::leave);
                thread::sleep(LAST_WORDS);
                std::process::exit(128 + number);
            }
        });
    }
}
