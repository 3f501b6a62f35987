//! [`bound`]: what no game can exceed.

use super::game::multiplier;
use super::piece::Piece;

/// The most cells before a piece: rows 1..=19 with at most nine filled cells each.
const MAX_CELLS: usize = 9 * 19;

/// An upper bound of the score that these pieces can make from the empty board.
///
/// Dynamic programming over the number of filled cells alone: before a piece at most 171 cells are filled, a piece adds
/// four and removes k full rows for m(k) times the cells, at most four rows with an I, two with an O, three with the
/// others. Every game is such a path. Pass the pieces that score: the 10,000th of a game doesn't.
///
/// ```
/// use tetris_ai::contest::{Sequence, bound};
/// let sequence = Sequence::contest();
/// assert_eq!(bound(&sequence.pieces()[..9_999]), 1_516_598);
/// ```
pub fn bound(pieces: &[Piece]) -> u64 {
    let mut best: [Option<u64>; MAX_CELLS + 1] = [None; MAX_CELLS + 1];
    best[0] = Some(0);
    for piece in pieces {
        let mut next = [None; MAX_CELLS + 1];
        for (cells, score) in best.into_iter().enumerate().filter_map(|(cells, score)| Some((cells, score?)))
        {
            let placed = cells + 4;
            for lines in 0..=piece.shape().max_lines() {
                let left = placed.checked_sub(10 * lines as usize);
                if let Some(slot) = left.and_then(|left| next.get_mut(left)) {
                    *slot = (*slot).max(Some(score + u64::from(multiplier(lines)) * placed as u64));
                }
            }
        }
        best = next;
    }
    best.into_iter().flatten().max().unwrap_or(0)
}
