//! [`Placements`]: an allocation-free set of placements.

use super::bitboard::{Bitboard, RowBlock};
use super::path::{is_immobile, path};
use super::search::{Maps, ReachableSet};
use crate::board::{Board, HEIGHT, WIDTH};
use crate::location::Location;
use crate::movegen::sink::Sink;
use crate::piece::{Orientation, Piece};
use crate::placement::{MoveRules, Placement, Spin, SpinMode};
use bitcore::{Isa, dispatch};
use core::iter::FusedIterator;

/// The maximum number of maps in a set: four orientations for each of three kinds of spin.
const MAX_MAPS: usize = 4 * 3;

/// A set of reachable placements of one piece, each a [canonical](Location::canonical) location and
/// a kind of spin. The set is a plain value of fixed size; reuse it by [filling](Self::fill) it
/// again.
///
/// Placements are sorted by kind of spin, then by orientation, then by column from the left, then
/// from the top down. The order is the same on every machine.
///
/// ```
/// use tetris::{Board, Piece, movegen::{SpinMode, Placements}};
/// let mut placements = Placements::new();
/// placements.fill(&Board::EMPTY, Piece::S, SpinMode::Ignore);
/// assert_eq!((placements.len(), placements.iter().len()), (17, 17));
/// assert!(placements.iter().all(|placement| placement.at.y == 0 || placement.at.y == 1));
/// ```
#[derive(Clone)]
pub struct Placements {
    piece: Piece,
    /// The used maps, one after the other. If `packed`, each has three words of four 16-bit
    /// columns, else one word per column. Bit 0 of each column is the row `top`.
    words: [u64; MAX_MAPS * WIDTH],
    packed: bool,
    top: i8,
    /// The number of maps: first the orientations of `Spin::None`, then of `Mini`, then of `Full`.
    map_count: u8,
}

impl Default for Placements {
    fn default() -> Self {
        Self::new()
    }
}

impl Sink for Placements {
    const INLINE_SEARCH: bool = cfg!(not(any(unoptimized, target_arch = "wasm32")));
    type Outcome = Maps;

    #[inline(always)]
    fn receive_none(&mut self, piece: Piece) {
        self.piece = piece;
        self.map_count = 0;
    }
    #[inline(always)]
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        spin_mode: SpinMode,
        reachable: &ReachableSet<B, N>,
        base: u32,
    ) {
        self.piece = piece;
        self.packed = Bitboard::<B, N>::PACKED;
        self.top = (base + Bitboard::<B, N>::ROWS - 1) as i8;
        let map_count = reachable.for_each(
            piece,
            spin_mode,
            #[inline(always)]
            |number, map| self.store_map(number, map),
        );
        self.map_count = map_count as u8;
    }
}

impl Placements {
    /// Returns the empty set.
    #[inline]
    pub const fn new() -> Self {
        Self { piece: Piece::I, words: [0; MAX_MAPS * WIDTH], packed: true, top: 0, map_count: 0 }
    }

    /// Replaces the contents with all reachable placements of a piece, with minis of all pieces.
    ///
    /// An immobile piece came to its place by a rotation, since a move could be undone: it is a
    /// mini. Only at its spawn it is without a spin, too, until it rotates.
    pub(super) fn fill_with_all_minis(&mut self, board: &Board, piece: Piece, rules: MoveRules) {
        let found = Self::of(board, piece, MoveRules { spin_mode: SpinMode::TSpins, ..rules });
        let spawn = board.spawn(piece, rules);
        *self = Self { piece, packed: false, top: HEIGHT as i8 - 1, map_count: 12, ..Self::new() };
        let mut add = |Placement { at, spin }: Placement| {
            let map = 4 * spin as usize + at.orientation as usize;
            self.words[WIDTH * map + at.x as usize] |= 1 << (HEIGHT as i8 - 1 - at.y);
        };
        for placement in &found {
            let mini = Placement { spin: Spin::Mini, ..placement };
            if placement.spin != Spin::None || !is_immobile(board, placement.at) {
                add(placement);
            } else if spawn != Some(placement.at) {
                add(mini);
            } else {
                add(placement);
                if path(board, mini, rules).is_some() {
                    add(mini);
                }
            }
        }
    }

    #[inline(always)]
    fn store_map<B: RowBlock, const N: usize>(&mut self, number: usize, field: &Bitboard<B, N>) {
        if const { Bitboard::<B, N>::PACKED || Bitboard::<B, N>::ROWS == 64 } {
            let words = field.0[0].words();
            let words = words.as_ref();
            self.words[words.len() * number..][..words.len()].copy_from_slice(words);
            return;
        }
        for (x, column) in self.words[WIDTH * number..][..WIDTH].iter_mut().enumerate() {
            *column = field.column(x);
        }
    }

    /// Returns `true` for words of four columns of sixteen rows, `false` for one column a word.
    #[inline(always)]
    pub(crate) fn is_packed(&self) -> bool {
        self.packed
    }

    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words[..usize::from(self.map_count) * if self.packed { 3 } else { WIDTH }]
    }

    /// Returns the number of placements.
    #[inline]
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns `true` if there is no placement.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Iterates over the placements in order.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        let word = self.words().first().copied().unwrap_or(0);
        Iter { set: self, word, at: 0, origin: self.origin() }
    }

    /// Returns the `k`-th placement in order, counted from 0, or `None` if there are fewer.
    ///
    /// ```
    /// use tetris::{Board, Piece, movegen::{SpinMode, Placements}};
    /// let placements = Placements::of(&Board::EMPTY, Piece::L, SpinMode::Ignore);
    /// assert!((0..35).all(|k| placements.get(k) == placements.iter().nth(k as usize)));
    /// ```
    pub fn get(&self, k: u32) -> Option<Placement> {
        dispatch!(isa + slow_pext [placements = self, k] => placements.get_with(isa, k))
    }

    #[inline(always)]
    pub(crate) fn get_with<S: Isa>(&self, isa: S, mut k: u32) -> Option<Placement> {
        let mut origin = self.origin();
        for &word in self.words() {
            let count = word.count_ones();
            if k < count {
                return Some(placement(origin, isa.select(word, k), self.packed));
            }
            k -= count;
            self.next_word(&mut origin);
        }
        None
    }

    /// Returns the placement for bit 0 of the first word of a map.
    #[inline(always)]
    pub(crate) fn first(&self, map: usize) -> Placement {
        let spin = [Spin::None, Spin::Mini, Spin::Full][map / 4];
        let at = Location {
            piece: self.piece,
            orientation: Orientation::ALL[map % 4],
            x: 0,
            y: self.top,
        };
        Placement { at, spin }
    }

    /// Returns the placement for bit 0 of the first word.
    #[inline(always)]
    fn origin(&self) -> Placement {
        self.first(0)
    }

    #[inline(always)]
    fn next_word(&self, origin: &mut Placement) {
        origin.at.x += if self.packed { 4 } else { 1 };
        if origin.at.x >= WIDTH as i8 {
            // With spins, each kind of spin has four maps.
            origin.at = Location { orientation: origin.at.orientation.cw(), x: 0, ..origin.at };
            if origin.at.orientation == Orientation::North {
                origin.spin = if origin.spin == Spin::None { Spin::Mini } else { Spin::Full };
            }
        }
    }
}

/// `origin` is the placement for bit 0.
#[inline(always)]
pub(crate) fn placement(origin: Placement, bit: u32, packed: bool) -> Placement {
    let (right, down) = if packed { (bit / 16, bit % 16) } else { (0, bit) };
    let Location { x, y, .. } = origin.at;
    Placement { at: Location { x: x + right as i8, y: y - down as i8, ..origin.at }, ..origin }
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
    /// The remaining bits of the word `at`.
    word: u64,
    at: usize,
    origin: Placement,
}

impl Iterator for Iter<'_> {
    type Item = Placement;

    #[inline]
    fn next(&mut self) -> Option<Placement> {
        while self.word == 0 {
            self.word = *self.set.words().get(self.at + 1)?;
            self.at += 1;
            self.set.next_word(&mut self.origin);
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(placement(self.origin, bit, self.set.packed))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let later = self.set.words().get(self.at + 1..).unwrap_or_default();
        let left = self.word.count_ones() + later.iter().map(|word| word.count_ones()).sum::<u32>();
        (left as usize, Some(left as usize))
    }
    /// Folds word by word, faster than calling `next`.
    #[inline]
    fn fold<A, F: FnMut(A, Placement) -> A>(self, start: A, mut f: F) -> A {
        let mut folded = start;
        let packed = self.set.packed;
        let mut word = self.word;
        let mut origin = self.origin;
        let words = self.set.words();
        let mut at = self.at;
        loop {
            while word != 0 {
                folded = f(folded, placement(origin, word.trailing_zeros(), packed));
                word &= word - 1;
            }
            at += 1;
            let Some(&next) = words.get(at) else { return folded };
            word = next;
            self.set.next_word(&mut origin);
        }
    }
}
impl ExactSizeIterator for Iter<'_> {}
impl FusedIterator for Iter<'_> {}
