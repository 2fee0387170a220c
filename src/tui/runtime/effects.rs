//! Effects run on threads and answer through a bounded channel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tokio::sync::mpsc;

use super::slots::Ticket;

/// How effects of one sort get along with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One runs, one waits, the newest wins: a newer effect replaces the waiting one, and whatever the running one
    /// still sends is dropped. For everything that computes a picture of the present.
    Latest(&'static str),
    /// One after the other in the order asked for, none is dropped. For everything that writes.
    Ordered(&'static str),
    /// Runs at once, beside all others, and is always heard.
    Each,
}

/// Does what a program wants done.
pub trait Effects<E, M>: Send + Sync + 'static {
    /// The sort of an effect.
    fn kind(&self, effect: &E) -> Kind;
    /// Does it, on a thread of its own; may block. A panic in here reaches the program as a notice.
    fn run(&self, effect: E, reply: Reply<M>);
}

/// The way back from an effect to the program. It may outlive the effect: a watcher keeps it and answers until a
/// newer effect of the same [`Kind::Latest`] takes over.
pub struct Reply<M> {
    deliver: Arc<dyn Fn(M) -> bool + Send + Sync>,
    stale: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl<M> Clone for Reply<M> {
    fn clone(&self) -> Self {
        Self { deliver: Arc::clone(&self.deliver), stale: Arc::clone(&self.stale) }
    }
}

impl<M> std::fmt::Debug for Reply<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply").field("stale", &self.is_stale()).finish_non_exhaustive()
    }
}

impl<M> Reply<M> {
    /// A reply that hands every message to a function, which says whether it was taken. For effects that run outside
    /// the loop, as in tests.
    pub fn to(deliver: impl Fn(M) -> bool + Send + Sync + 'static) -> Self {
        Self { deliver: Arc::new(deliver), stale: Arc::new(|| false) }
    }

    /// Sends a message, waiting while the channel is full. `false` when nobody will read it: the program has ended or
    /// a newer effect has taken over; a long effect should then stop.
    pub fn send(&self, msg: M) -> bool {
        !self.is_stale() && (self.deliver)(msg)
    }

    /// Whether a newer effect of the same kind was asked for, so that going on is waste.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        (self.stale)()
    }
}

/// What comes through the channel.
#[derive(Debug)]
pub(crate) enum Envelope<M> {
    Message(Ticket, M),
    Finished(Ticket),
}

/// Starts an effect on a thread. It always ends in one `Finished`, also after a panic.
///
/// # Errors
/// When the system gives no thread; the caller must then count the effect as finished.
pub(crate) fn start<E: Send + 'static, M: Send + 'static>(
    effects: &Arc<dyn Effects<E, M>>,
    ticket: Ticket,
    effect: E,
    sender: mpsc::Sender<Envelope<M>>,
) -> std::io::Result<()> {
    let effects = Arc::clone(effects);
    thread::Builder::new()
        .name("effect".to_owned())
        .spawn(move || {
            let (for_message, for_stale, messages) = (ticket.clone(), ticket.clone(), sender.clone());
            let reply = Reply {
                deliver: Arc::new(move |msg| {
                    messages.blocking_send(Envelope::Message(for_message.clone(), msg)).is_ok()
                }),
                stale: Arc::new(move || for_stale.is_stale()),
            };
            // The hook has already recorded the panic's text and place for the loop.
            let _recorded = catch_unwind(AssertUnwindSafe(|| effects.run(effect, reply)));
            // The receiver is gone only when the program has ended.
            let _ended = sender.blocking_send(Envelope::Finished(ticket));
        })
        .map(|_handle| ())
}
