//! Prints the key presses that spin a T under an overhang, and the board after the lock.

use tetris::movegen::{self, Placements, SpinMode};
use tetris::{Board, Location, Piece, Spin};

fn main() {
    let board: Board = "##........\n#...######\n##.#######".parse().expect("rows of ten cells");
    let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
    let spun = placements
        .iter()
        .find(|placement| placement.spin == Spin::Full)
        .expect("there is a T-slot");
    let keys = movegen::path(&board, spun, SpinMode::TSpins).expect("it is reachable");
    let mut at = Location::spawn(Piece::T);
    let mut spin = Spin::None;
    for key in keys {
        (at, spin) = movegen::apply(&board, at, spin, key, SpinMode::TSpins)
            .expect("every key of a path moves the piece");
        println!("{key}: {at}");
    }
    let mut after = board.place(at).expect("it fits");
    println!("{after}\nspin {spin}, {} lines", after.clear_lines());
}
