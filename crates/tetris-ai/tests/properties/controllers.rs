//! The controllers of simplified Tetris, cell by cell.

use super::values::low_board;
use bitcore::Rng;
use testkit::{Input, on_each_level};
use tetris::Piece;
use tetris_ai::control::reference::choose;
use tetris_ai::control::{Controller, ControllerWeights, SimplifiedGame};

fn controller(input: &Input) -> Controller {
    let kind = input.below(12);
    let weights = match kind % 3 {
        0 => ControllerWeights::DT20,
        1 => ControllerWeights::DELLACHERIE,
        _ => {
            let bytes: [u8; 9] = input.bytes();
            // Some use only one weight.
            let alone = usize::from(bytes[0]) % 9;
            let weight =
                |i: usize| if kind < 9 || i == alone { i32::from(bytes[i] as i8) * 10 } else { 0 };
            ControllerWeights {
                landing_height: weight(0),
                eroded_cells: weight(1),
                row_transitions: weight(2),
                column_transitions: weight(3),
                holes: weight(4),
                cumulative_wells: weight(5),
                hole_depth: weight(6),
                rows_with_holes: weight(7),
                pattern_diversity: weight(8),
            }
        }
    };
    Controller { weights, two_piece: input.below(8) < 2 }
}

pub(crate) fn choices(input: &Input) {
    let controller = controller(input);
    // Often high enough that after some drops the next piece has none.
    let height = match input.byte() {
        byte @ 168.. => 16 + usize::from(byte) % 5,
        byte => usize::from(byte) % 21,
    };
    let mut board = low_board(input, height);
    board.clear_lines();
    let steps = if controller.two_piece { 1 } else { 4 };
    for _ in 0..steps {
        let piece = *input.pick(&Piece::ALL);
        let next = input.flag().then(|| *input.pick(&Piece::ALL));
        let expected = choose(&controller, &board, piece, next);
        on_each_level(|| {
            let found = controller.choose(&board, piece, next);
            assert_eq!(found, expected, "{controller:?} {piece} {next:?}\n{board}");
        });
        let Some(choice) = expected else { return };
        board = board.place(choice.at).expect("the choice fits");
        board.clear_lines();
    }
}

pub(crate) fn games(input: &Input) {
    let mut controller = controller(input);
    let seed = input.u64();
    controller.two_piece &= input.flag();
    let portions = input.list(3, || input.below(12) as u64);
    let mut whole = SimplifiedGame::new(Rng::new(seed));
    let choice = whole.choice(&controller);
    let placed = whole.play(&controller, portions.iter().sum());
    assert_eq!(whole.pieces(), placed);
    on_each_level(|| {
        let mut game = SimplifiedGame::new(Rng::new(seed));
        assert_eq!(game.choice(&controller), choice);
        let placed: u64 = portions.iter().map(|&pieces| game.play(&controller, pieces)).sum();
        assert_eq!(game.pieces(), placed);
        assert_eq!(&game, &whole);
    });
    assert_eq!(4 * whole.pieces(), 10 * whole.lines() + u64::from(whole.board().filled_cells()));
    // Piece by piece, the choices equal the reference's.
    let mut game = SimplifiedGame::new(Rng::new(seed));
    for _ in 0..whole.pieces().min(8) {
        let expected = choose(&controller, &game.board(), game.piece(), Some(game.next()));
        assert_eq!(game.choice(&controller), expected);
        let mut after = game.board().place(expected.expect("a drop").at).expect("it fits");
        let lines = game.lines() + u64::from(after.clear_lines());
        game.play(&controller, 1);
        assert_eq!(game.board(), after);
        assert_eq!(game.lines(), lines);
    }
}
