//! The 4x4 board in 64 bits: [`Packed`], its slides by row tables, and single games of random play.
//!
//! For what looks at one board at a time: searches and players. Many independent games go faster in
//! [lanes](crate::Lockstep), where these can be had.
//!
//! The border of the form: a cell holds ranks 0 to 15, tiles up to 32768. The only slide that leaves it is one that
//! merges two 32768s, and such a slide answers `None`: nothing is lost, nothing saturates, and the caller goes on
//! with the [`Board`]. Tables of rows for a 64-bit board are nneonneo's form (2048-ai, 2014), where that merge loses
//! tiles.

use crate::board::{Board, Size, draw_spawn};
use crate::slide::Direction;
use bitcore::{Isa, Portable, Rng};
use core::fmt;

mod play;

pub(crate) use play::games_with;
pub use play::{lockstep_game, lockstep_game_with, random_play, random_play_with};

/// A 4x4 board of tiles up to 32768: cell k, row by row, has its rank in bits 4k..4k+4.
///
/// Every `u64` is such a board.
///
/// ```
/// use g2048::{Board, Direction, Packed};
/// let board: Board = "2 2 4 . \n . . . . \n . . . . \n . . . 8".parse()?;
/// let packed = Packed::new(&board).unwrap();
/// let left = packed.slide(Direction::Left).unwrap();
/// assert_eq!((left.gain, left.changed), (4, true));
/// assert_eq!(left.board.board(), board.slide(Direction::Left).board);
/// # Ok::<_, g2048::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed(u64);

/// What a slide makes of a [`Packed`] board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedSlide {
    /// The board after the slide, before the spawn.
    pub board: Packed,
    /// The sum of the merged tiles' new values: at most 2^18.
    pub gain: u32,
    /// Whether any cell changed. If not, the move isn't legal.
    pub changed: bool,
}

/// Why a board can't be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// Not 4x4.
    #[error("expected a board of 4x4, found {0}")]
    Size(Size),
    /// A tile beyond 32768.
    #[error("cell {cell}: expected a rank of at most {}, found {rank}", Packed::MAX_RANK)]
    Rank {
        /// The cell, row by row from 0.
        cell: usize,
        /// Its rank.
        rank: u8,
    },
}

/// The slides of all rows of four nibbles, the first cell lowest.
struct Rows {
    left: [u16; 1 << 16],
    right: [u16; 1 << 16],
    /// Either way the same: in a run of equal tiles as many pairs merge from one end as from the other.
    gain: [u32; 1 << 16],
}

/// Where two 32768s merge, the gain is this instead. All rows together gain at most 2^18 otherwise.
const OVERFLOW: u32 = 1 << 24;

/// 512 KiB, made by the compiler: no first use to guard, and no `std` needed for it.
#[allow(long_running_const_eval, reason = "65,536 rows; about a second, once per build")]
static ROWS: Rows = rows();

#[allow(clippy::large_stack_arrays, reason = "on the compiler's stack")]
const fn rows() -> Rows {
    let mut rows = Rows { left: [0; 1 << 16], right: [0; 1 << 16], gain: [0; 1 << 16] };
    let mut row = 0;
    while row < 1 << 16 {
        let (left, gain) = slide_row(row as u16);
        rows.left[row] = left;
        rows.gain[row] = gain;
        rows.right[reverse_row(row as u16) as usize] = reverse_row(left);
        row += 1;
    }
    rows
}

const fn reverse_row(row: u16) -> u16 {
    let swapped = row.swap_bytes();
    (swapped >> 4 & 0x0f0f) | (swapped & 0x0f0f) << 4
}

/// A row slid to the left, and its gain or [`OVERFLOW`].
const fn slide_row(row: u16) -> (u16, u32) {
    let (mut left, mut n, mut gain) = (0, 0, 0);
    // The newest tile, as long as it may merge.
    let mut last = 0;
    let mut rest = row;
    while rest != 0 {
        let rank = rest & 15;
        rest >>= 4;
        if rank == 0 {
            continue;
        }
        if rank == last {
            if rank == 15 {
                return (row, OVERFLOW);
            }
            left += 1 << (4 * (n - 1));
            gain += 2 << rank;
            last = 0;
        } else {
            left |= rank << (4 * n);
            n += 1;
            last = rank;
        }
    }
    (left, gain)
}

/// Slides the four rows by one of the tables.
#[inline(always)]
fn slide_rows(board: u64, table: &[u16; 1 << 16]) -> u64 {
    let mut slid = 0;
    for y in 0..4 {
        slid |= u64::from(table[row(board, y)]) << (16 * y);
    }
    slid
}

/// The gain of the rows, either way; [`OVERFLOW`] or more where two 32768s merge.
#[inline(always)]
fn rows_gain(board: u64) -> u32 {
    let mut gain = 0;
    for y in 0..4 {
        gain += ROWS.gain[row(board, y)];
    }
    gain
}

/// A row of four nibbles out of a board.
#[inline(always)]
const fn row(board: u64, y: u32) -> usize {
    (board >> (16 * y)) as u16 as usize
}

impl Packed {
    /// The largest rank of a cell: the tile 32768.
    pub const MAX_RANK: u8 = 15;

    /// The board with no tile.
    pub const EMPTY: Self = Self(0);

    /// Packs a board.
    ///
    /// # Errors
    ///
    /// If it isn't 4x4, or has a tile beyond 32768.
    pub fn new(board: &Board) -> Result<Self, PackError> {
        if board.size() != Size::CLASSIC {
            return Err(PackError::Size(board.size()));
        }
        let mut bits = 0;
        for (cell, &rank) in board.ranks().iter().enumerate() {
            if rank > Self::MAX_RANK {
                return Err(PackError::Rank { cell, rank });
            }
            bits |= u64::from(rank) << (4 * cell);
        }
        Ok(Self(bits))
    }

    /// The board with its ranks in bytes.
    pub fn board(self) -> Board {
        Board::from_fn(Size::CLASSIC, |cell| self.rank(cell))
    }

    /// The cells' ranks, four bits each.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The board of these [`bits`](Self::bits).
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The rank in a cell, row by row.
    ///
    /// # Panics
    ///
    /// If `cell` isn't below 16.
    #[inline(always)]
    pub const fn rank(self, cell: usize) -> u8 {
        assert!(cell < 16, "a board has 16 cells");
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// The largest rank on the board.
    pub fn max_rank(self) -> u8 {
        (0..16).map(|cell| self.rank(cell)).max().unwrap_or(0)
    }

    /// The lowest bit of each empty cell.
    #[inline(always)]
    const fn empty(self) -> u64 {
        let mut bits = self.0;
        bits |= bits >> 2;
        bits |= bits >> 1;
        !bits & 0x1111_1111_1111_1111
    }

    /// How many cells are empty.
    #[inline(always)]
    pub const fn empty_cells(self) -> u32 {
        self.empty().count_ones()
    }

    /// Rows become columns.
    #[inline(always)]
    #[must_use]
    pub const fn transpose(self) -> Self {
        self.transpose_where(!0)
    }

    /// Rows become columns if `mask` is all ones, and nothing changes if it is 0.
    #[inline(always)]
    const fn transpose_where(self, mask: u64) -> Self {
        let mut bits = self.0;
        // Cells off the diagonal of each 2x2 block, then the blocks off the diagonal.
        let swap = (bits ^ (bits >> 12)) & (0x0000_f0f0_0000_f0f0 & mask);
        bits ^= swap ^ (swap << 12);
        let swap = (bits ^ (bits >> 24)) & (0x0000_0000_ff00_ff00 & mask);
        Self(bits ^ swap ^ (swap << 24))
    }

    /// Left becomes right.
    #[inline(always)]
    #[must_use]
    pub const fn mirror(self) -> Self {
        // All cells backwards, then the rows.
        let bits = self.0.swap_bytes();
        let bits = (bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        let bits = bits.rotate_left(32);
        Self((bits >> 16 & 0x0000_ffff_0000_ffff) | (bits & 0x0000_ffff_0000_ffff) << 16)
    }

    /// The eight images under the square's symmetries, this board first, in the order of [`Board::symmetries`].
    #[inline(always)]
    pub const fn symmetries(self) -> [Self; 8] {
        let (r0, m0) = (self, self.mirror());
        let (r1, m1) = (r0.transpose().mirror(), m0.transpose().mirror());
        let (r2, m2) = (r1.transpose().mirror(), m1.transpose().mirror());
        [r0, r1, r2, r2.transpose().mirror(), m0, m1, m2, m2.transpose().mirror()]
    }

    /// The least of the [symmetries](Self::symmetries), by [`bits`](Self::bits).
    #[must_use]
    pub fn canonical(self) -> Self {
        self.symmetries().into_iter().fold(self, Ord::min)
    }

    /// Slides all tiles towards a wall, as [`Board::slide`] does. `None` if two 32768s merge: then slide the
    /// [`board`](Self::board).
    #[inline(always)]
    pub fn slide(self, direction: Direction) -> Option<PackedSlide> {
        let (rows, turned) = match direction {
            Direction::Left | Direction::Right => (self, false),
            Direction::Up | Direction::Down => (self.transpose(), true),
        };
        let table = match direction {
            Direction::Left | Direction::Up => &ROWS.left,
            Direction::Right | Direction::Down => &ROWS.right,
        };
        let slid = Self(slide_rows(rows.0, table));
        let board = if turned { slid.transpose() } else { slid };
        let gain = rows_gain(rows.0);
        (gain < OVERFLOW).then_some(PackedSlide { board, gain, changed: slid != rows })
    }

    /// [`slide`](Self::slide) where a 65536 shows as a 32768: for values that can't tell them apart anyway.
    #[inline(always)]
    pub(crate) fn slide_clamped(self, direction: Direction) -> PackedSlide {
        match self.slide(direction) {
            Some(slide) => slide,
            None => self.slide_in_bytes(direction),
        }
    }

    #[cold]
    fn slide_in_bytes(self, direction: Direction) -> PackedSlide {
        let slide = self.board().slide(direction);
        PackedSlide { board: Self::clamped(&slide.board), gain: slide.gain as u32, changed: true }
    }

    /// The 4x4 board, or the first 16 cells, with tiles beyond 32768 shown as 32768.
    pub(crate) fn clamped(board: &Board) -> Self {
        let ranks = board.ranks().iter().take(16).enumerate();
        Self(ranks.fold(0, |bits, (cell, &rank)| bits | u64::from(rank.min(Self::MAX_RANK)) << (4 * cell)))
    }

    /// Whether sliding this way changes the board.
    #[inline]
    pub fn is_legal(self, direction: Direction) -> bool {
        self.slide(direction).is_none_or(|slide| slide.changed)
    }

    /// Whether no move is legal: the game is over. (So is, in these words, the empty board.)
    #[inline(always)]
    pub const fn is_over(self) -> bool {
        // A tile and an empty cell in one line: one of its two slides moves something.
        if self.empty() != 0 {
            return self.0 == 0;
        }
        // Equal neighbours leave an empty cell where their difference stands.
        let across = Self(self.0 ^ self.0 >> 4).empty() & 0x0111_0111_0111_0111;
        let down = Self(self.0 ^ self.0 >> 16).empty() & 0x0000_1111_1111_1111;
        across | down == 0
    }

    /// Puts a tile on a random empty cell, by the draws of [`Board::spawn`], and returns the cell; `None`, and no
    /// draw, if the board is full.
    #[inline]
    pub fn spawn(&mut self, rng: &mut Rng) -> Option<u32> {
        self.spawn_with(Portable, rng)
    }

    /// [`spawn`](Self::spawn) on the instruction set of a token.
    #[doc(hidden)]
    #[inline(always)]
    pub fn spawn_with<S: Isa>(&mut self, isa: S, rng: &mut Rng) -> Option<u32> {
        let empty = self.empty();
        if empty == 0 {
            return None;
        }
        let (k, rank) = draw_spawn(rng, empty.count_ones());
        let bit = isa.select(empty, k);
        self.0 |= u64::from(rank) << bit;
        Some(bit / 4)
    }

    /// The game's first position, by the draws of [`Board::start`].
    pub fn start(rng: &mut Rng) -> Self {
        let mut board = Self::EMPTY;
        board.spawn(rng);
        board.spawn(rng);
        board
    }
}

impl TryFrom<&Board> for Packed {
    type Error = PackError;

    fn try_from(board: &Board) -> Result<Self, PackError> {
        Self::new(board)
    }
}

impl From<Packed> for Board {
    fn from(packed: Packed) -> Self {
        packed.board()
    }
}

impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}
