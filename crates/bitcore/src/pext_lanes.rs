//! [`PextLanes`]: PEXT and PDEP of four words in parallel, without the instructions.

use crate::isa::{Isa, Lanes, U64s};

/// Four masks, one per lane, with the distance that PEXT moves each bit under them.
///
/// For kernels that need PEXT or PDEP of many words where [`Isa::FAST_PEXT`] is false: the
/// distances are computed once for all words under the same masks. The algorithm is the portable
/// PEXT's, in lanes.
///
/// ```
/// use bitcore::{Isa, Lanes, PextLanes, dispatch};
/// let [packed, spread] = dispatch!(isa => {
///     let masks = PextLanes::new(isa, isa.u64x4(&[0b1110, 0b1111_0000, u64::MAX, 0]));
///     let words = isa.u64x4(&[0b1010, 0b1001_0110, 77, 5]);
///     [masks.pext(words).to_array(), masks.pdep(words).to_array()]
/// });
/// assert_eq!(packed, [0b101, 0b1001, 77, 0]);
/// assert_eq!(spread, [0b0100, 0b0110_0000, 77, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PextLanes<S: Isa> {
    masks: S::U64x4,
    /// Each position's distance, the number of zeros of the mask below it, in binary, the lowest
    /// digit first.
    digits: [S::U64x4; 6],
}

impl<S: Isa> PextLanes<S> {
    /// Computes the distances under four masks.
    ///
    /// Digit 0 is the parity of the zeros below; every second zero carries into the next place,
    /// whose digit is the parity of the carries below.
    #[inline(always)]
    pub fn new(isa: S, masks: S::U64x4) -> Self {
        let zero = isa.splat_u64(0);
        let mut carries = !masks;
        let mut digits = [zero; 6];
        for digit in &mut digits[..5] {
            let mut parity = carries.shl::<1>();
            parity = parity ^ parity.shl::<1>();
            parity = parity ^ parity.shl::<2>();
            parity = parity ^ parity.shl::<4>();
            parity = parity ^ parity.shl::<8>();
            parity = parity ^ parity.shl::<16>();
            parity = parity ^ parity.shl::<32>();
            *digit = parity;
            carries = carries & parity;
        }
        // Only the 32nd and 64th zeros are left: the digit is set in all positions above the 32nd.
        digits[5] = zero - carries.shl::<1>();
        Self { masks, digits }
    }

    /// Gathers the bits of each word under its mask into the low bits.
    #[inline(always)]
    pub fn pext(&self, words: S::U64x4) -> S::U64x4 {
        let [ones, twos, fours, eights, sixteens, thirty_twos] = self.digits;
        let words = move_down::<S, 1>(words & self.masks, ones);
        let words = move_down::<S, 2>(words, twos);
        let words = move_down::<S, 4>(words, fours);
        let words = move_down::<S, 8>(words, eights);
        let words = move_down::<S, 16>(words, sixteens);
        move_down::<S, 32>(words, thirty_twos)
    }

    /// Scatters the low bits of each word to the positions of its mask.
    #[inline(always)]
    pub fn pdep(&self, words: S::U64x4) -> S::U64x4 {
        let [ones, twos, fours, eights, sixteens, thirty_twos] = self.digits;
        let words = take_from_below::<S, 32>(words, thirty_twos);
        let words = take_from_below::<S, 16>(words, sixteens);
        let words = take_from_below::<S, 8>(words, eights);
        let words = take_from_below::<S, 4>(words, fours);
        let words = take_from_below::<S, 2>(words, twos);
        take_from_below::<S, 1>(words, ones) & self.masks
    }
}

/// Moves the bits under `moving` down by `N` places. Their destinations must be free.
#[inline(always)]
fn move_down<S: Isa, const N: i32>(words: S::U64x4, moving: S::U64x4) -> S::U64x4 {
    let moving = words & moving;
    (words ^ moving) | moving.shr::<N>()
}

/// Gives each position under `moved` the bit `N` places below it.
#[inline(always)]
fn take_from_below<S: Isa, const N: i32>(words: S::U64x4, moved: S::U64x4) -> S::U64x4 {
    moved.bitselect(words.shl::<N>(), words)
}

/// Scatters the low bits of four words to the positions of their masks, with PDEP where it is fast.
///
/// ```
/// use bitcore::{Isa, Lanes, dispatch, pdep_lanes};
/// let spread = dispatch!(isa => {
///     let (words, masks) = (isa.u64x4(&[1, 2, 3, 4]), isa.u64x4(&[0b10, 0b110, 0b1010, 0b1_0110]));
///     pdep_lanes(isa, words, masks).to_array()
/// });
/// assert_eq!(spread, [0b10, 0b100, 0b1010, 0b1_0000]);
/// ```
#[inline(always)]
pub fn pdep_lanes<S: Isa>(isa: S, words: S::U64x4, masks: S::U64x4) -> S::U64x4 {
    if !S::FAST_PEXT {
        return PextLanes::new(isa, masks).pdep(words);
    }
    let [a, b, c, d] = words.to_array();
    let [e, f, g, h] = masks.to_array();
    isa.u64x4(&[isa.pdep(a, e), isa.pdep(b, f), isa.pdep(c, g), isa.pdep(d, h)])
}
