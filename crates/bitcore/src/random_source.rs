//! [`RandomSource`]: any generator, for games that draw one number at a time.

#[cfg(not(feature = "rand_core"))]
use crate::rng::Rng;
#[cfg(feature = "rand_core")]
use rand_xoshiro::rand_core;

/// A source of random numbers for rules that draw one at a time: a spawn, a bag, a shuffle.
///
/// [`Rng`](crate::Rng) implements it. With the feature `rand_core`, so does every infallible
/// generator of that crate, which then includes `Rng`. Batches and playouts draw their games from
/// streams of a seed, so they only take a seed or an `Rng`: `Rng::from_rng` seeds one from any
/// generator.
///
/// ```
/// use bitcore::{RandomSource, Rng};
/// fn roll(dice: &mut impl RandomSource) -> u32 {
///     1 + dice.below(6)
/// }
/// assert_eq!(roll(&mut Rng::new(7)), 1 + Rng::new(7).below(6));
/// ```
pub trait RandomSource {
    /// Returns the next 64 random bits.
    fn next_u64(&mut self) -> u64;

    /// Returns a random number below `n`, or 0 if `n` is 0, from one draw, like
    /// [`Rng::below`](crate::Rng::below).
    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u32
    }
}

// Only one of the two impls exists: with the feature, `Rng` is a generator of `rand_core`, and the
// second covers it.
#[cfg(not(feature = "rand_core"))]
impl RandomSource for Rng {
    #[inline(always)]
    fn next_u64(&mut self) -> u64 {
        Self::next_u64(self)
    }
}

#[cfg(feature = "rand_core")]
impl<R: rand_core::Rng + ?Sized> RandomSource for R {
    #[inline(always)]
    fn next_u64(&mut self) -> u64 {
        rand_core::Rng::next_u64(self)
    }
}
