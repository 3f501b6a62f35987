//! The token of wasm32's simd128, and its register operations: one module per lane width.
//!
//! This file is only compiled with the target feature simd128. An engine without it rejects the
//! whole module, so the instructions need no proof, and their intrinsics are safe functions.

use core::arch::wasm32::*;

pub(super) use crate::level::SIMD128 as NAME;
pub(super) use Simd128 as Token;
pub(super) use core::arch::wasm32::v128 as Register;

pub(super) const FAST_BITMASK: bool = true;

/// The token of simd128.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Simd128(pub(super) ());

/// Defines functions that are always inlined.
macro_rules! simd128 {
    ($(fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty $body:block)*) => {$(
        #[inline(always)]
        pub(crate) fn $name($($argument: $ty),*) -> $result $body
    )*};
}

simd128! {
    fn is_zero(a: Register) -> bool {
        !v128_any_true(a)
    }
}

mod any_lanes {
    pub(crate) use core::arch::wasm32::{
        v128_and as and, v128_andnot as and_not, v128_bitselect as bitselect, v128_or as or,
        v128_xor as xor,
    };
}

/// Defines the shifts of a group by one count. The instructions take the count modulo the lane
/// width.
macro_rules! shifts {
    ($bits:literal $($name:ident $intrinsic:ident),*) => {
        simd128! {$(
            fn $name(group: [Register; 2], n: u32) -> [Register; 2] {
                let shifted = [$intrinsic(group[0], n), $intrinsic(group[1], n)];
                if n < $bits { shifted } else { [u64x2_splat(0); 2] }
            }
        )*}
    };
}

pub(super) mod u8s {
    use super::*;
    pub(crate) use any_lanes::*;
    pub(crate) use core::arch::wasm32::{
        u8x16_add as add, u8x16_eq as cmp_eq, u8x16_max as max, u8x16_min as min,
        u8x16_popcnt as count_ones, u8x16_splat as splat, u8x16_sub as sub,
        u8x16_swizzle as lookup, u16x8_extadd_pairwise_u8x16 as add_pairs,
    };
    pub(crate) use movemask as bitmask;

    simd128! {
        fn movemask(low: Register, high: Register) -> u32 {
            u32::from(u8x16_bitmask(low)) | u32::from(u8x16_bitmask(high)) << 16
        }
        fn dot4(a: Register, b: Register) -> Register {
            let pairs = |products| i32x4_extadd_pairwise_i16x8(products);
            let low = pairs(i16x8_extmul_low_i8x16(a, b));
            let high = pairs(i16x8_extmul_high_i8x16(a, b));
            let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
            i32x4_add(even, i32x4_shuffle::<1, 3, 5, 7>(low, high))
        }
    }
}

pub(super) mod u16s {
    use super::*;
    pub(crate) use any_lanes::*;
    pub(crate) use core::arch::wasm32::{
        i16x8_gt as cmp_gt_signed, u16x8_add as add, u16x8_eq as cmp_eq, u16x8_max as max,
        u16x8_min as min, u16x8_splat as splat, u16x8_sub as sub,
        u32x4_extadd_pairwise_u16x8 as add_pairs,
    };

    shifts!(16 shl_all u16x8_shl, shr_all u16x8_shr);

    simd128! {
        fn mul_high(a: Register, b: Register) -> Register {
            let low = u32x4_extmul_low_u16x8(a, b);
            let high = u32x4_extmul_high_u16x8(a, b);
            u16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
        }
        fn widen(low: u64, high: u64) -> [Register; 2] {
            let lanes = u64x2(low, high);
            [u32x4_extend_low_u16x8(lanes), u32x4_extend_high_u16x8(lanes)]
        }
        fn extract(low: Register, high: Register, n: i32) -> Register {
            // The instruction takes constants.
            match n {
                0 => low,
                1 => u16x8_shuffle::<1, 2, 3, 4, 5, 6, 7, 8>(low, high),
                2 => u16x8_shuffle::<2, 3, 4, 5, 6, 7, 8, 9>(low, high),
                3 => u16x8_shuffle::<3, 4, 5, 6, 7, 8, 9, 10>(low, high),
                4 => u16x8_shuffle::<4, 5, 6, 7, 8, 9, 10, 11>(low, high),
                5 => u16x8_shuffle::<5, 6, 7, 8, 9, 10, 11, 12>(low, high),
                6 => u16x8_shuffle::<6, 7, 8, 9, 10, 11, 12, 13>(low, high),
                7 => u16x8_shuffle::<7, 8, 9, 10, 11, 12, 13, 14>(low, high),
                _ => high,
            }
        }
    }
}

pub(super) mod u32s {
    use super::*;
    pub(crate) use any_lanes::*;
    pub(crate) use core::arch::wasm32::{
        i32x4_gt as cmp_gt_signed, u32x4_add as add, u32x4_eq as cmp_eq, u32x4_mul as wrapping_mul,
        u32x4_splat as splat, u32x4_sub as sub,
    };

    shifts!(32 shl_all u32x4_shl, shr_all u32x4_shr);

    simd128! {
        fn shl_each(a: Register, counts: Register) -> Register {
            // 2 to the power of the count: build a float with this exponent, and convert it to an
            // integer.
            let power = u32x4_trunc_sat_f32x4(u32x4_shl(u32x4_add(counts, u32x4_splat(127)), 23));
            u32x4_mul(a, v128_and(power, u32x4_lt(counts, u32x4_splat(32))))
        }
        fn shr_each(a: Register, counts: Register) -> Register {
            macro_rules! lane {
                ($n:literal) => {
                    u32x4_extract_lane::<$n>(a).unbounded_shr(u32x4_extract_lane::<$n>(counts))
                };
            }
            let shifted = u32x4_replace_lane::<1>(u32x4_splat(lane!(0)), lane!(1));
            u32x4_replace_lane::<3>(u32x4_replace_lane::<2>(shifted, lane!(2)), lane!(3))
        }
        fn mul_high(a: Register, b: Register) -> Register {
            let low = u64x2_extmul_low_u32x4(a, b);
            let high = u64x2_extmul_high_u32x4(a, b);
            u32x4_shuffle::<1, 3, 5, 7>(low, high)
        }
        fn add_pairs(a: Register) -> Register {
            u64x2_add(v128_and(a, u64x2_splat(0xffff_ffff)), u64x2_shr(a, 32))
        }
        fn swap_pairs(a: Register) -> Register {
            u32x4_shuffle::<2, 3, 0, 1>(a, a)
        }
        fn swap_neighbors(a: Register) -> Register {
            u32x4_shuffle::<1, 0, 3, 2>(a, a)
        }
    }
}

pub(super) mod u64s {
    use super::*;
    pub(crate) use any_lanes::*;
    pub(crate) use core::arch::wasm32::{
        u64x2_add as add, u64x2_eq as cmp_eq, u64x2_splat as splat, u64x2_sub as sub,
    };

    shifts!(64 shl_all u64x2_shl, shr_all u64x2_shr);

    /// Defines the shifts with one count per lane, which have no instruction.
    macro_rules! shifts_of_words {
        ($($name:ident $operator:tt),*) => {
            simd128! {$(
                fn $name(a: Register, counts: Register) -> Register {
                    const fn word(a: u64, n: u64) -> u64 {
                        if n < 64 { a $operator n } else { 0 }
                    }
                    u64x2(
                        word(u64x2_extract_lane::<0>(a), u64x2_extract_lane::<0>(counts)),
                        word(u64x2_extract_lane::<1>(a), u64x2_extract_lane::<1>(counts)),
                    )
                }
            )*}
        };
    }
    shifts_of_words!(shl_each <<, shr_each >>);

    simd128! {
        fn mul_u32(a: [Register; 2], b: [Register; 2]) -> [Register; 2] {
            let a = u32x4_shuffle::<0, 2, 4, 6>(a[0], a[1]);
            let b = u32x4_shuffle::<0, 2, 4, 6>(b[0], b[1]);
            [u64x2_extmul_low_u32x4(a, b), u64x2_extmul_high_u32x4(a, b)]
        }
    }
}
