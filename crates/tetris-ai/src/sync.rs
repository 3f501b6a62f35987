//! Atomics, locks, channels, queues and threads of the searches: the only place from which they are imported.
//! Under `--cfg shuttle` the tests get shuttle's, whose schedules the models explore.

#[cfg(not(all(shuttle, test)))]
mod primitives {
    #[cfg(feature = "parallel")]
    pub(crate) use crossbeam_deque::{Injector, Steal, Stealer, Worker};
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    #[cfg(feature = "parallel")]
    pub(crate) use std::sync::mpsc::{Receiver, Sender, channel};
    /// The calls of [`receive`](super::receive) that ask again at once, and those after them that let other
    /// threads run first: together some hundreds of microseconds.
    #[cfg(feature = "parallel")]
    pub(super) const ROUNDS: [usize; 2] = [2000, 200];
    pub(crate) use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard};
    #[cfg(feature = "parallel")]
    pub(crate) use std::thread::{Scope, ScopedJoinHandle, scope, yield_now};

    #[cfg(feature = "parallel")]
    pub(super) fn start<'scope, T: Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> Option<ScopedJoinHandle<'scope, T>> {
        let start = || std::thread::Builder::new().spawn_scoped(scope, work).ok();
        bitcore::has_memory_for_threads(1).then(start).flatten()
    }
}

#[cfg(all(shuttle, test))]
#[path = "sync_shuttle.rs"]
mod primitives;

pub(crate) use primitives::*;
#[cfg(feature = "parallel")]
use {std::hint::spin_loop, std::sync::mpsc::TryRecvError};

/// Starts a thread in a scope. Returns `None` if the system can't start one.
#[cfg(feature = "parallel")]
pub(crate) fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    #[cfg(test)]
    if !testkit::thread_limit::take() {
        return None;
    }
    start(scope, work)
}

/// Receives a message; `None` if there is no sender any more.
///
/// Messages between the phases of a search mostly arrive within microseconds, less than it takes to wake a
/// thread. So this asks for a while before it sleeps.
#[cfg(feature = "parallel")]
pub(crate) fn receive<T>(receiver: &Receiver<T>) -> Option<T> {
    let [spins, yields] = ROUNDS;
    for round in 0..spins + yields {
        match receiver.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if round < spins => spin_loop(),
            Err(TryRecvError::Empty) => yield_now(),
        }
    }
    receiver.recv().ok()
}
