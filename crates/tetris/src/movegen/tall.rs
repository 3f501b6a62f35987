//! [`TallBlock`]: twenty rows in one 256-bit register.
//!
//! ```text
//! lane           0          1          2          3     64 bits each
//! bits  0 .. 20  column 0   column 1   column 2   column 3
//! bits 21 .. 41  column 4   column 5   column 6   column 7
//! bits 42 .. 62  column 8   column 9   zero       zero
//!
//! bits  0 .. 19 of a field: rows 19 .. 0       bit 20: zero
//! ```
//!
//! A move to the side rotates the lanes and shifts the wrapped ones by a field. The zero bits act
//! as the floor: they stop carries, and whatever a one-row move leaves in them disappears in the
//! next AND with a bitboard whose zero bits are zero. A move by several rows masks out what crosses
//! into the next field.

use super::bitboard::{Bitboard, RowBlock, lanewise, ones_of_lanes};
use super::simd::reversed_bytes;
use crate::board::WIDTH;
use crate::piece::{Orientation, Piece};
use bitcore::{Bytes, Isa, Lanes, U64s};

/// Twenty rows of the field in one 256-bit register, three columns per lane.
#[derive(Clone, Copy)]
pub(crate) struct TallBlock<S: Isa> {
    isa: S,
    lanes: S::U64x4,
}

/// The bits of a field: twenty rows and the zero bit.
const FIELD: u32 = 21;
const ROWS: u64 = (1 << 20) - 1;
/// Bit 0 of each field.
const EACH: u64 = 1 | 1 << FIELD | 1 << (2 * FIELD);

/// Returns the same rows in each of the ten columns.
const fn columns(rows: u64) -> [u64; 4] {
    let three = (rows & ROWS) * EACH;
    let two = three & ((1 << (2 * FIELD)) - 1);
    [three, three, two, two]
}

/// Returns the shift counts that move the lanes below `N` by one field.
const fn first<const N: i32>() -> [u64; 4] {
    let mut counts = [0; 4];
    let mut i = 0;
    while i < N as usize {
        counts[i] = FIELD as u64;
        i += 1;
    }
    counts
}

/// Returns the shift counts that move the last `N` lanes by one field.
const fn last<const N: i32>() -> [u64; 4] {
    let [a, b, c, d] = first::<N>();
    [d, c, b, a]
}

#[inline(always)]
fn quads<S: Isa>(isa: S, columns: &[u64; WIDTH]) -> [S::U64x4; 3] {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = *columns;
    [isa.u64x4(&[c0, c1, c2, c3]), isa.u64x4(&[c4, c5, c6, c7]), isa.u64x4(&[c8, c9, 0, 0])]
}

impl<S: Isa> TallBlock<S> {
    /// Packs columns of 20 rows.
    #[inline(always)]
    fn from_quads(isa: S, quads: [S::U64x4; 3]) -> Self {
        // Reversing the bits of each lane gives the block's order.
        let mixed = quads[0].shl::<44>() | quads[1].shl::<23>() | quads[2].shl::<2>();
        Self { isa, lanes: reversed_lanes(isa, mixed) }
    }
    #[inline(always)]
    fn with_lanes(self, lanes: S::U64x4) -> Self {
        Self { isa: self.isa, lanes }
    }
    #[inline(always)]
    fn in_rows(self, rows: [u64; 4]) -> Self {
        self.with_lanes(self.lanes & self.isa.u64x4(&rows))
    }
}

impl<S: Isa> RowBlock for TallBlock<S> {
    type Token = S;
    type Words = [u64; 4];
    const ROWS: u32 = 20;
    const INLINE_ROTATIONS: bool = cfg!(not(target_arch = "wasm32"));
    const INLINE_STEPS: bool = true;

    #[inline(always)]
    fn splat(isa: S, rows: u64) -> Self {
        let rows = (rows & ROWS) * EACH;
        Self { isa, lanes: isa.splat_u64(rows) & isa.u64x4(&const { columns(!0) }) }
    }
    #[inline(always)]
    fn load(isa: S, columns: &[u64; WIDTH], base: u32) -> Self {
        let mut quads = quads(isa, columns);
        for quad in &mut quads {
            *quad = quad.shr_all(base) & isa.splat_u64(ROWS);
        }
        Self::from_quads(isa, quads)
    }
    #[inline(always)]
    fn load_low(isa: S, columns: &[u64; WIDTH]) -> Self {
        Self::from_quads(isa, quads(isa, columns))
    }
    lanewise!();
    #[inline(always)]
    fn right<const COLUMNS: i32>(self) -> Self {
        let rotated = self.isa.rotate_lanes_u64::<COLUMNS>(self.lanes);
        self.with_lanes(rotated.shl_each(self.isa.u64x4(&const { first::<COLUMNS>() })))
    }
    #[inline(always)]
    fn left<const COLUMNS: i32>(self) -> Self {
        let rotated = match COLUMNS {
            1 => self.isa.rotate_lanes_u64::<3>(self.lanes),
            2 => self.isa.rotate_lanes_u64::<2>(self.lanes),
            _ => self.isa.rotate_lanes_u64::<1>(self.lanes),
        };
        self.with_lanes(rotated.shr_each(self.isa.u64x4(&const { last::<COLUMNS>() })))
    }
    #[inline(always)]
    fn up<const ROWS: i32>(self) -> Self {
        let moved = self.with_lanes(self.lanes.shr::<ROWS>());
        if ROWS == 1 { moved } else { moved.in_rows(const { columns(self::ROWS >> ROWS) }) }
    }
    #[inline(always)]
    fn down<const ROWS: i32>(self) -> Self {
        let moved = self.with_lanes(self.lanes.shl::<ROWS>());
        if ROWS == 1 { moved } else { moved.in_rows(const { columns(self::ROWS << ROWS) }) }
    }
    #[inline(always)]
    fn words(self) -> [u64; 4] {
        self.lanes.to_array()
    }
    #[inline(always)]
    fn count_all<const MAPS: usize>(maps: [Self; MAPS]) -> u32 {
        ones_of_lanes(maps[0].isa, maps.map(|map| map.isa.bitcast_u64_u8(map.lanes)))
    }
    #[inline(always)]
    fn packed_rows(self, i: usize) -> [u64; 3] {
        let word = |field: usize| {
            let mut word = 0;
            for (lane, by) in self.words().into_iter().zip([0, 16, 32, 48]) {
                let rows = lane >> (FIELD as usize * field) & ROWS;
                word |= if i == 0 { rows >> 4 } else { (rows & 15) << 12 } << by;
            }
            word
        };
        [word(0), word(1), word(2)]
    }
    #[inline(always)]
    fn column(self, x: usize) -> u64 {
        self.words()[x % 4] >> (FIELD as usize * (x / 4)) & ROWS
    }
    #[inline(always)]
    fn upright(self) -> [u64; WIDTH] {
        let lanes = reversed_lanes(self.isa, self.lanes);
        let rows = self.isa.splat_u64(ROWS);
        let [c0, c1, c2, c3] = lanes.shr::<44>().to_array();
        let [c4, c5, c6, c7] = (lanes.shr::<23>() & rows).to_array();
        let [c8, c9, ..] = (lanes.shr::<2>() & rows).to_array();
        [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9]
    }
}

impl<S: Isa> Bitboard<TallBlock<S>, 1> {
    /// `x` is the column of the center. All cells of the piece must be in the field.
    #[inline(always)]
    pub(crate) fn with_piece(
        self,
        piece: Piece,
        orientation: usize,
        x: usize,
        bottom: u32,
    ) -> Self {
        let [block] = self.0;
        let cells = block.isa.u64x4(&PIECE_LANES[piece as usize][orientation][x]);
        Self([block.with_lanes(block.lanes | cells.shr_all(bottom))])
    }

    #[inline(always)]
    pub(crate) fn without_full_rows(self) -> (Self, u32) {
        let [mut block] = self.0;
        let [a, b, c, d] = block.words();
        let three = a & b & (c & d | ROWS << (2 * FIELD));
        let mut full = three & three >> FIELD & three >> (2 * FIELD) & ROWS;
        let lines = full.count_ones();
        // From the top down, because removing a row doesn't move the rows below it.
        while full != 0 {
            // Rows above the full one, in lower bits, move down by one bit.
            let moved = block.isa.splat_u64((full ^ (full - 1)) * EACH);
            block = block.with_lanes(moved.bitselect(block.lanes.shl::<1>(), block.lanes));
            full &= full - 1;
        }
        (Self([block]), lines)
    }
}

#[inline(always)]
fn reversed_lanes<S: Isa>(isa: S, lanes: S::U64x4) -> S::U64x4 {
    let bytes = isa.bitcast_u64_u8(lanes).shuffle(isa.u8x32(&[
        7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13,
        12, 11, 10, 9, 8,
    ]));
    isa.bitcast_u8_u64(reversed_bytes(isa, bytes))
}

/// Returns the column and the row for a bit of a lane.
#[inline(always)]
pub(crate) fn center(lane: usize, bit: u32) -> (usize, u32) {
    let field = bit / FIELD;
    (lane + 4 * field as usize, 19 - (bit - FIELD * field))
}

/// The cells of each piece, orientation and center column as lanes, the piece's lowest row in row 0.
static PIECE_LANES: [[[[u64; 4]; WIDTH]; 4]; 7] = {
    let mut table = [[[[0; 4]; WIDTH]; 4]; 7];
    let mut i = 0;
    while i < 7 * 4 * WIDTH * 4 {
        let piece = i / (16 * WIDTH);
        let r = i / (4 * WIDTH) % 4;
        let x = i / 4 % WIDTH;
        let cell = i % 4;
        let orientation = Orientation::ALL[r];
        let (dx, dy) = Piece::ALL[piece].cells(orientation)[cell];
        let column = x as i32 + dx;
        if 0 <= column && column < WIDTH as i32 {
            let row = dy - Piece::ALL[piece].shape(orientation).bottom;
            let column = column as usize;
            table[piece][r][x][column % 4] |=
                1 << (FIELD as usize * (column / 4) + 19 - row as usize);
        }
        i += 1;
    }
    table
};
