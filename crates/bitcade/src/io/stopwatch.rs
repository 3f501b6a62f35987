//! [`Stopwatch`]: the running time of the program. Time spent stopped, as after Control-Z, doesn't count.
//!
//! A program only learns that it was continued, by SIGCONT, but not when it was stopped. So one
//! clock is polled continuously, at least every 25 ms by the thread that waits for signals, and the
//! time between the last poll and the signal counts as stopped.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        now().saturating_sub(self.0)
    }
}

/// The interval between polls of the clock, unless the machine is busy.
#[cfg(unix)]
pub(crate) const TICK: Duration = Duration::from_millis(25);

/// Polls the clock.
#[cfg(unix)]
pub(crate) fn tick() {
    now();
}

struct Clock {
    last: Instant,
    ran: Duration,
}

/// Returns the running time since the first call.
fn now() -> Duration {
    static CLOCK: OnceLock<Mutex<Clock>> = OnceLock::new();
    let clock = CLOCK.get_or_init(|| {
        stops::watch();
        Mutex::new(Clock { last: Instant::now(), ran: Duration::ZERO })
    });
    let mut clock = clock.lock().unwrap_or_else(PoisonError::into_inner);
    let gap = clock.last.elapsed();
    let stopped = stops::was_stopped(gap);
    clock.last += gap;
    if !stopped {
        clock.ran += gap;
    }
    clock.ran
}

#[cfg(unix)]
mod stops {
    use signal_hook::consts::SIGCONT;
    use signal_hook::flag;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, OnceLock};
    use std::thread;
    use std::time::Duration;

    /// The gap between polls after which SIGCONT may be on its way: another thread may run before
    /// its handler.
    const LATE: Duration = Duration::from_millis(100);

    static CONTINUED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

    pub(super) fn watch() {
        let continued = CONTINUED.get_or_init(Arc::default);
        let _ = flag::register(SIGCONT, Arc::clone(continued));
    }

    /// Returns whether the program was stopped since the last poll.
    pub(super) fn was_stopped(gap: Duration) -> bool {
        let Some(continued) = CONTINUED.get() else { return false };
        let mut waits = if gap > LATE { 10 } else { 0 };
        while !continued.load(Ordering::Relaxed) && waits > 0 {
            thread::sleep(Duration::from_millis(1));
            waits -= 1;
        }
        continued.swap(false, Ordering::Relaxed)
    }
}

#[cfg(not(unix))]
mod stops {
    use std::time::Duration;

    /// Does nothing: no signal stops a program here.
    pub(super) fn watch() {}

    pub(super) fn was_stopped(_: Duration) -> bool {
        false
    }
}
