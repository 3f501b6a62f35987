//! Shuffles and deals of boards that rarely occur at random: dead, hopeless, crowded.
//! `properties::arrangements` tries all orders of the pieces of small boards.

use crate::properties::arrangements::{dealt, shuffled};
use crate::properties::values::color;
use bitcore::Rng;
use match3::special::SpecialBoard;
use match3::{Board, Error, deal, has_swap, is_stable, shuffle, swaps};
use std::collections::{BTreeMap, BTreeSet};

/// Creates a full board from the colors of its cells, by row.
fn full(width: usize, height: usize, number: impl Fn(usize) -> u8) -> Board {
    let cells = (0..width * height).map(|at| color(number(at))).collect();
    Board::from_cells(width, height, cells).expect("a size")
}

/// Shuffles a board with five seeds and expects an arrangement from each, or from none.
fn expect(board: &Board, exists: bool) {
    for seed in 0..5 {
        let special = SpecialBoard::from(board.clone());
        let after = shuffled(&special, seed);
        assert_eq!(is_stable(after.board()) && has_swap(after.board()), exists, "{board}");
    }
}

#[test]
fn dead_boards() {
    for (width, height) in [(5, 5), (8, 8), (16, 16), (64, 64), (64, 3), (3, 64)] {
        // Equal colors are a knight's move apart, never two of them within reach of one swap.
        let board = full(width, height, |at| 1 + ((at % width + 2 * (at / width)) % 5) as u8);
        assert!(is_stable(&board) && !has_swap(&board));
        expect(&board, true);
    }
    for (text, exists) in [
        // With locks.
        ("1!12\n!221\n1!12", true),
        // A locked run stays, so no arrangement is stable.
        ("!1!1!123\n23112", false),
        // Islands: no swap reaches a third piece.
        ("11#22\n##.##\n11#22", false),
        // Only two pieces of each color.
        ("1234\n5678\n1234\n5678", false),
        ("....\n####", false),
    ] {
        expect(&text.parse().expect("a board"), exists);
    }
}

#[test]
fn rare_and_crowded_colors() {
    // One color has three pieces, all others have two: a swap must be put in place.
    let lonely = |at: usize| if at < 3 { 1 } else { 2 + (at as u8 - 3) / 2 };
    // Far more runs than random orders can avoid: few colors, large boards, one color on half of
    // the cells.
    let half = |at: usize| if at.is_multiple_of(2) { 1 } else { 2 + (at / 2 % 5) as u8 };
    expect(&full(8, 8, lonely), true);
    expect(&full(64, 64, |at| 1 + (at % 3) as u8), true);
    expect(&full(12, 12, |at| 1 + (at % 2) as u8), true);
    expect(&full(32, 32, half), true);
    // The three must meet in the only place where a swap has any effect: there are 67 isolated
    // cells and a row of four below them.
    let mut islands = Board::new(20, 15).expect("a size");
    let singles = (0..67).map(|i| (i % 10 * 2, i / 10 * 2));
    for (at, (x, y)) in singles.chain((0..4).map(|x| (x, 14))).enumerate() {
        islands[(x, y)] = color(lonely(at));
    }
    expect(&islands, true);
    // More pieces of a color than can be kept apart. Any error will do, but the search must end.
    let mut crowded = full(64, 64, |at| if at.is_multiple_of(10) { 2 } else { 1 });
    let before = crowded.clone();
    assert!(shuffle(&mut crowded, &mut Rng::new(1)).is_err());
    assert_eq!(crowded, before);
}

#[test]
fn orders_are_equally_likely() {
    let start: Board = "234111".parse().expect("a board");
    let mut rng = Rng::new(9);
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..20_000 {
        let mut board = start.clone();
        shuffle(&mut board, &mut rng).expect("an order");
        *found.entry(board.to_string()).or_default() += 1;
    }
    // 1 1 x 1 and 1 x 1 1, each in three positions, with six orders of the other three colors.
    assert_eq!(found.len(), 36);
    // Each is expected 556 times; five standard deviations are 117.
    assert!(found.values().all(|n| n.abs_diff(556) < 117), "{found:?}");
}

#[test]
fn deals() {
    for (width, height) in [(3, 2), (2, 3), (4, 1), (1, 4), (3, 3), (8, 8), (64, 64)] {
        for colors in [2, 3, 5, 35] {
            assert!(dealt(width, height, colors, 3).is_ok(), "{width} x {height}, {colors} colors");
        }
    }
    let none = || Error::NoneExists;
    let size = |width, height| Error::Size { width, height, longest: 64 };
    for (width, height, colors, expected) in [
        (2, 2, 6, none()),
        (3, 1, 6, none()),
        (1, 1, 1, none()),
        (8, 8, 1, none()),
        (64, 64, 1, none()),
        (0, 8, 6, size(0, 8)),
        (usize::MAX, 8, 6, size(usize::MAX, 8)),
        (8, 8, 0, Error::Colors { found: 0, least: 1, largest: 35 }),
        (8, 8, 36, Error::Colors { found: 36, least: 1, largest: 35 }),
    ] {
        assert_eq!(dealt(width, height, colors, 3), Err(expected));
    }
    // Given enough deals, every legal swap of a board of 4 x 1 with two colors turns up.
    let mut rng = Rng::new(3);
    let mut seen = BTreeSet::new();
    for _ in 0..500 {
        let board = deal(4, 1, 2, &mut rng).expect("a board");
        assert_eq!(swaps(&board).len(), 1);
        seen.insert(board.to_string());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["1121", "1211", "2122", "2212"]);
}
