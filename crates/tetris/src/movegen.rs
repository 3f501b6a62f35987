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
#[cfg(target_arch = "x86_64")]
pub(crate) mod register;
pub(crate) mod search;
mod set;

pub use path::{Key, path, press};
pub use set::{Iter, Placements};

use crate::board::{HEIGHT, WIDTH};
use crate::{Board, Location, Orientation, Piece, Turn, kicks};
use alloc::vec::Vec;
use bitcore::{Isa, Level, SetBits, dispatch};
use core::fmt;
use field::{Band, Field, Packed, ROWS};
use search::Found;

/// What a T earned by its last rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spin {
    /// Nothing: not a T, its last movement wasn't a rotation, or fewer than three of its corners are filled.
    #[default]
    None,
    /// Three corners filled, not both at its front, and not by the fifth kick.
    Mini,
    /// Three corners filled with both at its front, or any three by the fifth kick.
    Full,
}

impl fmt::Display for Spin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Mini => "mini",
            Self::Full => "full",
        })
    }
}

/// One way to lock a piece. Two are the same if their cells and their spins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// Where it locks, [canonical](Location::canonical).
    pub at: Location,
    /// As what.
    pub spin: Spin,
}

/// Whether equal cells count once, or once for each kind of T-spin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kinds {
    /// Equal cells are one placement, of [`Spin::None`].
    #[default]
    Cells,
    /// A T's placements are told apart by their spins.
    Spins,
}

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
    dispatch!(level, isa [board, piece, kinds] => count_with(isa, board, piece, kinds))
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
                sum += u64::from(count_with(isa, board, piece, kinds));
            }
        }
        sum
    })
}

#[inline(always)]
pub(crate) fn count_with<S: Isa>(isa: S, board: &Board, piece: Piece, kinds: Kinds) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = bitcore::isa::x86_v3(isa.into()) {
        return x86_v3::count(isa, board, piece, kinds);
    }
    portable::count(board, piece, kinds)
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
        dispatch!(level, isa [placements = self, board, piece, kinds] => placements.fill_with(isa, board, piece, kinds));
    }

    #[inline(always)]
    pub(crate) fn fill_with<S: Isa>(&mut self, isa: S, board: &Board, piece: Piece, kinds: Kinds) {
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = bitcore::isa::x86_v3(isa.into()) {
            return x86_v3::fill(isa, board, piece, kinds, self);
        }
        portable::fill(board, piece, kinds, self);
    }
}

/// What becomes of the places that a search finds.
trait Sink {
    fn none(&mut self, piece: Piece);
    fn take<B: Band, const N: usize, const P: usize>(&mut self, found: &Found<B, N>, base: u32);
}

struct Count(u32);

impl Sink for Count {
    #[inline(always)]
    fn none(&mut self, _: Piece) {}
    #[inline(always)]
    fn take<B: Band, const N: usize, const P: usize>(&mut self, found: &Found<B, N>, _: u32) {
        self.0 = found.count::<P>();
    }
}

impl Sink for Placements {
    #[inline(always)]
    fn none(&mut self, piece: Piece) {
        self.clear(piece);
    }
    #[inline(always)]
    fn take<B: Band, const N: usize, const P: usize>(&mut self, found: &Found<B, N>, base: u32) {
        self.take::<B, N, P>(found, base);
    }
}

/// Calls a function with the piece, whether spins count, and perhaps one thing more as const arguments.
macro_rules! by_piece {
    ($piece:expr, $kinds:expr, $function:ident $([$more:ident])? ($($argument:expr),*)) => {
        by_piece!(@ $piece, $kinds, $function, [$($more)?], ($($argument),*), I O T S Z J L)
    };
    (@ $piece:expr, $kinds:expr, $function:ident, $more:tt, $arguments:tt, $($letter:ident)*) => {
        match ($piece, $kinds) {
            (Piece::T, Kinds::Spins) => by_piece!(@call $function, T, true, $more, $arguments),
            $((Piece::$letter, _) => by_piece!(@call $function, $letter, false, $more, $arguments),)*
        }
    };
    (@call $function:ident, $letter:ident, $spins:literal, [$($more:ident)?], ($($argument:expr),*)) => {
        $function::<{ Piece::$letter as usize }, $spins $(, $more)?>($($argument),*)
    };
}
pub(crate) use by_piece;

/// The highest stack on which the lowest sixteen rows hold every place that isn't open to the sky: rotations need one
/// free row below the centre, I two.
pub(crate) const fn low_stack(piece: usize) -> u32 {
    if piece == search::I { ROWS - 3 } else { ROWS - 2 }
}

/// The highest stack under which a piece turns freely where it spawns, so that it reaches all that is open to the sky.
pub(crate) const fn open_stack(piece: usize) -> u32 {
    Location::SPAWN_Y as u32 - if piece == search::I { 2 } else { 1 }
}

/// The height of the highest column.
#[inline(always)]
pub(crate) fn height(columns: &[u64; WIDTH]) -> u32 {
    let mut cells = 0;
    for column in columns {
        cells |= column;
    }
    u64::BITS - cells.leading_zeros()
}

/// The columns with everything above the ceiling filled.
#[inline(always)]
fn closed_above(columns: &[u64; WIDTH]) -> [u64; WIDTH] {
    let mut closed = *columns;
    for column in &mut closed {
        *column |= !0 << HEIGHT;
    }
    closed
}

/// Searches the rows from `base` up. None if places below could be reached.
#[inline(always)]
fn search_window<B: Band, const N: usize, const P: usize, const SPINS: bool>(
    isa: B::Token,
    columns: &[u64; WIDTH],
    base: u32,
    from_spawn: bool,
) -> Option<Found<B, N>> {
    B::enter(
        isa,
        #[inline(always)]
        || {
            let field = Field::load(isa, columns, base, false);
            let spawn = Field::load(isa, &search::SPAWN, base, false);
            search_field::<B, N, P, SPINS>(isa, &field, from_spawn.then_some(&spawn), base > 0)
        },
    )
}

/// [`search::search`], compiled once for all that need not have it in line.
#[inline(never)]
pub(crate) fn search_field<B: Band, const N: usize, const P: usize, const SPINS: bool>(
    isa: B::Token,
    field: &Field<B, N>,
    spawn: Option<&Field<B, N>>,
    closed: bool,
) -> Option<Found<B, N>> {
    B::enter(
        isa,
        #[inline(always)]
        || search::search::<B, N, P, SPINS>(isa, *field, spawn.copied(), closed),
    )
}

/// One register for low stacks. No function here is generic over tokens: each is compiled with this crate, and entered
/// again.
#[cfg(target_arch = "x86_64")]
mod x86_v3 {
    use super::register::Register;
    use super::{Board, Field, HEIGHT, Kinds, Location, Packed, Piece, Placements, Sink, WIDTH};
    use super::{closed_above, height, low_stack, open_stack, search, search_window};
    use bitcore::{Isa, Portable, X86V3};

    type Band = Register<X86V3>;

    #[inline(never)]
    pub(super) fn count(isa: X86V3, board: &Board, piece: Piece, kinds: Kinds) -> u32 {
        let mut count = super::Count(0);
        by_piece!(piece, kinds, places(isa, board, &mut count));
        count.0
    }

    #[inline(never)]
    pub(super) fn fill(isa: X86V3, board: &Board, piece: Piece, kinds: Kinds, placements: &mut Placements) {
        by_piece!(piece, kinds, places(isa, board, placements));
    }

    #[inline(always)]
    fn places<const P: usize, const SPINS: bool>(isa: X86V3, board: &Board, sink: &mut impl Sink) {
        isa.enter(
            #[inline(always)]
            || {
                let columns = board.columns();
                let height = height(columns);
                if height > low_stack(P) {
                    return high_stack::<P, SPINS>(isa, columns, height, sink);
                }
                let field = Field::load(isa, columns, 0, true);
                if let Some(found) = search::search::<Band, 1, P, SPINS>(isa, field, None, false) {
                    sink.take::<Band, 1, P>(&found, 0);
                }
            },
        );
    }

    /// A stack that doesn't fit under the top of sixteen rows: these rows are looked at in a window further up, if a
    /// layer in it that no place passes shows that nothing below is reached; else in two or three bands.
    #[cold]
    #[inline(never)]
    fn high_stack<const P: usize, const SPINS: bool>(
        isa: X86V3,
        columns: &[u64; WIDTH],
        height: u32,
        sink: &mut impl Sink,
    ) {
        isa.enter(
            #[inline(always)]
            || {
                let columns = &closed_above(columns);
                let from_spawn = height > open_stack(P);
                if from_spawn && columns[Location::SPAWN_X as usize] >> Location::SPAWN_Y & 1 == 1 {
                    return sink.none(Piece::ALL[P]);
                }
                // Kicks climb at most four rows over the stack.
                let base = if from_spawn { height - 11 } else { height - low_stack(P) };
                if height <= 25
                    && let Some(found) = search_window::<Band, 1, P, SPINS>(isa, columns, base, from_spawn)
                {
                    return sink.take::<Band, 1, P>(&found, base);
                }
                // The turned piece reaches two rows more: the field ends above that, below the ceiling or over it.
                let mut base = height.saturating_sub(27);
                if height + 6 >= HEIGHT as u32 {
                    base = base.max(HEIGHT as u32 - 31);
                }
                if let Some(found) = search_window::<Band, 2, P, SPINS>(isa, columns, base, from_spawn) {
                    return sink.take::<Band, 2, P>(&found, base);
                }
                // So rare that plain words do.
                if let Some(found) = search_window::<Packed, 3, P, SPINS>(Portable, columns, 0, from_spawn) {
                    sink.take::<Packed, 3, P>(&found, 0);
                }
            },
        );
    }
}

/// Three words for low stacks, nine for high ones.
mod portable {
    use super::{Board, Kinds, Packed, Piece, Placements, Sink};
    use super::{closed_above, height, low_stack, open_stack, search_window};
    use bitcore::Portable;

    #[inline(never)]
    pub(super) fn count(board: &Board, piece: Piece, kinds: Kinds) -> u32 {
        let mut count = super::Count(0);
        by_piece!(piece, kinds, places(board, &mut count));
        count.0
    }

    #[inline(never)]
    pub(super) fn fill(board: &Board, piece: Piece, kinds: Kinds, placements: &mut Placements) {
        by_piece!(piece, kinds, places(board, placements));
    }

    #[inline(always)]
    fn places<const P: usize, const SPINS: bool>(board: &Board, sink: &mut impl Sink) {
        let columns = board.columns();
        let height = height(columns);
        sink.none(Piece::ALL[P]);
        if height <= low_stack(P) {
            if let Some(found) = search_window::<Packed, 1, P, SPINS>(Portable, columns, 0, false) {
                sink.take::<Packed, 1, P>(&found, 0);
            }
            return;
        }
        let from_spawn = height > open_stack(P);
        // The sky is above the field's 48 rows; who comes from the spawn must not get there.
        let columns = if from_spawn { &closed_above(columns) } else { columns };
        if let Some(found) = search_window::<Packed, 3, P, SPINS>(Portable, columns, 0, from_spawn) {
            sink.take::<Packed, 3, P>(&found, 0);
        }
    }
}

/// A set of [canonical](Location::canonical) locations of one piece: a bit for each orientation, column and row of
/// the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locations {
    piece: Piece,
    centres: [[u64; WIDTH]; 4],
}

impl Locations {
    /// The empty set.
    #[inline]
    pub const fn new(piece: Piece) -> Self {
        Self { piece, centres: [[0; WIDTH]; 4] }
    }

    /// Adds a location in its canonical form; equal cells count once. False, and no change, if it was there, if it is
    /// another piece's, or if its centre lies outside the field.
    #[inline]
    pub fn insert(&mut self, at: Location) -> bool {
        let at = at.canonical();
        if at.piece != self.piece || !(0..HEIGHT as i8).contains(&at.y) {
            return false;
        }
        let Some(rows) = self.centres[at.orientation as usize].get_mut(at.x as usize) else { return false };
        let before = *rows;
        *rows |= 1 << at.y;
        *rows != before
    }

    /// How many locations.
    #[inline]
    pub fn len(&self) -> usize {
        self.centres.as_flattened().iter().map(|column| column.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.centres.as_flattened().iter().all(|&column| column == 0)
    }

    /// The locations by orientation, then column, then row.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Location> {
        let piece = self.piece;
        Orientation::ALL.into_iter().zip(&self.centres).flat_map(move |(orientation, columns)| {
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
