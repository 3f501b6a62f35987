//! Slide tables for all rows of a 64-bit board.

/// The slides and gains of all rows of four nibbles, indexed by the row. The first cell is in the
/// lowest bits.
pub(crate) struct RowTables {
    /// The bits that a slide changes. Compressed, they take a third of the slid rows' bytes.
    pub(crate) left: [u16; 1 << 16],
    pub(crate) right: [u16; 1 << 16],
    /// The gain of a row, equal for both directions: a run of equal tiles forms equally many pairs
    /// from either end.
    gain: [u32; 1 << 16],
}

/// Replaces the gain of a row that merges two 32768s. Without such a row, all four rows together
/// gain at most 2^18.
pub(super) const OVERFLOW_GAIN: u32 = 1 << 24;

/// The tables, 512 KiB, computed at compile time: they need no `std` and no initialization.
#[allow(long_running_const_eval, reason = "65,536 rows; less than a second, once per build")]
pub(crate) static ROW_TABLES: RowTables = rows();

#[allow(clippy::large_stack_arrays, reason = "on the compiler's stack")]
const fn rows() -> RowTables {
    let mut rows = RowTables { left: [0; 1 << 16], right: [0; 1 << 16], gain: [0; 1 << 16] };
    // Rows with the same first three cells share the slide of these cells.
    let mut beginning = 0;
    while beginning < 1 << 12 {
        let slid =
            PartialRow::EMPTY.push(beginning & 15).push(beginning >> 4 & 15).push(beginning >> 8);
        let mut last = 0;
        while last < 16 {
            let row = (beginning | last << 12) as usize;
            let slid = slid.push(last);
            (rows.left[row], rows.gain[row]) = (row as u16 ^ slid.row, slid.gain);
            if slid.gain >= OVERFLOW_GAIN {
                (rows.left[row], rows.gain[row]) = (0, OVERFLOW_GAIN);
            }
            rows.right[reverse_row(row as u16) as usize] = reverse_row(rows.left[row]);
            last += 1;
        }
        beginning += 1;
    }
    rows
}

const fn reverse_row(row: u16) -> u16 {
    let swapped = row.swap_bytes();
    (swapped >> 4 & 0x0f0f) | (swapped & 0x0f0f) << 4
}

/// The first cells of a row, slid to the left.
#[derive(Clone, Copy)]
struct PartialRow {
    row: u16,
    tiles: u32,
    /// The rank of the last tile if it may merge, else 0.
    mergeable: u16,
    /// [`OVERFLOW_GAIN`] or more if two 32768s merged.
    gain: u32,
}

impl PartialRow {
    const EMPTY: Self = Self { row: 0, tiles: 0, mergeable: 0, gain: 0 };

    const fn push(mut self, rank: u16) -> Self {
        if rank == 0 {
            return self;
        }
        if rank == self.mergeable {
            self.row = self.row.wrapping_add(1 << (4 * (self.tiles - 1)));
            self.gain += if rank == 15 { OVERFLOW_GAIN } else { 2 << rank };
            self.mergeable = 0;
        } else {
            self.row |= rank << (4 * self.tiles);
            self.tiles += 1;
            self.mergeable = rank;
        }
        self
    }
}

#[inline(always)]
pub(crate) fn slide_rows(board: u64, table: &[u16; 1 << 16]) -> u64 {
    let mut changed = 0;
    for y in 0..4 {
        changed |= u64::from(table[row(board, y)]) << (16 * y);
    }
    board ^ changed
}

/// Returns the gain of the four rows, or [`OVERFLOW_GAIN`] or more if two 32768s merge.
#[inline(always)]
pub(super) fn rows_gain(board: u64) -> u32 {
    let mut gain = 0;
    for y in 0..4 {
        gain += ROW_TABLES.gain[row(board, y)];
    }
    gain
}

/// Slides the rows in the lower halves of two 32-bit places; the upper halves are 0.
#[inline(always)]
pub(super) fn slide_halves(rows: u64, table: &[u16; 1 << 16]) -> u64 {
    let changed = u64::from(table[row(rows, 0)]) | u64::from(table[row(rows, 2)]) << 32;
    rows ^ changed
}

/// Returns the gain of the rows of [`slide_halves`].
#[inline(always)]
pub(super) fn halves_gain(rows: u64) -> u32 {
    ROW_TABLES.gain[row(rows, 0)] + ROW_TABLES.gain[row(rows, 2)]
}

#[inline(always)]
const fn row(board: u64, y: u32) -> usize {
    (board >> (16 * y)) as u16 as usize
}
