//! Instruction-set tokens, bit arithmetic and vector lanes for game engines.
//!
//! **A kernel is written once, generic over an instruction set, and entered once per coarse call.** A *token*
//! ([`Portable`], `X86V3`) is a zero-sized proof that this CPU has an instruction set; [`Isa`] is what every token
//! can do (PEXT, PDEP, select, 256 bits of 8-, 16-, 32- or 64-bit lanes); [`dispatch!`] picks the best token and
//! runs a kernel inside a function that the compiler may fill with that instruction set. So a crate built with no
//! flags at all runs at the full speed of the machine, a machine without AVX2 gets the same answers, slower, and
//! one test binary can run every path that its machine has ([`Level::all`]).
//!
//! ```
//! use bitcore::{Isa, Level, dispatch};
//!
//! /// The kernel: no `unsafe`, no flags, always inlined.
//! #[inline(always)]
//! fn nth_bits_with<S: Isa>(isa: S, words: &[u64], n: u32) -> u32 {
//!     let mut sum = 0;
//!     for &word in words {
//!         sum += isa.select(word, n);
//!     }
//!     sum
//! }
//!
//! /// The public function: enters the best level once.
//! fn nth_bits(words: &[u64], n: u32) -> u32 {
//!     dispatch!(isa => nth_bits_with(isa, words, n))
//! }
//!
//! assert_eq!(nth_bits(&[0b1011_0100, 0b1110], 2), 5 + 3);
//! for level in Level::all() {
//!     assert_eq!(dispatch!(level, isa => nth_bits_with(isa, &[0b1011_0100], 2)), 5);
//! }
//! ```
//!
//! # Rules for kernels
//!
//! - `#[inline(always)]` on the kernel and on everything it calls in the hot path. What isn't inlined is compiled
//!   for the baseline, and then every vector operation becomes a call.
//! - `for` loops in kernels, not `array::map`, `from_fn` or iterator chains whose closures call the token. A closure is a
//!   function of its own, compiled for the baseline until it is inlined: full of calls there, it looks too big to
//!   inline, and stays so (a line clear by `map` took 3.5 times as long). Put the loop's body into an
//!   `#[inline(always)]` function instead.
//! - A kernel too big to inline enters again with [`Isa::enter`].
//! - Never dispatch per PEXT: one board operation, or coarser.
//! - Write the portable path per algorithm, not per instruction, where a PEXT in software would hurt.
//!
//! # Features
//!
//! `std` (default): [`Level::detect`] asks the running CPU, and [`Moments`] has its square roots. Without it the choice is made when the crate is
//! compiled: `X86V3` exists then only if the build promises all five features (`-C target-cpu=x86-64-v3`). The
//! flags `+avx2,+bmi2` alone promise neither POPCNT nor BMI1 nor LZCNT, so a `no_std` build under them has
//! [`Portable`] only.
#![no_std]
#![warn(missing_docs)]
#![deny(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod batch;
pub mod bits;
pub mod isa;
mod level;
mod moments;
pub mod rng;

pub use bits::SetBits;
#[cfg(target_arch = "x86_64")]
pub use isa::X86V3;
pub use isa::{Bytes, Isa, Lanes, Portable, U16s, U32s, U64s};
pub use level::{Level, ParseLevelError};
pub use moments::Moments;
pub use rng::{Rng, Rng32, Streams, Streams32};

/// Runs an expression with `isa` bound to a token: `dispatch!(isa => expr)` takes the best token of this CPU,
/// `dispatch!(level, isa => expr)` that of a [`Level`].
///
/// The expression is compiled once per instruction set, inside a `#[target_feature]` function ([`Isa::enter`]), so
/// the kernels that it calls must be `#[inline(always)]`. It runs in a closure: `return`, `break` and `?` leave that
/// closure only. Where the build promises every feature of the best token, the choice folds away.
///
/// ```
/// use bitcore::{Isa, dispatch};
///
/// assert_eq!(dispatch!(isa => isa.select(0b1011_0100, 2)), 5);
/// assert_eq!(dispatch!(bitcore::Portable, isa => isa.pext(0b1010, 0b1110)), 0b101);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($isa:ident => $body:expr) => {
        $crate::dispatch!($crate::Level::detect(), $isa => $body)
    };
    // The callee asks bitcore, token by token, and never names `Level`'s variants: a new token is one more arm here.
    ($level:expr, $isa:ident => $body:expr) => {{
        let level = $crate::Level::from($level);
        if let Some($isa) = $crate::isa::x86_v3(level) {
            $crate::Isa::enter($isa, #[inline(always)] || $body)
        } else {
            let $isa = $crate::Portable;
            $crate::Isa::enter($isa, #[inline(always)] || $body)
        }
    }};
}
