//! The token for every machine: plain Rust, which the compiler vectorizes for the baseline where it
//! can.

use super::traits::{Bytes, Isa, Lanes, Sealed, U16s, U32s, U64s};
use super::words::{ONES, byte_counts};
use crate::bits::{gather_flags, zero_bytes};
use crate::level::{self, Level};
use core::array::from_fn;
use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The token of the baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Portable;

/// 256 bits as an array of `N` lanes of `T`.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct LaneArray<T, const N: usize>([T; N]);

impl Portable {
    /// Returns no token: where this type is the alias of another token, the architecture lacks that
    /// token.
    #[allow(dead_code, reason = "x86-64 lacks none")]
    #[inline(always)]
    pub(super) const fn of(_: Level) -> Option<Self> {
        None
    }
}

impl Sealed for Portable {}
impl<T, const N: usize> Sealed for LaneArray<T, N> {}

impl From<Portable> for Level {
    #[inline(always)]
    fn from(_: Portable) -> Self {
        Self::PORTABLE
    }
}

/// Defines the token's loads and splats.
macro_rules! load_and_splat {
    ($($load:ident $splat:ident [$lane:ident; $n:literal])*) => {$(
        #[inline(always)]
        fn $load(self, lanes: &[$lane; $n]) -> LaneArray<$lane, $n> {
            LaneArray(*lanes)
        }
        #[inline(always)]
        fn $splat(self, lane: $lane) -> LaneArray<$lane, $n> {
            LaneArray([lane; $n])
        }
    )*};
}

impl Isa for Portable {
    const NAME: &'static str = level::PORTABLE;
    const FAST_PEXT: bool = false;
    const FAST_BITMASK: bool = false;
    const FAST_COUNT_ONES: bool = false;
    const WIDE_REGISTERS: bool = false;
    const HAS_SIMD: bool = false;
    type Shared = Self;
    type U8x32 = LaneArray<u8, 32>;
    type U16x16 = LaneArray<u16, 16>;
    type U32x8 = LaneArray<u32, 8>;
    type U64x4 = LaneArray<u64, 4>;

    #[inline(always)]
    fn shared(self) -> Self {
        self
    }
    kernel_entries!(define call);
    load_and_splat! {
        u8x32 splat_u8 [u8; 32]
        u16x16 splat_u16 [u16; 16]
        u32x8 splat_u32 [u32; 8]
        u64x4 splat_u64 [u64; 4]
    }
    #[inline(always)]
    fn widen_u16x8(self, fields: u128) -> Self::U32x8 {
        LaneArray(from_fn(|i| u32::from((fields >> (16 * i)) as u16)))
    }
    #[inline(always)]
    fn bitcast_u64_u8(self, lanes: Self::U64x4) -> Self::U8x32 {
        LaneArray::from_words(lanes.0)
    }
    #[inline(always)]
    fn bitcast_u8_u64(self, lanes: Self::U8x32) -> Self::U64x4 {
        LaneArray(lanes.words())
    }
    #[inline(always)]
    fn bitcast_u64_u16(self, lanes: Self::U64x4) -> Self::U16x16 {
        let mut quarters = [0; 16];
        for (quarters, word) in quarters.as_chunks_mut::<4>().0.iter_mut().zip(lanes.0) {
            *quarters =
                [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16];
        }
        LaneArray(quarters)
    }
    #[inline(always)]
    fn bitcast_u16_u64(self, lanes: Self::U16x16) -> Self::U64x4 {
        let mut words = [0; 4];
        for (word, quarters) in words.iter_mut().zip(lanes.0.as_chunks::<4>().0) {
            let [a, b, c, d] = quarters.map(u64::from);
            *word = a | b << 16 | c << 32 | d << 48;
        }
        LaneArray(words)
    }
    #[inline(always)]
    fn bitcast_u16_u32(self, lanes: Self::U16x16) -> Self::U32x8 {
        let mut words = [0; 8];
        for (word, halves) in words.iter_mut().zip(lanes.0.as_chunks::<2>().0) {
            *word = u32::from(halves[0]) | u32::from(halves[1]) << 16;
        }
        LaneArray(words)
    }
    #[inline(always)]
    fn bitcast_u32_u16(self, lanes: Self::U32x8) -> Self::U16x16 {
        let mut halves = [0; 16];
        for (halves, word) in halves.as_chunks_mut::<2>().0.iter_mut().zip(lanes.0) {
            *halves = [word as u16, (word >> 16) as u16];
        }
        LaneArray(halves)
    }
    #[inline(always)]
    fn add_dot4(self, sums: Self::U32x8, bytes: u32, signed: Self::U8x32) -> Self::U32x8 {
        let bytes = bytes.to_le_bytes();
        let mut lanes = sums.0;
        for (sum, fours) in lanes.iter_mut().zip(signed.0.as_chunks::<4>().0) {
            for (&byte, &signed) in bytes.iter().zip(fours) {
                let product = i32::from(byte) * i32::from(signed.cast_signed());
                *sum = sum.wrapping_add(product.cast_unsigned());
            }
        }
        LaneArray(lanes)
    }
}

impl<T: Copy, const N: usize> LaneArray<T, N> {
    #[inline(always)]
    fn map(mut self, f: impl Fn(T) -> T) -> Self {
        // A loop, since the compiler doesn't always inline `array::map` and `from_fn`.
        for lane in &mut self.0 {
            *lane = f(*lane);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        for (lane, other) in self.0.iter_mut().zip(other.0) {
            *lane = f(*lane, other);
        }
        self
    }
}

/// A lane's type: an unsigned integer.
trait Lane:
    Copy + Debug + PartialEq + Not<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    const ZERO: Self;
    const ONES: Self;
}

/// Defines operators, each by a function of two lanes.
macro_rules! operators {
    ($lane:ident: $($operator:ident $method:ident $function:expr;)*) => {$(
        impl<const N: usize> $operator for LaneArray<$lane, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, $function)
            }
        }
    )*};
}

macro_rules! lanes {
    ($($lane:ident)*) => {$(
        impl Lane for $lane {
            const ZERO: Self = 0;
            const ONES: Self = Self::MAX;
        }
        operators! {
            $lane:
            BitAnd bitand |a, b| a & b;
            BitOr bitor |a, b| a | b;
            BitXor bitxor |a, b| a ^ b;
            Add add $lane::wrapping_add;
            Sub sub $lane::wrapping_sub;
        }
    )*};
}
lanes!(u8 u16 u32 u64);

impl<T: Lane, const N: usize> Not for LaneArray<T, N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.map(|a| !a)
    }
}

impl<T: Lane, const N: usize> Lanes for LaneArray<T, N>
where
    Self: BitAnd<Output = Self>
        + BitOr<Output = Self>
        + BitXor<Output = Self>
        + Add<Output = Self>
        + Sub<Output = Self>,
{
    type Array = [T; N];

    #[inline(always)]
    fn to_array(self) -> Self::Array {
        self.0
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    #[inline(always)]
    fn cmp_eq(self, other: Self) -> Self {
        self.zip(other, |a, b| if a == b { T::ONES } else { T::ZERO })
    }
    #[inline(always)]
    fn bitselect(self, yes: Self, no: Self) -> Self {
        (self & yes) | no.and_not(self)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let mut all = T::ZERO;
        for lane in self.0 {
            all = all | lane;
        }
        all == T::ZERO
    }
}

/// Defines methods of two lane arrays, each by a function of two lanes.
macro_rules! lanewise {
    ($($name:ident $function:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            self.zip(other, $function)
        }
    )*};
}

/// Defines the shifts of lanes wider than a byte.
macro_rules! shifts {
    ($lane:ident) => {
        #[inline(always)]
        fn shl<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $lane::BITS as i32) };
            self.map(|a| a << N)
        }
        #[inline(always)]
        fn shr<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $lane::BITS as i32) };
            self.map(|a| a >> N)
        }
        #[inline(always)]
        fn shl_all(self, n: u32) -> Self {
            self.map(|a| a.unbounded_shl(n))
        }
        #[inline(always)]
        fn shr_all(self, n: u32) -> Self {
            self.map(|a| a.unbounded_shr(n))
        }
    };
}

impl LaneArray<u8, 32> {
    /// Returns the lanes as four little-endian words of eight lanes each.
    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let (chunks, _) = self.0.as_chunks::<8>();
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(chunks) {
            *word = u64::from_le_bytes(*chunk);
        }
        words
    }
    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        let mut lanes = [0; 32];
        for (chunk, word) in lanes.as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *chunk = word.to_le_bytes();
        }
        Self(lanes)
    }
    /// Returns a bitmask of the bytes that `flags` marks with 0x80 in each word.
    #[inline(always)]
    fn bitmask(self, flags: impl Fn(u64) -> u64) -> u32 {
        let mut mask = 0;
        for (i, word) in self.words().into_iter().enumerate() {
            mask |= u32::from(gather_flags(flags(word))) << (8 * i);
        }
        mask
    }
    /// Maps each group of eight lanes, as a little-endian word, through `f`.
    #[inline(always)]
    fn map_words(self, f: impl Fn(u64) -> u64) -> Self {
        let mut words = self.words();
        for word in &mut words {
            *word = f(*word);
        }
        Self::from_words(words)
    }
}

impl Bytes for LaneArray<u8, 32> {
    lanewise! {
        min Ord::min;
        max Ord::max;
    }
    #[inline(always)]
    fn zero_bitmask(self) -> u32 {
        self.bitmask(zero_bytes)
    }
    #[inline(always)]
    fn eq_bitmask(self, other: Self) -> u32 {
        (self ^ other).zero_bitmask()
    }
    #[inline(always)]
    fn movemask(self) -> u32 {
        self.bitmask(|word| word & (ONES << 7))
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        Self(from_fn(|i| match index.0[i] {
            place @ 0..128 => self.0[i / 16 * 16 + usize::from(place % 16)],
            _ => 0,
        }))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 16]))
    }
    #[inline(always)]
    fn slide_down_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        self.map_words(|word| word >> (8 * N))
    }
    #[inline(always)]
    fn slide_up_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        self.map_words(|word| word << (8 * N))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        self.map_words(byte_counts)
    }
    #[inline(always)]
    fn sums_of_8(self) -> Self {
        self.map_words(|word| {
            // The sum of eight bytes needs more than 8 bits, so bytes are added into 16-bit fields
            // first.
            let pairs = (word & 0x00ff_00ff_00ff_00ff) + ((word >> 8) & 0x00ff_00ff_00ff_00ff);
            pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48
        })
    }
}

impl U16s for LaneArray<u16, 16> {
    shifts!(u16);
    lanewise! {
        mul_high |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16;
        min Ord::min;
        max Ord::max;
        cmp_gt_signed |a, b| if a.cast_signed() > b.cast_signed() { u16::MAX } else { 0 };
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        self.map(|a| a.count_ones() as u16)
    }
    #[inline(always)]
    fn slide_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let mut lanes = [0; 16];
        lanes[..16 - N as usize].copy_from_slice(&self.0[N as usize..]);
        Self(lanes)
    }
    #[inline(always)]
    fn slide_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let mut lanes = [0; 16];
        lanes[N as usize..].copy_from_slice(&self.0[..16 - N as usize]);
        Self(lanes)
    }
}

impl U32s for LaneArray<u32, 8> {
    shifts!(u32);
    lanewise! {
        shl_each u32::unbounded_shl;
        shr_each u32::unbounded_shr;
        wrapping_mul u32::wrapping_mul;
        mul_high |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32;
        cmp_gt_signed |a, b| if a.cast_signed() > b.cast_signed() { u32::MAX } else { 0 };
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        self.map(u32::count_ones)
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 4]))
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 2]))
    }
    #[inline(always)]
    fn swap_neighbors(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 1]))
    }
}

impl U64s for LaneArray<u64, 4> {
    shifts!(u64);
    lanewise! {
        shl_each |a, n| if n < 64 { a << n } else { 0 };
        shr_each |a, n| if n < 64 { a >> n } else { 0 };
        mul_u32 |a, b| u64::from(a as u32) * u64::from(b as u32);
    }
}
