//! [`Placements`]: a list without an allocation.

use super::field::{Band, Field, ROWS};
use super::search::{Found, shapes};
use super::{Placement, Spin};
use crate::board::WIDTH;
use crate::{Location, Orientation, Piece};
use core::iter::FusedIterator;

/// Orientations by kinds of spin.
const SETS: usize = 4 * 3;

/// Where a piece can lock: a set of [`Placement`]s, which are [canonical](Location::canonical), each once. A plain
/// value of fixed size, to be [filled](Self::fill) again and again.
///
/// They come by kind of spin, then by orientation, then by column from the left, then from the top down: the same
/// order on every machine.
///
/// ```
/// use tetris::{Board, Piece, movegen::{Kinds, Placements}};
/// let mut placements = Placements::new();
/// placements.fill(&Board::EMPTY, Piece::S, Kinds::Cells);
/// assert_eq!((placements.len(), placements.iter().len()), (17, 17));
/// assert!(placements.iter().all(|placement| placement.at.y == 0 || placement.at.y == 1));
/// ```
#[derive(Clone)]
pub struct Placements {
    piece: Piece,
    /// One word for each column of each set; or three for each set, four columns of 16 bits a word. Only the sets in
    /// use, one after the other. Bit 0 of each column is the row `top`.
    words: [u64; SETS * WIDTH],
    narrow: bool,
    top: i8,
    /// Sets by number, in words: orientations of `Spin::None` first.
    used: u8,
}

impl Default for Placements {
    fn default() -> Self {
        Self::new()
    }
}

impl Placements {
    /// The empty set.
    #[inline]
    pub const fn new() -> Self {
        Self { piece: Piece::I, words: [0; SETS * WIDTH], narrow: true, top: 0, used: 0 }
    }

    /// Makes the set empty.
    #[inline(always)]
    pub(crate) fn clear(&mut self, piece: Piece) {
        self.piece = piece;
        self.used = 0;
    }

    /// Takes the places of a search whose lowest row is `base`.
    #[inline(always)]
    pub(crate) fn take<B: Band, const N: usize, const P: usize>(&mut self, found: &Found<B, N>, base: u32) {
        self.piece = Piece::ALL[P];
        self.narrow = N == 1;
        self.top = (base + ROWS * N as u32 - 1) as i8;
        self.used = 0;
        for r in 0..shapes(P) {
            self.push(found.none[r]);
        }
        if let Some([mini, full]) = found.spins {
            for r in 0..4 {
                self.push(mini[r]);
            }
            for r in 0..4 {
                self.push(full[r]);
            }
        }
    }

    #[inline(always)]
    fn push<B: Band, const N: usize>(&mut self, field: Field<B, N>) {
        let at = usize::from(self.used);
        self.used += 1;
        if N == 1 {
            self.words[3 * at..3 * at + 3].copy_from_slice(&field.0[0].words());
            return;
        }
        let columns = &mut self.words[WIDTH * at..WIDTH * at + WIDTH];
        columns.fill(0);
        for band in field.0 {
            for (x, column) in columns.iter_mut().enumerate() {
                *column = *column << ROWS | band.words()[x / 4] >> (x % 4 * 16) & 0xFFFF;
            }
        }
    }

    /// The words in use.
    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.words[..usize::from(self.used) * if self.narrow { 3 } else { WIDTH }]
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Each of them once, in the order of the type.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        let word = self.words().first().copied().unwrap_or(0);
        Iter { set: self, word, at: 0, left: self.len() }
    }

    /// The placement of one bit of one word.
    #[inline(always)]
    fn placement(&self, word: usize, bit: u32) -> Placement {
        let (set, x, below) = if self.narrow {
            (word / 3, (word % 3 * 4) as u32 + bit / ROWS, bit % ROWS)
        } else {
            (word / WIDTH, (word % WIDTH) as u32, bit)
        };
        // Pieces of fewer shapes have no spins, so sets count by four.
        let spin = [Spin::None, Spin::Mini, Spin::Full][set / 4 % 3];
        let orientation = Orientation::ALL[set & 3];
        Placement {
            at: Location { piece: self.piece, orientation, x: x as i8, y: self.top - below as i8 },
            spin,
        }
    }
}

impl<'a> IntoIterator for &'a Placements {
    type Item = Placement;
    type IntoIter = Iter<'a>;

    #[inline]
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The iterator of [`Placements::iter`].
#[derive(Clone)]
pub struct Iter<'a> {
    set: &'a Placements,
    /// What is left of the word at `at`.
    word: u64,
    at: usize,
    left: usize,
}

impl Iterator for Iter<'_> {
    type Item = Placement;

    #[inline]
    fn next(&mut self) -> Option<Placement> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        while self.word == 0 {
            self.at += 1;
            self.word = self.set.words[self.at];
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(self.set.placement(self.at, bit))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
    #[inline]
    fn fold<A, F: FnMut(A, Placement) -> A>(self, first: A, mut f: F) -> A {
        let mut folded = first;
        let mut word = self.word;
        for at in self.at..self.set.words().len() {
            if at != self.at {
                word = self.set.words[at];
            }
            while word != 0 {
                folded = f(folded, self.set.placement(at, word.trailing_zeros()));
                word &= word - 1;
            }
        }
        folded
    }
}
impl ExactSizeIterator for Iter<'_> {}
impl FusedIterator for Iter<'_> {}
