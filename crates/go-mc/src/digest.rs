//! A fixed workload whose result is one number.

use crate::playout::{Playouts, chain_playouts};
use crate::policy::Policy;
use crate::results::Stats;
use bitcore::Rng;

/// Returns a digest of a fixed workload, playouts of every size and policy: the same number on every level,
/// machine and build. A different number means that some game was played differently.
pub fn digest() -> u64 {
    let policies = [Policy::NoSuicide, Policy::MultiSuicide, Policy::FooGo];
    let sizes = [(5, 400), (9, 200), (13, 50), (19, 20)];
    let fastest = [
        (Policy::NoSuicide, 9, 200),
        (Policy::MultiSuicide, 9, 200),
        (Policy::NoSuicide, 13, 40),
        (Policy::MultiSuicide, 5, 400),
        (Policy::NoSuicide, 19, 20),
    ];
    let fastest = fastest.into_iter().fold(0, |digest, (policy, size, games)| {
        let stats = Playouts::new(size, policy, 7).map(|mut playouts| playouts.run(games));
        fold(digest, &stats.unwrap_or_default())
    });
    let batches = policies.into_iter().flat_map(|policy| sizes.map(|(size, games)| (policy, size, games)));
    batches.fold(fastest, |digest, (policy, size, games)| {
        let generators = Rng::streams(7).take(games);
        let stats = chain_playouts(size, policy, generators);
        fold(digest, &stats.unwrap_or_default())
    })
}

fn fold(digest: u64, stats: &Stats) -> u64 {
    let Stats { games, stones, plies, score, black, black_wins_k0, black_wins_k7_5, longest } = stats;
    // The sums fit 64 bits.
    let sums = [stones, plies, score, black]
        .map(|all| (all.squares as u64).rotate_left(32).wrapping_add(all.sum as u64));
    let counts = [*games, *black_wins_k0, *black_wins_k7_5, u64::from(*longest)];
    // FNV-1a's prime, a word at a time.
    sums.into_iter()
        .chain(counts)
        .fold(digest, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29))
}
