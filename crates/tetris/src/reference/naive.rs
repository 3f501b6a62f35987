//! Naive placements, perft and boards: one cell and one key press at a time.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::kicks::RotationSystem;
use crate::location::Location;
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin, SpinMode};
use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec;
use alloc::vec::Vec;

/// The movement rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The row of a piece's center at its spawn.
    pub spawn_y: i8,
    /// `true` to retry a blocked spawn one row higher.
    pub second_spawn_row: bool,
    /// The kicks, and whether pieces rotate by 180 degrees.
    pub rotation_system: RotationSystem,
    /// The number of kicks tried per rotation: 1 for rotation in place only.
    pub kicks: usize,
    /// The treatment of spins.
    pub spin_mode: SpinMode,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            spawn_y: Location::SPAWN_Y,
            second_spawn_row: false,
            rotation_system: RotationSystem::Srs,
            kicks: usize::MAX,
            spin_mode: SpinMode::Ignore,
        }
    }
}

/// Returns `true` if all four cells are inside the field and empty.
pub fn fits(board: &Board, at: Location) -> bool {
    at.cells().iter().all(|&(x, y)| !board.occupied(x, y))
}

/// Returns all placements reachable by single presses of left, right, soft drop and the rotations,
/// sorted. The list is empty if the spawn is blocked.
///
/// ```
/// use tetris::{Board, Piece, reference::naive::{Rules, placements}};
/// assert_eq!(placements(&Board::EMPTY, Piece::I, Rules::default()).len(), 17);
/// ```
pub fn placements(board: &Board, piece: Piece, rules: Rules) -> Vec<Placement> {
    // The spin depends on the last movement, so it is part of the state.
    let index = |at: Location, spin: Spin| {
        ((spin as usize * 4 + at.orientation as usize) * WIDTH + at.x as usize) * HEIGHT
            + at.y as usize
    };
    let mut seen = vec![false; 3 * 4 * WIDTH * HEIGHT];
    let mut queue = VecDeque::new();
    let mut reach = |queue: &mut VecDeque<_>, at: Location, spin: Spin| {
        if !core::mem::replace(&mut seen[index(at, spin)], true) {
            queue.push_back((at, spin));
        }
    };
    let rows = [rules.spawn_y, rules.spawn_y + 1];
    let rows = &rows[..if rules.second_spawn_row { 2 } else { 1 }];
    let spawns = rows.iter().map(|&y| Location { y, ..Location::spawn(piece) });
    if let Some(spawn) = spawns.into_iter().find(|&spawn| fits(board, spawn)) {
        reach(&mut queue, spawn, Spin::None);
    }
    let mut locked = BTreeSet::new();
    while let Some((at, spin)) = queue.pop_front() {
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1)] {
            let next = at.moved(dx, dy);
            if fits(board, next) {
                reach(&mut queue, next, Spin::None);
            } else if dy < 0 {
                locked.insert(Placement { at: at.canonical(), spin });
            }
        }
        for rotation in Rotation::ALL {
            if let Some((rotated, kick)) = rotate(board, at, rotation, rules) {
                let is_fifth = kick == 4 && rotation != Rotation::Half;
                reach(&mut queue, rotated, spin_of(board, rotated, is_fifth, rules.spin_mode));
            }
        }
    }
    locked.into_iter().collect()
}

/// Rotates a piece with the first kick that fits. Returns the location and the kick's number from
/// 0.
fn rotate(
    board: &Board,
    at: Location,
    rotation: Rotation,
    rules: Rules,
) -> Option<(Location, usize)> {
    let rotated = Location { orientation: at.orientation.rotated(rotation), ..at };
    let all = rules.rotation_system.kicks(at.piece, at.orientation, rotation);
    let all = all.iter().take(rules.kicks);
    all.map(|&(dx, dy)| rotated.moved(dx, dy)).zip(0..).find(|&(kicked, _)| fits(board, kicked))
}

/// Returns the spin of a rotation that ended at a location.
fn spin_of(board: &Board, at: Location, is_fifth: bool, spin_mode: SpinMode) -> Spin {
    let moves = [(-1, 0), (1, 0), (0, 1), (0, -1)];
    let is_immobile = moves.iter().all(|&(dx, dy)| !fits(board, at.moved(dx, dy)));
    let otherwise =
        if is_immobile && spin_mode == SpinMode::AllMini { Spin::Mini } else { Spin::None };
    if at.piece != Piece::T || spin_mode == SpinMode::Ignore {
        return otherwise;
    }
    let filled = |(dx, dy)| board.occupied(i32::from(at.x) + dx, i32::from(at.y) + dy);
    // Clockwise from the top left; the front corners of north come first.
    let mut corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)].map(filled);
    corners.rotate_left(at.orientation as usize);
    match corners {
        _ if corners.iter().filter(|&&filled| filled).count() < 3 => otherwise,
        [true, true, ..] => Spin::Full,
        _ if is_fifth => Spin::Full,
        _ => Spin::Mini,
    }
}

/// Computes [`movegen::hard_drops`](crate::movegen::hard_drops), one row at a time.
pub fn hard_drops(board: &Board, piece: Piece) -> BTreeSet<Location> {
    hard_drops_from(board, Location::spawn(piece), RotationSystem::Srs)
}

/// Computes [`movegen::hard_drops_from`](crate::movegen::hard_drops_from), one row at a time.
pub fn hard_drops_from(
    board: &Board,
    spawn: Location,
    rotation_system: RotationSystem,
) -> BTreeSet<Location> {
    let rules = Rules { rotation_system, ..Rules::default() };
    let mut rotated = BTreeSet::new();
    let mut stack = vec![spawn];
    while let Some(at) = stack.pop() {
        if fits(board, at) && rotated.insert(at) {
            stack.extend(
                Rotation::ALL
                    .iter()
                    .filter_map(|&rotation| Some(rotate(board, at, rotation, rules)?.0)),
            );
        }
    }
    let mut landings = BTreeSet::new();
    for (from, step) in rotated.iter().flat_map(|&from| [(from, -1), (from, 1)]) {
        let mut at = from;
        while fits(board, at) {
            let mut falling = at;
            while fits(board, falling.moved(0, -1)) {
                falling = falling.moved(0, -1);
            }
            landings.insert(falling.canonical());
            at = at.moved(step, 0);
        }
    }
    landings
}

/// Returns the board with the piece's cells filled, or `None` if the piece doesn't fit.
pub fn place(board: &Board, at: Location) -> Option<Board> {
    let mut columns = *board.columns();
    for (x, y) in at.cells() {
        if board.occupied(x, y) {
            return None;
        }
        columns[x as usize] |= 1 << y;
    }
    Board::from_columns(columns)
}

/// Rebuilds the board from its rows without the full ones. Returns the board and the number of full
/// rows.
pub fn clear_lines(board: &Board) -> (Board, u32) {
    let mut columns = [0; WIDTH];
    let mut kept = 0;
    for y in 0..HEIGHT as i32 {
        let row: [bool; WIDTH] = core::array::from_fn(|x| board.occupied(x as i32, y));
        if row != [true; WIDTH] {
            columns
                .iter_mut()
                .zip(row)
                .for_each(|(column, filled)| *column |= u64::from(filled) << kept);
            kept += 1;
        }
    }
    // No bits above the field are set.
    (Board::from_columns(columns).unwrap_or_default(), HEIGHT as u32 - kept)
}

/// Counts the empty cells with a filled cell directly above, cell by cell.
pub fn holes(board: &Board) -> u32 {
    let cells = (0..WIDTH as i32).flat_map(|x| (0..HEIGHT as i32 - 1).map(move |y| (x, y)));
    cells.map(|(x, y)| u32::from(!board.occupied(x, y) && board.occupied(x, y + 1))).sum()
}

/// Counts the sequences of [`placements`] that lock the whole queue. Full lines are cleared.
/// Returns 1 for an empty queue.
///
/// ```
/// use tetris::{Board, Queue, reference::naive::{Rules, perft}};
/// let queue: Queue = "IOL".parse().unwrap();
/// assert_eq!(perft(&Board::EMPTY, &queue, Rules::default()), 5266);
/// ```
pub fn perft(board: &Board, queue: &[Piece], rules: Rules) -> u64 {
    let Some((&piece, rest)) = queue.split_first() else { return 1 };
    let all = placements(board, piece, rules);
    if rest.is_empty() {
        return all.len() as u64;
    }
    let children = all.iter().filter_map(|placement| place(board, placement.at));
    children.map(|child| perft(&clear_lines(&child).0, rest, rules)).sum()
}
