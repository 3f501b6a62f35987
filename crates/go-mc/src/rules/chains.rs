//! [`Chains`]: a position with incrementally updated sets of the stones and liberties of each chain.
//!
//! ```text
//! stones[color]         all stones of a color                          Points
//! atari[color]          its stones in chains with exactly one liberty  Points
//! slot[point]           the slot of the chain of a stone
//! table[slot]           { stones, liberties } of a chain               Points, Points
//!
//! play(color, p):
//!     for each enemy neighbor chain: liberties -= p
//!         none left: remove its stones;  one left: atari[enemy] += its stones
//!     join p with the own neighbor chains:  stones and liberties are united, the smaller chain is relabeled
//!     captured points become liberties of the own chains around them
//!     no liberty: suicide, remove the own chain
//!     ko = the captured point, if one stone was captured by a lone stone that now has one liberty
//! ```
//!
//! A policy reads whole sets instead of single points. For a light playout without suicide, with
//! `N(s)` the neighbors of a set:
//!
//! ```text
//! playable = empty & N(empty | atari[enemy] | (stones[own] - atari[own])) - real eyes of the own color - ko
//! ```
//!
//! and [`Points::select`] of a random k is the move.

use crate::rules::board::Color;
use crate::rules::points::{MAX_WORDS, Points};
use crate::rules::position::Position;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::SetBits;

#[derive(Clone, Copy, Debug)]
struct Chain<const N: usize, const W: usize> {
    stones: Points<N, W>,
    liberties: Points<N, W>,
}

impl<const N: usize, const W: usize> Chain<N, W> {
    #[inline(always)]
    fn join(&mut self, other: Self) {
        self.stones |= other.stones;
        self.liberties |= other.liberties;
    }
}

/// The stones of an `N` x `N` board, their chains and liberties, the stones in atari, and the ko
/// point.
///
/// The sets take `W` words each, like those of [`Points`].
///
/// [`play`](Self::play) does not check legality and allows every suicide; use
/// [`Board`](crate::Board) for the exact rules. A playout's [`Policy`](crate::Policy) reads whole
/// sets instead of querying single points.
///
/// ```
/// use go_mc::{Chains, Color};
/// let mut chains = Chains::<5>::new();
/// chains.play(Color::White, 0);
/// chains.play(Color::Black, 1);
/// assert!(chains.atari(Color::White).contains(0));
/// chains.play(Color::Black, 6); // takes the corner
/// assert_eq!(chains.empty().len(), 23);
/// ```
#[derive(Clone, Debug)]
pub struct Chains<const N: usize, const W: usize = MAX_WORDS> {
    stones: [Points<N, W>; 2],
    atari: [Points<N, W>; 2],
    ko: Points<N, W>,
    /// For each stone, the slot of its chain in `table`: the index of one of the chain's stones.
    slot: Vec<u16>,
    table: Vec<Chain<N, W>>,
}

impl<const N: usize, const W: usize> Chains<N, W> {
    /// Creates the empty board.
    pub fn new() -> Self {
        Self {
            stones: [Points::EMPTY; 2],
            atari: [Points::EMPTY; 2],
            ko: Points::EMPTY,
            slot: vec![0; Points::<N, W>::INDEX_END],
            table: vec![
                Chain { stones: Points::EMPTY, liberties: Points::EMPTY };
                Points::<N, W>::INDEX_END
            ],
        }
    }

    /// Returns the same chains with sets of `V` words, enough for the board.
    pub(crate) fn with_words<const V: usize>(&self) -> Chains<N, V> {
        let chain = |&Chain { stones, liberties }: &Chain<N, W>| Chain {
            stones: stones.with_words(),
            liberties: liberties.with_words(),
        };
        Chains {
            stones: self.stones.map(Points::with_words),
            atari: self.atari.map(Points::with_words),
            ko: self.ko.with_words(),
            slot: self.slot.clone(),
            table: self.table.iter().map(chain).collect(),
        }
    }

    /// Removes all stones.
    #[inline(always)]
    pub fn clear(&mut self) {
        // Slots are only read where there is a stone.
        (self.stones, self.atari, self.ko) = Default::default();
    }

    /// Returns the stones of one color.
    #[inline(always)]
    pub fn stones(&self, color: Color) -> Points<N, W> {
        self.stones[color as usize]
    }

    #[inline(always)]
    pub(crate) const fn stones_by_color(&self) -> &[Points<N, W>; 2] {
        &self.stones
    }

    /// Returns the stones of one color in chains with exactly one liberty.
    #[inline(always)]
    pub fn atari(&self, color: Color) -> Points<N, W> {
        self.atari[color as usize]
    }

    /// Returns the points without a stone.
    #[inline(always)]
    pub fn empty(&self) -> Points<N, W> {
        !(self.stones[0] | self.stones[1])
    }

    /// Returns the ko point, where the player to move may not play; empty if there is none
    /// ([`Board::ko`](crate::Board::ko)).
    #[inline(always)]
    pub fn ko(&self) -> Points<N, W> {
        self.ko
    }

    /// Returns the stones of the chain on a point; empty if there is no stone.
    pub fn chain(&self, index: usize) -> Points<N, W> {
        let stone = (self.stones[0] | self.stones[1]).contains(index);
        if stone { self.table[usize::from(self.slot[index])].stones } else { Points::EMPTY }
    }

    /// Returns the liberties of the chain on a point; empty if there is no stone.
    pub fn liberties(&self, index: usize) -> Points<N, W> {
        let stone = (self.stones[0] | self.stones[1]).contains(index);
        if stone { self.table[usize::from(self.slot[index])].liberties } else { Points::EMPTY }
    }

    /// Passes, which lifts the ko.
    #[inline(always)]
    pub fn pass(&mut self) {
        self.ko = Points::EMPTY;
    }

    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        (self.stones, self.atari, self.ko) = (other.stones, other.atari, other.ko);
        self.slot.copy_from_slice(&other.slot);
        self.table.copy_from_slice(&other.table);
    }

    /// Plays a stone on an empty point and removes chains without a liberty: enemy chains first,
    /// otherwise the player's own.
    ///
    /// # Panics
    ///
    /// If the point is not empty, or the number is not an index of the board.
    pub fn play(&mut self, color: Color, index: usize) {
        assert!(self.empty().contains(index), "a stone on an empty point");
        self.play_on_empty(color, index);
    }

    /// Like [`play`](Self::play), for kernels: the index is known to be an empty point.
    ///
    /// Compiled once for all ISA levels.
    #[inline(never)]
    pub(crate) fn play_on_empty(&mut self, color: Color, index: usize) {
        self.play_on_empty_kernel(color, index);
    }

    #[inline(always)]
    pub(crate) fn play_on_empty_kernel(&mut self, color: Color, index: usize) {
        debug_assert!(self.empty().contains(index), "a stone on an empty point");
        let own = color as usize;
        let enemy = color.other() as usize;
        self.stones[own].set_bit(index);

        let neighbors = Points::<N, W>::neighbor_indices(index);
        let own_sides = sides(&self.stones[own], neighbors);
        let enemy_sides = sides(&self.stones[enemy], neighbors);

        let mut captured = Points::EMPTY;
        for side in SetBits(enemy_sides) {
            let chain = &mut self.table[usize::from(self.slot[neighbors[side as usize]])];
            chain.liberties.clear_bit(index);
            let Chain { stones, liberties } = *chain;
            if liberties.is_empty() {
                self.remove_stones(enemy, stones);
                captured |= stones;
            }
            self.atari[enemy] |= stones.masked(liberties.is_single());
        }

        let stone = Points::bit(index);
        let new_chain = Chain { stones: stone, liberties: stone.neighbors() & self.empty() };
        let mut chain = None;
        for side in SetBits(own_sides) {
            let friend = usize::from(self.slot[neighbors[side as usize]]);
            chain = Some(match chain {
                None => {
                    self.table[friend].join(new_chain);
                    friend
                }
                Some(at) => self.merge(at, friend),
            });
        }
        let at = chain.unwrap_or_else(|| {
            self.table[index] = new_chain;
            index
        });
        self.slot[index] = at as u16;
        let isolated = own_sides == 0;
        self.table[at].liberties.clear_bit(index);
        if !captured.is_empty() {
            self.add_liberties(own, captured);
        }
        let Chain { stones, liberties } = self.table[at];
        self.atari[own] = (self.atari[own] - stones) | stones.masked(liberties.is_single());

        if liberties.is_empty() {
            self.remove_stones(own, stones);
            self.add_liberties(enemy, stones);
        }
        // A lone stone with one liberty that captured one stone: the liberty is the captured point.
        let ko = isolated && captured.is_single() && liberties.is_single();
        self.ko = if ko { captured } else { Points::EMPTY };
    }

    /// Merges two chains and returns the slot of the result.
    #[inline(always)]
    fn merge(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        let (big, small) =
            if self.table[a].stones.len() < self.table[b].stones.len() { (b, a) } else { (a, b) };
        let joined = self.table[small];
        for (i, &word) in joined.stones.as_words().iter().enumerate() {
            for bit in SetBits(word) {
                self.slot[64 * i + bit as usize] = big as u16;
            }
        }
        self.table[big].join(joined);
        big
    }

    #[inline(always)]
    fn remove_stones(&mut self, color: usize, stones: Points<N, W>) {
        self.stones[color] -= stones;
        self.atari[color] -= stones;
    }

    /// Adds `freed` to the liberties of adjacent chains of `color`.
    #[inline(always)]
    fn add_liberties(&mut self, color: usize, freed: Points<N, W>) {
        for (i, &word) in freed.as_words().iter().enumerate() {
            for bit in SetBits(word) {
                let index = 64 * i + bit as usize;
                for neighbor in Points::<N, W>::neighbor_indices(index) {
                    if self.stones[color].contains(neighbor) {
                        let slot = usize::from(self.slot[neighbor]);
                        self.table[slot].liberties.set_bit(index);
                        // One liberty before, now at least two.
                        if self.atari[color].contains(neighbor) {
                            self.atari[color] -= self.table[slot].stones;
                        }
                    }
                }
            }
        }
    }
}

/// Returns the sides on which a point has a neighbor in the set, as bits.
#[inline(always)]
fn sides<const N: usize, const W: usize>(set: &Points<N, W>, neighbors: [usize; 4]) -> u64 {
    let mut sides = 0;
    for (side, neighbor) in neighbors.into_iter().enumerate() {
        sides |= u64::from(set.contains(neighbor)) << side;
    }
    sides
}

impl<const N: usize> Chains<N> {
    /// Returns the position with `to_move` to move.
    pub fn position(&self, to_move: Color) -> Position<N> {
        Position::from_stones(self.stones, self.ko, to_move)
    }
}

impl<const N: usize> From<&Position<N>> for Chains<N> {
    /// Returns the chains of a position and its ko point.
    fn from(position: &Position<N>) -> Self {
        let mut chains = Self::new();
        // Nothing is captured on the way: an incomplete chain has a liberty wherever one of its
        // stones is still missing.
        for color in Color::ALL {
            for index in position.stones(color) {
                chains.play_on_empty(color, index);
            }
        }
        chains.ko = position.ko();
        chains
    }
}

impl<const N: usize, const W: usize> Default for Chains<N, W> {
    fn default() -> Self {
        Self::new()
    }
}
