//! Plays the moves of the command line on a 5 x 5 board:
//! `cargo run -p go-mc --example play_moves -- C3 C2 pass D3 B3`

use go_mc::{Game, Ko, Move, Rules, Size, Suicide};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules { ko: Ko::Positional, suicide: Suicide::Forbidden };
    let mut game = Game::new(Size::new(5, 5).ok_or("a size from 1 to 19")?, rules);
    for text in std::env::args().skip(1) {
        let player = game.to_move();
        game.play(text.parse::<Move>()?)?;
        println!("{player} {text}\n{}", game.board());
    }
    let [black, white] = game.board().area();
    println!("area: Black {black}, White {white}");
    Ok(())
}
