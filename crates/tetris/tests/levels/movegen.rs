//! Placements, paths and perft of single boards. `properties::placements` covers random boards.

use crate::properties::placements::{all_placements, move_rules};
use crate::properties::values::{OVERHANGS, overhang_on_garbage};
use bitcore::Rng;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::on_each_level;
use tetris::movegen::{self, Movement, Placements, SpinMode};
use tetris::reference::naive::{self, Rules};
use tetris::{Board, Location, Piece, Placement, RotationSystem, Spin, Stopped, ThreadPool, perft};

#[test]
fn placements_on_each_kind_of_garbage() {
    let mut rng = Rng::new(18);
    let mut set = Placements::new();
    let all_rules = [
        move_rules(RotationSystem::Srs, SpinMode::Ignore, false),
        move_rules(RotationSystem::Srs, SpinMode::TSpins, false),
        move_rules(RotationSystem::SrsPlus, SpinMode::AllMini, true),
        move_rules(RotationSystem::SrsX, SpinMode::TSpins, false),
    ];
    for overhang in 0..OVERHANGS.len() {
        for (height, hole) in (13..=20).flat_map(|height| (0..=10).map(move |hole| (height, hole)))
        {
            let hole = || if hole == 10 { rng.below(10) } else { hole };
            let board = overhang_on_garbage(overhang, height, hole);
            for (piece, rules) in
                Piece::ALL.into_iter().flat_map(|piece| all_rules.map(|rules| (piece, rules)))
            {
                all_placements(&board, piece, rules, &mut set);
            }
        }
    }
}

#[test]
fn no_path_is_shorter() {
    let rules = move_rules(RotationSystem::SrsPlus, SpinMode::TSpins, false);
    // All sequences of up to four keys and a hard drop, on a board with a notch: the shortest one
    // per placement.
    let board: Board = OVERHANGS[0].parse().unwrap();
    let moves = [
        Movement::Left,
        Movement::Right,
        Movement::Cw,
        Movement::Ccw,
        Movement::Half,
        Movement::SoftDrop,
    ];
    for piece in Piece::ALL {
        let mut shortest = BTreeMap::new();
        let mut ends = vec![(Location::spawn(piece), Spin::None)];
        for length in 1..=5 {
            for &(at, spin) in &ends {
                let (locked, spin) =
                    movegen::apply(&board, at, spin, Movement::HardDrop, rules).unwrap();
                shortest.entry((locked.canonical(), spin)).or_insert(length);
            }
            let press = |&(at, spin)| moves.map(|key| movegen::apply(&board, at, spin, key, rules));
            ends = ends.iter().flat_map(press).flatten().collect();
        }
        for ((at, spin), length) in shortest {
            let path = movegen::path(&board, Placement { at, spin }, rules).unwrap();
            assert_eq!(path.len(), length, "{at} {path:?}");
        }
    }
}

#[test]
fn perft_loses_no_row_of_a_stack_that_grows() {
    // The O raises the stack of eleven rows to thirteen, the I to seventeen. If the I's highest
    // cell were lost, the L on top of it would be below the spawn row of the last piece.
    let board =
        Board::try_from(std::array::from_fn(|x| if x == 4 { (1 << 11) - 1 } else { 0 })).unwrap();
    let queue = [Piece::O, Piece::I, Piece::L, Piece::O];
    let expected = naive::perft(&board, &queue, Rules::default());
    on_each_level(|| {
        assert_eq!(perft::perft(&board, &queue, SpinMode::Ignore), expected);
    });
}

#[test]
fn a_perft_is_stopped_or_counts_all() {
    let pool = ThreadPool::single();
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) == 2;
    let queue = [Piece::T; 12];
    assert_eq!(
        perft::perft_until(&pool, &Board::EMPTY, &queue, SpinMode::TSpins, &stop),
        Err(Stopped)
    );
    assert_eq!(asked.swap(0, Ordering::Relaxed), 3);
    assert_eq!(perft::hard_drops_until(&pool, &Board::EMPTY, &queue, &stop), Err(Stopped));
    assert_eq!(asked.into_inner(), 3);
    // Long enough for two levels of recursion that call `stop`.
    let board = overhang_on_garbage(0, 17, || 0);
    let queue = [Piece::L, Piece::T, Piece::O, Piece::I, Piece::O];
    for queue in [&queue[..4], &queue] {
        for spin_mode in [SpinMode::Ignore, SpinMode::TSpins] {
            let expected = perft::perft(&board, queue, spin_mode);
            assert_eq!(
                perft::perft_until(&pool, &board, queue, spin_mode, &|| false),
                Ok(expected)
            );
        }
        let expected = perft::hard_drops(&board, queue);
        assert_eq!(perft::hard_drops_until(&pool, &board, queue, &|| false), Ok(expected));
    }
}
