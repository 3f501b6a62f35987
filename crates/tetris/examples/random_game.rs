//! Plays a game of uniformly random legal moves, and prints the lines sent by each clear.
//!
//! `cargo run --release -p tetris --example random_game -- 3`

use std::error::Error;
use tetris::{Game, Piece, Queue, Rng, Rules, Spin};

fn main() -> Result<(), Box<dyn Error>> {
    let seed: u64 = std::env::args().nth(1).map_or(Ok(1), |number| number.parse())?;
    let mut rng = Rng::new(seed);
    let mut game = Game::new(Rules::default(), &mut rng);
    while !game.is_over() {
        let moves = game.legal_moves();
        let turn = moves[rng.below(moves.len() as u32) as usize];
        let queue = Queue(game.next().to_vec());
        let held = game.held().map_or('-', Piece::letter);
        let result = game.play(turn, &mut rng)?;
        println!("hold {held}, next {queue}: {turn}, one of {}", moves.len());
        let clear = result.clear;
        if clear.lines > 0 || clear.spin != Spin::None {
            let spin = if clear.spin == Spin::None {
                String::new()
            } else {
                format!("T-spin {}, ", clear.spin)
            };
            println!(
                "    {spin}{} lines, combo {}, {} sent",
                clear.lines, clear.combo, result.sent
            );
        }
    }
    println!("{}", game.board());
    if let Some(over) = game.top_out() {
        println!("{over} after {} pieces", game.pieces());
    }
    Ok(())
}
