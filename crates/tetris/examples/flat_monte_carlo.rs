//! A flat Monte Carlo player: plays the move after which random games go on longest.
//!
//! `cargo run --release -p tetris --example flat_monte_carlo -- 64 150`: 64 games a move, 150
//! pieces, in about a second: 51 lines

use std::error::Error;
use tetris::{Game, Playouts, Rng, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().map_or(Ok(64), |number| number.parse())?;
    let pieces: u64 = arguments.next().map_or(Ok(150), |number| number.parse())?;

    let mut rng = Rng::new(1);
    let mut game = Game::new(Rules::default(), &mut rng);
    let mut lines = 0;
    let mut played = 0;
    while !game.is_over() && game.pieces() < pieces {
        let mut best = None;
        for mv in game.legal_moves() {
            // The same seed for all moves: their games differ less by chance.
            let stats = Playouts::after_move(&game, mv, game.pieces())?.play(games);
            played += stats.pieces;
            // Lines are rare in random games, and lead to longer ones.
            let worth = stats.pieces + 30 * stats.lines;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, mv));
            }
        }
        let Some((_, mv)) = best else { break };
        lines += game.play(mv, &mut rng)?.clear.lines;
    }
    println!("{}\n{} pieces, {lines} lines; {played} random pieces", game.board(), game.pieces());
    Ok(())
}
