//! [`SetBits`]: the positions of a word's set bits.

use core::iter::FusedIterator;

/// An iterator over the positions of the set bits of a word, the lowest first.
///
/// ```
/// use bitcore::SetBits;
/// assert_eq!(SetBits(0b1001_0100).collect::<Vec<_>>(), [2, 4, 7]);
/// assert_eq!(SetBits(u64::MAX).len(), 64);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SetBits(pub u64);

impl Iterator for SetBits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for SetBits {}
impl FusedIterator for SetBits {}
