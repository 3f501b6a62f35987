//! Rotations with their kicks, until they add nothing.
//!
//! A rotation of the [Super Rotation System](https://tetris.wiki/Super_Rotation_System) tries five
//! kicks and uses the first that fits; others have up to twelve. Each kick is a shift of a bitboard
//! and tries all centers in parallel. Centers that fit are removed before the next kick:
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
use super::steps::{FloodFill, all_resting_reached, shift_and_drop_pair};
use super::symmetry::Symmetry;
use crate::kicks::{Kicks, RotationSystem};
use crate::movegen::bitboard::{Bitboard, RowBlock, columns, moved, rows};
use crate::piece::{Orientation, Piece, Rotation};
use bitcore::Isa;

/// [`RotationSystem::Srs`] as a const argument.
pub(super) const SRS: usize = RotationSystem::Srs as usize;

const fn rotation_between(from: usize, to: usize) -> Rotation {
    match (to + 4 - from) & 3 {
        1 => Rotation::Cw,
        2 => Rotation::Half,
        _ => Rotation::Ccw,
    }
}

/// The kicks of the rotation system `K`.
struct KickTable<const K: usize, const P: usize, const FROM: usize, const TO: usize>;

impl<const K: usize, const P: usize, const FROM: usize, const TO: usize> KickTable<K, P, FROM, TO> {
    const KICKS: Kicks = {
        let rotation = rotation_between(FROM, TO);
        Kicks::of(RotationSystem::ALL[K], Piece::ALL[P], Orientation::ALL[FROM], rotation)
    };
    const LEN: usize = Self::KICKS.len();
    /// `true` for a quarter turn: its fifth kick, the last one, makes a T-spin full.
    const HAS_FIFTH: bool = (TO + 4 - FROM) & 3 != 2;
    const BEFORE_FIFTH: usize = if Self::HAS_FIFTH { 4 } else { Self::LEN };
    const ALL: [(i32, i32); 12] = {
        let mut all = [(0, 0); 12];
        let mut i = 0;
        while i < Self::LEN {
            let (x, y) = Self::KICKS.get(i);
            // Matches the thickness of the closed layer and the shifts of `rows!` and `columns!`.
            assert!(-3 <= y && y <= 3 && -3 <= x && x <= 3);
            all[i] = (x as i32, y as i32);
            i += 1;
        }
        all
    };
}

/// A recorder for the rotations of a search.
trait Rotations<B: RowBlock, const N: usize> {
    /// `true` to continue the search after every resting center is reached.
    const SEARCH_ON: bool;
    fn new(isa: B::Token) -> Self;
    /// Adds the ends of rotations into one orientation.
    fn add(&mut self, to: usize, by_others: Bitboard<B, N>, by_fifth: Bitboard<B, N>);
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
    pub(super) by_others: [Bitboard<B, N>; 4],
    pub(super) by_fifth: [Bitboard<B, N>; 4],
}

impl<B: RowBlock, const N: usize> Rotations<B, N> for RotationTargets<B, N> {
    const SEARCH_ON: bool = true;

    #[inline(always)]
    fn new(isa: B::Token) -> Self {
        let none = [Bitboard::splat(isa, 0); 4];
        Self { by_others: none, by_fifth: none }
    }
    #[inline(always)]
    fn add(&mut self, to: usize, by_others: Bitboard<B, N>, by_fifth: Bitboard<B, N>) {
        self.by_others[to] = self.by_others[to].or(by_others);
        self.by_fifth[to] = self.by_fifth[to].or(by_fifth);
    }
}

/// Rotates all centers of `from`, each with the first kick that fits. Returns the ends of all kicks but
/// the fifth of a quarter turn, and the ends of that one.
#[inline(always)]
fn rotated<
    B: RowBlock,
    const N: usize,
    const K: usize,
    const P: usize,
    const FROM: usize,
    const TO: usize,
>(
    isa: B::Token,
    from: Bitboard<B, N>,
    free: Bitboard<B, N>,
) -> (Bitboard<B, N>, Bitboard<B, N>) {
    // The ends, by the number of columns they still have to move.
    let mut ends = [Bitboard::splat(isa, 0); 7];
    let mut left = from;
    macro_rules! kicks {
        ($($number:literal)+) => { $(
            if const { $number < KickTable::<K, P, FROM, TO>::BEFORE_FIFTH } {
                let end =
                    &mut ends[const { (KickTable::<K, P, FROM, TO>::ALL[$number].0 + 3) as usize }];
                *end = end.or(rows!(left, KickTable::<K, P, FROM, TO>::ALL[$number].1));
                let fits = columns!(free, -KickTable::<K, P, FROM, TO>::ALL[$number].0);
                left = left.and_not(rows!(fits, -KickTable::<K, P, FROM, TO>::ALL[$number].1));
            }
        )+ };
    }
    kicks!(0 1 2 3 4 5 6 7 8 9 10 11);
    let by_fifth = if const { KickTable::<K, P, FROM, TO>::HAS_FIFTH } {
        moved!(left, KickTable::<K, P, FROM, TO>::ALL[4]).and(free)
    } else {
        Bitboard::splat(isa, 0)
    };
    let by_others =
        columns!(ends[0], -3).or(columns!(ends[1], -2)).or(columns!(ends[2], -1)).or(ends[3]);
    let by_others =
        by_others.or(columns!(ends[4], 1)).or(columns!(ends[5], 2)).or(columns!(ends[6], 3));
    (by_others.and(free), by_fifth)
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
                let (others, fifth) = rotated::<B, N, SRS, P, $from, $to>(isa, $at, free[$to]);
                reached[$to] = reached[$to].or(others.or(fifth));
                rotations.add($to, others, fifth);
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

/// Rotates, moves and drops until nothing is added, with the kicks and half turns of any system.
/// Ends early, unless `search_on`, when every resting center is reached. Returns the ends of all
/// rotations; after an early end, only some.
#[inline(always)]
pub(super) fn rotate_by_system<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    system: RotationSystem,
    search_on: bool,
) -> RotationTargets<B, N> {
    let symmetry = const { Symmetry::of(P) };
    if const { P == I } {
        rotate_family_by_system::<B, N, I>(isa, fill, system, symmetry, search_on)
    } else {
        rotate_family_by_system::<B, N, T>(isa, fill, system, symmetry, search_on)
    }
}

/// Calls [`rotate_all`] out of line, for all pieces with the kicks of `P`. Without registers, where
/// constant kicks would be a lot of code, all systems share code that reads their tables.
#[inline(always)]
fn rotate_family_by_system<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    system: RotationSystem,
    symmetry: Symmetry,
    search_on: bool,
) -> RotationTargets<B, N> {
    macro_rules! call {
        ($system:expr) => {
            isa.call4(
                fill,
                system,
                symmetry,
                search_on,
                #[inline(always)]
                move |fill, system, symmetry, search_on| {
                    rotate_all::<B, N, { $system as usize }, P>(
                        isa, fill, system, symmetry, search_on,
                    )
                },
            )
        };
    }
    if const { !B::Token::HAS_SIMD } {
        return call!(RotationSystem::Srs);
    }
    match system {
        RotationSystem::Srs => call!(RotationSystem::Srs),
        RotationSystem::SrsPlus => call!(RotationSystem::SrsPlus),
        RotationSystem::SrsX => call!(RotationSystem::SrsX),
    }
}

#[inline(always)]
fn rotate_all<B: RowBlock, const N: usize, const K: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    system: RotationSystem,
    symmetry: Symmetry,
    search_on: bool,
) -> RotationTargets<B, N> {
    let system = if const { B::Token::HAS_SIMD } { RotationSystem::ALL[K] } else { system };
    let mut targets = RotationTargets::new(isa);
    let FloodFill { free, reached, resting } = fill;
    // The maps of symmetric pieces may have a bit below the floor, which a kick would lift.
    let field = Bitboard::splat(isa, !0);
    (free[2], free[3]) = (free[2].and(field), free[3].and(field));
    (reached[2], reached[3]) = (reached[2].and(field), reached[3].and(field));
    macro_rules! rotate_into {
        ($to:literal, $($from:literal)+) => {{
            let before = reached[$to];
            $(
                let (others, fifth) = if const { B::Token::HAS_SIMD } {
                    rotated::<B, N, K, P, $from, $to>(isa, reached[$from], free[$to])
                } else {
                    let ends = [$from, $to].map(|r| Orientation::ALL[r]);
                    rotated_by_table(isa, system, Piece::ALL[P], ends, &reached[$from], &free[$to])
                };
                reached[$to] = reached[$to].or(others.or(fifth));
                targets.add($to, others, fifth);
            )+
            reached[$to].and_not(before)
        }};
    }
    // A half adds nothing if it is the second in a row.
    let mut idle = 0;
    macro_rules! rotate_half {
        ($a:literal, $b:literal from $c:literal, $d:literal) => {
            let mut added = rotate_into!($a, $c $d).or(rotate_into!($b, $c $d));
            if system.has_half_turns() {
                added = added.or(rotate_into!($a, $b)).or(rotate_into!($b, $a));
            }
            if added.is_zero() {
                idle += 1;
                if idle == 2 {
                    break;
                }
            } else {
                idle = 0;
                shift_and_drop_two::<B, N, $a, $b>(reached, free);
                if !search_on && all_resting_reached::<B, N, P>(symmetry, reached, resting) {
                    break;
                }
            }
        };
    }
    loop {
        rotate_half!(1, 3 from 0, 2);
        rotate_half!(0, 2 from 1, 3);
    }
    targets
}

/// [`rotated`], with the kicks of a table.
#[inline(never)]
fn rotated_by_table<B: RowBlock, const N: usize>(
    isa: B::Token,
    system: RotationSystem,
    piece: Piece,
    [from, to]: [Orientation; 2],
    centers: &Bitboard<B, N>,
    free: &Bitboard<B, N>,
) -> (Bitboard<B, N>, Bitboard<B, N>) {
    let rotation = rotation_between(from as usize, to as usize);
    let mut ends = [Bitboard::splat(isa, 0); 2];
    let mut left = *centers;
    for (number, &(dx, dy)) in system.kicks(piece, from, rotation).iter().enumerate() {
        let end = shifted(&left, dx, dy).and(*free);
        left = left.and_not(shifted(&end, -dx, -dy));
        let is_fifth = rotation != Rotation::Half && number == 4;
        ends[usize::from(is_fifth)] = ends[usize::from(is_fifth)].or(end);
    }
    ends.into()
}

#[inline(never)]
fn shifted<B: RowBlock, const N: usize>(board: &Bitboard<B, N>, dx: i8, dy: i8) -> Bitboard<B, N> {
    macro_rules! by {
        ($shift:ident, $board:expr, $distance:expr) => {
            match $distance {
                -3 => $shift!($board, -3),
                -2 => $shift!($board, -2),
                -1 => $shift!($board, -1),
                1 => $shift!($board, 1),
                2 => $shift!($board, 2),
                3 => $shift!($board, 3),
                _ => $board,
            }
        };
    }
    let moved = by!(rows, *board, dy);
    by!(columns, moved, dx)
}

#[inline(always)]
fn shift_and_drop_two<B: RowBlock, const N: usize, const R: usize, const Q: usize>(
    reached: &mut [Bitboard<B, N>; 4],
    free: &[Bitboard<B, N>; 4],
) {
    let mut pair = [reached[R], reached[Q]];
    let [a, b] = &mut pair;
    shift_and_drop_pair([a, b], [free[R], free[Q]]);
    [reached[R], reached[Q]] = pair;
}
