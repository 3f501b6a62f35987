//! The features `serde` and `rand_core`.

#[cfg(feature = "rand_core")]
mod rand_core {
    use bitcore::rand_core::{Rng as _, SeedableRng};
    use bitcore::{RandomSource, Rng, Rng32};
    use rand_xoshiro::{SplitMix64, Xoroshiro64Star, Xoshiro256PlusPlus};

    fn drawn(rng: &mut (impl bitcore::rand_core::Rng + RandomSource)) -> (u32, u64, [u8; 13], u32) {
        let word = rng.next_u32();
        let long = bitcore::rand_core::Rng::next_u64(rng);
        let mut bytes = [0; 13];
        rng.fill_bytes(&mut bytes);
        (word, long, bytes, rng.below(1000))
    }

    #[test]
    fn the_generators_are_those_of_rand_xoshiro() {
        for seed in 0..100 {
            let mut ours = Rng::new(seed);
            let mut theirs = Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..10 {
                assert_eq!(drawn(&mut ours), drawn(&mut theirs));
            }
            assert_eq!(Rng::seed_from_u64(seed), Rng::new(seed));
            let mut first = [0; 8];
            SplitMix64::seed_from_u64(seed).fill_bytes(&mut first);
            let mut ours = Rng32::stream(seed, 0);
            assert_eq!(drawn(&mut ours), drawn(&mut Xoroshiro64Star::from_seed(first)));
        }
    }

    #[test]
    fn seeds_are_states_and_zeros_are_the_seed_zero() {
        let state: [u64; 4] = [1, 2, 3, 0x0405_0607_0809_0a0b];
        let mut seed = [0; 32];
        for (bytes, word) in seed.chunks_exact_mut(8).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        assert_eq!(Rng::from_seed(seed), Rng::from_state(state).unwrap());
        assert_eq!(Rng::from_seed([0; 32]), Rng::new(0));
        let mut foreign = SplitMix64::seed_from_u64(1);
        assert_ne!(Rng::from_rng(&mut foreign), Rng::from_rng(&mut foreign));
    }

    #[test]
    fn every_generator_is_a_source_even_behind_a_reference() {
        let drawn = |source: &mut dyn RandomSource| (source.next_u64(), source.below(77));
        let mut foreign = SplitMix64::seed_from_u64(3);
        let expected = (bitcore::rand_core::Rng::next_u64(&mut foreign), foreign.below(77));
        assert_eq!(drawn(&mut &mut SplitMix64::seed_from_u64(3)), expected);
        let mut ours = Rng::new(5);
        assert_eq!(drawn(&mut ours.clone()), (ours.next_u64(), ours.below(77)));
    }
}

#[cfg(feature = "serde")]
mod serde {
    use bitcore::Rng;

    #[test]
    fn a_saved_generator_draws_the_same_numbers() {
        let mut rng = Rng::stream(7, 3);
        let text = serde_json::to_string(&rng).unwrap();
        let mut read: Rng = serde_json::from_str(&text).unwrap();
        assert_eq!(read, rng);
        assert_eq!(read.next_u64(), rng.next_u64());
        assert_eq!(
            serde_json::to_string(&Rng::from_state([1, 2, 3, u64::MAX]).unwrap()).unwrap(),
            "[1,2,3,18446744073709551615]"
        );
    }

    #[test]
    fn no_generator_is_refused() {
        for (text, part) in [
            ("[0,0,0,0]", "not all zero"),
            ("[1,2,3]", "expected an array of length 4"),
            ("[1,2,3,4,5]", "trailing characters"),
            ("[1,2,3,-4]", "expected u64"),
            ("\"x\"", "expected an array of length 4"),
        ] {
            let error = serde_json::from_str::<Rng>(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
