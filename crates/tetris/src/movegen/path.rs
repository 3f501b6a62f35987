//! [`path`]: the key presses for a placement.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::kicks::kicks;
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
            Self::HardDrop => "hard-drop",
        })
    }
}

const BEFORE_DROP: [Movement; 5] =
    [Movement::Left, Movement::Right, Movement::Cw, Movement::Ccw, Movement::SoftDrop];

/// Applies a movement. Returns the new location and the spin of the movement, or `None` if the
/// piece can't move that way.
///
/// A hard drop moves the piece to its final location. If it doesn't fall at all, it keeps the
/// previous movement's `spin`.
///
/// ```
/// use tetris::{Board, Location, Piece, Spin, movegen::{self, Movement}};
/// let spawn = Location::spawn(Piece::T);
/// let (turned, _) = movegen::apply(&Board::EMPTY, spawn, Spin::None, Movement::Cw).unwrap();
/// let (locked, spin) = movegen::apply(&Board::EMPTY, turned, Spin::None, Movement::HardDrop).unwrap();
/// assert_eq!((locked.x, locked.y, spin), (4, 1, Spin::None));
/// ```
pub fn apply(
    board: &Board,
    at: Location,
    spin: Spin,
    movement: Movement,
) -> Option<(Location, Spin)> {
    let rotation = match movement {
        Movement::Cw => Rotation::Cw,
        Movement::Ccw => Rotation::Ccw,
        Movement::HardDrop => {
            let landed = board.landing(at)?;
            return Some((landed, if landed == at { spin } else { Spin::None }));
        }
        Movement::Left | Movement::Right | Movement::SoftDrop => {
            let (dx, dy) = match movement {
                Movement::Left => (-1, 0),
                Movement::Right => (1, 0),
                _ => (0, -1),
            };
            let moved = at.moved(dx, dy);
            return board.fits(moved).then_some((moved, Spin::None));
        }
    };
    let rotated = Location { orientation: at.orientation.rotated(rotation), ..at };
    let all = kicks(at.piece, at.orientation, rotation).iter().enumerate();
    let (kick, kicked) = all
        .map(|(number, &(dx, dy))| (number, rotated.moved(dx, dy)))
        .find(|&(_, kicked)| board.fits(kicked))?;
    Some((kicked, spin_of(board, kicked, kick)))
}

/// Returns the spin of a rotation that ended at a location with this kick, counted from 0.
fn spin_of(board: &Board, at: Location, kick: usize) -> Spin {
    if at.piece != Piece::T {
        return Spin::None;
    }
    let filled = |(dx, dy): (i32, i32)| board.occupied(i32::from(at.x) + dx, i32::from(at.y) + dy);
    // Clockwise from the upper left. The front of north is the first two.
    let corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)].map(filled);
    let front = [corners[at.orientation as usize], corners[at.orientation.cw() as usize]];
    match corners.iter().filter(|&&filled| filled).count() {
        0..3 => Spin::None,
        _ if front == [true, true] || kick == 4 => Spin::Full,
        _ => Spin::Mini,
    }
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
        let (locked, earned) = apply(board, at, spin, Movement::HardDrop)?;
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
            if let Some((moved, earned)) = apply(board, at, spin, movement) {
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
