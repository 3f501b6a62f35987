//! The learner's weights, where a board's are, and how they change.

use super::tuples::MAX_RANK;
use crate::packed::Packed;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::{Isa, Lanes, U64s};

/// Values of a block: what two tuples hold for five shared ranks, 16 each, so two lines of cache.
pub(super) const BLOCK: usize = 32;
/// Blocks of a pair of tuples: five ranks of four bits.
const HALF: usize = 1 << 20;
/// The blocks of the first and the third tuple, then those of the second and the fourth.
pub(super) const BLOCKS: usize = 2 * HALF;

/// 768 MiB of address space, of which the system gives what is written to.
///
/// A move reads the values of up to four boards and changes those of one, so the values are kept dense; what only
/// changes need lies apart, the two sums of a weight side by side.
pub(super) struct Weights {
    values: Aligned,
    /// Of each weight: the sum of its errors, and of their sizes.
    sums: Aligned,
}

/// Zeros that begin at the beginning of a line of cache.
struct Aligned {
    floats: Vec<f32>,
    start: usize,
}

impl Aligned {
    fn zeros(length: usize) -> Self {
        // Zeros are what an allocator gives without touching them.
        let floats = vec![0.0; length + 31];
        // An address says nothing about any value: this is for speed alone.
        let start = floats.as_ptr().align_offset(128).min(31);
        Self { floats, start }
    }

    #[inline(always)]
    fn get(&self) -> &[f32] {
        &self.floats[self.start..]
    }

    #[inline(always)]
    fn get_mut(&mut self) -> &mut [f32] {
        &mut self.floats[self.start..]
    }
}

/// Where the 32 weights of one board are.
pub(super) type Places = [u32; 32];

/// Where the weights of four boards are: those of board i at `[_][i]`. Four for each image, in the order of the
/// first and third tuple, then the second and fourth.
pub(super) type FourPlaces = [[u64; 4]; 32];

/// Finds the weights of four boards at once, a board a lane.
#[inline(never)]
pub(super) fn find_places<S: Isa>(isa: S, boards: &[Packed; 4], places: &mut FourPlaces) {
    isa.enter(
        #[inline(always)]
        || find_places_with(isa, boards, places),
    );
}

#[inline(always)]
fn find_places_with<S: Isa>(isa: S, boards: &[Packed; 4], places: &mut FourPlaces) {
    let mut bits = [0; 4];
    for (bits, board) in bits.iter_mut().zip(boards) {
        *bits = board.bits();
    }
    let view = cut_with(isa, isa.u64x4(&bits));
    let mirrored = mirror_with(isa, view);
    let (low, high) = places.split_at_mut(16);
    for (mut view, places) in [(view, low), (mirrored, high)] {
        // The order of Packed::symmetries.
        for (k, places) in places.as_chunks_mut().0.iter_mut().enumerate() {
            if k > 0 {
                view = mirror_with(isa, transpose_with(isa, view));
            }
            places_of_view_with(isa, view, places);
        }
    }
}

/// Cuts the ranks to [`MAX_RANK`].
#[inline(always)]
fn cut_with<S: Isa>(isa: S, bits: S::U64x4) -> S::U64x4 {
    const _: () = assert!(MAX_RANK == 13, "as 15 without its second bit");
    // Ranks 14 and 15 have their three top bits set.
    let above = bits.shr::<3>() & bits.shr::<2>() & bits.shr::<1>() & isa.splat_u64(0x1111_1111_1111_1111);
    // Those become 15, and 15 becomes 13.
    (bits | above) ^ above.shl::<1>()
}

#[inline(always)]
fn transpose_with<S: Isa>(isa: S, bits: S::U64x4) -> S::U64x4 {
    let swap = (bits ^ bits.shr::<12>()) & isa.splat_u64(0x0000_f0f0_0000_f0f0);
    let bits = bits ^ swap ^ swap.shl::<12>();
    let swap = (bits ^ bits.shr::<24>()) & isa.splat_u64(0x0000_0000_ff00_ff00);
    bits ^ swap ^ swap.shl::<24>()
}

#[inline(always)]
fn mirror_with<S: Isa>(isa: S, bits: S::U64x4) -> S::U64x4 {
    let inner = isa.splat_u64(0x00f0_00f0_00f0_00f0);
    let outer = isa.splat_u64(0x000f_000f_000f_000f);
    ((bits & outer).shl::<12>() | (bits & inner).shl::<4>())
        | ((bits.shr::<4>() & inner) | (bits.shr::<12>() & outer))
}

/// The places of one image: shared cells 0 1 2 4 5, a row below for the second pair of tuples; sixth cells 3 and 6,
/// a row below 7 and 10.
#[inline(always)]
fn places_of_view_with<S: Isa>(isa: S, view: S::U64x4, places: &mut [[u64; 4]; 4]) {
    let (upper, lower) = (isa.splat_u64(0xfff << 5), isa.splat_u64(0xff000 << 5));
    let (sixth, second, half) = (isa.splat_u64(15), isa.splat_u64(16), isa.splat_u64((HALF * BLOCK) as u64));
    let block = (view.shl::<5>() & upper) | (view.shl::<1>() & lower);
    places[0] = (block | (view.shr::<12>() & sixth)).to_array();
    places[1] = (block | second | (view.shr::<24>() & sixth)).to_array();
    let block = half | (view.shr::<11>() & upper) | (view.shr::<15>() & lower);
    places[2] = (block | (view.shr::<28>() & sixth)).to_array();
    places[3] = (block | second | (view.shr::<40>() & sixth)).to_array();
}

impl Weights {
    pub(super) fn new() -> Self {
        Self { values: Aligned::zeros(BLOCKS * BLOCK), sums: Aligned::zeros(2 * BLOCKS * BLOCK) }
    }

    /// Values and sums, block by block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[f32; BLOCK], &[f32; 2 * BLOCK])> {
        let (values, sums) = (self.values.get().as_chunks().0, self.sums.get().as_chunks().0);
        values[..BLOCKS].iter().zip(&sums[..BLOCKS])
    }

    /// The values and the sums of a block.
    pub(super) fn block_mut(&mut self, i: usize) -> (&mut [f32; BLOCK], &mut [f32; 2 * BLOCK]) {
        (&mut self.values.get_mut().as_chunks_mut().0[i], &mut self.sums.get_mut().as_chunks_mut().0[i])
    }

    /// Asks for what [`value_of`](Self::value_of) reads.
    #[inline(always)]
    pub(super) fn prefetch_values_with<S: Isa>(&self, isa: S, places: &FourPlaces, board: usize) {
        let values = self.values.get();
        for place in places {
            isa.prefetch(&values[place[board & 3] as usize]);
        }
    }

    /// Asks for what else [`update`](Self::update) needs.
    #[inline(always)]
    pub(super) fn prefetch_sums_with<S: Isa>(&self, isa: S, places: &Places) {
        let sums = self.sums.get();
        for &place in places {
            isa.prefetch(&sums[2 * place as usize]);
        }
    }

    /// The value of a board. The order of the additions is part of what "the same learner" means.
    #[inline(always)]
    pub(super) fn value(&self, places: &Places) -> f32 {
        let values = self.values.get();
        // Four sums, since one would wait for itself 32 times.
        let mut sums = [0.0; 4];
        for four in places.as_chunks::<4>().0 {
            for (sum, &place) in sums.iter_mut().zip(four) {
                *sum += values[place as usize];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// [`value`](Self::value) of one of four boards.
    #[inline(always)]
    pub(super) fn value_of(&self, places: &FourPlaces, board: usize) -> f32 {
        let values = self.values.get();
        let mut sums = [0.0; 4];
        for four in places.as_chunks::<4>().0 {
            for (sum, place) in sums.iter_mut().zip(four) {
                *sum += values[place[board & 3] as usize];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Moves the board's value toward a target, `rate` of the way.
    ///
    /// With coherence each weight's step is shorter where errors of both signs canceled out: by |sum| / sum of sizes.
    #[inline(always)]
    pub(super) fn update(&mut self, places: &Places, target: f32, rate: f32, coherence: bool) {
        let error = target - self.value(places);
        let step = rate / 32.0 * error;
        let values = self.values.get_mut();
        if !coherence {
            for &place in places {
                values[place as usize] += step;
            }
            return;
        }
        let sums = self.sums.get_mut().as_chunks_mut::<2>().0;
        for &place in places {
            let [sum, size] = &mut sums[place as usize];
            let share = if *size == 0.0 { 1.0 } else { sum.abs() / *size };
            values[place as usize] += step * share;
            *sum += error;
            *size += error.abs();
        }
    }
}
