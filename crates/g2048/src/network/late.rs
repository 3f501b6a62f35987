//! The late part of a game.

use crate::packed::Packed;
use bitcore::Rng;

/// The ranks of the tiles with which the late part starts, in a row from a corner.
const START: [u8; 3] = [14, 13, 12];

/// The sum of the tiles of [`START`], in tiles of the smallest.
const LATE_SUM: u32 = 7;

/// Returns whether a board belongs to the late part of a game: its tiles from 4096 on sum to at least
/// 28,672, that of a 16384, an 8192 and a 4096. Moves never undo this: merged tiles keep their sum.
///
/// ```
/// use g2048::{Packed, network::is_late};
/// let board = |first: u64| Packed::from_bits(0x1357_0000_0000_0000 | first);
/// assert!(is_late(board(0xcde)) && is_late(board(0xdde)) && is_late(board(0xf)));
/// assert!(!is_late(board(0xbde)));
/// ```
#[inline(always)]
pub const fn is_late(board: Packed) -> bool {
    let bits = board.bits();
    // One bit for each rank r from 12 on, and bits 0 and 1 of these ranks.
    let tiles = bits & bits >> 1 & 0x4444_4444_4444_4444;
    let bit_0 = tiles & bits << 2;
    let bit_1 = tiles & bits << 1;
    // 2^(r - 12) = 1 + bit 0 + 3 * bit 1 + 3 * bit 0 * bit 1.
    let more = bit_1.count_ones() + (bit_0 & bit_1).count_ones();
    tiles.count_ones() + bit_0.count_ones() + 3 * more >= LATE_SUM
}

/// Returns a board with the tiles of [`START`] and two others.
pub(super) fn late_start(rng: &mut Rng) -> Packed {
    let bits = START.iter().rev().fold(0, |bits, &rank| bits << 4 | u64::from(rank));
    let mut board = Packed::from_bits(bits);
    board.spawn(rng);
    board.spawn(rng);
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use bitcore::Rng;

    #[test]
    fn late_boards_are_told_by_their_sum() {
        let mut rng = Rng::new(1);
        let mut found = [0; 2];
        for _ in 0..10_000 {
            let kept = [u64::MAX, 0xffff, rng.next_u64()][rng.below(3) as usize];
            let board = Packed::from_bits(rng.next_u64() & kept);
            let large = Board::from(board).ranks().to_vec();
            let sum =
                large.iter().filter(|&&rank| rank >= 12).map(|&rank| 1u64 << rank).sum::<u64>();
            assert_eq!(is_late(board), sum >= 28_672, "{board}");
            found[usize::from(is_late(board))] += 1;
        }
        assert!(found.iter().all(|&boards| boards > 1000), "{found:?}");
    }
}
