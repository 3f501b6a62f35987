//! [`Repeats`]: auto-repeat detection on terminals that report no releases.

use std::ops::Range;
use std::time::Duration;

/// The delay before a held key begins to repeat.
const DELAY: Range<Duration> = Duration::from_millis(200)..Duration::from_millis(750);
/// The maximum time between two repeats. Nobody presses a key as fast as the fast repeat rates, 25
/// to 35 per second; the slow ones, 11 per second on the Linux console and on macOS, can only be
/// recognized by the delay before them.
const FAST: Duration = Duration::from_millis(60);
const SLOW: Duration = Duration::from_millis(110);

/// Distinguishes a held key's repeats from presses. The first repeat, after the delay, looks like a
/// press and counts as one.
#[derive(Default)]
pub(super) struct Repeats {
    last: Option<Duration>,
    /// `true` if the last press came after a delay, or was a repeat following one.
    delayed: bool,
}

impl Repeats {
    /// Also records the press.
    pub(super) fn is_repeat(&mut self, now: Duration) -> bool {
        let since = self.last.replace(now).map_or(Duration::MAX, |last| now.saturating_sub(last));
        let repeats = since < FAST || since < SLOW && self.delayed;
        self.delayed = DELAY.contains(&since) || repeats && self.delayed;
        repeats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many presses count, given their times in milliseconds.
    fn counted(times: impl IntoIterator<Item = u64>) -> usize {
        let mut repeats = Repeats::default();
        let mut now = Duration::from_secs(5);
        let mut counts = |time| {
            now += Duration::from_millis(time);
            !repeats.is_repeat(now)
        };
        times.into_iter().filter(|&time| counts(time)).count()
    }

    #[test]
    fn steady_presses_count() {
        for pause in [65, 80, 95, 120, 160, 250, 400, 900] {
            assert_eq!(counted([pause; 30]), 30, "{pause}");
        }
        // One early press does not affect the others.
        assert_eq!(counted([95, 95, 40, 95, 95]), 4);
    }

    #[test]
    fn a_held_key_counts_twice() {
        for (delay, pause) in [(250, 33), (500, 33), (660, 40), (250, 92), (375, 90), (225, 30)] {
            for press in [95, 300, 2000] {
                let held = || [delay].into_iter().chain([pause; 60]);
                assert_eq!(
                    counted([press].into_iter().chain(held())),
                    2,
                    "{press} {delay} {pause}"
                );
                // Later presses count again.
                let later = [press].into_iter().chain(held()).chain([1000, 95, 95]);
                assert_eq!(counted(later), 5, "{press} {delay} {pause}");
            }
        }
    }
}
