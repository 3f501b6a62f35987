//! The search of the move generator: a flood fill by shifts of whole bitboards.
//!
//! Each orientation has three bitboards of piece centers: where the piece fits (`free`), where it
//! gets to (`reached`), and where it rests on something (`resting`). Moves, drops and kicks are
//! shifts.
//!
//! # Order of the search
//!
//! ```text
//! reached = everything open to the sky, in all orientations     // on a high stack: only the spawn
//! if all of resting is reached: done                            // most boards
//! move to the sides and drop, until nothing is added
//! if all of resting is reached: done
//! loop:
//!     rotate north and south into east and west; move and drop these two until nothing is added
//!     rotate east and west into north and south; move and drop these two until nothing is added
//!     stop if a half (except the very first) adds nothing, or if all of resting is reached
//! ```

mod collision;
mod pieces;
mod reachable;
mod rotations;
mod spins;
mod steps;
mod symmetry;

use super::bitboard::{Bitboard, RowBlock, moved};
use crate::board::WIDTH;
use crate::kicks::RotationSystem;
use crate::location::Location;
use crate::piece::Piece;
use crate::placement::{MoveRules, SpinMode};
use bitcore::Isa;
use collision::{free_centers, free_shapes, resting_centers};
use pieces::O;
use rotations::{FloodFill, rotate, rotate_recorded};
use spins::Corners;
use steps::{
    all_shapes_reached, open_shapes, reached_resting, shift_and_drop, shift_and_drop_shapes,
};
use symmetry::HalfTurn;

pub(crate) use collision::{CollisionMaps, collision_maps};
pub(crate) use pieces::{dispatch_piece, shapes, spin_mode};
pub(crate) use reachable::{Maps, Number, Outcome, ReachableSet};
pub(crate) use spins::three_filled_corners;

/// The space below the lowest row of a bitboard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    Floor,
    /// More rows, which the search treats as filled.
    Rows,
}

/// Rows 2 to 4 of the lowest block. Without a free center in them, no piece passes below.
const CLOSED_LAYER: u64 = 0b0011_1000_0000_0000;

/// Returns the resting centers that the piece `P` reaches from the cell `spawn` or, without one,
/// from everything open to the sky. With `SPINS`, classifies T-spins.
///
/// Returns `None` if there are rows `below` the bitboard and the piece might pass into them.
#[inline(always)]
pub(crate) fn search<B: RowBlock, const N: usize, const P: usize, const SPINS: bool>(
    isa: B::Token,
    board: Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
    system: RotationSystem,
) -> Option<ReachableSet<B, N>> {
    let zero = Bitboard::splat(isa, 0);
    let CollisionMaps { mut free, resting } = if const { B::INLINE_STEPS } {
        CollisionMaps::of::<P>(isa, &board)
    } else {
        collision_maps(isa, &board, Piece::ALL[P])
    };
    if below == Below::Rows {
        let any = free[0].or(free[1]).or(free[2].or(free[3])).0[0];
        if !any.and(B::splat(isa, CLOSED_LAYER)).is_zero() {
            return None;
        }
    }
    let corners = if SPINS { Corners::find(isa, board, &resting) } else { None };
    let mut reached = [zero; 4];
    if let Some(&cell) = spawn {
        reached[0] = cell.and(free[0]);
        if reached[0].is_zero() {
            return Some(ReachableSet { no_spin: [zero; 4], spins: None });
        }
        if const { shapes(P) == 2 } {
            free[2] = free_centers::<B, N, P, 2>(isa, board);
            free[3] = free_centers::<B, N, P, 3>(isa, board);
        }
        while !shift_and_drop(&mut reached[0], free[0]).is_zero() {}
    } else {
        reached = open_shapes::<B, N, P>(isa, &free);
        if corners.is_none() && all_shapes_reached::<B, N, P>(&reached, &resting) {
            return Some(ReachableSet { no_spin: resting, spins: None });
        }
        loop {
            let before = reached;
            let added = shift_and_drop_shapes::<B, N, P>(&mut reached, &free);
            if corners.is_none() && all_shapes_reached::<B, N, P>(&reached, &resting) {
                return Some(ReachableSet { no_spin: resting, spins: None });
            }
            if added.is_zero() {
                // As in `shift_and_drop_pair`.
                if B::Token::HAS_SIMD {
                    reached = before;
                }
                break;
            }
        }
        if const { shapes(P) == 2 } {
            free[2] = moved!(free[0], HalfTurn::<P>::TO_SOUTH);
            free[3] = moved!(free[1], HalfTurn::<P>::TO_WEST);
            reached[2] = moved!(reached[0], HalfTurn::<P>::TO_SOUTH).and(free[2]);
            reached[3] = moved!(reached[1], HalfTurn::<P>::TO_WEST).and(free[3]);
        }
    }
    let mut fill = FloodFill { free, reached, resting };
    if let Some(corners) = corners {
        let targets = rotate_recorded::<B, N>(isa, &mut fill, system);
        let resting = reached_resting::<B, N, P>(&fill.reached, resting);
        return Some(corners.split(&targets, &fill.reached, resting, spawn));
    }
    if const { P != O } {
        rotate::<B, N, P>(isa, &mut fill, system);
    }
    Some(ReachableSet { no_spin: reached_resting::<B, N, P>(&fill.reached, resting), spins: None })
}

/// Calls [`search`] out of line, compiled once for each piece and kind of bitboard.
#[inline(always)]
pub(crate) fn search_outlined<
    O: Outcome,
    B: RowBlock,
    const N: usize,
    const P: usize,
    const SPINS: bool,
>(
    isa: B::Token,
    board: &Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
    system: RotationSystem,
) -> Option<O::Of<B, N>> {
    isa.call4(
        board,
        spawn,
        below,
        system,
        #[inline(always)]
        move |board, spawn, below, system| {
            O::of(
                Piece::ALL[P],
                const { spin_mode::<SPINS>() },
                #[inline(always)]
                || search::<B, N, P, SPINS>(isa, *board, spawn, below, system),
            )
        },
    )
}

/// Calls [`search`] for a piece known only at run time, with T-spins at most.
#[inline(always)]
pub(crate) fn search_piece<O: Outcome, B: RowBlock, const N: usize>(
    isa: B::Token,
    board: &Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
    piece: Piece,
    rules: MoveRules,
) -> Option<O::Of<B, N>> {
    isa.call5(
        board,
        spawn,
        below,
        piece,
        rules,
        #[inline(always)]
        move |board, spawn, below, piece, rules| {
            let MoveRules { spin_mode, rotation_system: system, .. } = rules;
            dispatch_piece!(
                piece,
                spin_mode,
                search_outlined[O, B, N](isa, board, spawn, below, system)
            )
        },
    )
}

/// Returns where the piece lands in each column from the sky, without moves on the way. All cells
/// above the bitboard must be empty, and the piece must turn freely at its spawn. Never returns
/// `None`.
///
/// ```text
/// free    1 1 1 0 1 1     top row first
/// open    1 1 1 0 0 0     open to the sky
/// lands   0 0 1 0 0 0     open, and the cell below isn't
/// ```
#[inline(always)]
pub(crate) fn hard_drops<O: Outcome, B: RowBlock>(
    isa: B::Token,
    board: &Bitboard<B, 1>,
    piece: Piece,
) -> Option<O::Of<B, 1>> {
    #[inline(always)]
    fn of<O: Outcome, B: RowBlock, const P: usize, const SPINS: bool>(
        isa: B::Token,
        board: &Bitboard<B, 1>,
    ) -> Option<O::Of<B, 1>> {
        let open = open_shapes::<B, 1, P>(isa, &free_shapes::<B, 1, P>(isa, *board));
        let lands = ReachableSet { no_spin: resting_centers::<B, 1, P>(isa, &open), spins: None };
        O::of(
            Piece::ALL[P],
            SpinMode::Ignore,
            #[inline(always)]
            || Some(lands),
        )
    }
    isa.call2(
        board,
        piece,
        #[inline(always)]
        move |board, piece| dispatch_piece!(piece, SpinMode::Ignore, of[O, B](isa, board)),
    )
}

/// The spawn cell of piece centers, as the columns of a field.
pub(crate) const SPAWN: [u64; WIDTH] = spawn_in(Location::SPAWN_Y);

pub(crate) const fn spawn_in(row: i8) -> [u64; WIDTH] {
    let mut columns = [0; WIDTH];
    columns[Location::SPAWN_X as usize] = 1 << row;
    columns
}
