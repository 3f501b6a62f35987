//! [`Neighbors`]: the contents of a point's four neighbors in one byte.
//!
//! ```text
//! bits 7 6 | 5 4   | 3 2  | 1 0            0 empty   1 black   2 white   3 border
//!     above | right | left | below
//!
//! empty  = neither bit of a pair is set;   black = 01;   white = 10
//! ```
//!
//! A set of sides is a mask of bits 0 (below), 2 (left), 4 (right) and 6 (above).

use crate::rules::board::Color;

/// The contents of the four neighbors, two bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbors(u32);

const ALL: u32 = 0x55;

impl Neighbors {
    /// The contents of a cell beyond the edge.
    pub(super) const BORDER: u8 = 3;

    #[inline(always)]
    pub(super) const fn stone_code(color: Color) -> u8 {
        color as u8 + 1
    }

    /// Returns the byte of a point on the empty board. `sides` says whether it has a neighbor
    /// below, left, right and above.
    pub(super) const fn on_empty_board(sides: [bool; 4]) -> u8 {
        let mut neighbors = 0;
        let mut side = 0;
        while side < 4 {
            if !sides[side] {
                neighbors |= Self::BORDER << (2 * side);
            }
            side += 1;
        }
        neighbors
    }

    /// Returns the bits that flip in the byte of the neighbor on `side` when `color` places or
    /// removes a stone.
    #[inline(always)]
    pub(super) const fn delta(side: usize, color: Color) -> u8 {
        Self::stone_code(color) << (2 * (3 - side))
    }

    #[inline(always)]
    pub(super) const fn from_byte(byte: u8) -> Self {
        Self(byte as u32)
    }

    #[inline(always)]
    const fn occupied(self) -> u32 {
        (self.0 | self.0 >> 1) & ALL
    }

    #[inline(always)]
    pub(super) const fn has_empty(self) -> bool {
        self.occupied() != ALL
    }

    #[inline(always)]
    pub(super) const fn empty_count(self) -> u16 {
        /// A table by byte, because counting bits is slower on CPUs without a population count.
        const EMPTY_COUNTS: [u8; 256] = {
            let mut counts = [0; 256];
            let mut byte = 0;
            while byte < 256 {
                counts[byte] = 4 - Neighbors(byte as u32).occupied().count_ones() as u8;
                byte += 1;
            }
            counts
        };
        EMPTY_COUNTS[(self.0 & 0xff) as usize] as u16
    }

    #[inline(always)]
    pub(super) const fn stones(self, color: Color) -> u32 {
        let differ = self.0 ^ (ALL * Self::stone_code(color) as u32);
        ALL & !(differ | differ >> 1)
    }
}
