//! The kinds of T-spin, from the corners and the kick alone.

use bitcore::Rng;
use tetris::reference::naive::{Rules, fits, placements};
use tetris::{Board, Location, Orientation, Piece, Placement, Rotation, Spin, kicks};

const SPINS: Rules = Rules { spins: true, spawn_y: Location::SPAWN_Y, kicks: 5, second_spawn_row: false };

/// Counts the filled corners at the front and at the back.
fn corners(board: &Board, at: Location) -> (usize, usize) {
    let (x, y) = (i32::from(at.x), i32::from(at.y));
    // The stem's cell is the one that isn't in line with the other three.
    let (dx, dy) = match at.orientation {
        Orientation::North => (0, 1),
        Orientation::East => (1, 0),
        Orientation::South => (0, -1),
        Orientation::West => (-1, 0),
    };
    let filled = |corners: [(i32, i32); 2]| corners.iter().filter(|&&(x, y)| board.occupied(x, y)).count();
    let front = filled([(x + dx + dy, y + dy + dx), (x + dx - dy, y + dy - dx)]);
    let back = filled([(x - dx + dy, y - dy + dx), (x - dx - dy, y - dy - dx)]);
    (front, back)
}

/// Returns the numbers of the kicks by which a rotation from any fitting location ends at this one.
fn kicks_to(board: &Board, at: Location) -> Vec<usize> {
    let mut found = Vec::new();
    for turn in Rotation::ALL {
        let back = if turn == Rotation::Cw { Rotation::Ccw } else { Rotation::Cw };
        let from = Location { orientation: at.orientation.rotated(back), ..at };
        for (number, &(dx, dy)) in kicks::kicks(Piece::T, from.orientation, turn).iter().enumerate() {
            let from = from.moved(-dx, -dy);
            if fits(board, from) && kicks::rotate(board, from, turn) == Some(at) {
                found.push(number);
            }
        }
    }
    found
}

#[test]
fn kinds_follow_from_corners_and_kicks() {
    let mut rng = Rng::new(11);
    let (mut minis, mut fulls, mut by_fifth_kick) = (0, 0, 0);
    for _ in 0..testkit::cases(4_000) {
        let height = 3 + rng.below(8);
        let columns = std::array::from_fn(|_| rng.next_u64() & rng.next_u64() & ((1 << height) - 1));
        let board = Board::from_columns(columns).unwrap();
        for Placement { at, spin } in placements(&board, Piece::T, SPINS) {
            let (front, back) = corners(&board, at);
            let kicks = kicks_to(&board, at);
            match spin {
                Spin::None => {}
                Spin::Mini => {
                    assert_eq!((front, back), (1, 2), "{at} on\n{board}");
                    assert!(kicks.iter().any(|&kick| kick < 4), "{at} by {kicks:?} on\n{board}");
                    minis += 1;
                }
                Spin::Full if front == 2 => {
                    assert!(back > 0 && !kicks.is_empty(), "{at} by {kicks:?} on\n{board}");
                    fulls += 1;
                }
                Spin::Full => {
                    assert_eq!((front, back), (1, 2), "{at} on\n{board}");
                    assert!(kicks.contains(&4), "{at} by {kicks:?} on\n{board}");
                    by_fifth_kick += 1;
                }
            }
        }
    }
    if std::env::var_os(testkit::EMULATED).is_none() {
        assert!(minis > 1_000 && fulls > 1_000 && by_fifth_kick > 10, "{minis} {fulls} {by_fifth_kick}");
    }
}
