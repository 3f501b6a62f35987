//! The controllers of simplified Tetris, cell by cell.

use super::values::low_board;
use bitcore::{Level, Rng};
use testkit::Input;
use tetris::Piece;
use tetris_ai::control::{Controller, ControllerWeights, SimplifiedGame};
use tetris_ai::reference::control::choose;

fn controller(input: &Input) -> Controller {
    let weight = || i32::from(input.byte() as i8) * 10;
    let weights = match input.below(3) {
        0 => ControllerWeights::DT20,
        1 => ControllerWeights::DELLACHERIE,
        _ => ControllerWeights {
            landing_height: weight(),
            eroded_cells: weight(),
            row_transitions: weight(),
            column_transitions: weight(),
            holes: weight(),
            cumulative_wells: weight(),
            hole_depth: weight(),
            rows_with_holes: weight(),
            pattern_diversity: weight(),
        },
    };
    Controller { weights, two_piece: input.below(8) == 0 }
}

pub(crate) fn choices(input: &Input) {
    let controller = controller(input);
    let mut board = low_board(input, input.below(21));
    board.clear_lines();
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

pub(crate) fn games(input: &Input) {
    let (mut controller, seed) = (controller(input), input.u64());
    controller.two_piece &= input.flag();
    let portions = input.list(3, || input.below(12) as u64);
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
