//! An upper bound on the score of any game.

use super::game::multiplier;
use super::piece::OrientedPiece;

/// The maximum number of filled cells before a piece: nine in each of the rows 1..=19.
const MAX_CELLS: usize = 9 * 19;

/// Returns an upper bound on the score of the pieces, played from the empty board.
///
/// The bound comes from dynamic programming over the number of filled cells n, ignoring their
/// arrangement:
///
/// ```text
/// best[0] = 0                                          before the first piece; all other n are unreachable
/// for each piece, each reachable n and each k = 0..=the most rows of the piece (I: 4, O: 2, others: 3):
///     n' = n + 4 - 10 k                                only n' <= 171: nine cells in each of 19 rows
///     next[n'] = max(best[n] + m(k) (n + 4))           m = 0, 1, 3, 6, 10
/// ```
///
/// Every game is one path through this table, so no game scores more than its maximum. Pass only
/// pieces that score: the 10,000th piece of a game does not.
///
/// ```
/// use tetris_ai::contest::{Sequence, bound};
/// let sequence = Sequence::contest();
/// assert_eq!(bound(&sequence.pieces()[..9_999]), 1_516_598);
/// ```
pub fn bound(pieces: &[OrientedPiece]) -> u64 {
    bounds(pieces).last().copied().unwrap_or(0)
}

/// Returns the [`bound`] after each piece.
///
/// ```
/// use tetris_ai::contest::{Sequence, bound, bounds};
/// let sequence = Sequence::contest();
/// let pieces = &sequence.pieces()[..100];
/// let bounds = bounds(pieces);
/// assert_eq!((bounds.len(), bounds[0], bounds[49]), (100, 0, bound(&pieces[..50])));
/// ```
pub fn bounds(pieces: &[OrientedPiece]) -> Vec<u64> {
    let mut best: [Option<u64>; MAX_CELLS + 1] = [None; MAX_CELLS + 1];
    best[0] = Some(0);
    let mut bounds = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let mut next = [None; MAX_CELLS + 1];
        for (cells, score) in
            best.into_iter().enumerate().filter_map(|(cells, score)| Some((cells, score?)))
        {
            let placed = cells + 4;
            for lines in 0..=piece.max_lines() {
                let left = placed.checked_sub(10 * lines as usize);
                if let Some(slot) = left.and_then(|left| next.get_mut(left)) {
                    *slot = (*slot).max(Some(score + u64::from(multiplier(lines)) * placed as u64));
                }
            }
        }
        best = next;
        bounds.push(best.into_iter().flatten().max().unwrap_or(0));
    }
    bounds
}
