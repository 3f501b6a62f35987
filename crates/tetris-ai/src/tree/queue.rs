//! [`WorkQueue`]: tasks shared by threads that steal them from each other.

use crate::sync::{AtomicBool, AtomicUsize, Injector, Ordering, Steal, Stealer, Worker, yield_now};
use std::iter;

/// The queues of the threads of a search: the global one, and the stealing end of each local one.
pub(crate) struct WorkQueue<T> {
    global: Injector<T>,
    stealers: Vec<Stealer<T>>,
    /// The number of tasks in a queue or in work. The children of a task are counted before the task itself
    /// is done, so the number is 0 only when all work is done.
    outstanding: AtomicUsize,
    stopped: AtomicBool,
}

/// A guard that takes a task off the count when it is done, also by a panic, so that no thread waits for it.
struct TaskGuard<'a>(&'a AtomicUsize);

impl Drop for TaskGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl<T> WorkQueue<T> {
    /// Creates the queue of these local ones, with the first tasks in the global queue.
    pub(crate) fn new(local: &[Worker<T>], tasks: impl Iterator<Item = T>) -> Self {
        let global = Injector::new();
        let outstanding = tasks.map(|task| global.push(task)).count();
        Self {
            global,
            stealers: local.iter().map(Worker::stealer).collect(),
            outstanding: AtomicUsize::new(outstanding),
            stopped: AtomicBool::new(false),
        }
    }

    /// Ends the work of all threads: [`run`](Self::run) returns after the current task.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Does tasks until none is outstanding in any thread; `work` appends its task's children to the vector.
    pub(crate) fn run(&self, local: &Worker<T>, mut work: impl FnMut(T, &mut Vec<T>)) {
        let mut children = Vec::new();
        while let Some(task) = self.next_task(local) {
            let _guard = TaskGuard(&self.outstanding);
            work(task, &mut children);
            self.outstanding.fetch_add(children.len(), Ordering::Relaxed);
            children.drain(..).for_each(|child| local.push(child));
        }
    }

    /// Takes a task of the local queue, else of the global one, else of another thread. `None` means that all
    /// queues look empty, not that the work is done: a task in work may still have children.
    fn find_task(&self, local: &Worker<T>) -> Option<T> {
        local.pop().or_else(|| {
            let elsewhere =
                || self.global.steal().or_else(|| self.stealers.iter().map(Stealer::steal).collect());
            iter::repeat_with(elsewhere).find(|steal| !steal.is_retry()).and_then(Steal::success)
        })
    }

    /// Returns the next task; waits as long as any is outstanding. `None` means that the work is done.
    fn next_task(&self, local: &Worker<T>) -> Option<T> {
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(task) = self.find_task(local) {
                return Some(task);
            }
            if self.outstanding.load(Ordering::Acquire) == 0 {
                return None;
            }
            yield_now();
        }
    }
}

#[cfg(all(test, not(shuttle)))]
mod tests {
    use super::*;
    use std::thread;

    /// The published search ended a worker at empty queues, although another's task had children yet to come.
    #[test]
    fn empty_queues_are_not_the_end() {
        let local = [Worker::new_fifo(), Worker::new_fifo()];
        let queue = WorkQueue::new(&local, [0].into_iter());
        let [first, second] = &local;
        let task = queue.find_task(first);
        assert_eq!(task, Some(0));
        assert_eq!(queue.find_task(second), None, "where the published worker left");
        thread::scope(|scope| {
            let waiting =
                scope.spawn(|| queue.stealers.len() + queue.next_task(&Worker::new_fifo()).unwrap_or(0));
            thread::sleep(std::time::Duration::from_millis(5));
            assert!(!waiting.is_finished(), "the count keeps the worker");
            queue.outstanding.fetch_add(1, Ordering::Relaxed);
            first.push(7);
            drop(TaskGuard(&queue.outstanding));
            assert_eq!(waiting.join().ok(), Some(2 + 7));
        });
        drop(TaskGuard(&queue.outstanding));
        assert_eq!(queue.next_task(second), None);
    }

    /// Each task n > 0 has two children n - 1: 2^(n + 1) - 1 tasks in all.
    #[test]
    fn every_task_is_done_once() {
        let local: Vec<_> = (0..4).map(|_| Worker::new_fifo()).collect();
        let queue = WorkQueue::new(&local, [9, 9, 9].into_iter());
        let done = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (queue, done) = (&queue, &done);
            for local in local {
                scope.spawn(move || {
                    queue.run(&local, |task: usize, children| {
                        done.fetch_add(1, Ordering::Relaxed);
                        if task > 0 {
                            children.extend([task - 1; 2]);
                        }
                    });
                });
            }
        });
        assert_eq!(done.into_inner(), 3 * ((1 << 10) - 1));
    }
}
