//! [`BoardWords`]: the word types of board masks.

use super::formula::{Colored, runs_of, swaps_of};
use super::four_words::FourWords;
use super::words::{Columns, LaneForm};
use bitcore::Isa;
use core::fmt::Debug;
use core::hash::Hash;

/// The words of a mask of cells: `u64` for boards of up to 8 x 8, [`FourWords`] for boards of up to
/// 16 x 16. This trait is sealed.
#[allow(private_bounds, reason = "no other crate implements it")]
pub trait BoardWords: LaneForm + Default + Eq + Hash + Debug + Send + Sync + 'static {
    /// The largest width and height.
    const SIDE: usize;

    /// Returns the words, left columns first.
    fn words(&self) -> &[u64];
    /// Returns the words mutably, left columns first.
    fn words_mut(&mut self) -> &mut [u64];
}

impl BoardWords for u64 {
    const SIDE: usize = 8;

    #[inline(always)]
    fn words(&self) -> &[u64] {
        core::slice::from_ref(self)
    }
    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        core::slice::from_mut(self)
    }
}

impl BoardWords for FourWords {
    const SIDE: usize = 16;

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }
    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

#[inline(always)]
pub(crate) fn load_words_with<S: Isa, W: BoardWords>(isa: S, words: &W) -> S::U64x4 {
    match words.words().first_chunk() {
        Some(four) => isa.u64x4(four),
        None => isa.splat_u64(words.words()[0]),
    }
}

#[inline(always)]
pub(crate) fn load_planes_with<S: Isa, W: BoardWords, const P: usize>(
    isa: S,
    planes: &[W; P],
) -> [W::InLanes<S>; P] {
    let mut lanes = [planes[0].in_lanes(isa); P];
    for (lanes, plane) in lanes.iter_mut().zip(planes) {
        *lanes = plane.in_lanes(isa);
    }
    lanes
}

/// Returns the cells that may be swapped with the right neighbor and with the cell below.
#[inline(always)]
pub(crate) fn swaps_of_planes_with<S: Isa, W: BoardWords + Columns<S>, const P: usize>(
    isa: S,
    planes: &[W; P],
    locked: W,
) -> (W, W) {
    if !S::HAS_SIMD {
        return swaps_of(isa, planes, locked);
    }
    let (right, down) = swaps_of(isa, &load_planes_with(isa, planes), locked.in_lanes(isa));
    (W::from_lanes(isa, right), W::from_lanes(isa, down))
}

#[inline(always)]
pub(crate) fn runs_of_planes_with<S: Isa, W: BoardWords + Columns<S>, const P: usize>(
    isa: S,
    planes: &[W; P],
) -> W {
    if !S::HAS_SIMD {
        return runs_of(planes, Colored::of(isa, planes));
    }
    let planes = load_planes_with(isa, planes);
    W::from_lanes(isa, runs_of(&planes, Colored::of(isa, &planes)))
}
