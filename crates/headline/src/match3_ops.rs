//! Match-3: all legal swaps of stable 8 x 8 boards of six colours.

use crate::{Against, Operation};
use bitcore::{Isa, Rng, dispatch};
use match3::reference::ColourMasks;
use match3::{Board, Cell, is_stable};

const COUNT: usize = 256;

pub(crate) fn operations() -> Vec<Operation> {
    let boards = boards();
    let masks: Vec<ColourMasks> = boards.iter().map(ColourMasks::new).collect();
    let cells: Vec<[u8; 64]> =
        boards.iter().map(|board| std::array::from_fn(|i| board.cells()[i].byte())).collect();
    vec![Operation {
        name: "match3 swaps 8x8",
        unit: "board",
        units: COUNT as u64,
        against: Against::Seed,
        reference: Box::new(move || masks.iter().map(|masks| masks.swaps().len() as u64).sum()),
        kernel: Box::new(move |level| dispatch!(level, isa => count_swaps_with(isa, &cells))),
    }]
}

#[inline(always)]
fn count_swaps_with<S: Isa>(isa: S, boards: &[[u8; 64]]) -> u64 {
    let mut count = 0;
    for cells in boards {
        let (right, down) = match3::swaps8_with(isa, cells);
        count += u64::from(right.count_ones() + down.count_ones());
    }
    count
}

/// Random boards without a run.
fn boards() -> Vec<Board> {
    let mut rng = Rng::new(4);
    let cells = core::iter::repeat_with(move || 1 + rng.below(6) as u8);
    let mut cells = cells.filter_map(Cell::new);
    core::iter::repeat_with(move || Board::from_cells(8, 8, cells.by_ref().take(64).collect()))
        .map(|board| board.expect("64 cells"))
        .filter(is_stable)
        .take(COUNT)
        .collect()
}
