//! [`Clock`]: how long a move may take.

use crate::board::Color;
use std::time::Duration;

/// What the players got: main time, then `stones` moves in each `byo`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) main: Duration,
    pub(super) byo: Duration,
    pub(super) stones: u32,
}

/// What is left to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    time: Duration,
    /// Moves to be made in it; 0 in main time.
    stones: u32,
}

/// Both players' clocks; without a setting nobody measures.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    setting: Option<Setting>,
    /// By color. None: as the setting says.
    left: [Option<Left>; 2],
}

/// What a move takes besides thinking: the way to the other program and back.
const LAG: Duration = Duration::from_millis(30);
/// Moves that a player counts on having to make still, at least.
const MIN_MOVES: u32 = 10;

impl Clock {
    /// New clocks.
    pub(super) fn new(setting: Option<Setting>) -> Self {
        Self { setting, left: [None; 2] }
    }

    /// A new game with the same times.
    pub(super) fn restart(&mut self) {
        self.left = [None; 2];
    }

    /// What the referee says is left.
    pub(super) fn set(&mut self, color: Color, time: Duration, stones: u32) {
        self.left[color as usize] = Some(Left { time, stones });
    }

    /// What is left to a player by our own count.
    fn left(&self, color: Color) -> Option<Left> {
        self.left[color as usize].or_else(|| {
            let Setting { main, byo, stones } = self.setting?;
            Some(if main.is_zero() { Left { time: byo, stones } } else { Left { time: main, stones: 0 } })
        })
    }

    /// A move was made in so much time.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        let Some(left) = self.left(color) else { return };
        let (byo, stones) = self.setting.map_or((Duration::ZERO, 0), |setting| (setting.byo, setting.stones));
        let over = time > left.time;
        self.left[color as usize] = Some(match left.stones {
            // Main time is up, and a period has begun.
            0 if over && stones > 0 => Left { time: byo, stones },
            // The last move of a period.
            1 if stones > 0 => Left { time: byo, stones },
            _ => Left { time: left.time.saturating_sub(time), stones: left.stones.saturating_sub(1) },
        });
    }

    /// How long a player should think about its next move, after `played` moves on a board of `points`. None if nobody
    /// measures.
    pub(super) fn allotment(&self, color: Color, played: usize, points: u32) -> Option<Duration> {
        let left = self.left(color)?;
        let moves = match left.stones {
            // A game takes about as many moves as seven tenths of the points.
            0 => ((points * 7 / 10).saturating_sub(played as u32) / 2).max(MIN_MOVES),
            stones => stones,
        };
        let period = self.setting.filter(|setting| left.stones == 0 && setting.stones > 0);
        // In main time a period that is sure to come counts too.
        let sure = period.map_or(Duration::ZERO, |setting| setting.byo / setting.stones);
        let share = (left.time / moves).saturating_add(sure).min(left.time.max(sure));
        Some(share.saturating_sub(LAG.max(share / 20)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Less the twentieth that is kept for the way.
    fn share(seconds: u32) -> Duration {
        Duration::from_millis(950) * seconds
    }

    fn clock(main: u64, byo: u64, stones: u32) -> Clock {
        Clock::new(Some(Setting { main: seconds(main), byo: seconds(byo), stones }))
    }

    #[test]
    fn no_setting_no_limit() {
        let mut clock = Clock::default();
        clock.spend(Color::Black, seconds(5));
        assert_eq!(clock.allotment(Color::Black, 0, 81), None);
        clock.set(Color::White, seconds(20), 2);
        assert_eq!(clock.allotment(Color::White, 0, 81), Some(share(10)));
    }

    #[test]
    fn no_time_is_too_long() {
        let mut clock = clock(u64::MAX, u64::MAX, 1);
        assert!(clock.allotment(Color::Black, 0, 81) > Some(seconds(u64::MAX / 2)));
        clock.spend(Color::Black, Duration::MAX);
        assert!(clock.allotment(Color::Black, 0, 81) > Some(seconds(u64::MAX / 2)));
    }

    #[test]
    fn main_time_lasts_for_a_game() {
        let mut clock = clock(280, 0, 0);
        let mut sum = Duration::ZERO;
        for played in (0..120).step_by(2) {
            let share = clock.allotment(Color::Black, played, 81).unwrap();
            clock.spend(Color::Black, share);
            sum += share;
        }
        assert!(sum > seconds(200) && sum < seconds(280), "{sum:?}");
        assert_eq!(clock.allotment(Color::White, 0, 81), Some(share(10)));
        clock.restart();
        assert_eq!(clock.allotment(Color::Black, 0, 81), Some(share(10)));
    }

    #[test]
    fn periods_follow_main_time() {
        let mut clock = clock(10, 30, 3);
        clock.spend(Color::Black, seconds(11));
        assert_eq!(clock.allotment(Color::Black, 0, 81), Some(share(10)));
        clock.spend(Color::Black, seconds(20));
        assert_eq!(clock.allotment(Color::Black, 0, 81), Some(share(5)));
        clock.spend(Color::Black, seconds(1));
        clock.spend(Color::Black, seconds(1));
        assert_eq!(clock.allotment(Color::Black, 0, 81), Some(share(10)), "a new period");
        assert_eq!(clock.left(Color::White), Some(Left { time: seconds(10), stones: 0 }));
        let period_only = self::clock(0, 2, 1);
        assert_eq!(period_only.allotment(Color::White, 50, 81), Some(share(2)));
    }
}
