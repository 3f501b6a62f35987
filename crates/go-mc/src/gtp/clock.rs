//! [`Clock`]: the time left to both players, and the time for a move.

use crate::board::Color;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeSettings {
    pub(super) main_time: Duration,
    pub(super) byo_yomi: ByoYomi,
}

/// The byo-yomi of a game: the time after main time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum ByoYomi {
    /// Nothing: the game is lost.
    #[default]
    None,
    /// Periods of `time` for `stones` moves each.
    Canadian { time: Duration, stones: u32 },
    /// `periods` periods of `time`. A move that takes less leaves a period as it is, a longer one uses it up.
    Japanese { time: Duration, periods: u32 },
}

impl ByoYomi {
    fn start(self) -> TimeLeft {
        match self {
            Self::None => TimeLeft { time: Duration::ZERO, count: 0 },
            Self::Canadian { time, stones: count } | Self::Japanese { time, periods: count } => {
                TimeLeft { time, count }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct TimeLeft {
    time: Duration,
    /// The moves to be played in `time`, or in Japanese byo-yomi the periods left, the present one included;
    /// 0 in main time.
    count: u32,
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

    /// Sets the time left of a player, as the controller reports it (`time_left`): `count` is 0 in main time,
    /// and in byo-yomi the number of moves, or of periods if the settings are Japanese.
    pub(super) fn set(&mut self, color: Color, time: Duration, count: u32) {
        self.time_left[color as usize] = Some(TimeLeft { time, count });
    }

    fn byo_yomi(&self) -> ByoYomi {
        self.settings.map(|settings| settings.byo_yomi).unwrap_or_default()
    }

    /// Returns the time left to a player, or `None` if it is unlimited.
    fn time_left(&self, color: Color) -> Option<TimeLeft> {
        self.time_left[color as usize].or_else(|| {
            let TimeSettings { main_time, byo_yomi } = self.settings?;
            Some(if main_time.is_zero() { byo_yomi.start() } else { TimeLeft { time: main_time, count: 0 } })
        })
    }

    pub(super) fn spend(&mut self, color: Color, taken: Duration) {
        let Some(TimeLeft { time, count }) = self.time_left(color) else { return };
        let (left, over) = (time.saturating_sub(taken), taken.saturating_sub(time));
        let is_over = !over.is_zero();
        self.time_left[color as usize] = Some(match self.byo_yomi() {
            ByoYomi::Japanese { time, periods } if (is_over || count > 0) && !time.is_zero() => {
                let started = if count == 0 { periods } else { count - u32::from(is_over) };
                let used_up = (over.as_nanos() / time.as_nanos()).try_into().unwrap_or(u32::MAX);
                // Without a period the game is lost, unless the controller is patient.
                TimeLeft { time, count: started.saturating_sub(used_up).max(1) }
            }
            // Main time is over and the first period begins, or a period's last move was played.
            byo_yomi @ ByoYomi::Canadian { stones, .. }
                if stones > 0 && (count == 1 || count == 0 && is_over) =>
            {
                byo_yomi.start()
            }
            _ => TimeLeft { time: left, count: count.saturating_sub(1) },
        });
    }

    /// Returns the time for the next move after `played` moves on `points` points; `None` if it is unlimited.
    pub(super) fn time_for_move(&self, color: Color, played: usize, points: u32) -> Option<Duration> {
        let TimeLeft { time, count } = self.time_left(color)?;
        let byo_yomi = self.byo_yomi();
        let moves = match (count, byo_yomi) {
            // A game takes about 0.7 moves per point of the board.
            (0, _) => ((points * 7 / 10).saturating_sub(played as u32) / 2).max(MIN_MOVES_TO_GO),
            (_, ByoYomi::Japanese { .. }) => 1,
            (stones, _) => stones,
        };
        // In main time, a move may also use its share of the first period.
        let period_share = match byo_yomi {
            ByoYomi::Canadian { time, stones } if count == 0 && stones > 0 => time / stones,
            ByoYomi::Japanese { time, periods } if count == 0 && periods > 0 => time,
            _ => Duration::ZERO,
        };
        let share = (time / moves).saturating_add(period_share).min(time.max(period_share));
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
        let byo_yomi = ByoYomi::Canadian { time: seconds(byo), stones };
        Clock::new(Some(TimeSettings { main_time: seconds(main), byo_yomi }))
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
        assert_eq!(clock.time_left(Color::White), Some(TimeLeft { time: seconds(10), count: 0 }));
        let period_only = self::clock(0, 2, 1);
        assert_eq!(period_only.time_for_move(Color::White, 50, 81), Some(share(2)));
    }
    #[test]
    fn japanese_periods_are_for_one_move_each() {
        let byo_yomi = ByoYomi::Japanese { time: seconds(10), periods: 5 };
        let mut clock = Clock::new(Some(TimeSettings { main_time: seconds(60), byo_yomi }));
        let left = |time, count| Some(TimeLeft { time: seconds(time), count });
        // (taken, time left, periods left)
        for (taken, time, count) in [
            (50, 10, 0),
            (10, 0, 0),
            (0, 0, 0),
            (3, 10, 5),
            (10, 10, 5),
            (11, 10, 4),
            (25, 10, 2),
            (1000, 10, 1),
        ] {
            clock.spend(Color::Black, seconds(taken));
            assert_eq!(clock.time_left(Color::Black), left(time, count), "{taken}");
        }
        // Main time and two periods.
        clock.spend(Color::White, seconds(85));
        assert_eq!(clock.time_left(Color::White), left(10, 3));
        // As the controller reports them: what is left of the present period, and the number of periods.
        clock.set(Color::Black, seconds(2), 5);
        assert_eq!(clock.time_for_move(Color::Black, 50, 81), Some(share(2)));
        clock.spend(Color::Black, seconds(3));
        assert_eq!(clock.time_left(Color::Black), left(10, 4));
        clock.set(Color::Black, seconds(30), 0);
        assert_eq!(clock.time_for_move(Color::Black, 57, 81), Some(share(13)), "main time");
        // Byo-yomi from the start, and none at all.
        let byo_yomi = ByoYomi::Japanese { time: seconds(2), periods: 5 };
        let clock = Clock::new(Some(TimeSettings { main_time: Duration::ZERO, byo_yomi }));
        assert_eq!(clock.time_for_move(Color::White, 0, 81), Some(share(2)));
        for (time, periods) in [(0, 5), (5, 0), (0, 0)] {
            let byo_yomi = ByoYomi::Japanese { time: seconds(time), periods };
            let mut clock = Clock::new(Some(TimeSettings { main_time: seconds(1), byo_yomi }));
            clock.spend(Color::Black, seconds(2));
            assert!(clock.time_for_move(Color::Black, 0, 81) <= Some(share(5)));
        }
    }
}
