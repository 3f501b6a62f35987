//! Gravity: pieces fall in words of columns, with the bottom cell of a column in its lowest bit.
//!
//! Without blocked cells, a column of n pieces comes to rest in its n lowest bits. Let `pieces` be
//! the cells with a piece and `rest` the n lowest bits of each column:
//!
//! ```text
//! for each plane:
//!     plane = pdep(pext(plane, pieces), rest)
//!
//! column, top first     plane  1 0 . 1 .     . is a gap
//!                      pieces  1 1 0 1 0     pext collects the bits of the pieces, lowest first: 1 0 1
//!                        rest  0 0 1 1 1     pdep deposits them into the bits of `rest`, lowest first
//!                       after  . . 1 0 1
//! ```
//!
//! Both masks have the same number of bits in each column, so one PEXT and one PDEP move all
//! columns of a word: pieces keep their order and stay in their columns. New pieces are one more
//! PDEP, into the cells outside `rest`. [`resting_cells_with`] computes `rest` with a table lookup
//! on the number of pieces in each column.
//!
//! Where PEXT is slow, four boards fall together with [`ColumnsOfPieces`]. There, single boards
//! fall one cell at a time with [`fall_by_steps`], as do boards with blocked cells everywhere.

use super::board_words::BoardWords;
use bitcore::{Bytes, Isa, Lanes, U64s};

/// The resting cells of a column of n pieces, for n up to eight. The table is repeated because a
/// shuffle looks up within each half of a register.
const AT_REST: [u8; 32] = {
    let mut table = [0; 32];
    let mut n = 0;
    while n < 32 {
        table[n] = if n % 16 < 8 { (1 << (n % 16)) - 1 } else { 0xff };
        n += 1;
    }
    table
};

const OTHER_BYTE_OF_PAIR: [u8; 32] = {
    let mut index = [0; 32];
    let mut i = 0;
    while i < 32 {
        index[i] = (i as u8 ^ 1) % 16;
        i += 1;
    }
    index
};

/// Returns the cells where the pieces of four words come to rest if nothing is blocked: as many
/// cells per column as it has pieces, from the bottom.
#[inline(always)]
pub(crate) fn resting_cells_with<S: Isa, W: BoardWords>(isa: S, pieces: S::U64x4) -> S::U64x4 {
    let mut counts = isa.bitcast_u64_u8(pieces).count_ones();
    if W::SIDE == 16 {
        // The lower byte of a column takes up to eight pieces, the upper byte the rest.
        let both = counts + counts.shuffle(isa.u8x32(&OTHER_BYTE_OF_PAIR));
        let eight = isa.splat_u8(8);
        let upper = isa.bitcast_u64_u8(isa.splat_u64(0xff00_ff00_ff00_ff00));
        counts = upper.bitselect(both.max(eight) - eight, both.min(eight));
    }
    isa.bitcast_u8_u64(isa.u8x32(&AT_REST).shuffle(counts))
}

/// The pieces of four words with columns of eight cells, and how far each falls.
///
/// PEXT followed by PDEP, in lanes: a piece falls by the number of gaps below it in its column, one
/// step per binary digit of that number.
#[derive(Clone, Copy)]
pub(crate) struct ColumnsOfPieces<S: Isa> {
    pieces: S::U64x4,
    /// The binary digits of the number of gaps below each cell.
    digits: [S::U64x4; 3],
}

impl<S: Isa> ColumnsOfPieces<S> {
    #[inline(always)]
    pub(crate) fn new(isa: S, pieces: S::U64x4) -> Self {
        let gaps = !pieces;
        let ones = parity_below::<S>(isa, gaps);
        let carries = gaps & ones;
        let twos = parity_below::<S>(isa, carries);
        // Counting carries again leaves at most one gap per column, the fourth. The digit is set in
        // all cells above it.
        let fourth = isa.bitcast_u64_u8((carries & twos).shl::<1>()) & isa.splat_u8(0xfe);
        let fours = isa.bitcast_u8_u64(isa.splat_u8(0) - fourth);
        Self { pieces, digits: [ones, twos, fours] }
    }

    /// Lets the bits at the pieces fall.
    #[inline(always)]
    pub(crate) fn close(&self, words: S::U64x4) -> S::U64x4 {
        let [ones, twos, fours] = self.digits;
        let words = words & self.pieces;
        let moving = words & ones;
        let words = (words ^ moving) | moving.shr::<1>();
        let moving = words & twos;
        let words = (words ^ moving) | moving.shr::<2>();
        let moving = words & fours;
        (words ^ moving) | moving.shr::<4>()
    }
}

/// Returns, for each cell, the parity of the set bits below it in its column of eight.
#[inline(always)]
fn parity_below<S: Isa>(isa: S, words: S::U64x4) -> S::U64x4 {
    let parity = words.shl::<1>() & isa.splat_u64(0xfefe_fefe_fefe_fefe);
    let parity = parity ^ (parity.shl::<1>() & isa.splat_u64(0xfefe_fefe_fefe_fefe));
    let parity = parity ^ (parity.shl::<2>() & isa.splat_u64(0xfcfc_fcfc_fcfc_fcfc));
    parity ^ (parity.shl::<4>() & isa.splat_u64(0xf0f0_f0f0_f0f0_f0f0))
}

const fn bottom_row<W: BoardWords>() -> u64 {
    if W::SIDE == 8 { 0x0101_0101_0101_0101 } else { 0x0001_0001_0001_0001 }
}

/// Lets the pieces fall without PEXT, between blocked cells. Returns the cells with a piece
/// afterwards.
///
/// Each round moves all pieces above the lowest gap of their column, up to the next blocked cell,
/// down by one. The number of rounds is the longest fall, usually one.
#[inline(never)]
pub(crate) fn fall_by_steps<W: BoardWords, const P: usize>(
    planes: &mut [u64; P],
    mut pieces: u64,
    inside: u64,
    blocked: u64,
) -> u64 {
    let not_top = !(bottom_row::<W>() << (W::SIDE - 1));
    loop {
        let moving = fill_up::<W>(inside & !pieces & !blocked, !blocked);
        if moving & pieces == 0 {
            return pieces;
        }
        let sunk = |word: u64| (word & !moving) | (((word & moving) >> 1) & not_top & moving);
        for plane in planes.iter_mut() {
            *plane = sunk(*plane);
        }
        pieces = sunk(pieces);
    }
}

/// Returns the cells of `from` and the cells above them in the same column, up to the first cell
/// not in `through` (an [occluded fill](https://www.chessprogramming.org/Kogge-Stone_Algorithm)).
#[inline(always)]
const fn fill_up<W: BoardWords>(from: u64, through: u64) -> u64 {
    let mut filled = from;
    let mut free = through & !bottom_row::<W>();
    filled |= free & (filled << 1);
    free &= free << 1;
    filled |= free & (filled << 2);
    free &= free << 2;
    filled |= free & (filled << 4);
    if W::SIDE == 16 {
        free &= free << 4;
        filled |= free & (filled << 8);
    }
    filled
}

/// Returns the empty cells that new pieces can reach: the ones without a blocked cell above.
#[inline(always)]
pub(crate) const fn open_to_top<W: BoardWords>(empty: u64, blocked: u64) -> u64 {
    let mut covered = blocked;
    let mut step = 1;
    while step < W::SIDE {
        // The bits of a column that a move down by `step` can reach.
        let column = if W::SIDE == 8 { 0xff } else { 0xffff_u64 } >> step;
        covered |= (covered >> step) & (bottom_row::<W>() * column);
        step *= 2;
    }
    empty & !covered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::four_words::FourWords;
    use alloc::vec::Vec;
    use bitcore::{Rng, dispatch};

    /// Moves each piece of a column, listed bottom first, down while the cell below it is empty.
    fn by_hand(cells: &mut [Option<u32>], blocked: u64, shift: u32) {
        for from in 1..cells.len() {
            let is_blocked = |i: usize| blocked >> (shift + i as u32) & 1 == 1;
            let mut at = from;
            while at > 0 && cells[at].is_some() && cells[at - 1].is_none() && !is_blocked(at - 1) {
                cells.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    fn falls<W: BoardWords>() {
        let mut rng = Rng::new(5);
        for case in 0..20_000 {
            let height = 1 + rng.below(W::SIDE as u32);
            let inside = bottom_row::<W>() * ((1 << height) - 1);
            let blocked = if case % 2 == 0 { 0 } else { inside & rng.next_u64() & rng.next_u64() };
            let pieces = inside & !blocked & (rng.next_u64() | rng.next_u64());
            let numbers = [rng.next_u64() & pieces, rng.next_u64() & pieces];
            let mut expected = [0; 2];
            let mut rest = 0;
            for shift in (0..64).step_by(W::SIDE) {
                let number =
                    |bit: u32| (0..2).fold(0, |n, k| n | (numbers[k] >> bit & 1) << k) as u32;
                let bits = shift..shift + height;
                let mut column: Vec<_> =
                    bits.map(|bit| (pieces >> bit & 1 == 1).then(|| number(bit))).collect();
                by_hand(&mut column, blocked, shift);
                for (i, piece) in column.into_iter().enumerate() {
                    let bit = shift + i as u32;
                    rest |= u64::from(piece.is_some()) << bit;
                    for (k, plane) in expected.iter_mut().enumerate() {
                        *plane |= u64::from(piece.unwrap_or(0) >> k & 1) << bit;
                    }
                }
            }
            let mut planes = numbers;
            assert_eq!(fall_by_steps::<W, 2>(&mut planes, pieces, inside, blocked), rest);
            assert_eq!(planes, expected);
            if blocked == 0 {
                testkit::on_each_level(|| {
                    let words = dispatch!(isa => resting_cells_with::<_, W>(isa, isa.splat_u64(pieces)).to_array());
                    assert_eq!(words, [rest; 4]);
                    if W::SIDE == 8 {
                        let close = |word| {
                            dispatch!(isa + slow_pext + v4 => {
                                ColumnsOfPieces::new(isa, isa.splat_u64(pieces)).close(isa.splat_u64(word)).to_array()
                            })
                        };
                        assert_eq!(numbers.map(close), expected.map(|plane| [plane; 4]));
                    }
                });
            }
        }
    }

    #[test]
    fn pieces_fall_as_by_hand() {
        falls::<u64>();
        falls::<FourWords>();
    }

    #[test]
    fn new_pieces_stop_at_blocked_cells() {
        assert_eq!(open_to_top::<u64>(0b1110_0110, 0b0001_0000), 0b1110_0000);
        assert_eq!(open_to_top::<u64>(0xff, 0), 0xff);
        assert_eq!(
            open_to_top::<FourWords>(0xffff_fffe_7fff, 0x1_8000),
            0xffff_fffe_0000 & !0x1_ffff
        );
    }
}
