//! [`SharedStop`]: a stop that several threads ask.

use bitcade_core::{Stop, Stopped};
use std::sync::atomic::{AtomicBool, Ordering};

/// A [`Stop`] shared by several threads: a single `true` stops all of them.
pub(crate) struct SharedStop<'a> {
    stop: Stop<'a>,
    stopped: AtomicBool,
}

impl<'a> SharedStop<'a> {
    pub(crate) fn new(stop: Stop<'a>) -> Self {
        Self { stop, stopped: AtomicBool::new(false) }
    }

    pub(crate) fn ask(&self) -> Result<(), Stopped> {
        if self.check().is_ok() && (self.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.check()
    }

    /// Checks for an earlier stop without calling the callback.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}
