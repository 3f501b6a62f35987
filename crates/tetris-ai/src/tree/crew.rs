//! Several workers on one tree.

use super::{GRAIN, Node, Stop, Stopped, Tally, TreeSearch, dig_with};
use crate::contest::Piece;
use bitcore::dispatch;
use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// How many levels below the roots are shared, at most: some ten thousand tasks.
const SHARED_LEVELS: usize = 3;

/// The leaves under some nodes, the last node first.
pub(super) fn search(
    search: &TreeSearch,
    pieces: &[Piece],
    roots: Vec<Node>,
    stop: Stop,
) -> Result<Tally, Stopped> {
    // Only the upper levels are shared: the queues are searched breadth first, and hold a whole level at once.
    let root_levels = roots.first().map_or(0, |root| root.levels_left(pieces));
    let shared = GRAIN.max(root_levels.saturating_sub(SHARED_LEVELS));
    let queues: Vec<_> = (0..search.threads).map(|_| Worker::new_fifo()).collect();
    let crew = Crew::new(&queues, roots.into_iter().rev());
    let work = |local: Worker<Node>| {
        dispatch!(search.level, isa => {
            let mut tally = Tally::default();
            let mut stack = Vec::new();
            while let Some(task) = crew.next(&local) {
                let _done = Done(&crew.outstanding);
                stack.push(task);
                let stop = || crew.stopped.load(Ordering::Relaxed) || stop();
                let share = |child: &Node| {
                    let coarse = child.levels_left(pieces) >= shared;
                    if coarse {
                        crew.outstanding.fetch_add(1, Ordering::Relaxed);
                        local.push(*child);
                    }
                    coarse
                };
                if dig_with(isa, pieces, &mut stack, &mut tally, stop, share).is_err() {
                    crew.stopped.store(true, Ordering::Relaxed);
                }
            }
            tally
        })
    };
    let tally = thread::scope(|scope| {
        let workers: Vec<_> = queues.into_iter().map(|local| scope.spawn(|| work(local))).collect();
        let tallies = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        tallies.fold(Tally::default(), Tally::and)
    });
    if crew.stopped.into_inner() { Err(Stopped) } else { Ok(tally) }
}

/// What the workers share.
struct Crew<T> {
    common: Injector<T>,
    stealers: Vec<Stealer<T>>,
    /// Tasks in a queue or in a worker's hands. A task's children are counted before the task itself is done.
    outstanding: AtomicUsize,
    stopped: AtomicBool,
}

/// Takes a task off the count when it is done, even by a panic: nobody waits for it then.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl<T> Crew<T> {
    fn new(queues: &[Worker<T>], tasks: impl Iterator<Item = T>) -> Self {
        let common = Injector::new();
        let outstanding = tasks.map(|task| common.push(task)).count();
        Self {
            common,
            stealers: queues.iter().map(Worker::stealer).collect(),
            outstanding: outstanding.into(),
            stopped: false.into(),
        }
    }

    /// A task of the worker's own, else of the common queue, else of another worker. `None`: all queues look empty,
    /// which doesn't mean that the work is done.
    fn find(&self, local: &Worker<T>) -> Option<T> {
        local.pop().or_else(|| {
            let elsewhere =
                || self.common.steal().or_else(|| self.stealers.iter().map(Stealer::steal).collect());
            iter::repeat_with(elsewhere).find(|steal| !steal.is_retry()).and_then(Steal::success)
        })
    }

    /// The next task, waited for as long as any is outstanding.
    fn next(&self, local: &Worker<T>) -> Option<T> {
        loop {
            if self.stopped.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(task) = self.find(local) {
                return Some(task);
            }
            if self.outstanding.load(Ordering::Acquire) == 0 {
                return None;
            }
            thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published fault: with every queue empty a worker left, although another one held a task whose children were
    /// yet to come.
    #[test]
    fn empty_queues_are_not_the_end() {
        let queues = [Worker::new_fifo(), Worker::new_fifo()];
        let crew = Crew::new(&queues, [0].into_iter());
        let [first, second] = &queues;
        let task = crew.find(first);
        assert_eq!(task, Some(0));
        assert_eq!(crew.find(second), None, "where the published worker left");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| crew.stealers.len() + crew.next(&Worker::new_fifo()).unwrap_or(0));
            thread::sleep(std::time::Duration::from_millis(5));
            assert!(!waiting.is_finished(), "the count keeps the worker");
            crew.outstanding.fetch_add(1, Ordering::Relaxed);
            first.push(7);
            drop(Done(&crew.outstanding));
            assert_eq!(waiting.join().ok(), Some(2 + 7));
        });
        drop(Done(&crew.outstanding));
        assert_eq!(crew.next(second), None);
    }
}
