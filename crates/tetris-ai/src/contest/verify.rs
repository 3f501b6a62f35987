//! [`verify`]: what a record scores, from the rules alone.

use super::bound::bound;
use super::game::{Game, GameOver};
use super::record::Record;
use super::sequence::{PIECES, Sequence};
use std::ops::RangeInclusive;

/// How many key presses a piece may have. The last piece of a record may have none.
pub const KEY_PRESSES: RangeInclusive<u64> = 1..=100;

/// What a record made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The score.
    pub score: u64,
    /// The rows cleared.
    pub lines: u32,
    /// How many clears took one, two, three and four rows.
    pub clears: [u32; 4],
    /// The filled cells at these clears, summed: what their factors were multiplied with.
    pub cells_at_clears: [u64; 4],
    /// The pieces placed.
    pub pieces: usize,
    /// The pieces that locked in mid-air.
    pub floating_locks: u32,
    /// The most key presses that a piece took.
    pub max_key_presses: u64,
    /// The filled cells at the end.
    pub cells_left: u32,
    /// Why the game was over. `None`: the record ended first.
    pub over: Option<GameOver>,
    /// The [`bound`] of the placed pieces (the 10,000th, which can't score, left out).
    pub bound: u64,
}

impl GameResult {
    /// `score / bound`; 1 where nothing can be scored.
    pub fn ratio(&self) -> f64 {
        if self.bound == 0 { 1.0 } else { self.score as f64 / self.bound as f64 }
    }
}

/// Why a record of the right form breaks the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A piece has no key presses (and isn't the last), or more than 100.
    #[error("item {item}, piece {piece}: expected 1 to 100 key presses, found {presses}")]
    KeyPressCount {
        /// The item of the record that begins the piece, from 1.
        item: usize,
        /// The piece, from 1.
        piece: usize,
        /// Its key presses.
        presses: u64,
    },
}

/// Replays a record on a sequence. What follows the end of the game is neither played nor checked.
///
/// # Errors
///
/// The first piece whose key presses are too few or too many.
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
            return Err(VerifyError::KeyPressCount { item: record.item_of_piece(i), piece: i + 1, presses });
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
        cells_at_clears: game.cells_at_clears(),
        pieces: game.pieces(),
        floating_locks: game.floating_locks(),
        max_key_presses,
        cells_left: game.board().cells(),
        over: game.over(),
        bound: bound(&sequence.pieces()[..game.pieces().min(PIECES - 1)]),
    })
}
