//! Atomics and threads of the search: the only place from which its modules import them, so that a model
//! checker can take their place.

pub(super) use std::sync::OnceLock;
pub(super) use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};
pub(super) use std::thread::scope;
use std::thread::{Builder, Scope};

/// Starts a thread in a scope. Returns `false` if the system can't start one.
pub(super) fn spawn_scoped<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() + Send + 'scope,
) -> bool {
    #[cfg(test)]
    if !limit::take() {
        return false;
    }
    Builder::new().spawn_scoped(scope, work).is_ok()
}

/// A limit of the threads that a test can start, as a system has one.
#[cfg(test)]
pub(super) mod limit {
    use std::cell::Cell;

    std::thread_local!(static LEFT: Cell<usize> = const { Cell::new(usize::MAX) });

    /// Calls `body`, in which this thread can start only `threads` others.
    pub(in super::super) fn with<R>(threads: usize, body: impl FnOnce() -> R) -> R {
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
