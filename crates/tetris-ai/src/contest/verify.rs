//! Scores a record by the rules alone.

use super::bound::bound;
use super::game::{Game, GameOver};
use super::record::Record;
use super::sequence::{PIECES, Sequence};
use std::ops::RangeInclusive;

/// The allowed numbers of key presses per piece. The last piece of a record may also have none.
pub const KEY_PRESSES: RangeInclusive<u64> = 1..=100;

/// The result of replaying a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameResult {
    /// The score.
    pub score: u64,
    /// The number of rows cleared.
    pub lines: u32,
    /// The numbers of single, double, triple and quad clears.
    pub clears: [u32; 4],
    /// The number of pieces placed.
    pub pieces: usize,
    /// The number of floating locks: pieces that locked in mid-air.
    pub floating_locks: u32,
    /// The maximum number of key presses for one piece.
    pub max_key_presses: u64,
    /// The number of filled cells at the end.
    pub cells_left: u32,
    /// The reason why the game ended, or `None` if the record ended first.
    pub over: Option<GameOver>,
    /// The [`bound`] for the placed pieces, without the 10,000th, which cannot score.
    pub bound: u64,
}

impl GameResult {
    /// Returns `score / bound`, or `None` if the bound is 0 because there are too few pieces to
    /// score.
    pub fn ratio(&self) -> Option<f64> {
        (self.bound > 0).then(|| self.score as f64 / self.bound as f64)
    }
}

/// A violation of the rules by a well-formed record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A piece with more than 100 key presses, or one without any that is not the last.
    #[error("item {item}, piece {piece}: expected 1 to 100 key presses, found {presses}")]
    KeyPressCount {
        /// The item that begins the piece, numbered from 1.
        item: usize,
        /// The piece, numbered from 1.
        piece: usize,
        /// The piece's number of key presses.
        presses: u64,
    },
}

impl VerifyError {
    /// Returns the item of the record, numbered from 1.
    pub const fn item(self) -> usize {
        match self {
            Self::KeyPressCount { item, .. } => item,
        }
    }
}

/// Replays a record with the pieces of a sequence and returns the result. Pieces after the end of
/// the game are neither played nor checked.
///
/// # Errors
///
/// [`VerifyError`] for the first piece with too few or too many key presses.
///
/// ```
/// use tetris_ai::contest::{Sequence, verify};
/// let report = verify(&"N,D19,N,L2,D3".parse()?, &Sequence::contest())?;
/// assert_eq!((report.score, report.pieces, report.floating_locks, report.cells_left), (0, 2, 1, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(record: &Record, sequence: &Sequence) -> Result<GameResult, VerifyError> {
    let mut game = Game::new(sequence);
    let mut max_key_presses = 0;
    for (i, turn) in record.turns().iter().enumerate() {
        let presses = turn.count();
        let last = i + 1 == record.turns().len();
        if !(KEY_PRESSES.contains(&presses) || (presses == 0 && last)) {
            return Err(VerifyError::KeyPressCount {
                item: record.item_of_piece(i),
                piece: i + 1,
                presses,
            });
        }
        max_key_presses = max_key_presses.max(presses);
        if game.play(turn).is_none() || game.over().is_some() {
            break;
        }
    }
    let clears = game.clears();
    Ok(GameResult {
        score: game.score(),
        lines: (1..).zip(clears).map(|(lines, clears)| lines * clears).sum(),
        clears,
        pieces: game.pieces(),
        floating_locks: game.floating_locks(),
        max_key_presses,
        cells_left: game.board().cells(),
        over: game.over(),
        bound: bound(&sequence.pieces()[..game.pieces().min(PIECES - 1)]),
    })
}
