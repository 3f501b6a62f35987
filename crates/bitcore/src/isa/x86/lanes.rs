//! The lanes of the x86-64 tokens: 256-bit registers, typed by their token.

use super::intrinsics::{avx2, avx512, load_count, store, store_flags};
use crate::isa::traits::{Bytes, Isa, Lanes, Sealed, U16s, U32s, U64s};
use core::arch::x86_64::__m256i;
use core::marker::PhantomData;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The trait of the three tokens, bound by their lanes.
pub trait X86: Isa {
    /// `true` if the token proves AVX-512.
    const AVX512: bool;
}

/// Defines methods of two registers, one intrinsic each.
macro_rules! lanewise {
    ($($name:ident $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self::new(v3!($intrinsic(self.0, other.0)))
        }
    )*};
}

/// Defines the shifts of lanes wider than a byte: by a constant, and by a run-time count.
macro_rules! shifts {
    ($bits:literal $left:ident $right:ident $left_all:ident $right_all:ident) => {
        #[inline(always)]
        fn shl<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            Self::new(v3!($left::<N>(self.0)))
        }
        #[inline(always)]
        fn shr<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            Self::new(v3!($right::<N>(self.0)))
        }
        #[inline(always)]
        fn shl_all(self, n: u32) -> Self {
            Self::new(v3!($left_all(self.0, load_count(n))))
        }
        #[inline(always)]
        fn shr_all(self, n: u32) -> Self {
            Self::new(v3!($right_all(self.0, load_count(n))))
        }
    };
}

macro_rules! operators {
    ($name:ident: $($operator:ident $method:ident $intrinsic:ident;)*) => {$(
        impl<T: X86> $operator for $name<T> {
            type Output = Self;
            lanewise! { $method $intrinsic; }
        }
    )*};
}

macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident [$lane:ident; $n:literal] $add:ident $sub:ident $eq:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<T>(pub(super) __m256i, PhantomData<T>);

        impl<T: X86> $name<T> {
            /// Wraps a register. The caller has the token, or lanes made from it.
            #[inline(always)]
            pub(super) const fn new(register: __m256i) -> Self {
                Self(register, PhantomData)
            }
        }

        impl<T: X86> Sealed for $name<T> {}

        operators! {
            $name:
            BitAnd bitand _mm256_and_si256;
            BitOr bitor _mm256_or_si256;
            BitXor bitxor _mm256_xor_si256;
            Add add $add;
            Sub sub $sub;
        }
        impl<T: X86> Not for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self::new(v3!(_mm256_xor_si256(self.0, v3!(_mm256_set1_epi8(-1)))))
            }
        }
        impl<T: X86> Lanes for $name<T> {
            type Array = [$lane; $n];

            lanewise! { cmp_eq $eq; }
            #[inline(always)]
            fn to_array(self) -> Self::Array {
                store(self.0, [0; $n])
            }
            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                Self::new(v3!(_mm256_andnot_si256(other.0, self.0)))
            }
            #[inline(always)]
            fn bitselect(self, yes: Self, no: Self) -> Self {
                // 0xCA is the truth table of `self ? yes : no`.
                Self::new(v4_or!(T: _mm256_ternarylogic_epi64::<0xCA>(self.0, yes.0, no.0) else {
                    ((self & yes) | no.and_not(self)).0
                }))
            }
            #[inline(always)]
            fn blend_lanes(self, yes: Self, no: Self) -> Self {
                if T::AVX512 {
                    return self.bitselect(yes, no);
                }
                Self::new(v3!(_mm256_blendv_epi8(no.0, yes.0, self.0)))
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                v3!(_mm256_testz_si256(self.0, self.0)) == 1
            }
        }
    };
}
lanes!(
    /// 32 lanes of 8 bits in one register.
    U8x32 [u8; 32] _mm256_add_epi8 _mm256_sub_epi8 _mm256_cmpeq_epi8
);
lanes!(
    /// 16 lanes of 16 bits in one register.
    U16x16 [u16; 16] _mm256_add_epi16 _mm256_sub_epi16 _mm256_cmpeq_epi16
);
lanes!(
    /// 8 lanes of 32 bits in one register.
    U32x8 [u32; 8] _mm256_add_epi32 _mm256_sub_epi32 _mm256_cmpeq_epi32
);
lanes!(
    /// 4 lanes of 64 bits in one register.
    U64x4 [u64; 4] _mm256_add_epi64 _mm256_sub_epi64 _mm256_cmpeq_epi64
);

#[inline(always)]
fn ones_of_bytes(register: __m256i) -> __m256i {
    // Looks up the count of each nibble in a table.
    let table = v3!(_mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3,
        3, 4
    ));
    let nibble = v3!(_mm256_set1_epi8(15));
    let low = v3!(_mm256_shuffle_epi8(table, v3!(_mm256_and_si256(register, nibble))));
    let upper = v3!(_mm256_srli_epi64::<4>(register));
    let high = v3!(_mm256_shuffle_epi8(table, v3!(_mm256_and_si256(upper, nibble))));
    v3!(_mm256_add_epi8(low, high))
}

/// Shifts by `8 * N` bits. Stable Rust can't compute a const argument from `N`.
macro_rules! shift_by_bytes {
    ($shift:ident, $register:expr, $n:ident) => {
        match $n {
            0 => $register,
            1 => v3!($shift::<8>($register)),
            2 => v3!($shift::<16>($register)),
            3 => v3!($shift::<24>($register)),
            4 => v3!($shift::<32>($register)),
            5 => v3!($shift::<40>($register)),
            6 => v3!($shift::<48>($register)),
            _ => v3!($shift::<56>($register)),
        }
    };
}

impl<T: X86> Bytes for U8x32<T> {
    lanewise! {
        min _mm256_min_epu8;
        max _mm256_max_epu8;
        shuffle _mm256_shuffle_epi8;
    }
    #[inline(always)]
    fn zero_bitmask(self) -> u32 {
        v4_or!(T: _mm256_testn_epi8_mask(self.0, self.0) else {
            self.eq_bitmask(Self::new(v3!(_mm256_setzero_si256())))
        })
    }
    #[inline(always)]
    fn eq_bitmask(self, other: Self) -> u32 {
        self.cmp_eq(other).movemask()
    }
    #[inline(always)]
    fn movemask(self) -> u32 {
        v3!(_mm256_movemask_epi8(self.0)).cast_unsigned()
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self::new(v3!(_mm256_permute2x128_si256::<0x01>(self.0, self.0)))
    }
    #[inline(always)]
    fn slide_down_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self::new(shift_by_bytes!(_mm256_srli_epi64, self.0, N))
    }
    #[inline(always)]
    fn slide_up_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self::new(shift_by_bytes!(_mm256_slli_epi64, self.0, N))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        Self::new(v4_or!(T: _mm256_popcnt_epi8(self.0) else ones_of_bytes(self.0)))
    }
    #[inline(always)]
    fn sums_of_8(self) -> Self {
        Self::new(v3!(_mm256_sad_epu8(self.0, v3!(_mm256_setzero_si256()))))
    }
    #[inline(always)]
    fn write_flags(self, flags: &mut [bool; 32]) {
        store_flags(self.0, flags);
    }
}

/// Takes 16 bytes of `$low` and `$high` in each half of the register, starting `2 * N` bytes up.
/// Stable Rust can't compute a const argument from `N`.
macro_rules! align_by_lanes {
    ($high:expr, $low:expr, $n:ident, $($lanes:literal => $bytes:literal)*) => {
        match $n {
            $($lanes => v3!(_mm256_alignr_epi8::<$bytes>($high, $low)),)*
            _ => unreachable!(),
        }
    };
}

impl<T: X86> U16s for U16x16<T> {
    shifts!(16 _mm256_slli_epi16 _mm256_srli_epi16 _mm256_sll_epi16 _mm256_srl_epi16);
    lanewise! {
        mul_high _mm256_mulhi_epu16;
        min _mm256_min_epu16;
        max _mm256_max_epu16;
        cmp_gt_signed _mm256_cmpgt_epi16;
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        Self::new(v4_or!(T: _mm256_popcnt_epi16(self.0) else {
            v3!(_mm256_maddubs_epi16(ones_of_bytes(self.0), v3!(_mm256_set1_epi8(1))))
        }))
    }
    #[inline(always)]
    fn slide_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        // The upper half, then zeros.
        let next = v3!(_mm256_permute2x128_si256::<0x81>(self.0, self.0));
        Self::new(
            align_by_lanes!(next, self.0, N, 0 => 0 1 => 2 2 => 4 3 => 6 4 => 8 5 => 10 6 => 12 7 => 14),
        )
    }
    #[inline(always)]
    fn slide_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        // Zeros, then the lower half.
        let before = v3!(_mm256_permute2x128_si256::<0x08>(self.0, self.0));
        Self::new(
            align_by_lanes!(self.0, before, N, 0 => 16 1 => 14 2 => 12 3 => 10 4 => 8 5 => 6 6 => 4 7 => 2),
        )
    }
}

impl<T: X86> U32s for U32x8<T> {
    shifts!(32 _mm256_slli_epi32 _mm256_srli_epi32 _mm256_sll_epi32 _mm256_srl_epi32);
    lanewise! {
        shl_each _mm256_sllv_epi32;
        shr_each _mm256_srlv_epi32;
        wrapping_mul _mm256_mullo_epi32;
        cmp_gt_signed _mm256_cmpgt_epi32;
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        let even = v3!(_mm256_srli_epi64::<32>(v3!(_mm256_mul_epu32(self.0, other.0))));
        let high = v3!(_mm256_srli_epi64::<32>(self.0));
        let other_high = v3!(_mm256_srli_epi64::<32>(other.0));
        let odd = v3!(_mm256_mul_epu32(high, other_high));
        Self::new(v3!(_mm256_blend_epi32::<0b1010_1010>(even, odd)))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        Self::new(v4_or!(T: _mm256_popcnt_epi32(self.0) else {
            // Count bytes, then pairs of bytes, then pairs of pairs.
            let pairs = v3!(_mm256_maddubs_epi16(ones_of_bytes(self.0), v3!(_mm256_set1_epi8(1))));
            v3!(_mm256_madd_epi16(pairs, v3!(_mm256_set1_epi16(1))))
        }))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self::new(v3!(_mm256_permute2x128_si256::<0x01>(self.0, self.0)))
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        Self::new(v3!(_mm256_shuffle_epi32::<0b01_00_11_10>(self.0)))
    }
    #[inline(always)]
    fn swap_neighbors(self) -> Self {
        Self::new(v3!(_mm256_shuffle_epi32::<0b10_11_00_01>(self.0)))
    }
}

impl<T: X86> U64s for U64x4<T> {
    shifts!(64 _mm256_slli_epi64 _mm256_srli_epi64 _mm256_sll_epi64 _mm256_srl_epi64);
    lanewise! {
        shl_each _mm256_sllv_epi64;
        shr_each _mm256_srlv_epi64;
        mul_u32 _mm256_mul_epu32;
    }
}
