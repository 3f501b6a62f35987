//! Arguments from Python, and errors for it.

use bitcore::batch::{Autoreset, IllegalAction, Seeds};
use bitcore::{Level, ThreadPool};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Returns a `ValueError` with the text of an error.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the level of a name: `auto` for the best one of this machine.
pub(crate) fn level(name: &str) -> PyResult<Level> {
    if name == "auto" { Ok(Level::detect()) } else { Level::from_str(name).map_err(value_error) }
}

/// Returns the names of the levels of instruction sets that this machine has, the best one last.
#[pyfunction]
pub(crate) fn levels() -> Vec<&'static str> {
    Level::all().map(Level::name).collect()
}

/// Returns the mode of restart of a name: Gymnasium's `AutoresetMode` values, or short forms.
pub(crate) fn autoreset(name: &str) -> PyResult<Autoreset> {
    match name {
        "same_step" => Ok(Autoreset::SameStep),
        "next_step" => Ok(Autoreset::NextStep),
        "disabled" => Ok(Autoreset::Disabled),
        _ => Err(value_error(format!("autoreset={name:?}: expected same_step, next_step or disabled"))),
    }
}

/// Returns the treatment of illegal actions of a name.
pub(crate) fn on_illegal(name: &str) -> PyResult<IllegalAction> {
    match name {
        "raise" => Ok(IllegalAction::Refuse),
        "noop" => Ok(IllegalAction::Ignore),
        "terminate" => Ok(IllegalAction::End),
        _ => Err(value_error(format!("on_illegal={name:?}: expected raise, noop or terminate"))),
    }
}

/// A seed of all games, or a list with one of each.
pub(crate) enum SeedArgument {
    One(u64),
    Each(Vec<u64>),
}

impl<'py> FromPyObject<'_, 'py> for SeedArgument {
    type Error = PyErr;

    fn extract(seed: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(seed) = seed.extract() {
            return Ok(Self::One(seed));
        }
        seed.extract().map(Self::Each).map_err(|_| {
            value_error("seed: expected an integer from 0 to 2**64 - 1, or a list with one of each game")
        })
    }
}

impl From<SeedArgument> for Seeds {
    fn from(seed: SeedArgument) -> Self {
        match seed {
            SeedArgument::One(seed) => Self::One(seed),
            SeedArgument::Each(seeds) => Self::Each(seeds),
        }
    }
}

/// Checks a number of threads: one that somebody may mean.
pub(crate) fn thread_count(wanted: usize) -> PyResult<NonZeroUsize> {
    const MOST: usize = 1024;
    NonZeroUsize::new(wanted)
        .filter(|wanted| wanted.get() <= MOST)
        .ok_or_else(|| value_error(format!("num_threads={wanted}: expected 1 to {MOST}")))
}

/// Does long work on a thread of its own, which a signal ends: `work` gets the function to ask.
///
/// Python's signals reach its main thread alone, so the caller looks for them meanwhile.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
) -> PyResult<T> {
    const INTERVAL: Duration = Duration::from_millis(5);
    let stop = AtomicBool::new(false);
    let (result, interrupt) = py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| work(&|| stop.load(Ordering::Relaxed)));
            let mut interrupt = None;
            while !worker.is_finished() {
                std::thread::sleep(INTERVAL);
                // The method itself holds for one lifetime only.
                #[allow(clippy::redundant_closure_for_method_calls)]
                let looked = Python::attach(|py| py.check_signals());
                if let Err(error) = looked {
                    stop.store(true, Ordering::Relaxed);
                    interrupt = Some(error);
                }
            }
            (worker.join(), interrupt)
        })
    });
    match (result, interrupt) {
        (_, Some(interrupt)) => Err(interrupt),
        (Ok(result), None) => Ok(result),
        (Err(panic), None) => std::panic::resume_unwind(panic),
    }
}

/// Threads that outlive no fork: a child process starts its own.
#[derive(Debug)]
pub(crate) struct Threads {
    pool: ThreadPool,
    single: ThreadPool,
    process: u32,
    wanted: NonZeroUsize,
    trials: [Trial; 2],
}

/// A kind of calls that come again and again, each with about the same work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Sample,
    Step,
}

/// A comparison of one thread with all: to wake threads takes longer than a step of few games.
#[derive(Clone, Copy, Debug)]
struct Trial {
    /// The number of calls since the comparison began.
    calls: u32,
    /// The number of calls after which the next one begins: few at first, since games that have just begun
    /// are quicker.
    period: u32,
    /// The shortest times of the present comparison: on one thread, on all.
    shortest: [Option<Duration>; 2],
    /// `true` if all threads were faster in the last comparison.
    use_all: bool,
}

impl Trial {
    /// The calls of a comparison, the first half of them on one thread, the others on all: calls in a row,
    /// since threads that worked just now are awake, and their caches are full.
    const COMPARED: u32 = 16;
    const LONGEST_PERIOD: u32 = 4096;
    const START: Self = Self { calls: 0, period: 64, shortest: [None; 2], use_all: false };

    /// Returns `true` if all threads are to do the next call.
    fn next(&mut self) -> bool {
        if self.calls == self.period {
            let period = Self::LONGEST_PERIOD.min(2 * self.period);
            *self = Self { period, use_all: self.use_all, ..Self::START };
        } else if self.calls == Self::COMPARED {
            self.use_all = self.shortest[1] < self.shortest[0];
        }
        if self.calls < Self::COMPARED { self.calls >= Self::COMPARED / 2 } else { self.use_all }
    }

    fn add(&mut self, used_all: bool, time: Duration) {
        let shortest = &mut self.shortest[usize::from(used_all)];
        *shortest = Some(shortest.map_or(time, |shortest| shortest.min(time)));
        self.calls += 1;
    }
}

impl Threads {
    /// Starts `wanted` threads.
    pub(crate) fn new(wanted: usize) -> PyResult<Self> {
        let wanted = thread_count(wanted)?;
        let (pool, single) = (ThreadPool::new(wanted), ThreadPool::single());
        Ok(Self { pool, single, process: std::process::id(), wanted, trials: [Trial::START; 2] })
    }

    /// Returns the number of threads asked for.
    pub(crate) fn wanted(&self) -> usize {
        self.wanted.get()
    }

    /// Returns the pool of this process.
    pub(crate) fn pool(&mut self) -> &ThreadPool {
        if self.wanted.get() > 1 && self.process != std::process::id() {
            // The threads of the parent don't exist here: nothing must wait for them.
            std::mem::forget(std::mem::replace(&mut self.pool, ThreadPool::new(self.wanted)));
            self.process = std::process::id();
        }
        &self.pool
    }

    /// Does a call on the pool or on the caller's thread alone, whichever is faster. The results are the
    /// same.
    pub(crate) fn call<T>(&mut self, call: Call, work: impl FnOnce(&ThreadPool) -> T) -> T {
        if self.wanted.get() == 1 {
            return work(&self.single);
        }
        self.pool();
        let all = self.trials[call as usize].next();
        let start = Instant::now();
        let result = work(if all { &self.pool } else { &self.single });
        self.trials[call as usize].add(all, start.elapsed());
        result
    }
}

/// Returns the error of an object that lives in its process alone.
pub(crate) fn no_pickle(name: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "a {name} can't be pickled: create it in the process that uses it, from its arguments and a seed"
    ))
}
