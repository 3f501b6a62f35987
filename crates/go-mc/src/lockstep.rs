//! [`Lockstep`]: light playouts from any position, 16 or 32 at once in vector lanes.

#[cfg(test)]
mod check;
mod flight;
mod group;
mod lanes;
mod plane;
mod rows;
mod solo;
mod thirds;

use crate::outcome::{Playout, Stats};
use crate::policy::Policy;
use crate::position::Position;
use crate::side::{Side, sealed::Sealed};
use bitcore::{Isa, Level, dispatch};
use flight::Flight;
pub(crate) use group::SECURE_ROUNDS;
use plane::Plane;
use rows::Rows;
use thirds::Thirds;

/// Light playouts in lanes: exactly uniform over the legal moves that fill no own eye.
///
/// Game i of a seed draws from [stream i](bitcore::Rng32::stream) of a small generator and is the same in whatever portions the
/// games are played, on whatever level and beside whatever others. Its draws: for each stone
/// [`below`](bitcore::Rng32::below) the number of [candidates](crate::reference::candidates) left, and the stone goes on that one
/// of them in point order; if it is an illegal suicide, it leaves the candidates and another draw follows.
/// [`reference::lockstep_playout`](crate::reference::lockstep_playout) plays the same games in plain words. A level without
/// vector registers for lanes plays them one after the other.
///
/// ```
/// use go_mc::{Lockstep, Policy, Position};
/// let mut games = Lockstep::<9>::new(Policy::NoSuicide, 42).unwrap();
/// let stats = games.run(&Position::EMPTY, 1000);
/// assert!((stats.stones.mean() - 107.4).abs() < 3.0);
/// // From any position, with all that a playout tells.
/// let corner = Position::EMPTY.after_pass();
/// games.run_each(&corner, 32, |playout| {
///     assert!(playout.number >= 1000 && playout.first[1].len() > 20);
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Lockstep<const N: usize> {
    multi: bool,
    seed: u64,
    next: u64,
}

/// Implemented for each [`Side`] that has playouts in lanes: 9 and 13.
pub trait InLanes<const N: usize>: Sealed {
    #[doc(hidden)]
    fn fly(level: Level, flight: &Flight<N>, take: &mut dyn FnMut(&Playout<N>));
}

/// One kernel a level and a side, compiled here and not in every crate that calls it.
macro_rules! in_lanes {
    ($($n:literal in $groups:literal $plane:ident)*) => {$(
        impl InLanes<$n> for Side<$n> {
            fn fly(level: Level, flight: &Flight<$n>, take: &mut dyn FnMut(&Playout<$n>)) {
                dispatch!(level, isa [flight, take] => fly::<_, $plane<_>, $n, $groups>(isa, flight, take));
            }
        }
    )*};
}
in_lanes!(9 in 2 Thirds 13 in 2 Rows);

#[inline(always)]
fn fly<S: Isa, P: Plane<S, N>, const N: usize, const GROUPS: usize>(
    isa: S,
    flight: &Flight<N>,
    take: &mut dyn FnMut(&Playout<N>),
) {
    if const { S::HAS_SIMD } {
        lanes::fly::<S, P, N, GROUPS>(isa, flight, take);
    } else {
        solo::fly(flight, take);
    }
}

impl<const N: usize> Lockstep<N>
where
    Side<N>: InLanes<N>,
{
    /// The games of a seed, from game 0; none for [`Policy::FooGo`], which isn't played in lanes.
    pub fn new(policy: Policy, seed: u64) -> Option<Self> {
        let multi = match policy {
            Policy::NoSuicide => false,
            Policy::MultiSuicide => true,
            Policy::FooGo => return None,
        };
        Some(Self { multi, seed, next: 0 })
    }

    /// The number of the next game.
    pub fn number(&self) -> u64 {
        self.next
    }

    /// Plays the next `games` games from a position.
    pub fn run(&mut self, start: &Position<N>, games: u64) -> Stats {
        self.run_on(Level::detect(), start, games)
    }

    /// [`run`](Self::run) on a level.
    pub fn run_on(&mut self, level: Level, start: &Position<N>, games: u64) -> Stats {
        let mut stats = Stats::default();
        self.fly(level, start, games, false, &mut |playout| stats.add(&playout.outcome));
        stats
    }

    /// Plays the next `games` games from a position and hands over each as it ends: not in the order of their numbers.
    pub fn run_each(&mut self, start: &Position<N>, games: u64, take: impl FnMut(&Playout<N>)) {
        self.run_each_on(Level::detect(), start, games, take);
    }

    /// [`run_each`](Self::run_each) on a level.
    pub fn run_each_on(
        &mut self,
        level: Level,
        start: &Position<N>,
        games: u64,
        mut take: impl FnMut(&Playout<N>),
    ) {
        self.fly(level, start, games, true, &mut take);
    }

    fn fly(
        &mut self,
        level: Level,
        start: &Position<N>,
        games: u64,
        first: bool,
        take: &mut dyn FnMut(&Playout<N>),
    ) {
        let numbers = self.next..self.next + games;
        self.next = numbers.end;
        let flight = Flight { start: *start, multi: self.multi, first, seed: self.seed, numbers };
        Side::<N>::fly(level, &flight, take);
    }
}
