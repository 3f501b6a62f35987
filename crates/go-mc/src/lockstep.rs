//! [`Lockstep`]: light playouts from any position, 16 or 32 at once in vector lanes.

#[cfg(test)]
mod check;
mod group;
#[doc(hidden)]
pub mod plane;
mod position;
#[doc(hidden)]
pub mod rows;
#[doc(hidden)]
pub mod thirds;

use crate::playout::{Outcome, Policy, Stats, light_points};
use crate::points::Points;
use bitcore::{Isa, Lanes, Level, Rng32, dispatch};
use core::ops::Range;
use group::Group;
pub(crate) use group::SECURE_ROUNDS;
use plane::Plane;
pub use position::Position;
use rows::Rows;
use thirds::Thirds;

/// Light playouts in lanes: exactly uniform over the legal moves that fill no own eye.
///
/// Game i of a seed draws from [stream i](Rng32::stream) of a small generator and is the same in whatever portions the
/// games are played, on whatever level and beside whatever others. Its draws: for each stone
/// [`below`](Rng32::below) the number of [candidates](crate::reference::candidates) left, and the stone goes on that one
/// of them in point order; if it is an illegal suicide, it leaves the candidates and another draw follows.
/// [`reference::lockstep_playout`](crate::reference::lockstep_playout) plays the same games in plain words.
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

/// A finished playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout<const N: usize> {
    /// The number of the game.
    pub number: u64,
    /// Its length and its score.
    pub outcome: Outcome,
    /// The stones at the end, Black's first.
    pub stones: [Points<N>; 2],
    /// The points on which each colour, Black first, was the first of both to put a stone during the playout: what "all
    /// moves as first" asks for. Empty where it isn't asked for.
    pub first: [Points<N>; 2],
}

impl<const N: usize> Playout<N> {
    /// Each colour's area, Black's first: its stones and the empty points that only they surround.
    pub fn area(&self) -> [Points<N>; 2] {
        self.stones.map(|stones| stones | crate::eyes::surrounded(stones))
    }
}

/// The boards that playouts in lanes are compiled for: `Side<9>` and `Side<13>`.
#[derive(Clone, Copy, Debug)]
pub struct Side<const N: usize>;

/// Implemented for each [`Side`] that has playouts in lanes.
pub trait InLanes<const N: usize> {
    #[doc(hidden)]
    fn fly(level: Level, flight: &Flight<N>, take: &mut dyn FnMut(&Playout<N>));
}

/// One kernel a level and a side, with groups enough that one's steps overlap with the next one's, compiled here and not in every crate that calls it.
macro_rules! in_lanes {
    ($($n:literal in $groups:literal $plane:ident)*) => {$(
        impl InLanes<$n> for Side<$n> {
            fn fly(level: Level, flight: &Flight<$n>, take: &mut dyn FnMut(&Playout<$n>)) {
                dispatch!(level, isa => fly_with::<_, $plane<_>, $n, $groups>(isa, flight, take));
            }
        }
    )*};
}
in_lanes!(9 in 2 Thirds 13 in 2 Rows);

/// What is to be played.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Flight<const N: usize> {
    start: Position<N>,
    multi: bool,
    first: bool,
    seed: u64,
    numbers: Range<u64>,
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
    pub fn run_on(&mut self, level: impl Into<Level>, start: &Position<N>, games: u64) -> Stats {
        let mut stats = Stats::default();
        self.fly(level.into(), start, games, false, &mut |playout| stats.add(&playout.outcome));
        stats
    }

    /// Plays the next `games` games from a position and hands over each as it ends: not in the order of their numbers.
    pub fn run_each(&mut self, start: &Position<N>, games: u64, mut take: impl FnMut(&Playout<N>)) {
        self.fly(Level::detect(), start, games, true, &mut take);
    }

    /// [`run_each`](Self::run_each) on a level.
    pub fn run_each_on(
        &mut self,
        level: impl Into<Level>,
        start: &Position<N>,
        games: u64,
        mut take: impl FnMut(&Playout<N>),
    ) {
        self.fly(level.into(), start, games, true, &mut take);
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
        <Side<N> as InLanes<N>>::fly(level, &flight, take);
    }
}

/// The number of a lane whose game nobody waits for.
const IDLE: u64 = u64::MAX;

/// The numbers of the games in a group's lanes.
type Numbers = [u64; plane::MOST];

#[inline(always)]
fn fly_with<S: Isa, P: Plane<S, N>, const N: usize, const GROUPS: usize>(
    isa: S,
    flight: &Flight<N>,
    take: &mut dyn FnMut(&Playout<N>),
) {
    let mut deck = flight.numbers.clone();
    let mut left = deck.end - deck.start;
    let mut groups = [Group::<S, P, N>::new(isa, &flight.start); GROUPS];
    let mut numbers = [[IDLE; plane::MOST]; GROUPS];
    for (group, numbers) in groups.iter_mut().zip(&mut numbers) {
        deal(isa, group, numbers, (1 << P::GAMES) - 1, flight.seed, &mut deck);
    }
    while left > 0 {
        for g in 0..GROUPS {
            let (group, numbers) = (&mut groups[g], &mut numbers[g]);
            let survey = group.look(isa);
            let over = group.settle(isa, &survey, flight.multi, flight.first);
            if !over.is_zero() {
                left -= collect(group, numbers, over, flight.first, take);
                group.restart(isa, &flight.start, over);
                deal(isa, group, numbers, marked::<S, P, N>(over), flight.seed, &mut deck);
            }
        }
    }
}

/// The lanes of a mask as bits.
#[inline(always)]
fn marked<S: Isa, P: Plane<S, N>, const N: usize>(lanes: P::Lane) -> u32 {
    let mut bits = 0;
    for (game, number) in P::numbers(lanes).into_iter().enumerate() {
        bits |= u32::from(number != 0) << game;
    }
    bits
}

/// Gives numbers and generators to the games of `lanes`.
#[inline(always)]
fn deal<S: Isa, P: Plane<S, N>, const N: usize>(
    isa: S,
    group: &mut Group<S, P, N>,
    numbers: &mut Numbers,
    lanes: u32,
    seed: u64,
    deck: &mut Range<u64>,
) {
    for game in bitcore::SetBits(u64::from(lanes)) {
        let number = deck.next().unwrap_or(IDLE);
        numbers[game as usize] = number;
        P::deal(isa, &mut group.draws, game as usize, &Rng32::stream(seed, number));
    }
}

/// Hands over the games of `lanes` that have a number. Returns how many.
#[inline(always)]
fn collect<S: Isa, P: Plane<S, N>, const N: usize>(
    group: &Group<S, P, N>,
    numbers: &Numbers,
    lanes: P::Lane,
    first: bool,
    take: &mut dyn FnMut(&Playout<N>),
) -> u64 {
    let (own, enemy, black) = (group.own.store(), group.enemy.store(), P::numbers(group.black));
    let (plies, passes) = (P::numbers(group.plies), P::numbers(group.passes));
    let firsts = if first { [group.own_first.store(), group.enemy_first.store()] } else { [own, enemy] };
    let mut games = 0;
    for game in bitcore::SetBits(u64::from(marked::<S, P, N>(lanes))).map(|game| game as usize) {
        if numbers[game] == IDLE {
            continue;
        }
        games += 1;
        let colors = |own, enemy| {
            let sides = [P::points(own, game), P::points(enemy, game)];
            if black[game] == 0 { [sides[1], sides[0]] } else { sides }
        };
        let stones = colors(&own, &enemy);
        take(&Playout {
            number: numbers[game],
            outcome: Outcome {
                stones: plies[game] - passes[game],
                plies: plies[game],
                points: light_points(stones),
            },
            stones,
            first: if first { colors(&firsts[0], &firsts[1]) } else { [Points::EMPTY; 2] },
        });
    }
    games
}
