//! Plays random games from the empty board: `cargo run --release -p go-mc --example playouts -- 9 20000`
//!
//! The games of each policy by its fastest kernel, then light playouts one at a time.

use go_mc::{Policy, Position, SequentialPlayouts, Stats, UnsupportedSize, playouts};
use std::time::Instant;

fn main() {
    let mut numbers = std::env::args().skip(1).map_while(|text| text.parse().ok());
    let (size, games) = (numbers.next().unwrap_or(9), numbers.next().unwrap_or(20_000));
    for policy in [Policy::NoSuicide, Policy::MultiSuicide, Policy::FooGo] {
        let start = Instant::now();
        report(&format!("{policy:?}"), playouts(size as usize, policy, games, 1), start);
    }
    for policy in [Policy::NoSuicide, Policy::MultiSuicide] {
        let start = Instant::now();
        let stats = match size {
            5 => sequential::<5>(policy, games),
            9 => sequential::<9>(policy, games),
            13 => sequential::<13>(policy, games),
            19 => sequential::<19>(policy, games),
            _ => None,
        };
        report(&format!("{policy:?}, sequential"), stats.ok_or(UnsupportedSize(size as usize)), start);
    }
}

fn sequential<const N: usize>(policy: Policy, games: u64) -> Option<Stats> {
    Some(SequentialPlayouts::<N>::new(policy, 1)?.run(&Position::EMPTY, games))
}

fn report(name: &str, stats: Result<Stats, UnsupportedSize>, start: Instant) {
    match stats {
        Ok(stats) => println!(
            "{name}: {:.2} stones, Black by {:.2} +- {:.2}, {:.0} games a second",
            stats.stones.mean(),
            stats.score.mean(),
            stats.score.standard_error(),
            stats.games as f64 / start.elapsed().as_secs_f64()
        ),
        Err(error) => println!("{name}: {error}"),
    }
}
