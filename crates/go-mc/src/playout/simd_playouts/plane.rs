//! [`Plane`]: one set of points per game of a group, eight games in lanes of 32 bits.
//!
//! The board is folded: a word has a row from each half of a 13 x 13 board, or from each third of a
//! 9 x 9 board.
//!
//! ```text
//! 13 x 13, seven words             31 30 29 | 28 .. 16 | 15 14 13 | 12 ..  0
//!   a lane of register w            -  -  -   row w+7     -  -  -   row w       word 6 has row 6 only
//!
//! 9 x 9, three words               31 30 | 29 | 28 .. 20 | 19 | 18 .. 10 | 9 | 8 .. 0
//!   a lane of register w            -  -    -   row w+6     -   row w+3    -   row w
//!
//! right, left   shift every word by 1; the gaps take what leaves a row
//! up, down      rename the registers; only at the fold is there a shift, to the next field:
//!               up(1) = word 0, up(2) = word 1, .., up(0) = last word << field
//! ```
//!
//! Shifts may leave bits in the gaps and beyond the board; code that depends on these bits first
//! intersects with a set of points on the board.

use crate::rules::points::Points;
use bitcore::{Isa, Lanes, Rng32, Streams32, U16s, U32s, U64s, pdep_lanes};

/// The number of games in a group.
pub(super) const GAMES: usize = 8;

/// One set of points of an `N` x `N` board per game, in `WORDS` words with fields of `FIELD` bits.
#[derive(Clone, Copy)]
pub(super) struct Plane<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32>(
    pub(super) [S::U32x8; WORDS],
);

/// Runs a block for each word of a plane, unrolled here: the optimizer leaves some long loops, with
/// planes in memory.
macro_rules! each_word {
    ($words:expr, |$w:ident| $block:block) => {
        each_word!(@0 1 2 3 4 5 6; $words, $w, $block)
    };
    (@$($n:literal)*; $words:expr, $w:ident, $block:block) => {
        $(
            if $n < $words {
                let $w = $n;
                $block
            }
        )*
    };
}
pub(super) use each_word;

/// Extends each row of a word along `within`: right to the end of the run and left by one. Adding
/// the word to `within` carries from each point through the run of `within` to its right; the gap
/// stops the carry.
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
/// A PDEP of `1 << rank` into a word deposits exactly this bit. One PDEP serves two lanes: in their
/// 64 bits, the ranks of the second lane follow the set bits of the first.
#[inline(always)]
fn select_each<S: Isa>(isa: S, words: S::U32x8, ranks: S::U32x8) -> S::U32x8 {
    let pairs = |lanes| isa.bitcast_u16_u64(isa.bitcast_u32_u16(lanes));
    let low = isa.splat_u64(0xffff_ffff);
    let bits = pairs(isa.splat_u32(1).shl_each(ranks).and_not(words.cmp_eq(isa.splat_u32(0))));
    let bits = (bits & low) | bits.shr::<32>().shl_each(pairs(words.count_ones()) & low);
    isa.bitcast_u16_u32(isa.bitcast_u64_u16(pdep_lanes(isa, bits, pairs(words))))
}

impl<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32> Plane<S, N, WORDS, FIELD> {
    #[inline(always)]
    pub(super) fn splat(isa: S, points: &Points<N>) -> Self {
        let mut words = [isa.splat_u32(0); WORDS];
        for (w, word) in words.iter_mut().enumerate() {
            let mut rows = 0;
            for (field, y) in (w..N).step_by(WORDS).enumerate() {
                rows |= (points.row(y) as u32) << (field as i32 * FIELD);
            }
            *word = isa.splat_u32(rows);
        }
        Self(words)
    }

    #[inline(always)]
    pub(super) fn store(self) -> [[u32; GAMES]; WORDS] {
        let mut memory = [[0; GAMES]; WORDS];
        each_word!(WORDS, |w| {
            memory[w] = self.0[w].to_array();
        });
        memory
    }

    #[inline(always)]
    pub(super) fn points(memory: &[[u32; GAMES]; WORDS], game: usize) -> Points<N> {
        let mut points = Points::EMPTY;
        for (w, word) in memory.iter().enumerate() {
            for (field, y) in (w..N).step_by(WORDS).enumerate() {
                points.insert_row(
                    y,
                    u64::from(word[game] >> (field as i32 * FIELD)) & ((1 << N) - 1),
                );
            }
        }
        points
    }

    /// Returns word `w` of the points moved to the next higher row.
    #[inline(always)]
    pub(super) fn up(&self, w: usize) -> S::U32x8 {
        if w > 0 { self.0[w - 1] } else { self.0[WORDS - 1].shl::<FIELD>() }
    }
    #[inline(always)]
    pub(super) fn down(&self, w: usize) -> S::U32x8 {
        if w + 1 < WORDS { self.0[w + 1] } else { self.0[0].shr::<FIELD>() }
    }
    #[inline(always)]
    pub(super) fn neighbors(&self, w: usize) -> S::U32x8 {
        (self.up(w) | self.down(w)) | (self.0[w].shl::<1>() | self.0[w].shr::<1>())
    }

    /// Runs one round of a flood fill inside `within`, a superset of `self`: first along each row,
    /// right to the end of the run of `within` and left by one, then up and down by one from there.
    #[inline(always)]
    pub(super) fn flood_step(mut self, within: &Self) -> Self {
        each_word!(WORDS, |w| {
            self.0[w] = along_rows::<S>(self.0[w], within.0[w]);
        });
        let rows = self;
        each_word!(WORDS, |w| {
            self.0[w] = rows.0[w] | (within.0[w] & (rows.up(w) | rows.down(w)));
        });
        self
    }

    /// Reaches at least as far as [`flood_step`](Self::flood_step); every reached point is
    /// connected to `self` inside `within`.
    #[inline(always)]
    pub(super) fn flood_sweep(mut self, within: &Self) -> Self {
        each_word!(WORDS, |w| {
            self.0[w] = along_rows::<S>(self.0[w], within.0[w]);
        });
        let up = self.up(0);
        let down = self.down(WORDS - 1);
        self.0[0] = self.0[0] | (within.0[0] & up);
        for w in 1..WORDS {
            self.0[w] = self.0[w] | (within.0[w] & self.0[w - 1]);
        }
        self.0[WORDS - 1] = self.0[WORDS - 1] | (within.0[WORDS - 1] & down);
        for w in (0..WORDS - 1).rev() {
            self.0[w] = self.0[w] | (within.0[w] & self.0[w + 1]);
        }
        self
    }

    /// Returns a uniformly random point of each set, by one draw below its number of points, and
    /// the games whose set is empty. A generator advances only if its set is not empty and its game
    /// is not marked in `unresolved`.
    #[inline(always)]
    pub(super) fn choose_random(
        &self,
        isa: S,
        generators: &mut Streams32<S>,
        unresolved: S::U32x8,
    ) -> (Self, S::U32x8) {
        if const { FIELD == 16 } {
            self.choose_in_halves(isa, generators, unresolved)
        } else {
            self.choose_in_thirds(isa, generators, unresolved)
        }
    }

    #[inline(always)]
    fn choose_in_halves(
        &self,
        isa: S,
        generators: &mut Streams32<S>,
        unresolved: S::U32x8,
    ) -> (Self, S::U32x8) {
        // The number of points up to each row, in each half of the board.
        let mut count = isa.splat_u16(0);
        let mut sums = [count; WORDS];
        each_word!(WORDS, |w| {
            count = count + isa.bitcast_u32_u16(self.0[w]).count_ones();
            sums[w] = count;
        });
        let count = isa.bitcast_u16_u32(count);
        let lower = count & isa.splat_u32(0xffff);
        let count = lower + count.shr::<16>();
        let none = count.cmp_eq(isa.splat_u32(0));
        let index = generators.next_u32s_masked(isa, !(unresolved | none)).mul_high(count);
        // In the half without the point, the rank is beyond all points: in the upper half because a
        // negative difference loses its sign.
        let upper = (index - lower).shl::<16>() & isa.splat_u32(0x7fff_0000);
        let ranks = isa.bitcast_u32_u16(index | upper);

        // The chosen row is the first of those whose sum is beyond the rank.
        let mut beyond = sums;
        each_word!(WORDS, |w| {
            beyond[w] = sums[w].cmp_gt_signed(ranks);
        });
        let mut chosen = *self;
        let mut word = isa.splat_u16(0);
        let mut before = isa.splat_u16(0);
        each_word!(WORDS, |w| {
            let row = if w > 0 { beyond[w].and_not(beyond[w - 1]) } else { beyond[w] };
            chosen.0[w] = isa.bitcast_u16_u32(row);
            word = word | (isa.bitcast_u32_u16(self.0[w]) & row);
            if w > 0 {
                before = before | (sums[w - 1] & row);
            }
        });
        let reached = beyond[WORDS - 1];
        let ranks = isa.bitcast_u16_u32((ranks - before) & reached);
        let ranks = (ranks & isa.splat_u32(0xffff)) | ranks.shr::<16>();
        let bit = select_each(isa, isa.bitcast_u16_u32(word), ranks);
        each_word!(WORDS, |w| {
            chosen.0[w] = chosen.0[w] & bit;
        });
        (chosen, none)
    }

    #[inline(always)]
    fn choose_in_thirds(
        &self,
        isa: S,
        generators: &mut Streams32<S>,
        unresolved: S::U32x8,
    ) -> (Self, S::U32x8) {
        let field = isa.splat_u32(0x3ff);
        let middle = isa.splat_u32(0x3ff << 10);
        let last = isa.splat_u32(0x3ff << 20);
        let [a, b, c] = [self.0[0], self.0[1], self.0[2]];
        // Unfold the board: three rows in a row.
        let rows = [
            (a & field) | (b & field).shl::<10>() | (c & field).shl::<20>(),
            (a.shr::<10>() & field) | (b & middle) | (c & middle).shl::<10>(),
            a.shr::<20>() | (b.shr::<10>() & middle) | (c & last),
        ];
        let first = rows[0].count_ones();
        let second = first + rows[1].count_ones();
        let count = second + rows[2].count_ones();
        let none = count.cmp_eq(isa.splat_u32(0));
        let index = generators.next_u32s_masked(isa, !(unresolved | none)).mul_high(count);
        let in_first = first.cmp_gt_signed(index);
        let in_two = second.cmp_gt_signed(index);
        let word = in_first.blend_lanes(rows[0], in_two.blend_lanes(rows[1], rows[2]));
        let rank = index - in_two.blend_lanes(first, second).and_not(in_first);
        let bit = select_each(isa, word, rank);
        // Fold it again: the point's three rows become fields of its third.
        let shift = in_two.blend_lanes(isa.splat_u32(10), isa.splat_u32(20)).and_not(in_first);
        let mut chosen = *self;
        chosen.0[0] = (bit & field).shl_each(shift);
        chosen.0[1] = (bit.shr::<10>() & field).shl_each(shift);
        chosen.0[2] = bit.shr::<20>().shl_each(shift);
        (chosen, none)
    }
}

/// Gives a game's lane its generator.
#[inline(always)]
pub(super) fn set_generator<S: Isa>(
    isa: S,
    generators: &mut Streams32<S>,
    game: usize,
    rng: &Rng32,
) {
    let mut words = generators.words();
    [words[0][game], words[1][game]] = rng.state();
    *generators = Streams32::from_words(isa, &words);
}
