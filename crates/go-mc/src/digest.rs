//! A fixed workload with a one-number result.

use crate::playout::chain_playouts::chain_playouts;
use crate::playout::playouts::Playouts;
use crate::playout::results::Stats;
use crate::rules::board::{Size, Suicide};
use crate::rules::game::Rules;
use bitcore::Rng;

/// Returns a digest of a fixed workload, playouts of every size and policy. The number is the same
/// at every ISA level, on every machine and in every build; a different number means that some game
/// was played differently.
pub fn digest() -> u64 {
    let policies = [Suicide::Forbidden, Suicide::Multi, Suicide::All];
    let sizes = [(5, 400), (9, 200), (13, 50), (19, 20)];
    let fastest = [
        (Suicide::Forbidden, 9, 200),
        (Suicide::Multi, 9, 200),
        (Suicide::Forbidden, 13, 40),
        (Suicide::Multi, 5, 400),
        (Suicide::Forbidden, 19, 20),
    ];
    let rules = |suicide, side| {
        let size = Size::square(side).unwrap_or(Rules::default().size);
        Rules { size, suicide, ..Rules::default() }
    };
    let fastest = fastest.into_iter().fold(0, |digest, (suicide, side, games)| {
        let stats = Playouts::new(rules(suicide, side), 7).map(|mut playouts| playouts.play(games));
        fold(digest, &stats.unwrap_or_default())
    });
    let batches =
        policies.into_iter().flat_map(|suicide| sizes.map(|(side, games)| (suicide, side, games)));
    batches.fold(fastest, |digest, (suicide, side, games)| {
        let generators = Rng::streams(7).take(games);
        let stats = chain_playouts(rules(suicide, side), generators);
        fold(digest, &stats.unwrap_or_default())
    })
}

fn fold(digest: u64, stats: &Stats) -> u64 {
    let Stats { games, stones, plies, score, black, black_leads, black_wins, longest } = stats;
    // The sums fit 64 bits.
    let sums = [stones, plies, score, black]
        .map(|all| (all.squares as u64).rotate_left(32).wrapping_add(all.sum as u64));
    let counts = [*games, *black_leads, *black_wins, u64::from(*longest)];
    // FNV-1a's prime, a word at a time.
    sums.into_iter()
        .chain(counts)
        .fold(digest, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29))
}
