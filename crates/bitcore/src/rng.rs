//! The workspace's generator, one stream at a time ([`Rng`]) and many in vector lanes ([`Streams`]).
//!
//! Both are xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021). *Stream i*
//! of a seed is the generator after i jumps of 2^128 draws, so streams never overlap. A batch gives its game i the
//! stream i, whatever lane or thread it runs in: its game is fixed by the seed and i alone.

use crate::isa::{Isa, Lanes, U64s};
use core::array::from_fn;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Xoshiro256++, `rand_xoshiro`'s, seeded as that crate seeds it.
///
/// ```
/// use bitcore::Rng;
/// let mut rng = Rng::new(42);
/// assert!(rng.below(6) < 6);
/// let saved = rng.state();
/// let next = rng.next_u64();
/// assert_eq!(Rng::from_state(saved).unwrap().next_u64(), next);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of a seed: its stream 0.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Stream `i` of a seed: `i` jumps from [`new`](Self::new), each the price of 256 draws.
    pub fn stream(seed: u64, i: u64) -> Self {
        let mut rng = Self::new(seed);
        for _ in 0..i {
            rng.jump();
        }
        rng
    }

    /// Streams 0, 1, 2, .. of a seed, one jump each.
    pub fn streams(seed: u64) -> impl Iterator<Item = Self> {
        core::iter::successors(Some(Self::new(seed)), |rng| {
            let mut next = rng.clone();
            next.jump();
            Some(next)
        })
    }

    /// Skips 2^128 draws: to the next stream.
    pub fn jump(&mut self) {
        self.0.jump();
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`: `(draw * n) >> 64` in 128 bits, one draw. The probabilities of two results differ by at
    /// most 2^-64. 0 if `n` is 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u32
    }

    /// The whole state, to save and to resume.
    #[inline]
    pub fn state(&self) -> [u64; 4] {
        let bytes = self.0.state();
        let mut state = [0; 4];
        for (word, bytes) in state.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        state
    }

    /// The generator of a saved [`state`](Self::state); none of all zeros, which no generator reaches.
    #[inline]
    pub fn from_state(state: [u64; 4]) -> Option<Self> {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(state) {
            *chunk = word.to_le_bytes();
        }
        (state != [0; 4]).then(|| Self(Xoshiro256PlusPlus::from_seed(bytes)))
    }
}

/// Four streams in the lanes of one group: lane j of a draw is the next draw of the j-th generator.
///
/// ```
/// use bitcore::{Isa, Lanes, Portable, Rng, Streams};
/// let mut streams = Streams::new(Portable, core::array::from_fn(|i| Rng::stream(7, i as u64)));
/// assert_eq!(streams.next_u64s().to_array()[2], Rng::stream(7, 2).next_u64());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Streams<S: Isa> {
    state: [S::U64x4; 4],
}

impl<S: Isa> Streams<S> {
    /// Takes the four generators where they stand.
    #[inline(always)]
    #[allow(clippy::needless_pass_by_value, reason = "the generators go on in the lanes")]
    pub fn new(isa: S, generators: [Rng; 4]) -> Self {
        let states = generators.each_ref().map(Rng::state);
        Self { state: from_fn(|word| isa.u64x4(&states.map(|state| state[word]))) }
    }

    /// The next 64 random bits of each stream.
    #[inline(always)]
    pub fn next_u64s(&mut self) -> S::U64x4 {
        let [s0, s1, s2, s3] = self.state;
        let sum = s0 + s3;
        let draw = (sum.shl::<23>() | sum.shr::<41>()) + s0;
        let (t2, t3) = (s2 ^ s0, s3 ^ s1);
        self.state = [s0 ^ t3, s1 ^ t2, t2 ^ s1.shl::<17>(), t3.shl::<45>() | t3.shr::<19>()];
        draw
    }

    /// [`next_u64s`](Self::next_u64s) of the streams that `lanes` marks with all ones; the others stay where they are,
    /// and their lanes of the draw show what they would draw.
    #[inline(always)]
    pub fn next_u64s_of(&mut self, lanes: S::U64x4) -> S::U64x4 {
        let before = self.state;
        let draw = self.next_u64s();
        for (state, before) in self.state.iter_mut().zip(before) {
            *state = lanes.blend_lanes(*state, before);
        }
        draw
    }

    /// The streams from their [`words`](Self::words).
    #[inline(always)]
    pub fn from_words(isa: S, words: &[[u64; 4]; 4]) -> Self {
        let mut state = [isa.splat_u64(0); 4];
        for (state, words) in state.iter_mut().zip(words) {
            *state = isa.u64x4(words);
        }
        Self { state }
    }

    /// The states, to keep in memory: word i of each stream is in `words[i]`, a stream a lane.
    #[inline(always)]
    pub fn words(&self) -> [[u64; 4]; 4] {
        let mut words = [[0; 4]; 4];
        for (words, state) in words.iter_mut().zip(self.state) {
            *words = state.to_array();
        }
        words
    }

    /// The generators where they stand now.
    #[inline(always)]
    pub fn into_generators(self) -> [Rng; 4] {
        let words = self.words();
        let mut generators = [const { None }; 4];
        for (lane, generator) in generators.iter_mut().enumerate() {
            *generator = Rng::from_state([words[0][lane], words[1][lane], words[2][lane], words[3][lane]]);
        }
        // A generator's state is never all zeros, and a step is invertible: the fallback is never taken.
        generators.map(|generator| generator.unwrap_or_else(|| Rng::new(0)))
    }
}
