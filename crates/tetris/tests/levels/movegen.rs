//! The generator against the search over single key presses, on boards of all heights.

use crate::random_boards::board;
use bitcore::{Level, Rng};
use tetris::movegen::{self, Key, Placements, SpinMode};
use tetris::reference::naive::{self, Rules};
use tetris::{Board, Location, Orientation, Piece, Placement, Rotation, Spin, kicks, perft};

fn sorted(placements: &Placements) -> Vec<Placement> {
    let mut sorted: Vec<_> = placements.iter().collect();
    sorted.sort();
    sorted
}

const NONE: Placement = Placement { at: Location::spawn(Piece::I), spin: Spin::None };

/// Checks all pieces on a board, on every level. Returns the number of placements.
fn check_board(board: &Board) -> usize {
    let mut all = 0;
    // Reused: the previous content must not matter.
    let mut placements = Placements::new();
    for piece in Piece::ALL {
        for spin_mode in [SpinMode::Ignore, SpinMode::TSpins] {
            let rules = Rules { spins: spin_mode == SpinMode::TSpins, ..Rules::default() };
            let expected = naive::placements(board, piece, rules);
            all += expected.len();
            let mut first: Option<Vec<Placement>> = None;
            for level in Level::all() {
                let case = || format!("{piece} {spin_mode:?} {level} on {board:x}\n{board}");
                placements.fill_on(level, board, piece, spin_mode);
                assert_eq!(sorted(&placements), expected, "{}", case());
                assert_eq!((placements.len(), placements.is_empty()), (expected.len(), expected.is_empty()));
                let count = movegen::count_on(level, board, piece, spin_mode);
                assert_eq!(count as usize, expected.len(), "{}", case());
                assert_eq!(movegen::count(board, piece, spin_mode), count);
                let order: Vec<_> = placements.iter().collect();
                assert_eq!(*first.get_or_insert_with(|| order.clone()), order, "{}", case());
                let mut written = [NONE; 512];
                let len = movegen::list_on(level, board, piece, spin_mode, &mut written);
                assert_eq!(written[..len], order, "{}", case());
                let mut folded = Vec::new();
                placements.iter().for_each(|placement| folded.push(placement));
                assert_eq!(folded, order, "{}", case());
                let by_number = (0..=count).map_while(|k| placements.get_on(level, k));
                assert_eq!(by_number.collect::<Vec<_>>(), order, "{}", case());
            }
        }
    }
    for level in Level::all() {
        let sums = [SpinMode::Ignore, SpinMode::TSpins]
            .map(|spin_mode| movegen::count_all_on(level, &[*board; 2], &Piece::ALL, spin_mode));
        assert_eq!(sums[0] + sums[1], 2 * all as u64, "{level} on {board:x}\n{board}");
    }
    all
}

#[test]
fn placements_are_those_of_single_key_presses() {
    let _ = testkit::levels();
    testkit::seeds(3_000, |seed| {
        check_board(&board(&mut Rng::new(seed)));
    });
}

/// Returns the spin of a rotation from `from` to `at`, by the definition; the kick follows from the two.
fn earned(board: &Board, from: Location, at: Location, rotation: Rotation) -> Spin {
    let (x, y) = (i32::from(at.x), i32::from(at.y));
    let filled = |dx, dy| usize::from(board.occupied(x + dx, y + dy));
    let all = filled(-1, -1) + filled(-1, 1) + filled(1, -1) + filled(1, 1);
    let front = match at.orientation {
        Orientation::North => filled(-1, 1) + filled(1, 1),
        Orientation::East => filled(1, 1) + filled(1, -1),
        Orientation::South => filled(-1, -1) + filled(1, -1),
        Orientation::West => filled(-1, -1) + filled(-1, 1),
    };
    let fifth = kicks::kicks(Piece::T, from.orientation, rotation)[4] == (at.x - from.x, at.y - from.y);
    match (all, front) {
        _ if at.piece != Piece::T => Spin::None,
        (0..3, _) => Spin::None,
        (_, 2) => Spin::Full,
        _ if fifth => Spin::Full,
        _ => Spin::Mini,
    }
}

fn replay(board: &Board, piece: Piece, keys: &[Key]) -> Placement {
    let (mut at, mut spin) = (Location::spawn(piece), Spin::None);
    assert!(naive::fits(board, at));
    for (i, key) in keys.iter().enumerate() {
        let moved = match key {
            Key::Left => at.moved(-1, 0),
            Key::Right => at.moved(1, 0),
            Key::SoftDrop => at.moved(0, -1),
            Key::Cw | Key::Ccw => {
                let rotation = if *key == Key::Cw { Rotation::Cw } else { Rotation::Ccw };
                let rotated = kicks::rotate(board, at, rotation).expect("a rotation that some kick allows");
                spin = earned(board, at, rotated, rotation);
                at = rotated;
                continue;
            }
            Key::HardDrop => {
                assert_eq!(i + 1, keys.len(), "a hard drop ends the path");
                let mut landed = at;
                while naive::fits(board, landed.moved(0, -1)) {
                    landed = landed.moved(0, -1);
                    spin = Spin::None;
                }
                return Placement { at: landed.canonical(), spin };
            }
        };
        assert!(naive::fits(board, moved), "{key} from {at} on\n{board}");
        (at, spin) = (moved, Spin::None);
    }
    panic!("{keys:?} doesn't lock");
}

#[test]
fn paths_lead_where_they_say() {
    testkit::seeds(1_000, |seed| {
        let mut rng = Rng::new(seed);
        let board = board(&mut rng);
        let piece = Piece::ALL[rng.below(7) as usize];
        for spin_mode in [SpinMode::Ignore, SpinMode::TSpins] {
            for placement in &Placements::of(&board, piece, spin_mode) {
                let keys = movegen::path(&board, placement, spin_mode).expect("a way to every placement");
                let locked = replay(&board, piece, &keys);
                assert_eq!(locked.at, placement.at, "{keys:?} on\n{board}");
                assert!(
                    spin_mode == SpinMode::Ignore || locked.spin == placement.spin,
                    "{keys:?} on\n{board}"
                );
            }
        }
        // A location that can't be reached, and one outside the field.
        let spins = Rules { spins: true, ..Rules::default() };
        let reached = naive::placements(&board, piece, spins);
        let at = Location {
            piece,
            orientation: Orientation::ALL[rng.below(4) as usize],
            ..Location::spawn(piece)
        };
        let at = at.moved(rng.below(12) as i8 - 5, rng.below(44) as i8 - 21).canonical();
        for spin in [Spin::None, Spin::Mini, Spin::Full] {
            let placement = Placement { at, spin };
            let path = movegen::path(&board, placement, SpinMode::TSpins);
            assert_eq!(path.is_some(), reached.contains(&placement), "{placement:?} on\n{board}");
        }
    });
}

#[test]
fn no_path_is_shorter() {
    // Every string of up to four keys and a hard drop, on a board with a notch: the
    // shortest that locks a placement.
    let board: Board = "3f,3f,1f,7,1,0,d,1f,3f,ff".parse().unwrap();
    let moves = [Key::Left, Key::Right, Key::Cw, Key::Ccw, Key::SoftDrop];
    for piece in Piece::ALL {
        let mut shortest = std::collections::BTreeMap::new();
        let mut ways = vec![(Vec::new(), Location::spawn(piece), Spin::None)];
        for length in 1..=5 {
            let mut longer = Vec::new();
            for (keys, at, spin) in ways {
                let (locked, spin_locked) = movegen::press(&board, at, spin, Key::HardDrop).unwrap();
                shortest.entry((locked.canonical(), spin_locked)).or_insert(length);
                for key in moves {
                    if let Some((moved, spin)) = movegen::press(&board, at, spin, key) {
                        longer.push(([keys.clone(), vec![key]].concat(), moved, spin));
                    }
                }
            }
            ways = longer;
        }
        for ((at, spin), length) in shortest {
            let path = movegen::path(&board, Placement { at, spin }, SpinMode::TSpins).unwrap();
            assert_eq!(path.len(), length, "{at} {path:?}");
        }
    }
}

#[test]
fn a_blocked_spawn_leaves_nothing() {
    let columns = std::array::from_fn(|x| if x == 4 { 1 << 19 } else { 0 });
    let board = Board::from_columns(columns).unwrap();
    for piece in Piece::ALL {
        assert_eq!(check_board(&board), 0);
        let at = board.landing(Location { y: 15, ..Location::spawn(piece) }).unwrap().canonical();
        assert_eq!(movegen::path(&board, Placement { at, spin: Spin::None }, SpinMode::Ignore), None);
    }
}

#[test]
fn perft_plays_what_the_definition_plays() {
    // Stacks around the heights at which another layout is used, with rows that one piece completes.
    testkit::seeds(400, |seed| {
        let mut rng = Rng::new(seed);
        let height = 9 + rng.below(11);
        let mut columns = [(1u64 << height) - 1; 10];
        let well = rng.below(9) as usize;
        columns[well] = (1 << rng.below(height)) - 1;
        columns[well + 1] &= !(rng.next_u64() & rng.next_u64());
        for _ in 0..rng.below(5) {
            columns[rng.below(10) as usize] &= !(1 << rng.below(height));
        }
        let board = Board::from_columns(columns).unwrap();
        let queue = [Piece::ALL[rng.below(7) as usize], Piece::ALL[rng.below(7) as usize]];
        for spin_mode in [SpinMode::Ignore, SpinMode::TSpins] {
            let rules = Rules { spins: spin_mode == SpinMode::TSpins, ..Rules::default() };
            let expected = naive::perft(&board, &queue, rules);
            for level in Level::all() {
                let nodes = perft::perft_on(level, &board, &queue, spin_mode);
                assert_eq!(nodes, expected, "{queue:?} {spin_mode:?} {level} on\n{board}");
            }
            // Long enough for two levels that ask whether to stop, and dear: only in some cases.
            let pieces = match rng.below(40) {
                0 => 5,
                1..=4 => 4,
                _ => continue,
            };
            let queue = &[queue[0], queue[1], Piece::O, Piece::I, Piece::O][..pieces];
            let expected = perft::perft(&board, queue, spin_mode);
            assert_eq!(perft::perft_until(&board, queue, spin_mode, &|| false), Some(expected));
            let expected = perft::hard_drops(&board, queue);
            assert_eq!(perft::hard_drops_until(&board, queue, &|| false), Some(expected));
        }
    });
}

#[test]
fn perft_loses_no_row_of_a_stack_that_grows() {
    // The O makes thirteen rows of eleven, the I seventeen. Were its highest cell lost, the L on it would
    // stand below the row where the last piece spawns.
    let board = Board::from_columns(std::array::from_fn(|x| if x == 4 { (1 << 11) - 1 } else { 0 })).unwrap();
    let queue = [Piece::O, Piece::I, Piece::L, Piece::O];
    let expected = naive::perft(&board, &queue, Rules::default());
    for level in Level::all() {
        let nodes = perft::perft_on(level, &board, &queue, SpinMode::Ignore);
        assert_eq!(nodes, expected, "{level}");
    }
}

/// The boards of the benchmark of cobra-movegen: an overhang for a T, two for a T, and winding caves.
const OVERHANGS: [&str; 3] =
    ["3f,3f,1f,7,1,0,d,1f,3f,ff", "1ff,1ff,ff,ff,3f,26,81,f7,ff,ff", "ff,c0,cc0,ccc,ccc,ccc,ccc,c0c,c0c,ffc"];

/// Raises a board to a height by full rows, in each a hole in the column that `hole` returns.
fn raised(board: &str, height: u32, mut hole: impl FnMut() -> u32) -> Board {
    let board: Board = board.parse().unwrap();
    let rows = height - board.heights().into_iter().max().unwrap();
    let mut columns = board.columns().map(|column| column << rows);
    for y in 0..rows {
        let hole = hole() as usize;
        (0..10).filter(|&x| x != hole).for_each(|x| columns[x] |= 1 << y);
    }
    Board::from_columns(columns).unwrap()
}

#[test]
fn placements_on_each_kind_of_garbage() {
    let mut rng = Rng::new(18);
    for board in OVERHANGS {
        for height in 13..=20 {
            for hole in 0..10 {
                check_board(&raised(board, height, || hole));
            }
            check_board(&raised(board, height, || rng.below(10)));
        }
    }
}

#[test]
fn perft_near_the_spawn() {
    let _ = testkit::levels();
    testkit::seeds(40, |seed| {
        let rng = &mut Rng::new(seed);
        let (height, hole) = (12 + rng.below(7), rng.below(11));
        let board = OVERHANGS[rng.below(3) as usize];
        let queue = [0; 2].map(|_| Piece::ALL[rng.below(7) as usize]);
        let board = raised(board, height, || if hole == 10 { rng.below(10) } else { hole });
        for spin_mode in [SpinMode::Ignore, SpinMode::TSpins] {
            let rules = Rules { spins: spin_mode == SpinMode::TSpins, ..Rules::default() };
            let expected = naive::perft(&board, &queue, rules);
            for level in Level::all() {
                let nodes = perft::perft_on(level, &board, &queue, spin_mode);
                assert_eq!(nodes, expected, "{queue:?} {spin_mode:?} {level} on {board:x}\n{board}");
            }
        }
    });
}

#[test]
fn a_stopped_perft_ends_soon() {
    let asked = std::cell::Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) == 2;
    let queue = [Piece::T; 12];
    assert_eq!(perft::perft_until(&Board::EMPTY, &queue, SpinMode::TSpins, &stop), None);
    assert_eq!(asked.replace(0), 3);
    assert_eq!(perft::hard_drops_until(&Board::EMPTY, &queue, &stop), None);
    assert_eq!(asked.get(), 3);
}
