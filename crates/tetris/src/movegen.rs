//! The move generator: all reachable placements of a piece, with the kind of spin of each.
//!
//! [`count`] and [`Placements`] cover every placement reachable by single key presses: left, right,
//! soft drop by one row, and all rotations with their kicks, in any number and order.
//! [`reference::naive::placements`](crate::reference::naive::placements) defines the result, one
//! key press at a time.
//!
//! # Method
//!
//! The search is a flood fill on bitboards: for each orientation, one bit per possible cell of the
//! piece's center. One shift moves all centers in parallel:
//!
//! ```text
//! for each orientation r:
//!     free[r]    = centers where all four cells are empty      // AND of four shifted maps of empty cells
//!     resting[r] = free[r] & !shift_up(free[r], 1)             // one row lower isn't free
//!     reached[r] = centers of free[r] open to the sky          // on a high stack: only the spawn
//! repeat until nothing is added, or every resting center is reached:
//!     reached[r] |= free[r] & (shift_left(reached[r]) | shift_right(reached[r]))
//!     reached[r] |= centers of free[r] below reached[r], down to the next gap in free[r]
//!     reached[to] |= rotate(reached[from], kicks)     // each center with its first kick that fits
//! placements = resting & reached
//! ```
//!
//! Columns are stored upside down, top row in bit 0, because carries then run in the direction of a
//! fall. One addition drops all reached centers of a column as far as they fall:
//!
//! ```text
//!                           top        floor
//! bit                        0 1 2 3 4 5 6 7
//! free                       1 1 1 1 0 1 1 0
//! reached                    0 1 0 0 0 0 0 0
//! free + reached             1 0 0 0 1 1 1 0   the carry runs down to the next blocked center
//! free & !(free + reached)   0 1 1 1 0 0 0 0   the reached center and the centers it falls to
//! ```
//!
//! The lowest sixteen rows of ten columns fit into one 256-bit register (sixteen `u16` lanes, ten
//! of them used) or into three `u64`s of four columns each; that covers most boards. The lowest
//! twenty rows also fit into one register, three columns per `u64` lane, and cover all stacks that
//! don't come close to the spawn. Higher stacks use a window of 16 or 32 rows further up, or a
//! `u64` per column.
//!
//! Flood fill on whole bitboards comes from the generators
//! [fast-reachability](https://github.com/ImpleLee/fast-reachability) and
//! [cobra-movegen](https://github.com/Kixenon/cobra-movegen). Upside-down columns in one register,
//! and drops by addition, are new here.

pub(crate) mod bitboard;
mod path;
pub(crate) mod placements;
pub(crate) mod search;
pub(crate) mod simd;
pub(crate) mod sink;
pub(crate) mod starts;
pub(crate) mod tall;
pub(crate) mod words;

pub use crate::placement::{MoveRules, SpinMode};
pub(crate) use path::spin_of;
pub use path::{Movement, apply, path};
pub use placements::{Iter, Placements};

use crate::board::{Board, HEIGHT, WIDTH, height};
use crate::kicks::RotationSystem;
use crate::location::Location;
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin};
use bitboard::{Bitboard, RowBlock};
use bitcore::{Isa, Portable, SetBits, dispatch};
use search::{Below, Outcome, dispatch_piece};
use simd::SimdBlock;
use sink::{Count, CountWords, Find, List, Sink};
use starts::DropStarts;
use tall::TallBlock;
use words::{ColumnWords, PackedBlock};

/// Counts the reachable placements of a piece under a [`SpinMode`] or [`MoveRules`]. Returns 0 if
/// the spawn is blocked.
///
/// ```
/// use tetris::{Board, Piece, movegen::{self, SpinMode}};
/// let board: Board = "3f,3f,1f,7,1,0,d,1f,3f,ff".parse().unwrap();
/// assert_eq!(movegen::count(&board, Piece::T, SpinMode::Ignore), 37);
/// assert_eq!(movegen::count(&board, Piece::T, SpinMode::TSpins), 38);
/// ```
#[inline(always)]
pub fn count(board: &Board, piece: Piece, rules: impl Into<MoveRules>) -> u32 {
    let rules = rules.into();
    if rules.spin_mode == SpinMode::AllMini {
        return Placements::of(board, piece, rules).len() as u32;
    }
    if rules.skip_first_row(board, piece) {
        return count_from_second_row(board, piece, rules);
    }
    count_from_first_row(board, piece, rules)
}

fn count_from_first_row(board: &Board, piece: Piece, rules: MoveRules) -> u32 {
    dispatch!(isa + v4 [board, piece, rules] => count_placements(isa, board, piece, rules))
}

#[inline(always)]
pub(crate) fn count_placements<S: Isa>(
    isa: S,
    board: &Board,
    piece: Piece,
    rules: MoveRules,
) -> u32 {
    if S::FAST_COUNT_ONES {
        let mut count = Count(0);
        search_placements(isa, board, piece, rules, &mut count);
        return count.0;
    }
    let mut count = CountWords(0);
    search_placements(isa, board, piece, rules, &mut count);
    count.0
}

#[cold]
fn count_from_second_row(board: &Board, piece: Piece, rules: MoveRules) -> u32 {
    dispatch!(isa + v4 [board, piece, rules] => {
        let mut count = Count(0);
        search_from_second_row(isa, board, piece, rules, &mut count);
        count.0
    })
}

/// Counts the reachable placements of each piece on each board and returns the sum.
///
/// ```
/// use tetris::{Board, Piece, movegen::{self, SpinMode}};
/// assert_eq!(movegen::count_all(&[Board::EMPTY; 2], &[Piece::O, Piece::S], SpinMode::Ignore), 2 * (9 + 17));
/// ```
#[inline(always)]
pub fn count_all(boards: &[Board], pieces: &[Piece], rules: impl Into<MoveRules>) -> u64 {
    let rules = rules.into();
    if rules.second_spawn_row || rules.spin_mode == SpinMode::AllMini {
        let all = boards.iter().flat_map(|board| pieces.iter().map(move |&piece| (board, piece)));
        return all.map(|(board, piece)| u64::from(count(board, piece, rules))).sum();
    }
    count_all_from_first_row(boards, pieces, rules)
}

fn count_all_from_first_row(boards: &[Board], pieces: &[Piece], rules: MoveRules) -> u64 {
    dispatch!(isa + v4 [boards, pieces, rules] => {
        let mut sum = 0;
        for board in boards {
            for &piece in pieces {
                sum += u64::from(count_placements(isa, board, piece, rules));
            }
        }
        sum
    })
}

/// Writes the reachable placements of a piece to the front of a buffer, in the order of
/// [`Placements`], and returns their number. Faster than iterating over [`Placements`].
///
/// ```
/// use tetris::{Board, Location, Piece, Placement, Spin, movegen::{self, SpinMode, Placements}};
/// let mut buffer = [Placement { at: Location::spawn(Piece::T), spin: Spin::None }; 256];
/// let count = movegen::list(&Board::EMPTY, Piece::T, SpinMode::TSpins, &mut buffer);
/// assert!(buffer[..count].iter().copied().eq(&Placements::of(&Board::EMPTY, Piece::T, SpinMode::TSpins)));
/// ```
///
/// # Panics
///
/// If the buffer is too short.
#[inline(always)]
pub fn list(
    board: &Board,
    piece: Piece,
    rules: impl Into<MoveRules>,
    buffer: &mut [Placement],
) -> usize {
    let rules = rules.into();
    if rules.spin_mode == SpinMode::AllMini {
        return list_by_rules(board, piece, rules, buffer);
    }
    if rules.skip_first_row(board, piece) {
        return list_from_second_row(board, piece, rules, buffer);
    }
    list_from_first_row(board, piece, rules, buffer)
}

fn list_by_rules(board: &Board, piece: Piece, rules: MoveRules, buffer: &mut [Placement]) -> usize {
    let placements = Placements::of(board, piece, rules);
    buffer[..placements.len()].iter_mut().zip(&placements).for_each(|(to, from)| *to = from);
    placements.len()
}

fn list_from_first_row(
    board: &Board,
    piece: Piece,
    rules: MoveRules,
    buffer: &mut [Placement],
) -> usize {
    dispatch!(isa + v4 [board, piece, rules, buffer] => {
        let mut list = List { buffer, len: 0 };
        search_placements(isa, board, piece, rules, &mut list);
        list.len
    })
}

#[cold]
fn list_from_second_row(
    board: &Board,
    piece: Piece,
    rules: MoveRules,
    buffer: &mut [Placement],
) -> usize {
    dispatch!(isa + v4 [board, piece, rules, buffer] => {
        let mut list = List { buffer, len: 0 };
        search_from_second_row(isa, board, piece, rules, &mut list);
        list.len
    })
}

impl Placements {
    /// Returns all reachable placements of a piece. The set is empty if the spawn is blocked.
    ///
    /// ```
    /// use tetris::{Board, Piece, Spin, movegen::{SpinMode, Placements}};
    /// // A T-slot under an overhang.
    /// let board: Board = "##........\n#...######\n##.#######".parse().unwrap();
    /// let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
    /// let spun = placements.iter().find(|placement| placement.spin == Spin::Full).unwrap();
    /// assert_eq!((spun.at.x, spun.at.y), (2, 1));
    /// assert_eq!(board.place(spun.at).unwrap().clear_lines(), 2);
    /// ```
    #[inline]
    pub fn of(board: &Board, piece: Piece, rules: impl Into<MoveRules>) -> Self {
        let mut placements = Self::new();
        placements.fill(board, piece, rules);
        placements
    }

    /// Replaces the contents with all reachable placements of a piece.
    #[inline(always)]
    pub fn fill(&mut self, board: &Board, piece: Piece, rules: impl Into<MoveRules>) {
        let rules = rules.into();
        if rules.spin_mode == SpinMode::AllMini {
            return self.fill_with_all_minis(board, piece, rules);
        }
        if rules.skip_first_row(board, piece) {
            return self.fill_from_second_row(board, piece, rules);
        }
        self.fill_from_first_row(board, piece, rules);
    }

    fn fill_from_first_row(&mut self, board: &Board, piece: Piece, rules: MoveRules) {
        dispatch!(isa + v4 [placements = self, board, piece, rules] => search_placements(isa, board, piece, rules, placements));
    }

    #[cold]
    fn fill_from_second_row(&mut self, board: &Board, piece: Piece, rules: MoveRules) {
        dispatch!(isa + v4 [placements = self, board, piece, rules] => search_from_second_row(isa, board, piece, rules, placements));
    }
}

/// Returns `true` if a placement with a [canonical](Location::canonical) location is one of those
/// of its piece. Most need no search: a fall, or a fall beside it, one move to the side and a fall.
pub(crate) fn is_reachable(board: &Board, placement: Placement, rules: MoveRules) -> bool {
    let Placement { at, spin } = placement;
    if spin == Spin::None && height(board.columns()) <= max_height_under_free_spawn(at.piece) {
        // The row of the spawn is above the stack.
        let from_sky = |x: i8| board.landing(Location { x, y: Location::SPAWN_Y, ..at });
        let lands_beside = |x: i8| {
            let beside = from_sky(x).map(|beside| Location { y: beside.y.max(at.y), ..at });
            beside.and_then(|from| board.landing(from)) == Some(at)
        };
        if from_sky(at.x) == Some(at)
            || lands_beside(at.x.wrapping_sub(1))
            || lands_beside(at.x.wrapping_add(1))
        {
            return true;
        }
    }
    is_found(board, placement, rules)
}

/// Searches for a placement with a canonical location.
pub(crate) fn is_found(board: &Board, placement: Placement, rules: MoveRules) -> bool {
    if rules.spin_mode == SpinMode::AllMini {
        return Placements::of(board, placement.at.piece, rules).iter().any(|to| to == placement);
    }
    dispatch!(isa + v4 [board, placement, rules] => {
        let mut find = Find { placement, found: false };
        search_by_rules(isa, board, placement.at.piece, rules, &mut find);
        find.found
    })
}

/// Returns the maximum stack height for which all resting centers are in the lowest sixteen rows.
/// Cells reach one row below the center, or two for I, so every center above these rows is open to
/// the sky.
pub(crate) const fn max_height_in_16_rows(piece: Piece) -> u32 {
    if matches!(piece, Piece::I) { 13 } else { 14 }
}

/// Returns the maximum stack height over which a piece rotates freely at its spawn. It then reaches
/// every center open to the sky.
pub(crate) const fn max_height_under_free_spawn(piece: Piece) -> u32 {
    Location::SPAWN_Y as u32 - if matches!(piece, Piece::I) { 2 } else { 1 }
}

const _: () = {
    // Up to these heights, all resting centers are in twenty rows. I reaches two rows below its
    // center.
    assert!(
        max_height_under_free_spawn(Piece::I) + 2 < 20
            && max_height_under_free_spawn(Piece::T) + 1 < 20
    );
};

/// Searches all placements of a piece and passes them to the sink. If the piece rotates freely at
/// its spawn, one register is enough; without vector registers, a low stack takes three words.
#[inline(always)]
pub(crate) fn search_placements<S: Isa>(
    isa: S,
    board: &Board,
    piece: Piece,
    rules: MoveRules,
    sink: &mut impl Sink,
) {
    let columns = board.columns();
    let height = height(columns);
    if height
        > if S::HAS_SIMD {
            max_height_under_free_spawn(piece)
        } else {
            max_height_in_16_rows(piece)
        }
    {
        search_high::<S, _, { Location::SPAWN_Y }>(isa, columns, piece, rules, sink);
    } else if S::HAS_SIMD && height > max_height_in_16_rows(piece) {
        let field = Bitboard::<TallBlock<S>, 1>::load_low(isa, columns);
        search_low(isa, &field, piece, rules, sink);
    } else if S::HAS_SIMD {
        let field = Bitboard::<SimdBlock<S>, 1>::load_low(isa, columns);
        search_low(isa, &field, piece, rules, sink);
    } else {
        let field = Bitboard::<PackedBlock, 1>::load_low(Portable, columns);
        search_low(Portable, &field, piece, rules, sink);
    }
}

/// Searches from the spawn row of the piece, with T-spins at most.
#[inline(always)]
pub(crate) fn search_by_rules<S: Isa>(
    isa: S,
    board: &Board,
    piece: Piece,
    rules: MoveRules,
    sink: &mut impl Sink,
) {
    if rules.skip_first_row(board, piece) {
        search_from_second_row(isa, board, piece, rules, sink);
    } else {
        search_placements(isa, board, piece, rules, sink);
    }
}

/// Searches all placements of a piece that doesn't fit in the first spawn row.
#[inline(always)]
fn search_from_second_row<S: Isa>(
    isa: S,
    board: &Board,
    piece: Piece,
    rules: MoveRules,
    sink: &mut impl Sink,
) {
    search_high::<S, _, { Location::SPAWN_Y + 1 }>(isa, board.columns(), piece, rules, sink);
}

/// Counts the placements that [`search_low`] finds.
#[inline(always)]
pub(crate) fn count_low<B: RowBlock>(
    isa: B::Token,
    field: &Bitboard<B, 1>,
    piece: Piece,
    rules: MoveRules,
) -> u32 {
    if B::Token::FAST_COUNT_ONES {
        let mut count = Count(0);
        search_low(isa, field, piece, rules, &mut count);
        return count.0;
    }
    let mut count = CountWords(0);
    search_low(isa, field, piece, rules, &mut count);
    count.0
}

/// Searches the rows of a block from the floor up, starting from the sky. All cells above these
/// rows must be empty.
#[inline(always)]
fn search_low<B: RowBlock>(
    isa: B::Token,
    field: &Bitboard<B, 1>,
    piece: Piece,
    rules: MoveRules,
    sink: &mut impl Sink,
) {
    #[inline(always)]
    fn of<B: RowBlock, S: Sink, const P: usize, const SPINS: bool>(
        isa: B::Token,
        field: &Bitboard<B, 1>,
        system: RotationSystem,
        sink: &mut S,
    ) {
        let (piece, spin_mode) = const { (Piece::ALL[P], search::spin_mode::<SPINS>()) };
        let found = if const { S::INLINE_SEARCH && B::INLINE_ROTATIONS } {
            S::Outcome::of(
                piece,
                spin_mode,
                #[inline(always)]
                || search::search::<B, 1, P, SPINS>(isa, *field, None, Below::Floor, system),
            )
        } else {
            search::search_outlined::<S::Outcome, B, 1, P, SPINS>(
                isa,
                field,
                None,
                Below::Floor,
                system,
            )
        };
        // The search fails only if there are rows below the window. Here there are none.
        if let Some(found) = found {
            sink.receive(piece, spin_mode, &found, 0);
        }
    }
    let MoveRules { spin_mode, rotation_system: system, .. } = rules;
    dispatch_piece!(piece, spin_mode, of[B, _](isa, field, system, sink));
}

/// Searches a stack too high for the lowest twenty rows, or sixteen without vector registers.
///
/// With registers, a window of sixteen rows near the top of the stack is tried first:
///
/// ```text
/// row of the window
/// 11 .. 15   above the stack
///  5 .. 10   top of the stack
///  2 ..  4   if a center is free here, the piece might pass below: the window is rejected
/// below  0   treated as filled
/// ```
///
/// The next tries are a window of 32 rows and a `u64` per column. If the piece can't rotate freely
/// above the stack, it starts from its spawn in row `Y`.
#[inline(always)]
fn search_high<S: Isa, K: Sink, const Y: i8>(
    isa: S,
    columns: &[u64; WIDTH],
    piece: Piece,
    rules: MoveRules,
    sink: &mut K,
) {
    isa.call4(
        columns,
        piece,
        rules,
        sink,
        #[inline(always)]
        move |columns, piece, rules, sink| {
            let height = height(columns);
            let from_spawn = height > max_height_under_free_spawn(piece);
            let mut columns = *columns;
            if from_spawn {
                if columns[Location::SPAWN_X as usize] >> Y & 1 == 1 {
                    return sink.receive_none(piece);
                }
                for column in &mut columns {
                    *column |= !0 << HEIGHT;
                }
            }
            if S::HAS_SIMD {
                // Kicks lift a piece at most four rows above the stack.
                let base = height - 11;
                if height <= 25
                    && let Some(found) = search_window::<K::Outcome, SimdBlock<S>, 1, Y>(
                        isa, &columns, base, from_spawn, piece, rules,
                    )
                {
                    return sink.receive(piece, rules.spin_mode, &found, base);
                }
                // On the web two registers aren't worth their code.
                if cfg!(not(target_arch = "wasm32")) {
                    // A rotated piece reaches two rows further. The window ends above that, and
                    // includes the ceiling if the piece can reach it.
                    let mut base = height.saturating_sub(27);
                    if height + 6 >= HEIGHT as u32 {
                        base = base.max(HEIGHT as u32 - 31);
                    }
                    if let Some(found) = search_window::<K::Outcome, SimdBlock<S>, 2, Y>(
                        isa, &columns, base, from_spawn, piece, rules,
                    ) {
                        return sink.receive(piece, rules.spin_mode, &found, base);
                    }
                }
                // Rarely reached, so there is no register version.
            }
            if let Some(found) = search_window::<K::Outcome, ColumnWords, 1, Y>(
                Portable, &columns, 0, from_spawn, piece, rules,
            ) {
                sink.receive(piece, rules.spin_mode, &found, 0);
            }
        },
    );
}

/// Searches the rows from `base` up. Returns `None` if centers below `base` might be reachable.
#[inline(always)]
fn search_window<O: Outcome, B: RowBlock, const N: usize, const Y: i8>(
    isa: B::Token,
    columns: &[u64; WIDTH],
    base: u32,
    from_spawn: bool,
    piece: Piece,
    rules: MoveRules,
) -> Option<O::Of<B, N>> {
    let field = Bitboard::load(isa, columns, base);
    let spawn = Bitboard::load(isa, &const { search::spawn_in(Y) }, base);
    let below = if base > 0 { Below::Rows } else { Below::Floor };
    search::search_piece::<O, B, N>(isa, &field, from_spawn.then_some(&spawn), below, piece, rules)
}

/// A set of [canonical](Location::canonical) locations of one piece: one bit per orientation,
/// column and row of the center.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locations {
    piece: Piece,
    centers: [[u64; WIDTH]; 4],
}

impl Locations {
    /// Returns the empty set.
    #[inline]
    pub const fn new(piece: Piece) -> Self {
        Self { piece, centers: [[0; WIDTH]; 4] }
    }

    /// Adds the canonical form of a location, so locations with equal cells count once. Returns
    /// `false` and changes nothing if the location is already in the set, belongs to a different
    /// piece, or has its center outside the field.
    #[inline]
    pub fn insert(&mut self, at: Location) -> bool {
        let at = at.canonical();
        if at.piece != self.piece || !(0..HEIGHT as i8).contains(&at.y) {
            return false;
        }
        let Some(rows) = self.centers[at.orientation as usize].get_mut(at.x as usize) else {
            return false;
        };
        let before = *rows;
        *rows |= 1 << at.y;
        *rows != before
    }

    /// Returns the number of locations.
    #[inline]
    pub fn len(&self) -> usize {
        self.centers.as_flattened().iter().map(|column| column.count_ones() as usize).sum()
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.centers.as_flattened().iter().all(|&column| column == 0)
    }

    /// Iterates over the locations by orientation, then column, then row.
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

/// Returns the hard drops of a piece under SRS: any number of rotations at the spawn, with kicks,
/// then moves to one side, then a hard drop. The set is empty if the spawn is blocked;
/// [`hard_drops_from`] accepts another start and another rotation system.
///
/// ```
/// use tetris::{Board, Piece, movegen};
/// assert_eq!(movegen::hard_drops(&Board::EMPTY, Piece::T).len(), 34);
/// assert_eq!(movegen::hard_drops(&Board::EMPTY, Piece::S).len(), 17);
/// ```
pub fn hard_drops(board: &Board, piece: Piece) -> Locations {
    hard_drops_from(board, Location::spawn(piece), RotationSystem::Srs)
}

/// Returns the hard drops from another location, such as the result of [`Board::spawn`]. The set is
/// empty if the piece doesn't fit there. See [`hard_drops`].
///
/// ```
/// use tetris::{Board, Piece, RotationSystem, Rules, movegen};
/// let board: Board = format!("....#.....\n{}", "#########.\n".repeat(19)).parse().unwrap();
/// let spawn = board.spawn(Piece::O, Rules::default()).unwrap();
/// assert_eq!(movegen::hard_drops_from(&board, spawn, RotationSystem::Srs).len(), 9);
/// assert!(movegen::hard_drops(&board, Piece::O).is_empty());
/// ```
///
/// Compiled for the baseline only.
#[inline(never)]
pub fn hard_drops_from(
    board: &Board,
    from: Location,
    rotation_system: RotationSystem,
) -> Locations {
    let mut landings = Locations::new(from.piece);
    if board.fits(from) {
        for landing in DropStarts::new(board, from, rotation_system).landings(from.piece) {
            landings.insert(landing);
        }
    }
    landings
}
