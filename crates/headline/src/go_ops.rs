//! Go: playouts from the empty board by `FooGo`'s rules, its maintained sets against sets made from chains each ply.

use crate::{Against, Operation};
use bitcore::{Rng, dispatch};
use go_mc::playout::playouts_with;
use go_mc::reference::FooGo;
use go_mc::{Policy, Stats};

pub(crate) fn operations() -> Vec<Operation> {
    vec![playout::<9>("go playout 9x9", 100), playout::<19>("go playout 19x19", 10)]
}

fn playout<const N: usize>(name: &'static str, games: usize) -> Operation {
    let generators: Vec<Rng> = Rng::streams(9).take(games).collect();
    let kernel_generators = generators.clone();
    Operation {
        name,
        unit: "game",
        units: games as u64,
        against: Against::Seed,
        reference: Box::new(move || {
            let mut stats = Stats::default();
            for rng in &generators {
                stats.add(&FooGo::<N>::new().playout(&mut rng.clone()));
            }
            fold(&stats)
        }),
        kernel: Box::new(move |level| {
            let generators = kernel_generators.iter().cloned();
            let stats = dispatch!(level, isa => playouts_with(isa, N, Policy::FooGo, generators));
            fold(&stats.unwrap_or_default())
        }),
    }
}

fn fold(stats: &Stats) -> u64 {
    (stats.plies.sum as u64) << 32 | stats.black.sum as u64
}
