//! [`WorkerPool`]: threads that live for one search and run the same work again in each of its phases.
//!
//! Built on std's scoped threads and channels; shared state is behind std's locks.

use bitcore::{has_memory_for_threads, useful_threads};
use std::hint::spin_loop;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, Scope};

/// A pool of threads, including the caller's.
pub(crate) struct WorkerPool<'a> {
    work: &'a (dyn Fn() + Sync),
    /// The number of threads that the system could not start.
    pub(crate) missing: usize,
    /// For each other thread, the channel that starts it and the channel that reports completion.
    workers: Vec<(Sender<()>, Receiver<()>)>,
}

impl WorkerPool<'_> {
    /// Calls `work` once on every thread and waits for all of them. Panics if another thread panicked.
    pub(crate) fn run(&self) {
        for (start, _) in &self.workers {
            assert!(start.send(()).is_ok(), "a thread of the worker pool has ended");
        }
        (self.work)();
        for (_, done) in &self.workers {
            assert!(receive(done).is_some(), "a thread of the worker pool has ended");
        }
    }
}

/// Calls `body` with a pool of up to `threads` threads, each of which runs `work`. The pool has no more
/// threads than are useful and than the system can start; without the feature `parallel` it has one.
pub(crate) fn with_worker_pool<R>(
    threads: usize,
    work: &(dyn Fn() + Sync),
    body: impl FnOnce(&WorkerPool) -> R,
) -> R {
    let threads = if cfg!(feature = "parallel") { useful_threads(threads) } else { 1 };
    thread::scope(|scope| {
        // Once one thread fails to start, the next would fail, too.
        let workers: Vec<_> = (1..threads).map_while(|_| start_worker(scope, work)).collect();
        let missing = threads.saturating_sub(1 + workers.len());
        body(&WorkerPool { work, missing, workers })
    })
}

/// Returns `None` if the system can't start a thread.
fn start_worker<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: &'scope (dyn Fn() + Sync),
) -> Option<(Sender<()>, Receiver<()>)> {
    #[cfg(test)]
    if !testkit::thread_limit::take() {
        return None;
    }
    if !has_memory_for_threads(1) {
        return None;
    }
    let ((start, start_rx), (done, done_rx)) = (channel(), channel());
    let worker = move || {
        // The pool is dropped when `body` returns; the channels then disconnect and the thread ends.
        while receive(&start_rx).is_some() {
            work();
            if done.send(()).is_err() {
                break;
            }
        }
    };
    Builder::new().spawn_scoped(scope, worker).ok()?;
    Some((start, done_rx))
}

/// Receives a message, or `None` once the sender is gone.
///
/// Messages between the phases of a search usually arrive within microseconds, in less time than it takes to
/// wake a thread. So this polls for about a hundred microseconds before it blocks: first it spins, then it
/// yields to other threads between polls. See docs/decisions.md.
fn receive<T>(receiver: &Receiver<T>) -> Option<T> {
    const SPINS: usize = 2000;
    const YIELDS: usize = 200;
    for round in 0..SPINS + YIELDS {
        match receiver.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if round < SPINS => spin_loop(),
            Err(TryRecvError::Empty) => thread::yield_now(),
        }
    }
    receiver.recv().ok()
}

/// Locks a mutex, ignoring poisoning: a panic in any thread ends the whole search anyway.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of threads that the system could not start for the last part of a search. Not part of the
/// search's state: all values compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MissingThreads(pub(crate) usize);

impl PartialEq for MissingThreads {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for MissingThreads {}

/// The number of threads of a search. Not part of the search's state: all values compare equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadCount(pub(crate) usize);

impl Default for ThreadCount {
    fn default() -> Self {
        Self(1)
    }
}

impl PartialEq for ThreadCount {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ThreadCount {}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_pool_goes_on_with_the_threads_that_start() {
        for (limit, missing) in [(0, 7), (3, 4), (100, 0)] {
            let calls = AtomicUsize::new(0);
            let work = || {
                calls.fetch_add(1, Ordering::Relaxed);
            };
            let found = testkit::thread_limit::with(limit, || {
                with_worker_pool(8, &work, |pool| {
                    pool.run();
                    pool.run();
                    pool.missing
                })
            });
            assert_eq!((found, calls.into_inner()), (missing, 2 * (8 - missing)), "{limit} can start");
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
                with_worker_pool(4, &|| tasks.run(None), |pool| {
                    assert_eq!(pool.missing, 3 - started);
                    for run in 1..=5 {
                        *lock(&tasks.left) = 0..7;
                        pool.run();
                        assert_eq!(*lock(&tasks.done), [run; 7]);
                    }
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
                with_worker_pool(3, &work, |pool| {
                    pool.run();
                });
            };
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "task {panics} has panicked");
        }
    }
}
