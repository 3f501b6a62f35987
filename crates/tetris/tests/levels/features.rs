//! Every feature on every level against its cell-by-cell definition.

use bitcore::{Level, Rng};
use tetris::board::{HEIGHT, WIDTH};
use tetris::reference::{features, naive};
use tetris::{Board, Features, Orientation, Piece};

/// Columns of mixed density up to any height, often with full rows, sometimes with a flat or stepped top.
fn board(rng: &mut Rng) -> Board {
    // Half of them low: below 16 rows, columns are packed.
    let most = [HEIGHT as u32, 16][rng.below(2) as usize];
    let field = (1u64 << rng.below(most + 1)) - 1;
    let density = rng.below(5);
    let full = (0..rng.below(5)).fold(0u64, |full, _| full | 1 << rng.below(HEIGHT as u32)) & field;
    let columns: [u64; WIDTH] = std::array::from_fn(|_| {
        let (a, b) = (rng.next_u64(), rng.next_u64());
        let cells = match density {
            0 => a & b,
            1 => a,
            2 => a | b,
            3 => a | b | rng.next_u64(),
            _ => (1 << rng.below(9)) - 1,
        };
        (cells | full) & field
    });
    Board::from_columns(columns).unwrap()
}

fn every_feature(level: Level, seed: u64) {
    let mut rng = Rng::new(seed);
    let board = board(&mut rng);
    let expected = features::features(&board);
    assert_eq!(board.features_on(level), expected, "{board}");
    let mut all = [Features::default(); 2];
    Board::features_all_on(level, &[board, Board::EMPTY], &mut all);
    assert_eq!(all, [expected, Board::EMPTY.features()], "{board}");
    // One by one, outside a kernel.
    assert_eq!(board.heights(), expected.heights);
    assert_eq!((board.max_height(), board.filled_cells()), (expected.max_height, expected.filled_cells));
    assert_eq!((board.holes(), board.hole_depth()), (expected.holes, expected.hole_depth));
    assert_eq!(board.rows_with_holes(), expected.rows_with_holes);
    assert_eq!(board.row_transitions(), expected.row_transitions);
    assert_eq!(board.column_transitions(), expected.column_transitions);
    assert_eq!(board.cumulative_wells(), expected.cumulative_wells);
    assert_eq!(board.well_depths(), expected.well_depths);
    assert_eq!(board.covered_cells(), expected.covered_cells);
    assert_eq!(board.bumpiness(), expected.bumpiness);
    assert_eq!(board.pattern_diversity(), expected.pattern_diversity);
    // A piece where it fits.
    let piece = Piece::ALL[rng.below(7) as usize];
    let orientation = Orientation::ALL[rng.below(4) as usize];
    let at = tetris::Location { piece, orientation, x: rng.below(10) as i8, y: rng.below(42) as i8 };
    let rows = at.cells().map(|(_, y)| y);
    let ends = (rows.iter().min().unwrap(), rows.iter().max().unwrap());
    assert_eq!(at.landing_height_twice(), ends.0 + ends.1, "{at}");
    if let Some(placed) = naive::place(&board, at) {
        assert_eq!(placed.eroded_cells(at), features::eroded_cells(&placed, at), "{at} in\n{placed}");
    }
}

#[test]
fn features_are_those_of_the_definitions() {
    let _ = testkit::levels();
    testkit::seeds(20_000, |seed| {
        for level in Level::all() {
            every_feature(level, seed);
        }
    });
}

#[test]
fn eroded_cells_are_those_that_go() {
    let mut rng = Rng::new(5);
    let mut eroded = 0;
    for _ in 0..testkit::cases(2_000) {
        // A stack whose full rows lack only the cells of the piece.
        let piece = Piece::ALL[rng.below(7) as usize];
        let orientation = Orientation::ALL[rng.below(4) as usize];
        let at =
            tetris::Location { piece, orientation, x: 1 + rng.below(7) as i8, y: 2 + rng.below(30) as i8 };
        let rows = rng.next_u64() & ((1 << HEIGHT) - 1);
        let mut columns = [rows; WIDTH];
        for (x, y) in at.cells() {
            if let Some(column) = columns.get_mut(x as usize) {
                *column &= !(1 << y);
            }
        }
        let gap = Board::from_columns(columns).unwrap();
        let Some(placed) = naive::place(&gap, at) else { continue };
        assert_eq!(placed.eroded_cells(at), features::eroded_cells(&placed, at), "{at} in\n{placed}");
        eroded += placed.eroded_cells(at);
    }
    assert!(eroded > 100, "{eroded}");
}

/// The example in the source of `MDPTetris`, its eight columns between walls.
#[test]
fn wells_as_published() {
    let board: Board =
        ["...X....", "...XX...", ".X.XX...", ".XXXXX.X", ".XXXXX.X", "XXXXX..X", "...XXX.X", "X.X..X.X"]
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
    assert_eq!((empty.row_transitions, empty.column_transitions), (2 * 40, 10));
    assert_eq!((empty.cumulative_wells, empty.covered_cells, empty.max_height), (0, 0, 0));
    let full = Board::from_columns([(1 << HEIGHT) - 1; WIDTH]).unwrap().features();
    assert_eq!((full.row_transitions, full.column_transitions, full.filled_cells), (0, 10, 400));
    assert_eq!((full.hole_depth, full.max_height, full.pattern_diversity), (0, 40, 1));
}
