//! Every type of `tetris` that changes, as a program of operations against its reference on every level.

mod batch;
mod boards;
mod game;
mod placements;

pub(crate) use boards::garbage;
pub(crate) use game::rules;

use fuzzkit::Input;
use tetris::board::{HEIGHT, WIDTH};
use tetris::{Board, Location, Orientation, Piece};

/// Runs the bytes as a program of one machine, chosen by the first byte.
pub fn machines(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(11) {
        0 => boards::board(&mut input),
        1 => boards::simd_board(&mut input),
        2 => boards::garbage_queue(&mut input),
        3 => placements::placements(&mut input),
        4 => placements::locations(&mut input),
        5 => placements::keys(&mut input),
        6 => placements::perft(&mut input),
        7 => game::bag(&mut input),
        8 => game::random_game(&mut input),
        9 => game::game(&mut input),
        _ => batch::batch(&mut input),
    }
}

/// Takes a board: a low or a high one, a stack with a few holes, or any.
pub(crate) fn board(input: &mut Input) -> Board {
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

pub(crate) fn piece(input: &mut Input) -> Piece {
    *input.pick(&Piece::ALL)
}

/// Takes a location: in the field or near it, or anywhere.
fn location(input: &mut Input) -> Location {
    let (piece, orientation) = (piece(input), *input.pick(&Orientation::ALL));
    let (x, y) = (input.byte() as i8, input.byte() as i8);
    if input.flag() {
        Location { piece, orientation, x, y }
    } else {
        Location { piece, orientation, x: x.rem_euclid(14) - 2, y: y.rem_euclid(46) - 3 }
    }
}
