//! Playouts: games of random moves from the empty board, and their statistics.

use crate::board::{Color, Suicide};
use crate::chains::Chains;
use crate::eyes;
use crate::lockstep::{Lockstep, Position};
use crate::points::Points;
use crate::single::Single;
use bitcore::{Isa, Level, Moments, Rng, dispatch};
use core::ops::AddAssign;

/// Which points a player chooses from, uniformly. The ko point is never one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Light playouts: every legal move but into an own eye ([`Board::is_eye`](crate::Board::is_eye)), all suicide
    /// forbidden.
    NoSuicide,
    /// The same, suicide of two stones or more allowed.
    MultiSuicide,
    /// Of chncwang's articles on `FooGo`: every empty point but the eyes of both players, where a point is an eye if
    /// its neighbours are all of one colour; an opponent's eye and an own fake one open when a chain around them is
    /// in atari. Suicide isn't tested at all: of a single stone it would have to be in an opponent's eye.
    FooGo,
}

/// `Forbidden` and `Multi` as in light playouts, `All` as in `FooGo` (with single stones free to take themselves off
/// anywhere a game would hardly end).
impl From<Suicide> for Policy {
    fn from(suicide: Suicide) -> Self {
        match suicide {
            Suicide::Forbidden => Self::NoSuicide,
            Suicide::Multi => Self::MultiSuicide,
            Suicide::All => Self::FooGo,
        }
    }
}

impl Policy {
    /// The points that `color` may choose from but for the ko.
    #[inline(always)]
    pub fn playable<const N: usize>(self, chains: &Chains<N>, color: Color) -> Points<N> {
        let (own, enemy, empty) = (chains.stones(color), chains.stones(color.other()), chains.empty());
        let breathing = empty.neighbours();
        let captures = chains.atari(color.other()).neighbours();
        let eyes = eyes::surrounded(own);
        match self {
            Self::NoSuicide => {
                let safe = breathing | captures | (own - chains.atari(color)).neighbours();
                (empty & safe) - eyes::sound(eyes, enemy)
            }
            Self::MultiSuicide => {
                let more_than_one = breathing | captures | own.neighbours();
                (empty & more_than_one) - eyes::sound(eyes, enemy)
            }
            Self::FooGo => {
                let enemy_eyes = eyes::surrounded(enemy);
                let fake = eyes - eyes::sound(eyes, !(own | eyes));
                let open = (enemy_eyes & captures) | (fake & chains.atari(color).neighbours());
                (empty - enemy_eyes - eyes) | open
            }
        }
    }

    /// Each colour's points at the end, Black's first: the stones, and the empty points that are its own: those
    /// whose neighbours are all its stones, under [`FooGo`](Self::FooGo) its real eyes.
    #[inline(always)]
    pub fn points<const N: usize>(self, chains: &Chains<N>) -> [u32; 2] {
        let stones = Color::ALL.map(|color| chains.stones(color));
        if self == Self::FooGo {
            stones.map(|own| {
                let eyes = eyes::surrounded(own);
                own.len() + eyes::sound(eyes, !(own | eyes)).len()
            })
        } else {
            light_points(stones)
        }
    }
}

/// Each colour's points at the end of a light playout, Black's first.
#[inline(always)]
pub(crate) fn light_points<const N: usize>(stones: [Points<N>; 2]) -> [u32; 2] {
    let [black, white] = stones;
    [black.len() + eyes::surrounded(black).len(), white.len() + eyes::surrounded(white).len()]
}

/// Plies after which a game that hasn't ended is taken as it stands, per point of the board. Random games end long
/// before (9x9: 648, the longest of millions 220), but a triple ko could go on.
pub const PLY_CAP: u32 = 8;

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Stones played: moves that are no passes.
    pub stones: u32,
    /// Moves with passes.
    pub plies: u32,
    /// Each colour's points, Black's first ([`Policy::points`]).
    pub points: [u32; 2],
}

impl Outcome {
    /// Black's points less White's.
    pub fn score(&self) -> i32 {
        self.points[0] as i32 - self.points[1] as i32
    }
}

/// One playout from the position in `chains`, which it leaves at the end of the game.
///
/// `color` begins. A player with no point to choose from passes. Light playouts end after two passes in a row;
/// `FooGo`'s end as soon as neither player has a playable point, a ko point counted. Draws, in order: one
/// `rng.below(count)` for each stone, and the stone goes on that point of the set in point order.
#[doc(hidden)]
#[inline(always)]
pub fn playout_with<S: Isa, const N: usize>(
    isa: S,
    chains: &mut Chains<N>,
    mut color: Color,
    policy: Policy,
    rng: &mut Rng,
) -> Outcome {
    let (mut stones, mut plies, mut passes) = (0, 0, 0);
    while plies < PLY_CAP * (N * N) as u32 {
        let playable = policy.playable(chains, color);
        if policy == Policy::FooGo {
            if playable.is_empty() && policy.playable(chains, color.other()).is_empty() {
                break;
            }
        } else if passes == 2 {
            break;
        }
        let choice = playable - chains.ko();
        let count = choice.len();
        let drawn = if count > 0 { choice.select(isa, rng.below(count)) } else { None };
        if let Some(index) = drawn {
            chains.play(color, index);
            (stones, passes) = (stones + 1, 0);
        } else {
            chains.pass();
            passes += 1;
        }
        plies += 1;
        color = color.other();
    }
    Outcome { stones, plies, points: policy.points(chains) }
}

/// The sizes that playouts are compiled for.
pub const SIZES: [usize; 4] = [5, 9, 13, 19];

/// There are no playouts of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("no playouts of size {0}: expected 5, 9, 13 or 19")]
pub struct UnsupportedSize(pub usize);

/// Plays `games` games from the empty `size` x `size` board: the first of [`Playouts`].
///
/// # Errors
///
/// If `size` is none of [`SIZES`].
///
/// ```
/// use go_mc::{Policy, playouts};
/// let stats = playouts(9, Policy::NoSuicide, 1000, 1).unwrap();
/// assert!((stats.stones.mean() - 107.4).abs() < 2.0);
/// assert_eq!(playouts(9, Policy::NoSuicide, 1000, 1), Ok(stats));
/// ```
pub fn playouts(size: usize, policy: Policy, games: u64, seed: u64) -> Result<Stats, UnsupportedSize> {
    Ok(Playouts::new(size, policy, seed)?.run(games))
}

/// The games of a seed from the empty board, on the fastest path of each size and policy. Light ones: in lanes
/// ([`Lockstep`]) on 9 x 9 and 13 x 13, else one after the other ([`Single`]). `FooGo`'s: on [`Chains`], game i on
/// [stream](Rng::stream) i.
///
/// ```
/// use go_mc::{Playouts, Policy};
/// let mut games = Playouts::new(13, Policy::NoSuicide, 1).unwrap();
/// let mut stats = games.run(60);
/// stats += games.run(40);
/// assert_eq!(stats, Playouts::new(13, Policy::NoSuicide, 1).unwrap().run(100));
/// ```
#[derive(Clone, Debug)]
pub struct Playouts(Path);

#[derive(Clone, Debug)]
enum Path {
    Five(Single<5>),
    Nine(Lockstep<9>),
    Thirteen(Lockstep<13>),
    Nineteen(Single<19>),
    Chains { size: usize, policy: Policy, next: Rng },
}

impl Playouts {
    /// The games of a seed, from game 0.
    ///
    /// # Errors
    ///
    /// If `size` is none of [`SIZES`].
    pub fn new(size: usize, policy: Policy, seed: u64) -> Result<Self, UnsupportedSize> {
        let light = match size {
            5 => Single::new(policy, seed).map(Path::Five),
            9 => Lockstep::new(policy, seed).map(Path::Nine),
            13 => Lockstep::new(policy, seed).map(Path::Thirteen),
            19 => Single::new(policy, seed).map(Path::Nineteen),
            _ => return Err(UnsupportedSize(size)),
        };
        Ok(Self(light.unwrap_or_else(|| Path::Chains { size, policy, next: Rng::new(seed) })))
    }

    /// Plays the next `games` games.
    pub fn run(&mut self, games: u64) -> Stats {
        self.run_on(Level::detect(), games)
    }

    /// [`run`](Self::run) on a level.
    pub fn run_on(&mut self, level: impl Into<Level>, games: u64) -> Stats {
        match &mut self.0 {
            Path::Five(games_of) => games_of.run(&Position::EMPTY, games),
            Path::Nineteen(games_of) => games_of.run(&Position::EMPTY, games),
            Path::Nine(lanes) => lanes.run_on(level, &Position::EMPTY, games),
            Path::Thirteen(lanes) => lanes.run_on(level, &Position::EMPTY, games),
            Path::Chains { size, policy, next } => {
                let generators = (0..games).map(|_| {
                    let rng = next.clone();
                    next.jump();
                    rng
                });
                dispatch!(level.into(), isa => playouts_with(isa, *size, *policy, generators))
                    .unwrap_or_default()
            }
        }
    }
}

/// One game for each generator.
#[doc(hidden)]
#[inline(always)]
pub fn playouts_with<S: Isa>(
    isa: S,
    size: usize,
    policy: Policy,
    generators: impl Iterator<Item = Rng>,
) -> Result<Stats, UnsupportedSize> {
    // Each size is a kernel of its own: too big to inline four times.
    match size {
        5 => Ok(isa.enter(|| batch_with::<S, 5>(isa, policy, generators))),
        9 => Ok(isa.enter(|| batch_with::<S, 9>(isa, policy, generators))),
        13 => Ok(isa.enter(|| batch_with::<S, 13>(isa, policy, generators))),
        19 => Ok(isa.enter(|| batch_with::<S, 19>(isa, policy, generators))),
        _ => Err(UnsupportedSize(size)),
    }
}

#[inline(always)]
fn batch_with<S: Isa, const N: usize>(
    isa: S,
    policy: Policy,
    generators: impl Iterator<Item = Rng>,
) -> Stats {
    let (mut stats, mut chains) = (Stats::default(), Chains::<N>::new());
    for mut rng in generators {
        chains.clear();
        stats.add(&playout_with(isa, &mut chains, Color::Black, policy, &mut rng));
    }
    stats
}

/// What a batch of playouts adds up to: whole numbers, so that batches join without rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Games played.
    pub games: u64,
    /// Stones played.
    pub stones: Moments,
    /// Moves with passes.
    pub plies: Moments,
    /// Black's points less White's.
    pub score: Moments,
    /// Black's points.
    pub black: Moments,
    /// Games that Black wins without komi.
    pub black_wins_k0: u64,
    /// Games that Black wins with 7.5 points of komi.
    pub black_wins_k7_5: u64,
    /// The most plies of one game.
    pub longest: u32,
}

impl Stats {
    /// Adds a game.
    pub fn add(&mut self, outcome: &Outcome) {
        let score = outcome.score();
        self.games += 1;
        self.stones.add(outcome.stones);
        self.plies.add(outcome.plies);
        self.score.add(score);
        self.black.add(outcome.points[0]);
        self.black_wins_k0 += u64::from(score > 0);
        self.black_wins_k7_5 += u64::from(score > 7);
        self.longest = self.longest.max(outcome.plies);
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.stones += other.stones;
        self.plies += other.plies;
        self.score += other.score;
        self.black += other.black;
        self.black_wins_k0 += other.black_wins_k0;
        self.black_wins_k7_5 += other.black_wins_k7_5;
        self.longest = self.longest.max(other.longest);
    }
}
