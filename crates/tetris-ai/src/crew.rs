//! [`Crew`]: threads that stay, and work when told to.

#[cfg(feature = "parallel")]
use std::sync::mpsc::{Receiver, Sender, channel};

/// Some threads, the caller's among them.
pub(crate) struct Crew<'a> {
    work: &'a (dyn Fn() + Sync),
    /// For each other thread: to tell it to work, and to hear that it has.
    #[cfg(feature = "parallel")]
    others: Vec<(Sender<()>, Receiver<()>)>,
}

impl Crew<'_> {
    /// Has `work` called on every thread, and waits until all are done.
    pub(crate) fn work(&self) {
        #[cfg(feature = "parallel")]
        for (start, _) in &self.others {
            assert!(start.send(()).is_ok(), "a thread of the crew has ended");
        }
        (self.work)();
        #[cfg(feature = "parallel")]
        for (_, done) in &self.others {
            assert!(done.recv().is_ok(), "a thread of the crew has ended");
        }
    }
}

/// Calls `lead` with a crew of some threads; without the feature `parallel` always one.
#[cfg(feature = "parallel")]
pub(crate) fn with_crew<R>(threads: usize, work: &(dyn Fn() + Sync), lead: impl FnOnce(&Crew) -> R) -> R {
    std::thread::scope(|scope| {
        let others = (1..threads).map(|_| {
            let ((start, told), (done, heard)) = (channel(), channel());
            scope.spawn(move || {
                // Both ends with the crew: its thread leaves.
                while told.recv().is_ok() {
                    work();
                    if done.send(()).is_err() {
                        break;
                    }
                }
            });
            (start, heard)
        });
        let others = others.collect();
        lead(&Crew { work, others })
    })
}

/// Calls `lead` with a crew of one.
#[cfg(not(feature = "parallel"))]
pub(crate) fn with_crew<R>(_threads: usize, work: &(dyn Fn() + Sync), lead: impl FnOnce(&Crew) -> R) -> R {
    lead(&Crew { work })
}
