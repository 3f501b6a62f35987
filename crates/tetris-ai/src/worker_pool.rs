//! [`WorkerPool`]: threads that stay, and work on request.

#[cfg(feature = "parallel")]
use std::sync::mpsc::{Receiver, Sender, channel};

/// Some threads, the caller's among them.
pub(crate) struct WorkerPool<'a> {
    work: &'a (dyn Fn() + Sync),
    /// For each other thread: to tell it to work, and to hear that it has.
    #[cfg(feature = "parallel")]
    workers: Vec<(Sender<()>, Receiver<()>)>,
}

impl WorkerPool<'_> {
    /// Has `work` called on every thread, and waits until all are done.
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

/// Calls `body` with a pool of some threads; without the feature `parallel` always one.
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
                // Both ends with the pool: its thread leaves.
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

/// Calls `body` with a pool of one.
#[cfg(not(feature = "parallel"))]
pub(crate) fn with_worker_pool<R>(
    _threads: usize,
    work: &(dyn Fn() + Sync),
    body: impl FnOnce(&WorkerPool) -> R,
) -> R {
    body(&WorkerPool { work })
}
