//! [`Clock`]: the time left for both players, and the time for a move.
//!
//! ```text
//! absolute time:  (time left - reserve) / moves to go, less the lag of a quick move
//! byo-yomi:       time left / stones left in the period, less a lag buffer
//! main time before byo-yomi: its share, and a share of the first period
//! ```
//!
//! A controller need not report the time left (`time_left`); the engine then relies on its own
//! count, which excludes the pipes and the other program. The session therefore charges each move
//! [`UNSEEN_TIME`] on top of its own measurement, and keeps a reserve of absolute time that no
//! search uses: once only the reserve is left, moves are played without thinking.

use crate::rules::board::Color;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeSettings {
    pub(super) main_time: Duration,
    pub(super) byo_yomi: ByoYomi,
}

/// The byo-yomi of a game: the time after main time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum ByoYomi {
    /// No byo-yomi: the game is lost.
    #[default]
    None,
    /// Periods of `time` for `stones` moves each.
    Canadian { time: Duration, stones: u32 },
    /// `periods` periods of `time`. A faster move keeps the whole period, a slower one uses it up.
    Japanese { time: Duration, periods: u32 },
}

impl ByoYomi {
    fn has_time(self) -> bool {
        match self {
            Self::None => false,
            Self::Canadian { time, stones: count } | Self::Japanese { time, periods: count } => {
                !time.is_zero() && count > 0
            }
        }
    }

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
    /// The moves left to play in `time`, or in Japanese byo-yomi the periods left, including the
    /// current one; 0 in main time.
    count: u32,
}

/// Without settings time is unlimited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clock {
    settings: Option<TimeSettings>,
    /// The time left per color; `None` for the full time of the settings.
    time_left: [Option<TimeLeft>; 2],
}

/// The time reserved per move for communication between the programs.
const LAG_BUFFER: Duration = Duration::from_millis(60);
/// The time charged per move in addition to the time the engine can measure.
pub(super) const UNSEEN_TIME: Duration = Duration::from_millis(2);
/// The maximum reserve of absolute time. The reserve is a tenth of the time, or a larger share
/// below a few seconds.
const MAX_RESERVE: Duration = Duration::from_secs(1);
/// The shortest search: starting threads alone takes about as long.
const MIN_SEARCH: Duration = Duration::from_millis(2);
/// The lower bound of the estimated number of moves to go in main time, on boards of up to 120
/// points.
const MIN_MOVES_TO_GO: u32 = 10;
/// The lower bound grows on larger boards, where endgames are longer.
const POINTS_PER_MOVE_TO_GO: u32 = 12;

impl Clock {
    /// Creates full clocks. Settings without any time, such as `time_settings 0 0 0`, set no limit,
    /// because no game could be played with them.
    pub(super) fn new(settings: Option<TimeSettings>) -> Self {
        let has_time =
            |settings: &TimeSettings| !settings.main_time.is_zero() || settings.byo_yomi.has_time();
        Self { settings: settings.filter(has_time), time_left: [None; 2] }
    }

    pub(super) fn restart(&mut self) {
        self.time_left = [None; 2];
    }

    /// Sets the time left of a player as reported by the controller (`time_left`): `count` is 0 in
    /// main time, and in byo-yomi the number of moves, or of periods under Japanese settings.
    pub(super) fn set(&mut self, color: Color, time: Duration, count: u32) {
        self.time_left[color as usize] = Some(TimeLeft { time, count });
    }

    fn byo_yomi(&self) -> ByoYomi {
        self.settings.map(|settings| settings.byo_yomi).unwrap_or_default()
    }

    /// `None` if unlimited.
    fn time_left(&self, color: Color) -> Option<TimeLeft> {
        self.time_left[color as usize].or_else(|| {
            let TimeSettings { main_time, byo_yomi } = self.settings?;
            Some(if main_time.is_zero() {
                byo_yomi.start()
            } else {
                TimeLeft { time: main_time, count: 0 }
            })
        })
    }

    pub(super) fn spend(&mut self, color: Color, taken: Duration) {
        let Some(TimeLeft { time, count }) = self.time_left(color) else { return };
        let left = time.saturating_sub(taken);
        let over = taken.saturating_sub(time);
        let is_over = !over.is_zero();
        self.time_left[color as usize] = Some(match self.byo_yomi() {
            ByoYomi::Japanese { time, periods } if (is_over || count > 0) && !time.is_zero() => {
                let started = if count == 0 { periods } else { count - u32::from(is_over) };
                let used_up = (over.as_nanos() / time.as_nanos()).try_into().unwrap_or(u32::MAX);
                // With no period left the game is lost, unless the controller is lenient.
                TimeLeft { time, count: started.saturating_sub(used_up).max(1) }
            }
            // Main time is over and the first period begins, or the last move of a period was
            // played.
            byo_yomi @ ByoYomi::Canadian { stones, .. }
                if stones > 0 && (count == 1 || count == 0 && is_over) =>
            {
                byo_yomi.start()
            }
            _ => TimeLeft { time: left, count: count.saturating_sub(1) },
        });
    }

    /// Returns the time for the next move after `played` moves on a board of `points` points; zero
    /// for a move without search, `None` if unlimited.
    pub(super) fn time_for_move(
        &self,
        color: Color,
        played: usize,
        points: u32,
    ) -> Option<Duration> {
        let TimeLeft { time, count } = self.time_left(color)?;
        let byo_yomi = self.byo_yomi();
        // A game takes about 0.7 moves per point of the board.
        let to_go = (points * 7 / 10).saturating_sub(played as u32) / 2;
        let to_go = to_go.max(MIN_MOVES_TO_GO).max(points / POINTS_PER_MOVE_TO_GO);
        let search = match (count, byo_yomi) {
            (0, byo_yomi) if !byo_yomi.has_time() => self.absolute_share(time, to_go, points),
            // In main time, a move may also use its share of the first period.
            (0, ByoYomi::Canadian { time: period, stones }) => {
                main_share(time, to_go, period / stones)
            }
            (0, ByoYomi::Japanese { time: period, .. }) => main_share(time, to_go, period),
            (_, ByoYomi::Japanese { .. }) => less_lag(time),
            (stones, _) => less_lag(time / stones),
        };
        Some(if search < MIN_SEARCH { Duration::ZERO } else { search })
    }

    fn absolute_share(&self, time: Duration, to_go: u32, points: u32) -> Duration {
        let full_time = self.settings.map_or(time, |settings| settings.main_time);
        let share = time.saturating_sub(reserve(full_time, points)) / to_go;
        // The reserve absorbs the lag of quick moves, so even very short times are used.
        share.saturating_sub((share / 20).max(LAG_BUFFER.min(share / 4)))
    }
}

/// Returns the reserve of absolute time: at least 1 ms per point, about 2 ms per move of the game.
fn reserve(full_time: Duration, points: u32) -> Duration {
    let for_moves = Duration::from_millis(points.into()).min(full_time / 3);
    (full_time / 10).max(for_moves).min(MAX_RESERVE)
}

fn main_share(time: Duration, to_go: u32, period_share: Duration) -> Duration {
    less_lag((time / to_go).saturating_add(period_share).min(time.max(period_share)))
}

/// Returns a time less the lag: at most two thirds of a short time, but all of a time below half
/// [`LAG_BUFFER`].
fn less_lag(share: Duration) -> Duration {
    let lag = LAG_BUFFER.max(share / 20);
    share.saturating_sub(if share < LAG_BUFFER / 2 { lag } else { lag.min(share / 3 * 2) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Returns the time less the twentieth reserved for communication.
    fn share(seconds: u32) -> Duration {
        Duration::from_millis(950) * seconds
    }

    fn clock(main_time: Duration, byo_yomi: ByoYomi) -> Clock {
        Clock::new(Some(TimeSettings { main_time, byo_yomi }))
    }

    fn canadian(main: u64, byo: u64, stones: u32) -> Clock {
        clock(seconds(main), ByoYomi::Canadian { time: seconds(byo), stones })
    }

    fn japanese(main: u64, time: u64, periods: u32) -> Clock {
        clock(seconds(main), ByoYomi::Japanese { time: seconds(time), periods })
    }

    fn first(clock: &Clock) -> Option<Duration> {
        clock.time_for_move(Color::Black, 0, 81)
    }

    #[test]
    fn no_setting_no_limit() {
        let mut clock = Clock::default();
        clock.spend(Color::Black, seconds(5));
        assert_eq!(first(&clock), None);
        clock.set(Color::White, seconds(20), 2);
        assert_eq!(clock.time_for_move(Color::White, 0, 81), Some(share(10)));
        // No time at all also means no limit.
        let none = self::clock(Duration::ZERO, ByoYomi::None);
        for unlimited in [canadian(0, 0, 0), canadian(0, 0, 5), none, japanese(0, 5, 0)] {
            assert_eq!(first(&unlimited), None, "{unlimited:?}");
        }
        assert!(first(&canadian(0, 5, 1)).is_some());
    }

    #[test]
    fn no_time_is_too_long() {
        let mut clock = canadian(u64::MAX, u64::MAX, 1);
        for spent in [Duration::ZERO, Duration::MAX] {
            clock.spend(Color::Black, spent);
            assert!(first(&clock) > Some(seconds(u64::MAX / 2)));
        }
    }

    fn used(clock: &mut Clock, moves: usize, points: u32) -> Duration {
        let mut used = Duration::ZERO;
        for played in (0..2 * moves).step_by(2) {
            let share = clock.time_for_move(Color::Black, played, points).unwrap();
            clock.spend(Color::Black, share);
            used += share;
        }
        used
    }

    #[test]
    fn main_time_lasts_for_a_game() {
        let mut clock = canadian(280, 0, 0);
        let used = used(&mut clock, 60, 81);
        assert!(used > seconds(200) && used < seconds(280), "{used:?}");
        // Without the reserve of a second.
        let share = seconds(279) / 28;
        let share = Some(share.saturating_sub(share / 20));
        assert_eq!(clock.time_for_move(Color::White, 0, 81), share);
        clock.restart();
        assert_eq!(first(&clock), share);
    }

    #[test]
    fn a_reserve_is_never_thought_away() {
        for (main, points) in [(1, 25), (10, 81), (10, 361), (600, 361)] {
            let mut clock = canadian(main, 0, 0);
            let used = used(&mut clock, 1000, points);
            assert!(
                used + reserve(seconds(main), points) < seconds(main),
                "{main} {points}: {used:?}"
            );
            assert!(used > seconds(main) * 3 / 5, "{main} {points}: {used:?}");
            assert_eq!(clock.time_for_move(Color::Black, 2000, points), Some(Duration::ZERO));
        }
        // Reports of the controller without settings, including times that are up.
        let mut clock = Clock::default();
        for (time, share) in [(0, 0), (20, 0), (500, 11)] {
            clock.set(Color::Black, Duration::from_millis(time), 0);
            assert_eq!(first(&clock).unwrap().as_millis(), share, "{time}");
        }
    }

    #[test]
    fn short_periods_leave_time_for_the_lag() {
        for (period, search) in [(10_000, 9500), (1000, 940), (200, 140), (60, 20), (29, 0), (1, 0)]
        {
            let byo_yomi = ByoYomi::Canadian { time: Duration::from_millis(period), stones: 1 };
            let time = first(&clock(Duration::ZERO, byo_yomi));
            assert_eq!(time, Some(Duration::from_millis(search)), "{period}");
        }
    }

    #[test]
    fn periods_follow_main_time() {
        let mut clock = canadian(10, 30, 3);
        // The seconds taken by the moves, then the next move's share; a new period starts after the
        // third move.
        for (moves, next) in [(&[11][..], 10), (&[20], 5), (&[1, 1], 10)] {
            for &taken in moves {
                clock.spend(Color::Black, seconds(taken));
            }
            assert_eq!(first(&clock), Some(share(next)), "{moves:?}");
        }
        assert_eq!(clock.time_left(Color::White), Some(TimeLeft { time: seconds(10), count: 0 }));
        for period_only in [canadian(0, 2, 1), japanese(0, 2, 5)] {
            assert_eq!(period_only.time_for_move(Color::White, 50, 81), Some(share(2)));
        }
    }

    #[test]
    fn japanese_periods_are_for_one_move_each() {
        let mut clock = japanese(60, 10, 5);
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
        // As reported by the controller: the rest of the current period and the number of periods.
        clock.set(Color::Black, seconds(2), 5);
        assert_eq!(clock.time_for_move(Color::Black, 50, 81), Some(share(2)));
        clock.spend(Color::Black, seconds(3));
        assert_eq!(clock.time_left(Color::Black), left(10, 4));
        clock.set(Color::Black, seconds(30), 0);
        assert_eq!(clock.time_for_move(Color::Black, 57, 81), Some(share(13)), "main time");
        for (time, periods) in [(0, 5), (5, 0), (0, 0)] {
            let mut clock = japanese(1, time, periods);
            clock.spend(Color::Black, seconds(2));
            assert!(first(&clock) <= Some(share(5)));
        }
    }
}
