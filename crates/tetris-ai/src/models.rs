//! Models of the worker pool and the work queue under shuttle, which runs them in random schedules of their
//! threads from fixed seeds. CONTRIBUTING.md has the command.
//!
//! Each model is found to fail if the code is changed so that (each change was made once, and taken back):
//!
//! | change | models that fail |
//! |---|---|
//! | a run of the pool does not wait for the other threads | pool: each task once, panic |
//! | a thread of the pool works only once | pool: each task once, panic |
//! | a panic in a thread of the pool is not passed on | pool: panic |
//! | children are counted after their parent is done | queue: each task once |
//! | a thread leaves when every queue is empty | queue: each task once |
//! | a task that panics stays counted | queue: panic |

use crate::beam::{Beam, BeamWeights};
use crate::columns::Columns;
use crate::contest::Sequence;
use crate::sync::{AtomicUsize, Mutex, Ordering, Worker, scope, spawn_scoped};
use crate::tree::queue::WorkQueue;
use crate::tree::{Stop, TreeSearch};
use crate::worker_pool::with_worker_pool;
use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, Runner};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::{Once, PoisonError};
use std::time::Instant;

const SEED: u64 = 17;

/// Silences the panic that a model expects in thousands of its schedules.
static SILENCE: Once = Once::new();

/// Runs a model in `schedules` random schedules and in half as many that preempt the threads at four random
/// places, and reports their number.
fn explore(name: &str, threads: usize, schedules: usize, model: impl Fn() + Copy + Send + Sync + 'static) {
    SILENCE.call_once(|| {
        // shuttle's hook is installed by its first run, and prints the schedule of every panic.
        shuttle::check_random_with_seed(|| {}, SEED, 1);
        let print = take_hook();
        set_hook(Box::new(move |info| {
            if !info.payload_as_str().is_some_and(|text| text.contains("thread of the worker pool has ended"))
            {
                print(info);
            }
        }));
    });
    let (start, mut config) = (Instant::now(), Config::new());
    config.stack_size = 1 << 18;
    Runner::new(RandomScheduler::new_from_seed(SEED, schedules), config.clone()).run(model);
    Runner::new(PctScheduler::new_from_seed(SEED, 4, schedules / 2), config).run(model);
    let (explored, seconds) = (schedules + schedules / 2, start.elapsed().as_secs_f64());
    println!("\nmodel: {name} | shuttle | {threads} | {explored} schedules, seed {SEED} | {seconds:.1}");
}

/// Returns a number below `bound` that the schedule's seed decides.
fn random(bound: usize) -> usize {
    thread_rng().gen_range(0..bound)
}

/// The tasks of a pool, taken as those of the beam are.
struct Tasks {
    next: AtomicUsize,
    done: Mutex<[u32; 7]>,
}

impl Tasks {
    fn new() -> Self {
        Self { next: AtomicUsize::new(0), done: Mutex::new([0; 7]) }
    }

    /// Takes tasks until none is left. Task `panics` panics.
    fn run(&self, panics: Option<usize>) {
        loop {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if Some(task) == panics {
                // Without the hook, which would print thousands of messages.
                resume_unwind(Box::new("a task panics"));
            }
            match self.done.lock().unwrap_or_else(PoisonError::into_inner).get_mut(task) {
                Some(done) => *done += 1,
                None => return,
            }
        }
    }
}

/// Each run of a pool does each task once before it returns, on any number of the threads that start.
#[test]
fn pool_does_each_task_once() {
    explore("pool: each task once", 4, 4000, || {
        let tasks = Tasks::new();
        let started = random(4);
        testkit::thread_limit::with(started, || {
            with_worker_pool(4, &|| tasks.run(None), |pool| {
                assert_eq!(pool.missing, 3 - started);
                for run in 1..=3 {
                    tasks.next.store(0, Ordering::Relaxed);
                    pool.run();
                    assert_eq!(*tasks.done.lock().unwrap_or_else(PoisonError::into_inner), [run; 7]);
                }
            });
        });
    });
}

/// A panic in one thread of a pool reaches the caller and ends all threads.
#[test]
fn pool_ends_by_a_panic() {
    explore("pool: panic", 3, 2000, || {
        let tasks = Tasks::new();
        let panics = random(7);
        with_worker_pool(3, &|| tasks.run(Some(panics)), |pool| {
            // Within the scope, which in shuttle doesn't wait for its threads in a panic.
            let run = catch_unwind(AssertUnwindSafe(|| pool.run()));
            assert!(run.is_err(), "task {panics} has panicked");
        });
    });
}

/// Does the tasks of a tree of 2 * 15 nodes on three threads. Returns how often each task was done.
fn run_queue(stop_at: Option<usize>, panic_at: Option<usize>) -> (Vec<usize>, bool, usize) {
    let local: Vec<Worker<usize>> = (0..3).map(|_| Worker::new_fifo()).collect();
    let queue = WorkQueue::new(&local, [1, 1].into_iter());
    let done: Vec<AtomicUsize> = (0..16).map(|_| AtomicUsize::new(0)).collect();
    let work = |local: Worker<usize>| {
        queue.run(&local, |task, children| {
            let before = done[task].fetch_add(1, Ordering::Relaxed);
            if Some(task) == stop_at {
                queue.stop();
            }
            if (Some(task), before) == (panic_at, 0) {
                resume_unwind(Box::new("a task panics"));
            }
            if task < 8 {
                children.extend([2 * task, 2 * task + 1]);
            }
        });
        if stop_at.is_none() && panic_at.is_none() {
            let all: usize = done.iter().map(|done| done.load(Ordering::Relaxed)).sum();
            assert_eq!(all, 2 * 15, "a thread ends when nothing is left to do in any");
        }
    };
    let panicked = scope(|scope| {
        let work = &work;
        let start = |local| spawn_scoped(scope, move || work(local)).expect("no limit");
        let threads: Vec<_> = local.into_iter().map(start).collect();
        threads.into_iter().filter_map(|thread| thread.join().err()).count()
    });
    (done.into_iter().map(AtomicUsize::into_inner).collect(), queue.is_stopped(), panicked)
}

/// Each task is done once, its children too, and every thread ends.
#[test]
fn queue_does_each_task_once() {
    explore("queue: each task once", 3, 3000, || {
        let (done, stopped, panicked) = run_queue(None, None);
        assert!(done[0] == 0 && done[1..].iter().all(|&done| done == 2), "{done:?}");
        assert!(!stopped && panicked == 0);
    });
}

/// After a stop every thread ends, and no task was done too often.
#[test]
fn queue_stops() {
    explore("queue: stop", 3, 3000, || {
        let stop_at = 1 + random(15);
        let (done, stopped, panicked) = run_queue(Some(stop_at), None);
        assert!(stopped && panicked == 0 && done[stop_at] > 0);
        assert!(done.iter().all(|&done| done <= 2), "{done:?}");
    });
}

/// A panic ends its thread; the others do all the other tasks and end.
#[test]
fn queue_outlives_a_panic() {
    explore("queue: panic", 3, 3000, || {
        let panic_at = 1 + random(15);
        let (done, stopped, panicked) = run_queue(None, Some(panic_at));
        assert!(!stopped && panicked == 1, "{panicked} threads panicked");
        let lost = |task: usize| (0..4).any(|up| task >> up == panic_at);
        for task in 1..16 {
            // One of the two trees lacks what was below the task.
            let expected = if task != panic_at && lost(task) { 1 } else { 2 };
            assert_eq!(done[task], expected, "task {task} of a panic at {panic_at}");
        }
    });
}

/// A whole tree search has the result of one thread in every schedule, or it is stopped.
#[test]
fn tree_search() {
    let best = |threads, stop: Stop| {
        let search = TreeSearch { depth: 7, threads };
        search.best(&Sequence::contest(), 0, &Columns::new(), stop)
    };
    let expected = best(1, &|| false);
    explore("tree search", 3, 16, move || {
        assert_eq!(best(3, &|| false), expected);
        let asked = AtomicUsize::new(0);
        let bound = random(40);
        let stopped = best(3, &|| asked.fetch_add(1, Ordering::Relaxed) >= bound);
        assert!(stopped.is_err() || stopped == expected);
    });
}

/// A whole beam search has the result of one thread in every schedule.
#[test]
fn beam_search() {
    explore("beam search", 3, 100, || {
        let run = |threads| {
            let mut beam = Beam::new(Sequence::contest(), 4, BeamWeights::FITTED);
            beam.advance(4, 20, threads, &|| false);
            beam
        };
        assert!(run(1) == run(3));
    });
}
