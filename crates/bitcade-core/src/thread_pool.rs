//! [`ThreadPool`]: threads for games and other independent tasks. Results don't depend on the number of
//! threads.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::num::NonZeroUsize;
use core::ops::ControlFlow;
#[cfg(feature = "parallel")]
use {
    crate::waiting::{Backoff, spin_while},
    alloc::boxed::Box,
    alloc::collections::{BTreeMap, VecDeque},
    alloc::sync::Arc,
    core::cell::Cell,
    core::iter::{Enumerate, Fuse},
    core::sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    std::io,
    std::sync::mpsc::channel,
    std::sync::{Mutex, MutexGuard, PoisonError},
    std::thread::{Builder, JoinHandle, panicking},
    std::time::Instant,
};

/// A thread pool for the functions that share their work, in all crates: those that take a pool.
///
/// The system may refuse to start a thread, for example because of a process limit. The pool then
/// works with the threads that did start, and [`missing`](Self::missing) returns how many didn't. A
/// pool of one thread runs on the caller's thread. Without the feature `parallel` there is only
/// this one, [`single`](Self::single).
///
/// A pool may be used inside its own tasks, or inside another pool's tasks: the task's thread then
/// does the work alone, since the other threads have their own tasks.
///
/// ```
/// # #[cfg(feature = "parallel")] {
/// use bitcade_core::ThreadPool;
/// use core::num::NonZeroUsize;
/// let pool = ThreadPool::new(NonZeroUsize::MIN.saturating_add(3));
/// assert_eq!(pool.threads() + pool.missing(), 4);
/// assert_eq!(pool.map(0..5u64, |i| Some(i * i)), [0, 1, 4, 9, 16]);
/// # }
/// ```
#[derive(Debug)]
pub struct ThreadPool {
    /// `None` for one thread.
    #[cfg(feature = "parallel")]
    pool: Option<Threads>,
    #[cfg(feature = "parallel")]
    missing: usize,
}

impl ThreadPool {
    /// Returns the caller's own thread as a pool.
    pub const fn single() -> Self {
        Self {
            #[cfg(feature = "parallel")]
            pool: None,
            #[cfg(feature = "parallel")]
            missing: 0,
        }
    }

    /// Returns the number of working threads.
    pub fn threads(&self) -> usize {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            return pool.count();
        }
        1
    }

    /// Returns the number of threads that couldn't be started.
    pub const fn missing(&self) -> usize {
        #[cfg(feature = "parallel")]
        return self.missing;
        #[cfg(not(feature = "parallel"))]
        0
    }

    /// Calls `work` with each task on all threads, and waits until all are done. Each thread takes
    /// the next task as soon as it is free.
    ///
    /// # Panics
    ///
    /// If `work` panics.
    pub fn for_each<T>(&self, tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        #[cfg(feature = "parallel")]
        if let Some(pool) = self.pool_for(&tasks) {
            let tasks = &Tasks::new(tasks);
            let work = &work;
            let job = move || {
                let _guard = EndAfterPanic(tasks);
                while let Some((_, task)) = tasks.next() {
                    work(task);
                }
            };
            pool.run(core::iter::repeat_n(job, pool.count()), || ());
            return;
        }
        tasks.for_each(work);
    }

    /// Does the same for short tasks of equal size on the same data at each call, such as
    /// [shares](Self::share). The caller's thread takes the place of one of the others, which stay
    /// awake for some 100 microseconds after the call. The n-th thread does the n-th part of the
    /// tasks, which are still in its cache. It only takes over tasks of threads that haven't begun
    /// them by that time. While the machine is too busy for the others, the caller [works
    /// alone](crate::Backoff).
    ///
    /// # Panics
    ///
    /// If `work` panics.
    pub fn for_each_share<T: Send>(
        &self,
        tasks: impl Iterator<Item = T> + Send,
        work: impl Fn(T) + Sync,
    ) {
        #[cfg(feature = "parallel")]
        if let Some(pool) = self.pool_for(&tasks) {
            let start = Instant::now();
            if pool.backoff().alone(start) {
                tasks.for_each(work);
                return;
            }
            let tasks: Vec<T> = tasks.collect();
            let each = tasks.len().div_ceil(self.threads()).max(1);
            let mut tasks = tasks.into_iter();
            let parts =
                (0..self.threads()).map(|_| Mutex::new(tasks.by_ref().take(each).collect()));
            let parts: Vec<Mutex<VecDeque<T>>> = parts.collect();
            let busy = AtomicUsize::new(parts.len());
            let part = |i: usize| parts[i].lock().unwrap_or_else(PoisonError::into_inner);
            let end_of_work = pool.share(|thread| {
                let next = || part(thread).pop_front();
                while let Some(task) = next() {
                    work(task);
                }
                busy.fetch_sub(1, Ordering::Relaxed);
                spin_while(|| busy.load(Ordering::Relaxed) > 0);
                let next = || (0..parts.len()).find_map(|other| part(other).pop_back());
                while let Some(task) = next() {
                    work(task);
                }
            });
            let now = Instant::now();
            pool.backoff().add(now, end_of_work - start, now - end_of_work);
            return;
        }
        tasks.for_each(work);
    }

    /// Calls `work` with each task on all threads, and `take` with the results on the caller's
    /// thread, in the order of the tasks. Ends as soon as the next result in this order is `None`,
    /// or `take` breaks.
    ///
    /// A pool used inside `take` works on the caller's thread alone.
    ///
    /// `take` is called exactly as in a single-threaded loop over the tasks. Some tasks after the
    /// last result may also have started; their results are dropped.
    ///
    /// # Panics
    ///
    /// If `work` or `take` panics.
    pub fn map_in_order<T, R: Send>(
        &self,
        tasks: impl Iterator<Item = T> + Send,
        work: impl Fn(T) -> Option<R> + Sync,
        mut take: impl FnMut(R) -> ControlFlow<()>,
    ) {
        #[cfg(feature = "parallel")]
        if let Some(pool) = self.pool_for(&tasks) {
            let tasks = &Tasks::new(tasks);
            let work = &work;
            let (sender, receiver) = channel();
            let _inside = InsideTask::enter();
            let jobs = core::iter::repeat_n(sender, pool.count()).map(|sender| {
                move || {
                    let _guard = EndAfterPanic(tasks);
                    while let Some((i, task)) = tasks.next() {
                        let result = work(task);
                        // No receiver: `take` broke or panicked.
                        if result.is_none() | sender.send((i, result)).is_err() {
                            tasks.end();
                        }
                    }
                }
            });
            pool.run(jobs, || {
                // Results of later tasks, received early.
                let mut waiting = BTreeMap::new();
                let mut awaited = 0;
                for (i, result) in receiver {
                    waiting.insert(i, result);
                    while let Some(result) = waiting.remove(&awaited) {
                        awaited += 1;
                        if result.is_none_or(|result| take(result).is_break()) {
                            tasks.end();
                            return;
                        }
                    }
                }
            });
            return;
        }
        for task in tasks {
            if work(task).is_none_or(|result| take(result).is_break()) {
                return;
            }
        }
    }

    /// Returns the results of `work` for all tasks, in the order of the tasks, up to the first
    /// `None`.
    ///
    /// # Panics
    ///
    /// If `work` panics.
    pub fn map<T, R: Send>(
        &self,
        tasks: impl Iterator<Item = T> + Send,
        work: impl Fn(T) -> Option<R> + Sync,
    ) -> Vec<R> {
        let mut results = Vec::new();
        self.map_in_order(tasks, work, |result| {
            results.push(result);
            ControlFlow::Continue(())
        });
        results
    }

    /// Returns the number of consecutive items, out of `items`, to give to one task: a multiple of
    /// `together`; all items for one thread, and few enough for several threads to finish at nearly
    /// the same time.
    ///
    /// ```
    /// use bitcade_core::ThreadPool;
    /// let pool = ThreadPool::single();
    /// assert_eq!((pool.share(1000, 32), pool.share(0, 32)), (1024, 32));
    /// ```
    ///
    /// # Panics
    ///
    /// If `together` is 0.
    pub fn share(&self, items: usize, together: usize) -> usize {
        let tasks = if self.threads() == 1 { 1 } else { 4 * self.threads() };
        let share = items.div_ceil(tasks).checked_next_multiple_of(together);
        share.unwrap_or(usize::MAX - usize::MAX % together).max(together)
    }
}

#[cfg(feature = "parallel")]
impl ThreadPool {
    /// Starts a pool of `threads` threads, limited to the [useful](useful_threads) number and to
    /// the number the system can start.
    pub fn new(threads: NonZeroUsize) -> Self {
        let mut started = 0;
        let useful = NonZeroUsize::new(useful_threads(threads.get())).unwrap_or(threads);
        Self::with_spawn(useful, &mut |work| {
            started += 1;
            // A thread that has just started may not have allocated its memory yet.
            if !has_memory_for_threads(started) {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            Builder::new().spawn(|| {
                let _inside = InsideTask::enter();
                work();
            })
        })
    }

    fn with_spawn(threads: NonZeroUsize, spawn: &mut Spawn<'_>) -> Self {
        let mut left = threads.get();
        while left > 1 {
            match Threads::start(left, spawn) {
                Ok(pool) => {
                    let missing = threads.get().saturating_sub(pool.count());
                    return Self { pool: Some(pool), missing };
                }
                Err(started) => left = started.min(left - 1),
            }
        }
        Self { pool: None, missing: threads.get() - 1 }
    }

    /// Returns the pool, unless the caller's thread is as fast alone, or is itself running a task:
    /// all threads of the pool may be waiting for it.
    fn pool_for(&self, tasks: &impl Iterator) -> Option<&Threads> {
        let alone = INSIDE_TASK.get() || tasks.size_hint().1.is_some_and(|most| most <= 1);
        self.pool.as_ref().filter(|_| !alone)
    }
}

#[cfg(feature = "parallel")]
std::thread_local!(static INSIDE_TASK: Cell<bool> = const { Cell::new(false) });

/// Marks this thread as running tasks of a pool, or taking their results.
#[cfg(feature = "parallel")]
struct InsideTask;

#[cfg(feature = "parallel")]
impl InsideTask {
    fn enter() -> Self {
        INSIDE_TASK.set(true);
        Self
    }
}

#[cfg(feature = "parallel")]
impl Drop for InsideTask {
    fn drop(&mut self) {
        INSIDE_TASK.set(false);
    }
}

/// Returns the number of threads worth starting when `threads` are requested: at most four per
/// core, or 64 on fewer than 16 cores. More would only compete for cores.
#[cfg(feature = "std")]
pub fn useful_threads(threads: usize) -> usize {
    const ALWAYS: usize = 64;
    if threads <= ALWAYS {
        return threads;
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    threads.min(ALWAYS.max(cores.saturating_mul(4)))
}

/// Returns `true` if the system grants the memory for this many new threads: their stacks, and the
/// address space that an allocator reserves per thread.
///
/// A thread that starts without this memory crashes the program sooner or later, when a small
/// allocation fails.
pub fn has_memory_for_threads(threads: usize) -> bool {
    const THREAD_BYTES: usize = 144 << 20;
    // For more than a few threads, the system may refuse to reserve memory that they will hardly
    // use.
    Vec::<u8>::new().try_reserve_exact(threads.min(8) * THREAD_BYTES).is_ok()
}

#[cfg(feature = "parallel")]
struct Tasks<I> {
    tasks: Mutex<I>,
    ended: AtomicBool,
}

#[cfg(feature = "parallel")]
impl<T, I: Iterator<Item = T>> Tasks<Fuse<Enumerate<I>>> {
    fn new(tasks: I) -> Self {
        Self { tasks: Mutex::new(tasks.enumerate().fuse()), ended: AtomicBool::new(false) }
    }

    fn next(&self) -> Option<(usize, T)> {
        // A panic in a thread also ends the caller, so a poisoned lock has no meaning.
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        if self.ended.load(Ordering::Relaxed) { None } else { tasks.next() }
    }
}

#[cfg(feature = "parallel")]
impl<I> Tasks<I> {
    fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Keeps a thread of the pool awake for the next call, for a short time.
#[cfg(feature = "parallel")]
fn await_call(calls: &AtomicUsize, last: usize) {
    spin_while(|| calls.load(Ordering::Relaxed) == last);
}

/// Counts its thread as done, even after a panic.
#[cfg(feature = "parallel")]
struct Finish<'a>(&'a AtomicUsize);

#[cfg(feature = "parallel")]
impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Skips the remaining tasks if its thread panics.
#[cfg(feature = "parallel")]
struct EndAfterPanic<'a, I>(&'a Tasks<I>);

#[cfg(feature = "parallel")]
impl<I> Drop for EndAfterPanic<'_, I> {
    fn drop(&mut self) {
        if panicking() {
            self.0.end();
        }
    }
}

/// At least two threads. One is in a pool of its own, so that [shares](ThreadPool::for_each_share)
/// go to the others: in a common pool it would take some of them over, on the same core, while the
/// other thread is awake.
#[cfg(feature = "parallel")]
#[derive(Debug)]
struct Threads {
    all_but_one: rayon_core::ThreadPool,
    one: rayon_core::ThreadPool,
    /// The number of calls of `share` so far, for which threads that have just worked look out.
    calls: Arc<AtomicUsize>,
    /// Of `share`.
    backoff: Mutex<Backoff>,
}

#[cfg(feature = "parallel")]
type Work = Box<dyn FnOnce() + Send>;

#[cfg(feature = "parallel")]
type Spawn<'a> = dyn FnMut(Work) -> io::Result<JoinHandle<()>> + 'a;

#[cfg(feature = "parallel")]
impl Threads {
    /// Starts threads. On failure, returns how many had started; they have ended.
    fn start(count: usize, spawn: &mut Spawn<'_>) -> Result<Self, usize> {
        let mut started = Vec::new();
        let mut build = |count| {
            let builder =
                rayon_core::ThreadPoolBuilder::new().num_threads(count).spawn_handler(|thread| {
                    started.push(spawn(Box::new(|| thread.run()))?);
                    Ok(())
                });
            builder.build()
        };
        let threads = build(count - 1).and_then(|all_but_one| {
            Ok(Self {
                all_but_one,
                one: build(1)?,
                calls: Arc::default(),
                backoff: Mutex::default(),
            })
        });
        threads.map_err(|_| {
            let count = started.len();
            for thread in started {
                // A thread without work doesn't panic.
                let _ = thread.join();
            }
            count
        })
    }

    fn backoff(&self) -> MutexGuard<'_, Backoff> {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) -> usize {
        self.all_but_one.current_num_threads() + 1
    }

    /// Calls `work` on this thread and on all others but one, with their numbers, this one's last,
    /// and waits until all are done. Returns when this thread's work ended.
    fn share(&self, work: impl Fn(usize) + Sync) -> Instant {
        let Self { all_but_one, calls, .. } = self;
        let call = calls.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let others = all_but_one.current_num_threads();
        let working = &AtomicUsize::new(others);
        let work = &work;
        all_but_one.in_place_scope(|scope| {
            for _ in 0..others {
                scope.spawn(move |_| {
                    let guard = Finish(working);
                    work(rayon_core::current_thread_index().unwrap_or_default());
                    drop(guard);
                    let calls = Arc::clone(calls);
                    rayon_core::spawn(move || await_call(&calls, call));
                });
            }
            // This thread has begun before the others are awake.
            let inside = InsideTask::enter();
            work(others);
            drop(inside);
            let end_of_work = Instant::now();
            spin_while(|| working.load(Ordering::Acquire) > 0);
            // Long enough for the last thread to leave the scope, which would otherwise have to
            // wake this one.
            for _ in 0..16 {
                core::hint::spin_loop();
            }
            end_of_work
        })
    }

    /// Runs a job on each thread, and `meanwhile` on the caller's.
    fn run(&self, mut jobs: impl Iterator<Item: FnOnce() + Send>, meanwhile: impl FnOnce()) {
        self.all_but_one.in_place_scope(|all_but_one| {
            self.one.in_place_scope(|one| {
                if let Some(job) = jobs.next() {
                    one.spawn(|_| job());
                }
                jobs.for_each(|job| all_but_one.spawn(|_| job()));
                meanwhile();
            });
        });
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn pool(threads: usize) -> ThreadPool {
        ThreadPool::new(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
    }

    #[test]
    fn results_arrive_in_order() {
        for threads in [1, 2, 3, 7] {
            let pool = pool(threads);
            assert_eq!(pool.threads(), threads);
            assert_eq!(pool.missing(), 0);
            let expected: Vec<u64> = (0..1000).map(|i| i * i).collect();
            assert_eq!(pool.map(0..1000u64, |i| Some(i * i)), expected);
            assert_eq!(pool.map(0..0u64, Some), []);
        }
    }

    #[test]
    fn shares_are_multiples() {
        for threads in [1, 2, 3] {
            let pool = pool(threads);
            for items in [0, 1, 31, 32, 33, 1000, usize::MAX - 1, usize::MAX] {
                for together in [1, 3, 32, usize::MAX] {
                    let share = pool.share(items, together);
                    assert!(
                        share > 0 && share.is_multiple_of(together),
                        "{items} items by {together}: {share}"
                    );
                    assert!(share.saturating_mul(4 * threads) >= items - items % together);
                }
            }
        }
    }

    #[test]
    fn the_first_missing_result_ends_the_work() {
        for threads in [1, 2, 3, 7] {
            let begun = AtomicUsize::new(0);
            let found = pool(threads).map(0..1_000_000u64, |i| {
                begun.fetch_add(1, Ordering::Relaxed);
                (i != 70 && i != 50).then_some(i)
            });
            assert_eq!(found, (0..50).collect::<Vec<_>>());
            assert!(begun.into_inner() < 500_000);
        }
    }

    #[test]
    fn the_caller_can_end_the_work() {
        for threads in [1, 2, 7] {
            let mut taken = Vec::new();
            pool(threads).map_in_order(0..1_000_000u64, Some, |i| {
                taken.push(i);
                if i == 9 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(taken, (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_pool_is_used_inside_its_tasks_and_those_of_another() {
        let outer = &pool(3);
        let other = &pool(2);
        let sum = |pool: &ThreadPool, upto: u64| pool.map(0..upto, Some).iter().sum::<u64>();
        let expected: Vec<u64> = (0..40).map(|i| i * (i - i.min(1)) / 2).collect();
        for inner in [outer, other] {
            assert_eq!(outer.map(0..40u64, |i| Some(sum(inner, i))), expected);
            // Nested three deep, each pool inside the other.
            let deep = |i| other.map(0..2u64, |_| Some(sum(inner, i)))[1];
            assert_eq!(outer.map(0..40u64, |i| Some(deep(i))), expected);
            let visited = AtomicUsize::new(0);
            outer.for_each(0..20, |_| {
                inner.for_each(0..5, |_| {
                    visited.fetch_add(1, Ordering::Relaxed);
                });
            });
            assert_eq!(visited.into_inner(), 100);
            // Inside `take`, and inside an endless iterator of tasks.
            let mut taken = Vec::new();
            let tasks = (0u64..).map(|i| i + sum(inner, 1));
            outer.map_in_order(tasks, Some, |i| {
                taken.push(sum(inner, i));
                if i == 39 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(taken, expected);
        }
        // The caller's thread is unmarked again, even after a panic.
        let panics = || outer.map_in_order(0..9, Some, |_| panic!("taken"));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        let ids = outer.map(0..100, |_| Some(std::thread::current().id()));
        assert!(!ids.contains(&std::thread::current().id()));
    }

    #[test]
    fn no_more_threads_start_than_are_useful() {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        assert_eq!([1, 2, 64].map(useful_threads), [1, 2, 64]);
        assert_eq!(useful_threads(usize::MAX), (4 * cores).max(64));
        let pool = pool(100_000);
        assert_eq!(pool.threads(), (4 * cores).max(64));
        assert_eq!(pool.missing(), 0);
    }

    #[test]
    fn every_item_is_visited_once() {
        for threads in [1, 2, 3, 7] {
            let pool = pool(threads);
            let mut items = [0u32; 100];
            for _ in 0..3 {
                let add = |(i, chunk): (usize, &mut [u32])| {
                    for item in chunk {
                        *item += i as u32;
                    }
                };
                pool.for_each(items.chunks_mut(7).enumerate(), add);
                pool.for_each_share(items.chunks_mut(7).enumerate(), add);
            }
            assert!(items.iter().enumerate().all(|(i, &item)| item as usize == 6 * (i / 7)));
        }
    }

    #[test]
    fn shares_go_to_the_caller_and_all_threads_but_one() {
        let caller = std::thread::current().id();
        for threads in [2, 3] {
            let pool = pool(threads);
            let seen = Mutex::new(std::collections::HashSet::new());
            for call in 0..300 {
                pool.for_each_share(0..4 * threads, |_| {
                    seen.lock().unwrap().insert(std::thread::current().id());
                });
                if call % 10 == 0 {
                    // Long enough for the threads to fall asleep.
                    std::thread::sleep(4 * crate::waiting::SPINNING);
                }
            }
            let seen = seen.into_inner().unwrap();
            assert!(seen.contains(&caller) && seen.len() <= threads, "{seen:?}");
        }
    }

    #[test]
    fn a_caller_works_alone_after_a_long_wait() {
        let pool = pool(3);
        let minute = std::time::Duration::from_mins(1);
        if let Some(threads) = &pool.pool {
            threads.backoff().add(Instant::now(), minute, 2 * minute);
        }
        let seen = Mutex::new(Vec::new());
        pool.for_each_share(0..100, |_| seen.lock().unwrap().push(std::thread::current().id()));
        assert_eq!(seen.into_inner().unwrap(), [std::thread::current().id(); 100]);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let pool = pool(3);
        let panics = || pool.for_each(0..10, |i| assert!(i != 5, "five"));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        let panics = || pool.for_each_share(0..10, |i| assert!(i != 5, "five"));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert!(!INSIDE_TASK.get());
        // With endless tasks, and inside `take`.
        let panics =
            || drop(pool.map(0u64.., |i| (i != 5).then_some(i).or_else(|| panic!("five"))));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        let panics = || pool.map_in_order(0u64.., Some, |i| panic!("{i}"));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert_eq!(pool.map(0..3, Some), [0, 1, 2]);
    }

    #[test]
    fn a_pool_goes_on_with_the_threads_that_start() {
        for (limit, threads) in [(0, 1), (1, 1), (3, 3), (8, 8), (100, 8)] {
            let running = Arc::new(AtomicUsize::new(0));
            let mut spawn = |work: Work| {
                if running.fetch_add(1, Ordering::Relaxed) >= limit {
                    running.fetch_sub(1, Ordering::Relaxed);
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                let running = Arc::clone(&running);
                Builder::new().spawn(move || {
                    work();
                    running.fetch_sub(1, Ordering::Relaxed);
                })
            };
            let pool = ThreadPool::with_spawn(NonZeroUsize::MIN.saturating_add(7), &mut spawn);
            assert_eq!(pool.threads(), threads, "{limit} can start");
            assert_eq!(pool.missing(), 8 - threads, "{limit} can start");
            assert_eq!(pool.map(0..50, Some), (0..50).collect::<Vec<_>>());
        }
    }
}
