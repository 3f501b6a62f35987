//! [`DropStarts`]: the locations from which a hard drop falls.

use crate::board::{Board, ROWS, WIDTH};
use crate::kicks::{Kicks, RotationSystem};
use crate::location::Location;
use crate::piece::{Orientation, Piece, Rotation};
use alloc::vec::Vec;
use bitcore::SetBits;

/// No cell is further than this from its piece's center.
const REACH: usize = 3;

/// One word per column of centers, bit 0 = bottom row. Columns beyond both walls are empty, so no
/// index is out of range: column x is word `x + REACH`, modulo 16.
type Columns = [u64; 16];

#[inline(always)]
fn word(x: i8) -> usize {
    (x as usize).wrapping_add(REACH) & 15
}

/// The centers at which each orientation of a piece fits.
struct FreeCenters([Columns; 4]);

impl FreeCenters {
    #[inline(always)]
    fn new(board: &Board, piece: Piece) -> Self {
        let mut free = [0; 16];
        for (free, column) in free[REACH..].iter_mut().zip(board.columns()) {
            *free = (!column & ROWS) << REACH;
        }
        let mut all = [[0; 16]; 4];
        for (centers, orientation) in all.iter_mut().zip(Orientation::ALL) {
            let mut columns = [ROWS; WIDTH];
            for (dx, dy) in piece.cells(orientation) {
                let first = (REACH as i32 + dx) as usize;
                for (column, free) in columns.iter_mut().zip(&free[first..first + WIDTH]) {
                    *column &= free >> (REACH as i32 + dy);
                }
            }
            centers[REACH..REACH + WIDTH].copy_from_slice(&columns);
        }
        Self(all)
    }

    /// Returns the same as [`Board::fits`] up to a few cells outside the field.
    #[inline(always)]
    fn fits(&self, at: Location) -> bool {
        self.0[at.orientation as usize][word(at.x)] >> (at.y & 63) & 1 == 1
    }
}

/// The locations that a piece reaches by rotations at its spawn, then moves to one side.
pub(crate) struct DropStarts {
    free: FreeCenters,
    reached: [Columns; 4],
}

impl DropStarts {
    /// `spawn` must fit.
    #[inline(always)]
    pub(crate) fn new(board: &Board, spawn: Location, system: RotationSystem) -> Self {
        let free = FreeCenters::new(board, spawn.piece);
        let mut reached = [[0; 16]; 4];
        turn(&free, spawn, system, &mut reached);
        for (reached, free) in reached.iter_mut().zip(&free.0) {
            for i in REACH + 1..REACH + WIDTH {
                reached[i] |= reached[i - 1] & free[i];
            }
            for i in (REACH..REACH + WIDTH - 1).rev() {
                reached[i] |= reached[i + 1] & free[i];
            }
        }
        Self { free, reached }
    }

    /// Returns a mask of the columns that an orientation reaches.
    #[inline(always)]
    pub(crate) fn columns(&self, orientation: Orientation) -> u32 {
        let mut columns = 0;
        for (x, rows) in self.reached[orientation as usize][REACH..REACH + WIDTH].iter().enumerate()
        {
            columns |= u32::from(*rows != 0) << x;
        }
        columns
    }

    /// Returns the lowest landing in the orientation and column of a location.
    #[inline(always)]
    pub(crate) fn lowest_landing(&self, at: Location) -> Option<Location> {
        let rows = self.reached[at.orientation as usize][word(at.x)];
        (rows != 0).then(|| self.landing(Location { y: rows.trailing_zeros() as i8, ..at }))
    }

    /// Returns all landings; the same one several times if several starts lead there.
    #[inline(always)]
    pub(crate) fn landings(&self, piece: Piece) -> impl Iterator<Item = Location> {
        Orientation::ALL.into_iter().flat_map(move |orientation| {
            (0..WIDTH as i8).flat_map(move |x| {
                let rows = self.reached[orientation as usize][word(x)];
                SetBits(rows)
                    .map(move |y| self.landing(Location { piece, orientation, x, y: y as i8 }))
            })
        })
    }

    #[inline(always)]
    fn landing(&self, from: Location) -> Location {
        let free = self.free.0[from.orientation as usize][word(from.x)];
        let fall = (free << (63 - from.y)).leading_ones() as i8 - 1;
        from.moved(0, -fall)
    }
}

/// Returns the columns that each orientation of a piece reaches by rotations at its spawn, which
/// must fit, then moves to one side.
#[inline(always)]
pub(crate) fn drop_columns(board: &Board, spawn: Location, system: RotationSystem) -> [u32; 4] {
    if let Some(columns) = columns_of_free_turns(board, spawn) {
        return columns;
    }
    let starts = DropStarts::new(board, spawn, system);
    let mut columns = [0; 4];
    for (columns, orientation) in columns.iter_mut().zip(Orientation::ALL) {
        *columns = starts.columns(orientation);
    }
    columns
}

/// Returns the lowest landing of a hard drop in a canonical orientation and a column.
#[inline(always)]
pub(crate) fn lowest_drop(
    board: &Board,
    spawn: Location,
    system: RotationSystem,
    orientation: Orientation,
    column: usize,
) -> Option<Location> {
    let free = columns_of_free_turns(board, spawn);
    let starts = if free.is_none() { Some(DropStarts::new(board, spawn, system)) } else { None };
    let mut lowest: Option<Location> = None;
    for turned in Orientation::ALL {
        let (_, up) = TURNS[spawn.piece as usize].moved[turned as usize];
        let from = Location { orientation: turned, x: 0, y: spawn.y + up, ..spawn };
        let canonical = from.canonical();
        if canonical.orientation != orientation {
            continue;
        }
        let from = Location { x: column as i8 - canonical.x, ..from };
        let landing = match (&free, &starts) {
            (Some(columns), _) if columns[turned as usize] >> (from.x & 31) & 1 == 1 => {
                board.landing(from)
            }
            (None, Some(starts)) => starts.lowest_landing(from),
            _ => None,
        };
        if let Some(landing) = landing.map(Location::canonical)
            && lowest.is_none_or(|lowest| landing.y < lowest.y)
        {
            lowest = Some(landing);
        }
    }
    lowest
}

/// The four orientations of a piece, turned clockwise at its spawn without a kick.
struct Turns {
    /// The movements of the center.
    moved: [(i8, i8); 4],
    /// For each cell, the distance of the five rows of [`columns_of_free_turns`] at which its
    /// column is at the center's bit.
    shifts: [[u8; 4]; 4],
}

static TURNS: [Turns; 7] = {
    let mut table = [const { Turns { moved: [(0, 0); 4], shifts: [[0; 4]; 4] } }; 7];
    let mut i = 0;
    while i < 7 * 4 {
        let piece = Piece::ALL[i / 4];
        let orientation = Orientation::ALL[i % 4];
        let turns = &mut table[i / 4];
        let (x, y) = turns.moved[i % 4];
        let mut cell = 0;
        while cell < 4 {
            let (dx, dy) = piece.cells(orientation)[cell];
            turns.shifts[i % 4][cell] = (12 * (2 + y as i32 + dy) + 2 + dx) as u8;
            cell += 1;
        }
        if i % 4 < 3 {
            let (dx, dy) = Kicks::of(RotationSystem::Srs, piece, orientation, Rotation::Cw).get(0);
            turns.moved[i % 4 + 1] = (x + dx, y + dy);
        }
        i += 1;
    }
    table
};

/// Returns the columns that each orientation of a piece reaches if it turns freely at its spawn, so
/// that it is never kicked. Needs five rows:
///
/// ```text
/// bit    0, 1    2 to 11                    12, 13    14 to 23
///        -       free cells of row y - 2    -         free cells of row y - 1    ..
/// ```
#[inline(always)]
fn columns_of_free_turns(board: &Board, spawn: Location) -> Option<[u32; 4]> {
    const ALL: u32 = (1 << WIDTH) - 1;
    let mut rows = 0;
    for (x, column) in board.columns().iter().enumerate() {
        // The product has bit k of a column at bit 12 k, among others.
        let five = !column >> (spawn.y - 2) & 31;
        rows |= ((five * 0x1002_0040_0801) & 0x0001_0010_0100_1001) << (2 + x);
    }
    let turns = &TURNS[spawn.piece as usize];
    let mut reached = [0; 4];
    let mut blocked = 0;
    for ((reached, shifts), (dx, _)) in reached.iter_mut().zip(&turns.shifts).zip(turns.moved) {
        let mut free = ALL;
        for shift in shifts {
            free &= (rows >> shift) as u32;
        }
        let start = 1 << (spawn.x + dx);
        blocked |= start & !free;
        // The sum carries through all free centers from the start to the right; the highest blocked
        // one on the left ends the others.
        let to_right = free & !(free + start);
        let left = !free & (start - 1);
        *reached = to_right | (start - (1 << (u32::BITS - left.leading_zeros())));
    }
    (blocked == 0).then_some(reached)
}

/// Adds the locations reachable from the spawn by rotations alone.
#[inline(always)]
fn turn(free: &FreeCenters, spawn: Location, system: RotationSystem, reached: &mut [Columns; 4]) {
    let mut add = |at: Location| {
        let rows = &mut reached[at.orientation as usize][word(at.x)];
        let before = *rows;
        *rows |= 1 << (at.y & 63);
        before != *rows
    };
    let mut turned = [spawn; 4];
    for i in 1..turned.len() {
        let next = RotationSystem::Srs.rotate_if(turned[i - 1], Rotation::Cw, |_| true);
        turned[i] = next.map_or(spawn, |(at, _)| at);
    }
    // A piece that fits in all four orientations is never kicked.
    if turned.into_iter().fold(true, |fit, at| fit & free.fits(at)) {
        for at in turned {
            add(at);
        }
        return;
    }
    // Kicks may climb a wall of cells, so there can be more than four locations.
    let mut waiting = Vec::with_capacity(32);
    add(spawn);
    waiting.push(spawn);
    while let Some(from) = waiting.pop() {
        for rotation in Rotation::ALL {
            if let Some((to, _)) = system.rotate_if(from, rotation, |at| free.fits(at))
                && add(to)
            {
                waiting.push(to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitcore::Rng;

    #[test]
    fn free_centers_are_the_places_that_fit() {
        let mut rng = Rng::new(7);
        for _ in 0..20 {
            // Sparse enough for free places, up to the ceiling.
            let columns =
                [(); WIDTH].map(|()| rng.next_u64() & rng.next_u64() & rng.next_u64() & ROWS);
            let board = Board::try_from(columns).unwrap();
            for piece in Piece::ALL {
                let centers = FreeCenters::new(&board, piece);
                for (orientation, x) in
                    Orientation::ALL.into_iter().flat_map(|o| (-5..15).map(move |x| (o, x)))
                {
                    for y in -5..45 {
                        let at = Location { piece, orientation, x, y };
                        assert_eq!(centers.fits(at), board.fits(at), "{at}\n{board}");
                    }
                }
            }
        }
    }
}
