//! [`Greedy`]: the swap whose cascade scores most, as far as it can be foreseen.

use super::Agent;
use crate::field::{Four, Lanes16, Near, Word, different, matched};
use crate::planes::{HAS_BELOW, PlaneBoard};
use crate::swaps::Swap;
use bitcore::{Bytes, Isa, Lanes, Level, SetBits, U64s, dispatch};

/// Plays the swap whose whole cascade scores most, as far as it can be foreseen: without new pieces
/// ([`settle`](PlaneBoard::settle)).
///
/// Of equal ones it plays the one whose upper or left cell lies lowest, since then the most columns move and luck has
/// most to work on; then horizontal before vertical, then the leftmost. (Ties by column alone scored 5 % less.)
///
/// ```
/// use match3::{Agent, Board, Board8, Greedy};
/// // Five in the lowest row, or three in the first.
/// let board: Board = "1121234\n3232323\n5566545\n6655656".parse()?;
/// let board: Board8 = Board8::new(&board)?;
/// let swap = Greedy.choose(&board, 30).ok_or("a legal swap")?;
/// let mut after = board;
/// after.exchange(swap);
/// let score = after.settle().score;
/// for other in &board.swaps() {
///     let mut after = board;
///     after.exchange(other);
///     assert!(after.settle().score <= score);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Greedy;

impl Greedy {
    /// [`choose`](Agent::choose) for kernels.
    #[doc(hidden)]
    #[inline(always)]
    pub fn choose_with<S: Isa, const WORDS: usize, const P: usize>(
        self,
        isa: S,
        board: &PlaneBoard<WORDS, P>,
    ) -> Option<Swap> {
        let best = best_swap(isa, board)?;
        Some(board.swap_at(best.word, best.bit, best.down))
    }
}

impl<const WORDS: usize, const P: usize> Agent<WORDS, P> for Greedy {
    fn choose(&mut self, board: &PlaneBoard<WORDS, P>, _moves_left: u32) -> Option<Swap> {
        dispatch!(isa => self.choose_with(isa, board))
    }

    fn choose_on(&mut self, level: Level, board: &PlaneBoard<WORDS, P>, _moves_left: u32) -> Option<Swap> {
        dispatch!(level, isa => self.choose_with(isa, board))
    }
}

/// A swap, what it scores at once, and what it was chosen for, both in tens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) total: u64,
    pub(crate) score: u64,
    pub(crate) word: usize,
    pub(crate) bit: u32,
    pub(crate) down: bool,
}

/// The best swap so far.
#[derive(Clone, Copy)]
struct Best {
    choice: Choice,
    /// Its total, and then how low it lies.
    rank: u64,
}

impl Best {
    const NONE: Self = Self { choice: Choice { total: 0, score: 0, word: 0, bit: 0, down: false }, rank: 0 };

    /// Takes the better one; of two equal ones, that which came first.
    #[inline(always)]
    fn meet<const WORDS: usize>(&mut self, choice: Choice) {
        let side = if WORDS == 1 { 8 } else { 16 };
        let rank = choice.total * side + (side - 1 - u64::from(choice.bit) % side);
        if rank > self.rank {
            *self = Self { choice, rank };
        }
    }
}

/// [`best_with`] as a function of its own: searches call it from many places, where it would be compiled again.
#[inline(never)]
pub(crate) fn best_swap<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &PlaneBoard<WORDS, P>,
) -> Option<Choice> {
    isa.enter(
        #[inline(always)]
        || best_with(isa, board),
    )
}

/// [`ahead_with`] as a function of its own.
#[inline(never)]
pub(crate) fn best_swap_ahead<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &PlaneBoard<WORDS, P>,
) -> Option<Choice> {
    isa.enter(
        #[inline(always)]
        || ahead_with(isa, board),
    )
}

/// The swap that scores most; none if the board is dead.
#[inline(always)]
fn best_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &PlaneBoard<WORDS, P>,
) -> Option<Choice> {
    let swaps = board.swaps_with(isa);
    let (right, down) = (swaps.right.words(), swaps.down.words());
    let best = if !board.is_plain() {
        one_by_one_with(isa, board, right, down)
    } else if WORDS == 1 {
        four_at_once_with(isa, board, right[0], down[0])
    } else {
        in_columns_with(isa, board, right, down)
    };
    (best.rank > 0).then_some(best.choice)
}

/// Each swap on a copy of the board.
#[inline(always)]
fn one_by_one_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &PlaneBoard<WORDS, P>,
    right: [u64; WORDS],
    down: [u64; WORDS],
) -> Best {
    let mut best = Best::NONE;
    for (masks, down) in [(right, false), (down, true)] {
        for (word, mask) in masks.into_iter().enumerate() {
            for bit in SetBits(mask) {
                let mut after = *board;
                after.exchange_at(word, bit, down);
                let score = after.settle_with(isa).score / 10;
                let choice = Choice { total: score, score, word, bit, down };
                best.meet::<WORDS>(choice);
            }
        }
    }
    best
}

/// The swap that scores most together with the best one after it, without new pieces in between; none if the board is
/// dead.
#[inline(always)]
fn ahead_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &PlaneBoard<WORDS, P>,
) -> Option<Choice> {
    let swaps = board.swaps_with(isa);
    let mut best = Best::NONE;
    for (masks, down) in [(swaps.right.words(), false), (swaps.down.words(), true)] {
        for (word, mask) in masks.into_iter().enumerate() {
            for bit in SetBits(mask) {
                let mut after = *board;
                after.exchange_at(word, bit, down);
                let score = after.settle_with(isa).score / 10;
                let mut total = score;
                if let Some(next) = best_swap(isa, &after) {
                    total += next.score;
                }
                let choice = Choice { total, score, word, bit, down };
                best.meet::<WORDS>(choice);
            }
        }
    }
    (best.rank > 0).then_some(best.choice)
}

/// Cells in columns that lie from the lowest bit of a field up.
pub(crate) trait Columns<S: Isa>: Near<Word = Self> + Word {
    /// In each column the lowest set bit and all bits above it.
    fn fill_up(self, isa: S) -> Self;
    /// Takes out what came over from the next column when all moved down by one.
    fn not_top(self, isa: S) -> Self;
    /// Takes out the lowest row.
    fn has_below(self, isa: S) -> Self;
    /// Whether no bit is set.
    fn is_zero(self) -> bool;
}

impl<S: Isa> Columns<S> for Four<S> {
    #[inline(always)]
    fn fill_up(self, isa: S) -> Self {
        let bytes = isa.u64s_as_bytes(self.0);
        Self(isa.bytes_as_u64s(bytes | (isa.splat_u8(0) - bytes)))
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

impl<S: Isa> Columns<S> for Lanes16<S> {
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

/// The cells in runs.
#[inline(always)]
fn runs_with<S: Isa, F: Columns<S>, const P: usize>(isa: S, planes: &[F; P]) -> F {
    let mut coloured = planes[0];
    for &plane in &planes[1..] {
        coloured = coloured | plane;
    }
    let right = coloured.and_not(different::<F, P, 1, 0>(planes));
    let down = coloured.has_below(isa).and_not(different::<F, P, 0, 1>(planes));
    matched(right, down)
}

/// Takes out cells and lets the columns fall: in each round, what lies above the lowest one sinks by one. As many
/// rounds as the most cells of a column, one for a run along a row. A compress in logarithmic steps takes as long as
/// five.
#[inline(always)]
fn fall_with<S: Isa, F: Columns<S>, const P: usize>(isa: S, planes: &mut [F; P], mut gaps: F) {
    while !gaps.is_zero() {
        let from = gaps.fill_up(isa);
        let sinks = from.not_top(isa);
        for plane in planes.iter_mut() {
            *plane = plane.and_not(from) | (plane.at::<0, -1>() & sinks);
        }
        gaps = gaps.at::<0, -1>() & sinks;
    }
}

/// Four swaps of a board of up to 8 x 8 at once, a lane each.
#[inline(always)]
fn four_at_once_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &PlaneBoard<WORDS, P>,
    mut right: u64,
    mut down: u64,
) -> Best {
    let zero = isa.splat_u64(0);
    let mut best = Best::NONE;
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
        let mut planes = [Four::<S>(zero); P];
        for (to, from) in planes.iter_mut().zip(&board.planes) {
            let plane = isa.splat_u64(from[0]);
            // The two bits change where they differ: where one of them alone is set.
            let set = plane & both;
            let differ = set.lanes_eq(lanes.0) | set.lanes_eq(lanes.1);
            *to = Four(plane ^ (both & differ));
        }
        let (mut scores, mut level) = (zero, zero);
        loop {
            let runs = runs_with(isa, &planes);
            if runs.is_zero() {
                break;
            }
            let cleared = isa.bytes_as_u64s(isa.u64s_as_bytes(runs.0).count_ones().group_sums());
            level = level + isa.splat_u64(1);
            scores = scores + cleared.mul_low(level);
            fall_with(isa, &mut planes, runs);
        }
        for ((score, one), other) in scores.to_array().into_iter().zip(one).zip(other) {
            // A lane without a swap has whatever runs there were before.
            if one != 0 {
                let (bit, down) = (one.trailing_zeros(), other < one);
                best.meet::<WORDS>(Choice { total: score, score, word: 0, bit, down });
            }
        }
    }
    best
}

/// The swaps of a board of up to 16 x 16 one after the other, a column a lane.
#[inline(always)]
fn in_columns_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    board: &PlaneBoard<WORDS, P>,
    right: [u64; WORDS],
    down: [u64; WORDS],
) -> Best {
    let mut best = Best::NONE;
    for (masks, down) in [(right, false), (down, true)] {
        for (word, mask) in masks.into_iter().enumerate() {
            for bit in SetBits(mask) {
                let mut after = *board;
                after.exchange_at(word, bit, down);
                let mut planes = [after.lanes_with(isa, &[0; WORDS]); P];
                for (to, from) in planes.iter_mut().zip(&after.planes) {
                    *to = after.lanes_with(isa, from);
                }
                let (mut score, mut level) = (0, 0);
                loop {
                    let runs = runs_with(isa, &planes);
                    if runs.is_zero() {
                        break;
                    }
                    level += 1;
                    for word in isa.u16s_as_u64s(runs.0).to_array() {
                        score += level * u64::from(word.count_ones());
                    }
                    fall_with(isa, &mut planes, runs);
                }
                best.meet::<WORDS>(Choice { total: score, score, word, bit, down });
            }
        }
    }
    best
}
