//! [`Rows`]: 13 x 13 in lanes of 16 bits, sixteen games in a group.
//!
//! ```text
//! bit                   15 14 13 | 12 ..  0
//! a lane of register r   -  -  - | row r              13 points, then a gap of 3 bits
//!
//! right, left   shift every word by 1
//! up, down      rename registers: up(r) = register r - 1; no shift crosses words
//! ```

use super::plane::{MAX_GAMES, Plane};
use crate::rules::points::Points;
use bitcore::{Isa, Lanes, Rng32, Streams32, U16s, U32s, U64s, pdep_lanes};
use core::ops::{BitAnd, BitOr};

/// The number of rows of the board, and of words of a plane.
const ROWS: usize = 13;

/// One word per row: no shift crosses words.
#[derive(Clone, Copy)]
pub(super) struct Rows<S: Isa>([S::U16x16; ROWS]);

/// Returns `$rows` with every row replaced.
macro_rules! each_row {
    ($rows:expr, |$r:ident, $row:ident| $value:expr) => {{
        let mut all: Self = $rows;
        for $r in 0..ROWS {
            let $row = all.0[$r];
            all.0[$r] = $value;
        }
        all
    }};
}

impl<S: Isa> BitAnd for Rows<S> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        each_row!(self, |r, row| row & other.0[r])
    }
}

impl<S: Isa> BitOr for Rows<S> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        each_row!(self, |r, row| row | other.0[r])
    }
}

/// Extends a row along `within`: right to the end of the run and left by one. Adding the row to `within`
/// carries from each point through the run of `within` to its right.
#[inline(always)]
fn along_row<S: Isa>(row: S::U16x16, within: S::U16x16) -> S::U16x16 {
    row | within.and_not((within + row).and_not(row.shr::<1>()))
}

/// Returns the set bit of the given rank in each word, counted from 0; zero in zero words.
///
/// One PDEP serves four lanes: in their 64 bits, the ranks of a lane follow the set bits of the lanes below.
#[inline(always)]
fn select_each<S: Isa>(isa: S, words: S::U16x16, ranks: S::U16x16) -> S::U16x16 {
    let counts = words.count_ones();
    let ones = isa.bitcast_u16_u64(counts);
    let ones = ones + ones.shl::<16>();
    let ones = ones + ones.shl::<32>();
    // The rank of a zero word is moved beyond all bits.
    let ranks = (isa.bitcast_u64_u16(ones) - counts + ranks) | words.cmp_eq(isa.splat_u16(0));
    let (ranks, one, low) = (isa.bitcast_u16_u64(ranks), isa.splat_u64(1), isa.splat_u64(0xffff));
    let bits = (one.shl_each(ranks & low) | one.shl_each(ranks.shr::<16>() & low))
        | (one.shl_each(ranks.shr::<32>() & low) | one.shl_each(ranks.shr::<48>()));
    isa.bitcast_u64_u16(pdep_lanes(isa, bits, isa.bitcast_u16_u64(words)))
}

impl<S: Isa> Plane<S, 13> for Rows<S> {
    type Lane = S::U16x16;
    /// The generators of the even games, then of the odd ones.
    type Generators = [Streams32<S>; 2];
    type Memory = [[u16; 16]; ROWS];
    const GAMES: usize = 16;
    // With 128-bit registers, the thirteen rows of a plane would take twenty-six registers.
    const FAST: bool = S::WIDE_REGISTERS;

    #[inline(always)]
    fn splat_lane(isa: S, number: u16) -> S::U16x16 {
        isa.splat_u16(number)
    }
    #[inline(always)]
    fn lane_values(lanes: S::U16x16) -> [u32; MAX_GAMES] {
        let mut numbers = [0; MAX_GAMES];
        for (number, lane) in numbers.iter_mut().zip(lanes.to_array()) {
            *number = u32::from(lane);
        }
        numbers
    }

    #[inline(always)]
    fn splat(isa: S, points: &Points<13>) -> Self {
        let mut rows = [isa.splat_u16(0); ROWS];
        for (y, row) in rows.iter_mut().enumerate() {
            *row = isa.splat_u16(points.row(y) as u16);
        }
        Self(rows)
    }
    #[inline(always)]
    fn store(self) -> Self::Memory {
        let mut memory = [[0; 16]; ROWS];
        for (memory, row) in memory.iter_mut().zip(self.0) {
            *memory = row.to_array();
        }
        memory
    }
    #[inline(always)]
    fn points(memory: &Self::Memory, game: usize) -> Points<13> {
        let mut points = Points::EMPTY;
        for (y, row) in memory.iter().enumerate() {
            points.insert_row(y, u64::from(row[game]));
        }
        points
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        each_row!(self, |r, row| row.and_not(other.0[r]))
    }
    #[inline(always)]
    fn masked(self, lanes: S::U16x16) -> Self {
        each_row!(self, |r, row| row & lanes)
    }
    #[inline(always)]
    fn blend(self, lanes: S::U16x16, other: Self) -> Self {
        each_row!(self, |r, row| (row & lanes) | other.0[r].and_not(lanes))
    }
    #[inline(always)]
    fn is_empty(self, isa: S) -> S::U16x16 {
        let mut all = isa.splat_u16(0);
        for row in self.0 {
            all = all | row;
        }
        all.cmp_eq(isa.splat_u16(0))
    }
    #[inline(always)]
    fn is_equal(self, isa: S, other: Self) -> S::U16x16 {
        each_row!(self, |r, row| row ^ other.0[r]).is_empty(isa)
    }
    #[inline(always)]
    fn is_single(self, isa: S) -> S::U16x16 {
        let (zero, one) = (isa.splat_u16(0), isa.splat_u16(1));
        let (mut more, mut full) = (zero, zero);
        for row in self.0 {
            more = more | (row & (row - one));
            // A lane mask is -1, so every nonempty row adds 1.
            full = full + one + row.cmp_eq(zero);
        }
        more.cmp_eq(zero) & full.cmp_eq(one)
    }

    #[inline(always)]
    fn up(self) -> Self {
        each_row!(self, |r, row| if r > 0 { self.0[r - 1] } else { row.and_not(row) })
    }
    #[inline(always)]
    fn down(self) -> Self {
        each_row!(self, |r, row| if r + 1 < ROWS { self.0[r + 1] } else { row.and_not(row) })
    }
    #[inline(always)]
    fn right(self) -> Self {
        each_row!(self, |r, row| row.shl::<1>())
    }
    #[inline(always)]
    fn left(self) -> Self {
        each_row!(self, |r, row| row.shr::<1>())
    }
    #[inline(always)]
    fn flood_step(self, within: Self) -> Self {
        let rows = each_row!(self, |r, row| along_row::<S>(row, within.0[r]));
        rows | (within & (rows.up() | rows.down()))
    }
    #[inline(always)]
    fn flood_sweep(self, within: Self) -> Self {
        let mut rows = each_row!(self, |r, row| along_row::<S>(row, within.0[r]));
        for r in 1..ROWS {
            rows.0[r] = rows.0[r] | (within.0[r] & rows.0[r - 1]);
        }
        for r in (0..ROWS - 1).rev() {
            rows.0[r] = rows.0[r] | (within.0[r] & rows.0[r + 1]);
        }
        rows
    }

    #[inline(always)]
    fn generators(isa: S) -> Self::Generators {
        [Streams32::from_words(isa, &[[0; 8]; 2]); 2]
    }
    #[inline(always)]
    fn set_generator(isa: S, generators: &mut Self::Generators, game: usize, rng: &Rng32) {
        let generators = &mut generators[game % 2];
        let mut words = generators.words();
        [words[0][game / 2], words[1][game / 2]] = rng.state();
        *generators = Streams32::from_words(isa, &words);
    }
    #[inline(always)]
    fn choose_random(
        self,
        isa: S,
        generators: &mut Self::Generators,
        unresolved: S::U16x16,
    ) -> (Self, S::U16x16) {
        let mut count = isa.splat_u16(0);
        let sums = each_row!(self, |r, row| {
            count = count + row.count_ones();
            count
        });
        let none = count.cmp_eq(isa.splat_u16(0));

        // In lanes of 32 bits, the low half is an even game and the high half an odd one.
        let even = isa.splat_u32(0xffff);
        let (count, moving) = (isa.bitcast_u16_u32(count), isa.bitcast_u16_u32(!(unresolved | none)));
        let [evens, odds] = generators;
        let spread_even = (moving & even) | moving.shl::<16>();
        let spread_odd = moving.and_not(even) | moving.shr::<16>();
        let even_index = evens.next_u32s_masked(isa, spread_even).mul_high(count & even);
        let odd_index = odds.next_u32s_masked(isa, spread_odd).mul_high(count.shr::<16>());
        let index = isa.bitcast_u32_u16(even_index | odd_index.shl::<16>());

        // Masks of the chosen row and all rows above; the chosen row is the first of them.
        let from = each_row!(sums, |r, sum| sum.cmp_gt_signed(index));
        let chosen = each_row!(from, |r, row| if r > 0 { row.and_not(from.0[r - 1]) } else { row });
        let (mut word, mut before) = (isa.splat_u16(0), isa.splat_u16(0));
        for r in 0..ROWS {
            word = word | (self.0[r] & chosen.0[r]);
            if r > 0 {
                before = before | (sums.0[r - 1] & chosen.0[r]);
            }
        }
        let bit = select_each(isa, word, index - before);
        (each_row!(chosen, |r, row| row & bit), none)
    }
}
