//! Placements: where a piece can lock, and as what kind of spin.
//!
//! [`count`] and [`Placements`] know every placement that single key presses reach: left, right, soft drop by one row,
//! both rotations with their kicks, any number of each. The method (maps of the whole board, moved by shifts) is that of
//! the generators [fast-reachability](https://github.com/ImpleLee/fast-reachability) and
//! [cobra-movegen](https://github.com/Kixenon/cobra-movegen); the upside-down columns in one register, in which falling
//! is an addition, are this crate's own. [`reference::naive::placements`](crate::reference::naive::placements) is their
//! definition, key press by key press.

pub(crate) mod field;
mod path;
pub(crate) mod register;
pub(crate) mod search;
mod set;
pub(crate) mod sink;
pub(crate) mod words;

pub use crate::placement::{Kinds, Placement, Spin};
pub use path::{Key, path, press};
pub use set::{Iter, Placements};

use crate::board::{Board, HEIGHT, WIDTH, height};
use crate::kicks;
use crate::location::Location;
use crate::piece::{Orientation, Piece, Turn};
use alloc::vec::Vec;
use bitcore::{Isa, Level, Portable, SetBits, dispatch};
use field::{Band, Field};
use register::Register;
use search::{Found, by_piece};
use sink::{Count, Sink};
use words::{Columns, Packed};

/// How many placements a piece has. None if the spawn is blocked.
///
/// ```
/// use tetris::{Board, Piece, movegen::{self, Kinds}};
/// let board: Board = "3f,3f,1f,7,1,0,d,1f,3f,ff".parse().unwrap();
/// assert_eq!(movegen::count(&board, Piece::T, Kinds::Cells), 37);
/// assert_eq!(movegen::count(&board, Piece::T, Kinds::Spins), 38);
/// ```
pub fn count(board: &Board, piece: Piece, kinds: Kinds) -> u32 {
    count_on(Level::detect(), board, piece, kinds)
}

/// [`count`] on a level.
pub fn count_on(level: Level, board: &Board, piece: Piece, kinds: Kinds) -> u32 {
    dispatch!(level, isa [board, piece, kinds] => {
        let mut count = Count(0);
        places(isa, board, piece, kinds, &mut count);
        count.0
    })
}

/// Counts the placements of each of the pieces on each of the boards, and adds them up: one call for many boards.
///
/// ```
/// use tetris::{Board, Piece, movegen::{self, Kinds}};
/// assert_eq!(movegen::count_all(&[Board::EMPTY; 2], &[Piece::O, Piece::S], Kinds::Cells), 2 * (9 + 17));
/// ```
pub fn count_all(boards: &[Board], pieces: &[Piece], kinds: Kinds) -> u64 {
    count_all_on(Level::detect(), boards, pieces, kinds)
}

/// [`count_all`] on a level.
pub fn count_all_on(level: Level, boards: &[Board], pieces: &[Piece], kinds: Kinds) -> u64 {
    dispatch!(level, isa [boards, pieces, kinds] => {
        let mut sum = 0;
        for board in boards {
            for &piece in pieces {
                let mut count = Count(0);
                places(isa, board, piece, kinds, &mut count);
                sum += u64::from(count.0);
            }
        }
        sum
    })
}

impl Placements {
    /// All placements of a piece. None if the spawn is blocked.
    ///
    /// ```
    /// use tetris::{Board, Piece, Spin, movegen::{Kinds, Placements}};
    /// // A T-slot under an overhang.
    /// let board: Board = "##........\n#...######\n##.#######".parse().unwrap();
    /// let placements = Placements::of(&board, Piece::T, Kinds::Spins);
    /// let spun = placements.iter().find(|placement| placement.spin == Spin::Full).unwrap();
    /// assert_eq!((spun.at.x, spun.at.y), (2, 1));
    /// assert_eq!(board.place(spun.at).unwrap().clear_lines(), 2);
    /// ```
    #[inline]
    pub fn of(board: &Board, piece: Piece, kinds: Kinds) -> Self {
        let mut placements = Self::new();
        placements.fill(board, piece, kinds);
        placements
    }

    /// Replaces what was there by all placements of a piece.
    pub fn fill(&mut self, board: &Board, piece: Piece, kinds: Kinds) {
        self.fill_on(Level::detect(), board, piece, kinds);
    }

    /// [`fill`](Self::fill) on a level.
    pub fn fill_on(&mut self, level: Level, board: &Board, piece: Piece, kinds: Kinds) {
        dispatch!(level, isa [placements = self, board, piece, kinds] => places(isa, board, piece, kinds, placements));
    }
}

/// The highest stack on which the lowest sixteen rows hold every place that isn't open to the sky: rotations need one
/// free row below the center, I two.
pub(crate) const fn low_stack(piece: Piece) -> u32 {
    if matches!(piece, Piece::I) { 13 } else { 14 }
}

/// The highest stack under which a piece turns freely where it spawns, so that it reaches all that is open to the sky.
pub(crate) const fn open_stack(piece: Piece) -> u32 {
    Location::SPAWN_Y as u32 - if matches!(piece, Piece::I) { 2 } else { 1 }
}

/// Searches in one register or three words, if the stack is low enough.
#[inline(always)]
pub(crate) fn places<S: Isa>(isa: S, board: &Board, piece: Piece, kinds: Kinds, sink: &mut impl Sink) {
    let columns = board.columns();
    if height(columns) > low_stack(piece) {
        high_stack(isa, columns, piece, kinds, sink);
    } else if S::HAS_SIMD {
        low_field(isa, &Field::<Register<S>, 1>::load(isa, columns, 0, true), piece, kinds, sink);
    } else {
        low_field(Portable, &Field::<Packed, 1>::load(Portable, columns, 0, true), piece, kinds, sink);
    }
}

/// Searches the lowest sixteen rows from the sky on; no cell above them is filled.
#[inline(always)]
pub(crate) fn low_field<B: Band>(
    isa: B::Token,
    field: &Field<B, 1>,
    piece: Piece,
    kinds: Kinds,
    sink: &mut impl Sink,
) {
    #[inline(always)]
    fn of<B: Band, S: Sink, const P: usize, const SPINS: bool>(
        isa: B::Token,
        field: &Field<B, 1>,
        sink: &mut S,
    ) {
        let found = if const { S::IN_LINE && B::TURNS_IN_LINE } {
            search::search::<B, 1, P, SPINS>(isa, *field, None, false)
        } else {
            search::found::<B, 1, P, SPINS>(isa, field, None, false)
        };
        // With no row left out below there is always an answer.
        if let Some(found) = found {
            sink.take(Piece::ALL[P], SPINS, &found, 0);
        }
    }
    by_piece!(piece, kinds, of[B, _](isa, field, sink));
}

/// A stack that doesn't fit under the top of sixteen rows: these rows are looked at in a window further up, if a layer in
/// it that no place passes shows that nothing below is reached; else in two bands, or in words of 64 rows.
#[inline(always)]
fn high_stack<S: Isa>(isa: S, columns: &[u64; WIDTH], piece: Piece, kinds: Kinds, sink: &mut impl Sink) {
    isa.call4(
        columns,
        piece,
        kinds,
        sink,
        #[inline(always)]
        move |columns, piece, kinds, sink| {
            let height = height(columns);
            let from_spawn = height > open_stack(piece);
            let mut columns = *columns;
            if from_spawn {
                if columns[Location::SPAWN_X as usize] >> Location::SPAWN_Y & 1 == 1 {
                    return sink.none(piece);
                }
                for column in &mut columns {
                    *column |= !0 << HEIGHT;
                }
            }
            if S::HAS_SIMD {
                // Kicks climb at most four rows over the stack.
                let base = if from_spawn { height - 11 } else { height - low_stack(piece) };
                if height <= 25
                    && let Some(found) =
                        window::<Register<S>, 1>(isa, &columns, base, from_spawn, piece, kinds)
                {
                    return sink.take(piece, true, &found, base);
                }
                // The turned piece reaches two rows more: the field ends above that, below the ceiling or over it.
                let mut base = height.saturating_sub(27);
                if height + 6 >= HEIGHT as u32 {
                    base = base.max(HEIGHT as u32 - 31);
                }
                if let Some(found) = window::<Register<S>, 2>(isa, &columns, base, from_spawn, piece, kinds) {
                    return sink.take(piece, true, &found, base);
                }
                // So rare that plain words do.
            }
            if let Some(found) = window::<Columns, 1>(Portable, &columns, 0, from_spawn, piece, kinds) {
                sink.take(piece, true, &found, 0);
            }
        },
    );
}

/// Searches the rows from `base` up. None if places below could be reached.
#[inline(always)]
fn window<B: Band, const N: usize>(
    isa: B::Token,
    columns: &[u64; WIDTH],
    base: u32,
    from_spawn: bool,
    piece: Piece,
    kinds: Kinds,
) -> Option<Found<B, N>> {
    let field = Field::load(isa, columns, base, false);
    let spawn = Field::load(isa, &search::SPAWN, base, false);
    search::found_any::<B, N>(isa, &field, from_spawn.then_some(&spawn), base > 0, piece, kinds)
}

/// A set of [canonical](Location::canonical) locations of one piece: a bit for each orientation, column and row of
/// the center.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locations {
    piece: Piece,
    centers: [[u64; WIDTH]; 4],
}

impl Locations {
    /// The empty set.
    #[inline]
    pub const fn new(piece: Piece) -> Self {
        Self { piece, centers: [[0; WIDTH]; 4] }
    }

    /// Adds a location in its canonical form; equal cells count once. False, and no change, if it was there, if it is
    /// another piece's, or if its center lies outside the field.
    #[inline]
    pub fn insert(&mut self, at: Location) -> bool {
        let at = at.canonical();
        if at.piece != self.piece || !(0..HEIGHT as i8).contains(&at.y) {
            return false;
        }
        let Some(rows) = self.centers[at.orientation as usize].get_mut(at.x as usize) else { return false };
        let before = *rows;
        *rows |= 1 << at.y;
        *rows != before
    }

    /// How many locations.
    #[inline]
    pub fn len(&self) -> usize {
        self.centers.as_flattened().iter().map(|column| column.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.centers.as_flattened().iter().all(|&column| column == 0)
    }

    /// The locations by orientation, then column, then row.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Location> {
        let piece = self.piece;
        Orientation::ALL.into_iter().zip(&self.centers).flat_map(move |(orientation, columns)| {
            columns.iter().zip(0..).flat_map(move |(&rows, x)| {
                SetBits(rows).map(move |y| Location { piece, orientation, x, y: y as i8 })
            })
        })
    }
}

/// What a piece reaches without soft drops: rotations where it spawns (any number, with kicks), then steps to one
/// side, then a hard drop. Nothing if the spawn is blocked.
///
/// ```
/// use tetris::{Board, Piece, movegen};
/// assert_eq!(movegen::hard_drops(&Board::EMPTY, Piece::T).len(), 34);
/// assert_eq!(movegen::hard_drops(&Board::EMPTY, Piece::S).len(), 17);
/// ```
pub fn hard_drops(board: &Board, piece: Piece) -> Locations {
    hard_drops_here(board, piece)
}

/// [`hard_drops`], in line: inside a token's function, zeros and ones are counted by instructions.
#[inline(always)]
pub(crate) fn hard_drops_here(board: &Board, piece: Piece) -> Locations {
    let mut landings = Locations::new(piece);
    let spawn = Location::spawn(piece);
    let mut turned = Vec::with_capacity(4);
    turned.extend(board.fits(spawn).then_some(spawn));
    // Kicks may lift a piece along a wall of cells: more than four ways to stand can be reached.
    let mut next = 0;
    while let Some(&from) = turned.get(next) {
        next += 1;
        for turn in Turn::ALL {
            if let Some(to) = kicks::rotate(board, from, turn)
                && !turned.contains(&to)
            {
                turned.push(to);
            }
        }
    }
    for from in turned {
        for step in [-1, 1] {
            let mut at = from;
            while let Some(landing) = board.landing(at) {
                landings.insert(landing);
                at = at.moved(step, 0);
            }
        }
    }
    landings
}
