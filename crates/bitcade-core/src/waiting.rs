//! Waiting for other threads: [`spin_while`] and [`Backoff`].

use core::hint::spin_loop;
use std::time::{Duration, Instant};

/// Twice the time in which the system wakes a thread, about.
pub(crate) const SPINNING: Duration = Duration::from_micros(100);

/// Spins while a condition is true, but for no more than about twice the time in which the system
/// wakes a thread. Returns whether it still is; the caller then blocks.
///
/// ```
/// assert!(!bitcade_core::spin_while(|| false));
/// assert!(bitcade_core::spin_while(|| true));
/// ```
pub fn spin_while(condition: impl Fn() -> bool) -> bool {
    /// Reading the clock takes some microseconds on some virtual machines.
    const SPINS_PER_READING: u32 = 256;
    let mut spins = 0u32;
    let mut start = None;
    while condition() {
        spin_loop();
        spins += 1;
        if spins.is_multiple_of(SPINS_PER_READING)
            && start.get_or_insert_with(Instant::now).elapsed() >= SPINNING
        {
            return true;
        }
    }
    false
}

/// Lets a caller work alone while the machine is too busy to share its work: a thread that the
/// system interrupts within its task keeps the caller waiting for milliseconds.
///
/// After a wait that was longer than the caller's own part of the work, the caller works alone for
/// sixteen times as long as it waited. So such waits take about a sixteenth of the time at most.
///
/// ```
/// use bitcade_core::Backoff;
/// use std::time::{Duration, Instant};
/// let mut backoff = Backoff::default();
/// let now = Instant::now();
/// let ms = Duration::from_millis(1);
/// backoff.add(now, 3 * ms, 2 * ms);
/// assert!(!backoff.alone(now));
/// backoff.add(now, 3 * ms, 4 * ms);
/// assert!(backoff.alone(now + 63 * ms));
/// assert!(!backoff.alone(now + 64 * ms));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    alone_until: Option<Instant>,
}

impl Backoff {
    /// Returns whether the caller works alone.
    pub fn alone(&self, now: Instant) -> bool {
        self.alone_until.is_some_and(|until| now < until)
    }

    /// Adds a shared work that has ended `now`: the time in which the caller worked, and the time
    /// in which it waited for the others afterwards.
    pub fn add(&mut self, now: Instant, worked: Duration, waited: Duration) {
        // Waking a thread may take longer than short work.
        if waited > worked.max(2 * SPINNING) {
            self.alone_until = now.checked_add(waited.saturating_mul(16));
        }
    }
}
