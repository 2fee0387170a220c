//! Locks that no panic closes for good.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic while a lock is held leaves a value that is whole all the same: values are only replaced.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
