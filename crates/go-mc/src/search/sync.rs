//! The atomics and threads of the search, which imports them only through this module. Tests under
//! `--cfg loom` use loom's atomics, whose orderings and values the models explore.

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

/// Starts a thread in a scope; `false` if the system can't start one.
pub(super) fn spawn_scoped<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() + Send + 'scope,
) -> bool {
    #[cfg(test)]
    if !testkit::thread_limit::take() {
        return false;
    }
    bitcade_core::has_memory_for_threads(1) && Builder::new().spawn_scoped(scope, work).is_ok()
}

/// Returns whether the system still grants some megabytes. Otherwise the search takes no more
/// memory for its tree and its threads: a small allocation that failed elsewhere would abort the
/// program.
pub(super) fn has_spare_memory() -> bool {
    const SPARE_BYTES: usize = 16 << 20;
    std::vec::Vec::<u8>::new().try_reserve_exact(SPARE_BYTES).is_ok()
}

/// The standard library's `OnceLock` with its documented ordering: everything before the set
/// happens before every `get` that sees the value. loom has none.
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
