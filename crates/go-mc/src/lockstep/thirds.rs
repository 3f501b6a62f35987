//! [`Thirds`]: 9 x 9 in lanes of 32 bits, eight games a group.

use super::plane::{MOST, Plane};
use crate::points::Points;
use bitcore::{Isa, Lanes, Rng32, Streams32, U32s, U64s};
use core::ops::{BitAnd, BitOr};

/// 9 x 9: three words of three rows, ten bits a row.
#[derive(Clone, Copy)]
pub(super) struct Thirds<S: Isa>(S::U32x8, S::U32x8, S::U32x8);

impl<S: Isa> BitAnd for Thirds<S> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0, self.1 & other.1, self.2 & other.2)
    }
}

impl<S: Isa> BitOr for Thirds<S> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1, self.2 | other.2)
    }
}

/// The rows of a word, spread: a carry runs up a row's members of `within` from the first point on.
#[inline(always)]
fn along_rows<S: Isa>(word: S::U32x8, within: S::U32x8) -> S::U32x8 {
    word | within.and_not((within + word).and_not(word.shr::<1>()))
}

/// The bit of each word that stands at its rank; none where the word is zero.
///
/// One PDEP for two lanes: in the 64 bits that they take the second rank goes on from the ones of the first lane.
#[inline(always)]
fn select_each<S: Isa>(isa: S, words: S::U32x8, ranks: S::U32x8) -> S::U32x8 {
    let pairs = |lanes| isa.bitcast_u16_u64(isa.bitcast_u32_u16(lanes));
    let low = isa.splat_u64(0xffff_ffff);
    let bits = pairs(isa.splat_u32(1).shl_each(ranks).and_not(words.cmp_eq(isa.splat_u32(0))));
    let bits = (bits & low) | bits.shr::<32>().shl_each(pairs(words.count_ones()) & low);
    let ([a, b, c, d], [e, f, g, h]) = (bits.to_array(), pairs(words).to_array());
    let found = isa.u64x4(&[isa.pdep(a, e), isa.pdep(b, f), isa.pdep(c, g), isa.pdep(d, h)]);
    isa.bitcast_u16_u32(isa.bitcast_u64_u16(found))
}

impl<S: Isa> Plane<S, 9> for Thirds<S> {
    type Lane = S::U32x8;
    type Draws = Streams32<S>;
    type Memory = [[u32; 8]; 3];
    const GAMES: usize = 8;

    #[inline(always)]
    fn lanes(isa: S, number: u16) -> S::U32x8 {
        isa.splat_u32(u32::from(number))
    }
    #[inline(always)]
    fn numbers(lanes: S::U32x8) -> [u32; MOST] {
        let mut numbers = [0; MOST];
        numbers[..8].copy_from_slice(&lanes.to_array());
        numbers
    }
    #[inline(always)]
    fn same(isa: S, points: &Points<9>) -> Self {
        let words = points.thirds();
        Self(isa.splat_u32(words[0]), isa.splat_u32(words[1]), isa.splat_u32(words[2]))
    }
    #[inline(always)]
    fn store(self) -> Self::Memory {
        [self.0.to_array(), self.1.to_array(), self.2.to_array()]
    }
    #[inline(always)]
    fn points(memory: &Self::Memory, game: usize) -> Points<9> {
        Points::from_thirds([memory[0][game], memory[1][game], memory[2][game]])
    }

    #[inline(always)]
    fn but(self, other: Self) -> Self {
        Self(self.0.and_not(other.0), self.1.and_not(other.1), self.2.and_not(other.2))
    }
    #[inline(always)]
    fn of(self, lanes: S::U32x8) -> Self {
        Self(self.0 & lanes, self.1 & lanes, self.2 & lanes)
    }
    #[inline(always)]
    fn or_else(self, lanes: S::U32x8, other: Self) -> Self {
        self.of(lanes) | Self(other.0.and_not(lanes), other.1.and_not(lanes), other.2.and_not(lanes))
    }
    #[inline(always)]
    fn none(self, isa: S) -> S::U32x8 {
        (self.0 | self.1 | self.2).cmp_eq(isa.splat_u32(0))
    }
    #[inline(always)]
    fn equal(self, isa: S, other: Self) -> S::U32x8 {
        Self(self.0 ^ other.0, self.1 ^ other.1, self.2 ^ other.2).none(isa)
    }
    #[inline(always)]
    fn one(self, isa: S) -> S::U32x8 {
        let (zero, one) = (isa.splat_u32(0), isa.splat_u32(1));
        let more = (self.0 & (self.0 - one)) | (self.1 & (self.1 - one)) | (self.2 & (self.2 - one));
        // Lane masks are -1: two words of three are empty.
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
    fn spread(self, within: Self) -> Self {
        let rows = Self(
            along_rows::<S>(self.0, within.0),
            along_rows::<S>(self.1, within.1),
            along_rows::<S>(self.2, within.2),
        );
        rows | (within & (rows.up() | rows.down()))
    }

    #[inline(always)]
    fn draws(isa: S) -> Streams32<S> {
        Streams32::from_words(isa, &[[0; 8]; 2])
    }
    #[inline(always)]
    fn deal(isa: S, draws: &mut Streams32<S>, game: usize, rng: &Rng32) {
        let mut words = draws.words();
        [words[0][game], words[1][game]] = rng.state();
        *draws = Streams32::from_words(isa, &words);
    }
    #[inline(always)]
    fn choose(self, isa: S, draws: &mut Streams32<S>, waiting: S::U32x8) -> (Self, S::U32x8) {
        let first = self.0.count_ones();
        let second = first + self.1.count_ones();
        let count = second + self.2.count_ones();
        let none = count.cmp_eq(isa.splat_u32(0));
        let index = draws.next_u32s_masked(isa, !(waiting | none)).mul_high(count);
        // Masks of the words up to the one that the index falls into.
        let (in_first, in_two) = (first.cmp_gt_signed(index), second.cmp_gt_signed(index));
        let word = in_first.blend_lanes(self.0, in_two.blend_lanes(self.1, self.2));
        let rank = index - in_two.blend_lanes(first, second).and_not(in_first);
        let bit = select_each(isa, word, rank);
        (Self(bit & in_first, (bit & in_two).and_not(in_first), bit.and_not(in_two)), none)
    }
}
