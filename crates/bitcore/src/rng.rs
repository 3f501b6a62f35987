//! Random number generators: single streams ([`Rng`], [`Rng32`]) and streams in vector lanes
//! ([`Streams`], [`Streams32`]).
//!
//! | generator | output | state | streams of a seed |
//! |---|---|---|---|
//! | [`Rng`], [`Streams`] | 64 bits | 256 bits | stream i is 2^128 i draws ahead: streams never overlap |
//! | [`Rng32`], [`Streams32`] | 32 bits | 64 bits | stream i is seeded by the i-th output of `SplitMix64` |
//!
//! The first is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number
//! generators", 2021). The second, xoroshiro64*, is for games so short that jumping to a stream of
//! the first would cost more than their draws.
//!
//! Game i of a batch draws from stream i in any lane and on any thread, so it only depends on the
//! seed and i.

use crate::isa::{Isa, Lanes, U32s, U64s};
use alloc::vec::Vec;
use core::array::from_fn;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::{SplitMix64, Xoroshiro64Star, Xoshiro256PlusPlus};
#[cfg(feature = "std")]
use std::sync::LazyLock;

/// The generator xoshiro256++ of the crate `rand_xoshiro`, with that crate's seeding.
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
pub struct Rng(pub(crate) Xoshiro256PlusPlus);

impl Rng {
    /// Returns stream 0 of a seed.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns stream `i` of a seed: `i` jumps from [`new`](Self::new). Takes at most about as long
    /// as 50,000 jumps.
    pub fn stream(seed: u64, i: u64) -> Self {
        let mut rng = Self::new(seed);
        if i > 1 << 14 {
            Jump::over(i).advance(&mut rng);
            return rng;
        }
        for _ in 0..i {
            rng.jump();
        }
        rng
    }

    /// Returns streams 0, 1, 2, .. of a seed, at one jump each: use `streams(seed).take(n)` for the
    /// games of a batch.
    pub fn streams(seed: u64) -> impl Iterator<Item = Self> {
        Self::streams_from(seed, 0)
    }

    /// Returns streams `first`, `first + 1`, .. of a seed, for a part of the games of a batch.
    ///
    /// ```
    /// use bitcore::Rng;
    /// let streams: Vec<Rng> = Rng::streams_from(7, 2).take(3).collect();
    /// assert_eq!(streams[1], Rng::stream(7, 3));
    /// ```
    pub fn streams_from(seed: u64, first: u64) -> impl Iterator<Item = Self> {
        let mut next = Self::stream(seed, first);
        core::iter::repeat_with(move || next.copy_and_jump())
    }

    /// Skips 2^128 draws, to the next stream.
    pub fn jump(&mut self) {
        #[cfg(feature = "std")]
        NEXT_STREAM.advance(self);
        #[cfg(not(feature = "std"))]
        self.0.jump();
    }

    /// Returns the generator whose state is the image of this one's under an invertible map.
    fn mapped(&self, map: &[[State; 16]]) -> Self {
        Self::from_state(image(map, self.state())).unwrap_or_else(|| self.clone())
    }

    /// Returns a copy of the generator, and skips to the next stream.
    ///
    /// This way one `Rng` gives each new game its own stream, and a saved run only needs the state
    /// of that `Rng`.
    ///
    /// ```
    /// use bitcore::Rng;
    /// let mut next = Rng::new(7);
    /// let games: [Rng; 3] = core::array::from_fn(|_| next.copy_and_jump());
    /// assert_eq!(games[2], Rng::stream(7, 2));
    /// assert_eq!(next, Rng::stream(7, 3));
    /// ```
    #[must_use = "`jump` alone skips a stream"]
    pub fn copy_and_jump(&mut self) -> Self {
        let stream = self.clone();
        self.jump();
        stream
    }

    /// Returns the next 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a random number below `n`, or 0 if `n` is 0: `(draw * n) >> 64` in 128 bits, from
    /// one draw. The probabilities of any two results differ by at most 2^-64.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u32
    }

    /// Returns the full state, to save it.
    #[inline]
    pub fn state(&self) -> [u64; 4] {
        let bytes = self.0.state();
        let mut state = [0; 4];
        for (word, bytes) in state.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        state
    }

    /// Returns the generator with a saved [`state`](Self::state); `None` if the state is all zeros,
    /// which no generator reaches.
    #[inline]
    pub fn from_state(state: [u64; 4]) -> Option<Self> {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(state) {
            *chunk = word.to_le_bytes();
        }
        (state != [0; 4]).then(|| Self(Xoshiro256PlusPlus::from_seed(bytes)))
    }

    /// Returns the generator in one lane of [`Streams::words`]; `None` if that lane is all zeros.
    ///
    /// ```
    /// use bitcore::Rng;
    /// let mut words = [[0; 4]; 4];
    /// Rng::new(7).store_lane(&mut words, 2);
    /// assert_eq!(Rng::from_lane(&words, 2), Some(Rng::new(7)));
    /// assert_eq!(Rng::from_lane(&words, 0), None);
    /// ```
    ///
    /// # Panics
    ///
    /// If `lane` is not below 4.
    #[inline]
    pub fn from_lane(words: &[[u64; 4]; 4], lane: usize) -> Option<Self> {
        let [w0, w1, w2, w3] = words;
        Self::from_state([w0[lane], w1[lane], w2[lane], w3[lane]])
    }

    /// Writes the generator into one lane of [`Streams::words`].
    ///
    /// # Panics
    ///
    /// If `lane` is not below 4.
    #[inline]
    pub fn store_lane(&self, words: &mut [[u64; 4]; 4], lane: usize) {
        for (words, word) in words.iter_mut().zip(self.state()) {
            words[lane] = word;
        }
    }
}

/// A jump over any number of streams of [`Rng`], at about the cost of a jump over one. Lets several
/// threads start in different parts of a large batch.
///
/// ```
/// use bitcore::{Jump, Rng};
/// let thousand = Jump::over(1000);
/// let mut rng = Rng::stream(7, 5);
/// thousand.advance(&mut rng);
/// assert_eq!(rng, Rng::stream(7, 1005));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    map: Vec<[State; 16]>,
}

type State = [u64; 4];

/// A linear map of states: `map[i][n]` is the image of the state with n in bits 4i to 4i + 3 and
/// zeros elsewhere. The sum (exclusive or) of two states maps to the sum of their images.
type LinearMap = [[State; 16]; 64];

/// Returns the image of a state, the sum of the images of its 64 groups of bits.
#[inline]
fn image(map: &[[State; 16]], state: State) -> State {
    let mut image = [0; 4];
    for (word, groups) in state.into_iter().zip(map.as_chunks::<16>().0) {
        for (i, images) in groups.iter().enumerate() {
            for (sum, word) in image.iter_mut().zip(images[(word >> (4 * i)) as usize & 15]) {
                *sum ^= word;
            }
        }
    }
    image
}

/// Returns the map with these images of the states with one bit set.
#[allow(clippy::large_stack_arrays, reason = "32 KB")]
fn map_of(bits: &[State; 256]) -> LinearMap {
    let mut map = [[[0; 4]; 16]; 64];
    let mut i = 0;
    while i < 64 * 16 {
        let (group, n): (usize, usize) = (i / 16, i % 16);
        if n > 0 {
            let lowest = bits[4 * group + n.trailing_zeros() as usize];
            map[group][n] = sum(map[group][n & (n - 1)], lowest);
        }
        i += 1;
    }
    map
}

fn sum(a: State, b: State) -> State {
    [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
}

/// The state with one bit set.
fn bit(i: usize) -> State {
    let mut state = [0; 4];
    state[i / 64] = 1 << (i % 64);
    state
}

/// The jump to the next stream. 64 lookups are seven times as fast as the 256 steps of
/// `rand_xoshiro`. Made at the first jump, which takes as long as some 2,000: in the program's file
/// it would be 32 KB that nothing compresses.
#[cfg(feature = "std")]
static NEXT_STREAM: LazyLock<Jump> = LazyLock::new(Jump::to_next_stream);

impl Jump {
    /// Returns the jump over `streams` streams.
    pub fn over(streams: u64) -> Self {
        let mut jump = Self { map: map_of(&from_fn(bit)).into() };
        // The jump over 2^k streams.
        let mut power = Self::to_next_stream();
        let mut left = streams;
        while left > 0 {
            if left & 1 == 1 {
                jump = jump.then(&power);
            }
            left >>= 1;
            if left > 0 {
                power = power.then(&power);
            }
        }
        jump
    }

    fn to_next_stream() -> Self {
        let images = from_fn(|i| {
            let mut rng = Rng::from_state(bit(i)).expect("one bit is set");
            rng.0.jump();
            rng.state()
        });
        Self { map: map_of(&images).into() }
    }

    fn then(&self, other: &Self) -> Self {
        Self { map: map_of(&from_fn(|i| image(&other.map, self.map[i / 4][1 << (i % 4)]))).into() }
    }

    /// Moves a generator ahead by this many streams.
    pub fn advance(&self, rng: &mut Rng) {
        *rng = rng.mapped(&self.map);
    }
}

/// Four [`Rng`] in 64-bit lanes: lane j of a draw is the next draw of generator j.
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
    /// Puts four generators into lanes, at their current states.
    #[inline(always)]
    #[allow(clippy::needless_pass_by_value, reason = "the lanes replace the generators")]
    pub fn new(isa: S, generators: [Rng; 4]) -> Self {
        let states = generators.each_ref().map(Rng::state);
        Self { state: from_fn(|word| isa.u64x4(&states.map(|state| state[word]))) }
    }

    /// Returns the next 64 random bits of each stream.
    #[inline(always)]
    pub fn next_u64s(&mut self) -> S::U64x4 {
        let [s0, s1, s2, s3] = self.state;
        let sum = s0 + s3;
        let draw = (sum.shl::<23>() | sum.shr::<41>()) + s0;
        let t2 = s2 ^ s0;
        let t3 = s3 ^ s1;
        self.state = [s0 ^ t3, s1 ^ t2, t2 ^ s1.shl::<17>(), t3.shl::<45>() | t3.shr::<19>()];
        draw
    }

    /// Returns the next 64 random bits of each stream, but only advances the streams selected by
    /// the lane mask `lanes`.
    #[inline(always)]
    pub fn next_u64s_masked(&mut self, lanes: S::U64x4) -> S::U64x4 {
        let before = self.state;
        let draw = self.next_u64s();
        for (state, before) in self.state.iter_mut().zip(before) {
            *state = lanes.blend_lanes(*state, before);
        }
        draw
    }

    /// Returns the streams with saved [`words`](Self::words).
    #[inline(always)]
    pub fn from_words(isa: S, words: &[[u64; 4]; 4]) -> Self {
        let mut state = [isa.splat_u64(0); 4];
        for (state, words) in state.iter_mut().zip(words) {
            *state = isa.u64x4(words);
        }
        Self { state }
    }

    /// Returns the states, to save them: `words[i][j]` is word i of the state of stream j.
    #[inline(always)]
    pub fn words(&self) -> [[u64; 4]; 4] {
        let mut words = [[0; 4]; 4];
        for (words, state) in words.iter_mut().zip(self.state) {
            *words = state.to_array();
        }
        words
    }

    /// Returns the four generators, at their current states.
    #[inline(always)]
    pub fn into_generators(self) -> [Rng; 4] {
        let words = self.words();
        // No step makes a state all zeros, so the fallback is never taken.
        from_fn(|lane| Rng::from_lane(&words, lane).unwrap_or_else(|| Rng::new(0)))
    }
}

/// The generator xoroshiro64* of the crate `rand_xoshiro`: 32 bits per draw from 64 bits of state,
/// for many short games.
///
/// Stream i of a seed starts from the i-th output of that crate's `SplitMix64`, and no other stream
/// of the seed starts there. A million streams divide the period of 2^64 - 1 draws into parts of
/// 2^44 draws on average, so games of a few hundred draws practically never overlap. Use [`Rng`]
/// for longer games. The low bits of a draw are weak; [`below`](Self::below) uses the high ones.
///
/// ```
/// use bitcore::Rng32;
/// let mut rng = Rng32::stream(42, 7);
/// assert!(rng.below(6) < 6);
/// assert_ne!(rng, Rng32::stream(42, 8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng32(pub(crate) Xoroshiro64Star);

impl Rng32 {
    /// Returns stream `i` of a seed.
    #[inline(always)]
    pub fn stream(seed: u64, i: u64) -> Self {
        /// The increment of `SplitMix64`'s state per draw.
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let at = seed.wrapping_add(i.wrapping_mul(GOLDEN));
        Self(Xoroshiro64Star::from_seed(
            SplitMix64::from_seed(at.to_le_bytes()).next_u64().to_le_bytes(),
        ))
    }

    /// Returns the next 32 random bits.
    #[inline(always)]
    pub fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// Returns a random number below `n`, or 0 if `n` is 0: `(draw * n) >> 32` in 64 bits, from one
    /// draw. The probabilities of any two results differ by at most 2^-32.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// Returns the two words of the state.
    #[inline(always)]
    pub fn state(&self) -> [u32; 2] {
        let state = u64::from_le_bytes(self.0.state());
        [state as u32, (state >> 32) as u32]
    }
}

/// Eight [`Rng32`] in 32-bit lanes: lane j of a draw is the next draw of generator j.
///
/// ```
/// use bitcore::{Isa, Lanes, Portable, Rng32, Streams32};
/// let mut generators = core::array::from_fn(|i| Rng32::stream(7, i as u64));
/// let mut streams = Streams32::from_words(Portable, &Streams32::<Portable>::words_of(&generators));
/// let draw = streams.next_u32s_masked(Portable, Portable.splat_u32(u32::MAX));
/// assert_eq!(draw.to_array()[5], generators[5].next_u32());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Streams32<S: Isa> {
    state: [S::U32x8; 2],
}

impl<S: Isa> Streams32<S> {
    /// Returns the states of eight generators in the form of [`words`](Self::words).
    pub fn words_of(generators: &[Rng32; 8]) -> [[u32; 8]; 2] {
        let mut words = [[0; 8]; 2];
        for (lane, generator) in generators.iter().enumerate() {
            [words[0][lane], words[1][lane]] = generator.state();
        }
        words
    }

    /// Returns the streams with saved [`words`](Self::words).
    #[inline(always)]
    pub fn from_words(isa: S, words: &[[u32; 8]; 2]) -> Self {
        Self { state: [isa.u32x8(&words[0]), isa.u32x8(&words[1])] }
    }

    /// Returns the states, to save them: `words[i][j]` is word i of the state of stream j.
    #[inline(always)]
    pub fn words(&self) -> [[u32; 8]; 2] {
        [self.state[0].to_array(), self.state[1].to_array()]
    }

    /// Returns the next 32 random bits of each stream, but only advances the streams selected by
    /// the lane mask `lanes`.
    #[inline(always)]
    pub fn next_u32s_masked(&mut self, isa: S, lanes: S::U32x8) -> S::U32x8 {
        let [s0, s1] = self.state;
        let draw = s0.wrapping_mul(isa.splat_u32(0x9e37_79bb));
        let s1_next = s1 ^ s0;
        let s0_next = (s0.shl::<26>() | s0.shr::<6>()) ^ s1_next ^ s1_next.shl::<9>();
        let s1_next = s1_next.shl::<13>() | s1_next.shr::<19>();
        self.state = [lanes.blend_lanes(s0_next, s0), lanes.blend_lanes(s1_next, s1)];
        draw
    }
}
