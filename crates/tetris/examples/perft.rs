//! Counts the ways to lock a queue: by hard drops only, by all placements, and by placements with
//! T-spins classified.
//!
//! `cargo run --release -p tetris --example perft -- IOTL 3f,3f,1f,7,1,0,d,1f,3f,ff`

use std::error::Error;
use tetris::movegen::SpinMode;
use tetris::reference::naive::{self, Rules};
use tetris::{Board, Queue, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let queue: Queue = arguments.next().as_deref().unwrap_or("IOLJ").parse()?;
    let board: Board = arguments.next().map_or(Ok(Board::EMPTY), |columns| columns.parse())?;
    println!("{board}");
    println!("queue      hard drops   all (SRS)  with spins");
    for depth in 1..=queue.len() {
        let queue = Queue(queue[..depth].to_vec());
        let all = naive::perft(&board, &queue, Rules::default());
        let spins =
            naive::perft(&board, &queue, Rules { spin_mode: SpinMode::TSpins, ..Rules::default() });
        println!("{queue:<8} {:>12} {all:>11} {spins:>11}", perft::hard_drops(&board, &queue));
    }
    Ok(())
}
