//! The swap with the best score without new pieces: all swaps of a board are played and cascaded at once.
//!
//! ```text
//! for each four legal swaps:                  one per lane (8 x 8), or one by one (16 x 16)
//!     planes = the board, with the two cells exchanged
//!     while some lane has a run:
//!         level += 1; score += level * cells in runs
//!         clear the runs and let the pieces above them fall
//!     keep the best score
//! ```
//!
//! A register has no PEXT, so pieces fall by rounds: let g be the lowest gap of a column; one round moves all
//! pieces above g down by one. A run along a row takes one round.

use crate::bitboard::formula::{BitWord, OffsetMask, colored, runs_of};
use crate::bitboard::words::{
    ColumnLanes, FourBoards, FourWords, HAS_BELOW, HAS_BELOW_16, exchange_at, load_columns_with,
    load_words_with,
};
use bitcore::{Bytes, Isa, Lanes, SetBits, U64s};

/// A swap chosen by its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value by which the swap was chosen, in tens of points.
    pub(crate) total: u64,
    /// The score of the swap itself, in tens of points.
    pub(crate) score: u64,
    pub(crate) word: usize,
    pub(crate) bit: u32,
    /// `true` for a swap with the cell below, `false` for one with the right neighbor.
    pub(crate) down: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct BestSwap {
    choice: Choice,
    /// The order of choices: by total, then the lower row first.
    rank: u64,
}

impl BestSwap {
    pub(crate) const NONE: Self =
        Self { choice: Choice { total: 0, score: 0, word: 0, bit: 0, down: false }, rank: 0 };

    /// Takes a choice if it is better than the present one.
    #[inline(always)]
    pub(crate) fn offer<const WORDS: usize>(&mut self, choice: Choice) {
        let side = if WORDS == 1 { 8 } else { 16 };
        let rank = choice.total * side + (side - 1 - u64::from(choice.bit) % side);
        if rank > self.rank {
            *self = Self { choice, rank };
        }
    }

    /// Returns the best choice; none if none was offered.
    #[inline(always)]
    pub(crate) fn choice(&self) -> Option<Choice> {
        (self.rank > 0).then_some(self.choice)
    }
}

/// Returns the best of the given swaps of a board without blocked cells and without gaps under pieces.
#[inline(always)]
pub(crate) fn best_swap_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &[[u64; WORDS]; P],
    right: &[u64; WORDS],
    down: &[u64; WORDS],
) -> Option<Choice> {
    let best = match (WORDS, S::HAS_SIMD) {
        (1, true) => four_swaps_at_once_with(isa, board, right[0], down[0]),
        (1, false) => swaps_one_by_one_with::<S, u64, WORDS, P>(isa, board, right, down),
        (_, true) => swaps_one_by_one_with::<S, ColumnLanes<S>, WORDS, P>(isa, board, right, down),
        (_, false) => swaps_one_by_one_with::<S, FourWords, WORDS, P>(isa, board, right, down),
    };
    best.choice()
}

/// A mask of cells in columns, the lowest cell in the lowest bit of a column.
trait BoardColumns<S: Isa>: OffsetMask<Word = Self> + BitWord {
    /// Loads a mask of one board, into each lane where there are several boards.
    fn load<const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> Self;
    /// Returns the number of cells.
    fn len(self, isa: S) -> u64;
    /// Returns, in each column, the lowest set bit and all bits above it.
    fn fill_up(self, isa: S) -> Self;
    /// Clears the bits that a move down by one brought in from the next column.
    fn not_top(self, isa: S) -> Self;
    /// Clears the lowest row.
    fn has_below(self, isa: S) -> Self;
    /// Returns whether no bit is set.
    fn is_zero(self) -> bool;
}

impl<S: Isa> BoardColumns<S> for FourBoards<S> {
    #[inline(always)]
    fn load<const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> Self {
        Self(load_words_with(isa, words))
    }
    #[inline(always)]
    fn len(self, _: S) -> u64 {
        count(&self.0.to_array())
    }
    #[inline(always)]
    fn fill_up(self, isa: S) -> Self {
        let bytes = isa.bitcast_u64_u8(self.0);
        Self(isa.bitcast_u8_u64(bytes | (isa.splat_u8(0) - bytes)))
    }
    #[inline(always)]
    fn not_top(self, isa: S) -> Self {
        self & Self(isa.splat_u64(HAS_BELOW >> 1))
    }
    #[inline(always)]
    fn has_below(self, isa: S) -> Self {
        self & Self(isa.splat_u64(HAS_BELOW))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl<S: Isa> BoardColumns<S> for ColumnLanes<S> {
    #[inline(always)]
    fn load<const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> Self {
        load_columns_with(isa, words)
    }
    #[inline(always)]
    fn len(self, isa: S) -> u64 {
        count(&isa.bitcast_u16_u64(self.0).to_array())
    }
    #[inline(always)]
    fn fill_up(self, isa: S) -> Self {
        Self(self.0 | (isa.splat_u16(0) - self.0))
    }
    #[inline(always)]
    fn not_top(self, _: S) -> Self {
        self
    }
    #[inline(always)]
    fn has_below(self, _: S) -> Self {
        self
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl<S: Isa> BoardColumns<S> for u64 {
    #[inline(always)]
    fn load<const WORDS: usize>(_: S, words: &[u64; WORDS]) -> Self {
        words[0]
    }
    #[inline(always)]
    fn len(self, _: S) -> u64 {
        self.count_ones().into()
    }
    #[inline(always)]
    fn fill_up(self, _: S) -> Self {
        fill_up(self, 0x8080_8080_8080_8080)
    }
    #[inline(always)]
    fn not_top(self, _: S) -> Self {
        self & (HAS_BELOW >> 1)
    }
    #[inline(always)]
    fn has_below(self, _: S) -> Self {
        self & HAS_BELOW
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }
}

impl<S: Isa> BoardColumns<S> for FourWords {
    #[inline(always)]
    fn load<const WORDS: usize>(_: S, words: &[u64; WORDS]) -> Self {
        Self::new(words)
    }
    #[inline(always)]
    fn len(self, _: S) -> u64 {
        count(&self.0)
    }
    #[inline(always)]
    fn fill_up(self, _: S) -> Self {
        const TOPS: u64 = 0x8000_8000_8000_8000;
        let [a, b, c, d] = self.0;
        Self([fill_up(a, TOPS), fill_up(b, TOPS), fill_up(c, TOPS), fill_up(d, TOPS)])
    }
    #[inline(always)]
    fn not_top(self, _: S) -> Self {
        self & Self::splat(HAS_BELOW_16 >> 1)
    }
    #[inline(always)]
    fn has_below(self, _: S) -> Self {
        self & Self::splat(HAS_BELOW_16)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }
}

/// Does the same as [`BoardColumns::fill_up`] on one word: `column | -column` for each column. `tops` are the
/// highest bits of columns.
#[inline(always)]
const fn fill_up(word: u64, tops: u64) -> u64 {
    word | ((tops - (word & !tops)) ^ (!word & tops))
}

#[inline(always)]
fn count(words: &[u64; 4]) -> u64 {
    let [a, b, c, d] = words;
    (a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()).into()
}

#[inline(always)]
fn runs_with<S: Isa, F: BoardColumns<S>, const P: usize>(isa: S, planes: &[F; P]) -> F {
    let colored = colored(planes);
    runs_of(planes, colored, colored.has_below(isa))
}

/// Clears the cells `gaps` and lets the columns fall. In each round, all cells above the lowest gap of a
/// column move down by one; the number of rounds is the largest number of gaps in a column.
#[inline(always)]
fn fall_with<S: Isa, F: BoardColumns<S>, const P: usize>(isa: S, planes: &mut [F; P], mut gaps: F) {
    while !gaps.is_zero() {
        let from = gaps.fill_up(isa);
        let sinks = from.not_top(isa);
        for plane in planes.iter_mut() {
            *plane = plane.and_not(from) | (plane.at::<0, -1>() & sinks);
        }
        gaps = gaps.at::<0, -1>() & sinks;
    }
}

/// Plays four swaps of a board of up to 8 x 8 at once, one per lane.
#[inline(always)]
fn four_swaps_at_once_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &[[u64; WORDS]; P],
    mut right: u64,
    mut down: u64,
) -> BestSwap {
    let zero = isa.splat_u64(0);
    let mut best = BestSwap::NONE;
    while right | down != 0 {
        let (mut one, mut other) = ([0; 4], [0; 4]);
        for (one, other) in one.iter_mut().zip(&mut other) {
            if right == 0 {
                *one = down & down.wrapping_neg();
                *other = *one >> 1;
                down ^= *one;
            } else {
                *one = right & right.wrapping_neg();
                *other = *one << 8;
                right ^= *one;
            }
        }
        let lanes = (isa.u64x4(&one), isa.u64x4(&other));
        let both = lanes.0 | lanes.1;
        let mut planes = [FourBoards::<S>(zero); P];
        for (to, from) in planes.iter_mut().zip(board) {
            let plane = isa.splat_u64(from[0]);
            // The two bits change if they differ, that is if exactly one of them is set.
            let set = plane & both;
            let differ = set.cmp_eq(lanes.0) | set.cmp_eq(lanes.1);
            *to = FourBoards(plane ^ (both & differ));
        }
        let (mut scores, mut level) = (zero, zero);
        loop {
            let runs = runs_with(isa, &planes);
            if runs.is_zero() {
                break;
            }
            let cleared = isa.bitcast_u8_u64(isa.bitcast_u64_u8(runs.0).count_ones().sums_of_8());
            level = level + isa.splat_u64(1);
            scores = scores + cleared.mul_u32(level);
            fall_with(isa, &mut planes, runs);
        }
        for ((score, one), other) in scores.to_array().into_iter().zip(one).zip(other) {
            // A lane without a swap scored the runs that the board already had.
            if one != 0 {
                let (bit, down) = (one.trailing_zeros(), other < one);
                best.offer::<WORDS>(Choice { total: score, score, word: 0, bit, down });
            }
        }
    }
    best
}

/// Plays the swaps of a board one after another.
#[inline(always)]
fn swaps_one_by_one_with<S: Isa, F: BoardColumns<S>, const WORDS: usize, const P: usize>(
    isa: S,
    board: &[[u64; WORDS]; P],
    right: &[u64; WORDS],
    down: &[u64; WORDS],
) -> BestSwap {
    let mut best = BestSwap::NONE;
    for (masks, down) in [(right, false), (down, true)] {
        for (word, &mask) in masks.iter().enumerate() {
            for bit in SetBits(mask) {
                let mut after = *board;
                exchange_at(&mut after, word, bit, down);
                let mut planes = [F::load(isa, &[0; WORDS]); P];
                for (to, from) in planes.iter_mut().zip(&after) {
                    *to = F::load(isa, from);
                }
                let (mut score, mut level) = (0, 0);
                loop {
                    let runs = runs_with(isa, &planes);
                    if runs.is_zero() {
                        break;
                    }
                    level += 1;
                    score += level * runs.len(isa);
                    fall_with(isa, &mut planes, runs);
                }
                best.offer::<WORDS>(Choice { total: score, score, word, bit, down });
            }
        }
    }
    best
}
