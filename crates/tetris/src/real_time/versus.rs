//! [`RealTimeVersus`]: two real-time games that send each other garbage.

use super::{End, Event, Gravity, Handling, Key, RealTimeGame, RealTimeRules, Timing};
use crate::attack::AttackTable;
use crate::game::Rules;
use crate::garbage::Messiness;
use alloc::vec::Vec;
use bitcore::Rng;
use core::cmp::Ordering;

/// The rules of a [`RealTimeVersus`].
///
/// The travel time of garbage, its cap and its cancellation are rules of each game:
/// [`garbage_delay`](Rules::garbage_delay), [`garbage_cap`](Rules::garbage_cap) and
/// [`cancel`](Rules::cancel).
///
/// ```
/// use tetris::real_time::{Handling, Key, RealTimeVersus, VersusRules};
/// // Each lock sends two lines, which travel for ten ticks.
/// let garbage = |wait, cancel| {
///     let mut rules = VersusRules { countdown: 0, ..VersusRules::GUIDELINE };
///     for side in &mut rules.sides {
///         side.game.attack.plain[0] = 2;
///         side.game.garbage_delay = 10;
///         side.game.cancel = cancel;
///     }
///     let mut versus = RealTimeVersus::new(rules, [Handling::default(); 2], 5);
///     versus.tap(0, Key::HardDrop);
///     for tick in 0..=wait {
///         versus.tick(&mut Default::default());
///     }
///     versus.tap(1, Key::HardDrop);
///     versus.tick(&mut Default::default());
///     // Still pending, or risen into the field.
///     let [sender, receiver] = versus.sides();
///     let rows = (0..10).filter(|&x| receiver.board().occupied(x, 0)).count() == 9;
///     (sender.game().garbage().lines(), receiver.game().garbage().lines(), rows)
/// };
/// assert_eq!(garbage(9, false), (2, 2, false));
/// assert_eq!(garbage(10, false), (2, 0, true));
/// assert_eq!(garbage(3, true), (0, 0, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct VersusRules {
    /// The rules of each side's game.
    pub sides: [RealTimeRules; 2],
    /// The chances that the holes of garbage move.
    pub messiness: Messiness,
    /// The ticks before the first one of the games, and before they go on after a pause.
    pub countdown: u32,
}

impl VersusRules {
    /// The guideline rules at level 1, one random hole per attack, and three seconds of countdown.
    pub const GUIDELINE: Self = {
        let side = RealTimeRules { lines_per_level: 0, ..RealTimeRules::MARATHON };
        let countdown = 3 * side.timing.ticks_per_second;
        Self { sides: [side; 2], messiness: Messiness::PER_ATTACK, countdown }
    };

    /// The rules of TETR.IO's Tetra League, season 2: its
    /// [table](AttackTable::TETRIO_SEASON_2); at most eight rows of garbage per lock, which travel
    /// for a third of a second; a row of fall in 50 ticks.
    ///
    /// Not included: speed and attacks that grow after some minutes, and locks above the visible
    /// rows, which don't end a game there.
    ///
    /// Source: the preset `tetra league` of halp1/triangle.
    pub const TETRIO_SEASON_2: Self = Self::of(
        Rules {
            attack: AttackTable::TETRIO_SEASON_2,
            garbage_cap: 8,
            garbage_delay: 20,
            ..Rules::GUIDELINE
        },
        Gravity::TicksPerRow(50),
    );

    /// The rules of Jstris' rooms: garbage can enter after half a second.
    ///
    /// Source: `usermode.md` of jezevec10/jstris-guide.
    pub const JSTRIS: Self = Self::of(
        Rules { attack: AttackTable::JSTRIS, garbage_delay: 30, ..Rules::GUIDELINE },
        Gravity::Guideline,
    );

    const fn of(game: Rules, gravity: Gravity) -> Self {
        let mut rules = Self::GUIDELINE;
        let timing = Timing { gravity, ..Timing::GUIDELINE };
        rules.sides = [RealTimeRules { game, timing, ..rules.sides[0] }; 2];
        rules
    }
}

impl Default for VersusRules {
    /// Returns [`GUIDELINE`](Self::GUIDELINE).
    fn default() -> Self {
        Self::GUIDELINE
    }
}

/// The result of a versus game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VersusResult {
    /// The given side, 0 or 1, won.
    Wins(usize),
    /// A draw.
    Draw,
}

/// Two real-time games with the same pieces, sides 0 and 1, that send each other garbage, with
/// pauses and countdowns. Like [`RealTimeGame`], it has no clock and is deterministic.
///
/// In each tick both games run a tick; then the attacks of both are received, side 0's first. The
/// side that tops out loses, the side that reaches its [goal](RealTimeRules::goal) wins; both in
/// the same tick is a draw.
///
/// Keys act while the games run. A key that is down at the end of a countdown acts in the first
/// tick after it, unless it is the hard drop.
///
/// With the feature `serde` it is saved as its rules, the [recordings](RealTimeGame::recording) of
/// both games, and its own state. Reading it replays the games, and rejects contradictory fields.
///
/// ```
/// use tetris::real_time::{Handling, Key, RealTimeVersus, VersusResult, VersusRules};
///
/// let mut versus = RealTimeVersus::new(VersusRules::TETRIO_SEASON_2, [Handling::default(); 2], 7);
/// let mut events = Default::default();
/// while versus.countdown() > 0 {
///     versus.tick(&mut events);
/// }
/// // Side 1 drops its pieces in the middle.
/// while versus.result().is_none() {
///     versus.tap(1, Key::HardDrop);
///     versus.tick(&mut events);
/// }
/// assert_eq!(versus.result(), Some(VersusResult::Wins(0)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTimeVersus {
    rules: VersusRules,
    seed: u64,
    sides: [RealTimeGame; 2],
    holes: Rng,
    /// The column of the last hole sent to each side.
    last_holes: [Option<u8>; 2],
    countdown: u32,
    is_paused: bool,
    /// The keys that went down before the games run, one bit each.
    early: [u8; 2],
}

impl RealTimeVersus {
    /// Creates a game. The seed determines the pieces, equal on both sides, and the columns of the
    /// holes.
    pub fn new(rules: VersusRules, handling: [Handling; 2], seed: u64) -> Self {
        let [first, second] = rules.sides;
        Self {
            rules,
            seed,
            sides: [
                RealTimeGame::new(first, handling[0], seed),
                RealTimeGame::new(second, handling[1], seed),
            ],
            holes: Rng::stream(seed, 1),
            last_holes: [None; 2],
            countdown: rules.countdown,
            is_paused: false,
            early: [0; 2],
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> VersusRules {
        self.rules
    }

    /// Returns both games.
    pub fn sides(&self) -> &[RealTimeGame; 2] {
        &self.sides
    }

    /// Returns the ticks until the games run.
    pub fn countdown(&self) -> u32 {
        self.countdown
    }

    /// Returns `true` between [`pause`](Self::pause) and [`resume`](Self::resume).
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Presses a key of a side, as [`RealTimeGame::press`].
    ///
    /// # Panics
    ///
    /// If the side isn't 0 or 1; so do [`release`](Self::release) and [`tap`](Self::tap).
    pub fn press(&mut self, side: usize, key: Key) {
        if self.runs() {
            self.sides[side].press(key);
        } else if key != Key::HardDrop {
            self.early[side] |= key.bit();
        }
    }

    /// Releases a key of a side, as [`RealTimeGame::release`].
    pub fn release(&mut self, side: usize, key: Key) {
        self.early[side] &= !key.bit();
        self.sides[side].release(key);
    }

    /// Presses and releases a key of a side, as [`RealTimeGame::tap`].
    pub fn tap(&mut self, side: usize, key: Key) {
        self.release(side, key);
        self.press(side, key);
        self.release(side, key);
    }

    fn runs(&self) -> bool {
        !self.is_paused && self.countdown == 0
    }

    /// Pauses the games and releases all keys. Does nothing after the end.
    ///
    /// ```
    /// use tetris::real_time::{Event, Handling, Key, RealTimeVersus, VersusRules};
    /// let mut versus = RealTimeVersus::new(VersusRules::GUIDELINE, [Handling::default(); 2], 7);
    /// let mut events = Default::default();
    /// versus.pause();
    /// versus.tick(&mut events);
    /// assert_eq!(versus.countdown(), 180);
    /// versus.resume();
    /// versus.press(0, Key::Cw);
    /// versus.press(0, Key::Hold);
    /// versus.press(1, Key::HardDrop);
    /// versus.tap(1, Key::Left);
    /// for _ in 0..=180 {
    ///     versus.tick(&mut events);
    /// }
    /// // Keys that are down act, the hold first; taps and the hard drop don't.
    /// let [first, second] = &events;
    /// let [Event::Spawned(_), Event::Held(_), Event::Spawned(_), Event::Rotated { .. }] = first[..]
    /// else {
    ///     panic!("{first:?}")
    /// };
    /// assert!(matches!(second[..], [Event::Spawned(_)]));
    /// ```
    pub fn pause(&mut self) {
        if self.result().is_none() {
            self.is_paused = true;
            self.early = [0; 2];
            for game in &mut self.sides {
                Key::ALL.into_iter().for_each(|key| game.release(key));
            }
        }
    }

    /// Ends a pause: a countdown begins.
    pub fn resume(&mut self) {
        if core::mem::take(&mut self.is_paused) {
            self.countdown = self.rules.countdown;
        }
    }

    /// Runs a tick, and appends the events of each side. Does nothing in a pause and after the end;
    /// in a countdown, only counts.
    pub fn tick(&mut self, events: &mut [Vec<Event>; 2]) {
        if self.is_paused || self.result().is_some() {
            return;
        }
        if self.countdown > 0 {
            self.countdown -= 1;
            return;
        }
        let before = events.each_ref().map(Vec::len);
        for (side, events) in events.iter_mut().enumerate() {
            self.press_early_keys(side);
            self.sides[side].tick(events);
        }
        for (side, events) in events.iter().enumerate() {
            for event in &events[before[side]..] {
                if let Event::Locked(lock) = event {
                    self.send(lock.result.sent, 1 - side);
                }
            }
        }
    }

    fn press_early_keys(&mut self, side: usize) {
        let early = core::mem::take(&mut self.early[side]);
        // Other keys act on the piece that the hold brings.
        for key in [Key::Hold].into_iter().chain(Key::ALL) {
            if early & key.bit() != 0 {
                self.sides[side].press(key);
            }
        }
    }

    fn send(&mut self, lines: u32, to: usize) {
        for attack in self.rules.messiness.attacks(lines, self.last_holes[to], &mut self.holes) {
            self.last_holes[to] = Some(attack.column);
            // A game that has ended refuses it.
            let _ = self.sides[to].receive(attack);
        }
    }

    /// Returns the result, or `None` while the games are running.
    pub fn result(&self) -> Option<VersusResult> {
        let rank = |side: usize| match self.sides[side].end() {
            Some(End::Finished) => 2,
            None => 1,
            Some(End::ToppedOut(_)) => 0,
        };
        Some(match rank(0).cmp(&rank(1)) {
            Ordering::Greater => VersusResult::Wins(0),
            Ordering::Less => VersusResult::Wins(1),
            Ordering::Equal if rank(0) == 1 => return None,
            Ordering::Equal => VersusResult::Draw,
        })
    }
}

#[cfg(feature = "serde")]
mod saved {
    use super::{Handling, RealTimeGame, RealTimeVersus, VersusRules};
    use crate::board::WIDTH;
    use crate::real_time::Recording;
    use bitcore::Rng;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "RealTimeVersus", deny_unknown_fields)]
    struct Saved {
        rules: VersusRules,
        handling: [Handling; 2],
        seed: u64,
        recordings: [Recording; 2],
        holes: Rng,
        last_holes: [Option<u8>; 2],
        countdown: u32,
        is_paused: bool,
        early: [u8; 2],
    }

    impl Serialize for RealTimeVersus {
        /// Writes the rules, the recordings and the state.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Saved {
                rules: self.rules,
                handling: self.sides.each_ref().map(RealTimeGame::handling),
                seed: self.seed,
                recordings: self.sides.each_ref().map(|game| game.recording().clone()),
                holes: self.holes.clone(),
                last_holes: self.last_holes,
                countdown: self.countdown,
                is_paused: self.is_paused,
                early: self.early,
            }
            .serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for RealTimeVersus {
        /// Replays the games, and rejects contradictory fields.
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let saved = Saved::deserialize(deserializer)?;
            let mut versus = Self::new(saved.rules, saved.handling, saved.seed);
            for (game, recording) in versus.sides.iter_mut().zip(&saved.recordings) {
                *game = game.clone().replay(recording);
                if game.recording() != recording {
                    return Err(D::Error::custom("expected recordings of games under these rules"));
                }
            }
            if versus.sides[0].ticks() != versus.sides[1].ticks() {
                return Err(D::Error::custom("expected two recordings of as many ticks"));
            }
            if saved.last_holes.iter().flatten().any(|&column| usize::from(column) >= WIDTH) {
                return Err(D::Error::custom(format_args!("expected a column below {WIDTH}")));
            }
            Ok(Self {
                holes: saved.holes,
                last_holes: saved.last_holes,
                countdown: saved.countdown,
                is_paused: saved.is_paused,
                early: saved.early,
                ..versus
            })
        }
    }
}
