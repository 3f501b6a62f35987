//! [`Start`]: the position from which the games of a seed start.

use crate::board::{Board, Size, tile};
use crate::direction::Direction;
use crate::game::{Game, IllegalMove};
use crate::packed::Packed;
use crate::stats::Stats;
use bitcore::Rng;

/// A position, and what turns the last board of a game from here into its score and length.
///
/// A slide raises a board's potential by its gain, a spawned 4 raises it by 4, and a spawned 2
/// leaves it unchanged: the score is the difference of the potentials minus 4 per spawned 4. Each
/// spawn adds 2 or 4 to the sum of the tiles, and no slide changes it: half the difference of the
/// sums, minus one per spawned 4, is the number of spawns.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) board: Board,
    /// A board of 4x4 with larger tiles as 32768s.
    pub(crate) packed: Packed,
    /// The number of tiles that spawn before the first slide.
    pub(crate) spawns: usize,
    /// The score of a game that ends on a board without tiles, which wraps.
    score: u64,
    /// The moves of a game that ends on a board without tiles, which wrap.
    moves: u64,
}

impl Start {
    /// Returns the start of an ordinary game: two spawns, which aren't moves.
    pub(crate) const fn empty(size: Size) -> Self {
        let board = Board::empty(size);
        let packed = Packed::EMPTY;
        Self { board, packed, spawns: 2, score: 0, moves: 0u64.wrapping_sub(2) }
    }

    pub(crate) fn game(game: &Game) -> Self {
        Self::at(game.board(), 0, game.score())
    }

    /// Returns the position between the slide and the spawn of a move.
    pub(crate) fn after_move(game: &Game, direction: Direction) -> Result<Self, IllegalMove> {
        let slide = game.board().slide(direction);
        if !slide.changed {
            return Err(IllegalMove { direction });
        }
        Ok(Self::at(slide.board, 1, game.score() + slide.gain))
    }

    fn at(board: Board, spawns: usize, score: u64) -> Self {
        let moves = board.tiles().sum::<u64>() / 2;
        Self {
            board,
            packed: Packed::clamped(&board),
            spawns,
            score: score.wrapping_sub(board.potential()),
            moves: 0u64.wrapping_sub(moves),
        }
    }

    /// Returns the first board of a game, with the draws of [`Board::spawn`], and its number of
    /// spawned 4s.
    pub(super) fn spawn(&self, rng: &mut Rng) -> (Board, u64) {
        let mut board = self.board;
        let mut fours = 0;
        for _ in 0..self.spawns {
            let cell = board.spawn(rng).unwrap_or_default();
            fours += u64::from(board.ranks()[cell] == 2);
        }
        (board, fours)
    }

    /// Adds a game, given by the ranks of its last board and its number of spawned 4s.
    #[inline(always)]
    pub(crate) fn finish(&self, ranks: impl Iterator<Item = u8>, fours: u64, stats: &mut Stats) {
        let mut sums = [self.score.wrapping_sub(4 * fours), self.moves.wrapping_sub(fours)];
        let mut largest = 0;
        for rank in ranks {
            for (sum, of_tile) in sums.iter_mut().zip(TILES[usize::from(rank % 64)]) {
                *sum = sum.wrapping_add(of_tile);
            }
            largest = largest.max(rank);
        }
        let [score, moves] = sums;
        stats.add(score, moves, largest);
    }
}

/// The potential of each rank's tile, and half its value.
static TILES: [[u64; 2]; 64] = {
    let mut tiles = [[0; 2]; 64];
    let mut rank = 1;
    while rank < 64 {
        tiles[rank as usize] = [(rank - 1) << rank, tile(rank as u8) / 2];
        rank += 1;
    }
    tiles
};
