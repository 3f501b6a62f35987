//! Every level and both references against brute force on mixed boards.

use crate::common;
use bitcore::{Level, Rng};
use match3::board64::Board64;
use match3::reference::{ByteRows, ColorMasks, naive};
use match3::runs::{is_stable, matched, matched_on};
use match3::swaps::{count_swaps8, count_swaps8_on, swaps_on, swaps8, swaps8_on};
use match3::{Board, swaps};

/// A random board: few or many colors, holes, blocked and locked cells in changing shares.
fn mixed(rng: &mut Rng, width: usize, height: usize) -> Board {
    let colors = 1 + rng.below([2, 3, 6, 35][rng.clone().below(4) as usize]);
    let shares = [rng.below(30), rng.below(15), rng.below(30)];
    common::mixed(rng, (width, height), colors, shares)
}

#[test]
fn all_forms_equal_brute_force_on_8x8() {
    let _ = testkit::levels();
    testkit::seeds(100_000, |seed| {
        let board = mixed(&mut Rng::new(seed), 8, 8);
        let expected = naive::swaps(&board);
        let found = swaps(&board);
        assert!(found.iter().eq(expected.iter().copied()), "{board}");
        assert_eq!((found.len(), found.is_empty()), (expected.len(), expected.is_empty()));
        assert_eq!(ColorMasks::new(&board).swaps(), expected, "{board}");
        assert_eq!(ByteRows::new(&board).expect("8 x 8").swaps(), expected, "{board}");
        let (mut right, mut down) = (0u64, 0u64);
        for swap in expected {
            *if swap.axis == match3::Axis::Horizontal { &mut right } else { &mut down } |=
                1 << (8 * swap.y + swap.x);
        }
        let cells = std::array::from_fn(|i| board.cells()[i].byte());
        for level in Level::all() {
            assert_eq!(swaps8_on(level, &cells), (right, down), "{level}\n{board}");
            let count = right.count_ones() + down.count_ones();
            assert_eq!(count_swaps8_on(level, &[cells; 3]), 3 * u64::from(count), "{level}\n{board}");
        }
    });
    assert_eq!(swaps8(&[0; 64]), (0, 0));
    // A row 1 1 2 1: the 2 and the last 1 change places.
    let row = std::array::from_fn(|i| if i < 4 { [1, 1, 2, 1][i] } else { 0 });
    assert_eq!(count_swaps8(&[row; 5]), 5);
}

#[test]
fn any_size_equals_brute_force() {
    testkit::seeds(1_500, |seed| {
        let mut rng = Rng::new(seed);
        let longest = [3, 9, 16, 64][rng.below(4) as usize];
        let (width, height) = (1 + rng.below(longest) as usize, 1 + rng.below(longest) as usize);
        let board = mixed(&mut rng, width, height);
        let expected = naive::swaps(&board);
        assert!(swaps(&board).iter().eq(expected.iter().copied()), "{board}");
        for level in Level::all() {
            assert_eq!(swaps_on(level, &board), swaps(&board), "{level}\n{board}");
            assert_eq!(matched_on(level, &board), matched(&board), "{level}\n{board}");
            assert_eq!(Board64::new_on(level, &board).swaps(), swaps(&board), "{level}\n{board}");
        }
        assert!(expected.iter().all(|&swap| swaps(&board).contains(swap)));
        assert_eq!(ColorMasks::new(&board).swaps(), expected, "{board}");
        assert_eq!(matched(&board).words(), naive::matched(&board), "{board}");
        assert_eq!(is_stable(&board), naive::matched(&board).iter().all(|&row| row == 0));
    });
}

#[test]
fn text_round_trips() {
    testkit::seeds(500, |seed| {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(64) as usize, 1 + rng.below(64) as usize);
        let board = mixed(&mut rng, width, height);
        assert_eq!(board.to_string().parse(), Ok(board));
    });
}
