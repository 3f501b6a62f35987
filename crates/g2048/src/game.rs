//! [`Game`]: one game and its score.

use crate::board::{Board, Size};
use crate::direction::Direction;
use crate::packed::Packed;
use crate::rules::Rules;
use bitcore::{RandomSource, Rng};

/// A single game: the board, the score, and the number of moves.
///
/// The caller owns the random generator, so a search that plays on a clone of the game can't see
/// the tiles to come. The draws are the same as in a [`Batch`](crate::Batch): two
/// [spawns](Board::spawn) at the start, then one per move.
///
/// A game can start from any board: `Game::from(board)` has score 0.
///
/// ```
/// use g2048::{Game, Rng, Rules};
/// let mut rng = Rng::new(2048);
/// let mut game = Game::new(Rules::default(), &mut rng);
/// while let Some(&direction) = game.legal_moves().first() {
///     game.play(direction, &mut rng)?;
/// }
/// println!("{}\nscore {}", game.board(), game.score());
/// assert!(game.is_over() && game.score() > 0);
/// # Ok::<(), g2048::IllegalMove>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    // Play preserves two bounds, which rule out overflow: the score is at most the board's
    // potential, and the number of moves at most half the sum of the tiles.
    score: u64,
    moves: u64,
    position: Position,
}

/// A position in the form in which play is fastest. A board that can be packed is packed, so equal
/// positions have equal forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Packed(Packed),
    Board(Board),
}

impl From<Board> for Position {
    #[inline(always)]
    fn from(board: Board) -> Self {
        Packed::of(&board).map_or(Self::Board(board), Self::Packed)
    }
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The sum of the merged tiles, added to the score.
    pub gain: u64,
    /// The cell of the spawned tile, row-major.
    pub new_tile: usize,
}

/// The error for a move that changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{direction}: expected a direction in which a tile moves")]
pub struct IllegalMove {
    /// The rejected direction.
    pub direction: Direction,
}

impl Game {
    /// Starts a game with two tiles on an empty board.
    pub fn new(rules: impl Into<Rules>, rng: &mut (impl RandomSource + ?Sized)) -> Self {
        Board::start(rules.into().size, rng).into()
    }

    /// Slides all tiles in a direction and spawns a tile on a random empty cell.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] if no tile moves; the game is then unchanged, and nothing is drawn.
    pub fn play(
        &mut self,
        direction: Direction,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<Outcome, IllegalMove> {
        let outcome = if let Position::Packed(board) = &mut self.position
            && let Some(slide) = board.slide(direction)
        {
            if !slide.changed {
                return Err(IllegalMove { direction });
            }
            *board = slide.board;
            // Never full: a tile that moves or merges leaves its cell empty.
            let new_tile = board.spawn(rng).unwrap_or_default() as usize;
            Outcome { gain: slide.gain.into(), new_tile }
        } else {
            self.play_board(direction, rng)?
        };
        self.score += outcome.gain;
        self.moves += 1;
        Ok(outcome)
    }

    /// Plays a move on a board that isn't packed, or no longer is; leaves out the score.
    fn play_board(
        &mut self,
        direction: Direction,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<Outcome, IllegalMove> {
        let mut slide = match &self.position {
            Position::Packed(board) => board.board().slide(direction),
            Position::Board(board) => board.slide(direction),
        };
        if !slide.changed {
            return Err(IllegalMove { direction });
        }
        // Never full: a tile that moves or merges leaves its cell empty.
        let new_tile = slide.board.spawn(rng).unwrap_or_default();
        // Too large to be packed: no tile ever gets smaller.
        self.position = Position::Board(slide.board);
        Ok(Outcome { gain: slide.gain, new_tile })
    }

    /// Plays uniformly random legal moves until the game is over.
    ///
    /// Each move draws `below(legal moves)`, an index into the [legal moves](Self::legal_moves),
    /// then makes the draws of [`Board::spawn`].
    ///
    /// ```
    /// use g2048::{Board, Game, Rng};
    /// let board: Board = "2 4 8 16 \n . 2 4 8 \n . . 2 2 \n . . . 4".parse()?;
    /// let mut game = Game::from(board);
    /// game.play_out(&mut Rng::new(1));
    /// assert!(game.is_over() && game.score() > 0);
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn play_out(&mut self, rng: &mut Rng) {
        loop {
            let legal = self.legal_moves();
            if legal.is_empty() {
                return;
            }
            // Never fails: the move is legal.
            let _ = self.play(legal[rng.below(legal.len() as u32) as usize], rng);
        }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        let size = match &self.position {
            Position::Packed(_) => Size::CLASSIC,
            Position::Board(board) => board.size(),
        };
        Rules { size }
    }

    /// Returns the position.
    #[inline]
    pub fn board(&self) -> Board {
        match self.position {
            Position::Packed(board) => board.board(),
            Position::Board(board) => board,
        }
    }

    /// Returns the position in 64 bits, in which a 4x4 game keeps it, or `None` if it isn't 4x4 or
    /// has a tile above 32768.
    ///
    /// ```
    /// use g2048::{Game, Packed, Rng, Rules};
    /// let game = Game::new(Rules::default(), &mut Rng::new(1));
    /// assert_eq!(game.packed().map(Packed::empty_cells), Some(14));
    /// ```
    #[inline]
    pub const fn packed(&self) -> Option<Packed> {
        match self.position {
            Position::Packed(board) => Some(board),
            Position::Board(_) => None,
        }
    }

    /// Returns the score: the sum of the gains of all moves.
    pub const fn score(&self) -> u64 {
        self.score
    }

    /// Returns the number of moves played.
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the legal moves, in the order of [`Direction::ALL`].
    #[inline]
    pub fn legal_moves(&self) -> &'static [Direction] {
        match &self.position {
            Position::Packed(board) => board.legal_moves(),
            Position::Board(board) => board.legal_moves(),
        }
    }

    /// Returns `true` if no move is legal.
    #[inline]
    pub fn is_over(&self) -> bool {
        match &self.position {
            Position::Packed(board) => board.is_over(),
            Position::Board(board) => board.is_over(),
        }
    }

    pub(crate) fn resume(board: Board, score: u64, moves: u64) -> Self {
        Self { score, moves, position: board.into() }
    }
}

impl From<Board> for Game {
    /// Returns a game that starts from this board.
    fn from(board: Board) -> Self {
        Self::resume(board, 0, 0)
    }
}
