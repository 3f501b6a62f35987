//! A flat Monte Carlo player: some random games are played after each legal move, and the move with
//! the best mean score is chosen. On 9 x 9, Black plays 64 games per move and White 8.
//!
//! `cargo run --release -p go-mc --example flat_monte_carlo`

use go_mc::{Color, Error, Game, Move, Playouts, Rules};
use std::time::Instant;

fn choose(game: &Game, games: u64, seed: u64) -> Result<Move, Error> {
    let mut best = (f64::NEG_INFINITY, Move::Pass);
    for mv in game.legal_moves() {
        let black_score = Playouts::after_move(game, mv, seed)?.play(games).score.mean();
        let score = if game.to_move() == Color::Black { black_score } else { -black_score };
        // The pass is last: it is chosen if no stone is better.
        if score >= best.0 {
            best = (score, mv);
        }
    }
    Ok(best.1)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut playouts = 0;
    for number in 1..=4 {
        let mut game = Game::new(Rules::default());
        for seed in number << 32.. {
            if game.is_over() {
                break;
            }
            let games = if game.to_move() == Color::Black { 64 } else { 8 };
            playouts += games * (u64::from(game.legal_points().len()) + 1);
            game.play(choose(&game, games, seed)?)?;
        }
        println!("game {number}: {} after {} moves", game.score(), game.moves().count());
    }
    println!("{playouts} random games in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
