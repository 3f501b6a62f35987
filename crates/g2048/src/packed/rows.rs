//! The slides of all rows of a 64-bit board, as tables.

/// The slides of all rows of four nibbles, the first cell lowest.
pub(super) struct RowTables {
    pub(super) left: [u16; 1 << 16],
    pub(super) right: [u16; 1 << 16],
    /// Either way the same: in a run of equal tiles as many pairs merge from one end as from the other.
    gain: [u32; 1 << 16],
}

/// Where two 32768s merge, the gain is this instead. All rows together gain at most 2^18 otherwise.
pub(super) const OVERFLOW_GAIN: u32 = 1 << 24;

/// 512 KiB, made by the compiler: no first use to guard, and no `std` needed for it.
#[allow(long_running_const_eval, reason = "65,536 rows; less than a second, once per build")]
pub(super) static ROW_TABLES: RowTables = rows();

#[allow(clippy::large_stack_arrays, reason = "on the compiler's stack")]
const fn rows() -> RowTables {
    let mut rows = RowTables { left: [0; 1 << 16], right: [0; 1 << 16], gain: [0; 1 << 16] };
    // Cell by cell, so that rows with the same beginning share its slide.
    let mut beginning = 0;
    while beginning < 1 << 12 {
        let slid = PartialRow::EMPTY.push(beginning & 15).push(beginning >> 4 & 15).push(beginning >> 8);
        let mut last = 0;
        while last < 16 {
            let row = (beginning | last << 12) as usize;
            let slid = slid.push(last);
            (rows.left[row], rows.gain[row]) = (slid.row, slid.gain);
            if slid.gain >= OVERFLOW_GAIN {
                (rows.left[row], rows.gain[row]) = (row as u16, OVERFLOW_GAIN);
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
    /// Tiles in it.
    tiles: u32,
    /// The newest tile, as long as it may merge.
    mergeable: u16,
    /// [`OVERFLOW_GAIN`] or more if two 32768s merged.
    gain: u32,
}

impl PartialRow {
    const EMPTY: Self = Self { row: 0, tiles: 0, mergeable: 0, gain: 0 };

    /// The next cell.
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

/// Slides the four rows by one of the tables.
#[inline(always)]
pub(super) fn slide_rows(board: u64, table: &[u16; 1 << 16]) -> u64 {
    let mut slid = 0;
    for y in 0..4 {
        slid |= u64::from(table[row(board, y)]) << (16 * y);
    }
    slid
}

/// The gain of the rows, either way; [`OVERFLOW_GAIN`] or more where two 32768s merge.
#[inline(always)]
pub(super) fn rows_gain(board: u64) -> u32 {
    let mut gain = 0;
    for y in 0..4 {
        gain += ROW_TABLES.gain[row(board, y)];
    }
    gain
}

/// A row of four nibbles out of a board.
#[inline(always)]
const fn row(board: u64, y: u32) -> usize {
    (board >> (16 * y)) as u16 as usize
}
