//! The published playout that this crate started from, and plain definitions of the fast playouts.
//!
//! [`FooGo`] is the playout from chncwang's articles on his open-source Monte Carlo Go program
//! `FooGo`. For each color it maintains the playable points, the eyes and the real eyes as bit
//! sets, along with the chains and their liberties. A move is the k-th set bit of the playable set.
//! The definitions ([`ColorSets::from_stones`]):
//!
//! - an *eye* of a color is an empty point whose neighbors are all of that color;
//! - it is *real* if own stones or own eyes are on at least 3 of its diagonals (2 on the edge, 1 in
//!   the corner);
//! - a point is *playable* if it is empty and not an eye, suicide or not. An enemy eye, or an own
//!   eye that is not real, is playable if a chain around it is in atari; an own real eye is never
//!   playable.
//!
//! # Corrections
//!
//! The bugs of the articles or the program, each fixed here and demonstrated by a test in
//! `tests/go/reference.rs`:
//!
//! 1. *Real eyes of the captured color remain* when the stones on their diagonals are captured.
//!    Here the sets are updated around every removed stone, for both colors.
//! 2. *An own false eye opens* when a chain around it is updated, in atari or not. Here it opens
//!    only in atari.
//! 3. *One suicide test is inverted* (`playable = is_suicide`). Here suicide is not tested, so
//!    multi-stone suicide is playable, like every other empty point that is not an eye.
//! 4. *A ko is detected* where a chain of several stones with one liberty has captured one stone.
//!    That is not a ko: the capturing stone must be a lone stone.
//! 5. *The liberty count is a signed byte*, which overflows above 127; chains on 19 x 19 exceed
//!    that.
//! 6. *The k-th set bit is found bit by bit.* This is kept as the plain definition;
//!    [`Points::select`] is the fast version.
//!
//! The articles do not limit the length of a game; here a game ends after [`MAX_PLIES_PER_POINT`]
//! plies per point.

mod sequential;
mod simd;

pub use sequential::sequential_playout;
pub use simd::{candidates, simd_playout};

use crate::playout::results::{GameResult, MAX_PLIES_PER_POINT};
use crate::rules::board::{Board, Color, Size, Suicide};
use crate::rules::points::Points;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::RandomSource;

/// The sets that `FooGo` maintains for each color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColorSets<const N: usize> {
    /// The points the color may choose from, including a ko point.
    pub playable: Points<N>,
    /// The empty points whose neighbors are all of the color.
    pub eyes: Points<N>,
    /// The eyes with enough own stones or own eyes on their diagonals.
    pub real_eyes: Points<N>,
}

impl<const N: usize> ColorSets<N> {
    /// Computes the sets of `color` from the stones of both colors, Black's first. This defines the
    /// sets that [`FooGo`] maintains.
    pub fn from_stones(stones: [Points<N>; 2], color: Color) -> Self {
        let empty = !(stones[0] | stones[1]);
        let [own, enemy] = [color, color.other()].map(|color| stones[color as usize]);
        let neighbors = |p| Points::<N>::from_index(p).neighbors();
        let surrounded_by = |stones: Points<N>| {
            empty.iter().filter(|&p| (neighbors(p) - stones).is_empty()).collect()
        };
        let (eyes, enemy_eyes): (Points<N>, Points<N>) = (surrounded_by(own), surrounded_by(enemy));
        let is_real = |p: &usize| {
            let diagonals = Points::<N>::from_index(*p).diagonals();
            let good = (diagonals & (own | eyes)).len();
            good >= if diagonals.len() == 4 { 3 } else { diagonals.len() }
        };
        let real_eyes: Points<N> = eyes.iter().filter(is_real).collect();
        let in_atari = |p: usize| {
            let chain =
                Points::<N>::from_index(p).flood(stones[usize::from(stones[1].contains(p))]);
            (chain.neighbors() & empty).is_single()
        };
        let is_playable = |&p: &usize| {
            if eyes.contains(p) || enemy_eyes.contains(p) {
                !real_eyes.contains(p) && neighbors(p).iter().any(in_atari)
            } else {
                true
            }
        };
        Self { playable: empty.iter().filter(is_playable).collect(), eyes, real_eyes }
    }
}

/// The state of `FooGo`'s playout on the `N` x `N` board.
///
/// ```
/// use go_mc::Rng;
/// use go_mc::reference::FooGo;
/// let mut game = FooGo::<9>::new();
/// let result = game.playout(&mut Rng::new(1));
/// assert_eq!(result.area[0], game.stones()[0].len() + game.sets()[0].real_eyes.len());
/// ```
#[derive(Clone, Debug)]
pub struct FooGo<const N: usize> {
    color: Vec<Option<Color>>,
    /// The head stone of each stone's chain; chains are indexed by their heads below.
    head: Vec<u16>,
    /// The next stone of each stone's chain, in a circular list.
    next: Vec<u16>,
    liberties: Vec<Points<N>>,
    /// The number of liberties of a chain, by its head.
    count: Vec<u16>,
    sets: [ColorSets<N>; 2],
    ko: Option<usize>,
    last: Color,
    black: u32,
}

impl<const N: usize> FooGo<N> {
    /// Creates the empty board with Black to move.
    pub fn new() -> Self {
        Self {
            color: vec![None; Points::<N>::INDEX_END],
            head: vec![0; Points::<N>::INDEX_END],
            next: vec![0; Points::<N>::INDEX_END],
            liberties: vec![Points::EMPTY; Points::<N>::INDEX_END],
            count: vec![0; Points::<N>::INDEX_END],
            sets: [ColorSets { playable: Points::FULL, ..ColorSets::default() }; 2],
            ko: None,
            last: Color::White,
            black: 0,
        }
    }

    /// Returns to the empty board with Black to move, in the same memory.
    ///
    /// ```
    /// use go_mc::{Color, reference::FooGo};
    /// let mut game = FooGo::<9>::new();
    /// game.play(Color::Black, 40);
    /// game.clear();
    /// assert!(game.stones()[0].is_empty());
    /// ```
    pub fn clear(&mut self) {
        // What is kept by chain is written with each stone.
        self.color.fill(None);
        self.sets = [ColorSets { playable: Points::FULL, ..ColorSets::default() }; 2];
        self.ko = None;
        self.last = Color::White;
        self.black = 0;
    }

    /// Returns the maintained sets of each color, Black's first.
    pub fn sets(&self) -> &[ColorSets<N>; 2] {
        &self.sets
    }

    /// Returns the stones of each color, Black's first.
    pub fn stones(&self) -> [Points<N>; 2] {
        Color::ALL.map(|color| {
            Points::<N>::FULL.iter().filter(|&p| self.color[p] == Some(color)).collect()
        })
    }

    /// Returns the number of black stones.
    pub fn black(&self) -> u32 {
        self.black
    }

    /// Returns the ko point, where the next move may not be played.
    pub fn ko(&self) -> Option<usize> {
        self.ko
    }

    /// Returns the number of liberties of the chain of a stone.
    pub fn liberty_count(&self, stone: usize) -> u16 {
        self.count[usize::from(self.head[stone])]
    }

    /// Plays the loop of the articles from the current position to the end of the game. Order of
    /// draws: one `rng.below(count)` per stone.
    pub fn playout(&mut self, rng: &mut (impl RandomSource + ?Sized)) -> GameResult {
        let mut stones = 0;
        let mut plies = 0;
        loop {
            let color = self.last.other();
            let mut choice = self.sets[color as usize].playable;
            if let Some(ko) = self.ko {
                choice.remove(ko);
            }
            let count = choice.len();
            let drawn = if count > 0 { choice.iter().nth(rng.below(count) as usize) } else { None };
            if let Some(point) = drawn {
                self.play(color, point);
                stones += 1;
            } else {
                self.pass(color);
            }
            plies += 1;
            let over = self.sets.iter().all(|sets| sets.playable.is_empty());
            if over || plies == MAX_PLIES_PER_POINT * (N * N) as u32 {
                break;
            }
        }
        let [black, white] = Color::ALL.map(|color| self.sets[color as usize].real_eyes.len());
        GameResult { stones, plies, area: [self.black + black, self.stones()[1].len() + white] }
    }

    /// Passes, which lifts the ko.
    pub fn pass(&mut self, color: Color) {
        self.ko = None;
        self.last = color;
    }

    /// Plays a stone on an empty point.
    pub fn play(&mut self, color: Color, point: usize) {
        for neighbor in self.neighbor_stones(point) {
            self.remove_liberty(usize::from(self.head[neighbor]), point);
        }
        let mut captured = Points::EMPTY;
        for neighbor in self.neighbor_stones(point) {
            if self.color[neighbor] == Some(color.other()) && self.liberty_count(neighbor) == 0 {
                captured |= self.remove_chain(usize::from(self.head[neighbor]));
            }
        }
        // The stone starts as its own chain.
        self.color[point] = Some(color);
        self.black += u32::from(color == Color::Black);
        (self.head[point], self.next[point]) = (point as u16, point as u16);
        let liberties = neighbor_indices::<N>(point).filter(|&p| self.color[p].is_none()).collect();
        self.set_liberties(point, liberties);
        for neighbor in self.neighbor_stones(point) {
            if self.color[neighbor] == Some(color) {
                self.merge(usize::from(self.head[neighbor]), point);
            }
        }
        // A ko: a lone stone that captured a lone stone and could be captured in turn.
        let isolated = usize::from(self.next[point]) == point;
        let ko = captured.is_single() && isolated && self.liberty_count(point) == 1;
        self.ko = if ko { captured.iter().next() } else { None };
        let mut changed = captured | Points::from_index(point);
        if self.liberty_count(point) == 0 {
            changed |= self.remove_chain(usize::from(self.head[point]));
        }
        self.last = color;
        self.refresh(changed);
    }

    /// Updates the sets around the points where a stone was placed or removed.
    fn refresh(&mut self, changed: Points<N>) {
        // An eye depends on the point and its neighbors; a real eye also on the stones and eyes on
        // its diagonals.
        let near = changed | changed.neighbors();
        let wide = near | near.diagonals();
        for color in Color::ALL {
            for p in &near {
                let eye = self.color[p].is_none()
                    && neighbor_indices::<N>(p).all(|q| self.color[q] == Some(color));
                set_member(&mut self.sets[color as usize].eyes, p, eye);
            }
            for p in &wide {
                let real = self.is_real_eye(color, p);
                set_member(&mut self.sets[color as usize].real_eyes, p, real);
            }
        }
        // Chains with changed liberties are next to a change; whether they are in atari opens or
        // shuts the eyes among their liberties.
        let stones = near.iter().filter(|&p| self.color[p].is_some());
        let liberties =
            stones.fold(Points::EMPTY, |all, p| all | self.liberties[usize::from(self.head[p])]);
        let opened_or_shut = liberties & (self.sets[0].eyes | self.sets[1].eyes);
        for color in Color::ALL {
            for p in wide | opened_or_shut {
                let playable = self.is_playable(color, p);
                set_member(&mut self.sets[color as usize].playable, p, playable);
            }
        }
    }

    fn is_real_eye(&self, color: Color, p: usize) -> bool {
        let eyes = self.sets[color as usize].eyes;
        if !eyes.contains(p) {
            return false;
        }
        let mut diagonals = 0;
        let mut good = 0;
        for q in diagonal_indices::<N>(p) {
            diagonals += 1;
            good += u32::from(self.color[q] == Some(color) || eyes.contains(q));
        }
        good >= if diagonals == 4 { 3 } else { diagonals }
    }

    fn is_playable(&self, color: Color, p: usize) -> bool {
        let [own, enemy] = [color, color.other()].map(|color| &self.sets[color as usize]);
        let opened = || neighbor_indices::<N>(p).any(|q| self.liberty_count(q) == 1);
        self.color[p].is_none()
            && !own.real_eyes.contains(p)
            && (!(own.eyes.contains(p) || enemy.eyes.contains(p)) || opened())
    }

    fn neighbor_stones(&self, point: usize) -> Points<N> {
        neighbor_indices::<N>(point).filter(|&p| self.color[p].is_some()).collect()
    }

    fn set_liberties(&mut self, chain: usize, liberties: Points<N>) {
        self.liberties[chain] = liberties;
        self.count[chain] = liberties.len() as u16;
    }

    fn remove_liberty(&mut self, chain: usize, point: usize) {
        if self.liberties[chain].contains(point) {
            self.liberties[chain].remove(point);
            self.count[chain] -= 1;
        }
    }

    fn add_liberty(&mut self, chain: usize, point: usize) {
        if !self.liberties[chain].contains(point) {
            self.liberties[chain].insert(point);
            self.count[chain] += 1;
        }
    }

    fn merge(&mut self, chain: usize, point: usize) {
        let old = usize::from(self.head[point]);
        if old == chain {
            return;
        }
        let mut stone = old;
        loop {
            self.head[stone] = chain as u16;
            stone = usize::from(self.next[stone]);
            if stone == old {
                break;
            }
        }
        self.next.swap(chain, old);
        self.set_liberties(chain, self.liberties[chain] | self.liberties[old]);
    }

    fn remove_chain(&mut self, chain: usize) -> Points<N> {
        let mut stones = Points::EMPTY;
        let mut stone = chain;
        loop {
            stones.insert(stone);
            self.black -= u32::from(self.color[stone] == Some(Color::Black));
            self.color[stone] = None;
            stone = usize::from(self.next[stone]);
            if stone == chain {
                break;
            }
        }
        for stone in &stones {
            for neighbor in self.neighbor_stones(stone) {
                self.add_liberty(usize::from(self.head[neighbor]), stone);
            }
        }
        stones
    }
}

impl<const N: usize> Default for FooGo<N> {
    fn default() -> Self {
        Self::new()
    }
}

fn neighbor_indices<const N: usize>(p: usize) -> impl Iterator<Item = usize> {
    Points::<N>::neighbor_indices(p).into_iter().filter(|&q| Points::<N>::FULL.contains(q))
}

fn diagonal_indices<const N: usize>(p: usize) -> impl Iterator<Item = usize> {
    let near = N;
    let far = N + 2;
    [p.wrapping_sub(far), p.wrapping_sub(near), p + near, p + far]
        .into_iter()
        .filter(|&q| Points::<N>::FULL.contains(q))
}

fn set_member<const N: usize>(set: &mut Points<N>, p: usize, member: bool) {
    if member {
        set.insert(p);
    } else {
        set.remove(p);
    }
}

/// Plays a light playout on [`Board`] and returns the result and the final board. In each ply,
/// every empty point except own eyes is tried on a copy, and one `rng.below(count)` chooses among
/// the legal ones in point order. A player without a legal point passes. Two passes, or
/// [`MAX_PLIES_PER_POINT`] plies per point, end the game.
///
/// This is the plain definition of playouts on [`Chains`](crate::Chains) under
/// [`Suicide::Forbidden`] and [`Suicide::Multi`]. Under [`Suicide::All`], single stones can remove
/// themselves forever, and nearly every game runs to the ply limit.
pub fn light_playout(
    size: Size,
    suicide: Suicide,
    rng: &mut (impl RandomSource + ?Sized),
) -> (GameResult, Board) {
    let mut board = Board::new(size);
    let mut color = Color::Black;
    let mut stones = 0;
    let mut plies = 0;
    let mut passes = 0;
    while passes < 2 && plies < MAX_PLIES_PER_POINT * size.points().len() {
        let legal: Points<19> = board
            .empty()
            .iter()
            .filter(|&p| {
                let point = Points::<19>::point(p);
                !board.is_eye(color, point) && board.clone().play(color, point, suicide).is_ok()
            })
            .collect();
        let count = legal.len();
        let drawn = if count > 0 { legal.iter().nth(rng.below(count) as usize) } else { None };
        let played = drawn.map(|p| board.play(color, Points::<19>::point(p), suicide).is_ok());
        if played == Some(true) {
            (stones, passes) = (stones + 1, 0);
        } else {
            board.pass();
            passes += 1;
        }
        plies += 1;
        color = color.other();
    }
    (GameResult { stones, plies, area: board.simple_area() }, board)
}
