//! Bit arithmetic as `const` definitions.
//!
//! [`pext`], [`pdep`] and [`select`] work bit by bit. Use them for tables at compile time; every
//! [`Isa`](crate::Isa) is tested against them. A kernel calls its token's methods instead.

/// Gathers the bits of `x` under `mask` into the low bits of the result, like the instruction PEXT.
///
/// ```
/// assert_eq!(bitcore::bits::pext(0b1010_0110, 0b1111_0000), 0b1010);
/// ```
#[inline]
pub const fn pext(x: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut bit = 1u64;
    while mask != 0 {
        if x & mask & mask.wrapping_neg() != 0 {
            out |= bit;
        }
        mask &= mask - 1;
        bit = bit.wrapping_shl(1);
    }
    out
}

/// Scatters the low bits of `x` to the positions of `mask`, like the instruction PDEP.
///
/// ```
/// assert_eq!(bitcore::bits::pdep(0b1010, 0b1111_0000), 0b1010_0000);
/// ```
#[inline]
pub const fn pdep(x: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut bit = 1u64;
    while mask != 0 {
        if x & bit != 0 {
            out |= mask & mask.wrapping_neg();
        }
        mask &= mask - 1;
        bit = bit.wrapping_shl(1);
    }
    out
}

/// Returns the position of the `k`-th set bit of `x`, counting from 0 at the lowest bit, or 64 if
/// `x` has at most `k` set bits.
///
/// ```
/// assert_eq!(bitcore::bits::select(0b1011_0100, 2), 5);
/// assert_eq!(bitcore::bits::select(0b1011_0100, 4), 64);
/// ```
#[inline]
pub const fn select(mut x: u64, mut k: u32) -> u32 {
    while k > 0 && x != 0 {
        x &= x - 1;
        k -= 1;
    }
    x.trailing_zeros()
}

/// Returns a word with 0x80 in each byte where `x` has a zero byte, and 0 elsewhere.
///
/// Every byte is exact. The well-known `(x - 0x01..) & !x & 0x80..` only detects *whether* there is
/// a zero byte: its borrow also marks a byte 0x01 above a zero byte.
///
/// ```
/// use bitcore::bits::zero_bytes;
/// assert_eq!(zero_bytes(0x0000_2233_4455_6600), 0x8080_0000_0000_0080);
/// let x = 0x0100_u64 | !0xffff; // byte 1 is 0x01, byte 0 is zero
/// assert_eq!(zero_bytes(x), 0x80);
/// assert_eq!(x.wrapping_sub(0x0101_0101_0101_0101) & !x & 0x8080_8080_8080_8080, 0x8080);
/// ```
#[inline(always)]
pub const fn zero_bytes(x: u64) -> u64 {
    const LOW7: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    !(((x & LOW7) + LOW7) | x | LOW7)
}

/// Returns a bitmask of the zero bytes of `x`: bit i for byte i, counting from the lowest.
///
/// ```
/// assert_eq!(bitcore::bits::zero_byte_mask(0x0000_2233_4455_6600), 0b1100_0001);
/// ```
#[inline(always)]
pub const fn zero_byte_mask(x: u64) -> u8 {
    gather_flags(zero_bytes(x))
}

/// Gathers the top bits of the eight bytes into one byte. All other bits of `flags` must be 0.
#[inline(always)]
pub(crate) const fn gather_flags(flags: u64) -> u8 {
    // Each of the 64 products of a flag and a set bit of the factor has its own place: nothing
    // carries.
    ((flags >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Folds a word into a hash: rotates the hash left by 5, xors the word, and multiplies by 2^64
/// divided by the golden ratio (the step of Firefox's hash function). For digests and hash tables;
/// not collision-resistant against an adversary.
///
/// ```
/// use bitcore::bits::fold;
/// let digest = [3, 1, 2].into_iter().fold(0, fold);
/// assert_ne!(digest, [1, 3, 2].into_iter().fold(0, fold));
/// ```
#[inline(always)]
#[must_use]
pub const fn fold(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

macro_rules! delta_swap {
    ($name:ident, $word:ty, $example:literal) => {
        /// Swaps the bits under `MASK` with the bits `SHIFT` places above. The function is its own
        /// inverse.
        ///
        /// Doesn't compile if `MASK` and `MASK << SHIFT` overlap, or if a bit of `MASK` is shifted
        /// out of the word.
        ///
        /// ```
        #[doc = $example]
        /// ```
        #[inline(always)]
        #[must_use]
        pub const fn $name<const MASK: $word, const SHIFT: u32>(d: $word) -> $word {
            const {
                assert!(
                    SHIFT < <$word>::BITS && MASK.leading_zeros() >= SHIFT,
                    "the mask's image leaves the word"
                );
                assert!(MASK & (MASK << SHIFT) == 0, "the mask overlaps its image");
            }
            let x = (d ^ (d >> SHIFT)) & MASK;
            d ^ x ^ (x << SHIFT)
        }
    };
}
delta_swap!(
    delta_swap_u16,
    u16,
    "assert_eq!(bitcore::bits::delta_swap_u16::<0x0f, 8>(0x1234), 0x1432);"
);
delta_swap!(
    delta_swap_u64,
    u64,
    "assert_eq!(bitcore::bits::delta_swap_u64::<0xff, 8>(0x1234), 0x3412);"
);
