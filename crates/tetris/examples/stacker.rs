//! Plays with a simple evaluation: the hard drop that leaves few holes and a low, flat stack.
//!
//! `cargo run --release -p tetris --example stacker -- 2000`

use std::error::Error;
use tetris::{Board, Piece, Rng, movegen};

/// Returns the cost of a board, lower is better.
fn cost(board: &Board, cleared: u32) -> i32 {
    let heights = board.heights();
    let bumps: u32 = heights.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum();
    let terms = [(51, heights.iter().sum()), (76, board.holes()), (18, bumps), (-76, cleared)];
    terms.iter().map(|&(weight, term)| weight * term as i32).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let pieces: u32 = std::env::args().nth(1).map_or(Ok(500), |number| number.parse())?;
    let mut rng = Rng::new(1);
    let mut board = Board::EMPTY;
    let mut lines = 0;
    for played in 0..pieces {
        let piece = Piece::ALL[rng.below(7) as usize];
        let landings = movegen::hard_drops(&board, piece);
        let after = landings.iter().filter_map(|at| {
            let mut after = board.place(at)?;
            let cleared = after.clear_lines();
            Some((after, cleared))
        });
        let Some((next, cleared)) = after.min_by_key(|(after, cleared)| cost(after, *cleared))
        else {
            println!("the spawn was blocked after {played} pieces");
            break;
        };
        (board, lines) = (next, lines + cleared);
    }
    println!("{board}\n{lines} lines");
    Ok(())
}
