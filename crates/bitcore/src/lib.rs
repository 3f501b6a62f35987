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
//! /// The kernel: private, no `unsafe`, no flags, always inlined.
//! #[inline(always)]
//! fn nth_bits_kernel<S: Isa>(isa: S, words: &[u64], n: u32) -> u32 {
//!     let mut sum = 0;
//!     for &word in words {
//!         sum += isa.select(word, n);
//!     }
//!     sum
//! }
//!
//! /// The public function on a level: compiled once per level, in this crate, never inlined.
//! pub fn nth_bits_on(level: Level, words: &[u64], n: u32) -> u32 {
//!     dispatch!(level, isa [words, n] => nth_bits_kernel(isa, words, n))
//! }
//!
//! /// The public function: takes the best level.
//! pub fn nth_bits(words: &[u64], n: u32) -> u32 {
//!     nth_bits_on(Level::detect(), words, n)
//! }
//!
//! assert_eq!(nth_bits(&[0b1011_0100, 0b1110], 2), 5 + 3);
//! for level in Level::all() {
//!     assert_eq!(nth_bits_on(level, &[0b1011_0100], 2), 5);
//! }
//! ```
//!
//! # The boundary
//!
//! A kernel is compiled once per level, in its own crate, behind a value [`Level`]: public functions come as `foo(..)`
//! and `foo_on(level, ..)`, a type that keeps a level takes it once (`new_on(level, ..)`), and no public item of another
//! crate has a parameter bounded by [`Isa`]. Only this crate's primitives are inlined across a crate's border. A caller
//! that loses by the call (1 to 2 ns) asks for a coarser form: a slice of boards, entered once.
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
//! - A kernel never asks which level it runs on. It asks [`Isa::FAST_PEXT`] and [`Isa::REAL_LANES`].
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

extern crate alloc;
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

/// Runs a kernel with `isa` bound to a token: of the given [`Level`], or, without one, of the best level of this CPU.
///
/// `dispatch!(level, isa [board, moves = limit] => kernel(isa, board, moves))` is the form of a kernel's entry, the one
/// place where a crate's function enters its kernel: each name in brackets becomes an argument of a function that is
/// compiled once per level, never inlined, and gets its arguments in registers (at most eight). `name = value` passes
/// another value, such as `this = self`, under a name. The body should use nothing else of its surroundings.
///
/// `dispatch!(level, isa => body)` takes any surroundings by a closure: for tests, and for calls that last.
///
/// Kernels that the body calls must be `#[inline(always)]`. `return`, `break` and `?` leave the body only. Where the
/// build promises every feature of the best token, the choice folds away.
///
/// ```
/// use bitcore::{Isa, Level, dispatch};
///
/// /// The position of the `n`-th one of each word, added up.
/// pub fn nth_bits_on(level: Level, words: &[u64], n: u32) -> u32 {
///     dispatch!(level, isa [words, n] => nth_bits(isa, words, n))
/// }
///
/// #[inline(always)]
/// fn nth_bits<S: Isa>(isa: S, words: &[u64], n: u32) -> u32 {
///     let mut sum = 0;
///     for &word in words {
///         sum += isa.select(word, n);
///     }
///     sum
/// }
///
/// assert_eq!(nth_bits_on(Level::detect(), &[0b1011_0100, 0b1110], 2), 5 + 3);
/// assert_eq!(dispatch!(isa => isa.select(0b1011_0100, 2)), 5);
/// assert_eq!(dispatch!(Level::PORTABLE, isa => isa.pext(0b1010, 0b1110)), 0b101);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($isa:ident $([$($args:tt)*])? => $body:expr) => {
        $crate::dispatch!($crate::Level::detect(), $isa $([$($args)*])? => $body)
    };
    // The callee asks bitcore, token by token, and never names a level: a new token is one more arm here.
    ($level:expr, $isa:ident $([$($args:tt)*])? => $body:expr) => {{
        let level = $crate::Level::from($level);
        if let Some($isa) = $crate::isa::x86_v3(level) {
            $crate::__enter!($isa $([$($args)*])? => $body)
        } else {
            let $isa = $crate::Portable;
            $crate::__enter!($isa $([$($args)*])? => $body)
        }
    }};
}

/// One arm of [`dispatch!`]: a closure that captures, or an entry for each number of arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __enter {
    ($isa:ident => $body:expr) => { $crate::Isa::enter($isa, #[inline(always)] || $body) };
    ($isa:ident [$($name:ident $(= $value:expr)?),* $(,)?] => $body:expr) => {
        $crate::__enter!(@ $isa, $body; $($name = $crate::__value!($name $(= $value)?)),*)
    };
    (@ $isa:ident, $body:expr;) => { $crate::Isa::call0($isa, #[inline(always)] move || $body) };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr) => {
        $crate::Isa::call1($isa, $va, #[inline(always)] move |$a| $body)
    };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr) => {
        $crate::Isa::call2($isa, $va, $vb, #[inline(always)] move |$a, $b| $body)
    };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr) => {
        $crate::Isa::call3($isa, $va, $vb, $vc, #[inline(always)] move |$a, $b, $c| $body)
    };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr) => {
        $crate::Isa::call4($isa, $va, $vb, $vc, $vd, #[inline(always)] move |$a, $b, $c, $d| $body)
    };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr) => {
        $crate::Isa::call5($isa, $va, $vb, $vc, $vd, $ve, #[inline(always)] move |$a, $b, $c, $d, $e| $body)
    };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr, $f:ident = $vf:expr) => {
        $crate::Isa::call6($isa, $va, $vb, $vc, $vd, $ve, $vf, #[inline(always)] move |$a, $b, $c, $d, $e, $f| $body)
    };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr, $f:ident = $vf:expr, $g:ident = $vg:expr) => {
        $crate::Isa::call7($isa, $va, $vb, $vc, $vd, $ve, $vf, $vg, #[inline(always)] move |$a, $b, $c, $d, $e, $f, $g| $body)
    };
    (@ $isa:ident, $body:expr; $a:ident = $va:expr, $b:ident = $vb:expr, $c:ident = $vc:expr, $d:ident = $vd:expr, $e:ident = $ve:expr, $f:ident = $vf:expr, $g:ident = $vg:expr, $h:ident = $vh:expr) => {
        $crate::Isa::call8($isa, $va, $vb, $vc, $vd, $ve, $vf, $vg, $vh, #[inline(always)] move |$a, $b, $c, $d, $e, $f, $g, $h| $body)
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
