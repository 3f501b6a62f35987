//! The thread count of a command, and the remark about missing threads.

use crate::arguments::number_in;
use crate::io::output::{Failure, remark};
use bitcade_core::{ThreadPool, useful_threads};
use clap::Args;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

/// The argument of commands whose work can be split without changing the result.
#[derive(Args, Clone, Copy)]
pub(crate) struct Threads {
    /// The number of threads; the result does not depend on it. At most 64 start, or four per core
    /// [default: one per core]
    #[arg(long, value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        self.threads.unwrap_or_else(one_per_core).get()
    }

    pub(crate) fn pool(self) -> ThreadPool {
        pool(self.threads.unwrap_or_else(one_per_core))
    }
}

pub(crate) fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    number_in(1usize..=1024)(text)
        .map(|threads| NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
}

pub(crate) fn one_per_core() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

pub(crate) fn pool(threads: NonZeroUsize) -> ThreadPool {
    let pool = ThreadPool::new(threads);
    report_missing(threads.get(), pool.missing());
    pool
}

static REPORTED: AtomicBool = AtomicBool::new(false);

/// Reports on standard error, once per run, that some of the `wanted` threads are missing.
pub(crate) fn report_missing(wanted: usize, missing: usize) {
    let wanted = useful_threads(wanted);
    if missing > 0 && !REPORTED.swap(true, Ordering::Relaxed) {
        let started = wanted.saturating_sub(missing);
        remark(format_args!(
            "only {started} of {wanted} threads could be started; continuing with these"
        ));
    }
}

pub(crate) fn no_reader(input: &str, error: &io::Error) -> Failure {
    Failure::Check(format!("{input}: the thread that reads it could not be started: {error}"))
}
