//! [`WorkerPool`]: threads that live as long as a search and run the same work again and again.

#[cfg(feature = "parallel")]
use std::sync::mpsc::{Receiver, Sender, channel};

/// A pool of threads, the caller's among them.
pub(crate) struct WorkerPool<'a> {
    work: &'a (dyn Fn() + Sync),
    /// The channels of each other thread: one starts it, one reports that it is done.
    #[cfg(feature = "parallel")]
    workers: Vec<(Sender<()>, Receiver<()>)>,
}

impl WorkerPool<'_> {
    /// Calls `work` once on every thread and waits until all are done.
    ///
    /// # Panics
    ///
    /// If `work` has panicked in another thread.
    pub(crate) fn run(&self) {
        #[cfg(feature = "parallel")]
        for (start, _) in &self.workers {
            assert!(start.send(()).is_ok(), "a thread of the worker pool has ended");
        }
        (self.work)();
        #[cfg(feature = "parallel")]
        for (_, done) in &self.workers {
            assert!(done.recv().is_ok(), "a thread of the worker pool has ended");
        }
    }
}

/// Calls `body` with a pool of `threads` threads, each of which runs `work`. Without the feature `parallel`
/// it is always one thread.
#[cfg(feature = "parallel")]
pub(crate) fn with_worker_pool<R>(
    threads: usize,
    work: &(dyn Fn() + Sync),
    body: impl FnOnce(&WorkerPool) -> R,
) -> R {
    std::thread::scope(|scope| {
        let workers = (1..threads).map(|_| {
            let ((start, start_rx), (done, done_rx)) = (channel(), channel());
            scope.spawn(move || {
                // The pool is dropped when `body` returns: then a channel fails and the thread ends.
                while start_rx.recv().is_ok() {
                    work();
                    if done.send(()).is_err() {
                        break;
                    }
                }
            });
            (start, done_rx)
        });
        let workers = workers.collect();
        body(&WorkerPool { work, workers })
    })
}

/// Calls `body` with a pool of one thread.
#[cfg(not(feature = "parallel"))]
pub(crate) fn with_worker_pool<R>(
    _threads: usize,
    work: &(dyn Fn() + Sync),
    body: impl FnOnce(&WorkerPool) -> R,
) -> R {
    body(&WorkerPool { work })
}
