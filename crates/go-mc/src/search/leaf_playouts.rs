//! The light playouts of a leaf.

use super::state::SearchState;
use crate::playout::policy::Policy;
use crate::playout::sequential_playouts::SequentialPlayouts;
use crate::playout::simd_playouts::{HasSimdPlayouts, SimdPlayouts};
use crate::rules::board_size::BoardSize;
use crate::rules::points::Points;

/// A callback for each finished playout: its score (Black's points minus White's) and the points
/// that each color, Black first, was the first of both to play (AMAF).
pub(super) type OnPlayout<'a, const N: usize> = &'a mut dyn FnMut(i32, [Points<N>; 2]);

pub(super) trait LeafPlayouts<const N: usize>: Send + Sync {
    fn run(&mut self, leaf: &SearchState<N>, games: u32, on_playout: OnPlayout<N>);
}

/// Light playouts in vector lanes, all playouts of a leaf in one run.
pub(super) struct LightSimdPlayouts<const N: usize>(SimdPlayouts<N>);

impl<const N: usize> LightSimdPlayouts<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    /// Panics if the policy is not a light one.
    pub(super) fn new(policy: Policy, seed: u64) -> Self {
        Self(SimdPlayouts::new(policy, seed).expect("a light policy"))
    }
}

impl<const N: usize> LeafPlayouts<N> for LightSimdPlayouts<N>
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    fn run(&mut self, leaf: &SearchState<N>, games: u32, on_playout: OnPlayout<N>) {
        let start = leaf.position();
        self.0.play_each(&start, games.into(), |playout| {
            on_playout(playout.result.score(), playout.first_played);
        });
    }
}

pub(super) struct LightSequentialPlayouts<const N: usize>(SequentialPlayouts<N>);

impl<const N: usize> LightSequentialPlayouts<N> {
    /// Panics if the policy is not a light one.
    pub(super) fn new(policy: Policy, seed: u64) -> Self {
        Self(SequentialPlayouts::new(policy, seed).expect("a light policy"))
    }
}

impl<const N: usize> LeafPlayouts<N> for LightSequentialPlayouts<N> {
    fn run(&mut self, leaf: &SearchState<N>, games: u32, on_playout: OnPlayout<N>) {
        let start = leaf.position();
        self.0.play_each(&start, games.into(), |playout| {
            on_playout(playout.result.score(), playout.first_played);
        });
    }
}
