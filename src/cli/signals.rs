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
    tokio::spawn(async move {
        signal().await;
        told.cancel();
        signal().await;
        std::process::exit(i32::from(super::failure::exit::INTERRUPTED));
    });
    stop
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
