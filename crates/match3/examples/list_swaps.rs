//! Lists the legal swaps of a board, then prints the same swaps as masks.

use match3::{Board, Board8, swaps};

fn main() -> Result<(), Box<dyn std::error::Error>> {
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
    let found = Board8::<3>::try_from(&board)?.swaps();
    println!("as masks: right {:#018x}, down {:#018x}", found.right.words(), found.down.words());
    Ok(())
}
