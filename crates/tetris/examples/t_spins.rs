//! Lists the T-spins of a board, full and mini, with the lines cleared by each.
//!
//! `cargo run --release -p tetris --example t_spins -- 3f,3f,1f,7,1,0,d,1f,3f,ff`

use std::error::Error;
use tetris::{Board, Game, Piece, Position, Rng, Rules, Spin};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1);
    let board: Board = text.as_deref().unwrap_or("3f,3f,1f,7,1,0,d,1f,3f,ff").parse()?;
    let rules = Rules { hold: false, ..Rules::default() };
    let mut rng = Rng::new(1);
    let position = Position { board, queue: &[Piece::T], ..Position::default() };
    let game = Game::from_position(rules, position, &mut rng)?;
    println!("{board}");
    for spin in [Spin::Full, Spin::Mini] {
        for turn in game.legal_moves().into_iter().filter(|turn| turn.placement.spin == spin) {
            let result = game.clone().play(turn, &mut rng)?;
            println!("\n{turn}: {} lines, {} sent", result.clear.lines, result.attack);
            let cells = turn.placement.at.cells();
            for y in (0..board.max_height().max(1) as i32).rev() {
                let letter = |x| match (cells.contains(&(x, y)), board.occupied(x, y)) {
                    (true, _) => 'T',
                    (_, true) => '#',
                    _ => '.',
                };
                println!("{}", (0..10).map(letter).collect::<String>());
            }
        }
    }
    Ok(())
}
