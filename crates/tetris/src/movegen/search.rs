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

pub(crate) mod by_rules;
mod collision;
mod pieces;
mod reachable;
mod rotations;
mod spins;
mod steps;
mod symmetry;

use super::bitboard::{Bitboard, RowBlock};
use crate::board::WIDTH;
use crate::location::Location;
use crate::piece::Piece;
use crate::placement::SpinMode;
use bitcore::Isa;
use collision::{free_shapes, resting_centers};
use pieces::O;
use rotations::{rotate, rotate_t_spins};
use spins::Corners;
use steps::{closed_maps, move_and_drop, open_shapes, reached_resting};

pub(crate) use collision::{CollisionMaps, collision_maps};
pub(crate) use pieces::{dispatch_piece, shapes, spin_mode};
pub(crate) use reachable::{Maps, Number, Outcome, ReachableSet};
pub(crate) use spins::three_filled_corners;
pub(crate) use steps::Below;

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
) -> Option<ReachableSet<B, N>> {
    let maps = closed_maps::<B, N, P>(isa, &board, below)?;
    let resting = maps.resting;
    let corners = if SPINS { Corners::find(isa, board, &resting) } else { None };
    let mut fill = match move_and_drop::<B, N, P>(isa, board, spawn, maps, corners.is_some()) {
        Ok(fill) => fill,
        Err(no_spin) => return Some(ReachableSet { no_spin, spins: None }),
    };
    if let Some(corners) = corners {
        let targets = rotate_t_spins(isa, &mut fill);
        let resting = reached_resting::<B, N, P>(&fill.reached, resting);
        return Some(corners.split(&targets, &fill.reached, resting, spawn));
    }
    if const { P != O } {
        rotate::<B, N, P>(isa, &mut fill);
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
) -> Option<O::Of<B, N>> {
    isa.call3(
        board,
        spawn,
        below,
        #[inline(always)]
        move |board, spawn, below| {
            O::of(
                Piece::ALL[P],
                const { spin_mode::<SPINS>() },
                #[inline(always)]
                || search::<B, N, P, SPINS>(isa, *board, spawn, below),
            )
        },
    )
}

/// Calls [`search`] for a piece known only at run time.
#[inline(always)]
pub(crate) fn search_piece<O: Outcome, B: RowBlock, const N: usize>(
    isa: B::Token,
    board: &Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
    piece: Piece,
    spin_mode: SpinMode,
) -> Option<O::Of<B, N>> {
    isa.call5(
        board,
        spawn,
        below,
        piece,
        spin_mode,
        #[inline(always)]
        move |board, spawn, below, piece, spin_mode| {
            dispatch_piece!(piece, spin_mode, search_outlined[O, B, N](isa, board, spawn, below))
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
