//! [`WorkerPool`]: threads that live as long as a search and run the same work again and again.

#[cfg(feature = "parallel")]
use crate::sync::{Receiver, Sender, channel, receive, scope, spawn_scoped};
#[cfg(feature = "parallel")]
use bitcore::useful_threads;

/// A pool of threads, the caller's among them.
pub(crate) struct WorkerPool<'a> {
    work: &'a (dyn Fn() + Sync),
    /// The number of threads that the system could not start.
    pub(crate) missing: usize,
    /// The channels of each other thread: one starts it, one reports that it is done.
    #[cfg(feature = "parallel")]
    workers: Vec<(Sender<()>, Receiver<()>)>,
}

impl WorkerPool<'_> {
    /// Calls `work` once on every thread and waits for all. Panics if it has panicked in another thread.
    pub(crate) fn run(&self) {
        #[cfg(feature = "parallel")]
        for (start, _) in &self.workers {
            assert!(start.send(()).is_ok(), "a thread of the worker pool has ended");
        }
        (self.work)();
        #[cfg(feature = "parallel")]
        for (_, done) in &self.workers {
            assert!(receive(done).is_some(), "a thread of the worker pool has ended");
        }
    }
}

/// Calls `body` with a pool of `threads` threads, as many as are useful and as the system can
/// start; each of them runs `work`. Without the feature `parallel` it is always one thread.
#[cfg(feature = "parallel")]
pub(crate) fn with_worker_pool<R>(
    threads: usize,
    work: &(dyn Fn() + Sync),
    body: impl FnOnce(&WorkerPool) -> R,
) -> R {
    let threads = useful_threads(threads);
    scope(|scope| {
        // A system that can't start a thread can't start the next one either.
        let workers = (1..threads).map_while(|_| {
            let ((start, start_rx), (done, done_rx)) = (channel(), channel());
            spawn_scoped(scope, move || {
                // The pool is dropped when `body` returns: then a channel fails and the thread ends.
                while receive(&start_rx).is_some() {
                    work();
                    if done.send(()).is_err() {
                        break;
                    }
                }
            })?;
            Some((start, done_rx))
        });
        let workers: Vec<_> = workers.collect();
        let missing = threads.saturating_sub(1 + workers.len());
        body(&WorkerPool { work, missing, workers })
    })
}

#[cfg(not(feature = "parallel"))]
pub(crate) fn with_worker_pool<R>(
    _threads: usize,
    work: &(dyn Fn() + Sync),
    body: impl FnOnce(&WorkerPool) -> R,
) -> R {
    body(&WorkerPool { work, missing: 0 })
}

#[cfg(all(test, not(shuttle), feature = "parallel"))]
mod tests {
    use super::*;
    use crate::sync::{AtomicUsize, Ordering};

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
}
