//! [`Ownership`]: the owner of each point, estimated by playouts.

use crate::board::{Board, Color};
use crate::board_size::BoardSize;
use crate::chain_playouts::{self, HasChainPlayouts};
use crate::chains::Chains;
use crate::eyes;
use crate::points::Points;
use crate::policy::Policy;
use crate::position::Position;
use crate::results::UnsupportedSize;
use crate::simd_playouts::{HasSimdPlayouts, SimdPlayouts};
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng;

/// The numbers of playouts in which each point was Black's and White's at the end.
///
/// ```
/// use go_mc::{Board, Ownership, Size};
/// let mut board = Board::new(Size::new(9, 9).unwrap());
/// let ownership = Ownership::<9>::estimate(&board, 200, 1).unwrap();
/// assert_eq!(ownership.games(), 200);
/// assert!(ownership.value(40).abs() < 0.5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership<const N: usize> {
    games: u64,
    /// The numbers of playouts by color and index.
    counts: [Vec<u32>; 2],
}

impl<const N: usize> Ownership<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    /// Estimates the owners by light playouts without suicide: Black begins in the first half of them, White
    /// in the other. `None` unless the board has `N` x `N` points.
    pub fn estimate(board: &Board, games: u32, seed: u64) -> Option<Self> {
        Self::estimate_until(board, games, seed, &|| false)
    }

    fn estimate_until(board: &Board, games: u32, seed: u64, stop: &dyn Fn() -> bool) -> Option<Self> {
        /// The playouts between two calls of `stop`; the games don't depend on it.
        const CHUNK: u32 = 1024;
        let mut ownership = Self::new();
        let mut playouts = SimdPlayouts::<N>::new(Policy::NoSuicide, seed)?;
        for (color, games) in Color::ALL.into_iter().zip([games.div_ceil(2), games / 2]) {
            let start = Position::new(board, color)?;
            let mut left = games;
            while left > 0 && !stop() {
                let chunk = left.min(CHUNK);
                playouts.run_each(&start, chunk.into(), |playout| ownership.add(playout.area()));
                left -= chunk;
            }
        }
        Some(ownership)
    }
}

impl<const N: usize> Ownership<N>
where
    BoardSize<N>: HasChainPlayouts<N>,
{
    /// Estimates as [`estimate`](Self::estimate) does, by playouts on [`Chains`], for every size of playouts.
    /// The games differ from those of `estimate`.
    pub fn estimate_on_chains(board: &Board, games: u32, seed: u64) -> Option<Self> {
        Self::estimate_on_chains_until(board, games, seed, &|| false)
    }

    fn estimate_on_chains_until(
        board: &Board,
        games: u32,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut ownership = Self::new();
        let mut rng = Rng::new(seed);
        for (color, games) in Color::ALL.into_iter().zip([games.div_ceil(2), games / 2]) {
            let start = Chains::from_position(&Position::<N>::new(board, color)?);
            let mut chains = start.clone();
            for _ in 0..games {
                if stop() {
                    break;
                }
                chains.copy_from(&start);
                chain_playouts::playout(&mut chains, color, Policy::NoSuicide, &mut rng);
                let &[black, white] = chains.stones_by_color();
                ownership.add([black | eyes::eyelike(black), white | eyes::eyelike(white)]);
            }
        }
        Some(ownership)
    }
}

impl<const N: usize> Ownership<N> {
    fn new() -> Self {
        Self { games: 0, counts: [vec![0; Points::<N>::INDEX_END], vec![0; Points::<N>::INDEX_END]] }
    }

    /// Returns the same counts by the indices of the 19 x 19 board.
    fn widened(&self) -> Ownership<19> {
        let mut widened = Ownership { games: self.games, ..Ownership::new() };
        for index in Points::<N>::FULL {
            if let Some(place) = Points::<19>::index(Points::<N>::point(index)) {
                for color in Color::ALL {
                    widened.counts[color as usize][place] = self.count(color, index);
                }
            }
        }
        widened
    }

    fn add(&mut self, area: [Points<N>; 2]) {
        self.games += 1;
        for (owned, area) in self.counts.iter_mut().zip(area) {
            for index in area {
                owned[index] += 1;
            }
        }
    }

    /// Returns the number of playouts.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of playouts in which a point was `color`'s; 0 for a number that is not an index.
    pub fn count(&self, color: Color, index: usize) -> u32 {
        self.counts[color as usize].get(index).copied().unwrap_or_default()
    }

    /// Returns the expected owner of a point, from -1 (always White) to 1 (always Black).
    pub fn value(&self, index: usize) -> f64 {
        let [black, white] = Color::ALL.map(|color| f64::from(self.count(color, index)));
        (black - white) / self.games.max(1) as f64
    }

    /// Returns the stones of all chains whose points were the opponent's more often than their own. `stones`
    /// are the stones of each color, Black's first.
    pub fn dead(&self, stones: [Points<N>; 2]) -> Points<N> {
        let mut dead = Points::EMPTY;
        for color in Color::ALL {
            let mut left = stones[color as usize];
            while let Some(first) = left.iter().next() {
                let chain = Points::from_index(first).flood(left);
                let sum = |color| chain.iter().map(|index| u64::from(self.count(color, index))).sum::<u64>();
                if sum(color) < sum(color.other()) {
                    dead |= chain;
                }
                left -= chain;
            }
        }
        dead
    }
}

impl Ownership<19> {
    /// Estimates the owners on a board of any size with playouts, by indices of the 19 x 19 board: by
    /// [`estimate`](Ownership::estimate) on 9 x 9 and 13 x 13, otherwise by
    /// [`estimate_on_chains`](Self::estimate_on_chains).
    ///
    /// # Errors
    ///
    /// [`UnsupportedSize`] unless the board is a square of 5, 9, 13 or 19.
    ///
    /// ```
    /// use go_mc::{Board, Color, Ownership, Points};
    /// let board: Board = ".X.X.\nXXXXX\nOOOOO\n.....\n.....\n".parse().unwrap();
    /// let ownership = Ownership::estimate_any_size(&board, 100, 1)?;
    /// let c5 = Points::<19>::index("C5".parse().unwrap()).unwrap();
    /// assert_eq!(ownership.count(Color::Black, c5), 100);
    /// # Ok::<(), go_mc::UnsupportedSize>(())
    /// ```
    pub fn estimate_any_size(board: &Board, games: u32, seed: u64) -> Result<Self, UnsupportedSize> {
        Self::estimate_any_size_until(board, games, seed, &|| false)
    }

    /// Does the same as [`estimate_any_size`](Self::estimate_any_size), but ends soon after `stop` begins to
    /// return `true`, with the [games](Self::games) played so far.
    ///
    /// # Errors
    ///
    /// As for [`estimate_any_size`](Self::estimate_any_size).
    pub fn estimate_any_size_until(
        board: &Board,
        games: u32,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, UnsupportedSize> {
        let in_lanes = Ownership::<9>::estimate_until(board, games, seed, stop)
            .map(|nine| nine.widened())
            .or_else(|| Some(Ownership::<13>::estimate_until(board, games, seed, stop)?.widened()));
        in_lanes
            .or_else(|| Some(Ownership::<5>::estimate_on_chains_until(board, games, seed, stop)?.widened()))
            .or_else(|| Self::estimate_on_chains_until(board, games, seed, stop))
            .ok_or(UnsupportedSize(board.size().width().max(board.size().height())))
    }
}
