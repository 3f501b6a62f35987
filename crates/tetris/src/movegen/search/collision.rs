//! Where a piece fits and where it rests, reached or not.

use super::pieces::{dispatch_piece, shapes};
use crate::movegen::bitboard::{Bitboard, RowBlock, columns, rows};
use crate::piece::{Orientation, Piece};
use crate::placement::SpinMode;
use bitcore::Isa;

struct PieceCells<const P: usize, const R: usize>;

impl<const P: usize, const R: usize> PieceCells<P, R> {
    const ALL: [(i32, i32); 4] = Piece::ALL[P].cells(Orientation::ALL[R]);
}

/// Returns the centers where orientation `R` of piece `P` fits. Cells above the bitboard count as
/// empty.
#[inline(always)]
pub(super) fn free_centers<B: RowBlock, const N: usize, const P: usize, const R: usize>(
    isa: B::Token,
    board: Bitboard<B, N>,
) -> Bitboard<B, N> {
    let all = Bitboard::splat(isa, !0);
    let empty = all.and_not(board);
    let mut free = empty;
    macro_rules! cell {
        ($number:literal) => {
            let cells = if const { PieceCells::<P, R>::ALL[$number].1 > 0 } {
                all.and_not(rows!(board, -PieceCells::<P, R>::ALL[$number].1))
            } else {
                rows!(empty, -PieceCells::<P, R>::ALL[$number].1)
            };
            free = free.and(columns!(cells, -PieceCells::<P, R>::ALL[$number].0));
        };
    }
    cell!(0);
    cell!(1);
    cell!(2);
    cell!(3);
    free
}

/// Returns the centers where the piece fits, for each distinct shape.
#[inline(always)]
pub(super) fn free_shapes<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    board: Bitboard<B, N>,
) -> [Bitboard<B, N>; 4] {
    let mut free = [Bitboard::splat(isa, 0); 4];
    free[0] = free_centers::<B, N, P, 0>(isa, board);
    if const { shapes(P) > 1 } {
        free[1] = free_centers::<B, N, P, 1>(isa, board);
    }
    if const { shapes(P) > 2 } {
        free[2] = free_centers::<B, N, P, 2>(isa, board);
        free[3] = free_centers::<B, N, P, 3>(isa, board);
    }
    free
}

/// Returns the free centers with no free center directly below, reached or not.
#[inline(always)]
pub(super) fn resting_centers<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    free: &[Bitboard<B, N>; 4],
) -> [Bitboard<B, N>; 4] {
    let mut resting = [Bitboard::splat(isa, 0); 4];
    resting[0] = free[0].and_not(rows!(free[0], 1));
    if const { shapes(P) > 1 } {
        resting[1] = free[1].and_not(rows!(free[1], 1));
    }
    if const { shapes(P) > 2 } {
        resting[2] = free[2].and_not(rows!(free[2], 1));
        resting[3] = free[3].and_not(rows!(free[3], 1));
    }
    resting
}

/// The free and the resting centers for each distinct shape, reached or not.
#[derive(Clone, Copy)]
pub(crate) struct CollisionMaps<B, const N: usize> {
    pub(crate) free: [Bitboard<B, N>; 4],
    pub(crate) resting: [Bitboard<B, N>; 4],
}

impl<B: RowBlock, const N: usize> CollisionMaps<B, N> {
    #[inline(always)]
    pub(super) fn of<const P: usize>(isa: B::Token, board: &Bitboard<B, N>) -> Self {
        let free = free_shapes::<B, N, P>(isa, *board);
        Self { free, resting: resting_centers::<B, N, P>(isa, &free) }
    }
}

/// Returns the maps of a piece known only at run time.
#[inline(always)]
pub(crate) fn collision_maps<B: RowBlock, const N: usize>(
    isa: B::Token,
    board: &Bitboard<B, N>,
    piece: Piece,
) -> CollisionMaps<B, N> {
    #[inline(always)]
    fn of<B: RowBlock, const N: usize, const P: usize, const SPINS: bool>(
        isa: B::Token,
        board: &Bitboard<B, N>,
    ) -> CollisionMaps<B, N> {
        CollisionMaps::of::<P>(isa, board)
    }
    isa.call2(
        board,
        piece,
        #[inline(always)]
        move |board, piece| dispatch_piece!(piece, SpinMode::Ignore, of[B, N](isa, board)),
    )
}
