//! Plays random games from the empty board:
//! `cargo run --release -p go-mc --example playouts -- 9 20000`
//!
//! Plays the games of each policy with its fastest kernel, then light playouts one at a time.

use go_mc::playout::SequentialPlayouts;
use go_mc::{Playouts, Position, Rules, Size, Stats, Suicide};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map_while(|text| text.parse().ok());
    let side = numbers.next().unwrap_or(9);
    let games = numbers.next().unwrap_or(20_000);
    let size = Size::square(side as usize).ok_or("expected a size from 1 to 19")?;
    for suicide in [Suicide::Forbidden, Suicide::Multi, Suicide::All] {
        let mut playouts = Playouts::new(Rules { size, suicide, ..Rules::default() }, 1)?;
        let start = Instant::now();
        report(&format!("suicide {suicide}"), &playouts.play(games), start);
    }
    for suicide in [Suicide::Forbidden, Suicide::Multi] {
        let start = Instant::now();
        let stats = match side {
            5 => sequential::<5>(suicide, games),
            9 => sequential::<9>(suicide, games),
            13 => sequential::<13>(suicide, games),
            _ => sequential::<19>(suicide, games),
        };
        let stats = stats.ok_or("no light playouts with all suicide")?;
        report(&format!("suicide {suicide}, sequential"), &stats, start);
    }
    Ok(())
}

fn sequential<const N: usize>(suicide: Suicide, games: u64) -> Option<Stats> {
    Some(SequentialPlayouts::<N>::new(suicide.into(), 1)?.play(&Position::EMPTY, games))
}

fn report(name: &str, stats: &Stats, start: Instant) {
    println!(
        "{name}: {:.2} stones, Black by {:.2} +- {:.2}, {:.0} games per second",
        stats.stones.mean(),
        stats.score.mean(),
        stats.score.standard_error(),
        stats.games as f64 / start.elapsed().as_secs_f64()
    );
}
