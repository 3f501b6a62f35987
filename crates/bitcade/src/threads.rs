//! The remark that a search runs on fewer threads than asked for.

use crate::output::{Failure, remark};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static REPORTED: AtomicBool = AtomicBool::new(false);

/// Says on standard error, once in a run of the program, that some of the `wanted` threads are missing.
pub(crate) fn report_missing(wanted: usize, missing: usize) {
    if missing > 0 && !REPORTED.swap(true, Ordering::Relaxed) {
        let started = wanted.saturating_sub(missing);
        remark(format_args!(
            "only {started} of {wanted} threads could be started; the search goes on with them"
        ));
    }
}

/// Returns the failure of a command whose thread that reads `input` could not be started.
pub(crate) fn no_reader(input: &str, error: &io::Error) -> Failure {
    Failure::Check(format!("{input}: the thread that reads it could not be started: {error}"))
}
