//! [`Game`]: one game and its score.

use crate::board::Board;
use crate::packed::Packed;
use crate::rules::Rules;
use crate::slide::Direction;
use alloc::vec::Vec;
use bitcore::RandomSource;

/// A single game: the board, the score, and the number of moves.
///
/// The caller owns the random generator, so a search that plays on a clone of the game can't see the tiles to
/// come. The draws are the same as in a [`Batch`](crate::Batch): two [spawns](Board::spawn) at the start,
/// then one per move.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Game {
    // Play preserves two bounds, which rule out overflow: the score is at most the board's potential, and the
    // number of moves at most half the sum of the tiles.
    pub(crate) score: u64,
    pub(crate) moves: u64,
    pub(crate) board: Board,
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
        if let Ok(packed) = Packed::try_from(&self.board)
            && let Some(slide) = packed.slide(direction)
        {
            if !slide.changed {
                return Err(IllegalMove { direction });
            }
            let mut board = slide.board;
            let new_tile = board.spawn(rng).unwrap_or_default() as usize;
            self.board = board.board();
            self.score += u64::from(slide.gain);
            self.moves += 1;
            return Ok(Outcome { gain: slide.gain.into(), new_tile });
        }
        let slide = self.board.slide(direction);
        if !slide.changed {
            return Err(IllegalMove { direction });
        }
        self.board = slide.board;
        self.score += slide.gain;
        self.moves += 1;
        // Never full: a tile that moves or merges leaves its cell empty.
        let new_tile = self.board.spawn(rng).unwrap_or_default();
        Ok(Outcome { gain: slide.gain, new_tile })
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        Rules { size: self.board.size() }
    }

    /// Returns the position.
    pub const fn board(&self) -> &Board {
        &self.board
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
    pub fn legal_moves(&self) -> Vec<Direction> {
        self.board.legal_moves().collect()
    }

    /// Returns `true` if no move is legal.
    pub fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// Reconstructs a game that started on an empty board from its current position and its number of spawned
    /// 4s.
    ///
    /// Each spawn adds 2 or 4 to the sum of the tiles and no slide changes it, so there were sum / 2 - fours
    /// spawns. The first two weren't moves.
    #[inline(always)]
    pub(crate) fn from_last_board(board: Board, fours: u64) -> Self {
        let sum: u64 = board.tiles().sum();
        Self { score: board.potential() - 4 * fours, moves: sum / 2 - fours - 2, board }
    }
}

impl From<Board> for Game {
    /// Returns a game that starts from this board.
    fn from(board: Board) -> Self {
        Self { score: 0, moves: 0, board }
    }
}
