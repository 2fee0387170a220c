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
    // Listened for from here on, and not only when the task has its turn.
    let mut signals = Signals::listen();
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
struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        Self(kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect())
    }

    async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let came = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Self {
        Self
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
