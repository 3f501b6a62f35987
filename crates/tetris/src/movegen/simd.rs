//! [`SimdBlock`]: sixteen rows in one 256-bit register.
//!
//! ```text
//! lane       0      1      2    ..    9    10 .. 15     sixteen bits each
//!          column column column     column    zero
//! bit  0   row 15 row 15 row 15     row 15              a move to the side: lanes up or down
//!  ..                                                   a move up or down: bits of each lane right or left
//! bit 15   row  0 row  0 row  0     row  0
//! ```

use super::bitboard::{Bitboard, RowBlock, lanewise, ones_of_lanes};
use crate::board::WIDTH;
use crate::piece::{Orientation, Piece};
use bitcore::{Bytes, Isa, Lanes, U16s, U64s};

/// Sixteen rows of the field in one 256-bit register, one 16-bit lane per column.
#[derive(Clone, Copy)]
pub(crate) struct SimdBlock<S: Isa> {
    pub(crate) isa: S,
    pub(crate) lanes: S::U16x16,
}

const COLUMNS: [u16; 16] = [!0, !0, !0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0];

#[inline(always)]
fn quads<S: Isa>(isa: S, columns: &[u64; WIDTH]) -> [S::U64x4; 3] {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = *columns;
    [isa.u64x4(&[c0, c1, c2, c3]), isa.u64x4(&[c4, c5, c6, c7]), isa.u64x4(&[c6, c7, c8, c9])]
}

impl<S: Isa> SimdBlock<S> {
    /// Packs columns of 16 rows.
    #[inline(always)]
    fn from_quads(isa: S, quads: [S::U64x4; 3]) -> Self {
        // The halves of the register contain the columns 0 4 6 - 1 5 7 - and 2 6 8 - 3 7 9 -.
        let mixed = isa.bitcast_u64_u8(quads[0] | quads[1].shl::<16>() | quads[2].shl::<32>());
        // Sorts the columns and swaps the two bytes of each.
        let sorted = mixed.shuffle(isa.u8x32(&[
            1, 0, 9, 8, 128, 128, 128, 128, 3, 2, 11, 10, 5, 4, 13, 12, 5, 4, 13, 12, 128, 128,
            128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
        ])) | mixed.swap_halves().shuffle(isa.u8x32(&[
            128, 128, 128, 128, 1, 0, 9, 8, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
            128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
        ]));
        let reversed = reversed_bytes(isa, sorted);
        Self { isa, lanes: isa.bitcast_u64_u16(isa.bitcast_u8_u64(reversed)) }
    }
    #[inline(always)]
    fn with_lanes(self, lanes: S::U16x16) -> Self {
        Self { isa: self.isa, lanes }
    }
}

impl<S: Isa> RowBlock for SimdBlock<S> {
    type Token = S;
    type Words = [u64; 3];
    const ROWS: u32 = 16;
    const INLINE_ROTATIONS: bool = cfg!(not(target_arch = "wasm32"));
    const INLINE_STEPS: bool = true;

    #[inline(always)]
    fn splat(isa: S, rows: u64) -> Self {
        Self { isa, lanes: isa.splat_u16(rows as u16) & isa.u16x16(&COLUMNS) }
    }
    #[inline(always)]
    fn load(isa: S, columns: &[u64; WIDTH], base: u32) -> Self {
        let mut quads = quads(isa, columns);
        for quad in &mut quads {
            *quad = quad.shr_all(base) & isa.splat_u64(0xFFFF);
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
        self.with_lanes(self.lanes.slide_up::<COLUMNS>())
    }
    #[inline(always)]
    fn left<const COLUMNS: i32>(self) -> Self {
        self.with_lanes(self.lanes.slide_down::<COLUMNS>())
    }
    #[inline(always)]
    fn up<const ROWS: i32>(self) -> Self {
        self.with_lanes(self.lanes.shr::<ROWS>())
    }
    #[inline(always)]
    fn down<const ROWS: i32>(self) -> Self {
        self.with_lanes(self.lanes.shl::<ROWS>())
    }
    #[inline(always)]
    fn words(self) -> [u64; 3] {
        let [a, b, c, _] = self.isa.bitcast_u16_u64(self.lanes).to_array();
        [a, b, c]
    }
    #[inline(always)]
    fn count_all<const MAPS: usize>(maps: [Self; MAPS]) -> u32 {
        ones_of_lanes(
            maps[0].isa,
            maps.map(|map| map.isa.bitcast_u64_u8(map.isa.bitcast_u16_u64(map.lanes))),
        )
    }
    #[inline(always)]
    fn packed_rows(self, _: usize) -> [u64; 3] {
        self.words()
    }
    #[inline(always)]
    fn column(self, x: usize) -> u64 {
        self.words()[x / 4] >> (x % 4 * 16) & 0xFFFF
    }
    #[inline(always)]
    fn upright(self) -> [u64; WIDTH] {
        let isa = self.isa;
        let swapped = isa.bitcast_u64_u8(isa.bitcast_u16_u64(self.lanes)).shuffle(isa.u8x32(&[
            1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11,
            10, 13, 12, 15, 14,
        ]));
        let lanes =
            isa.bitcast_u64_u16(isa.bitcast_u8_u64(reversed_bytes(isa, swapped))).to_array();
        let mut columns = [0; WIDTH];
        for (column, lane) in columns.iter_mut().zip(lanes) {
            *column = lane.into();
        }
        columns
    }
}

impl<S: Isa, const N: usize> Bitboard<SimdBlock<S>, N> {
    /// Returns the field with a piece placed in it. `cells` has the piece's lowest row in bit 15
    /// and is moved up by `up` rows.
    #[inline(always)]
    pub(crate) fn with_piece(mut self, cells: &[u16; 16], up: u32) -> Self {
        let place = self.0[0].isa.u16x16(cells);
        // One of the two counts wraps to a large number, and shifting by that gives zero.
        self.0[0] = self.0[0].with_lanes(self.0[0].lanes | place.shr_all(up));
        if N > 1 {
            let here = place.shr_all(up.wrapping_sub(16)) | place.shl_all(16u32.wrapping_sub(up));
            self.0[1] = self.0[1].with_lanes(self.0[1].lanes | here);
        }
        self
    }

    #[inline(always)]
    pub(crate) fn full_rows(self, block: usize) -> u16 {
        let [a, b, c] = self.0[block].words();
        let four = a & b & (c | !0 << 32);
        let two = four & four >> 32;
        (two & two >> 16) as u16
    }

    /// Removes the row of a block at this bit. Rows above it, in lower bits, move down by one bit.
    #[inline(always)]
    pub(crate) fn without_row(mut self, block: usize, bit: u32) -> Self {
        for i in block..N {
            let mut down = self.0[i].lanes.shl::<1>();
            if i + 1 < N {
                down = down | self.0[i + 1].lanes.shr::<15>();
            }
            if i == block {
                let moving = self.0[i].isa.splat_u16(((2u32 << bit) - 1) as u16);
                down = moving.bitselect(down, self.0[i].lanes);
            }
            self.0[i] = self.0[i].with_lanes(down);
        }
        self
    }

    #[inline(always)]
    pub(crate) fn without_full_rows(self) -> (Self, u32) {
        let mut field = self;
        let mut lines = 0;
        // From the top down, because removing a row doesn't move the rows below it.
        for block in (0..N).rev() {
            let mut full = field.full_rows(block);
            lines += full.count_ones();
            while full != 0 {
                field = field.without_row(block, full.trailing_zeros());
                full &= full - 1;
            }
        }
        (field, lines)
    }
}

/// The cells of each piece, orientation and center column as lanes, the piece's lowest row in bit 15.
pub(crate) static PIECE_LANES: [[[[u16; 16]; WIDTH]; 4]; 7] = {
    let mut table = [[[[0; 16]; WIDTH]; 4]; 7];
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
            table[piece][r][x][column as usize] |= 0x8000 >> row;
        }
        i += 1;
    }
    table
};

/// Reverses the bits of each byte with a lookup table for nibbles.
#[inline(always)]
pub(super) fn reversed_bytes<S: Isa>(isa: S, bytes: S::U8x32) -> S::U8x32 {
    let nibble = isa.splat_u8(15);
    let low_nibbles = bytes & nibble;
    let high_nibbles = isa.bitcast_u64_u8(isa.bitcast_u8_u64(bytes).shr::<4>()) & nibble;
    isa.u8x32(&REVERSED_NIBBLES).shuffle(high_nibbles)
        | isa.u8x32(&REVERSED_NIBBLES_UP).shuffle(low_nibbles)
}

/// The numbers below 16 with their four bits reversed, once per half of the register.
const REVERSED_NIBBLES: [u8; 32] = reversed_nibbles(0);
/// The same, shifted into the upper half of the byte.
const REVERSED_NIBBLES_UP: [u8; 32] = reversed_nibbles(4);

const fn reversed_nibbles(shift: u32) -> [u8; 32] {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 32 {
        table[i] = ((i as u8 & 15).reverse_bits() >> 4) << shift;
        i += 1;
    }
    table
}
