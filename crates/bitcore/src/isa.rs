//! The tokens, and the sealed traits that say what each of them can do.
//!
//! Lane types are logical groups of 256 bits: 32 bytes, 16 `u16`, 8 `u32` or 4 `u64`. A token only says how many
//! registers such a group takes, so a kernel's results never depend on the register width.

/// The entries of kernels, one for each number of arguments, so that the arguments travel in registers: a closure that
/// captured them would carry them through memory. `kernel_entries!(declare)` stands in the trait, `kernel_entries!(define ..)` in a
/// token, with what its functions are compiled with and how they are called.
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
        #[allow(clippy::too_many_arguments, reason = "as many as a kernel has")]
        fn $name<$($ty,)* Out>(self, $($arg: $ty,)* kernel: impl FnOnce($($ty),*) -> Out) -> Out;
    };
    (@define [$(#[$attribute:meta])* $call:ident] $name:ident($($arg:ident: $ty:ident),*)) => {
        #[inline(always)]
        fn $name<$($ty,)* Out>(self, $($arg: $ty,)* kernel: impl FnOnce($($ty),*) -> Out) -> Out {
            #[inline(never)]
            $(#[$attribute])*
            #[allow(clippy::too_many_arguments, reason = "as many as a kernel has")]
            fn entry<$($ty,)* Out>($($arg: $ty,)* kernel: impl FnOnce($($ty),*) -> Out) -> Out {
                kernel($($arg),*)
            }
            $call!(entry($($arg,)* kernel))
        }
    };
}

mod portable;
mod traits;
#[cfg(target_arch = "x86_64")]
mod x86_v3;

pub use portable::{LaneArray, Portable};
pub use traits::{Bytes, Isa, Lanes, U16s, U32s, U64s};
#[cfg(target_arch = "x86_64")]
pub use x86_v3::X86V3;

use crate::Level;

/// What [`dispatch!`](crate::dispatch) asks first.
#[doc(hidden)]
#[inline(always)]
pub fn x86_v3(level: Level) -> Option<BestX86> {
    cfg_if::cfg_if! {
        if #[cfg(target_arch = "x86_64")] {
            X86V3::of(level)
        } else {
            let _ = level;
            None
        }
    }
}

cfg_if::cfg_if! {
    if #[cfg(target_arch = "x86_64")] {
        #[doc(hidden)]
        pub type BestX86 = X86V3;
    } else {
        #[doc(hidden)]
        pub type BestX86 = Portable;
    }
}
