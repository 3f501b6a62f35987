//! [`Clock`]: the time left to both players, and the time for a move.

use crate::board::Color;
use std::time::Duration;

/// The time settings of a game: main time, then byo-yomi periods of `byo_yomi_time` for `byo_yomi_stones`
/// moves each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeSettings {
    pub(super) main_time: Duration,
    pub(super) byo_yomi_time: Duration,
    pub(super) byo_yomi_stones: u32,
}

/// The time left to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TimeLeft {
    time: Duration,
    /// The moves to be played in `time`; 0 in main time.
    stones: u32,
}

/// The clocks of both players; without settings time is unlimited.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    settings: Option<TimeSettings>,
    /// The time left per color; `None` for the full time of the settings.
    time_left: [Option<TimeLeft>; 2],
}

/// The time reserved per move for the transmission between the programs.
const LAG_BUFFER: Duration = Duration::from_millis(30);
/// The lower bound of the estimated number of moves to go in main time.
const MIN_MOVES_TO_GO: u32 = 10;

impl Clock {
    pub(super) fn new(settings: Option<TimeSettings>) -> Self {
        Self { settings, time_left: [None; 2] }
    }

    /// Starts a new game with the same settings.
    pub(super) fn restart(&mut self) {
        self.time_left = [None; 2];
    }

    /// Sets the time left of a player, as the controller reports it (`time_left`).
    pub(super) fn set(&mut self, color: Color, time: Duration, stones: u32) {
        self.time_left[color as usize] = Some(TimeLeft { time, stones });
    }

    /// Returns the time left to a player, or `None` if it is unlimited.
    fn time_left(&self, color: Color) -> Option<TimeLeft> {
        self.time_left[color as usize].or_else(|| {
            let TimeSettings { main_time, byo_yomi_time, byo_yomi_stones } = self.settings?;
            Some(if main_time.is_zero() {
                TimeLeft { time: byo_yomi_time, stones: byo_yomi_stones }
            } else {
                TimeLeft { time: main_time, stones: 0 }
            })
        })
    }

    /// Subtracts the time that a move took.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        let Some(left) = self.time_left(color) else { return };
        let (byo, stones) = self
            .settings
            .map_or((Duration::ZERO, 0), |settings| (settings.byo_yomi_time, settings.byo_yomi_stones));
        let over = time > left.time;
        self.time_left[color as usize] = Some(match left.stones {
            // Main time is over and the first period begins.
            0 if over && stones > 0 => TimeLeft { time: byo, stones },
            // The last move of a period: the next one begins.
            1 if stones > 0 => TimeLeft { time: byo, stones },
            _ => TimeLeft { time: left.time.saturating_sub(time), stones: left.stones.saturating_sub(1) },
        });
    }

    /// Returns the time for a player's next move after `played` moves on a board of `points` points, or
    /// `None` if time is unlimited.
    pub(super) fn time_for_move(&self, color: Color, played: usize, points: u32) -> Option<Duration> {
        let left = self.time_left(color)?;
        let moves = match left.stones {
            // A game takes about 0.7 moves per point of the board.
            0 => ((points * 7 / 10).saturating_sub(played as u32) / 2).max(MIN_MOVES_TO_GO),
            stones => stones,
        };
        let period = self.settings.filter(|settings| left.stones == 0 && settings.byo_yomi_stones > 0);
        // In main time, a move may also use its share of the first period.
        let period_share =
            period.map_or(Duration::ZERO, |settings| settings.byo_yomi_time / settings.byo_yomi_stones);
        let share = (left.time / moves).saturating_add(period_share).min(left.time.max(period_share));
        Some(share.saturating_sub(LAG_BUFFER.max(share / 20)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Returns the time less the twentieth that is reserved for the transmission.
    fn share(seconds: u32) -> Duration {
        Duration::from_millis(950) * seconds
    }

    fn clock(main: u64, byo: u64, stones: u32) -> Clock {
        Clock::new(Some(TimeSettings {
            main_time: seconds(main),
            byo_yomi_time: seconds(byo),
            byo_yomi_stones: stones,
        }))
    }

    #[test]
    fn no_setting_no_limit() {
        let mut clock = Clock::default();
        clock.spend(Color::Black, seconds(5));
        assert_eq!(clock.time_for_move(Color::Black, 0, 81), None);
        clock.set(Color::White, seconds(20), 2);
        assert_eq!(clock.time_for_move(Color::White, 0, 81), Some(share(10)));
    }

    #[test]
    fn no_time_is_too_long() {
        let mut clock = clock(u64::MAX, u64::MAX, 1);
        assert!(clock.time_for_move(Color::Black, 0, 81) > Some(seconds(u64::MAX / 2)));
        clock.spend(Color::Black, Duration::MAX);
        assert!(clock.time_for_move(Color::Black, 0, 81) > Some(seconds(u64::MAX / 2)));
    }

    #[test]
    fn main_time_lasts_for_a_game() {
        let mut clock = clock(280, 0, 0);
        let mut sum = Duration::ZERO;
        for played in (0..120).step_by(2) {
            let share = clock.time_for_move(Color::Black, played, 81).unwrap();
            clock.spend(Color::Black, share);
            sum += share;
        }
        assert!(sum > seconds(200) && sum < seconds(280), "{sum:?}");
        assert_eq!(clock.time_for_move(Color::White, 0, 81), Some(share(10)));
        clock.restart();
        assert_eq!(clock.time_for_move(Color::Black, 0, 81), Some(share(10)));
    }

    #[test]
    fn periods_follow_main_time() {
        let mut clock = clock(10, 30, 3);
        clock.spend(Color::Black, seconds(11));
        assert_eq!(clock.time_for_move(Color::Black, 0, 81), Some(share(10)));
        clock.spend(Color::Black, seconds(20));
        assert_eq!(clock.time_for_move(Color::Black, 0, 81), Some(share(5)));
        clock.spend(Color::Black, seconds(1));
        clock.spend(Color::Black, seconds(1));
        assert_eq!(clock.time_for_move(Color::Black, 0, 81), Some(share(10)), "a new period");
        assert_eq!(clock.time_left(Color::White), Some(TimeLeft { time: seconds(10), stones: 0 }));
        let period_only = self::clock(0, 2, 1);
        assert_eq!(period_only.time_for_move(Color::White, 50, 81), Some(share(2)));
    }
}
