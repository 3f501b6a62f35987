//! Playouts from the empty board on the fastest path, and the vocabulary of all playouts.

use crate::position::Position;
use crate::sequential_playouts::SequentialPlayouts;
use crate::simd_playouts::SimdPlayouts;
use bitcore::{Level, Rng};

pub use crate::chain_playouts::{HasChainPlayouts, playout, playout_on, playouts_on};
pub use crate::policy::Policy;
pub use crate::results::{GameResult, PLY_CAP, Playout, SIZES, Stats, UnsupportedSize};

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
/// ([`SimdPlayouts`]) on 9 x 9 and 13 x 13, else one after the other ([`SequentialPlayouts`]). `FooGo`'s: on [`Chains`](crate::Chains), game i on
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
pub struct Playouts(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Five(SequentialPlayouts<5>),
    Nine(SimdPlayouts<9>),
    Thirteen(SimdPlayouts<13>),
    Nineteen(SequentialPlayouts<19>),
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
            5 => SequentialPlayouts::new(policy, seed).map(Inner::Five),
            9 => SimdPlayouts::new(policy, seed).map(Inner::Nine),
            13 => SimdPlayouts::new(policy, seed).map(Inner::Thirteen),
            19 => SequentialPlayouts::new(policy, seed).map(Inner::Nineteen),
            _ => return Err(UnsupportedSize(size)),
        };
        Ok(Self(light.unwrap_or_else(|| Inner::Chains { size, policy, next: Rng::new(seed) })))
    }

    /// Plays the next `games` games.
    pub fn run(&mut self, games: u64) -> Stats {
        self.run_on(Level::detect(), games)
    }

    /// [`run`](Self::run) on a level.
    pub fn run_on(&mut self, level: Level, games: u64) -> Stats {
        match &mut self.0 {
            Inner::Five(playouts) => playouts.run(&Position::EMPTY, games),
            Inner::Nineteen(playouts) => playouts.run(&Position::EMPTY, games),
            Inner::Nine(playouts) => playouts.run_on(level, &Position::EMPTY, games),
            Inner::Thirteen(playouts) => playouts.run_on(level, &Position::EMPTY, games),
            Inner::Chains { size, policy, next } => {
                let generators = (0..games).map(|_| next.copy_and_jump());
                playouts_on(level, *size, *policy, generators).unwrap_or_default()
            }
        }
    }
}
