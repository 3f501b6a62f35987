//! Features of single boards. `properties::boards` compares every feature with its definition.

use tetris::Board;
use tetris::reference::features;

/// The example in the source of `MDPTetris`, its eight columns between walls.
#[test]
fn wells_as_published() {
    let board: Board = [
        "...X....", "...XX...", ".X.XX...", ".XXXXX.X", ".XXXXX.X", "XXXXX..X", "...XXX.X",
        "X.X..X.X",
    ]
    .map(|row| format!("{}##", row.replace('X', "#")))
    .join("\n")
    .parse()
    .unwrap();
    assert_eq!(board.cumulative_wells(), 6 + 1 + 1 + 12);
    assert_eq!(features::features(&board).cumulative_wells, 20);
}

#[test]
fn an_empty_and_a_full_field() {
    let empty = Board::EMPTY.features();
    assert_eq!(empty.row_transitions, 2 * 40);
    assert_eq!(empty.column_transitions, 10);
    assert_eq!(empty.cumulative_wells, 0);
    assert_eq!(empty.covered_cells, 0);
    assert_eq!(empty.max_height, 0);
    let full = Board::try_from([(1 << Board::HEIGHT) - 1; Board::WIDTH]).unwrap().features();
    assert_eq!(full.row_transitions, 0);
    assert_eq!(full.column_transitions, 10);
    assert_eq!(full.filled_cells, 400);
    assert_eq!(full.hole_depth, 0);
    assert_eq!(full.max_height, 40);
    assert_eq!(full.pattern_diversity, 1);
}
