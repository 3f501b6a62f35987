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
//!
//! # Rotations
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
//!
//! # T-spins
//!
//! Under the three-corner rule, a T that last moved by a rotation has a spin if at least three of
//! its four corners, the cells diagonal to its center, are filled: a full spin if both front
//! corners are filled or the fifth kick was used, otherwise a mini. The search therefore records
//! the ends of the first four kicks separately from the ends of the fifth. A center that the piece
//! also reaches by a move or a drop is a placement without a spin, too. If no resting center has
//! three filled corners, spins need no work.
//!
//! # Pieces of two shapes
//!
//! I, S and Z look the same after a half turn (`symmetric`): north and south have equal cells a
//! step apart, and so have east and west. Until the rotations begin, only north and east are
//! filled. The rotations need all four, because their kicks differ.

use super::bitboard::{Bitboard, RowBlock, columns, rows};
use crate::board::WIDTH;
use crate::kicks::kick;
use crate::location::Location;
use crate::piece::{Orientation, Piece, Rotation};
use crate::placement::{Placement, Spin, SpinMode};
use bitcore::Isa;

/// Calls a function with two more const arguments: the piece, and [`SPINS`] or [`NO_SPINS`].
macro_rules! dispatch_piece {
    ($piece:expr, $spin_mode:expr, $function:ident [$($more:tt)*] $arguments:tt) => {
        match ($piece, $spin_mode) {
            (Piece::T, SpinMode::TSpins) => dispatch_piece!(@ $function, T, SPINS, [$($more)*], $arguments),
            (Piece::I, _) => dispatch_piece!(@ $function, I, NO_SPINS, [$($more)*], $arguments),
            (Piece::O, _) => dispatch_piece!(@ $function, O, NO_SPINS, [$($more)*], $arguments),
            (Piece::T, _) => dispatch_piece!(@ $function, T, NO_SPINS, [$($more)*], $arguments),
            (Piece::S, _) => dispatch_piece!(@ $function, S, NO_SPINS, [$($more)*], $arguments),
            (Piece::Z, _) => dispatch_piece!(@ $function, Z, NO_SPINS, [$($more)*], $arguments),
            (Piece::J, _) => dispatch_piece!(@ $function, J, NO_SPINS, [$($more)*], $arguments),
            (Piece::L, _) => dispatch_piece!(@ $function, L, NO_SPINS, [$($more)*], $arguments),
        }
    };
    (@ $function:ident, $letter:ident, $spins:ident, [$($more:tt)*], ($($argument:expr),*)) => {
        $function::<$($more)*, { Piece::$letter as usize }, { $crate::movegen::search::$spins }>(
            $($argument),*
        )
    };
}
pub(crate) use dispatch_piece;

/// The const argument for a search that classifies T-spins.
pub(crate) const SPINS: bool = true;
pub(crate) const NO_SPINS: bool = false;

/// The space below the lowest row of a bitboard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    Floor,
    /// More rows, which the search treats as filled.
    Rows,
}

/// The reachable resting centers of one piece, by kind of spin and orientation.
#[derive(Clone, Copy)]
pub(crate) struct ReachableSet<B, const N: usize> {
    pub(crate) no_spin: [Bitboard<B, N>; 4],
    /// The centers of mini and of full spins, if spins are possible.
    pub(crate) spins: Option<[[Bitboard<B, N>; 4]; 2]>,
}

/// A form of a search's result.
pub(crate) trait Outcome {
    type Of<B: RowBlock, const N: usize>;
    /// Calls a search and returns this form of its result. [`Maps`] returns the call itself: a set
    /// given to this function would be copied in memory.
    fn of<B: RowBlock, const N: usize>(
        piece: Piece,
        spin_mode: SpinMode,
        search: impl FnOnce() -> Option<ReachableSet<B, N>>,
    ) -> Option<Self::Of<B, N>>;
}

/// All maps of the result, for callers that need the centers.
pub(crate) struct Maps;

impl Outcome for Maps {
    type Of<B: RowBlock, const N: usize> = ReachableSet<B, N>;

    #[inline(always)]
    fn of<B: RowBlock, const N: usize>(
        _: Piece,
        _: SpinMode,
        search: impl FnOnce() -> Option<ReachableSet<B, N>>,
    ) -> Option<ReachableSet<B, N>> {
        search()
    }
}

/// The number of placements. The search counts its maps in registers: a caller would load them from
/// memory, and LLVM joins these loads to wider ones than the stores before them, which then have to
/// finish first.
pub(crate) struct Number;

impl Outcome for Number {
    type Of<B: RowBlock, const N: usize> = u32;

    #[inline(always)]
    fn of<B: RowBlock, const N: usize>(
        piece: Piece,
        spin_mode: SpinMode,
        search: impl FnOnce() -> Option<ReachableSet<B, N>>,
    ) -> Option<u32> {
        Some(search()?.count(piece, spin_mode))
    }
}

impl<B: RowBlock, const N: usize> ReachableSet<B, N> {
    /// Calls `take` with a number and a map for each kind of spin and orientation: 0 to 3 without a
    /// spin, 4 to 7 minis, 8 to 11 full spins. [`SpinMode::Ignore`] has only the first four.
    /// Returns the number of maps.
    #[inline(always)]
    pub(crate) fn for_each(
        &self,
        piece: Piece,
        spin_mode: SpinMode,
        mut take: impl FnMut(usize, &Bitboard<B, N>),
    ) -> usize {
        let shapes = shapes(piece as usize);
        take(0, &self.no_spin[0]);
        if shapes > 1 {
            take(1, &self.no_spin[1]);
        }
        if shapes > 2 {
            take(2, &self.no_spin[2]);
            take(3, &self.no_spin[3]);
        }
        let (SpinMode::TSpins, Some([mini, full])) = (spin_mode, &self.spins) else {
            return shapes;
        };
        take(4, &mini[0]);
        take(5, &mini[1]);
        take(6, &mini[2]);
        take(7, &mini[3]);
        take(8, &full[0]);
        take(9, &full[1]);
        take(10, &full[2]);
        take(11, &full[3]);
        12
    }

    /// Returns `true` if a placement with a canonical location is one of these. `base` is the
    /// lowest row.
    #[inline(always)]
    pub(crate) fn contains(&self, Placement { at, spin }: Placement, base: u32) -> bool {
        let maps = match (spin, &self.spins) {
            (Spin::None, _) => &self.no_spin,
            (Spin::Mini, Some([mini, _])) => mini,
            (Spin::Full, Some([_, full])) => full,
            (_, None) => return false,
        };
        let down = (base + Bitboard::<B, N>::ROWS - 1).wrapping_sub(at.y as u32);
        (0..WIDTH as i8).contains(&at.x)
            && down < Bitboard::<B, N>::ROWS
            && maps[at.orientation as usize].column(at.x as usize) >> down & 1 == 1
    }

    /// Returns the number of placements.
    #[inline(always)]
    pub(crate) fn count(&self, piece: Piece, spin_mode: SpinMode) -> u32 {
        let [a, b, c, d] = self.no_spin;
        if let (SpinMode::TSpins, Some([[e, f, g, h], [i, j, k, l]])) = (spin_mode, self.spins) {
            return Bitboard::count_all([a, b, c, d, e, f, g, h, i, j, k, l]);
        }
        match shapes(piece as usize) {
            1 => Bitboard::count_all([a]),
            2 => Bitboard::count_all([a, b]),
            _ => Bitboard::count_all([a, b, c, d]),
        }
    }
}

/// The pieces as const arguments, in the order of [`Piece::ALL`].
pub(crate) const I: usize = Piece::I as usize;
pub(crate) const O: usize = Piece::O as usize;
pub(crate) const T: usize = Piece::T as usize;

/// Whether a piece looks the same after a half turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    None,
    /// I, S and Z.
    HalfTurn,
}

impl Symmetry {
    const fn of(piece: usize) -> Self {
        if shapes(piece) == 2 { Self::HalfTurn } else { Self::None }
    }
}

pub(crate) const fn shapes(piece: usize) -> usize {
    match Piece::ALL[piece] {
        Piece::O => 1,
        Piece::I | Piece::S | Piece::Z => 2,
        _ => 4,
    }
}

struct PieceCells<const P: usize, const R: usize>;

impl<const P: usize, const R: usize> PieceCells<P, R> {
    const ALL: [(i32, i32); 4] = Piece::ALL[P].cells(Orientation::ALL[R]);
}

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

/// Rows 2 to 4 of the lowest block. Without a free center in them, no piece passes below.
const CLOSED_LAYER: u64 = 0b0011_1000_0000_0000;

/// Moves a bitboard by a constant `(dx, dy)`.
macro_rules! moved {
    ($field:expr, $by:expr) => {{
        let field = rows!($field, $by.1);
        columns!(field, $by.0)
    }};
}

/// Returns the centers where orientation `R` of piece `P` fits. Cells above the bitboard count as
/// empty.
#[inline(always)]
fn free_centers<B: RowBlock, const N: usize, const P: usize, const R: usize>(
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
fn free_shapes<B: RowBlock, const N: usize, const P: usize>(
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
fn resting_centers<B: RowBlock, const N: usize, const P: usize>(
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
    fn of<const P: usize>(isa: B::Token, board: &Bitboard<B, N>) -> Self {
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

/// Moves one column to both sides, then drops. Returns the new centers.
#[inline(always)]
fn shift_and_drop<B: RowBlock, const N: usize>(
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
fn shift_and_drop_pair<B: RowBlock, const N: usize>(
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

/// For symmetric pieces, south counts as north and west as east.
#[inline(always)]
fn all_resting_reached<B: RowBlock, const N: usize, const P: usize>(
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

/// The offsets between centers of equal cells in opposite orientations, for I or for S and Z.
struct HalfTurn<const P: usize>;

impl<const P: usize> HalfTurn<P> {
    const FROM_SOUTH: (i32, i32) = to_canonical(P, 2);
    const FROM_WEST: (i32, i32) = to_canonical(P, 3);
    const TO_SOUTH: (i32, i32) = (-Self::FROM_SOUTH.0, -Self::FROM_SOUTH.1);
    const TO_WEST: (i32, i32) = (-Self::FROM_WEST.0, -Self::FROM_WEST.1);
}

/// Returns the offset from a center to the center of equal cells in the canonical orientation. S
/// and Z share it.
const fn to_canonical(piece: usize, orientation: usize) -> (i32, i32) {
    const fn of(piece: Piece, orientation: usize) -> (i32, i32) {
        let at =
            Location { piece, orientation: Orientation::ALL[orientation], x: 0, y: 0 }.canonical();
        (at.x as i32, at.y as i32)
    }
    if piece == I {
        return of(Piece::I, orientation);
    }
    let s = of(Piece::S, orientation);
    let z = of(Piece::Z, orientation);
    assert!(s.0 == z.0 && s.1 == z.1);
    s
}

/// Returns the reached centers of a symmetric piece, merging south into north and west into east.
#[inline(always)]
fn canonical<B: RowBlock, const N: usize, const P: usize>(
    reached: &[Bitboard<B, N>; 4],
) -> [Bitboard<B, N>; 2] {
    [
        reached[0].or(moved!(reached[2], HalfTurn::<P>::FROM_SOUTH)),
        reached[1].or(moved!(reached[3], HalfTurn::<P>::FROM_WEST)),
    ]
}

/// The state of the flood fill in all four orientations, at the start of the rotations.
#[derive(Clone, Copy)]
struct FloodFill<B, const N: usize> {
    free: [Bitboard<B, N>; 4],
    reached: [Bitboard<B, N>; 4],
    resting: [Bitboard<B, N>; 4],
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
struct RotationTargets<B, const N: usize> {
    by_first_four: [Bitboard<B, N>; 4],
    by_fifth: [Bitboard<B, N>; 4],
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
fn rotate<B: RowBlock, const N: usize, const P: usize>(isa: B::Token, fill: &mut FloodFill<B, N>) {
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
fn rotate_t_spins<B: RowBlock, const N: usize>(
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

/// Returns `true` if every resting center is reached, while symmetric pieces still have two
/// orientations.
#[inline(always)]
fn all_shapes_reached<B: RowBlock, const N: usize, const P: usize>(
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

/// The corners around the centers of a T.
#[derive(Clone, Copy)]
struct Corners<B, const N: usize> {
    /// The centers with a free corner, clockwise from the upper left.
    free: [Bitboard<B, N>; 4],
    /// The centers with at most one free corner.
    three_filled: Bitboard<B, N>,
}

impl<B: RowBlock, const N: usize> Corners<B, N> {
    /// Returns `None` if no resting center has three filled corners.
    #[inline(always)]
    fn find(isa: B::Token, board: Bitboard<B, N>, resting: &[Bitboard<B, N>; 4]) -> Option<Self> {
        let corners = Self::new(isa, board);
        let any = resting[0].or(resting[1]).or(resting[2].or(resting[3]));
        (!any.and(corners.three_filled).is_zero()).then_some(corners)
    }

    #[inline(always)]
    fn new(isa: B::Token, board: Bitboard<B, N>) -> Self {
        let all = Bitboard::splat(isa, !0);
        let above = all.and_not(rows!(board, -1));
        let below = rows!(all.and_not(board), 1);
        let free = [above.right::<1>(), above.left::<1>(), below.left::<1>(), below.right::<1>()];
        let two_free = (free[0].and(free[1])).or(free[2].and(free[3]));
        let two_free = two_free.or(free[0].or(free[1]).and(free[2].or(free[3])));
        Self { free, three_filled: all.and_not(two_free) }
    }

    #[inline(always)]
    fn split(
        &self,
        targets: &RotationTargets<B, N>,
        reached: &[Bitboard<B, N>; 4],
        resting: [Bitboard<B, N>; 4],
        spawn: Option<&Bitboard<B, N>>,
    ) -> ReachableSet<B, N> {
        let RotationTargets { by_first_four, by_fifth } = targets;
        let mut no_spin = resting;
        let mut mini = resting;
        let mut full = resting;
        macro_rules! split {
            ($r:literal) => {
                // A placement without a spin also exists if the piece arrives by a move, from a
                // reached neighbor to the left, to the right or above, or if it spawned here.
                let here = reached[$r];
                let mut stepped = here.right::<1>().or(here.left::<1>()).or(rows!(here, -1));
                if let (0, Some(&cell)) = ($r, spawn) {
                    stepped = stepped.or(cell);
                }
                no_spin[$r] = resting[$r].and_not(self.three_filled.and_not(stepped));
                let spun = resting[$r].and(self.three_filled);
                let front_free = self.free[$r].or(self.free[($r + 1) & 3]);
                mini[$r] = spun.and(by_first_four[$r].and(front_free));
                full[$r] = spun.and(by_first_four[$r].and_not(front_free).or(by_fifth[$r]));
            };
        }
        split!(0);
        split!(1);
        split!(2);
        split!(3);
        ReachableSet { no_spin, spins: Some([mini, full]) }
    }
}

/// Returns the cells with at least three filled corners around them.
#[inline(always)]
pub(crate) fn three_filled_corners<B: RowBlock, const N: usize>(
    isa: B::Token,
    board: Bitboard<B, N>,
) -> Bitboard<B, N> {
    Corners::new(isa, board).three_filled
}

/// Returns the free centers open to the sky, for each distinct shape.
#[inline(always)]
fn open_shapes<B: RowBlock, const N: usize, const P: usize>(
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

/// Returns the centers new in any shape.
#[inline(always)]
fn shift_and_drop_shapes<B: RowBlock, const N: usize, const P: usize>(
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

#[inline(always)]
fn reached_resting<B: RowBlock, const N: usize, const P: usize>(
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

/// Returns the resting centers that the piece `P` reaches from the cell `spawn` or, without one,
/// from everything open to the sky. With [`SPINS`], classifies T-spins.
///
/// Returns `None` if there are rows `below` the bitboard and the piece might pass into them.
#[inline(always)]
pub(crate) fn search<B: RowBlock, const N: usize, const P: usize, const SPINS: bool>(
    isa: B::Token,
    board: Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
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

pub(crate) const fn spin_mode<const SPINS: bool>() -> SpinMode {
    if SPINS { SpinMode::TSpins } else { SpinMode::Ignore }
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
