//! The token of aarch64's NEON, and its register operations: one module per lane width.
//!
//! # Safety
//!
//! This file is only compiled for targets that guarantee NEON, so every CPU that runs it has the
//! instructions. The macro `neon!` enters functions that need this feature and nothing else, since
//! they are safe. An intrinsic that reads or writes through a pointer is an `unsafe fn` even there,
//! and doesn't compile.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

pub(super) use crate::level::NEON as NAME;
pub(super) use Neon as Token;
pub(super) use core::arch::aarch64::uint8x16_t as Register;

pub(super) const FAST_BITMASK: bool = false;

/// The token of NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Neon(pub(super) ());

/// Defines functions that are compiled for NEON and called from anywhere.
macro_rules! neon {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty $body:block)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name($($argument: $ty),*) -> $result {
            #[inline]
            #[target_feature(enable = "neon")]
            fn compiled($($argument: $ty),*) -> $result {
                $body
            }
            // SAFETY: the target guarantees NEON. The function is safe, so it needs nothing else.
            unsafe { compiled($($argument),*) }
        }
    )*};
}

/// Defines functions of two registers, each by one intrinsic. Every module has the casts `lanes` (a
/// register to its lane type) and `bytes` (back).
macro_rules! binary {
    ($($name:ident $intrinsic:ident;)*) => {
        neon! {$(
            fn $name(a: Register, b: Register) -> Register {
                bytes($intrinsic(lanes(a), lanes(b)))
            }
        )*}
    };
}

/// Defines the functions common to all lane widths.
macro_rules! common {
    (
        $lane:ident: $and:ident $or:ident $xor:ident $and_not:ident $add:ident $sub:ident $cmp_eq:ident
        $splat:ident $select:ident
    ) => {
        binary! {
            and $and;
            or $or;
            xor $xor;
            and_not $and_not;
            add $add;
            sub $sub;
            cmp_eq $cmp_eq;
        }
        neon! {
            fn splat(lane: $lane) -> Register {
                bytes($splat(lane))
            }
            fn bitselect(yes: Register, no: Register, mask: Register) -> Register {
                bytes($select(lanes(mask), lanes(yes), lanes(no)))
            }
        }
    };
}

/// Defines the shifts of a group by one count. The instruction shifts each lane by its own signed
/// count, to the right if negative, and gives 0 beyond the lane width.
macro_rules! shifts {
    ($bits:literal $signed:ident $splat:ident $shift:ident) => {
        neon! {
            fn shl_all(group: [Register; 2], n: u32) -> [Register; 2] {
                let counts = $splat(n.min($bits) as $signed);
                [bytes($shift(lanes(group[0]), counts)), bytes($shift(lanes(group[1]), counts))]
            }
            fn shr_all(group: [Register; 2], n: u32) -> [Register; 2] {
                let counts = $splat(-(n.min($bits) as $signed));
                [bytes($shift(lanes(group[0]), counts)), bytes($shift(lanes(group[1]), counts))]
            }
        }
    };
}

neon! {
    fn is_zero(a: Register) -> bool {
        vmaxvq_u32(vreinterpretq_u32_u8(a)) == 0
    }
}

pub(super) mod u8s {
    use super::*;
    use core::convert::{identity as bytes, identity as lanes};

    common! {
        u8: vandq_u8 vorrq_u8 veorq_u8 vbicq_u8 vaddq_u8 vsubq_u8 vceqq_u8 vdupq_n_u8 vbslq_u8
    }
    binary! {
        min vminq_u8;
        max vmaxq_u8;
        lookup vqtbl1q_u8;
    }
    neon! {
        /// Each of eight bytes keeps one bit, its own; their sum is the bitmask.
        fn bitmask(low: Register, high: Register) -> u32 {
            let weights = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
            let pairs = vpaddq_u8(vandq_u8(low, weights), vandq_u8(high, weights));
            let fours = vpaddq_u8(pairs, pairs);
            let eights = vpaddq_u8(fours, fours);
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(eights))
        }
        fn movemask(low: Register, high: Register) -> u32 {
            bitmask(vcltzq_s8(vreinterpretq_s8_u8(low)), vcltzq_s8(vreinterpretq_s8_u8(high)))
        }
        fn count_ones(a: Register) -> Register {
            vcntq_u8(a)
        }
        fn add_pairs(a: Register) -> Register {
            vreinterpretq_u8_u16(vpaddlq_u8(a))
        }
        fn dot4(a: Register, b: Register) -> Register {
            let [a, b] = [vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)];
            let low = vmull_s8(vget_low_s8(a), vget_low_s8(b));
            let high = vmull_high_s8(a, b);
            let sums = vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high));
            vreinterpretq_u8_s32(sums)
        }
    }
}

pub(super) mod u16s {
    use super::*;
    use core::arch::aarch64::{vreinterpretq_u8_u16 as bytes, vreinterpretq_u16_u8 as lanes};

    common! {
        u16: vandq_u16 vorrq_u16 veorq_u16 vbicq_u16 vaddq_u16 vsubq_u16 vceqq_u16 vdupq_n_u16 vbslq_u16
    }
    binary! {
        min vminq_u16;
        max vmaxq_u16;
    }
    shifts!(16 i16 vdupq_n_s16 vshlq_u16);
    neon! {
        fn cmp_gt_signed(a: Register, b: Register) -> Register {
            bytes(vcgtq_s16(vreinterpretq_s16_u8(a), vreinterpretq_s16_u8(b)))
        }
        fn mul_high(a: Register, b: Register) -> Register {
            let low = vmull_u16(vget_low_u16(lanes(a)), vget_low_u16(lanes(b)));
            let high = vmull_high_u16(lanes(a), lanes(b));
            bytes(vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high)))
        }
        fn add_pairs(a: Register) -> Register {
            vreinterpretq_u8_u32(vpaddlq_u16(lanes(a)))
        }
        fn widen(low: u64, high: u64) -> [Register; 2] {
            let [low, high] = [vmovl_u16(vcreate_u16(low)), vmovl_u16(vcreate_u16(high))];
            [vreinterpretq_u8_u32(low), vreinterpretq_u8_u32(high)]
        }
        fn extract(low: Register, high: Register, n: i32) -> Register {
            // The instruction takes a constant.
            macro_rules! from_lane {
                ($n:literal) => {
                    bytes(vextq_u16::<$n>(lanes(low), lanes(high)))
                };
            }
            match n {
                0 => low,
                1 => from_lane!(1),
                2 => from_lane!(2),
                3 => from_lane!(3),
                4 => from_lane!(4),
                5 => from_lane!(5),
                6 => from_lane!(6),
                7 => from_lane!(7),
                _ => high,
            }
        }
    }
}

pub(super) mod u32s {
    use super::*;
    use core::arch::aarch64::{vreinterpretq_u8_u32 as bytes, vreinterpretq_u32_u8 as lanes};

    common! {
        u32: vandq_u32 vorrq_u32 veorq_u32 vbicq_u32 vaddq_u32 vsubq_u32 vceqq_u32 vdupq_n_u32 vbslq_u32
    }
    binary! {
        wrapping_mul vmulq_u32;
    }
    shifts!(32 i32 vdupq_n_s32 vshlq_u32);
    neon! {
        fn shl_each(a: Register, counts: Register) -> Register {
            // The instruction takes the lowest byte of a count.
            let counts = vminq_u32(lanes(counts), vdupq_n_u32(32));
            bytes(vshlq_u32(lanes(a), vreinterpretq_s32_u32(counts)))
        }
        fn shr_each(a: Register, counts: Register) -> Register {
            let counts = vminq_u32(lanes(counts), vdupq_n_u32(32));
            bytes(vshlq_u32(lanes(a), vnegq_s32(vreinterpretq_s32_u32(counts))))
        }
        fn cmp_gt_signed(a: Register, b: Register) -> Register {
            bytes(vcgtq_s32(vreinterpretq_s32_u8(a), vreinterpretq_s32_u8(b)))
        }
        fn mul_high(a: Register, b: Register) -> Register {
            let low = vmull_u32(vget_low_u32(lanes(a)), vget_low_u32(lanes(b)));
            let high = vmull_high_u32(lanes(a), lanes(b));
            bytes(vuzp2q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high)))
        }
        fn add_pairs(a: Register) -> Register {
            vreinterpretq_u8_u64(vpaddlq_u32(lanes(a)))
        }
        fn swap_pairs(a: Register) -> Register {
            bytes(vextq_u32::<2>(lanes(a), lanes(a)))
        }
        fn swap_neighbors(a: Register) -> Register {
            bytes(vrev64q_u32(lanes(a)))
        }
    }
}

pub(super) mod u64s {
    use super::*;
    use core::arch::aarch64::{vreinterpretq_u8_u64 as bytes, vreinterpretq_u64_u8 as lanes};

    common! {
        u64: vandq_u64 vorrq_u64 veorq_u64 vbicq_u64 vaddq_u64 vsubq_u64 vceqq_u64 vdupq_n_u64 vbslq_u64
    }
    shifts!(64 i64 vdupq_n_s64 vshlq_u64);
    neon! {
        fn shl_each(a: Register, counts: Register) -> Register {
            // The instruction takes the lowest byte of a count.
            let shifted = vshlq_u64(lanes(a), vreinterpretq_s64_u8(counts));
            bytes(vandq_u64(shifted, vcltq_u64(lanes(counts), vdupq_n_u64(64))))
        }
        fn shr_each(a: Register, counts: Register) -> Register {
            let shifted = vshlq_u64(lanes(a), vnegq_s64(vreinterpretq_s64_u8(counts)));
            bytes(vandq_u64(shifted, vcltq_u64(lanes(counts), vdupq_n_u64(64))))
        }
        fn mul_u32(a: [Register; 2], b: [Register; 2]) -> [Register; 2] {
            let a = vuzp1q_u32(vreinterpretq_u32_u8(a[0]), vreinterpretq_u32_u8(a[1]));
            let b = vuzp1q_u32(vreinterpretq_u32_u8(b[0]), vreinterpretq_u32_u8(b[1]));
            [bytes(vmull_u32(vget_low_u32(a), vget_low_u32(b))), bytes(vmull_high_u32(a, b))]
        }
    }
}
