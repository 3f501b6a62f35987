//! Lists the legal swaps of a board, and the same swaps through the kernel for 8 x 8 boards.

use match3::swaps::swaps8;
use match3::{Board, swaps};

fn main() -> Result<(), match3::ParseBoardError> {
    let board: Board = "
        1 2 3 4 5 6 1 2
        3 4 5 6 1 2 3 4
        1 2 3 3 5 6 1 2
        3 4 5 6 3 2 3 4
        1 2 3 4 5 6 1 2
        3 4 5 6 1 2 3 4
        1 2 3 4 5 6 1 2
        3 4 5 6 1 2 3 4"
        .parse()?;
    for swap in &swaps(&board) {
        let [a, b] = swap.cells();
        println!("{swap}   exchanges {a:?} and {b:?}");
    }
    let cells = std::array::from_fn(|i| board.cells()[i].byte());
    let (right, down) = swaps8(&cells);
    println!("as masks: right {right:#018x}, down {down:#018x}");
    Ok(())
}
