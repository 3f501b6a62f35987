//! [`RealTimeGame`]: a [`Game`] played with keys in real time. Ticks in, events out.
//!
//! | part | type |
//! |---|---|
//! | speeds, delays, goal | [`RealTimeRules`] with [`Timing`], [`Gravity`] and [`Goal`] |
//! | the player's own settings | [`Handling`] |
//! | keys | [`Key`] |
//! | results of a tick | [`Event`] |
//! | inputs with their ticks, for replays | [`Recording`] |
//!
//! # A tick
//!
//! 1. The inputs that arrived since the last tick act, in their order. A press moves the piece at once.
//! 2. Held keys move the piece: the second move comes [`das`](Handling::das) ticks after the press, the
//!    others each [`arr`](Handling::arr) ticks. If left and right are held, the one pressed last acts.
//! 3. The piece falls, by gravity or by the soft drop.
//! 4. A piece on the stack locks when it has rested for [`lock_delay`](Timing::lock_delay) ticks. A
//!    successful move or rotation starts the delay again, [`lock_resets`](Timing::lock_resets) times until
//!    the piece reaches a new lowest row, moves that take it off the stack and moves above it included. From
//!    the last of these times on, it locks as soon as it is on the stack.
//!
//! # Keys before a spawn
//!
//! A wait before a spawn is an entry or line clear delay. A press of a rotation or of hold in it acts at the
//! spawn: initial rotation and initial hold. So does such a key that is held from before the wait. The hold
//! comes first, then one rotation of the piece that has come, the last that was pressed; at 20G the piece
//! falls after that. What the piece can't do is left out: a hold that is blocked, a rotation without room.
//! Left and right that are held charge their delay in a wait. Where a piece spawns without a wait, held keys
//! have acted on the piece before.
//!
//! A lock is a turn of [`Game::play`], so lines, spins, attacks, garbage and top-outs are those of [`Game`].
//! Each movement of a piece is one of [`movegen::press`], so each lock is one of
//! [`Game::legal_moves`].

mod event;
mod idle;
mod input;
mod rules;
mod score;

pub use crate::error::Expected;
pub use event::{End, Event, Lock};
pub use input::{Input, Key, Recording};
pub use rules::{GUIDELINE_GRAVITY, Goal, Gravity, Handling, RealTimeRules, Timing};
pub use score::guideline_score;

use crate::board::Board;
use crate::error::Error;
use crate::game::{Game, GameError, MAX_NEXT, Move, Position, Rules, SKYLINE, lowest_row};
use crate::garbage::{Attack, GarbageTiming};
use crate::location::Location;
use crate::movegen;
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;
use bitcore::Rng;

/// A guideline game in real time, without a clock: the caller sends key presses and ticks, and draws the
/// state after each tick.
///
/// The same seed with the same inputs in the same ticks is the same game on every platform.
/// [`recording`](Self::recording) has the inputs, and [`replay`](Self::replay) plays them again.
///
/// ```
/// use tetris::real_time::{Event, Handling, Key, RealTimeGame, RealTimeRules};
///
/// let mut game = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 7);
/// let mut events = Vec::new();
/// game.press(Key::Left);
/// // A third of a second: one move at once, the next after 10 ticks, then one each 2 ticks up to the wall.
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
/// A terminal reports no releases. There, each key event is a [`tap`](Self::tap).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTimeGame {
    rules: RealTimeRules,
    handling: Handling,
    /// Has one piece more in the preview than the rules say, for the one that a first hold takes out.
    game: Game,
    rng: Rng,
    phase: Phase,
    /// `true` if the piece in play has come by a hold.
    hold_used: bool,
    /// The keys that are down, one bit each, inputs that wait included.
    down: u8,
    /// The keys that are down by the inputs that acted.
    held: u8,
    initial: InitialActions,
    /// The inputs of the next tick.
    waiting: Vec<Input>,
    /// The ticks since left and right were pressed, if they are held.
    shift: [Option<u32>; 2],
    /// `true` if right was pressed after left.
    right_is_last: bool,
    soft_drop: bool,
    lines: u64,
    score: u64,
    recording: Recording,
}

/// The stage of the game between two ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No piece is in play. The next one spawns after this many ticks.
    Entry(u32),
    Falling(Falling),
    Over(End),
}

/// The presses of a wait that act at the spawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct InitialActions {
    /// The rotation pressed last.
    rotation: Option<Rotation>,
    hold: bool,
    /// The keys pressed, one bit each.
    pressed: u8,
}

/// The piece in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Falling {
    at: Location,
    /// The kind of spin of the last movement.
    spin: Spin,
    /// The part of a row that it has fallen, in the units of [`Timing::speed`].
    fallen: u64,
    /// The ticks on the stack since the last reset of the lock delay.
    rested: u32,
    /// The number of resets of the lock delay since the lowest row was reached.
    resets: u32,
    /// The lowest row reached so far.
    lowest: i32,
}

/// A step of a shift to the side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    First,
    Next,
}

/// Why a piece moves down.
#[derive(Clone, Copy)]
enum Fall {
    Gravity,
    SoftDrop,
}

impl RealTimeGame {
    /// Creates a game on an empty board. The first piece spawns in the first tick. The pieces are those of a
    /// [`Game`] with the generator [`Rng::new`] of this seed.
    pub fn new(rules: RealTimeRules, handling: Handling, seed: u64) -> Self {
        Self::start(rules, handling, Position::default(), seed)
    }

    /// Creates a game from a position, for training or a race through garbage.
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
    /// [`Error::QueueLength`] if the queue is longer than the piece in play and the preview.
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

    fn start(rules: RealTimeRules, handling: Handling, position: Position<'_>, seed: u64) -> Self {
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

    /// Plays the inputs of a recording in their ticks, and the ticks after them. Stops when the game ends.
    ///
    /// Ticks in which only time passes take no time here: the work grows with the number of inputs, not with
    /// the number of ticks.
    ///
    /// The result is equal to the game that was recorded if this one is new, with the same start, rules,
    /// handling and seed. A new game plays by the rules of the recording's [version](Recording::version), also
    /// after its end: those of version 1 have no [second spawn row](Rules::second_spawn_row).
    #[must_use]
    pub fn replay(mut self, recording: &Recording) -> Self {
        let mut events = Vec::new();
        if self.recording == Recording::default() && recording.version() == 1 {
            self.recording = Recording::OF_VERSION_1;
            self.rules.game.second_spawn_row = false;
            self.game.forbid_second_spawn_row();
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

    /// Does what the input says: [`press`](Self::press), [`release`](Self::release) or
    /// [`receive`](Self::receive).
    ///
    /// # Errors
    ///
    /// Those of [`receive`](Self::receive).
    pub fn input(&mut self, input: Input) -> Result<(), GameError> {
        match input {
            Input::Press(key) => self.press(key),
            Input::Release(key) => self.release(key),
            Input::Receive(attack) => self.receive(attack)?,
        }
        Ok(())
    }

    /// Presses a key, which acts in the next tick. Does nothing if the key is down or the game is over, so
    /// repeats of a held key are harmless.
    pub fn press(&mut self, key: Key) {
        if self.down & key.bit() == 0 {
            self.flip(key, Input::Press(key));
        }
    }

    /// Releases a key, which acts in the next tick. Does nothing if the key is up or the game is over.
    pub fn release(&mut self, key: Key) {
        if self.down & key.bit() != 0 {
            self.flip(key, Input::Release(key));
        }
    }

    /// Presses a key and releases it at once: one move, one rotation, or a soft drop by one row.
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

    /// Receives an attack of the opponent. It waits, is cancelled and enters by the rules of the game. Does
    /// nothing if the game has reached its goal.
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

    /// Runs one tick and appends its events in their order. Does nothing after the end of the game, nor after
    /// [`u64::MAX`] ticks.
    pub fn tick(&mut self, events: &mut Vec<Event>) {
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
        for input in core::mem::take(&mut self.waiting) {
            match input {
                Input::Press(key) => self.key_down(key, events),
                Input::Release(key) => self.key_up(key),
                Input::Receive(_) => {}
            }
        }
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
                self.descend(1, Fall::SoftDrop, events);
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

    /// Moves the piece by the keys that are held, and counts their ticks.
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

    /// Moves the piece by one column. The next step of a shift and the one before are one event, unless the piece
    /// fell between them.
    fn step_sideways(&mut self, step: Step, events: &mut Vec<Event>) -> bool {
        let (key, columns_moved) =
            if self.right_is_last { (movegen::Key::Right, 1) } else { (movegen::Key::Left, -1) };
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

    /// Rotates the piece where it is. Returns `false` if it has no room.
    fn turn(&mut self, rotation: Rotation, events: &mut Vec<Event>) -> bool {
        let key = match rotation {
            Rotation::Cw => movegen::Key::Cw,
            Rotation::Ccw => movegen::Key::Ccw,
        };
        let spin = self.movement(key);
        events.extend(spin.map(|spin| Event::Rotated { rotation, spin }));
        spin.is_some()
    }

    /// Moves or rotates the piece, which starts the lock delay again. Returns the kind of
    /// spin, or `None` if it can't move that way.
    fn movement(&mut self, key: movegen::Key) -> Option<Spin> {
        let Phase::Falling(piece) = &mut self.phase else { return None };
        (piece.at, piece.spin) = movegen::press(self.game.board(), piece.at, piece.spin, key)?;
        // In version 1 only movements on the stack count, others after the first of them do since.
        let has_landed = piece.rested > 0 || piece.resets > 0 && self.recording.version() > 1;
        if has_landed && piece.resets < self.rules.timing.lock_resets {
            piece.resets += 1;
            piece.rested = 0;
        }
        Some(piece.spin)
    }

    /// Holds the piece in play for another one, where that spawns. Returns `false` if it can't be held.
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
        if let Some(landed) = movegen::press(self.game.board(), from, piece.spin, movegen::Key::HardDrop) {
            (piece.at, piece.spin) = landed;
            let rows = (from.y - piece.at.y) as u32;
            self.score = self.score.saturating_add(2 * u64::from(rows));
            events.push(Event::HardDropped { rows });
            self.lock(events);
        }
    }

    /// Lets the piece fall by the gravity or soft drop of one tick.
    fn fall(&mut self, events: &mut Vec<Event>) {
        let (step, row) = self.fall_speed();
        let Phase::Falling(piece) = &mut self.phase else { return };
        let mut rows = 0;
        // Without gravity, the part of a row that a soft drop left stays a part.
        if step > 0 {
            piece.fallen = piece.fallen.saturating_add(step);
            // A row that takes no time is 20G.
            rows = piece.fallen.checked_div(row).unwrap_or(u64::MAX);
            piece.fallen = piece.fallen.checked_rem(row).unwrap_or(0);
        }
        let fall = if self.soft_drop { Fall::SoftDrop } else { Fall::Gravity };
        self.descend(u32::try_from(rows).unwrap_or(u32::MAX), fall, events);
    }

    /// Returns the fall in one tick by gravity or soft drop: a row each time the sum of the first numbers
    /// reaches the second.
    fn fall_speed(&self) -> (u64, u64) {
        let timing = &self.rules.timing;
        if self.soft_drop {
            timing.soft_drop_speed(self.level(), self.handling.soft_drop_factor)
        } else {
            timing.speed(self.level())
        }
    }

    /// Lets the piece fall to the stack at once if the gravity is 20G.
    fn fall_at_20g(&mut self, events: &mut Vec<Event>) {
        let (step, row) = self.rules.timing.speed(self.level());
        if step / SKYLINE as u64 >= row {
            self.descend(u32::MAX, Fall::Gravity, events);
        }
    }

    /// Moves the piece down by up to `max` rows.
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
        if lowest_row(piece.at) < piece.lowest {
            piece.lowest = lowest_row(piece.at);
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

    /// Counts a tick of a piece on the stack, or locks it.
    fn rest(&mut self, events: &mut Vec<Event>) {
        let lock_delay = self.rules.timing.lock_delay;
        let Phase::Falling(piece) = self.phase else { return };
        if self.game.board().landing(piece.at) != Some(piece.at) {
            return;
        }
        if piece.rested >= lock_delay || self.has_no_reset_left(piece) {
            self.lock(events);
        } else {
            self.phase = Phase::Falling(Falling { rested: piece.rested + 1, ..piece });
        }
    }

    /// Returns `true` if the piece locks without a delay. Version 1 of the rules has the delay after the last
    /// reset, too, and so has a game without resets.
    fn has_no_reset_left(&self, piece: Falling) -> bool {
        let lock_resets = self.rules.timing.lock_resets;
        self.recording.version() > 1 && lock_resets > 0 && piece.resets >= lock_resets
    }

    /// Locks the piece: a turn of the game.
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
        self.lines += u64::from(result.clear.lines);
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

    /// Brings the next piece into play after a wait, with what the keys pressed or held in it do.
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

    /// Puts a piece where it spawns.
    fn appear(&mut self, piece: Piece, events: &mut Vec<Event>) {
        // A game whose spawn is blocked is over, and a hold that would be blocked is refused.
        let at = self.game.spawn_location(piece).unwrap_or(Location::spawn(piece));
        let lowest = lowest_row(at);
        self.phase =
            Phase::Falling(Falling { at, spin: Spin::None, fallen: 0, rested: 0, resets: 0, lowest });
        events.push(Event::Spawned(piece));
    }

    /// Returns the rules.
    pub fn rules(&self) -> &RealTimeRules {
        &self.rules
    }

    /// Returns the handling.
    pub fn handling(&self) -> Handling {
        self.handling
    }

    /// Returns the game at the last lock, with board, combo, back-to-back chain, waiting garbage and number
    /// of pieces. Its preview is one piece longer than the rules say, so that [`next`](Self::next) is full
    /// after the first hold.
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

    /// Returns the ghost: the location to which a hard drop would bring the piece in play.
    pub fn ghost(&self) -> Option<Location> {
        self.board().landing(self.falling()?)
    }

    /// Returns the ticks for which the piece in play has rested on the stack. It locks
    /// at [`lock_delay`](Timing::lock_delay), or at once after the last of its
    /// [`lock_resets`](Timing::lock_resets).
    pub fn rested(&self) -> u32 {
        let Phase::Falling(piece) = self.phase else { return 0 };
        piece.rested
    }

    /// Returns the preview: the pieces after the one in play. A preview of [`Rules::MAX_NEXT`] pieces is one piece
    /// shorter from the first hold to the lock after it.
    pub fn next(&self) -> &[Piece] {
        let next = self.game.next();
        let out = usize::from(self.hold_used && self.game.held().is_none());
        let len = self.rules.game.next.min(next.len() - out);
        &next[out..out + len]
    }

    /// Returns the piece in the hold.
    pub fn held(&self) -> Option<Piece> {
        if self.hold_used { Some(self.game.piece()) } else { self.game.held() }
    }

    /// Returns `true` if the piece in play can be held: the rules allow it, no hold was used since the last
    /// lock, and the piece that would come fits where it spawns.
    pub fn can_hold(&self) -> bool {
        let comes = self.game.piece_after_hold().filter(|_| self.falling().is_some() && !self.hold_used);
        comes.is_some_and(|piece| self.game.spawn_location(piece).is_some())
    }

    /// Returns the level, which sets gravity and points.
    pub fn level(&self) -> u32 {
        let risen = self.lines.checked_div(self.rules.lines_per_level.into()).unwrap_or(0);
        self.rules.start_level.max(1).saturating_add(u32::try_from(risen).unwrap_or(u32::MAX))
    }

    /// Returns the number of lines cleared.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the points: those of all locks by [`guideline_score`], one for each row of a soft drop and two
    /// for each row of a hard drop. At most [`u64::MAX`].
    pub fn score(&self) -> u64 {
        self.score
    }

    /// Returns the number of ticks run.
    pub fn ticks(&self) -> u64 {
        self.recording.ticks()
    }

    /// Returns the way in which the game ended, or `None` while it is running.
    pub fn end(&self) -> Option<End> {
        let Phase::Over(end) = self.phase else { return None };
        Some(end)
    }

    /// Returns the inputs so far. [`replay`](Self::replay) plays them again.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
}
