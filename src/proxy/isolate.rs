//! One call in a task of its own: a panic in it ends it alone, and dropping it ends it at once.

use std::future::Future;

use tokio::task::{AbortHandle, JoinError};

struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs a future in a task.
///
/// # Errors
/// It panicked. (It is only aborted when nobody waits any more.)
pub(super) async fn isolated<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> Result<T, JoinError> {
    let task = tokio::spawn(future);
    let _guard = AbortOnDrop(task.abort_handle());
    task.await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_panic_ends_one_call_only() {
        assert!(isolated(async { panic!("on purpose") }).await.is_err_and(|error: JoinError| error.is_panic()));
        assert_eq!(isolated(async { 7 }).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_call_that_nobody_waits_for_ends() {
        struct Flag(Arc<AtomicBool>);
        impl Drop for Flag {
            fn drop(&mut self) {
                self.0.store(true, Ordering::SeqCst);
            }
        }
        let ended = Arc::new(AtomicBool::new(false));
        let flag = Flag(ended.clone());
        let call = isolated(async move {
            let _flag = flag;
            std::future::pending::<()>().await;
        });
        assert!(tokio::time::timeout(Duration::from_millis(50), call).await.is_err());
        for _ in 0..100 {
            if ended.load(Ordering::SeqCst) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the call went on");
    }
}
