//! Playouts from a leaf of the tree.

use super::state::State;
use crate::board_size::BoardSize;
use crate::points::Points;
use crate::policy::Policy;
use crate::sequential_playouts::SequentialPlayouts;
use crate::simd_playouts::{HasSimdPlayouts, SimdPlayouts};
use bitcore::Level;

/// A playout's score, Black's points less White's, and the points on which each color was the first of both.
pub(super) type Take<'a, const N: usize> = &'a mut dyn FnMut(i32, [Points<N>; 2]);

/// A source of light playouts.
pub(super) trait Rollouts<const N: usize>: Send + Sync {
    /// Plays the next `games` from a leaf.
    fn run(&mut self, leaf: &State<N>, games: u32, take: Take<N>);
}

/// All at once in vector lanes.
pub(super) struct Lanes<const N: usize> {
    level: Level,
    games: SimdPlayouts<N>,
}

impl<const N: usize> Lanes<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    /// The playouts of a seed; the policy is a light one.
    pub(super) fn new_on(level: Level, policy: Policy, seed: u64) -> Self {
        Self { level, games: SimdPlayouts::new(policy, seed).expect("a light policy") }
    }
}

impl<const N: usize> Rollouts<N> for Lanes<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    fn run(&mut self, leaf: &State<N>, games: u32, take: Take<N>) {
        let start = leaf.position();
        self.games.run_each_on(self.level, &start, games.into(), |playout| {
            take(playout.result.score(), playout.first_played);
        });
    }
}

/// One after the other.
pub(super) struct Singles<const N: usize>(SequentialPlayouts<N>);

impl<const N: usize> Singles<N> {
    /// The playouts of a seed; the policy is a light one.
    pub(super) fn new(policy: Policy, seed: u64) -> Self {
        Self(SequentialPlayouts::new(policy, seed).expect("a light policy"))
    }
}

impl<const N: usize> Rollouts<N> for Singles<N> {
    fn run(&mut self, leaf: &State<N>, games: u32, take: Take<N>) {
        let start = leaf.position();
        self.0.run_each(&start, games.into(), |playout| take(playout.result.score(), playout.first_played));
    }
}
