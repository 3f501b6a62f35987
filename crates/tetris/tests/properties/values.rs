//! What the targets of a game take from their input.

use testkit::Input;
use tetris::attack::AttackTable;
use tetris::board::{HEIGHT, WIDTH};
use tetris::garbage::GarbageTiming;
use tetris::{Bag, Board, GameError, Location, Orientation, Piece, Position, Rules};

/// Takes a board: a low or a high one, a stack with a few holes, or any.
pub(crate) fn board(input: &Input) -> Board {
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

pub(crate) fn piece(input: &Input) -> Piece {
    *input.pick(&Piece::ALL)
}

/// Takes a location: in the field or near it, or anywhere.
pub(crate) fn location(input: &Input) -> Location {
    let (piece, orientation) = (piece(input), *input.pick(&Orientation::ALL));
    let (x, y) = (input.byte() as i8, input.byte() as i8);
    if input.flag() {
        Location { piece, orientation, x, y }
    } else {
        Location { piece, orientation, x: x.rem_euclid(14) - 2, y: y.rem_euclid(46) - 3 }
    }
}

/// Takes a board and the first pieces of a queue: the position of a game.
pub(crate) fn position(input: &Input) -> (Vec<Piece>, impl Fn(&[Piece]) -> Position<'_>) {
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
pub(crate) fn assert_refused(error: GameError, rules: &Rules, known: &[Piece]) {
    let max = 1 + rules.next.min(15);
    assert_eq!(error, GameError::Queue { max, found: known.len() });
    assert!(known.len() > max);
}

/// Takes the rules of a game.
pub(crate) fn rules(input: &Input) -> Rules {
    let timings =
        [GarbageTiming::AfterNonClearingLock, GarbageTiming::AfterEveryLock, GarbageTiming::Immediate];
    let mut attack = AttackTable::GUIDELINE;
    if input.flag() {
        attack.plain = std::array::from_fn(|_| input.byte());
        attack.combo[1] = input.byte();
    }
    Rules {
        next: if input.below(8) == 0 { input.size() } else { input.below(7) },
        hold: input.flag(),
        attack,
        garbage_timing: *input.pick(&timings),
        cancel: input.flag(),
        garbage_cap: if input.flag() { u32::MAX } else { input.below(4) as u32 },
        second_spawn_row: input.flag(),
    }
}
