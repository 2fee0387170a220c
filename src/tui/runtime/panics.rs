//! Panics: the screen's thread puts the terminal back and reports as usual, all others are recorded and shown.

use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, Once, PoisonError};
use std::task::Waker;
use std::thread::{self, ThreadId};

use super::terminal;

/// Enough to see what goes wrong; a task that panics in a loop must not fill the memory.
const KEPT: usize = 32;

struct Records {
    screen: Option<ThreadId>,
    reports: Vec<String>,
    waker: Option<Waker>,
}

static RECORDS: Mutex<Records> = Mutex::new(Records { screen: None, reports: Vec::new(), waker: None });
static INSTALLED: Once = Once::new();

fn records() -> std::sync::MutexGuard<'static, Records> {
    RECORDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the calling thread the screen's thread and installs the hook, once per process. While the terminal is not
/// ours the hook does what the one before it did.
pub(crate) fn install() {
    records().screen = Some(thread::current().id());
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if terminal::is_ours() && records().screen != Some(thread::current().id()) {
                record(info);
            } else {
                // First the terminal, then the words: on the alternate screen nobody would read them.
                terminal::leave();
                previous(info);
            }
        }));
    });
}

fn record(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("panic without a message");
    let thread = thread::current();
    let name = thread.name().unwrap_or("unnamed").to_owned();
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    let mut records = records();
    if records.reports.len() < KEPT {
        records.reports.push(format!("thread {name}: {message}{place}"));
    }
    if let Some(waker) = records.waker.take() {
        waker.wake();
    }
}

/// Takes the oldest recorded panic, or leaves word whom to wake at the next one.
pub(crate) fn take(waker: &Waker) -> Option<String> {
    let mut records = records();
    if records.reports.is_empty() {
        records.waker = Some(waker.clone());
        None
    } else {
        Some(records.reports.remove(0))
    }
}
