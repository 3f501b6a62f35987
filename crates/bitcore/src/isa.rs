//! The tokens, and the sealed traits of their operations.
//!
//! A lane type is a logical group of 256 bits: 32 bytes, 16 `u16`, 8 `u32` or 4 `u64`. The token
//! only decides how many registers the group takes, so a kernel's results never depend on the
//! register width.

/// Declares or defines the kernel entries, one for each number of arguments from 0 to 8.
///
/// An entry is never inlined, and is compiled for the instruction set of its token. Its arguments
/// are separate parameters and travel in registers; a closure that captured them would pass them
/// through memory.
///
/// `kernel_entries!(declare)` goes into the trait [`Isa`], and
/// `kernel_entries!(define #[attribute] call)` into a token's implementation, where the functions
/// get the attribute and `call!` calls them.
macro_rules! kernel_entries {
    ($mode:ident $($how:tt)*) => {
        kernel_entries!(@$mode [$($how)*] call0());
        kernel_entries!(@$mode [$($how)*] call1(a: A));
        kernel_entries!(@$mode [$($how)*] call2(a: A, b: B));
        kernel_entries!(@$mode [$($how)*] call3(a: A, b: B, c: C));
        kernel_entries!(@$mode [$($how)*] call4(a: A, b: B, c: C, d: D));
        kernel_entries!(@$mode [$($how)*] call5(a: A, b: B, c: C, d: D, e: E));
        kernel_entries!(@$mode [$($how)*] call6(a: A, b: B, c: C, d: D, e: E, f: F));
        kernel_entries!(@$mode [$($how)*] call7(a: A, b: B, c: C, d: D, e: E, f: F, g: G));
        kernel_entries!(@$mode [$($how)*] call8(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H));
    };
    (@declare [] $name:ident($($arg:ident: $ty:ident),*)) => {
        #[doc(hidden)]
        #[allow(clippy::too_many_arguments, reason = "a kernel has up to eight")]
        fn $name<$($ty,)* Out>(self, $($arg: $ty,)* kernel: impl FnOnce($($ty),*) -> Out) -> Out;
    };
    (@define [$(#[$attribute:meta])* $call:ident] $name:ident($($arg:ident: $ty:ident),*)) => {
        #[inline(always)]
        fn $name<$($ty,)* Out>(self, $($arg: $ty,)* kernel: impl FnOnce($($ty),*) -> Out) -> Out {
            #[inline(never)]
            $(#[$attribute])*
            #[allow(clippy::too_many_arguments, reason = "a kernel has up to eight")]
            fn entry<$($ty,)* Out>($($arg: $ty,)* kernel: impl FnOnce($($ty),*) -> Out) -> Out {
                kernel($($arg),*)
            }
            $call!(entry($($arg,)* kernel))
        }
    };
}

/// Calls a kernel entry of a token that needs no CPU detection.
macro_rules! call {
    ($call:expr) => {
        $call
    };
}

mod portable;
mod traits;
mod words;
cfg_if::cfg_if! {
    if #[cfg(target_arch = "x86_64")] {
        mod x86;
        pub use x86::{X86V3, X86V3SlowPext, X86V4};
        use X86V3 as Vectors;
    } else if #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))] {
        mod lanes128;
        mod neon;
        pub use neon::Neon;
        use Neon as Vectors;
        use neon as registers;
    } else if #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
        mod lanes128;
        mod simd128;
        pub use simd128::Simd128;
        use Simd128 as Vectors;
        use simd128 as registers;
    } else {
        use Portable as Vectors;
    }
}

pub use portable::{LaneArray, Portable};
pub use traits::{Bytes, Isa, Lanes, U16s, U32s, U64s};

use crate::Level;

/// Defines functions that call `run` with the active level, one for each number of arguments of
/// [`dispatch!`](crate::dispatch).
///
/// Until the CPU is detected, an out-of-line function makes the call. The functions here are
/// inlined, and would otherwise save registers for something that happens once.
macro_rules! on_active {
    ($($name:ident($($arg:ident: $ty:ident),*);)*) => {$(
        #[doc(hidden)]
        #[inline(always)]
        #[allow(clippy::too_many_arguments, reason = "a kernel has up to eight")]
        pub fn $name<$($ty,)* Out>($($arg: $ty,)* run: impl FnOnce(Level, $($ty),*) -> Out) -> Out {
            #[cold]
            #[inline(never)]
            #[allow(clippy::too_many_arguments, reason = "a kernel has up to eight")]
            fn first<$($ty,)* Out>($($arg: $ty,)* run: impl FnOnce(Level, $($ty),*) -> Out) -> Out {
                run(Level::active(), $($arg),*)
            }
            match Level::known() {
                Some(level) => run(level, $($arg),*),
                None => first($($arg,)* run),
            }
        }
    )*};
}
on_active! {
    on_active0();
    on_active1(a: A);
    on_active2(a: A, b: B);
    on_active3(a: A, b: B, c: C);
    on_active4(a: A, b: B, c: C, d: D);
    on_active5(a: A, b: B, c: C, d: D, e: E);
    on_active6(a: A, b: B, c: C, d: D, e: E, f: F);
    on_active7(a: A, b: B, c: C, d: D, e: E, f: F, g: G);
    on_active8(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H);
}

#[doc(hidden)]
pub type Simd = Vectors;

/// Returns the token of this architecture's vector registers. Every kernel is compiled for it, in
/// addition to the baseline.
#[doc(hidden)]
#[inline(always)]
pub fn simd(level: Level) -> Option<Simd> {
    Simd::of(level)
}

/// Defines functions that return the token of an x86-64 level, each with an alias for the token's
/// type. On other architectures the alias is [`Portable`], and the function returns `None`.
macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident -> $result:ident: $token:ident;)*) => {
        cfg_if::cfg_if! {
            if #[cfg(target_arch = "x86_64")] {
                $(#[doc(hidden)] pub type $result = $token;)*
            } else {
                $(#[doc(hidden)] pub type $result = Portable;)*
            }
        }
        $(
            $(#[$doc])*
            #[doc(hidden)]
            #[inline(always)]
            pub fn $name(level: Level) -> Option<$result> {
                $result::of(level)
            }
        )*
    };
}
tokens! {
    /// Returns the token of x86-64-v3-slow-pext if `level` is that level.
    slow_pext -> SlowPext: X86V3SlowPext;
    /// Returns the token of x86-64-v4 if `level` is that level.
    v4 -> V4: X86V4;
}

/// Returns the baseline's token if `level` is x86-64-v3-slow-pext, for kernels that only gain from
/// PEXT.
#[doc(hidden)]
#[inline(always)]
pub fn portable_for_slow_pext(level: Level) -> Option<Portable> {
    slow_pext(level).map(|_| Portable)
}
