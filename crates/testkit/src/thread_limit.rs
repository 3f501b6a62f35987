//! A simulated system limit on the threads a test can start.

use std::cell::Cell;

std::thread_local!(static LEFT: Cell<usize> = const { Cell::new(usize::MAX) });

/// Calls `body` with this thread limited to starting `threads` others.
pub fn with<R>(threads: usize, body: impl FnOnce() -> R) -> R {
    LEFT.set(threads);
    let result = body();
    LEFT.set(usize::MAX);
    result
}

/// Takes one of the remaining threads. Returns `false` if none is left.
pub fn take() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left > 0
}
