//! [`Ownership`]: the territory of each player, estimated by playouts.

use crate::playout::chain_playouts::{self, HasChainPlayouts};
use crate::playout::policy::Policy;
use crate::playout::simd_playouts::{HasSimdPlayouts, SimdPlayouts};
use crate::rules::board::{Board, Color};
use crate::rules::board_size::BoardSize;
use crate::rules::chains::Chains;
use crate::rules::error::Error;
use crate::rules::eyes;
use crate::rules::points::{Point, Points};
use crate::rules::position::Position;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped};
use bitcore::Rng;

/// Ownership counts: in how many playouts each point belonged to Black and to White at the end.
/// Values and scores are Black's, whoever is to move.
///
/// ```
/// use go_mc::{Board, Color, Ownership};
/// let board: Board = ".X.X.\nXXXXX\nOOOOO\n.....\n.....\n".parse().unwrap();
/// let ownership = Ownership::estimate(&board, 100, 1)?;
/// let c5 = "C5".parse().unwrap();
/// assert_eq!((ownership.count(Color::Black, c5), ownership.value(c5)), (100, 1.0));
/// # Ok::<(), go_mc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership(Counts<19>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Counts<const N: usize> {
    games: u64,
    /// Playouts by color and index.
    counts: [Vec<u32>; 2],
}

impl<const N: usize> Counts<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    fn in_lanes(board: &Board, games: u32, seed: u64, stop: Stop<'_>) -> Option<Self> {
        /// The playouts between two calls of `stop`; the games don't depend on this number.
        const CHUNK: u32 = 1024;
        let mut counts = Self::new();
        let mut playouts = SimdPlayouts::<N>::new(Policy::NoSuicide, seed)?;
        for (color, games) in Color::ALL.into_iter().zip([games.div_ceil(2), games / 2]) {
            let start = Position::new(board, color)?;
            let mut left = games;
            while left > 0 && !stop() {
                let chunk = left.min(CHUNK);
                playouts.play_each(&start, chunk.into(), |playout| counts.add(playout.area()));
                left -= chunk;
            }
        }
        Some(counts)
    }
}

impl<const N: usize> Counts<N>
where
    BoardSize<N>: HasChainPlayouts<N>,
{
    /// Counts on [`Chains`], on every board with playouts. The games differ from the games in
    /// lanes.
    fn on_chains(board: &Board, games: u32, seed: u64, stop: Stop<'_>) -> Option<Self> {
        let mut counts = Self::new();
        let mut rng = Rng::new(seed);
        for (color, games) in Color::ALL.into_iter().zip([games.div_ceil(2), games / 2]) {
            let start = Chains::from(&Position::<N>::new(board, color)?);
            let mut chains = start.clone();
            for _ in 0..games {
                if stop() {
                    break;
                }
                chains.copy_from(&start);
                chain_playouts::chain_playout(&mut chains, color, Policy::NoSuicide, &mut rng);
                let &[black, white] = chains.stones_by_color();
                counts.add([black | eyes::eyelike(black), white | eyes::eyelike(white)]);
            }
        }
        Some(counts)
    }
}

impl<const N: usize> Counts<N> {
    fn new() -> Self {
        Self {
            games: 0,
            counts: [vec![0; Points::<N>::INDEX_END], vec![0; Points::<N>::INDEX_END]],
        }
    }

    /// Returns the same counts indexed on the 19 x 19 board.
    fn widened(&self) -> Ownership {
        let mut widened = Counts { games: self.games, ..Counts::new() };
        for index in Points::<N>::FULL {
            if let Some(place) = Points::<19>::index(Points::<N>::point(index)) {
                for color in Color::ALL {
                    widened.counts[color as usize][place] = self.counts[color as usize][index];
                }
            }
        }
        Ownership(widened)
    }

    fn add(&mut self, area: [Points<N>; 2]) {
        self.games += 1;
        for (owned, area) in self.counts.iter_mut().zip(area) {
            for index in area {
                owned[index] += 1;
            }
        }
    }
}

impl Ownership {
    /// Estimates ownership by light playouts without suicide: Black moves first in the first half,
    /// White in the second. Boards of 9 x 9 and 13 x 13 use vector lanes.
    ///
    /// # Errors
    ///
    /// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn estimate(board: &Board, games: u32, seed: u64) -> Result<Self, Error> {
        Self::estimate_until(board, games, seed, &|| false).expect("nothing stops it")
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    pub fn estimate_until(
        board: &Board,
        games: u32,
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Result<Self, Error>, Stopped> {
        let estimated = match board.size().side() {
            Some(5) => Counts::<5>::on_chains(board, games, seed, stop).map(|five| five.widened()),
            Some(9) => Counts::<9>::in_lanes(board, games, seed, stop).map(|nine| nine.widened()),
            Some(13) => {
                Counts::<13>::in_lanes(board, games, seed, stop).map(|thirteen| thirteen.widened())
            }
            _ => Counts::<19>::on_chains(board, games, seed, stop).map(Self),
        };
        match estimated {
            Some(estimated) if estimated.games() < games.into() => Err(Stopped),
            estimated => Ok(estimated.ok_or(Error::NoPlayouts(board.size()))),
        }
    }

    /// Returns the number of playouts.
    pub fn games(&self) -> u64 {
        self.0.games
    }

    /// Returns the number of playouts in which a point belonged to `color`; 0 for a point off the
    /// board.
    pub fn count(&self, color: Color, point: Point) -> u32 {
        Points::<19>::index(point).map_or(0, |index| self.count_at(color, index))
    }

    pub(crate) fn count_at(&self, color: Color, index: usize) -> u32 {
        self.0.counts[color as usize].get(index).copied().unwrap_or_default()
    }

    /// Returns the expected owner of a point, from -1 (always White's) to 1 (always Black's).
    pub fn value(&self, point: Point) -> f64 {
        let [black, white] = Color::ALL.map(|color| f64::from(self.count(color, point)));
        (black - white) / self.games().max(1) as f64
    }

    /// Returns the expected score by area: the mean of the playouts' scores, Black's area minus
    /// White's minus `komi`, in points, positive if Black is ahead. Light playouts play all parts
    /// of the board equally badly, so the sign is more reliable than the number. `-komi` without
    /// playouts.
    ///
    /// ```
    /// use go_mc::{Board, Ownership};
    /// let board: Board = ".X.X.\nXXXXX\nOOOOO\n.O.O.\nOOOOO\n".parse().unwrap();
    /// let ownership = Ownership::estimate(&board, 100, 1)?;
    /// assert_eq!(ownership.score(0.5), 10.0 - 15.0 - 0.5);
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub fn score(&self, komi: f64) -> f64 {
        let area = |color| {
            self.0.counts[color as usize].iter().map(|&games| f64::from(games)).sum::<f64>()
        };
        (area(Color::Black) - area(Color::White)) / self.games().max(1) as f64 - komi
    }

    /// Returns the stones of all chains whose points belonged to the opponent more often than to
    /// their own color.
    pub fn dead(&self, board: &Board) -> Points<19> {
        let mut dead = Points::EMPTY;
        for color in Color::ALL {
            let mut left = board.stones(color);
            while let Some(first) = left.iter().next() {
                let chain = Points::from_index(first).flood(left);
                let sum = |color| {
                    chain.iter().map(|index| u64::from(self.count_at(color, index))).sum::<u64>()
                };
                if sum(color) < sum(color.other()) {
                    dead |= chain;
                }
                left -= chain;
            }
        }
        dead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two walls, and a stone of each color dead behind the enemy wall: both kinds of playouts
    /// agree on it.
    #[test]
    fn playouts_on_chains_and_in_lanes_agree() {
        let text = "
            .X.XOO.O.
            X.XXO.OOO
            .XX.XO.O.
            XXXXXOOOO
            ...XO....
            .O.XO..X.
            ...XO....
            XXXXOOOOO
            X.X.XO.O.";
        let board: Board = text.parse().unwrap();
        let lost: Points<19> = ["B4", "H4"]
            .into_iter()
            .filter_map(|at| Points::<19>::index(at.parse().unwrap()))
            .collect();
        let never = || false;
        let [chains, lanes] = [Counts::<9>::on_chains, Counts::<9>::in_lanes]
            .map(|count| count(&board, 1000, 1, &never).unwrap().widened());
        assert_ne!(chains, lanes);
        assert_eq!(chains.dead(&board), lost);
        assert_eq!(lanes.dead(&board), lost);
        assert!(Counts::<13>::in_lanes(&board, 10, 1, &never).is_none());
        for point in
            Points::<19>::FULL.iter().map(Points::<19>::point).filter(|p| p.x < 9 && p.y < 9)
        {
            assert!((chains.value(point) - lanes.value(point)).abs() < 0.2, "{point}");
        }
    }
}
