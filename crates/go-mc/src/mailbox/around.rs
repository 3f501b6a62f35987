//! [`Around`]: the contents of a point's four neighbors.

use crate::board::Color;

/// Two bits for each neighbor: those of the point below are the lowest, then left, right, above. 0 is empty, 1 a black
/// stone, 2 a white one, 3 the border.
///
/// Some of the neighbors are a set of bits 0, 2, 4 and 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Around(u32);

/// All neighbors.
const ALL: u32 = 0x55;

impl Around {
    /// What stands beyond the edge.
    pub(super) const BORDER: u8 = 3;

    /// The contents of a point with a stone.
    #[inline(always)]
    pub(super) const fn stone(color: Color) -> u8 {
        color as u8 + 1
    }

    /// The byte of a point on the empty board, from whether it has a neighbor below, left, right, above.
    pub(super) const fn on_board(sides: [bool; 4]) -> u8 {
        let (mut around, mut side) = (0, 0);
        while side < 4 {
            if !sides[side] {
                around |= Self::BORDER << (2 * side);
            }
            side += 1;
        }
        around
    }

    /// What a neighbor's byte changes by when `color` puts a stone down or takes it off, seen from the stone on `side`.
    #[inline(always)]
    pub(super) const fn change(side: usize, color: Color) -> u8 {
        Self::stone(color) << (2 * (3 - side))
    }

    /// From the byte.
    #[inline(always)]
    pub(super) const fn of(byte: u8) -> Self {
        Self(byte as u32)
    }

    /// The neighbors that aren't empty.
    #[inline(always)]
    const fn full(self) -> u32 {
        (self.0 | self.0 >> 1) & ALL
    }

    /// Whether a neighbor is empty.
    #[inline(always)]
    pub(super) const fn has_empty(self) -> bool {
        self.full() != ALL
    }

    /// The number of empty neighbors.
    #[inline(always)]
    pub(super) const fn empties(self) -> u16 {
        /// By the byte: counting bits without an instruction for it takes longer.
        const EMPTIES: [u8; 256] = {
            let (mut empties, mut byte) = ([0; 256], 0);
            while byte < 256 {
                empties[byte] = 4 - Around(byte as u32).full().count_ones() as u8;
                byte += 1;
            }
            empties
        };
        EMPTIES[(self.0 & 0xff) as usize] as u16
    }

    /// The neighbors with a stone of a color.
    #[inline(always)]
    pub(super) const fn stones(self, color: Color) -> u32 {
        let differ = self.0 ^ (ALL * Self::stone(color) as u32);
        ALL & !(differ | differ >> 1)
    }
}
