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
use super::steps::{all_resting_reached, shift_and_drop_pair};
use super::symmetry::Symmetry;
use crate::kicks::{Kicks, RotationSystem};
use crate::movegen::bitboard::{Bitboard, RowBlock, columns, moved, rows};
use crate::piece::{Orientation, Piece, Rotation};
use bitcore::Isa;

/// The systems as const arguments.
const SRS: usize = RotationSystem::Srs as usize;
const SRS_PLUS: usize = RotationSystem::SrsPlus as usize;
const SRS_X: usize = RotationSystem::SrsX as usize;

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
    fn add(&mut self, to: usize, by_others: Bitboard<B, N>, by_fifth: Bitboard<B, N>);
    fn targets(&mut self) -> Option<&mut RotationTargets<B, N>>;
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
    #[inline(always)]
    fn targets(&mut self) -> Option<&mut RotationTargets<B, N>> {
        None
    }
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
    #[inline(always)]
    fn targets(&mut self) -> Option<&mut Self> {
        Some(self)
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
    (in_columns(ends).and(free), by_fifth)
}

/// Rotates by 90 degrees from north and south into east and west and back, moving and dropping
/// after each half. Ends when a half adds nothing or, unless rotations are recorded, when every
/// resting center is reached. In registers, a half that adds nothing is undone, as in
/// [`shift_and_drop_pair`].
///
/// `P` is a piece, or T for all pieces with the kicks of T.
#[inline(always)]
fn rotate_to_fixpoint<
    B: RowBlock,
    const N: usize,
    const K: usize,
    const P: usize,
    R: Rotations<B, N>,
>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    symmetry: Symmetry,
    rotations: &mut R,
) {
    let FloodFill { free, reached, resting } = fill;
    macro_rules! rotate_into {
        ($to:literal, $($from:literal $at:expr),+) => {{
            let before = reached[$to];
            $(
                let (others, fifth) = rotated::<B, N, K, P, $from, $to>(isa, $at, free[$to]);
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
}

/// Rotates, moves and drops by the kicks of `P` until nothing is added, with the half turns of the
/// system.
#[inline(always)]
fn rotate_by<B: RowBlock, const N: usize, const P: usize, R: Rotations<B, N>>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    symmetry: Symmetry,
    system: RotationSystem,
) -> R {
    let mut rotations = R::new(isa);
    if system != RotationSystem::Srs {
        // The maps of symmetric pieces may have a bit below the floor, which a kick would lift.
        let field = Bitboard::splat(isa, !0);
        let FloodFill { free, reached, .. } = &mut *fill;
        (free[2], free[3]) = (free[2].and(field), free[3].and(field));
        (reached[2], reached[3]) = (reached[2].and(field), reached[3].and(field));
    }
    // The kicks of all other quarter turns are the same in all systems.
    if !(const { P == I } && system == RotationSystem::SrsPlus) {
        rotate_to_fixpoint::<B, N, SRS, P, R>(isa, fill, symmetry, &mut rotations);
        if !system.has_half_turns()
            || !R::SEARCH_ON
                && all_resting_reached::<B, N, P>(symmetry, &fill.reached, &fill.resting)
        {
            return rotations;
        }
    }
    // A copy, since what is passed to a function lives in memory, not in registers.
    let mut turned = *fill;
    if const { P == I } {
        turn::<B, N, I>(isa, &mut turned, rotations.targets(), symmetry, system);
    } else {
        turn::<B, N, T>(isa, &mut turned, rotations.targets(), symmetry, system);
    }
    fill.reached = turned.reached;
    rotations
}

/// Rotates by 180 degrees, and by 90 from where this leads to, until nothing is added.
///
/// Out of line, for all pieces with the kicks of `P`, all systems, recorded or not: the code of each
/// took half the crate's compile time.
#[inline(always)]
fn turn<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    recorded: Option<&mut RotationTargets<B, N>>,
    symmetry: Symmetry,
    system: RotationSystem,
) {
    isa.call4(
        fill,
        recorded,
        symmetry,
        system,
        #[inline(always)]
        move |fill: &mut FloodFill<B, N>, recorded, symmetry, system| {
            let search_on = recorded.is_some();
            let mut unrecorded = RotationTargets::new(isa);
            let targets = recorded.unwrap_or(&mut unrecorded);
            let is_i_plus = const { P == I } && system == RotationSystem::SrsPlus;
            let mut quarter_turns = is_i_plus;
            loop {
                if quarter_turns {
                    if is_i_plus {
                        rotate_to_fixpoint::<B, N, SRS_PLUS, P, _>(isa, fill, symmetry, targets);
                    } else {
                        rotate_to_fixpoint::<B, N, SRS, P, _>(isa, fill, symmetry, targets);
                    }
                    let FloodFill { reached, resting, .. } = fill;
                    if !search_on && all_resting_reached::<B, N, P>(symmetry, reached, resting) {
                        return;
                    }
                }
                let has_added = if const { cfg!(target_arch = "wasm32") || !B::Token::HAS_SIMD || N > 1 } {
                    half_turns_by_table::<B, N, P>(isa, fill, targets, system)
                } else if system == RotationSystem::SrsX {
                    half_turns::<B, N, SRS_X, P>(isa, fill, targets, search_on)
                } else {
                    half_turns::<B, N, SRS_PLUS, P>(isa, fill, targets, search_on)
                };
                if !has_added {
                    return;
                }
                quarter_turns = true;
            }
        },
    );
}

/// Rotates all centers by 180 degrees, then moves and drops. Returns `false` if nothing is added.
#[inline(always)]
fn half_turns<B: RowBlock, const N: usize, const K: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    targets: &mut RotationTargets<B, N>,
    search_on: bool,
) -> bool {
    let FloodFill { free, reached: from, .. } = fill;
    macro_rules! near {
        ($from:literal, $to:literal) => {
            moved_by_all::<B, N, K, P, $from, $to>(isa, from[$from])
                .and(free[$to].and_not(from[$to]))
        };
    }
    if !search_on && near!(0, 2).or(near!(2, 0)).or(near!(1, 3)).or(near!(3, 1)).is_zero() {
        return false;
    }
    macro_rules! ends {
        ($from:literal, $to:literal) => {
            rotated::<B, N, K, P, $from, $to>(isa, from[$from], free[$to]).0
        };
    }
    let ends = [ends!(2, 0), ends!(3, 1), ends!(0, 2), ends!(1, 3)];
    add_half_turns(fill, targets, ends)
}

/// [`half_turns`], with the kicks of a table: where constant kicks would be a lot of code.
#[inline(always)]
fn half_turns_by_table<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    targets: &mut RotationTargets<B, N>,
    system: RotationSystem,
) -> bool {
    let mut ends = [Bitboard::splat(isa, 0); 4];
    for ((to, ends), free) in Orientation::ALL.into_iter().zip(&mut ends).zip(&fill.free) {
        let from = to.rotated(Rotation::Half);
        let mut left = fill.reached[from as usize];
        for &(dx, dy) in system.kicks(Piece::ALL[P], from, Rotation::Half) {
            let end = shifted(&left, dx, dy).and(*free);
            left = left.and_not(shifted(&end, -dx, -dy));
            *ends = ends.or(end);
        }
    }
    add_half_turns(fill, targets, ends)
}

#[inline(always)]
fn add_half_turns<B: RowBlock, const N: usize>(
    FloodFill { free, reached, .. }: &mut FloodFill<B, N>,
    targets: &mut RotationTargets<B, N>,
    ends: [Bitboard<B, N>; 4],
) -> bool {
    let mut added = ends[0].and_not(reached[0]);
    macro_rules! add {
        ($($to:literal)+) => { $(
            added = added.or(ends[$to].and_not(reached[$to]));
            reached[$to] = reached[$to].or(ends[$to]);
            targets.by_others[$to] = targets.by_others[$to].or(ends[$to]);
        )+ };
    }
    add!(0 1 2 3);
    if added.is_zero() {
        return false;
    }
    let [north, east, south, west] = reached;
    shift_and_drop_pair([north, south], [free[0], free[2]]);
    shift_and_drop_pair([east, west], [free[1], free[3]]);
    true
}

/// Returns where any kick takes these centers, free or not: a superset of the ends of [`rotated`],
/// with a third of its shifts.
#[inline(always)]
fn moved_by_all<
    B: RowBlock,
    const N: usize,
    const K: usize,
    const P: usize,
    const FROM: usize,
    const TO: usize,
>(
    isa: B::Token,
    from: Bitboard<B, N>,
) -> Bitboard<B, N> {
    let mut ends = [Bitboard::splat(isa, 0); 7];
    macro_rules! kicks {
        ($($number:literal)+) => { $(
            if const { $number < KickTable::<K, P, FROM, TO>::LEN } {
                let end =
                    &mut ends[const { (KickTable::<K, P, FROM, TO>::ALL[$number].0 + 3) as usize }];
                *end = end.or(rows!(from, KickTable::<K, P, FROM, TO>::ALL[$number].1));
            }
        )+ };
    }
    kicks!(0 1 2 3 4 5 6 7 8 9 10 11);
    in_columns(ends)
}

/// Moves the ends that still have to move by -3 to 3 columns, and joins them.
#[inline(always)]
fn in_columns<B: RowBlock, const N: usize>(ends: [Bitboard<B, N>; 7]) -> Bitboard<B, N> {
    let left = columns!(ends[0], -3).or(columns!(ends[1], -2)).or(columns!(ends[2], -1));
    let right = columns!(ends[4], 1).or(columns!(ends[5], 2)).or(columns!(ends[6], 3));
    left.or(ends[3]).or(right)
}

/// Calls [`rotate_by`], inlined or compiled once for all pieces with equal kicks, depending on the
/// block.
#[inline(always)]
pub(super) fn rotate<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    system: RotationSystem,
) {
    if const { B::INLINE_ROTATIONS && N == 1 } {
        rotate_by::<B, N, P, Unrecorded>(isa, fill, const { Symmetry::of(P) }, system);
    } else if const { P == I } {
        rotate_family::<B, N, I>(isa, fill, Symmetry::HalfTurn, system);
    } else {
        rotate_family::<B, N, T>(isa, fill, const { Symmetry::of(P) }, system);
    }
}

/// Calls [`rotate_by`] out of line for all pieces with the kicks of `P`.
#[inline(always)]
fn rotate_family<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    symmetry: Symmetry,
    system: RotationSystem,
) {
    isa.call3(
        fill,
        symmetry,
        system,
        #[inline(always)]
        move |fill, symmetry, system| {
            rotate_by::<B, N, P, Unrecorded>(isa, fill, symmetry, system);
        },
    );
}

/// Rotates T to the end. Returns the ends of all rotations.
#[inline(always)]
pub(super) fn rotate_recorded<B: RowBlock, const N: usize>(
    isa: B::Token,
    fill: &mut FloodFill<B, N>,
    system: RotationSystem,
) -> RotationTargets<B, N> {
    if const { B::INLINE_ROTATIONS && N == 1 } {
        return rotate_by::<B, N, T, _>(isa, fill, Symmetry::None, system);
    }
    isa.call2(
        fill,
        system,
        #[inline(always)]
        move |fill, system| rotate_by::<B, N, T, _>(isa, fill, Symmetry::None, system),
    )
}

#[inline(always)]
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
