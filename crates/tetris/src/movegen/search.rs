//! Where a piece can lock, by whole-board shifts.
//!
//! For each orientation a map says where the piece's centre may be (`free`), one where it gets to (`reached`) and one
//! where it rests on something (`resting`). Steps, falls and kicks move whole maps. While no rows are left out above,
//! the search starts from everything open to the sky, and ends as soon as every resting place is reached: on most
//! boards at once.

use super::field::{Band, Field};
use crate::board::WIDTH;
use crate::kicks::kick;
use crate::{Location, Orientation, Piece, Turn};

/// The resting places of one piece, by kind of spin and orientation.
#[derive(Clone, Copy)]
pub(crate) struct Found<B, const N: usize> {
    pub(crate) none: [Field<B, N>; 4],
    /// Mini and full, if there may be any.
    pub(crate) spins: Option<[[Field<B, N>; 4]; 2]>,
}

impl<B: Band, const N: usize> Found<B, N> {
    /// How many there are.
    #[inline(always)]
    pub(crate) fn count<const P: usize>(&self) -> u32 {
        let mut count = 0;
        for r in 0..shapes(P) {
            count += self.none[r].count();
        }
        if let Some([mini, full]) = &self.spins {
            for r in 0..4 {
                count += mini[r].count() + full[r].count();
            }
        }
        count
    }
}

/// The pieces as const arguments, in the order of [`Piece::ALL`].
pub(crate) const I: usize = Piece::I as usize;
pub(crate) const O: usize = Piece::O as usize;
pub(crate) const T: usize = Piece::T as usize;

/// Shapes that differ.
pub(crate) const fn shapes(piece: usize) -> usize {
    match Piece::ALL[piece] {
        Piece::O => 1,
        Piece::I | Piece::S | Piece::Z => 2,
        _ => 4,
    }
}

/// A piece in one orientation.
struct Shape<const P: usize, const R: usize>;

impl<const P: usize, const R: usize> Shape<P, R> {
    const CELLS: [(i32, i32); 4] = Piece::ALL[P].cells(Orientation::ALL[R]);
    /// From the centre to that of the canonical orientation with these cells.
    const TO_CANONICAL: (i32, i32) = {
        let at = Location { piece: Piece::ALL[P], orientation: Orientation::ALL[R], x: 0, y: 0 }.canonical();
        (at.x as i32, at.y as i32)
    };
}

/// A turn from one orientation to the next, by its kicks.
struct Kicks<const P: usize, const FROM: usize, const TO: usize>;

impl<const P: usize, const FROM: usize, const TO: usize> Kicks<P, FROM, TO> {
    const ALL: [(i32, i32); 5] = {
        let turn = if (FROM + 1) & 3 == TO { Turn::Cw } else { Turn::Ccw };
        let mut all = [(0, 0); 5];
        let mut i = 0;
        while i < 5 {
            let (x, y) = kick(Piece::ALL[P], Orientation::ALL[FROM], turn, i);
            // A closed layer of the window is this thick, and lanes move by no more.
            assert!(-2 <= y && y <= 2 && -3 <= x && x <= 3);
            all[i] = (x as i32, y as i32);
            i += 1;
        }
        all
    };
}

/// Rows 2 to 4 of the lowest band: no piece passes them if none can be there.
const LAYER: u16 = 0b0011_1000_0000_0000;

#[inline(always)]
fn moved<B: Band, const N: usize>(field: Field<B, N>, by: (i32, i32)) -> Field<B, N> {
    field.rows(by.1).columns(by.0)
}

/// Where the centre may be. Above the field all is free.
#[inline(always)]
fn free_centres<B: Band, const N: usize, const P: usize, const R: usize>(
    isa: B::Token,
    board: Field<B, N>,
) -> Field<B, N> {
    let all = Field::splat(isa, !0);
    let empty = all.and_not(board);
    let mut free = empty;
    for (x, y) in Shape::<P, R>::CELLS {
        if (x, y) != (0, 0) {
            let cells = if y > 0 { all.and_not(board.rows(-y)) } else { empty.rows(-y) };
            free = free.and(cells.columns(-x));
        }
    }
    free
}

/// Where the centre may be in each orientation whose shape differs.
#[inline(always)]
pub(crate) fn free_shapes<B: Band, const N: usize, const P: usize>(
    isa: B::Token,
    board: Field<B, N>,
) -> [Field<B, N>; 4] {
    let mut free = [Field::splat(isa, 0); 4];
    free[0] = free_centres::<B, N, P, 0>(isa, board);
    if shapes(P) > 1 {
        free[1] = free_centres::<B, N, P, 1>(isa, board);
    }
    if shapes(P) > 2 {
        free[2] = free_centres::<B, N, P, 2>(isa, board);
        free[3] = free_centres::<B, N, P, 3>(isa, board);
    }
    free
}

/// Where the centre may be and not one row below, reached or not.
#[inline(always)]
pub(crate) fn at_rest<B: Band, const N: usize, const P: usize>(
    isa: B::Token,
    free: &[Field<B, N>; 4],
) -> [Field<B, N>; 4] {
    let mut resting = [Field::splat(isa, 0); 4];
    for r in 0..shapes(P) {
        resting[r] = free[r].and_not(free[r].rows(1));
    }
    resting
}

/// Where turns end, by the first four kicks and by the fifth. Each cell of `from` goes by the first kick that fits.
#[inline(always)]
fn turned<B: Band, const N: usize, const P: usize, const FROM: usize, const TO: usize>(
    isa: B::Token,
    from: Field<B, N>,
    free: Field<B, N>,
) -> (Field<B, N>, Field<B, N>) {
    // Ends by the columns they still have to move. Written out: a loop over the kicks stays a loop.
    let mut ends = [Field::splat(isa, 0); 7];
    let mut left = from;
    macro_rules! kick {
        ($number:literal) => {
            let (x, y) = const { Kicks::<P, FROM, TO>::ALL[$number] };
            let end = &mut ends[const { (Kicks::<P, FROM, TO>::ALL[$number].0 + 3) as usize }];
            *end = end.or(left.rows(y));
            left = left.and_not(free.columns(-x).rows(-y));
        };
    }
    kick!(0);
    kick!(1);
    kick!(2);
    kick!(3);
    let by_four = ends[0].columns(-3).or(ends[1].columns(-2)).or(ends[2].columns(-1)).or(ends[3]);
    let by_four = by_four.or(ends[4].columns(1)).or(ends[5].columns(2)).or(ends[6].columns(3));
    let (x, y) = const { Kicks::<P, FROM, TO>::ALL[4] };
    (by_four.and(free), left.rows(y).columns(x).and(free))
}

/// One step to both sides, then falls; what that adds.
#[inline(always)]
fn stepped<B: Band, const N: usize>(reached: &mut Field<B, N>, free: Field<B, N>) -> Field<B, N> {
    let before = *reached;
    let sides = before.columns(1).or(before.columns(-1)).and(free);
    *reached = before.or(sides).fallen(free);
    reached.and_not(before)
}

/// Everything that steps to the sides and falls reach, in two orientations at once.
#[inline(always)]
fn spread<B: Band, const N: usize>(reached: [&mut Field<B, N>; 2], free: [Field<B, N>; 2]) {
    let [a, b] = reached;
    while !stepped(a, free[0]).or(stepped(b, free[1])).is_zero() {}
}

/// Whether every resting place is reached.
#[inline(always)]
fn complete<B: Band, const N: usize, const P: usize>(
    reached: &[Field<B, N>; 4],
    resting: &[Field<B, N>; 4],
) -> bool {
    let mut missing = reached[0].and_not(reached[0]);
    for (r, resting) in resting[..shapes(P)].iter().enumerate() {
        missing = missing.or(resting.and_not(canonical::<B, N, P>(reached, r)));
    }
    missing.is_zero()
}

/// What the orientation `r` and its double, if it has one, reach.
#[inline(always)]
fn canonical<B: Band, const N: usize, const P: usize>(reached: &[Field<B, N>; 4], r: usize) -> Field<B, N> {
    if shapes(P) != 2 {
        return reached[r];
    }
    let (south, west) = (Shape::<P, 2>::TO_CANONICAL, Shape::<P, 3>::TO_CANONICAL);
    let double = if r == 0 { moved(reached[2], south) } else { moved(reached[3], west) };
    reached[r].or(double)
}

/// All resting places that the piece `P` gets to from the cell `spawn`, or, without one, from everything open to the sky.
/// None if the way may lead out of the field downwards: the rows below it are taken as filled, which is told by `closed`.
///
/// If `SPINS`, the kinds of T-spin are told apart.
#[inline(always)]
pub(crate) fn search<B: Band, const N: usize, const P: usize, const SPINS: bool>(
    isa: B::Token,
    board: Field<B, N>,
    spawn: Option<Field<B, N>>,
    closed: bool,
) -> Option<Found<B, N>> {
    let zero = Field::splat(isa, 0);
    let shapes = shapes(P);
    let mut free = free_shapes::<B, N, P>(isa, board);
    if closed {
        let any = free[0].or(free[1]).or(free[2].or(free[3])).0[0];
        if !any.and(B::splat(isa, LAYER)).is_zero() {
            return None;
        }
    }
    let mut resting = at_rest::<B, N, P>(isa, &free);

    // Free corners clockwise from the upper left; the places where at most one of them is free.
    let mut corners = [zero; 4];
    let mut three_filled = zero;
    let mut spins = false;
    if SPINS && P == T {
        let all = Field::splat(isa, !0);
        let above = all.and_not(board.rows(-1));
        let below = all.and_not(board).rows(1);
        corners = [above.columns(1), above.columns(-1), below.columns(-1), below.columns(1)];
        let two_free = (corners[0].and(corners[1])).or(corners[2].and(corners[3]));
        let two_free = two_free.or(corners[0].or(corners[1]).and(corners[2].or(corners[3])));
        three_filled = all.and_not(two_free);
        let any = resting[0].or(resting[1]).or(resting[2].or(resting[3]));
        spins = !any.and(three_filled).is_zero();
    }

    let mut reached = [zero; 4];
    match spawn {
        None => {
            let top = B::splat(isa, 1);
            for r in 0..shapes {
                reached[r] = Field::open_to_the_sky(free[r], top);
            }
            if !spins && complete::<B, N, P>(&reached, &resting) {
                return Some(Found { none: resting, spins: None });
            }
            loop {
                let mut grown = stepped(&mut reached[0], free[0]);
                if shapes > 1 {
                    grown = grown.or(stepped(&mut reached[1], free[1]));
                }
                if shapes > 2 {
                    grown = grown.or(stepped(&mut reached[2], free[2])).or(stepped(&mut reached[3], free[3]));
                }
                if !spins && complete::<B, N, P>(&reached, &resting) {
                    return Some(Found { none: resting, spins: None });
                }
                if grown.is_zero() {
                    break;
                }
            }
            if P == O {
                resting[0] = resting[0].and(reached[0]);
                return Some(Found { none: resting, spins: None });
            }
            if shapes == 2 {
                let (south, west) = (Shape::<P, 2>::TO_CANONICAL, Shape::<P, 3>::TO_CANONICAL);
                free[2] = moved(free[0], (-south.0, -south.1));
                free[3] = moved(free[1], (-west.0, -west.1));
                reached[2] = moved(reached[0], (-south.0, -south.1)).and(free[2]);
                reached[3] = moved(reached[1], (-west.0, -west.1)).and(free[3]);
            }
        }
        Some(cell) => {
            reached[0] = cell.and(free[0]);
            if reached[0].is_zero() {
                return Some(Found { none: [zero; 4], spins: None });
            }
            if shapes == 2 {
                free[2] = free_centres::<B, N, P, 2>(isa, board);
                free[3] = free_centres::<B, N, P, 3>(isa, board);
            }
            while !stepped(&mut reached[0], free[0]).is_zero() {}
        }
    }

    // Arrivals by the first four kicks, and by the fifth.
    let (mut early, mut fifth) = ([zero; 4], [zero; 4]);
    if P != O {
        macro_rules! turn_into {
            ($to:literal, $($from:literal $at:expr),+) => {{
                let before = reached[$to];
                $(
                    let (by_four, by_fifth) = turned::<B, N, P, $from, $to>(isa, $at, free[$to]);
                    reached[$to] = reached[$to].or(by_four.or(by_fifth));
                    if SPINS && P == T {
                        early[$to] = early[$to].or(by_four);
                        fifth[$to] = fifth[$to].or(by_fifth);
                    }
                )+
                reached[$to].and_not(before)
            }};
        }
        // Turns from the flat orientations into the upright ones and back, until one of them adds nothing.
        let mut first = true;
        loop {
            let grown = if P == I {
                turn_into!(1, 0 reached[0], 2 reached[2]).or(turn_into!(3, 0 reached[0], 2 reached[2]))
            } else {
                // Both flat orientations have the same kicks.
                let flat = reached[0].or(reached[2]);
                turn_into!(1, 0 flat).or(turn_into!(3, 0 flat))
            };
            if grown.is_zero() {
                if !first {
                    break;
                }
            } else {
                let [_, east, _, west] = &mut reached;
                spread([east, west], [free[1], free[3]]);
                if !spins && complete::<B, N, P>(&reached, &resting) {
                    break;
                }
            }
            first = false;
            let grown =
                turn_into!(0, 1 reached[1], 3 reached[3]).or(turn_into!(2, 1 reached[1], 3 reached[3]));
            if grown.is_zero() {
                break;
            }
            let [north, _, south, _] = &mut reached;
            spread([north, south], [free[0], free[2]]);
            if !spins && complete::<B, N, P>(&reached, &resting) {
                break;
            }
        }
    }

    for (r, resting) in resting[..shapes].iter_mut().enumerate() {
        *resting = resting.and(canonical::<B, N, P>(&reached, r));
    }
    if !spins {
        return Some(Found { none: resting, spins: None });
    }
    let (mut none, mut mini, mut full) = (resting, resting, resting);
    for r in 0..4 {
        // A place is also no spin if the last movement was a step: from a neighbour to the left, right or above, or
        // none at all, where the piece spawned.
        let mut stepped = reached[r].columns(1).or(reached[r].columns(-1)).or(reached[r].rows(-1));
        if let (0, Some(cell)) = (r, spawn) {
            stepped = stepped.or(cell);
        }
        none[r] = resting[r].and_not(three_filled.and_not(stepped));
        let spun = resting[r].and(three_filled);
        let front_open = corners[r].or(corners[(r + 1) & 3]);
        mini[r] = spun.and(early[r].and(front_open));
        full[r] = spun.and(early[r].and_not(front_open).or(fifth[r]));
    }
    Some(Found { none, spins: Some([mini, full]) })
}

/// The cell where centres spawn, as columns.
pub(crate) const SPAWN: [u64; WIDTH] = {
    let mut columns = [0; WIDTH];
    columns[Location::SPAWN_X as usize] = 1 << Location::SPAWN_Y;
    columns
};
