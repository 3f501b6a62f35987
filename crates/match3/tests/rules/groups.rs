//! Groups against their definition, cell by cell.

use crate::common;
use bitcore::Rng;
use match3::groups::{Group, Shape, groups, squares};
use match3::runs::matched;
use match3::{Board, Cell};
use std::collections::BTreeSet;

/// Rows of cells sort by row, then by column.
type Cells = BTreeSet<(usize, usize)>;

/// Counts the cells to the left, right, top and bottom of (x, y) that continue its color.
fn arms(board: &Board, x: usize, y: usize) -> [usize; 4] {
    let arm = |dx: isize, dy: isize| {
        let (mut at, mut length) = ((x, y), 0);
        while let (Some(x), Some(y)) = (at.0.checked_add_signed(dx), at.1.checked_add_signed(dy)) {
            if x >= board.width() || y >= board.height() || !board.get(x, y).matches(board.get(at.0, at.1)) {
                break;
            }
            (at, length) = ((x, y), length + 1);
        }
        length
    };
    [arm(-1, 0), arm(1, 0), arm(0, -1), arm(0, 1)]
}

/// Every run as the set of its cells (y, x), joined for as long as two sets meet.
fn by_definition(board: &Board) -> Vec<Cells> {
    let mut sets: Vec<Cells> = Vec::new();
    for (x, y) in common::cells(board).filter(|&(x, y)| !board.get(x, y).is_hole()) {
        let [left, right, up, down] = arms(board, x, y);
        if left == 0 && right >= 2 {
            sets.push((0..=right).map(|d| (y, x + d)).collect());
        }
        if up == 0 && down >= 2 {
            sets.push((0..=down).map(|d| (y + d, x)).collect());
        }
    }
    let meet = |sets: &[Cells]| {
        (0..sets.len())
            .flat_map(|b| (0..b).map(move |a| (a, b)))
            .find(|&(a, b)| !sets[a].is_disjoint(&sets[b]))
    };
    while let Some((a, b)) = meet(&sets) {
        let other = sets.swap_remove(b);
        sets[a].extend(other);
    }
    sets.sort_unstable_by_key(|set| set.first().copied());
    sets
}

/// The shape by the rules in the documentation of `Shape`, from the arms of every cell.
fn shape(board: &Board, cells: &Cells) -> (Shape, usize) {
    let (mut longest, mut ends) = (0, None);
    for &(y, x) in cells {
        let [left, right, up, down] = arms(board, x, y);
        let (across, along) = (left + right + 1, up + down + 1);
        longest = longest.max(across).max(along);
        if across >= 3 && along >= 3 {
            let here = usize::from(left == 0 || right == 0) + usize::from(up == 0 || down == 0);
            ends = Some(ends.map_or(here, |ends: usize| ends.min(here)));
        }
    }
    let shape = match (longest, ends) {
        (5.., _) => Shape::Line5,
        (_, Some(0)) => Shape::Plus,
        (_, Some(1)) => Shape::T,
        (_, Some(_)) => Shape::L,
        (4, None) => Shape::Line4,
        (_, None) => Shape::Line3,
    };
    (shape, longest)
}

#[test]
fn groups_equal_the_definition() {
    testkit::seeds(3_000, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 1 + rng.below(4);
        let board = common::any(&mut rng, colors);
        if board.cells().len() > 400 && colors < 3 {
            // One big tangle: the definition takes too long.
            return;
        }
        let expected = by_definition(&board);
        let found = groups(&board);
        assert_eq!(found.len(), expected.len(), "{board}");
        let mut union = vec![0; board.height()];
        for (group, cells) in found.iter().zip(&expected) {
            assert!(group.cells().iter().map(|&(x, y)| (y, x)).eq(cells.iter().copied()), "{board}");
            assert_eq!((group.shape(), group.longest()), shape(&board, cells), "{board}\n{group:?}");
            for &(x, y) in group.cells() {
                assert_eq!(board.get(x, y).color(), Some(group.color()));
                assert_eq!(union[y] >> x & 1, 0, "a cell in two groups");
                union[y] |= 1u64 << x;
            }
            let mut mixed_up = group.cells().to_vec();
            mixed_up.reverse();
            assert_eq!(Group::new(group.color(), &mixed_up).as_ref(), Some(group));
        }
        assert_eq!(union, matched(&board).words());
    });
}

#[test]
fn squares_equal_the_definition() {
    testkit::seeds(1_000, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 1 + rng.below(4);
        let board = common::any(&mut rng, colors);
        let mut expected = Vec::new();
        for (x, y) in common::cells(&board) {
            let cells = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
            let on_board = x + 1 < board.width() && y + 1 < board.height();
            let colors: BTreeSet<_> =
                cells.iter().filter(|_| on_board).map(|&(x, y)| board.get(x, y).color()).collect();
            if colors.len() == 1 && !colors.contains(&None) {
                expected.push(cells);
            }
        }
        let found = squares(&board);
        assert!(found.iter().map(|group| group.cells().to_vec()).eq(expected.iter().map(|c| c.to_vec())));
        assert!(found.iter().all(|group| (group.shape(), group.longest()) == (Shape::Square, 2)));
    });
}

#[test]
fn shapes_by_hand() {
    let shapes = |board: &str| -> Vec<(Shape, usize)> {
        let board: Board = board.parse().unwrap();
        groups(&board).iter().map(|group| (group.shape(), group.longest())).collect()
    };
    assert_eq!(
        shapes("111.2222.33333\n4444444......."),
        [(Shape::Line3, 3), (Shape::Line4, 4), (Shape::Line5, 5), (Shape::Line5, 7)]
    );
    assert_eq!(shapes("111\n1..\n1.."), [(Shape::L, 3)]);
    assert_eq!(shapes("111\n.1.\n.1."), [(Shape::T, 3)]);
    assert_eq!(shapes(".1.\n111\n.1."), [(Shape::Plus, 3)]);
    // The longer run decides only from five on.
    assert_eq!(shapes("1111\n1...\n1..."), [(Shape::L, 4)]);
    assert_eq!(shapes("11111\n1....\n1...."), [(Shape::Line5, 5)]);
    // Three runs: an L at the left, a T in the middle.
    assert_eq!(shapes("1111\n1.1.\n1.1."), [(Shape::T, 4)]);
    // A full block of three by three: the middle is a crossing inside both.
    assert_eq!(shapes("111\n111\n111"), [(Shape::Plus, 3)]);
    // Two rows that touch share no cell.
    assert_eq!(shapes("111\n111"), [(Shape::Line3, 3), (Shape::Line3, 3)]);
    assert_eq!(shapes("111\n..."), shapes("1!11\n###"));
    // The order is that of the first cells, whichever way a run goes.
    let found = groups(&"31.\n31.\n312\n222".parse().unwrap());
    assert_eq!(found.iter().map(Group::color).collect::<Vec<_>>(), [3, 1, 2]);
}

#[test]
fn what_is_no_group() {
    let line = [(0, 0), (1, 0), (2, 0)];
    assert!(Group::new(1, &line).is_some());
    assert_eq!(Group::new(0, &line), None);
    assert_eq!(Group::new(36, &line), None);
    assert_eq!(Group::new(1, &[]), None);
    assert_eq!(Group::new(1, &[(0, 0), (1, 0), (2, 0), (1, 0)]), None, "a cell twice");
    assert_eq!(Group::new(1, &[(0, 0), (1, 0), (2, 0), (4, 0)]), None, "a cell too many");
    assert_eq!(Group::new(1, &[(64, 0), (65, 0), (66, 0)]), None);
    assert_eq!(Group::new(1, &[(usize::MAX, 0), (0, usize::MAX), (0, 0)]), None);
    let square = Group::new(35, &[(62, 62), (63, 62), (62, 63), (63, 63)]).unwrap();
    assert_eq!((square.shape(), square.color()), (Shape::Square, 35));
    for shape in [Shape::Line3, Shape::Line4, Shape::Line5, Shape::L, Shape::T, Shape::Plus, Shape::Square] {
        assert_eq!(shape.to_string().parse(), Ok(shape));
    }
    assert!("line6".parse::<Shape>().is_err());
    assert_eq!(groups(&Board::new(64, 64).unwrap()), []);
    let full = Board::from_cells(64, 64, vec![Cell::new(1).unwrap(); 4096]).unwrap();
    assert_eq!(groups(&full)[0].cells().len(), 4096);
}
