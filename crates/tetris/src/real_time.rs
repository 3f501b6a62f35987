//! [`RealTimeGame`]: a real-time [`Game`], with key presses and ticks in, events out.
//!
//! | part | type |
//! |---|---|
//! | speeds, delays, goal | [`RealTimeRules`] with [`Timing`], [`Gravity`] and [`Goal`] |
//! | the player's handling | [`Handling`] |
//! | keys | [`Key`] |
//! | results of a tick | [`Event`] |
//! | inputs with their ticks, for replays | [`Recording`] |
//!
//! # A tick
//!
//! 1. The inputs since the last tick act, in order of arrival. A press moves the piece immediately.
//! 2. Held keys move the piece: the second move comes [`das`](Handling::das) ticks after the press, further
//!    moves every [`arr`](Handling::arr) ticks. If left and right are both down, the more recent one wins.
//! 3. The piece falls, by gravity or by the soft drop. At 20G, twenty rows in a sixtieth of a second, it is on
//!    the stack at once, after each move too.
//! 4. A piece on the stack locks after resting there for [`lock_delay`](Timing::lock_delay) ticks. Once it
//!    has landed, each successful move or rotation resets the delay, even if it leaves the stack or happens
//!    above it. There are [`lock_resets`](Timing::lock_resets) resets until the piece reaches a new lowest
//!    row. After the last reset, it locks as soon as it is on the stack.
//!
//! # Keys before a spawn
//!
//! Entry and line clear delays make the player wait for a spawn. A rotation or hold pressed during the wait
//! acts at the spawn (initial rotation, initial hold); so does one that has been down since before the wait.
//! The pieces are swapped first, then the new one rotates once, by the last key pressed; at 20G the piece
//! falls after that. Impossible actions are skipped: a blocked swap, a rotation without space. Left and right
//! charge their delay while they are down during the wait. If a piece spawns without a wait, the keys have
//! already acted on the piece before it.
//!
//! A lock is a turn of [`Game::play`], with the lines, spins, attacks, garbage and top-outs of [`Game`]. Each
//! movement is a [`movegen::apply`], so each lock is one of [`Game::legal_moves`].

mod event;
mod idle;
mod input;
mod rules;
#[cfg(feature = "serde")]
pub(crate) mod saved;
mod score;

pub use crate::error::Expected;
pub use event::{End, Event, Lock};
pub use input::{Input, Key, Recording};
pub use rules::{GUIDELINE_GRAVITY, Goal, Gravity, Handling, RealTimeRules, Timing};
pub use score::guideline_score;

use crate::board::Board;
use crate::error::Error;
use crate::game::{Game, GameError, MAX_NEXT, Move, Position, Rules};
use crate::garbage::{Attack, GarbageTiming};
use crate::location::{Location, SKYLINE};
use crate::movegen;
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;
use bitcore::Rng;

/// A guideline game in real time, without a clock: the caller sends key presses and ticks, and draws the
/// state after each tick.
///
/// Games are deterministic on every platform: the same seed and the same inputs in the same ticks give the
/// same game. [`recording`](Self::recording) returns the inputs, and [`replay`](Self::replay) plays them
/// again.
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
    /// Its preview is one piece longer than the rules say, to replace the piece taken out by the first swap.
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

/// A step of a sideways shift.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    First,
    Next,
}

#[derive(Clone, Copy)]
enum Fall {
    Gravity,
    SoftDrop,
}

impl RealTimeGame {
    /// Creates a game on an empty board. The first piece spawns in the first tick. The pieces match a
    /// [`Game`] with [`Rng::new`] of the same seed.
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
        let (max, found) = (1 + rules.game.next.min(MAX_NEXT), position.queue.len());
        if found > max {
            return Err(Error::QueueLength { max, found });
        }
        Ok(Self::start(rules, handling, position, seed))
    }

    /// `position.queue` must not be longer than one piece plus the preview.
    pub(crate) fn start(rules: RealTimeRules, handling: Handling, position: Position<'_>, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let garbage_timing = match rules.game.garbage_timing {
            GarbageTiming::Immediate => GarbageTiming::AfterEveryLock,
            other => other,
        };
        let next = rules.game.next.min(MAX_NEXT) + 1;
        let game = Game::start(Rules { next, garbage_timing, ..rules.game }, position, &mut rng);
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
            lines: 0,
            score: 0,
            recording: Recording::default(),
        }
    }

    /// Plays the inputs of a recording in their ticks, then the ticks after the last input. Stops when the
    /// game ends.
    ///
    /// Idle ticks are skipped: the cost depends on the number of inputs, not on the number of ticks.
    ///
    /// On a new game with the same start, rules, handling and seed, the result equals the recorded game. A
    /// new game adopts the rules of the recording's [version](Recording::VERSION), even after the end of the
    /// recording: version 1 has no [second spawn row](Rules::second_spawn_row).
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

    /// Presses a key. It acts in the next tick. Does nothing if the key is already down, which makes key
    /// repeats harmless, or if the game is over.
    pub fn press(&mut self, key: Key) {
        if self.down & key.bit() == 0 {
            self.flip(key, Input::Press(key));
        }
    }

    /// Releases a key. It acts in the next tick. Does nothing if the key is already up or the game is over.
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

    /// Receives an attack from the opponent. The rules of the game decide how it waits, cancels and enters.
    /// Does nothing if the game has reached its goal.
    ///
    /// # Errors
    ///
    /// [`GameError::Over`] if the game has topped out, [`GameError::Column`] if the hole is outside the
    /// field.
    pub fn receive(&mut self, attack: Attack) -> Result<(), GameError> {
        if self.end() != Some(End::Finished) {
            self.game.receive(attack)?;
            self.recording.push(Input::Receive(attack));
        }
        Ok(())
    }

    /// Runs one tick and appends its events in order. Does nothing after the end of the game or after
    /// [`u64::MAX`] ticks.
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

    /// Taps a key, if any, and runs the tick, like [`tap`](Self::tap) and [`tick`](Self::tick), but without
    /// recording the key, so that the game never grows. No other key may be down.
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
    fn tick_with(&mut self, events: &mut Vec<Event>, inputs: impl FnOnce(&mut Self, &mut Vec<Event>)) {
        if self.end().is_some() || self.ticks() == u64::MAX {
            return;
        }
        self.recording.tick();
        if let Phase::Entry(ticks) = self.phase {
            self.phase = Phase::Entry(ticks.saturating_sub(1));
            if ticks <= 1 {
                self.spawn_after_wait(events);
            }
        }
        inputs(self, events);
        self.auto_shift(events);
        self.fall(events);
        self.rest(events);
    }

    fn key_down(&mut self, key: Key, events: &mut Vec<Event>) {
        self.held |= key.bit();
        if let Phase::Entry(_) = self.phase {
            let initial = &mut self.initial;
            initial.pressed |= key.bit();
            initial.hold |= key == Key::Hold;
            initial.rotation = match key {
                Key::Cw => Some(Rotation::Cw),
                Key::Ccw => Some(Rotation::Ccw),
                _ => initial.rotation,
            };
        }
        match key {
            Key::Left | Key::Right => {
                self.right_is_last = key == Key::Right;
                self.shift[usize::from(self.right_is_last)] = Some(0);
                self.step_sideways(Step::First, events);
            }
            Key::SoftDrop => {
                self.soft_drop = true;
                let is_instant = self.handling.soft_drop_factor == u32::MAX && self.recording.version() > 2;
                self.descend(if is_instant { u32::MAX } else { 1 }, Fall::SoftDrop, events);
            }
            Key::HardDrop => self.hard_drop(events),
            Key::Cw => self.rotate(Rotation::Cw, events),
            Key::Ccw => self.rotate(Rotation::Ccw, events),
            Key::Hold => {
                if self.hold(events) {
                    self.fall_at_20g(events);
                }
            }
        }
    }

    fn key_up(&mut self, key: Key) {
        self.held &= !key.bit();
        match key {
            Key::Left => self.shift[0] = None,
            Key::Right => self.shift[1] = None,
            Key::SoftDrop => self.soft_drop = false,
            _ => {}
        }
    }

    /// Moves the piece sideways for the keys that are down, and counts their ticks.
    fn auto_shift(&mut self, events: &mut Vec<Event>) {
        let [left, right] = self.shift;
        self.right_is_last = right.is_some() && (self.right_is_last || left.is_none());
        let held = if self.right_is_last { right } else { left };
        let charged = held.and_then(|ticks| ticks.checked_sub(self.handling.das));
        if let Some(ticks) = charged {
            if self.handling.arr == 0 {
                let mut step = Step::First;
                while self.step_sideways(step, events) {
                    step = Step::Next;
                }
            } else if ticks % self.handling.arr == 0 && held != Some(0) {
                self.step_sideways(Step::First, events);
            }
        }
        for ticks in self.shift.iter_mut().flatten() {
            *ticks = ticks.saturating_add(1);
        }
    }

    /// Moves the piece by one column. Consecutive steps of a shift are one event, unless the piece fell
    /// between them.
    fn step_sideways(&mut self, step: Step, events: &mut Vec<Event>) -> bool {
        let (key, columns_moved) =
            if self.right_is_last { (movegen::Movement::Right, 1) } else { (movegen::Movement::Left, -1) };
        let moved = self.movement(key).is_some();
        if moved {
            match events.last_mut() {
                Some(Event::Moved { columns }) if step == Step::Next => *columns += columns_moved,
                _ => events.push(Event::Moved { columns: columns_moved }),
            }
            self.fall_at_20g(events);
        }
        moved
    }

    fn rotate(&mut self, rotation: Rotation, events: &mut Vec<Event>) {
        if self.turn(rotation, events) {
            self.fall_at_20g(events);
        }
    }

    /// Returns `false` if no kick fits.
    fn turn(&mut self, rotation: Rotation, events: &mut Vec<Event>) -> bool {
        let key = match rotation {
            Rotation::Cw => movegen::Movement::Cw,
            Rotation::Ccw => movegen::Movement::Ccw,
        };
        let spin = self.movement(key);
        events.extend(spin.map(|spin| Event::Rotated { rotation, spin }));
        spin.is_some()
    }

    /// Resets the lock delay. Returns the kind of spin, or `None` if the piece can't move that way.
    fn movement(&mut self, key: movegen::Movement) -> Option<Spin> {
        let Phase::Falling(piece) = &mut self.phase else { return None };
        (piece.at, piece.spin) = movegen::apply(self.game.board(), piece.at, piece.spin, key)?;
        // In version 1 only movements on the stack count; since version 2, all movements after the first of
        // these do.
        let has_landed = piece.rested > 0 || piece.resets > 0 && self.recording.version() > 1;
        if has_landed && piece.resets < self.rules.timing.lock_resets {
            piece.resets += 1;
            piece.rested = 0;
        }
        Some(piece.spin)
    }

    /// Returns `false` if a swap isn't possible.
    fn hold(&mut self, events: &mut Vec<Event>) -> bool {
        let Some(piece) = self.game.piece_after_hold().filter(|_| self.can_hold()) else { return false };
        events.push(Event::Held(self.game.piece()));
        self.hold_used = true;
        self.appear(piece, events);
        true
    }

    fn hard_drop(&mut self, events: &mut Vec<Event>) {
        let Phase::Falling(piece) = &mut self.phase else { return };
        let from = piece.at;
        if let Some(landed) = movegen::apply(self.game.board(), from, piece.spin, movegen::Movement::HardDrop)
        {
            (piece.at, piece.spin) = landed;
            let rows = (from.y - piece.at.y) as u32;
            self.score = self.score.saturating_add(2 * u64::from(rows));
            events.push(Event::HardDropped { rows });
            self.lock(events);
        }
    }

    /// Applies one tick of gravity or soft drop.
    fn fall(&mut self, events: &mut Vec<Event>) {
        let (step, row) = self.fall_speed();
        let Phase::Falling(piece) = &mut self.phase else { return };
        let mut rows = 0;
        // Without gravity, keeps the fraction of a row left over from a soft drop.
        if step > 0 {
            piece.fallen = piece.fallen.saturating_add(step);
            if piece.fallen >= row {
                // A row that takes no time is 20G.
                rows = piece.fallen.checked_div(row).unwrap_or(u64::MAX);
                piece.fallen = piece.fallen.checked_rem(row).unwrap_or(0);
            }
        }
        if rows > 0 {
            let fall = if self.soft_drop { Fall::SoftDrop } else { Fall::Gravity };
            self.descend(u32::try_from(rows).unwrap_or(u32::MAX), fall, events);
        }
    }

    /// Returns the fall per tick by gravity or soft drop as a fraction `(step, row)`: the piece falls one row
    /// each time the sum of the steps reaches `row`.
    #[inline(always)]
    fn fall_speed(&self) -> (u64, u64) {
        let timing = &self.rules.timing;
        if self.soft_drop {
            timing.soft_drop_speed(self.level(), self.handling.soft_drop_factor)
        } else {
            timing.speed(self.level())
        }
    }

    /// Drops the piece to the stack if the gravity is 20G.
    fn fall_at_20g(&mut self, events: &mut Vec<Event>) {
        let timing = &self.rules.timing;
        // Twenty rows in a sixtieth of a second, or in a longer tick; until version 2, in a tick of any length.
        let ticks_per_second =
            if self.recording.version() > 2 { timing.ticks_per_second.max(60) } else { 60 };
        let (step, row) = timing.speed(self.level());
        if step * u64::from(ticks_per_second) / (60 * SKYLINE as u64) >= row {
            self.descend(u32::MAX, Fall::Gravity, events);
        }
    }

    fn descend(&mut self, max: u32, fall: Fall, events: &mut Vec<Event>) {
        let Phase::Falling(piece) = &mut self.phase else { return };
        let Some(landing) = self.game.board().landing(piece.at) else { return };
        let distance = (piece.at.y - landing.y) as u32;
        let rows = max.min(distance);
        if rows == distance {
            piece.fallen = 0;
        }
        if rows == 0 {
            return;
        }
        piece.at.y -= rows as i8;
        piece.spin = Spin::None;
        if piece.at.lowest_row() < piece.lowest {
            piece.lowest = piece.at.lowest_row();
            (piece.rested, piece.resets) = (0, 0);
        }
        match fall {
            Fall::SoftDrop => {
                self.score = self.score.saturating_add(rows.into());
                events.push(Event::SoftDropped { rows });
            }
            Fall::Gravity => events.push(Event::Fell { rows }),
        }
    }

    fn rest(&mut self, events: &mut Vec<Event>) {
        let lock_delay = self.rules.timing.lock_delay;
        let Phase::Falling(piece) = self.phase else { return };
        if self.game.board().fits(piece.at.moved(0, -1)) {
            return;
        }
        // Also without a fall in this tick: the stack takes the fraction of a row.
        let piece = Falling { fallen: 0, ..piece };
        if piece.rested >= lock_delay || self.has_no_reset_left(piece) {
            self.lock(events);
        } else {
            self.phase = Phase::Falling(Falling { rested: piece.rested + 1, ..piece });
        }
    }

    /// Returns `true` if the piece locks without a delay. Version 1, and any game without resets, still has
    /// the delay after the last reset.
    fn has_no_reset_left(&self, piece: Falling) -> bool {
        let lock_resets = self.rules.timing.lock_resets;
        self.recording.version() > 1 && lock_resets > 0 && piece.resets >= lock_resets
    }

    fn lock(&mut self, events: &mut Vec<Event>) {
        let Phase::Falling(Falling { at, spin, .. }) = self.phase else { return };
        let placement = Placement { at, spin };
        let full_rows = self.game.board().place(at).map_or(0, |board| board.full_lines());
        let turn = Move { hold: self.hold_used, placement };
        // The piece came here by single movements from its spawn, so the turn is legal.
        let Some(result) = self.game.lock(turn, &mut self.rng) else { return };
        let level = self.level();
        let points = guideline_score(result.clear, level);
        self.score = self.score.saturating_add(points);
        self.lines = self.lines.saturating_add(result.clear.lines.into());
        self.hold_used = false;
        events.push(Event::Locked(Lock { placement, result, full_rows, points }));
        if result.garbage_rows > 0 {
            events.push(Event::GarbageRose { rows: result.garbage_rows });
        }
        if self.level() > level {
            events.push(Event::LevelUp { level: self.level() });
        }
        let timing = &self.rules.timing;
        let clear_delay = if result.clear.lines > 0 { timing.line_clear_delay } else { 0 };
        let delay = timing.entry_delay.saturating_add(clear_delay);
        self.phase = Phase::Entry(delay);
        self.initial = InitialActions::default();
        if let Goal::Lines(lines) = self.rules.goal
            && self.lines >= lines.into()
        {
            self.phase = Phase::Over(End::Finished);
            events.push(Event::Finished);
        } else if delay == 0 || result.top_out.is_some() {
            self.spawn(self.game.piece(), events);
        }
    }

    /// Brings a piece into play, or ends the game if it has topped out.
    fn spawn(&mut self, piece: Piece, events: &mut Vec<Event>) {
        if let Some(over) = self.game.top_out() {
            self.phase = Phase::Over(End::ToppedOut(over));
            events.push(Event::ToppedOut(over));
            return;
        }
        self.appear(piece, events);
        self.fall_at_20g(events);
    }

    /// Brings the next piece into play after a wait, and applies the keys pressed or down during it.
    fn spawn_after_wait(&mut self, events: &mut Vec<Event>) {
        let InitialActions { rotation, hold, pressed } = core::mem::take(&mut self.initial);
        if self.recording.version() == 1 || self.game.is_over() {
            self.spawn(self.game.piece(), events);
            return;
        }
        let from_before = |key: Key| self.held & !pressed & key.bit() != 0;
        let hold = hold || from_before(Key::Hold);
        let rotation = rotation.or(match (from_before(Key::Cw), from_before(Key::Ccw)) {
            (true, false) => Some(Rotation::Cw),
            (false, true) => Some(Rotation::Ccw),
            _ => None,
        });
        self.appear(self.game.piece(), events);
        if hold {
            self.hold(events);
        }
        if let Some(rotation) = rotation {
            self.turn(rotation, events);
        }
        self.fall_at_20g(events);
    }

    fn appear(&mut self, piece: Piece, events: &mut Vec<Event>) {
        // If the spawn is blocked, the game is already over; a swap for a blocked piece is rejected.
        let at = self.game.spawn_location(piece).unwrap_or(Location::spawn(piece));
        let lowest = at.lowest_row();
        self.phase =
            Phase::Falling(Falling { at, spin: Spin::None, fallen: 0, rested: 0, resets: 0, lowest });
        events.push(Event::Spawned(piece));
    }

    /// Returns the rules.
    pub fn rules(&self) -> RealTimeRules {
        self.rules
    }

    /// Returns the player's handling.
    pub fn handling(&self) -> Handling {
        self.handling
    }

    /// Returns the game at the last lock, with board, combo, back-to-back chain, pending garbage and number
    /// of pieces. Its preview is one piece longer than the rules say, to keep [`next`](Self::next) full when
    /// the first piece is held.
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
    /// [`lock_delay`](Timing::lock_delay), or immediately after its last [reset](Timing::lock_resets).
    #[inline]
    pub fn rested(&self) -> u32 {
        let Phase::Falling(piece) = self.phase else { return 0 };
        piece.rested
    }

    /// Returns the number of lock delay resets since the piece in play reached its lowest row, at most
    /// [`lock_resets`](Timing::lock_resets).
    #[inline]
    pub fn resets(&self) -> u32 {
        let Phase::Falling(piece) = self.phase else { return 0 };
        piece.resets
    }

    /// Returns the part of a row that the piece in play has fallen since the last one, as a fraction
    /// `(part, row)`, for smooth drawing. It has fallen by a row once `part` reaches `row`.
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

    /// Returns the preview. A preview of [`Rules::MAX_NEXT`] pieces is one piece shorter after the first
    /// piece is held, until the next lock.
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

    /// Returns `true` if the piece in play can be held: the rules allow it, none was held since the last
    /// lock, and the new piece would fit at its spawn.
    #[inline]
    pub fn can_hold(&self) -> bool {
        let comes = self.game.piece_after_hold().filter(|_| self.falling().is_some() && !self.hold_used);
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

    /// Returns the points: [`guideline_score`] for each lock, one point per row of a soft drop and two per
    /// row of a hard drop. Capped at [`u64::MAX`].
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
