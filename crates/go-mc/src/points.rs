//! [`Point`], and [`Points`]: a set of points as bits.

use bitcore::{Isa, Level, Rng, SetBits, dispatch};
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

/// The largest width and height of a board.
pub const MAX_SIDE: usize = 19;

/// 19 rows of 20 bits are 380 bits.
const MAX_WORDS: usize = 6;

/// The words of a set of points, whatever the size of its board.
pub(crate) type Words = [u64; MAX_WORDS];

/// An intersection: `x` columns from the left, `y` rows from the bottom, both from 0. `A1` is (0, 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Columns from the left.
    pub x: u8,
    /// Rows from the bottom.
    pub y: u8,
}

/// One statement for each word in use, `I` its number. No loop: by thousands, loops of a few words were most of the time
/// that the crate took to compile.
macro_rules! each_word {
    (|$i:ident| $statement:expr) => { each_word!(@ |$i| $statement; 0 1 2 3 4 5) };
    (@ |$i:ident| $statement:expr; $($n:literal)*) => {
        $(if const { Self::WORDS > $n } {
            const $i: usize = $n;
            $statement;
        })*
    };
}

/// The set whose words the expression gives.
macro_rules! map_words {
    (|$i:ident| $word:expr) => {{
        let mut set = Self::EMPTY;
        each_word!(|$i| set.0[$i] = $word);
        set
    }};
}

/// A set of points of the `N` x `N` board; `Points<19>` also holds the points of every smaller one.
///
/// Point (x, y) is bit `y * (N + 1) + x`, its *index*: one unused bit after each row, so that a shift of the whole
/// set moves every point and whatever leaves the board lands where [`FULL`](Self::FULL) is zero. Indices ascend in
/// *point order*: row by row from the bottom, each from the left.
///
/// ```
/// use go_mc::Points;
/// let corner = Points::<9>::from_index(0);
/// assert_eq!(corner.neighbors().iter().collect::<Vec<_>>(), [1, 10]);
/// assert_eq!((!corner).len(), 80);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points<const N: usize>([u64; MAX_WORDS]);

impl<const N: usize> Points<N> {
    /// The index of the point above, less that of the point itself.
    pub const STRIDE: usize = N + 1;
    /// Every index is below this.
    pub(crate) const INDEX_END: usize = N * Self::STRIDE;
    /// Words in use; the others stay zero.
    const WORDS: usize = {
        assert!(0 < N && N <= MAX_SIDE, "boards are 1 to 19 points wide");
        Self::INDEX_END.div_ceil(64)
    };

    /// No point.
    pub const EMPTY: Self = Self([0; MAX_WORDS]);
    /// Every point of the board.
    pub const FULL: Self = Self::rectangle(N, N);
    /// The points of the first line.
    pub const EDGE: Self = {
        let (mut edge, full, mut i) = (Self::EMPTY, Self::FULL, 0);
        while i < Self::INDEX_END {
            let (x, y) = (i % Self::STRIDE, i / Self::STRIDE);
            if full.contains(i) && (x == 0 || y == 0 || x == N - 1 || y == N - 1) {
                edge.0[i / 64] |= 1 << (i % 64);
            }
            i += 1;
        }
        edge
    };

    /// The points with `x < width` and `y < height`; both are at most `N`.
    pub(crate) const fn rectangle(width: usize, height: usize) -> Self {
        let (mut set, mut i) = (Self::EMPTY, 0);
        while i < height * Self::STRIDE {
            if i % Self::STRIDE < width {
                set.0[i / 64] |= 1 << (i % 64);
            }
            i += 1;
        }
        set
    }

    /// The index of a point; none off the board.
    pub const fn index(point: Point) -> Option<usize> {
        let (x, y) = (point.x as usize, point.y as usize);
        if x < N && y < N { Some(y * Self::STRIDE + x) } else { None }
    }

    /// The point of an index.
    pub const fn point(index: usize) -> Point {
        Point { x: (index % Self::STRIDE) as u8, y: (index / Self::STRIDE) as u8 }
    }

    /// The set of one index.
    #[inline(always)]
    pub fn from_index(index: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(index);
        set
    }

    /// Whether the set has this index. False for every number that is no index.
    #[inline(always)]
    pub const fn contains(&self, index: usize) -> bool {
        index / 64 < MAX_WORDS && self.0[index / 64] >> (index % 64) & 1 != 0
    }

    /// Adds an index of the board.
    #[inline(always)]
    pub fn insert(&mut self, index: usize) {
        debug_assert!(Self::FULL.contains(index), "no index of the board");
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Takes an index out.
    #[inline(always)]
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// The words.
    #[inline(always)]
    #[cfg(feature = "std")]
    pub(crate) const fn words(self) -> Words {
        self.0
    }

    /// The number of points.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        let mut len = 0;
        each_word!(|I| len += self.0[I].count_ones());
        len
    }

    /// Whether no point is in the set.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        let mut any = 0;
        each_word!(|I| any |= self.0[I]);
        any == 0
    }

    /// Whether exactly one point is in the set.
    #[inline(always)]
    pub fn is_single(&self) -> bool {
        // Without counting, for which the baseline has no instruction: no word has two bits, and one word has one.
        let (mut several, mut words) = (0, 0);
        each_word!(|I| {
            several |= self.0[I] & self.0[I].wrapping_sub(1);
            words += u32::from(self.0[I] != 0);
        });
        several == 0 && words == 1
    }

    /// The index of the `k`-th point, counted from 0 in point order; none if the set has at most `k` points.
    pub fn select(&self, k: u32) -> Option<usize> {
        self.select_on(Level::detect(), k)
    }

    /// [`select`](Self::select) on a level.
    pub fn select_on(&self, level: Level, k: u32) -> Option<usize> {
        select_on(level, &self.0, k)
    }

    /// [`select`](Self::select) in a kernel.
    #[inline(always)]
    pub(crate) fn select_with<S: Isa>(&self, isa: S, k: u32) -> Option<usize> {
        select(isa, &self.0, k)
    }

    /// One of the points, each alike, by one `rng.below` the number of points; none, and no draw, of an empty set.
    pub(crate) fn choose_random_on(&self, level: Level, rng: &mut Rng) -> Option<usize> {
        choose_random_on(level, &self.0, rng)
    }

    /// The indices, in point order.
    #[inline(always)]
    pub fn iter(&self) -> Iter {
        Iter::new(self.0)
    }

    /// The indices above, below, left and right of `index`; some may be no index of the board.
    #[inline(always)]
    pub(crate) fn neighbor_indices(index: usize) -> [usize; 4] {
        [index.wrapping_sub(Self::STRIDE), index.wrapping_sub(1), index + 1, index + Self::STRIDE]
    }

    /// All points that have a neighbor in the set.
    #[inline(always)]
    #[must_use]
    pub fn neighbors(self) -> Self {
        (self.shl(1) | self.shr(1) | self.shl(Self::STRIDE) | self.shr(Self::STRIDE)) & Self::FULL
    }

    /// All points that have a diagonal neighbor in the set.
    #[inline(always)]
    #[must_use]
    pub fn diagonals(self) -> Self {
        let [a, b, c, d] = self.diagonal_shifts();
        (a | b | c | d) & Self::FULL
    }

    /// The set moved by one step along each diagonal. What leaves the board lands beside it.
    #[inline(always)]
    pub(crate) fn diagonal_shifts(self) -> [Self; 4] {
        let (near, far) = (Self::STRIDE - 1, Self::STRIDE + 1);
        [self.shl(near), self.shl(far), self.shr(near), self.shr(far)]
    }

    /// The set moved by one step up, down, left and right. What leaves the board lands beside it.
    #[inline(always)]
    pub(crate) fn orthogonal_shifts(self) -> [Self; 4] {
        [self.shl(Self::STRIDE), self.shr(Self::STRIDE), self.shr(1), self.shl(1)]
    }

    /// One round of a flood inside `within`, of which the set is a part: along the rows as far as it goes to the right and
    /// by one to the left, then by one along the columns.
    #[inline(always)]
    #[allow(unused_assignments, reason = "the last word's carry goes nowhere")]
    pub(crate) fn flood_step(self, within: Self) -> Self {
        // A carry runs up a row's members of `within` from the first point on.
        let (left, mut carry) = (self.shr(1), false);
        let rows = map_words!(|I| {
            let (sum, first) = self.0[I].overflowing_add(within.0[I]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            self.0[I] | (within.0[I] & (!sum | left.0[I]))
        });
        rows | (within & (rows.shl(Self::STRIDE) | rows.shr(Self::STRIDE)))
    }

    /// All points of `within` that can be reached from the set by steps inside `within`.
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

    /// Every bit `n` places up, `n` in 1..=20.
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

    /// Every bit `n` places down, `n` in 1..=20.
    #[inline(always)]
    #[allow(clippy::out_of_bounds_indexing, reason = "the last word asks for no other")]
    fn shr(self, n: usize) -> Self {
        // The words beyond those in use are zero.
        map_words!(|I| {
            let above = if I + 1 < MAX_WORDS { self.0[I + 1] } else { 0 };
            self.0[I] >> n | above << (64 - n)
        })
    }
}

impl<const N: usize> Points<N> {
    /// The same points on a board of another size, without those that it doesn't have.
    pub(crate) fn resized<const M: usize>(self) -> Points<M> {
        self.iter().filter_map(|index| Points::<M>::index(Self::point(index))).collect()
    }
}

impl<const N: usize> Points<N> {
    /// A row, its first point the lowest bit.
    #[inline(always)]
    pub(crate) const fn row(&self, y: usize) -> u64 {
        let (word, bit) = (y * Self::STRIDE / 64, y * Self::STRIDE % 64);
        let above = if bit + N > 64 { self.0[word + 1] << (64 - bit) } else { 0 };
        (self.0[word] >> bit | above) & ((1 << N) - 1)
    }

    /// The points before, at and after an index, as bits; none for what is no index.
    #[inline(always)]
    #[cfg(feature = "std")]
    pub(crate) fn row_triple(&self, index: usize) -> usize {
        if index >= Self::INDEX_END {
            return 0;
        }
        let (word, bit) = (index / 64, index % 64);
        let low = if bit > 0 {
            self.0[word] >> (bit - 1)
        } else {
            let before = if word > 0 { self.0[word - 1] >> 63 } else { 0 };
            self.0[word] << 1 | before
        };
        let high = if bit == 63 && word + 1 < MAX_WORDS { self.0[word + 1] << 2 } else { 0 };
        ((low | high) & 7) as usize
    }

    /// Adds the points of a row.
    #[inline(always)]
    pub(crate) const fn insert_row(&mut self, y: usize, row: u64) {
        let (word, bit) = (y * Self::STRIDE / 64, y * Self::STRIDE % 64);
        self.0[word] |= row << bit;
        if bit + N > 64 {
            self.0[word + 1] |= row >> (64 - bit);
        }
    }
}

impl Points<9> {
    /// Three rows a word.
    #[inline(always)]
    pub(crate) const fn packed_rows(self) -> [u32; 3] {
        const ROWS: u64 = (1 << 30) - 1;
        let [low, high, ..] = self.0;
        [(low & ROWS) as u32, (low >> 30 & ROWS) as u32, (low >> 60 | high << 4) as u32]
    }

    /// The inverse of [`packed_rows`](Self::packed_rows).
    #[inline(always)]
    pub(crate) const fn from_packed_rows(words: [u32; 3]) -> Self {
        let [a, b, c] = [words[0] as u64, words[1] as u64, words[2] as u64];
        let mut set = Self::EMPTY;
        (set.0[0], set.0[1]) = (a | b << 30 | c << 60, c >> 4);
        set
    }
}

fn select_on(level: Level, words: &Words, k: u32) -> Option<usize> {
    dispatch!(level, isa [words, k] => select(isa, words, k))
}

fn choose_random_on(level: Level, words: &Words, rng: &mut Rng) -> Option<usize> {
    dispatch!(level, isa [words, rng] => choose_random(isa, words, rng))
}

/// The position of the `k`-th one of some words. Words beyond those in use are zero.
#[inline(always)]
fn select<S: Isa>(isa: S, words: &Words, mut k: u32) -> Option<usize> {
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
fn choose_random<S: Isa>(isa: S, words: &Words, rng: &mut Rng) -> Option<usize> {
    let mut count = 0;
    for word in words {
        count += word.count_ones();
    }
    if count > 0 { select(isa, words, rng.below(count)) } else { None }
}

impl<const N: usize> Default for Points<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> BitAnd for Points<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        map_words!(|I| self.0[I] & other.0[I])
    }
}
impl<const N: usize> BitOr for Points<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        map_words!(|I| self.0[I] | other.0[I])
    }
}
/// The difference of two sets.
impl<const N: usize> Sub for Points<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        map_words!(|I| self.0[I] & !other.0[I])
    }
}
/// All other points of the board.
impl<const N: usize> Not for Points<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::FULL - self
    }
}
impl<const N: usize> BitAndAssign for Points<N> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}
impl<const N: usize> BitOrAssign for Points<N> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
impl<const N: usize> SubAssign for Points<N> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const N: usize> IntoIterator for &Points<N> {
    type Item = usize;
    type IntoIter = Iter;
    #[inline(always)]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl<const N: usize> IntoIterator for Points<N> {
    type Item = usize;
    type IntoIter = Iter;
    #[inline(always)]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl<const N: usize> FromIterator<usize> for Points<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut set = Self::EMPTY;
        indices.into_iter().for_each(|index| set.insert(index));
        set
    }
}

/// The indices of a set, in point order: what [`Points::iter`] gives.
#[derive(Clone, Debug)]
pub struct Iter {
    words: Words,
    word: usize,
}

impl Iter {
    /// The indices in some words.
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
