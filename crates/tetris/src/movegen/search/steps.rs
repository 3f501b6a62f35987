//! Moves to the sides and drops, and how far they reach.

use super::collision::{CollisionMaps, collision_maps, free_centers};
use super::pieces::{O, shapes};
use super::symmetry::{HalfTurn, Symmetry, canonical};
use crate::movegen::bitboard::{Bitboard, RowBlock, moved};
use crate::piece::Piece;
use bitcore::Isa;

/// The space below the lowest row of a bitboard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    Floor,
    /// More rows, which the search treats as filled.
    Rows,
}

/// Rows 2 to 4 of the lowest block. Without a free center in them, no piece passes below.
const CLOSED_LAYER: u64 = 0b0011_1000_0000_0000;

/// The state of the flood fill in all four orientations, at the start of the rotations.
#[derive(Clone, Copy)]
pub(super) struct FloodFill<B, const N: usize> {
    pub(super) free: [Bitboard<B, N>; 4],
    pub(super) reached: [Bitboard<B, N>; 4],
    pub(super) resting: [Bitboard<B, N>; 4],
}

/// Returns where the piece fits and rests, or `None` if there are rows `below` the bitboard and the
/// piece might pass into them.
#[inline(always)]
pub(super) fn closed_maps<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    board: &Bitboard<B, N>,
    below: Below,
) -> Option<CollisionMaps<B, N>> {
    let maps = if const { B::INLINE_STEPS } {
        CollisionMaps::of::<P>(isa, board)
    } else {
        collision_maps(isa, board, Piece::ALL[P])
    };
    if below == Below::Rows {
        let free = &maps.free;
        let any = free[0].or(free[1]).or(free[2].or(free[3])).0[0];
        if !any.and(B::splat(isa, CLOSED_LAYER)).is_zero() {
            return None;
        }
    }
    Some(maps)
}

/// Moves and drops without rotations, until nothing is added. Returns the state before the first
/// rotation, or as an error the final result, if there is nothing to search: no center at all, or,
/// unless `search_on`, every resting one is reached.
#[inline(always)]
pub(super) fn move_and_drop<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    board: Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    maps: CollisionMaps<B, N>,
    search_on: bool,
) -> Result<FloodFill<B, N>, [Bitboard<B, N>; 4]> {
    let CollisionMaps { mut free, resting } = maps;
    let mut reached = [Bitboard::splat(isa, 0); 4];
    if let Some(&cell) = spawn {
        reached[0] = cell.and(free[0]);
        if reached[0].is_zero() {
            return Err(reached);
        }
        if const { shapes(P) == 2 } {
            free[2] = free_centers::<B, N, P, 2>(isa, board);
            free[3] = free_centers::<B, N, P, 3>(isa, board);
        }
        while !shift_and_drop(&mut reached[0], free[0]).is_zero() {}
    } else {
        reached = open_shapes::<B, N, P>(isa, &free);
        if !search_on && all_shapes_reached::<B, N, P>(&reached, &resting) {
            return Err(resting);
        }
        loop {
            let before = reached;
            let added = shift_and_drop_shapes::<B, N, P>(&mut reached, &free);
            if !search_on && all_shapes_reached::<B, N, P>(&reached, &resting) {
                return Err(resting);
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
    Ok(FloodFill { free, reached, resting })
}

/// Returns the free centers open to the sky, for each distinct shape.
#[inline(always)]
pub(super) fn open_shapes<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    free: &[Bitboard<B, N>; 4],
) -> [Bitboard<B, N>; 4] {
    let mut open = [Bitboard::splat(isa, 0); 4];
    let top = B::splat(isa, 1);
    open[0] = Bitboard::open_to_sky(free[0], top);
    if const { shapes(P) > 1 } {
        open[1] = Bitboard::open_to_sky(free[1], top);
    }
    if const { shapes(P) > 2 } {
        open[2] = Bitboard::open_to_sky(free[2], top);
        open[3] = Bitboard::open_to_sky(free[3], top);
    }
    open
}

/// Moves one column to both sides, then drops. Returns the new centers.
#[inline(always)]
pub(super) fn shift_and_drop<B: RowBlock, const N: usize>(
    reached: &mut Bitboard<B, N>,
    free: Bitboard<B, N>,
) -> Bitboard<B, N> {
    #[inline(never)]
    fn outlined<B: RowBlock, const N: usize>(
        reached: &mut Bitboard<B, N>,
        free: &Bitboard<B, N>,
    ) -> Bitboard<B, N> {
        shift_and_drop_inlined(reached, *free)
    }
    if const { B::INLINE_STEPS } {
        shift_and_drop_inlined(reached, free)
    } else {
        outlined(reached, &free)
    }
}

#[inline(always)]
fn shift_and_drop_inlined<B: RowBlock, const N: usize>(
    reached: &mut Bitboard<B, N>,
    free: Bitboard<B, N>,
) -> Bitboard<B, N> {
    let before = *reached;
    let sides = before.right::<1>().or(before.left::<1>()).and(free);
    *reached = before.or(sides).dropped(free);
    reached.and_not(before)
}

/// Moves to the sides and drops until nothing is added, in two orientations in parallel.
///
/// In registers, the last step is undone: it adds nothing, but what follows would wait for it.
#[inline(always)]
pub(super) fn shift_and_drop_pair<B: RowBlock, const N: usize>(
    reached: [&mut Bitboard<B, N>; 2],
    free: [Bitboard<B, N>; 2],
) {
    let [a, b] = reached;
    loop {
        let before = [*a, *b];
        if shift_and_drop(a, free[0]).or(shift_and_drop(b, free[1])).is_zero() {
            if B::Token::HAS_SIMD {
                [*a, *b] = before;
            }
            return;
        }
    }
}

/// Returns the centers new in any shape.
#[inline(always)]
pub(super) fn shift_and_drop_shapes<B: RowBlock, const N: usize, const P: usize>(
    reached: &mut [Bitboard<B, N>; 4],
    free: &[Bitboard<B, N>; 4],
) -> Bitboard<B, N> {
    let mut added = shift_and_drop(&mut reached[0], free[0]);
    if const { shapes(P) > 1 } {
        added = added.or(shift_and_drop(&mut reached[1], free[1]));
    }
    if const { shapes(P) > 2 } {
        added = added
            .or(shift_and_drop(&mut reached[2], free[2]))
            .or(shift_and_drop(&mut reached[3], free[3]));
    }
    added
}

/// Returns `true` if every resting center is reached, while symmetric pieces still have two
/// orientations.
#[inline(always)]
pub(super) fn all_shapes_reached<B: RowBlock, const N: usize, const P: usize>(
    reached: &[Bitboard<B, N>; 4],
    resting: &[Bitboard<B, N>; 4],
) -> bool {
    let mut missing = resting[0].and_not(reached[0]);
    if const { shapes(P) > 1 } {
        missing = missing.or(resting[1].and_not(reached[1]));
    }
    if const { shapes(P) > 2 } {
        missing = missing.or(resting[2].and_not(reached[2])).or(resting[3].and_not(reached[3]));
    }
    missing.is_zero()
}

/// For symmetric pieces, south counts as north and west as east.
#[inline(always)]
pub(super) fn all_resting_reached<B: RowBlock, const N: usize, const P: usize>(
    symmetry: Symmetry,
    reached: &[Bitboard<B, N>; 4],
    resting: &[Bitboard<B, N>; 4],
) -> bool {
    if symmetry == Symmetry::HalfTurn {
        let [north, east] = canonical::<B, N, P>(reached);
        return resting[0].and_not(north).or(resting[1].and_not(east)).is_zero();
    }
    let mut missing = resting[0].and_not(reached[0]);
    if const { P != O } {
        missing = missing.or(resting[1].and_not(reached[1]));
        missing = missing.or(resting[2].and_not(reached[2])).or(resting[3].and_not(reached[3]));
    }
    missing.is_zero()
}

#[inline(always)]
pub(super) fn reached_resting<B: RowBlock, const N: usize, const P: usize>(
    reached: &[Bitboard<B, N>; 4],
    mut resting: [Bitboard<B, N>; 4],
) -> [Bitboard<B, N>; 4] {
    if const { shapes(P) == 2 } {
        let [north, east] = canonical::<B, N, P>(reached);
        (resting[0], resting[1]) = (resting[0].and(north), resting[1].and(east));
        return resting;
    }
    resting[0] = resting[0].and(reached[0]);
    if const { P != O } {
        resting[1] = resting[1].and(reached[1]);
        (resting[2], resting[3]) = (resting[2].and(reached[2]), resting[3].and(reached[3]));
    }
    resting
}
