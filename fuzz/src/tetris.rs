//! Every type of `tetris` that changes, as a program of operations against its reference on every level.

mod batch;
mod boards;
mod doors;
mod game;
mod placements;
mod real_time;
mod recording;

pub(crate) use doors::doors;
pub(crate) use real_time::real_time;
pub(crate) use recording::recording;

use crate::kit::Input;
use tetris::board::{HEIGHT, WIDTH};
use tetris::{Bag, Board, GameError, Location, Orientation, Piece, Position, Rules};

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(11) {
        0 => boards::board(&input),
        1 => boards::simd_board(&input),
        2 => boards::garbage_queue(&input),
        3 => placements::placements(&input),
        4 => placements::locations(&input),
        5 => placements::keys(&input),
        6 => placements::perft(&input),
        7 => game::bag(&input),
        8 => game::random_game(&input),
        9 => game::game(&input),
        _ => batch::batch(&input),
    }
}

/// Takes a board: a low or a high one, a stack with a few holes, or any.
fn board(input: &Input) -> Board {
    let kind = input.byte();
    let height = input.below(HEIGHT + 1);
    let columns: [u64; WIDTH] = std::array::from_fn(|_| match kind % 4 {
        0 => u64::from(input.byte()),
        1 => (1 << input.below(height + 1)) - 1,
        2 => ((1u64 << height) - 1) & !(u64::from(input.byte()) << input.below(HEIGHT)),
        _ => input.u64() & ((1 << height) - 1),
    });
    Board::from_columns(columns).expect("no bit above the field")
}

fn piece(input: &Input) -> Piece {
    *input.pick(&Piece::ALL)
}

/// Takes a location: in the field or near it, or anywhere.
fn location(input: &Input) -> Location {
    let (piece, orientation) = (piece(input), *input.pick(&Orientation::ALL));
    let (x, y) = (input.byte() as i8, input.byte() as i8);
    if input.flag() {
        Location { piece, orientation, x, y }
    } else {
        Location { piece, orientation, x: x.rem_euclid(14) - 2, y: y.rem_euclid(46) - 3 }
    }
}

/// Takes a board and the first pieces of a queue: the position of a game.
fn position(input: &Input) -> (Vec<Piece>, impl Fn(&[Piece]) -> Position<'_>) {
    let board = if input.flag() { board(input) } else { Board::EMPTY };
    let known = input.list(input.below(18), || piece(input));
    let mut bag = Bag::FULL;
    input.list(input.below(7), || bag.take(piece(input)));
    let hold = input.flag().then(|| piece(input));
    let number = || if input.below(8) == 0 { u32::MAX } else { input.below(4) as u32 };
    let (combo, back_to_back) = (number(), number());
    (known, move |queue| Position { board, queue, hold, bag, combo, back_to_back })
}

/// Checks the refusal of a position, whose queue can only be too long.
fn assert_refused(error: GameError, rules: &Rules, known: &[Piece]) {
    let max = 1 + rules.next.min(15);
    assert_eq!(error, GameError::Queue { max, found: known.len() });
    assert!(known.len() > max);
}
