//! Go: playouts from the empty board. By `FooGo`'s rules, incrementally maintained sets are compared with
//! sets computed from chains at each ply. Light playouts, in lanes and single, are compared with the
//! reference board.

use crate::{Baseline, Operation};
use bitcore::{Level, Rng};
use go_mc::board_size::BoardSize;
use go_mc::playout::playouts_on;
use go_mc::reference::{FooGo, sequential_playout, simd_playout};
use go_mc::simd_playouts::HasSimdPlayouts;
use go_mc::{Playout, Policy, Position, SequentialPlayouts, SimdPlayouts, Stats};

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
    let generators: Vec<Rng> = Rng::streams(9).take(games).collect();
    let kernel_generators = generators.clone();
    Operation {
        name,
        unit: "game",
        units: games as u64,
        baseline: Baseline::Published,
        reference: Box::new(move || {
            let mut stats = Stats::default();
            for rng in &generators {
                stats.add(&FooGo::<N>::new().playout(&mut rng.clone()));
            }
            fold(&stats)
        }),
        kernel: Box::new(move |level| {
            let generators = kernel_generators.iter().cloned();
            let stats = playouts_on(level, N, Policy::FooGo, generators);
            fold(&stats.unwrap_or_default())
        }),
    }
}

fn lanes<const N: usize>(name: &'static str, games: u64) -> Operation
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    let twin = |number| simd_playout::<N>(&Position::EMPTY, POLICY, SEED, number);
    light(name, games, twin, move |level| {
        let mut lanes = SimdPlayouts::<N>::new(POLICY, SEED).expect("a policy of lanes");
        lanes.run_on(level, &Position::EMPTY, games)
    })
}

/// Returns light playouts of single games, which are the same on every level.
fn single<const N: usize>(name: &'static str, games: u64) -> Operation {
    let twin = |number| sequential_playout::<N>(&Position::EMPTY, POLICY, SEED, number);
    light(name, games, twin, move |_| {
        let mut single = SequentialPlayouts::<N>::new(POLICY, SEED).expect("a light policy");
        single.run(&Position::EMPTY, games)
    })
}

const POLICY: Policy = Policy::NoSuicide;
const SEED: u64 = 9;

/// Returns light playouts and the naive implementation of the same games.
fn light<const N: usize>(
    name: &'static str,
    games: u64,
    twin: impl Fn(u64) -> Playout<N> + 'static,
    kernel: impl Fn(Level) -> Stats + 'static,
) -> Operation {
    Operation {
        name,
        unit: "game",
        units: games,
        baseline: Baseline::Naive,
        reference: Box::new(move || {
            let mut stats = Stats::default();
            for number in 0..games {
                stats.add(&twin(number).result);
            }
            fold(&stats)
        }),
        kernel: Box::new(move |level| fold(&kernel(level))),
    }
}

fn fold(stats: &Stats) -> u64 {
    (stats.plies.sum as u64) << 32 | stats.black.sum as u64
}
