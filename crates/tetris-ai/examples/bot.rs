//! The bot plays a solo game: `cargo run --release --example bot -- 100 20000` plays 100 pieces and
//! searches 20,000 nodes per piece.

use std::env::args;
use tetris::{Game, Rng, Rules};
use tetris_ai::{Bot, Player};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = |i, default| args().nth(i).map_or(Ok(default), |text| text.parse::<u64>());
    let pieces = argument(1, 50)?;
    let nodes = argument(2, 2_000)?;
    let mut rng = Rng::new(1);
    let mut game = Game::new(Rules::default(), &mut rng);
    let mut bot = Bot { nodes, ..Bot::default() };
    let mut attack = 0;
    while game.pieces() < pieces {
        let Some(mv) = bot.choose(&game) else { break };
        attack += game.play(mv, &mut rng)?.attack;
    }
    println!("{}\n{} pieces, {attack} lines sent", game.board(), game.pieces());
    Ok(())
}
