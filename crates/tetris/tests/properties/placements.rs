//! The move generator, its sets and perft, one key press at a time.

use super::values::{board as any_board, location, piece as any_piece};
use bitcore::Level;
use std::collections::BTreeSet;
use testkit::Input;
use tetris::movegen::{self, Key, Locations, Placements, SpinMode};
use tetris::perft as fast_perft;
use tetris::reference::naive::{self, Rules};
use tetris::{Board, Location, Piece, Placement, Rotation, Spin, kicks};

const SPIN_MODES: [SpinMode; 2] = [SpinMode::Ignore, SpinMode::TSpins];

fn naive_placements(board: &Board, piece: Piece, spin_mode: SpinMode) -> Vec<Placement> {
    naive::placements(board, piece, Rules { spins: spin_mode == SpinMode::TSpins, ..Rules::default() })
}

/// A set that is filled again and again, for boards that grow by their own placements.
pub(crate) fn placements(input: &Input) {
    let mut board = any_board(input);
    let mut sets: Vec<Placements> = Level::all().map(|_| Placements::new()).collect();
    for _ in 0..3 {
        let (piece, spin_mode) = (any_piece(input), *input.pick(&SPIN_MODES));
        let expected = naive_placements(&board, piece, spin_mode);
        for (level, set) in Level::all().zip(&mut sets) {
            set.fill_on(level, &board, piece, spin_mode);
            let listed: Vec<Placement> = set.iter().collect();
            assert!(
                listed.iter().collect::<BTreeSet<_>>().into_iter().eq(&expected),
                "{level} {piece}\n{board}"
            );
            assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
            assert_eq!(movegen::count_on(level, &board, piece, spin_mode) as usize, expected.len());
            let twice = movegen::count_all_on(level, &[board; 2], &[piece], spin_mode);
            assert_eq!(twice, 2 * expected.len() as u64);
            for k in 0..=expected.len() as u32 {
                assert_eq!(set.get_on(level, k), listed.get(k as usize).copied());
            }
            assert_eq!(set.get_on(level, input.u32() | 1 << 20), None);
        }
        let dropped: BTreeSet<Location> = movegen::hard_drops(&board, piece).iter().collect();
        assert_eq!(dropped, naive::hard_drops(&board, piece));
        let Some(chosen) = expected.get(input.below(expected.len().max(1))) else { return };
        board = naive::clear_lines(&naive::place(&board, chosen.at).expect("a placement fits")).0;
    }
}

/// A set of locations against a set of cells.
pub(crate) fn locations(input: &Input) {
    let piece = any_piece(input);
    let (mut set, mut expected) = (Locations::new(piece), BTreeSet::new());
    for _ in input.steps(64) {
        let at = location(input);
        let canonical = at.canonical();
        let inside = (0..10).contains(&canonical.x) && (0..40).contains(&canonical.y) && at.piece == piece;
        assert_eq!(set.insert(at), inside && expected.insert(canonical));
        assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
    }
    assert!(set.iter().eq(expected));
}

/// Key presses: one at a time, and the shortest way to a placement.
pub(crate) fn keys(input: &Input) {
    let board = any_board(input);
    let piece = any_piece(input);
    let (mut at, mut spin) = (Location::spawn(piece), Spin::None);
    for _ in 0..48 {
        if !naive::fits(&board, at) || input.is_empty() {
            break;
        }
        let keys = [Key::Left, Key::Right, Key::SoftDrop, Key::Cw, Key::Ccw, Key::HardDrop];
        let key = *input.pick(&keys);
        let pressed = movegen::press(&board, at, spin, key);
        let rotation = match key {
            Key::Cw => Some(Rotation::Cw),
            Key::Ccw => Some(Rotation::Ccw),
            _ => None,
        };
        if let Some(rotation) = rotation {
            assert_eq!(pressed.map(|(at, _)| at), kicks::rotate(&board, at, rotation));
        }
        if let Some(pressed) = pressed {
            assert!(naive::fits(&board, pressed.0));
            (at, spin) = pressed;
        }
    }
    let reached = naive_placements(&board, piece, SpinMode::TSpins);
    if naive::fits(&board, at) && !naive::fits(&board, at.moved(0, -1)) {
        assert!(reached.contains(&Placement { at: at.canonical(), spin }), "{at} {spin}\n{board}");
    }
    let to = match reached.get(input.below(reached.len().max(1))) {
        Some(&placement) if input.flag() => placement,
        _ => Placement { at: location(input), spin: *input.pick(&[Spin::None, Spin::Mini, Spin::Full]) },
    };
    let canonical = Placement { at: to.at.canonical(), ..to };
    for spin_mode in SPIN_MODES {
        let path = movegen::path(&board, to, spin_mode);
        let same = |placement: &Placement| match spin_mode {
            SpinMode::Ignore => placement.at == canonical.at,
            SpinMode::TSpins => *placement == canonical,
        };
        let found = if to.at.piece == piece {
            reached.iter().any(same)
        } else {
            naive_placements(&board, to.at.piece, SpinMode::TSpins).iter().any(same)
        };
        assert_eq!(path.is_some(), found, "{} {}\n{board}", to.at, to.spin);
        let start = (Location::spawn(to.at.piece), Spin::None);
        let press = |(at, spin), key| movegen::press(&board, at, spin, key);
        if let Some(path) = path {
            let end = path.into_iter().try_fold(start, press).expect("a way of legal presses");
            assert!(same(&Placement { at: end.0.canonical(), spin: end.1 }));
        }
    }
}

pub(crate) fn perft(input: &Input) {
    let mut board = any_board(input);
    let queue: Vec<Piece> = (0..input.below(3)).map(|_| any_piece(input)).collect();
    let spin_mode = *input.pick(&SPIN_MODES);
    // A stack that is nearly full leaves few ways; on a low one a queue of two is much work for the reference.
    if queue.len() > 1 && input.below(4) > 0 {
        board = Board::from_columns(board.columns().map(|column| column << 17 & ((1 << 40) - 1))).unwrap();
    }
    let rules = Rules { spins: spin_mode == SpinMode::TSpins, ..Rules::default() };
    let expected = naive::perft(&board, &queue, rules);
    let dropped = naive_drops(&board, &queue);
    for level in Level::all() {
        assert_eq!(fast_perft::perft_on(level, &board, &queue, spin_mode), expected);
        assert_eq!(fast_perft::hard_drops_on(level, &board, &queue), dropped);
    }
}

fn naive_drops(board: &Board, queue: &[Piece]) -> u64 {
    let Some((&piece, rest)) = queue.split_first() else { return 1 };
    let children = naive::hard_drops(board, piece).into_iter().filter_map(|at| naive::place(board, at));
    children.map(|child| naive_drops(&naive::clear_lines(&child).0, rest)).sum()
}
