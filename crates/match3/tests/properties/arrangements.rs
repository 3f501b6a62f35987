//! Shuffles and deals of boards with and without special pieces, against all orders of the pieces.

use super::plain::{At, Piece, Plain, cells};
use super::values::{any_board, with_specials};
use bitcore::Rng;
use match3::special::{Special, SpecialBoard};
use match3::{Board, Error, deal, redeal, shuffle};
use testkit::Input;

pub(crate) fn run(input: &Input) {
    // Few colors only on boards where they can be kept apart or all orders can be tried.
    let (longest, least) = match input.byte() {
        0..=219 => (4, 2),
        220..=249 => (9, 4),
        _ => (20, 5),
    };
    let colors = least + input.below(6) as u8;
    let percent = [0, 0, 10, 30][input.below(4)];
    let seed = u64::from(input.u16());
    let board = with_specials(any_board(input, longest, colors.into()), percent, seed);
    shuffled(&board, seed);
    dealt_again(&board, colors, seed);
    let width = board.board().width();
    let height = board.board().height();
    let _ = dealt(width, height, colors, seed);
}

fn try_orders(board: &mut Plain, places: &[At], left: &mut [(Piece, usize)]) -> bool {
    let Some((&at, places)) = places.split_first() else { return board.is_good() };
    (0..left.len()).any(|kind| {
        let (piece, count) = left[kind];
        if count == 0 {
            return false;
        }
        left[kind].1 -= 1;
        board.put(at, piece);
        let found = try_orders(board, places, left);
        left[kind].1 += 1;
        found
    })
}

/// Returns whether some order of the unlocked pieces is good, or `None` if there are too many
/// orders to try.
fn some_order_is_good(board: &Plain) -> Option<bool> {
    let places: Vec<At> =
        cells(&board.board).filter(|&(x, y)| board.board[(x, y)].is_swappable()).collect();
    let mut left = Vec::<(Piece, usize)>::new();
    let mut orders = 1;
    for (before, &at) in places.iter().enumerate() {
        let piece = board.piece(at);
        let kind = left.iter().position(|(other, _)| *other == piece).unwrap_or(left.len());
        if kind == left.len() {
            left.push((piece, 0));
        }
        left[kind].1 += 1;
        // Adding a piece to n others multiplies the orders by n + 1 and divides them by the new
        // size of its kind.
        orders = orders * (before + 1) / left[kind].1;
        if orders > 2000 {
            return None;
        }
    }
    Some(try_orders(&mut board.clone(), &places, &mut left))
}

/// Shuffles a board with and without its special pieces.
pub(crate) fn shuffled(board: &SpecialBoard, seed: u64) -> SpecialBoard {
    let mut after = board.clone();
    let result = after.shuffle(&mut Rng::new(seed));
    let start = Plain::of(board);
    let end = Plain::of(&after);
    if result.is_ok() {
        assert!(end.is_good(), "{start:?}\n{end:?}");
        let sorted = |board: &Plain| {
            let key = |(cell, kind): Piece| (cell, kind.map(Special::name));
            let mut pieces: Vec<_> = cells(&board.board).map(|at| key(board.piece(at))).collect();
            pieces.sort_unstable();
            pieces
        };
        assert_eq!(sorted(&start), sorted(&end));
        for at in cells(&start.board).filter(|&(x, y)| !start.board[(x, y)].is_swappable()) {
            assert_eq!(start.piece(at), end.piece(at));
        }
    } else {
        assert_eq!(after, *board, "a refused shuffle changes nothing");
    }
    if let Some(exists) = some_order_is_good(&start) {
        assert_eq!(result, if exists { Ok(()) } else { Err(Error::NoneExists) }, "{start:?}");
    }

    let mut plain = start.board.clone();
    let mut same = SpecialBoard::from(start.board);
    let [mut one, mut two] = [(); 2].map(|()| Rng::new(seed));
    assert_eq!(shuffle(&mut plain, &mut one), same.shuffle(&mut two));
    assert_eq!(&plain, same.board());
    assert_eq!(one, two);
    after
}

/// Redeals a board with and without its special pieces.
pub(crate) fn dealt_again(board: &SpecialBoard, colors: u8, seed: u64) -> SpecialBoard {
    let mut after = board.clone();
    let result = after.redeal(colors, &mut Rng::new(seed));
    let start = Plain::of(board);
    let end = Plain::of(&after);
    if result.is_ok() {
        assert!(end.is_good() && start.kinds == end.kinds, "{start:?}\n{end:?}");
        for (old, new) in start.board.cells().iter().zip(end.board.cells()) {
            assert_eq!(old.is_hole(), new.is_hole());
            assert_eq!(old.is_locked(), new.is_locked());
            assert!(if old.is_hole() { old == new } else { new.color() <= Some(colors) });
        }
    } else {
        assert_eq!(after, *board, "a refused deal changes nothing");
        if start.board.cells().len() <= 12 {
            assert_eq!(result, Err(Error::NoneExists));
        }
    }

    let mut plain = start.board.clone();
    let mut same = SpecialBoard::from(start.board);
    let [mut one, mut two] = [(); 2].map(|()| Rng::new(seed));
    assert_eq!(redeal(&mut plain, colors, &mut one), same.redeal(colors, &mut two));
    assert_eq!(&plain, same.board());
    assert_eq!(one, two);
    after
}

pub(crate) fn dealt(width: usize, height: usize, colors: u8, seed: u64) -> Result<Board, Error> {
    let [mut one, mut two] = [(); 2].map(|()| Rng::new(seed));
    let found = deal(width, height, colors, &mut one);
    let special = SpecialBoard::deal(width, height, colors, &mut two);
    assert_eq!(special, found.clone().map(SpecialBoard::from));
    assert_eq!(one, two);
    if let Ok(board) = &found {
        assert_eq!(board.width(), width);
        assert_eq!(board.height(), height);
        assert!(Plain::of(&SpecialBoard::from(board.clone())).is_good(), "\n{board}");
        assert!(
            board.cells().iter().all(|cell| cell.is_swappable() && cell.color() <= Some(colors))
        );
    }
    found
}
