//! Argument conversion, Python errors, interruptible calls and thread pools.

use bitcade_core::batch::{BatchError, Seeds};
use bitcade_core::{Stop, Stopped, ThreadPool, useful_threads};
use bitcore::Level;
use pyo3::PyClass;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, ThreadId};
use std::time::{Duration, Instant};

pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn starts_error(error: BatchError) -> PyErr {
    value_error(match error {
        BatchError::Start { index, reason } => format!("starts: board {index}: {reason}"),
        error => error.to_string(),
    })
}

/// Returns the names of the instruction set levels that this CPU supports, best last.
///
/// Returns:
///     list[str]
#[pyfunction]
pub(crate) fn levels() -> Vec<&'static str> {
    Level::all().map(Level::name).collect()
}

/// Returns the name of the active instruction set level.
///
/// Returns:
///     str
#[pyfunction]
pub(crate) fn level() -> &'static str {
    Level::active().name()
}

/// Sets the instruction set level of the whole process. Results don't depend on it.
///
/// Args:
///     name (str): One of `levels()`, or `auto` for the best.
///
/// Raises:
///     ValueError: An unknown level, or one that this CPU lacks.
#[pyfunction]
pub(crate) fn set_level(name: &str) -> PyResult<()> {
    Level::set_active(name.parse().map_err(value_error)?);
    Ok(())
}

pub(crate) fn set_level_of_environment() -> PyResult<()> {
    let Some(name) = std::env::var_os(LEVEL).filter(|name| !name.is_empty()) else { return Ok(()) };
    let level = name.to_string_lossy().parse();
    Level::set_active(
        level
            .map_err(|error| value_error(format!("{LEVEL}={}: {error}", name.to_string_lossy())))?,
    );
    Ok(())
}

const LEVEL: &str = "BITCADE_LEVEL";

/// Looks up a keyword among an argument's allowed values; an unknown one is a `ValueError` that
/// lists them.
pub(crate) fn choose<T: Copy>(argument: &str, name: &str, values: &[(&str, T)]) -> PyResult<T> {
    let found = values.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(known, _)| *known).collect();
        let (last, others) = names.split_last().expect("there are values");
        value_error(format!("{argument}={name:?}: expected {} or {last}", others.join(", ")))
    })
}

/// Returns the name of a value in such a list.
pub(crate) fn name_of<T: PartialEq>(values: &[(&'static str, T)], value: T) -> &'static str {
    values.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

pub(crate) enum SeedArgument {
    One(u64),
    Each(Vec<u64>),
}

impl SeedArgument {
    pub(crate) fn entropy(py: Python<'_>) -> PyResult<Self> {
        py.import("secrets")?.call_method1("randbits", (64,))?.extract().map(Self::One)
    }
}

impl<'py> FromPyObject<'_, 'py> for SeedArgument {
    type Error = PyErr;

    fn extract(seed: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Some(seed) = one_seed(&seed)? {
            return Ok(Self::One(seed));
        }
        let each = seed.extract::<Vec<Bound<'py, PyAny>>>().ok();
        let each: Option<PyResult<Vec<u64>>> =
            each.and_then(|each| each.iter().map(|seed| one_seed(seed).transpose()).collect());
        each.transpose()?.map(Self::Each).ok_or_else(|| {
            value_error("seed: expected an integer of at least 0, or a list with one for each game")
        })
    }
}

/// Reads a seed: any nonnegative integer, as in NumPy. A seed beyond 64 bits, such as the entropy
/// of a `numpy.random.SeedSequence()`, is hashed by that class. Returns `None` for anything else.
fn one_seed(seed: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let py = seed.py();
    match seed.extract() {
        Ok(seed) => Ok(Some(seed)),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
            let seed = seed.call_method0("__index__")?;
            if seed.lt(0)? {
                return Ok(None);
            }
            let sequence = py.import("numpy.random")?.call_method1("SeedSequence", (seed,))?;
            sequence.call_method1("generate_state", (1, "uint64"))?.get_item(0)?.extract().map(Some)
        }
        Err(_) => Ok(None),
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

/// Returns how many threads to start of those requested. The number is capped at what the machine
/// can use: a thousand threads on two cores would take seconds to start and stop.
pub(crate) fn thread_count(wanted: usize) -> PyResult<NonZeroUsize> {
    const MOST: usize = 1024;
    let checked = NonZeroUsize::new(wanted).filter(|wanted| wanted.get() <= MOST);
    let checked = checked
        .ok_or_else(|| value_error(format!("num_threads={wanted}: expected 1 to {MOST}")))?;
    Ok(NonZeroUsize::new(useful_threads(checked.get())).unwrap_or(checked))
}

/// How often Python's signals are polled.
const INTERVAL: Duration = Duration::from_millis(5);

/// Runs long work that a signal can interrupt. `work` receives a function that returns `true` once
/// it should stop.
///
/// Python runs signal handlers only on its main thread, so the work moves to a new thread while the
/// caller polls for signals. If no thread can be started, for example at a process limit, the
/// caller's thread does the work and polls itself.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Stop<'_>) -> Result<T, Stopped> + Send,
) -> PyResult<T> {
    let stop = &AtomicBool::new(false);
    // If the thread fails to start, the work is still here.
    let waiting = &Mutex::new(Some(work));
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (result, interrupt) = py.detach(|| {
        std::thread::scope(|scope| {
            // Nothing is ever sent: the receiver only notices when the worker drops its end.
            let (running, ended) = channel::<()>();
            let on_thread = move || {
                let _running = running;
                take().map(|work| work(&|| stop.load(Ordering::Relaxed)))
            };
            let Ok(worker) = Builder::new().spawn_scoped(scope, on_thread) else {
                let signals = OwnSignals::default();
                let result = take().map(|work| work(&|| signals.stop()));
                return (Ok(result), signals.interrupt());
            };
            let mut interrupt = None;
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = check_signals() {
                    stop.store(true, Ordering::Relaxed);
                    interrupt = Some(error);
                }
            }
            (worker.join(), interrupt)
        })
    });
    match (result, interrupt) {
        (_, Some(interrupt)) => Err(interrupt),
        (Ok(result), None) => {
            let result = result.expect("the work is taken once");
            Ok(result.expect("only a signal stops it"))
        }
        (Err(panic), None) => std::panic::resume_unwind(panic),
    }
}

fn check_signals() -> PyResult<()> {
    // The bare method path is not general enough over its lifetime.
    #[allow(clippy::redundant_closure_for_method_calls)]
    Python::attach(|py| py.check_signals())
}

/// Polls signals from within work that runs on the caller's thread. Pool threads, if any, see the
/// result through `stop`.
struct OwnSignals {
    caller: ThreadId,
    stop: AtomicBool,
    /// The time of the last poll, and the exception that a handler raised.
    seen: Mutex<(Instant, Option<PyErr>)>,
}

impl Default for OwnSignals {
    fn default() -> Self {
        let seen = Mutex::new((Instant::now(), None));
        Self { caller: std::thread::current().id(), stop: AtomicBool::new(false), seen }
    }
}

impl OwnSignals {
    fn stop(&self) -> bool {
        if std::thread::current().id() == self.caller {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.0.elapsed() >= INTERVAL {
                *seen = (Instant::now(), check_signals().err().or(seen.1.take()));
                self.stop.fetch_or(seen.1.is_some(), Ordering::Relaxed);
            }
        }
        self.stop.load(Ordering::Relaxed)
    }

    fn interrupt(self) -> Option<PyErr> {
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// Runs work through [`interruptible`] only if it may take long: starting a thread takes longer
/// than starting a few games.
pub(crate) fn interruptible_if<T: Send>(
    py: Python<'_>,
    may_take_long: bool,
    work: impl FnOnce(Stop<'_>) -> Result<T, Stopped> + Send,
) -> PyResult<T> {
    if may_take_long {
        interruptible(py, work)
    } else {
        Ok(py.detach(|| work(&|| false)).expect("nothing stops it"))
    }
}

/// Returns the mean of a sample; NaN if it is empty, as in NumPy.
pub(crate) fn mean(sample: &bitcade_core::Moments) -> f64 {
    if sample.count == 0 { f64::NAN } else { sample.mean() }
}

/// Returns the standard error of the mean; NaN for fewer than two values.
pub(crate) fn standard_error(sample: &bitcade_core::Moments) -> f64 {
    if sample.count < 2 { f64::NAN } else { sample.standard_error() }
}

/// Returns the numbers of games from `first` on.
pub(crate) fn numbered(first: u64, games: u64) -> PyResult<Range<u64>> {
    let end = first.checked_add(games);
    end.map(|end| first..end).ok_or_else(|| {
        value_error(format!("first={first}: expected 0 to {} for {games} games", u64::MAX - games))
    })
}

fn busy<T: PyClass>() -> PyErr {
    PyRuntimeError::new_err(format!(
        "this {} is in use by another thread: one call at a time",
        T::NAME
    ))
}

pub(crate) fn shared<'py, T: PyClass>(object: &Bound<'py, T>) -> PyResult<PyRef<'py, T>> {
    object.try_borrow().map_err(|_| busy::<T>())
}

pub(crate) fn exclusive<'py, T: PyClass<Frozen = False>>(
    object: &Bound<'py, T>,
) -> PyResult<PyRefMut<'py, T>> {
    object.try_borrow_mut().map_err(|_| busy::<T>())
}

/// Returns the error of an argument that has another type than expected.
pub(crate) fn type_error(name: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found =
        found.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name}: expected {expected}, found {found}"))
}

/// Reads an integer in `low..=high`.
pub(crate) fn integer<T: TryFrom<i128>>(
    name: &str,
    value: &Bound<'_, PyAny>,
    low: i128,
    high: i128,
) -> PyResult<T> {
    let found = match value.extract::<i64>() {
        Ok(found) => Ok(i128::from(found)),
        Err(_) => value.extract::<u64>().map(i128::from),
    };
    let found = match found {
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            return Err(type_error(name, "an integer", value));
        }
        found => Some(found?),
    };
    let found = found
        .filter(|found| (low..=high).contains(found))
        .and_then(|found| T::try_from(found).ok());
    found.ok_or_else(|| {
        let high = match high {
            U63 => "2**63 - 1".to_owned(),
            U64 => "2**64 - 1".to_owned(),
            high => high.to_string(),
        };
        value_error(format!("{name}={value}: expected {low} to {high}"))
    })
}

/// A number among the keywords of a batch.
pub(crate) trait Number: Sized {
    /// Reads a number in `low..=high`.
    fn read(name: &str, value: &Bound<'_, PyAny>, low: i128, high: i128) -> PyResult<Self>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn read(name: &str, value: &Bound<'_, PyAny>, low: i128, high: i128) -> PyResult<Self> {
                integer(name, value, low, high)
            }
        }
    )*};
}

numbers! { u8 u32 usize }

impl<T: Number> Number for Option<T> {
    fn read(name: &str, value: &Bound<'_, PyAny>, low: i128, high: i128) -> PyResult<Self> {
        if value.is_none() { Ok(None) } else { T::read(name, value, low, high).map(Some) }
    }
}

pub(crate) const U32: i128 = u32::MAX as i128;
const U63: i128 = i64::MAX as i128;
const U64: i128 = u64::MAX as i128;

/// Argument readers for `from_py_with`. A number out of range is a `ValueError` that names the
/// argument; PyO3's own `OverflowError` doesn't.
pub(crate) mod argument {
    use super::{U32, U63, U64, integer, type_error};
    use pyo3::prelude::*;
    use pyo3::types::{PyBytes, PyMemoryView};

    macro_rules! integers {
        ($($function:ident = $name:literal, $low:expr, $high:expr;)*) => {$(
            pub(crate) fn $function<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
                integer($name, value, $low, $high)
            }
        )*};
    }

    integers! {
        combo = "combo", 0, U32;
        beam_width = "width", 1, U63;
        budget = "budget", 0, U32;
        colors = "colors", 3, 15;
        depth = "depth", 0, U32;
        first = "first", 0, U64;
        game = "game", -U63, U63;
        games = "games", 0, U64;
        height = "height", 1, 16;
        height_2048 = "height", 2, 8;
        moves = "moves", 1, U32;
        next = "next", 0, 15;
        nodes = "nodes", 0, U64;
        num_envs = "num_envs", 0, U63;
        num_threads = "num_threads", 1, 1024;
        pieces = "pieces", 0, U64;
        playouts = "playouts", 0, U64;
        playouts_u32 = "games", 0, U32;
        rows = "rows", 1, 40;
        seed = "seed", 0, U64;
        size = "size", 5, 19;
        width = "width", 1, 16;
        width_2048 = "width", 2, 8;
    }

    fn optional<T>(
        value: &Bound<'_, PyAny>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        if value.is_none() { Ok(None) } else { read(value).map(Some) }
    }

    pub(crate) fn max_episode_steps(value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        optional(value, |value| integer("max_episode_steps", value, 1, U32))
    }

    pub(crate) fn optional_seed(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        optional(value, seed)
    }

    pub(crate) fn places(value: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
        let values: PyResult<Vec<Bound<'_, PyAny>>> = value.extract();
        let values = values.map_err(|_| type_error("games", "a sequence of integers", value))?;
        values.iter().map(game).collect()
    }

    /// Reads bytes from any object with a buffer: `bytes`, `bytearray`, `memoryview`, an array.
    pub(crate) fn bytes<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        match value.cast::<PyBytes>() {
            Ok(bytes) => Ok(bytes.clone()),
            Err(_) => Ok(PyMemoryView::from(value)?.call_method0("tobytes")?.cast_into()?),
        }
    }
}

/// A thread pool that is replaced after a fork: a child process starts its own threads.
#[derive(Debug)]
pub(crate) struct Threads {
    pool: ThreadPool,
    single: ThreadPool,
    process: u32,
    /// The number of threads requested; `started` may be smaller.
    wanted: usize,
    started: NonZeroUsize,
    trials: [Trial; 2],
}

/// The calls that repeat with about the same amount of work each time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Sample,
    Step,
}

/// A running comparison of one thread against all of them: with few games, waking the threads takes
/// longer than the step itself.
#[derive(Clone, Copy, Debug)]
struct Trial {
    /// Calls since the comparison began.
    calls: u32,
    /// Calls until the next comparison: few at first, because games that have just begun are faster
    /// to step.
    period: u32,
    /// Best times of this comparison: on one thread, on all threads.
    shortest: [Option<Duration>; 2],
    /// `true` if all threads won the last comparison.
    use_all: bool,
}

impl Trial {
    /// Calls per comparison: the first half on one thread, the second on all. They run back to
    /// back, so the threads are awake and their caches warm.
    const COMPARED: u32 = 16;
    const LONGEST_PERIOD: u32 = 4096;
    const START: Self = Self { calls: 0, period: 64, shortest: [None; 2], use_all: false };

    /// Decides whether the next call uses all threads.
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
    /// Starts up to `wanted` threads, see [`thread_count`].
    pub(crate) fn new(wanted: usize) -> PyResult<Self> {
        let started = thread_count(wanted)?;
        let pool = ThreadPool::new(started);
        let single = ThreadPool::single();
        let process = std::process::id();
        Ok(Self { pool, single, process, wanted, started, trials: [Trial::START; 2] })
    }

    pub(crate) fn wanted(&self) -> usize {
        self.wanted
    }

    /// Returns the pool, after starting a new one in a child process.
    pub(crate) fn pool(&mut self) -> &ThreadPool {
        if self.started.get() > 1 && self.process != std::process::id() {
            // The parent's threads don't exist in this process; dropping the pool would wait for
            // them forever.
            std::mem::forget(std::mem::replace(&mut self.pool, ThreadPool::new(self.started)));
            self.process = std::process::id();
        }
        &self.pool
    }

    /// Runs a call on the pool or on the caller's thread alone, whichever is faster. The results
    /// are identical.
    pub(crate) fn call<T>(&mut self, call: Call, work: impl FnOnce(&ThreadPool) -> T) -> T {
        if self.started.get() == 1 {
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
