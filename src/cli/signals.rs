//! The wish to end: Ctrl-C and the signals by which systems stop programs.

use tokio_util::sync::CancellationToken;

use super::failure::Failure;

/// A runtime for commands that talk to others.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    built.map_err(|error| Failure::Internal(format!("the program cannot start its tasks: {error}")))
}

/// A token that is cancelled by the first signal. A second one ends the program at once.
pub(super) fn stop() -> CancellationToken {
    let stop = CancellationToken::new();
    let told = stop.clone();
    // Here and not in the task: a signal that comes before the task runs would end the program.
    let mut signals = Signals::new();
    tokio::spawn(async move {
        signals.next().await;
        told.cancel();
        signals.next().await;
        std::process::exit(i32::from(super::failure::exit::INTERRUPTED));
    });
    stop
}

/// The signals, heard from the beginning.
#[cfg(unix)]
struct Signals([Option<tokio::signal::unix::Signal>; 3]);

#[cfg(unix)]
impl Signals {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        Self(kinds.map(|kind| signal(kind).ok()))
    }

    async fn next(&mut self) {
        let Self([Some(interrupt), Some(terminate), Some(hangup)]) = self else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Self {
        Self
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
