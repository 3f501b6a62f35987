//! [`path`]: the key presses for a placement.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::location::Location;
use crate::piece::{Orientation, Piece, Rotation};
use crate::placement::{MoveRules, Placement, Spin, SpinMode};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A movement of the piece in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Movement {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// One row down.
    SoftDrop,
    /// A quarter turn clockwise.
    Cw,
    /// A quarter turn counter-clockwise.
    Ccw,
    /// A half turn, in rotation systems that have it.
    Half,
    /// All the way down, then lock.
    HardDrop,
}

impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::SoftDrop => "soft-drop",
            Self::Cw => "cw",
            Self::Ccw => "ccw",
            Self::Half => "180",
            Self::HardDrop => "hard-drop",
        })
    }
}

const BEFORE_DROP: [Movement; 6] = [
    Movement::Left,
    Movement::Right,
    Movement::Cw,
    Movement::Ccw,
    Movement::Half,
    Movement::SoftDrop,
];

impl From<Rotation> for Movement {
    fn from(rotation: Rotation) -> Self {
        match rotation {
            Rotation::Cw => Self::Cw,
            Rotation::Ccw => Self::Ccw,
            Rotation::Half => Self::Half,
        }
    }
}

/// Applies a movement. Returns the new location and the spin of the movement, or `None` if the
/// piece can't move that way.
///
/// A hard drop moves the piece to its final location. If it doesn't fall at all, it keeps the
/// previous movement's `spin`.
///
/// ```
/// use tetris::{Board, Location, Piece, Spin, movegen::{self, Movement, SpinMode}};
/// let press = |at, key| movegen::apply(&Board::EMPTY, at, Spin::None, key, SpinMode::TSpins).unwrap();
/// let (turned, _) = press(Location::spawn(Piece::T), Movement::Cw);
/// let (locked, spin) = press(turned, Movement::HardDrop);
/// assert_eq!((locked.x, locked.y, spin), (4, 1, Spin::None));
/// ```
pub fn apply(
    board: &Board,
    at: Location,
    spin: Spin,
    movement: Movement,
    rules: impl Into<MoveRules>,
) -> Option<(Location, Spin)> {
    apply_by(board, at, spin, movement, rules.into())
}

fn apply_by(
    board: &Board,
    at: Location,
    spin: Spin,
    movement: Movement,
    rules: MoveRules,
) -> Option<(Location, Spin)> {
    let rotation = match movement {
        Movement::Cw => Rotation::Cw,
        Movement::Ccw => Rotation::Ccw,
        Movement::Half => Rotation::Half,
        Movement::HardDrop => {
            let landed = board.landing(at)?;
            return Some((landed, if landed == at { spin } else { Spin::None }));
        }
        Movement::Left => return moved(board, at, -1, 0),
        Movement::Right => return moved(board, at, 1, 0),
        Movement::SoftDrop => return moved(board, at, 0, -1),
    };
    let fits = |kicked| board.fits(kicked);
    let (kicked, kick) = rules.rotation_system.rotate_if(at, rotation, fits)?;
    let is_fifth = kick == 4 && rotation != Rotation::Half;
    Some((kicked, spin_of(board, kicked, is_fifth, rules.spin_mode)))
}

fn moved(board: &Board, at: Location, dx: i8, dy: i8) -> Option<(Location, Spin)> {
    let moved = at.moved(dx, dy);
    board.fits(moved).then_some((moved, Spin::None))
}

/// Returns the spin of a rotation that ended at a location.
#[inline]
pub(crate) fn spin_of(board: &Board, at: Location, is_fifth: bool, spin_mode: SpinMode) -> Spin {
    if spin_mode == SpinMode::Ignore {
        return Spin::None;
    }
    if at.piece == Piece::T {
        let filled =
            |(dx, dy): (i32, i32)| board.occupied(i32::from(at.x) + dx, i32::from(at.y) + dy);
        // Clockwise from the upper left. The front of north is the first two.
        let corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)].map(filled);
        let front = [corners[at.orientation as usize], corners[at.orientation.cw() as usize]];
        if corners.iter().filter(|&&filled| filled).count() > 2 {
            return if front == [true, true] || is_fifth { Spin::Full } else { Spin::Mini };
        }
    }
    let is_mini = spin_mode == SpinMode::AllMini && is_immobile(board, at);
    if is_mini { Spin::Mini } else { Spin::None }
}

/// Returns `true` if a piece can't move left, right, up or down.
pub(super) fn is_immobile(board: &Board, at: Location) -> bool {
    [(-1, 0), (1, 0), (0, 1), (0, -1)].iter().all(|&(dx, dy)| !board.fits(at.moved(dx, dy)))
}

/// Returns a shortest sequence of key presses from the spawn to a placement, including the final
/// hard drop. Returns `None` if the placement can't be reached.
///
/// With [`SpinMode::TSpins`] the piece locks with the placement's spin; with [`SpinMode::Ignore`],
/// with any.
///
/// ```
/// use tetris::{Board, Piece, Spin, movegen::{self, Movement, SpinMode, Placements}};
/// let board: Board = "##........\n#...######\n##.#######".parse().unwrap();
/// let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
/// let spun = placements.iter().find(|placement| placement.spin == Spin::Full).unwrap();
/// let movements = movegen::path(&board, spun, SpinMode::TSpins).unwrap();
/// assert!(movements.ends_with(&[Movement::Cw, Movement::HardDrop]));
/// assert_eq!(movements.iter().filter(|&&movement| movement == Movement::SoftDrop).count(), 18);
/// ```
pub fn path(board: &Board, to: Placement, rules: impl Into<MoveRules>) -> Option<Vec<Movement>> {
    path_by(board, to, rules.into())
}

fn path_by(board: &Board, to: Placement, rules: MoveRules) -> Option<Vec<Movement>> {
    let spin_mode = rules.spin_mode;
    let spawn = board.spawn(to.at.piece, rules)?;
    let goal = to.at.canonical();
    // Breadth-first search over locations with spins. Each state stores its predecessor and the
    // movement from there.
    let mut seen: Vec<Option<(u16, Movement)>> = vec![None; STATES];
    let mut queue = vec![(spawn, Spin::None)];
    let first = index(spawn, Spin::None);
    let mut next = 0;
    while let Some(&(at, spin)) = queue.get(next) {
        next += 1;
        let (locked, earned) = apply_by(board, at, spin, Movement::HardDrop, rules)?;
        if locked.canonical() == goal && (spin_mode == SpinMode::Ignore || earned == to.spin) {
            let mut movements = vec![Movement::HardDrop];
            let mut state = index(at, spin);
            while state != first {
                let (before, movement) = seen[state]?;
                movements.push(movement);
                state = before.into();
            }
            movements.reverse();
            return Some(movements);
        }
        for movement in BEFORE_DROP {
            if let Some((moved, earned)) = apply_by(board, at, spin, movement, rules) {
                let state = index(moved, earned);
                if state != first && seen[state].is_none() {
                    seen[state] = Some((index(at, spin) as u16, movement));
                    queue.push((moved, earned));
                }
            }
        }
    }
    None
}

/// The number of states: kinds of spin, orientations, columns, rows.
const STATES: usize = 3 * 4 * WIDTH * HEIGHT;

/// The center of a piece is one of its cells, so it is in the field if the piece fits.
fn index(at: Location, spin: Spin) -> usize {
    let shape = spin as usize * Orientation::ALL.len() + at.orientation as usize;
    (shape * WIDTH + at.x as usize) * HEIGHT + at.y as usize
}
