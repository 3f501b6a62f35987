//! Random games from the empty board: `cargo run --release -p go-mc --example playouts -- 9 20000`

use go_mc::{Policy, playouts};
use std::time::Instant;

fn main() {
    let mut numbers = std::env::args().skip(1).map_while(|text| text.parse().ok());
    let (size, games) = (numbers.next().unwrap_or(9), numbers.next().unwrap_or(20_000));
    for policy in [Policy::NoSuicide, Policy::MultiSuicide, Policy::FooGo] {
        let start = Instant::now();
        match playouts(size as usize, policy, games, 1) {
            Ok(stats) => println!(
                "{policy:?}: {:.2} stones, Black by {:.2} +- {:.2}, {:.0} games a second",
                stats.stones.mean(),
                stats.score.mean(),
                stats.score.standard_error(),
                games as f64 / start.elapsed().as_secs_f64()
            ),
            Err(error) => println!("{error}"),
        }
    }
}
