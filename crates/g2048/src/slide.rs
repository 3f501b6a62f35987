//! The slide of a single board.

use crate::board::{Board, Size, Slide, byte_mask, gather_bits, transpose_bytes, zero_bytes};
use crate::direction::Direction;
use crate::packed::Packed;
use bitcore::SetBits;
use core::array::from_fn;

impl Direction {
    /// Returns the number of lines that slide, and their length in cells.
    #[inline(always)]
    pub(crate) const fn lines(self, size: Size) -> (usize, usize) {
        match self {
            Self::Left | Self::Right => (size.height(), size.width()),
            Self::Up | Self::Down => (size.width(), size.height()),
        }
    }

    /// Returns the index of the `k`-th cell of a line, counted from the wall.
    #[inline(always)]
    pub(crate) const fn cell(self, size: Size, line: usize, k: usize) -> usize {
        let width = size.width();
        let height = size.height();
        match self {
            Self::Left => line * width + k,
            Self::Right => line * width + width - 1 - k,
            Self::Up => k * width + line,
            Self::Down => (height - 1 - k) * width + line,
        }
    }
}

impl Board {
    /// Slides all tiles toward a wall: in each line the tiles close their gaps, then equal
    /// neighbors merge in pairs, starting at the wall. A merged tile doesn't merge again.
    ///
    /// A single board doesn't fill vector lanes; [`Boards32`](crate::Boards32) slides 32 boards in
    /// one call.
    ///
    /// ```
    /// use g2048::{Board, Direction};
    /// let board: Board = "2 2 2 2 \n 4 2 2 .".parse()?;
    /// let right = board.slide(Direction::Right);
    /// assert_eq!(right.board, ". . 4 4 \n . . 4 4".parse()?);
    /// assert_eq!(right.gain, 12);
    /// assert!(!board.slide(Direction::Left).board.is_over());
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn slide(&self, direction: Direction) -> Slide {
        if let Some(slide) = Packed::slide_bytes(self, direction) {
            return slide;
        }
        self.slide_lines(direction)
    }

    /// Slides a board of any size and rank: all its lines at once, each in a byte of a word per
    /// cell.
    #[inline(never)]
    fn slide_lines(&self, direction: Direction) -> Slide {
        let along_rows = matches!(direction, Direction::Left | Direction::Right);
        let reversed = matches!(direction, Direction::Right | Direction::Down);
        let mut words = self.rows();
        if along_rows {
            words = transpose_bytes(words);
        }
        let (gain, changed) = match direction.lines(self.size()).1 {
            2 => slide_words::<2>(&mut words, reversed),
            3 => slide_words::<3>(&mut words, reversed),
            4 => slide_words::<4>(&mut words, reversed),
            5 => slide_words::<5>(&mut words, reversed),
            6 => slide_words::<6>(&mut words, reversed),
            7 => slide_words::<7>(&mut words, reversed),
            _ => slide_words::<8>(&mut words, reversed),
        };
        if along_rows {
            words = transpose_bytes(words);
        }
        let mut slide = Slide { board: Self::empty(self.size()), gain, changed };
        slide.board.set_rows(&words);
        slide
    }

    /// Returns `true` if sliding in this direction changes the board.
    #[inline]
    pub fn is_legal(&self, direction: Direction) -> bool {
        self.legal_set().contains(direction)
    }

    /// Returns the legal directions, in the order of [`Direction::ALL`].
    ///
    /// ```
    /// use g2048::{Board, Direction};
    /// let board: Board = "2 4 \n . .".parse()?;
    /// assert_eq!(board.legal_moves(), [Direction::Down]);
    /// # Ok::<_, g2048::Error>(())
    /// ```
    #[inline]
    pub fn legal_moves(&self) -> &'static [Direction] {
        self.legal_set().list()
    }

    /// Returns `true` if no move is legal. This includes the empty board.
    #[inline]
    pub fn is_over(&self) -> bool {
        // A line with both a tile and an empty cell can slide in at least one of its two
        // directions. If the board has both, so has one of its lines. The first sixteen cells often
        // do.
        let [first, second] = self.words();
        let have_both = first != 0 && zero_bytes(first) | zero_bytes(second) != 0;
        !(have_both && self.size().width() >= 4 && self.size().height() >= 4) && self.is_stuck()
    }

    /// Like [`is_over`](Self::is_over), first by the next eight cells.
    #[inline(never)]
    fn is_stuck(&self) -> bool {
        let [first, _, third] = self.words();
        let have_both = first != 0 && zero_bytes(third) != 0;
        !(have_both && self.size().cells() >= 24) && self.has_no_move()
    }

    #[inline(never)]
    fn has_no_move(&self) -> bool {
        let columns = self.columns();
        let mut row = self.row(0);
        for y in 0..self.size().height() {
            if zero_bytes(row) & columns != 0 {
                return row == 0 && *self == Self::empty(self.size());
            }
            let below = if y + 1 < self.size().height() { self.row(y + 1) } else { 0 };
            let equal =
                zero_bytes(row ^ row >> 8) & columns >> 8 | zero_bytes(row ^ below) & columns;
            if equal != 0 {
                return false;
            }
            row = below;
        }
        true
    }
}

/// Slides eight lines, line i in byte i of the first `N` words, toward the first or the last of
/// these words; see [`lanes`](crate::lanes) for the algorithm. Returns the gain, and whether a line
/// changed.
fn slide_words<const N: usize>(words: &mut [u64; 8], reversed: bool) -> (u64, bool) {
    let at = |k: usize| if reversed { N - 1 - k } else { k };
    let mut line: [u64; N] = from_fn(|k| words[at(k)]);
    let mut changed = 0;
    for i in (0..N - 1).rev() {
        let gap = byte_mask(zero_bytes(line[i]));
        let next = line[i + 1] & gap;
        line[i] |= next;
        changed |= next;
        shift_cells(&mut line, i + 1, gap);
    }
    let mut merged = [[0u8; 8]; 8];
    let mut pairs = 0;
    for i in 0..N - 1 {
        let equal = zero_bytes(line[i] ^ line[i + 1]) & !zero_bytes(line[i + 1]);
        line[i] += equal;
        pairs |= gather_bits(equal) << (8 * i);
        merged[i] = line[i].to_le_bytes();
        shift_cells(&mut line, i + 1, byte_mask(equal));
    }
    for (k, word) in line.into_iter().enumerate() {
        words[at(k)] = word;
    }
    let gain = SetBits(pairs).map(|pair| 1 << merged.as_flattened()[pair as usize % 64]).sum();
    (gain, changed | pairs != 0)
}

#[inline(always)]
fn shift_cells<const N: usize>(line: &mut [u64; N], from: usize, mask: u64) {
    for i in from..N - 1 {
        line[i] ^= (line[i] ^ line[i + 1]) & mask;
    }
    line[N - 1] &= !mask;
}
