//! The value of boards whose stack is low: all columns and both walls in one register of 16 lanes.

use super::drops::Drop;
use super::weights::Weights;
use crate::columns::Columns;
use crate::contest::{COLUMNS, ROWS};
use bitcore::{Bytes, Isa, Lanes, U16s, U64s};
use tetris::Piece;

/// Bits of a lane.
const BITS: u32 = u16::BITS;

/// The lanes behind the field are wall.
const WALLS: [u16; 16] = {
    let mut walls = [0; 16];
    let mut x = COLUMNS;
    while x < 16 {
        walls[x] = !0;
        x += 1;
    }
    walls
};

/// The wall to the left of column 0.
const LEFT_WALL: [u16; 16] = {
    let mut wall = [0; 16];
    wall[0] = !0;
    wall
};

/// Where no column of the field follows: beyond any step in height that counts. In the upper bytes, which hold no height,
/// the top bit makes a look-up give 0.
const NO_STEP: [u16; 16] = {
    let mut none = [0x8000; 16];
    let mut x = COLUMNS - 1;
    while x < 16 {
        none[x] = 0x800F;
        x += 1;
    }
    none
};

/// One bit for each step from -2 to 2, by step + 2; nothing for larger ones.
const STEPS: [u8; 32] = {
    let mut steps = [0; 32];
    let mut i = 0;
    while i < 5 {
        (steps[i], steps[16 + i]) = (1 << i, 1 << i);
        i += 1;
    }
    steps
};

/// A low board.
#[derive(Clone, Copy)]
pub(super) struct Low<S: Isa> {
    isa: S,
    /// The columns from the left, then walls. Bit 15 is empty with any piece placed, so that what is above each cell
    /// stays in the lane.
    cells: S::U16x16,
}

impl<S: Isa> Low<S> {
    /// None if a piece could reach row 15.
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

    /// What the weights give the board after a drop: its part of the value.
    #[inline(always)]
    pub(super) fn value(&self, weights: &Weights, piece: Piece, drop: Drop) -> i32 {
        let lanes = &drop.form(piece).lanes;
        let mut piece = [0; 16];
        let start = 16 - usize::from(drop.left);
        piece.copy_from_slice(&lanes[start..start + 16]);
        let mut cells = self.cells | self.isa.u16x16(&piece).shl_all(drop.bottom.into());
        if drop.full != 0 {
            cells = self.without(cells, drop.full);
        }
        self.value_of(weights, cells)
    }

    #[inline(always)]
    fn without(&self, mut cells: S::U16x16, mut rows: u32) -> S::U16x16 {
        while rows != 0 {
            // The highest first: it moves no row that is still to go.
            let row = rows.ilog2();
            cells = self.isa.splat_u16((1 << row) - 1).bitselect(cells, cells.shr::<1>());
            rows &= !(1 << row);
        }
        cells | self.isa.u16x16(&WALLS)
    }

    #[inline(always)]
    fn value_of(&self, weights: &Weights, cells: S::U16x16) -> i32 {
        let isa = self.isa;
        let floor = isa.splat_u16(1);
        let left = cells.slide_up::<1>() | isa.u16x16(&LEFT_WALL);
        let under = cells | cells.shr::<1>();
        let under = under | under.shr::<2>();
        let under = under | under.shr::<4>();
        let under = under | under.shr::<8>();
        let covered = under.and_not(cells);

        // Four counts, 16 bits each: a board has 256 bits.
        let rows = self.sums(self.ones(cells ^ left));
        let columns = self.sums(self.ones(cells ^ (cells.shl::<1>() | floor)));
        let holes = self.sums(self.ones(covered));
        let depth = self.sums(self.ones(cells & (cells + floor)));
        let counts = rows | columns.shl::<16>() | holes.shl::<32>() | depth.shl::<48>();
        let [a, b, c, d] = counts.to_array();
        let counts = a + b + c + d;
        let count = |i: u32| (counts >> (16 * i) & 0xFFFF) as i32;

        let [a, b, c, d] = isa.bitcast_u16_u64(covered).to_array();
        let rows_with_holes = fold(a | b | c | d).count_ones() as i32;

        // Two transitions in each of the rows above.
        let row_transitions = count(0) + 2 * (ROWS as i32 - BITS as i32);
        2 * (weights.row_transitions * row_transitions
            + weights.column_transitions * count(1)
            + weights.holes * count(2)
            + weights.hole_depth * count(3)
            + weights.cumulative_wells * self.cumulative_wells(cells, left)
            + weights.rows_with_holes * rows_with_holes
            + weights.pattern_diversity * self.pattern_diversity(under))
    }

    #[inline(always)]
    fn cumulative_wells(&self, cells: S::U16x16, left: S::U16x16) -> i32 {
        // Every well cell goes down by one cell a round, until it meets a filled one or the floor.
        let mut well = (left & cells.slide_down::<1>()).and_not(cells);
        let mut counts = self.isa.splat_u8(0);
        while !well.is_zero() {
            // A byte gets at most 8 in each of 16 rounds.
            counts = counts + self.ones(well);
            well = well.shr::<1>().and_not(cells);
        }
        let [a, b, c, d] = self.sums(counts).to_array();
        (a + b + c + d) as i32
    }

    /// Of the columns with all that is under their tops filled.
    #[inline(always)]
    fn pattern_diversity(&self, under: S::U16x16) -> i32 {
        let isa = self.isa;
        let halves = isa.bitcast_u64_u16(isa.bitcast_u8_u64(self.ones(under)));
        let heights = (halves + halves.shr::<8>()) & isa.splat_u16(0xFF);
        let steps = heights.slide_down::<1>() + isa.splat_u16(2) - heights;
        // What is below -2 has become large too.
        let steps = steps.min(isa.splat_u16(15)) | isa.u16x16(&NO_STEP);
        let bits = isa.u8x32(&STEPS).shuffle(isa.bitcast_u64_u8(isa.bitcast_u16_u64(steps)));
        let [a, b, c, d] = isa.bitcast_u8_u64(bits).to_array();
        fold(a | b | c | d).count_ones() as i32
    }

    /// The set bits of each byte.
    #[inline(always)]
    fn ones(&self, lanes: S::U16x16) -> S::U8x32 {
        self.isa.bitcast_u64_u8(self.isa.bitcast_u16_u64(lanes)).count_ones()
    }

    /// The bytes of each word added up.
    #[inline(always)]
    fn sums(&self, bytes: S::U8x32) -> S::U64x4 {
        self.isa.bitcast_u8_u64(bytes.sums_of_8())
    }
}

/// The four quarters of a word in one.
#[inline(always)]
const fn fold(word: u64) -> u16 {
    let half = word | word >> 32;
    (half | half >> 16) as u16
}
