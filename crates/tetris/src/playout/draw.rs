//! One of the places where a piece can lock, all with the same probability.
//!
//! The draw is from all places where the piece would rest, reached or not. Most are open to the sky, which a look at the
//! columns around the drawn one tells: only for the others the search must say what is reached.

use crate::movegen::field::{Band, Field, ROWS};
use crate::movegen::search::{self, shapes};
use crate::movegen::search_field;
use crate::{Orientation, Piece};
use bitcore::{Isa, Rng};

/// A canonical orientation by number, column and row of the centre.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) orientation: usize,
    pub(super) x: usize,
    pub(super) y: u32,
}

/// Draws a place of piece `P`, from the spawn cell if it is given, else from the sky on. None if the spawn is blocked.
#[inline(always)]
pub(super) fn draw<B: Band, const N: usize, const P: usize>(
    isa: B::Token,
    field: &Field<B, N>,
    spawn: Option<&Field<B, N>>,
    rng: &mut Rng,
) -> Option<Place> {
    let free = search::free_shapes::<B, N, P>(isa, *field);
    if let Some(spawn) = spawn
        && spawn.and(free[0]).is_zero()
    {
        return None;
    }
    let drawn = Centres::new::<B, P>(&search::at_rest::<B, N, P>(isa, &free)).draw::<_, P>(isa, rng)?;
    if spawn.is_none() && Centres::new::<B, P>(&free).falls_to(drawn) {
        return Some(drawn);
    }
    reached::<B, N, P>(isa, field, spawn, drawn, rng)
}

/// The place that was drawn if the piece gets there, else one drawn of those where it does.
#[inline(never)]
fn reached<B: Band, const N: usize, const P: usize>(
    isa: B::Token,
    field: &Field<B, N>,
    spawn: Option<&Field<B, N>>,
    drawn: Place,
    rng: &mut Rng,
) -> Option<Place> {
    B::enter(
        isa,
        #[inline(always)]
        || {
            let found = search_field::<B, N, P, false>(isa, field, spawn, false)?;
            let reached = Centres::new::<B, P>(&found.none);
            if reached.contains(drawn) { Some(drawn) } else { reached.draw::<_, P>(isa, rng) }
        },
    )
}

/// Maps of centres by orientation and band, four columns a word.
struct Centres<const N: usize>([[[u64; 3]; N]; 4]);

impl<const N: usize> Centres<N> {
    #[inline(always)]
    fn new<B: Band, const P: usize>(maps: &[Field<B, N>; 4]) -> Self {
        let mut words = [[[0; 3]; N]; 4];
        for (words, map) in words[..shapes(P)].iter_mut().zip(maps) {
            for (words, band) in words.iter_mut().zip(map.0) {
                *words = band.words();
            }
        }
        Self(words)
    }

    /// Any of them: by orientation, band from the floor, column, and from the top down. None if there is none.
    #[inline(always)]
    fn draw<S: Isa, const P: usize>(&self, isa: S, rng: &mut Rng) -> Option<Place> {
        let mut counts = [0; 4];
        let mut all = 0;
        for (count, words) in counts[..shapes(P)].iter_mut().zip(&self.0) {
            for word in words.as_flattened() {
                *count += word.count_ones();
            }
            all += *count;
        }
        if all == 0 {
            return None;
        }
        let k = rng.below(all);
        // Sums and comparisons: no branch could foretell where it is.
        let (mut orientation, mut before, mut sum) = (0, 0, 0);
        for count in &counts[..shapes(P) - 1] {
            sum += count;
            let beyond = k >= sum;
            orientation += usize::from(beyond);
            before = if beyond { sum } else { before };
        }
        let k = k - before;
        let words = self.0[orientation].as_flattened();
        let (mut at, mut before, mut sum) = (0, 0, 0);
        for word in &words[..3 * N - 1] {
            sum += word.count_ones();
            let beyond = k >= sum;
            at += usize::from(beyond);
            before = if beyond { sum } else { before };
        }
        let bit = isa.select(words[at], k - before);
        let x = at % 3 * 4 + (bit / ROWS) as usize;
        Some(Place { orientation, x, y: ROWS * (at / 3) as u32 + ROWS - 1 - bit % ROWS })
    }

    #[inline(always)]
    fn contains(&self, place: Place) -> bool {
        self.column(place.orientation, place.x) >> Self::depth(place) & 1 == 1
    }

    /// Rows of the field above it.
    #[inline(always)]
    fn depth(place: Place) -> u32 {
        ROWS * N as u32 - 1 - place.y
    }

    /// A column with the top row in bit 0; the tenth and the eleventh are empty.
    #[inline(always)]
    fn column(&self, orientation: usize, x: usize) -> u64 {
        let mut column = 0;
        for band in &self.0[orientation] {
            column = column << ROWS | band[x / 4] >> (x % 4 * 16) & 0xFFFF;
        }
        column
    }

    /// Whether these are the places where the centre may be, and it falls to this one from the sky, stepping to the side
    /// once at most.
    #[inline(always)]
    fn falls_to(&self, place: Place) -> bool {
        let Place { orientation, x, .. } = place;
        let above = (1u64 << Self::depth(place)) - 1;
        let blocked = !self.column(orientation, x) & above;
        // It falls here from this row on, counted from the top.
        let from = u64::BITS - blocked.leading_zeros();
        let left = self.column(orientation, if x == 0 { 11 } else { x - 1 }).trailing_ones();
        let right = self.column(orientation, x + 1).trailing_ones();
        from == 0 || left.max(right) > from
    }
}

impl Place {
    /// The lowest row of a piece that is there.
    #[inline(always)]
    pub(super) fn lowest_row<const P: usize>(self) -> u32 {
        self.y.wrapping_add_signed(BOTTOMS[P][self.orientation])
    }
}

/// From the centre to the lowest row.
const BOTTOMS: [[i32; 4]; 7] = {
    let mut bottoms = [[0; 4]; 7];
    let mut i = 0;
    while i < 28 {
        bottoms[i / 4][i % 4] = Piece::ALL[i / 4].shape(Orientation::ALL[i % 4]).bottom;
        i += 1;
    }
    bottoms
};
