//! Random boards.

use bitcore::Rng;
use match3::{Board, Cell};

/// A random board of colors 1..=`colors` with empty, blocked and locked cells in the given shares (percent).
pub(crate) fn mixed(
    rng: &mut Rng,
    (width, height): (usize, usize),
    colors: u32,
    [empty, blocked, locked]: [u32; 3],
) -> Board {
    let cells = (0..width * height).map(|_| {
        let cell = Cell::new(1 + rng.below(colors) as u8).expect("a color");
        match rng.below(100) {
            p if p < empty => Cell::EMPTY,
            p if p < empty + blocked => Cell::BLOCKED,
            p if p < empty + blocked + locked => cell.locked(),
            _ => cell,
        }
    });
    Board::from_cells(width, height, cells.collect()).expect("sides in range")
}

/// A random board of any size, with holes and locks in changing shares.
pub(crate) fn any(rng: &mut Rng, colors: u32) -> Board {
    let longest = [3, 9, 9, 16, 64][rng.below(5) as usize];
    let size = (1 + rng.below(longest) as usize, 1 + rng.below(longest) as usize);
    let shares = [rng.below(30), rng.below(15), rng.below(30)];
    mixed(rng, size, colors, shares)
}

/// The cells of a board as (x, y), by row.
pub(crate) fn cells(board: &Board) -> impl Iterator<Item = (usize, usize)> + use<> {
    let width = board.width();
    (0..width * board.height()).map(move |at| (at % width, at / width))
}
