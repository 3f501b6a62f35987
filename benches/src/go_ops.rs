//! Go: playouts from the empty board. With `FooGo`'s rules, the comparison is between incrementally updated
//! sets and sets computed from chains at each ply. Light playouts, in lanes and single, are compared with the
//! reference board.

use crate::operation::{Operation, Reference, naive, seed, workload};
use bitcore::Rng;
use go_mc::playout::{
    BoardSize, GameResult, HasSimdPlayouts, Playout, SequentialPlayouts, SimdPlayouts, chain_playouts,
};
use go_mc::reference::{FooGo, sequential_playout, simd_playout};
use go_mc::{Komi, Policy, Position, Rules, Size, Stats, Suicide};

const POLICY: Policy = Policy::NoSuicide;
const SEED: u64 = 9;

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        playout::<9>("go playout 9x9", 100),
        playout::<19>("go playout 19x19", 10),
        lanes::<9>("go playout 9x9 lanes", 512),
        lanes::<13>("go playout 13x13 lanes", 256),
        single::<9>("go playout 9x9 single", 100),
        single::<19>("go playout 19x19 single", 10),
    ]
}

fn playout<const N: usize>(name: &'static str, games: usize) -> Operation {
    let generators = workload(Rng::streams(9).take(games));
    let reference = seed("game", games, move || {
        fold(generators.iter().map(|rng| FooGo::<N>::new().playout(&mut rng.clone())))
    });
    let size = Size::square(N).expect("a size");
    let rules = Rules { suicide: Suicide::All, ..size.into() };
    reference.kernel(name, move || {
        let generators = generators.iter().cloned();
        digest(&chain_playouts(rules, generators).unwrap_or_default())
    })
}

fn lanes<const N: usize>(name: &'static str, games: usize) -> Operation
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    light(games, |number| simd_playout::<N>(&Position::EMPTY, POLICY, SEED, number)).kernel(name, move || {
        let mut lanes = SimdPlayouts::<N>::new(POLICY, SEED).expect("a policy of lanes");
        digest(&lanes.play(&Position::EMPTY, games as u64))
    })
}

/// Returns light playouts of single games, the same on every level.
fn single<const N: usize>(name: &'static str, games: usize) -> Operation {
    let reference = light(games, |number| sequential_playout::<N>(&Position::EMPTY, POLICY, SEED, number));
    reference.kernel(name, move || {
        let mut single = SequentialPlayouts::<N>::new(POLICY, SEED).expect("a light policy");
        digest(&single.play(&Position::EMPTY, games as u64))
    })
}

fn light<const N: usize>(games: usize, twin: impl Fn(u64) -> Playout<N> + 'static) -> Reference {
    naive("game", games, move || fold((0..games as u64).map(|number| twin(number).result)))
}

fn fold(games: impl Iterator<Item = GameResult>) -> u64 {
    let mut stats = Stats::default();
    games.for_each(|game| stats.add(&game, Komi::default()));
    digest(&stats)
}

fn digest(stats: &Stats) -> u64 {
    (stats.plies.sum as u64) << 32 | stats.black.sum as u64
}
