//! Who owns which point, by playouts.

use crate::board::{Board, Color};
use crate::chains::Chains;
use crate::exact::{self, InChains};
use crate::eyes;
use crate::lockstep::{InLanes, Lockstep};
use crate::outcome::UnsupportedSize;
use crate::points::Points;
use crate::policy::Policy;
use crate::position::Position;
use crate::side::Side;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng;

/// How often each point was Black's and White's at the end of playouts from a position.
///
/// ```
/// use go_mc::{Board, Ownership, Size};
/// let mut board = Board::new(Size::new(9, 9).unwrap());
/// let ownership = Ownership::<9>::of(&board, 200, 1).unwrap();
/// assert_eq!(ownership.games(), 200);
/// assert!(ownership.share(40).abs() < 0.5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership<const N: usize> {
    games: u64,
    /// By color and index.
    owned: [Vec<u32>; 2],
}

impl<const N: usize> Ownership<N>
where
    Side<N>: InLanes<N>,
{
    /// Light playouts without suicide from a board: in a half of them Black begins, in the other White. None if the board
    /// has another size.
    pub fn of(board: &Board, games: u32, seed: u64) -> Option<Self> {
        let mut ownership = Self::new();
        let mut lanes = Lockstep::<N>::new(Policy::NoSuicide, seed)?;
        for (color, games) in Color::ALL.into_iter().zip([games.div_ceil(2), games / 2]) {
            let start = Position::new(board, color)?;
            lanes.run_each(&start, games.into(), |playout| ownership.add(playout.area()));
        }
        Some(ownership)
    }
}

impl<const N: usize> Ownership<N>
where
    Side<N>: InChains<N>,
{
    /// [`of`](Self::of) without lanes, for every size of playouts; its games aren't those of `of`.
    pub fn of_single(board: &Board, games: u32, seed: u64) -> Option<Self> {
        let mut ownership = Self::new();
        let mut rng = Rng::new(seed);
        for (color, games) in Color::ALL.into_iter().zip([games.div_ceil(2), games / 2]) {
            let start = Chains::of_position(&Position::<N>::new(board, color)?);
            let mut chains = start.clone();
            for _ in 0..games {
                chains.copy_from(&start);
                exact::playout(&mut chains, color, Policy::NoSuicide, &mut rng);
                let &[black, white] = chains.sides();
                ownership.add([black | eyes::surrounded(black), white | eyes::surrounded(white)]);
            }
        }
        Some(ownership)
    }
}

impl<const N: usize> Ownership<N> {
    fn new() -> Self {
        Self { games: 0, owned: [vec![0; Points::<N>::END], vec![0; Points::<N>::END]] }
    }

    /// The same by the indices of the largest board.
    fn largest(&self) -> Ownership<19> {
        let mut largest = Ownership { games: self.games, ..Ownership::new() };
        for index in Points::<N>::FULL {
            if let Some(place) = Points::<19>::index(Points::<N>::point(index)) {
                for color in Color::ALL {
                    largest.owned[color as usize][place] = self.owned(color, index);
                }
            }
        }
        largest
    }

    fn add(&mut self, area: [Points<N>; 2]) {
        self.games += 1;
        for (owned, area) in self.owned.iter_mut().zip(area) {
            for index in area {
                owned[index] += 1;
            }
        }
    }

    /// The number of playouts.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// In how many of them a point was `color`'s; 0 for what is no index.
    pub fn owned(&self, color: Color, index: usize) -> u32 {
        self.owned[color as usize].get(index).copied().unwrap_or_default()
    }

    /// Black's share of a point less White's, from -1 to 1.
    pub fn share(&self, index: usize) -> f64 {
        let [black, white] = Color::ALL.map(|color| f64::from(self.owned(color, index)));
        (black - white) / self.games.max(1) as f64
    }

    /// The stones of chains whose points were the opponent's more often than their own.
    pub fn dead(&self, stones: [Points<N>; 2]) -> Points<N> {
        let mut dead = Points::EMPTY;
        for color in Color::ALL {
            let mut left = stones[color as usize];
            while let Some(first) = left.iter().next() {
                let chain = Points::one(first).flood(left);
                let sum = |color| chain.iter().map(|index| u64::from(self.owned(color, index))).sum::<u64>();
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
    /// [`of`](Ownership::of) where there are lanes and [`of_single`](Self::of_single) where there are none, by the indices
    /// of the largest board.
    ///
    /// # Errors
    ///
    /// If the board isn't a square of 5, 9, 13 or 19.
    ///
    /// ```
    /// use go_mc::{Board, Color, Ownership, Points};
    /// let board: Board = ".X.X.\nXXXXX\nOOOOO\n.....\n.....\n".parse().unwrap();
    /// let ownership = Ownership::of_any(&board, 100, 1)?;
    /// let c5 = Points::<19>::index("C5".parse().unwrap()).unwrap();
    /// assert_eq!(ownership.owned(Color::Black, c5), 100);
    /// # Ok::<(), go_mc::UnsupportedSize>(())
    /// ```
    pub fn of_any(board: &Board, games: u32, seed: u64) -> Result<Self, UnsupportedSize> {
        let in_lanes = Ownership::<9>::of(board, games, seed)
            .map(|nine| nine.largest())
            .or_else(|| Some(Ownership::<13>::of(board, games, seed)?.largest()));
        in_lanes
            .or_else(|| Some(Ownership::<5>::of_single(board, games, seed)?.largest()))
            .or_else(|| Self::of_single(board, games, seed))
            .ok_or(UnsupportedSize(board.size().width().max(board.size().height())))
    }
}
