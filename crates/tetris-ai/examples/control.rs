//! The controller DT-20 plays simplified Tetris:
//! `cargo run --release --example control -- 10000000` plays ten million pieces.

use tetris_ai::Rng;
use tetris_ai::control::{Controller, ControllerWeights, SimplifiedGame};

fn main() -> Result<(), std::num::ParseIntError> {
    let pieces = std::env::args().nth(1).map_or(Ok(20_000), |text| text.parse())?;
    let mut game = SimplifiedGame::new(Rng::new(1));
    game.play(&Controller::new(ControllerWeights::DT20), pieces);
    println!("{}\n{} pieces, {} lines", game.board(), game.pieces(), game.lines());
    Ok(())
}
