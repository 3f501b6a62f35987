//! A queue of work that threads take from, and steal from each other.

use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// What the threads of a search share: a global queue, and the other end of each local one.
pub(super) struct WorkQueue<T> {
    global: Injector<T>,
    stealers: Vec<Stealer<T>>,
    /// Tasks in a queue or in a thread's hands. A task's children are counted before the task itself is done.
    outstanding: AtomicUsize,
    stopped: AtomicBool,
}

/// Takes a task off the count when it is done, even by a panic: nobody waits for it then.
struct TaskGuard<'a>(&'a AtomicUsize);

impl Drop for TaskGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl<T> WorkQueue<T> {
    /// The queue of these local ones, with the first tasks in it.
    pub(super) fn new(local: &[Worker<T>], tasks: impl Iterator<Item = T>) -> Self {
        let global = Injector::new();
        let outstanding = tasks.map(|task| global.push(task)).count();
        Self {
            global,
            stealers: local.iter().map(Worker::stealer).collect(),
            outstanding: outstanding.into(),
            stopped: false.into(),
        }
    }

    /// Ends all threads' work: [`run`](Self::run) returns after the task in hand.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Self::stop) was called.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Does tasks until none is outstanding, here or in another thread. `work` leaves a task's children in the vector.
    pub(super) fn run(&self, local: &Worker<T>, mut work: impl FnMut(T, &mut Vec<T>)) {
        let mut children = Vec::new();
        while let Some(task) = self.next_task(local) {
            let _guard = TaskGuard(&self.outstanding);
            work(task, &mut children);
            self.outstanding.fetch_add(children.len(), Ordering::Relaxed);
            children.drain(..).for_each(|child| local.push(child));
        }
    }

    /// A task of the local queue, else of the global queue, else of another thread. `None`: all queues look empty, which
    /// doesn't mean that the work is done.
    fn find_task(&self, local: &Worker<T>) -> Option<T> {
        local.pop().or_else(|| {
            let elsewhere =
                || self.global.steal().or_else(|| self.stealers.iter().map(Stealer::steal).collect());
            iter::repeat_with(elsewhere).find(|steal| !steal.is_retry()).and_then(Steal::success)
        })
    }

    /// The next task, waited for as long as any is outstanding.
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

    /// Each task down to 0 leaves two of one less: 2^(n + 1) - 1 in all, whoever does them.
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
