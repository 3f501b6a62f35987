//! Plays moves from the command line on a 5 x 5 board:
//! `cargo run -p go-mc --example play_moves -- C3 C2 pass D3 B3`

use go_mc::{Game, Move, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(Rules { size: "5x5".parse()?, ..Rules::default() });
    for text in std::env::args().skip(1) {
        let player = game.to_move();
        game.play(text.parse::<Move>()?)?;
        println!("{player} {text}\n{}", game.board());
    }
    let [black, white] = game.board().area();
    println!("area: Black {black}, White {white}");
    Ok(())
}
