//! The primitives of [`sync`](super) under shuttle. Its atomics are sequentially consistent, so its schedules
//! say nothing about memory orders.

pub(crate) use crossbeam_deque::Steal;
pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub(crate) use shuttle::sync::mpsc::{Receiver, Sender, channel};
pub(crate) use shuttle::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard};
pub(crate) use shuttle::thread::{Scope, scope, yield_now};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

/// Each call is one more point at which schedules differ.
pub(super) const ROUNDS: [usize; 2] = [1, 1];

/// A thread whose panic its `join` returns, as std's does. In shuttle's own any panic ends the model.
pub(crate) struct ScopedJoinHandle<'scope, T>(
    shuttle::thread::ScopedJoinHandle<'scope, std::thread::Result<T>>,
);

impl<T> ScopedJoinHandle<'_, T> {
    pub(crate) fn join(self) -> std::thread::Result<T> {
        self.0.join().unwrap_or_else(Err)
    }
}

pub(super) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Some(ScopedJoinHandle(scope.spawn(|| catch_unwind(AssertUnwindSafe(work)))))
}

/// A queue behind a lock in the place of crossbeam's, which shuttle can't look into. Now and then a theft has
/// to be tried again, as crossbeam's.
#[derive(Debug)]
struct Queue<T>(Mutex<VecDeque<T>>);

impl<T> Queue<T> {
    fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }
    /// Shuttle's threads share one of the system's, so a panic in one poisons the locks of all.
    fn lock(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn push(&self, task: T) {
        self.lock().push_back(task);
    }
    fn pop(&self) -> Option<T> {
        self.lock().pop_front()
    }
    fn steal(&self) -> Steal<T> {
        if shuttle::rand::Rng::gen_ratio(&mut shuttle::rand::thread_rng(), 1, 8) {
            return Steal::Retry;
        }
        self.pop().map_or(Steal::Empty, Steal::Success)
    }
}

#[derive(Debug)]
pub(crate) struct Injector<T>(Queue<T>);

impl<T> Injector<T> {
    pub(crate) fn new() -> Self {
        Self(Queue::new())
    }
    pub(crate) fn push(&self, task: T) {
        self.0.push(task);
    }
    pub(crate) fn steal(&self) -> Steal<T> {
        self.0.steal()
    }
}

#[derive(Debug)]
pub(crate) struct Worker<T>(Arc<Queue<T>>);

impl<T> Worker<T> {
    pub(crate) fn new_fifo() -> Self {
        Self(Arc::new(Queue::new()))
    }
    pub(crate) fn push(&self, task: T) {
        self.0.push(task);
    }
    pub(crate) fn pop(&self) -> Option<T> {
        self.0.pop()
    }
    pub(crate) fn stealer(&self) -> Stealer<T> {
        Stealer(Arc::clone(&self.0))
    }
}

#[derive(Debug)]
pub(crate) struct Stealer<T>(Arc<Queue<T>>);

impl<T> Stealer<T> {
    pub(crate) fn steal(&self) -> Steal<T> {
        self.0.steal()
    }
}
