//! [`SimdPlayouts`]: light playouts from any position, 16 or 32 at once in vector lanes.

mod job;
mod lane_group;
mod packed_rows;
mod plane;
mod rows;
mod run;
mod scalar;
#[cfg(test)]
mod tests;

use crate::board_size::{BoardSize, sealed::Sealed};
use crate::policy::Policy;
use crate::position::Position;
use crate::results::{Playout, Stats};
use bitcore::{Isa, Level, dispatch};
use job::Job;
pub(crate) use lane_group::TWO_LIBERTY_ROUNDS;
use packed_rows::PackedRows;
use plane::Plane;
use rows::Rows;

/// Light playouts in lanes: exactly uniform over the legal moves that fill no own eye.
///
/// Game i of a seed generators from [stream i](bitcore::Rng32::stream) of a small generator and is the same in whatever portions the
/// games are played, on whatever level and beside whatever others. Its draws: for each stone
/// [`below`](bitcore::Rng32::below) the number of [candidates](crate::reference::candidates) left, and the stone goes on that one
/// of them in point order; if it is an illegal suicide, it leaves the candidates and another draw follows.
/// [`reference::simd_playout`](crate::reference::simd_playout) plays the same games in plain words. A level without
/// vector registers for lanes plays them one after the other.
///
/// ```
/// use go_mc::{SimdPlayouts, Policy, Position};
/// let mut games = SimdPlayouts::<9>::new(Policy::NoSuicide, 42).unwrap();
/// let stats = games.run(&Position::EMPTY, 1000);
/// assert!((stats.stones.mean() - 107.4).abs() < 3.0);
/// // From any position, with all that a playout tells.
/// let corner = Position::EMPTY.after_pass();
/// games.run_each(&corner, 32, |playout| {
///     assert!(playout.number >= 1000 && playout.first_played[1].len() > 20);
/// });
/// ```
#[derive(Clone, Debug)]
pub struct SimdPlayouts<const N: usize> {
    multi_suicide: bool,
    seed: u64,
    next: u64,
}

/// Implemented for each [`BoardSize`] that has playouts in lanes: 9 and 13.
pub trait HasSimdPlayouts<const N: usize>: Sealed {
    #[doc(hidden)]
    fn run(level: Level, job: &Job<N>, visit: &mut dyn FnMut(&Playout<N>));
}

/// One kernel a level and a side, compiled here and not in every crate that calls it.
macro_rules! simd_sizes {
    ($($n:literal in $groups:literal $plane:ident)*) => {$(
        impl HasSimdPlayouts<$n> for BoardSize<$n> {
            fn run(level: Level, job: &Job<$n>, visit: &mut dyn FnMut(&Playout<$n>)) {
                dispatch!(level, isa [job, visit] => run_on_token::<_, $plane<_>, $n, $groups>(isa, job, visit));
            }
        }
    )*};
}
simd_sizes!(9 in 2 PackedRows 13 in 2 Rows);

#[inline(always)]
fn run_on_token<S: Isa, P: Plane<S, N>, const N: usize, const GROUPS: usize>(
    isa: S,
    job: &Job<N>,
    visit: &mut dyn FnMut(&Playout<N>),
) {
    if const { S::REAL_LANES } {
        run::run::<S, P, N, GROUPS>(isa, job, visit);
    } else {
        scalar::run(job, visit);
    }
}

impl<const N: usize> SimdPlayouts<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    /// The games of a seed, from game 0; none for [`Policy::FooGo`], which isn't played in lanes.
    pub fn new(policy: Policy, seed: u64) -> Option<Self> {
        let multi_suicide = match policy {
            Policy::NoSuicide => false,
            Policy::MultiSuicide => true,
            Policy::FooGo => return None,
        };
        Some(Self { multi_suicide, seed, next: 0 })
    }

    /// The number of the next game.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// Plays the next `games` games from a position.
    pub fn run(&mut self, start: &Position<N>, games: u64) -> Stats {
        self.run_on(Level::detect(), start, games)
    }

    /// [`run`](Self::run) on a level.
    pub fn run_on(&mut self, level: Level, start: &Position<N>, games: u64) -> Stats {
        let mut stats = Stats::default();
        self.run_job(level, start, games, false, &mut |playout| stats.add(&playout.result));
        stats
    }

    /// Plays the next `games` games from a position and hands over each as it ends: not in the order of their numbers.
    pub fn run_each(&mut self, start: &Position<N>, games: u64, visit: impl FnMut(&Playout<N>)) {
        self.run_each_on(Level::detect(), start, games, visit);
    }

    /// [`run_each`](Self::run_each) on a level.
    pub fn run_each_on(
        &mut self,
        level: Level,
        start: &Position<N>,
        games: u64,
        mut visit: impl FnMut(&Playout<N>),
    ) {
        self.run_job(level, start, games, true, &mut visit);
    }

    fn run_job(
        &mut self,
        level: Level,
        start: &Position<N>,
        games: u64,
        track_first: bool,
        visit: &mut dyn FnMut(&Playout<N>),
    ) {
        let numbers = self.next..self.next + games;
        self.next = numbers.end;
        let job =
            Job { start: *start, multi_suicide: self.multi_suicide, track_first, seed: self.seed, numbers };
        BoardSize::<N>::run(level, &job, visit);
    }
}
