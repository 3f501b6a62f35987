//! Random play on several board sizes: how long games last and what they score.

use g2048::{Playouts, Size};
use std::time::Instant;

fn main() {
    for (width, height, games) in
        [(2, 2, 100_000), (3, 3, 100_000), (4, 4, 100_000), (5, 5, 1_000), (6, 6, 100)]
    {
        let size = Size::new(width, height).expect("sides from 2 to 8");
        let start = Instant::now();
        let stats = Playouts::new(size, 1).play(games);
        let speed = stats.moves.sum as f64 / start.elapsed().as_secs_f64();
        println!(
            "{size}: {games} games, score {:.2} ± {:.2}, moves {:.2} ± {:.2}, {:.1} M moves/s",
            stats.score.mean(),
            stats.score.standard_error(),
            stats.moves.mean(),
            stats.moves.standard_error(),
            speed / 1e6,
        );
    }
}
