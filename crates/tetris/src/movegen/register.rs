//! [`Register`]: a band in vector lanes.

use super::field::{Band, Field};
use crate::board::WIDTH;
use crate::piece::{Orientation, Piece};
use bitcore::{Bytes, Isa, Lanes, U16s, U64s};

/// A band in one register of 256 bits.
#[derive(Clone, Copy)]
pub(crate) struct Register<S: Isa> {
    pub(crate) isa: S,
    pub(crate) lanes: S::U16x16,
}

/// The ten columns among the sixteen lanes.
const COLUMNS: [u16; 16] = [!0, !0, !0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0];

impl<S: Isa> Register<S> {
    #[inline(always)]
    fn with(self, lanes: S::U16x16) -> Self {
        Self { isa: self.isa, lanes }
    }
}

impl<S: Isa> Band for Register<S> {
    type Token = S;
    type Words = [u64; 3];
    const ROWS: u32 = 16;
    const TURNS_IN_LINE: bool = true;

    #[inline(always)]
    fn splat(isa: S, rows: u64) -> Self {
        Self { isa, lanes: isa.splat_u16(rows as u16) & isa.u16x16(&COLUMNS) }
    }
    #[inline(always)]
    fn load(isa: S, columns: &[u64; WIDTH], base: u32, low: bool) -> Self {
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = *columns;
        let mut quads =
            [isa.u64x4(&[c0, c1, c2, c3]), isa.u64x4(&[c4, c5, c6, c7]), isa.u64x4(&[c6, c7, c8, c9])];
        if !low {
            for quad in &mut quads {
                *quad = quad.shr_all(base) & isa.splat_u64(0xFFFF);
            }
        }
        // Columns 0 4 6 - 1 5 7 - and 2 6 8 - 3 7 9 - in the two halves.
        let mixed = isa.bitcast_u64_u8(quads[0] | quads[1].shl::<16>() | quads[2].shl::<32>());
        // Into order, the high byte of each column first.
        let sorted = mixed.shuffle(isa.u8x32(&[
            1, 0, 9, 8, 128, 128, 128, 128, 3, 2, 11, 10, 5, 4, 13, 12, 5, 4, 13, 12, 128, 128, 128, 128,
            128, 128, 128, 128, 128, 128, 128, 128,
        ])) | mixed.swap_halves().shuffle(isa.u8x32(&[
            128, 128, 128, 128, 1, 0, 9, 8, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
            128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
        ]));
        // The bits of each byte in reverse order, by nibbles.
        let nibble = isa.splat_u8(15);
        let low_nibbles = sorted & nibble;
        let high_nibbles = isa.bitcast_u64_u8(isa.bitcast_u8_u64(sorted).shr::<4>()) & nibble;
        let reversed = isa.u8x32(&REVERSED_NIBBLES).shuffle(high_nibbles)
            | isa.u8x32(&REVERSED_NIBBLES_UP).shuffle(low_nibbles);
        Self { isa, lanes: isa.bitcast_u64_u16(isa.bitcast_u8_u64(reversed)) }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.with(self.lanes & other.lanes)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.with(self.lanes | other.lanes)
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self.with(self.lanes.and_not(other.lanes))
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.with(self.lanes + other.lanes)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.lanes.is_zero()
    }
    #[inline(always)]
    fn right<const COLUMNS: i32>(self) -> Self {
        self.with(self.lanes.slide_up::<COLUMNS>())
    }
    #[inline(always)]
    fn left<const COLUMNS: i32>(self) -> Self {
        self.with(self.lanes.slide_down::<COLUMNS>())
    }
    #[inline(always)]
    fn up<const ROWS: i32>(self) -> Self {
        self.with(self.lanes.shr::<ROWS>())
    }
    #[inline(always)]
    fn down<const ROWS: i32>(self) -> Self {
        self.with(self.lanes.shl::<ROWS>())
    }
    #[inline(always)]
    fn words(self) -> [u64; 3] {
        let [a, b, c, _] = self.isa.bitcast_u16_u64(self.lanes).to_array();
        [a, b, c]
    }
    #[inline(always)]
    fn sixteen(self, _: usize) -> [u64; 3] {
        self.words()
    }
    #[inline(always)]
    fn column(self, x: usize) -> u64 {
        self.words()[x / 4] >> (x % 4 * 16) & 0xFFFF
    }
}

impl<S: Isa, const N: usize> Field<Register<S>, N> {
    /// With the cells of a piece too, which come with its lowest row in bit 15, `up` rows further up.
    #[inline(always)]
    pub(crate) fn with_piece(mut self, cells: &[u16; 16], up: u32) -> Self {
        let place = self.0[0].isa.u16x16(cells);
        // One of the counts is negative, which is far too much.
        self.0[0] = self.0[0].with(self.0[0].lanes | place.shr_all(up));
        if N > 1 {
            let here = place.shr_all(up.wrapping_sub(16)) | place.shl_all(16u32.wrapping_sub(up));
            self.0[1] = self.0[1].with(self.0[1].lanes | here);
        }
        self
    }

    /// The full rows of a band, by their bits.
    #[inline(always)]
    pub(crate) fn full_rows(self, band: usize) -> u16 {
        let [a, b, c] = self.0[band].words();
        let four = a & b & (c | !0 << 32);
        let two = four & four >> 32;
        (two & two >> 16) as u16
    }

    /// Without one row of a band, given by its bit; what is above it moves down.
    #[inline(always)]
    pub(crate) fn without_row(mut self, band: usize, bit: u32) -> Self {
        for i in band..N {
            let mut down = self.0[i].lanes.shl::<1>();
            if i + 1 < N {
                down = down | self.0[i + 1].lanes.shr::<15>();
            }
            if i == band {
                let moving = self.0[i].isa.splat_u16(((2u32 << bit) - 1) as u16);
                down = moving.bitselect(down, self.0[i].lanes);
            }
            self.0[i] = self.0[i].with(down);
        }
        self
    }

    /// Without its full rows, and how many there were.
    #[inline(always)]
    pub(crate) fn cleared(self) -> (Self, u32) {
        let (mut field, mut lines) = (self, 0);
        // From the top down: what is below a line doesn't move with it.
        for band in (0..N).rev() {
            let mut full = field.full_rows(band);
            lines += full.count_ones();
            while full != 0 {
                field = field.without_row(band, full.trailing_zeros());
                full &= full - 1;
            }
        }
        (field, lines)
    }

    /// As columns with bit 0 at the bottom.
    #[inline(always)]
    pub(crate) fn to_columns(self) -> [u64; WIDTH] {
        let mut columns = [0; WIDTH];
        for (x, column) in columns.iter_mut().enumerate() {
            *column = self.column(x).reverse_bits() >> (u64::BITS - Self::ROWS);
        }
        columns
    }
}

/// The cells of a piece by orientation and column of its center, its lowest row in bit 15 of each lane.
pub(crate) static CELLS: [[[[u16; 16]; WIDTH]; 4]; 7] = {
    let mut table = [[[[0; 16]; WIDTH]; 4]; 7];
    let mut i = 0;
    while i < 7 * 4 * WIDTH * 4 {
        let (piece, r, x, cell) = (i / (16 * WIDTH), i / (4 * WIDTH) % 4, i / 4 % WIDTH, i % 4);
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

/// Each number below 16 with its four bits in reverse order, once for each half of the lanes.
const REVERSED_NIBBLES: [u8; 32] = reversed_nibbles(0);
/// The same in the upper half of the byte.
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
