//! [`FourGames`]: the lane engine. Four games in the lanes of a register, played move by move.
//!
//! ```text
//! list      swaps, runs = the swap formula, four boards in parallel
//! draw      k = below(number of swaps); n-th swap = 1 << k       or the swap chosen by a caller
//! pick      swap = pdep(n-th swap, swaps)                        the k-th set bit, game by game
//! exchange  the two cells; nothing in a game that doesn't play
//! clear     runs = cells in runs; score += cells * level
//! fall      plane = pdep(pext(plane, pieces), rest) | pdep(buffered colors, empty)
//! ```
//!
//! A caller runs several `FourGames` through these steps in an interleaved order, which hides the
//! scalar PDEPs and PEXTs of `pick` and `fall` behind the vector instructions of the other steps.
//! `playout` plays complete games, `batch` single moves.

use super::colors::{RandomColors, bits_of, buffer_with};
use super::fall::ColumnsOfPieces;
use super::formula::{Colored, EqualMasks, runs_of};
use super::planes::Board8;
use super::words::{FourBoards, OffsetMask};
use bitcore::{Bytes, Isa, Lanes, PextLanes, Rng, SetBits, Streams, U64s, pdep_lanes};

/// Boards of up to 8 x 8. Word i of each array belongs to game i.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct FourGames<const P: usize> {
    pub(crate) planes: [[u64; 4]; P],
    /// The buffered colors, as in [`RandomColors`].
    buffer: [[u64; 4]; P],
    buffered: [u64; 4],
    /// The four state words of each generator.
    rng: [[u64; 4]; 4],
}

#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Moves {
    /// The swap, as the bit of its first cell, or 0 in a game that doesn't play. Before
    /// [`pick_with`](Self::pick_with), the legal swaps of the drawn direction.
    pub(crate) swaps: [u64; 4],
    /// `1 << k` for the k-th of these swaps.
    nth: [u64; 4],
    /// All ones for a swap with the right neighbor, otherwise zero.
    pub(crate) horizontal: [u64; 4],
    /// The cells that were not cleared.
    pieces: [u64; 4],
    /// The cells to refill after the fall, at the top of each column.
    empty: [u64; 4],
    /// The number of cells in `empty`.
    pub(crate) filled: [u64; 4],
    /// The score in tens of points.
    pub(crate) score: [u64; 4],
}

impl Moves {
    pub(crate) const NONE: Self = {
        let zero = [0; 4];
        Self {
            swaps: zero,
            nth: zero,
            horizontal: zero,
            pieces: zero,
            empty: zero,
            filled: zero,
            score: zero,
        }
    };

    /// Finds the drawn swaps, the k-th set bits.
    #[inline(always)]
    pub(crate) fn pick_with<S: Isa>(&mut self, isa: S) {
        self.swaps = pdep_lanes(isa, isa.u64x4(&self.nth), isa.u64x4(&self.swaps)).to_array();
    }
}

/// The cells of full boards of one size, in lanes.
#[derive(Clone, Copy)]
pub(crate) struct SizeLanes<S: Isa> {
    inside: Colored<FourBoards<S>>,
    highest: S::U8x32,
}

impl<S: Isa> SizeLanes<S> {
    #[inline(always)]
    pub(crate) fn new<const P: usize>(isa: S, board: &Board8<P>) -> Self {
        Self {
            inside: Colored::new(isa, FourBoards(isa.splat_u64(board.inside))),
            highest: isa.u8x32(&HIGHEST[board.height().min(8)]),
        }
    }
}

const ONLY: [[u64; 4]; 4] =
    [[u64::MAX, 0, 0, 0], [0, u64::MAX, 0, 0], [0, 0, u64::MAX, 0], [0, 0, 0, u64::MAX]];

/// The bits of a byte mask for the top bytes of the four lanes, set if the lane is negative.
const TOP_BYTES: u32 = 0x8080_8080;

/// The top n cells of a column, indexed by the column's height, then n. Each table is repeated
/// because a shuffle looks up within each half of a register.
const HIGHEST: [[u8; 32]; 9] = {
    let mut tables = [[0; 32]; 9];
    let mut height = 0;
    while height <= 8 {
        let column = 0xff_u8.unbounded_shr(8 - height);
        let mut n = 0;
        while n < 32 {
            let rest = 0xff_u8.unbounded_shr(8 - height.saturating_sub(n % 16));
            tables[height as usize][n as usize] = column & !rest;
            n += 1;
        }
        height += 1;
    }
    tables
};

/// Returns [`Rng::below`] in lanes: exactly `(draw * n) >> 64`, for `n` below 2^32.
#[inline(always)]
fn below_with<S: Isa>(draw: S::U64x4, n: S::U64x4) -> S::U64x4 {
    let low = draw.mul_u32(n).shr::<32>();
    (draw.shr::<32>().mul_u32(n) + low).shr::<32>()
}

impl<const P: usize> FourGames<P> {
    pub(crate) const EMPTY: Self = {
        let zero = [0; 4];
        Self { planes: [zero; P], buffer: [zero; P], buffered: zero, rng: [zero; 4] }
    };

    pub(crate) fn planes(&self, lane: usize) -> [u64; P] {
        let mut planes = [0; P];
        for (plane, lanes) in planes.iter_mut().zip(&self.planes) {
            *plane = lanes[lane];
        }
        planes
    }

    pub(crate) fn put_planes(&mut self, lane: usize, planes: &[u64; P]) {
        for (lanes, plane) in self.planes.iter_mut().zip(planes) {
            lanes[lane] = *plane;
        }
    }

    pub(crate) fn colors(&self, lane: usize, count: u8) -> RandomColors {
        let rng = Rng::from_lane(&self.rng, lane).expect("a generator's state");
        let mut buffer = [0; P];
        for (word, lanes) in buffer.iter_mut().zip(&self.buffer) {
            *word = lanes[lane];
        }
        RandomColors::from_parts(rng, count, &buffer, self.buffered[lane] as u32)
    }

    pub(crate) fn put_colors(&mut self, lane: usize, colors: &RandomColors) {
        let (rng, buffer, buffered) = colors.parts();
        rng.store_lane(&mut self.rng, lane);
        for (lanes, word) in self.buffer.iter_mut().zip(buffer) {
            lanes[lane] = word;
        }
        self.buffered[lane] = buffered.into();
    }

    #[inline(always)]
    fn planes_with<S: Isa>(&self, isa: S) -> [FourBoards<S>; P] {
        let mut planes = [FourBoards(isa.splat_u64(0)); P];
        for (to, from) in planes.iter_mut().zip(&self.planes) {
            *to = FourBoards(isa.u64x4(from));
        }
        planes
    }

    /// Compares the cells of the boards; the result gives the swaps and the runs.
    #[inline(always)]
    pub(crate) fn list_with<S: Isa>(
        &self,
        isa: S,
        size: &SizeLanes<S>,
    ) -> EqualMasks<FourBoards<S>> {
        EqualMasks::new(&self.planes_with(isa), size.inside)
    }

    /// Draws one of the swaps in each lane of the mask `lanes`; [`Moves::pick_with`] then finds it.
    #[inline(always)]
    pub(crate) fn draw_with<S: Isa>(
        &mut self,
        isa: S,
        lanes: S::U64x4,
        [right, down]: [S::U64x4; 2],
        moves: &mut Moves,
    ) {
        let [right_len, legal] = Self::lens_with(isa, right, down);
        let mut streams = Streams::from_words(isa, &self.rng);
        let draw = streams.next_u64s_masked(lanes);
        self.rng = streams.words();
        let k = below_with::<S>(draw, legal);
        let nth = isa.splat_u64(1).shl_each(k) & lanes;
        // Horizontal swaps are counted first.
        let beyond = nth.shr_each(right_len);
        let horizontal = beyond.cmp_eq(isa.splat_u64(0));
        moves.swaps = horizontal.blend_lanes(right, down).to_array();
        moves.nth = horizontal.blend_lanes(nth, beyond).to_array();
        moves.horizontal = horizontal.to_array();
    }

    /// Returns the number of swaps with the right neighbor and the total number of swaps.
    #[inline(always)]
    pub(crate) fn lens_with<S: Isa>(isa: S, right: S::U64x4, down: S::U64x4) -> [S::U64x4; 2] {
        let counts_right = isa.bitcast_u64_u8(right).count_ones();
        let counts_down = isa.bitcast_u64_u8(down).count_ones();
        let right_len = isa.bitcast_u8_u64(counts_right.sums_of_8());
        [right_len, isa.bitcast_u8_u64((counts_right + counts_down).sums_of_8())]
    }

    /// Returns the runs.
    #[inline(always)]
    pub(crate) fn exchange_and_clear_with<S: Isa>(
        &mut self,
        isa: S,
        size: &SizeLanes<S>,
        level: S::U64x4,
        moves: &mut Moves,
    ) -> S::U64x4 {
        let planes = self.exchange_with(isa, isa.u64x4(&moves.swaps), isa.u64x4(&moves.horizontal));
        self.clear_with(isa, size, &planes, level, moves)
    }

    /// Removes the colors used by the last fall from the buffer, then clears. Returns the runs.
    #[inline(always)]
    pub(crate) fn clear_again_with<S: Isa>(
        &mut self,
        isa: S,
        size: &SizeLanes<S>,
        level: S::U64x4,
        moves: &mut Moves,
    ) -> S::U64x4 {
        self.remove_used_with(isa, moves);
        let planes = self.planes_with(isa);
        self.clear_with(isa, size, &planes, level, moves)
    }

    /// Finds the runs, counts their cells and updates the score. Returns the runs.
    #[inline(always)]
    fn clear_with<S: Isa>(
        &mut self,
        isa: S,
        size: &SizeLanes<S>,
        planes: &[FourBoards<S>; P],
        level: S::U64x4,
        moves: &mut Moves,
    ) -> S::U64x4 {
        let runs = runs_of(planes, size.inside).0;
        let counts = isa.bitcast_u64_u8(runs).count_ones();
        let cleared = isa.bitcast_u8_u64(counts.sums_of_8());
        let score = cleared.mul_u32(level);
        self.buffered = (isa.u64x4(&self.buffered) - cleared).to_array();
        moves.filled = cleared.to_array();
        moves.pieces = (!runs).to_array();
        moves.empty = isa.bitcast_u8_u64(size.highest.shuffle(counts)).to_array();
        moves.score = (isa.u64x4(&moves.score) + score).to_array();
        runs
    }

    /// Exchanges a cell of each board, given as its bit, with its right neighbor where `horizontal`
    /// is all ones, or with the cell below where it is zero. Does nothing in lanes without a set
    /// bit. Returns the planes.
    #[inline(always)]
    fn exchange_with<S: Isa>(
        &mut self,
        isa: S,
        swaps: S::U64x4,
        horizontal: S::U64x4,
    ) -> [FourBoards<S>; P] {
        let one = FourBoards::<S>(swaps);
        let other = horizontal.blend_lanes(one.at::<-1, 0>().0, one.at::<0, -1>().0);
        let both = one | FourBoards(other);
        let mut planes = [one; P];
        for (to, from) in planes.iter_mut().zip(&mut self.planes) {
            let plane = FourBoards::<S>(isa.u64x4(from));
            // The two bits change if they differ, that is, if exactly one of them is set.
            let set = (plane & both).0;
            let same = set.cmp_eq(isa.splat_u64(0)) | set.cmp_eq(both.0);
            *to = FourBoards(plane.0 ^ both.0.and_not(same));
            *from = to.0.to_array();
        }
        planes
    }

    /// Lets the columns fall and refills them from the buffer; games that run out of colors draw
    /// new ones. Call [`remove_used_with`](Self::remove_used_with) afterwards to drop the used
    /// colors. `count` is the number of colors.
    #[inline(always)]
    pub(crate) fn fall_with<S: Isa>(&mut self, isa: S, count: u8, moves: &mut Moves) {
        let Moves { pieces, empty, filled, .. } = moves;
        let short = isa.bitcast_u64_u8(isa.u64x4(&self.buffered)).movemask() & TOP_BYTES;
        if S::FAST_PEXT {
            for lane in 0..4 {
                let pieces = pieces[lane];
                let empty = empty[lane];
                for (planes, buffer) in self.planes.iter_mut().zip(&self.buffer) {
                    let fallen = isa.pdep(isa.pext(planes[lane], pieces), !empty);
                    planes[lane] = fallen | isa.pdep(buffer[lane], empty);
                }
            }
        } else {
            let columns = ColumnsOfPieces::new(isa, isa.u64x4(pieces));
            let holes = PextLanes::new(isa, isa.u64x4(empty));
            for (planes, buffer) in self.planes.iter_mut().zip(&self.buffer) {
                let fallen = columns.close(isa.u64x4(planes));
                *planes = (fallen | holes.pdep(isa.u64x4(buffer))).to_array();
            }
        }
        if short != 0 {
            self.refill(isa, short, count, empty);
            for bit in SetBits(short.into()) {
                filled[bit as usize / 8] = 0;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn remove_used_with<S: Isa>(&mut self, isa: S, moves: &Moves) {
        for buffer in &mut self.buffer {
            *buffer = isa.u64x4(buffer).shr_each(isa.u64x4(&moves.filled)).to_array();
        }
    }

    /// Draws new buffers for games that ran out of colors, and fills the cells of `empty` that got
    /// none, the last ones in bit order. `short` has the bits of these games in [`TOP_BYTES`]. Each
    /// game gets here about once in 15 cascade levels.
    #[cold]
    #[inline(never)]
    fn refill<S: Isa>(&mut self, isa: S, short: u32, count: u8, empty: &[u64; 4]) {
        isa.enter(
            #[inline(always)]
            || {
                for bit in SetBits(short.into()) {
                    let lane = bit as usize / 8;
                    self.refill_lane_with(isa, lane, count, empty[lane]);
                }
            },
        );
    }

    #[inline(always)]
    fn refill_lane_with<S: Isa>(&mut self, isa: S, lane: usize, count: u8, empty: u64) {
        while self.buffered[lane].cast_signed() < 0 {
            let missing = self.buffered[lane].wrapping_neg() as u32;
            let buffered = self.draw_buffer_with(isa, lane, count);
            let cells = isa.pdep(u64::MAX.unbounded_shl(empty.count_ones() - missing), empty);
            for (planes, buffer) in self.planes.iter_mut().zip(&mut self.buffer) {
                planes[lane] |= isa.pdep(buffer[lane], cells);
                buffer[lane] = buffer[lane].unbounded_shr(missing);
            }
            self.buffered[lane] = self.buffered[lane].wrapping_add(buffered.into());
        }
    }

    /// Draws a new buffer for one game, with the same draws as [`RandomColors`]. Runs in the lanes,
    /// because the generator's state is there.
    #[inline(always)]
    fn draw_buffer_with<S: Isa>(&mut self, isa: S, lane: usize, count: u8) -> u32 {
        let only = isa.u64x4(&ONLY[lane]);
        let mut streams = Streams::from_words(isa, &self.rng);
        let mut buffered = 0;
        while buffered == 0 {
            let mut numbers = [0; P];
            for number in numbers.iter_mut().take(bits_of(count) as usize) {
                *number = streams.next_u64s_masked(only).to_array()[lane];
            }
            buffered = buffer_with(isa, &mut numbers, count);
            for (lanes, word) in self.buffer.iter_mut().zip(numbers) {
                lanes[lane] = word;
            }
        }
        self.rng = streams.words();
        buffered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitcore::dispatch;

    #[test]
    fn draws_in_lanes_are_scaled_exactly() {
        let mut rng = Rng::new(1);
        for round in 0..2000 {
            // Products just below and above a multiple of 2^64, where the low half of the draw
            // matters.
            let n: [u64; 4] = core::array::from_fn(|_| 1 + u64::from(rng.below(112)));
            let draw: [u64; 4] = core::array::from_fn(|lane| {
                let edge =
                    (1u128 << 64) * u128::from(1 + rng.below(n[lane] as u32)) / u128::from(n[lane]);
                (edge as u64).wrapping_add(round % 3).wrapping_sub(1)
            });
            let scaled =
                |lane: usize| ((u128::from(draw[lane]) * u128::from(n[lane])) >> 64) as u64;
            testkit::on_each_level(|| {
                let found = dispatch!(isa => below_of(isa, &draw, &n));
                assert_eq!(found, core::array::from_fn(scaled), "{draw:?} {n:?}");
            });
        }
    }

    #[inline(always)]
    fn below_of<S: Isa>(isa: S, draw: &[u64; 4], n: &[u64; 4]) -> [u64; 4] {
        below_with::<S>(isa.u64x4(draw), isa.u64x4(n)).to_array()
    }
}
