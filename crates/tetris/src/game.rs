//! [`Game`]: one player's side of a guideline game, a placement at a time.

use crate::attack::{AttackTable, Clear};
use crate::bag::Bag;
use crate::board::{Board, WIDTH};
use crate::garbage::{Attack, GarbageQueue, GarbageTiming};
use crate::location::Location;
use crate::movegen::Placements;
use crate::piece::Piece;
use crate::placement::{Placement, Spin, SpinMode};
use alloc::vec::Vec;
use bitcore::{Level, Rng};
use core::fmt;

/// Rows in sight: a piece that locks wholly above them ends the game.
pub const SKYLINE: i32 = 20;
/// The longest preview that [`Rules::next`] can ask for.
pub const MAX_NEXT: usize = 15;

/// What a game is played by. Pieces come from a [`Bag`], placements are those of the crate's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Pieces shown after the one in play, up to [`MAX_NEXT`]; more count as that. Without a preview, the first hold's
    /// legal moves still tell the piece that would come.
    pub next: usize,
    /// Whether a piece may be held.
    pub hold: bool,
    /// What clears send.
    pub attack: AttackTable,
    /// When garbage enters.
    pub garbage_timing: GarbageTiming,
    /// Whether lines sent first take away garbage that waits.
    pub cancel: bool,
    /// The most rows of garbage that enter after one lock; the rest waits. No limit where they enter at once.
    pub garbage_cap: u32,
}

impl Default for Rules {
    /// Five pieces shown, hold, the guideline's attacks; lines sent cancel garbage, which enters, whole, after a lock
    /// without a clear.
    fn default() -> Self {
        Self {
            next: 5,
            hold: true,
            attack: AttackTable::GUIDELINE,
            garbage_timing: GarbageTiming::AfterNonClearingLock,
            cancel: true,
            garbage_cap: u32::MAX,
        }
    }
}

/// One turn: hold or not, then a placement of the piece that is in play then. One turn holds at most once, as the
/// guideline has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Whether the piece in play goes to the hold first; the one held before, or the next, comes into play.
    pub hold: bool,
    /// Where that piece locks, and as what.
    pub placement: Placement,
}

impl From<Placement> for Move {
    /// Without hold.
    fn from(placement: Placement) -> Self {
        Self { hold: false, placement }
    }
}

impl fmt::Display for Move {
    /// As `hold T south 4 1 full`; neither `hold` nor the kind of spin where there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Placement { at, spin } = self.placement;
        write!(f, "{}{at}", if self.hold { "hold " } else { "" })?;
        if spin == Spin::None { Ok(()) } else { write!(f, " {spin}") }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TopOut {
    /// The next piece has no room where it spawns.
    Block,
    /// A piece locked wholly above row 20, whatever it cleared.
    Lock,
    /// Garbage would have pushed a cell through the ceiling.
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

/// What a turn did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LockResult {
    /// Lines, spin, perfect clear, combo and back-to-back.
    pub clear: Clear,
    /// Lines by the [attack table](Rules::attack).
    pub attack: u32,
    /// Lines of the attack that go to the opponent: what garbage that waited has left of it.
    pub sent: u32,
    /// Rows of garbage that entered.
    pub garbage_rows: u32,
    /// How the game ended, if it did.
    pub over: Option<TopOut>,
}

/// Why a game refused something. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(TopOut),
    /// A turn with hold in a game without.
    #[error("this game has no hold")]
    NoHold,
    /// A placement of a piece that isn't in play.
    #[error("expected a placement of {expected}, found one of {found}")]
    Piece {
        /// The piece in play, after the hold if the turn has one.
        expected: Piece,
        /// The placement's piece.
        found: Piece,
    },
    /// No key presses lead to the placement, or none with this kind of spin.
    #[error("{at} (spin: {spin}) can't be reached")]
    Unreachable {
        /// The location.
        at: Location,
        /// The kind of spin.
        spin: Spin,
    },
    /// An attack with its hole outside the field.
    #[error("expected a column below {WIDTH}, found {found}")]
    Column {
        /// The attack's column.
        found: u8,
    },
    /// A position with more pieces than the game shows.
    #[error("expected at most {max} pieces, found {found}")]
    Queue {
        /// The piece in play and the preview.
        max: usize,
        /// The pieces given.
        found: usize,
    },
}

/// A game to go on with: [`Game::from_position`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position<'a> {
    /// The locked cells.
    pub board: Board,
    /// The piece in play and those after it, as far as they are known.
    pub queue: &'a [Piece],
    /// The piece in the hold.
    pub hold: Option<Piece>,
    /// What is left of the bag after the last known piece.
    pub bag: Bag,
    /// Clears in a row up to now.
    pub combo: u32,
    /// Back-to-back clears in a row up to now.
    pub back_to_back: u32,
}

/// One player's side of a guideline game: board, queue, hold, bag, combo, back-to-back chain and garbage to come.
///
/// A plain value: the generator is the caller's, so that copies can be played on with draws of their own. Every piece
/// that comes into the queue takes one draw ([`Bag::draw`]), and nothing else takes any.
///
/// ```
/// use bitcore::Rng;
/// use tetris::{Game, Rules};
/// let mut rng = Rng::new(7);
/// let mut game = Game::new(Rules::default(), &mut rng);
/// // The lowest placement, now and then out of the hold.
/// while let Some(&lowest) = game.legal_moves().iter().min_by_key(|mv| mv.placement.at.y) {
///     let outcome = game.step(lowest, &mut rng)?;
///     assert_eq!(outcome.over, game.over());
/// }
/// assert!(game.over().is_some() && game.pieces() > 7);
/// # Ok::<(), tetris::GameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    rules: Rules,
    board: Board,
    /// The piece in play, then the preview, of which there is always one piece at least.
    queue: [Piece; 1 + MAX_NEXT],
    hold: Option<Piece>,
    bag: Bag,
    combo: u32,
    back_to_back: u32,
    garbage: GarbageQueue,
    pieces: u64,
    over: Option<TopOut>,
}

impl Game {
    /// A new game on an empty board.
    pub fn new(rules: Rules, rng: &mut Rng) -> Self {
        Self::start(rules, Position::default(), rng)
    }

    /// A game from a position. Pieces that the queue lacks are drawn. It is over at once if the spawn is blocked.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use tetris::{Board, Game, Piece, Position, Rules};
    /// let position = Position { queue: &[Piece::T, Piece::I], combo: 2, ..Position::default() };
    /// let game = Game::from_position(Rules { next: 1, ..Rules::default() }, position, &mut Rng::new(1))?;
    /// assert_eq!((game.piece(), game.next(), game.combo()), (Piece::T, &[Piece::I][..], 2));
    /// # Ok::<(), tetris::GameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`GameError::Queue`].
    pub fn from_position(rules: Rules, position: Position<'_>, rng: &mut Rng) -> Result<Self, GameError> {
        let (max, found) = (1 + rules.next.min(MAX_NEXT), position.queue.len());
        if found > max {
            return Err(GameError::Queue { max, found });
        }
        Ok(Self::start(rules, position, rng))
    }

    /// The queue isn't longer than the game's.
    fn start(rules: Rules, position: Position<'_>, rng: &mut Rng) -> Self {
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
            over: None,
        };
        for i in 0..game.queue_len() {
            game.queue[i] = known.get(i).copied().unwrap_or_else(|| game.bag.draw(rng));
        }
        game.spawn();
        game
    }

    /// What it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The locked cells.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The piece in play.
    #[inline]
    pub fn piece(&self) -> Piece {
        self.queue[0]
    }

    /// The pieces shown after it.
    pub fn next(&self) -> &[Piece] {
        &self.queue[1..=self.rules.next]
    }

    /// The piece in the hold.
    pub fn held(&self) -> Option<Piece> {
        self.hold
    }

    /// The piece that is in play after a hold. None in a game without.
    pub fn piece_after_hold(&self) -> Option<Piece> {
        self.rules.hold.then(|| self.hold.unwrap_or(self.queue[1]))
    }

    /// What is left of the bag after the last piece of the queue.
    pub fn bag(&self) -> Bag {
        self.bag
    }

    /// Clears in a row up to now.
    pub fn combo(&self) -> u32 {
        self.combo
    }

    /// Back-to-back clears in a row up to now; the next one pays more from 1 on.
    pub fn back_to_back(&self) -> u32 {
        self.back_to_back
    }

    /// The garbage that hasn't entered yet.
    pub fn garbage(&self) -> &GarbageQueue {
        &self.garbage
    }

    /// Pieces locked since the game began.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// How the game ended, if it has.
    pub fn over(&self) -> Option<TopOut> {
        self.over
    }

    /// Every turn that [`step`](Self::step) takes: those without hold, then those with; each by kind of spin, then by
    /// orientation, by column from the left, and from the top down. None once the game is over, one at least before.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves_on(Level::detect())
    }

    /// [`legal_moves`](Self::legal_moves) on a level.
    pub fn legal_moves_on(&self, level: Level) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.over.is_some() {
            return moves;
        }
        let pieces = [(false, Some(self.piece())), (true, self.piece_after_hold())];
        for (hold, piece) in pieces {
            if let Some(piece) = piece {
                let all = placements_on(level, &self.board, piece);
                moves.extend(all.iter().map(|placement| Move { hold, placement }));
            }
        }
        moves
    }

    /// Plays a turn: hold, lock, clear, attack, garbage, next piece.
    ///
    /// # Errors
    ///
    /// [`GameError::Over`]; [`GameError::NoHold`], [`GameError::Piece`] or [`GameError::Unreachable`] if the turn isn't
    /// [legal](Self::legal_moves). Nothing has changed then.
    pub fn step(&mut self, turn: impl Into<Move>, rng: &mut Rng) -> Result<LockResult, GameError> {
        self.play(Level::detect(), turn.into(), rng)
    }

    /// [`step`](Self::step) on a level.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn step_on(
        &mut self,
        level: Level,
        turn: impl Into<Move>,
        rng: &mut Rng,
    ) -> Result<LockResult, GameError> {
        self.play(level, turn.into(), rng)
    }

    fn play(&mut self, level: Level, turn: Move, rng: &mut Rng) -> Result<LockResult, GameError> {
        if let Some(over) = self.over {
            return Err(GameError::Over(over));
        }
        let piece = if turn.hold { self.piece_after_hold() } else { Some(self.piece()) };
        let expected = piece.ok_or(GameError::NoHold)?;
        let Placement { at, spin } = turn.placement;
        if at.piece != expected {
            return Err(GameError::Piece { expected, found: at.piece });
        }
        let canonical = Placement { at: at.canonical(), spin };
        let legal = placements_on(level, &self.board, expected);
        let is_legal = legal.iter().any(|placement| placement == canonical);
        let played = if is_legal { self.lock(level, turn, rng) } else { None };
        played.ok_or(GameError::Unreachable { at, spin })
    }

    /// Plays one of the [legal moves](Self::legal_moves), each with the same probability: [`Rng::below`] their number
    /// is its place among them, drawn before the pieces that come into the queue. None once the game is over.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use tetris::{Game, Rules};
    /// let mut rng = Rng::new(3);
    /// let mut game = Game::new(Rules::default(), &mut rng);
    /// while game.random_step(&mut rng).is_some() {}
    /// assert!(game.over().is_some());
    /// ```
    pub fn random_step(&mut self, rng: &mut Rng) -> Option<LockResult> {
        self.random_step_on(Level::detect(), rng)
    }

    /// [`random_step`](Self::random_step) on a level.
    pub fn random_step_on(&mut self, level: Level, rng: &mut Rng) -> Option<LockResult> {
        let moves = self.legal_moves_on(level);
        let turn = *moves.get(rng.below(moves.len() as u32) as usize)?;
        self.lock(level, turn, rng)
    }

    /// Takes an attack of the opponent's. It waits, or enters at once, as the rules say; returns the rows that entered.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use tetris::garbage::{Attack, GarbageTiming};
    /// use tetris::{Game, Rules};
    /// let mut game = Game::new(Rules { garbage_timing: GarbageTiming::Immediate, ..Rules::default() }, &mut Rng::new(1));
    /// assert_eq!(game.receive(Attack { lines: 2, column: 9 })?, 2);
    /// assert_eq!(game.board().to_string(), "#########.\n#########.");
    /// # Ok::<(), tetris::GameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`GameError::Over`] and [`GameError::Column`].
    pub fn receive(&mut self, attack: Attack) -> Result<u32, GameError> {
        if let Some(over) = self.over {
            return Err(GameError::Over(over));
        }
        if usize::from(attack.column) >= WIDTH {
            return Err(GameError::Column { found: attack.column });
        }
        self.garbage.push(attack);
        let mut garbage_rows = 0;
        if self.rules.garbage_timing == GarbageTiming::Immediate {
            garbage_rows = self.apply_garbage(u32::MAX);
            self.spawn();
        }
        Ok(garbage_rows)
    }

    /// Plays a turn that is legal. None, and no change, if its piece doesn't fit.
    pub(crate) fn lock(&mut self, level: Level, turn: Move, rng: &mut Rng) -> Option<LockResult> {
        let Placement { at, spin } = turn.placement;
        self.board = self.board.place(at)?;
        if turn.hold {
            // What was held locks, or else the next piece does: the one in play leaves the queue in any case.
            if self.hold.replace(self.piece()).is_none() {
                self.advance(rng);
            }
        }
        self.advance(rng);
        self.pieces += 1;

        let lines = self.board.clear_lines_on(level);
        let mut clear = Clear { lines, spin, perfect: self.board == Board::EMPTY, ..Clear::default() };
        if lines > 0 {
            clear.combo = self.combo.saturating_add(1);
            self.back_to_back =
                if clear.keeps_back_to_back() { self.back_to_back.saturating_add(1) } else { 0 };
            clear.back_to_back = self.back_to_back;
        }
        self.combo = clear.combo;
        let attack = self.rules.attack.attack(clear);
        let sent = if self.rules.cancel { self.garbage.cancel(attack) } else { attack };

        let mut garbage_rows = 0;
        if lowest_row(at) >= SKYLINE {
            self.over = Some(TopOut::Lock);
        } else {
            let enters = match self.rules.garbage_timing {
                GarbageTiming::AfterNonClearingLock => lines == 0,
                GarbageTiming::AfterEveryLock => true,
                GarbageTiming::Immediate => false,
            };
            if enters {
                garbage_rows = self.apply_garbage(self.rules.garbage_cap);
            }
            self.spawn();
        }
        Some(LockResult { clear, attack, sent, garbage_rows, over: self.over })
    }

    /// Pieces of the queue in use, that in play included.
    fn queue_len(&self) -> usize {
        1 + self.rules.next.max(1)
    }

    /// The next piece comes into play and another into the queue.
    fn advance(&mut self, rng: &mut Rng) {
        let queue_len = self.queue_len();
        self.queue.copy_within(1..queue_len, 0);
        self.queue[queue_len - 1] = self.bag.draw(rng);
    }

    /// Lets up to `most` rows of garbage in; returns how many came. The first attack that doesn't fit ends the game.
    fn apply_garbage(&mut self, max: u32) -> u32 {
        let mut garbage_rows = 0;
        while let Some(attack) = self.garbage.take(max - garbage_rows) {
            if !self.board.apply_garbage(attack) {
                self.over = Some(TopOut::Garbage);
                break;
            }
            garbage_rows += attack.lines;
        }
        garbage_rows
    }

    /// Ends the game if the piece in play has no room.
    fn spawn(&mut self) {
        if self.over.is_none() && !self.board.fits(Location::spawn(self.piece())) {
            self.over = Some(TopOut::Block);
        }
    }
}

/// The lowest row of the piece's cells.
pub(crate) fn lowest_row(at: Location) -> i32 {
    i32::from(at.y) + at.piece.shape(at.orientation).bottom
}

/// Every reachable placement, a T's once for each kind of spin.
pub(crate) fn placements_on(level: Level, board: &Board, piece: Piece) -> Placements {
    let mut placements = Placements::new();
    placements.fill_on(level, board, piece, SpinMode::TSpins);
    placements
}
