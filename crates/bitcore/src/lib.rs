//! Instruction-set tokens, bit arithmetic and vector lanes for game engines.
//!
//! A *kernel* is a short, hot function, such as the legal swaps of a board or one step of a search.
//! This crate lets you write a kernel once, generic over the instruction set, and enter it once per
//! call of a public function:
//!
//! - A *token* ([`Portable`], `X86V3`, `Neon`) is a zero-sized proof that this CPU has an
//!   instruction set.
//! - [`Isa`], the trait of all tokens, provides the operations that differ between instruction
//!   sets: PEXT, PDEP, select, and 256-bit arithmetic in lanes of 8, 16, 32 or 64 bits.
//! - A [`Level`] names an instruction set as a plain value that users can type. One level is
//!   [active](Level::active): the best one of the machine, unless the program sets another.
//! - [`dispatch!`] turns the active level into its token and runs a kernel in a function compiled
//!   for that instruction set.
//!
//! A crate built without any compiler flags therefore runs at the full speed of the machine. A
//! machine without AVX2 computes the same results, only slower, and one test binary covers every
//! level of its machine ([`Level::all`], [`Level::set_active`]).
//!
//! ```
//! use bitcore::{Isa, Level, dispatch};
//!
//! /// The kernel: private, without `unsafe` and compiler flags, always inlined.
//! #[inline(always)]
//! fn nth_bits_kernel<S: Isa>(isa: S, words: &[u64], n: u32) -> u32 {
//!     let mut sum = 0;
//!     for &word in words {
//!         sum += isa.select(word, n);
//!     }
//!     sum
//! }
//!
//! /// The public function: the kernel on the active level, compiled once per level, in this crate.
//! pub fn nth_bits(words: &[u64], n: u32) -> u32 {
//!     dispatch!(isa [words, n] => nth_bits_kernel(isa, words, n))
//! }
//!
//! assert_eq!(nth_bits(&[0b1011_0100, 0b1110], 2), 5 + 3);
//! for level in Level::all() {
//!     Level::set_active(level);
//!     assert_eq!(nth_bits(&[0b1011_0100], 2), 5);
//! }
//! ```
//!
//! A call of `nth_bits` on x86-64:
//!
//! ```text
//! nth_bits(words, n)                 neither a token nor a level
//!   dispatch!                        loads the active level, one byte
//!     portable                   ->  the kernel, compiled for the baseline
//!     x86-64-v3, -slow-pext, -v4 ->  the kernel, compiled for AVX2, BMI1, BMI2, LZCNT and POPCNT
//! ```
//!
//! # Which type do you want?
//!
//! | you want to | use |
//! |---|---|
//! | write a kernel | a private `#[inline(always)]` function with a parameter `isa: S`, where `S:` [`Isa`] |
//! | call a kernel from a public function | [`dispatch!`] |
//! | name, choose or list instruction sets | [`Level`] |
//! | gather, scatter or find bits in a kernel | [`Isa::pext`], [`Isa::pdep`], [`Isa::select`] |
//! | do the same in a `const`, a table or a test | [`bits::pext`], [`bits::pdep`], [`bits::select`] |
//! | visit the set bits of a word | [`SetBits`] |
//! | gather or scatter four words where PEXT is slow | [`PextLanes`], [`pdep_lanes`] |
//! | compute in lanes | [`Isa::u8x32`] and the like; [`Lanes`] with [`Bytes`], [`U16s`], [`U32s`], [`U64s`] |
//! | draw random numbers | [`Rng`]; [`Rng32`] for games of a few hundred draws |
//! | accept any generator | [`RandomSource`] |
//! | draw random numbers in lanes | [`Streams`] (four [`Rng`]), [`Streams32`] (eight [`Rng32`]) |
//! | start at a later stream of a seed | [`Jump`] |
//!
//! # The boundary around kernels
//!
//! Public functions take neither a token nor a level. A kernel is compiled once per level, in the
//! crate that defines it, instead of once more in every crate that calls it. This leads to four
//! rules:
//!
//! - [`dispatch!`] reads the active level once per call of the public function. A kernel calls
//!   public functions like any other caller: each runs on the active level, whichever instance
//!   called it.
//! - The layout of a value that outlives a call doesn't depend on the level, because the next call
//!   may run on another one.
//! - No public item of another crate has a parameter bounded by [`Isa`]. Only the primitives of
//!   this crate are inlined into other crates.
//! - Calling a kernel costs 1 to 2 ns. Where that is too much, the public function takes a slice of
//!   boards and enters the kernel once for all of them.
//!
//! # Rules for kernels
//!
//! - Put `#[inline(always)]` on the kernel and on everything it calls in a loop. A function that
//!   isn't inlined is compiled for the baseline, where each vector operation is a call.
//! - Write `for` loops. A closure that uses the token (in `array::map`, `from_fn` or an iterator
//!   chain) is compiled for the baseline first, looks too big to inline there, and stays a call.
//!   Move the body of a long loop into an `#[inline(always)]` function.
//! - Enter a function that is too big to inline with [`Isa::enter`].
//! - Don't branch on the level. Branch on [`Isa::FAST_PEXT`], [`Isa::FAST_BITMASK`],
//!   [`Isa::FAST_COUNT_ONES`], [`Isa::WIDE_REGISTERS`] and [`Isa::HAS_SIMD`].
//! - Dispatch once per operation on a board or on many boards, never once per PEXT.
//! - Where a kernel would need PEXT in software, write a separate portable algorithm instead.
//!
//! # Features
//!
//! - `std` (default): [`Level::best`] detects the running CPU's instruction sets.
//! - `serde`: serializes [`Rng`] as the four words of its state.
//! - `rand_core`: makes [`Rng`] and [`Rng32`] generators of the crate `rand_core`, version 0.10,
//!   which is re-exported; each of its generators is a [`RandomSource`].
//!
//! ```
//! # #[cfg(feature = "rand_core")] {
//! use bitcore::rand_core::{Rng as _, SeedableRng};
//! let mut rng = bitcore::Rng::seed_from_u64(42); // as `Rng::new(42)`
//! let mut bytes = [0; 5];
//! rng.fill_bytes(&mut bytes);
//! let other = bitcore::Rng::from_rng(&mut rng); // seeded by any generator
//! # assert_ne!(rng, other);
//! # }
//! ```
//!
//! Without `std` the level is chosen at compile time: x86-64-v3 only if the build enables all five
//! features, AVX2, BMI1, BMI2, LZCNT and POPCNT (`-C target-cpu=x86-64-v3`). The flags
//! `+avx2,+bmi2` alone don't enable BMI1, LZCNT and POPCNT; a build without `std` under these flags
//! only has [`Portable`].
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod bits;
mod isa;
mod level;
mod pext_lanes;
#[cfg(feature = "rand_core")]
mod rand_core_traits;
mod random_source;
mod rng;
#[cfg(feature = "serde")]
mod serde_forms;
mod set_bits;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub use isa::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use isa::Simd128;
pub use isa::{Bytes, Isa, Lanes, Portable, U16s, U32s, U64s};
#[cfg(target_arch = "x86_64")]
pub use isa::{X86V3, X86V3SlowPext, X86V4};
pub use level::{Level, ParseLevelError};
pub use pext_lanes::{PextLanes, pdep_lanes};
#[cfg(feature = "rand_core")]
pub use rand_xoshiro::rand_core;
pub use random_source::RandomSource;
pub use rng::{Jump, Rng, Rng32, Streams, Streams32};
pub use set_bits::SetBits;

/// The names that [`dispatch!`] expands to.
#[doc(hidden)]
pub mod __entries {
    pub use crate::isa::*;
}

/// Runs a kernel with `isa` bound to the token of the [active](Level::active) level.
///
/// `dispatch!(isa [board, moves = limit] => kernel(isa, board, moves))` enters a kernel from a
/// public function. The names in brackets, at most eight, become the arguments of a function that
/// is compiled once per level, is never inlined, and receives its arguments in registers.
/// `name = value` passes another value under a name: `this = self`. The body should use no other
/// variables of its surroundings.
///
/// `dispatch!(isa => body)` passes everything the body uses through a closure in memory. Use it in
/// tests, and for calls that take long.
///
/// `dispatch!(level, isa [..] => body)` runs on a given level instead of the active one, for
/// kernels that two threads run on different levels.
///
/// A kernel is compiled for the baseline and for the SIMD token of the architecture.
/// `isa + slow_pext + v4` names additional tokens to compile it for: `slow_pext` if it uses PEXT,
/// PDEP or select, `v4` where AVX-512 measured faster. Other levels run the next best instance.
///
/// Kernels called in the body must be `#[inline(always)]`. `return`, `break` and `?` leave only the
/// body.
///
/// ```
/// use bitcore::{Isa, Level, dispatch};
///
/// /// Returns the sum of the positions of the `n`-th set bit of each word.
/// pub fn nth_bits(words: &[u64], n: u32) -> u32 {
///     dispatch!(isa [words, n] => nth_bits_kernel(isa, words, n))
/// }
///
/// #[inline(always)]
/// fn nth_bits_kernel<S: Isa>(isa: S, words: &[u64], n: u32) -> u32 {
///     let mut sum = 0;
///     for &word in words {
///         sum += isa.select(word, n);
///     }
///     sum
/// }
///
/// assert_eq!(nth_bits(&[0b1011_0100, 0b1110], 2), 5 + 3);
/// assert_eq!(dispatch!(isa => isa.select(0b1011_0100, 2)), 5);
/// assert_eq!(dispatch!(Level::PORTABLE, isa => isa.pext(0b1010, 0b1110)), 0b101);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($isa:ident $(+ $own:ident)* [$($name:ident $(= $value:expr)?),* $(,)?] => $body:expr) => {
        $crate::__call!(
            (level level)
            $crate::__dispatch!(level, $isa, ($($own)*), {$isa [$($name),*] => $body});
            $($name = $crate::__value!($name $(= $value)?)),*
        )
    };
    ($isa:ident $(+ $own:ident)* => $body:expr) => {
        $crate::dispatch!($crate::Level::active(), $isa $(+ $own)* => $body)
    };
    ($level:expr, $isa:ident $(+ $own:ident)* $([$($args:tt)*])? => $body:expr) => {{
        let level = $crate::Level::from($level);
        $crate::__dispatch!(level, $isa, ($($own)*), {$isa $([$($args)*])? => $body})
    }};
}

/// Tries the tokens of [`dispatch!`] in order, the baseline last.
#[doc(hidden)]
#[macro_export]
macro_rules! __dispatch {
    ($level:ident, $isa:ident, ($own:ident $($others:ident)*), $entry:tt) => {
        if let Some($isa) = $crate::__entries::$own($level) {
            $crate::__enter! $entry
        } else {
            $crate::__dispatch!($level, $isa, ($($others)*), $entry)
        }
    };
    ($level:ident, $isa:ident, (), $entry:tt) => {
        if let Some($isa) = $crate::__entries::simd($level) {
            $crate::__enter! $entry
        } else {
            let $isa = $crate::Portable;
            $crate::__enter! $entry
        }
    };
}

/// Enters the body of [`dispatch!`] with one token: through a capturing closure, or through the
/// entry for this number of arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __enter {
    ($isa:ident => $body:expr) => { $crate::Isa::enter($isa, #[inline(always)] || $body) };
    ($isa:ident [$($name:ident $(= $value:expr)?),* $(,)?] => $body:expr) => {
        $crate::__call!(($isa) $body; $($name = $crate::__value!($name $(= $value)?)),*)
    };
}

/// Calls the function for this number of arguments: the entry of a token, or the function that
/// reads the active level.
#[doc(hidden)]
#[macro_export]
macro_rules! __call {
    ($how:tt $body:expr;) => { $crate::__call_as!($how call0 on_active0 () () $body) };
    ($how:tt $body:expr; $a:ident = $va:expr) => {
        $crate::__call_as!($how call1 on_active1 ($va) ($a) $body)
    };
    ($how:tt $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr) => {
        $crate::__call_as!($how call2 on_active2 ($va, $vb) ($a, $b) $body)
    };
    ($how:tt $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr) => {
        $crate::__call_as!($how call3 on_active3 ($va, $vb, $vc) ($a, $b, $c) $body)
    };
    ($how:tt $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr) => {
        $crate::__call_as!($how call4 on_active4 ($va, $vb, $vc, $vd) ($a, $b, $c, $d) $body)
    };
    ($how:tt $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr) => {
        $crate::__call_as!($how call5 on_active5 ($va, $vb, $vc, $vd, $ve) ($a, $b, $c, $d, $e) $body)
    };
    ($how:tt $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr, $f:ident = $vf:expr) => {
        $crate::__call_as!($how call6 on_active6 ($va, $vb, $vc, $vd, $ve, $vf) ($a, $b, $c, $d, $e, $f) $body)
    };
    ($how:tt $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr, $f:ident = $vf:expr, $g:ident = $vg:expr) => {
        $crate::__call_as!($how call7 on_active7 ($va, $vb, $vc, $vd, $ve, $vf, $vg) ($a, $b, $c, $d, $e, $f, $g) $body)
    };
    ($how:tt $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr, $f:ident = $vf:expr, $g:ident = $vg:expr, $h:ident = $vh:expr) => {
        $crate::__call_as!($how call8 on_active8 ($va, $vb, $vc, $vd, $ve, $vf, $vg, $vh) ($a, $b, $c, $d, $e, $f, $g, $h) $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __call_as {
    ((level $level:ident) $call:ident $on_active:ident ($($value:expr),*) ($($name:ident),*) $body:expr) => {
        $crate::__entries::$on_active($($value,)* #[inline(always)] move |$level, $($name),*| $body)
    };
    (($isa:ident) $call:ident $on_active:ident ($($value:expr),*) ($($name:ident),*) $body:expr) => {
        $crate::Isa::$call($isa, $($value,)* #[inline(always)] move |$($name),*| $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __value {
    ($name:ident) => {
        $name
    };
    ($name:ident = $value:expr) => {
        $value
    };
}
