//! [`Rng`] and [`Rng32`] as generators of the crate `rand_core`.

use crate::rng::{Rng, Rng32};
use core::convert::Infallible;
use rand_xoshiro::rand_core::{SeedableRng, TryRng};

macro_rules! generators {
    ($($name:ident),+) => { $(
        impl TryRng for $name {
            type Error = Infallible;

            #[inline(always)]
            fn try_next_u32(&mut self) -> Result<u32, Infallible> {
                self.0.try_next_u32()
            }

            #[inline(always)]
            fn try_next_u64(&mut self) -> Result<u64, Infallible> {
                self.0.try_next_u64()
            }

            #[inline]
            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
                self.0.try_fill_bytes(bytes)
            }
        }
    )+ };
}
generators!(Rng, Rng32);

impl SeedableRng for Rng {
    type Seed = [u8; 32];

    /// Returns the generator with this state, four little-endian words. All zeros is not a valid
    /// state and gives the generator of seed 0.
    fn from_seed(seed: [u8; 32]) -> Self {
        Self(SeedableRng::from_seed(seed))
    }

    /// Returns [`Rng::new`].
    fn seed_from_u64(seed: u64) -> Self {
        Self::new(seed)
    }
}
