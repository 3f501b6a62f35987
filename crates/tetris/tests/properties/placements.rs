//! The move generator, its sets and perft, one key press at a time.

use super::values::{board as any_board, location, piece as any_piece};
use std::collections::BTreeSet;
use testkit::{Input, on_each_level};
use tetris::movegen::{self, Locations, MoveRules, Movement, Placements, SpinMode};
use tetris::perft as fast_perft;
use tetris::reference::naive;
use tetris::{Board, Location, Orientation, Piece, Placement, Rotation, RotationSystem, Spin};

pub(crate) const fn move_rules(
    rotation_system: RotationSystem,
    spin_mode: SpinMode,
    second_spawn_row: bool,
) -> MoveRules {
    MoveRules { spin_mode, second_spawn_row, rotation_system }
}

pub(crate) fn any_move_rules(input: &Input) -> MoveRules {
    let spin_modes = SpinMode::ALL;
    // Half of them by the search of the guideline.
    let (system, spin_mode) = if input.flag() {
        (RotationSystem::Srs, *input.pick(&spin_modes[..2]))
    } else {
        (*input.pick(&RotationSystem::ALL), *input.pick(&spin_modes))
    };
    move_rules(system, spin_mode, input.flag())
}

pub(crate) fn plain(rules: MoveRules) -> naive::Rules {
    let MoveRules { spin_mode, second_spawn_row, rotation_system } = rules;
    naive::Rules { spin_mode, second_spawn_row, rotation_system, ..naive::Rules::default() }
}

/// Refills one set over and over, for boards that grow by their own placements.
pub(crate) fn placements(input: &Input) {
    let mut board = any_board(input);
    let mut set = Placements::new();
    for _ in 0..3 {
        let piece = any_piece(input);
        let rules = any_move_rules(input);
        let expected = all_placements(&board, piece, rules, &mut set);
        assert_eq!(set.get(input.u32() | 1 << 20), None);
        let Some(chosen) = expected.get(input.below(expected.len().max(1))) else { return };
        board = naive::clear_lines(&naive::place(&board, chosen.at).expect("a placement fits")).0;
    }
}

/// The old contents of `set` don't matter.
pub(crate) fn all_placements(
    board: &Board,
    piece: Piece,
    rules: MoveRules,
    set: &mut Placements,
) -> Vec<Placement> {
    let expected = naive::placements(board, piece, plain(rules));
    let mut first: Option<Vec<Placement>> = None;
    on_each_level(|| {
        let case = || format!("{piece} by {rules:?} on {board:x}\n{board}");
        set.fill(board, piece, rules);
        let listed: Vec<Placement> = set.iter().collect();
        let mut sorted = listed.clone();
        sorted.sort();
        assert_eq!(sorted, expected, "{}", case());
        assert_eq!(*first.get_or_insert_with(|| listed.clone()), listed, "{}", case());
        assert_eq!(set.len(), expected.len());
        assert_eq!(set.is_empty(), expected.is_empty());
        let count = movegen::count(board, piece, rules);
        assert_eq!(count as usize, expected.len(), "{}", case());
        let mut written = [Placement { at: Location::spawn(Piece::I), spin: Spin::None }; 512];
        let len = movegen::list(board, piece, rules, &mut written);
        assert_eq!(written[..len], listed, "{}", case());
        let mut folded = Vec::new();
        set.iter().for_each(|placement| folded.push(placement));
        assert_eq!(folded, listed, "{}", case());
        let by_number = (0..=count).map_while(|k| set.get(k));
        assert_eq!(by_number.collect::<Vec<_>>(), listed, "{}", case());
        let counts = Piece::ALL.map(|piece| u64::from(movegen::count(board, piece, rules)));
        let all = movegen::count_all(&[*board, Board::EMPTY, *board], &Piece::ALL, rules);
        let twice = movegen::count_all(&[*board; 2], &[piece], rules);
        assert_eq!(twice, 2 * u64::from(count), "{}", case());
        let empty = movegen::count_all(&[Board::EMPTY], &Piece::ALL, rules);
        assert_eq!(all, 2 * counts.iter().sum::<u64>() + empty, "{}", case());
    });
    let mut rows = (19..=20).take(if rules.second_spawn_row { 2 } else { 1 });
    let spawn = rows.find_map(|y| {
        let at = Location { y, ..Location::spawn(piece) };
        naive::fits(board, at).then_some(at)
    });
    assert_eq!(board.spawn(piece, rules), spawn);
    assert_eq!(expected.is_empty(), spawn.is_none());
    let dropped = movegen::hard_drops(board, piece);
    let plain_drops = naive::hard_drops(board, piece);
    assert_eq!(dropped.len(), plain_drops.len());
    assert_eq!(dropped.is_empty(), plain_drops.is_empty());
    assert!(dropped.iter().eq(plain_drops), "{piece} on\n{board}");
    if let Some(spawn) = spawn {
        let dropped = movegen::hard_drops_from(board, spawn, rules.rotation_system);
        let plain_drops = naive::hard_drops_from(board, spawn, rules.rotation_system);
        assert!(dropped.iter().eq(plain_drops), "{spawn} by {rules:?} on\n{board}");
    }
    expected
}

/// A set of locations against a set of cells.
pub(crate) fn locations(input: &Input) {
    let piece = any_piece(input);
    let mut set = Locations::new(piece);
    let mut expected = BTreeSet::new();
    for _ in input.steps(64) {
        let at = location(input);
        let canonical = at.canonical();
        let inside =
            (0..10).contains(&canonical.x) && (0..40).contains(&canonical.y) && at.piece == piece;
        assert_eq!(set.insert(at), inside && expected.insert(canonical));
        assert_eq!(set.len(), expected.len());
        assert_eq!(set.is_empty(), expected.is_empty());
    }
    assert!(set.iter().eq(expected));
}

/// Key presses: single ones, and shortest paths to placements.
pub(crate) fn keys(input: &Input) {
    let board = any_board(input);
    let piece = any_piece(input);
    let rules = any_move_rules(input);
    let mut at = Location::spawn(piece);
    let mut spin = Spin::None;
    for _ in 0..48 {
        if !naive::fits(&board, at) || input.is_empty() {
            break;
        }
        let keys = [
            Movement::Left,
            Movement::Right,
            Movement::SoftDrop,
            Movement::Cw,
            Movement::Ccw,
            Movement::Half,
            Movement::HardDrop,
        ];
        if let Some(pressed) = press(&board, at, spin, *input.pick(&keys), rules) {
            (at, spin) = pressed;
        }
    }
    let first_row = MoveRules { second_spawn_row: false, ..rules };
    let reached = naive::placements(&board, piece, plain(first_row));
    if naive::fits(&board, at) && !naive::fits(&board, at.moved(0, -1)) {
        assert!(reached.contains(&Placement { at: at.canonical(), spin }), "{at} {spin}\n{board}");
    }
    let to = match reached.get(input.below(reached.len().max(1))) {
        Some(&placement) if input.flag() => placement,
        _ => Placement {
            at: location(input),
            spin: *input.pick(&[Spin::None, Spin::Mini, Spin::Full]),
        },
    };
    for second_spawn_row in [false, true] {
        let rules = MoveRules { second_spawn_row, ..rules };
        let legal = naive::placements(&board, to.at.piece, plain(rules));
        path(&board, to, rules, &legal);
        // All spins, because spins by the fifth kick are rare, and a sample from every part of the
        // field.
        let spins = legal.iter().filter(|to| to.spin != Spin::None);
        for &to in spins.chain(legal.iter().step_by(1 + legal.len() / 12)) {
            path(&board, to, rules, &legal);
        }
    }
}

/// Checks a path by single key presses, or its absence if the placement isn't `legal`.
fn path(board: &Board, to: Placement, rules: MoveRules, legal: &[Placement]) {
    let canonical = Placement { at: to.at.canonical(), ..to };
    let is_meant = |placement: &Placement| match rules.spin_mode {
        SpinMode::Ignore => placement.at == canonical.at,
        SpinMode::TSpins | SpinMode::AllMini => *placement == canonical,
    };
    let path = movegen::path(board, to, rules);
    assert_eq!(
        path.is_some(),
        legal.iter().any(is_meant),
        "{} {} by {rules:?}\n{board}",
        to.at,
        to.spin
    );
    let Some((last, keys)) = path.as_ref().and_then(|path| path.split_last()) else { return };
    assert!(
        *last == Movement::HardDrop && !keys.contains(last),
        "a hard drop ends the way: {path:?}"
    );
    let spawn = board.spawn(to.at.piece, rules).expect("room at the spawn");
    let pressed = |(at, spin), &key| press(board, at, spin, key, rules);
    let end = path.iter().flatten().try_fold((spawn, Spin::None), pressed);
    let (at, spin) = end.expect("a way of legal presses");
    assert!(is_meant(&Placement { at: at.canonical(), spin }), "{path:?} on\n{board}");
}

/// Presses a key by definition and compares the result.
fn press(
    board: &Board,
    at: Location,
    spin: Spin,
    key: Movement,
    rules: MoveRules,
) -> Option<(Location, Spin)> {
    let moved = |dx, dy| {
        Some((at.moved(dx, dy), Spin::None)).filter(|&(moved, _)| naive::fits(board, moved))
    };
    let rotated = |rotation| {
        let rotated = rules.rotation_system.rotate(board, at, rotation)?;
        Some((rotated, earned(board, at, rotated, rotation, rules)))
    };
    let expected = match key {
        Movement::Left => moved(-1, 0),
        Movement::Right => moved(1, 0),
        Movement::SoftDrop => moved(0, -1),
        Movement::Cw => rotated(Rotation::Cw),
        Movement::Ccw => rotated(Rotation::Ccw),
        Movement::Half => rotated(Rotation::Half),
        Movement::HardDrop => {
            let mut landed = (at, spin);
            while naive::fits(board, landed.0.moved(0, -1)) {
                landed = (landed.0.moved(0, -1), Spin::None);
            }
            Some(landed)
        }
    };
    let found = movegen::apply(board, at, spin, key, rules);
    assert_eq!(found, expected, "{key} from {at} by {rules:?} on\n{board}");
    expected
}

/// Returns the spin of a rotation from `from` to `at`, by definition. The two locations determine
/// the kick.
fn earned(
    board: &Board,
    from: Location,
    at: Location,
    rotation: Rotation,
    rules: MoveRules,
) -> Spin {
    let filled = |dx, dy| usize::from(board.occupied(i32::from(at.x) + dx, i32::from(at.y) + dy));
    let all = filled(-1, -1) + filled(-1, 1) + filled(1, -1) + filled(1, 1);
    let front = match at.orientation {
        Orientation::North => filled(-1, 1) + filled(1, 1),
        Orientation::East => filled(1, 1) + filled(1, -1),
        Orientation::South => filled(-1, -1) + filled(1, -1),
        Orientation::West => filled(-1, -1) + filled(-1, 1),
    };
    let is_fifth = || {
        let kicks = rules.rotation_system.kicks(Piece::T, from.orientation, rotation);
        rotation != Rotation::Half && kicks[4] == (at.x - from.x, at.y - from.y)
    };
    let is_stuck = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        .into_iter()
        .all(|(dx, dy)| !naive::fits(board, at.moved(dx, dy)));
    match (all, front) {
        _ if rules.spin_mode == SpinMode::Ignore => Spin::None,
        (3.., 2) if at.piece == Piece::T => Spin::Full,
        _ if at.piece != Piece::T || all < 3 => {
            if is_stuck && rules.spin_mode == SpinMode::AllMini { Spin::Mini } else { Spin::None }
        }
        _ if is_fifth() => Spin::Full,
        _ => Spin::Mini,
    }
}

pub(crate) fn perft(input: &Input) {
    let mut board = any_board(input);
    let queue: Vec<Piece> = (0..input.below(3)).map(|_| any_piece(input)).collect();
    let rules = any_move_rules(input);
    // A nearly full stack leaves few ways to lock; on a low one, a queue of two is a lot of work
    // for the reference.
    if queue.len() > 1 && board.max_height() < 9 && input.below(4) > 0 {
        board =
            Board::try_from(board.columns().map(|column| column << 17 & ((1 << 40) - 1))).unwrap();
    }
    let expected = naive::perft(&board, &queue, plain(rules));
    let dropped = naive_drops(&board, &queue);
    on_each_level(|| {
        let nodes = fast_perft::perft(&board, &queue, rules);
        assert_eq!(nodes, expected, "{queue:?} by {rules:?} on {board:x}\n{board}");
        assert_eq!(fast_perft::hard_drops(&board, &queue), dropped, "{queue:?} on\n{board}");
    });
}

fn naive_drops(board: &Board, queue: &[Piece]) -> u64 {
    let Some((&piece, rest)) = queue.split_first() else { return 1 };
    let children =
        naive::hard_drops(board, piece).into_iter().filter_map(|at| naive::place(board, at));
    children.map(|child| naive_drops(&naive::clear_lines(&child).0, rest)).sum()
}
