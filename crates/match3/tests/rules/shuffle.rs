//! Shuffles and deals against brute force over all arrangements.

use crate::common;
use bitcore::Rng;
use match3::board::BoardError;
use match3::reference::naive;
use match3::runs::is_stable;
use match3::shuffle::{DealError, ShuffleError, redeal};
use match3::{Board, Cell, deal, has_swap, shuffle, swaps};
use std::collections::BTreeMap;

/// Stable, with a legal swap: by the plain twins.
fn is_good(board: &Board) -> bool {
    naive::matched(board).iter().all(|&row| row == 0) && !naive::swaps(board).is_empty()
}

/// Returns whether `after` has the unlocked pieces of `before`, and all else where it was.
fn is_arrangement(before: &Board, after: &Board) -> bool {
    let pieces = |board: &Board| {
        let mut pieces: Vec<Cell> =
            board.cells().iter().copied().filter(|cell| cell.is_swappable()).collect();
        pieces.sort_unstable();
        pieces
    };
    let stays = |(a, b): (&Cell, &Cell)| a == b || (a.is_swappable() && b.is_swappable());
    before.width() == after.width()
        && before.cells().iter().zip(after.cells()).all(stays)
        && pieces(before) == pieces(after)
}

/// Returns whether some order of the pieces is good, by trying all distinct orders.
fn some_order_is_good(
    board: &mut Board,
    places: &[(usize, usize)],
    left: &mut BTreeMap<Cell, usize>,
) -> bool {
    let Some((&(x, y), rest)) = places.split_first() else { return is_good(board) };
    let kinds: Vec<Cell> = left.iter().filter(|&(_, &n)| n > 0).map(|(&cell, _)| cell).collect();
    kinds.into_iter().any(|cell| {
        *left.entry(cell).or_default() -= 1;
        board.set(x, y, cell);
        let found = some_order_is_good(board, rest, left);
        *left.entry(cell).or_default() += 1;
        found
    })
}

fn expect(board: &Board, exists: bool, rng: &mut Rng) {
    let mut after = board.clone();
    match shuffle(&mut after, rng) {
        Ok(()) => {
            assert!(exists, "{board}\nbecame\n{after}");
            assert!(is_good(&after) && is_arrangement(board, &after), "{board}\nbecame\n{after}");
        }
        Err(error) => {
            assert_eq!(error, ShuffleError::NoneExists, "{board}");
            assert!(!exists, "{board}");
            assert_eq!(&after, board, "a refused shuffle changes nothing");
        }
    }
}

#[test]
fn all_3x3_boards_of_3_colors() {
    let board_of = |mut n: usize| {
        let cells = (0..9).map(|_| (Cell::new(1 + (n % 3) as u8).unwrap(), n /= 3).0).collect();
        Board::from_cells(3, 3, cells).unwrap()
    };
    let counts = |board: &Board| {
        [1, 2].map(|color| board.cells().iter().filter(|cell| cell.color() == Some(color)).count())
    };
    // Which numbers of pieces have a good arrangement.
    let mut exists: BTreeMap<[usize; 2], bool> = BTreeMap::new();
    for n in 0..19683 {
        let board = board_of(n);
        *exists.entry(counts(&board)).or_default() |= is_good(&board);
    }
    assert_eq!(exists.len(), 55);
    assert!(exists.values().any(|&exists| exists) && exists.values().any(|&exists| !exists));
    let mut rng = Rng::new(5);
    // Every board natively; an emulator takes every 50th.
    let step = (19683 / testkit::cases(19683).min(19683)) as usize;
    for n in (0..19683).step_by(step) {
        let board = board_of(n);
        expect(&board, exists[&counts(&board)], &mut rng);
    }
}

#[test]
fn small_boards_with_holes_and_locks() {
    testkit::seeds(6_000, |seed| {
        let mut rng = Rng::new(seed);
        let size = [(3, 3), (3, 3), (9, 1), (2, 4), (4, 2), (1, 7), (3, 2), (3, 4)][rng.below(8) as usize];
        let colors = 2 + rng.below(4);
        let shares = [rng.below(30), rng.below(20), rng.below(50)];
        let board = common::mixed(&mut rng, size, colors, shares);
        let places: Vec<_> = common::cells(&board).filter(|&(x, y)| board.get(x, y).is_swappable()).collect();
        if places.len() > 8 {
            // Too many orders for the definition.
            return;
        }
        let mut left = BTreeMap::new();
        for &(x, y) in &places {
            *left.entry(board.get(x, y)).or_default() += 1;
        }
        let exists = some_order_is_good(&mut board.clone(), &places, &mut left);
        expect(&board, exists, &mut rng);
    });
}

/// A dead board: equal colors lie a knight's move apart, never two of them within reach of one swap.
fn dead(width: usize, height: usize) -> Board {
    let cells =
        (0..width * height).map(|at| Cell::new(1 + ((at % width + 2 * (at / width)) % 5) as u8).unwrap());
    Board::from_cells(width, height, cells.collect()).unwrap()
}

#[test]
fn dead_boards() {
    for (width, height) in [(5, 5), (8, 8), (16, 16), (64, 64), (64, 3), (3, 64)] {
        let board = dead(width, height);
        assert!(is_stable(&board) && !has_swap(&board));
        for seed in 0..5 {
            expect(&board, true, &mut Rng::new(seed));
        }
    }
    // With locks.
    let board: Board = "1!12\n!221\n1!12".parse().unwrap();
    expect(&board, some_order(&board), &mut Rng::new(1));
    // A locked run stays, so nothing is stable.
    expect(&"!1!1!123\n23112".parse().unwrap(), false, &mut Rng::new(1));
    // Islands: no swap reaches a third piece.
    expect(&"11#22\n##.##\n11#22".parse().unwrap(), false, &mut Rng::new(1));
    // Two pieces of each color only.
    expect(&"1234\n5678\n1234\n5678".parse().unwrap(), false, &mut Rng::new(1));
    expect(&"....\n####".parse().unwrap(), false, &mut Rng::new(1));
}

fn some_order(board: &Board) -> bool {
    let places: Vec<_> = common::cells(board).filter(|&(x, y)| board.get(x, y).is_swappable()).collect();
    let mut left = BTreeMap::new();
    for &(x, y) in &places {
        *left.entry(board.get(x, y)).or_default() += 1;
    }
    some_order_is_good(&mut board.clone(), &places, &mut left)
}

#[test]
fn rare_and_crowded_colors() {
    // One color has three pieces, all others two: a swap must be put in place.
    let colors = (0..64).map(|i| if i < 3 { 1 } else { 2 + (i - 3) / 2 });
    let cells = colors.map(|color| Cell::new(color).unwrap()).collect();
    let lonely = Board::from_cells(8, 8, cells).unwrap();
    // Far more runs than random orders get rid of: few colors, large boards, one color on half of the cells.
    let board = |width, height, color: &dyn Fn(usize) -> u8| {
        let cells = (0..width * height).map(|i| Cell::new(color(i)).unwrap()).collect();
        Board::from_cells(width, height, cells).unwrap()
    };
    let three = board(64, 64, &|i| 1 + (i % 3) as u8);
    let two = board(12, 12, &|i| 1 + (i % 2) as u8);
    let half = board(32, 32, &|i| if i % 2 == 0 { 1 } else { 2 + (i / 2 % 5) as u8 });
    for start in [lonely, three, two, half] {
        for seed in 0..5 {
            expect(&start, true, &mut Rng::new(seed));
        }
    }
    // The three must meet in the one place where a swap can do anything: 67 single cells, and a row of four
    // below.
    let mut islands = Board::new(20, 15).unwrap();
    let singles = (0..67).map(|i| (i % 10 * 2, i / 10 * 2));
    let colors = (0..71).map(|i| if i < 3 { 1 } else { 2 + (i - 3) / 2 });
    for ((x, y), color) in singles.chain((0..4).map(|x| (x, 14))).zip(colors) {
        islands.set(x, y, Cell::new(color).unwrap());
    }
    for seed in 0..5 {
        expect(&islands, true, &mut Rng::new(seed));
    }
    // More than can be kept apart: every answer but a wrong one, and an end.
    let crowded = board(64, 64, &|i| if i % 10 == 0 { 2 } else { 1 });
    let mut after = crowded.clone();
    assert!(shuffle(&mut after, &mut Rng::new(1)).is_err());
    assert_eq!(after, crowded);
}

#[test]
fn any_board() {
    testkit::seeds(500, |seed| {
        let mut rng = Rng::new(seed);
        let colors = [2, 3, 6, 35][rng.below(4) as usize];
        let board = common::any(&mut rng, colors);
        let (mut one, mut same) = (board.clone(), board.clone());
        let result = shuffle(&mut one, &mut Rng::new(seed));
        assert_eq!(shuffle(&mut same, &mut Rng::new(seed)), result);
        assert_eq!(one, same, "the same generator gives the same board");
        match result {
            Ok(()) => assert!(is_good(&one) && is_arrangement(&board, &one), "{board}\nbecame\n{one}"),
            Err(_) => assert_eq!(one, board),
        }

        let mut dealt = board.clone();
        match redeal(&mut dealt, colors as u8, &mut rng) {
            Ok(()) => {
                assert!(is_good(&dealt), "{dealt}");
                for (old, new) in board.cells().iter().zip(dealt.cells()) {
                    assert_eq!((old.is_hole(), old.is_locked()), (new.is_hole(), new.is_locked()));
                    assert!(old == new || new.color().is_some_and(|c| u32::from(c) <= colors));
                }
            }
            Err(error) => {
                assert_eq!(error, DealError::Arrangement(ShuffleError::NoneExists), "{board}");
                assert_eq!(dealt, board);
            }
        }
    });
}

#[test]
fn orders_are_equally_likely() {
    let start: Board = "234111".parse().unwrap();
    let mut rng = Rng::new(9);
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..20_000 {
        let mut board = start.clone();
        shuffle(&mut board, &mut rng).unwrap();
        *found.entry(board.to_string()).or_default() += 1;
    }
    // 1 1 x 1 and 1 x 1 1, at three places each, with six orders of the other three colors.
    assert_eq!(found.len(), 36);
    // 556 each is expected; five standard deviations are 117.
    assert!(found.values().all(|n| n.abs_diff(556) < 117), "{found:?}");
}

#[test]
fn deals() {
    let mut rng = Rng::new(3);
    for (width, height) in [(3, 2), (2, 3), (4, 1), (1, 4), (3, 3), (8, 8), (64, 64)] {
        for colors in [2, 3, 5, 35] {
            let board = deal(width, height, colors, &mut rng).unwrap();
            assert_eq!((board.width(), board.height()), (width, height));
            assert!(is_good(&board), "{board}");
            assert!(board.cells().iter().all(|cell| cell.is_swappable() && cell.color() <= Some(colors)));
        }
    }
    let none = Err(DealError::Arrangement(ShuffleError::NoneExists));
    for (width, height, colors) in [(2, 2, 6), (3, 1, 6), (1, 1, 1), (8, 8, 1), (64, 64, 1)] {
        assert_eq!(deal(width, height, colors, &mut rng), none, "{width} x {height}");
    }
    assert_eq!(deal(0, 8, 6, &mut rng), Err(DealError::Size(BoardError::Size { width: 0, height: 8 })));
    assert_eq!(
        deal(usize::MAX, 8, 6, &mut rng),
        Err(DealError::Size(BoardError::Size { width: usize::MAX, height: 8 }))
    );
    assert_eq!(deal(8, 8, 0, &mut rng), Err(DealError::Colors { colors: 0 }));
    assert_eq!(deal(8, 8, 36, &mut rng), Err(DealError::Colors { colors: 36 }));
    // Every legal swap of a 1 x 4 board of two colors is found in time.
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..500 {
        let board = deal(4, 1, 2, &mut rng).unwrap();
        assert_eq!(swaps(&board).len(), 1);
        seen.insert(board.to_string());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["1121", "1211", "2122", "2212"]);
}
