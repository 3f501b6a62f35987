//! Rotations with their kicks, until they add nothing.
//!
//! A rotation of the [Super Rotation System](https://tetris.wiki/Super_Rotation_System) tries five
//! kicks and uses the first that fits. Each kick is a shift of a bitboard and tries all centers in
//! parallel. Centers that fit are removed before the next kick:
//!
//! ```text
//! left = reached[from]
//! for (dx, dy) in kicks:
//!     fits = shift(free[to], -dx, -dy)          // centers this kick takes to a free center
//!     reached[to] |= shift(left & fits, dx, dy)
//!     left &= !fits
//! ```
//!
//! A shift by `(dx, dy)` moves the columns of a bitboard by `dx` and the bits of each column by
//! `dy`, up towards bit 0: the kick (-1, 1) takes column 4, bit 9 to column 3, bit 8.
//!
//! The code first collects the ends by `dx`, to do each column shift only once. A final AND with
//! `free` replaces `left & fits`.

use super::pieces::{I, T};
use super::steps::{all_resting_reached, shift_and_drop_pair};
use super::symmetry::Symmetry;
use crate::kicks::kick;
use crate::movegen::bitboard::{Bitboard, RowBlock, columns, moved, rows};
use crate::piece::{Orientation, Piece, Rotation};
use bitcore::Isa;

struct Kicks<const P: usize, const FROM: usize, const TO: usize>;

impl<const P: usize, const FROM: usize, const TO: usize> Kicks<P, FROM, TO> {
    const ALL: [(i32, i32); 5] = {
        let rotation = if (FROM + 1) & 3 == TO { Rotation::Cw } else { Rotation::Ccw };
        let mut all = [(0, 0); 5];
        let mut i = 0;
        while i < 5 {
            let (x, y) = kick(Piece::ALL[P], Orientation::ALL[FROM], rotation, i);
            // Matches the thickness of the closed layer and the shifts of `rows!` and `columns!`.
            assert!(-2 <= y && y <= 2 && -3 <= x && x <= 3);
            all[i] = (x as i32, y as i32);
            i += 1;
        }
        all
    };
}

/// The state of the flood fill in all four orientations, at the start of the rotations.
#[derive(Clone, Copy)]
pub(super) struct FloodFill<B, const N: usize> {
    pub(super) free: [Bitboard<B, N>; 4],
    pub(super) reached: [Bitboard<B, N>; 4],
    pub(super) resting: [Bitboard<B, N>; 4],
}

/// A recorder for the rotations of a search.
trait Rotations<B: RowBlock, const N: usize> {
    /// `true` to continue the search after every resting center is reached.
    const SEARCH_ON: bool;
    fn new(isa: B::Token) -> Self;
    /// Adds the ends of rotations into one orientation.
    fn add(&mut self, to: usize, by_first_four: Bitboard<B, N>, by_fifth: Bitboard<B, N>);
}

struct Unrecorded;

impl<B: RowBlock, const N: usize> Rotations<B, N> for Unrecorded {
    const SEARCH_ON: bool = false;

    #[inline(always)]
    fn new(_: B::Token) -> Self {
        Self
    }
    #[inline(always)]
    fn add(&mut self, _: usize, _: Bitboard<B, N>, _: Bitboard<B, N>) {}
}

#[derive(Clone, Copy)]
pub(super) struct RotationTargets<B, const N: usize> {
    pub(super) by_first_four: [Bitboard<B, N>; 4],
    pub(super) by_fifth: [Bitboard<B, N>; 4],
}

impl<B: RowBlock, const N: usize> Rotations<B, N> for RotationTargets<B, N> {
    const SEARCH_ON: bool = true;

    #[inline(always)]
    fn new(isa: B::Token) -> Self {
        let none = [Bitboard::splat(isa, 0); 4];
        Self { by_first_four: none, by_fifth: none }
    }
    #[inline(always)]
    fn add(&mut self, to: usize, by_first_four: Bitboard<B, N>, by_fifth: Bitboard<B, N>) {
        self.by_first_four[to] = self.by_first_four[to].or(by_first_four);
        self.by_fifth[to] = self.by_fifth[to].or(by_fifth);
    }
}

/// Rotates all centers of `from`, each with the first kick that fits. Returns the ends of the first
/// four kicks, and the ends of the fifth.
#[inline(always)]
fn rotated<B: RowBlock, const N: usize, const P: usize, const FROM: usize, const TO: usize>(
    isa: B::Token,
    from: Bitboard<B, N>,
    free: Bitboard<B, N>,
) -> (Bitboard<B, N>, Bitboard<B, N>) {
    // The ends, by the number of columns they still have to move.
    let mut ends = [Bitboard::splat(isa, 0); 7];
    let mut left = from;
    macro_rules! kick {
        ($number:literal) => {
            let end = &mut ends[const { (Kicks::<P, FROM, TO>::ALL[$number].0 + 3) as usize }];
            *end = end.or(rows!(left, Kicks::<P, FROM, TO>::ALL[$number].1));
            let fits = columns!(free, -Kicks::<P, FROM, TO>::ALL[$number].0);
            left = left.and_not(rows!(fits, -Kicks::<P, FROM, TO>::ALL[$number].1));
        };
    }
    kick!(0);
    kick!(1);
    kick!(2);
    kick!(3);
    let by_four =
        columns!(ends[0], -3).or(columns!(ends[1], -2)).or(columns!(ends[2], -1)).or(ends[3]);
    let by_four =
        by_four.or(columns!(ends[4], 1)).or(columns!(ends[5], 2)).or(columns!(ends[6], 3));
    let by_fifth = moved!(left, Kicks::<P, FROM, TO>::ALL[4]);
    (by_four.and(free), by_fifth.and(free))
}

/// Rotates from north and south into east and west and back, moving and dropping after each half.
/// Ends when a half adds nothing or, unless rotations are recorded, when every resting center is
/// reached. In registers, a half that adds nothing is undone, as in [`shift_and_drop_pair`].
///
/// `P` is a piece, or T for all pieces with the kicks of T.
#[inline(always)]
fn rotate_to_fixpoint<B: RowBlock, const N: usize, const P: usize, R: Rotations<B, N>>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    symmetry: Symmetry,
) -> R {
    let mut rotations = R::new(isa);
    let FloodFill { free, reached, resting } = fill;
    macro_rules! rotate_into {
        ($to:literal, $($from:literal $at:expr),+) => {{
            let before = reached[$to];
            $(
                let (four, fifth) = rotated::<B, N, P, $from, $to>(isa, $at, free[$to]);
                reached[$to] = reached[$to].or(four.or(fifth));
                rotations.add($to, four, fifth);
            )+
            reached[$to].and_not(before)
        }};
    }
    let mut first = true;
    loop {
        let before = *reached;
        let added = if const { P == I } {
            rotate_into!(1, 0 reached[0], 2 reached[2])
                .or(rotate_into!(3, 0 reached[0], 2 reached[2]))
        } else {
            // North and south have the same kicks.
            let flat = reached[0].or(reached[2]);
            rotate_into!(1, 0 flat).or(rotate_into!(3, 0 flat))
        };
        if added.is_zero() {
            if B::Token::HAS_SIMD {
                *reached = before;
            }
            if !first {
                break;
            }
        } else {
            let [_, east, _, west] = &mut *reached;
            shift_and_drop_pair([east, west], [free[1], free[3]]);
            if !R::SEARCH_ON && all_resting_reached::<B, N, P>(symmetry, reached, resting) {
                break;
            }
        }
        first = false;
        let before = *reached;
        let added = rotate_into!(0, 1 reached[1], 3 reached[3])
            .or(rotate_into!(2, 1 reached[1], 3 reached[3]));
        if added.is_zero() {
            if B::Token::HAS_SIMD {
                *reached = before;
            }
            break;
        }
        let [north, _, south, _] = &mut *reached;
        shift_and_drop_pair([north, south], [free[0], free[2]]);
        if !R::SEARCH_ON && all_resting_reached::<B, N, P>(symmetry, reached, resting) {
            break;
        }
    }
    rotations
}

/// Calls [`rotate_to_fixpoint`], inlined or compiled once for all pieces with equal kicks,
/// depending on the block.
#[inline(always)]
pub(super) fn rotate<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
) {
    if const { B::INLINE_ROTATIONS && N == 1 } {
        rotate_to_fixpoint::<B, N, P, Unrecorded>(isa, fill, const { Symmetry::of(P) });
    } else if const { P == I } {
        rotate_family::<B, N, I>(isa, fill, Symmetry::HalfTurn);
    } else {
        rotate_family::<B, N, T>(isa, fill, const { Symmetry::of(P) });
    }
}

/// Calls [`rotate_to_fixpoint`] out of line for all pieces with the kicks of `P`.
#[inline(always)]
fn rotate_family<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    symmetry: Symmetry,
) {
    isa.call2(
        fill,
        symmetry,
        #[inline(always)]
        move |fill, symmetry| {
            rotate_to_fixpoint::<B, N, P, Unrecorded>(isa, fill, symmetry);
        },
    );
}

#[inline(always)]
pub(super) fn rotate_t_spins<B: RowBlock, const N: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
) -> RotationTargets<B, N> {
    if const { B::INLINE_ROTATIONS && N == 1 } {
        return rotate_to_fixpoint::<B, N, T, _>(isa, fill, Symmetry::None);
    }
    isa.call1(
        fill,
        #[inline(always)]
        move |fill| rotate_to_fixpoint::<B, N, T, _>(isa, fill, Symmetry::None),
    )
}
