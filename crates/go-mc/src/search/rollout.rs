//! Playouts from a leaf of the tree.

use super::state::State;
use crate::board::Color;
use crate::chains::Chains;
use crate::lockstep::{InLanes, Lockstep, Position, Side};
use crate::playout::{PLY_CAP, Policy, light_points};
use crate::points::Points;
use bitcore::{Isa, Level, Rng, dispatch};

/// A playout's score, Black's points less White's, and the points on which each colour was the first of both.
pub(super) type Take<'a, const N: usize> = &'a mut dyn FnMut(i32, [Points<N>; 2]);

/// A source of light playouts.
pub(super) trait Rollouts<const N: usize>: Send + Sync + 'static {
    /// The playouts of a seed; the policy is a light one.
    fn new(policy: Policy, seed: u64) -> Self;

    /// Plays the next `games` from a leaf.
    fn run(&mut self, level: Level, leaf: &State<N>, games: u32, take: Take<N>);
}

/// All at once in vector lanes.
pub(super) struct Lanes<const N: usize>(Lockstep<N>);

impl<const N: usize> Rollouts<N> for Lanes<N>
where
    Side<N>: InLanes<N>,
{
    fn new(policy: Policy, seed: u64) -> Self {
        Self(Lockstep::new(policy, seed).expect("a light policy"))
    }

    fn run(&mut self, level: Level, leaf: &State<N>, games: u32, take: Take<N>) {
        let start = if leaf.passes == 1 {
            Position::of_chains(&leaf.chains, leaf.color.other()).after_pass()
        } else {
            Position::of_chains(&leaf.chains, leaf.color)
        };
        self.0
            .run_each_on(level, &start, games.into(), |playout| take(playout.outcome.score(), playout.first));
    }
}

/// One after the other.
pub(super) struct Singles {
    policy: Policy,
    rng: Rng,
}

impl<const N: usize> Rollouts<N> for Singles {
    fn new(policy: Policy, seed: u64) -> Self {
        Self { policy, rng: Rng::new(seed) }
    }

    fn run(&mut self, level: Level, leaf: &State<N>, games: u32, take: Take<N>) {
        for _ in 0..games {
            let mut end = leaf.chains.clone();
            let (policy, rng) = (self.policy, &mut self.rng);
            let first = dispatch!(level, isa => single_with(isa, &mut end, leaf.color, leaf.passes == 1, policy, rng));
            let [black, white] = light_points(Color::ALL.map(|color| end.stones(color)));
            take(black as i32 - white as i32, first);
        }
    }
}

/// [`playout_with`](crate::playout::playout_with) for a light policy, which also tells who was first on which point.
#[inline(always)]
fn single_with<S: Isa, const N: usize>(
    isa: S,
    chains: &mut Chains<N>,
    mut color: Color,
    after_pass: bool,
    policy: Policy,
    rng: &mut Rng,
) -> [Points<N>; 2] {
    let (mut first, mut passes, mut plies) = ([Points::EMPTY; 2], u32::from(after_pass), 0);
    while passes < 2 && plies < PLY_CAP * (N * N) as u32 {
        let choice = policy.playable(chains, color) - chains.ko();
        let count = choice.len();
        let drawn = if count > 0 { choice.select(isa, rng.below(count)) } else { None };
        if let Some(index) = drawn {
            chains.play(color, index);
            first[color as usize] |= Points::one(index) - first[color.other() as usize];
            passes = 0;
        } else {
            chains.pass();
            passes += 1;
        }
        plies += 1;
        color = color.other();
    }
    first
}
