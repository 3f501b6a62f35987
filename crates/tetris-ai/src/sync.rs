//! Atomics, channels and threads of the searches: the only place from which they are imported, so that a model
//! checker can take their place.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub(crate) use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;
pub(crate) use std::thread::{Scope, ScopedJoinHandle, scope, yield_now};

/// Starts a thread in a scope. Returns `None` if the system can't start one.
pub(crate) fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    #[cfg(test)]
    if !limit::take() {
        return None;
    }
    Builder::new().spawn_scoped(scope, work).ok()
}

/// A limit of the threads that a test can start, as a system has one.
#[cfg(test)]
pub(crate) mod limit {
    use std::cell::Cell;

    std::thread_local!(static LEFT: Cell<usize> = const { Cell::new(usize::MAX) });

    /// Calls `body`, in which this thread can start only `threads` others.
    pub(crate) fn with<R>(threads: usize, body: impl FnOnce() -> R) -> R {
        LEFT.set(threads);
        let result = body();
        LEFT.set(usize::MAX);
        result
    }

    /// Takes one of the threads that are left.
    pub(super) fn take() -> bool {
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(1));
        left > 0
    }
}
