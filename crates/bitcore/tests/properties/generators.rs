//! Single generators, their states and `below`, against `rand_xoshiro`.

use bitcore::{Rng, Rng32};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use testkit::Input;

pub(crate) fn run(input: &Input) {
    let bytes: [u8; 32] = input.bytes();
    let (words, _) = bytes.as_chunks();
    let state = std::array::from_fn(|i| u64::from_le_bytes(words[i]));
    match Rng::from_state(state) {
        Some(mut rng) => {
            assert_eq!(rng.state(), state);
            let mut words = [[0; 4]; 4];
            let lane = input.below(4);
            rng.store_lane(&mut words, lane);
            assert_eq!(words.map(|word| word[lane]), state);
            assert_eq!(Rng::from_lane(&words, lane), Some(rng.clone()));
            assert_eq!(Rng::from_lane(&words, (lane + 1) % 4), None);
            // The high bits of a product.
            let n = input.u32();
            let mut plain = Xoshiro256PlusPlus::from_seed(bytes);
            let draw = plain.next_u64();
            assert_eq!(u128::from(rng.below(n)), (u128::from(draw) * u128::from(n)) >> 64);
            rng.jump();
            plain.jump();
            assert_eq!(rng.next_u64(), plain.next_u64());
        }
        None => assert_eq!(state, [0; 4]),
    }
    let n = input.u32();
    let mut small = Rng32::stream(input.u64(), input.u64());
    let draw = small.clone().next_u32();
    assert_eq!(u64::from(small.below(n)), (u64::from(draw) * u64::from(n)) >> 32);
}
