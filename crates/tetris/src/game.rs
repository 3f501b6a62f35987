//! [`Game`]: one player's side of a guideline game, one placement per turn.

use crate::attack::{AttackTable, Clear};
use crate::bag::Bag;
use crate::board::{Board, WIDTH};
use crate::error::Error;
use crate::garbage::{Attack, GarbageQueue, GarbageTiming};
use crate::kicks::RotationSystem;
use crate::location::{Location, SKYLINE};
use crate::movegen::{self, Placements};
use crate::piece::Piece;
use crate::placement::{MoveRules, Placement, Spin, SpinMode};
use alloc::vec::Vec;
use bitcore::RandomSource;
use core::fmt;
use move_list::MoveList;
use random_move::{Turn, draw_move};

mod move_list;
mod random_move;
#[cfg(feature = "serde")]
mod saved;

/// [`Rules::MAX_NEXT`].
pub(crate) const MAX_NEXT: usize = 15;

/// The rules of a game. Pieces come from a [`Bag`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "saved::SavedRules"))]
pub struct Rules {
    /// The number of pieces in the preview. Values above [`MAX_NEXT`](Self::MAX_NEXT) are capped.
    /// Even without a preview, the legal moves with the first held piece reveal the next one.
    pub next: usize,
    /// `true` to let the player hold a piece for later.
    pub hold: bool,
    /// The attack of each kind of clear.
    pub attack: AttackTable,
    /// The time at which garbage enters.
    pub garbage_timing: GarbageTiming,
    /// `true` if an attack cancels pending garbage before it is sent.
    pub cancel: bool,
    /// The maximum number of garbage rows that enter after one lock; the rest waits. Ignored with
    /// [`GarbageTiming::Immediate`].
    pub garbage_cap: u32,
    /// The travel time of garbage: the number of locks before a received attack can enter, in a
    /// real-time game the number of ticks. It can be cancelled meanwhile. Ignored with
    /// [`GarbageTiming::Immediate`].
    pub garbage_delay: u32,
    /// `true` to retry a blocked spawn one row higher: see [`Board::spawn`]. When deserializing,
    /// the default is off if no field before it is missing: such a text predates the rule.
    pub second_spawn_row: bool,
    /// The kicks, and whether pieces rotate by 180 degrees.
    pub rotation_system: RotationSystem,
    /// The locks that count as spins.
    pub spin_mode: SpinMode,
}

impl Rules {
    /// The longest possible preview, see [`next`](Self::next).
    pub const MAX_NEXT: usize = MAX_NEXT;

    /// The guideline rules: a preview of five pieces, a hold queue, guideline attacks. Attacks
    /// cancel garbage, and all pending garbage enters after a lock that clears no line. A blocked
    /// piece spawns one row higher.
    pub const GUIDELINE: Self = Self {
        next: 5,
        hold: true,
        attack: AttackTable::GUIDELINE,
        garbage_timing: GarbageTiming::AfterNonClearingLock,
        cancel: true,
        garbage_cap: u32::MAX,
        garbage_delay: 0,
        second_spawn_row: true,
        rotation_system: RotationSystem::Srs,
        spin_mode: SpinMode::TSpins,
    };
}

impl From<Rules> for MoveRules {
    /// Returns the move generation rules of a game.
    #[inline(always)]
    fn from(rules: Rules) -> Self {
        let Rules { spin_mode, second_spawn_row, rotation_system, .. } = rules;
        Self { spin_mode, second_spawn_row, rotation_system }
    }
}

impl Default for Rules {
    /// Returns [`GUIDELINE`](Self::GUIDELINE).
    fn default() -> Self {
        Self::GUIDELINE
    }
}

/// A turn: optionally hold the piece in play, at most once as in the guideline, then place a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move {
    /// `true` to hold the piece in play first. The previously held piece, or else the next one,
    /// comes into play.
    pub hold: bool,
    /// The placement of the piece in play, or of its replacement after holding.
    pub placement: Placement,
}

impl From<Placement> for Move {
    /// Creates a turn that places the piece in play.
    fn from(placement: Placement) -> Self {
        Self { hold: false, placement }
    }
}

impl fmt::Display for Move {
    /// Formats a turn like `hold T south 4 1 full`. The first and the last word appear only if they
    /// apply.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Placement { at, spin } = self.placement;
        write!(f, "{}{at}", if self.hold { "hold " } else { "" })?;
        if spin == Spin::None { Ok(()) } else { write!(f, " {spin}") }
    }
}

/// The way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum TopOut {
    /// Block out: the next piece overlaps the stack in every spawn row.
    Block,
    /// Lock out: a piece locked entirely above the visible rows, even if it cleared lines.
    Lock,
    /// Garbage would have pushed a cell past the ceiling.
    Garbage,
}

impl fmt::Display for TopOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Block => "block out",
            Self::Lock => "lock out",
            Self::Garbage => "garbage out",
        })
    }
}

/// The result of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LockResult {
    /// The lines cleared, with spin, perfect clear, combo and back-to-back.
    pub clear: Clear,
    /// The attack in lines, from the [attack table](Rules::attack).
    pub attack: u32,
    /// The attack lines sent to the opponent, after cancelling pending garbage.
    pub sent: u32,
    /// The garbage rows that entered.
    pub garbage_rows: u32,
    /// The kind of top-out, if the turn ended the game.
    #[cfg_attr(feature = "serde", serde(rename = "over"))]
    pub top_out: Option<TopOut>,
}

/// A rejected call. The game is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(TopOut),
    /// A turn with a held piece under rules that forbid holding.
    #[error("this game has no hold")]
    NoHold,
    /// A placement of a piece other than the one in play.
    #[error("expected a placement of {expected}, found one of {found}")]
    Piece {
        /// The piece in play, or its replacement after holding.
        expected: Piece,
        /// The piece of the placement.
        found: Piece,
    },
    /// A placement that no key presses reach with this kind of spin.
    #[error("{at} (spin: {spin}) can't be reached")]
    Unreachable {
        /// The location.
        at: Location,
        /// The kind of spin.
        spin: Spin,
    },
    /// An attack with a hole outside the field.
    #[error("expected a column below {WIDTH}, found {found}")]
    Column {
        /// The column of the attack.
        found: u8,
    },
}

/// A starting state for [`Game::from_position`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position<'a> {
    /// The locked cells.
    pub board: Board,
    /// The known pieces: the piece in play, then the preview.
    pub queue: &'a [Piece],
    /// The held piece.
    pub hold: Option<Piece>,
    /// The bag after drawing the last known piece.
    pub bag: Bag,
    /// The current number of consecutive line clears.
    pub combo: u32,
    /// The current length of the back-to-back chain.
    pub back_to_back: u32,
}

/// One player's side of a guideline game: board, queue, held piece, bag, combo, back-to-back chain
/// and pending garbage.
///
/// The caller owns the random number generator; a game is a plain value. A search on a copy can't
/// peek at the pieces to come: it continues with its own draws. Each piece that enters the queue
/// takes one draw ([`Bag::draw`]) from the given generator; nothing else draws.
///
/// ```
/// use tetris::Rng;
/// use tetris::{Game, Rules};
/// let mut rng = Rng::new(7);
/// let mut game = Game::new(Rules::default(), &mut rng);
/// // Always the lowest placement, of the piece in play or the held one.
/// while let Some(&lowest) = game.legal_moves().iter().min_by_key(|mv| mv.placement.at.y) {
///     let result = game.play(lowest, &mut rng)?;
///     assert_eq!(result.top_out, game.top_out());
/// }
/// assert!(game.is_over() && game.pieces() > 7);
/// # Ok::<(), tetris::GameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    rules: Rules,
    board: Board,
    /// The piece in play, then the preview. The next piece is drawn even without a preview.
    queue: [Piece; 1 + MAX_NEXT],
    hold: Option<Piece>,
    bag: Bag,
    combo: u32,
    back_to_back: u32,
    garbage: GarbageQueue,
    pieces: u64,
    top_out: Option<TopOut>,
}

impl Game {
    /// The number of visible rows. A piece that locks entirely above them ends the game.
    pub const SKYLINE: i32 = SKYLINE;

    /// Creates a game on an empty board.
    pub fn new(rules: Rules, rng: &mut (impl RandomSource + ?Sized)) -> Self {
        Self::start(rules, Position::default(), rng)
    }

    /// Creates a game from a position. Missing queue pieces are drawn. The game is over if the
    /// spawn is blocked.
    ///
    /// ```
    /// use tetris::Rng;
    /// use tetris::{Board, Game, Piece, Position, Rules};
    /// let position = Position { queue: &[Piece::T, Piece::I], combo: 2, ..Position::default() };
    /// let game = Game::from_position(Rules { next: 1, ..Rules::default() }, position, &mut Rng::new(1))?;
    /// assert_eq!((game.piece(), game.next(), game.combo()), (Piece::T, &[Piece::I][..], 2));
    /// # Ok::<(), tetris::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::QueueLength`] if the queue is longer than one piece plus the preview.
    pub fn from_position(
        rules: Rules,
        position: Position<'_>,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<Self, Error> {
        let max = 1 + rules.next.min(MAX_NEXT);
        let found = position.queue.len();
        if found > max {
            return Err(Error::QueueLength { max, found });
        }
        Ok(Self::start(rules, position, rng))
    }

    /// `position.queue` must not be longer than the game's queue.
    pub(crate) fn start(
        rules: Rules,
        position: Position<'_>,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Self {
        let Position { board, queue: known, hold, bag, combo, back_to_back } = position;
        let mut game = Self {
            rules: Rules { next: rules.next.min(MAX_NEXT), ..rules },
            board,
            queue: [Piece::I; 1 + MAX_NEXT],
            hold,
            bag,
            combo,
            back_to_back,
            garbage: GarbageQueue::default(),
            pieces: 0,
            top_out: None,
        };
        for i in 0..game.queue_len() {
            game.queue[i] = known.get(i).copied().unwrap_or_else(|| game.bag.draw(rng));
        }
        game.spawn();
        game
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the locked cells.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the piece in play.
    #[inline]
    pub fn piece(&self) -> Piece {
        self.queue[0]
    }

    /// Returns the current spawn location of a piece, or `None` if the spawn is blocked.
    #[inline]
    pub fn spawn_location(&self, piece: Piece) -> Option<Location> {
        self.board.spawn(piece, self.rules)
    }

    /// Returns the preview: the pieces after the one in play.
    pub fn next(&self) -> &[Piece] {
        &self.queue[1..=self.rules.next]
    }

    /// Returns the held piece.
    pub fn held(&self) -> Option<Piece> {
        self.hold
    }

    /// Returns the replacement if the piece in play is held now, or `None` if the rules forbid
    /// holding.
    pub fn piece_after_hold(&self) -> Option<Piece> {
        self.rules.hold.then(|| self.hold.unwrap_or(self.queue[1]))
    }

    /// Returns the bag after drawing the last piece of the queue.
    pub fn bag(&self) -> Bag {
        self.bag
    }

    /// Returns the current number of consecutive line clears.
    pub fn combo(&self) -> u32 {
        self.combo
    }

    /// Returns the current length of the back-to-back chain. From 1 on, the next back-to-back clear
    /// earns the bonus.
    pub fn back_to_back(&self) -> u32 {
        self.back_to_back
    }

    /// Returns the pending garbage.
    pub fn garbage(&self) -> &GarbageQueue {
        &self.garbage
    }

    /// Returns the number of pieces locked since the start of the game.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Returns how the game ended, or `None` while it is running.
    pub fn top_out(&self) -> Option<TopOut> {
        self.top_out
    }

    /// Returns `true` if the game has ended.
    pub fn is_over(&self) -> bool {
        self.top_out.is_some()
    }

    /// Returns all legal turns for [`play`](Self::play): first with the piece in play, then with
    /// its replacement after holding. Within each, turns are sorted by kind of spin, then by
    /// orientation, by column from the left, and from the top down. The list is empty only if the
    /// game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.is_over() {
            return Vec::new();
        }
        let mut moves = MoveList::EMPTY;
        let mut placements = Placements::new();
        placements.fill(&self.board, self.piece(), self.rules);
        let mut has_space = moves.add(&placements, false);
        if let Some(piece) = self.piece_after_hold() {
            placements.fill(&self.board, piece, self.rules);
            has_space &= moves.add(&placements, true);
        }
        if has_space { moves.to_vec() } else { self.many_legal_moves() }
    }

    /// Returns more moves than a [`MoveList`] has space for.
    #[cold]
    fn many_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (hold, piece) in [(false, Some(self.piece())), (true, self.piece_after_hold())] {
            if let Some(piece) = piece {
                let all = placements(&self.board, piece, &self.rules);
                moves.extend(all.iter().map(|placement| Move { hold, placement }));
            }
        }
        moves
    }

    /// Plays a turn: swap, lock, line clear, attack, garbage, next piece.
    ///
    /// # Errors
    ///
    /// [`GameError::Over`] if the game is over; [`GameError::NoHold`], [`GameError::Piece`] or
    /// [`GameError::Unreachable`] if the turn isn't [legal](Self::legal_moves). The game is then
    /// unchanged.
    pub fn play(
        &mut self,
        mv: impl Into<Move>,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<LockResult, GameError> {
        let mv = mv.into();
        self.check(mv)?;
        let Placement { at, spin } = mv.placement;
        self.lock(mv, rng).ok_or(GameError::Unreachable { at, spin })
    }

    pub(crate) fn check(&self, turn: Move) -> Result<(), GameError> {
        if let Some(over) = self.top_out {
            return Err(GameError::Over(over));
        }
        let piece = if turn.hold { self.piece_after_hold() } else { Some(self.piece()) };
        let expected = piece.ok_or(GameError::NoHold)?;
        let Placement { at, spin } = turn.placement;
        if at.piece != expected {
            return Err(GameError::Piece { expected, found: at.piece });
        }
        let canonical = Placement { at: at.canonical(), spin };
        let is_legal = movegen::is_reachable(&self.board, canonical, self.rules.into());
        if is_legal { Ok(()) } else { Err(GameError::Unreachable { at, spin }) }
    }

    /// Plays a uniformly random [legal move](Self::legal_moves). Returns `None`, without a draw, if
    /// the game is over.
    ///
    /// The first draws choose a candidate each, until one is a legal move; most need no search
    /// then. The draws of the pieces that enter the queue follow. A candidate is a canonical
    /// location where the piece in play, or its replacement after holding, rests on something,
    /// reachable or not. A T with at least three filled corners counts three times: without a spin,
    /// as a mini and as a full spin. Each draw is [`below`](RandomSource::below) the number of
    /// candidates, an index into them: by hold, then by kind of spin, by orientation, by groups of
    /// sixteen rows from the floor, by column from the left, and from the top down. Under
    /// [`SpinMode::AllMini`] the candidates are the legal moves, in their order.
    ///
    /// ```
    /// use tetris::Rng;
    /// use tetris::{Game, Rules};
    /// let mut rng = Rng::new(3);
    /// let mut game = Game::new(Rules::default(), &mut rng);
    /// while game.play_random(&mut rng).is_some() {}
    /// assert!(game.is_over());
    /// ```
    pub fn play_random(&mut self, rng: &mut (impl RandomSource + ?Sized)) -> Option<LockResult> {
        if self.is_over() {
            return None;
        }
        let mv = if self.rules.spin_mode == SpinMode::AllMini {
            let moves = self.legal_moves();
            *moves.get(rng.below(moves.len() as u32) as usize)?
        } else {
            let turn = Turn {
                board: &self.board,
                piece: self.piece(),
                after_hold: self.piece_after_hold(),
                rules: self.rules.into(),
            };
            draw_move(&turn, &mut || rng.next_u64())?
        };
        self.lock(mv, rng)
    }

    /// Receives an attack from the opponent. Depending on the rules, it waits or enters
    /// immediately. Returns the number of garbage rows that entered.
    ///
    /// ```
    /// use tetris::Rng;
    /// use tetris::{Attack, Game, GarbageTiming, Rules};
    /// let rules = Rules { garbage_timing: GarbageTiming::Immediate, ..Rules::default() };
    /// let mut game = Game::new(rules, &mut Rng::new(1));
    /// assert_eq!(game.receive(Attack { lines: 2, column: 9 })?, 2);
    /// assert_eq!(game.board().to_string(), "#########.\n#########.");
    /// # Ok::<(), tetris::GameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`GameError::Over`] if the game is over, [`GameError::Column`] if the hole is outside the
    /// field.
    pub fn receive(&mut self, attack: Attack) -> Result<u32, GameError> {
        self.receive_delayed(attack, self.rules.garbage_delay)
    }

    /// Receives an attack with another [delay](Rules::garbage_delay) than the rules'. With
    /// [`advance_garbage`](Self::advance_garbage) and no delay in the rules, delays follow the
    /// caller's clock.
    ///
    /// # Errors
    ///
    /// See [`receive`](Self::receive).
    pub fn receive_delayed(&mut self, attack: Attack, delay: u32) -> Result<u32, GameError> {
        if let Some(over) = self.top_out {
            return Err(GameError::Over(over));
        }
        if usize::from(attack.column) >= WIDTH {
            return Err(GameError::Column { found: attack.column });
        }
        if self.rules.garbage_timing != GarbageTiming::Immediate {
            self.garbage.push_delayed(attack, delay);
            return Ok(0);
        }
        self.garbage.push(attack);
        let garbage_rows = self.apply_garbage(u32::MAX);
        self.spawn();
        Ok(garbage_rows)
    }

    /// Lets a time pass for the delays of pending garbage. With a delay in the rules, each lock
    /// already counts 1.
    #[inline]
    pub fn advance_garbage(&mut self, time: u32) {
        self.garbage.advance(time);
    }

    /// Plays a legal turn. Returns `None` and changes nothing if the piece doesn't fit.
    pub(crate) fn lock(
        &mut self,
        turn: Move,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Option<LockResult> {
        if !self.board.add(turn.placement.at) {
            return None;
        }
        if turn.hold {
            // The turn locks the held piece, or the next piece if none was held. The piece in play
            // leaves the queue in both cases.
            if self.hold.replace(self.piece()).is_none() {
                self.advance(rng);
            }
        }
        self.advance(rng);
        Some(self.finish_lock(turn.placement))
    }

    /// Ends a turn after the piece is placed and the queue advanced.
    fn finish_lock(&mut self, Placement { at, spin }: Placement) -> LockResult {
        self.pieces = self.pieces.saturating_add(1);
        let lines = if self.board.full_lines() == 0 { 0 } else { self.board.clear_lines() };
        let clear = self.clear(&self.board, lines, spin);
        if lines > 0 {
            self.back_to_back = clear.back_to_back;
        }
        self.combo = clear.combo;
        let attack = self.rules.attack.attack(clear);
        let sent = if self.rules.cancel { self.garbage.cancel(attack) } else { attack };

        let mut garbage_rows = 0;
        if at.lowest_row() >= SKYLINE {
            self.top_out = Some(TopOut::Lock);
        } else {
            let enters = match self.rules.garbage_timing {
                GarbageTiming::AfterNonClearingLock => lines == 0,
                GarbageTiming::AfterEveryLock => true,
                GarbageTiming::Immediate => false,
            };
            if enters {
                garbage_rows = self.apply_garbage(self.rules.garbage_cap);
            }
            if self.rules.garbage_delay > 0 {
                self.garbage.advance(1);
            }
            self.spawn();
        }
        LockResult { clear, attack, sent, garbage_rows, top_out: self.top_out }
    }

    /// Returns the properties of the next lock, which removes `lines` lines and leaves the board
    /// `after`.
    #[inline(always)]
    pub(crate) fn clear(&self, after: &Board, lines: u32, spin: Spin) -> Clear {
        let mut clear = Clear { lines, spin, ..Clear::default() };
        if lines > 0 {
            clear.perfect = *after == Board::EMPTY;
            clear.combo = self.combo.saturating_add(1);
            if self.rules.attack.keeps_back_to_back(clear) {
                clear.back_to_back = self.back_to_back.saturating_add(1);
            } else {
                clear.broken_back_to_back = self.back_to_back;
            }
        }
        clear
    }

    /// Returns the used length of the queue, including the piece in play.
    fn queue_len(&self) -> usize {
        1 + self.rules.next.max(1)
    }

    fn advance(&mut self, rng: &mut (impl RandomSource + ?Sized)) {
        // The whole array: a move of constant length is one register.
        self.queue.copy_within(1.., 0);
        self.queue[self.queue_len() - 1] = self.bag.draw(rng);
    }

    /// Returns the number of rows applied. The first attack that doesn't fit ends the game.
    fn apply_garbage(&mut self, max: u32) -> u32 {
        let mut garbage_rows = 0;
        while let Some(attack) = self.garbage.take_ready(max - garbage_rows) {
            if !self.board.apply_garbage(attack) {
                self.top_out = Some(TopOut::Garbage);
                break;
            }
            garbage_rows += attack.lines;
        }
        garbage_rows
    }

    /// Ends the game if the piece in play overlaps the stack at its spawn.
    fn spawn(&mut self) {
        let is_blocked = self.board.reaches_spawn() && self.spawn_location(self.piece()).is_none();
        if self.top_out.is_none() && is_blocked {
            self.top_out = Some(TopOut::Block);
        }
    }

    /// For a new game.
    pub(crate) fn forbid_second_spawn_row(&mut self) {
        self.rules.second_spawn_row = false;
        self.spawn();
    }
}

/// For T, one per kind of spin.
pub(crate) fn placements(board: &Board, piece: Piece, rules: &Rules) -> Placements {
    let mut placements = Placements::new();
    placements.fill(board, piece, *rules);
    placements
}
