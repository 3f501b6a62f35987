//! [`Neighbors`]: the contents of a point's four neighbors.

use crate::board::Color;

/// Two bits for each neighbor: those of the point below are the lowest, then left, right, above. 0 is empty, 1 a black
/// stone, 2 a white one, 3 the border.
///
/// Some of the neighbors are a set of bits 0, 2, 4 and 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbors(u32);

/// All neighbors.
const ALL: u32 = 0x55;

impl Neighbors {
    /// What stands beyond the edge.
    pub(super) const BORDER: u8 = 3;

    /// The contents of a point with a stone.
    #[inline(always)]
    pub(super) const fn stone_code(color: Color) -> u8 {
        color as u8 + 1
    }

    /// The byte of a point on the empty board, from whether it has a neighbor below, left, right, above.
    pub(super) const fn on_empty_board(sides: [bool; 4]) -> u8 {
        let (mut neighbors, mut side) = (0, 0);
        while side < 4 {
            if !sides[side] {
                neighbors |= Self::BORDER << (2 * side);
            }
            side += 1;
        }
        neighbors
    }

    /// What a neighbor's byte changes by when `color` puts a stone down or takes it off, seen from the stone on `side`.
    #[inline(always)]
    pub(super) const fn delta(side: usize, color: Color) -> u8 {
        Self::stone_code(color) << (2 * (3 - side))
    }

    /// From the byte.
    #[inline(always)]
    pub(super) const fn from_byte(byte: u8) -> Self {
        Self(byte as u32)
    }

    /// The neighbors that aren't empty.
    #[inline(always)]
    const fn occupied(self) -> u32 {
        (self.0 | self.0 >> 1) & ALL
    }

    /// Whether a neighbor is empty.
    #[inline(always)]
    pub(super) const fn has_empty(self) -> bool {
        self.occupied() != ALL
    }

    /// The number of empty neighbors.
    #[inline(always)]
    pub(super) const fn empty_count(self) -> u16 {
        /// By the byte: counting bits without an instruction for it takes longer.
        const EMPTY_COUNTS: [u8; 256] = {
            let (mut counts, mut byte) = ([0; 256], 0);
            while byte < 256 {
                counts[byte] = 4 - Neighbors(byte as u32).occupied().count_ones() as u8;
                byte += 1;
            }
            counts
        };
        EMPTY_COUNTS[(self.0 & 0xff) as usize] as u16
    }

    /// The neighbors with a stone of a color.
    #[inline(always)]
    pub(super) const fn stones(self, color: Color) -> u32 {
        let differ = self.0 ^ (ALL * Self::stone_code(color) as u32);
        ALL & !(differ | differ >> 1)
    }
}
