//! Atomics and threads of the search: the only place from which its modules import them. Under `--cfg loom`
//! the tests get loom's atomics, whose orders and values the models explore.

#[cfg(all(loom, test))]
pub(super) use loom::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};
#[cfg(all(loom, test))]
pub(super) use once_lock::OnceLock;
#[cfg(not(all(loom, test)))]
pub(super) use std::sync::OnceLock;
#[cfg(not(all(loom, test)))]
pub(super) use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};
pub(super) use std::thread::scope;
use std::thread::{Builder, Scope};

/// Starts a thread in a scope. Returns `false` if the system can't start one.
pub(super) fn spawn_scoped<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() + Send + 'scope,
) -> bool {
    #[cfg(test)]
    if !testkit::thread_limit::take() {
        return false;
    }
    bitcore::has_memory_for_threads(1) && Builder::new().spawn_scoped(scope, work).is_ok()
}

/// Returns whether the system grants some megabytes. The search takes no more for its tree and its threads if
/// it doesn't: a small allocation elsewhere must not fail, for it would end the program.
pub(super) fn has_spare_memory() -> bool {
    const SPARE_BYTES: usize = 16 << 20;
    std::vec::Vec::<u8>::new().try_reserve_exact(SPARE_BYTES).is_ok()
}

/// The standard library's `OnceLock` by its documented order: what happens before the value is set happens
/// before every `get` that finds it. loom has none.
#[cfg(all(loom, test))]
mod once_lock {
    use loom::sync::Mutex;
    use loom::sync::atomic::{AtomicBool, Ordering};

    #[derive(Debug)]
    pub(in super::super) struct OnceLock<T> {
        ready: AtomicBool,
        initializing: Mutex<()>,
        value: std::sync::OnceLock<T>,
    }

    impl<T> OnceLock<T> {
        pub(in super::super) fn new() -> Self {
            Self {
                ready: AtomicBool::new(false),
                initializing: Mutex::new(()),
                value: std::sync::OnceLock::new(),
            }
        }

        pub(in super::super) fn get(&self) -> Option<&T> {
            if self.ready.load(Ordering::Acquire) { self.value.get() } else { None }
        }

        pub(in super::super) fn get_or_init(&self, value: impl FnOnce() -> T) -> &T {
            if !self.ready.load(Ordering::Acquire) {
                let guard = self.initializing.lock();
                self.value.get_or_init(value);
                self.ready.store(true, Ordering::Release);
                drop(guard);
            }
            self.value.get_or_init(|| unreachable!("it is ready"))
        }

        pub(in super::super) fn set(&self, value: T) -> Result<(), T> {
            let guard = self.initializing.lock();
            let set = self.value.set(value);
            self.ready.store(true, Ordering::Release);
            drop(guard);
            set
        }
    }
}
