//! The words of which the masks of a board are made: [`BoardWords`].

use super::words::LaneForm;
use core::fmt::Debug;
use core::hash::Hash;

/// The words of a mask of cells: `u64` for boards of up to 8 x 8, [`FourWords`] for boards of up to 16 x 16.
/// Sealed.
#[allow(private_bounds, reason = "no other crate implements it")]
pub trait BoardWords: LaneForm + Default + Eq + Hash + Debug + Send + Sync + 'static {
    /// The largest width and height.
    const SIDE: usize;

    /// Returns the words from the left.
    fn words(&self) -> &[u64];
    /// Returns the words from the left, to change.
    fn words_mut(&mut self) -> &mut [u64];
}

/// The words of a mask of up to 16 x 16 cells, four columns in each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FourWords(pub [u64; 4]);

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
