//! [`PackedRows`]: 9 x 9 in lanes of 32 bits, eight games in a group.
//!
//! ```text
//! bit                   31 30 | 29 ..  20 | 19 ..  10 | 9 ..   0
//! a lane of register w   -  - | row 3w+2  | row 3w+1  | row 3w         10 bits a row: 9 points, then a gap
//!
//! right, left   shift every word by 1; the gaps take what leaves a row
//! up, down      shift every word by 10; the row that leaves a word enters the neighboring register:
//!               up(w1) = w1 << 10 | w0 >> 20
//! ```

use super::plane::{MAX_GAMES, Plane};
use crate::rules::points::Points;
use bitcore::{Isa, Lanes, Rng32, Streams32, U32s, U64s, pdep_lanes};
use core::ops::{BitAnd, BitOr};

/// Three words of three rows, ten bits a row.
#[derive(Clone, Copy)]
pub(super) struct PackedRows<S: Isa>(S::U32x8, S::U32x8, S::U32x8);

impl<S: Isa> BitAnd for PackedRows<S> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0, self.1 & other.1, self.2 & other.2)
    }
}

impl<S: Isa> BitOr for PackedRows<S> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1, self.2 | other.2)
    }
}

/// Extends each row of a word along `within`: right to the end of the run and left by one. Adding the word to
/// `within` carries from each point through the run of `within` to its right; the gap stops the carry.
///
/// ```text
/// column         01234567
/// within         .1111.11
/// word           ..1.....
/// within + word  .1...111       the carry ends beyond the run, in column 5
/// result         .1111...       word | within & !((within + word) & !(word >> 1))
/// ```
#[inline(always)]
fn along_rows<S: Isa>(word: S::U32x8, within: S::U32x8) -> S::U32x8 {
    word | within.and_not((within + word).and_not(word.shr::<1>()))
}

/// Returns the set bit of the given rank in each word, counted from 0; zero in zero words.
///
/// A PDEP of `1 << rank` into a word deposits exactly this bit. One PDEP serves two lanes: in their 64 bits,
/// the ranks of the second lane follow the set bits of the first.
#[inline(always)]
fn select_each<S: Isa>(isa: S, words: S::U32x8, ranks: S::U32x8) -> S::U32x8 {
    let pairs = |lanes| isa.bitcast_u16_u64(isa.bitcast_u32_u16(lanes));
    let low = isa.splat_u64(0xffff_ffff);
    let bits = pairs(isa.splat_u32(1).shl_each(ranks).and_not(words.cmp_eq(isa.splat_u32(0))));
    let bits = (bits & low) | bits.shr::<32>().shl_each(pairs(words.count_ones()) & low);
    isa.bitcast_u16_u32(isa.bitcast_u64_u16(pdep_lanes(isa, bits, pairs(words))))
}

impl<S: Isa> Plane<S, 9> for PackedRows<S> {
    type Lane = S::U32x8;
    type Generators = Streams32<S>;
    type Memory = [[u32; 8]; 3];
    const GAMES: usize = 8;
    const FAST: bool = S::HAS_SIMD;

    #[inline(always)]
    fn splat_lane(isa: S, number: u16) -> S::U32x8 {
        isa.splat_u32(u32::from(number))
    }
    #[inline(always)]
    fn lane_values(lanes: S::U32x8) -> [u32; MAX_GAMES] {
        let mut numbers = [0; MAX_GAMES];
        numbers[..8].copy_from_slice(&lanes.to_array());
        numbers
    }
    #[inline(always)]
    fn splat(isa: S, points: &Points<9>) -> Self {
        let words = points.packed_rows();
        Self(isa.splat_u32(words[0]), isa.splat_u32(words[1]), isa.splat_u32(words[2]))
    }
    #[inline(always)]
    fn store(self) -> Self::Memory {
        [self.0.to_array(), self.1.to_array(), self.2.to_array()]
    }
    #[inline(always)]
    fn points(memory: &Self::Memory, game: usize) -> Points<9> {
        Points::from_packed_rows([memory[0][game], memory[1][game], memory[2][game]])
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(self.0.and_not(other.0), self.1.and_not(other.1), self.2.and_not(other.2))
    }
    #[inline(always)]
    fn masked(self, lanes: S::U32x8) -> Self {
        Self(self.0 & lanes, self.1 & lanes, self.2 & lanes)
    }
    #[inline(always)]
    fn blend(self, lanes: S::U32x8, other: Self) -> Self {
        self.masked(lanes) | Self(other.0.and_not(lanes), other.1.and_not(lanes), other.2.and_not(lanes))
    }
    #[inline(always)]
    fn is_empty(self, isa: S) -> S::U32x8 {
        (self.0 | self.1 | self.2).cmp_eq(isa.splat_u32(0))
    }
    #[inline(always)]
    fn is_equal(self, isa: S, other: Self) -> S::U32x8 {
        Self(self.0 ^ other.0, self.1 ^ other.1, self.2 ^ other.2).is_empty(isa)
    }
    #[inline(always)]
    fn is_single(self, isa: S) -> S::U32x8 {
        let (zero, one) = (isa.splat_u32(0), isa.splat_u32(1));
        let more = (self.0 & (self.0 - one)) | (self.1 & (self.1 - one)) | (self.2 & (self.2 - one));
        // A lane mask is -1, so the sum is -2 if two of the three words are empty.
        let words = self.0.cmp_eq(zero) + self.1.cmp_eq(zero) + self.2.cmp_eq(zero);
        more.cmp_eq(zero) & words.cmp_eq(isa.splat_u32(0u32.wrapping_sub(2)))
    }

    #[inline(always)]
    fn up(self) -> Self {
        Self(
            self.0.shl::<10>(),
            self.1.shl::<10>() | self.0.shr::<20>(),
            self.2.shl::<10>() | self.1.shr::<20>(),
        )
    }
    #[inline(always)]
    fn down(self) -> Self {
        Self(
            self.0.shr::<10>() | self.1.shl::<20>(),
            self.1.shr::<10>() | self.2.shl::<20>(),
            self.2.shr::<10>(),
        )
    }
    #[inline(always)]
    fn right(self) -> Self {
        Self(self.0.shl::<1>(), self.1.shl::<1>(), self.2.shl::<1>())
    }
    #[inline(always)]
    fn left(self) -> Self {
        Self(self.0.shr::<1>(), self.1.shr::<1>(), self.2.shr::<1>())
    }
    #[inline(always)]
    fn flood_step(self, within: Self) -> Self {
        let rows = Self(
            along_rows::<S>(self.0, within.0),
            along_rows::<S>(self.1, within.1),
            along_rows::<S>(self.2, within.2),
        );
        rows | (within & (rows.up() | rows.down()))
    }

    #[inline(always)]
    fn generators(isa: S) -> Streams32<S> {
        Streams32::from_words(isa, &[[0; 8]; 2])
    }
    #[inline(always)]
    fn set_generator(isa: S, generators: &mut Streams32<S>, game: usize, rng: &Rng32) {
        let mut words = generators.words();
        [words[0][game], words[1][game]] = rng.state();
        *generators = Streams32::from_words(isa, &words);
    }
    #[inline(always)]
    fn choose_random(self, isa: S, generators: &mut Streams32<S>, unresolved: S::U32x8) -> (Self, S::U32x8) {
        let first = self.0.count_ones();
        let second = first + self.1.count_ones();
        let count = second + self.2.count_ones();
        let none = count.cmp_eq(isa.splat_u32(0));
        let index = generators.next_u32s_masked(isa, !(unresolved | none)).mul_high(count);
        // Masks of the games whose index falls into the first word, or into the first two.
        let (in_first, in_two) = (first.cmp_gt_signed(index), second.cmp_gt_signed(index));
        let word = in_first.blend_lanes(self.0, in_two.blend_lanes(self.1, self.2));
        let rank = index - in_two.blend_lanes(first, second).and_not(in_first);
        let bit = select_each(isa, word, rank);
        (Self(bit & in_first, (bit & in_two).and_not(in_first), bit.and_not(in_two)), none)
    }
}
