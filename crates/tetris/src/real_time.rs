//! [`RealTimeGame`]: a real-time [`Game`], with key presses and ticks in, events out.
//!
//! | part | type |
//! |---|---|
//! | speeds, delays, goal | [`RealTimeRules`] with [`Timing`], [`Gravity`] and [`Goal`] |
//! | the player's handling | [`Handling`] |
//! | keys | [`Key`] |
//! | results of a tick | [`Event`] |
//! | two games that send each other garbage | [`RealTimeVersus`] with [`VersusRules`] |
//! | inputs with their ticks, for replays | [`Recording`] |
//!
//! # A tick
//!
//! 1. The inputs since the last tick act, in order of arrival. A press moves the piece immediately.
//! 2. Held keys move the piece: the second move comes [`das`](Handling::das) ticks after the press,
//!    further moves every [`arr`](Handling::arr) ticks. If left and right are both down, the more
//!    recent one wins.
//! 3. The piece falls, by gravity or by the soft drop. At 20G, twenty rows in a sixtieth of a
//!    second, it is on the stack at once, after each move too.
//! 4. A piece on the stack locks after resting there for [`lock_delay`](Timing::lock_delay) ticks.
//!    Once it has landed, each successful move or rotation resets the delay, even if it leaves the
//!    stack or happens above it. There are [`lock_resets`](Timing::lock_resets) resets until the
//!    piece reaches a new lowest row. After the last reset, it locks as soon as it is on the stack.
//!
//! # Keys before a spawn
//!
//! Entry and line clear delays make the player wait for a spawn. A rotation or hold pressed during
//! the wait acts at the spawn (initial rotation, initial hold); so does one that has been down
//! since before the wait. The pieces are swapped first, then the new one rotates once, by the last
//! key pressed; at 20G the piece falls after that. Impossible actions are skipped: a blocked swap,
//! a rotation without space. Left and right charge their delay while they are down during the wait.
//! If a piece spawns without a wait, the keys have already acted on the piece before it. The
//! player's [`Handling`] can choose other [initial actions](InitialAction).
//!
//! A lock is a turn of [`Game::play`], with the lines, spins, attacks, garbage and top-outs of
//! [`Game`]. Each movement is a [`movegen::apply`](crate::movegen::apply), so each lock is one of
//! [`Game::legal_moves`].

mod event;
mod fall;
mod idle;
mod input;
mod lock;
mod moves;
mod rules;
#[cfg(feature = "serde")]
pub(crate) mod saved;
mod score;
mod versus;

pub use crate::error::Expected;
pub use event::{End, Event, Lock};
pub use input::{Input, Key, Recording};
pub use rules::{GUIDELINE_GRAVITY, Goal, Gravity, Handling, InitialAction, RealTimeRules, Timing};
pub use score::guideline_score;
pub use versus::{RealTimeVersus, VersusResult, VersusRules};

use crate::board::Board;
use crate::error::Error;
use crate::game::{Game, GameError, MAX_NEXT, Position, Rules};
use crate::garbage::{Attack, GarbageTiming};
use crate::location::Location;
use crate::piece::{Piece, Rotation};
use crate::placement::Spin;
use alloc::vec::Vec;
use bitcore::Rng;

/// A guideline game in real time, without a clock: the caller sends key presses and ticks, and
/// draws the state after each tick.
///
/// Games are deterministic on every platform: the same seed and the same inputs in the same ticks
/// give the same game. [`recording`](Self::recording) returns the inputs, and
/// [`replay`](Self::replay) plays them again.
///
/// ```
/// use tetris::real_time::{Event, Handling, Key, RealTimeGame, RealTimeRules};
///
/// let mut game = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 7);
/// let mut events = Vec::new();
/// game.press(Key::Left);
/// // A third of a second: one move on the press, the next after 10 ticks, then one every 2 up to the wall.
/// for _ in 0..20 {
///     game.tick(&mut events);
/// }
/// game.release(Key::Left);
/// assert_eq!(events.iter().filter(|&&event| event == Event::Moved { columns: -1 }).count(), 3);
///
/// events.clear();
/// game.tap(Key::HardDrop);
/// game.tick(&mut events);
/// assert!(matches!(events[..], [Event::HardDropped { rows: 19 }, Event::Locked(_), Event::Spawned(_)]));
/// assert_eq!((game.score(), game.game().pieces(), game.ticks()), (2 * 19, 1, 21));
///
/// let again = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 7).replay(game.recording());
/// assert_eq!(again, game);
/// ```
///
/// A terminal doesn't report releases: there, pass each key event to [`tap`](Self::tap).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTimeGame {
    rules: RealTimeRules,
    handling: Handling,
    /// Its preview is one piece longer than the rules say, to replace the piece taken out by the
    /// first swap.
    game: Game,
    rng: Rng,
    phase: Phase,
    /// `true` if the piece in play came from a swap.
    hold_used: bool,
    /// The keys that are down, one bit each, including waiting inputs.
    down: u8,
    /// The keys that are down after the inputs that have acted.
    held: u8,
    initial: InitialActions,
    /// The inputs of the next tick.
    waiting: Vec<Input>,
    /// The ticks since left and right were pressed; `None` for a released key.
    shift: [Option<u32>; 2],
    right_is_last: bool,
    soft_drop: bool,
    /// The last tick in which a hard drop does nothing.
    guarded_until: u64,
    lines: u64,
    score: u64,
    recording: Recording,
}

/// The stage of the game between two ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Phase {
    /// No piece is in play. The next one spawns after this many ticks.
    Entry(u32),
    Falling(Falling),
    Over(End),
}

/// The presses during a wait that act at the spawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct InitialActions {
    /// The rotation pressed last.
    rotation: Option<Rotation>,
    hold: bool,
    /// The keys pressed, one bit each.
    pressed: u8,
}

/// The piece in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct Falling {
    at: Location,
    /// The kind of spin of the last movement.
    spin: Spin,
    /// The fraction of a row fallen so far, in the units of [`Timing::speed`].
    fallen: u64,
    /// The ticks on the stack since the last reset of the lock delay.
    rested: u32,
    /// The number of lock delay resets since the piece reached its lowest row.
    resets: u32,
    lowest: i32,
}

impl RealTimeGame {
    /// Creates a game on an empty board. The first piece spawns in the first tick. The pieces match
    /// a [`Game`] with [`Rng::new`] of the same seed.
    pub fn new(rules: RealTimeRules, handling: Handling, seed: u64) -> Self {
        Self::start(rules, handling, Position::default(), seed)
    }

    /// Creates a game from a position, for training or for races through garbage.
    ///
    /// ```
    /// use tetris::real_time::{Handling, Key, RealTimeGame, RealTimeRules};
    /// use tetris::{Piece, Position};
    /// let board = "....######".parse().unwrap();
    /// let position = Position { board, queue: &[Piece::I], ..Position::default() };
    /// let mut game = RealTimeGame::from_position(RealTimeRules::SPRINT, Handling::default(), position, 1)?;
    /// for key in [Key::Left, Key::Left, Key::Left, Key::HardDrop] {
    ///     game.tap(key);
    /// }
    /// game.tick(&mut Vec::new());
    /// // A single, a perfect clear, and a drop by 19 rows.
    /// assert_eq!((game.lines(), game.score()), (1, 100 + 800 + 2 * 19));
    /// # Ok::<(), tetris::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::QueueLength`] if the queue is longer than one piece plus the preview.
    pub fn from_position(
        rules: RealTimeRules,
        handling: Handling,
        position: Position<'_>,
        seed: u64,
    ) -> Result<Self, Error> {
        let max = 1 + rules.game.next.min(MAX_NEXT);
        let found = position.queue.len();
        if found > max {
            return Err(Error::QueueLength { max, found });
        }
        Ok(Self::start(rules, handling, position, seed))
    }

    /// `position.queue` must not be longer than one piece plus the preview.
    pub(crate) fn start(
        rules: RealTimeRules,
        handling: Handling,
        position: Position<'_>,
        seed: u64,
    ) -> Self {
        let mut rng = Rng::new(seed);
        let garbage_timing = match rules.game.garbage_timing {
            GarbageTiming::Immediate => GarbageTiming::AfterEveryLock,
            other => other,
        };
        let next = rules.game.next.min(MAX_NEXT) + 1;
        // Delays of garbage are ticks here, not locks.
        let rules_by_lock = Rules { next, garbage_timing, garbage_delay: 0, ..rules.game };
        let game = Game::start(rules_by_lock, position, &mut rng);
        Self {
            rules,
            handling,
            game,
            rng,
            phase: Phase::Entry(0),
            hold_used: false,
            down: 0,
            held: 0,
            initial: InitialActions::default(),
            waiting: Vec::new(),
            shift: [None; 2],
            right_is_last: false,
            soft_drop: false,
            guarded_until: 0,
            lines: 0,
            score: 0,
            recording: Recording::default(),
        }
    }

    /// Plays the inputs of a recording in their ticks, then the ticks after the last input. Stops
    /// when the game ends.
    ///
    /// Idle ticks are skipped: the cost depends on the number of inputs, not on the number of
    /// ticks.
    ///
    /// On a new game with the same start, rules, handling and seed, the result equals the recorded
    /// game. A new game adopts the rules of the recording's [version](Recording::VERSION), even
    /// after the end of the recording: version 1 has no [second spawn
    /// row](Rules::second_spawn_row).
    #[must_use]
    pub fn replay(mut self, recording: &Recording) -> Self {
        let mut events = Vec::new();
        if self.recording == Recording::default() {
            self.recording = Recording::of_version(recording.version());
            if recording.version() == 1 {
                self.rules.game.second_spawn_row = false;
                self.game.forbid_second_spawn_row();
            }
        }
        for &(tick, input) in recording.inputs() {
            self.run_to(tick, &mut events);
            // Only accepted inputs were recorded.
            self.input(input).unwrap_or_default();
        }
        self.run_to(recording.ticks(), &mut events);
        self
    }

    fn run_to(&mut self, tick: u64, events: &mut Vec<Event>) {
        while self.ticks() < tick && self.end().is_none() {
            self.skip_idle_ticks(tick);
            if self.ticks() < tick {
                events.clear();
                self.tick(events);
            }
        }
    }

    /// Applies an input: a [`press`](Self::press), a [`release`](Self::release) or a
    /// [`receive`](Self::receive).
    ///
    /// # Errors
    ///
    /// See [`receive`](Self::receive).
    pub fn input(&mut self, input: Input) -> Result<(), GameError> {
        match input {
            Input::Press(key) => self.press(key),
            Input::Release(key) => self.release(key),
            Input::Receive(attack) => self.receive(attack)?,
        }
        Ok(())
    }

    /// Presses a key. It acts in the next tick. Does nothing if the key is already down, which
    /// makes key repeats harmless, or if the game is over.
    pub fn press(&mut self, key: Key) {
        if self.down & key.bit() == 0 {
            self.flip(key, Input::Press(key));
        }
    }

    /// Releases a key. It acts in the next tick. Does nothing if the key is already up or the game
    /// is over.
    pub fn release(&mut self, key: Key) {
        if self.down & key.bit() != 0 {
            self.flip(key, Input::Release(key));
        }
    }

    /// Presses and releases a key: one move, one rotation, or a soft drop by one row; with a
    /// [soft drop factor](Handling::soft_drop_factor) of [`u32::MAX`], a soft drop to the stack.
    pub fn tap(&mut self, key: Key) {
        self.release(key);
        self.press(key);
        self.release(key);
    }

    fn flip(&mut self, key: Key, input: Input) {
        if self.end().is_none() {
            self.down ^= key.bit();
            self.waiting.push(input);
            self.recording.push(input);
        }
    }

    /// Receives an attack from the opponent. The rules of the game decide how it waits, cancels and
    /// enters. Does nothing if the game has reached its goal.
    ///
    /// # Errors
    ///
    /// [`GameError::Over`] if the game has topped out, [`GameError::Column`] if the hole is outside
    /// the field.
    pub fn receive(&mut self, attack: Attack) -> Result<(), GameError> {
        if self.end() != Some(End::Finished) {
            self.game.receive_delayed(attack, self.rules.game.garbage_delay)?;
            self.recording.push(Input::Receive(attack));
        }
        Ok(())
    }

    /// Runs one tick and appends its events in order. Does nothing after the end of the game or
    /// after [`u64::MAX`] ticks.
    pub fn tick(&mut self, events: &mut Vec<Event>) {
        self.tick_with(events, |game, events| {
            let mut inputs = core::mem::take(&mut game.waiting);
            for input in inputs.drain(..) {
                match input {
                    Input::Press(key) => game.key_down(key, events),
                    Input::Release(key) => game.key_up(key),
                    Input::Receive(_) => {}
                }
            }
            // Keeps its memory for the inputs of the next tick.
            game.waiting = inputs;
        });
    }

    /// Taps a key, if any, and runs the tick, like [`tap`](Self::tap) and [`tick`](Self::tick), but
    /// without recording the key, so that the game never grows. No other key may be down.
    #[inline]
    pub(crate) fn tick_unrecorded(&mut self, key: Option<Key>, events: &mut Vec<Event>) {
        self.tick_with(events, |game, events| {
            if let Some(key) = key {
                game.key_down(key, events);
                game.key_up(key);
            }
        });
    }

    #[inline(always)]
    fn tick_with(
        &mut self,
        events: &mut Vec<Event>,
        inputs: impl FnOnce(&mut Self, &mut Vec<Event>),
    ) {
        if self.end().is_some() || self.ticks() == u64::MAX {
            return;
        }
        self.recording.tick();
        if let Phase::Entry(ticks) = self.phase {
            self.phase = Phase::Entry(ticks.saturating_sub(1));
            if ticks <= 1 {
                self.spawn_by_keys(true, events);
            }
        }
        inputs(self, events);
        self.auto_shift(events);
        self.fall(events);
        self.rest(events);
        self.game.advance_garbage(1);
        if let Goal::Ticks(ticks) = self.rules.goal
            && self.ticks() >= ticks.into()
            && self.end().is_none()
        {
            self.phase = Phase::Over(End::Finished);
            events.push(Event::Finished);
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> RealTimeRules {
        self.rules
    }

    /// Returns the player's handling.
    pub fn handling(&self) -> Handling {
        self.handling
    }

    /// Returns the game at the last lock, with board, combo, back-to-back chain, pending garbage
    /// and number of pieces. Its preview is one piece longer than the rules say, to keep
    /// [`next`](Self::next) full when the first piece is held.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the locked cells.
    pub fn board(&self) -> &Board {
        self.game.board()
    }

    /// Returns the piece in play, or `None` between a lock and a spawn and after the end.
    pub fn falling(&self) -> Option<Location> {
        let Phase::Falling(piece) = self.phase else { return None };
        Some(piece.at)
    }

    /// Returns the piece in play, or the one that comes into play in the next tick, at its spawn.
    #[inline]
    pub(crate) fn falling_or_next(&self) -> Option<Location> {
        match self.phase {
            Phase::Falling(piece) => Some(piece.at),
            Phase::Entry(..=1) => self.game.spawn_location(self.game.piece()),
            Phase::Entry(_) | Phase::Over(_) => None,
        }
    }

    /// Returns the ghost: the piece in play after a hard drop.
    pub fn ghost(&self) -> Option<Location> {
        self.board().landing(self.falling()?)
    }

    /// Returns the number of ticks the piece in play has rested on the stack. The piece locks at
    /// [`lock_delay`](Timing::lock_delay), or immediately after its last
    /// [reset](Timing::lock_resets).
    #[inline]
    pub fn rested(&self) -> u32 {
        let Phase::Falling(piece) = self.phase else { return 0 };
        piece.rested
    }

    /// Returns the number of lock delay resets since the piece in play reached its lowest row, at
    /// most [`lock_resets`](Timing::lock_resets).
    #[inline]
    pub fn resets(&self) -> u32 {
        let Phase::Falling(piece) = self.phase else { return 0 };
        piece.resets
    }

    /// Returns the part of a row that the piece in play has fallen since the last one, as a
    /// fraction `(part, row)`, for smooth drawing. It has fallen by a row once `part` reaches
    /// `row`.
    ///
    /// ```
    /// use tetris::real_time::{Gravity, Handling, RealTimeGame, RealTimeRules, Timing};
    /// let timing = Timing { gravity: Gravity::TicksPerRow(5), ..Timing::default() };
    /// let rules = RealTimeRules { timing, ..RealTimeRules::MARATHON };
    /// let mut game = RealTimeGame::new(rules, Handling::default(), 7);
    /// for ticks in 1..=8 {
    ///     game.tick(&mut Vec::new());
    ///     assert_eq!(game.fallen(), (ticks % 5, 5));
    /// }
    /// ```
    #[inline]
    pub fn fallen(&self) -> (u64, u64) {
        let (_, row) = self.fall_speed();
        let Phase::Falling(piece) = self.phase else { return (0, row) };
        (piece.fallen, row)
    }

    /// Returns the preview. A preview of [`Rules::MAX_NEXT`] pieces is one piece shorter after the
    /// first piece is held, until the next lock.
    #[inline]
    pub fn next(&self) -> &[Piece] {
        let next = self.game.next();
        let out = usize::from(self.hold_used && self.game.held().is_none());
        let len = self.rules.game.next.min(next.len() - out);
        &next[out..out + len]
    }

    /// Returns the held piece.
    #[inline]
    pub fn held(&self) -> Option<Piece> {
        if self.hold_used { Some(self.game.piece()) } else { self.game.held() }
    }

    /// Returns `true` if the piece in play can be held: the rules allow it, none was held since the
    /// last lock, and the new piece would fit at its spawn.
    #[inline]
    pub fn can_hold(&self) -> bool {
        let comes =
            self.game.piece_after_hold().filter(|_| self.falling().is_some() && !self.hold_used);
        comes.is_some_and(|piece| self.game.spawn_location(piece).is_some())
    }

    /// Returns the level. It determines gravity and points.
    #[inline]
    pub fn level(&self) -> u32 {
        let risen = self.lines.checked_div(self.rules.lines_per_level.into()).unwrap_or(0);
        self.rules.start_level.max(1).saturating_add(u32::try_from(risen).unwrap_or(u32::MAX))
    }

    /// Returns the number of lines cleared.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the points: [`guideline_score`] for each lock, one point per row of a soft drop and
    /// two per row of a hard drop. Capped at [`u64::MAX`].
    pub fn score(&self) -> u64 {
        self.score
    }

    /// Returns the number of ticks run.
    pub fn ticks(&self) -> u64 {
        self.recording.ticks()
    }

    /// Returns how the game ended, or `None` while it is running.
    pub fn end(&self) -> Option<End> {
        let Phase::Over(end) = self.phase else { return None };
        Some(end)
    }

    /// Returns the inputs so far, for [`replay`](Self::replay).
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
}
