//! [`Point`], an intersection, and [`Points`], a set of points as bits.
//!
//! ```text
//! bit of each point in `Points<9>`: y * 10 + x; the tenth bit of each row is a gap
//!
//!           x = 0   1   2   3  ..   8  gap
//!     y = 8    80  81  82  83  ..  88  89
//!     y = 7    70  71  72  73  ..  78  79       word 0: bits 0..64, the points up to (3, 6)
//!     y = 6    60  61  62  63  ..  68  69       word 1: bits 64..128, the others
//!     ..
//!     y = 1    10  11  12  13  ..  18  19
//!     y = 0     0   1   2   3  ..   8   9
//! ```
//!
//! Set operations work on 64-bit words. Shifting the whole set by 1 or by the stride moves every
//! point to a neighbor; points that leave the board land in a gap or beyond the last row, where
//! [`Points::FULL`] is zero. So
//!
//! ```text
//! neighbors(s) = (s << 1 | s >> 1 | s << stride | s >> stride) & FULL
//! ```
//!
//! and the k-th point of a set ([`Points::select`]) is the k-th set bit of its words: population
//! counts find the word, and one `select` finds the bit in it (PDEP and a trailing-zero count if
//! the CPU has them, [arXiv:1706.00990](https://arxiv.org/abs/1706.00990)).

use bitcore::{Isa, Rng, SetBits, dispatch};
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

pub(crate) const MAX_SIDE: usize = 19;

/// The words needed for 19 rows of 20 bits, 380 bits.
pub(crate) const MAX_WORDS: usize = 6;

/// The words of a set of points; their number is the same for every board size.
pub(crate) type Words = [u64; MAX_WORDS];

/// An intersection of the board: column `x` from the left and row `y` from the bottom, both from 0.
/// `A1` is (0, 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The column, from the left.
    pub x: u8,
    /// The row, from the bottom.
    pub y: u8,
}

/// Repeats a statement for each word in use, with `I` as its number. Unrolled by a macro because
/// loops over a few words, instantiated by the thousand, dominate the crate's compile time.
macro_rules! each_word {
    (|$i:ident| $statement:expr) => { each_word!(@ |$i| $statement; 0 1 2 3 4 5) };
    (@ |$i:ident| $statement:expr; $($n:literal)*) => {
        $(if const { Self::WORDS > $n } {
            const $i: usize = $n;
            $statement;
        })*
    };
}

/// Builds a set from an expression for word `I`.
macro_rules! map_words {
    (|$i:ident| $word:expr) => {{
        let mut set = Self::EMPTY;
        each_word!(|$i| set.0[$i] = $word);
        set
    }};
}

/// A set of points of the `N` x `N` board. `Points<19>` can also represent the points of any
/// smaller board.
///
/// Point (x, y) is bit `y * (N + 1) + x`, its *index*: row-major with one unused bit after each
/// row. A shift of the whole set therefore moves every point, and points that leave the board land
/// where [`FULL`](Self::FULL) is zero. *Point order* is the order of indices: row by row from the
/// bottom, each row from the left.
///
/// The set takes `W` words of memory. Six are enough for every size; where many sets are stored,
/// `Points<9, 2>` takes a third.
///
/// ```
/// use go_mc::Points;
/// let corner = Points::<9>::from_index(0);
/// assert_eq!(corner.neighbors().iter().collect::<Vec<_>>(), [1, 10]);
/// assert_eq!((!corner).len(), 80);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points<const N: usize, const W: usize = MAX_WORDS>([u64; W]);

impl<const N: usize, const W: usize> Points<N, W> {
    /// The difference between the index of a point and the index of the point above it.
    pub const STRIDE: usize = N + 1;
    pub(crate) const INDEX_END: usize = N * Self::STRIDE;
    /// The number of words in use; the others are always zero.
    const WORDS: usize = {
        assert!(0 < N && N <= MAX_SIDE, "boards are 1 to 19 points wide");
        Self::INDEX_END.div_ceil(64)
    };

    /// The empty set.
    ///
    /// ```compile_fail
    /// go_mc::Points::<20>::EMPTY; // boards are 1 to 19 points wide
    /// ```
    pub const EMPTY: Self = {
        assert!(Self::WORDS <= W);
        Self([0; W])
    };
    /// The set of every point of the board.
    pub const FULL: Self = Self::rectangle(N, N);
    /// The set of the points on the edge of the board.
    pub const EDGE: Self = {
        let mut edge = Self::EMPTY;
        let full = Self::FULL;
        let mut i = 0;
        while i < Self::INDEX_END {
            let x = i % Self::STRIDE;
            let y = i / Self::STRIDE;
            if full.contains(i) && (x == 0 || y == 0 || x == N - 1 || y == N - 1) {
                edge.0[i / 64] |= 1 << (i % 64);
            }
            i += 1;
        }
        edge
    };

    /// Returns the points with `x < width` and `y < height`; both are at most `N`.
    pub(crate) const fn rectangle(width: usize, height: usize) -> Self {
        let mut set = Self::EMPTY;
        let mut i = 0;
        while i < height * Self::STRIDE {
            if i % Self::STRIDE < width {
                set.0[i / 64] |= 1 << (i % 64);
            }
            i += 1;
        }
        set
    }

    /// Returns the points of both sets, as a constant function.
    #[inline]
    pub(crate) const fn and(&self, other: &Self) -> Self {
        let mut both = Self::EMPTY;
        let mut i = 0;
        while i < W {
            both.0[i] = self.0[i] & other.0[i];
            i += 1;
        }
        both
    }

    /// Returns the index of a point; `None` if it is off the board.
    pub const fn index(point: Point) -> Option<usize> {
        let x = point.x as usize;
        let y = point.y as usize;
        if x < N && y < N { Some(y * Self::STRIDE + x) } else { None }
    }

    /// Returns the point at an index.
    ///
    /// # Panics
    ///
    /// If the number is not an index of the board.
    pub const fn point(index: usize) -> Point {
        assert!(Self::FULL.contains(index), "not an index of the board");
        Point { x: (index % Self::STRIDE) as u8, y: (index / Self::STRIDE) as u8 }
    }

    /// Returns the set of one index.
    ///
    /// # Panics
    ///
    /// If the number is not an index of the board.
    #[inline(always)]
    pub fn from_index(index: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(index);
        set
    }

    /// Like [`from_index`](Self::from_index), for kernels: the index is known to be on the board.
    #[inline(always)]
    pub(crate) fn bit(index: usize) -> Self {
        debug_assert!(Self::FULL.contains(index), "not an index of the board");
        // Word by word, in registers: a load of several words right after a store of one waits for
        // it.
        map_words!(|I| u64::from(index / 64 == I) << (index % 64))
    }

    /// Returns whether the set contains an index; `false` for a number that is not an index.
    #[inline(always)]
    pub const fn contains(&self, index: usize) -> bool {
        index / 64 < W && self.0[index / 64] >> (index % 64) & 1 != 0
    }

    /// Adds an index.
    ///
    /// # Panics
    ///
    /// If the number is not an index of the board.
    #[inline(always)]
    pub fn insert(&mut self, index: usize) {
        assert!(Self::FULL.contains(index), "not an index of the board");
        self.set_bit(index);
    }

    /// Like [`insert`](Self::insert), for kernels: the index is known to be on the board.
    #[inline(always)]
    pub(crate) fn set_bit(&mut self, index: usize) {
        debug_assert!(Self::FULL.contains(index), "not an index of the board");
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Removes an index; does nothing for a number that is not an index.
    #[inline(always)]
    pub fn remove(&mut self, index: usize) {
        if let Some(word) = self.0.get_mut(index / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    /// Like [`remove`](Self::remove), for kernels: the index is known to be on the board.
    #[inline(always)]
    pub(crate) fn clear_bit(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// Returns the words, padded with zeros.
    #[inline(always)]
    pub(crate) fn words(self) -> Words {
        self.with_words().0
    }

    /// Returns the same set in `V` words, enough for the board.
    #[inline(always)]
    pub(crate) fn with_words<const V: usize>(self) -> Points<N, V> {
        let mut set = Points::EMPTY;
        each_word!(|I| set.0[I] = self.0[I]);
        set
    }

    #[inline(always)]
    pub(crate) const fn as_words(&self) -> &[u64; W] {
        &self.0
    }

    /// Returns the number of points.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        let mut len = 0;
        each_word!(|I| len += self.0[I].count_ones());
        len
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        let mut any = 0;
        each_word!(|I| any |= self.0[I]);
        any == 0
    }

    /// Returns whether the set has exactly one point.
    #[inline(always)]
    pub fn is_single(&self) -> bool {
        // Avoids the population count, which the baseline instruction set lacks: no word has two
        // bits, and exactly one word has one.
        let mut several = 0;
        let mut words = 0;
        each_word!(|I| {
            several |= self.0[I] & self.0[I].wrapping_sub(1);
            words += u32::from(self.0[I] != 0);
        });
        several == 0 && words == 1
    }

    /// Returns whether the set has two points or more.
    #[inline(always)]
    pub(crate) fn is_several(&self) -> bool {
        !(*self - self.first()).is_empty()
    }

    /// Returns the set of the first point in point order; empty if the set is empty.
    #[inline(always)]
    #[allow(unused_assignments, reason = "nothing follows the last word")]
    pub(crate) fn first(&self) -> Self {
        let mut before = 0;
        map_words!(|I| {
            let first = self.0[I] & self.0[I].wrapping_neg();
            let found = if before == 0 { first } else { 0 };
            before |= self.0[I];
            found
        })
    }

    /// Returns the set itself if `keep`, otherwise the empty set, without a branch.
    #[inline(always)]
    pub(crate) fn masked(self, keep: bool) -> Self {
        let mask = u64::from(keep).wrapping_neg();
        map_words!(|I| self.0[I] & mask)
    }

    /// Returns the index of the `k`-th point in point order, counted from 0; `None` if the set has
    /// only `k` points or fewer.
    pub fn select(&self, k: u32) -> Option<usize> {
        select(&self.0, k)
    }

    /// Like [`select`](Self::select), for kernels that already have an ISA token.
    #[inline(always)]
    pub(crate) fn select_with<S: Isa>(&self, isa: S, k: u32) -> Option<usize> {
        select_with(isa, &self.0, k)
    }

    /// Returns the index of a uniformly random point, drawn by one `rng.below(len)`; `None` without
    /// a draw if the set is empty.
    #[cfg(feature = "std")]
    pub(crate) fn choose_random(&self, rng: &mut Rng) -> Option<usize> {
        choose_random(&self.0, rng)
    }

    /// Like `choose_random`, for kernels that already have an ISA token.
    #[inline(always)]
    pub(crate) fn choose_random_with<S: Isa>(&self, isa: S, rng: &mut Rng) -> Option<usize> {
        choose_random_with(isa, &self.0, rng)
    }

    /// Removes and returns the first index in point order. Unlike an iterator, the set can stay in
    /// registers.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<usize> {
        each_word!(|I| {
            let mut bits = SetBits(self.0[I]);
            if let Some(bit) = bits.next() {
                self.0[I] = bits.0;
                return Some(64 * I + bit as usize);
            }
        });
        None
    }

    /// Iterates over the indices in point order.
    #[inline(always)]
    pub fn iter(&self) -> Iter {
        Iter::new(self.words())
    }

    /// Returns the indices below, left, right and above; some may be off the board.
    #[inline(always)]
    pub(crate) fn neighbor_indices(index: usize) -> [usize; 4] {
        [index.wrapping_sub(Self::STRIDE), index.wrapping_sub(1), index + 1, index + Self::STRIDE]
    }

    /// Returns all points that have a neighbor in the set.
    #[inline(always)]
    #[must_use]
    pub fn neighbors(self) -> Self {
        (self.shl(1) | self.shr(1) | self.shl(Self::STRIDE) | self.shr(Self::STRIDE)) & Self::FULL
    }

    /// Returns all points that have a diagonal neighbor in the set.
    #[inline(always)]
    #[must_use]
    pub fn diagonals(self) -> Self {
        let [a, b, c, d] = self.diagonal_shifts();
        (a | b | c | d) & Self::FULL
    }

    /// Returns the set moved by one along each diagonal. Bits that leave the board are kept.
    #[inline(always)]
    pub(crate) fn diagonal_shifts(self) -> [Self; 4] {
        let near = Self::STRIDE - 1;
        let far = Self::STRIDE + 1;
        [self.shl(near), self.shl(far), self.shr(near), self.shr(far)]
    }

    /// Returns the set moved by one up, down, left and right. Bits that leave the board are kept.
    #[inline(always)]
    pub(crate) fn orthogonal_shifts(self) -> [Self; 4] {
        [self.shl(Self::STRIDE), self.shr(Self::STRIDE), self.shr(1), self.shl(1)]
    }

    /// Runs one round of a flood fill inside `within`, a superset of `self`: first along each row,
    /// right to the end of the run of `within` and left by one, then up and down by one from there.
    #[inline(always)]
    #[allow(unused_assignments, reason = "the last word's carry goes nowhere")]
    pub(crate) fn flood_step(self, within: Self) -> Self {
        // Adding the set to `within` carries from each of its points to the right end of its run in
        // `within`.
        let left = self.shr(1);
        let mut carry = false;
        let rows = map_words!(|I| {
            let (sum, first) = self.0[I].overflowing_add(within.0[I]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            self.0[I] | (within.0[I] & (!sum | left.0[I]))
        });
        rows | (within & (rows.shl(Self::STRIDE) | rows.shr(Self::STRIDE)))
    }

    /// Returns all points of `within` connected to the set by paths inside `within`.
    #[inline(always)]
    #[must_use]
    pub fn flood(self, within: Self) -> Self {
        let mut reached = self & within;
        loop {
            let grown = (reached | reached.neighbors()) & within;
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }

    /// Shifts every bit to an index higher by `n`, `n` in 1..=20.
    #[inline(always)]
    #[allow(
        clippy::absurd_extreme_comparisons,
        clippy::unnecessary_min_or_max,
        reason = "the number of the word is a constant: of the first, and of all others"
    )]
    fn shl(self, n: usize) -> Self {
        map_words!(|I| {
            let below = if I > 0 { self.0[I.max(1) - 1] } else { 0 };
            self.0[I] << n | below >> (64 - n)
        })
    }

    /// Shifts every bit to an index lower by `n`, `n` in 1..=20.
    #[inline(always)]
    #[allow(clippy::out_of_bounds_indexing, reason = "the last word asks for no other")]
    fn shr(self, n: usize) -> Self {
        // Words beyond those in use are zero.
        map_words!(|I| {
            let above = if I + 1 < W { self.0[I + 1] } else { 0 };
            self.0[I] >> n | above << (64 - n)
        })
    }
}

impl<const N: usize, const W: usize> Points<N, W> {
    /// Returns the same points on a board of another size, dropping points off that board.
    pub(crate) fn resized<const M: usize>(self) -> Points<M> {
        self.iter().filter_map(|index| Points::<M>::index(Self::point(index))).collect()
    }
}

impl<const N: usize, const W: usize> Points<N, W> {
    /// Returns the points of a row; bit 0 is column 0.
    #[inline(always)]
    pub(crate) const fn row(&self, y: usize) -> u64 {
        let word = y * Self::STRIDE / 64;
        let bit = y * Self::STRIDE % 64;
        let above = if bit + N > 64 { self.0[word + 1] << (64 - bit) } else { 0 };
        (self.0[word] >> bit | above) & ((1 << N) - 1)
    }

    /// Returns the points left of, at and right of an index as bits 0, 1 and 2; zero off the board.
    #[inline(always)]
    #[cfg(feature = "std")]
    pub(crate) fn row_triple(&self, index: usize) -> usize {
        if index >= Self::INDEX_END {
            return 0;
        }
        let word = index / 64;
        let bit = index % 64;
        let low = if bit > 0 {
            self.0[word] >> (bit - 1)
        } else {
            let before = if word > 0 { self.0[word - 1] >> 63 } else { 0 };
            self.0[word] << 1 | before
        };
        let high = if bit == 63 && word + 1 < W { self.0[word + 1] << 2 } else { 0 };
        ((low | high) & 7) as usize
    }

    /// Adds the points of a row; bit 0 is column 0.
    #[inline(always)]
    pub(crate) const fn insert_row(&mut self, y: usize, row: u64) {
        let word = y * Self::STRIDE / 64;
        let bit = y * Self::STRIDE % 64;
        self.0[word] |= row << bit;
        if bit + N > 64 {
            self.0[word + 1] |= row >> (64 - bit);
        }
    }
}

fn select(words: &[u64], k: u32) -> Option<usize> {
    dispatch!(isa + slow_pext [words, k] => select_with(isa, words, k))
}

#[cfg(feature = "std")]
fn choose_random(words: &[u64], rng: &mut Rng) -> Option<usize> {
    dispatch!(isa + slow_pext [words, rng] => choose_random_with(isa, words, rng))
}

/// Returns the position of the `k`-th set bit. Words beyond those in use are zero.
#[inline(always)]
fn select_with<S: Isa>(isa: S, words: &[u64], mut k: u32) -> Option<usize> {
    for (i, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if k < count {
            return Some(64 * i + isa.select(word, k) as usize);
        }
        k -= count;
    }
    None
}

#[inline(always)]
fn choose_random_with<S: Isa>(isa: S, words: &[u64], rng: &mut Rng) -> Option<usize> {
    let mut count = 0;
    for word in words {
        count += word.count_ones();
    }
    if count > 0 { select_with(isa, words, rng.below(count)) } else { None }
}

impl<const N: usize, const W: usize> Default for Points<N, W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize, const W: usize> BitAnd for Points<N, W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        map_words!(|I| self.0[I] & other.0[I])
    }
}
impl<const N: usize, const W: usize> BitOr for Points<N, W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        map_words!(|I| self.0[I] | other.0[I])
    }
}
/// Returns the difference of two sets.
impl<const N: usize, const W: usize> Sub for Points<N, W> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        map_words!(|I| self.0[I] & !other.0[I])
    }
}
/// Returns the complement: all other points of the board.
impl<const N: usize, const W: usize> Not for Points<N, W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::FULL - self
    }
}
impl<const N: usize, const W: usize> BitAndAssign for Points<N, W> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}
impl<const N: usize, const W: usize> BitOrAssign for Points<N, W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
impl<const N: usize, const W: usize> SubAssign for Points<N, W> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const N: usize, const W: usize> IntoIterator for &Points<N, W> {
    type Item = usize;
    type IntoIter = Iter;
    #[inline(always)]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl<const N: usize, const W: usize> IntoIterator for Points<N, W> {
    type Item = usize;
    type IntoIter = Iter;
    #[inline(always)]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

/// Collects indices into a set.
///
/// # Panics
///
/// If a number is not an index of the board.
impl<const N: usize, const W: usize> FromIterator<usize> for Points<N, W> {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut set = Self::EMPTY;
        indices.into_iter().for_each(|index| set.insert(index));
        set
    }
}

/// An iterator over the indices of a set in point order, created by [`Points::iter`].
#[derive(Clone, Debug)]
pub struct Iter {
    words: Words,
    word: usize,
}

impl Iter {
    #[inline(always)]
    pub(crate) const fn new(words: Words) -> Self {
        Self { words, word: 0 }
    }
}

impl Iterator for Iter {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while let Some(word) = self.words.get_mut(self.word) {
            let mut bits = SetBits(*word);
            if let Some(bit) = bits.next() {
                *word = bits.0;
                return Some(64 * self.word + bit as usize);
            }
            self.word += 1;
        }
        None
    }
}
impl FusedIterator for Iter {}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::Points;

    #[cfg(panic = "unwind")]
    #[test]
    fn numbers_that_are_no_index_are_in_no_set() {
        let all = Points::<9>::FULL;
        for index in (0..400).chain([5120, usize::MAX]).filter(|&index| !all.contains(index)) {
            let calls: [fn(usize); 4] = [
                |index| Points::<9>::default().insert(index),
                |index| _ = Points::<9>::from_index(index),
                |index| _ = [index].into_iter().collect::<Points<9>>(),
                |index| _ = Points::<9>::point(index),
            ];
            for call in calls {
                let panic = std::panic::catch_unwind(|| call(index)).expect_err("no index");
                assert_eq!(panic.downcast_ref(), Some(&"not an index of the board"), "{index}");
            }
            let mut set = all;
            set.remove(index);
            assert_eq!(set, all);
        }
    }

    #[test]
    fn three_points_of_a_row_across_words() {
        let chosen = |index: &usize| index.is_multiple_of(3) || index % 7 == 2;
        let points: Points<19> = Points::<19>::FULL.iter().filter(chosen).collect();
        let bit = |index: usize| usize::from(points.contains(index));
        for index in 0..Points::<19>::INDEX_END {
            let left = index.checked_sub(1).map_or(0, bit);
            let expected = left | bit(index) << 1 | bit(index + 1) << 2;
            assert_eq!(points.row_triple(index), expected, "{index}");
        }
        assert_eq!(points.row_triple(Points::<19>::INDEX_END), 0);
    }
}
