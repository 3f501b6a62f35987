//! [`Packed`]: a 4x4 position in 64 bits, and its slides.

use super::rows::{OVERFLOW_GAIN, ROW_TABLES, halves_gain, rows_gain, slide_halves, slide_rows};
use crate::board::Slide;
use crate::board::{Board, Size, draw_spawn};
use crate::direction::{Direction, Directions, Neighbors};
use crate::error::Error;
use bitcore::RandomSource;
use core::fmt;

/// A 4x4 board of tiles up to 32768. Bits 4k..4k+4 are the rank of cell k, row-major.
///
/// Every `u64` is a valid board.
///
/// ```
/// use g2048::{Board, Direction, Packed};
/// let board: Board = "2 2 4 . \n . . . . \n . . . . \n . . . 8".parse()?;
/// let packed = Packed::try_from(&board).unwrap();
/// let left = packed.slide(Direction::Left).unwrap();
/// assert_eq!((left.gain, left.changed), (4, true));
/// assert_eq!(Board::from(left.board), board.slide(Direction::Left).board);
/// # Ok::<_, g2048::Error>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed(pub(crate) u64);

/// The result of sliding a [`Packed`] board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackedSlide {
    /// The board after the slide, before the spawn (the afterstate).
    pub board: Packed,
    /// The sum of the merged tiles, at most 2^18.
    pub gain: u32,
    /// `true` if any cell changed, which makes the move legal.
    pub changed: bool,
}

impl Packed {
    /// The largest rank of a cell: the tile 32768.
    pub const MAX_RANK: u8 = 15;

    /// The empty board.
    pub const EMPTY: Self = Self(0);

    #[inline(always)]
    pub(crate) fn board(self) -> Board {
        Board::classic([self.0 & 0xffff_ffff, self.0 >> 32].map(split_nibbles))
    }

    /// Returns the ranks, four bits per cell, cell 0 in the lowest bits.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the board with these [`bits`](Self::bits).
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the rank of the cell in column `x` and row `y`, 0 if it is empty.
    ///
    /// # Panics
    ///
    /// Panics if `x` or `y` is 4 or more.
    #[inline(always)]
    pub const fn rank(self, x: usize, y: usize) -> u8 {
        assert!(x < 4 && y < 4, "a cell of the board");
        self.rank_of(4 * y + x)
    }

    /// Returns the rank of a cell, numbered row-major.
    #[inline(always)]
    pub(crate) const fn rank_of(self, cell: usize) -> u8 {
        assert!(cell < 16, "a board has 16 cells");
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// Returns the largest rank on the board.
    pub fn max_rank(self) -> u8 {
        (0..16).map(|cell| self.rank_of(cell)).max().unwrap_or(0)
    }

    /// Returns a word with the lowest bit of each empty cell's nibble set.
    #[inline(always)]
    pub(crate) const fn empty_flags(self) -> u64 {
        let mut bits = self.0;
        bits |= bits >> 2;
        bits |= bits >> 1;
        !bits & 0x1111_1111_1111_1111
    }

    /// Returns the number of empty cells.
    #[inline(always)]
    pub const fn empty_cells(self) -> u32 {
        self.empty_flags().count_ones()
    }

    /// Returns the board with rows and columns swapped.
    #[inline(always)]
    #[must_use]
    pub const fn transpose(self) -> Self {
        self.transpose_if(!0)
    }

    /// Transposes the board if `mask` is all ones; returns it unchanged if `mask` is 0.
    #[inline(always)]
    pub(crate) const fn transpose_if(self, mask: u64) -> Self {
        let mut bits = self.0;
        // Swaps the cells off the diagonal of each 2x2 block, then the blocks off the diagonal.
        let swap = (bits ^ (bits >> 12)) & (0x0000_f0f0_0000_f0f0 & mask);
        bits ^= swap ^ (swap << 12);
        let swap = (bits ^ (bits >> 24)) & (0x0000_0000_ff00_ff00 & mask);
        Self(bits ^ swap ^ (swap << 24))
    }

    /// Returns the board with left and right swapped.
    #[inline(always)]
    #[must_use]
    pub const fn mirror(self) -> Self {
        // Reverses all cells, then the order of the rows.
        let bits = self.0.swap_bytes();
        let bits = (bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        let bits = bits.rotate_left(32);
        Self((bits >> 16 & 0x0000_ffff_0000_ffff) | (bits & 0x0000_ffff_0000_ffff) << 16)
    }

    /// Returns the eight images under the symmetries of the square, in the order of
    /// [`Board::symmetries`].
    #[inline(always)]
    pub const fn symmetries(self) -> [Self; 8] {
        let r0 = self;
        let m0 = self.mirror();
        let r1 = r0.transpose().mirror();
        let m1 = m0.transpose().mirror();
        let r2 = r1.transpose().mirror();
        let m2 = m1.transpose().mirror();
        [r0, r1, r2, r2.transpose().mirror(), m0, m1, m2, m2.transpose().mirror()]
    }

    /// Returns the smallest of the [symmetries](Self::symmetries), compared by
    /// [`bits`](Self::bits).
    #[must_use]
    pub fn canonical(self) -> Self {
        self.symmetries().into_iter().fold(self, Ord::min)
    }

    /// Slides all tiles toward a wall, like [`Board::slide`]. Returns `None` if two 32768s merge;
    /// slide the [`Board`] instead in that case.
    #[inline(always)]
    pub fn slide(self, direction: Direction) -> Option<PackedSlide> {
        let (rows, turned) = match direction {
            Direction::Left | Direction::Right => (self, false),
            Direction::Up | Direction::Down => (self.transpose(), true),
        };
        let table = match direction {
            Direction::Left | Direction::Up => &ROW_TABLES.left,
            Direction::Right | Direction::Down => &ROW_TABLES.right,
        };
        let slid = Self(slide_rows(rows.0, table));
        let board = if turned { slid.transpose() } else { slid };
        let gain = rows_gain(rows.0);
        (gain < OVERFLOW_GAIN).then_some(PackedSlide { board, gain, changed: slid != rows })
    }

    /// Slides all tiles toward a wall and represents a 65536 as a 32768, for evaluations that can't
    /// distinguish them.
    #[inline(always)]
    pub(crate) fn slide_clamped(self, direction: Direction) -> PackedSlide {
        match self.slide(direction) {
            Some(slide) => slide,
            None => self.slide_unpacked(direction),
        }
    }

    /// Returns the slides in [`Direction::ALL`], each like [`slide_clamped`](Self::slide_clamped).
    #[inline(always)]
    pub(crate) fn slides_clamped(self) -> [PackedSlide; 4] {
        let columns = self.transpose();
        let [along, across] = [self, columns].map(|rows| rows_gain(rows.0));
        if along.max(across) >= OVERFLOW_GAIN {
            return self.slides_unpacked();
        }
        let [left, right] =
            [&ROW_TABLES.left, &ROW_TABLES.right].map(|table| Self(slide_rows(self.0, table)));
        let [up, down] =
            [&ROW_TABLES.left, &ROW_TABLES.right].map(|table| Self(slide_rows(columns.0, table)));
        [
            PackedSlide { board: left, gain: along, changed: left != self },
            PackedSlide { board: right, gain: along, changed: right != self },
            PackedSlide { board: up.transpose(), gain: across, changed: up != columns },
            PackedSlide { board: down.transpose(), gain: across, changed: down != columns },
        ]
    }

    #[cold]
    fn slides_unpacked(self) -> [PackedSlide; 4] {
        Direction::ALL.map(|direction| self.slide_clamped(direction))
    }

    #[cold]
    fn slide_unpacked(self, direction: Direction) -> PackedSlide {
        let slide = self.board().slide(direction);
        PackedSlide { board: Self::clamped(&slide.board), gain: slide.gain as u32, changed: true }
    }

    /// Packs a board, if it fits.
    #[inline(always)]
    pub(crate) fn of(board: &Board) -> Option<Self> {
        let words = board.words();
        let large = (words[0] | words[1]) & 0xf0f0_f0f0_f0f0_f0f0;
        let [low, high] = words.map(join_nibbles);
        (board.size() == Size::CLASSIC && large == 0).then_some(Self(low | high << 32))
    }

    /// Packs a 4x4 board, or the first 16 cells of a larger one, with larger tiles clamped to 32768.
    pub(crate) fn clamped(board: &Board) -> Self {
        let ranks = board.ranks().iter().take(16).enumerate();
        Self(ranks.fold(0, |bits, (cell, &rank)| {
            bits | u64::from(rank.min(Self::MAX_RANK)) << (4 * cell)
        }))
    }

    /// Slides a board, if it can be packed and doesn't merge two 32768s: packs its lines only as
    /// far as the tables need it.
    #[inline(always)]
    pub(crate) fn slide_bytes(board: &Board, direction: Direction) -> Option<Slide> {
        let [low, high] = board.words();
        if board.size() != Size::CLASSIC || (low | high) & 0xf0f0_f0f0_f0f0_f0f0 != 0 {
            return None;
        }
        let table = match direction {
            Direction::Left | Direction::Up => &ROW_TABLES.left,
            Direction::Right | Direction::Down => &ROW_TABLES.right,
        };
        let (words, changed, gain);
        if matches!(direction, Direction::Left | Direction::Right) {
            let rows = [low, high].map(join_bytes);
            let slid = rows.map(|rows| slide_halves(rows, table));
            words = slid.map(split_bytes);
            changed = slid != rows;
            gain = halves_gain(rows[0]) + halves_gain(rows[1]);
        } else {
            // The digits of a nibble's number: y0 x1 x0 y1 for column x1 x0 of row y1 y0, then x0
            // x1 y1 y0.
            let columns = exchange_digits::<1, 3>(exchange_digits::<0, 3>(low | high << 4));
            let slid = slide_rows(columns, table);
            let cells = exchange_digits::<0, 3>(exchange_digits::<1, 3>(slid));
            words = [cells, cells >> 4].map(|cells| cells & 0x0f0f_0f0f_0f0f_0f0f);
            changed = slid != columns;
            gain = rows_gain(columns);
        }
        let slide = Slide { board: Board::classic(words), gain: gain.into(), changed };
        (gain < OVERFLOW_GAIN).then_some(slide)
    }

    /// Returns `true` if sliding in this direction changes the board.
    #[inline]
    pub fn is_legal(self, direction: Direction) -> bool {
        self.legal_set().contains(direction)
    }

    /// Returns the legal directions, in the order of [`Direction::ALL`].
    ///
    /// ```
    /// use g2048::{Direction, Packed};
    /// let one_tile = Packed::from_bits(1);
    /// assert_eq!(one_tile.legal_moves(), [Direction::Right, Direction::Down]);
    /// ```
    #[inline]
    pub fn legal_moves(self) -> &'static [Direction] {
        self.legal_set().list()
    }

    #[inline(always)]
    fn legal_set(self) -> Directions {
        let empty = self.empty_flags();
        // Equal neighbors XOR to an empty cell.
        let neighbors = |bits, exist| {
            let like = Self(self.0 ^ self.0 >> bits).empty_flags();
            Neighbors { exist, empty: empty >> bits, like }
        };
        Directions::legal(
            empty,
            neighbors(4, 0x0111_0111_0111_0111),
            neighbors(16, 0x0000_1111_1111_1111),
        )
    }

    /// Returns `true` if no move is legal. This includes the empty board.
    #[inline(always)]
    pub const fn is_over(self) -> bool {
        // A line with both a tile and an empty cell can slide in at least one of its two
        // directions.
        if self.empty_flags() != 0 {
            return self.0 == 0;
        }
        // Equal neighbors XOR to an empty cell, as in `legal_set`.
        let across = Self(self.0 ^ self.0 >> 4).empty_flags() & 0x0111_0111_0111_0111;
        let down = Self(self.0 ^ self.0 >> 16).empty_flags() & 0x0000_1111_1111_1111;
        across | down == 0
    }

    /// Spawns a tile on a random empty cell, with the draws of [`Board::spawn`], and returns the
    /// cell's index. Returns `None`, without drawing, if the board is full.
    #[inline]
    pub fn spawn(&mut self, rng: &mut (impl RandomSource + ?Sized)) -> Option<u32> {
        let empty = self.empty_flags();
        if empty == 0 {
            return None;
        }
        let (k, rank) = draw_spawn(rng, count_flags(empty) as u32);
        let flag = nth_flag(empty, k.into());
        self.0 |= u64::from(rank) * flag;
        Some(flag.trailing_zeros() / 4)
    }

    /// Returns a starting position, with the draws of [`Board::start`].
    pub fn start(rng: &mut (impl RandomSource + ?Sized)) -> Self {
        let mut board = Self::EMPTY;
        board.spawn(rng);
        board.spawn(rng);
        board
    }
}

const ONES: u64 = 0x1111_1111_1111_1111;

/// Counts flags in the lowest bits of nibbles.
#[inline(always)]
pub(crate) const fn count_flags(flags: u64) -> u64 {
    // The top nibble of the product is the sum of all flags, modulo 16.
    let count = flags.wrapping_mul(ONES) >> 60;
    if flags == ONES { 16 } else { count }
}

/// Returns the `k`-th of the flags in the lowest bits of nibbles, or 0 if there are fewer.
#[inline(always)]
pub(crate) const fn nth_flag(flags: u64, k: u64) -> u64 {
    // Nibble i of the product counts the flags of nibbles 0..=i. Only the last count can be 16,
    // which wraps to 0.
    let other = flags.wrapping_mul(ONES) ^ (k.wrapping_add(1) & 15).wrapping_mul(ONES);
    let other = other | other >> 2;
    flags & !(other | other >> 1)
}

/// Moves the nibbles of a word so that two digits of their numbers, counted from the lowest, change
/// places.
#[inline(always)]
const fn exchange_digits<const LOW: u32, const HIGH: u32>(word: u64) -> u64 {
    /// The nibbles in whose numbers a digit is 1.
    const DIGITS: [u64; 4] = [
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let shift = 4 * ((1 << HIGH) - (1 << LOW));
    let differ = (word ^ word >> shift) & (DIGITS[LOW as usize] & !DIGITS[HIGH as usize]);
    word ^ differ ^ differ << shift
}

/// Joins the low nibbles of each four bytes in the lower half of their place.
#[inline(always)]
const fn join_bytes(bytes: u64) -> u64 {
    let joined = (bytes | bytes >> 4) & 0x00ff_00ff_00ff_00ff;
    (joined | joined >> 8) & 0x0000_ffff_0000_ffff
}

/// Splits four nibbles into bytes, twice; the inverse of [`join_bytes`].
#[inline(always)]
const fn split_bytes(rows: u64) -> u64 {
    let split = (rows | rows << 8) & 0x00ff_00ff_00ff_00ff;
    (split | split << 4) & 0x0f0f_0f0f_0f0f_0f0f
}

/// Joins the low nibbles of eight bytes.
#[inline(always)]
const fn join_nibbles(bytes: u64) -> u64 {
    let joined = join_bytes(bytes);
    (joined | joined >> 16) & 0xffff_ffff
}

/// Splits eight nibbles into bytes, the inverse of [`join_nibbles`].
#[inline(always)]
const fn split_nibbles(nibbles: u64) -> u64 {
    split_bytes((nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff)
}

impl TryFrom<&Board> for Packed {
    type Error = Error;

    /// Packs a board.
    ///
    /// # Errors
    ///
    /// [`Error::Not4x4`] if the board has another size, [`Error::Rank`] if a tile exceeds 32768.
    #[inline]
    fn try_from(board: &Board) -> Result<Self, Error> {
        Self::of(board).ok_or_else(|| why_not(board))
    }
}

#[cold]
fn why_not(board: &Board) -> Error {
    let size = board.size();
    let ranks = board.ranks();
    match ranks.iter().position(|&rank| rank > Packed::MAX_RANK) {
        Some(cell) if size == Size::CLASSIC => {
            Error::Rank { cell, rank: ranks[cell], most: Packed::MAX_RANK }
        }
        _ => Error::Not4x4 { width: size.width(), height: size.height() },
    }
}

impl From<Packed> for Board {
    /// Unpacks the board to one byte per cell.
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
