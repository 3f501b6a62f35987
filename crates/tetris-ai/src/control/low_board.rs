//! The board value of low boards, with all columns and the right wall in one register of 16 lanes.
//!
//! Lane x is column x, bit y = row y from the floor; lanes 10..=15 are wall, all bits set:
//!
//! ```text
//! lane     0    1   ..   9 | 10  ..  15
//! bit 15   0    0   ..   0 |  1  ..   1     always empty in the field: pieces stay below row 15
//!  ..      .    .        . |  1       1
//! bit 1    x    x   ..   x |  1  ..   1     row 1
//! bit 0    x    x   ..   x |  1  ..   1     row 0, the lowest
//! ```
//!
//! Each feature takes a few operations on the whole register and a population count. `left` and
//! `right` are the columns shifted by one lane, walls included; `under` has every bit at or below
//! the top of its column set:
//!
//! ```text
//! row transitions      ones(cells ^ left)                  + 2 for each row above
//! column transitions   ones(cells ^ (cells << 1 | floor))
//! holes                ones(covered),  covered = under & !cells
//! hole depth           ones(cells & (cells + 1))           the carry removes the run of cells on the floor
//! rows with holes      ones(OR of all lanes of covered)
//! cumulative wells     well = left & right & !cells
//!                      repeat { sum += ones(well); well = well >> 1 & !cells } until well is empty
//! pattern diversity    heights = ones(under); a byte shuffle turns each step -2..=2 into a bit;
//!                      ones(OR of all lanes)
//! ```

use super::drops::ControllerDrop;
use super::weights::ControllerWeights;
use crate::columns::{COLUMNS, Columns};
use bitcore::{Bytes, Isa, Lanes, U16s, U64s};
use tetris::{Features, Piece};

const BITS: u32 = u16::BITS;

const WALLS: [u16; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, !0, !0, !0, !0, !0, !0];

const LEFT_WALL: [u16; 16] = [!0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// A mask that makes every lookup without a height step yield 0. Lanes from 9 on have no column to
/// their right: index 15 maps to no step. The upper byte of every lane is not a height: its top bit
/// makes the shuffle yield 0.
const NO_STEP: [u16; 16] = {
    let mut none = [0x8000; 16];
    let mut x = COLUMNS - 1;
    while x < 16 {
        none[x] = 0x800F;
        x += 1;
    }
    none
};

/// The shuffle's lookup table by step + 2: one bit for each step from -2 to 2, 0 for larger steps.
const STEPS: [u8; 32] = [
    1, 2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,
];

/// A board filled only below row 11.
#[derive(Clone, Copy)]
pub(super) struct LowBoard<S: Isa> {
    isa: S,
    /// The columns from the left, then the right wall. Bit 15 of a column is empty even with a
    /// piece placed, so shifting up by one row loses no cell.
    cells: S::U16x16,
}

impl<S: Isa> LowBoard<S> {
    /// Returns the board, or `None` if a piece on it could reach row 15.
    #[inline(always)]
    pub(super) fn new(isa: S, field: &Columns) -> Option<Self> {
        let mut lanes = WALLS;
        let mut all = 0;
        for (lane, &column) in lanes.iter_mut().zip(field.columns()) {
            *lane = column as u16;
            all |= column;
        }
        (all < 1 << (BITS - 1 - 4)).then(|| Self { isa, cells: isa.u16x16(&lanes) })
    }

    #[inline(always)]
    pub(super) fn value_after(
        &self,
        weights: &ControllerWeights,
        piece: Piece,
        drop: ControllerDrop,
    ) -> i32 {
        let lanes = &drop.columns(piece).lanes;
        let mut piece = [0; 16];
        let start = 16 - usize::from(drop.left);
        piece.copy_from_slice(&lanes[start..start + 16]);
        let mut cells = self.cells | self.isa.u16x16(&piece).shl_all(drop.bottom.into());
        if drop.full_rows != 0 {
            cells = self.without_rows(cells, drop.full_rows);
        }
        self.board_value(weights, cells)
    }

    #[inline(always)]
    fn without_rows(&self, mut cells: S::U16x16, mut rows: u32) -> S::U16x16 {
        while rows != 0 {
            // Highest row first: removing it moves none of the other full rows.
            let row = rows.ilog2();
            cells = self.isa.splat_u16((1 << row) - 1).bitselect(cells, cells.shr::<1>());
            rows &= !(1 << row);
        }
        cells | self.isa.u16x16(&WALLS)
    }

    #[inline(always)]
    fn board_value(&self, weights: &ControllerWeights, cells: S::U16x16) -> i32 {
        let isa = self.isa;
        let floor = isa.splat_u16(1);
        let left = cells.slide_up::<1>() | isa.u16x16(&LEFT_WALL);
        let under = cells | cells.shr::<1>();
        let under = under | under.shr::<2>();
        let under = under | under.shr::<4>();
        let under = under | under.shr::<8>();
        let covered = under.and_not(cells);

        // Four counts packed into one word, 16 bits each: the register has 256 bits.
        let rows = self.sums(self.ones(cells ^ left));
        let columns = self.sums(self.ones(cells ^ (cells.shl::<1>() | floor)));
        let holes = self.sums(self.ones(covered));
        let depth = self.sums(self.ones(cells & (cells + floor)));
        let counts = rows | columns.shl::<16>() | holes.shl::<32>() | depth.shl::<48>();
        let [a, b, c, d] = counts.to_array();
        let counts = a + b + c + d;
        let count = |i: u32| (counts >> (16 * i) & 0xFFFF) as u32;

        let [a, b, c, d] = isa.bitcast_u16_u64(covered).to_array();
        let rows_with_holes = fold(a | b | c | d).count_ones();

        weights.board_value(&Features {
            // The rows of a `tetris` board above the lanes are empty, with two transitions each.
            row_transitions: count(0) + 2 * (tetris::Board::HEIGHT as u32 - BITS),
            column_transitions: count(1),
            covered_cells: count(2),
            hole_depth: count(3),
            cumulative_wells: self.cumulative_wells(cells, left),
            rows_with_holes,
            pattern_diversity: self.pattern_diversity(under),
            ..Features::default()
        })
    }

    #[inline(always)]
    fn cumulative_wells(&self, cells: S::U16x16, left: S::U16x16) -> u32 {
        // Each round moves every well cell down by one until it meets a filled cell or the floor.
        let mut well = (left & cells.slide_down::<1>()).and_not(cells);
        let mut counts = self.isa.splat_u8(0);
        while !well.is_zero() {
            // No overflow: each of at most 16 rounds adds at most 8 to a byte.
            counts = counts + self.ones(well);
            well = well.shr::<1>().and_not(cells);
        }
        let [a, b, c, d] = self.sums(counts).to_array();
        (a + b + c + d) as u32
    }

    /// `under` has every column filled up to its top.
    #[inline(always)]
    fn pattern_diversity(&self, under: S::U16x16) -> u32 {
        let isa = self.isa;
        let halves = isa.bitcast_u64_u16(isa.bitcast_u8_u64(self.ones(under)));
        let heights = (halves + halves.shr::<8>()) & isa.splat_u16(0xFF);
        let steps = heights.slide_down::<1>() + isa.splat_u16(2) - heights;
        // Steps below -2 wrap around to large numbers.
        let steps = steps.min(isa.splat_u16(15)) | isa.u16x16(&NO_STEP);
        let bits = isa.u8x32(&STEPS).shuffle(isa.bitcast_u64_u8(isa.bitcast_u16_u64(steps)));
        let [a, b, c, d] = isa.bitcast_u8_u64(bits).to_array();
        fold(a | b | c | d).count_ones()
    }

    #[inline(always)]
    fn ones(&self, lanes: S::U16x16) -> S::U8x32 {
        self.isa.bitcast_u64_u8(self.isa.bitcast_u16_u64(lanes)).count_ones()
    }

    #[inline(always)]
    fn sums(&self, bytes: S::U8x32) -> S::U64x4 {
        self.isa.bitcast_u8_u64(bytes.sums_of_8())
    }
}

/// Returns the OR of the four 16-bit parts of a word.
#[inline(always)]
const fn fold(word: u64) -> u16 {
    let half = word | word >> 32;
    (half | half >> 16) as u16
}
