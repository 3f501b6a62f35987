//! A limit of the threads that a test can start, as a system has one.

use std::cell::Cell;

std::thread_local!(static LEFT: Cell<usize> = const { Cell::new(usize::MAX) });

/// Calls `body`, in which this thread can start only `threads` others.
pub fn with<R>(threads: usize, body: impl FnOnce() -> R) -> R {
    LEFT.set(threads);
    let result = body();
    LEFT.set(usize::MAX);
    result
}

/// Takes one of the threads that are left. Returns `false` if there is none.
pub fn take() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left > 0
}
