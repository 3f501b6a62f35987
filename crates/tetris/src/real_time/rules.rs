//! The settings of a real-time game: timing, gravity, handling and goal.

use crate::game::Rules;

/// The guideline's gravity from level 1 up, in nanoseconds per row. The formula is
/// `(0.8 - (level - 1) * 0.007) ^ (level - 1)` seconds. Higher levels use the last entry.
///
/// ```
/// use tetris::real_time::GUIDELINE_GRAVITY;
/// assert_eq!(GUIDELINE_GRAVITY[..3], [1_000_000_000, 793_000_000, 617_796_000]);
/// ```
pub const GUIDELINE_GRAVITY: [u32; 20] = [
    1_000_000_000,
    793_000_000,
    617_796_000,
    472_729_139,
    355_196_928,
    262_003_550,
    189_677_245,
    134_734_731,
    93_882_249,
    64_151_585,
    42_976_258,
    28_217_678,
    18_153_329,
    11_439_342,
    7_058_616,
    4_263_557,
    2_520_084,
    1_457_139,
    823_907,
    455_398,
];

/// The speed at which a piece falls on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Gravity {
    /// The table [`GUIDELINE_GRAVITY`], by level.
    #[default]
    Guideline,
    /// One row every this many ticks, at every level; 0 counts as [`Instant`](Self::Instant).
    TicksPerRow(u32),
    /// 20G: pieces land instantly.
    Instant,
    /// No gravity: pieces fall only by soft and hard drops.
    Off,
}

/// The speeds and delays of a game, in ticks. The caller decides when to run a tick: there is no
/// clock here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Timing {
    /// The number of ticks per second, which sets the speed of [`Gravity::Guideline`]. 0 counts as 1.
    pub ticks_per_second: u32,
    /// The gravity.
    pub gravity: Gravity,
    /// The ticks between landing and lock. With 0, pieces lock when they land.
    pub lock_delay: u32,
    /// The number of moves and rotations that reset the lock delay once the piece has landed. Each
    /// new lowest row restarts the count. After the last reset, the piece locks as soon as it is on
    /// the stack. With 0, it always locks after the delay.
    pub lock_resets: u32,
    /// The ticks from a lock to the next spawn (ARE).
    pub entry_delay: u32,
    /// The ticks added to [`entry_delay`](Self::entry_delay) after a lock that clears lines.
    pub line_clear_delay: u32,
}

impl Default for Timing {
    /// Returns [`GUIDELINE`](Self::GUIDELINE).
    fn default() -> Self {
        Self::GUIDELINE
    }
}

impl Timing {
    /// The guideline timing: 60 ticks per second, gravity by level, half a second of lock delay
    /// with 15 resets, and no delay before a spawn.
    pub const GUIDELINE: Self = Self {
        ticks_per_second: 60,
        gravity: Gravity::Guideline,
        lock_delay: 30,
        lock_resets: 15,
        entry_delay: 0,
        line_clear_delay: 0,
    };

    /// Converts a duration to the nearest number of ticks; at least 1, unless the duration is 0: an
    /// [ARR](Handling::arr) of 0 is another handling than a short one.
    ///
    /// ```
    /// use tetris::real_time::Timing;
    /// let timing = Timing::GUIDELINE;
    /// assert_eq!([0, 1, 9, 25, 167, 500].map(|milliseconds| timing.ticks(milliseconds)), [0, 1, 1, 2, 10, 30]);
    /// // Any tick length.
    /// assert_eq!(Timing { ticks_per_second: 240, ..timing }.ticks(167), 40);
    /// assert_eq!(Timing { ticks_per_second: 0, ..timing }.ticks(2000), 2);
    /// assert_eq!(Timing { ticks_per_second: 0, ..timing }.ticks(1), 1);
    /// assert_eq!(Timing { ticks_per_second: u32::MAX, ..timing }.ticks(u32::MAX), u32::MAX);
    /// ```
    pub fn ticks(&self, milliseconds: u32) -> u32 {
        let ticks =
            (u64::from(milliseconds) * u64::from(self.ticks_per_second.max(1)) + 500) / 1000;
        u32::try_from(ticks).unwrap_or(u32::MAX).max(u32::from(milliseconds > 0))
    }

    /// Returns the fall per tick at a level as a fraction `(step, row)`: the piece falls one row
    /// each time the sum of the steps reaches `row`.
    pub(super) fn speed(&self, level: u32) -> (u64, u64) {
        match self.gravity {
            Gravity::Guideline => self.guideline_speed(level),
            Gravity::TicksPerRow(ticks) => (1, ticks.into()),
            Gravity::Instant => (1, 0),
            Gravity::Off => (0, 1),
        }
    }

    /// Without gravity, the speed is based on the first level's gravity.
    pub(super) fn soft_drop_speed(&self, level: u32, factor: u32) -> (u64, u64) {
        let (step, row) =
            if self.gravity == Gravity::Off { self.guideline_speed(1) } else { self.speed(level) };
        if factor == u32::MAX { (1, 0) } else { (step * u64::from(factor.max(1)), row) }
    }

    fn guideline_speed(&self, level: u32) -> (u64, u64) {
        let last = GUIDELINE_GRAVITY.len() - 1;
        let row = GUIDELINE_GRAVITY[(level.max(1) as usize - 1).min(last)];
        (1_000_000_000, u64::from(row) * u64::from(self.ticks_per_second.max(1)))
    }
}

/// The keys that act on a piece at its spawn.
///
/// ```
/// use tetris::real_time::{Handling, InitialAction, Key, RealTimeGame, RealTimeRules, Timing};
/// use tetris::Orientation;
/// let turned = |entry_delay, initial_rotation, early| {
///     let timing = Timing { entry_delay, ..Timing::GUIDELINE };
///     let handling = Handling { initial_rotation, ..Handling::default() };
///     let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
///     let mut game = RealTimeGame::new(rules, handling, 1);
///     // Clockwise is down since before the lock, or tapped during the wait.
///     if early {
///         game.press(Key::Cw);
///     }
///     game.tap(Key::HardDrop);
///     for _ in 0..2 {
///         game.tick(&mut Vec::new());
///     }
///     if !early {
///         game.tap(Key::Cw);
///     }
///     for _ in 0..entry_delay {
///         game.tick(&mut Vec::new());
///     }
///     game.falling().unwrap().orientation == Orientation::East
/// };
/// use InitialAction::{Hold, Off, Tap, TapOrHold};
/// let all = [Off, Tap, Hold, TapOrHold];
/// assert_eq!(all.map(|by| turned(9, by, true)), [false, false, true, true]);
/// assert_eq!(all.map(|by| turned(9, by, false)), [false, true, false, true]);
/// assert_eq!(all.map(|by| turned(0, by, true)), [false, false, true, false]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum InitialAction {
    /// None.
    Off,
    /// A key pressed during the wait for the spawn.
    Tap,
    /// A key that is down at the spawn, even without a wait.
    Hold,
    /// A key pressed during the wait, or down since before it.
    #[default]
    TapOrHold,
}

/// Handling (DAS, ARR, SDF and more), set per player.
///
/// ```
/// use tetris::real_time::{Handling, InitialAction, Timing};
/// // Usual settings of TETR.IO, where times are in sixtieths of a second; here, a tick is a
/// // millisecond.
/// let timing = Timing { ticks_per_second: 1000, ..Timing::GUIDELINE };
/// let handling = Handling {
///     das: timing.ticks(133),
///     arr: 0,
///     das_cut: timing.ticks(17),
///     hard_drop_guard: timing.ticks(117),
///     initial_rotation: InitialAction::Hold,
///     ..Handling::default()
/// };
/// assert_eq!((handling.das, handling.initial_hold), (133, InitialAction::TapOrHold));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Handling {
    /// Delayed auto shift (DAS): the ticks from pressing left or right to the second move.
    pub das: u32,
    /// Auto repeat rate (ARR): the ticks between further moves. 0 moves to the wall instantly.
    pub arr: u32,
    /// Soft drop factor (SDF): the speed of a soft drop in multiples of the gravity. 0 counts as 1,
    /// [`u32::MAX`] drops to the stack instantly.
    pub soft_drop_factor: u32,
    /// DAS cut delay (DCD): the ticks for which left and right pause after a spawn or a rotation,
    /// at most [`das`](Self::das). TETR.IO only pauses next to a wall.
    ///
    /// ```
    /// use tetris::real_time::{Event, Handling, Key, RealTimeGame, RealTimeRules};
    /// // The ticks in which a held key moves the pieces, the second one from tick 13 on.
    /// let moves = |das_cut| {
    ///     let handling = Handling { das_cut, ..Handling::default() };
    ///     let mut game = RealTimeGame::new(RealTimeRules::MARATHON, handling, 7);
    ///     let mut moves = Vec::new();
    ///     game.press(Key::Left);
    ///     for tick in 0..22 {
    ///         if tick == 13 {
    ///             game.tap(Key::HardDrop);
    ///         }
    ///         let mut events = Vec::new();
    ///         game.tick(&mut events);
    ///         let moved = events.contains(&Event::Moved { columns: -1 });
    ///         moves.extend(moved.then_some(tick));
    ///     }
    ///     moves
    /// };
    /// assert_eq!(moves(0), [0, 10, 12, 14, 16, 18]);
    /// assert_eq!(moves(3), [0, 10, 12, 16, 18, 20]);
    /// ```
    pub das_cut: u32,
    /// The ticks after a lock by the lock delay in which a hard drop does nothing, since it was
    /// meant for the locked piece (TETR.IO: `safelock`, 7 sixtieths of a second).
    ///
    /// ```
    /// use tetris::real_time::{Gravity, Handling, Key, RealTimeGame, RealTimeRules, Timing};
    /// // The first piece locks in tick 30. A hard drop in each tick after that.
    /// let pieces = |hard_drop_guard, ticks| {
    ///     let timing = Timing { gravity: Gravity::Instant, ..Timing::GUIDELINE };
    ///     let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
    ///     let handling = Handling { hard_drop_guard, ..Handling::default() };
    ///     let mut game = RealTimeGame::new(rules, handling, 7);
    ///     for tick in 0..=30 + ticks {
    ///         if tick > 30 {
    ///             game.tap(Key::HardDrop);
    ///         }
    ///         game.tick(&mut Vec::new());
    ///     }
    ///     game.game().pieces()
    /// };
    /// assert_eq!([pieces(0, 0), pieces(0, 1)], [1, 2]);
    /// assert_eq!([pieces(7, 7), pieces(7, 8), pieces(7, 9)], [1, 2, 3]);
    /// ```
    pub hard_drop_guard: u32,
    /// The keys that rotate a piece at its spawn (IRS).
    pub initial_rotation: InitialAction,
    /// The keys that hold a piece at its spawn.
    pub initial_hold: InitialAction,
}

impl Default for Handling {
    /// Returns 10 ticks of DAS, 2 ticks of ARR, soft drops at twenty times the gravity, no cut and
    /// no guard.
    fn default() -> Self {
        Self {
            das: 10,
            arr: 2,
            soft_drop_factor: 20,
            das_cut: 0,
            hard_drop_guard: 0,
            initial_rotation: InitialAction::TapOrHold,
            initial_hold: InitialAction::TapOrHold,
        }
    }
}

/// The goal of a game.
///
/// ```
/// use tetris::real_time::{End, Goal, Gravity, Handling, RealTimeGame, RealTimeRules, Timing};
/// let timing = Timing { gravity: Gravity::Off, ..Timing::GUIDELINE };
/// for (ticks, last) in [(1_000_000_000, 1_000_000_000), (1, 1), (0, 1)] {
///     let rules = RealTimeRules { timing, goal: Goal::Ticks(ticks), ..RealTimeRules::SPRINT };
///     let game = RealTimeGame::new(rules, Handling::default(), 1);
///     let game = game.replay(&"4000000000 end".parse()?);
///     assert_eq!(game.end(), Some(End::Finished));
///     assert_eq!(game.ticks(), last);
///     assert_eq!(game.falling(), None);
/// }
/// # Ok::<(), tetris::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Goal {
    /// No goal: the game lasts until a top-out.
    #[default]
    Endless,
    /// A number of cleared lines.
    Lines(u32),
    /// The end of a number of ticks, at least 1: as many points as possible in a time.
    Ticks(u32),
}

/// The rules of a real-time game.
///
/// ```
/// use tetris::real_time::{Goal, RealTimeRules};
/// assert_eq!(RealTimeRules::SPRINT.goal, Goal::Lines(40));
/// let fast = RealTimeRules { start_level: 15, ..RealTimeRules::MARATHON };
/// assert_eq!(fast.lines_per_level, 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RealTimeRules {
    /// The rules of the game.
    /// [`GarbageTiming::Immediate`](crate::garbage::GarbageTiming::Immediate) counts as
    /// [`AfterEveryLock`](crate::garbage::GarbageTiming::AfterEveryLock): garbage under a falling
    /// piece could lift it to a location that no keys reach.
    pub game: Rules,
    /// The speeds and delays.
    pub timing: Timing,
    /// The goal.
    pub goal: Goal,
    /// The starting level, from 1.
    pub start_level: u32,
    /// The number of cleared lines per level. With 0, the level never rises.
    pub lines_per_level: u32,
}

impl RealTimeRules {
    /// The endless game: one level per ten lines, from level 1.
    pub const MARATHON: Self = Self {
        game: Rules::GUIDELINE,
        timing: Timing::GUIDELINE,
        goal: Goal::Endless,
        start_level: 1,
        lines_per_level: 10,
    };
    /// The race to forty lines, at level 1.
    pub const SPRINT: Self = Self { goal: Goal::Lines(40), lines_per_level: 0, ..Self::MARATHON };
}

impl Default for RealTimeRules {
    /// Returns [`MARATHON`](Self::MARATHON).
    fn default() -> Self {
        Self::MARATHON
    }
}
