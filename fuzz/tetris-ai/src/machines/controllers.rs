//! The controllers of simplified Tetris, cell by cell.

use bitcore::{Level, Rng};
use fuzzkit::Input;
use tetris::{Board, Piece};
use tetris_ai::control::{Controller, ControllerWeights, SimplifiedGame};
use tetris_ai::reference::control::choose;

fn controller(input: &mut Input) -> Controller {
    let weight = |input: &mut Input| i32::from(input.byte() as i8) * 10;
    let weights = match input.below(3) {
        0 => ControllerWeights::DT20,
        1 => ControllerWeights::DELLACHERIE,
        _ => ControllerWeights {
            landing_height: weight(input),
            eroded_cells: weight(input),
            row_transitions: weight(input),
            column_transitions: weight(input),
            holes: weight(input),
            cumulative_wells: weight(input),
            hole_depth: weight(input),
            rows_with_holes: weight(input),
            pattern_diversity: weight(input),
        },
    };
    Controller { weights, two_piece: input.below(8) == 0 }
}

/// Takes a board of at most 20 rows, often a low one.
fn board(input: &mut Input) -> Board {
    let height = input.below(21);
    let kind = input.byte();
    let columns = std::array::from_fn(|_| match kind % 3 {
        0 => u64::from(input.byte()),
        1 => (1u64 << input.below(height + 1)) - 1,
        _ => u64::from(input.u32()) & ((1 << height) - 1),
    });
    let mut board = Board::from_columns(columns).expect("low columns");
    board.clear_lines();
    board
}

pub(super) fn choices(input: &mut Input) {
    let (controller, mut board) = (controller(input), board(input));
    let steps = if controller.two_piece { 1 } else { 4 };
    for _ in 0..steps {
        let piece = *input.pick(&Piece::ALL);
        let next = input.flag().then(|| *input.pick(&Piece::ALL));
        let expected = choose(&controller, &board, piece, next);
        for level in Level::all() {
            let found = controller.choose_on(level, &board, piece, next);
            assert_eq!(found, expected, "{piece} {next:?}\n{board}");
        }
        let Some(choice) = expected else { return };
        board = board.place(choice.at).expect("the choice fits");
        board.clear_lines();
    }
}

/// Games in portions.
pub(super) fn games(input: &mut Input) {
    let (mut controller, seed) = (controller(input), input.u64());
    controller.two_piece &= input.flag();
    let portions: Vec<u64> = (0..3).map(|_| input.below(12) as u64).collect();
    let mut whole = SimplifiedGame::new(Rng::new(seed));
    let choice = whole.choice(&controller);
    let placed = whole.play(&controller, portions.iter().sum());
    assert_eq!(whole.pieces(), placed);
    for level in Level::all() {
        let mut game = SimplifiedGame::new(Rng::new(seed));
        assert_eq!(game.choice(&controller), choice);
        let placed: u64 = portions.iter().map(|&pieces| game.play_on(level, &controller, pieces)).sum();
        assert_eq!((game.pieces(), &game), (placed, &whole));
    }
    assert_eq!(4 * whole.pieces(), 10 * whole.lines() + u64::from(whole.board().filled_cells()));
}
