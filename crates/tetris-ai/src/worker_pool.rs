//! [`WorkerPool`]: threads that live for one search and run the same work again in each of its phases.
//!
//! A phase never needs another thread: the caller takes the tasks that no other has taken, then
//! closes the phase and waits only for the threads that are inside. A thread that wakes too late
//! finds the phase closed.
//!
//! ```text
//! caller   open the phase, work, close it, wait for the threads at work
//! others   wait for the next phase; if it is open: enter, work, leave
//! wait     spin for as long as waking a thread takes, then block
//! ```
//!
//! Built on std's scoped threads; shared state is behind std's locks.

use bitcade_core::{Backoff, has_memory_for_threads, spin_while, useful_threads};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, Scope, panicking};
use std::time::Instant;

/// A pool of threads, including the caller's. The others start with the first shared phase.
pub(crate) struct WorkerPool<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    work: &'scope (dyn Fn() + Sync),
    gate: &'scope Gate,
    /// The number of other threads, and how many of them the system could not start.
    others: usize,
    missing: usize,
    started: bool,
    backoff: Backoff,
}

impl WorkerPool<'_, '_> {
    /// Calls `work` on this thread, and on each other thread that gets going before the caller has
    /// done it all. Waits for all of them. Panics if another thread panicked.
    pub(crate) fn run(&mut self) {
        let start = Instant::now();
        if self.backoff.alone(start) || self.start() == 0 {
            return self.run_alone();
        }
        self.gate.open();
        self.run_alone();
        let worked = start.elapsed();
        self.gate.close();
        let now = Instant::now();
        self.backoff.add(now, worked, now.duration_since(start).saturating_sub(worked));
    }

    /// Calls `work` on this thread: for a phase that takes less time than sharing it.
    pub(crate) fn run_alone(&self) {
        (self.work)();
    }

    /// The number of threads that the system could not start.
    pub(crate) fn missing(&self) -> usize {
        self.missing
    }

    /// Starts the other threads unless they have. Returns their number.
    fn start(&mut self) -> usize {
        if !self.started {
            self.started = true;
            // Once one thread fails to start, the next would fail, too.
            let started = (0..self.others).take_while(|_| self.start_worker()).count();
            self.missing = self.others - started;
        }
        self.others - self.missing
    }

    /// Returns `false` if the system can't start a thread.
    fn start_worker(&self) -> bool {
        #[cfg(test)]
        if !testkit::thread_limit::take() {
            return false;
        }
        let gate = self.gate;
        let work = self.work;
        has_memory_for_threads(1)
            && Builder::new().spawn_scoped(self.scope, move || gate.help(work)).is_ok()
    }
}

impl Drop for WorkerPool<'_, '_> {
    /// Ends the threads, also when the caller panics.
    fn drop(&mut self) {
        self.gate.end();
    }
}

/// Calls `body` with a pool of up to `threads` threads, each of which runs `work`. The pool has no
/// more threads than are useful and than the system can start; without the feature `parallel` it
/// has one.
///
/// `backoff` outlives the pool: a search that goes on in another pool knows how busy the machine
/// was.
pub(crate) fn with_worker_pool<R>(
    threads: usize,
    backoff: &mut Backoff,
    work: &(dyn Fn() + Sync),
    body: impl FnOnce(&mut WorkerPool) -> R,
) -> R {
    let threads = if cfg!(feature = "parallel") { useful_threads(threads) } else { 1 };
    let gate = Gate::default();
    thread::scope(|scope| {
        let others = threads.saturating_sub(1);
        let gate = &gate;
        let mut pool =
            WorkerPool { scope, work, gate, others, missing: 0, started: false, backoff: *backoff };
        let result = body(&mut pool);
        *backoff = pool.backoff;
        result
    })
}

/// Where the threads of a pool enter and leave its phases.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    /// Wakes the other threads, and the caller.
    opened: Condvar,
    left: Condvar,
    /// The state's fields of the same names, for spinning.
    phases: AtomicUsize,
    inside: AtomicUsize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    Open,
    #[default]
    Closed,
    /// There are no more phases.
    Ended,
}

#[derive(Default)]
struct GateState {
    /// The number of phases so far, including the end.
    phases: usize,
    stage: Stage,
    has_panicked: bool,
    /// The number of other threads at work.
    inside: usize,
    /// The number of other threads that are blocked.
    blocked: usize,
    caller_is_blocked: bool,
}

impl Gate {
    /// Begins a phase.
    fn open(&self) {
        self.next_phase(Stage::Open);
    }

    fn end(&self) {
        self.next_phase(Stage::Ended);
    }

    fn next_phase(&self, stage: Stage) {
        let mut state = lock(&self.state);
        state.phases += 1;
        state.stage = stage;
        self.phases.store(state.phases, Ordering::Relaxed);
        let blocked = state.blocked > 0;
        drop(state);
        if blocked {
            self.opened.notify_all();
        }
    }

    /// Ends a phase: waits for the threads inside.
    fn close(&self) {
        lock(&self.state).stage = Stage::Closed;
        spin_while(|| self.inside.load(Ordering::Relaxed) > 0);
        let mut state = lock(&self.state);
        while state.inside > 0 {
            state.caller_is_blocked = true;
            state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.caller_is_blocked = false;
        assert!(!state.has_panicked, "a thread of the worker pool has ended");
    }

    /// Calls `work` in each phase that this thread reaches in time, until the end.
    fn help(&self, work: &(dyn Fn() + Sync)) {
        let mut seen = 0;
        let mut is_late = false;
        loop {
            // A thread that came too late doesn't have the processor to itself.
            if !is_late {
                spin_while(|| self.phases.load(Ordering::Relaxed) == seen);
            }
            let mut state = lock(&self.state);
            if state.phases == seen {
                state.blocked += 1;
                while state.phases == seen {
                    state = self.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                state.blocked -= 1;
            }
            if state.stage == Stage::Ended {
                return;
            }
            seen = state.phases;
            is_late = state.stage == Stage::Closed;
            if is_late {
                continue;
            }
            state.inside += 1;
            self.inside.store(state.inside, Ordering::Relaxed);
            drop(state);
            let inside = Inside(self);
            work();
            drop(inside);
        }
    }
}

/// Leaves the gate, even after a panic.
struct Inside<'a>(&'a Gate);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.inside -= 1;
        state.has_panicked |= panicking();
        self.0.inside.store(state.inside, Ordering::Relaxed);
        let last = state.inside == 0 && state.caller_is_blocked;
        drop(state);
        if last {
            self.0.left.notify_one();
        }
    }
}

/// Locks a mutex, ignoring poisoning: a panic in any thread ends the whole search anyway.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value that is not part of a search's state, such as its number of threads: all values compare
/// equal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uncompared<T>(pub(crate) T);

impl<T> PartialEq for Uncompared<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Uncompared<T> {}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    #[test]
    fn a_pool_goes_on_with_the_threads_that_start() {
        for (limit, missing) in [(0, 7), (3, 4), (100, 0)] {
            let calls = AtomicUsize::new(0);
            let work = || {
                calls.fetch_add(1, Ordering::Relaxed);
            };
            let found = testkit::thread_limit::with(limit, || {
                with_worker_pool(8, &mut Backoff::default(), &work, |pool| {
                    pool.run();
                    pool.run();
                    pool.missing()
                })
            });
            assert_eq!(found, missing, "{limit} can start");
            // A thread that comes too late isn't needed.
            assert!((2..=2 * (8 - missing)).contains(&calls.into_inner()), "{limit} can start");
        }
    }

    /// A shared task list like the searches' own.
    #[derive(Default)]
    struct Tasks {
        left: Mutex<std::ops::Range<usize>>,
        done: Mutex<[u32; 7]>,
    }

    impl Tasks {
        /// Task `panics` panics.
        fn run(&self, panics: Option<usize>) {
            // A separate statement: `while let` would keep the lock during the task.
            let next = || lock(&self.left).next();
            while let Some(task) = next() {
                if Some(task) == panics {
                    // Skips the panic hook, which prints a message.
                    resume_unwind(Box::new("a task panics"));
                }
                // Long enough for a caller that fails to wait to return first.
                thread::yield_now();
                lock(&self.done)[task] += 1;
            }
        }
    }

    /// Each run does each task exactly once before it returns, however many threads start.
    #[test]
    fn each_task_is_done_once() {
        for started in (0..4).cycle().take(400) {
            let tasks = Tasks::default();
            testkit::thread_limit::with(started, || {
                with_worker_pool(4, &mut Backoff::default(), &|| tasks.run(None), |pool| {
                    for run in 1..=5 {
                        *lock(&tasks.left) = 0..7;
                        pool.run();
                        assert_eq!(*lock(&tasks.done), [run; 7]);
                    }
                    assert_eq!(pool.missing(), 3 - started);
                });
            });
        }
    }

    /// A panic in any thread reaches the caller and ends all threads.
    #[test]
    fn a_panic_ends_the_pool() {
        for panics in (0..7).cycle().take(70) {
            let tasks = Tasks { left: Mutex::new(0..7), ..Tasks::default() };
            let work = || tasks.run(Some(panics));
            let run = || {
                with_worker_pool(3, &mut Backoff::default(), &work, |pool| {
                    pool.run();
                });
            };
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "task {panics} has panicked");
        }
    }

    /// The caller does all tasks of a phase that no other thread enters, and waits for none.
    #[test]
    fn a_phase_needs_no_other_thread() {
        let tasks = Tasks::default();
        let gate = Gate::default();
        let held = Mutex::new(());
        thread::scope(|scope| {
            let start = lock(&held);
            scope.spawn(|| {
                drop(lock(&held));
                gate.help(&|| tasks.run(None));
            });
            for run in 1..=5 {
                *lock(&tasks.left) = 0..7;
                gate.open();
                tasks.run(None);
                gate.close();
                assert_eq!(*lock(&tasks.done), [run; 7]);
            }
            assert_eq!(lock(&gate.state).inside, 0);
            gate.end();
            drop(start);
        });
    }

    /// A thread that comes too late doesn't enter; it blocks.
    #[test]
    fn a_late_thread_blocks_until_the_next_phase() {
        let gate = Gate::default();
        let calls = AtomicUsize::new(0);
        gate.open();
        gate.close();
        let work = || {
            calls.fetch_add(1, Ordering::Relaxed);
        };
        thread::scope(|scope| {
            scope.spawn(|| gate.help(&work));
            while lock(&gate.state).blocked == 0 {
                thread::yield_now();
            }
            assert_eq!(calls.load(Ordering::Relaxed), 0);
            gate.open();
            while calls.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            gate.close();
            // Waits for the next phase: spins, then blocks.
            while lock(&gate.state).blocked == 0 {
                thread::yield_now();
            }
            gate.end();
        });
        assert_eq!(calls.into_inner(), 1);
    }

    /// The caller blocks while a thread is at work in its phase.
    #[test]
    fn a_caller_waits_for_the_threads_inside() {
        let gate = Gate::default();
        let held = AtomicBool::new(true);
        let done = AtomicUsize::new(0);
        let work = || {
            while held.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            done.fetch_add(1, Ordering::Relaxed);
        };
        let until = |condition: &dyn Fn(&GateState) -> bool| {
            while !condition(&lock(&gate.state)) {
                thread::yield_now();
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| gate.help(&work));
            scope.spawn(|| {
                until(&|state| state.caller_is_blocked);
                assert_eq!(done.load(Ordering::Relaxed), 0);
                held.store(false, Ordering::Relaxed);
            });
            gate.open();
            until(&|state| state.inside == 1);
            gate.close();
            assert_eq!(done.load(Ordering::Relaxed), 1);
            gate.end();
        });
    }

    /// While the machine is too busy, no thread starts.
    #[test]
    fn a_caller_works_alone_after_a_long_wait() {
        let mut backoff = Backoff::default();
        let minute = Duration::from_mins(1);
        backoff.add(Instant::now(), minute, 2 * minute);
        let caller = thread::current().id();
        let work = || assert_eq!(thread::current().id(), caller);
        let missing = testkit::thread_limit::with(0, || {
            with_worker_pool(8, &mut backoff, &work, |pool| {
                pool.run();
                pool.missing()
            })
        });
        assert_eq!(missing, 0);
        assert!(backoff.alone(Instant::now()));
    }
}
