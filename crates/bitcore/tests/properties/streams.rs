//! Streams in lanes, against single streams and `rand_xoshiro`.

use bitcore::{Isa, Lanes, Rng, Rng32, Streams, Streams32};
use rand_xoshiro::rand_core::{Rng as Generator, SeedableRng as _};
use rand_xoshiro::{SplitMix64, Xoroshiro64Star, Xoshiro256PlusPlus};
use std::array::from_fn;
use testkit::Input;

pub(crate) fn run<S: Isa>(isa: S, input: &Input) {
    let seed = input.u64();
    let first = u64::from(input.byte() % 4);
    if input.flag() { wide(isa, input, seed, first) } else { narrow(isa, input, seed, first) }
}

fn wide<S: Isa>(isa: S, input: &Input, seed: u64, first: u64) {
    let mut plain: [Xoshiro256PlusPlus; 4] = from_fn(|i| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..first + i as u64).for_each(|_| rng.jump());
        rng
    });
    let mut streams = Rng::streams_from(seed, first);
    assert_eq!(Rng::streams(seed).nth(first as usize), Some(Rng::stream(seed, first)));
    let mut lanes = Streams::new(isa, from_fn(|_| streams.next().expect("endless streams")));
    while !input.is_empty() {
        let bits = input.byte();
        match bits >> 4 {
            0..12 => {
                let chosen: [bool; 4] = from_fn(|i| bits >> i & 1 == 1);
                let mask = isa.u64x4(&chosen.map(|chosen| if chosen { u64::MAX } else { 0 }));
                let drawn = lanes.next_u64s_masked(mask).to_array();
                for (i, plain) in plain.iter_mut().enumerate() {
                    let mut next = plain.clone();
                    assert_eq!(drawn[i], next.next_u64());
                    if chosen[i] {
                        *plain = next;
                    }
                }
            }
            12 => {
                assert_eq!(lanes.next_u64s().to_array(), plain.each_mut().map(Generator::next_u64));
            }
            13 => lanes = Streams::from_words(isa, &lanes.words()),
            14 => {
                let lane = usize::from(bits % 4);
                let mut words = lanes.words();
                let mut rng = Rng::from_lane(&words, lane).expect("a state that isn't zero");
                assert_eq!(Some(rng.copy_and_jump()), Rng::from_lane(&words, lane));
                plain[lane].jump();
                rng.store_lane(&mut words, lane);
                lanes = Streams::from_words(isa, &words);
            }
            _ => lanes = Streams::new(isa, lanes.into_generators()),
        }
    }
    let mut resumed = lanes.into_generators();
    assert_eq!(resumed.each_mut().map(Rng::next_u64), plain.each_mut().map(Generator::next_u64));
}

fn narrow<S: Isa>(isa: S, input: &Input, seed: u64, first: u64) {
    let mut starts = SplitMix64::from_seed(seed.to_le_bytes());
    for _ in 0..first {
        let _ = starts.next_u64();
    }
    let mut plain: [_; 8] =
        from_fn(|_| Xoroshiro64Star::from_seed(starts.next_u64().to_le_bytes()));
    let mut generators = from_fn(|i| Rng32::stream(seed, first + i as u64));
    let mut lanes = Streams32::from_words(isa, &Streams32::<S>::words_of(&generators));
    while !input.is_empty() {
        let bits = input.byte();
        let mask = isa.u32x8(&from_fn(|i| if bits >> i & 1 == 1 { u32::MAX } else { 0 }));
        let drawn = lanes.next_u32s_masked(isa, mask).to_array();
        for i in 0..8 {
            let mut next = plain[i].clone();
            assert_eq!(drawn[i], next.next_u32());
            if bits >> i & 1 == 1 {
                assert_eq!(generators[i].next_u32(), drawn[i]);
                plain[i] = next;
            }
        }
        assert_eq!(lanes.words(), Streams32::<S>::words_of(&generators));
    }
}
