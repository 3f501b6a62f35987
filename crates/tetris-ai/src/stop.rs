//! [`Stop`]: how a caller ends long work.

use std::sync::atomic::{AtomicBool, Ordering};

/// A callback that ends long work: the work stops soon after it returns `true`.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The error of a search that was stopped by its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// A [`Stop`] that several threads ask: a single `true` stops all of them.
pub(crate) struct SharedStop<'a> {
    stop: Stop<'a>,
    stopped: AtomicBool,
}

impl<'a> SharedStop<'a> {
    pub(crate) fn new(stop: Stop<'a>) -> Self {
        Self { stop, stopped: AtomicBool::new(false) }
    }

    /// Asks the callback, unless it has returned `true` before.
    pub(crate) fn ask(&self) -> Result<(), Stopped> {
        if self.check().is_ok() && (self.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.check()
    }

    /// Returns the error if the callback has returned `true`.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}
