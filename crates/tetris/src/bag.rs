//! [`Bag`]: the guideline's 7-bag randomizer.

use crate::piece::Piece;
use bitcore::{Isa, RandomSource, SetBits};

/// The remaining pieces of a 7-bag. Pieces are drawn without replacement; drawing the last one
/// refills the bag, so a bag is never empty.
///
/// ```
/// use tetris::Rng;
/// use std::collections::BTreeSet;
/// use tetris::Bag;
/// let (mut bag, mut rng) = (Bag::FULL, Rng::new(1));
/// let seven: BTreeSet<_> = (0..7).map(|_| bag.draw(&mut rng)).collect();
/// assert_eq!((seven.len(), bag), (7, Bag::FULL));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bag {
    /// One bit per piece, in the order of [`Piece::ALL`].
    remaining: u8,
}

impl Bag {
    /// All seven pieces.
    pub const FULL: Self = Self { remaining: 0b111_1111 };

    /// Returns `true` if the piece is still in the bag.
    #[inline]
    pub const fn contains(self, piece: Piece) -> bool {
        self.remaining >> piece as u8 & 1 == 1
    }

    /// Returns the number of pieces left, 1 to 7.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.remaining.count_ones()
    }

    /// Returns `false`: a bag is never empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.remaining == 0
    }

    /// Iterates over the pieces left, in the order of [`Piece::ALL`].
    #[inline]
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        SetBits(self.remaining.into()).map(|i| Piece::ALL[i as usize])
    }

    /// Removes a piece that was drawn elsewhere. Returns `false` and changes nothing if the bag
    /// doesn't contain it.
    ///
    /// ```
    /// use tetris::{Bag, Piece};
    /// let mut bag = Bag::FULL;
    /// assert!(bag.take(Piece::T) && !bag.take(Piece::T));
    /// assert_eq!(bag.len(), 6);
    /// ```
    #[inline]
    pub fn take(&mut self, piece: Piece) -> bool {
        let was_left = self.contains(piece);
        self.remove(piece as u32);
        was_left
    }

    /// Draws a piece uniformly. Every draw, even of the last piece, takes one random number:
    /// [`below`](RandomSource::below) the number of remaining pieces, used as an index into them.
    #[inline]
    pub fn draw(&mut self, rng: &mut (impl RandomSource + ?Sized)) -> Piece {
        let k = rng.below(self.len());
        // Seven bits: faster than a search for bit k of a word.
        let mut left = self.remaining;
        for removed in 0..6 {
            left = if removed < k { left & left.wrapping_sub(1) } else { left };
        }
        let i = left.trailing_zeros();
        self.remove(i);
        Piece::ALL[i as usize]
    }

    #[inline(always)]
    pub(crate) fn draw_with<S: Isa>(
        &mut self,
        isa: S,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Piece {
        let i = isa.select(self.remaining.into(), rng.below(self.len()));
        self.remove(i);
        Piece::ALL[i as usize]
    }

    #[inline(always)]
    fn remove(&mut self, i: u32) {
        self.remaining &= !(1 << i);
        if self.remaining == 0 {
            *self = Self::FULL;
        }
    }
}

impl Default for Bag {
    fn default() -> Self {
        Self::FULL
    }
}
