//! Games of levels on masks of cells, for [`Playtest`](super::Playtest): the games of
//! [`LevelGame`](super::LevelGame), bit for bit.
//!
//! A board is a few words with a bit per cell: planes of colors, of kinds and of layers, and sets
//! of locks, items, crates and ice. Whatever the gravity is, the lowest row of bits is the deepest
//! row of cells, and the bits of a row go across:
//!
//! ```text
//! depth 0    ..  17  16        what falls moves S bits down
//! depth 1    ..   9   8        the first cell of a diagonal step is the lowest bit
//! depth 2    ..   1   0        the streams of a column are ordered by bits
//! ```
//!
//! S is 8 in words of 64 bits and 11 in words of 128; levels with more cells, across or deep, are
//! left to the plain engine.

mod board;
mod cascade;
mod effects;
mod falls;
mod game;
mod plan;

pub(super) use game::MaskGame;
pub(super) use plan::Plan;

use super::Level;
use alloc::sync::Arc;
use core::fmt::Debug;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// One bit per cell.
pub(super) trait Word:
    Copy
    + Debug
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The bits of a row, which is also the largest number of rows.
    const STRIDE: u32;
    const EMPTY: Self;

    fn bit(at: u32) -> Self;
    fn is_empty(self) -> bool;
    /// Returns the number of cells.
    fn len(self) -> u32;
    /// Returns the lowest bit of a set that isn't empty.
    fn first(self) -> u32;
    /// Returns the highest bit of a set that isn't empty.
    fn last(self) -> u32;
    fn without_first(self) -> Self;

    #[inline(always)]
    fn contains(self, at: u32) -> bool {
        !(self & Self::bit(at)).is_empty()
    }

    /// Returns the bits from the lowest.
    #[inline(always)]
    fn bits(mut self) -> impl Iterator<Item = u32> {
        core::iter::from_fn(move || {
            if self.is_empty() {
                return None;
            }
            let first = self.first();
            self = self.without_first();
            Some(first)
        })
    }
}

/// What games of a level can have, as bits of a constant, so that those without it lose no time.
pub(super) const SPECIALS: u8 = 1;
/// Items, crates, locks and ice.
pub(super) const THINGS: u8 = 2;
pub(super) const ALL: u8 = SPECIALS | THINGS;

pub(super) const fn has<const F: u8>(feature: u8) -> bool {
    F & feature != 0
}

macro_rules! word {
    ($word:ty, $stride:literal) => {
        impl Word for $word {
            const STRIDE: u32 = $stride;
            const EMPTY: Self = 0;
            #[inline(always)]
            fn bit(at: u32) -> Self {
                1 << at
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn last(self) -> u32 {
                Self::BITS - 1 - self.leading_zeros()
            }
            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

word!(u64, 8);
word!(u128, 11);

/// The masks of a level, in the smallest words that hold it.
#[derive(Clone, Debug)]
pub(super) enum Masks {
    Narrow(Arc<Plan<u64>>),
    Wide(Arc<Plan<u128>>),
}

/// The planes of colors in each width of words.
pub(super) const NARROW_PLANES: usize = 3;
pub(super) const WIDE_PLANES: usize = 4;

impl Masks {
    /// Returns the masks of a level, or `None` if it has too many cells.
    pub(super) fn of(level: &Arc<Level>) -> Option<Self> {
        let longest = level.width().max(level.height()) as u32;
        if longest <= u64::STRIDE && level.colors() < 1 << NARROW_PLANES {
            Some(Self::Narrow(Arc::new(Plan::new(level.clone()))))
        } else if longest <= u128::STRIDE {
            Some(Self::Wide(Arc::new(Plan::new(level.clone()))))
        } else {
            None
        }
    }
}
